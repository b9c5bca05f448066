"""How near documents are, by cosine and L1, and STD-CosDist: same author or not from that distance alone, on the pairs of DV-Bin.

The paper reports the cosine distance, and says that L1 and L2 were tried in its place and did worse. Distances are those of both blocks of
features together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import PairModel, Pairs, Scorer, matrix_log_odds, one_blas_thread, probability
from forensia.diffvectors.pairs import CAP, Split, drawn_pairs
from forensia.estimator import Estimator, check_finite, check_labels, logistic_lines
from forensia.features.vectors import Vectors
from forensia.profile import PAPER, Profile
from forensia.systems.multinomial import GRID, products

PIECE = 4096  # pairs compared together when they are few among all
CHEAPER = 100  # one pair by itself costs as much as so many in the matrix of all (measured)


def norms(vectors: Vectors) -> Floats:
    """The length of each vector, both blocks together."""
    squares = np.asarray(vectors.sparse.multiply(vectors.sparse).sum(axis=1), dtype=np.float64).ravel()
    squares += np.einsum("ij,ij->i", vectors.dense, vectors.dense, dtype=np.float64)
    return np.sqrt(squares)


def cosines(queries: Vectors, known: Vectors) -> Floats:
    """The cosine of each query with each known document; 0 where one of them has no features at all."""
    check_finite(queries.dense, queries.sparse.data, known.dense, known.sparse.data)
    with one_blas_thread():
        out = queries.dense.astype(np.float64) @ known.dense.T.astype(np.float64)
    out += (queries.sparse @ known.sparse.T).toarray()
    return np.asarray(out / _scale(norms(queries)[:, None] * norms(known)))


def own_cosines(vectors: Vectors) -> Floats:
    """The cosines of all documents with all, symmetric to the bit."""
    check_finite(vectors.dense, vectors.sparse.data)
    with one_blas_thread():
        out = products(vectors.dense, vectors.sparse).astype(np.float64)
    length = norms(vectors)
    out = np.tril(out) + np.tril(out, -1).T
    return np.asarray(out / _scale(length[:, None] * length))


def pair_cosines(vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """The cosines of given pairs of rows."""
    if len(vectors) ** 2 <= CHEAPER * len(first):
        return np.asarray(own_cosines(vectors)[first, second])
    check_finite(vectors.dense, vectors.sparse.data)
    length = norms(vectors)
    out = np.empty(len(first))
    for start in range(0, len(first), PIECE):
        i, j = first[start : start + PIECE], second[start : start + PIECE]
        shared = vectors.sparse[i].multiply(vectors.sparse[j]).sum(axis=1)
        dense = np.einsum("ij,ij->i", vectors.dense[i], vectors.dense[j], dtype=np.float64)
        out[start : start + PIECE] = (np.asarray(shared).ravel() + dense) / _scale(length[i] * length[j])
    return out


def _scale(lengths: Floats) -> Floats:
    return np.where(lengths > 0, lengths, 1.0)


def l1_distances(queries: Vectors, known: Vectors) -> Floats:
    """The L1 distance of each query from each known document."""
    check_finite(queries.dense, queries.sparse.data, known.dense, known.sparse.data)
    with one_blas_thread():
        return Scorer(_ones(known), known).log_odds(queries)


def own_l1_distances(vectors: Vectors) -> Floats:
    """The L1 distances of all documents from all, symmetric to the bit."""
    check_finite(vectors.dense, vectors.sparse.data)
    with one_blas_thread():
        out = matrix_log_odds(_ones(vectors), vectors)
    np.fill_diagonal(out, 0.0)
    return out


def pair_l1_distances(vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """The L1 distances of given pairs of rows."""
    check_finite(vectors.dense, vectors.sparse.data)
    with one_blas_thread():
        return _ones(vectors).pair_log_odds(vectors, first, second)


def minmaxes(queries: Vectors, known: Vectors) -> Floats:
    """The minmax similarity of each query with each known document; 0 where neither has any features."""
    together = sums(queries)[:, None] + sums(known)
    apart = l1_distances(queries, known)
    least, most = np.maximum(together - apart, 0.0), together + apart
    return np.divide(least, most, out=np.zeros_like(most), where=most > 0)


def overlap(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """What two values have in common: the lesser of two above zero, the one nearer to zero of two below, nothing of one and one."""
    return np.asarray(np.maximum(np.minimum(a, b), 0) - np.minimum(np.maximum(a, b), 0))


def sums(vectors: Vectors) -> Floats:
    """The sum of the absolute values of each document."""
    sparse = np.asarray(vectors.sparse.sum(axis=1, dtype=np.float64)).ravel()
    return np.asarray(sparse + np.abs(vectors.dense).sum(axis=1, dtype=np.float64))


def _ones(vectors: Vectors) -> PairModel:
    widths = vectors.dense.shape[1], vectors.sparse.shape[1]
    return PairModel(np.ones(widths[0], dtype=np.float32), np.ones(widths[1], dtype=np.float32), 0.0)


Floats = NDArray[np.float64]
DistanceName = Literal["cosine", "l1", "l2"]


@dataclass(frozen=True)
class Distance:
    """How far documents are from each other: given pairs of rows, all against all, or queries against known ones."""

    pairs: Callable[[Vectors, NDArray[Any], NDArray[Any]], Floats]
    own: Callable[[Vectors], Floats]
    between: Callable[[Vectors, Vectors], Floats]


class DistanceClassifier(Estimator):
    """Pr(Same) of two documents from their distance; `profile` decides on pairs and folds as it does for DV-Bin."""

    def __init__(
        self,
        *,
        distance: DistanceName = "cosine",
        profile: Profile = PAPER,
        seed: int = 0,
        grid: tuple[float, ...] = GRID,
        cap: int = CAP,
    ) -> None:
        self.distance = distance
        self.profile = profile
        self.seed = seed
        self.grid = grid
        self.cap = cap

    def fit(self, vectors: Vectors, labels: NDArray[Any] | list[str]) -> DistanceClassifier:
        """Learn from documents and their authors."""
        check_labels(labels, len(vectors))
        pairs, split = drawn_pairs(labels, self.profile, self.seed, self.cap)
        return self.fit_pairs(vectors, pairs, split)

    def fit_pairs(self, vectors: Vectors, pairs: Pairs, split: Split) -> DistanceClassifier:
        """Learn from given pairs, with C chosen over a given split."""
        distances = DISTANCES[self.distance].pairs(vectors, pairs.first, pairs.second)
        losses: dict[float, float] = {}
        train = split.train.astype(np.float64)
        start = np.zeros((2, train.shape[1]))
        for c in self.grid:
            start = logistic_lines(distances, pairs.same, train, 1 / c, start)
            losses[c] = _held_out_loss(distances, pairs.same, start, split)
        self.losses_: Mapping[float, float] = losses
        self.c_ = min(losses, key=lambda c: losses[c])
        everything, middle = np.ones((len(pairs), 1)), start.mean(axis=1, keepdims=True)
        final = logistic_lines(distances, pairs.same, everything, 1 / self.c_, middle)
        self.intercept_, self.weight_ = final[:, 0].tolist()
        return self

    def predict_proba(self, vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> Floats:
        """Pr(Same) for pairs of rows."""
        return self._probability(DISTANCES[self.distance].pairs(vectors, first, second))

    def matrix(self, vectors: Vectors) -> Floats:
        """Pr(Same) of all documents against all; NaN on the diagonal."""
        out = self._probability(DISTANCES[self.distance].own(vectors))
        np.fill_diagonal(out, np.nan)
        return out

    def scores(self, queries: Vectors, known: Vectors) -> Floats:
        """Pr(Same) of each query against each known document."""
        return self._probability(DISTANCES[self.distance].between(queries, known))

    def _probability(self, distances: Floats) -> Floats:
        return probability(self.weight_ * distances + self.intercept_)


def _l2(a: Floats, b: Floats, cosine: Floats) -> Floats:
    """The L2 distance of documents from their lengths and their cosine."""
    return np.asarray(np.sqrt(np.maximum(a**2 + b**2 - 2 * a * b * cosine, 0.0)))


def l2_distances(queries: Vectors, known: Vectors) -> Floats:
    """The L2 distance of each query from each known document."""
    return _l2(norms(queries)[:, None], norms(known), cosines(queries, known))


def own_l2_distances(vectors: Vectors) -> Floats:
    """The L2 distances of all documents from all, symmetric to the bit."""
    lengths = norms(vectors)
    return _l2(lengths[:, None], lengths, own_cosines(vectors))


def pair_l2_distances(vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """The L2 distances of given pairs of rows."""
    lengths = norms(vectors)
    return _l2(lengths[first], lengths[second], pair_cosines(vectors, first, second))


DISTANCES: Mapping[DistanceName, Distance] = {
    "cosine": Distance(
        lambda vectors, first, second: 1 - pair_cosines(vectors, first, second),
        lambda vectors: 1 - own_cosines(vectors),
        lambda queries, known: 1 - cosines(queries, known),
    ),
    "l1": Distance(pair_l1_distances, own_l1_distances, l1_distances),
    "l2": Distance(pair_l2_distances, own_l2_distances, l2_distances),
}


def _loss(distances: Floats, same: NDArray[np.bool_], solution: Floats) -> Floats:
    log_odds = solution[0] + distances[:, None] * solution[1]
    return np.asarray(np.logaddexp(0.0, np.where(same[:, None], -log_odds, log_odds)))


def _held_out_loss(distances: Floats, same: NDArray[np.bool_], solution: Floats, split: Split) -> float:
    """As for DV-Bin: the mean over the folds or, grouped by document, over both classes equally."""
    loss = _loss(distances, same, solution)
    if split.grouped:
        return float(np.mean([loss[split.test & (same == label)[:, None]].mean() for label in (True, False)]))
    return float(np.mean([loss[test, fold].mean() for fold, test in enumerate(split.test.T)]))

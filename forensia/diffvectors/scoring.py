"""Scores of many pairs at once: one document against all known ones, or all against all, from what pairs have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.pairs import Pairs
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, silent, tracked

BLOCK = 256  # rows of the all-against-all matrix that are computed together
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PairModel:
    """The trained classifier h: a weight for each difference, and the intercept. Pr(Same) is the sigmoid of the log-odds."""

    dense: NDArray[np.float32]
    sparse: NDArray[np.float32]
    intercept: float

    def pair_log_odds(self, vectors: Vectors, first: NDArray[np.integer], second: NDArray[np.integer]) -> Floats:
        """The log-odds of Same for given pairs of rows; exactly the same for (a, b) and (b, a)."""
        out = np.empty(len(first))
        own = _own_products(self, vectors)
        for start in range(0, len(first), 4096):
            i, j = first[start : start + 4096], second[start : start + 4096]
            shared = vectors.sparse[i].minimum(vectors.sparse[j])
            dense = np.abs(vectors.dense[i] - vectors.dense[j]) @ self.dense
            out[start : start + 4096] = self.intercept + (own[i] + own[j]) - 2.0 * (shared @ self.sparse) + dense
        return out


class Scorer:
    """Scores queries against a fixed set of known documents, which it keeps by feature."""

    def __init__(self, model: PairModel, known: Vectors) -> None:
        self._model = model
        self._known = known
        self._own = _own_products(model, known)
        columns = known.sparse.tocsc()
        self._starts, self._rows, self._values = columns.indptr.astype(np.int64), columns.indices, columns.data

    def log_odds(self, queries: Vectors, progress: Progress = silent) -> Floats:
        """Queries x known documents."""
        out = np.empty((len(queries), len(self._known)))
        own = _own_products(self._model, queries)
        for number in tracked(range(len(queries)), progress, "comparing with the known texts"):
            out[number] = self._one(queries, number) + own[number]
        return out

    def _one(self, queries: Vectors, number: int) -> Floats:
        """One query against all known documents, but for its own product."""
        sparse = queries.sparse
        span = slice(sparse.indptr[number], sparse.indptr[number + 1])
        features, values = sparse.indices[span], sparse.data[span]
        starts = self._starts[features]
        counts = self._starts[features + 1] - starts
        ends = np.cumsum(counts)
        at = np.repeat(starts - (ends - counts), counts)
        at += np.arange(len(at))
        least = np.minimum(self._values[at], np.repeat(values, counts))
        least *= np.repeat(self._model.sparse[features], counts)
        shared = np.bincount(self._rows[at], least, len(self._known))
        dense = np.abs(self._known.dense - queries.dense[number]) @ self._model.dense
        return np.asarray(self._model.intercept + self._own - 2.0 * shared + dense)


def matrix_log_odds(model: PairModel, vectors: Vectors, progress: Progress = silent) -> Floats:
    """All documents against all, symmetric to the bit; the diagonal, a document against itself, is NaN."""
    count = len(vectors)
    out = np.full((count, count), np.nan)
    for start in tracked(range(0, count, BLOCK), progress, "comparing all known texts"):
        end = min(start + BLOCK, count)
        out[start:end, :end] = Scorer(model, vectors.rows(slice(0, end))).log_odds(vectors.rows(slice(start, end)))
    lower = np.tril_indices(count, -1)
    out[lower[1], lower[0]] = out[lower]
    np.fill_diagonal(out, np.nan)
    return out


def probability(log_odds: Floats) -> Floats:
    """Pr(Same)."""
    from scipy.special import expit

    return np.asarray(expit(log_odds))


def score_pairs(model: PairModel, vectors: Vectors, pairs: Pairs) -> Floats:
    """Pr(Same) of sampled pairs."""
    return probability(model.pair_log_odds(vectors, pairs.first, pairs.second))


def _own_products(model: PairModel, vectors: Vectors) -> Floats:
    return np.asarray(vectors.sparse @ model.sparse, dtype=np.float64)

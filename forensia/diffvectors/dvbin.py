"""DV-Bin, the classifier h of the paper: Same or Different, learnt from the differences of documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.folds import Split, drawn_pairs
from forensia.diffvectors.logistic import Solution, extrapolated, log_loss, solve
from forensia.diffvectors.operator import DiffOperator
from forensia.diffvectors.pairs import CAP, Pairs
from forensia.diffvectors.scoring import PairModel, Scorer, matrix_log_odds, probability
from forensia.errors import ForensiaError
from forensia.estimator import Estimator
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.profile import PAPER, Profile

GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)
TURNED = 0.01  # the path over C ends when the loss lies this share above the lowest: along C it falls, then rises
PATH_TOLERANCE = 0.02  # in log-odds, for the models that only choose C: their mean loss is then right to three digits
Floats = NDArray[np.float64]


class UnusableVectors(ForensiaError):
    """Vectors from which nothing can be learnt."""


@dataclass(frozen=True)
class Training:
    """How a classifier was trained, for the report: enough to do it again and to judge it."""

    pairs: int
    same: int
    pairs_sha256: str
    c: float
    losses: Mapping[float, float] = field(default_factory=dict)  # cross-validated log loss for each C tried
    grouped: bool = False
    steps: int = 0
    converged: bool = True


class DVBin(Estimator):
    """Pr(Same) of two documents; `profile` decides which pairs are drawn and over what C is cross-validated."""

    def __init__(
        self,
        *,
        profile: Profile = PAPER,
        seed: int = 0,
        grid: tuple[float, ...] = GRID,
        cap: int = CAP,
        whole_path: bool = False,
        threads: int = 1,
    ) -> None:
        self.profile = profile
        self.seed = seed
        self.grid = grid
        self.cap = cap
        self.whole_path = whole_path
        self.threads = threads

    def fit(
        self,
        vectors: Vectors,
        labels: NDArray[Any] | list[str],
        progress: Progress = silent,
        start: PairModel | None = None,
    ) -> DVBin:
        """Learn from documents and their authors; the search begins at `start`, where one is given and C needs no choosing."""
        _check(vectors, len(labels))
        pairs, split = drawn_pairs(labels, self.profile, self.seed, self.cap)
        return self.fit_pairs(vectors, pairs, split, progress, start)

    def fit_pairs(
        self,
        vectors: Vectors,
        pairs: Pairs,
        split: Split,
        progress: Progress = silent,
        start: PairModel | None = None,
    ) -> DVBin:
        """Learn from given pairs, with C chosen over a given split."""
        with one_blas_thread():
            operator = DiffOperator(vectors, pairs, threads=self.threads, progress=part(progress, 0.0, 0.1))
            c = self.grid[0]
            losses: Mapping[float, float] = {}
            near: Solution | None = None
            if len(self.grid) > 1:  # one value leaves nothing to choose
                c, losses, near = self._choose_c(operator, pairs, split, part(progress, 0.1, 0.85))
            elif start is not None:
                near = _starting(operator, np.concatenate((start.dense, start.sparse, [start.intercept]))[:, None])
            everything = np.ones((len(pairs), 1), dtype=np.float32)
            final = solve(operator, pairs.same, everything, c, near, progress=part(progress, 0.85, 1.0))
        if final is None:
            raise UnusableVectors("The model could not be fitted.")
        weights = final.weights[:, 0].astype(np.float32)
        width = vectors.dense.shape[1]
        self.model_ = PairModel(weights[:width].copy(), weights[width:-1].copy(), float(final.weights[-1, 0]))
        self.training_ = Training(
            pairs=len(pairs),
            same=int(pairs.same.sum()),
            pairs_sha256=pairs.sha256,
            c=c,
            losses=losses,
            grouped=split.grouped,
            steps=int(final.steps[0]),
            converged=bool(final.converged[0]),
        )
        return self

    def predict_proba(self, vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> Floats:
        """Pr(Same) for pairs of rows."""
        return probability(self.model_.pair_log_odds(vectors, first, second))

    def matrix(self, vectors: Vectors, progress: Progress = silent) -> Floats:
        """Pr(Same) of all documents against all; NaN on the diagonal."""
        with one_blas_thread():
            return probability(matrix_log_odds(self.model_, vectors, progress))

    def scores(self, queries: Vectors, known: Vectors, progress: Progress = silent) -> Floats:
        """Pr(Same) of each query against each known document."""
        with one_blas_thread():
            return probability(Scorer(self.model_, known).log_odds(queries, progress))

    def _choose_c(
        self, operator: DiffOperator, pairs: Pairs, split: Split, progress: Progress
    ) -> tuple[float, Mapping[float, float], Solution | None]:
        """The C with the lowest cross-validated log loss, the losses, and a solution near the one on all pairs."""
        weights = split.train.astype(np.float32)
        before: Solution | None = None
        last: Solution | None = None
        losses: dict[float, float] = {}
        best: tuple[float, float, Solution | None] = (np.inf, 0.0, None)
        for number, c in enumerate(self.grid):
            stage = part(progress, number / len(self.grid), (number + 1) / len(self.grid))
            stage(0.0, f"choosing the regularisation (C = {c:g})")
            start = None if last is None else extrapolated(before, last, pairs.same, weights, c)
            turned = None if self.whole_path else _Turned(best[0], pairs.same, split)
            found = solve(
                operator, pairs.same, weights, c, start, tolerance=PATH_TOLERANCE, enough=turned, progress=stage
            )
            if found is None:
                break
            before, last = last, found
            losses[c] = _held_out_loss(found.log_odds, pairs.same, split)
            if losses[c] < best[0]:
                best = (losses[c], c, found)
            elif losses[c] > (1 + TURNED) * best[0] and not self.whole_path:
                break
        chosen = best[2]
        if chosen is None:
            raise UnusableVectors("No value of C gave a finite loss: the vectors of the documents cannot be used.")
        return best[1], losses, _starting(operator, chosen.weights.mean(axis=1, keepdims=True))


class _Turned:
    """Notices, while a model is still being fitted, that its held-out loss has left the lowest one behind and keeps rising.

    On the way from the solution for one C to that for ten times as much, the held-out loss goes steadily from the one to the
    other, so once it is well above the lowest and rising there is no need to wait for the end.
    """

    def __init__(self, lowest: float, same: NDArray[np.bool_], split: Split) -> None:
        self._lowest, self._same, self._split = lowest, same, split
        self._previous = np.inf

    def __call__(self, log_odds: Floats) -> bool:
        loss = _held_out_loss(log_odds, self._same, self._split)
        turned = loss > (1 + 2 * TURNED) * self._lowest and loss > self._previous
        self._previous = loss
        return turned


def _starting(operator: DiffOperator, weights: Floats) -> Solution:
    """Weights from which to search, as a solution that is none yet."""
    one = weights.shape[1]
    return Solution(
        weights, operator.forward(weights), np.zeros(one, np.int64), np.zeros(one, np.bool_), np.full(one, np.inf)
    )


def _held_out_loss(log_odds: Floats, same: NDArray[np.bool_], split: Split) -> float:
    """The mean log loss of held-out pairs: over the folds, or, grouped by document, over both classes equally."""
    loss = log_loss(log_odds, same[:, None])
    if split.grouped:  # held-out pairs are few and their classes uneven: each class counts half
        classes = [loss[split.test & (same == label)[:, None]].mean() for label in (True, False)]
        return float(np.mean(classes))
    return float(np.mean([loss[split.test[:, fold], fold].mean() for fold in range(split.test.shape[1])]))


def _check(vectors: Vectors, labels: int) -> None:
    if len(vectors) != labels:
        raise UnusableVectors(f"There are {len(vectors)} vectors and {labels} labels: each document needs one author.")
    if not (np.isfinite(vectors.dense).all() and np.isfinite(vectors.sparse.data).all()):
        raise UnusableVectors(
            "Some features are not finite numbers. Please report it, with the kind of text that caused it."
        )
    if (vectors.sparse.data < 0).any():
        raise UnusableVectors("Sparse features must not be negative.")
    if not len(vectors.sparse.data) and not vectors.dense.size:
        raise UnusableVectors("The documents have no feature that tells them apart: are they all equal?")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Matrix products in one thread: their sums, and so the model, must not depend on the number of cores."""
    import scipy.linalg  # noqa: F401  # brings a BLAS of its own; one that is loaded later would keep its threads
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield

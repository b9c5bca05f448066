"""DV-Bin, the classifier h of the paper: Same or Different, learnt from the differences of documents, and its scores of many pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.logistic import Solution, extrapolated, log_loss, solve
from forensia.diffvectors.operator import DiffOperator
from forensia.diffvectors.pairs import CAP, Pairs, Split, drawn_pairs
from forensia.errors import ForensiaError
from forensia.estimator import Estimator
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent, tracked
from forensia.profile import PAPER, Profile

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

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
        own, weights = _own_products(self, vectors), self.sparse.astype(np.float64)
        for start in range(0, len(first), 4096):
            i, j = first[start : start + 4096], second[start : start + 4096]
            shared = vectors.sparse[i].minimum(vectors.sparse[j])
            dense = np.abs(vectors.dense[i] - vectors.dense[j]) @ self.dense
            out[start : start + 4096] = self.intercept + (own[i] + own[j]) - 2.0 * (shared @ weights) + dense
        return out


class Scorer:
    """Scores queries against a fixed set of known documents, which it keeps by feature, each value times its weight."""

    def __init__(self, model: PairModel, known: Vectors) -> None:
        self._model = model
        self._known = known
        self._own = _own_products(model, known)
        columns = known.sparse.tocsc()
        self._starts = columns.indptr.astype(np.intp)
        self._rows = columns.indices
        self._values = _bits(columns.data * np.repeat(model.sparse, np.diff(self._starts)))

    def log_odds(self, queries: Vectors, progress: Progress = silent) -> Floats:
        """Queries x known documents."""
        out = np.empty((len(queries), len(self._known)))
        own = _own_products(self._model, queries)
        for number in tracked(range(len(queries)), progress, "comparing with the known texts"):
            span = _entries(queries, number)
            features = queries.sparse.indices[span]
            begins = self._starts[features]
            values = _bits(queries.sparse.data[span] * self._model.sparse[features])
            shared = self._shared(begins, self._starts[features + 1] - begins, values, len(self._known))
            out[number] = own[number] + self._rest(queries.dense[number], shared)
        return out

    def all_log_odds(self, progress: Progress = silent) -> Floats:
        """Known x known documents, symmetric to the bit; the diagonal, a document against itself, is NaN."""
        sparse, count = self._known.sparse, len(self._known)
        out = np.full((count, count), np.nan)
        met = np.zeros(sparse.shape[1], dtype=np.intp)  # how many of the documents so far have each feature
        for number in tracked(range(count), progress, "comparing all known texts"):
            span = _entries(self._known, number)
            features = sparse.indices[span]
            values = _bits(sparse.data[span] * self._model.sparse[features])
            shared = self._shared(self._starts[features], met[features], values, number)
            met[features] += 1
            out[number, :number] = self._own[number] + self._rest(self._known.dense[number], shared)
            out[:number, number] = out[number, :number]
        return out

    def _shared(
        self, begins: NDArray[np.intp], counts: NDArray[np.intp], values: NDArray[np.uint32], documents: int
    ) -> Floats:
        """The weighted sum of min(a, b) with each of the first documents: for each feature so many entries, from where they begin."""
        ends = np.cumsum(counts)
        at = np.repeat(begins - (ends - counts), counts)
        at += np.arange(len(at))
        least = self._values.take(at)
        np.minimum(least, np.repeat(values, counts), out=least)
        return np.asarray(np.bincount(self._rows.take(at), least.view(np.float32), documents), dtype=np.float64)

    def _rest(self, dense: NDArray[np.float32], shared: Floats) -> Floats:
        """All of the log-odds with the first documents but the query's own product."""
        count = len(shared)
        differences = np.abs(self._known.dense[:count] - dense) @ self._model.dense
        return np.asarray(self._model.intercept + self._own[:count] - 2.0 * shared + differences)


def matrix_log_odds(model: PairModel, vectors: Vectors, progress: Progress = silent) -> Floats:
    """All documents against all, symmetric to the bit; the diagonal, a document against itself, is NaN."""
    return Scorer(model, vectors).all_log_odds(progress)


def _entries(vectors: Vectors, number: int) -> slice:
    """Where the sparse values of a document are."""
    return slice(vectors.sparse.indptr[number], vectors.sparse.indptr[number + 1])


def _bits(weighted: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Values as the integers that their bits are.

    Of two numbers of one sign the one nearer to zero has the smaller bits. So of a and b, not negative and both times the
    weight w of whatever sign, the smaller bits are those of w min(a, b): one comparison, no multiplication.
    """
    return weighted.view(np.uint32)


def probability(log_odds: Floats) -> Floats:
    """Pr(Same)."""
    from scipy.special import expit

    return np.asarray(expit(log_odds))


def _own_products(model: PairModel, vectors: Vectors) -> Floats:
    """The weighted sum of each document; in double precision, for single would cost the fourth digit of the log-odds."""
    return np.asarray(vectors.sparse @ model.sparse.astype(np.float64))


GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)
TURNED = 0.01  # the path over C ends when the loss lies this share above the lowest: along C it falls, then rises
PATH_TOLERANCE = 0.02  # in log-odds, for the models that only choose C: their mean loss is then right to three digits


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
    with _blas().limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> ThreadpoolController:
    """The libraries that do matrix products, looked for once: to find them takes longer than many a product."""
    import scipy.linalg  # noqa: F401  # it has a BLAS of its own, which is found only once it is loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()

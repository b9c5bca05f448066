"""Scores of many pairs at once: one document against all known ones, or all against all, from what pairs have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forensia.features.vectors import Vectors
from forensia.jobs import Progress, silent, tracked

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

"""What rests on sums of absolute values: the L1 distance of documents, and their minmax similarity.

The L1 distance is a diff-vector summed up, so it is what `diffvectors` gives for weights of one.

Minmax (Koppel and Winter 2014) is the sum of min(a, b) over the sum of max(a, b), for values that are not negative. Standardised
features are negative half of the time; such a one counts as two, what is above the mean and what is below, neither of them negative (the
generalised minmax of Li 2017). Without negative values that changes nothing. With |a| and |b| the sums of absolute values, it is
(|a| + |b| - L1) / (|a| + |b| + L1) in either case.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import PairModel, Scorer, matrix_log_odds, one_blas_thread
from forensia.features.vectors import Vectors
from forensia.systems.problems import check_finite

Floats = NDArray[np.float64]


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

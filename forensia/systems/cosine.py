"""How near documents are: the cosines and the L1 distances of their vectors, both blocks of features together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import PairModel, Scorer, matrix_log_odds, one_blas_thread
from forensia.features.vectors import Vectors
from forensia.systems.problems import check_finite
from forensia.systems.rowspace import products

PIECE = 4096  # pairs compared together when they are few among all
CHEAPER = 100  # one pair by itself costs as much as so many in the matrix of all (measured)
Floats = NDArray[np.float64]


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

"""The cosines of documents, both blocks of features together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
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

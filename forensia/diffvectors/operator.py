"""Diff-vectors that are never made: products with the matrix of |a - b| over many pairs, from what pairs have in common.

Group 2 is sparse and not negative, so |a - b| = a + b - 2 min(a, b). A product with weights needs the documents' own
products, added over the two ends of each pair, less twice the product with min(a, b), which is non-zero only where both
documents have the feature: on real text some 5 % of what |a - b| would hold. Those intersections are computed once and kept in
float32. Group 1 is dense and narrow; its differences are kept as they are. Everything is held and processed in pieces of
fixed size and summed in a fixed order, so the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.pairs import Pairs
from forensia.diffvectors.preconditioner import Preconditioner, incidence
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, silent, tracked

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

PIECE = 4096  # pairs
PART = 256  # pairs that are written out together while a piece is made: whole documents, so much more than what is kept of them
Singles = NDArray[np.float32]
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class _Piece:
    rows: slice
    dense: Singles  # |a - b| of group 1
    shared: csr_matrix  # min(a, b) of group 2


class DiffOperator:
    """The matrix of diff-vectors of `pairs`, with a last column of ones for the intercept, known only by its products."""

    def __init__(self, vectors: Vectors, pairs: Pairs, *, threads: int = 1, progress: Progress = silent) -> None:
        self._vectors = vectors
        self._pairs = pairs
        self._threads = threads
        self._dense_width = vectors.dense.shape[1]
        self.shape = (len(pairs), self._dense_width + vectors.sparse.shape[1] + 1)
        self._incidence = incidence(pairs, len(vectors))
        starts = tracked(range(0, len(pairs), PIECE), progress, "comparing pairs of documents")
        self._pieces = tuple(self._make(slice(start, min(start + PIECE, len(pairs)))) for start in starts)

    @cached_property
    def preconditioner(self) -> Preconditioner:
        """What makes the solver fast: see there."""
        dense, shared = zip(*((piece.dense, piece.shared) for piece in self._pieces), strict=True)
        return Preconditioner(self._vectors, self._incidence, dense, shared)

    def forward(self, weights: NDArray[Any]) -> NDArray[Any]:
        """The product with `weights` (columns x problems): pairs x problems, in their precision."""
        dense, sparse = weights[: self._dense_width], weights[self._dense_width : -1]
        single = self._vectors.sparse @ sparse
        single += weights[-1] / 2  # each pair has two ends, so half of the intercept comes with each
        out = np.empty((self.shape[0], weights.shape[1]), dtype=weights.dtype)

        def one(piece: _Piece) -> None:
            part = piece.shared @ sparse
            part *= -2
            part += single[self._pairs.first[piece.rows]]
            part += single[self._pairs.second[piece.rows]]
            part += piece.dense @ dense
            out[piece.rows] = part

        for _ in self._map(one, self._pieces):
            pass
        return out

    def backward(self, residuals: NDArray[Any]) -> NDArray[Any]:
        """The product of the transposed matrix with `residuals` (pairs x problems): columns x problems, in their precision."""

        def one(piece: _Piece) -> tuple[NDArray[Any], NDArray[Any]]:
            mine = residuals[piece.rows]
            return piece.dense.T @ mine, piece.shared.T @ mine

        out = np.zeros((self.shape[1], residuals.shape[1]), dtype=residuals.dtype)
        for dense, sparse in self._map(one, self._pieces):
            out[: self._dense_width] += dense
            out[self._dense_width : -1] += sparse
        out[self._dense_width : -1] *= -2
        out[self._dense_width : -1] += self._vectors.sparse.T @ (self._incidence.T @ residuals)
        out[-1] = residuals.sum(axis=0, dtype=np.float64)
        return out

    def _make(self, rows: slice) -> _Piece:
        """The differences and intersections of some pairs."""
        from scipy.sparse import vstack

        first, second = self._pairs.first[rows], self._pairs.second[rows]
        dense = np.abs(self._vectors.dense[first] - self._vectors.dense[second])
        parts = (slice(start, start + PART) for start in range(0, len(first), PART))
        sparse = self._vectors.sparse
        shared = vstack([sparse[first[part]].minimum(sparse[second[part]]) for part in parts], format="csr")
        return _Piece(rows, dense, shared)

    def _map(self, function: Callable[[S], T], items: Iterable[S]) -> Iterable[T]:
        if self._threads <= 1 or len(self._pieces) == 1:
            return map(function, items)
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(function, items))

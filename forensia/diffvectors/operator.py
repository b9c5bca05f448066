"""Diff-vectors that are never made: products with the matrix of |a - b| over many pairs, from what pairs have in common.

Group 2 is sparse and not negative, so |a - b| = a + b - 2 min(a, b). A product with weights needs the documents' own
products, added over the two ends of each pair, less twice the product with min(a, b), which is non-zero only where both
documents have the feature: on real text some 5 % of what |a - b| would hold. Those intersections are computed once and kept in
float32. Group 1 is dense and narrow; its differences are kept as they are. Everything is held and processed in pieces of
fixed size and summed in a fixed order, so the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.pairs import Pairs
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, silent, tracked

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Of the documents' span; beyond that the strongest ones. It pays to have all: 1,250 documents took four times longer with 1,000.
MOST_DIRECTIONS = 2000
# Pairs that tell how a + b explains |a - b|; with a quarter of them the solver took an eighth more steps.
EXPLAINED = 8000
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


class Preconditioner:
    """An approximate inverse of the Hessian; `update` fits it to the present curvature, `apply` multiplies with it.

    It is why a few dozen conjugate-gradient steps suffice: the stiff directions of the problem are known and solved exactly.
    Measured on real text, the sparse part of a diff-vector a + b - 2 min(a, b) lies almost wholly in the span of the documents
    themselves: it is close to (a + b) times a factor for each feature, which explains 92 % to 95 % of it. So the Hessian restricted
    to (dense block, intercept, span of the documents) is built from small matrices: the incidence of pairs and documents, and the
    documents' Gram matrix. Outside that space a diagonal serves, made from what the factors leave unexplained. On 3,800
    pairs, C = 100 took 5,900 steps with a plain diagonal; it takes about 100 with this.
    """

    def __init__(
        self, vectors: Vectors, ends: csr_matrix, dense: Sequence[Singles], shared: Sequence[csr_matrix]
    ) -> None:
        self._ends = ends
        self._dense = dense
        self._width = vectors.dense.shape[1]
        factor, self._unexplained = _explain(vectors.sparse, ends, shared)
        self._sparse = vectors.sparse.copy()
        self._sparse.data *= factor[self._sparse.indices]
        values, directions = _strongest(self._sparse)
        self._own = (directions * np.sqrt(values)).astype(np.float32)  # documents in the coordinates of their span
        self._into = (directions / np.sqrt(values)).astype(np.float32)  # coordinates of the span from documents
        self._factors: list[tuple[Floats, bool]] = []
        self._outside: Singles = np.ones((vectors.sparse.shape[1], 1), dtype=np.float32)

    def update(self, curvature: Singles, c: float) -> None:
        """Factor the restricted Hessian of each problem for its curvature (pairs x problems)."""
        # Each problem needs its own: a document that a fold leaves out is free there and stiff elsewhere.
        self._factors = [self._factored(curvature[:, problem], c) for problem in range(curvature.shape[1])]
        spread = c * self._unexplained[:, None] * curvature.sum(axis=0, dtype=np.float64)
        self._outside = (1.0 / (1.0 + spread)).astype(np.float32)

    def _factored(self, curvature: Singles, c: float) -> tuple[Floats, bool]:
        from scipy.linalg import cho_factor

        width, rank = self._width, self._own.shape[1]
        hessian = np.zeros((width + 1 + rank, width + 1 + rank))
        crossed = np.zeros((self._own.shape[0], width + 1), dtype=np.float32)
        start = 0
        for block in self._dense:
            rows = slice(start, start + len(block))
            weighted = block * curvature[rows, None]
            hessian[:width, :width] += block.T @ weighted
            hessian[width, :width] += weighted.sum(axis=0)
            crossed[:, :width] += self._ends[rows].T @ weighted
            start += len(block)
        crossed[:, width] = self._ends.T @ curvature
        graph = self._ends.T @ self._ends.multiply(curvature[:, None]).tocsr()
        hessian[:width, width] = hessian[width, :width]
        hessian[width, width] = curvature.sum(dtype=np.float64)
        hessian[width + 1 :, : width + 1] = self._own.T @ crossed
        hessian[: width + 1, width + 1 :] = hessian[width + 1 :, : width + 1].T
        hessian[width + 1 :, width + 1 :] = self._own.T @ (graph @ self._own)
        hessian *= c
        diagonal = np.einsum("ii->i", hessian)
        # The intercept is not penalised, and sums in float32 may leave the matrix a little below positive.
        diagonal += 1.0 + 1e-6 * max(float(diagonal.max(initial=0.0)), 1.0)
        diagonal[width] -= 1.0
        factor, lower = cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
        return factor, lower

    def apply(self, residual: Singles, problems: NDArray[np.intp]) -> Singles:
        """The approximate inverse times `residual` (columns x these problems)."""
        from scipy.linalg import cho_solve

        width = self._width
        sparse = residual[width:-1]
        inside = self._coordinates(sparse)
        solved = np.vstack((residual[:width], residual[-1:], inside))
        for column, problem in enumerate(problems):
            solved[:, column] = cho_solve(self._factors[problem], solved[:, column], check_finite=False)
        outside = self._outside[:, problems] * (sparse - self._span(inside))
        outside += self._span(solved[width + 1 :] - self._coordinates(outside))
        return np.concatenate((solved[:width], outside, solved[width : width + 1]))

    def _coordinates(self, sparse: Singles) -> Singles:
        return np.asarray(self._into.T @ (self._sparse @ sparse))

    def _span(self, coordinates: Singles) -> Singles:
        return np.asarray(self._sparse.T @ (self._into @ coordinates))


def incidence(pairs: Pairs, documents: int) -> csr_matrix:
    """Pairs x documents, with a one at both ends of each pair."""
    from scipy.sparse import csr_matrix

    columns = np.column_stack((pairs.first, pairs.second)).ravel()
    ends = np.arange(0, 2 * len(pairs) + 1, 2)
    return csr_matrix((np.ones(2 * len(pairs), dtype=np.float32), columns, ends), shape=(len(pairs), documents))


def _explain(sparse: csr_matrix, ends: csr_matrix, shared: Sequence[csr_matrix]) -> tuple[Singles, Floats]:
    """For each feature the factor by which |a - b| is closest to a + b, and the mean square it leaves; from every few pairs.

    The product of both is |a^2 - b^2| = a^2 + b^2 - 2 min(a, b)^2, and their squares are a^2 + b^2 + 2ab and a^2 + b^2 - 2ab: three sums
    over the pairs are enough, two of them over the documents instead.
    """
    from scipy.sparse import triu

    width = sparse.shape[1]
    every = max(1, -(-ends.shape[0] // EXPLAINED))
    least = np.zeros(width)
    start = 0
    for block in shared:
        common = block[-start % every :: every]
        least += np.bincount(common.indices, common.data**2, width)
        start += block.shape[0]
    chosen = ends[::every]
    graph = chosen.T @ chosen  # on the diagonal how many pairs a document is in, elsewhere with whom
    often = np.repeat(graph.diagonal(), np.diff(sparse.indptr))
    squares = np.bincount(sparse.indices, often * sparse.data**2, width)
    products = _products(sparse, triu(graph, 1, format="csr"))
    along, sums = squares - 2 * least, squares + 2 * products
    factor = np.divide(along, sums, out=np.ones(width), where=sums > 0)
    left = squares - 2 * products - factor * along
    return factor.astype(np.float32), np.maximum(left, 0.0) / max(chosen.shape[0], 1)


def _products(sparse: csr_matrix, partners: csr_matrix) -> Floats:
    """The sum of ab over pairs for each feature: each document times the sum of its partners, where it has the feature."""
    width = sparse.shape[1]
    out = np.zeros(width)
    for document in np.flatnonzero(np.diff(partners.indptr)):  # no pair is there twice
        others = sparse[partners.indices[partners.indptr[document] : partners.indptr[document + 1]]]
        own = slice(sparse.indptr[document], sparse.indptr[document + 1])
        features = sparse.indices[own]
        out[features] += sparse.data[own] * np.bincount(others.indices, others.data, width)[features]
    return out


def _strongest(sparse: csr_matrix) -> tuple[Floats, Floats]:
    """Eigenvalues and eigenvectors of the documents' Gram matrix, without those that rounding made."""
    gram = (sparse @ sparse.T).toarray().astype(np.float64)
    if gram.shape[0] <= MOST_DIRECTIONS:
        values, vectors = np.linalg.eigh(gram)
    else:
        values, vectors = _subspace(gram, MOST_DIRECTIONS)
    keep = values > 1e-6 * max(float(values.max(initial=0.0)), 1e-30)
    return values[keep], vectors[:, keep]


def _subspace(gram: Floats, rank: int) -> tuple[Floats, Floats]:
    """The strongest directions, well enough for a preconditioner: two rounds of subspace iteration from fixed noise."""
    start = np.random.default_rng(0).normal(size=(gram.shape[0], rank))
    for _ in range(2):
        start, _ = np.linalg.qr(gram @ start)
    values, rotation = np.linalg.eigh(start.T @ gram @ start)
    return values, start @ rotation


PIECE = 4096  # pairs
PART = 256  # pairs that are written out together while a piece is made: whole documents, so much more than what is kept of them
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
        """What makes the solver fast."""
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

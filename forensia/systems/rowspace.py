"""The row space of the documents: where a linear learner's exact solution lies when documents are fewer than features.

The weights that minimise a penalised loss are a combination of the documents, W = A X, with one dual coefficient for each
class and document. All a learner needs is then the Gram matrix X X', n x n, and the weights over the features need
never exist. An intercept that is not penalised absorbs any shift of the features, so by default the documents are
centred: the same solution, better conditioned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
from forensia.features.vectors import Vectors
from forensia.systems.problems import check_finite, check_nonempty

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FREQUENT = 60  # a feature of more documents than this is cheaper in a dense product than in a sparse one (measured)
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True)
class RowWeights:
    """What a solution says about the features: classes x features of group 1, of group 2, and the intercepts."""

    dense: Floats
    sparse: Floats
    intercepts: Floats


class RowSpace:
    """The training documents as a basis: `gram` holds their products, `against` gives those of other documents with them."""

    def __init__(self, vectors: Vectors, *, centred: bool = True) -> None:
        check_nonempty(len(vectors))
        check_finite(vectors.dense, vectors.sparse.data)
        self._vectors = vectors
        self._centred = centred
        self._middle = vectors.dense.mean(axis=0, dtype=np.float64) * centred
        self._dense = (vectors.dense - self._middle).astype(np.float32)
        with one_blas_thread():
            self.gram: Singles = products(self._dense, vectors.sparse)
        self._means = self.gram.mean(axis=0, dtype=np.float64) * centred
        shift = (self._means - self._means.mean() / 2).astype(np.float32)
        self.gram -= shift
        self.gram -= shift[:, None]

    def against(self, others: Vectors) -> Floats:
        """Products of other documents (rows) with the training documents (columns)."""
        check_finite(others.dense, others.sparse.data)
        with one_blas_thread():
            out = (others.dense - self._middle) @ self._dense.T.astype(np.float64)
        out += (others.sparse @ self._vectors.sparse.T).toarray()
        if self._centred:
            out -= out.mean(axis=1, keepdims=True)
            out += self._means.mean() - self._means
        return np.asarray(out)

    def weights(self, duals: Floats, intercepts: Floats) -> RowWeights:
        """The weights of a solution over the features themselves, for explaining it: logits = features x weights + intercepts."""
        if self._centred:
            duals = duals - duals.mean(axis=1, keepdims=True)
        with one_blas_thread():
            dense = np.asarray(duals @ self._vectors.dense.astype(np.float64))
            sparse = np.asarray(duals @ self._vectors.sparse)
            if self._centred:
                middle = np.asarray(self._vectors.sparse.mean(axis=0)).ravel()
                intercepts = intercepts - dense @ self._middle - sparse @ middle
        return RowWeights(dense, sparse, intercepts)


def products(dense: Singles, sparse: csr_matrix) -> Singles:
    """The products of all documents with all."""
    columns = sparse.tocsc()
    many = np.diff(columns.indptr) > FREQUENT
    frequent = columns[:, np.flatnonzero(many)].toarray()
    rest = columns[:, np.flatnonzero(~many)].tocsr()
    out = dense @ dense.T
    out += frequent @ frequent.T
    out += (rest @ rest.T).toarray()
    return np.asarray(out)

"""The row space of the documents: where a linear learner's exact solution lies when documents are fewer than features.

The weights that minimise a penalised loss are a combination of the documents, W = A X, with one dual coefficient for each
class and document. All a learner needs is then the Gram matrix X X', n x n, and the weights over the features need
never exist. An intercept that is not penalised absorbs any shift of the features, so the Gram matrix is
that of the centred documents: the same solution, better conditioned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.problems import check_finite, check_nonempty
from forensia.features.vectors import Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FREQUENT = 60  # a feature of more documents than this is cheaper in a dense product than in a sparse one (measured)
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """What a solution says about the features: classes x features of group 1, of group 2, and the intercepts."""

    dense: Floats
    sparse: Floats
    intercepts: Floats


class RowSpace:
    """The training documents as a basis: `gram` among themselves, `against` them for others; both centred on them."""

    def __init__(self, vectors: Vectors) -> None:
        check_nonempty(len(vectors))
        check_finite(vectors.dense, vectors.sparse.data)
        self._vectors = vectors
        raw = products(vectors)
        self._means = raw.mean(axis=0, dtype=np.float64)
        self._mean = float(self._means.mean())
        shift = (self._means - self._mean / 2).astype(np.float32)
        raw -= shift
        raw -= shift[:, None]
        self.gram: Singles = raw

    def against(self, others: Vectors) -> Floats:
        """Products of other documents (rows) with the training documents (columns)."""
        check_finite(others.dense, others.sparse.data)
        raw = np.asarray((others.sparse @ self._vectors.sparse.T).todense(), dtype=np.float64)
        raw += others.dense.astype(np.float64) @ self._vectors.dense.T.astype(np.float64)
        return np.asarray(raw - raw.mean(axis=1, keepdims=True) - self._means + self._mean)

    def weights(self, duals: Floats, intercepts: Floats) -> Weights:
        """The weights of a solution over the features themselves, for explaining it; the intercepts are those without centring."""
        centred = duals - duals.mean(axis=1, keepdims=True)
        dense = centred @ self._vectors.dense.astype(np.float64)
        sparse = np.asarray((self._vectors.sparse.T.astype(np.float64) @ centred.T).T)
        return Weights(dense, sparse, intercepts - centred @ self._means)


def products(vectors: Vectors) -> Singles:
    """The products of all documents with all."""
    columns = vectors.sparse.tocsc()
    many = np.diff(columns.indptr) > FREQUENT
    frequent = columns[:, np.flatnonzero(many)].toarray()
    rest = columns[:, np.flatnonzero(~many)].tocsr()
    out = vectors.dense @ vectors.dense.T
    out += frequent @ frequent.T
    out += (rest @ rest.T).toarray()
    return np.asarray(out)

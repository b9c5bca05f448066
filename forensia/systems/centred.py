"""How alike two texts are in one family, beside what both share with everybody: the cosine of their vectors less a mean one.

Most of what two texts have in common, any two texts have. So the mean of the known texts is taken from both vectors, every author
counting the same, and without the authors of the two texts where these are known: what a writer shares with their own mean must not be
held against them. (Five corpora, AUC of pairs by strangers with the weights that left-out pairs give the families: plain cosines .837,
in units of their spread above their mean with the known texts .863, centred ones .870 on average.)

No vector is centred: (x - mu)(y - mu) is xy - x mu - y mu + mu mu, and mu without some authors comes from the products with the means
of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.features.weighting import products

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

NOBODY = -1
BLOCK = 64  # authors whose means are taken as a dense matrix: it bounds the memory
NOTHING = 1e-9  # the square of a length: such a text is empty, or the mean itself
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AuthorMeans:
    """The mean vector of each author's known texts (`present`: who has any), and their products with each other."""

    means: csr_matrix
    present: NDArray[np.bool_]
    gram: Floats

    @classmethod
    def of(cls, known: csr_matrix, codes: NDArray[Any], authors: int) -> AuthorMeans:
        """From known texts and the number of each one's author, of so many."""
        from scipy.sparse import csr_matrix

        sizes = np.bincount(codes, minlength=authors)
        shares = csr_matrix((1 / sizes[codes], (codes, np.arange(len(codes)))), shape=(authors, len(codes)))
        means = csr_matrix(shares @ known.astype(np.float64))
        return cls(means, sizes > 0, products(means, means))

    def cosines(
        self,
        first: csr_matrix,
        second: csr_matrix,
        near: Floats,
        i: NDArray[Any],
        j: NDArray[Any],
        without: NDArray[Any],
    ) -> Floats:
        """Of row i of the first and row j of the second, for each pair; 0 where nothing is left of one of them.

        `near` are the products of all rows of the first with all rows of the second, which several means may share; `without` (pairs x
        2) are authors who do not count for a pair, or `NOBODY`.
        """
        one, other = without[:, 0], np.where(without[:, 0] == without[:, 1], NOBODY, without[:, 1])
        present = np.append(self.present, False)  # nobody comes last, so that NOBODY points there
        count = self.present.sum() - present[one].astype(int) - present[other]
        share = np.divide(1.0, count, out=np.zeros(len(one)), where=count > 0)
        gram = np.pad(self.gram, (0, 1))
        sums = gram.sum(axis=1)
        mean = gram.sum() - 2 * (sums[one] + sums[other])
        mean = share**2 * (mean + gram[one, one] + gram[other, other] + 2 * gram[one, other])

        def with_mean(vectors: csr_matrix, rows: NDArray[Any]) -> Floats:
            each = np.pad(self._products(vectors), ((0, 0), (0, 1)))
            return np.asarray(share * (each.sum(axis=1)[rows] - each[rows, one] - each[rows, other]))

        x, y = with_mean(first, i), with_mean(second, j)
        lengths = (_squares(first)[i] - 2 * x + mean) * (_squares(second)[j] - 2 * y + mean)
        common = near[i, j] - x - y + mean
        found = np.divide(common, np.sqrt(np.abs(lengths)), out=np.zeros(len(common)), where=lengths > NOTHING**2)
        return np.asarray(found)

    def _products(self, vectors: csr_matrix) -> Floats:
        """Texts x authors; a few authors at a time, whose means are hardly sparse."""
        wide, authors = vectors.astype(np.float64), self.means.shape[0]
        some = (self.means[start : start + BLOCK].toarray().T for start in range(0, authors, BLOCK))
        return np.hstack([wide @ dense for dense in some])


def _squares(vectors: csr_matrix) -> Floats:
    return np.asarray(vectors.multiply(vectors).sum(axis=1), np.float64).ravel()

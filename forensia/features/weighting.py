"""Counts into vectors of length one, each feature weighed by how rare it is among the known texts.

(1 + ln tf)(ln((1 + N)/(1 + df)) + 1), of what at least three known texts have. Unlike the paper's ltc it does not give the weight
zero to what occurs in every text, which is where much of style lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forensia.features.counts import CountTable
from forensia.features.keys import Keys
from forensia.features.selection import Weights, document_frequency

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FEWEST = 3  # known texts that must have a feature: what a left-out text has in common with one other alone would speak too well of it
BLOCK = 4_096  # columns that are multiplied at once, or fewer for many rows; with the next it bounds the memory
ENTRIES = 1 << 24  # of a dense matrix
COMMON = 1 / 24  # of the texts: a column that more of them have is multiplied as a dense one

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightedFamily:
    """The features of one family with the weight of each, as the known texts give it."""

    family: str
    keys: Keys
    rarity: Floats

    @classmethod
    def fit(cls, table: CountTable) -> WeightedFamily:
        """Learn from the known texts."""
        texts, frequency = table.counts.shape[0], document_frequency(table.counts)
        kept = frequency >= min(FEWEST, texts)
        return cls(table.family, table.keys.take(kept), np.log((1 + texts) / (1 + frequency[kept])) + 1)

    def vectors(self, table: CountTable) -> csr_matrix:
        """The vectors of any texts, in single precision."""
        place = self.keys.find(table.keys)  # type: ignore[arg-type]  # keys of one family are of one kind
        known = place >= 0
        rarity = np.zeros(len(place))
        rarity[known] = self.rarity[place[known]]
        return Weights.of(table.counts, rarity).chosen(place.astype(np.int32), len(self.keys))


def products(first: csr_matrix, second: csr_matrix) -> Floats:
    """The inner products of all rows of the first with all rows of the second, in double precision.

    Columns that many rows have are multiplied as dense matrices, which is several times faster; the others as sparse ones.
    """
    many = np.flatnonzero(document_frequency(second) > COMMON * second.shape[0])
    rare = np.ones(second.shape[1], np.float64)
    rare[many] = 0.0
    a = first.astype(np.float64)
    b = a if second is first else second.astype(np.float64)
    left = _only(a, rare)
    right = left if second is first else _only(b, rare)
    found = np.asarray((left @ right.T).toarray())
    del left, right
    width = max(1, min(BLOCK, ENTRIES // max(first.shape[0], second.shape[0], 1)))
    for start in range(0, len(many), width):
        chosen = many[start : start + width]
        dense = b[:, chosen].toarray()
        found += (dense if second is first else a[:, chosen].toarray()) @ dense.T
    return found


def _only(matrix: csr_matrix, kept: Floats) -> csr_matrix:
    """A copy without the columns for which nothing is kept."""
    found = matrix.copy()
    found.data *= kept[found.indices]
    found.eliminate_zeros()
    return found

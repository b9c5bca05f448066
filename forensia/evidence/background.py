"""What is usual: how far a text lies from the known texts of other authors in each feature, and how rare a feature is.

That two texts hardly differ in a feature says little when hardly any texts do. So a difference is held against the mean
difference to the known texts, in which every author counts the same, however many texts there are of each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.features import Vectors
from forensia.systems.pairmodel import FittedPairs

ROWS = 1 << 10  # known texts whose group 1 is looked at together: bounds the memory
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Columns:
    """The values of group 2 by feature, in ascending order: those of feature f are `starts[f]` to `starts[f + 1]`."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: Vectors) -> Columns:
        sparse = vectors.sparse
        # Floats that are not negative are in the order of their bits, so column and value can be sorted as one number.
        keys = sparse.indices.astype(np.uint64) << np.uint64(32) | np.asarray(sparse.data, np.float32).view(np.uint32)
        order = np.argsort(keys)
        rows = np.repeat(np.arange(len(vectors), dtype=np.int32), np.diff(sparse.indptr))
        counts = np.bincount(sparse.indices, minlength=sparse.shape[1])
        return cls(np.concatenate(([0], np.cumsum(counts))), rows[order], sparse.data[order])

    def above(self, features: NDArray[np.integer], limits: NDArray[np.float32]) -> NDArray[np.int64]:
        """For each of some features, where its values above a limit begin: all are searched at once, by halves."""
        low: NDArray[np.int64] = self.starts[features]
        high: NDArray[np.int64] = self.starts[features + 1]
        while (open_ := low < high).any():
            middle = np.where(open_, (low + high) // 2, 0)
            small = open_ & (self.values[middle] <= limits)
            low = np.where(small, middle + 1, low)
            high = np.where(open_ & ~small, middle, high)
        return low


@dataclass(frozen=True, eq=False)
class Background:
    """The known texts by feature, who wrote each (`codes`), and how much each counts (`shares`, which sum to 1).

    `absent` is the value that a column of group 1 has in a text without the feature: standardised, it is not zero.
    """

    known: Vectors
    columns: Columns
    codes: NDArray[np.integer]
    shares: Floats
    absent: NDArray[np.float32]

    @classmethod
    def of(cls, fitted: FittedPairs, known: Vectors, codes: NDArray[np.integer]) -> Background:
        """From the known texts as vectors of the model and the number of each one's author."""
        if len(known) != len(codes):
            raise ValueError("each known text needs its author")
        return cls(known, Columns.of(known), codes, equal_shares(codes), _absent(fitted))

    def __len__(self) -> int:
        return len(self.codes)

    def without(self, *authors: int) -> Background:
        """The same texts, of which those by some authors do not count: what is usual between different authors.

        When nobody is left, nothing is usual: all mean differences are then zero. How rare a feature is does not change.
        """
        return replace(self, shares=equal_shares(self.codes, ~np.isin(self.codes, authors)))

    @property
    def authors(self) -> int:
        """The number of authors of known texts."""
        return len(np.unique(self.codes))

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """In how many known texts the feature of each column occurs."""
        dense = (self.known.dense != self.absent).sum(axis=0)
        return np.concatenate((dense, np.diff(self.columns.starts))).astype(np.int64)

    def authors_with(self, column: int) -> int:
        """By how many authors there is a known text in which the feature occurs."""
        width = self.known.dense.shape[1]
        rows: NDArray[np.integer]
        if column < width:
            rows = np.flatnonzero(self.known.dense[:, column] != self.absent[column])
        else:
            rows = self.columns.rows[self.columns.starts[column - width] : self.columns.starts[column - width + 1]]
        return len(np.unique(self.codes[rows]))

    def differences(self, texts: Vectors) -> Floats:
        """The mean absolute difference between some texts and the known ones that count, for each column."""
        return np.concatenate((self._dense(texts), self._sparse(texts)))

    def _dense(self, texts: Vectors) -> Floats:
        total = np.zeros(texts.dense.shape[1])
        counted = np.flatnonzero(self.shares)
        for start in range(0, len(counted), ROWS):
            rows = counted[start : start + ROWS]
            known = self.known.dense[rows].astype(np.float64)
            for text in texts.dense:
                total += self.shares[rows] @ np.abs(known - text)
        return total / max(len(texts), 1)

    def _sparse(self, texts: Vectors) -> Floats:
        """Here |a - b| = a + b - 2 min(a, b). The mean of min(a, b) comes from running sums over the values in ascending order:

        those up to a count as they are, those above it as a. So a text costs no more than its own features.
        """
        columns = self.columns
        shares = self.shares[columns.rows]
        up_to = np.concatenate(([0.0], np.cumsum(shares * columns.values)))
        count_up_to = np.concatenate(([0.0], np.cumsum(shares)))
        total = len(texts) * (up_to[columns.starts[1:]] - up_to[columns.starts[:-1]])
        for number in range(len(texts)):
            span = slice(texts.sparse.indptr[number], texts.sparse.indptr[number + 1])
            features, values = texts.sparse.indices[span], texts.sparse.data[span]
            at, end = columns.above(features, values), columns.starts[features + 1]
            least = up_to[at] - up_to[columns.starts[features]] + values * (count_up_to[end] - count_up_to[at])
            total[features] += values * self.shares.sum() - 2.0 * least
        return np.maximum(total / max(len(texts), 1), 0.0)  # nothing below zero, as rounding would leave it


def equal_shares(codes: NDArray[np.integer], counted: NDArray[np.bool_] | None = None) -> Floats:
    """Equal shares for all authors that count, and equal ones for the texts of each."""
    counted = np.ones(len(codes), bool) if counted is None else counted
    shares = np.zeros(len(codes))
    if counted.any():
        _, places, sizes = np.unique(codes[counted], return_inverse=True, return_counts=True)
        shares[counted] = 1.0 / (sizes[places] * len(sizes))
    return shares


def _absent(fitted: FittedPairs) -> NDArray[np.float32]:
    """The columns of group 1 for a text in which nothing occurs, reckoned exactly as those of other texts."""
    from scipy.sparse import csr_matrix

    space = fitted.space
    parts = [((0.0 - part.mean) / part.deviation).astype(np.float32) for part in space.dense_]
    dense = np.concatenate([np.zeros(0, np.float32), *parts])[None, :]
    empty = Vectors(dense, csr_matrix((1, space.sparse_width_), dtype=np.float32), space.blocks_)
    return np.asarray(empty.scaled(fitted.factors).dense[0])

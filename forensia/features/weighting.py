"""The weights of features: the paper's ltc with the choice by chi-square, and weights by rarity for vectors of length one.

Sums of floating-point numbers depend on their order. All sums here run in an order that comes from the contents of the
documents alone, so that neither the order of files nor the names of authors can change a single bit of the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.features.counts import CountTable
from forensia.features.vectors import Keys

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BATCH = 1 << 19
"""Entries that are weighted at once; it bounds the memory."""

_MIX = np.uint64(0x9E3779B97F4A7C15)


def document_frequency(counts: csr_matrix) -> NDArray[np.int64]:
    """In how many documents each column occurs."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def inverse_frequency(frequency: NDArray[Any], documents: int) -> NDArray[np.float64]:
    """ln(N / df); nothing for what occurs nowhere."""
    known = frequency > 0
    return np.where(known, np.log(documents / np.where(known, frequency, 1)), 0.0)


def row_blocks(counts: csr_matrix) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about BATCH entries each."""
    pointers = counts.indptr
    start, last = 0, counts.shape[0]
    while start < last:
        end = int(np.searchsorted(pointers, pointers[start] + BATCH, side="right")) - 1
        end = min(max(end, start + 1), last)
        yield start, end
        start = end


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of a table of counts: (1 + ln tf) * idf, each document divided by its norm over the whole vocabulary."""

    counts: csr_matrix
    idf: NDArray[np.float64]
    norms: NDArray[np.float64]

    @classmethod
    def of(cls, counts: csr_matrix, idf: NDArray[np.float64]) -> Weights:
        squares = np.zeros(counts.shape[0])
        for start, end in row_blocks(counts):
            first, last = counts.indptr[start], counts.indptr[end]
            values = _raw(counts.data[first:last], idf[counts.indices[first:last]])
            rows = np.repeat(np.arange(end - start), np.diff(counts.indptr[start : end + 1]))
            squares[start:end] = np.bincount(rows, values * values, minlength=end - start)
        return cls(counts, idf, np.where(squares > 0, np.sqrt(squares), 1.0))

    def block(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Columns and values of all entries of the given rows, one row after the other."""
        pointers = self.counts.indptr
        places = np.concatenate([np.arange(pointers[row], pointers[row + 1]) for row in rows.tolist()])
        columns = self.counts.indices[places]
        values = _raw(self.counts.data[places], self.idf[columns])
        values /= np.repeat(self.norms[rows], pointers[rows + 1] - pointers[rows])
        return columns, values

    def chosen(self, target: NDArray[np.int32], width: int) -> csr_matrix:
        """The weights of some columns as float32: column c goes to target[c], and nowhere if that is -1."""
        from scipy.sparse import csr_matrix

        parts: list[tuple[NDArray[np.float32], NDArray[np.int32]]] = []
        entries = np.zeros(self.counts.shape[0] + 1, np.int64)
        for start, end in row_blocks(self.counts):
            columns, values = self.block(np.arange(start, end))
            columns = target[columns]
            kept = (columns >= 0) & (values != 0)
            rows = np.repeat(np.arange(start, end), np.diff(self.counts.indptr[start : end + 1]))[kept]
            entries[start + 1 : end + 1] = np.bincount(rows - start, minlength=end - start)
            parts.append((values[kept].astype(np.float32), columns[kept]))
        data = np.concatenate([values for values, _ in parts] or [np.zeros(0, np.float32)])
        indices = np.concatenate([columns for _, columns in parts] or [np.zeros(0, np.int32)])
        pointers = np.cumsum(entries)
        return csr_matrix((data, indices, pointers), shape=(self.counts.shape[0], width), dtype=np.float32)


def _raw(tf: NDArray[Any], idf: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.log(tf, dtype=np.float64)
    values += 1.0
    values *= idf
    return values


def fingerprints(tables: Sequence[csr_matrix]) -> NDArray[np.uint64]:
    """A number for each document that depends on its counts alone: by it documents are put in order for summing."""
    total = np.zeros(tables[0].shape[0] if tables else 0, np.uint64)
    for number, counts in enumerate(tables):
        rank = np.cumsum(document_frequency(counts) > 0).astype(np.uint64)  # columns nobody has do not count
        codes = (rank + np.uint64(number << 40)) * _MIX
        codes ^= codes >> np.uint64(29)
        codes *= _MIX
        for start, end in row_blocks(counts):
            first, last = counts.indptr[start], counts.indptr[end]
            terms = counts.data[first:last].astype(np.uint64) * codes[counts.indices[first:last]]
            sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(terms)))
            ends = counts.indptr[start : end + 1] - first
            total[start:end] += sums[ends[1:]] - sums[ends[:-1]]
    return total


def classes(labels: Sequence[Any], prints: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """The documents of each author, both in the order of their fingerprints."""
    numbers: dict[Any, list[int]] = {}
    for row, label in enumerate(labels):
        numbers.setdefault(label, []).append(row)
    ordered = [np.array(rows)[np.argsort(prints[rows], kind="stable")] for rows in numbers.values()]
    return sorted(ordered, key=lambda rows: (len(rows), int(prints[rows].sum()), prints[rows].tolist()))


def chi_square(weights: Weights, authors: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Chi-square of each column against the authors, as scikit-learn's `chi2` has it; nan for a column without weight."""
    documents, width = weights.counts.shape
    total, squares = np.zeros(width), np.zeros(width)
    for rows in authors:
        observed = np.zeros(width)
        for part in _parts(rows, weights.counts.indptr):
            columns, values = weights.block(part)
            observed += np.bincount(columns, values, minlength=width)
        total += observed
        squares += observed * observed * (documents / len(rows))
    with np.errstate(divide="ignore", invalid="ignore"):
        # The sum of (observed - expected)^2 / expected, where both add up to the same total.
        return np.where(total > 0, np.maximum(squares / total - total, 0.0), np.nan)


def _parts(rows: NDArray[np.int64], pointers: NDArray[Any]) -> list[NDArray[np.int64]]:
    """The rows in groups of about BATCH entries."""
    ends = np.cumsum(pointers[rows + 1] - pointers[rows])
    groups = ends // BATCH
    return np.split(rows, np.flatnonzero(np.diff(groups)) + 1)


def best(scores: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    """The columns with the highest scores, in order; of equal ones those that come first. Without a score none is taken."""
    known = np.flatnonzero(~np.isnan(scores))
    if len(known) <= number:
        return known
    values = scores[known]
    threshold = np.partition(values, len(values) - number)[len(values) - number]
    above = known[values > threshold]
    level = known[values == threshold]
    return np.sort(np.concatenate((above, level[: number - len(above)])))


FEWEST = 3  # known texts that must have a feature: what a left-out text has in common with one other alone would speak too well of it
COLUMNS = 4_096  # columns that are multiplied at once, or fewer for many rows; with the next it bounds the memory
ENTRIES = 1 << 24  # of a dense matrix
COMMON = 1 / 24  # of the texts: a column that more of them have is multiplied as a dense one

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightedFamily:
    """The features of one family with the weight of each, as the known texts give it: how rare it is among them.

    (1 + ln tf)(ln((1 + N)/(1 + df)) + 1), of what at least three known texts have. Unlike the paper's ltc it does not give the
    weight zero to what occurs in every text, which is where much of style lies.
    """

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
    width = max(1, min(COLUMNS, ENTRIES // max(first.shape[0], second.shape[0], 1)))
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

"""The sparse weights ('ltc' tf-idf), and the choice of the features that tell authors apart best (chi-square).

Sums of floating-point numbers depend on their order. All sums here run in an order that comes from the contents of the
documents alone, so that neither the order of files nor the names of authors can change a single bit of the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BLOCK = 1 << 19
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
    """Ranges of rows with about BLOCK entries each."""
    pointers = counts.indptr
    start, last = 0, counts.shape[0]
    while start < last:
        end = int(np.searchsorted(pointers, pointers[start] + BLOCK, side="right")) - 1
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
    """The rows in groups of about BLOCK entries."""
    ends = np.cumsum(pointers[rows + 1] - pointers[rows])
    groups = ends // BLOCK
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

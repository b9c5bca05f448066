"""Counting n-grams of any symbols (characters, tags) without a loop over n-grams.

Every n-gram is its first n - 1 symbols and one more. So the distinct n-grams are numbered from those one shorter: the
number of the shorter one times the size of the alphabet plus the last symbol is a small integer, and a table turns it into
the next dense number. The numbers keep the order of the symbols. No n-gram is ever made as a string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.features.vectors import WIDTH, ArrayKeys, firsts, grams, united

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BATCH = 1 << 19
"""Symbols that are counted at once; it bounds the memory."""

_TABLE = 1 << 24

Stretch = tuple[NDArray[np.uint32], int]
"""Symbols, and at how many of them n-grams begin: those behind them only end n-grams."""


@dataclass(frozen=True)
class _Piece:
    """Symbols of document `row`: n-grams that begin at the first `starts` of them are counted."""

    row: int
    symbols: NDArray[np.uint32]
    starts: int


@dataclass(frozen=True)
class _Batch:
    """Counts of some documents: the entries each has (`rows`, `entries`), their columns and counts, and for each n the n-grams."""

    rows: NDArray[np.int64]
    entries: NDArray[np.int64]
    columns: NDArray[np.int32]
    counts: NDArray[Any]
    vocabularies: list[NDArray[Any]]


def count_ngrams(
    sequences: Iterable[NDArray[np.uint32]], sizes: tuple[int, ...], documents: int
) -> tuple[ArrayKeys, csr_matrix]:
    """How often each n-gram of the given sizes occurs in each sequence: the n-grams in order, and a row for each sequence."""
    return count_beginning(((sequence, len(sequence)) for sequence in sequences), sizes, documents)


def count_beginning(stretches: Iterable[Stretch], sizes: tuple[int, ...], rows: int) -> tuple[ArrayKeys, csr_matrix]:
    """The same for stretches of longer sequences: each n-gram counts in the one in which it begins."""
    from scipy.sparse import csr_matrix

    batches = [_count(batch, sizes) for batch in _batches(stretches)]
    vocabularies = [united([batch.vocabularies[place] for batch in batches]) for place in range(len(sizes))]
    offsets = np.cumsum([0, *map(len, vocabularies)])
    entries = np.zeros(rows + 1, np.int64)
    for batch in batches:
        np.add.at(entries, batch.rows + 1, batch.entries)
    spread = any(before.rows[-1] == after.rows[0] for before, after in pairwise(batches))
    widest = max((batch.counts.dtype for batch in batches), default=np.dtype(np.uint16))
    pointers = np.cumsum(entries)
    columns = np.empty(pointers[-1], np.int32)
    counts = np.empty(pointers[-1], np.uint32 if spread else widest)
    end = len(columns)
    while batches:  # from the last, so that each batch is let go as soon as it is copied
        batch = batches.pop()
        moves = [
            offset + np.searchsorted(whole, own)
            for offset, whole, own in zip(offsets, vocabularies, batch.vocabularies, strict=False)
        ]
        start = end - len(batch.columns)
        columns[start:end] = np.concatenate(moves).astype(np.int32)[batch.columns]
        counts[start:end] = batch.counts
        end = start
    matrix = csr_matrix((counts, columns, pointers), shape=(rows, int(offsets[-1])))
    if spread:  # a document in several batches: its counts are added up
        matrix.sum_duplicates()
    return ArrayKeys(np.concatenate(vocabularies)), matrix


def _batches(stretches: Iterable[Stretch]) -> Iterator[list[_Piece]]:
    """The rows in batches of at most BATCH symbols; a longer one is spread over several."""
    batch: list[_Piece] = []
    size = 0
    for row, (sequence, starts) in enumerate(stretches):
        if batch and size + len(sequence) > BATCH:
            yield batch
            batch, size = [], 0
        for start in range(0, starts, BATCH):
            part = sequence[start : start + BATCH + WIDTH - 1]
            batch.append(_Piece(row, part, min(BATCH, starts - start)))
            size += len(part)
            if size > BATCH:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _count(pieces: list[_Piece], sizes: tuple[int, ...]) -> _Batch:
    joined = np.concatenate([piece.symbols for piece in pieces])
    lengths = np.array([len(piece.symbols) for piece in pieces])
    ends = np.cumsum(lengths)
    starts = np.array([piece.starts for piece in pieces])
    # Places where an n-gram may begin, the symbols from there to the end of the document, and the document.
    inner = np.arange(len(joined), dtype=np.int32)
    room = np.repeat(ends, lengths).astype(np.int32) - inner
    begins = inner if (starts == lengths).all() else inner[room > np.repeat(lengths - starts, lengths)]
    owner = np.repeat(np.arange(len(pieces), dtype=np.uint32), lengths)

    alphabet, coded = _ranks(joined, int(joined.max(initial=0)) + 1)
    size = len(alphabet)
    rows = np.zeros((size, WIDTH), np.uint32)
    rows[:, -1] = alphabet + 1
    numbers = coded[begins]
    vocabularies: list[NDArray[Any]] = []
    found: list[tuple[NDArray[np.uint32], NDArray[np.int32]]] = []
    columns = 0
    for n in range(1, max(sizes) + 1):
        if n > 1:
            fits = room[begins] >= n
            begins, numbers = begins[fits], numbers[fits]
            longer = numbers.astype(np.int64) * size + coded[begins + (n - 1)]
            distinct, numbers = _ranks(longer, len(rows) * size)
            before, last = np.divmod(distinct, size)
            rows = np.concatenate((rows[before, 1:], alphabet[last, None].astype(np.uint32) + 1), axis=1)
        if n in sizes:
            found.append((owner[begins], numbers + np.int32(columns)))
            vocabularies.append(grams(rows))
            columns += len(rows)
    pairs, counts = _tally(found, len(pieces), columns)
    bits = columns.bit_length()
    return _Batch(
        rows=np.array([piece.row for piece in pieces], np.int64),
        entries=np.bincount((pairs >> bits).astype(np.int64), minlength=len(pieces)),
        columns=(pairs & ((1 << bits) - 1)).astype(np.int32),
        counts=counts,
        vocabularies=vocabularies,
    )


def _ranks(codes: NDArray[Any], limit: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The distinct codes in order, and the place of each code among them; by a table where it is not too large."""
    if limit > _TABLE:
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct.astype(np.int64), places.astype(np.int32)
    table = np.zeros(limit, np.int32)
    table[codes] = 1
    distinct = np.flatnonzero(table)
    table[distinct] = np.arange(len(distinct), dtype=np.int32)
    return distinct, table[codes]


def _tally(
    found: list[tuple[NDArray[np.uint32], NDArray[np.int32]]], owners: int, columns: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The distinct pairs of owner and column, in order and packed into one number each, and how often each occurs."""
    bits = columns.bit_length()
    kind: Any = np.uint32 if bits + owners.bit_length() <= 32 else np.uint64  # half the size is half the time to sort
    packed = np.concatenate([(owner.astype(kind) << kind(bits)) | column.astype(kind) for owner, column in found])
    packed.sort()
    first = firsts(packed)
    return packed[first], narrow(np.diff(first, append=len(packed)))


def narrow(counts: NDArray[Any]) -> NDArray[Any]:
    """Counts in two bytes each where they fit; nearly all do."""
    return counts.astype(np.uint16 if counts.max(initial=0) < 1 << 16 else np.uint32)

"""What is counted in a text, whole or in blocks of words: words and their lengths, punctuation symbols, and n-grams of any symbols.

N-grams are counted without a loop over them. Every n-gram is its first n - 1 symbols and one more. So the distinct n-grams are numbered
from those one shorter: the number of the shorter one times the size of the alphabet plus the last symbol is a small integer, and a table
turns it into the next dense number. The numbers keep the order of the symbols. No n-gram is ever made as a string.
"""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.features.vectors import WIDTH, ArrayKeys, WordKeys, firsts, grams, united
from forensia.language.model import fold

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


BLOCK = 100
"""Words of a block. What is left at the end is a block if it has half as many, and else joins the last."""

Places = NDArray[np.int64]
"""Characters of a text by their numbers, in order."""


def block_starts(text: str) -> Places:
    """Where the blocks of a text begin: the first with the text, each other with a word."""
    words = word_starts(text)
    number = max(1, (2 * len(words) + BLOCK) // (2 * BLOCK))
    return np.concatenate((np.zeros(1, np.int64), words[BLOCK : number * BLOCK : BLOCK]))


def word_starts(text: str) -> Places:
    """Where the words of a text begin."""
    return np.fromiter((match.start() for match in WORD.finditer(text)), np.int64)


def beginning(places: Places, blocks: Places) -> Places:
    """How many of some places in a text lie in each of its blocks."""
    cuts = np.searchsorted(places, blocks[1:])
    return np.diff(cuts, prepend=0, append=len(places))


def in_blocks(symbols: NDArray[np.uint32], places: Places, blocks: Places) -> Iterator[Stretch]:
    """The symbols of a text, which stand at some places, as one stretch for each of its blocks."""
    start = 0
    for number in beginning(places, blocks).tolist():
        yield symbols[start : start + number + WIDTH - 1], number
        start += number


def unfolded(text: str) -> Places:
    """Where the characters of `folded(text)` stand in the text: those of a run of white space at the first of them."""
    blank = np.fromiter(map(str.isspace, text), bool, len(text))
    again = np.zeros(len(text), bool)
    again[1:] = blank[1:] & blank[:-1]
    return np.flatnonzero(~again)


PUNCTUATION = string.punctuation + "‘’‚‛“”„‟‹›«»‐‑‒–—―…"
"""The symbols of the punctuation family: ASCII, and the typographic quotes, dashes and ellipsis."""

_SYMBOLS = np.array(sorted(map(ord, PUNCTUATION)), np.int64)


def folded(text: str) -> str:
    """The text as character n-grams see it: every run of white space is one space."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return " " * text[0].isspace() + words + " " * text[-1].isspace()


def code_points(text: str) -> NDArray[np.uint32]:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def count_punctuation(texts: Sequence[str]) -> tuple[ArrayKeys, csr_matrix]:
    """How often each punctuation symbol occurs in each text."""
    from scipy.sparse import csr_matrix

    table = np.zeros(int(_SYMBOLS[-1]) + 2, np.uint8)
    table[_SYMBOLS] = np.arange(1, len(_SYMBOLS) + 1)
    counts = np.zeros((len(texts), len(_SYMBOLS)), np.uint32)
    for row, text in enumerate(texts):
        marks = table[np.minimum(code_points(text), np.uint32(len(table) - 1))]
        counts[row] = np.bincount(marks, minlength=len(_SYMBOLS) + 1)[1:]
    return ArrayKeys(_SYMBOLS), csr_matrix(counts)


class WordCounts:
    """How often each word, exactly as written, occurs in each text: counted once, then looked at from several sides.

    With `blocks`, where the blocks of each text begin, there is a row for each of these instead.
    """

    def __init__(self, texts: Sequence[str], blocks: Sequence[Places] | None = None) -> None:
        from scipy.sparse import csr_matrix

        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        found = [np.fromiter(map(numbers.__getitem__, WORD.findall(text)), np.int32) for text in texts]
        sizes = [np.array([len(each)]) for each in found]
        if blocks is not None:
            sizes = [beginning(word_starts(text), starts) for text, starts in zip(texts, blocks, strict=True)]
        pointers = np.concatenate(([0], *sizes)).cumsum(dtype=np.int64)
        columns = np.concatenate(found) if found else np.zeros(0, np.int32)
        self.words = list(numbers)
        self.counts = csr_matrix(
            (np.ones(len(columns), np.uint32), columns, pointers), shape=(len(pointers) - 1, len(self.words))
        )
        self.counts.sum_duplicates()

    @property
    def totals(self) -> NDArray[np.int64]:
        """Word tokens of each text."""
        return np.asarray(self.counts.sum(axis=1, dtype=np.int64)).ravel()

    def lower_case(self) -> tuple[WordKeys, csr_matrix]:
        """Counts of the words in lower case."""
        lowered = [word.lower() for word in self.words]
        keys = WordKeys(tuple(sorted(set(lowered))))
        return keys, self._merged([keys.places[word] for word in lowered], len(keys))

    def listed(self, words: Sequence[str]) -> tuple[WordKeys, csr_matrix]:
        """Counts of the words of a list, whatever their case and apostrophe."""
        keys = WordKeys(tuple(sorted(set(words))))
        return keys, self._merged([keys.places.get(fold(word), -1) for word in self.words], len(keys))

    def lengths(self) -> tuple[ArrayKeys, csr_matrix]:
        """Counts of the lengths of words."""
        keys, places = np.unique(np.array([len(word) for word in self.words], np.int64), return_inverse=True)
        return ArrayKeys(keys), self._merged(places, len(keys))

    def _merged(self, places: Any, width: int) -> csr_matrix:
        """The counts with each column added to another; -1 leaves it out."""
        from scipy.sparse import csr_matrix

        target = np.asarray(places, np.int64)
        kept = np.flatnonzero(target >= 0)
        moves = csr_matrix(
            (np.ones(len(kept), np.uint32), (kept, target[kept])), shape=(len(self.words), width), dtype=np.uint32
        )
        merged = self.counts @ moves
        merged.sort_indices()
        return merged


def count_numbers(numbers: Sequence[NDArray[Any]]) -> tuple[ArrayKeys, csr_matrix]:
    """How often each number occurs in each array (sentence lengths)."""
    from scipy.sparse import csr_matrix

    joined = np.concatenate([np.zeros(0, np.int64), *numbers]).astype(np.int64)
    keys, places = np.unique(joined, return_inverse=True)
    pointers = np.concatenate(([0], np.cumsum([len(each) for each in numbers], dtype=np.int64)))
    counts = csr_matrix((np.ones(len(joined), np.uint32), places, pointers), shape=(len(numbers), len(keys)))
    counts.sum_duplicates()
    return ArrayKeys(keys), counts

"""What is counted in a text, whole or in blocks of words: folded characters, punctuation symbols, words and their lengths."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.features.ngrams import Stretch
from forensia.features.vectors import WIDTH, ArrayKeys, WordKeys
from forensia.language.model import fold

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

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

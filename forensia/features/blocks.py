"""Texts in blocks of words, so that texts of any length can be put together from the counts of their blocks.

Every feature is looked for in the whole text and counted in the block in which it begins: the blocks of a text add up to its counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.words import WORD
from forensia.features.keys import WIDTH
from forensia.features.ngrams import Stretch

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

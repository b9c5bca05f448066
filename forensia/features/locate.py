"""Where a feature stands in a text, so that it can be shown there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice

import numpy as np

from forensia.corpus.typing import Canonical
from forensia.corpus.words import WORD
from forensia.features.keys import ArrayKeys, WordKeys
from forensia.features.names import parts
from forensia.features.space import FeatureSpace
from forensia.language.analysis import NO_TAG, SPACE, Analysis
from forensia.language.functionwords import fold

Span = tuple[int, int]
LIMIT = 1_000
"""The most places that are given."""


def locate(read: Canonical, analysis: Analysis, space: FeatureSpace, column: int, limit: int = LIMIT) -> list[Span]:
    """Start and end of the places of a feature, in order, as offsets into the text as it was typed; at most `limit`.

    The analysis is that of the text as it is read. Two places in what stands for one character are one.
    """
    spans = (read.span(start, end) for start, end in _spans(read.text, analysis, space, column))
    return list(islice((span for span, _same in groupby(spans)), limit))


def _spans(text: str, analysis: Analysis, space: FeatureSpace, column: int) -> Iterable[Span]:
    """The places in the text as it is read."""
    family, number = space.place(column)
    if family.family in ("words", "character n-grams") and space.mask_.kind != "none":
        masked, origins = space.mask_.text(text, analysis), space.mask_.origins(text, analysis)
        spans = _in_text(masked, family.family, family.keys, number)
        # The end is where the character after the last one stood: a masked word is shown as a whole.
        return ((int(origins[start]), _end(text, int(origins[end - 1]), int(origins[end]))) for start, end in spans)
    if family.family == "sentence lengths":
        return _sentences(text, analysis, _value(family.keys, number))
    if family.family == "POS n-grams" and isinstance(family.keys, ArrayKeys):
        return _tags(analysis, parts(family.keys, number))
    return _in_text(text, family.family, family.keys, number)


def _in_text(text: str, family: str, keys: ArrayKeys | WordKeys, number: int) -> Iterator[Span]:
    """Features that are seen in the text itself."""
    if isinstance(keys, WordKeys):
        word = keys.words[number]
        form: Callable[[str], str] = fold if family == "function words" else str.lower
        return (match.span() for match in WORD.finditer(text) if form(match[0]) == word)
    if family == "word lengths":
        length = _value(keys, number)
        return (match.span() for match in WORD.finditer(text) if len(match[0]) == length)
    if family == "punctuation":
        return (match.span() for match in re.finditer(re.escape(chr(_value(keys, number))), text))
    return _characters(text, "".join(map(chr, parts(keys, number))))


def _characters(text: str, gram: str) -> Iterator[Span]:
    """An n-gram in the unfolded text: its space is any run of white space, taken whole; places may overlap."""
    inner = "".join(r"\s++" if sign == " " else re.escape(sign) for sign in gram)
    before = r"(?<!\s)" if gram.startswith(" ") else ""
    return (match.span(1) for match in re.finditer(f"{before}(?=({inner}))", text))


def _sentences(text: str, analysis: Analysis, words: int) -> Iterator[Span]:
    ends = analysis.sentence_ends
    for place in np.flatnonzero(analysis.sentence_words == words).tolist():
        start, end = int(analysis.sentence_starts[place]), int(ends[place])
        inside = text[start:end]
        yield end - len(inside.lstrip()), start + len(inside.rstrip())


def _tags(analysis: Analysis, tags: tuple[int, ...]) -> Iterable[Span]:
    kept = np.flatnonzero((analysis.tags != SPACE) & (analysis.tags != NO_TAG))
    codes = analysis.tags[kept]
    count = len(codes) - len(tags) + 1
    if count < 1:
        return
    same = np.ones(count, bool)
    for place, tag in enumerate(tags):
        same &= codes[place : place + count] == tag
    ends = analysis.ends
    for first in np.flatnonzero(same).tolist():
        yield int(analysis.starts[kept[first]]), int(ends[kept[first + len(tags) - 1]])


def _end(text: str, last: int, following: int) -> int:
    """The end of a masked place: one character, or the whole word that a symbol stands for."""
    return last + max(len(text[last:following].rstrip()), 1)


def _value(keys: ArrayKeys | WordKeys, number: int) -> int:
    if isinstance(keys, WordKeys):
        raise TypeError("words have no value")
    return int(keys.array[number])

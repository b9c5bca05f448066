"""Features for people: their names, such as 'function word 'upon'' or 'characters '·th'', and where they stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.corpus.typing import Canonical
from forensia.features.mask import HIDDEN, LISTED, NUMBER, Mask, TokenSymbols, in_order, laid_out
from forensia.features.vectors import LAYOUT, MASKED, WIDTH, ArrayKeys, Keys, WordKeys, symbols
from forensia.language.analysis import NO_TAG, SPACE, Analysis
from forensia.language.model import fold
from forensia.language.network import TAGS

_FORMS = {
    "function words": "function word {}",
    "word lengths": "word length {}",
    "sentence lengths": "sentence of {} words",
    "punctuation": "punctuation: {}",
    "POS n-grams": "POS {}",
    "words": "word {}",
    "character n-grams": "characters {}",
    MASKED: "tokens {}",
    LAYOUT: "layout {}",
}
_BARE = ("word lengths", "sentence lengths", "punctuation")
_HIDING = {HIDDEN: "word", NUMBER: "number"}
_MARKS = {
    ".": "full stop", ",": "comma", ";": "semicolon", ":": "colon", "!": "exclamation mark", "?": "question mark", "'": "apostrophe",
    '"': "quotation mark", "-": "hyphen", "–": "dash", "—": "long dash", "…": "ellipsis", "(": "opening bracket",
    ")": "closing bracket", "[": "opening square bracket", "]": "closing square bracket", "/": "slash", "\\": "backslash",
    "’": "curly apostrophe", "‘": "opening single quotation mark", "“": "opening quotation mark", "”": "closing quotation mark",
    "*": "asterisk", "_": "underscore", "#": "hash", "@": "at sign", "&": "ampersand", "%": "per cent sign",
}  # fmt: skip


def feature_name(family: str, keys: Keys, number: int, function_words: Sequence[str] = ()) -> str:
    """The name of one feature of a family; `function_words` is the list by which tokens were masked."""
    return with_family(family, bare_name(family, keys, number, function_words))


def with_family(family: str, feature: str) -> str:
    """A feature with what it is a feature of: 'word 'sea'', 'word length 3'."""
    name = _FORMS[family].format(feature if family in _BARE else _quoted(feature))
    return name.replace("of 1 words", "of 1 word") if family == "sentence lengths" else name


def bare_name(family: str, keys: Keys, number: int, function_words: Sequence[str] = ()) -> str:
    """The feature alone: marks by their names, spaces as '·', line breaks as '↵' and invisible characters by their code."""
    if isinstance(keys, WordKeys):
        return keys.words[number]
    if family == "POS n-grams":
        return " ".join(TAGS[code] for code in parts(keys, number))
    if family == MASKED:
        return " ".join(token_name(symbol, function_words) for symbol in parts(keys, number))
    if family in ("character n-grams", LAYOUT):
        return "".join(map(_shown, map(chr, parts(keys, number))))
    value = int(keys.array[number])
    return mark_name(chr(value)) if family == "punctuation" else str(value)


def parts(keys: ArrayKeys, number: int) -> tuple[int, ...]:
    """The symbols of an n-gram: code points, tags or masked tokens."""
    row = symbols(keys.array[number : number + 1]).reshape(WIDTH)
    return tuple(int(symbol) - 1 for symbol in row if symbol)


def token_name(symbol: int, function_words: Sequence[str]) -> str:
    """A masked token: a function word as it is, anything else by its name in brackets."""
    if symbol >= LISTED:
        return in_order(function_words)[symbol - LISTED]
    return f"[{_HIDING.get(symbol) or mark_name(chr(symbol))}]"


def mark_name(mark: str) -> str:
    """The name of a mark in plain English, or else that of Unicode; by its code where it has none."""
    return _MARKS.get(mark) or unicodedata.name(mark, "").lower() or f"\\u{ord(mark):04x}"


def _quoted(text: str) -> str:
    """In quotation marks that cannot be taken for a part of it."""
    return f'"{text}"' if "'" in text else f"'{text}'"


def _shown(character: str) -> str:
    if character in " \n":
        return "·" if character == " " else "↵"
    return character if character.isprintable() else f"\\u{ord(character):04x}"


Span = tuple[int, int]
MOST_PLACES = 1_000
"""The most places that are given."""


class KeyedFamily(Protocol):
    """A family of features by its keys."""

    @property
    def family(self) -> str: ...

    @property
    def keys(self) -> Keys: ...


class FeatureColumns(Protocol):
    """What knows the feature of each column, and how texts were masked before they were counted."""

    @property
    def mask_(self) -> Mask: ...

    def place(self, column: int) -> tuple[KeyedFamily, int]:
        """The family of a column, and the number of its key there."""


def locate(
    read: Canonical,
    analysis: Analysis,
    space: FeatureColumns,
    column: int,
    limit: int = MOST_PLACES,
    function_words: Sequence[str] = (),
) -> list[Span]:
    """Start and end of the places of a feature, in order, as offsets into the text as it was typed; at most `limit`.

    The analysis is that of the text as it is read; `function_words` is the list by which tokens were masked. Two places in what stands for
    one character are one.
    """
    spans = (read.span(start, end) for start, end in _spans(read.text, analysis, space, column, function_words))
    return list(islice((span for span, _same in groupby(spans)), limit))


def _spans(
    text: str, analysis: Analysis, space: FeatureColumns, column: int, function_words: Sequence[str]
) -> Iterable[Span]:
    """The places in the text as it is read."""
    family, number = space.place(column)
    if family.family in ("words", "character n-grams") and space.mask_.kind != "none":
        masked, origins = space.mask_.text(text, analysis), space.mask_.origins(text, analysis)
        spans = _in_text(masked, family.family, family.keys, number)
        # The end is where the character after the last one stood: a masked word is shown as a whole.
        return ((int(origins[start]), _end(text, int(origins[end - 1]), int(origins[end]))) for start, end in spans)
    if family.family == "sentence lengths":
        return _sentences(text, analysis, _value(family.keys, number))
    if isinstance(family.keys, ArrayKeys) and family.family in ("POS n-grams", MASKED, LAYOUT):
        symbols = parts(family.keys, number)
        if family.family == "POS n-grams":
            return _tags(analysis, symbols)
        return _tokens(text, symbols, function_words) if family.family == MASKED else _laid_out(text, symbols)
    return _in_text(text, family.family, family.keys, number)


def _in_text(text: str, family: str, keys: Keys, number: int) -> Iterator[Span]:
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


def _tags(analysis: Analysis, tags: tuple[int, ...]) -> Iterator[Span]:
    kept = np.flatnonzero((analysis.tags != SPACE) & (analysis.tags != NO_TAG))
    ends = analysis.ends
    for first in _runs(analysis.tags[kept], tags):
        yield int(analysis.starts[kept[first]]), int(ends[kept[first + len(tags) - 1]])


def _tokens(text: str, symbols: tuple[int, ...], function_words: Sequence[str]) -> Iterator[Span]:
    masked, spans = _masked(text, tuple(function_words))
    for first in _runs(masked, symbols):
        yield spans[first][0], spans[first + len(symbols) - 1][1]


@lru_cache(maxsize=1)  # many features are looked for in one text after another
def _masked(text: str, function_words: tuple[str, ...]) -> tuple[NDArray[np.uint32], list[Span]]:
    return TokenSymbols(function_words).masked(text), TokenSymbols.spans(text)


def _laid_out(text: str, symbols: tuple[int, ...]) -> Iterator[Span]:
    made = _layout_of(text)
    for match in re.finditer(f"(?={re.escape(''.join(map(chr, symbols)))})", made.text):
        yield made.span(match.start(), match.start() + len(symbols))


_layout_of = lru_cache(maxsize=1)(laid_out)


def _runs(sequence: NDArray[Any], wanted: tuple[int, ...]) -> list[int]:
    """Where a row of symbols begins in a sequence."""
    count = len(sequence) - len(wanted) + 1
    if count < 1:
        return []
    same = np.ones(count, bool)
    for place, symbol in enumerate(wanted):
        same &= sequence[place : place + count] == symbol
    return np.flatnonzero(same).tolist()


def _end(text: str, last: int, following: int) -> int:
    """The end of a masked place: one character, or the whole word that a symbol stands for."""
    return last + max(len(text[last:following].rstrip()), 1)


def _value(keys: Keys, number: int) -> int:
    if isinstance(keys, WordKeys):
        raise TypeError("words have no value")
    return int(keys.array[number])

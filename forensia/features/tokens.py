"""Texts as sequences of symbols with the topic hidden: marks and function words as they are, other words as one; and their layout.

A symbol is a number below that of the last character, so that n-grams of symbols are counted and kept as those of characters are: a mark is
its code point, and the others lie in the ranges that Unicode leaves to programs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.typing import Canonical
from forensia.features.keys import Keys, WordKeys, symbols
from forensia.features.vectors import LAYOUT, MASKED
from forensia.language.analysis import TAGS
from forensia.language.functionwords import fold

HIDDEN, NUMBER = 0xE000, 0xE001
"""A word that is not in the list, and one that begins with a digit."""

LISTED = 0xF0000
"""Plus the place of a function word in the list in alphabetical order."""

FOREIGN = 0xFFFD
"""A mark that a text has from those ranges, lest it be taken for one of ours."""

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]|_")
_MOST_LISTED = 0xFFFF
_LAYOUT = tuple(
    (re.compile(pattern), put)
    # Spaces are sought from the first of a run only: from each of them a long run would take the square of its length.
    for pattern, put in (("a{2,}", "a"), ("A{3,}", "AA"), ("0{2,}", "0"), ("(?<! ) +\n", "\n"), ("\n{3,}", "\n\n"))
)


class TokenSymbols(dict[str, int]):
    """The symbol of each token, found once for each that occurs."""

    def __init__(self, function_words: Sequence[str]) -> None:
        self._listed = {word: LISTED + place for place, word in enumerate(in_order(function_words))}
        super().__init__()

    def __missing__(self, token: str) -> int:
        folded = fold(token)
        if not token[0].isalnum():
            symbol = ord(token) if unicodedata.category(token) != "Co" else FOREIGN
        elif folded[0].isdigit():
            symbol = NUMBER
        else:
            symbol = self._listed.get(folded, HIDDEN)
        self[token] = symbol
        return symbol

    def masked(self, text: str) -> NDArray[np.uint32]:
        """The tokens of a text."""
        return np.fromiter(map(self.__getitem__, _TOKEN.findall(text)), np.uint32)

    @staticmethod
    def spans(text: str) -> list[tuple[int, int]]:
        """Where those tokens stand."""
        return [match.span() for match in _TOKEN.finditer(text)]

    @staticmethod
    def starts(text: str) -> NDArray[np.int64]:
        """Where they begin."""
        return np.fromiter((match.start() for match in _TOKEN.finditer(text)), np.int64)


def in_order(function_words: Sequence[str]) -> list[str]:
    """The list in the order by which its words have their symbols."""
    return sorted(set(function_words))[:_MOST_LISTED]


class _Shapes(dict[int, str]):
    """What layout keeps of a character: a letter's case, that it is a digit, or the character itself."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        if sign.isdigit():
            shape = "0"
        elif sign.isupper():
            shape = "A"
        elif sign.isalpha():
            shape = "a"
        else:
            shape = sign if sign == "\n" or not sign.isspace() else " "
        self[code] = shape
        return shape


_SHAPES = _Shapes()


def layout(text: str) -> str:
    """A text reduced to its layout: small letters are one a, capitals one or two A, digits one 0; marks, spaces and line breaks stay."""
    shaped = text.translate(_SHAPES)
    for pattern, put in _LAYOUT:
        shaped = pattern.sub(put, shaped)
    return shaped


def laid_out(text: str) -> Canonical:
    """The same with the places in the text where each character of the layout comes from."""
    made = Canonical.same(text.translate(_SHAPES))
    for pattern, put in _LAYOUT:
        made = made.edited((match.start(), match.end(), put) for match in pattern.finditer(made.text))
    return made


_TAGS = ("PUNCT", "SYM")


def with_marks(family: str, keys: Keys) -> NDArray[np.bool_]:
    """For each feature of a family whether a mark is in it."""
    if isinstance(keys, WordKeys) or keys.array.dtype.kind != "U":
        return np.zeros(len(keys), bool)
    rows = symbols(keys.array)
    found = np.unique(rows)
    marks = found[[symbol > 0 and _is_mark(family, int(symbol) - 1) for symbol in found.tolist()]]
    return np.asarray(np.isin(rows, marks).any(axis=1))


def _is_mark(family: str, symbol: int) -> bool:
    if family == "POS n-grams":
        return TAGS[symbol] in _TAGS
    if family == MASKED and (symbol >= LISTED or symbol in (HIDDEN, NUMBER)):
        return False
    return family in ("character n-grams", LAYOUT, MASKED) and unicodedata.category(chr(symbol))[0] in "PS"

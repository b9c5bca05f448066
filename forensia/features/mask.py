"""Hiding what a text is about before it is counted, so that style remains: masked texts, masked tokens, and layout alone."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.corpus.typing import Canonical
from forensia.errors import SettingsError
from forensia.features.vectors import LAYOUT, MASKED, Keys, WordKeys, symbols
from forensia.language.analysis import Analysis
from forensia.language.model import fold
from forensia.language.network import TAGS

KINDS = ("none", "posnoise", "distortion")
FREQUENT = 1_000
"""The number of words that distortion leaves readable."""

# Content words by tag. Numbers take the sign that distortion uses too.
_SYMBOL_OF = {
    "NOUN": "N", "PROPN": "P", "VERB": "V", "ADJ": "J", "ADV": "R", "NUM": "#", "SYM": "$", "X": "X", "INTJ": "U",
}  # fmt: skip
_SYMBOLS = tuple(_SYMBOL_OF.get(tag, "") for tag in TAGS)


@dataclass(frozen=True)
class Mask:
    """A way of masking, with the words that stay readable: function words for 'posnoise', frequent ones for 'distortion'.

    'posnoise' puts a symbol of its tag in the place of each content word; 'distortion' turns every word that is not among the
    most frequent ones of the training texts into asterisks of the same length, and digits into #.
    """

    kind: str = "none"
    words: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"There is no mask '{self.kind}'. Choose one of: {', '.join(KINDS)}.")

    @classmethod
    def fit(cls, kind: str, texts: Sequence[str], function_words: Sequence[str] = (), frequent: int = FREQUENT) -> Mask:
        """The mask that training texts give: they alone decide which words are frequent."""
        if kind == "posnoise":
            return cls(kind, frozenset(map(fold, function_words)))
        return cls(kind, frozenset(frequent_words(texts, frequent)) if kind == "distortion" else frozenset())

    def text(self, text: str, analysis: Analysis) -> str:
        """The masked text."""
        if self.kind == "distortion":
            return self._distorted(text)
        if self.kind == "posnoise":
            return "".join(part for _start, part in self._noised(text, analysis))
        return text

    def origins(self, text: str, analysis: Analysis) -> NDArray[np.int64]:
        """Where each character of the masked text stood in the text, and the text's length after the last."""
        if self.kind != "posnoise":
            return np.arange(len(text) + 1)
        places = [range(start, start + len(part)) for start, part in self._noised(text, analysis)]
        return np.fromiter(chain(*places, (len(text),)), np.int64)

    def _distorted(self, text: str) -> str:
        def hide(match: re.Match[str]) -> str:
            word = match[0]
            if fold(word) in self.words:
                return word
            return "".join("#" if sign.isdigit() else "*" if sign.isalnum() else sign for sign in word)

        return WORD.sub(hide, text)

    def _noised(self, text: str, analysis: Analysis) -> list[tuple[int, str]]:
        """The parts of the masked text with their places in the text: a symbol for each content word, the rest as it is."""
        parts: list[tuple[int, str]] = []
        done = 0
        symbols = [_SYMBOLS[tag] if tag < len(TAGS) else "" for tag in analysis.tags.tolist()]
        for start, end, symbol in zip(analysis.starts.tolist(), analysis.ends.tolist(), symbols, strict=True):
            if symbol and fold(text[start:end]) not in self.words:
                parts += ((done, text[done:start]), (start, symbol))
                done = end
        parts.append((done, text[done:]))
        return parts


NO_MASK = Mask()


def frequent_words(texts: Sequence[str], number: int) -> tuple[str, ...]:
    """The most frequent words of the texts, folded; of equally frequent ones those first in the alphabet."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(WORD.findall(text))
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        folded[fold(word)] += count
    ranked = sorted(folded.items(), key=lambda item: (-item[1], item[0]))
    return tuple(word for word, _count in ranked[:number])


# Texts as sequences of symbols. A symbol is a number below that of the last character, so that n-grams of symbols are counted and kept as
# those of characters are: a mark is its code point, and the others lie in the ranges that Unicode leaves to programs.

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


_TAGS_OF_MARKS = ("PUNCT", "SYM")


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
        return TAGS[symbol] in _TAGS_OF_MARKS
    if family == MASKED and (symbol >= LISTED or symbol in (HIDDEN, NUMBER)):
        return False
    return family in ("character n-grams", LAYOUT, MASKED) and unicodedata.category(chr(symbol))[0] in "PS"

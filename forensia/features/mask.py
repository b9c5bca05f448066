"""Topic masking: hide what a text is about before words and characters are counted, so that style remains.

'posnoise' puts a symbol of its tag in the place of each content word; 'distortion' turns every word that is not among the
most frequent ones of the training texts into asterisks of the same length, and digits into #.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.words import WORD
from forensia.errors import SettingsError
from forensia.language.analysis import TAGS, Analysis
from forensia.language.functionwords import fold

KINDS = ("none", "posnoise", "distortion")
FREQUENT = 1_000
"""The number of words that distortion leaves readable."""

# Content words by tag. Numbers take the sign that distortion uses too.
_SYMBOL_OF = {
    "NOUN": "N",
    "PROPN": "P",
    "VERB": "V",
    "ADJ": "J",
    "ADV": "R",
    "NUM": "#",
    "SYM": "$",
    "X": "X",
    "INTJ": "U",
}
_SYMBOLS = tuple(_SYMBOL_OF.get(tag, "") for tag in TAGS)


@dataclass(frozen=True)
class Mask:
    """A way of masking, with the words that stay readable: function words for 'posnoise', frequent ones for 'distortion'."""

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

"""Which features know punctuation: n-grams of characters, tokens or word classes with a mark in them."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from forensia.features.keys import Keys, WordKeys, symbols
from forensia.features.tokens import HIDDEN, LISTED, NUMBER
from forensia.features.vectors import LAYOUT, MASKED
from forensia.language.analysis import TAGS

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

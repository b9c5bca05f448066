"""Features as a person reads them: 'function word 'upon'', 'punctuation: comma', 'tokens 'and [word] [comma]'', 'characters '·th''."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from forensia.features.keys import WIDTH, ArrayKeys, Keys, WordKeys, symbols
from forensia.features.tokens import HIDDEN, LISTED, NUMBER, in_order
from forensia.features.vectors import LAYOUT, MASKED
from forensia.language.analysis import TAGS

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
    return with_family(family, plain(family, keys, number, function_words))


def with_family(family: str, feature: str) -> str:
    """A feature with what it is a feature of: 'word 'sea'', 'word length 3'."""
    name = _FORMS[family].format(feature if family in _BARE else _quoted(feature))
    return name.replace("of 1 words", "of 1 word") if family == "sentence lengths" else name


def plain(family: str, keys: Keys, number: int, function_words: Sequence[str] = ()) -> str:
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

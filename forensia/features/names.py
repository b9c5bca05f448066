"""Features as a person reads them: 'function word 'upon'', 'POS 'DET ADJ NOUN'', 'characters '·th''."""

from __future__ import annotations

from forensia.features.keys import WIDTH, ArrayKeys, Keys, WordKeys, symbols
from forensia.language.analysis import TAGS

_FORMS = {
    "function words": "function word '{}'",
    "word lengths": "word length {}",
    "sentence lengths": "sentence of {} words",
    "punctuation": "punctuation '{}'",
    "POS n-grams": "POS '{}'",
    "words": "word '{}'",
    "character n-grams": "characters '{}'",
}


def feature_name(family: str, keys: Keys, number: int) -> str:
    """The name of one feature of a family."""
    name = _FORMS[family].format(plain(family, keys, number))
    return name.replace("of 1 words", "of 1 word") if family == "sentence lengths" else name


def plain(family: str, keys: Keys, number: int) -> str:
    """The feature alone, with spaces shown as '·' and invisible characters by their code."""
    if isinstance(keys, WordKeys):
        return keys.words[number]
    if family == "POS n-grams":
        return " ".join(TAGS[code] for code in parts(keys, number))
    if family == "character n-grams":
        return "".join(map(_shown, map(chr, parts(keys, number))))
    value = int(keys.array[number])
    return chr(value) if family == "punctuation" else str(value)


def parts(keys: ArrayKeys, number: int) -> tuple[int, ...]:
    """The symbols of an n-gram: code points or tags."""
    row = symbols(keys.array[number : number + 1]).reshape(WIDTH)
    return tuple(int(symbol) - 1 for symbol in row if symbol)


def _shown(character: str) -> str:
    if character == " ":
        return "·"
    return character if character.isprintable() else f"\\u{ord(character):04x}"

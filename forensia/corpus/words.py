"""What counts as a word, everywhere in the program: letters and digits, with apostrophes inside."""

from __future__ import annotations

import re

# An apostrophe inside keeps "don't" one word, as the function-word list has it; a hyphen inside splits, so that lengths mean what a reader expects.
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_SHAPES = bytes(ord("a") if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]")
_MANY = 64


def count_words(text: str) -> int:
    """The number of matches of WORD, found without making any of them: words are counted for every file that is read."""
    if not text.isascii():
        outside = set(_OUTSIDE_ASCII.findall(text))
        if len(outside) > _MANY:
            return sum(1 for _ in WORD.finditer(text))
        for character in outside:
            text = text.replace(character, "'" if character == "’" else "a" if character.isalnum() else " ")
    if "''" in text:
        text = text.replace("''", "  ")  # two apostrophes never join
    return (b" " + text.encode("ascii")).translate(_SHAPES, b"'").count(b" a")

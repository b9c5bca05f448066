"""Names from files as letters in a figure: one line, nothing hidden, nothing missing from the font, never too long, never ambiguous."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence

__all__ = ["elided", "labels", "visible"]

NO_NAME = "(no name)"
# Controls, format characters such as those that turn the direction, lone surrogates, private and unassigned code points.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
# A long pile of accents on one letter would run over the rows above.
_MOST_ACCENTS = 3


def visible(name: str, fonts: tuple[str, ...]) -> str:
    """The name on one line; whatever is invisible, or a letter that the fonts lack, is shown by its code point."""
    known = _letters(fonts)
    shown: list[str] = []
    accents = 0
    for character in " ".join(name.split()):
        accents = accents + 1 if unicodedata.combining(character) else 0
        hidden = unicodedata.category(character) in _HIDDEN or ord(character) not in known or accents > _MOST_ACCENTS
        shown.append(f"[U+{ord(character):04X}]" if hidden else character)
    return "".join(shown) or NO_NAME


def elided(text: str, most: int) -> str:
    """A long text with its middle left out: both ends of a name tell people apart."""
    if len(text) <= most:
        return text
    tail = max(1, (most - 1) // 3)
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"


def labels(names: Sequence[str], fonts: tuple[str, ...], most: int) -> list[str]:
    """Names as row labels; those that look alike after shortening are numbered, so that no two rows have one label."""
    shown = [elided(visible(name, fonts), most) for name in names]
    seen: dict[str, int] = {}
    for at, label in enumerate(shown):
        seen[label] = seen.get(label, 0) + 1
        if seen[label] > 1:
            shown[at] = f"{label} #{seen[label]}"
    return shown


@functools.lru_cache(maxsize=8)
def _letters(fonts: tuple[str, ...]) -> frozenset[int]:
    """Every code point that one of the fonts can draw."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    known: set[int] = set()
    for family in fonts:
        known |= get_font(findfont(FontProperties(family=[family]))).get_charmap().keys()
    return frozenset(known)

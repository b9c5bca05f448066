"""Letters in a figure: names from files (one line, nothing hidden, never too long, never ambiguous), and numbers as people say them."""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Sequence

from forensia.wording.templates import elided

__all__ = ["decades", "even", "labels", "ratio", "ratios", "shortened"]

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


def shortened(name: str, fonts: tuple[str, ...], most: int = 40) -> str:
    """A name as it is shown, with its middle left out if it is long."""
    return elided(visible(name, fonts), most)


def labels(names: Sequence[str], fonts: tuple[str, ...], most: int) -> list[str]:
    """Names as row labels; those that look alike after shortening are numbered, so that no two rows have one label."""
    shown = [shortened(name, fonts, most) for name in names]
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


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONGEST = 4  # decades; beyond, '1/1,000,000' crowds the axis and powers of ten are shorter


def ratio(decade: int, *, powers: bool) -> str:
    """10 to the power of `decade`: '1/1,000', '1', '100', or '10⁻⁶' where such words would crowd."""
    if powers:
        return f"10{str(decade).translate(_RAISED)}" if decade else "1"
    return f"{10**decade:,}" if decade >= 0 else f"1/{10**-decade:,}"


def decades(low: float, high: float, room: int) -> tuple[list[int], list[str]]:
    """Ticks at whole powers of ten between two log10 LRs, LR = 1 among them, with words that fit in a room of so many letters."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    for step in range(1, last - first + 2):
        at = [decade for decade in range(first, last + 1) if decade % step == 0]
        words = ratios(at)
        # The widest word decides, because ticks are evenly far apart.
        if (max(map(len, words)) + 2) * len(words) <= room:
            break
    return at, words


def ratios(at: Sequence[int]) -> list[str]:
    """The words for several decades, all in one manner."""
    powers = any(abs(decade) > _LONGEST for decade in at)
    return [ratio(decade, powers=powers) for decade in at]


def even(low: float, high: float, most: int = 8) -> tuple[list[float], list[str]]:
    """Round ticks within a span, at most so many, and what stands at them."""
    if not high > low:
        return [low], [_plain(low)]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(
        power * factor for factor in (1, 2, 2.5, 5, 10, 20) if (high - low) / (power * factor) <= most - 1 + 1e-9
    )
    at = [
        round(number * step, 12) for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]
    return at, [_plain(value) for value in at]


def _plain(value: float) -> str:
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}").replace("-", "−")

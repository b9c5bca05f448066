"""How figures look: colours on the light and the dark window and on paper, and letters: names from files, numbers as people say them.

Nothing here loads matplotlib before it is needed.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from forensia.wording.templates import elided

__all__ = ["DARK", "LIGHT", "PRINT", "Look", "decades", "even", "labels", "ratio", "ratios", "shortened"]


@dataclass(frozen=True)
class Look:
    """Colours, letters and size of a figure; `background` None is transparent.

    `same` and `different` are the two roles of every chart (same author and different authors, for and against): they differ
    in lightness, and what is drawn in them differs in line style, marker or filling too. The soft ones fill areas. `ramp` runs
    from nothing to most. Charts with a row for each author grow beyond `height`.
    """

    text: str
    quiet: str
    background: str | None
    line: str
    same: str
    different: str
    same_soft: str
    different_soft: str
    ramp: tuple[str, str]
    font_size: float = 8.5
    width: float = 6.5
    height: float = 3.2
    fonts: tuple[str, ...] = ("DejaVu Sans",)

    @property
    def paper(self) -> str:
        """What lies behind the figure, for shapes that must cover others: white where the background is transparent."""
        return self.background or "#ffffff"

    @property
    def half(self) -> float:
        """The width of charts that are about square: two of them stand side by side where there is room."""
        return min(self.width, max(self.width / 2, self.height))

    def sized(self, width: float, height: float) -> Look:
        """The same look for another place."""
        return replace(self, width=width, height=height)


LIGHT = Look(
    text="#1b222b",
    quiet="#555f6b",
    background="#ffffff",
    line="#d3d9e0",
    same="#1b6ca8",
    different="#c98a2b",
    same_soft="#c3dbec",
    different_soft="#f3e3c6",
    ramp=("#f1f5f9", "#0f4c7c"),
)
DARK = Look(
    text="#e6e8eb",
    quiet="#a5aeb8",
    background="#22272e",
    line="#3a424c",
    same="#8ccbf2",
    different="#c4873f",
    same_soft="#335267",
    different_soft="#4e4030",
    ramp=("#2c323a", "#9ed5f7"),
)
PRINT = Look(
    text="#000000",
    quiet="#3c3c3c",
    background="#ffffff",
    line="#cccccc",
    same="#0b3350",
    different="#cf8a2f",
    same_soft="#b9c9d6",
    different_soft="#f5ead6",
    ramp=("#f4f4f4", "#0b3350"),
    font_size=8.0,
)


def blend(low: str, high: str, share: float) -> str:
    """The colour between two, so that nothing needs to be transparent."""
    near, far = (tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) for colour in (low, high))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(near, far, strict=True))


def lightness(colour: str) -> float:
    """Luminance as accessibility guidelines reckon it, 0 to 1: what is left of a colour on a grey printer."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, from 1 to 21."""
    brighter, darker = sorted((lightness(one), lightness(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def ink_on(colour: str, look: Look) -> str:
    """Whichever of text and paper colour reads better on a filled cell."""
    return max((look.text, look.paper), key=lambda ink: contrast(ink, colour))


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
        return [low], [_tick(low)]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(
        power * factor for factor in (1, 2, 2.5, 5, 10, 20) if (high - low) / (power * factor) <= most - 1 + 1e-9
    )
    at = [
        round(number * step, 12) for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]
    return at, [_tick(value) for value in at]


def _tick(value: float) -> str:
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}").replace("-", "−")

"""How figures look: on the light and the dark window, and on paper. Nothing here loads matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["DARK", "LIGHT", "PRINT", "Look"]


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

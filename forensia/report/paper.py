"""The sheet a report is printed on, and the letters it is set in. All lengths are points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from forensia.errors import SettingsError, StorageError

__all__ = [
    "BODY", "CAPTION", "HEADINGS", "LABEL", "NOTE", "PAPERS", "SMALL", "Family", "Paper", "Style", "Underline",
    "font_files", "paper_named",
]  # fmt: skip

Family = Literal["text", "mono"]
Underline = Literal["", "solid", "dashed"]


@dataclass(frozen=True)
class Paper:
    """A sheet with its margins."""

    name: str
    width: float
    height: float
    left: float = 68.0
    right: float = 68.0
    top: float = 78.0
    bottom: float = 68.0

    @property
    def measure(self) -> float:
        """The width of the text."""
        return self.width - self.left - self.right

    @property
    def foot(self) -> float:
        """Where the text must end."""
        return self.height - self.bottom


PAPERS = {paper.name: paper for paper in (Paper("A4", 595.28, 841.89), Paper("Letter", 612.0, 792.0))}


def paper_named(name: str) -> Paper:
    """A4 or Letter."""
    if name not in PAPERS:
        raise SettingsError(f"There is no paper '{name}'. Choose {' or '.join(PAPERS)}.")
    return PAPERS[name]


@dataclass(frozen=True)
class Style:
    """How a piece of text is set. `grey` 0 is black; `shade` lays a light grey under it, `line` draws a line below."""

    size: float
    leading: float
    family: Family = "text"
    bold: bool = False
    italic: bool = False
    grey: int = 0
    shade: bool = False
    line: Underline = ""

    @property
    def strong(self) -> Style:
        return replace(self, bold=True)

    @property
    def mono(self) -> Style:
        """The same for hashes and names of files; these letters look larger than those of the text."""
        return replace(self, family="mono", size=round(self.size * 0.8, 1), bold=False, italic=False)


BODY = Style(10.5, 14.4)
SMALL = Style(9.2, 12.0)
NOTE = Style(8.6, 11.2, grey=60)
CAPTION = Style(9.0, 11.8, grey=40)
LABEL = Style(9.2, 12.4, grey=70)
HEADINGS = (Style(17.0, 21.0, bold=True), Style(12.6, 16.0, bold=True), Style(10.8, 14.0, bold=True))

# Letters that come with matplotlib and may be embedded: a book face, with DejaVu for what it lacks.
_FACES: dict[str, tuple[str, ...]] = {
    "text": ("STIXGeneral", "DejaVuSerif"),
    "textB": ("STIXGeneralBol", "DejaVuSerif-Bold"),
    "textI": ("STIXGeneralItalic", "DejaVuSerif-Italic"),
    "textBI": ("STIXGeneralBolIta", "DejaVuSerif-BoldItalic"),
    "mono": ("DejaVuSansMono",),
    "more": ("DejaVuSans",),
    "moreB": ("DejaVuSans-Bold",),
}


def font_files() -> dict[str, Path]:
    """The file of each face, from the installed matplotlib."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    found = {}
    for face, choices in _FACES.items():
        there = [folder / f"{name}.ttf" for name in choices if (folder / f"{name}.ttf").is_file()]
        if not there:
            raise StorageError("The fonts of the report are missing (they come with matplotlib): install it again.")
        found[face] = there[0]
    return found

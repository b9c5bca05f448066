"""How text is set: sheets and sizes, every name literal, nothing hidden, nothing missing from the fonts, lines that fit.

No text is ever read as markup. What a font cannot show, and what would hide or turn the text around, is printed by its code point. All
lengths are points.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from forensia.errors import SettingsError, StorageError
from forensia.wording.templates import elided

__all__ = [
    "PAPERS", "Face", "Paper", "Stretch", "Style", "TextLine", "Typesetter", "font_files", "in_reading_order", "paper_named",
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
    grey: int = 0
    shade: bool = False
    line: Underline = ""

    @property
    def strong(self) -> Style:
        return replace(self, bold=True)

    @property
    def mono(self) -> Style:
        """The same for hashes and names of files; these letters look larger than those of the text."""
        return replace(self, family="mono", size=round(self.size * 0.8, 1), bold=False)


# Letters that come with matplotlib and may be embedded: a book face, with DejaVu for what it lacks.
_FACES: dict[str, tuple[str, ...]] = {
    "text": ("STIXGeneral", "DejaVuSerif"),
    "textB": ("STIXGeneralBol", "DejaVuSerif-Bold"),
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


# --- text ---------------------------------------------------------------------------------------------------------------

# Controls, format characters such as those that turn the direction, lone surrogates, private and unassigned code points.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_SPACES = {"Zs", "Zl", "Zp"}
_MOST_ACCENTS = 3  # a longer pile on one letter would run over the line above
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BREAK = re.compile(r" +(?!%)")  # '95 %' stays together


class Face(Protocol):
    """A font as it is loaded: the width of each code point in thousandths of its size, and the glyph of each that it has."""

    cw: Mapping[int, float]
    cmap: Mapping[int, str]


@dataclass(frozen=True)
class Stretch:
    """Some text in one style."""

    text: str
    style: Style


@dataclass(frozen=True)
class TextLine:
    """A line that is set: where each stretch begins, what it says, and its style."""

    stretches: tuple[tuple[float, str, Style], ...]
    width: float

    @property
    def text(self) -> str:
        return "".join(text for _, text, _ in self.stretches)


class Typesetter:
    """Measures and breaks text with the faces at hand; they are named as in `font_files`."""

    def __init__(self, faces: Mapping[str, Face]) -> None:
        self._faces = faces
        self._known = frozenset(code for name in ("text", "more", "mono") for code in faces[name].cmap)
        self._ordinary = frozenset(map(chr, self._known & set(range(0x20, 0x7F)))) | {" "}
        self._widths: dict[tuple[str, bool, str], float] = {}
        self._fitted: dict[tuple[str, Style, float, int], str] = {}

    def shown(self, text: str) -> str:
        """The text on one line, with a code point for whatever is invisible or missing from the fonts."""
        if self._ordinary.issuperset(text):
            return text
        shown: list[str] = []
        accents = 0
        for character in text:
            kind = unicodedata.category(character)
            accents = accents + 1 if unicodedata.combining(character) else 0
            if kind in _SPACES or character in "\t\n\r\f\v":
                shown.append(" ")
            elif kind in _HIDDEN or ord(character) not in self._known or accents > _MOST_ACCENTS:
                shown.append(f"⟨U+{ord(character):04X}⟩")
            else:
                shown.append(character)
        return "".join(shown)

    def runs(self, text: str, style: Style) -> list[tuple[str, str]]:
        """The text in stretches of one face each; it must be `shown` already."""
        chain = _chain(style)
        own = self._faces[chain[0]].cmap
        if all(ord(character) in own for character in set(text)):
            return [(chain[0], text)] if text else []
        found: list[tuple[str, str]] = []
        for character in text:
            face = next(name for name in chain if ord(character) in self._faces[name].cmap)
            if found and found[-1][0] == face:
                found[-1] = (face, found[-1][1] + character)
            else:
                found.append((face, character))
        return found

    def width(self, text: str, style: Style) -> float:
        """How wide a shown text is in a style."""
        key = (style.family, style.bold, text)
        known = self._widths.get(key)
        if known is None:
            known = sum(
                sum(self._faces[face].cw[ord(letter)] for letter in part) for face, part in self.runs(text, style)
            )
            self._widths[key] = known
        return known * style.size / 1000

    def compose(self, stretches: Sequence[Stretch], width: float) -> list[TextLine]:
        """Break stretches into lines of a width. A word too long for a line is broken anywhere."""
        lines: list[TextLine] = []
        line = _Line(self)
        for word in self._words(stretches):
            wide = sum(self.width(text, style) for text, style in word)
            gap = self.width(" ", word[0][1]) if line.begun else 0.0
            if line.begun and line.at + gap + wide > width:
                lines.append(line.done())
                line, gap = _Line(self), 0.0
            if line.at + gap + wide <= width:
                line.add_word(word)
                continue
            for text, style in word:  # longer than a line
                for part in self._chunks(text, style, width, line.at):
                    if line.at + self.width(part, style) > width and line.at:
                        lines.append(line.done())
                        line = _Line(self)
                    line.add(part, style)
        if line.begun or not lines:
            lines.append(line.done())
        return lines

    def lines(self, text: str, style: Style, width: float) -> list[TextLine]:
        """One text in one style as lines."""
        return self.compose([Stretch(text, style)], width)

    def fitted(self, text: str, style: Style, width: float, most: int = 1) -> str:
        """The shown text, with its middle left out if it would take more than so many lines."""
        key = (text, style, width, most)
        if key not in self._fitted:
            self._fitted[key] = self._fit(self.shown(text), style, width, most)
        return self._fitted[key]

    def _fit(self, text: str, style: Style, width: float, most: int) -> str:
        if self.width(text, style) <= width or len(self.lines(text, style, width)) <= most:
            return text
        low, high = 1, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            cut = elided(text, middle)
            fits = self.width(cut, style) <= width or len(self.lines(cut, style, width)) <= most
            low, high = (middle, high) if fits else (low, middle - 1)
        return elided(text, low)

    def _words(self, stretches: Iterable[Stretch]) -> list[list[tuple[str, Style]]]:
        """Words, each in stretches of one style; a change of style within a word is no place to break a line."""
        words: list[list[tuple[str, Style]]] = []
        word: list[tuple[str, Style]] = []
        for stretch in stretches:
            for number, part in enumerate(_BREAK.split(self.shown(stretch.text))):
                if number and word:
                    words.append(word)
                    word = []
                if part:
                    word.append((part, stretch.style))
        return [*words, word] if word else words

    def _chunks(self, text: str, style: Style, width: float, used: float) -> list[str]:
        """A long word in parts that fit: the first beside what is there already."""
        if self.width(text, style) <= width - used:
            return [text]
        chunks, part, room = [], "", width - used
        wide = 0.0
        for letter in text:
            step = self.width(letter, style)
            if wide + step > room and part:
                chunks.append(part)
                part, wide, room = "", 0.0, width
            part += letter
            wide += step
        return [*chunks, part] if part else chunks


class _Line:
    """A line in the making; neighbours of one style are one stretch."""

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self._stretches: list[tuple[float, str, Style]] = []
        self.at = 0.0

    @property
    def begun(self) -> bool:
        return bool(self._stretches)

    def add_word(self, word: list[tuple[str, Style]]) -> None:
        if self._stretches:
            self._add_space(word[0][1])
        for text, style in word:
            self.add(text, style)

    def _add_space(self, following: Style) -> None:
        """The space before a word belongs to the style on both sides, or else to whichever is plainer."""
        before = self._stretches[-1][2]
        for style in (before, following):
            if before == following or not (style.shade or style.line):
                self.add(" ", style)
                return
        self.at += self._typesetter.width(" ", following)

    def add(self, text: str, style: Style) -> None:
        if self._stretches and self._stretches[-1][2] == style:
            start, before, _ = self._stretches[-1]
            self._stretches[-1] = (start, before + text, style)
        else:
            self._stretches.append((self.at, text, style))
        self.at += self._typesetter.width(text, style)

    def done(self) -> TextLine:
        return TextLine(tuple(self._stretches), self.at)


def in_reading_order(text: str) -> str:
    """The letters of a line from left to right, as they are seen: right-to-left scripts are stored in the order of speech."""
    if not _RIGHT_TO_LEFT.search(text):
        return text
    from fpdf.bidi import BidiParagraph
    from fpdf.enums import TextDirection

    return str(BidiParagraph(text=text, base_direction=TextDirection.LTR).get_reordered_string())


def _chain(style: Style) -> tuple[str, ...]:
    """The faces that are tried for a style, in order."""
    own = "mono" if style.family == "mono" else "textB" if style.bold else "text"
    return (own, "moreB" if style.bold else "more", "more", "text", "mono")

"""A text under construction: paragraphs in reading order, notes after the paragraph that calls them, endnotes at the end."""

from __future__ import annotations

import re

PARAGRAPH = "\n\n"  # a single line end is a line break inside a paragraph, as in verse and addresses

_SPACES = re.compile(r"[ \t\r\n\f]+")


class Prose:
    """Collects pieces of text; `collapse` makes one space of each run of white space, as HTML, ODF and TEI want it."""

    def __init__(self, collapse: bool = False) -> None:
        self._collapse = collapse
        self._paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._after: list[str] = []
        self._end: list[str] = []

    def write(self, text: str) -> None:
        """Text as the format has it."""
        if self._collapse:
            text = _SPACES.sub(" ", text)
            if text.startswith(" ") and (not self._pieces or self._pieces[-1][-1] in " \n"):
                text = text[1:]
        if text:
            self._pieces.append(text)

    def exactly(self, text: str) -> None:
        """Text in which white space means something: a tab, a line break, preformatted lines."""
        if not text:
            return
        if self._collapse and text[0] == "\n" and self._pieces and self._pieces[-1][-1] == " ":
            self._pieces[-1] = self._pieces[-1][:-1]
            if not self._pieces[-1]:
                self._pieces.pop()
        self._pieces.append(text)

    def after(self, text: str) -> None:
        """Text that follows the present paragraph."""
        self._after.append(text)

    def at_end(self, text: str) -> None:
        """Text that follows everything else."""
        self._end.append(text)

    def line(self) -> None:
        """End the present line, if it holds anything: a verse line."""
        if self._pieces and self._pieces[-1][-1] != "\n":
            self.exactly("\n")

    def paragraph(self) -> None:
        """End the present paragraph."""
        text = "".join(self._pieces)
        if self._collapse:
            text = text.strip(" \n")
        self._pieces = []
        for candidate in (text, *self._after):
            if candidate.strip():
                self._paragraphs.append(candidate)
        self._after = []

    def text(self) -> str:
        """Everything; the text is finished."""
        self.paragraph()
        return PARAGRAPH.join(self._paragraphs + [note for note in self._end if note.strip()])

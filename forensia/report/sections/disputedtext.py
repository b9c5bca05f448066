"""The disputed text itself, with the stretches marked in which the strongest features stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forensia.corpus.characters import WORD
from forensia.report.contents import JudgedText
from forensia.report.letters import Piece
from forensia.report.paper import CAPTION, SMALL, Style
from forensia.report.strongest import Marked
from forensia.report.writing import SectionWriter

_PLAIN = Style(9.2, 12.6)
_FOR = replace(_PLAIN, shade=True, line="solid")
_AGAINST = replace(_PLAIN, line="dashed")
_WHOLE, _FEW = 1_300, 250  # words that are shown of a text, and of each when there are many texts
_WINDOW = 220
_GAP = "[…]"

Marks = Sequence[Marked]


def write(report: SectionWriter, document: JudgedText) -> None:
    """The text, or the passages of it with most marks."""
    found, text = document.explained or document.strongest, report.found.texts.get(document.id, "")
    if found is None or not text:
        return
    doc = report.doc
    doc.heading("The text with its strongest features marked", 2, follow=110)
    stretches = _stretches(text, found.marks, _FEW if report.many else _WHOLE)
    whole = stretches == [(0, len(text))]
    doc.paragraph(
        [
            Piece("Shaded and underlined", replace(CAPTION, shade=True, line="solid")),
            Piece(f": features that speak for {doc.letters.shown(found.author)[:60]}. ", CAPTION),
            Piece("Underlined with dashes", replace(CAPTION, line="dashed")),
            Piece(
                ": features that speak against. Features that stand everywhere in the text, and lengths of words and sentences, are not "
                "marked. "
                + (
                    ""
                    if whole
                    else "The text is long: shown are the passages with most marks, […] stands for what is left out."
                ),
                CAPTION,
            ),
        ],
        CAPTION,
    )
    for number, (start, end) in enumerate(stretches):
        if not whole and (number or start):
            doc.paragraph(_GAP, SMALL, after=2)
        for paragraph in _paragraphs(text, start, end, found.marks):
            doc.paragraph(paragraph, _PLAIN, after=4)
    if not whole and stretches[-1][1] < len(text):
        doc.paragraph(_GAP, SMALL)
    doc.y += 4


def _stretches(text: str, marks: Marks, most: int) -> list[tuple[int, int]]:
    """The whole text if it is short enough; else the windows with most marks, in their order."""
    words = [match.span() for match in WORD.finditer(text)]
    if len(words) <= most:
        return [(0, len(text))]
    windows = []
    for first in range(0, len(words), _WINDOW // 2):
        last = min(first + _WINDOW, len(words)) - 1
        start, end = words[first][0], words[last][1]
        windows.append((sum(1 for mark in marks if start <= mark.start < end), start, end))
    chosen: list[tuple[int, int]] = []
    for _, start, end in sorted(windows, key=lambda each: (-each[0], each[1])):
        if all(end <= other[0] or start >= other[1] for other in chosen):
            chosen.append((start, end))
        if len(chosen) >= max(1, most // _WINDOW):
            break
    return sorted(chosen)


def _paragraphs(text: str, start: int, end: int, marks: Marks) -> list[list[Piece]]:
    """A stretch of the text as paragraphs of pieces, marked and not."""
    pieces: list[tuple[str, Style]] = []
    at = start
    for mark in marks:
        if mark.end <= start or mark.start >= end:
            continue
        first, last = max(mark.start, at), min(mark.end, end)
        if first > at:
            pieces.append((text[at:first], _PLAIN))
        if last > first:
            pieces.append((text[first:last], _FOR if mark.sign > 0 else _AGAINST))
            at = last
    if at < end:
        pieces.append((text[at:end], _PLAIN))
    paragraphs: list[list[Piece]] = [[]]
    for part, style in pieces:
        for number, line in enumerate(part.split("\n")):
            if number and paragraphs[-1]:
                paragraphs.append([])
            if line:
                paragraphs[-1].append(Piece(line, style))
    return [paragraph for paragraph in paragraphs if any(piece.text.strip() for piece in paragraph)]

"""What frames the pages of a report: the running head, the foot with the number of pages, the table of contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forensia.report.paper import BODY, HEADINGS, NOTE, Paper

if TYPE_CHECKING:
    from fpdf.outline import OutlineSection

    from forensia.report.document import PdfDocument

__all__ = ["RunningHead", "draw_contents", "draw_foot", "draw_head", "pages_of_contents"]

_GREY = 120
_LEADING, _TIGHT = 16.5, 13.2  # of the table of contents, and when it is long
_TITLE = 40.0


@dataclass(frozen=True)
class RunningHead:
    """What stands at the top of every page, and at the left of its foot."""

    left: str
    right: str
    foot: str


def draw_head(doc: PdfDocument, head: RunningHead) -> None:
    """The top of the page; the cover has none."""
    if doc.page == 1:
        return
    paper, style = doc.paper, NOTE
    y = paper.top - 42
    right = doc.letters.width(doc.letters.shown(head.right), style.strong)
    doc.write(paper.left, y, doc.letters.fitted(head.left, style, paper.measure - right - 20), style)
    doc.write(paper.left + paper.measure, y, head.right, style.strong, "right")
    doc.stroke(paper.left, y + 14, paper.left + paper.measure, y + 14, 0.4, grey=_GREY)


def draw_foot(doc: PdfDocument, head: RunningHead, pages: int) -> None:
    """The foot of the page."""
    paper, style = doc.paper, NOTE
    y = paper.height - 44
    doc.stroke(paper.left, y - 4, paper.left + paper.measure, y - 4, 0.4, grey=_GREY)
    doc.write(paper.left, y, doc.letters.fitted(head.foot, style, paper.measure - 90), style)
    doc.write(paper.left + paper.measure, y, f"Page {doc.page} of {pages}", style, "right")


def pages_of_contents(paper: Paper, entries: int) -> int:
    """How many pages the table of contents takes: rather tight lines than a page for the last few."""
    return max(1, -(-entries // int(_height(paper) // _TIGHT)))


def _height(paper: Paper) -> float:
    return paper.foot - paper.top - _TITLE


def draw_contents(doc: PdfDocument, pdf: Any, outline: list[OutlineSection]) -> None:
    """The table of contents: sections and what is directly in them, as far as there is room, each a link."""
    paper = doc.paper
    left, right, y = paper.left, paper.left + paper.measure, paper.top
    first, pages = pdf.page, pdf.toc_placeholder.pages
    pdf.turn_to(first)
    doc.write(left, y, "Contents", HEADINGS[0])
    y += _TITLE
    listed = [each for each in outline if each.level < 2]
    room = pages * int(_height(paper) // _TIGHT)
    if len(listed) > room:
        listed = [each for each in listed if each.level == 0]
    leading = min(_LEADING, pages * _height(paper) / len(listed)) if listed else _LEADING
    leading = max(_TIGHT, leading)
    for section in listed[:room]:
        if y + leading > paper.foot + 0.01:
            pdf.add_page()
            pdf.turn_to(pdf.page)
            y = paper.top
        style = BODY.strong if section.level == 0 else BODY
        x = left + 18 * section.level
        number = doc.letters.width(str(section.page_number), style)
        wide = doc.write(x, y, doc.letters.fitted(section.name, style, right - x - number - 24), style)
        doc.write(right, y, str(section.page_number), style, "right")
        if section.level:
            base = y + style.leading * 0.5 + style.size * 0.3
            doc.stroke(x + wide + 6, base, right - number - 6, base, 0.4, grey=_GREY, dashed=True)
        target = pdf.add_link(page=section.page_number, y=max(0.0, pdf.h - section.dest.top / pdf.k - 10))
        pdf.link(left, y, right - left, leading, target)
        y += leading
    while pdf.page < first + pages - 1:
        pdf.add_page()

"""Writes the blocks of a report into a PDF: which letters, how much white, what stays together, numbers of headings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatchmethod
from itertools import pairwise
from typing import Any

from forensia.report.blocks import (
    Block,
    Bullets,
    Cover,
    FactList,
    FirstThatFits,
    Heading,
    Illustration,
    Mark,
    PageBreak,
    Paragraph,
    Quotations,
    Signatures,
    Size,
    Table,
    TableOfContents,
    Text,
    strong,
)
from forensia.report.pdfpages import BODY, HEADINGS, NOTE, ReportPages
from forensia.report.pdftables import CAPTION, SMALL, set_list, set_table
from forensia.report.typesetting import Stretch, Style, TextLine

__all__ = ["PdfWriter"]

_SIZES: Mapping[Size, Style] = {
    "lead": Style(11.0, 14.8), "body": BODY, "brief": Style(9.6, 12.6), "small": SMALL, "note": NOTE, "caption": CAPTION,
    "quote": Style(8.8, 11.4), "disputed": Style(9.2, 12.6),
}  # fmt: skip
_AFTER: Mapping[Size, float] = {
    "note": 0.0,
    "caption": 6.0,
    "quote": 0.0,
    "disputed": 4.0,
}  # else as much as below body text
_MARKS: Mapping[Mark, Mapping[str, Any]] = {
    "": {}, "strong": {"bold": True}, "quiet": {"grey": 80}, "passage": {"shade": True, "bold": True},
    "for": {"shade": True, "line": "solid"}, "against": {"line": "dashed"},
}  # fmt: skip
_TITLE, _STATUS, _LABEL = Style(24.0, 30.0, bold=True), Style(12.0, 16.0, bold=True), Style(9.2, 12.4, grey=70)
_HANG = (26.0, 32.0, 40.0, 0.0)  # from the number of a heading to its words
_AROUND = ((24.0, 10.0), (15.0, 5.0), (10.0, 3.0), (0.0, 2.0))  # above and below a heading
_FOLLOW = (60.0, 60.0, 120.0, 30.0)  # what must stand under it
_APART = 120.0  # the same of one that stands apart
_KEEP = 45.0  # of what follows a text that is kept with it
_INDENT = 14.0
_SIGN = 210.0


class PdfWriter:
    """Sets one block after the other on pages."""

    def __init__(self, pages: ReportPages) -> None:
        self._pages = pages
        self._numbers = [0, 0, 0]
        self._appendix = False
        self._counts = {"Figure": 0, "Table": 0}

    def write_all(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self.write(block)

    @singledispatchmethod
    def write(self, block: Block) -> None:
        """Set a block."""
        raise TypeError(f"no block of a report: {type(block).__name__}")

    # Text

    @write.register
    def _heading(self, block: Heading) -> None:
        """A heading with its bookmark."""
        pages, level, style = self._pages, block.level, HEADINGS[block.level]
        if block.apart or not level:
            pages.settle()
        number = self._numbered(block)
        hang = max(_HANG[level], pages.typesetter.width(number, style) + 8) if number else 0.0
        lines = pages.typesetter.lines(block.text, style, pages.width - hang)[:3]
        before, after = _AROUND[level]
        left = pages.left

        def place() -> None:
            pages.space(before)
            if number:
                pages.bookmark(f"{number} {block.text}", level)
                pages.write(left, pages.y, number, style)
            for line in lines:
                pages.draw(line, left + hang, pages.y, style)
                pages.y += style.leading
            pages.y += after

        if level == 0 and pages.room < pages.paper.height * 0.25:
            pages.need(pages.paper.height)
        pages.with_next(before + len(lines) * style.leading + after, _APART if block.apart else _FOLLOW[level], place)

    def _numbered(self, block: Heading) -> str:
        if block.level >= len(self._numbers):
            return ""
        if block.appendix and not self._appendix:
            self._appendix, self._numbers = True, [0, 0, 0]
        self._numbers[block.level] += 1
        self._numbers[block.level + 1 :] = [0] * (len(self._numbers) - block.level - 1)
        first = chr(64 + self._numbers[0]) if self._appendix else str(self._numbers[0])
        return ".".join([first, *(str(number) for number in self._numbers[1 : block.level + 1])])

    @write.register
    def _paragraph(self, block: Paragraph) -> None:
        pages, style, text = self._pages, _SIZES[block.size], block.text
        if block.most and isinstance(text, str):
            text = pages.typesetter.fitted(text, style, pages.width, block.most)
        if block.bar:
            with pages.inset(10):
                lines = self._lines(text, style)
                height = len(lines) * style.leading
                pages.need(height)
                pages.stroke(pages.left - 7, pages.y + 1, pages.left - 7, pages.y + height - 1, 2.0, grey=90)
                pages.set_lines(lines, style)
        else:
            pages.set_lines(self._lines(text, style), style, _KEEP if block.keep else 0.0)
        pages.y += 2.0 if block.close else _AFTER.get(block.size, 5.0)

    @write.register
    def _bullets(self, block: Bullets) -> None:
        pages, style = self._pages, _SIZES[block.size]
        for item in block.items:
            with pages.inset(_INDENT):
                lines = self._lines(item, style)
                pages.need(min(len(lines), 2) * style.leading)
                pages.write(pages.left - _INDENT + 2, pages.y, "•", style)
                pages.set_lines(lines, style)
            pages.y += 3.0 if block.size == "body" else 1.5
        pages.y += 3

    @write.register
    def _facts(self, block: FactList) -> None:
        for name, value in block.rows:
            self._set_fact(name, value, SMALL, 110.0)
        self._pages.y += 5

    def _set_fact(self, name: str, value: str, style: Style, label: float, most: int = 0) -> None:
        """A label with what belongs to it, side by side; at most so many lines of it, if any number is given."""
        pages = self._pages
        heads = pages.typesetter.lines(name, replace(style, grey=70), label - 8)
        with pages.inset(label):
            shown = pages.typesetter.fitted(value, style, pages.width, most) if most else value
            lines = self._lines(shown, style)
            pages.need(min(max(len(heads), len(lines)), 4) * style.leading)
            for number, line in enumerate(heads):
                pages.draw(line, pages.left - label, pages.y + number * style.leading, style)
            pages.set_lines(lines, style)
        pages.y += 2.5 + max(0, len(heads) - len(lines)) * style.leading

    @write.register
    def _quotations(self, block: Quotations) -> None:
        pages, style = self._pages, _SIZES["quote"]
        with pages.inset(_INDENT):
            quoted = [self._lines(each, style) for each in block.quoted]
        pages.need(min(sum(map(len, quoted)), 4) * style.leading + SMALL.leading + 4)
        pages.set_lines(self._lines(block.head, SMALL), SMALL)
        pages.y += 1
        with pages.inset(_INDENT):
            for lines in quoted:
                pages.set_lines(lines, style)
        pages.y += 4

    def _lines(self, text: Text, style: Style) -> list[TextLine]:
        """A text as lines, each mark in its style."""
        stretches = [
            Stretch(each, style) if isinstance(each, str)
            else Stretch(each.text, style.mono if each.mark == "code" else replace(style, **_MARKS[each.mark]))
            for each in ([text] if isinstance(text, str) else text)
        ]  # fmt: skip
        return self._pages.typesetter.compose(stretches, self._pages.width)

    # Tables and figures

    def _caption(self, kind: str, text: str) -> list[TextLine]:
        """A caption with its number."""
        self._counts[kind] += 1
        return self._lines((strong(f"{kind} {self._counts[kind]}. "), text), CAPTION)

    @write.register
    def _table(self, block: Table) -> None:
        if block.two_columns:
            set_list(self._pages, block)
        else:
            set_table(self._pages, block, self._caption("Table", block.caption) if block.caption else ())

    @write.register
    def _illustration(self, block: Illustration) -> None:
        """One figure, or several side by side, each as wide as its share."""
        pages, drawings, gap = self._pages, block.drawings, 14.0
        wide = (pages.width - gap * (len(drawings) - 1)) / len(drawings)
        sizes = [tuple(72.0 * float(inches) for inches in each.figure.get_size_inches()) for each in drawings]
        scales = [min(1.0, wide / width) for width, _ in sizes]
        height = max(tall * scale for (_, tall), scale in zip(sizes, scales, strict=True))
        limit = pages.paper.foot - pages.paper.top - 60
        if height > limit:  # rather smaller than cut off
            scales, height = [scale * limit / height for scale in scales], limit
        lines = self._caption("Figure", block.caption or drawings[0].reading)

        def place() -> None:
            for number, (each, (_, tall), scale) in enumerate(zip(drawings, sizes, scales, strict=True)):
                pages.image(each, pages.left + number * (wide + gap), tall, scale)
            pages.y += height + 4
            pages.set_lines(lines, CAPTION)
            pages.y += 12

        pages.float_or_place(height + 4 + len(lines) * CAPTION.leading, place, floating=block.floating)

    # Pages

    @write.register
    def _cover(self, block: Cover) -> None:
        pages = self._pages
        pages.new_page()
        pages.y += 60
        pages.write(pages.left, pages.y, block.kind, _LABEL)
        pages.y += 20
        title = pages.typesetter.fitted(block.title, _TITLE, pages.width, 3)
        pages.set_lines(self._lines(title, _TITLE), _TITLE)
        pages.y += 14
        wide = pages.typesetter.width(block.status, _STATUS) + 24
        for (x0, y0), (x1, y1) in pairwise(((0, 0), (wide, 0), (wide, 24), (0, 24), (0, 0))):
            pages.stroke(pages.left + x0, pages.y + y0, pages.left + x1, pages.y + y1, 1.0)
        pages.write(pages.left + 12, pages.y + 4, block.status, _STATUS)
        pages.y += 40
        pages.rule(width=0.8, after=14)
        for name, value, most in block.rows:
            self._set_fact(name, value, BODY, 130.0, most)
        pages.y += 5
        pages.rule(width=0.8, after=10)
        pages.y = max(pages.y, pages.paper.foot - 92)
        pages.set_lines(self._lines(block.note, NOTE), NOTE)

    @write.register
    def _contents(self, block: TableOfContents) -> None:
        self._pages.table_of_contents(block.entries)

    @write.register
    def _signatures(self, block: Signatures) -> None:
        pages = self._pages
        pages.y += 14
        pages.need(90)
        for column, name in enumerate(block.names):
            x = pages.left + column * (_SIGN + 36)
            pages.stroke(x, pages.y + 40, x + _SIGN, pages.y + 40)
            pages.write(x, pages.y + 44, pages.typesetter.fitted(name, NOTE, _SIGN), NOTE)
            pages.write(x, pages.y + 56, "Date and signature", NOTE)
        pages.y += 80

    @write.register
    def _page_break(self, block: PageBreak) -> None:
        self._pages.new_page()

    @write.register
    def _first_that_fits(self, block: FirstThatFits) -> None:
        version: Sequence[Block] = ()
        for version in block.versions:
            numbers, counts = list(self._numbers), dict(self._counts)
            with self._pages.trial() as trial:
                self.write_all(version)
            self._numbers, self._counts = numbers, counts
            if not trial.breaks:
                break
        self.write_all(version)

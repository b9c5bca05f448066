"""Tables in the report: heads repeated on each page, rows never torn, text literal, numbers to the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from forensia.report.document import PdfDocument
from forensia.report.letters import Piece, TextLine
from forensia.report.paper import CAPTION, SMALL, Style

__all__ = ["Cell", "Column", "Group", "Painted", "Row", "table"]

Align = Literal["left", "right", "centre"]
_GAP = 8.0  # between columns
_HAIR = 200
_SMALL = 0.4  # of a page


@dataclass(frozen=True)
class Column:
    """A column: its head, how wide it is (0: what the others leave), where its text stands, and how many lines a cell may take."""

    head: str
    width: float = 0.0
    align: Align = "left"
    lines: int = 3
    mono: bool = False


@dataclass(frozen=True)
class Painted:
    """A cell that is drawn: called with the document, its left upper corner, its width and its height."""

    draw: Callable[[PdfDocument, float, float, float, float], None]


@dataclass(frozen=True)
class Group:
    """A row that is one heading for those below it."""

    text: str


Cell = str | Piece | Painted
Row = Sequence[Cell] | Group


def table(
    document: PdfDocument,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    caption: str = "",
    style: Style = SMALL,
    lines: bool = True,
    gap: float = _GAP,
    after: float = 12.0,
) -> None:
    """A table at the current place, on as many pages as it takes."""
    _Table(document, columns, style, lines, gap).draw(rows, caption, after)


class _Table:
    def __init__(self, document: PdfDocument, columns: Sequence[Column], style: Style, lines: bool, gap: float) -> None:
        self._doc, self._columns, self._style, self._hairs, self._gap = document, columns, style, lines, gap
        self._pad = 0.17 * style.leading if lines else 0.4  # above and below the text of a row
        free = [column for column in columns if not column.width]
        rest = document.width - sum(column.width for column in columns) - gap * (len(columns) - 1)
        self._widths = [column.width or max(20.0, rest / len(free)) for column in columns]
        self._heads = [self._set(column.head, place, style.strong, 3) for place, column in enumerate(columns)]

    def draw(self, rows: Sequence[Row], caption: str, after: float) -> None:
        doc = self._doc
        heights = [self._height(row) for row in rows]
        head = self._head_height()
        above = doc.letters.compose(doc.numbered("Table", caption), doc.width) if caption else []
        whole, page = sum(heights), doc.paper.foot - doc.paper.top
        # A small table is kept together; of a longer one, the head and three rows at least.
        first = whole if whole < _SMALL * page else sum(heights[:3])
        doc.need(min(len(above) * CAPTION.leading + 4 + head + first, page))
        if above:
            doc.set_lines(above, CAPTION.leading, CAPTION)
            doc.y += 3
        self._draw_head(head)
        for number, (row, height) in enumerate(zip(rows, heights, strict=True)):
            # What a row is the heading of goes with it, and the last row is not alone on a page.
            together = isinstance(row, Group) or number + 2 == len(rows)
            below = heights[number + 1] if together and number + 1 < len(rows) else 0.0
            if doc.room < height + below and not doc.fresh:
                self._line(0.8)
                doc.need(head + height + below)
                self._draw_head(head)
            self._draw_row(row, height)
            if self._hairs and number + 1 < len(rows):
                doc.stroke(doc.left, doc.y, doc.left + doc.width, doc.y, 0.3, grey=_HAIR)
        self._line(0.8)
        doc.y += after

    def _set(self, text: str, place: int, style: Style, most: int) -> list[TextLine]:
        letters, width = self._doc.letters, self._widths[place]
        return letters.lines(letters.fitted(text, style, width, most), style, width)[:most]

    def _cell(self, cell: Cell, place: int) -> tuple[list[TextLine], Style]:
        column = self._columns[place]
        if isinstance(cell, Painted):
            return [], self._style
        style = cell.style if isinstance(cell, Piece) else self._style.mono if column.mono else self._style
        return self._set(cell.text if isinstance(cell, Piece) else cell, place, style, column.lines), style

    def _height(self, row: Row) -> float:
        leading = self._style.leading
        if isinstance(row, Group):
            return leading + 2 * self._pad + 3
        return max(1, *(len(self._cell(cell, place)[0]) for place, cell in enumerate(row))) * leading + 2 * self._pad

    def _head_height(self) -> float:
        return max(len(lines) for lines in self._heads) * self._style.leading + 2 * self._pad + 1

    def _draw_head(self, height: float) -> None:
        doc = self._doc
        self._line(0.8)
        tallest = max(len(lines) for lines in self._heads)
        for place, lines in enumerate(self._heads):
            top = doc.y + self._pad + (tallest - len(lines)) * self._style.leading
            self._draw_lines(lines, place, top, self._style.strong)
        doc.y += height
        self._line(0.5)

    def _draw_row(self, row: Row, height: float) -> None:
        doc = self._doc
        if isinstance(row, Group):
            style = self._style.strong
            text = doc.letters.fitted(row.text, style, doc.width)
            doc.write(doc.left, doc.y + self._pad + 3, text, style)
        else:
            for place, cell in enumerate(row):
                if isinstance(cell, Painted):
                    cell.draw(doc, self._left(place), doc.y, self._widths[place], height)
                else:
                    lines, style = self._cell(cell, place)
                    self._draw_lines(lines, place, doc.y + self._pad, style)
        doc.y += height

    def _draw_lines(self, lines: Sequence[TextLine], place: int, top: float, style: Style) -> None:
        left, width, align = self._left(place), self._widths[place], self._columns[place].align
        for number, line in enumerate(lines):
            shift = (width - line.width) * (1.0 if align == "right" else 0.5 if align == "centre" else 0.0)
            y = top + number * self._style.leading + (self._style.leading - style.leading) / 2
            self._doc.draw(line, left + shift, y, style)

    def _left(self, place: int) -> float:
        return self._doc.left + sum(self._widths[:place]) + self._gap * place

    def _line(self, width: float) -> None:
        doc = self._doc
        doc.stroke(doc.left, doc.y, doc.left + doc.width, doc.y, width)

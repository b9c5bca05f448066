"""Tables on the pages of a PDF: heads repeated on each page, rows never torn, text literal, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence

from forensia.report.blocks import Cell, Group, OnScale, Piece, Row, Table, TableSize
from forensia.report.pdfpages import ReportPages
from forensia.report.typesetting import Style, TextLine

__all__ = ["CAPTION", "SMALL", "set_list", "set_table"]

SMALL = Style(9.2, 12.0)
CAPTION = Style(9.0, 11.8, grey=40)
_SIZES: dict[TableSize, Style] = {
    "small": SMALL, "narrow": Style(8.7, 11.2), "fine": Style(7.6, 9.6), "finest": Style(7.0, 8.8),
}  # fmt: skip
_GAP, _NARROW_GAP = 8.0, 5.5  # between columns
_HAIR = 200
_SMALL = 0.4  # of a page
_DECADES = 4  # of the scale in a cell, to each side


def set_table(pages: ReportPages, table: Table, above: Sequence[TextLine]) -> None:
    """A table at the current place, on as many pages as it takes, with the lines of its caption `above`."""
    setter = _Table(pages, table)
    heights = [setter.height(row) for row in table.rows]
    page = pages.paper.foot - pages.paper.top
    # A small table is kept together; of a longer one, the head and three rows at least.
    whole = sum(heights)
    first = whole if whole < _SMALL * page else sum(heights[:3])
    pages.need(min(len(above) * CAPTION.leading + 4 + setter.head + first, page))
    if above:
        pages.set_lines(above, CAPTION)
        pages.y += 3
    setter.draw_head()
    for number, (row, height) in enumerate(zip(table.rows, heights, strict=True)):
        # What a row is the heading of goes with it, and the last row is not alone on a page.
        together = isinstance(row, Group) or number + 2 == len(heights)
        below = heights[number + 1] if together and number + 1 < len(heights) else 0.0
        if pages.room < height + below and not pages.fresh:
            pages.rule(width=0.8, after=0.0)
            pages.need(setter.head + height + below)
            setter.draw_head()
        setter.draw_row(row, height)
        if table.lines and number + 1 < len(heights):
            pages.stroke(pages.left, pages.y, pages.left + pages.width, pages.y, 0.3, grey=_HAIR)
    pages.rule(width=0.8, after=6.0 if table.close else 12.0)


class _Table:
    """Sets the head and the rows of one table."""

    def __init__(self, pages: ReportPages, table: Table) -> None:
        self._pages, self._columns, self._style = pages, table.columns, _SIZES[table.size]
        self._gap = _NARROW_GAP if table.size == "narrow" else _GAP
        self._pad = 0.17 * self._style.leading if table.lines else 0.4  # above and below the text of a row
        free = [column for column in table.columns if not column.width]
        rest = pages.width - sum(column.width for column in table.columns) - self._gap * (len(table.columns) - 1)
        self._widths = [column.width or max(20.0, rest / len(free)) for column in table.columns]
        self._heads = [self._set(each.head, place, self._style.strong, 3) for place, each in enumerate(table.columns)]
        self._tallest = max(len(lines) for lines in self._heads)
        self.head = self._tallest * self._style.leading + 2 * self._pad + 1

    def height(self, row: Row) -> float:
        """How high a row is."""
        leading = self._style.leading
        if isinstance(row, Group):
            return leading + 2 * self._pad + 3
        return max(1, *(len(self._cell(cell, place)[0]) for place, cell in enumerate(row))) * leading + 2 * self._pad

    def draw_head(self) -> None:
        """The heads of the columns, between two lines."""
        pages = self._pages
        pages.rule(width=0.8, after=0.0)
        for place, lines in enumerate(self._heads):
            top = pages.y + self._pad + (self._tallest - len(lines)) * self._style.leading
            self._draw_lines(lines, place, top, self._style.strong)
        pages.y += self.head
        pages.rule(width=0.5, after=0.0)

    def draw_row(self, row: Row, height: float) -> None:
        """A row with its upper edge at the current place."""
        pages = self._pages
        if isinstance(row, Group):
            style = self._style.strong
            pages.write(
                pages.left, pages.y + self._pad + 3, pages.typesetter.fitted(row.text, style, pages.width), style
            )
        else:
            for place, cell in enumerate(row):
                if isinstance(cell, OnScale):
                    _draw_scale(pages, cell, self._left(place), self._widths[place], height)
                else:
                    lines, style = self._cell(cell, place)
                    self._draw_lines(lines, place, pages.y + self._pad, style)
        pages.y += height

    def _set(self, text: str, place: int, style: Style, most: int) -> list[TextLine]:
        typesetter, width = self._pages.typesetter, self._widths[place]
        return typesetter.lines(typesetter.fitted(text, style, width, most), style, width)[:most]

    def _cell(self, cell: Cell, place: int) -> tuple[list[TextLine], Style]:
        column, style = self._columns[place], self._style
        if isinstance(cell, OnScale):
            return [], style
        text = cell if isinstance(cell, str) else cell.text
        style = style.strong if isinstance(cell, Piece) else style.mono if column.mono else style
        return self._set(text, place, style, column.lines), style

    def _draw_lines(self, lines: Sequence[TextLine], place: int, top: float, style: Style) -> None:
        left, width, right = self._left(place), self._widths[place], self._columns[place].align == "right"
        for number, line in enumerate(lines):
            shift = width - line.width if right else 0.0
            y = top + number * self._style.leading + (self._style.leading - style.leading) / 2
            self._pages.draw(line, left + shift, y, style)

    def _left(self, place: int) -> float:
        return self._pages.left + sum(self._widths[:place]) + self._gap * place


def _draw_scale(pages: ReportPages, cell: OnScale, x: float, width: float, height: float) -> None:
    """A likelihood ratio in a cell: a line of decades, the interval as a bar, the LR as a dot."""
    middle, unit, at = x + width / 2, width / (2 * _DECADES), pages.y + height / 2

    def place(log10_lr: float) -> float:
        """A log LR on the scale; what is beyond stands at its end."""
        return middle + unit * min(max(log10_lr, -_DECADES), _DECADES)

    pages.stroke(x, at, x + width, at, 0.4, grey=150)
    for decade in range(-_DECADES, _DECADES + 1):
        tall, thick, grey = (2.2, 0.4, 150) if decade else (height / 2 - 0.6, 0.7, 0)
        pages.stroke(place(decade), at - tall, place(decade), at + tall, thick, grey=grey)
    ratio = cell.ratio
    if ratio is None:
        return
    low, high = ratio.interval or (ratio.log10, ratio.log10)
    if place(high) > place(low):
        pages.stroke(place(low), at, place(high), at, 2.0)
    pages.dot(place(ratio.log10), at, 5.0, hollow=ratio.log10 <= 0)


# --- lists in two columns, for tables that would else fill many pages -------------------------------------------------------

_COLUMNS, _BETWEEN = 2, 18.0
_HEAD = 12.0  # of a column


def set_list(pages: ReportPages, table: Table) -> None:
    """The rows of a table in two columns: a name, a number and a hash in each, under groups."""
    leading, rows = _SIZES[table.size].leading, list(table.rows)
    wide = (pages.width - _BETWEEN) / _COLUMNS
    group = Group("")
    pages.need(leading * 12)
    while rows:
        pages.need(_HEAD + leading * 5)
        # On the last page the columns are about as long as each other; lines for what goes on may come in.
        tall = min(int((pages.room - _HEAD) // leading), -(-len(rows) // _COLUMNS) + 2)
        top = lowest = pages.y
        for column in range(_COLUMNS):
            taken, rows = _column(rows, tall, group)
            group = next((row for row in reversed(taken) if isinstance(row, Group)), group)
            pages.y = top
            _draw_column(pages, table, taken, pages.left + column * (wide + _BETWEEN), wide)
            lowest = max(lowest, pages.y)
        pages.y = lowest
    pages.y += 12


def _column(rows: list[Row], tall: int, group: Group) -> tuple[list[Row], list[Row]]:
    """What goes into one column, and what is left: groups are named again at its top, and their names are never alone at its foot."""
    if not rows:
        return [], []
    again: list[Row] = [] if isinstance(rows[0], Group) else [Group(group.again, group.again)]
    end = min(len(rows), max(1, tall - len(again)))
    while end > 1 and isinstance(rows[end - 1], Group):
        end -= 1
    return [*again, *rows[:end]], rows[end:]


def _draw_column(pages: ReportPages, table: Table, rows: Sequence[Row], x: float, width: float) -> None:
    """Rows under each other: name, number, hash."""
    if not rows:
        return
    typesetter, style = pages.typesetter, _SIZES[table.size]
    digits = max((typesetter.width(str(row[2]), style.mono) for row in rows if not isinstance(row, Group)), default=0.0)
    right, end = x + width - digits - 8, x + width
    places = ((x, "left"), (right, "right"), (end, "right"))
    for (place, align), column in zip(places, table.columns, strict=True):
        pages.write(place, pages.y, column.head, style.strong, align)
    pages.y += style.leading + 1
    pages.stroke(x, pages.y, end, pages.y, 0.5)
    pages.y += _HEAD - style.leading - 1
    for row in rows:
        if isinstance(row, Group):
            pages.write(x, pages.y, typesetter.fitted(row.text, style.strong, width), style.strong)
        else:
            name, number, digest = map(str, row)
            count = max(22.0, typesetter.width(number, style))
            pages.write(x, pages.y, typesetter.fitted(name, style, width - digits - 16 - count), style)
            pages.write(right, pages.y, number, style, "right")
            pages.write(end, pages.y, digest, style.mono, "right")
        pages.y += style.leading

"""Tables as files that other programs open: CSV and XLSX in which numbers are numbers and every text is only a text.

A text that begins with =, +, -, @ or a control character is a formula to a spreadsheet, and the text may come from a file name. In
CSV such a text gets an apostrophe in front; in XLSX each cell says itself that it is a text.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from forensia import files
from forensia.errors import InputError

__all__ = ["KINDS", "Cell", "ReportTable", "inert", "to_csv", "to_xlsx", "write"]

Cell = str | int | float | bool | None
KINDS = (".csv", ".xlsx")

# What a spreadsheet reads as the beginning of a formula; some look behind spaces and invisible characters too.
_FORMULA = re.compile(r"[\s\ufeff\u200b-\u200f\u2060\x00-\x1f]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|[\t\r\n\x00-\x1f]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONGEST = 32_767  # characters in a cell of a spreadsheet
_MOST_ROWS = 1_048_575  # below the heads
_DATE = (1980, 1, 1, 0, 0, 0)  # the same table gives the same bytes


@dataclass(frozen=True)
class ReportTable:
    """A table with a name, heads, and rows of texts and numbers."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def inert(text: str) -> str:
    """A text that no spreadsheet takes for a formula; lone surrogates, which no file can hold, become question marks."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return f"'{text}" if _FORMULA.match(text) else text


def to_csv(table: ReportTable) -> bytes:
    """CSV in UTF-8 with the mark by which spreadsheets know it."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([inert(head) for head in table.heads])
    for row in table.rows:
        writer.writerow([_as_text(cell) for cell in row])
    return b"\xef\xbb\xbf" + buffer.getvalue().encode("utf-8")


def _as_text(cell: Cell) -> str:
    if isinstance(cell, str):
        return inert(cell)
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return repr(cell)


def to_xlsx(table: ReportTable) -> bytes:
    """A workbook of one sheet, with a head that stays in sight."""
    if len(table.rows) > _MOST_ROWS:
        raise InputError(f"The table has {len(table.rows):,} rows; a spreadsheet holds {_MOST_ROWS:,}. Choose CSV.")
    rows = "".join(_row(number, row) for number, row in enumerate((table.heads, *table.rows), start=1))
    view = '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView>'
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetViews>{view}</sheetViews><sheetData>{rows}</sheetData></worksheet>'
    name = escape(_sheet_name(table.name), {'"': "&quot;"})
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}/relationships"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for place, content in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _relations("officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", book),
            ("xl/_rels/workbook.xml.rels", _relations("worksheet", "worksheets/sheet1.xml")),
            ("xl/worksheets/sheet1.xml", sheet),
        ):
            entry = zipfile.ZipInfo(place, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{content}')
    return buffer.getvalue()


def write(table: ReportTable, target: Path) -> None:
    """Write a table to a file, CSV or XLSX by its ending."""
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise InputError(f"'{target.name}' must end in .csv or .xlsx. Choose one of these.")
    files.write(target, to_csv(table) if kind == ".csv" else to_xlsx(table))


# --- the parts of a workbook ------------------------------------------------------------------------------------------

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/></Types>'
)


def _relations(kind: str, target: str) -> str:
    relation = f'<Relationship Id="rId1" Type="{_DOCUMENT}/relationships/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{relation}</Relationships>'


def _row(number: int, row: Sequence[Cell]) -> str:
    cells = "".join(_cell(f"{_column(place)}{number}", cell) for place, cell in enumerate(row))
    return f'<row r="{number}">{cells}</row>'


def _cell(place: str, cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, bool):
        return f'<c r="{place}" t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, (int, float)):
        return f'<c r="{place}"><v>{cell!r}</v></c>'
    text = escape(_NOT_XML.sub("\ufffd", cell)[:_LONGEST])
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _column(place: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _sheet_name(name: str) -> str:
    return re.sub(r"[\[\]:*?/\\\x00-\x1f']", " ", name).strip()[:31] or "Table"

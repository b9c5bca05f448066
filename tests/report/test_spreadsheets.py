"""Tables as files: what a spreadsheet would run is inert, numbers stay numbers, and both kinds hold the same."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forensia.errors import InputError, StorageError
from forensia.report import spreadsheets
from forensia.report.spreadsheets import Cell, ReportTable

SPACE = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
HOSTILE = (
    '=HYPERLINK("http://x","y")', "@SUM(A1)", "+1+1", "-2+3", "\t=1", "\r=1", "  =1", "\u200b=1", "＝1", "|calc", "%x",
)  # fmt: skip


def _csv(table: ReportTable) -> list[list[str]]:
    return list(csv.reader(io.StringIO(spreadsheets.to_csv(table).decode("utf-8-sig"), newline="")))


def _xlsx(table: ReportTable) -> list[list[tuple[str, str]]]:
    """The kind and the content of every cell."""
    with zipfile.ZipFile(io.BytesIO(spreadsheets.to_xlsx(table))) as packed:
        assert packed.testzip() is None
        for name in packed.namelist():
            ElementTree.fromstring(packed.read(name))  # noqa: S314  (we wrote it)
        sheet = ElementTree.fromstring(packed.read("xl/worksheets/sheet1.xml"))  # noqa: S314
    assert not sheet.findall(".//m:f", SPACE), "no cell is a formula"
    return [
        [(cell.get("t", "n"), "".join(cell.itertext())) for cell in row.findall("m:c", SPACE)]
        for row in sheet.findall(".//m:row", SPACE)
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_spreadsheet_would_run_is_inert(text: str) -> None:
    table = ReportTable("x", ("Author", text), ((text, -0.5),))
    ((_, head), (cell, number)) = _csv(table)
    assert head == f"'{text}" and cell == f"'{text}"
    assert number == "-0.5", "a number is not a text"
    assert _xlsx(table)[1] == [("inlineStr", text.replace("\r", "\n")), ("n", "-0.5")]


def test_ordinary_texts_and_numbers_are_as_they_are() -> None:
    table = ReportTable(
        "x", ("a", "b", "c", "d", "e"), (('Ann, "B"\nC', 3, 1e-7, True, None), ("é&<b>", -2, float("nan"), False, ""))
    )
    assert _csv(table)[1:] == [['Ann, "B"\nC', "3", "1e-07", "yes", ""], ["é&<b>", "-2", "", "no", ""]]
    assert _xlsx(table)[1] == [("inlineStr", 'Ann, "B"\nC'), ("n", "3"), ("n", "1e-07"), ("b", "1")]
    assert _xlsx(table)[2] == [("inlineStr", "é&<b>"), ("n", "-2"), ("b", "0"), ("inlineStr", "")]


cells: st.SearchStrategy[Cell] = st.one_of(
    st.text(), st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False), st.none()
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of the writer
@given(st.lists(st.tuples(cells, cells), max_size=6))
def test_any_table_can_be_read_back(rows: list[tuple[Cell, Cell]]) -> None:
    table = ReportTable("any", ("a", "b"), tuple(rows))
    read = _csv(table)
    assert len(read) == len(rows) + 1
    for row, texts in zip(rows, read[1:], strict=True):
        for cell, text in zip(row, texts, strict=True):
            if isinstance(cell, str):
                assert not text or text[0] not in "=+-@\t\r"
            elif cell is not None:
                assert float(text) == cell
    assert len(_xlsx(table)) == len(rows) + 1


def test_columns_have_names_beyond_z() -> None:
    assert [spreadsheets._column(place) for place in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]


def test_write(tmp_path: Path) -> None:
    table = ReportTable("A/B: [x]", ("a",), ((1,),))
    for name in ("t.csv", "t.XLSX"):
        spreadsheets.write(table, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5
    assert spreadsheets.to_xlsx(table) == spreadsheets.to_xlsx(table), "the same bytes, whenever"
    with pytest.raises(InputError, match="must end in"):
        spreadsheets.write(table, tmp_path / "t.txt")
    with pytest.raises(StorageError, match="could not be written"):
        spreadsheets.write(table, tmp_path / "none" / "t.csv")

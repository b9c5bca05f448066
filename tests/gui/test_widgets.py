"""What all pages are made of: layouts that stand as they are written, rows that keep their place."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from forensia.gui import widgets
from forensia.gui.widgets.table import RowColumn, RowsModel


def test_layouts_stand_as_they_are_written(qtbot: QtBot) -> None:
    first, second, third = QLabel("1"), QLabel("2"), QLabel("3")
    line = widgets.row(first, (second, 2), widgets.spring(3), margins=(1, 2, 3, 4), spacing=5)
    page = widgets.panel(widgets.column(line, widgets.gap(6), (third, Qt.AlignmentFlag.AlignRight)), width=200)
    qtbot.addWidget(page)
    assert {each.parentWidget() for each in (first, second, third)} == {page}
    assert [line.stretch(place) for place in range(line.count())] == [0, 2, 3]
    margins = line.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom(), line.spacing()) == (1, 2, 3, 4, 5)
    page.resize(page.sizeHint())
    page.layout().activate()
    assert (first.x(), first.y(), page.width()) == (1, 2, 200)
    assert second.x() == first.geometry().right() + 1 + 5
    assert third.y() > second.geometry().bottom() + 4 + 6
    assert third.geometry().right() == page.width() - 1, "third is on the right"


def test_parts_of_a_split_begin_with_their_pixels(qtbot: QtBot) -> None:
    made = widgets.split((QLabel("1"), 0, 120), (QLabel("2"), 1, 300), upright=True, handle=6)
    qtbot.addWidget(made)
    assert made.orientation() == Qt.Orientation.Vertical
    made.resize(100, 426)
    made.show()
    assert made.sizes() == [120, 300]
    assert not made.childrenCollapsible()


def test_rows_keep_their_place(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    """Rows that a column holds to be equal stand in their own order, up and down; the same rows again leave a selection alone."""
    columns = (RowColumn[str]("Length", lambda row: str(len(row)), raw=len), RowColumn[str]("Word", lambda row: row))
    model = RowsModel(columns, key=lambda row: row.casefold(), ties=lambda row: row)
    model.set_rows(["ccc", "aa", "bbb", "d"])
    for order, wanted in (
        (Qt.SortOrder.AscendingOrder, ["d", "aa", "bbb", "ccc"]),
        (Qt.SortOrder.DescendingOrder, ["bbb", "ccc", "aa", "d"]),
    ):
        model.sort(0, order)
        assert model.rows == wanted
    qtmodeltester.check(model)
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    chosen = table.selectionModel()
    chosen.select(model.index(1, 0), QItemSelectionModel.SelectionFlag.Select)
    model.set_rows(["CCC", "AA", "BBB", "D"])
    assert model.rows == ["BBB", "CCC", "AA", "D"] and [index.row() for index in chosen.selectedIndexes()] == [1]
    model.set_rows(["CCC", "AA"])
    assert not chosen.selectedIndexes()

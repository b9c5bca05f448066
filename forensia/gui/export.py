"""'Export table…' for every table: each view that shows one says how it is written, and one action does the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFileDialog, QWidget

from forensia.errors import ForensiaError
from forensia.files import safe_name
from forensia.gui import dialogs
from forensia.gui.words import tr
from forensia.report import tables
from forensia.report.tables import ReportTable

RAW = Qt.ItemDataRole.UserRole + 9
"""The item role of a value as it is: a number as a number, a name as it was read. Without it, what is shown is exported."""

_MADE = "_forensia_table"


def offer(view: QAbstractItemView, name: str, table: Callable[[], ReportTable] | None = None) -> QAction:
    """Let the table of a view be exported; the action that does it, for the view's own menu."""

    def made() -> ReportTable:
        return table() if table is not None else table_of(view.model(), name)

    setattr(view, _MADE, made)
    action = QAction(tr("Export table…"), view)
    action.triggered.connect(lambda: ask(view, made()))
    if view.contextMenuPolicy() != Qt.ContextMenuPolicy.CustomContextMenu:
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.addAction(action)
    return action


def table_of(model: QAbstractItemModel, name: str) -> ReportTable:
    """What a model holds; the rows below a row follow it."""
    columns = range(model.columnCount())
    heads = tuple(str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns)
    rows: list[tuple[tables.Cell, ...]] = []

    def walk(parent: QModelIndex) -> None:
        for row in range(model.rowCount(parent)):
            first = model.index(row, 0, parent)
            rows.append(tuple(_value(model.index(row, column, parent)) for column in columns))
            walk(first)

    walk(QModelIndex())
    return ReportTable(name, heads, tuple(rows))


def _value(index: QModelIndex) -> tables.Cell:
    raw = index.data(RAW)
    value = raw if raw is not None else index.data()
    return value if isinstance(value, (int, float)) or value is None else str(value)


def current(page: QWidget) -> QAbstractItemView | None:
    """The table that 'Export table…' of the menu means: the one with the focus, or the first that is seen on the page."""
    focused = QApplication.focusWidget()
    while focused is not None:
        if isinstance(focused, QAbstractItemView) and hasattr(focused, _MADE) and page.isAncestorOf(focused):
            return focused
        focused = focused.parentWidget()
    seen = [each for each in page.findChildren(QAbstractItemView) if each.isVisible() and hasattr(each, _MADE)]
    return seen[0] if seen else None


def ask_for(view: QAbstractItemView) -> None:
    """Export the table of a view."""
    ask(view, getattr(view, _MADE)())


def ask(parent: QWidget, table: ReportTable) -> None:
    """Ask where, and write it."""
    name, kind = QFileDialog.getSaveFileName(
        parent, tr("Export table"), f"{safe_name(table.name)}.csv", "CSV (*.csv);;Excel (*.xlsx)"
    )
    if not name:
        return
    target = Path(name)
    if target.suffix.lower() not in tables.KINDS:
        target = Path(f"{name}{'.xlsx' if 'xlsx' in kind else '.csv'}")
    try:
        tables.write(table, target)
    except ForensiaError as error:
        dialogs.tell(parent, str(error))

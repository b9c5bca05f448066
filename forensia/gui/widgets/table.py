"""Tables: a model of columns that each say how a row is shown, spoken, sorted and exported; how tables look; and their export."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction, QFont, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFileDialog, QHeaderView, QTableView, QWidget

from forensia.errors import ForensiaError
from forensia.files import safe_name
from forensia.gui import dialogs, words
from forensia.gui.widgets import Index
from forensia.gui.words import tr
from forensia.report.spreadsheets import KINDS, Cell, ReportTable, inert, write

Row = TypeVar("Row")
Role = Qt.ItemDataRole
RAW = Role.UserRole + 9
"""The item role of a value as it is: a number as a number, a name as it was read. Without it, what is shown is exported."""

_ROOT = QModelIndex()
_MADE = "_forensia_table"


@dataclass(frozen=True)
class RowColumn(Generic[Row]):
    """One column: `raw` is what is exported and sorted by, `spoken` what is read aloud, `tip` what a cell tells on demand."""

    head: str
    text: Callable[[Row], str]
    about: str = ""
    raw: Callable[[Row], Any] | None = None
    spoken: Callable[[Row], str] | None = None
    tip: Callable[[Row], str] | None = None
    bold: Callable[[Row], bool] | None = None
    roles: Mapping[int, Callable[[Row], Any]] = field(default_factory=dict)
    right: bool = False
    centre: bool = False
    width: int = 0  # pixels; 0 takes what is left
    drawn: bool = False  # a picture of what other columns say: neither copied nor exported
    hidden: bool = False  # exported, but not shown

    @property
    def side(self) -> int:
        """Where the text stands in a cell."""
        side = Qt.AlignmentFlag.AlignRight if self.right else Qt.AlignmentFlag.AlignLeft
        return int((Qt.AlignmentFlag.AlignHCenter if self.centre else side) | Qt.AlignmentFlag.AlignVCenter)


def number(
    head: str, value: Callable[[Row], Any], shown: Callable[[Any], str], about: str = "", **more: Any
) -> RowColumn[Row]:
    """A column of numbers: sorted and exported as they are, shown as words make them."""
    return RowColumn(head, lambda row: shown(value(row)), about, raw=value, right=True, **more)


class RowsModel(QAbstractTableModel, Generic[Row]):
    """Rows of any kind, shown by columns; sorted by a click on a head, with what has no value last.

    It sorts its own list: comparing through Qt would call Python 100,000 times for 10,000 rows. `key` names a row: when the same
    rows come again in the same order, a selection stays. `ties` is the order of rows that a column holds to be equal.
    """

    def __init__(
        self,
        columns: Sequence[RowColumn[Row]],
        parent: QObject | None = None,
        *,
        key: Callable[[Row], Hashable] | None = None,
        ties: Callable[[Row], Any] | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: list[Row] = []
        self._key, self._ties = key, ties
        self._order: tuple[int, Qt.SortOrder] | None = None

    def set_columns(self, columns: Sequence[RowColumn[Row]]) -> None:
        """Show other columns, and no rows yet."""
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), []
        self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these in place of those before, in the order that was chosen."""
        ordered = self._sorted(list(rows))
        if self._key is not None and list(map(self._key, ordered)) == list(map(self._key, self.rows)):
            self.rows = ordered
            if ordered:
                self.dataChanged.emit(self.index(0, 0), self.index(len(ordered) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = ordered
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.DisplayRole:
            return column.head
        if role == Role.ToolTipRole:
            return words.tip(column.about) if column.about else None
        return column.side if role == Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Role.DisplayRole:
            return words.one_line(column.text(row))
        if role == Role.AccessibleTextRole:
            said = words.one_line((column.spoken or column.text)(row))
            return f"{column.head}: {said}" if column.head else said
        if role == Role.ToolTipRole:
            said = (column.tip or column.spoken or column.text)(row)
            return words.tip(said) if said else None
        if role == Role.TextAlignmentRole:
            return column.side
        if role == Role.FontRole and column.bold is not None and column.bold(row):
            font = QFont()
            font.setBold(True)
            return font
        if role == RAW and column.raw is not None:
            return column.raw(row)
        return column.roles[role](row) if role in column.roles else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = (column, order) if column >= 0 else None
        self.layoutAboutToBeChanged.emit()
        before, kept = self.rows, self.persistentIndexList()
        self.rows = self._sorted(list(before))
        places = {id(row): place for place, row in enumerate(self.rows)}
        after = [self.index(places[id(before[index.row()])], index.column()) for index in kept]
        self.changePersistentIndexList(kept, after)
        self.layoutChanged.emit()

    def _sorted(self, rows: list[Row]) -> list[Row]:
        if self._order is None or not 0 <= self._order[0] < len(self.columns):
            return rows
        column, order = self.columns[self._order[0]], self._order[1]
        value = column.raw or (lambda row: column.text(row).casefold())
        if self._ties is not None:
            rows.sort(key=self._ties)
        known = [row for row in rows if value(row) is not None]
        known.sort(key=lambda row: _key(value(row)), reverse=order == Qt.SortOrder.DescendingOrder)
        return known + [row for row in rows if value(row) is None]


def _key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def quiet(table: QTableView, name: str, high: int) -> None:
    """How all tables look and behave: whole rows, `high` pixels above and below a text together, no grid, no editing."""
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + high)
    table.horizontalHeader().setHighlightSections(False)


class RowsTable(QTableView, Generic[Row]):
    """A quiet table: whole rows, no grid, no editing; the tab key leaves it; Ctrl+C copies, the menu exports.

    `picked` tells the row that is chosen, `opened` one that is opened by Enter or a double click.
    """

    picked = Signal(object)
    opened = Signal(object)

    def __init__(self, name: str, columns: Sequence[RowColumn[Row]], *, sortable: bool = True, high: int = 11) -> None:
        super().__init__()
        self.rows: RowsModel[Row] = RowsModel(columns, self)
        self.setModel(self.rows)
        quiet(self, name, high)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMinimumHeight(60)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(24)
        self._size_columns()
        if sortable:
            self.setSortingEnabled(True)
            header.setSortIndicatorClearable(True)
            header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        action = QAction(tr("Copy"), self)
        action.setShortcut(QKeySequence.StandardKey.Copy)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.addAction(action)
        self.copy = action
        offer_export(self, name, self.table)
        self.doubleClicked.connect(lambda *_: self.open())
        self.selectionModel().currentRowChanged.connect(lambda *_: self._pick())

    def show_columns(self, columns: Sequence[RowColumn[Row]]) -> None:
        """Show rows of another kind, by other columns; those that were there are gone."""
        self.rows.set_columns(columns)
        self._size_columns()

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        for number, column in enumerate(self.rows.columns):
            mode = QHeaderView.ResizeMode.Interactive if column.width else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(number, mode)
            if column.width:
                header.resizeSection(number, column.width)
            self.setColumnHidden(number, column.hidden)

    @property
    def chosen(self) -> Row | None:
        """The row that is chosen."""
        index = self.currentIndex()
        return self.rows.rows[index.row()] if index.isValid() and index.row() < len(self.rows.rows) else None

    def open(self) -> None:
        """Open the row that is chosen."""
        if self.chosen is not None:
            self.opened.emit(self.chosen)

    def _pick(self) -> None:
        if self.chosen is not None:
            self.picked.emit(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open()
        else:
            super().keyPressEvent(event)

    def choose(self, wanted: Callable[[Row], bool]) -> bool:
        """Choose the first such row as a click would; False when there is none."""
        for place, row in enumerate(self.rows.rows):
            if wanted(row):
                self.setCurrentIndex(self.rows.index(place, 0))
                return True
        return False

    def as_text(self) -> str:
        """The heads and the chosen row, or all rows when none is chosen; no name can act as a formula."""
        model = self.rows
        chosen = sorted({index.row() for index in self.selectionModel().selectedRows()}) or range(model.rowCount())
        columns = [place for place, column in enumerate(model.columns) if not (column.drawn or column.hidden)]
        lines = [[model.columns[column].head for column in columns]]
        lines += [[_cell(model.index(row, column)) for column in columns] for row in chosen]
        return "\n".join("\t".join(line) for line in lines)

    def table(self) -> ReportTable:
        """All rows for a file: numbers as they are, nothing where nothing is known."""
        columns = [column for column in self.rows.columns if not column.drawn]
        rows = [tuple((column.raw or column.text)(row) for column in columns) for row in self.rows.rows]
        return ReportTable(self.accessibleName(), tuple(column.head for column in columns), tuple(rows))


def _cell(index: QModelIndex) -> str:
    text = str(index.data() or "").replace("\t", " ")
    if isinstance(index.data(RAW), (int, float)):
        return text.replace("−", "-")
    return inert(text)


# 'Export table…' for every table: each view that shows one says how it is written, and one action does the rest


def offer_export(view: QAbstractItemView, name: str, table: Callable[[], ReportTable] | None = None) -> QAction:
    """Let the table of a view be exported; the action that does it, for the view's own menu."""

    def made() -> ReportTable:
        return table() if table is not None else table_of_model(view.model(), name)

    setattr(view, _MADE, made)
    action = QAction(tr("Export table…"), view)
    action.triggered.connect(lambda: ask_for_place(view, made()))
    if view.contextMenuPolicy() != Qt.ContextMenuPolicy.CustomContextMenu:
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.addAction(action)
    return action


def table_of_model(model: QAbstractItemModel, name: str) -> ReportTable:
    """What a model holds; the rows below a row follow it."""
    columns = range(model.columnCount())
    heads = tuple(str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns)
    rows: list[tuple[Cell, ...]] = []

    def walk(parent: QModelIndex) -> None:
        for row in range(model.rowCount(parent)):
            first = model.index(row, 0, parent)
            rows.append(tuple(_value(model.index(row, column, parent)) for column in columns))
            walk(first)

    walk(QModelIndex())
    return ReportTable(name, heads, tuple(rows))


def _value(index: QModelIndex) -> Cell:
    raw = index.data(RAW)
    value = raw if raw is not None else index.data()
    return value if isinstance(value, (int, float)) or value is None else str(value)


def current_table(page: QWidget) -> QAbstractItemView | None:
    """The table that 'Export table…' of the menu means: the one with the focus, or the first that is seen on the page."""
    focused = QApplication.focusWidget()
    while focused is not None:
        if isinstance(focused, QAbstractItemView) and hasattr(focused, _MADE) and page.isAncestorOf(focused):
            return focused
        focused = focused.parentWidget()
    seen = [each for each in page.findChildren(QAbstractItemView) if each.isVisible() and hasattr(each, _MADE)]
    return seen[0] if seen else None


def export_table(view: QAbstractItemView) -> None:
    """Export the table of a view."""
    ask_for_place(view, getattr(view, _MADE)())


def ask_for_place(parent: QWidget, table: ReportTable) -> None:
    """Ask where, and write it."""
    name, kind = QFileDialog.getSaveFileName(
        parent, tr("Export table"), f"{safe_name(table.name)}.csv", "CSV (*.csv);;Excel (*.xlsx)"
    )
    if not name:
        return
    target = Path(name)
    if target.suffix.lower() not in KINDS:
        target = Path(f"{name}{'.xlsx' if 'xlsx' in kind else '.csv'}")
    try:
        write(table, target)
    except ForensiaError as error:
        dialogs.tell(parent, str(error))

"""Tables of the window: a model made of columns that each say how a row is shown, spoken, sorted and exported; and how tables look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction, QFont, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from forensia.gui import export, words
from forensia.gui.widgets import Index
from forensia.gui.words import tr
from forensia.report import tables

Row = TypeVar("Row")
Role = Qt.ItemDataRole
_ROOT = QModelIndex()


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
    """Rows of any kind, shown by columns; sorted by a click on a head, with what has no value last."""

    def __init__(self, columns: Sequence[RowColumn[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: list[Row] = []
        self._order: tuple[int, Qt.SortOrder] | None = None

    def set_columns(self, columns: Sequence[RowColumn[Row]]) -> None:
        """Show other columns, and no rows yet."""
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), []
        self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these in place of those before, in the order that was chosen."""
        self.beginResetModel()
        self.rows = self._sorted(list(rows))
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
            return f"{column.head}: {words.one_line((column.spoken or column.text)(row))}"
        if role == Role.ToolTipRole:
            return words.tip((column.tip or column.spoken or column.text)(row))
        if role == Role.TextAlignmentRole:
            return column.side
        if role == Role.FontRole and column.bold is not None and column.bold(row):
            font = QFont()
            font.setBold(True)
            return font
        if role == export.RAW and column.raw is not None:
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
        known = [row for row in rows if value(row) is not None]
        known.sort(key=lambda row: _key(value(row)), reverse=order == Qt.SortOrder.DescendingOrder)
        return known + [row for row in rows if value(row) is None]


def _key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


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
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumHeight(60)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + high)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
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
        export.offer(self, name, self.table)
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

    def table(self) -> tables.ReportTable:
        """All rows for a file: numbers as they are, nothing where nothing is known."""
        columns = [column for column in self.rows.columns if not column.drawn]
        rows = [tuple((column.raw or column.text)(row) for column in columns) for row in self.rows.rows]
        return tables.ReportTable(self.accessibleName(), tuple(column.head for column in columns), tuple(rows))


def _cell(index: QModelIndex) -> str:
    text = str(index.data() or "").replace("\t", " ")
    if isinstance(index.data(export.RAW), (int, float)):
        return text.replace("−", "-")
    return tables.inert(text)

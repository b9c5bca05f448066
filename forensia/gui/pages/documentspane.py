"""The documents of the corpus: filter, table, and the buttons for what is chosen in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus.document import Document, Role
from forensia.gui import export, widgets, words
from forensia.gui.pages import documents as columns
from forensia.gui.pages.documents import DocumentsFilter, DocumentsModel
from forensia.gui.snapshot import Snapshot

_WIDTHS = (
    (columns.AUTHOR, 92),
    (columns.TITLE, 62),
    (columns.SOURCE, 54),
    (columns.WORDS, 54),
    (columns.ENCODING, 68),
    (columns.PROBLEMS, 60),
)
_AROUND = 18  # pixels of a cell that are not its words


class DocumentsPane(QWidget):
    """Says which documents are chosen (`chosen`), and what is to be done with them."""

    chosen = Signal()
    leave_out = Signal(object)
    take_in = Signal(object)
    reassign = Signal(object)
    one_source = Signal(object)
    each_its_own = Signal(object)
    shared_source = Signal(object)
    own_source = Signal(object)
    no_source = Signal(object)
    candidates = Signal(object)
    population = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shown: Snapshot | None = None
        self.filter = QLineEdit()
        self.filter.setAccessibleName(self.tr("Filter documents"))
        self.filter.setPlaceholderText(self.tr("Filter by author, role, title, source, remark"))
        self.filter.setClearButtonEnabled(True)
        self.state = QComboBox()
        self.state.setAccessibleName(self.tr("Which documents"))
        self.state.addItems([
            self.tr("All"), self.tr("With remarks"), self.tr("Left out"), self.tr("In use"), self.tr("Candidates"),
            self.tr("Population"),
        ])  # fmt: skip
        self.table = self._table()
        self.counted = widgets.label(quiet=True, wrap=False)
        self.out = widgets.button(self.tr("Leave out…"), lambda: self.leave_out.emit(self.selected()))
        self.back = widgets.button(self.tr("Take back in"), lambda: self.take_in.emit(self.selected()))
        self.other = widgets.button(
            self.tr("Author…"),
            lambda: self.reassign.emit(self.selected()),
            tip=self.tr("Say that another author wrote the chosen texts"),
        )
        self.sources = QMenu(self)
        for text, signal in (
            (self.tr("One source…"), self.one_source),
            (self.tr("Every text its own…"), self.each_its_own),
            (self.tr("Shared between authors"), self.shared_source),
            (self.tr("Each author's own"), self.own_source),
            (self.tr("Not known"), self.no_source),
        ):
            self.sources.addAction(text, partial(self._emit, signal))
        self.from_where = widgets.button(
            self.tr("Sources"), lambda: None, tip=self.tr("Say what the chosen texts come from")
        )
        self.from_where.setMenu(self.sources)
        self.roles = QMenu(self)
        self.roles.addAction(self.tr("Candidates"), partial(self._emit, self.candidates))
        self.roles.addAction(self.tr("Population"), partial(self._emit, self.population))
        self.role = widgets.button(
            self.tr("Role"),
            lambda: None,
            tip=self.tr(
                "Say whether the authors of the chosen texts are candidates or the population: it holds for all that they wrote"
            ),
        )
        self.role.setMenu(self.roles)
        self.all = widgets.button(self.tr("Show all"), lambda: self.show_only(None))
        self.filter.textChanged.connect(self._filtered)
        self.state.currentIndexChanged.connect(self._filtered)
        top, below = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.filter, stretch=1)
        top.addWidget(self.state)
        for button in (self.out, self.back, self.other, self.role, self.from_where):
            below.addWidget(button)
        below.addStretch(1)
        told = QHBoxLayout()
        told.addWidget(self.counted, stretch=1)
        told.addWidget(self.all)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.table, stretch=1)
        column.addLayout(told)
        column.addLayout(below)

    def _table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(self.tr("Documents"))
        self.model = DocumentsModel(table)
        self.proxy = DocumentsFilter(self.model, table)
        table.setModel(self.proxy)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(44)
        for column, width in _WIDTHS:
            header.resizeSection(column, width)
        roles = [table.fontMetrics().horizontalAdvance(columns.role_name(role)) for role in Role]
        header.resizeSection(columns.ROLE, max(roles) + _AROUND)
        table.setSortingEnabled(True)
        table.sortByColumn(columns.AUTHOR, Qt.SortOrder.AscendingOrder)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._menu)
        self.export = export.offer(table, self.tr("Known documents"))
        table.selectionModel().selectionChanged.connect(lambda *_: self._tell())
        return table

    # Showing

    def show_case(self, shown: Snapshot) -> None:
        self._shown = shown
        chosen = self.selected()
        self.model.set_documents(shown.documents, shown.given)
        if chosen and not self._ranges():  # other sources are another order
            self.select(chosen)
        self._tell()

    def show_only(self, names: Sequence[str] | None) -> None:
        """Show exactly these documents, chosen; None shows all again."""
        if names is not None:
            self.filter.clear()
            self.state.setCurrentIndex(0)
        self.proxy.set_only(None if names is None else frozenset(names))
        if names is not None:
            self.select(names)
            self.table.setFocus()
        self._tell()

    def show_author(self, author: str | None, source: str | None) -> None:
        """Show the documents of an author, or of one source of theirs."""
        self.proxy.set_author(author, source)
        self._tell()

    def _filtered(self) -> None:
        self.proxy.set_words(self.filter.text())
        self.proxy.set_state(self.state.currentIndex())
        self._tell()

    # Choosing

    def selected(self) -> list[str]:
        """The ids of the chosen documents."""
        return [each.id for each in self._chosen()]

    def _ranges(self) -> list[range]:
        """The rows that are chosen, as stretches: an index for each of 10,000 rows would take long to make."""
        selection: Any = self.table.selectionModel().selection()  # a list, but PySide's types do not say so
        return [range(each.top(), each.bottom() + 1) for each in selection]

    def _chosen(self) -> Iterator[Document]:
        for rows in self._ranges():
            for row in rows:
                yield self._document(row)

    def _document(self, row: int) -> Document:
        return self.model.document(self.proxy.mapToSource(self.proxy.index(row, 0)).row())

    def select(self, names: Sequence[str]) -> None:
        """Choose documents as clicks would."""
        wanted = set(names)
        chosen, first, rows = QItemSelection(), -1, self.proxy.rowCount()
        for row in range(rows + 1):  # by stretches, as `_ranges`
            there = row < rows and self._document(row).id in wanted
            if there and first < 0:
                first = row
            elif not there and first >= 0:
                chosen.select(self.proxy.index(first, 0), self.proxy.index(row - 1, 0))
                first = -1
        how = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.table.selectionModel().select(chosen, how)

    def current(self) -> str:
        """The one document whose text is to be read; empty when none is chosen."""
        selection = self.table.selectionModel()
        index = selection.currentIndex()
        if index.isValid() and selection.isRowSelected(index.row(), QModelIndex()):
            return self.model.document(self.proxy.mapToSource(index).row()).id
        return next(iter(self.selected()), "")

    def _emit(self, signal: Any) -> None:
        signal.emit(self.selected())

    def _tell(self) -> None:
        """What can be done with what is chosen, and how many there are."""
        shown = self._shown
        if shown is None:
            return
        count = sum(len(rows) for rows in self._ranges())
        writable = not shown.read_only
        left_out = shown.known[2]  # where none is left out, not all that are chosen need be looked at
        self.out.setEnabled(writable and any(each.excluded is None for each in self._chosen()))
        self.back.setEnabled(writable and bool(left_out) and any(each.excluded is not None for each in self._chosen()))
        self.other.setEnabled(writable and bool(count))
        self.from_where.setEnabled(writable and bool(count))
        self.role.setEnabled(writable and bool(count))
        self.all.setVisible(self.proxy.only is not None)
        total, every = self.proxy.rowCount(), len(shown.documents)
        text = words.counted(every, self.tr("document"), self.tr("documents"))
        if total != every:
            text = self.tr("{0} of {1}").format(f"{total:,}", text)
        self.counted.setText(self.tr("{0} · {1} chosen").format(text, f"{count:,}") if count > 1 else text)
        self.chosen.emit()

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.out, self.back, self.other):
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
        for button, below in ((self.role, self.roles), (self.from_where, self.sources)):
            submenu = menu.addMenu(button.text())
            submenu.addActions(below.actions())
            submenu.setEnabled(button.isEnabled())
        menu.addSeparator()
        menu.addAction(self.export)
        menu.popup(self.table.viewport().mapToGlobal(place))

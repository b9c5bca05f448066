"""The known documents: a table that stays smooth with 10,000 rows, a filter above it, and the buttons for what is chosen in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QTableView,
    QWidget,
)

from forensia.case.documents import ChosenSources
from forensia.corpus import Document, Role, Severity
from forensia.corpus.document import SOURCES_JOINED, is_shared
from forensia.gui import theme, widgets, words
from forensia.gui.pages.corpus.decisions import CorpusDecisions
from forensia.gui.snapshot import Snapshot
from forensia.gui.widgets import Index, fields
from forensia.gui.widgets.table import RowColumn, RowsModel, offer_export, quiet
from forensia.gui.words import tr
from forensia.wording.problems import left_out_because, message

AUTHOR, ROLE, TITLE, SOURCE, WORDS, ENCODING, REMARKS = range(7)
_WIDTHS = {AUTHOR: 92, TITLE: 62, SOURCE: 54, WORDS: 54, ENCODING: 68, REMARKS: 60}
_AROUND = 18  # pixels of a cell that are not its words
_Said = Callable[[Document], str]


class DocumentsModel(RowsModel[Document]):
    """One row a document, with what the analyst said of the sources."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(self._columns(), parent, key=lambda each: each.id, ties=_place)
        self._given: Mapping[str, ChosenSources] = {}
        self._authors: dict[str, set[str]] = {}
        self.sort(AUTHOR)

    def _columns(self) -> tuple[RowColumn[Document], ...]:
        return (
            _column(tr("Author"), lambda each: each.author, _read_as, _quiet_population),
            _column(tr("Role"), lambda each: role_name(each.role), lambda each: role_meaning(each.role), _quiet_population),
            _column(tr("Title"), lambda each: each.title, _path, _quiet_left_out),
            _column(tr("Source"), lambda each: each.source, lambda each: "\n".join(self._of_source(each))),
            _column(tr("Words"), lambda each: f"{each.words:,}", _path, _quiet_left_out, number=lambda each: each.words),
            _column(tr("Encoding"), lambda each: each.encoding, _path),
            _column(tr("Remarks"), _remarks, _remarks_in_full, _warns, struck=False),
        )  # fmt: skip

    def set_documents(self, documents: Sequence[Document], given: Mapping[str, ChosenSources] | None = None) -> None:
        """Show other documents; `given` are the sources that the analyst gave."""
        self._given = given or {}
        self._authors = {}
        for each in documents:
            for source in each.sources:
                self._authors.setdefault(source, set()).add(each.author)
        self.set_rows(documents)

    def row_of(self, name: str) -> int:
        """The row of a document, or -1."""
        return next((row for row, each in enumerate(self.rows) if each.id == name), -1)

    def _of_source(self, document: Document) -> Iterator[str]:
        """Each source of a document, whether other authors share it, and what the analyst said."""
        for source in document.sources:
            others = len(self._authors.get(source, ())) - 1
            if is_shared(source):
                text = tr("left out for all authors together; others who have it: {0}").format(f"{others:,}")
            elif others > 0:
                text = tr("this author's own; others have one of that name: {0}").format(f"{others:,}")
            else:
                text = tr("this author's own")
            yield f"{source}: {text}"
        if not document.sources:
            yield tr("Not known")
        given = self._given.get(document.id)
        if given is not None:
            read = SOURCES_JOINED.join(document.read_sources or ()) or tr("not known")
            yield tr("Given by the analyst; read: {0}").format(read)
            if given.because:
                yield tr("Because: {0}").format(given.because)


def _quiet_always(_: Document) -> str:
    return "quiet"


def _column(
    head: str,
    text: _Said,
    tip: _Said,
    ink: _Said = _quiet_always,
    *,
    number: Callable[[Document], int] | None = None,
    struck: bool = True,
) -> RowColumn[Document]:
    """A column; `ink` names the colour of a cell, and a document that is left out is `struck` out."""
    roles: dict[int, Callable[[Document], Any]] = {Qt.ItemDataRole.ForegroundRole: lambda each: _colour(ink(each))}
    if struck:
        roles[Qt.ItemDataRole.FontRole] = _struck
    return RowColumn(head, text, raw=number or text, tip=tip, roles=roles, right=number is not None)


def _colour(name: str) -> QColor | None:
    return QColor(getattr(theme.now(), name)) if name else None


def _struck(document: Document) -> QFont | None:
    font = QFont()
    font.setStrikeOut(True)
    return font if document.excluded is not None else None


def _quiet_left_out(document: Document) -> str:
    return "quiet" if document.excluded is not None else ""


def _quiet_population(document: Document) -> str:
    return "quiet" if document.excluded is not None or document.role is Role.POPULATION else ""


def _warns(document: Document) -> str:
    return "warning" if any(each.severity is not Severity.NOTE for each in document.problems) else "quiet"


def _place(document: Document) -> tuple[str, str, str, str, int]:
    return document.author.casefold(), document.source, document.title, document.path, document.part


def _path(document: Document) -> str:
    return document.path


def _read_as(document: Document) -> str:
    if document.author == document.read_as:
        return document.author
    return tr("{0} (read as {1})").format(document.author, document.read_as)


def role_name(role: Role) -> str:
    return tr("population") if role is Role.POPULATION else tr("candidate")


def role_meaning(role: Role) -> str:
    """What it means, for somebody who meets the word."""
    if role is Role.POPULATION:
        return tr("The author stands for everybody else who could have written the disputed texts, and is not ranked")
    return tr("The author may have written the disputed texts, and is ranked")


def _remarks(document: Document) -> str:
    remarks = [] if document.excluded is None else [tr("left out")]
    if document.author != document.read_as:
        remarks.append(tr("reassigned"))
    if document.sources != document.read_sources:
        remarks.append(tr("source given"))
    if document.cuts:
        remarks.append(words.counted(len(document.cuts), tr("cut"), tr("cuts")))
    return ", ".join([*remarks, *dict.fromkeys(problem.code.replace("-", " ") for problem in document.problems)])


def _remarks_in_full(document: Document) -> str:
    lines = [] if document.excluded is None else [tr("Left out: {0}").format(left_out_because(document.excluded))]
    return "\n".join([*lines, *map(message, document.problems)]) or document.path


class DocumentsFilter(QSortFilterProxyModel):
    """Which documents are shown: by words typed, by author and source, by state, or an exact list."""

    EVERY, PROBLEMATIC, LEFT_OUT, USED, CANDIDATES, POPULATION = range(6)
    _STATES: Mapping[int, Callable[[Document], bool]] = {
        EVERY: lambda each: True,
        PROBLEMATIC: lambda each: bool(each.problems),
        LEFT_OUT: lambda each: each.excluded is not None,
        USED: lambda each: each.excluded is None,
        CANDIDATES: lambda each: each.role is Role.CANDIDATE,
        POPULATION: lambda each: each.role is Role.POPULATION,
    }

    def __init__(self, model: DocumentsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._words: tuple[str, ...] = ()
        self._author: str | None = None
        self._source: str | None = None
        self._state = self.EVERY
        self.only: frozenset[str] | None = None  # exactly these
        self.setSourceModel(model)

    def set_words(self, text: str) -> None:
        self._words = tuple(text.casefold().split())
        self._look_again()

    def set_author(self, author: str | None, source: str | None = None) -> None:
        self._author, self._source = author, source
        self._look_again()

    def set_state(self, state: int) -> None:
        self._state = state
        self._look_again()

    def set_only(self, names: frozenset[str] | None) -> None:
        """Show exactly these documents; None shows all again."""
        self.only = names
        self._look_again()

    def _look_again(self) -> None:
        if hasattr(self, "endFilterChange"):  # Qt 6.10; its forerunner is gone in later ones
            self.beginFilterChange()
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)
        else:
            self.invalidateRowsFilter()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._model.sort(column, order)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        each = self._model.rows[row]
        if self.only is not None and each.id not in self.only:
            return False
        if self._author is not None and each.author != self._author:
            return False
        if self._source is not None and self._source not in (each.sources or ("",)):
            return False
        if not self._STATES[self._state](each):
            return False
        if not self._words:
            return True
        hay = "\n".join((each.author, role_name(each.role), each.title, each.source, each.path, _remarks(each)))
        return all(word in hay.casefold() for word in self._words)


class DocumentsPane(QWidget):
    """Says which documents are `chosen`; what its buttons do with them is among the decisions of the page."""

    chosen = Signal()

    def __init__(self, decisions: CorpusDecisions) -> None:
        super().__init__()
        self._shown: Snapshot | None = None
        self.filter = fields.line(tr("Filter documents"), tr("Filter by author, role, title, source, remark"))
        self.filter.setClearButtonEnabled(True)
        self.state = fields.choice(tr("Which documents"))
        self.state.addItems(
            [tr("All"), tr("With remarks"), tr("Left out"), tr("In use"), tr("Candidates"), tr("Population")]
        )
        self.table = self._table()
        self.counted = widgets.label(quiet=True, wrap=False)
        self.out = widgets.button(tr("Leave out…"), self._with_chosen(decisions.exclude))
        self.back = widgets.button(tr("Take back in"), self._with_chosen(decisions.include))
        self.other = widgets.button(
            tr("Author…"),
            self._with_chosen(decisions.reassign),
            tip=tr("Say that another author wrote the chosen texts"),
        )
        self.sources = widgets.menu_button(
            tr("Sources"),
            tr("Say what the chosen texts come from"),
            (tr("One source…"), self._with_chosen(decisions.one_source)),
            (tr("Every text its own…"), self._with_chosen(decisions.each_its_own)),
            (tr("Shared between authors"), self._with_chosen(partial(decisions.share, between=True))),
            (tr("Each author's own"), self._with_chosen(partial(decisions.share, between=False))),
            (tr("Not known"), self._with_chosen(decisions.no_source)),
        )
        self.role = widgets.menu_button(
            tr("Role"),
            tr(
                "Say whether the authors of the chosen texts are candidates or the population: it holds for all that they wrote"
            ),
            (tr("Candidates"), self._with_chosen(partial(decisions.set_role, role=Role.CANDIDATE))),
            (tr("Population"), self._with_chosen(partial(decisions.set_role, role=Role.POPULATION))),
        )
        self.all = widgets.button(tr("Show all"), lambda: self.show_only(None))
        self.filter.textChanged.connect(self._filtered)
        self.state.currentIndexChanged.connect(self._filtered)
        self.setLayout(
            widgets.column(
                widgets.row((self.filter, 1), self.state),
                (self.table, 1),
                widgets.row((self.counted, 1), self.all),
                widgets.row(self.out, self.back, self.other, self.role, self.sources, widgets.spring()),
                spacing=8,
            )
        )

    def _with_chosen(self, act: Callable[[list[str]], object]) -> Callable[[], object]:
        return lambda: act(self.selected())

    def _table(self) -> QTableView:
        table = QTableView()
        self.model = DocumentsModel(table)
        self.proxy = DocumentsFilter(self.model, table)
        table.setModel(self.proxy)
        quiet(table, tr("Documents"), 10)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(44)
        roles = [table.fontMetrics().horizontalAdvance(role_name(role)) for role in Role]
        for column, width in {**_WIDTHS, ROLE: max(roles) + _AROUND}.items():
            header.resizeSection(column, width)
        table.setSortingEnabled(True)
        table.sortByColumn(AUTHOR, Qt.SortOrder.AscendingOrder)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._menu)
        self.export = offer_export(table, tr("Known documents"))
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
        return self.model.rows[self.proxy.mapToSource(self.proxy.index(row, 0)).row()]

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
            return self.model.rows[self.proxy.mapToSource(index).row()].id
        return next(iter(self.selected()), "")

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
        self.sources.setEnabled(writable and bool(count))
        self.role.setEnabled(writable and bool(count))
        self.all.setVisible(self.proxy.only is not None)
        total, every = self.proxy.rowCount(), len(shown.documents)
        text = words.counted(every, tr("document"), tr("documents"))
        if total != every:
            text = tr("{0} of {1}").format(f"{total:,}", text)
        self.counted.setText(tr("{0} · {1} chosen").format(text, f"{count:,}") if count > 1 else text)
        self.chosen.emit()

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.out, self.back, self.other):
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
        for button in (self.role, self.sources):
            submenu = menu.addMenu(button.text())
            submenu.addActions(button.menu().actions())
            submenu.setEnabled(button.isEnabled())
        menu.addSeparator()
        menu.addAction(self.export)
        menu.popup(self.table.viewport().mapToGlobal(place))

"""The table of known documents: a model over the list, sorted by itself, and a filter above it; smooth with 10,000 rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from forensia.case.documents import ChosenSources
from forensia.corpus import Document, Severity
from forensia.corpus import Role as AuthorRole
from forensia.corpus.document import SOURCES_JOINED, is_shared
from forensia.gui import theme, words
from forensia.gui.export import RAW
from forensia.gui.widgets import Index
from forensia.gui.words import tr
from forensia.wording.problems import left_out_because, message

AUTHOR, ROLE, TITLE, SOURCE, WORDS, ENCODING, PROBLEMS = range(7)
_ROOT = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
Role = Qt.ItemDataRole
_TOLD = frozenset(
    map(int, (Role.DisplayRole, Role.ToolTipRole, Role.TextAlignmentRole, Role.FontRole, Role.ForegroundRole, RAW))
)


class DocumentsModel(QAbstractTableModel):
    """One row a document. It sorts its own list: comparing through Qt would call Python 100,000 times for 10,000 rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: list[Document] = []
        self._given: Mapping[str, ChosenSources] = {}
        self._authors: dict[str, set[str]] = {}
        self._order = (AUTHOR, Qt.SortOrder.AscendingOrder)
        self._heads = (
            self.tr("Author"),
            self.tr("Role"),
            self.tr("Title"),
            self.tr("Source"),
            self.tr("Words"),
            self.tr("Encoding"),
            self.tr("Remarks"),
        )

    def set_documents(self, documents: Sequence[Document], given: Mapping[str, ChosenSources] | None = None) -> None:
        """Show other documents, in the order that was chosen; `given` are the sources that the analyst gave."""
        self._given = given or {}
        self._authors = {}
        for each in documents:
            for source in each.sources:
                self._authors.setdefault(source, set()).add(each.author)
        ordered = self._sorted(list(documents))
        if [each.id for each in ordered] == [each.id for each in self._documents]:  # the same rows: a selection stays
            self._documents = ordered
            if ordered:
                self.dataChanged.emit(self.index(0, 0), self.index(len(ordered) - 1, PROBLEMS))
            return
        self.beginResetModel()
        self._documents = ordered
        self.endResetModel()

    def document(self, row: int) -> Document:
        return self._documents[row]

    def row_of(self, name: str) -> int:
        """The row of a document, or -1."""
        return next((row for row, each in enumerate(self._documents) if each.id == name), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._documents)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Role.DisplayRole:
            return self._heads[section]
        return _RIGHT if role == Role.TextAlignmentRole and section == WORDS else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if role not in _TOLD or not index.isValid() or not 0 <= index.row() < len(self._documents):
            return None
        document, column = self._documents[index.row()], index.column()
        if role == Role.DisplayRole:
            return words.one_line(_text(document, column))
        if role == Role.ToolTipRole:
            return words.tip(self._told(document, column))
        if role == Role.TextAlignmentRole:
            return _RIGHT if column == WORDS else None
        if role == Role.FontRole and document.excluded is not None and column != PROBLEMS:
            font = QFont()
            font.setStrikeOut(True)
            return font
        if role == Role.ForegroundRole:
            return self._ink(document, column)
        if role == RAW:
            return document.words if column == WORDS else _text(document, column)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self._heads):
            return
        self._order = (column, order)
        self.layoutAboutToBeChanged.emit()
        before = self._documents
        self._documents = self._sorted(list(before))
        now = {each.id: row for row, each in enumerate(self._documents)}
        old = self.persistentIndexList()
        new = [self.index(now[before[index.row()].id], index.column()) for index in old]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def _sorted(self, documents: list[Document]) -> list[Document]:
        column, order = self._order
        backwards = order == Qt.SortOrder.DescendingOrder
        documents.sort(key=lambda each: (each.author.casefold(), each.source, each.title, each.path, each.part))
        if column == WORDS:
            documents.sort(key=lambda each: each.words, reverse=backwards)
        else:
            documents.sort(key=lambda each: _text(each, column).casefold(), reverse=backwards)
        return documents

    def _told(self, document: Document, column: int) -> str:
        if column == PROBLEMS and (document.problems or document.excluded is not None):
            lines = [message(problem) for problem in document.problems]
            if document.excluded is not None:
                lines.insert(0, self.tr("Left out: {0}").format(left_out_because(document.excluded)))
            return "\n".join(lines)
        if column == SOURCE:
            return "\n".join(self._of_source(document))
        if column == AUTHOR and document.author != document.read_as:
            return self.tr("{0} (read as {1})").format(document.author, document.read_as)
        if column == ROLE:
            return role_told(document.role)
        return _text(document, column) if column == AUTHOR else document.path

    def _of_source(self, document: Document) -> Iterator[str]:
        """Each source of a document, whether other authors share it, and what the analyst said."""
        for source in document.sources:
            others = len(self._authors.get(source, ())) - 1
            if is_shared(source):
                text = self.tr("left out for all authors together; others who have it: {0}").format(f"{others:,}")
            elif others > 0:
                text = self.tr("this author's own; others have one of that name: {0}").format(f"{others:,}")
            else:
                text = self.tr("this author's own")
            yield f"{source}: {text}"
        if not document.sources:
            yield self.tr("Not known")
        given = self._given.get(document.id)
        if given is not None:
            read = SOURCES_JOINED.join(document.read_sources or ()) or self.tr("not known")
            yield self.tr("Given by the analyst; read: {0}").format(read)
            if given.because:
                yield self.tr("Because: {0}").format(given.because)

    def _ink(self, document: Document, column: int) -> QColor | None:
        parent = QObject.parent(self)
        if not isinstance(parent, QWidget):
            return None
        colours = theme.now()
        if column == PROBLEMS and any(problem.severity is not Severity.NOTE for problem in document.problems):
            return QColor(colours.warning)
        quiet = document.excluded is not None or column in (SOURCE, ENCODING, PROBLEMS)
        quiet = quiet or (document.role is AuthorRole.POPULATION and column in (AUTHOR, ROLE))
        return QColor(colours.quiet) if quiet else None


def role_name(role: AuthorRole) -> str:
    return tr("population") if role is AuthorRole.POPULATION else tr("candidate")


def role_told(role: AuthorRole) -> str:
    """What it means, for somebody who meets the word."""
    if role is AuthorRole.POPULATION:
        return tr("The author stands for everybody else who could have written the disputed texts, and is not ranked")
    return tr("The author may have written the disputed texts, and is ranked")


def _text(document: Document, column: int) -> str:
    if column == AUTHOR:
        return document.author
    if column == ROLE:
        return role_name(document.role)
    if column == TITLE:
        return document.title
    if column == SOURCE:
        return document.source
    if column == WORDS:
        return f"{document.words:,}"
    if column == ENCODING:
        return document.encoding
    remarks = [] if document.excluded is None else [tr("left out")]
    if document.author != document.read_as:
        remarks.append(tr("reassigned"))
    if document.sources != document.read_sources:
        remarks.append(tr("source given"))
    if document.cuts:
        remarks.append(words.counted(len(document.cuts), tr("cut"), tr("cuts")))
    return ", ".join([*remarks, *dict.fromkeys(problem.code.replace("-", " ") for problem in document.problems)])


class DocumentsFilter(QSortFilterProxyModel):
    """Which documents are shown: by words typed, by author and source, by state, or an exact list."""

    EVERY, PROBLEMATIC, LEFT_OUT, USED, CANDIDATES, POPULATION = range(6)

    def __init__(self, model: DocumentsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._words: tuple[str, ...] = ()
        self._author: str | None = None
        self._source: str | None = None
        self._state = self.EVERY
        self._only: frozenset[str] | None = None
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
        self._only = names
        self._look_again()

    @property
    def only(self) -> frozenset[str] | None:
        return self._only

    def _look_again(self) -> None:
        if hasattr(self, "endFilterChange"):  # Qt 6.10; its forerunner is gone in later ones
            self.beginFilterChange()
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)
        else:
            self.invalidateRowsFilter()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._model.sort(column, order)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        each = self._model.document(row)
        if self._only is not None and each.id not in self._only:
            return False
        if self._author is not None and each.author != self._author:
            return False
        if self._source is not None and self._source not in (each.sources or ("",)):
            return False
        if self._state == self.PROBLEMATIC and not each.problems:
            return False
        if self._state == self.LEFT_OUT and each.excluded is None:
            return False
        if self._state == self.USED and each.excluded is not None:
            return False
        if self._state == self.CANDIDATES and each.role is not AuthorRole.CANDIDATE:
            return False
        if self._state == self.POPULATION and each.role is not AuthorRole.POPULATION:
            return False
        if not self._words:
            return True
        hay = "\n".join(
            (each.author, role_name(each.role), each.title, each.source, each.path, _text(each, PROBLEMS))
        ).casefold()
        return all(word in hay for word in self._words)

"""The tree of authors: how many documents and words each has, with small bars, and their sources below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from forensia.corpus.document import Document
from forensia.gui import words
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.gui.widgets.table import RAW, offer_export
from forensia.gui.words import tr

_KEY = Qt.ItemDataRole.UserRole + 4
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_Key = tuple[str | None, str | None]


class AuthorsTree(QTreeView):
    """Choosing an author, or one of their sources, says which documents to show."""

    chosen = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Authors"))
        self.authors = QStandardItemModel(self)
        self.setModel(self.authors)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setIndentation(14)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        bars = BarDelegate(self)
        self.setItemDelegateForColumn(1, bars)
        self.setItemDelegateForColumn(2, bars)
        self.selectionModel().currentChanged.connect(lambda index, _: self._choose())
        offer_export(self, tr("Authors"))
        self._now: _Key = (None, None)

    def show_documents(self, documents: Sequence[Document]) -> None:
        """Count anew; the choice stays where it can."""
        opened = {
            self.authors.item(row).data(_KEY)[0]
            for row in range(self.authors.rowCount())
            if self.isExpanded(self.authors.index(row, 0))
        }
        counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for each in documents:
            for source in each.sources or ("",):
                of = counts[each.author][source]
                if each.excluded is None:
                    of[0] += 1
                    of[1] += each.words
        totals = {author: _total(sources.values()) for author, sources in counts.items()}
        most = [max((total[place] for total in totals.values()), default=0) or 1 for place in (0, 1)]
        self.blockSignals(True)
        self.selectionModel().blockSignals(True)
        self.authors.clear()
        self.authors.setHorizontalHeaderLabels([tr("Author"), tr("Texts"), tr("Words")])
        for column in (1, 2):
            self.authors.horizontalHeaderItem(column).setTextAlignment(_RIGHT)
        root = self.authors.invisibleRootItem()
        name = tr("All {0}").format(words.counted(len(totals), tr("author"), tr("authors")))
        root.appendRow(_row(name, _total(totals.values()), None, (None, None), bold=True))
        for author in sorted(totals, key=lambda name: (name.casefold(), name)):
            row = _row(author, totals[author], most, (author, None))
            sources = counts[author]
            if len(sources) > 1:
                for source in sorted(sources):
                    row[0].appendRow(_row(source or "—", sources[source], None, (author, source)))
            root.appendRow(row)
            self.setExpanded(row[0].index(), author in opened)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 48), (2, 70)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self._restore()
        self.selectionModel().blockSignals(False)
        self.blockSignals(False)
        self.viewport().update()

    def _restore(self) -> None:
        for row in range(self.authors.rowCount()):
            item = self.authors.item(row)
            for place in (item, *(item.child(below) for below in range(item.rowCount()))):
                if tuple(place.data(_KEY)) == self._now:
                    self.setCurrentIndex(place.index())
                    return
        self._now = (None, None)
        self.setCurrentIndex(self.authors.index(0, 0))
        self.chosen.emit(None, None)

    def _choose(self) -> None:
        index = self.currentIndex().siblingAtColumn(0)
        key = index.data(_KEY)
        if key is not None:
            self._now = (key[0], key[1])
            self.chosen.emit(*self._now)


def _total(pairs: object) -> list[int]:
    listed = list(pairs)  # type: ignore[call-overload]
    return [sum(pair[0] for pair in listed), sum(pair[1] for pair in listed)]


def _row(name: str, total: list[int], most: list[int] | None, key: _Key, *, bold: bool = False) -> list[QStandardItem]:
    items = [QStandardItem(words.one_line(name)), QStandardItem(f"{total[0]:,}"), QStandardItem(f"{total[1]:,}")]
    items[0].setData(list(key), _KEY)
    items[0].setToolTip(words.tip(name))
    items[0].setData(name, RAW)
    for place, item in enumerate(items[1:]):
        item.setTextAlignment(_RIGHT)
        item.setData(total[place], RAW)
        if most is not None:
            item.setData(total[place] / most[place], SHARE)
    if bold:
        for item in items:
            font = item.font()
            font.setBold(True)
            item.setFont(font)
    return items

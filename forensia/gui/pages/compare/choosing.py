"""Choosing a document of the case: a filter and a list, of known and disputed texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from forensia.gui import widgets
from forensia.gui.snapshot import Snapshot
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr


@dataclass(frozen=True)
class DocumentEntry:
    """A document of the case."""

    id: str
    author: str
    title: str
    words: int


def entries(shown: Snapshot | None) -> list[DocumentEntry]:
    """The disputed documents of a case first, then the known ones by author."""
    if shown is None:
        return []
    disputed = [DocumentEntry(each.id, tr("disputed"), each.title, each.words) for each in shown.disputed]
    known = [
        DocumentEntry(each.id, each.author, each.title, each.words) for each in shown.documents if each.excluded is None
    ]
    return disputed + sorted(known, key=lambda each: (each.author.casefold(), each.title.casefold()))


class ChooseDocument(QDialog):
    """A list that is narrowed by typing; Enter or a double click chooses."""

    def __init__(
        self, parent: QWidget, listed: Sequence[DocumentEntry], chosen: Callable[[DocumentEntry], object]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Choose a document of the case"))
        self.resize(560, 520)
        self._listed = list(listed)
        self._chosen = chosen
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter by author or title"))
        self.filter.setAccessibleName(tr("Filter the documents"))
        self.filter.setClearButtonEnabled(True)
        self.table: RowsTable[DocumentEntry] = RowsTable(
            tr("Documents of the case"),
            (
                RowColumn(tr("Author"), lambda row: row.author, raw=lambda row: row.author, width=170),
                RowColumn(tr("Document"), lambda row: row.title, raw=lambda row: row.title),
                RowColumn(tr("Words"), lambda row: f"{row.words:,}", raw=lambda row: row.words, right=True, width=80),
            ),
            high=8,
        )
        self.ok = widgets.button(tr("Choose"), self._choose, primary=True)
        self.ok.setDefault(True)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(widgets.button(tr("Cancel"), self.reject))
        row.addWidget(self.ok)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.addWidget(self.filter)
        column.addWidget(self.table, stretch=1)
        column.addLayout(row)
        self.filter.textChanged.connect(self._narrow)
        self.table.doubleClicked.connect(lambda *_: self._choose())
        self._narrow("")

    def _narrow(self, wanted: str) -> None:
        parts = wanted.casefold().split()
        self.table.rows.set_rows(
            [each for each in self._listed if all(part in f"{each.author} {each.title}".casefold() for part in parts)]
        )
        if self.table.rows.rows:
            self.table.setCurrentIndex(self.table.rows.index(0, 0))
        self.ok.setEnabled(bool(self.table.rows.rows))

    def _choose(self) -> None:
        entry = self.table.chosen
        if entry is not None:
            self.accept()
            self._chosen(entry)

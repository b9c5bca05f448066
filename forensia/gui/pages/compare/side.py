"""One side of a comparison: a place to drop a file into, to paste or type a text, or to fill with a document of the case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QPlainTextEdit, QStackedWidget, QWidget

from forensia.corpus.characters import count_words
from forensia.gui import drops, widgets, words
from forensia.gui.snapshot import Snapshot
from forensia.gui.tasks.inquiries import Located
from forensia.gui.widgets import column, fields, row, spring
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.widgets.texts import HighlightedText
from forensia.gui.words import tr

MOST = 5_000_000
"""Characters that may be pasted; a longer text belongs in a file."""


@dataclass(frozen=True)
class Source:
    """Where a text comes from, as an inquiry takes it, and what it is called."""

    name: str
    text: Mapping[str, Any]


class TextSide(QFrame):
    """A card with one text. `filled` tells that there is another one; `spare` carries the second file of a drop for the other side.

    `several` carries the files of a drop where there are more.
    """

    filled = Signal()
    spare = Signal(object)
    several = Signal(object)
    file = Signal()
    document = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAcceptDrops(True)
        self.setAccessibleName(name)
        self.name = name
        self._source: Source | None = None
        self.title = widgets.ElidedLabel(name, bold=True)
        self.about = widgets.label(quiet=True, scale=0.92, wrap=False)
        self.entry = fields.named(QPlainTextEdit(), tr("{0}: type or paste here").format(name))
        self.entry.setPlaceholderText(tr("Drop a file here, paste or type a text, or choose one below."))
        self.entry.setTabChangesFocus(True)
        self.entry.viewport().setAcceptDrops(False)
        self.entry.setAcceptDrops(False)
        self.entry.document().setDocumentMargin(8)
        self.text = HighlightedText(tr("{0} with the passages highlighted").format(name))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.entry)
        self.stack.addWidget(self.text)
        self.choose = widgets.button(tr("File…"), self.file.emit, tip=tr("Choose a file"))
        self.pick = widgets.button(tr("From the case…"), self.document.emit, tip=tr("Choose a document of this case"))
        self.paste = widgets.button(tr("Paste"), self._paste, tip=tr("Take the text of the clipboard"))
        self.clear = widgets.button(tr("Clear"), self.empty)
        for button, what in (
            (self.choose, tr("{0}: choose a file")),
            (self.pick, tr("{0}: choose a document of the case")),
            (self.paste, tr("{0}: paste")),
            (self.clear, tr("{0}: clear")),
        ):
            button.setAccessibleName(what.format(name))
        foot = row(self.choose, self.pick, self.paste, spring(), self.clear, spacing=6)
        self.setLayout(column(self.title, self.about, (self.stack, 1), foot, margins=(12, 10, 12, 10), spacing=5))
        self.entry.textChanged.connect(self._typed)
        self.empty()

    @property
    def source(self) -> Source | None:
        """The text to compare: what was chosen, or what was typed."""
        if self._source is not None:
            return self._source
        typed = self.entry.toPlainText()
        return Source(tr("typed text"), {"pasted": typed}) if typed.strip() else None

    @property
    def typed(self) -> bool:
        """Whether the text is still being typed."""
        return self._source is None

    def take(self, source: Source) -> None:
        """Take a text in place of the one before; it is shown when it has been read."""
        self._put(source)
        self.about.setText(tr("Reading…"))
        self.text.show_text(None)
        self.clear.setEnabled(True)
        self.filled.emit()

    def show_text(self, located: Located, author: str | None) -> None:
        """Show the text that was read; `author` is told where it is one of the known texts."""
        facts = [words.counted(located.words, tr("word"), tr("words"))]
        if author:
            facts.append(tr("known: {0}").format(words.shortened(words.one_line(author), 28)))
        self.about.setText(" · ".join(facts))
        if self._source is not None and "pasted" not in self._source.text:
            self.title.setText(f"{self.name}: {located.title}")

    def say(self, sentence: str) -> None:
        """Say something in the place of the facts about the text."""
        self.about.setText(sentence)

    def settle(self) -> None:
        """Typed text becomes the text of this side, as if it had been pasted."""
        source = self.source
        if self._source is None and source is not None:
            self._put(source)

    def _put(self, source: Source) -> None:
        self._source = source
        self.title.setText(f"{self.name}: {source.name}")
        self.stack.setCurrentIndex(1)

    def empty(self) -> None:
        """Nothing on this side."""
        there = self._source is not None
        self._source = None
        self.title.setText(self.name)
        self.about.clear()
        self.text.show_text(None)
        with QSignalBlocker(self.entry):
            self.entry.clear()
        self.stack.setCurrentIndex(0)
        self.clear.setEnabled(False)
        if there:
            self.filled.emit()

    def _typed(self) -> None:
        typed = self.entry.toPlainText()
        self.about.setText(words.counted(count_words(typed), tr("word"), tr("words")) if typed.strip() else "")
        self.clear.setEnabled(bool(typed))
        self.filled.emit()

    def _paste(self) -> None:
        typed = QGuiApplication.clipboard().text()
        if not typed.strip():
            self.say(tr("There is no text in the clipboard. Copy one first."))
        elif len(typed) > MOST:
            self.say(tr("The text in the clipboard is too long. Save it as a file and drop that."))
        else:
            self.take(Source(tr("pasted text"), {"pasted": typed}))

    # Drops: texts only; a case or a folder goes on to the window, which opens it

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.texts_of(event.mimeData()) or (event.mimeData().hasText() and not event.mimeData().hasUrls()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        files = drops.texts_of(event.mimeData())
        if len(files) > 2:
            event.acceptProposedAction()
            self.several.emit(files)
        elif files:
            event.acceptProposedAction()
            self.take(Source(words.one_line(files[0].name), {"path": str(files[0])}))
            if len(files) > 1:
                self.spare.emit(files[1])
        elif event.mimeData().hasText() and event.mimeData().text().strip():
            event.acceptProposedAction()
            self.take(Source(tr("pasted text"), {"pasted": event.mimeData().text()[:MOST]}))
        else:
            event.ignore()


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
        self.filter = fields.line(tr("Filter the documents"), tr("Filter by author or title"))
        self.filter.setClearButtonEnabled(True)
        self.table: RowsTable[DocumentEntry] = RowsTable(
            tr("Documents of the case"),
            (
                RowColumn(tr("Author"), lambda row: row.author, width=170),
                RowColumn(tr("Document"), lambda row: row.title),
                number(tr("Words"), lambda row: row.words, lambda words: f"{words:,}", width=80),
            ),
            high=8,
        )
        self.ok = widgets.button(tr("Choose"), self._choose, primary=True)
        self.ok.setDefault(True)
        foot = row(spring(), widgets.button(tr("Cancel"), self.reject), self.ok)
        self.setLayout(column(self.filter, (self.table, 1), foot, margins=(16, 16, 16, 14)))
        self.filter.textChanged.connect(self._narrow)
        self.table.opened.connect(lambda _: self._choose())
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

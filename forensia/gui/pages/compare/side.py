"""One side of a comparison: a place to drop a file into, to paste or type a text, or to fill with a document of the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout

from forensia.corpus.characters import count_words
from forensia.gui import drops, widgets, words
from forensia.gui.tasks.inquiries import Located
from forensia.gui.widgets.highlight import HighlightedText
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
        self.title = widgets.ElidedLabel(name)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.about = widgets.label(quiet=True, scale=0.92, wrap=False)
        self.entry = QPlainTextEdit()
        self.entry.setAccessibleName(tr("{0}: type or paste here").format(name))
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
        self.choose.setAccessibleName(tr("{0}: choose a file").format(name))
        self.pick = widgets.button(tr("From the case…"), self.document.emit, tip=tr("Choose a document of this case"))
        self.pick.setAccessibleName(tr("{0}: choose a document of the case").format(name))
        self.paste = widgets.button(tr("Paste"), self._paste, tip=tr("Take the text of the clipboard"))
        self.paste.setAccessibleName(tr("{0}: paste").format(name))
        self.clear = widgets.button(tr("Clear"), self.empty)
        self.clear.setAccessibleName(tr("{0}: clear").format(name))
        row = QHBoxLayout()
        row.setSpacing(6)
        for made in (self.choose, self.pick, self.paste):
            row.addWidget(made)
        row.addStretch(1)
        row.addWidget(self.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(5)
        column.addWidget(self.title)
        column.addWidget(self.about)
        column.addWidget(self.stack, stretch=1)
        column.addLayout(row)
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
        self._source = source
        self.title.setText(f"{self.name}: {source.name}")
        self.about.setText(tr("Reading…"))
        self.text.show_text(None)
        self.stack.setCurrentIndex(1)
        self.clear.setEnabled(True)
        self.filled.emit()

    def show_text(self, located: Located, author: str | None) -> None:
        """Show the text that was read; `author` is told where it is one of the known texts."""
        self.about.setText(
            " · ".join(
                part
                for part in (
                    words.counted(located.words, tr("word"), tr("words")),
                    tr("known: {0}").format(words.shortened(words.one_line(author), 28)) if author else "",
                )
                if part
            )
        )
        if not self.typed:
            self.title.setText(f"{self.name}: {located.title}" if "pasted" not in self._text else self.title.text())

    @property
    def _text(self) -> Mapping[str, Any]:
        return self._source.text if self._source else {}

    def say(self, sentence: str) -> None:
        """Say something in the place of the facts about the text."""
        self.about.setText(sentence)

    def settle(self) -> None:
        """Typed text becomes the text of this side, as if it had been pasted."""
        source = self.source
        if self._source is None and source is not None:
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
        self.entry.blockSignals(True)
        self.entry.clear()
        self.entry.blockSignals(False)
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

"""The disputed text itself, as it is analysed; it is read when somebody looks at it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from forensia.corpus.document import Document
from forensia.errors import ForensiaError
from forensia.gui.widgets.preview import Preview
from forensia.gui.words import tr


class ReadingView(QWidget):
    """`wanted` asks for a document by its id; whoever hears it gives it to `show_found`."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._text = ("", "")
        self._read = False
        self.preview = Preview()
        self.preview.title.hide()  # the page has it already
        self.preview.text.setAccessibleName(tr("The disputed text"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.preview)

    def show_text(self, case: str, document: str) -> None:
        """Show another text; the one that is shown already stays as it is."""
        if (case, document) == self._text:
            return
        self._text, self._read = (case, document), False
        self.preview.show_document(None)
        self._ask()

    def show_found(self, document: str, found: Document | ForensiaError) -> None:
        """Show what was read, or why it could not be."""
        if document != self._text[1]:
            return
        if isinstance(found, ForensiaError):
            self._read = False
            self.preview.show_document(None, str(found))
        else:
            self.preview.show_document(found)

    def _ask(self) -> None:
        if self.isVisible() and self._text[1] and not self._read:
            self._read = True
            self.preview.about.setText(tr("Reading the text…"))
            self.wanted.emit(self._text[1])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

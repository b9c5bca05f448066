"""The text of a document as it is analysed: cuts struck through, hidden characters written out."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QVBoxLayout, QWidget

from forensia.corpus.characters import visible
from forensia.corpus.document import Document
from forensia.gui import theme, widgets, words
from forensia.gui.widgets import fields

MOST = 60_000
"""Characters shown; a longer text would make the window wait."""


class Preview(QWidget):
    """One document; the text is put in piece by piece as plain text, so nothing in it can act as markup."""

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self.title = widgets.ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.about = fields.note()
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.document().setDocumentMargin(10)
        self.text.setAcceptRichText(False)
        self.text.setAcceptDrops(False)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Text of the chosen document"))
        self.text.setPlaceholderText(self.tr("Choose a document to read it here."))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.about)
        column.addWidget(self.text, stretch=1)

    def show_document(self, document: Document | None, said: str = "") -> None:
        """Show a document, or `said` when there is none to show."""
        self._document = document
        self.text.clear()
        self.title.setText(document.title if document else "")
        self.about.setText(self._line(document) if document else said)
        if document is not None:
            self._fill(document)
            self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _line(self, document: Document) -> str:
        parts = [document.path, words.counted(document.words, self.tr("word"), self.tr("words"))]
        if document.cuts:
            parts.append(
                words.counted(len(document.cuts), self.tr("cut, struck through"), self.tr("cuts, struck through"))
            )
        hidden = len(visible(document.original[:MOST]).places)
        if hidden:
            parts.append(
                words.counted(
                    hidden, self.tr("hidden character, written out"), self.tr("hidden characters, written out")
                )
            )
        return " · ".join(words.one_line(part) for part in parts if part)

    def _fill(self, document: Document) -> None:
        colours = theme.now()
        original = document.original[:MOST]
        plain, cut, hidden = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(QColor(colours.text))
        cut.setForeground(QColor(colours.quiet))
        cut.setFontStrikeOut(True)
        hidden.setForeground(QColor(colours.warning))
        hidden.setBackground(QColor(colours.raised))
        cursor = self.text.textCursor()
        cursor.beginEditBlock()
        position = 0
        for piece in sorted(document.cuts, key=lambda each: each.start):
            start, end = min(max(piece.start, position), len(original)), min(piece.end, len(original))
            _insert(cursor, original[position:start], plain, hidden)
            cut.setToolTip(words.tip(piece.reason))
            _insert(cursor, original[start:end], cut, hidden)
            position = max(position, end)
        _insert(cursor, original[position:], plain, hidden)
        if len(document.original) > MOST:
            rest = QTextCharFormat()
            rest.setForeground(QColor(colours.quiet))
            more = self.tr("\n\n[{0:,} further characters are analysed but not shown here]")
            cursor.insertText(more.format(len(document.original) - MOST), rest)
        cursor.endEditBlock()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._document is not None:
            self.show_document(self._document)


def _insert(cursor: QTextCursor, text: str, plain: QTextCharFormat, hidden: QTextCharFormat) -> None:
    """Put in a stretch of text, each hidden character written out and marked."""
    if not text:
        return
    shown = visible(text)
    position = 0
    for start, width in zip(shown.shown, shown.widths, strict=True):
        cursor.insertText(shown.text[position:start], plain)
        cursor.insertText(shown.text[start : start + width], hidden)
        position = start + width
    cursor.insertText(shown.text[position:], plain)

"""Texts to read: a document with its cuts, and a text in which features are highlighted, in two hues that differ in lightness and two
kinds of underline, so that neither needs colour.

A text goes in as plain text and is never read as markup; hidden characters are written out. Offsets of the text are code
points, those of the editor are UTF-16 units of what is shown: `Shown` knows the way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from forensia.corpus.characters import visible
from forensia.corpus.document import Document
from forensia.gui import theme, widgets, words
from forensia.gui.tasks.inquiries import AnyFeature, Located, Span
from forensia.gui.widgets import column, fields
from forensia.gui.words import tr

_BREAKS = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n", "\ufdd0": "\ufffd", "\ufdd1": "\ufffd"})


class Shown:
    """A text as the editor holds it, and where each offset of the text stands in it."""

    def __init__(self, text: str) -> None:
        self._seen = visible(text)
        self.text = "".join("\ufffd" if "\ud800" <= sign <= "\udfff" else sign for sign in self._seen.text).translate(
            _BREAKS
        )
        self._wide = (
            [place for place, sign in enumerate(self.text) if sign > "\uffff"] if not self.text.isascii() else []
        )

    def place(self, offset: int) -> int:
        """Where an offset of the text stands in the editor."""
        shown = self._seen.to_shown(offset)
        return shown + bisect_left(self._wide, shown)

    def span(self, span: Span) -> Span:
        """A stretch of text in the editor; a written-out character at its end belongs to it whole."""
        start = self.place(span[0])
        return start, max(self.place(span[1]), start)


@dataclass(frozen=True)
class FeatureMark:
    """A stretch of the editor's text and the feature that stands there."""

    start: int
    end: int
    feature: AnyFeature


class Marker(QSyntaxHighlighter):
    """Paints the marks of each paragraph: weaker ones first, so that where they overlap the stronger is seen; the chosen one last."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.chosen = -1
        self._marks: tuple[FeatureMark, ...] = ()
        self._starts: list[int] = []
        self._longest = 0
        self._formats: dict[tuple[bool, bool], QTextCharFormat] = {}

    def set_marks(self, marks: Sequence[FeatureMark], chosen: int = -1) -> None:
        """Show these marks; `chosen` is the column of the feature that stands out."""
        self._marks = tuple(sorted(marks, key=lambda mark: mark.start))
        self._starts = [mark.start for mark in self._marks]
        self._longest = max((mark.end - mark.start for mark in self._marks), default=0)
        self.chosen = chosen
        self.dress()

    def dress(self) -> None:
        """Take the colours of the theme that is shown now."""
        colours = theme.now()
        self._formats = {
            (for_it, chosen): _format(colours, for_it, chosen) for for_it in (True, False) for chosen in (True, False)
        }
        self.rehighlight()

    def within(self, start: int, end: int) -> list[FeatureMark]:
        """The marks that touch a stretch, the one that is seen on top last."""
        first = bisect_left(self._starts, start - self._longest)
        last = bisect_right(self._starts, end)
        touched = [mark for mark in self._marks[first:last] if mark.end > start and mark.start < max(end, start + 1)]
        return sorted(touched, key=lambda mark: (mark.feature.column == self.chosen, abs(mark.feature.relative)))

    def highlightBlock(self, text: str) -> None:
        if not self._marks:
            return
        start = self.currentBlock().position()
        length = self.currentBlock().length() - 1
        for mark in self.within(start, start + length):
            begin, end = max(mark.start - start, 0), min(mark.end - start, length)
            chosen = mark.feature.column == self.chosen
            self.setFormat(begin, end - begin, self._formats[mark.feature.relative > 0, chosen])


def _format(colours: theme.Colours, for_it: bool, chosen: bool) -> QTextCharFormat:
    made = QTextCharFormat()
    strong = QColor(colours.support if for_it else colours.against)
    dark = colours is theme.DARK
    soft = QColor(
        {(True, False): "#c9e0f2", (False, False): "#fbeed8", (True, True): "#1b4966", (False, True): "#3d3223"}[
            for_it, dark
        ]
    )
    if chosen:
        made.setBackground(strong)
        made.setForeground(QColor("#ffffff" if for_it and not dark else "#10151b"))
        made.setFontWeight(QFont.Weight.Bold)
    else:
        made.setBackground(soft)
        made.setForeground(QColor(colours.text))
    made.setUnderlineColor(QColor(colours.text) if chosen else strong)
    style = QTextCharFormat.UnderlineStyle
    made.setUnderlineStyle(style.SingleUnderline if for_it else style.DashUnderline)
    return made


class HighlightedText(QPlainTextEdit):
    """One text with its marks. `pressed` tells the feature that was clicked in it."""

    pressed = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(8)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.marker = Marker(self.document())
        self._shown = Shown("")
        self._located: Located | None = None
        self._at = -1

    def show_text(self, located: Located | None) -> None:
        """Show another text, without marks."""
        self._located = located
        self._at = -1
        self._shown = Shown(located.text if located else "")
        self.marker.set_marks(())
        self.setPlainText(self._shown.text + _rest(located.more if located else 0))

    def mark(self, features: Sequence[AnyFeature], chosen: int = -1) -> None:
        """Highlight the places of features; the chosen one stands out."""
        places: Mapping[int, Sequence[Span]] = self._located.places if self._located else {}
        marks = [
            FeatureMark(*self._shown.span(span), feature)
            for feature in features
            for span in places.get(feature.column, ())
        ]
        if chosen != self.marker.chosen:
            self._at = -1
        self.marker.set_marks([mark for mark in marks if mark.end > mark.start], chosen)

    def places(self, column: int) -> tuple[Span, ...]:
        """The places of a feature in the text."""
        return tuple(self._located.places.get(column, ())) if self._located else ()

    @property
    def at(self) -> int:
        """Which of the places of the chosen feature was gone to last; -1 for none."""
        return self._at

    def go(self, step: int) -> None:
        """To the next place of the chosen feature (or back), round the end."""
        places = self.places(self.marker.chosen)
        if not places:
            return
        self._at = (0 if step > 0 else len(places) - 1) if self._at < 0 else (self._at + step) % len(places)
        start, end = self._shown.span(places[self._at])
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        self.centerCursor()
        cursor.setPosition(min(end, self.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def under(self, position: int) -> AnyFeature | None:
        """The feature that is seen at a place of the editor."""
        marks = self.marker.within(position, position)
        return marks[-1].feature if marks else None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            inside = self.viewport().mapFrom(self, event.pos())
            feature = self.under(self.cursorForPosition(inside).position())
            if feature is None:
                QToolTip.hideText()
            else:
                speaks = tr("speaks for") if feature.relative > 0 else tr("speaks against")
                QToolTip.showText(event.globalPos(), words.tip(f"{feature.feature}\n{speaks}"), self)
            return True
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            feature = self.under(self.cursorForPosition(event.position().toPoint()).position())
            if feature is not None:
                self.pressed.emit(feature.column)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "marker"):
            self.marker.dress()


MOST = 60_000
"""Characters shown; a longer text would make the window wait."""


class Preview(QWidget):
    """One document; the text is put in piece by piece as plain text, so nothing in it can act as markup."""

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self.title = widgets.ElidedLabel(bold=True)
        self.about = fields.note()
        self.text = fields.named(QTextEdit(), tr("Text of the chosen document"))
        self.text.setReadOnly(True)
        self.text.document().setDocumentMargin(10)
        self.text.setAcceptRichText(False)
        self.text.setAcceptDrops(False)
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("Choose a document to read it here."))
        self.setLayout(column(self.title, self.about, (self.text, 1), margins=(0, 6, 0, 0), spacing=6))

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
        parts = [document.path, words.counted(document.words, tr("word"), tr("words"))]
        if document.cuts:
            parts.append(words.counted(len(document.cuts), tr("cut, struck through"), tr("cuts, struck through")))
        hidden = len(visible(document.original[:MOST]).places)
        if hidden:
            parts.append(
                words.counted(hidden, tr("hidden character, written out"), tr("hidden characters, written out"))
            )
        return " · ".join(words.one_line(part) for part in parts if part)

    def _fill(self, document: Document) -> None:
        colours = theme.now()
        original = document.original[:MOST]
        usual, cut, hidden = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        usual.setForeground(QColor(colours.text))
        cut.setForeground(QColor(colours.quiet))
        cut.setFontStrikeOut(True)
        hidden.setForeground(QColor(colours.warning))
        hidden.setBackground(QColor(colours.raised))
        cursor = self.text.textCursor()
        cursor.beginEditBlock()
        position = 0
        for piece in sorted(document.cuts, key=lambda each: each.start):
            start, end = min(max(piece.start, position), len(original)), min(piece.end, len(original))
            _insert(cursor, original[position:start], usual, hidden)
            cut.setToolTip(words.tip(piece.reason))
            _insert(cursor, original[start:end], cut, hidden)
            position = max(position, end)
        _insert(cursor, original[position:], usual, hidden)
        if len(document.original) > MOST:
            rest = QTextCharFormat()
            rest.setForeground(QColor(colours.quiet))
            cursor.insertText(_rest(len(document.original) - MOST), rest)
        cursor.endEditBlock()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._document is not None:
            self.show_document(self._document)


def _rest(more: int) -> str:
    """What is said at the end of a text of which so many characters more are not shown."""
    return tr("\n\n[{0:,} further characters are analysed but not shown here]").format(more) if more else ""


def _insert(cursor: QTextCursor, text: str, usual: QTextCharFormat, hidden: QTextCharFormat) -> None:
    """Put in a stretch of text, each hidden character written out and marked."""
    if not text:
        return
    shown = visible(text)
    position = 0
    for start, width in zip(shown.shown, shown.widths, strict=True):
        cursor.insertText(shown.text[position:start], usual)
        cursor.insertText(shown.text[start : start + width], hidden)
        position = start + width
    cursor.insertText(shown.text[position:], usual)

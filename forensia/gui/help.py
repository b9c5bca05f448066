"""Help in place: small buttons that open a few plain sentences about a term, and all of them on one page."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from forensia.gui import icons, theme, widgets, words
from forensia.gui.casetopics import Topic
from forensia.gui.topics import topics
from forensia.gui.words import tr

WIDTH = 460


class HelpButton(QToolButton):
    """The small ⓘ beside a term; it opens a few sentences about it."""

    def __init__(self, topic: str) -> None:
        super().__init__()
        self.topic = topics()[topic]
        self.setProperty("help", True)
        self.setFixedSize(22, 22)
        self.setAccessibleName(self.topic.question)
        self.setToolTip(words.tip(self.topic.question))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.open)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sign is drawn: not every font has one."""
        super().paintEvent(event)
        painter = QPainter(self)
        icons.draw(painter, "note", QRectF(self.rect()).adjusted(3, 3, -3, -3), theme.now().accent)

    def open(self) -> HelpPopup:
        """Show the answer below the button."""
        popup = HelpPopup(self, self.topic)
        place = self.mapToGlobal(QPoint(0, self.height() + 4))
        screen = self.screen() or QGuiApplication.primaryScreen()
        area = screen.availableGeometry()
        popup.adjustSize()
        x = min(place.x(), area.right() - popup.width() - 8)
        y = place.y()
        if y + popup.height() > area.bottom():
            y = self.mapToGlobal(QPoint(0, 0)).y() - popup.height() - 4
        popup.move(max(area.left(), x), max(area.top(), y))
        popup.show()
        return popup


def heading(text: str, *names: str) -> QWidget:
    """A bold heading with help beside it."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(4)
    line.addWidget(widgets.label(text, bold=True, wrap=False))
    for name in names:
        line.addWidget(HelpButton(name))
    line.addStretch(1)
    return row


class HelpPopup(QDialog):
    """A few sentences that go away with Esc, a click elsewhere, or the button."""

    def __init__(self, parent: QWidget, topic: Topic) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(topic.question)
        self.setAccessibleName(topic.question)
        self.setAccessibleDescription(" ".join(topic.answer))
        self.setFixedWidth(WIDTH)
        self.text = "\n\n".join(topic.answer)
        shown = widgets.card(widgets.label(topic.question, bold=True, scale=1.08), widgets.label(self.text), margin=16)
        close = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        close.clicked.connect(self.close)
        layout = shown.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(shown)
        close.setFocus()


def glossary(parent: QWidget) -> QDialog:
    """All topics on one page, for those who want to read."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("What the terms mean"))
    dialog.resize(640, 620)
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setSpacing(6)
    for topic in topics().values():
        column.addWidget(widgets.label(topic.question, bold=True, scale=1.08))
        column.addWidget(widgets.label("\n\n".join(topic.answer)))
        column.addSpacing(10)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(tr("What the terms mean"))
    whole = QVBoxLayout(dialog)
    whole.setContentsMargins(20, 16, 20, 16)
    whole.addWidget(area)
    whole.addWidget(widgets.button(tr("Close"), dialog.accept), alignment=Qt.AlignmentFlag.AlignRight)
    dialog.open()
    return dialog

"""Help in place: small buttons that open a few plain sentences about a term, and all of them on one page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QToolButton, QWidget

from forensia import paths
from forensia.gui import dialogs, theme, widgets, words
from forensia.gui.words import tr
from forensia.wording import KNOWN_SOURCE

WIDTH = 460
_HEADING = re.compile(r"## (?P<question>.+\?) \{#(?P<name>\w+)\}")


@dataclass(frozen=True)
class Topic:
    """A question as the reader would ask it, and the answer in paragraphs."""

    question: str
    answer: tuple[str, ...]


@cache
def topics() -> dict[str, Topic]:
    """All topics of `resources/help/terms.md` in their order, by the name that `HelpButton` takes.

    The file has a headline, and for each topic a heading with its name and paragraphs of plain text, with blank lines between.
    """
    text = (paths.resources() / "help" / "terms.md").read_text("utf-8").replace("{known source}", KNOWN_SOURCE)
    made: dict[str, Topic] = {}
    name = ""
    for block in text.strip().split("\n\n")[1:]:
        heading = _HEADING.fullmatch(block)
        if heading is None:
            made[name] = Topic(made[name].question, (*made[name].answer, block))
            continue
        name = heading["name"]
        made[name] = Topic(heading["question"], ())
    return made


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
        theme.draw_icon(painter, "note", QRectF(self.rect()).adjusted(3, 3, -3, -3), theme.now().accent)

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
    title = widgets.label(text, bold=True, wrap=False)
    return widgets.panel(widgets.row(title, *(HelpButton(name) for name in names), widgets.spring(), spacing=4))


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
        question = widgets.label(topic.question, bold=True, scale=1.08)
        close = widgets.button(tr("Close"), self.close)
        shown = widgets.card(question, widgets.label(self.text), (close, Qt.AlignmentFlag.AlignRight), margin=16)
        self.setLayout(widgets.column(shown))
        close.setFocus()


def glossary(parent: QWidget) -> QDialog:
    """All topics on one page, for those who want to read."""
    read: list[widgets.Part] = []
    for topic in topics().values():
        read.append(widgets.label(topic.question, bold=True, scale=1.08))
        read += [widgets.label("\n\n".join(topic.answer)), widgets.gap(10)]
    inside = widgets.panel(widgets.column(*read, widgets.spring(), margins=None, spacing=6))
    area = widgets.scrolled(inside, tr("What the terms mean"))
    return dialogs.page_to_read(parent, tr("What the terms mean"), (640, 620), area, margins=(20, 16, 20, 16))

"""The first thing one sees: what to drop where, the three steps to an answer, and the cases one had open before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from forensia import settings
from forensia.gui import theme, widgets, words
from forensia.gui.pages.page import Empty
from forensia.gui.words import tr

_LISTED = 5


class Welcome(QWidget):
    """For the first time: how it goes. Later: the recent cases."""

    recent = Signal(object)

    def __init__(self, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
        self.empty = Empty(
            tr("Drop a folder of texts whose authors you know"),
            tr(
                "Anywhere on this window. A folder for each author with their texts inside is understood at once; so are "
                "tables (CSV, JSON) and several published collections."
            ),
            buttons,
            FolderPicture(),
        )
        self.steps = self._steps()
        self._list = widgets.column(spacing=0)
        self.cases = widgets.panel(self._list)
        centre = Qt.AlignmentFlag.AlignHCenter
        self.setLayout(
            widgets.column(
                (self.empty, 1), (self.steps, centre), (self.cases, centre), margins=(0, 0, 0, 18), spacing=0
            )
        )

    def _steps(self) -> QWidget:
        cards = []
        for number, (name, sentence) in enumerate(
            (
                (tr("Known texts"), tr("Load texts of the candidate authors, and look through what was found.")),
                (
                    tr("Model"),
                    tr("Train. Every known text is judged without itself, so you see how far to trust it."),
                ),
                (tr("Disputed text"), tr("Drop it on the window, and read what the findings support.")),
            ),
            start=1,
        ):
            head = widgets.label(f"{number}  {name}", bold=True)
            card = widgets.card(head, widgets.label(sentence, quiet=True), widgets.spring())
            card.setFixedWidth(250)
            cards.append(card)
        return widgets.panel(widgets.row(*cards, spacing=14))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """List the recent cases that are still there; with none, say how it goes."""
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        listed = [path for name in settings.load().recent[: 2 * _LISTED] if (path := Path(name)).exists()][:_LISTED]
        self.steps.setVisible(not listed)
        self.cases.setVisible(bool(listed))
        if not listed:
            return
        self._list.addWidget(widgets.label(tr("Recent cases"), quiet=True, scale=0.92))
        for path in listed:
            name = words.shortened(words.one_line(path.stem))
            made = widgets.button(words.ampersands(name), lambda path=path: self.recent.emit(path), tip=str(path))  # type: ignore[misc]
            made.setAccessibleName(tr("Open {0}").format(name))
            made.setProperty("flat", True)
            self._list.addWidget(made)


class FolderPicture(QWidget):
    """The folder layout that is understood without any choice: a folder for each author, their texts inside."""

    _ROWS = (
        (0, "folder", "Known texts"),
        (1, "folder", "Adela Marsh"),
        (2, "text", "letter to the editor.txt"),
        (2, "text", "minutes.docx"),
        (1, "folder", "Bram Oakley"),
        (2, "text", "mail of 3 May.eml"),
    )
    _STEP, _LINE = 34, 29

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(330, self._LINE * len(self._ROWS) + 36)
        self.setAccessibleName(tr("Picture: a folder with a folder for each author, and their texts inside"))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.now()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QPen(QColor(colours.quiet), 1.4, Qt.PenStyle.DashLine)
        painter.setPen(frame)
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 12, 12)
        for row, (level, name, text) in enumerate(self._ROWS):
            x, y = 26 + level * self._STEP, 18 + row * self._LINE
            painter.setPen(QPen(QColor(colours.line), 1.4))
            if level:
                above = max(at for at in range(row) if self._ROWS[at][0] == level - 1)
                bend = x - self._STEP + 10
                painter.drawLine(bend, 18 + above * self._LINE + 24, bend, y + 12)
                painter.drawLine(bend, y + 12, x - 4, y + 12)
            ink = colours.accent if name == "folder" else colours.quiet
            theme.draw_icon(painter, name, QRectF(x, y + 2, 20, 20), ink)
            painter.setPen(QColor(colours.text if name == "folder" else colours.quiet))
            painter.drawText(QRectF(x + 28, y, 240, 24), int(Qt.AlignmentFlag.AlignVCenter), text)

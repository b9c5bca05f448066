"""What a page shows when it has nothing yet: what is missing, a picture where it helps, and the button that makes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from forensia.gui import icons, theme, widgets


class Empty(QWidget):
    """A headline, a hint, perhaps a picture, and buttons."""

    def __init__(
        self,
        headline: str,
        hint: str,
        buttons: Sequence[QPushButton] = (),
        picture: QWidget | None = None,
        width: int = 640,
    ) -> None:
        super().__init__()
        self.headline = widgets.label(headline, scale=1.7, bold=True)
        self.hint = widgets.label(hint, quiet=True, scale=1.08)
        column = QVBoxLayout(self)
        column.setSpacing(14)
        column.addStretch(2)
        if picture is not None:
            column.addWidget(picture, alignment=Qt.AlignmentFlag.AlignHCenter)
            column.addSpacing(10)
        words = QWidget()
        words.setFixedWidth(width)  # a label that wraps needs a width to know its height
        inside = QVBoxLayout(words)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(12)
        for text in (self.headline, self.hint):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            inside.addWidget(text)
        middle = QHBoxLayout()  # an alignment in its place would forget the height that goes with the width
        middle.addStretch(1)
        middle.addWidget(words)
        middle.addStretch(1)
        column.addLayout(middle)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        column.addSpacing(6)
        column.addLayout(row)
        column.addStretch(3)

    def say(self, headline: str, hint: str) -> None:
        self.headline.setText(headline)
        self.hint.setText(hint)


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
        self.setAccessibleName(self.tr("Picture: a folder with a folder for each author, and their texts inside"))

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
            icons.draw(painter, name, QRectF(x, y + 2, 20, 20), ink)
            painter.setPen(QColor(colours.text if name == "folder" else colours.quiet))
            painter.drawText(QRectF(x + 28, y, 240, 24), int(Qt.AlignmentFlag.AlignVCenter), text)

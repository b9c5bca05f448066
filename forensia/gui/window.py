"""The main window: the rail of five places on the left, one page at a time on the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

PLACES = (
    ("Corpus", "Drop a folder of texts whose authors you know", "A folder for each author, their texts inside."),
    ("Model", "No model yet", "Load known texts first; then train a model on them here."),
    (
        "Disputed",
        "No disputed text yet",
        "When a model is trained, drop the disputed documents anywhere on the window.",
    ),
    ("Compare", "Any two texts: same author or not?", "This needs a trained model."),
    (
        "Experiments",
        "Replay the evaluation of the paper",
        "Choose a corpus and a plan; results appear as they are computed.",
    ),
)


class MainWindow(QMainWindow):
    """Everything the analyst sees."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Forensia")
        self.resize(1280, 800)
        self.rail = QListWidget()
        self.rail.setAccessibleName("Places")
        self.rail.setFixedWidth(190)
        self.rail.setFrameShape(QFrame.Shape.NoFrame)
        self.pages = QStackedWidget()
        for number, (name, headline, hint) in enumerate(PLACES, start=1):
            item = QListWidgetItem(name)
            item.setToolTip(f"{name} (Ctrl+{number})")
            self.rail.addItem(item)
            self.pages.addWidget(_empty_page(headline, hint))
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self)
            shortcut.activated.connect(lambda row=number - 1: self.rail.setCurrentRow(row))
        self.rail.currentRowChanged.connect(self.pages.setCurrentIndex)
        self.rail.setCurrentRow(0)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.pages, stretch=1)
        self.setCentralWidget(middle)
        self.statusBar().showMessage("No case open")

    def open_case(self, case: Path) -> None:
        self._tell(f"{case.name} cannot be opened: case files are not built yet in this version.")

    def show_crash_notice(self, left: str) -> None:
        """Say that the last session ended badly; nothing is sent anywhere."""
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Forensia")
        box.setText(
            "Forensia ended unexpectedly last time. Your cases are safe; the details below may help to find out why."
        )
        box.setDetailedText(left)
        box.open()

    def _tell(self, text: str) -> None:
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(text)
        box.open()


def _empty_page(headline: str, hint: str) -> QWidget:
    """A page that has nothing yet says what is missing and what to do."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.addStretch(2)
    for text, scale in ((headline, 1.7), (hint, 1.1)):
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        font = label.font()
        font.setPointSizeF(font.pointSizeF() * scale)
        label.setFont(font)
        column.addWidget(label)
    column.addStretch(3)
    return page

"""The first thing one sees: what to drop where, the three steps to an answer, and the cases one had open before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from forensia import settings
from forensia.gui import widgets, words
from forensia.gui.pages.empty import Empty, FolderPicture

_LISTED = 5


class Welcome(QWidget):
    """For the first time: how it goes. Later: the recent cases."""

    recent = Signal(object)

    def __init__(self, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
        self.empty = Empty(
            self.tr("Drop a folder of texts whose authors you know"),
            self.tr(
                "Anywhere on this window. A folder for each author with their texts inside is understood at once; so are "
                "tables (CSV, JSON) and several published collections."
            ),
            buttons,
            FolderPicture(),
        )
        self.steps = self._steps()
        self.cases = QWidget()
        self._list = QVBoxLayout(self.cases)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 18)
        column.setSpacing(0)
        column.addWidget(self.empty, stretch=1)
        column.addWidget(self.steps, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.cases, alignment=Qt.AlignmentFlag.AlignHCenter)

    def _steps(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(14)
        for number, (name, sentence) in enumerate(
            (
                (
                    self.tr("Known texts"),
                    self.tr("Load texts of the candidate authors, and look through what was found."),
                ),
                (
                    self.tr("Model"),
                    self.tr("Train. Every known text is judged without itself, so you see how far to trust it."),
                ),
                (self.tr("Disputed text"), self.tr("Drop it on the window, and read what the findings support.")),
            ),
            start=1,
        ):
            card = widgets.card(widgets.label(f"{number}  {name}", bold=True), widgets.label(sentence, quiet=True))
            card.setFixedWidth(250)
            column = card.layout()
            assert isinstance(column, QVBoxLayout)
            column.addStretch(1)
            row.addWidget(card)
        return made

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
        self._list.addWidget(widgets.label(self.tr("Recent cases"), quiet=True, scale=0.92))
        for path in listed:
            name = words.shortened(words.one_line(path.stem))
            made = widgets.button(words.ampersands(name), lambda path=path: self.recent.emit(path), tip=str(path))  # type: ignore[misc]
            made.setAccessibleName(self.tr("Open {0}").format(name))
            made.setProperty("flat", True)
            self._list.addWidget(made)

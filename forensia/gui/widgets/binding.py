"""Ties the features to the two texts: what is chosen in the list is shown in both, what is clicked in a text is chosen in the list."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject

from forensia.gui.tasks.found import Texts
from forensia.gui.widgets.featurepanel import FeaturePanel
from forensia.gui.widgets.highlight import HighlightedText


class Binding(QObject):
    """One panel of features and two texts that are read together."""

    def __init__(self, panel: FeaturePanel, left: HighlightedText, right: HighlightedText) -> None:
        super().__init__(panel)
        self._panel = panel
        self._texts = (left, right)
        panel.listed.connect(self._mark)
        panel.chosen.connect(lambda *_: self._mark())
        panel.stepped.connect(self._step)
        for text in self._texts:
            text.pressed.connect(self._pressed)

    def show_texts(self, texts: Texts) -> None:
        """Show two other texts; what was found about them is shown by the panel."""
        for located, text in zip(texts, self._texts, strict=True):
            text.show_text(located)

    def _mark(self) -> None:
        for text in self._texts:
            text.mark(self._panel.shown, self._panel.column)
        self._tell()

    def _step(self, step: int) -> None:
        for text in self._texts:
            text.go(step)
        self._tell()

    def _pressed(self, column: int) -> None:
        self._panel.pick(column)
        self._tell()

    def _tell(self) -> None:
        column = self._panel.column
        if column < 0:
            self._panel.tell("")
            return
        said = QCoreApplication.translate("Binding", "left {0}, right {1}")
        self._panel.tell(said.format(*(_counted(text, column) for text in self._texts)))


def _counted(text: HighlightedText, column: int) -> str:
    places = len(text.places(column))
    if not places:
        return QCoreApplication.translate("Binding", "none")
    return f"{text.at + 1}/{places}" if text.at >= 0 else f"{places}×"

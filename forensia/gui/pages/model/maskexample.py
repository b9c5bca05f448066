"""What hiding the topic does, shown on a known text before anything is trained with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from forensia.gui import widgets, words
from forensia.gui.desk import Desk
from forensia.gui.tasks import Masked
from forensia.gui.words import tr

_LISTED = 200  # documents to choose from


class MaskExample(QDialog):
    """The beginning of a known text, as it is and as a model with these training options would see its words and letters."""

    def __init__(self, parent: QWidget, desk: Desk, options: Mapping[str, Any]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("What the model would see"))
        self.resize(860, 520)
        self._desk, self._options = desk, options
        self.which = QComboBox()
        self.which.setAccessibleName(tr("Known text"))
        self.which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.which.setMinimumContentsLength(40)
        for each in desk.shown.active[:_LISTED] if desk.shown else ():
            self.which.addItem(words.shortened(words.one_line(f"{each.author}: {each.title}"), 80), each.id)
        self.state = widgets.label(quiet=True)
        self.before, self.after = (self._pane(name) for name in (tr("As it is"), tr("With the topic hidden")))
        texts = QHBoxLayout()
        texts.setSpacing(12)
        for pane in (self.before, self.after):
            column = QVBoxLayout()
            column.addWidget(widgets.label(pane.accessibleName(), bold=True))
            column.addWidget(pane)
            texts.addLayout(column)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(20, 16, 20, 16)
        whole.setSpacing(10)
        whole.addWidget(self.which)
        whole.addLayout(texts)
        whole.addWidget(self.state)
        whole.addWidget(widgets.button(tr("Close"), self.accept), alignment=Qt.AlignmentFlag.AlignRight)
        self.which.currentIndexChanged.connect(lambda _: self._ask())
        self._ask()

    def _pane(self, name: str) -> QPlainTextEdit:
        made = QPlainTextEdit()
        made.setReadOnly(True)
        made.setTabChangesFocus(True)
        made.setAccessibleName(name)
        return made

    def _ask(self) -> None:
        name = self.which.currentData()
        if name:
            self.state.setText(tr("Reading the text…"))
            self._desk.show_masked(name, self._options, self._show)

    def _show(self, found: Masked) -> None:
        self.before.setPlainText(found.before)
        self.after.setPlainText(found.after)
        self.state.setText(tr("The beginning of the text. Sentence lengths and punctuation are counted as they are."))

    def done(self, result: int) -> None:
        self._desk.trying.cancel()
        super().done(result)

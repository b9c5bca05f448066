"""Where a disputed text comes from, as the analyst has it: a new source, or a known one and why; beside it the condition of the figures."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from forensia.case.store import LONGEST_REASON
from forensia.evidence.result import FROM_NEW_SOURCE, Result, Stated
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.words import tr
from forensia.wording import conditions
from forensia.wording.sources import KNOWN_SOURCE


class OriginLine(QWidget):
    """A new source is stated as soon as it is chosen, a known one once there is a reason; until then it says what a known source is.

    `stated` asks for the text to be analysed so.
    """

    stated = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._result: Result | None = None
        self.source = QComboBox()
        self.source.setAccessibleName(tr("Where the text comes from"))
        self.source.addItem(tr("From a new source"), "new")
        self.source.addItem(tr("From a known source"), "known")
        self.because = QLineEdit()
        self.because.setAccessibleName(tr("Why the text is from the source of known texts"))
        self.because.setPlaceholderText(tr("Why? For example: the same thread"))
        self.because.setMaxLength(LONGEST_REASON)
        self.because.setMinimumWidth(260)
        self.again = widgets.button(tr("Analyse so"), self._state, primary=True)
        self.holds = widgets.label(quiet=True, scale=0.95)
        self.holds.setAccessibleName(tr("Condition of the figures"))
        self.source.setToolTip(words.tip(KNOWN_SOURCE))
        self.told = widgets.label(quiet=True, scale=0.95)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.source)
        row.addWidget(HelpButton("source"))
        row.addWidget(self.because, stretch=2)
        row.addWidget(self.again)
        row.addWidget(self.holds, stretch=3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.told)
        self.source.currentIndexChanged.connect(lambda *_: self._chosen())
        self.because.textChanged.connect(lambda *_: self._tell())
        self.because.returnPressed.connect(self._state)
        self.hide()

    def show_result(self, result: Result | None, changeable: bool = True) -> None:
        """Show what was stated for another result; one without figures has no condition to state."""
        self.setVisible(result is not None and result.condition is not None)
        self.source.setEnabled(changeable)
        self.because.setEnabled(changeable)
        if result is None or result is self._result:
            self._result = result
            return
        self._result = None  # what is filled in now was not chosen by anybody
        self.source.setCurrentIndex(max(0, self.source.findData(result.stated.source)))
        self.because.setText(result.stated.because)
        self.because.setCursorPosition(0)
        self._result = result
        self.holds.setText(conditions.holds(result))
        self.told.setText(KNOWN_SOURCE)
        self._tell()

    @property
    def wanted(self) -> Stated:
        """What is chosen and written."""
        known = self.source.currentData() == "known"
        return Stated("known", self.because.text().strip()) if known else FROM_NEW_SOURCE

    def _chosen(self) -> None:
        self._tell()
        if self._result is None:
            return
        if self.wanted.source == "new":
            self._state()
        else:
            self.because.setFocus()

    def _tell(self) -> None:
        known = self.wanted.source == "known"
        self.because.setVisible(known)
        self.told.setVisible(known and self._result is not None and self.wanted != self._result.stated)
        self.again.setVisible(self._result is not None and self.wanted != self._result.stated)
        self.again.setEnabled(not known or bool(self.wanted.because))

    def _state(self) -> None:
        result, wanted = self._result, self.wanted
        if result is not None and wanted != result.stated and (wanted.because or wanted.source == "new"):
            self.stated.emit(wanted)

"""What is asked of a disputed text: who of these wrote it, who when one of them is agreed to have, or did one of them; and its exhibit."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from forensia.case.store import LONGEST_REASON
from forensia.evidence.result import WHO, Question, Result
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.words import tr

_LONGEST_LABEL = 100


class QuestionLine(QWidget):
    """A question is asked as soon as it is chosen, that one of them is agreed to be the author once there is a reason.

    `asked` wants the text analysed for another question, `labelled` gives it another exhibit label.
    """

    asked = Signal(object)
    labelled = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._result: Result | None = None
        self._label = ""
        self.kind = QComboBox()
        self.kind.setAccessibleName(tr("What is asked of the text"))
        self.kind.addItem(tr("Who of these wrote it, if any?"), "who")
        self.kind.addItem(tr("Who, when it is agreed that one of them did?"), "one of these")
        self.kind.addItem(tr("Did one of them write it?"), "did")
        self.author = QComboBox()
        self.author.setAccessibleName(tr("The candidate who is asked about"))
        self.author.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.author.setMinimumContentsLength(16)
        self.because = QLineEdit()
        self.because.setAccessibleName(tr("Why one of them must have written it"))
        self.because.setPlaceholderText(tr("Why? For example: both parties say so"))
        self.because.setMaxLength(LONGEST_REASON)
        self.because.setMinimumWidth(220)
        self.again = widgets.button(tr("Ask so"), self._ask, primary=True)
        self.only = widgets.label(wrap=False)
        self.only.setAccessibleName(tr("The question"))
        self.exhibit = QLineEdit()
        self.exhibit.setAccessibleName(tr("Exhibit"))
        self.exhibit.setPlaceholderText(tr("Exhibit, such as JH/1"))
        self.exhibit.setToolTip(words.tip(tr("The name of this text in the case; the report calls it so")))
        self.exhibit.setMaxLength(_LONGEST_LABEL)
        self.exhibit.setFixedWidth(160)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.only)
        row.addWidget(self.kind)
        row.addWidget(self.author)
        row.addWidget(self.because, stretch=2)
        row.addWidget(self.again)
        row.addWidget(HelpButton("question"))
        row.addStretch(1)
        row.addWidget(self.exhibit)
        self.kind.currentIndexChanged.connect(lambda *_: self._chosen())
        self.author.currentIndexChanged.connect(lambda *_: self._chosen())
        self.because.textChanged.connect(lambda *_: self._tell())
        self.because.returnPressed.connect(self._ask)
        self.exhibit.editingFinished.connect(self._labelled)
        self.hide()

    def show_result(
        self, result: Result | None, label: str = "", changeable: bool = True, writable: bool = True
    ) -> None:
        """Show what was asked for another result; with one candidate there is one question, and nothing to choose."""
        self.setVisible(result is not None)
        for field in (self.kind, self.author, self.because):
            field.setEnabled(changeable)
        self.exhibit.setEnabled(writable)
        if label != self._label or result is not self._result:
            self._label = label
            self.exhibit.setText(label)
        if result is None or result is self._result:
            self._result = result
            return
        self._result = None  # what is filled in now was not chosen by anybody
        alone = len(result.candidates) == 1
        self.only.setVisible(alone)
        self.only.setText(tr("Did {0} write it?").format(words.shortened(words.one_line(result.opinion.about))))
        self.author.clear()
        for each in result.candidates:
            self.author.addItem(words.shortened(words.one_line(each.author), 48), each.author)
        self.kind.setVisible(not alone and result.condition is not None)
        self.kind.setCurrentIndex(max(0, self.kind.findData(result.question.kind)))
        self.author.setCurrentIndex(max(0, self.author.findData(result.question.author)))
        self.because.setText(result.question.because)
        self.because.setCursorPosition(0)
        self._result = result
        self._tell()

    @property
    def wanted(self) -> Question:
        """What is chosen and written."""
        kind = self.kind.currentData()
        if kind == "did":
            return Question("did", author=self.author.currentData() or "")
        return Question("one of these", because=self.because.text().strip()) if kind == "one of these" else WHO

    def _chosen(self) -> None:
        self._tell()
        if self._result is None:
            return
        if self.wanted.kind == "one of these":
            self.because.setFocus()
        else:
            self._ask()

    def _tell(self) -> None:
        wanted, there = self.wanted, not self.kind.isHidden()
        self.author.setVisible(there and wanted.kind == "did")
        self.because.setVisible(there and wanted.kind == "one of these")
        self.again.setVisible(there and self._result is not None and wanted != self._result.question)
        self.again.setEnabled(wanted.kind != "one of these" or bool(wanted.because))

    def _ask(self) -> None:
        result, wanted = self._result, self.wanted
        if result is not None and wanted != result.question and (wanted.because or wanted.kind != "one of these"):
            self.asked.emit(wanted)

    def _labelled(self) -> None:
        label = self.exhibit.text().strip()
        if label != self._label:
            self._label = label
            self.labelled.emit(label)

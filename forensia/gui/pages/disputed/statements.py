"""What the analyst says of a disputed text: what is asked of it and its exhibit, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from forensia.case.store import LONGEST_REASON
from forensia.evidence.result import FROM_NEW_SOURCE, WHO, Question, Result, Stated
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.widgets import column, fields, row, spring
from forensia.gui.words import tr
from forensia.wording import KNOWN_SOURCE, conditions

_LONGEST_LABEL = 100


class StatementLine(QWidget):
    """A choice that holds as soon as it is made; the one that needs a reason (`reasoned`), once there is one.

    `stated` asks for the text to be analysed so.
    """

    stated = Signal(object)

    def __init__(self, name: str, values: Mapping[str, str], reasoned: str, because: QLineEdit, press: str) -> None:
        super().__init__()
        self._result: Result | None = None
        self._reasoned = reasoned
        self._offered = True
        self.kind = fields.choice(name, values)
        self.because = because
        self.because.setMaxLength(LONGEST_REASON)
        self.again = widgets.button(press, self._state, primary=True)
        self.kind.currentIndexChanged.connect(lambda *_: self._chosen())
        self.because.textChanged.connect(lambda *_: self._tell())
        self.because.returnPressed.connect(self._state)
        self.hide()

    @property
    def wanted(self) -> Stated | Question:
        """What is chosen and written."""
        raise NotImplementedError

    def _before(self, result: Result) -> Stated | Question:
        """What was stated for a result."""
        raise NotImplementedError

    @property
    def _reason(self) -> str:
        return self.because.text().strip()

    @property
    def _needs_reason(self) -> bool:
        return bool(self.kind.currentData() == self._reasoned)

    @property
    def _is_new(self) -> bool:
        """Whether something else is chosen than what holds."""
        return self._result is not None and self.wanted != self._before(self._result)

    def _fill(self, result: Result, kind: str, because: str) -> None:
        """Show what was stated for another result."""
        self._result = None  # what is filled in now was not chosen by anybody
        fields.choose(self.kind, kind)
        self.because.setText(because)
        self.because.setCursorPosition(0)
        self._result = result
        self._tell()

    def _chosen(self) -> None:
        self._tell()
        if self._result is not None and self._needs_reason:
            self.because.setFocus()
        else:
            self._state()

    def _tell(self) -> None:
        self.because.setVisible(self._offered and self._needs_reason)
        self.again.setVisible(self._offered and self._is_new)
        self.again.setEnabled(bool(self._reason) or not self._needs_reason)

    def _state(self) -> None:
        if self._is_new and (self._reason or not self._needs_reason):
            self.stated.emit(self.wanted)


class QuestionLine(StatementLine):
    """Who of these wrote it, who when one of them is agreed to have, or did one of them; `labelled` gives it another exhibit label."""

    labelled = Signal(str)

    def __init__(self) -> None:
        kinds = {
            "who": tr("Who of these wrote it, if any?"),
            "one of these": tr("Who, when it is agreed that one of them did?"),
            "did": tr("Did one of them write it?"),
        }
        why = fields.line(
            tr("Why one of them must have written it"), tr("Why? For example: both parties say so"), least=220
        )
        super().__init__(tr("What is asked of the text"), kinds, "one of these", why, tr("Ask so"))
        self._label = ""
        self.author = fields.choice(tr("The candidate who is asked about"), letters=16)
        self.only = fields.named(widgets.label(wrap=False), tr("The question"))
        self.exhibit = fields.line(tr("Exhibit"), tr("Exhibit, such as JH/1"), longest=_LONGEST_LABEL)
        self.exhibit.setToolTip(words.tip(tr("The name of this text in the case; the report calls it so")))
        self.exhibit.setFixedWidth(160)
        self.setLayout(
            row(
                self.only, self.kind, self.author, (self.because, 2), self.again, HelpButton("question"), spring(), self.exhibit,
                spacing=8,
            )
        )  # fmt: skip
        self.author.currentIndexChanged.connect(lambda *_: self._chosen())
        self.exhibit.editingFinished.connect(self._relabel)

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
        alone = len(result.candidates) == 1
        self.only.setVisible(alone)
        self.only.setText(tr("Did {0} write it?").format(words.shortened(words.one_line(result.opinion.about))))
        fields.refill_with_authors(self.author, (each.author for each in result.candidates), result.question.author)
        self._offered = not alone and result.condition is not None
        self.kind.setVisible(self._offered)
        self._fill(result, result.question.kind, result.question.because)

    @property
    def wanted(self) -> Question:
        kind = self.kind.currentData()
        if kind == "did":
            return Question("did", author=self.author.currentData() or "")
        return Question("one of these", because=self._reason) if kind == "one of these" else WHO

    def _before(self, result: Result) -> Question:
        return result.question

    def _tell(self) -> None:
        super()._tell()
        self.author.setVisible(self._offered and self.kind.currentData() == "did")

    def _relabel(self) -> None:
        label = self.exhibit.text().strip()
        if label != self._label:
            self._label = label
            self.labelled.emit(label)


class OriginLine(StatementLine):
    """A new source, or a known one and why; beside it the condition of the figures, and until it is stated what a known source is."""

    def __init__(self) -> None:
        kinds = {"new": tr("From a new source"), "known": tr("From a known source")}
        why = fields.line(
            tr("Why the text is from the source of known texts"), tr("Why? For example: the same thread"), least=260
        )
        super().__init__(tr("Where the text comes from"), kinds, "known", why, tr("Analyse so"))
        self.kind.setToolTip(words.tip(KNOWN_SOURCE))
        self.holds = fields.named(widgets.label(quiet=True, scale=0.95), tr("Condition of the figures"))
        self.meaning = widgets.label(quiet=True, scale=0.95)
        line = row(self.kind, HelpButton("source"), (self.because, 2), self.again, (self.holds, 3), spacing=8)
        self.setLayout(column(line, self.meaning, spacing=4))

    def show_result(self, result: Result | None, changeable: bool = True) -> None:
        """Show what was stated for another result; one without figures has no condition to state."""
        self.setVisible(result is not None and result.condition is not None)
        self.kind.setEnabled(changeable)
        self.because.setEnabled(changeable)
        if result is None or result is self._result:
            self._result = result
            return
        self.holds.setText(conditions.holds(result))
        self.meaning.setText(KNOWN_SOURCE)
        self._fill(result, result.stated.source, result.stated.because)

    @property
    def wanted(self) -> Stated:
        return Stated("known", self._reason) if self._needs_reason else FROM_NEW_SOURCE

    def _before(self, result: Result) -> Stated:
        return result.stated

    def _tell(self) -> None:
        super()._tell()
        self.meaning.setVisible(self._needs_reason and self._is_new)

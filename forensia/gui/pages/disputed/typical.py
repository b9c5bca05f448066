"""How typical? Where this text stands among the scores of the validation: with its own author, with others, with outsiders."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from forensia.evidence.result import FUSED, Result
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.lane import Questions
from forensia.gui.tasks import validation
from forensia.gui.tasks.pictures import NamedScores, ScoreGroup, ScoresPlot
from forensia.gui.tasks.validation import Typical, ValidationScores
from forensia.gui.widgets.drawing import Drawer
from forensia.gui.widgets.plotpane import PlotPane
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording import conditions


def named_scores(scores: ValidationScores) -> tuple[NamedScores, ...]:
    """The scores of a validation as rows of a plot."""
    return (
        NamedScores(tr("own author"), True, scores.own),
        NamedScores(tr("another listed author"), False, scores.other),
        NamedScores(tr("somebody else") if scores.stand_ins else tr("not in the corpus"), False, scores.outsiders),
    )


class TypicalView(QWidget):
    """Asks for the scores when it is seen; the author can then be changed at once."""

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__()
        self.questions = Questions(worker, self)
        self._case = self._title = ""
        self._result: Result | None = None
        self._data: Typical | None = None
        self._asked: Result | None = None
        self.author = QComboBox()
        self.author.setAccessibleName(tr("Author whose score is shown"))
        self.author.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.author.setMinimumContentsLength(12)
        self.author.setMaximumWidth(320)
        self.said = widgets.label(quiet=True)
        self.pane = PlotPane(tr("This text among the scores of the validation"), drawer)
        top = QHBoxLayout()
        top.addWidget(widgets.label(tr("Score for"), wrap=False))
        top.addWidget(self.author, stretch=2)
        top.addWidget(HelpButton("typical"))
        top.addWidget(self.said, stretch=5)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(widgets.card(self.pane, margin=2), stretch=1)
        self.author.currentIndexChanged.connect(lambda *_: self._draw())

    def show_result(self, case: str, title: str, result: Result | None, why_not: str = "") -> None:
        """Show where another text stands; `why_not` says why that cannot be told now."""
        self.questions.forget()
        self._case, self._title, self._data, self._asked = case, title, None, None
        if not why_not and not (result is not None and any(each.headline for each in result.candidates)):
            why_not = tr("Not estimable: this result has no validation behind it.")
        elif not why_not and result is not None and FUSED not in result.systems:
            why_not = tr("This result is of an earlier version, without a fused score. Analyse the text again.")
        self._result = result if not why_not else None
        self.author.blockSignals(True)
        self.author.clear()
        for each in result.candidates if result else ():
            self.author.addItem(words.shortened(words.one_line(each.author), 48), each.author)
        self.author.blockSignals(False)
        self.pane.show_plot(None)
        self.said.setText(why_not)
        self._look()

    def choose(self, author: str) -> None:
        """Show the score for another author."""
        place = self.author.findData(author)
        if place >= 0:
            self.author.setCurrentIndex(place)

    def _look(self) -> None:
        result = self._result
        if result is None or self._data is not None or not self.isVisible() or self._asked is result:
            return
        self._asked = result
        self.said.setText(tr("Reading the validation…"))

        def done(found: Typical) -> None:
            if result is self._result:
                self._data = found
                self.said.setText(tr("Beside {0}.").format(conditions.measured(found.condition)))
                self._draw()

        fused = {each.author: each.systems[FUSED].score for each in result.candidates}
        self.questions.put(
            validation.typical, done, self.said.setText,
            case=self._case, fused=fused, words=result.words, source=result.stated.source,
        )  # fmt: skip

    def _draw(self) -> None:
        data, author = self._data, self.author.currentData()
        if data is None or not author:
            return
        own = data.own_of.get(author, ())
        mine = NamedScores(tr("{0}: own texts").format(words.shortened(author, 14)), True, ScoreGroup(own, len(own)))
        rows = tuple(row for row in (mine, *named_scores(data.scores)) if row.scores.size)
        about = tr("{0} with {1}").format(words.shortened(self._title, 24), words.shortened(author, 24))
        self.pane.show_plot(ScoresPlot(rows, data.here.get(author), about, data.scores.stand_ins))

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._look()

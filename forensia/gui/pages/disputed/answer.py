"""The answer about one disputed text: the opinion, the table of candidates, and behind tabs everything that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from forensia.evidence.result import Result
from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.gui.pages.disputed.candidates import CandidatesTable
from forensia.gui.pages.disputed.explain import ExplainView
from forensia.gui.pages.disputed.heat import HeatView
from forensia.gui.pages.disputed.nearness import NearnessView
from forensia.gui.pages.disputed.origin import OriginLine
from forensia.gui.pages.disputed.question import QuestionLine
from forensia.gui.pages.disputed.reading import ReadingView
from forensia.gui.pages.disputed.stability import StabilityView
from forensia.gui.pages.disputed.typical import TypicalView
from forensia.gui.widgets.drawing import Drawer
from forensia.gui.widgets.opinioncards import OpinionCard
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording.ratios import RANKING_CAPTION


@dataclass(frozen=True)
class Answered:
    """A disputed text with its result, beside the others of the case: each with its id, title and result.

    `why_not` says why nothing further can be asked of the model about it, as when the model has changed since.
    """

    case: str
    document: str
    title: str
    result: Result | None = None
    notes: Sequence[str] = ()
    others: Sequence[tuple[str, str, Result]] = ()
    why_not: str = ""
    changeable: bool = True  # whether it can be analysed again
    exhibit: str = ""  # its label in the case
    writable: bool = True
    key: object = None  # changes with the result; without one, another object is another result


class AnswerView(QWidget):
    """Everything about one disputed text.

    `pair` asks for a disputed document and the place of a known one in its result to be opened side by side; `text` for another
    disputed document; `stated` for the document to be analysed again with another statement about its source, or for another question;
    `sources` for the place where those of the known texts are given; `labelled` gives the document another exhibit label.
    """

    pair = Signal(str, int)
    text = Signal(str)
    stated = Signal(str, object)
    sources = Signal()
    labelled = Signal(str, str)

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__()
        self._shown = Answered("", "", "")
        self.opinion = OpinionCard()
        self.question = QuestionLine()
        self.origin = OriginLine()
        self.table = CandidatesTable()
        self.nearness = NearnessView(drawer)
        self.heat = HeatView(drawer)
        self.explain = ExplainView(worker)
        self.reading = ReadingView()
        self.typical = TypicalView(worker, drawer)
        self.stability = StabilityView()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(tr("What the answer rests on"))
        self.tabs.setAccessibleName(tr("What the answer rests on"))
        for view, name, about in (
            (self.nearness, "Pr(Same)", tr("The text with every known document")),
            (self.heat, tr("Heat map"), tr("All disputed texts with all known documents")),
            (self.explain, tr("Explain"), tr("What speaks for and against an author, with the passages in the text")),
            (self.reading, tr("Text"), tr("The disputed text itself, with cuts and hidden characters")),
            (self.typical, tr("How typical?"), tr("Where this text stands among the scores of the validation")),
            (self.stability, tr("Sensitivity"), tr("Whether the answer holds when something is changed")),
        ):
            inside = QWidget()
            column = QVBoxLayout(inside)
            column.setContentsMargins(0, 8, 0, 0)
            column.addWidget(view)
            self.tabs.setTabToolTip(self.tabs.addTab(inside, name), about)
        self.larger = QPushButton(tr("Larger ▴"))
        self.larger.setCheckable(True)
        self.larger.setProperty("flat", True)
        self.larger.setAccessibleName(tr("Give the lower part the whole page"))
        self.larger.toggled.connect(self._enlarge)
        self.tabs.setCornerWidget(self.larger)
        self.said = QWidget()
        column = QVBoxLayout(self.said)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.opinion)
        column.addWidget(self.question)
        column.addWidget(self.origin)
        self.upper = QWidget()
        column = QVBoxLayout(self.upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.table, stretch=1)
        self.caption = widgets.label(quiet=True, scale=0.9)
        column.addLayout(_captioned(self.caption))
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setHandleWidth(6)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.upper)
        self.split.addWidget(self.tabs)
        self.split.setStretchFactor(0, 1)
        self.split.setStretchFactor(1, 2)
        self.split.setSizes([194, 334])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.said)
        whole.addWidget(self.split, stretch=1)
        self.opinion.sources.connect(self.sources)
        self.origin.stated.connect(lambda stated: self.stated.emit(self._shown.document, stated))
        self.question.asked.connect(lambda question: self.stated.emit(self._shown.document, question))
        self.question.labelled.connect(lambda label: self.labelled.emit(self._shown.document, label))
        self.table.picked.connect(self._chosen)
        self.table.opened.connect(self._explain)
        self.nearness.opened.connect(lambda place: self.pair.emit(self._shown.document, place))
        self.heat.opened.connect(self._cell)

    def show_answer(self, shown: Answered) -> None:
        """Show another text."""
        same = (shown.case, shown.document) == (self._shown.case, self._shown.document)
        unchanged = shown.result is self._shown.result if shown.key is None else shown.key == self._shown.key
        if same and unchanged and shown.why_not == self._shown.why_not:
            self._shown = shown
            self.opinion.show_result(shown.result, shown.notes)
            self.question.show_result(shown.result, shown.exhibit, shown.changeable, shown.writable)
            self.origin.show_result(shown.result, shown.changeable)
            self.heat.show_results(shown.others, shown.document)
            self.reading.show_text(shown.case, shown.document)
            return
        if shown.result is not None and (shown.case != self._shown.case or self._shown.result is None):
            few = 74 + 24 * min(len(shown.result.candidates), 4)  # a table of few leaves its place to the rest
            self.upper.setMinimumHeight(few)
            self.split.setSizes([few + 24, 504 - few])
        self._shown = shown
        result = shown.result
        self.opinion.show_result(result, shown.notes)
        self.question.show_result(shown.result, shown.exhibit, shown.changeable, shown.writable)
        self.origin.show_result(result, shown.changeable)
        self.table.show_result(result)
        self.caption.setText(_caption(result))
        self.nearness.show_result(result)
        self.heat.show_results(shown.others, shown.document)
        authors = [each.author for each in result.candidates] if result else []
        missing = tr("Analyse this text first.") if result is None else shown.why_not
        document = shown.document if result is not None else ""
        self.explain.show_text(shown.case, document, authors, authors[0] if authors else "", missing)
        self.reading.show_text(shown.case, shown.document)
        self.typical.show_result(shown.case, shown.title, result, shown.why_not)
        self.stability.show_result(result)

    def _chosen(self, author: str) -> None:
        self.explain.choose(author)
        self.typical.choose(author)

    def _explain(self, author: str) -> None:
        self._chosen(author)
        self.tabs.setCurrentIndex(2)

    def _cell(self, document: str, place: int) -> None:
        if place < 0:
            self.text.emit(document)
        else:
            self.pair.emit(document, place)

    def _enlarge(self, large: bool) -> None:
        self.said.setVisible(not large)
        self.upper.setVisible(not large)
        self.larger.setText(tr("Smaller ▾") if large else tr("Larger ▴"))


def _caption(result: Result | None) -> str:
    """What the ranking is, and what the likelihood ratios are against."""
    if result is not None and len(result.candidates) == 1:
        return tr("One candidate: nobody is ranked. log10 LR: against somebody else, for whom the population stands.")
    ranking = tr("Fused, Lazy, Stacked: {0}.").format(RANKING_CAPTION)
    if result is not None and result.question.kind == "one of these":
        return f"{ranking} {tr('log10 LR: against the other candidates, as one of them is agreed to be the author.')}"
    if result is not None and result.population:
        return f"{ranking} {tr('log10 LR: against other candidates | somebody else, as in the population.')}"
    return f"{ranking} {tr('log10 LR: against listed | unlisted authors.')}"


def _captioned(caption: QLabel) -> QHBoxLayout:
    """The caption, and help for each column."""
    row = QHBoxLayout()
    row.setSpacing(4)
    row.addWidget(caption, stretch=1)
    for topic in ("ranking", "fused", "lazy", "likelihood_ratio", "verbal", "conformal"):
        row.addWidget(HelpButton(topic))
    return row

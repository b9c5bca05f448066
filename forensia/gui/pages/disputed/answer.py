"""The answer about one disputed text: the opinion, the table of candidates, and behind tabs everything that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from forensia.corpus.document import Document
from forensia.errors import ForensiaError
from forensia.evidence.result import Candidate, Result
from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.gui.pages.disputed.candidates import CandidatesTable
from forensia.gui.pages.disputed.explain import ExplainView
from forensia.gui.pages.disputed.scoreplots import HeatView, NearnessView, TypicalView
from forensia.gui.pages.disputed.stability import StabilityView
from forensia.gui.pages.disputed.statements import OriginLine, QuestionLine
from forensia.gui.widgets import column, fields, panel, row, split
from forensia.gui.widgets.asking import WhenSeen
from forensia.gui.widgets.opinioncards import OpinionCard
from forensia.gui.widgets.plotpane import Drawer
from forensia.gui.widgets.texts import Preview
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording.ratios import RANKING_CAPTION

_HELP = ("ranking", "fused", "lazy", "likelihood_ratio", "verbal", "conformal")  # for each column of the table


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
        self.tabs = fields.tabs(tr("What the answer rests on"))
        for view, name, about in (
            (self.nearness, "Pr(Same)", tr("The text with every known document")),
            (self.heat, tr("Heat map"), tr("All disputed texts with all known documents")),
            (self.explain, tr("Explain"), tr("What speaks for and against an author, with the passages in the text")),
            (self.reading, tr("Text"), tr("The disputed text itself, with cuts and hidden characters")),
            (self.typical, tr("How typical?"), tr("Where this text stands among the scores of the validation")),
            (self.stability, tr("Sensitivity"), tr("Whether the answer holds when something is changed")),
        ):
            inside = panel(column(view, margins=(0, 8, 0, 0)))
            self.tabs.setTabToolTip(self.tabs.addTab(inside, name), about)
        self.larger = QPushButton(tr("Larger ▴"))
        self.larger.setCheckable(True)
        self.larger.setProperty("flat", True)
        self.larger.setAccessibleName(tr("Give the lower part the whole page"))
        self.larger.toggled.connect(self._enlarge)
        self.tabs.setCornerWidget(self.larger)
        self.said = panel(column(self.opinion, self.question, self.origin, spacing=6))
        self.caption = widgets.label(quiet=True, scale=0.9)
        below = row((self.caption, 1), *map(HelpButton, _HELP), spacing=4)
        self.upper = panel(column((self.table, 1), below, spacing=3))
        self.split = split((self.upper, 1, 194), (self.tabs, 2, 334), upright=True, handle=6)
        self.setLayout(column(self.said, (self.split, 1), spacing=8))
        self.opinion.sources.connect(self.sources)
        for line in (self.question, self.origin):
            line.stated.connect(lambda stated: self.stated.emit(self._shown.document, stated))
        self.question.labelled.connect(lambda label: self.labelled.emit(self._shown.document, label))
        self.table.picked.connect(self._chosen)
        self.table.opened.connect(self._explain)
        self.nearness.opened.connect(lambda place: self.pair.emit(self._shown.document, place))
        self.heat.opened.connect(self._cell)

    def show_answer(self, shown: Answered) -> None:
        """Show another text, or what has changed around the one that is shown."""
        before, self._shown = self._shown, shown
        result = shown.result
        same = (shown.case, shown.document, shown.why_not) == (before.case, before.document, before.why_not)
        unchanged = result is before.result if shown.key is None else shown.key == before.key
        self.opinion.show_result(result, shown.notes)
        self.question.show_result(result, shown.exhibit, shown.changeable, shown.writable)
        self.origin.show_result(result, shown.changeable)
        self.heat.show_results(shown.others, shown.document)
        self.reading.show_text(shown.case, shown.document)
        if same and unchanged:
            return
        if result is not None and (shown.case != before.case or before.result is None):
            few = 74 + 24 * min(len(result.candidates), 4)  # a table of few leaves its place to the rest
            self.upper.setMinimumHeight(few)
            self.split.setSizes([few + 24, 504 - few])
        self.table.show_result(result)
        self.caption.setText(_caption(result))
        self.nearness.show_result(result)
        authors = [each.author for each in result.candidates] if result else []
        missing = tr("Analyse this text first.") if result is None else shown.why_not
        document = shown.document if result is not None else ""
        self.explain.show_text(shown.case, document, authors, authors[0] if authors else "", missing)
        self.typical.show_result(shown.case, shown.title, result, shown.why_not)
        self.stability.show_result(result)

    def _chosen(self, candidate: Candidate) -> None:
        self.explain.choose(candidate.author)
        self.typical.choose(candidate.author)

    def _explain(self, candidate: Candidate) -> None:
        self._chosen(candidate)
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


class ReadingView(WhenSeen):
    """The text itself, as it is analysed. `wanted` asks for a document by its id; whoever hears it gives it to `show_document`."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._text = ("", "")
        self._read = False
        self.preview = Preview()
        self.preview.title.hide()  # the page has it already
        self.preview.text.setAccessibleName(tr("The disputed text"))
        self.setLayout(column(self.preview))

    def show_text(self, case: str, document: str) -> None:
        """Show another text; the one that is shown already stays as it is."""
        if (case, document) == self._text:
            return
        self._text, self._read = (case, document), False
        self.preview.show_document(None)
        self._look()

    def show_document(self, document: str, read: Document | ForensiaError) -> None:
        """Show what was read, or why it could not be."""
        if document != self._text[1]:
            return
        if isinstance(read, ForensiaError):
            self._read = False
            self.preview.show_document(None, str(read))
        else:
            self.preview.show_document(read)

    def _look(self) -> None:
        if self.isVisible() and self._text[1] and not self._read:
            self._read = True
            self.preview.about.setText(tr("Reading the text…"))
            self.wanted.emit(self._text[1])

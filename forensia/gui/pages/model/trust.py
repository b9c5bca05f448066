"""How far can you trust this model? The figures for a new source and for a known one, then the plots, each with how to read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from forensia import codec
from forensia.evidence.reasons import ReferenceGroup
from forensia.evidence.result import Alternative
from forensia.evidence.summary import AuthorFigure, ValidationSummary
from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.gui.pages.model import validationtables
from forensia.gui.pages.model.validationtables import FiguresView, WeightsView
from forensia.gui.snapshot import ModelState
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.inquiries import TrustCurves
from forensia.gui.tasks.plots import (
    AccuracyPlot,
    ConfusionPlot,
    OpenSetPlot,
    Plot,
    RatioPlot,
    RecognitionPlot,
    ScoresPlot,
)
from forensia.gui.widgets import column, fields, panel, row, spring
from forensia.gui.widgets.asking import AskingView
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RowsTable
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording import conditions


class PlotTab(QWidget):
    """One plot, one line that tells how to read it, and where it helps a choice above it."""

    def __init__(
        self, name: str, drawer: Drawer, topic: str = "", choices: Sequence[QWidget] = (), *, top: int = 6
    ) -> None:
        super().__init__()
        self.pane = PlotPane(name, drawer)
        self.reading = fields.named(fields.note(), tr("How to read the plot"))
        self.reading.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.reading.setMinimumHeight(2 * self.reading.fontMetrics().lineSpacing())  # so that the plot keeps its size
        self.pane.drawn.connect(self._read)
        above = (row(panel(row(*choices)), HelpButton(topic), spring()),) if topic else ()
        self.setLayout(column(*above, (self.pane, 1), self.reading, margins=(0, top, 0, 0), spacing=4))

    def _read(self) -> None:
        self.reading.setText(self.pane.reading)
        high = self.reading.heightForWidth(self.reading.width())
        self.reading.setMinimumHeight(max(high, 2 * self.reading.fontMetrics().lineSpacing()))

    def show_plot(self, plot: Plot | None, why: str = "") -> None:
        """Show a plot, or say why there is none."""
        self.pane.show_plot(plot)
        if plot is None:
            self.pane.say(why)
            self.reading.setText("" if why else tr("Not estimable with these texts."))


class AuthorsTab(QWidget):
    """How well each author is recognised: as a plot, or as a table."""

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        name = tr("How well each author is recognised")
        self.plot = PlotTab(name, drawer, top=0)
        self.table: RowsTable[AuthorFigure] = RowsTable(name, validationtables.author_columns(), high=8)
        self.as_table = fields.named(QCheckBox(tr("As a table")), tr("Show as a table"))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.plot)
        self.stack.addWidget(self.table)
        self.as_table.toggled.connect(lambda on: self.stack.setCurrentIndex(int(on)))
        self.setLayout(column(self.as_table, (self.stack, 1), margins=(0, 6, 0, 0), spacing=4))

    def show_authors(self, rows: Sequence[AuthorFigure], reference: ReferenceGroup | None = None) -> None:
        """Of candidates around whom there is a population little is known each alone: a table says it."""
        self.table.rows.set_rows(rows)
        self.as_table.setVisible(reference is None)
        self.stack.setCurrentIndex(int(reference is not None or self.as_table.isChecked()))
        for place in validationtables.RANKED_AUTHORS:
            self.table.setColumnHidden(place, reference is not None and reference.alone)
        tried = any(row.source_left_out for row in rows)
        self.table.setColumnHidden(validationtables.SEVERAL_SOURCES, not tried)
        plot = RecognitionPlot(
            tuple(row.author for row in rows),
            tuple(row.documents for row in rows),
            tuple(row.headline.f1 for row in rows),
            tuple(row.headline.precision for row in rows),
            tuple(row.headline.recall for row in rows),
        )
        self.plot.show_plot(plot if rows else None)


class TrustView(AskingView):
    """Asks for the validation of a model when it is seen. `validate` is the wish to make a missing one."""

    validate = Signal()
    known = Signal()  # the numbers are there

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__(worker)
        self._case = ""
        self._key: tuple[str, str, bool, bool, str] | None = None
        self._there = False
        self._curves: TrustCurves | None = None
        self.summary: ValidationSummary | None = None
        self.lacking = widgets.label(scale=1.04)
        self.sentences = tuple(widgets.label() for _ in range(4))
        self.notes = widgets.label(scale=0.95)
        for label in (self.lacking, self.notes):
            label.setProperty("warning", True)
        self._labels = (self.lacking, *self.sentences, self.notes)
        self.said = widgets.label(quiet=True)
        self.missing = widgets.button(tr("Validate now"), self.validate.emit, primary=True)
        self.calibration_kind = fields.choice(
            tr("Kind of plot"),
            {
                "pav": tr("Computed and best LRs (PAV)"),
                "ece": tr("Uncertainty that is left (ECE)"),
                "reliability": tr("Stated and observed (reliability)"),
            },
        )
        self.against = [fields.choice(tr("Against"), _alternatives(None)) for _ in range(2)]
        calibration = (self.calibration_kind, self.against[0])
        self.figures = FiguresView()
        self.authors = AuthorsTab(drawer)
        self.confusion = PlotTab(tr("Who was taken for whom"), drawer)
        self.calibration = PlotTab(tr("Calibration of the likelihood ratios"), drawer, "calibration", calibration)
        self.tippett = PlotTab(tr("Tippett plot"), drawer, "tippett", (self.against[1],))
        self.scores = PlotTab(tr("Scores of the validation"), drawer)
        self.curve = PlotTab(tr("Accuracy of Lazy by k"), drawer)
        self.open_set = PlotTab(tr("Texts by people not in the corpus"), drawer)
        self.weights = WeightsView()  # the page puts it among the details of the model
        self.tabs = fields.tabs(tr("Plots of the validation"))
        self.tabs.setUsesScrollButtons(True)
        for view, name in (
            (self.figures, tr("Figures")),
            (self.authors, tr("Authors")),
            (self.confusion, tr("Confusion")),
            (self.calibration, tr("Calibration")),
            (self.tippett, "Tippett"),
            (self.scores, tr("Scores")),
            (self.curve, "k"),
            (self.open_set, tr("Open set")),
        ):
            self.tabs.addTab(view, name)
        self.setLayout(column(*self._labels, row((self.said, 1), self.missing), (self.tabs, 1), spacing=6))
        for choice in self.against:
            choice.currentIndexChanged.connect(self._turn)
        self.calibration_kind.currentIndexChanged.connect(lambda *_: self._draw_ratios())
        self._clear("")

    def show_model(self, case: str, model: ModelState, why_not: str = "") -> None:
        """Show another model. `why_not` says why it can have no validation."""
        pairs = model.record.pairs
        accuracy = None
        if pairs is not None and len(pairs.k_accuracy) >= pairs.k:
            accuracy = AccuracyPlot(pairs.k_accuracy, pairs.k, 1 / max(1, model.record.authors))
        self.curve.show_plot(accuracy, tr("It is there once the diff-vector part is trained.") if pairs is None else "")
        key = (case, model.time, model.validated, model.complete, why_not)
        if key == self._key:
            self._look()  # what could not be read before may be there by now
            return
        self._forget()
        self._case, self._key = case, key
        self._there = model.validated and not why_not
        self._clear(
            why_not or ("" if model.validated else tr("The case has not been validated yet. Validate it first."))
        )
        self.missing.setText(tr("Train what is missing") if model.validated else tr("Validate now"))
        self.missing.setVisible(not why_not and not (model.validated and model.complete))
        self._look()

    def summary_of(self, case: str, time: str) -> ValidationSummary | None:
        """The numbers of the model that was trained then, where they are known already."""
        return self.summary if self._key is not None and self._key[:2] == (case, time) else None

    def _clear(self, said: str) -> None:
        self._curves = self.summary = None
        for label in self._labels:
            label.clear()
            label.hide()
        fields.say(self.said, said)
        self.missing.hide()
        self.figures.show_summary(None)
        self.authors.show_authors(())
        self.weights.show_weights({})
        for tab in (self.confusion, self.calibration, self.tippett, self.scores, self.open_set):
            tab.show_plot(None)
            tab.reading.clear()

    def _look(self) -> None:
        if not self._there or self.summary is not None:
            return

        def heard(curves: Any) -> None:
            self._curves = codec.typed(TrustCurves, curves)
            self._draw_curves()

        def done(summary: ValidationSummary) -> None:
            self.summary = summary
            self._tell(summary)
            self.known.emit()

        if self._ask(self._key, inquiries.trust, done, self.said.setText, heard, case=self._case):
            fields.say(self.said, tr("Putting the validation into words…"))

    def _tell(self, summary: ValidationSummary) -> None:
        whole = self.layout()
        if whole is not None:
            whole.setEnabled(False)  # otherwise every label that is shown would arrange the page anew
        notes = "\n".join(f"⚠ {note}" for note in conditions.other_notes(summary))
        said = (conditions.no_source_figures(summary), *conditions.trust(summary), notes)
        for label, text in zip(self._labels, said, strict=True):
            fields.say(label, text)
        self.said.hide()
        if whole is not None:
            whole.setEnabled(True)
            whole.activate()
        self.figures.show_summary(summary)
        self.authors.show_authors(summary.by_author, summary.reference)
        self.weights.show_weights(summary.weights)
        self._name_alternatives(summary.reference)
        if summary.reference is not None:
            self.confusion.show_plot(
                None,
                tr(
                    "There is none with a population: others stood in for the candidates, so that nothing was taken for a text of one "
                    "candidate in the place of another's."
                ),
            )
            return
        names = tuple(row.author for row in summary.by_author)
        self.confusion.show_plot(ConfusionPlot(names, summary.headline.confusion))

    def _name_alternatives(self, reference: ReferenceGroup | None) -> None:
        for choice in self.against:
            for alternative, text in _alternatives(reference).items():
                choice.setItemText(choice.findData(alternative), text)

    def _draw_curves(self) -> None:
        curves = self._curves
        if curves is None:
            return
        ratios, scores = curves.ratios, curves.scores
        for choice in self.against:
            choice.setEnabled(ratios.unlisted is not None and ratios.listed is not None)
            if not choice.isEnabled():
                only = Alternative.LISTED if ratios.unlisted is None else Alternative.UNLISTED
                choice.setCurrentIndex(choice.findData(only.value))
        self._draw_ratios()
        rows = tuple(row for row in scores.rows if row.scores.size)
        self.scores.show_plot(ScoresPlot(rows, stand_ins=scores.stand_ins))
        self.open_set.show_plot(None if ratios.open_set is None else OpenSetPlot(ratios.open_set))

    def _turn(self, place: int) -> None:
        """Both choices of the alternative are one."""
        for choice in self.against:
            choice.setCurrentIndex(place)
        self._draw_ratios()

    def _draw_ratios(self) -> None:
        alternative = Alternative(self.against[0].currentData())
        points = self._curves.ratios.against(alternative) if self._curves else None
        kind = self.calibration_kind.currentData()
        self.calibration.show_plot(None if points is None else RatioPlot(kind, points))
        self.tippett.show_plot(None if points is None else RatioPlot("tippett", points))


def _alternatives(reference: ReferenceGroup | None) -> dict[str, str]:
    """Whom an author is held against; with a population, somebody else is somebody like its authors."""
    unlisted, listed = tr("against somebody not in the corpus"), tr("against another listed author")
    if reference is not None:
        unlisted, listed = tr("against somebody else, as in the population"), tr("against another candidate")
    return {Alternative.UNLISTED.value: unlisted, Alternative.LISTED.value: listed}

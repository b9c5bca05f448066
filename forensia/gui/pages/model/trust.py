"""How far can you trust this model? The figures for a new source and for a known one, then the plots, each with how to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from forensia import codec
from forensia.evidence.reasons import ReferenceGroup
from forensia.evidence.result import Alternative
from forensia.evidence.summary import AuthorFigure, ValidationSummary
from forensia.gui import numbers, widgets
from forensia.gui.help import HelpButton
from forensia.gui.lane import Questions
from forensia.gui.pages.model import trustwords
from forensia.gui.pages.model.validationtables import FiguresView
from forensia.gui.pages.model.weights import WeightsView
from forensia.gui.snapshot import ModelState
from forensia.gui.tasks import validation
from forensia.gui.tasks.plots import AccuracyPlot, ConfusionPlot, Plot, RecognitionPlot, ScoresPlot
from forensia.gui.tasks.validation import TrustCurves
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr
from forensia.jobs.worker import Worker


class PlotTab(QWidget):
    """One plot, one line that tells how to read it, and where it helps a choice above it."""

    def __init__(self, name: str, drawer: Drawer, topic: str = "", chooser: QWidget | None = None) -> None:
        super().__init__()
        self.pane = PlotPane(name, drawer)
        self.reading = widgets.label(quiet=True, scale=0.92)
        self.reading.setAccessibleName(tr("How to read the plot"))
        self.reading.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.reading.setMinimumHeight(2 * self.reading.fontMetrics().lineSpacing())  # so that the plot keeps its size
        self.pane.drawn.connect(self._read)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 6, 0, 0)
        self.column.setSpacing(4)
        if chooser is not None or topic:
            row = QHBoxLayout()
            if chooser is not None:
                row.addWidget(chooser)
            if topic:
                row.addWidget(HelpButton(topic))
            row.addStretch(1)
            self.column.addLayout(row)
        self.column.addWidget(self.pane, stretch=1)
        self.column.addWidget(self.reading)

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


_SOURCES = 7  # the column that says who has several
_RANKED = (2, 3, 5)  # those that need several candidates


class AuthorsTab(QWidget):
    """How well each author is recognised: as a plot, or as a table."""

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self.plot = PlotTab(tr("How well each author is recognised"), drawer)
        self.plot.column.setContentsMargins(0, 0, 0, 0)
        self.table: RowsTable[AuthorFigure] = RowsTable(
            tr("How well each author is recognised"), _author_columns(), high=8
        )
        self.as_table = QCheckBox(tr("As a table"))
        self.as_table.setAccessibleName(tr("Show as a table"))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.plot)
        self.stack.addWidget(self.table)
        self.as_table.toggled.connect(lambda on: self.stack.setCurrentIndex(int(on)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.as_table)
        column.addWidget(self.stack, stretch=1)

    def show_authors(self, rows: Sequence[AuthorFigure], reference: ReferenceGroup | None = None) -> None:
        """Of candidates around whom there is a population little is known each alone: a table says it."""
        self.table.rows.set_rows(rows)
        self.as_table.setVisible(reference is None)
        self.stack.setCurrentIndex(int(reference is not None or self.as_table.isChecked()))
        for column in _RANKED:
            self.table.setColumnHidden(column, reference is not None and reference.alone)
        self.table.setColumnHidden(_SOURCES, not any(row.source_left_out for row in rows))  # nobody was tried so
        plot = RecognitionPlot(
            tuple(row.author for row in rows),
            tuple(row.documents for row in rows),
            tuple(row.headline.f1 for row in rows),
            tuple(row.headline.precision for row in rows),
            tuple(row.headline.recall for row in rows),
        )
        self.plot.show_plot(plot if rows else None)


def _author_columns() -> tuple[RowColumn[AuthorFigure], ...]:
    def part(
        head: str, about: str, take: Callable[[AuthorFigure], float | None], wide: int = 58
    ) -> RowColumn[AuthorFigure]:
        return RowColumn(head, lambda row: numbers.percent(take(row)), about, raw=take, right=True, width=wide)

    return (
        RowColumn(tr("Author"), lambda row: row.author, raw=lambda row: row.author),
        RowColumn(tr("Texts"), lambda row: f"{row.documents:,}", raw=lambda row: row.documents, right=True, width=46),
        part(tr("Recall"), tr("Share of the author's texts that are put first for them"), lambda row: row.headline.recall),
        part(tr("Precision"), tr("How often it is right when this author is put first"), lambda row: row.headline.precision, 68),
        part(tr("Own"), tr("Share of the author's own texts whose LR supports them"), lambda row: row.own_supported),
        part(tr("Others'"), tr("Share of other authors' texts whose LR supports this author"), lambda row: row.others_supported, 60),
        part(
            tr("Outside"),
            tr("Share of the author's texts that led to an opinion for somebody else when nothing by the author was known"),
            lambda row: row.outside_supported,
            62,
        ),
        RowColumn(
            tr("Sources"),
            lambda row: tr("several") if row.source_left_out else tr("one"),
            tr("Whether the author could be tried on texts from a new source, which takes texts from several"),
            raw=lambda row: row.source_left_out,
            width=60,
        ),
        RowColumn(
            tr("Least p"),
            lambda row: numbers.share(row.smallest_p),
            tr("The smallest conformal p that so few texts allow"),
            raw=lambda row: row.smallest_p,
            right=True,
            width=58,
        ),
    )  # fmt: skip


class TrustView(QWidget):
    """Asks for the validation of a model when it is seen. `validate` is the wish to make a missing one."""

    validate = Signal()
    known = Signal()  # the numbers are there

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__()
        self.questions = Questions(worker, self)
        self._case = ""
        self._key: tuple[str, str, bool, bool, str] | None = None
        self._asked: object = None
        self._there = False
        self._curves: TrustCurves | None = None
        self.summary: ValidationSummary | None = None
        self.lacking = widgets.label(scale=1.04)
        self.lacking.setProperty("warning", True)
        self.sentences = tuple(widgets.label() for _ in range(4))
        self.notes = widgets.label(scale=0.95)
        self.notes.setProperty("warning", True)
        self.said = widgets.label(quiet=True)
        self.missing = widgets.button(tr("Validate now"), self.validate.emit, primary=True)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.tabBar().setAccessibleName(tr("Plots of the validation"))
        self.tabs.setAccessibleName(tr("Plots of the validation"))
        self.figures = FiguresView()
        self.authors = AuthorsTab(drawer)
        self.confusion = PlotTab(tr("Who was taken for whom"), drawer)
        self.calibration_kind = _choice(
            tr("Kind of plot"),
            {
                "pav": tr("Computed and best LRs (PAV)"),
                "ece": tr("Uncertainty that is left (ECE)"),
                "reliability": tr("Stated and observed (reliability)"),
            },
        )
        self.against = [
            _choice(
                tr("Against"),
                {
                    Alternative.UNLISTED.value: tr("against somebody not in the corpus"),
                    Alternative.LISTED.value: tr("against another listed author"),
                },
            )
            for _ in range(2)
        ]
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.calibration_kind)
        row.addWidget(self.against[0])
        self.calibration = PlotTab(tr("Calibration of the likelihood ratios"), drawer, "calibration", both)
        self.tippett = PlotTab(tr("Tippett plot"), drawer, "tippett", self.against[1])
        self.scores = PlotTab(tr("Scores of the validation"), drawer)
        self.curve = PlotTab(tr("Accuracy of Lazy by k"), drawer)
        self.open_set = PlotTab(tr("Texts by people not in the corpus"), drawer)
        self.weights = WeightsView()  # the page puts it among the details of the model
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for sentence in (self.lacking, *self.sentences, self.notes):
            column.addWidget(sentence)
        row = QHBoxLayout()
        row.addWidget(self.said, stretch=1)
        row.addWidget(self.missing)
        column.addLayout(row)
        column.addWidget(self.tabs, stretch=1)
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
        self.questions.forget()
        self._case, self._key, self._asked = case, key, None
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
        for label in (self.lacking, *self.sentences, self.notes):
            label.clear()
            label.hide()
        self.said.setText(said)
        self.said.setVisible(bool(said))
        self.missing.hide()
        self.figures.show_summary(None)
        self.authors.show_authors(())
        self.weights.show_weights({})
        for tab in (self.confusion, self.calibration, self.tippett, self.scores, self.open_set):
            tab.show_plot(None)
            tab.reading.clear()

    def _look(self) -> None:
        key = self._key
        if not self._there or not self.isVisible() or self._asked == key or self.summary is not None:
            return
        self._asked = key
        self.said.setText(tr("Putting the validation into words…"))
        self.said.show()

        def heard(data: Any) -> None:
            if key == self._key:
                self._curves = codec.typed(TrustCurves, data)
                self._draw_curves()

        def done(summary: ValidationSummary) -> None:
            if key == self._key:
                self.summary = summary
                self._tell(summary)
                self.known.emit()

        def failed(sentence: str) -> None:
            if key == self._key:
                self._asked = None
                self.said.setText(sentence)

        self.questions.put(validation.trust, done, failed, heard, case=self._case)

    def _tell(self, summary: ValidationSummary) -> None:
        whole = self.layout()
        if whole is not None:
            whole.setEnabled(False)  # otherwise every label that is shown would arrange the page anew
        notes = "\n".join(f"⚠ {note}" for note in trustwords.notes(summary))
        said = (trustwords.missing(summary), *trustwords.sentences(summary), notes)
        for label, text in zip((self.lacking, *self.sentences, self.notes), said, strict=True):
            label.setText(text)
            label.setVisible(bool(text))
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
        """With a population, somebody else is somebody like its authors."""
        outside = (
            tr("against somebody not in the corpus")
            if reference is None
            else tr("against somebody else, as in the population")
        )
        listed = tr("against another listed author") if reference is None else tr("against another candidate")
        for choice in self.against:
            choice.setItemText(choice.findData(Alternative.UNLISTED.value), outside)
            choice.setItemText(choice.findData(Alternative.LISTED.value), listed)

    def _draw_curves(self) -> None:
        curves = self._curves
        if curves is None:
            return
        for choice in self.against:
            choice.setEnabled(curves.unlisted is not None and curves.listed is not None)
            if not choice.isEnabled():
                only = Alternative.LISTED if curves.unlisted is None else Alternative.UNLISTED
                choice.setCurrentIndex(choice.findData(only.value))
        self._draw_ratios()
        rows = tuple(row for row in curves.scores.rows if row.scores.size)
        self.scores.show_plot(ScoresPlot(rows, stand_ins=curves.scores.stand_ins))
        self.open_set.show_plot(curves.open_set)

    def _turn(self, place: int) -> None:
        """Both choices of the alternative are one."""
        for choice in self.against:
            choice.setCurrentIndex(place)
        self._draw_ratios()

    def _draw_ratios(self) -> None:
        curves = self._curves.against(Alternative(self.against[0].currentData())) if self._curves else None
        self.calibration.show_plot(getattr(curves, self.calibration_kind.currentData()) if curves else None)
        self.tippett.show_plot(curves.tippett if curves else None)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._look()


def _choice(name: str, values: Mapping[str, str]) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    for key, text in values.items():
        made.addItem(text, key)
    return made

"""What an experiment has found so far: figures above, tables with marks of significance below; both grow without a blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QSizePolicy, QTabBar, QWidget

from forensia.experiments.resulttables import ResultTable
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.tasks.experiments import ExperimentPlot, ExperimentResults, FigureName
from forensia.gui.widgets import column, fields, panel, row, split
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr
from forensia.report import spreadsheets

_NARROWEST = 40


@dataclass(frozen=True)
class ResultCell:
    """A text of a table as the engine made it, and whether it is the best of its row or column."""

    text: str
    best: bool

    @property
    def value(self) -> spreadsheets.Cell:
        """For a file: a number as a number."""
        try:
            return float(self.text) if "." in self.text else int(self.text)
        except ValueError:
            return self.text


Cells = tuple[ResultCell, ...]


class ExperimentTable(RowsTable[Cells]):
    """A table as the engine made it; its columns get wider as runs end, never narrower."""

    def __init__(self) -> None:
        super().__init__(tr("Results"), (), sortable=False, high=9)
        self._shown: ResultTable | None = None
        self.setSelectionMode(self.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setMinimumHeight(90)
        self.horizontalHeader().setMinimumSectionSize(_NARROWEST)

    def show_table(self, shown: ResultTable | None) -> None:
        """Show another table, or one that has grown."""
        before, self._shown = self._shown, shown
        others = before is None or shown is None or shown.head != before.head
        if others:
            self.show_columns([_column(place, head) for place, head in enumerate(shown.head if shown else ())])
        rows = enumerate(shown.rows if shown else ())
        bold = shown.bold if shown else frozenset()
        self.rows.set_rows(
            [tuple(ResultCell(text, (line, place) in bold) for place, text in enumerate(cells)) for line, cells in rows]
        )
        for place in range(len(self.rows.columns)):
            wanted = max(self.sizeHintForColumn(place), self.horizontalHeader().sectionSizeHint(place)) + 8
            if others or wanted > self.columnWidth(place):
                self.setColumnWidth(place, wanted)

    def table(self) -> spreadsheets.ReportTable:
        return replace(super().table(), name=self._shown.title if self._shown else "")


def _column(place: int, head: str) -> RowColumn[Cells]:
    def spoken(row: Cells) -> str:
        return tr("{0}, the best").format(row[place].text) if row[place].best else row[place].text

    def tip(row: Cells) -> str:
        return tr("{0}: the best of its row or column").format(row[place].text) if row[place].best else row[place].text

    return RowColumn(
        words.one_line(head), lambda row: row[place].text, head, raw=lambda row: row[place].value, spoken=spoken, tip=tip,
        bold=lambda row: row[place].best, right=place > 0, width=_NARROWEST,
    )  # fmt: skip


class ResultsView(QWidget):
    """Shows what a results file holds."""

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._results: ExperimentResults | None = None
        self._stamp = 0
        self.figures = fields.named(QTabBar(), tr("Figures"))
        self.figures.setExpanding(False)
        self.figures.setElideMode(Qt.TextElideMode.ElideRight)
        self.figures.setUsesScrollButtons(True)
        # A sweep has a table for each question and data set: more than a row of tabs can name.
        self.tables = fields.choice(tr("Tables"), letters=20)
        self.tables.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.pane = PlotPane(tr("Figure of the results"), drawer, sideways=True)
        self.pane.setMinimumHeight(150)
        self.reading = fields.note()
        self.pane.drawn.connect(lambda: self.reading.setText(self.pane.reading))
        self.table = ExperimentTable()
        self.note = fields.note()
        upper = column(self.figures, (widgets.card(self.pane, margin=2), 1), self.reading, spacing=4)
        choice = row((self.tables, 1), HelpButton("marks"), spacing=4)
        lower = column(choice, (self.table, 1), self.note, spacing=4)
        self.setLayout(column(split((panel(upper), 3, 360), (panel(lower), 2, 240), upright=True)))
        self.figures.currentChanged.connect(lambda *_: self._turn())
        self.tables.currentIndexChanged.connect(lambda *_: self._fill())

    def show_results(self, results: ExperimentResults | None) -> None:
        """Show these results; the figure and the table that one looks at stay where they are."""
        before, self._results = self._results, results
        another = results is None or before is None or results.results != before.results
        grown = not another and results is not None and before is not None and results.done != before.done
        if another:
            self.pane.show_plot(None)
            self.reading.clear()
        if another or grown:
            self._stamp += 1
        _retab(self.figures, results.figures if results else ())
        _relist(self.tables, results.tables if results else ())
        self._draw(grown=True)
        self._fill()

    def _turn(self) -> None:
        """Another figure was chosen: it is drawn, and a table of the same question stands below it."""
        self._draw()
        question = str(self.figures.tabData(self.figures.currentIndex())).removeprefix("scores-")
        fitting = [place for place in range(self.tables.count()) if self.tables.itemData(place).startswith(question)]
        if fitting and self.tables.currentIndex() not in fitting:
            self.tables.setCurrentIndex(fitting[0])

    def _draw(self, *, grown: bool = False) -> None:
        figure = self.figures.tabData(self.figures.currentIndex())
        if self._results is None or figure is None:
            self.pane.show_plot(None)
            return
        self.pane.show_plot(ExperimentPlot(self._results.results, figure, self._stamp), grown=grown)

    def _fill(self) -> None:
        name = self.tables.currentData()
        listed = self._results.tables if self._results else ()
        table = next((each for each in listed if each.name == name), None)
        self.table.show_table(table)
        legend = self._results.legend if self._results and table and table.marked else ""
        self.note.setText(" ".join(filter(None, (table.note if table else "", legend))))


def _retab(bar: QTabBar, wanted: Sequence[FigureName]) -> None:
    """Give a bar these tabs; the one that was chosen stays chosen, and nothing happens when they are the same."""
    names = [each.name for each in wanted]
    if names == [bar.tabData(place) for place in range(bar.count())]:
        return
    chosen = bar.tabData(bar.currentIndex())
    with QSignalBlocker(bar):
        while bar.count():
            bar.removeTab(0)
        for each in wanted:
            place = bar.addTab(words.ampersands(words.one_line(short(each.title))))
            bar.setTabData(place, each.name)
            bar.setTabToolTip(place, words.tip(each.title))
        bar.setCurrentIndex(names.index(chosen) if chosen in names else 0)


def _relist(box: QComboBox, wanted: Sequence[ResultTable]) -> None:
    """The same for a list."""
    if [each.name for each in wanted] != [box.itemData(place) for place in range(box.count())]:
        fields.refill(box, ((each.name, words.one_line(each.title)) for each in wanted), box.currentData())


def short(title: str) -> str:
    """A headline of the engine, short enough for a tab; the whole is in its tooltip."""
    for long, brief in (
        ("Same-author verification, closed set", tr("Same author, closed")),
        ("Same-author verification, open set", tr("Same author, open")),
        ("Attribution, and verification of each author", tr("Attribution")),
        ("Natively binary verification", tr("One against the rest")),
        ("Scores of test pairs: same-author verification, closed set", tr("Scores, closed")),
        ("Scores of test pairs: same-author verification, open set", tr("Scores, open")),
    ):
        if title.startswith(long):
            return brief + title[len(long) :]
    return title

"""What an experiment has found so far: figures above, tables with marks of significance below; both grow without a blank."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QSplitter,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from forensia.experiments.resulttables import ResultTable
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.tasks.experiments import ExperimentPlot, ExperimentResults, FigureName
from forensia.gui.widgets import Index, fields
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import offer_export
from forensia.gui.words import tr
from forensia.report import tables

Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class ResultModel(QAbstractTableModel):
    """A table as the engine made it: texts, and which of them are the best."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = ""
        self.head: tuple[str, ...] = ()
        self.rows: tuple[tuple[str, ...], ...] = ()
        self._bold: frozenset[tuple[int, int]] = frozenset()

    def show_table(self, table: ResultTable | None) -> bool:
        """Show another table; whether it has other columns than the one before."""
        head = table.head if table else ()
        other = head != self.head
        self.beginResetModel()
        self.name = table.title if table else ""
        self.head = head
        self.rows = table.rows if table else ()
        self._bold = table.bold if table else frozenset()
        self.endResetModel()
        return other

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.head)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.head):
            return None
        if role == Role.DisplayRole:
            return words.one_line(self.head[section])
        if role == Role.ToolTipRole:
            return words.tip(self.head[section])
        return (_RIGHT if section else _LEFT) if role == Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        place = (index.row(), index.column())
        text = self.rows[place[0]][place[1]]
        best = place in self._bold
        if role == Role.DisplayRole:
            return words.one_line(text)
        if role == Role.AccessibleTextRole:
            said = tr("{0}, the best").format(text) if best else text
            return f"{self.head[place[1]]}: {words.one_line(said)}"
        if role == Role.ToolTipRole:
            return words.tip(tr("{0}: the best of its row or column").format(text) if best else text) if text else None
        if role == Role.TextAlignmentRole:
            return _RIGHT if place[1] else _LEFT
        if role == Role.FontRole and best:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def as_table(self) -> tables.ReportTable:
        """For a file: numbers as numbers."""
        rows = tuple(tuple(_value(cell) for cell in row) for row in self.rows)
        return tables.ReportTable(self.name, self.head, rows)


class ResultsView(QWidget):
    """Shows what `trialruns.look` found."""

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._found: ExperimentResults | None = None
        self._stamp = 0
        self.figures = QTabBar()
        self.figures.setAccessibleName(tr("Figures"))
        self.figures.setExpanding(False)
        self.figures.setElideMode(Qt.TextElideMode.ElideRight)
        self.figures.setUsesScrollButtons(True)
        # A sweep has a table for each question and data set: more than a row of tabs can name.
        self.tables = QComboBox()
        self.tables.setAccessibleName(tr("Tables"))
        self.tables.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.tables.setMinimumContentsLength(20)
        self.tables.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.pane = PlotPane(tr("Figure of the results"), drawer, sideways=True)
        self.reading = fields.note()
        self.pane.drawn.connect(lambda: self.reading.setText(self.pane.reading))
        self.model = ResultModel(self)
        self.table = self._table()
        self.note = fields.note()
        above, below = QWidget(), QWidget()
        upper, lower = QVBoxLayout(above), QVBoxLayout(below)
        for column in (upper, lower):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(4)
        upper.addWidget(self.figures)
        upper.addWidget(widgets.card(self.pane, margin=2), stretch=1)
        upper.addWidget(self.reading)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.tables, stretch=1)
        line.addWidget(HelpButton("marks"))
        lower.addLayout(line)
        lower.addWidget(self.table, stretch=1)
        lower.addWidget(self.note)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(10)
        split.setChildrenCollapsible(False)
        for part, share in ((above, 3), (below, 2)):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, share)
        split.setSizes([360, 240])
        self.pane.setMinimumHeight(150)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)
        self.figures.currentChanged.connect(lambda *_: self._turn())
        self.tables.currentIndexChanged.connect(lambda *_: self._fill())

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(tr("Results"))
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setMinimumHeight(90)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 9)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setMinimumSectionSize(40)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        offer_export(table, tr("Results"), self.model.as_table)
        return table

    def show_found(self, found: ExperimentResults | None) -> None:
        """Show these results; the figure and the table that one looks at stay where they are."""
        another = found is None or self._found is None or found.results != self._found.results
        grown = not another and self._found is not None and found is not None and found.done != self._found.done
        self._found = found
        if another:
            self._stamp += 1
            self.pane.show_plot(None)
            self.reading.clear()
        elif grown:
            self._stamp += 1
        _retab(self.figures, found.figures if found else ())
        _relist(self.tables, found.tables if found else ())
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
        if self._found is None or figure is None:
            self.pane.show_plot(None)
            return
        self.pane.show_plot(ExperimentPlot(self._found.results, figure, self._stamp), grown=grown)

    def _fill(self) -> None:
        name = self.tables.currentData()
        listed = self._found.tables if self._found else ()
        table = next((each for each in listed if each.name == name), None)
        other = self.model.show_table(table)
        for column in range(self.model.columnCount()):  # results get longer as runs end; a column never gets narrower
            wanted = (
                max(self.table.sizeHintForColumn(column), self.table.horizontalHeader().sectionSizeHint(column)) + 8
            )
            if other or wanted > self.table.columnWidth(column):
                self.table.setColumnWidth(column, wanted)
        legend = self._found.legend if self._found and table and table.marked else ""
        self.note.setText(" ".join(filter(None, (table.note if table else "", legend))))


def _retab(bar: QTabBar, wanted: Sequence[FigureName]) -> None:
    """Give a bar these tabs; the one that was chosen stays chosen, and nothing happens when they are the same."""
    names = [each.name for each in wanted]
    if names == [bar.tabData(place) for place in range(bar.count())]:
        return
    chosen = bar.tabData(bar.currentIndex())
    bar.blockSignals(True)
    while bar.count():
        bar.removeTab(0)
    for each in wanted:
        place = bar.addTab(words.ampersands(words.one_line(short(each.title))))
        bar.setTabData(place, each.name)
        bar.setTabToolTip(place, words.tip(each.title))
    bar.setCurrentIndex(names.index(chosen) if chosen in names else 0)
    bar.blockSignals(False)


def _relist(box: QComboBox, wanted: Sequence[ResultTable]) -> None:
    """The same for a list."""
    names = [each.name for each in wanted]
    if names == [box.itemData(place) for place in range(box.count())]:
        return
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    for each in wanted:
        box.addItem(words.one_line(each.title), each.name)
    box.setCurrentIndex(names.index(chosen) if chosen in names else 0)
    box.blockSignals(False)


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


def _value(cell: str) -> tables.Cell:
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell

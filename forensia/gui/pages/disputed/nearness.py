"""Pr(Same): the disputed text with every known document, as dots by author and as a list for the keyboard; one opens the pair."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from forensia.evidence.result import LAZY, Result
from forensia.gui import numbers, widgets
from forensia.gui.help import HelpButton
from forensia.gui.tasks.pictures import PrSamePlot
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.gui.widgets.drawing import Drawer
from forensia.gui.widgets.plotpane import PlotPane
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr


@dataclass(frozen=True)
class Neighbour:
    """A known document and its model score with the disputed text; `index` is its place in the result."""

    index: int
    document: str
    author: str
    score: float
    near: bool


def neighbours(result: Result) -> list[Neighbour]:
    """The known documents of a result, nearest first; `near` are those that count for their author."""
    reach = {each.author: each.reach for each in result.candidates}
    scores = result.pair_scores
    seen: dict[str, int] = {}
    found = []
    for place in sorted(range(len(scores)), key=lambda place: -scores[place]):
        author = result.known.authors[place]
        seen[author] = seen.get(author, 0) + 1
        document = result.known.documents[place].removeprefix(f"{author}/")  # the author stands beside it
        found.append(Neighbour(place, document, author, scores[place], seen[author] <= reach.get(author, 0)))
    return found


class NeighboursTable(RowsTable[Neighbour]):
    """The known documents as a list. `opened` tells which is opened, by Enter or a double click."""

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__(
            tr("Known documents by model score"),
            (
                RowColumn(
                    "●",
                    lambda row: "●" if row.near else "○",
                    tr("Filled: one of the nearest, which count for the author's Lazy score"),
                    raw=lambda row: int(row.near),
                    spoken=lambda row: tr("counts for the author") if row.near else tr("does not count"),
                    centre=True,
                    width=30,
                ),
                RowColumn(tr("Author"), lambda row: row.author, raw=lambda row: row.author, width=112),
                RowColumn(tr("Document"), lambda row: row.document, raw=lambda row: row.document),
                RowColumn(
                    "Pr(Same)",
                    lambda row: numbers.score(row.score),
                    tr("Model score, from training with equal numbers of same-author and different-author pairs"),
                    raw=lambda row: row.score,
                    roles={SHARE: lambda row: row.score},
                    right=True,
                    width=76,
                ),
            ),
            high=10,
        )
        self.setItemDelegateForColumn(3, BarDelegate(self))
        self.doubleClicked.connect(lambda *_: self._open())

    def _open(self) -> None:
        if self.chosen is not None:
            self.opened.emit(self.chosen.index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)


class NearnessView(QWidget):
    """The strip plot and the list beside it. `opened` tells the place in the result of the document to open as a pair."""

    opened = Signal(int)

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._by_index: dict[int, Neighbour] = {}
        self.strip = PlotPane(tr("Model score with every known document"), drawer, self._named)
        self.table = NeighboursTable()
        self.open = widgets.button(
            tr("Open the pair in Compare"),
            self.table._open,
            tip=tr("Enter in the list, or a click on a dot, does the same"),
        )
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(widgets.card(self.strip, margin=6))
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.table, stretch=1)
        row = QHBoxLayout()
        row.addWidget(self.open)
        row.addStretch(1)
        for topic in ("pr_same", "k"):
            row.addWidget(HelpButton(topic))
        column.addLayout(row)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(10)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([620, 410])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)
        self.strip.picked.connect(self._picked)
        self.table.opened.connect(self.opened)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._ring())
        self.show_result(None)

    def show_result(self, result: Result | None) -> None:
        """Show another text's scores."""
        listed = neighbours(result) if result else []
        self._by_index = {each.index: each for each in listed}
        self.table.rows.set_rows(listed)
        self.open.setEnabled(False)
        if result is None or result.fused_only:
            self.strip.show_plot(None)
            self.strip.say("" if result is None else numbers.to_come(result))
            return
        reach = {each.author: each.reach for each in result.candidates}
        scores = [each.systems[LAZY].score for each in result.candidates]
        authors = result.known.authors
        if result.population:  # one strip for all of them, which counts for nobody
            name = tr("population ({0})").format(f"{result.population:,}")
            authors = tuple(author if author in reach else name for author in authors)
            reach[name] = 0
            scores.append(math.nan)
        self.strip.show_plot(
            PrSamePlot(result.pair_scores, authors, tuple(reach), result.k, tuple(scores), dict(reach))
        )

    def _named(self, index: int) -> str:
        """The known document that a dot stands for."""
        here = self._by_index.get(index)
        return "" if here is None else f"{here.author}\n{here.document}\nPr(Same) {numbers.score(here.score)}"

    def _picked(self, index: int) -> None:
        self.table.choose(lambda row: row.index == index)
        self.opened.emit(index)

    def _ring(self) -> None:
        """Show in the plot where the chosen document is."""
        here = self.table.chosen
        self.open.setEnabled(here is not None)
        if here is not None and self.table.hasFocus():
            self.strip.ring(here.index)

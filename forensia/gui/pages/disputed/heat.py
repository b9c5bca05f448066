"""The heat map: every disputed text that was analysed against every known document, or against authors where these are many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from forensia.evidence.result import Result
from forensia.gui import numbers, widgets
from forensia.gui.tasks.pictures import HeatPlot
from forensia.gui.widgets.drawing import Drawer
from forensia.gui.widgets.plotpane import PlotPane
from forensia.gui.words import tr

MOST_CELLS = 120  # known documents; beyond, the plot has a column for each author (`figures.heatmap`)


class HeatView(QWidget):
    """`opened` tells the disputed document of a cell and the place of the known one in its result (-1: an author, no document)."""

    opened = Signal(str, int)

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._waiting: tuple[Sequence[tuple[str, str, Result]], str] | None = None
        self._texts: list[tuple[str, str, Result]] = []
        self._authors: list[str] = []
        self.pane = PlotPane(tr("Disputed texts against known documents"), drawer, self._named)
        self.pane.reach = 14.0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(widgets.card(self.pane, margin=2))
        self.pane.picked.connect(self._picked)

    def show_results(self, texts: Sequence[tuple[str, str, Result]], chosen: str) -> None:
        """Show texts by their id, title and result; only those that were compared with the same documents as the chosen one.

        With many texts and documents that takes a while, so it is done only when somebody looks.
        """
        self._waiting = (texts, chosen)
        if self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        if self._waiting is None:
            return
        (texts, chosen), self._waiting = self._waiting, None
        mine = next((result for name, _, result in texts if name == chosen), None)
        if mine is None or mine.fused_only:
            self._texts = []
            self.pane.show_plot(None)
            self.pane.say("" if mine is None else numbers.to_come(mine))
            return
        known = mine.known
        self._texts = [each for each in texts if each[2].known == known and not each[2].fused_only]
        rank = {each.author: each.placed.rank for each in mine.candidates}
        last = len(rank) + 1  # the population, which is not ranked
        self._places = sorted(
            range(len(known.authors)), key=lambda place: (rank.get(known.authors[place], last), place)
        )
        authors = tuple(known.authors[place] for place in self._places)
        self._authors = list(dict.fromkeys(authors))
        self.pane.show_plot(
            HeatPlot(
                tuple(tuple(result.pair_scores[place] for place in self._places) for _, _, result in self._texts),
                tuple(title for _, title, _ in self._texts),
                authors,
                mine.k,
            )
        )

    def _cell(self, index: int) -> tuple[str, str, Result, int]:
        """The disputed text of a cell, and the place of the known document in its result or, beyond so many, minus one."""
        many = len(self._places) > MOST_CELLS
        row, column = divmod(index, len(self._authors) if many else len(self._places))
        name, title, result = self._texts[row]
        return name, title, result, -1 - column if many else self._places[column]

    def _named(self, index: int) -> str:
        _, title, result, place = self._cell(index)
        if place < 0:
            return f"{title}\n{self._authors[-1 - place]}"
        author, document = result.known.authors[place], result.known.documents[place]
        return f"{title}\n{author}\n{document}\nPr(Same) {numbers.score(result.pair_scores[place])}"

    def _picked(self, index: int) -> None:
        name, _, _, place = self._cell(index)
        self.opened.emit(name, max(place, -1))

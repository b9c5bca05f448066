"""The scores of an answer as plots: Pr(Same) with every known document, all disputed texts together, and the score among others' scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from forensia.evidence.result import FUSED, LAZY, Result
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.inquiries import Typical
from forensia.gui.tasks.plots import HeatPlot, NamedScores, PrSamePlot, ScoreGroup, ScoresPlot
from forensia.gui.widgets import SHARE, BarDelegate, column, fields, panel, row, split, spring
from forensia.gui.widgets.asking import AskingView, WhenSeen
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording import conditions, numbers

MOST_CELLS = 120  # known documents; beyond, the plot has a column for each author (`figures.matrices`)


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
    listed = []
    for place in sorted(range(len(scores)), key=lambda place: -scores[place]):
        author = result.known.authors[place]
        seen[author] = seen.get(author, 0) + 1
        document = result.known.documents[place].removeprefix(f"{author}/")  # the author stands beside it
        listed.append(Neighbour(place, document, author, scores[place], seen[author] <= reach.get(author, 0)))
    return listed


def _neighbour_columns() -> tuple[RowColumn[Neighbour], ...]:
    return (
        RowColumn(
            "●",
            lambda row: "●" if row.near else "○",
            tr("Filled: one of the nearest, which count for the author's Lazy score"),
            raw=lambda row: int(row.near),
            spoken=lambda row: tr("counts for the author") if row.near else tr("does not count"),
            centre=True,
            width=30,
        ),
        RowColumn(tr("Author"), lambda row: row.author, width=112),
        RowColumn(tr("Document"), lambda row: row.document),
        number(
            "Pr(Same)", lambda row: row.score, numbers.score,
            tr("Model score, from training with equal numbers of same-author and different-author pairs"),
            roles={SHARE: lambda row: row.score}, width=76,
        ),
    )  # fmt: skip


class NearnessView(QWidget):
    """Pr(Same): the known documents as dots by author, and as a list for the keyboard.

    `opened` tells the place in the result of the document to open as a pair.
    """

    opened = Signal(int)

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._by_index: dict[int, Neighbour] = {}
        self.strip = PlotPane(tr("Model score with every known document"), drawer, self._named)
        self.table: RowsTable[Neighbour] = RowsTable(
            tr("Known documents by model score"), _neighbour_columns(), high=10
        )
        self.table.setItemDelegateForColumn(3, BarDelegate(self.table))
        self.open = widgets.button(
            tr("Open the pair in Compare"),
            self.table.open,
            tip=tr("Enter in the list, or a click on a dot, does the same"),
        )
        left = panel(column(widgets.card(self.strip, margin=6)))
        foot = row(self.open, spring(), HelpButton("pr_same"), HelpButton("k"))
        right = panel(column((self.table, 1), foot, spacing=6))
        self.setLayout(column(split((left, 3, 620), (right, 2, 410))))
        self.strip.picked.connect(self._picked)
        self.table.opened.connect(lambda neighbour: self.opened.emit(neighbour.index))
        self.table.picked.connect(self._ring)
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

    def _ring(self, chosen: Neighbour) -> None:
        """Show in the plot where the chosen document is."""
        self.open.setEnabled(True)
        if self.table.hasFocus():
            self.strip.ring(chosen.index)


class HeatView(WhenSeen):
    """The heat map: every disputed text that was analysed against every known document, or against authors where these are many.

    `opened` tells the disputed document of a cell and the place of the known one in its result (-1: an author, no document).
    """

    opened = Signal(str, int)

    def __init__(self, drawer: Drawer) -> None:
        super().__init__()
        self._waiting: tuple[Sequence[tuple[str, str, Result]], str] | None = None
        self._texts: list[tuple[str, str, Result]] = []
        self._authors: list[str] = []
        self.pane = PlotPane(tr("Disputed texts against known documents"), drawer, self._named)
        self.pane.reach = 14.0
        self.setLayout(column(widgets.card(self.pane, margin=2)))
        self.pane.picked.connect(self._picked)

    def show_results(self, texts: Sequence[tuple[str, str, Result]], chosen: str) -> None:
        """Show texts by their id, title and result; only those that were compared with the same documents as the chosen one.

        With many texts and documents that takes a while, so it is done only when somebody looks.
        """
        self._waiting = (texts, chosen)
        if self.isVisible():
            self._look()

    def _look(self) -> None:
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


class TypicalView(AskingView):
    """How typical? Where this text stands among the scores of the validation: with its own author, with others, with outsiders."""

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__(worker)
        self._case = self._title = ""
        self._result: Result | None = None
        self._data: Typical | None = None
        self.author = fields.choice(tr("Author whose score is shown"), letters=12, most=320)
        self.said = widgets.label(quiet=True)
        self.pane = PlotPane(tr("This text among the scores of the validation"), drawer)
        name = widgets.label(tr("Score for"), wrap=False)
        top = row(name, (self.author, 2), HelpButton("typical"), (self.said, 5))
        self.setLayout(column(top, (widgets.card(self.pane, margin=2), 1), spacing=4))
        self.author.currentIndexChanged.connect(lambda *_: self._draw())

    def show_result(self, case: str, title: str, result: Result | None, why_not: str = "") -> None:
        """Show where another text stands; `why_not` says why that cannot be told now."""
        self._forget()
        self._case, self._title, self._data = case, title, None
        if not why_not and not (result is not None and any(each.headline for each in result.candidates)):
            why_not = tr("Not estimable: this result has no validation behind it.")
        elif not why_not and result is not None and FUSED not in result.systems:
            why_not = tr("This result is of an earlier version, without a fused score. Analyse the text again.")
        self._result = result if not why_not else None
        fields.refill_with_authors(self.author, (each.author for each in result.candidates) if result else ())
        self.pane.show_plot(None)
        self.said.setText(why_not)
        self._look()

    def choose(self, author: str) -> None:
        """Show the score for another author."""
        fields.choose(self.author, author)

    def _look(self) -> None:
        result = self._result
        if result is None or self._data is not None:
            return

        def done(answer: Typical) -> None:
            self._data = answer
            self.said.setText(tr("Beside {0}.").format(conditions.measured(answer.condition)))
            self._draw()

        fused = {each.author: each.systems[FUSED].score for each in result.candidates}
        if self._ask(
            result, inquiries.typical, done, self.said.setText,
            case=self._case, fused=fused, words=result.words, source=result.stated.source,
        ):  # fmt: skip
            self.said.setText(tr("Reading the validation…"))

    def _draw(self) -> None:
        data, author = self._data, self.author.currentData()
        if data is None or not author:
            return
        own = data.own_of.get(author, ())
        mine = NamedScores(tr("{0}: own texts").format(words.shortened(author, 14)), True, ScoreGroup(own, len(own)))
        rows = tuple(row for row in (mine, *data.scores.rows) if row.scores.size)
        about = tr("{0} with {1}").format(words.shortened(self._title, 24), words.shortened(author, 24))
        self.pane.show_plot(ScoresPlot(rows, data.here.get(author), about, data.scores.stand_ins))

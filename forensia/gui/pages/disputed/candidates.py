"""Rankings and verification in one table: for each candidate author the scores, the likelihood ratio on its scale, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from forensia.evidence.result import FUSED, LAZY, STACKED, Alternative, Candidate, LikelihoodRatio, Result
from forensia.gui import numbers, words
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.gui.widgets.ratioscale import RATIO, ScaleDelegate
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr
from forensia.wording.ratios import ACCEPTED_CAPTION, CONFORMAL_CAPTION, NOT_ESTIMABLE, RANKING_CAPTION


def told(candidate: Candidate) -> str:
    """The likelihood ratio with both alternatives, in words."""
    ratio = candidate.headline
    if ratio is None:
        return numbers.spoken(None)
    lines = [numbers.spoken(ratio), numbers.support(ratio)]
    population = ratio.alternative is Alternative.POPULATION or _is(candidate.unlisted, Alternative.POPULATION)
    outside = tr("against somebody else, as in the population: log10 LR {0}")
    if not population:
        outside = tr("against somebody not in the corpus: log10 LR {0}")
    for found, against in (
        (candidate.listed, tr("against another listed author: log10 LR {0}")),
        (candidate.unlisted, outside),
    ):
        if found is not None or not population:
            lines.append(against.format(numbers.signed(found.log10) if found is not None else tr("not estimable")))
    return "\n".join(lines)


def _is(ratio: LikelihoodRatio | None, alternative: Alternative) -> bool:
    return ratio is not None and ratio.alternative is alternative


def _both(candidate: Candidate) -> str:
    """The log10 LR against another listed author and against somebody not in the corpus; an only candidate has no first one."""
    if candidate.headline is None:
        return numbers.NOTHING
    if candidate.listed is None:
        return numbers.signed(_log10(candidate.unlisted))
    return " | ".join(numbers.signed(_log10(each)) for each in (candidate.listed, candidate.unlisted))


def _log10(ratio: LikelihoodRatio | None) -> float | None:
    return None if ratio is None else ratio.log10


def _end(ratio: LikelihoodRatio | None, place: int) -> float | None:
    return None if ratio is None or ratio.interval is None else ratio.interval[place]


def _accepted(candidate: Candidate) -> str:
    return ", ".join(words.method(system) for system in candidate.accepted_by) or numbers.NOTHING


def _exported(head: str, value: Callable[[Candidate], Any]) -> RowColumn[Candidate]:
    """A column of the exported table for which the window has no room."""
    return RowColumn(head, lambda row: str(value(row)), raw=value, hidden=True, width=60)


def _score(candidate: Candidate, system: str) -> float | None:
    placed = candidate.systems.get(system)
    return None if placed is None else placed.score


def _rank(candidate: Candidate, system: str) -> int | None:
    placed = candidate.systems.get(system)
    return None if placed is None else placed.rank


def _pair_column(head: str, system: str, about: str) -> RowColumn[Candidate]:
    """The scores of a system that needs the diff-vector part, which may not be trained yet."""

    def spoken(row: Candidate) -> str:
        if system not in row.systems:
            return tr("not trained yet")
        return tr("{0}, rank {1}").format(numbers.score(_score(row, system)), _rank(row, system))

    return RowColumn(
        head,
        lambda row: numbers.score(_score(row, system)),
        f"{about}; {RANKING_CAPTION}",
        raw=lambda row: _score(row, system),
        spoken=spoken,
        bold=lambda row: _rank(row, system) == 1,
        roles={SHARE: lambda row: _score(row, system)},
        right=True,
        width=76,
    )


def _columns(support: Callable[[Candidate], str]) -> tuple[RowColumn[Candidate], ...]:
    return (
        RowColumn(
            "#",
            lambda row: str(row.placed.rank),
            tr("Rank: {0}").format(RANKING_CAPTION),
            raw=lambda row: row.placed.rank,
            spoken=lambda row: tr("rank {0}").format(row.placed.rank),
            right=True,
            width=34,
        ),
        RowColumn(
            tr("Author"),
            lambda row: row.author,
            tr("Candidate author"),
            raw=lambda row: row.author,
            tip=lambda row: tr("{0}\n{1} known documents").format(row.author, row.texts),
            bold=lambda row: row.placed.rank == 1,
            width=190,
        ),
        RowColumn(
            tr("Fused"),
            lambda row: numbers.signed(_score(row, FUSED)),
            tr("Scores of all families of features, each with its weight, added up; no probability; {0}").format(RANKING_CAPTION),
            raw=lambda row: _score(row, FUSED),
            bold=lambda row: row.placed.rank == 1,
            right=True,
            width=64,
        ),
        _pair_column(tr("Lazy"), LAZY, tr("Mean model score of the author's nearest documents")),
        _pair_column(tr("Stacked"), STACKED, tr("Score of a second model that weighs all comparisons together")),
        RowColumn(
            tr("log10 LR"),
            _both,
            tr(
                "Likelihood ratio as a power of ten: +1 means that the findings are 10 times more probable if this author wrote "
                "the text than if another did; below 0 it is the other way round. First against another listed author, then against "
                "somebody not in the corpus, or somebody as in the population, where that is estimable; the lower one counts."
            ),
            raw=lambda row: _log10(row.headline),
            spoken=told,
            tip=told,
            centre=True,
            width=104,
        ),
        RowColumn(
            tr("against   ◂   0   ▸   for"),
            lambda row: "",
            tr("The likelihood ratio with its 95 % interval; an arrow head stands at a limit that the validation supports"),
            spoken=lambda row: numbers.spoken(row.headline),
            tip=told,
            roles={RATIO: lambda row: row.headline},
            centre=True,
            drawn=True,
        ),
        RowColumn(
            tr("Support"),
            support,
            tr("The likelihood ratio in the words of a verbal scale (Marquis et al. 2016)"),
            raw=lambda row: said if (said := support(row)) != numbers.NOTHING else None,
            tip=told,
            width=148,
        ),
        RowColumn(
            "p",
            lambda row: numbers.share(row.p),
            tr("Conformal p: {0}").format(CONFORMAL_CAPTION),
            raw=lambda row: row.p,
            spoken=lambda row: tr("conformal p {0}").format(numbers.share(row.p)),
            tip=lambda row: "" if row.can_be_ruled_out else tr("{0} cannot be ruled out: too few known texts").format(row.author),
            right=True,
            width=62,
        ),
        RowColumn(
            tr("Accepted by"),
            _accepted,
            tr("Each system for itself: {0}").format(ACCEPTED_CAPTION),
            raw=lambda row: _accepted(row) if row.accepted_by else None,
            spoken=lambda row: tr("accepted by {0}").format(_accepted(row)) if row.accepted_by else tr("not accepted"),
            width=104,
        ),
        *(_exported(head, value) for head, value in (
            (tr("95 % interval from"), lambda row: _end(row.headline, 0)),
            (tr("95 % interval to"), lambda row: _end(row.headline, 1)),
            (tr("At a limit of the validation"), lambda row: row.headline and row.headline.reached is not None),
            (tr("log10 LR against another listed author"), lambda row: _log10(row.listed)),
            (tr("log10 LR against somebody not in the corpus"), lambda row: _log10(row.unlisted)),
            (tr("Lazy rank"), lambda row: _rank(row, LAZY)),
            (tr("Stacked rank"), lambda row: _rank(row, STACKED)),
        )),
    )  # fmt: skip


class CandidatesTable(RowsTable[Candidate]):
    """The candidates. `picked` tells the author of the row that is chosen, `opened` one that is opened by Enter or a double click."""

    picked = Signal(str)
    opened = Signal(str)

    def __init__(self) -> None:
        self._validated = False
        super().__init__(tr("Candidate authors: rankings and verification"), _columns(self._support), high=13)
        bars = BarDelegate(self)
        self.setItemDelegateForColumn(3, bars)
        self.setItemDelegateForColumn(4, bars)
        self.setItemDelegateForColumn(6, ScaleDelegate(self))
        self.selectionModel().currentRowChanged.connect(lambda *_: self._picked())
        self.doubleClicked.connect(lambda *_: self._opened())

    def show_result(self, result: Result | None) -> None:
        """Show the authors of another result, in the order of the headline ranking."""
        self._validated = result is not None and result.condition is not None
        self.rows.set_rows(result.candidates if result else ())
        self.setColumnHidden(0, result is not None and len(result.candidates) == 1)  # nobody is ranked
        self.setColumnHidden(2, result is not None and FUSED not in result.systems)

    def _support(self, row: Candidate) -> str:
        if not self._validated:
            return numbers.NOTHING
        return NOT_ESTIMABLE if row.headline is None else numbers.support(row.headline)

    def _picked(self) -> None:
        if self.chosen is not None:
            self.picked.emit(self.chosen.author)

    def _opened(self) -> None:
        if self.chosen is not None:
            self.opened.emit(self.chosen.author)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._opened()
        else:
            super().keyPressEvent(event)

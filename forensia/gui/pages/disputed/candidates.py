"""Rankings and verification in one table: for each candidate author the scores, the likelihood ratio on its scale, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from forensia.evidence.result import FUSED, LAZY, STACKED, Candidate, Result
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.gui.widgets.opinioncards import RATIO, ScaleDelegate
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.words import tr
from forensia.wording import numbers, reasons
from forensia.wording.ratios import ACCEPTED_CAPTION, CONFORMAL_CAPTION, NOT_ESTIMABLE, RANKING_CAPTION


def _both(candidate: Candidate) -> str:
    """The log10 LR against another listed author and against somebody not in the corpus; an only candidate has no first one."""
    if candidate.headline is None:
        return numbers.NOTHING
    ratios = (candidate.unlisted,) if candidate.listed is None else (candidate.listed, candidate.unlisted)
    return " | ".join(numbers.signed(numbers.log10(each)) for each in ratios)


def _accepted(candidate: Candidate) -> str:
    return ", ".join(reasons.METHODS[system] for system in candidate.accepted_by) or numbers.NOTHING


def _exported(head: str, value: Callable[[Candidate], Any]) -> RowColumn[Candidate]:
    """A column of the exported table for which the window has no room."""
    return RowColumn(head, lambda row: str(value(row)), raw=value, hidden=True, width=60)


def _placed(system: str, what: str) -> Callable[[Candidate], Any]:
    """The score or the rank by a system, which may not be trained yet."""
    return lambda row: getattr(row.systems.get(system), what, None)


def _pair_column(head: str, system: str, about: str) -> RowColumn[Candidate]:
    """The scores of a system that needs the diff-vector part."""
    score, rank = _placed(system, "score"), _placed(system, "rank")

    def spoken(row: Candidate) -> str:
        if system not in row.systems:
            return tr("not trained yet")
        return tr("{0}, rank {1}").format(numbers.score(score(row)), rank(row))

    return number(
        head, score, numbers.score, f"{about}; {RANKING_CAPTION}",
        spoken=spoken, bold=lambda row: rank(row) == 1, roles={SHARE: score}, width=76,
    )  # fmt: skip


def _columns(support: Callable[[Candidate], str]) -> tuple[RowColumn[Candidate], ...]:
    return (
        number(
            "#", lambda row: row.placed.rank, str, tr("Rank: {0}").format(RANKING_CAPTION),
            spoken=lambda row: tr("rank {0}").format(row.placed.rank), width=34,
        ),
        RowColumn(
            tr("Author"), lambda row: row.author, tr("Candidate author"),
            tip=lambda row: tr("{0}\n{1} known documents").format(row.author, row.texts),
            bold=lambda row: row.placed.rank == 1, width=190,
        ),
        number(
            tr("Fused"), _placed(FUSED, "score"), numbers.signed,
            tr("Scores of all families of features, each with its weight, added up; no probability; {0}").format(RANKING_CAPTION),
            bold=lambda row: row.placed.rank == 1, width=64,
        ),
        _pair_column(tr("Lazy"), LAZY, tr("Mean model score of the author's nearest documents")),
        _pair_column(tr("Stacked"), STACKED, tr("Score of a second model that weighs all comparisons together")),
        RowColumn(
            tr("log10 LR"), _both,
            tr(
                "Likelihood ratio as a power of ten: +1 means that the findings are 10 times more probable if this author wrote "
                "the text than if another did; below 0 it is the other way round. First against another listed author, then against "
                "somebody not in the corpus, or somebody as in the population, where that is estimable; the lower one counts."
            ),
            raw=lambda row: numbers.log10(row.headline), spoken=numbers.both_ratios, tip=numbers.both_ratios, centre=True, width=104,
        ),
        RowColumn(
            tr("against   ◂   0   ▸   for"), lambda row: "",
            tr("The likelihood ratio with its 95 % interval; an arrow head stands at a limit that the validation supports"),
            spoken=lambda row: numbers.spoken(row.headline), tip=numbers.both_ratios,
            roles={RATIO: lambda row: row.headline}, centre=True, drawn=True,
        ),
        RowColumn(
            tr("Support"), support, tr("The likelihood ratio in the words of a verbal scale (Marquis et al. 2016)"),
            raw=lambda row: said if (said := support(row)) != numbers.NOTHING else None, tip=numbers.both_ratios, width=148,
        ),
        number(
            "p", lambda row: row.p, numbers.share, tr("Conformal p: {0}").format(CONFORMAL_CAPTION),
            spoken=lambda row: tr("conformal p {0}").format(numbers.share(row.p)),
            tip=lambda row: "" if row.can_be_ruled_out else tr("{0} cannot be ruled out: too few known texts").format(row.author),
            width=62,
        ),
        RowColumn(
            tr("Accepted by"), _accepted, tr("Each system for itself: {0}").format(ACCEPTED_CAPTION),
            raw=lambda row: _accepted(row) if row.accepted_by else None,
            spoken=lambda row: tr("accepted by {0}").format(_accepted(row)) if row.accepted_by else tr("not accepted"), width=104,
        ),
        *(_exported(head, value) for head, value in (
            (tr("95 % interval from"), lambda row: numbers.end(row.headline, 0)),
            (tr("95 % interval to"), lambda row: numbers.end(row.headline, 1)),
            (tr("At a limit of the validation"), lambda row: row.headline and row.headline.reached is not None),
            (tr("log10 LR against another listed author"), lambda row: numbers.log10(row.listed)),
            (tr("log10 LR against somebody not in the corpus"), lambda row: numbers.log10(row.unlisted)),
            (tr("Lazy rank"), _placed(LAZY, "rank")),
            (tr("Stacked rank"), _placed(STACKED, "rank")),
        )),
    )  # fmt: skip


class CandidatesTable(RowsTable[Candidate]):
    """The candidates, in the order of the headline ranking."""

    def __init__(self) -> None:
        self._validated = False
        super().__init__(tr("Candidate authors: rankings and verification"), _columns(self._support), high=13)
        bars = BarDelegate(self)
        self.setItemDelegateForColumn(3, bars)
        self.setItemDelegateForColumn(4, bars)
        self.setItemDelegateForColumn(6, ScaleDelegate(self))

    def show_result(self, result: Result | None) -> None:
        """Show the authors of another result."""
        self._validated = result is not None and result.condition is not None
        self.rows.set_rows(result.candidates if result else ())
        self.setColumnHidden(0, result is not None and len(result.candidates) == 1)  # nobody is ranked
        self.setColumnHidden(2, result is not None and FUSED not in result.systems)

    def _support(self, row: Candidate) -> str:
        if not self._validated:
            return numbers.NOTHING
        return NOT_ESTIMABLE if row.headline is None else numbers.support(row.headline)

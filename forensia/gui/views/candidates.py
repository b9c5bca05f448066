"""Rankings and verification in one table: for each candidate author both scores, the likelihood ratio on its scale, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent

from forensia.gui.views import numbers
from forensia.gui.views.numbers import Ratio
from forensia.gui.views.rows import Column, RowsTable
from forensia.gui.views.scale import RATIO, ScaleDelegate
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.wording.ratios import CONFORMAL_CAPTION, RANKING_CAPTION


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("", text)


@dataclass(frozen=True)
class Candidate:
    """All that is said about one author."""

    rank: int
    author: str
    lazy: float
    stacked: float | None
    stacked_rank: int | None
    ratio: Ratio
    listed: float | None
    unlisted: float | None
    verbal: str | None
    p: float | None
    documents: int | None

    @property
    def told(self) -> str:
        """The likelihood ratio with both alternatives, in words."""
        if self.ratio.value is None:
            return self.ratio.spoken
        lines = [self.ratio.spoken, numbers.support(self.verbal)]
        for value, against in (
            (self.listed, tr("against another listed author: log10 LR {0}")),
            (self.unlisted, tr("against somebody not in the corpus: log10 LR {0}")),
        ):
            lines.append(against.format(numbers.signed(value) if value is not None else tr("not estimable")))
        return "\n".join(lines)


def candidates(result: Mapping[str, Any] | None) -> list[Candidate]:
    """The authors of a result, in the order of the Lazy ranking."""
    if not result:
        return []
    stacked = {row["author"]: row for row in result["stacked"]}
    verified = {row["author"]: row for row in result.get("verification", ())}
    found = []
    for row in result["lazy"]:
        author = str(row["author"])
        second, about = stacked.get(author, {}), verified.get(author, {})
        ratio = Ratio.of(about.get("log10_lr"), about.get("log10_lr_interval"), about.get("bounded"))
        found.append(
            Candidate(
                int(row["rank"]), author, float(row["score"]), second.get("score"), second.get("rank"), ratio,
                about.get("log10_lr_listed"), about.get("log10_lr_unlisted"), about.get("verbal"),
                about.get("conformal_p"), about.get("documents"),
            )
        )  # fmt: skip
    return found


def _exported(head: str, value: Callable[[Candidate], Any]) -> Column[Candidate]:
    """A column of the exported table for which the window has no room."""
    return Column(head, lambda row: str(value(row)), raw=value, hidden=True, width=60)


def _columns() -> tuple[Column[Candidate], ...]:
    return (
        Column(
            "#",
            lambda row: str(row.rank),
            tr("Rank by Lazy: {0}").format(RANKING_CAPTION),
            raw=lambda row: row.rank,
            spoken=lambda row: tr("rank {0}").format(row.rank),
            right=True,
            width=34,
        ),
        Column(
            tr("Author"),
            lambda row: row.author,
            tr("Candidate author"),
            raw=lambda row: row.author,
            tip=lambda row: (
                row.author
                if row.documents is None
                else tr("{0}\n{1} known documents").format(row.author, row.documents)
            ),
            bold=lambda row: row.rank == 1,
            width=230,
        ),
        Column(
            tr("Lazy"),
            lambda row: numbers.score(row.lazy),
            tr("Mean model score of the author's nearest documents; {0}").format(RANKING_CAPTION),
            raw=lambda row: row.lazy,
            bold=lambda row: row.rank == 1,
            roles={SHARE: lambda row: row.lazy},
            right=True,
            width=88,
        ),
        Column(
            tr("Stacked"),
            lambda row: numbers.score(row.stacked),
            tr("Score of a second model that weighs all comparisons together; {0}").format(RANKING_CAPTION),
            raw=lambda row: row.stacked,
            spoken=lambda row: tr("{0}, rank {1}").format(numbers.score(row.stacked), row.stacked_rank or "–"),
            bold=lambda row: row.stacked_rank == 1,
            roles={SHARE: lambda row: row.stacked},
            right=True,
            width=88,
        ),
        Column(
            tr("log10 LR"),
            lambda row: numbers.signed(row.ratio.value),
            tr(
                "Likelihood ratio as a power of ten: +1 means that the findings are 10 times more probable if this author wrote "
                "the text than if another did; below 0 it is the other way round. Of the two alternatives (another listed author, "
                "somebody not in the corpus) the weaker one counts."
            ),
            raw=lambda row: row.ratio.value,
            spoken=lambda row: row.ratio.spoken,
            tip=lambda row: row.told,
            right=True,
            width=72,
        ),
        Column(
            tr("against   ◂   0   ▸   for"),
            lambda row: "",
            tr("The likelihood ratio with its 95 % interval; an arrow head stands at a limit that the validation supports"),
            spoken=lambda row: row.ratio.spoken,
            tip=lambda row: row.told,
            roles={RATIO: lambda row: row.ratio},
            centre=True,
            drawn=True,
        ),
        Column(
            tr("Support"),
            lambda row: numbers.support(row.verbal),
            tr("The likelihood ratio in the words of a verbal scale (Marquis et al. 2016)"),
            raw=lambda row: numbers.support(row.verbal) if row.verbal else None,
            tip=lambda row: row.told,
            width=148,
        ),
        Column(
            "p",
            lambda row: numbers.share(row.p),
            tr("Conformal p: {0}").format(CONFORMAL_CAPTION),
            raw=lambda row: row.p,
            spoken=lambda row: tr("conformal p {0}").format(numbers.share(row.p)),
            right=True,
            width=52,
        ),
        *(_exported(head, value) for head, value in (
            (tr("95 % interval from"), lambda row: row.ratio.interval and row.ratio.interval[0]),
            (tr("95 % interval to"), lambda row: row.ratio.interval and row.ratio.interval[1]),
            (tr("At a limit of the validation"), lambda row: None if row.ratio.value is None else row.ratio.bounded),
            (tr("log10 LR against another listed author"), lambda row: row.listed),
            (tr("log10 LR against somebody not in the corpus"), lambda row: row.unlisted),
            (tr("Stacked rank"), lambda row: row.stacked_rank),
        )),
    )  # fmt: skip


class CandidatesTable(RowsTable[Candidate]):
    """The candidates. `picked` tells the author of the row that is chosen, `opened` one that is opened by Enter or a double click."""

    picked = Signal(str)
    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Candidate authors: rankings and verification"), _columns(), high=13)
        bars = BarDelegate(self)
        self.setItemDelegateForColumn(2, bars)
        self.setItemDelegateForColumn(3, bars)
        self.setItemDelegateForColumn(5, ScaleDelegate(self))
        self.selectionModel().currentRowChanged.connect(lambda *_: self._picked())
        self.doubleClicked.connect(lambda *_: self._opened())

    def show_result(self, result: Mapping[str, Any] | None) -> None:
        """Show the authors of another result."""
        self.rows.set_rows(candidates(result))

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

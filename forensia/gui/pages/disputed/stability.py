"""Does it hold? Who comes first when something that should not matter is changed, and whether other methods agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from forensia.evidence.result import FUSED, Result, Vote
from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.widgets import column, row, split
from forensia.gui.widgets.table import Row, RowColumn, RowsTable, number
from forensia.gui.words import tr
from forensia.wording import numbers, opinion, reasons


@dataclass(frozen=True)
class ChangeRow:
    """One change, who comes first then, and whether that is the author of the conclusion."""

    what: str
    first: str
    holds: bool
    rank: int | None
    log10_lr: float | None
    range: tuple[float, float] | None = None

    @property
    def ratio(self) -> str:
        if self.range is not None:
            return f"{numbers.signed(self.range[0])} … {numbers.signed(self.range[1])}"
        return numbers.signed(self.log10_lr)


def changes(result: Result) -> list[ChangeRow]:
    """The rows of the sensitivity table; leaving out known documents is one of them."""
    sensitivity = result.sensitivity
    if sensitivity is None:
        return []
    author, asked = sensitivity.author, result.asked is not None
    rows = [
        ChangeRow(
            opinion.CHANGES[row.kind].format(_what(row.kind, row.what)),
            row.first,
            _same_side(result, row.log10) if asked else row.first == author,
            row.rank,
            row.log10,
        )
        for row in sensitivity.variants
    ]
    left = sensitivity.left_out
    changed = left.first_changes
    if asked and not left.documents:
        return rows
    rows.append(
        ChangeRow(
            opinion.left_out_in_turn(left.documents),
            author if not changed else opinion.another_first(changed, left.documents),
            not changed if not asked else all(_same_side(result, end) for end in left.log10 or ()),
            None,
            None,
            left.log10,
        )
    )
    return rows


def _same_side(result: Result, log10: float | None) -> bool:
    """Whether a change leaves the LR of the author who is asked about on its side of 1."""
    ratio = result.subject.headline
    return ratio is None or log10 is None or (log10 > 0) == (ratio.log10 > 0)


def methods(result: Result) -> list[Vote]:
    """The rankings and the methods of another kind. Where there is a population, Lazy and Stacked accept whom they put before all of it."""
    author = result.sensitivity.author if result.sensitivity else result.candidates[0].author
    votes = []
    for system in result.rankings:
        first = result.ranked(system)[0]
        accepts = first.systems[system].accepted if result.population and system != FUSED else None
        votes.append(Vote(system, first.author, first.author == author, accepts))
    return [*votes, *result.votes]


def _what(kind: str, what: str) -> str:
    return words.family_name(what).lower() if kind == "family off" else what


def _agreement(holds: Callable[[Row], bool], yes: str, no: str) -> RowColumn[Row]:
    """A sign that says whether the answer is confirmed."""
    return RowColumn(
        "", lambda row: "✓" if holds(row) else "≠", raw=lambda row: int(holds(row)),
        spoken=lambda row: yes if holds(row) else no, bold=lambda row: not holds(row), centre=True, width=30,
    )  # fmt: skip


def _change_columns() -> tuple[RowColumn[ChangeRow], ...]:
    return (
        _agreement(lambda row: row.holds, tr("holds"), tr("does not hold")),
        RowColumn(tr("Change"), lambda row: row.what),
        RowColumn(tr("First then"), lambda row: row.first, bold=lambda row: not row.holds, width=150),
        number(
            tr("Rank"), lambda row: row.rank, lambda rank: str(rank or "–"), tr("Where the author of the conclusion stands then"), width=54
        ),
        RowColumn(
            tr("log10 LR"), lambda row: row.ratio, tr("Of the author of the conclusion; only where the calibration still applies"),
            raw=lambda row: row.log10_lr, right=True, width=104,
        ),
    )  # fmt: skip


def _method_columns() -> tuple[RowColumn[Vote], ...]:
    return (
        _agreement(lambda row: row.agrees, tr("agrees"), tr("disagrees")),
        RowColumn(tr("Method"), lambda row: reasons.METHODS[row.method]),
        RowColumn(tr("Puts first"), lambda row: row.first, bold=lambda row: not row.agrees, width=140),
        RowColumn(
            tr("Accepts"), lambda row: "–" if row.accepts is None else tr("yes") if row.accepts else tr("no"),
            tr("Whether the author it puts first passes the method's own threshold, where it has one"), width=68,
        ),
    )  # fmt: skip


class StabilityView(QWidget):
    """A sentence, the table of changes, and the methods beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.said = widgets.label()
        self.changes: RowsTable[ChangeRow] = RowsTable(
            tr("What changes when something is changed"), _change_columns(), high=8
        )
        self.methods: RowsTable[Vote] = RowsTable(tr("Whom other methods put first"), _method_columns(), high=8)
        top = row((self.said, 1), HelpButton("sensitivity"))
        self.setLayout(column(top, (split((self.changes, 3, 610), (self.methods, 2, 420)), 1), spacing=6))
        self.show_result(None)

    def show_result(self, result: Result | None) -> None:
        """Show how another answer holds."""
        rows = changes(result) if result else []
        others = methods(result) if result else []
        self.changes.rows.set_rows(rows)
        self.methods.rows.set_rows(others)
        alone = result is not None and len(result.candidates) == 1
        for table, ranked in ((self.changes, (2, 3)), (self.methods, (0, 2))):  # what says who is first of several
            for place in ranked:
                table.setColumnHidden(place, alone)
        self.said.setText(_sentence(result, rows, others))


def _sentence(result: Result | None, rows: list[ChangeRow], others: list[Vote]) -> str:
    if result is None:
        return ""
    if result.sensitivity is None:
        return opinion.NOT_TRIED
    author = words.shortened(words.one_line(result.sensitivity.author))
    broken = sum(not row.holds for row in rows)
    if result.asked is not None:
        judging = [row for row in others if row.accepts is not None]
        accepting = sum(bool(row.accepts) and row.first == result.sensitivity.author for row in judging)
        return opinion.stays_on_its_side(author, broken, len(rows), accepting, len(judging))
    return opinion.stays_first(author, broken, len(rows), sum(not row.agrees for row in others), len(others))

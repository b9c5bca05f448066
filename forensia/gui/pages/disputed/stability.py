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
from forensia.wording import numbers, reasons


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
    kinds = {
        "seed": tr("Other sample of pairs ({0})"),  # in results of version 0.1
        "family off": tr("Without {0}"),
        "mask": tr("With the {0}"),
        "half": tr("Only the {0} of the text"),
        "typing": tr("The disputed text {0}"),
        "source off": tr("Without the source '{0}'"),
        "punctuation": tr("The disputed text with {0}"),
        "equal numbers": tr("With {0}"),
    }
    rows = [
        ChangeRow(
            kinds[row.kind].format(_what(row.kind, row.what)),
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
            tr("Each of the {0:,} known documents left out in turn").format(left.documents),
            author if not changed else tr("another author {0} of {1} times").format(changed, left.documents),
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
        return tr("Not tried: it takes a validated model of the forensic profile.")
    author = words.shortened(words.one_line(result.sensitivity.author))
    broken = [row for row in rows if not row.holds]
    if result.asked is not None:
        return _of_asked(author, rows, broken, [row for row in others if row.accepts is not None])
    against = [row for row in others if not row.agrees]
    first = (
        tr("{0} stays first under every change of features, topic, known documents and half of the text.").format(
            author
        )
        if not broken
        else tr("{0} does not stay first under {1} of {2} changes.").format(author, len(broken), len(rows))
    )
    second = (
        tr("All methods put {0} first.").format(author)
        if not against
        else tr("{0} of {1} methods put somebody else first.").format(len(against), len(others))
    )
    return f"{first} {second}"


def _of_asked(author: str, rows: list[ChangeRow], broken: list[ChangeRow], judging: list[Vote]) -> str:
    """Of an author who is asked about, what matters is which side of 1 the LR is on."""
    first = tr("The likelihood ratio for {0} stays on its side of 1 under every change.").format(author)
    if broken:
        text = tr("The likelihood ratio for {0} changes to the other side of 1 under {1} of {2} changes.")
        first = text.format(author, len(broken), len(rows))
    if not judging:
        return first
    accepting = sum(bool(row.accepts) and row.first == author for row in judging)
    return f"{first} {tr('{0} of {1} other methods accept {2}.').format(accepting, len(judging), author)}"

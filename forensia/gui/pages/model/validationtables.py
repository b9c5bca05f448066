"""The figures of the validation: those for a new source and for a known one side by side, and below them those for other lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from forensia.evidence.result import Ends
from forensia.evidence.summary import Figure, OnListed, Performance, ValidationSummary
from forensia.gui import numbers, widgets
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr
from forensia.report.printing import Printer
from forensia.wording import conditions

Compared = tuple[str, str, str]  # what was measured, for a new source, for a known one


class ComparedTable(RowsTable[Compared]):
    """Each row as high as its words need, and the whole as high as its rows: it is read at one glance."""

    def __init__(self) -> None:
        super().__init__(tr("From a new source and from a known one"), _compared(), sortable=False)
        self.setWordWrap(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().setMinimumSectionSize(self.fontMetrics().height() + 7)
        self.horizontalHeader().sectionResized.connect(self._fit)

    def show_rows(self, rows: Sequence[Compared]) -> None:
        self.rows.set_rows(rows)
        self._fit()

    def _fit(self, *_: int) -> None:
        self.resizeRowsToContents()
        self.setFixedHeight(
            self.horizontalHeader().height() + self.verticalHeader().length() + 2 * self.frameWidth() + 4
        )


class FiguresView(QScrollArea):
    """Both tables, which a small window scrolls; empty as long as there is no validation."""

    def __init__(self) -> None:
        super().__init__()
        self.table = ComparedTable()
        self.lengths: RowsTable[Figure] = RowsTable(tr("Shorter and longer texts"), _lengths(), high=7)
        self.lengths.setMinimumHeight(140)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.table)
        column.addWidget(widgets.label(tr("Shorter and longer texts"), bold=True, wrap=False))
        column.addWidget(self.lengths, stretch=1)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Figures"))

    def show_summary(self, summary: ValidationSummary | None) -> None:
        self.table.show_rows(conditions.side_by_side(summary, Printer()) if summary else ())
        self.lengths.rows.set_rows(summary.figures if summary else ())
        alone = summary is not None and summary.reference is not None and summary.reference.alone
        for column in _RANKED:
            self.lengths.setColumnHidden(column, alone)


_RANKED = (
    2,
    3,
    6,
)  # the columns of the lengths that need several candidates: an opinion for the only one is right if it is given


def _compared() -> tuple[RowColumn[Compared], ...]:
    new = tr("A text from a new source: one source of every author was left out at a time")
    known = tr("A new text from a known source: each text was left out by itself")
    return (
        RowColumn("", lambda row: row[0], tr("What was measured on whole known texts"), width=184),
        RowColumn(tr("From a new source"), lambda row: row[1], new),
        RowColumn(tr("From a known source"), lambda row: row[2], known),
    )


def _lengths() -> tuple[RowColumn[Figure], ...]:
    def share(head: str, about: str, take: Callable[[Figure], tuple[float | None, Ends | None]]) -> RowColumn[Figure]:
        return RowColumn(
            head,
            lambda row: numbers.percent(take(row)[0]),
            about,
            raw=lambda row: take(row)[0],
            tip=lambda row: _within(take(row)[1]),
            right=True,
            width=70,
        )

    def cost(head: str, about: str, take: Callable[[Figure], Performance | None]) -> RowColumn[Figure]:
        def cllr(row: Figure) -> float | None:
            found = take(row)
            return None if found is None else found.cllr

        def ends(row: Figure) -> Ends | None:
            found = take(row)
            return None if found is None else found.cllr_interval

        return RowColumn(
            head,
            lambda row: numbers.NOTHING if (value := cllr(row)) is None else f"{value:.2f}",
            about,
            raw=cllr,
            tip=lambda row: _within(ends(row), Printer.costs),
            right=True,
            width=74,
        )

    return (
        RowColumn(tr("Source"), _source, raw=_source, width=64),
        RowColumn(
            tr("Words"), _words, tr("How long the texts were"), raw=lambda row: row.condition.words or row.condition.median, tip=_measured
        ),
        share(tr("First"), tr("Share of texts whose true author is put first"), lambda row: (row.first.share, row.first.interval)),
        cost(tr("Cllr listed"), tr("Cost of the LRs against another listed author"), lambda row: row.listed),
        cost(tr("Cllr other"), tr("Cost of the LRs against somebody not in the corpus"), lambda row: row.unlisted),
        RowColumn(
            tr("Opinions"),
            lambda row: tr("{0:,} of {1:,}").format(row.open_set.listed.given, row.open_set.listed.documents),
            tr("Opinions for an author, of texts by listed authors"),
            raw=lambda row: row.open_set.listed.given,
            tip=lambda row: _within(row.open_set.listed.opinion_interval),
            right=True,
            width=92,
        ),
        RowColumn(
            tr("Right"),
            lambda row: numbers.NOTHING if (count := _right(row.open_set.listed)) is None else f"{count:,}",
            tr("How many of these are for the true author"),
            raw=lambda row: _right(row.open_set.listed),
            tip=lambda row: _within(row.open_set.listed.right_interval),
            right=True,
            width=52,
        ),
        share(
            tr("Outsiders"),
            tr("Share of texts by people not in the corpus that lead to an opinion for somebody; the interval is for as many others"),
            _outsiders,
        ),
    )  # fmt: skip


def _source(row: Figure) -> str:
    return {"new": tr("new"), "known": tr("known")}.get(row.condition.source, numbers.NOTHING)


def _words(row: Figure) -> str:
    condition = row.condition
    if condition.words is None:
        return tr("whole ({0:,})").format(condition.median) if condition.median else tr("whole")
    return (
        tr("{0:,} ({1:,} joined)").format(condition.words, condition.texts)
        if condition.texts > 1
        else f"{condition.words:,}"
    )


def _measured(row: Figure) -> str:
    return conditions.measured(row.condition)


def _right(listed: OnListed) -> int | None:
    return None if listed.right_when_given is None else round(listed.right_when_given * listed.given)


def _outsiders(row: Figure) -> tuple[float | None, Ends | None]:
    found = row.open_set.unlisted
    return (None, None) if found is None else (found.wrongly_supported, found.supported_interval)


def _within(ends: Ends | None, printed: Callable[[Printer, Ends], str] = Printer.shares) -> str:
    return "" if ends is None else tr("95 % interval {0}").format(printed(Printer(), ends))

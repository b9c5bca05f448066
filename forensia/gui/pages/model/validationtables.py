"""The tables of the validation: figures for a new and for a known source, for other lengths and for each author; weights of families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from forensia.evidence.result import Ends
from forensia.evidence.summary import AuthorFigure, Figure, OnListed, Performance, ValidationSummary
from forensia.gui import help, widgets, words
from forensia.gui.widgets import SHARE, BarDelegate, column, panel
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.words import tr
from forensia.wording import conditions, numbers
from forensia.wording.numbers import Printer

Compared = tuple[str, str, str]  # what was measured, for a new source, for a known one

_RANKED_LENGTHS = (2, 3, 6)  # columns that need several candidates: an opinion for the only one is right if it is given


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
    """Both tables of figures, which a small window scrolls; empty as long as there is no validation."""

    def __init__(self) -> None:
        super().__init__()
        self.table = ComparedTable()
        self.lengths: RowsTable[Figure] = RowsTable(tr("Shorter and longer texts"), _lengths(), high=7)
        self.lengths.setMinimumHeight(140)
        title = widgets.label(tr("Shorter and longer texts"), bold=True, wrap=False)
        self.setWidget(panel(column(self.table, title, (self.lengths, 1), margins=(0, 8, 0, 0), spacing=6)))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Figures"))

    def show_summary(self, summary: ValidationSummary | None) -> None:
        self.table.show_rows(conditions.side_by_side(summary, Printer()) if summary else ())
        self.lengths.rows.set_rows(summary.figures if summary else ())
        alone = summary is not None and summary.reference is not None and summary.reference.alone
        for place in _RANKED_LENGTHS:
            self.lengths.setColumnHidden(place, alone)


def _compared() -> tuple[RowColumn[Compared], ...]:
    new = tr("A text from a new source: one source of every author was left out at a time")
    known = tr("A new text from a known source: each text was left out by itself")
    return (
        RowColumn("", lambda row: row[0], tr("What was measured on whole known texts"), width=184),
        RowColumn(tr("From a new source"), lambda row: row[1], new),
        RowColumn(tr("From a known source"), lambda row: row[2], known),
    )


def _share(
    head: str, about: str, value: Callable[[Figure], float | None], ends: Callable[[Figure], Ends | None]
) -> RowColumn[Figure]:
    return number(head, value, numbers.percent, about, tip=lambda row: _within(ends(row)), width=70)


def _cost(head: str, about: str, against: Callable[[Figure], Performance | None]) -> RowColumn[Figure]:
    def cllr(row: Figure) -> float | None:
        return None if (performance := against(row)) is None else performance.cllr

    def within(row: Figure) -> str:
        return _within(None if (performance := against(row)) is None else performance.cllr_interval, Printer.costs)

    return number(head, cllr, _two_digits, about, tip=within, width=74)


def _lengths() -> tuple[RowColumn[Figure], ...]:
    return (
        RowColumn(tr("Source"), _source, width=64),
        RowColumn(
            tr("Words"), _words, tr("How long the texts were"),
            raw=lambda row: row.condition.words or row.condition.median, tip=lambda row: conditions.measured(row.condition),
        ),
        _share(
            tr("First"), tr("Share of texts whose true author is put first"),
            lambda row: row.first.share, lambda row: row.first.interval,
        ),
        _cost(tr("Cllr listed"), tr("Cost of the LRs against another listed author"), lambda row: row.listed),
        _cost(tr("Cllr other"), tr("Cost of the LRs against somebody not in the corpus"), lambda row: row.unlisted),
        RowColumn(
            tr("Opinions"), lambda row: tr("{0:,} of {1:,}").format(row.open_set.listed.given, row.open_set.listed.documents),
            tr("Opinions for an author, of texts by listed authors"), raw=lambda row: row.open_set.listed.given,
            tip=lambda row: _within(row.open_set.listed.opinion_interval), right=True, width=92,
        ),
        number(
            tr("Right"), lambda row: _right(row.open_set.listed), _counted, tr("How many of these are for the true author"),
            tip=lambda row: _within(row.open_set.listed.right_interval), width=52,
        ),
        _share(
            tr("Outsiders"),
            tr("Share of texts by people not in the corpus that lead to an opinion for somebody; the interval is for as many others"),
            lambda row: None if (unlisted := row.open_set.unlisted) is None else unlisted.wrongly_supported,
            lambda row: None if (unlisted := row.open_set.unlisted) is None else unlisted.supported_interval,
        ),
    )  # fmt: skip


def _source(row: Figure) -> str:
    return {"new": tr("new"), "known": tr("known")}.get(row.condition.source, numbers.NOTHING)


def _words(row: Figure) -> str:
    condition = row.condition
    if condition.words is None:
        return tr("whole ({0:,})").format(condition.median) if condition.median else tr("whole")
    joined = tr("{0:,} ({1:,} joined)").format(condition.words, condition.texts)
    return joined if condition.texts > 1 else f"{condition.words:,}"


def _two_digits(value: float | None) -> str:
    return numbers.NOTHING if value is None else f"{value:.2f}"


def _counted(value: int | None) -> str:
    return numbers.NOTHING if value is None else f"{value:,}"


def _right(listed: OnListed) -> int | None:
    return None if listed.right_when_given is None else round(listed.right_when_given * listed.given)


def _within(ends: Ends | None, printed: Callable[[Printer, Ends], str] = Printer.shares) -> str:
    return "" if ends is None else tr("95 % interval {0}").format(printed(Printer(), ends))


RANKED_AUTHORS = (2, 3, 5)
"""The columns of the authors that need several candidates."""

SEVERAL_SOURCES = 7
"""The one that says who has several."""


def author_columns() -> tuple[RowColumn[AuthorFigure], ...]:
    """How well each author is recognised."""

    def share(
        head: str, about: str, value: Callable[[AuthorFigure], float | None], width: int = 58
    ) -> RowColumn[AuthorFigure]:
        return number(head, value, numbers.percent, about, width=width)

    return (
        RowColumn(tr("Author"), lambda row: row.author),
        number(tr("Texts"), lambda row: row.documents, _counted, width=46),
        share(tr("Recall"), tr("Share of the author's texts that are put first for them"), lambda row: row.headline.recall),
        share(tr("Precision"), tr("How often it is right when this author is put first"), lambda row: row.headline.precision, 68),
        share(tr("Own"), tr("Share of the author's own texts whose LR supports them"), lambda row: row.own_supported),
        share(tr("Others'"), tr("Share of other authors' texts whose LR supports this author"), lambda row: row.others_supported, 60),
        share(
            tr("Outside"),
            tr("Share of the author's texts that led to an opinion for somebody else when nothing by the author was known"),
            lambda row: row.outside_supported, 62,
        ),
        RowColumn(
            tr("Sources"), lambda row: tr("several") if row.source_left_out else tr("one"),
            tr("Whether the author could be tried on texts from a new source, which takes texts from several"),
            raw=lambda row: row.source_left_out, width=60,
        ),
        number(
            tr("Least p"), lambda row: row.smallest_p, numbers.share, tr("The smallest conformal p that so few texts allow"), width=58
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class WeightRow:
    """A family of features with its weight, and that weight as a share of the largest."""

    family: str
    weight: float
    share: float


class WeightsView(QWidget):
    """What the answer rests on: how much each family of features counts in the fused ranking, the heaviest first; hidden without one."""

    def __init__(self) -> None:
        super().__init__()
        name = tr("What the answer rests on")
        self.table: RowsTable[WeightRow] = RowsTable(
            name,
            (
                RowColumn(
                    tr("Looked at"), lambda row: words.family_name(row.family), raw=lambda row: row.family,
                    tip=lambda row: tr("Called '{0}' in reports").format(row.family),
                ),
                number(
                    tr("Weight"), lambda row: row.weight, _two_digits,
                    tr("What the scores of this family are multiplied by, each in units of its spread"),
                    roles={SHARE: lambda row: row.share}, width=150,
                ),
            ),
            high=13,
        )  # fmt: skip
        self.table.setItemDelegateForColumn(1, BarDelegate(self.table))
        about = tr(
            "How much each thing that is looked at counts in the fused ranking. The weights are those under which known texts, "
            "each left out in turn, go to their authors; what did not help has the weight 0."
        )
        said = widgets.label(about, quiet=True, scale=0.92)
        self.setLayout(column(help.heading(name, "fused"), said, (self.table, 1), margins=(0, 10, 0, 0), spacing=4))
        self.show_weights({})

    def show_weights(self, weights: Mapping[str, float]) -> None:
        """Show those of another validation."""
        largest = max(weights.values(), default=0.0)
        rows = [WeightRow(family, weight, weight / largest if largest else 0.0) for family, weight in weights.items()]
        self.table.rows.set_rows(sorted(rows, key=lambda row: -row.weight))
        self.setVisible(bool(rows))

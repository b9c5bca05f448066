"""What speaks for and against one author: families with their bars, features with theirs, and what the chosen one means in two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QWidget,
)

from forensia.evidence.contributions import FusedFamily, FusedFeature
from forensia.evidence.explanation import FamilySum
from forensia.gui import theme, widgets, words
from forensia.gui.tasks.inquiries import AnyFeature, AnyListed, Texts
from forensia.gui.widgets import Index, column, fields, panel, row, split, spring
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.widgets.texts import HighlightedText
from forensia.gui.words import tr
from forensia.wording import numbers, reasons

BALANCE = Qt.ItemDataRole.UserRole + 6
"""The item role of a number from -1 to 1 that `BalanceDelegate` draws to the left or to the right of the middle."""


NEGLIGIBLE = 0.04
"""Of the strongest contribution: what is smaller is not highlighted until it is chosen, or the text would be one mosaic."""


def _signed(value: float) -> str:
    return numbers.signed(value, 2)


def speaks(relative: float) -> str:
    """For or against, in words."""
    side = tr("speaks for") if relative > 0 else tr("speaks against")
    return f"{side} ({numbers.signed(relative, 2)})"


class BalanceDelegate(QStyledItemDelegate):
    """A bar to the right, filled, for what speaks for; to the left, hollow, for what speaks against."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        balance = index.data(BALANCE)
        if not isinstance(balance, (int, float)):
            return
        colours = theme.now()
        area = QRectF(option.rect).adjusted(6, 0, -6, 0)
        middle, half = area.center().x(), area.width() / 2
        wide = max(half * min(abs(float(balance)), 1.0), 1.0)
        high = min(10.0, area.height() - 8)
        top = area.center().y() - high / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if balance > 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.support))
            painter.drawRect(QRectF(middle, top, wide, high))
        else:
            painter.setPen(QPen(QColor(colours.against), 1.3))
            painter.setBrush(QColor(colours.surface))
            painter.drawRect(QRectF(middle - wide, top, wide, high))
        painter.setPen(QPen(QColor(colours.quiet), 1))
        painter.drawLine(int(middle), int(area.top() + 3), int(middle), int(area.bottom() - 3))
        painter.restore()

    def displayText(self, value: object, locale: object) -> str:
        return ""  # the bar says it; the words are there for those who listen

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, super().sizeHint(option, index).height())


@dataclass(frozen=True)
class FamilyRow:
    """A family and what it contributes, or the total, or the baseline."""

    family: str
    relative: float
    about: str = ""


class FamiliesTable(RowsTable[FamilyRow]):
    """The total and what it is the sum of: the baseline and the families of features; choosing one of these lists its features only."""

    def __init__(self) -> None:
        self._most = 1.0
        super().__init__(tr("Families of features, for and against"), self._columns(), sortable=False, high=4)
        self.setItemDelegateForColumn(1, BalanceDelegate(self))

    def _columns(self) -> tuple[RowColumn[FamilyRow], ...]:
        return (
            RowColumn(
                tr("Family"), lambda row: words.family_name(row.family), tip=lambda row: row.about, bold=lambda row: not row.family
            ),
            RowColumn(
                tr("against ◂ ▸ for"), lambda row: "", what_it_is(), spoken=lambda row: speaks(row.relative),
                roles={BALANCE: lambda row: row.relative / self._most}, centre=True, drawn=True, width=136,
            ),
            number("±", lambda row: row.relative, _signed, what_it_is(), bold=lambda row: not row.family, width=72),
        )  # fmt: skip

    def show_listed(self, listed: AnyListed | None) -> None:
        """The total first, then the baseline, then each family."""
        rows: list[FamilyRow] = []
        if listed is not None:
            rows = [
                FamilyRow("", listed.total, tr("The baseline and all families")),
                FamilyRow(words.BASELINE, listed.baseline, tr("What it would be if every feature were as usual")),
                *(FamilyRow(each.family, each.relative, _about(each)) for each in listed.families),
            ]
        self._most = max((abs(row.relative) for row in rows), default=0.0) or 1.0
        self.rows.set_rows(rows)
        high = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 2 * self.frameWidth() + 2
        self.setMaximumHeight(max(high, self.minimumHeight()))  # what is left is for the features


def _about(family: FamilySum | FusedFamily) -> str:
    name = words.family_name(family.family)
    if isinstance(family, FusedFamily):
        return tr("{0}: {1:,} features, {2:,} of which the text has").format(name, family.features, family.present)
    return tr("{0}: {1:,} features, {2:,} of which differ").format(name, family.features, family.differing)


def what_it_is() -> str:
    """What a contribution is, and its unit."""
    return tr(
        "Contribution in natural logarithms, compared with what is usual: one more makes the odds 2.7 times as high"
    )


def shown_name(row: AnyFeature) -> str:
    """A feature by its name, with what is told of one that is absent from both sides."""
    absent = isinstance(row, FusedFeature) and row.in_neither
    return tr("{0} (in neither)").format(row.feature) if absent else row.feature


class FeaturesTable(RowsTable[AnyFeature]):
    """Features, the strongest first. `stepped` asks for the next place of the chosen one (Enter), or the one before (Shift+Enter)."""

    stepped = Signal(int)

    def __init__(self) -> None:
        self._most = 1.0
        self._fused = False
        super().__init__(tr("Features, the strongest first"), self._columns(), sortable=False, high=6)
        self.setItemDelegateForColumn(1, BalanceDelegate(self))
        self.setTextElideMode(Qt.TextElideMode.ElideLeft)  # what tells two features apart stands at the end

    def _columns(self) -> tuple[RowColumn[AnyFeature], ...]:
        """A feature, what it contributes, and how often it is used: in two texts, or in a text and in those of authors."""
        heads: tuple[tuple[str, str], ...]
        if self._fused:
            heads = (
                (tr("text"), tr("How often the disputed text has it")),
                (tr("author"), tr("How many of the author's known texts have it")),
                (tr("others"), tr("How many known texts have it of those whom the author is held against")),
            )
        else:
            heads = (
                (tr("left"), tr("How often the text on the left has it")),
                (tr("right"), tr("How often the text on the right has it; for an author, the compared documents together")),
            )  # fmt: skip
        return (
            RowColumn(
                tr("Feature"), shown_name, raw=lambda row: row.feature,
                tip=lambda row: f"{row.feature}\n{speaks(row.relative)}\n{reasons.SIGNS.get(row.family, '')}".strip(),
            ),
            RowColumn(
                tr("◂ ▸"), lambda row: "", what_it_is(), raw=lambda row: row.relative, spoken=lambda row: speaks(row.relative),
                roles={BALANCE: lambda row: row.relative / self._most}, centre=True, width=56 if self._fused else 84,
            ),
            number("±", lambda row: row.relative, _signed, what_it_is(), width=54, hidden=not self._fused),
            *(self._use(place, head, about) for place, (head, about) in enumerate(heads)),
        )  # fmt: skip

    def _use(self, place: int, head: str, about: str) -> RowColumn[AnyFeature]:
        return RowColumn(
            head, lambda row: reasons.uses(row)[place], about, spoken=lambda row: f"{reasons.uses(row)[place]} {reasons.unit(row)}".strip(),
            right=True, width=(44, 68, 80)[place] if self._fused else 50,
        )  # fmt: skip

    def show_features(self, features: tuple[AnyFeature, ...], most: float) -> None:
        self._most = most or 1.0
        fused = any(isinstance(each, FusedFeature) for each in features)
        if features and fused != self._fused:
            self._fused = fused
            self.show_columns(self._columns())
        self.rows.set_rows(features)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


class FeaturePanel(QWidget):
    """Families above, features below, the meaning of the chosen one under them.

    `listed` tells that other features are shown, `chosen` the one that was picked (-1 for none), `stepped` the wish to go on.
    Where it is not `inside`, the buttons (`steps`) and the meaning (`reading`) are placed by whoever made the panel.
    """

    listed = Signal()
    chosen = Signal(int)
    stepped = Signal(int)

    def __init__(self, *, inside: bool = True) -> None:
        super().__init__()
        self._listed: AnyListed | None = None
        self._names = ("", "")
        self.families = FamiliesTable()
        self.features = FeaturesTable()
        self.sides = QTabBar()
        self.sides.setAccessibleName(tr("For or against"))
        self.sides.setExpanding(False)
        self.sides.setDrawBase(False)
        self.sides.addTab(tr("Speaks for"))
        self.sides.addTab(tr("Speaks against"))
        self.reading = fields.named(fields.note(), tr("Meaning of the chosen feature"))
        self.reading.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.back = widgets.button(
            "◂", lambda: self.stepped.emit(-1), tip=tr("Passage before (Shift+Enter in the list)")
        )
        self.onward = widgets.button("▸", lambda: self.stepped.emit(1), tip=tr("Next passage (Enter in the list)"))
        for made, name in ((self.back, tr("Passage before")), (self.onward, tr("Next passage"))):
            made.setAccessibleName(name)
            made.setMaximumWidth(38)
        self.where = widgets.label(quiet=True, scale=0.92, wrap=False)
        self.sum = fields.named(fields.note(), tr("How the contributions add up"))
        self.only = fields.named(QCheckBox(tr("Only this one")), tr("Highlight only the chosen feature"))
        self.only.setToolTip(words.tip(tr("Highlight nothing but the chosen feature")))
        self.steps = panel(row(self.back, self.onward, self.where, spring(), self.only, spacing=6))
        meaning = (self.steps, self.reading) if inside else ()
        below = panel(column(self.sides, (self.features, 1), self.sum, *meaning, spacing=3))
        self.split = (  # more is below where the meaning is, too
            split((self.families, 1, 120), (below, 2, 280), upright=True, handle=6)
            if inside
            else split((self.families, 1, 190), (below, 1, 210), upright=True, handle=6)
        )
        self.setLayout(column(self.split))
        self.families.selectionModel().currentRowChanged.connect(lambda *_: self._list())
        self.sides.currentChanged.connect(lambda *_: self._list())
        self.features.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.features.clicked.connect(lambda *_: self.stepped.emit(1))
        self.features.stepped.connect(self.stepped)
        self.only.toggled.connect(lambda *_: self.listed.emit())
        self.show_features(None)

    @property
    def column(self) -> int:
        """The column of the chosen feature; -1 for none."""
        row = self.features.chosen
        return row.column if row is not None else -1

    @property
    def shown(self) -> tuple[AnyFeature, ...]:
        """The features to highlight: those of the list that weigh something, for and against, or the chosen one alone."""
        if self._listed is None:
            return ()
        if self.only.isChecked() and self.column >= 0:
            return (self._listed.features[self.column],)
        listed = [feature for side in self._sides for feature in side]
        least = NEGLIGIBLE * max((abs(feature.relative) for feature in listed), default=0.0)
        return tuple(each for each in listed if abs(each.relative) >= least or each.column == self.column)

    @property
    def _family(self) -> str:
        row = self.families.chosen
        return row.family if row is not None else ""

    @property
    def _sides(self) -> tuple[tuple[AnyFeature, ...], tuple[AnyFeature, ...]]:
        """The features for and against that are listed now."""
        return self._listed.listed(self._family) if self._listed is not None else ((), ())

    def show_features(self, listed: AnyListed | None, author: str = "", against: str = "") -> None:
        """Show those of other texts, or of an author who is held against another (all others, if that is empty)."""
        self._listed = listed
        self._names = (author, against)
        self.families.show_listed(listed)
        self._list()

    def pick(self, column: int) -> None:
        """Choose a feature, wherever it is listed."""
        if self._listed is None or column not in self._listed.features:
            return
        for place, side in enumerate(self._sides):
            if any(feature.column == column for feature in side):
                self.sides.setCurrentIndex(place)
        self.features.choose(lambda row: row.column == column)

    def _list(self) -> None:
        first, second = self._sides
        self.sides.setTabText(0, tr("Speaks for ({0})").format(len(first)))
        self.sides.setTabText(1, tr("Speaks against ({0})").format(len(second)))
        most = max((abs(feature.relative) for feature in first + second), default=1.0)
        self.features.show_features(second if self.sides.currentIndex() else first, most)
        self.sum.setText(self._added(sum_of(first), sum_of(second)))
        self._choose()
        self.listed.emit()

    def _added(self, favourable: float, adverse: float) -> str:
        """How what is listed, and what is not, adds up to the family or to the total."""
        if self._listed is None or self._family == words.BASELINE:
            return ""
        parts = [numbers.signed(each, 2) for each in (favourable, adverse, self._listed.rest(self._family))]
        if self._family:
            return tr("Listed: for {0}, against {1}; all other features of the family {2}.").format(*parts)
        parts += [numbers.signed(each, 2) for each in (self._listed.baseline, self._listed.total)]
        return tr("Listed: for {0}, against {1}; all other features {2}; baseline {3}; total {4}.").format(*parts)

    def _choose(self) -> None:
        row = self.features.chosen
        self.reading.setText(
            reasons.meaning(row, *(words.shortened(words.one_line(name)) for name in self._names))
            if row is not None
            else tr("Choose a feature to see where it stands in the texts.")
        )
        for made in (self.back, self.onward, self.only):
            made.setEnabled(row is not None)
        self.chosen.emit(row.column if row is not None else -1)


def sum_of(features: Sequence[AnyFeature]) -> float:
    return sum(feature.relative for feature in features)


class Binding(QObject):
    """One panel of features and two texts that are read together."""

    def __init__(self, panel: FeaturePanel, left: HighlightedText, right: HighlightedText) -> None:
        super().__init__(panel)
        self._panel = panel
        self._texts = (left, right)
        panel.listed.connect(self._mark)
        panel.chosen.connect(lambda *_: self._mark())
        panel.stepped.connect(self._step)
        for text in self._texts:
            text.pressed.connect(self._pressed)

    def show_texts(self, texts: Texts) -> None:
        """Show two other texts; their features are shown by the panel."""
        for located, text in zip(texts, self._texts, strict=True):
            text.show_text(located)

    def _mark(self) -> None:
        for text in self._texts:
            text.mark(self._panel.shown, self._panel.column)
        self._tell()

    def _step(self, step: int) -> None:
        for text in self._texts:
            text.go(step)
        self._tell()

    def _pressed(self, column: int) -> None:
        self._panel.pick(column)
        self._tell()

    def _tell(self) -> None:
        column = self._panel.column
        places = (_counted(text, column) for text in self._texts)
        self._panel.where.setText(tr("left {0}, right {1}").format(*places) if column >= 0 else "")


def _counted(text: HighlightedText, column: int) -> str:
    places = len(text.places(column))
    if not places:
        return tr("none")
    return f"{text.at + 1}/{places}" if text.at >= 0 else f"{places}×"

"""What may be said, on a card: about a disputed text, and about two texts; and the likelihood ratio, drawn on its scale from -4 to +4."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from forensia.evidence.result import LikelihoodRatio, PairResult, Result
from forensia.gui import theme, widgets
from forensia.gui.help import HelpButton
from forensia.gui.widgets import Index, column, row, spring
from forensia.gui.widgets.fields import named, note, say
from forensia.gui.words import tr
from forensia.wording import numbers, opinion, reasons

RATIO = Qt.ItemDataRole.UserRole + 5
"""The item role of a `LikelihoodRatio` that `ScaleDelegate` draws."""

END = 4.0
_MARGIN = 12.0


def place(area: QRectF, value: float) -> float:
    """Where a log10 LR lies; beyond the ends it stays at the end."""
    share = (min(max(value, -END), END) + END) / (2 * END)
    return area.left() + _MARGIN + share * (area.width() - 2 * _MARGIN)


def draw(painter: QPainter, area: QRectF, ratio: LikelihoodRatio | None) -> None:
    """The scale, the interval as a bar with ends, the LR as a dot: filled for, hollow against; an arrow head at a limit."""
    colours = theme.now()
    middle = area.center().y()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.drawLine(QPointF(place(area, -END), middle), QPointF(place(area, END), middle))
    for decade in range(-int(END), int(END) + 1):
        x, high = place(area, decade), 7.0 if decade == 0 else 3.0
        painter.setPen(QPen(QColor(colours.quiet if decade == 0 else colours.line), 1))
        painter.drawLine(QPointF(x, middle - high), QPointF(x, middle + high))
    if ratio is not None:
        _value(painter, area, middle, ratio)
    painter.restore()


def _value(painter: QPainter, area: QRectF, middle: float, ratio: LikelihoodRatio) -> None:
    colours, value = theme.now(), ratio.log10
    colour = QColor(colours.support if value > 0 else colours.against)
    painter.setPen(QPen(colour, 2))
    if ratio.interval is not None and ratio.interval[0] < ratio.interval[1]:
        low, high = (place(area, end) for end in ratio.interval)
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for end in (low, high):
            painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))
    painter.setBrush(colour if value > 0 else QColor(colours.surface))
    x = place(area, value)
    if ratio.reached is not None or abs(value) > END:
        way = 1 if value > 0 else -1
        points = (QPointF(x + 6 * way, middle), QPointF(x - 3 * way, middle - 5), QPointF(x - 3 * way, middle + 5))
        painter.drawPolygon(QPolygonF(points))
    else:
        painter.drawEllipse(QPointF(x, middle), 4.2, 4.2)


class ScaleDelegate(QStyledItemDelegate):
    """Draws the `RATIO` of a cell."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        ratio = index.data(RATIO)
        draw(painter, QRectF(option.rect), ratio if isinstance(ratio, LikelihoodRatio) else None)

    def displayText(self, value: object, locale: object) -> str:
        return ""  # the drawing says it; the words are there for those who listen

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, super().sizeHint(option, index).height())


class ScaleBar(QWidget):
    """One likelihood ratio on its scale, with the numbers at the ends below."""

    def __init__(self) -> None:
        super().__init__()
        self._ratio: LikelihoodRatio | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(44)
        self.show_ratio(None)

    def show_ratio(self, ratio: LikelihoodRatio | None) -> None:
        self._ratio = ratio
        self.setAccessibleName(tr("Scale of the likelihood ratio"))
        self.setAccessibleDescription(numbers.spoken(ratio))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(0, 0, self.width(), self.height() - 18)
        draw(painter, area, self._ratio)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        painter.setPen(QColor(theme.now().quiet))
        for value, text in ((-END, "1/10,000"), (-2, "1/100"), (0, "1"), (2, "100"), (END, "10,000")):
            wide = painter.fontMetrics().horizontalAdvance(text)
            x = min(max(place(area, value) - wide / 2, 0), self.width() - wide)
            painter.drawText(QPointF(x, self.height() - 5), text)


_SOURCES = frozenset(("sources-not-known", "nobody-has-two-sources", "one-source-author"))


class StatementCard(QFrame):
    """A headline, a statement, more on it, and what must be kept in mind; each in its share of the size of other text."""

    def __init__(self, name: str, kind: str, words: str, sizes: tuple[float, float, float, float]) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName(name)
        head, statement, more, warnings = sizes
        self.head = named(widgets.label(scale=head, bold=True, wrap=False), kind)
        self.statement = named(widgets.label(scale=statement), words)
        self.more = widgets.label(quiet=True, scale=more)
        self.warnings = named(widgets.label(scale=warnings), tr("What must be kept in mind"))
        self.warnings.setProperty("warning", True)

    def _say(self, head: str, statement: str, more: str = "", warnings: Sequence[str] = ()) -> None:
        self.head.setText(head)
        self.statement.setText(statement)
        say(self.more, more)
        say(self.warnings, "\n".join(f"⚠ {warning}" for warning in warnings))


class OpinionCard(StatementCard):
    """The opinion on a text in words, or 'No opinion' with its reasons; no number here is larger than the words that go with it.

    `sources` asks for the place where the analyst says what the known texts come from.
    """

    sources = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Opinion"), tr("Kind of opinion"), tr("Opinion in words"), (1.2, 1.06, 1.0, 0.95))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.more.setAccessibleName(tr("More on the opinion"))
        self.warnings.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.helps = {name: HelpButton(name) for name in ("likelihood_ratio", "no_opinion", "interval")}
        self.meaning = widgets.button(tr("What does this mean?"), self._explain)
        self.meaning.setProperty("flat", True)
        self.to_sources = widgets.button(tr("Say what the known texts come from ▸"), self.sources.emit)
        top = row(self.head, *self.helps.values(), self.meaning, spring())
        leads = (self.to_sources, Qt.AlignmentFlag.AlignLeft)
        left = column(top, self.statement, self.more, leads, spring(), spacing=5)
        self.setLayout(row((left, 8), (self.warnings, 5), margins=(16, 10, 16, 12), spacing=24))
        self.show_result(None)

    def _explain(self) -> None:
        self.helps["likelihood_ratio" if self.helps["likelihood_ratio"].isVisible() else "no_opinion"].open()

    def show_result(self, result: Result | None, notes: Sequence[str] = ()) -> None:
        """Show the opinion of a result; `notes` are warnings that the window adds, such as that it is out of date."""
        given = result is not None and result.opinion.given
        codes = {each.code for each in result.opinion.reasons} if result is not None else set()
        self.to_sources.setVisible(not codes.isdisjoint(_SOURCES))
        for name, there in (("no_opinion", not given), ("likelihood_ratio", given), ("interval", given)):
            self.helps[name].setVisible(there)
        if result is None:
            self._say(tr("Not analysed yet"), tr("Press Analyse again, or drop the file again."), "", notes)
            return
        findings = opinion.findings(result)
        said, more = opinion.statement(result), ""
        if result.opinion.kind == "author" and findings is not None:
            said, more = findings.statement, findings.support
        elif not given:
            said = "\n".join(opinion.reasons(result)) or said
            more = tr("What was found all the same: {0}").format(findings.statement) if findings is not None else ""
        head = tr("Opinion") if given else tr("No opinion")
        self._say(head, said, more, [*notes, *reasons.warnings(result)])


class VerdictCard(StatementCard):
    """What may be said about two texts, one writer or two, or why nothing is."""

    def __init__(self) -> None:
        super().__init__(tr("One writer or two"), tr("Verdict"), tr("Verdict in words"), (1.15, 1.0, 0.95, 0.92))
        self.scale = ScaleBar()
        self.ends = widgets.label(
            tr("two writers  ◂  likelihood ratio  ▸  one writer"), quiet=True, scale=0.88, wrap=False
        )
        self.ends.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.score = note()
        self.attributions = named(note(), tr("Attribution of both texts"))
        top = row(self.head, spring(), HelpButton("likelihood_ratio"), HelpButton("pr_same"))
        parts = (self.statement, self.ends, self.scale, self.more, self.score, self.attributions, self.warnings)
        self.setLayout(column(top, *parts, margins=(12, 10, 12, 10), spacing=5))
        self.say(tr("One writer or two?"), "")

    def say(self, head: str, sentence: str) -> None:
        """Say something where there is no verdict."""
        self._say(head, sentence)
        for each in (self.ends, self.scale, self.score, self.attributions):
            each.hide()

    def show_result(self, result: PairResult) -> None:
        """Show what was found about two texts."""
        findings = opinion.pair_findings(result)
        said, more = "\n".join(reasons.sentences(result.reasons)), findings.statement if findings is not None else ""
        if result.given and findings is not None:
            said, more = findings.statement, findings.support
        head = tr("Opinion") if result.given else tr("No opinion")
        self._say(head, said, more, reasons.sentences(result.warnings))
        self.scale.show_ratio(result.ratio)
        for each in (self.scale, self.ends):
            each.setVisible(result.ratio is not None)
        say(
            self.score,
            tr(
                "Beside it, and no part of it: DV-Bin's model score Pr(Same) {0}, from training with equal numbers of same-author and "
                "different-author pairs; not the probability that one person wrote both."
            ).format(numbers.score(result.score)),
        )  # fmt: skip
        say(self.attributions, opinion.pair_attributions(result))

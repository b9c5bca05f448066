"""A likelihood ratio drawn on a scale from -4 to +4: in a table beside others, or alone between two texts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from forensia.evidence.result import LikelihoodRatio
from forensia.gui import numbers, theme
from forensia.gui.widgets import Index

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
        self.setAccessibleName(self.tr("Scale of the likelihood ratio"))
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

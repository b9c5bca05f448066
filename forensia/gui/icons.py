"""Our own icons, drawn as paths in a square of 24 units: crisp at any scale, in the colour of the theme, without files."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

SQUARE = 24.0
_SIZES = (16, 20, 24, 32, 48, 64)


def draw(painter: QPainter, name: str, area: QRectF, colour: str) -> None:
    """Draw an icon into `area`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(area.topLeft())
    painter.scale(area.width() / SQUARE, area.height() / SQUARE)
    pen = QPen(QColor(colour), 1.7, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path(name))
    painter.restore()


def icon(name: str, colour: str) -> QIcon:
    """An icon for buttons and menus, in all the sizes that screens ask for."""
    made = QIcon()
    for size in _SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        draw(painter, name, QRectF(0, 0, size, size), colour)
        painter.end()
        made.addPixmap(pixmap)
    return made


def path(name: str) -> QPainterPath:
    """The lines of an icon."""
    lines = QPainterPath()
    _DRAWN[name](lines)
    return lines


def _polyline(lines: QPainterPath, *points: tuple[float, float], closed: bool = False) -> None:
    lines.moveTo(QPointF(*points[0]))
    for point in points[1:]:
        lines.lineTo(QPointF(*point))
    if closed:
        lines.closeSubpath()


def _page(lines: QPainterPath, x: float, y: float, width: float, height: float) -> None:
    """A sheet with a folded corner and two lines of writing."""
    fold = width * 0.32
    right, bottom = x + width, y + height
    _polyline(
        lines,
        (right - fold, y),
        (x, y),
        (x, bottom),
        (right, bottom),
        (right, y + fold),
        (right - fold, y),
        closed=True,
    )
    _polyline(lines, (right - fold, y), (right - fold, y + fold), (right, y + fold))
    for share in (0.55, 0.75):
        _polyline(lines, (x + width * 0.25, y + height * share), (right - width * 0.25, y + height * share))


def _corpus(lines: QPainterPath) -> None:
    """Books on a shelf."""
    lines.addRoundedRect(QRectF(3.5, 4, 4.6, 15), 1, 1)
    lines.addRoundedRect(QRectF(8.1, 6.5, 4.2, 12.5), 1, 1)
    _polyline(lines, (13.2, 6.6), (16.6, 5.5), (20.4, 17.6), (17.0, 18.8), closed=True)
    _polyline(lines, (2.5, 21), (21.5, 21))
    _polyline(lines, (5.8, 7.2), (5.8, 10.2))


def _model(lines: QPainterPath) -> None:
    """Points that hang together."""
    nodes = ((5.0, 6.0), (5.0, 18.0), (12.5, 12.0), (19.5, 6.0), (19.5, 18.0))
    for x, y in nodes:
        lines.addEllipse(QPointF(x, y), 2.1, 2.1)
    middle = nodes[2]
    for node in (nodes[0], nodes[1], nodes[3], nodes[4]):
        length = math.dist(node, middle)
        dx, dy = (middle[0] - node[0]) / length * 2.2, (middle[1] - node[1]) / length * 2.2
        _polyline(lines, (node[0] + dx, node[1] + dy), (middle[0] - dx, middle[1] - dy))


def _disputed(lines: QPainterPath) -> None:
    """A page with a question mark."""
    _polyline(lines, (14, 2.8), (5, 2.8), (5, 21.2), (19, 21.2), (19, 7.8), (14, 2.8), closed=True)
    _polyline(lines, (14, 2.8), (14, 7.8), (19, 7.8))
    lines.moveTo(9.6, 11.4)
    lines.cubicTo(QPointF(9.8, 8.6), QPointF(14.6, 8.8), QPointF(14.4, 11.6))
    lines.cubicTo(QPointF(14.3, 13.4), QPointF(12.0, 13.2), QPointF(12.0, 15.3))
    lines.addEllipse(QPointF(12.0, 18.0), 0.5, 0.5)


def _compare(lines: QPainterPath) -> None:
    """Two pages side by side."""
    _page(lines, 2.5, 4.5, 8.2, 15)
    _page(lines, 13.3, 4.5, 8.2, 15)


def _experiments(lines: QPainterPath) -> None:
    """A flask."""
    _polyline(lines, (9.4, 3), (9.4, 9), (4.4, 18.4))
    lines.cubicTo(QPointF(3.6, 20.0), QPointF(4.6, 21.2), QPointF(6.2, 21.2))
    lines.lineTo(17.8, 21.2)
    lines.cubicTo(QPointF(19.4, 21.2), QPointF(20.4, 20.0), QPointF(19.6, 18.4))
    lines.lineTo(14.6, 9)
    lines.lineTo(14.6, 3)
    _polyline(lines, (7.8, 3), (16.2, 3))
    _polyline(lines, (6.8, 15.2), (17.2, 15.2))


def _blocking(lines: QPainterPath) -> None:
    """A stop sign."""
    corners = [
        (12 + 9.4 * math.cos(math.pi / 8 + math.pi / 4 * step), 12 + 9.4 * math.sin(math.pi / 8 + math.pi / 4 * step))
        for step in range(8)
    ]
    _polyline(lines, *corners, closed=True)
    _polyline(lines, (12, 7.2), (12, 13.2))
    lines.addEllipse(QPointF(12, 16.6), 0.5, 0.5)


def _warning(lines: QPainterPath) -> None:
    _polyline(lines, (12, 3.2), (21.6, 20.4), (2.4, 20.4), closed=True)
    _polyline(lines, (12, 9.4), (12, 14.6))
    lines.addEllipse(QPointF(12, 17.4), 0.5, 0.5)


def _note(lines: QPainterPath) -> None:
    lines.addEllipse(QPointF(12, 12), 9.2, 9.2)
    _polyline(lines, (12, 11.2), (12, 16.6))
    lines.addEllipse(QPointF(12, 7.8), 0.5, 0.5)


def _done(lines: QPainterPath) -> None:
    lines.addEllipse(QPointF(12, 12), 9.2, 9.2)
    _polyline(lines, (7.6, 12.4), (10.8, 15.6), (16.6, 8.8))


def _waiting(lines: QPainterPath) -> None:
    lines.addEllipse(QPointF(12, 12), 9.2, 9.2)


def _running(lines: QPainterPath) -> None:
    lines.addEllipse(QPointF(12, 12), 9.2, 9.2)
    _polyline(lines, (9.8, 7.8), (16.2, 12), (9.8, 16.2), closed=True)


def _folder(lines: QPainterPath) -> None:
    _polyline(lines, (2.5, 19.5), (2.5, 5), (9, 5), (11.2, 7.6), (21.5, 7.6), (21.5, 19.5), closed=True)


def _text(lines: QPainterPath) -> None:
    _page(lines, 5, 3, 14, 18)


_DRAWN: dict[str, Callable[[QPainterPath], None]] = {
    "corpus": _corpus,
    "model": _model,
    "disputed": _disputed,
    "compare": _compare,
    "experiments": _experiments,
    "blocking": _blocking,
    "warning": _warning,
    "note": _note,
    "done": _done,
    "waiting": _waiting,
    "running": _running,
    "folder": _folder,
    "text": _text,
}

"""Our own icons, in the colour of the theme; each file in `resources/icons/window` says in its title what it shows."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from forensia import paths

_SIZES = (16, 20, 24, 32, 48, 64)


def draw(painter: QPainter, name: str, area: QRectF, colour: str) -> None:
    """Draw an icon into `area`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _drawing(name, colour).render(painter, area)
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


def names() -> list[str]:
    """The icons that there are."""
    return sorted(path.stem for path in _folder().glob("*.svg"))


@lru_cache(maxsize=64)
def _drawing(name: str, colour: str) -> QSvgRenderer:
    drawn = (_folder() / f"{name}.svg").read_bytes()
    return QSvgRenderer(QByteArray(drawn.replace(b"currentColor", colour.encode())))


def _folder() -> Path:
    return paths.resources() / "icons" / "window"

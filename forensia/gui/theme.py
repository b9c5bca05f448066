"""Our own light and dark palettes on the Fusion style, as `setColorScheme` does nothing on several platforms; and our own icons in them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from forensia import paths

_SIZES = (16, 20, 24, 32, 48, 64)  # of icons


@dataclass(frozen=True)
class Colours:
    """The few colours of the program. `support` and `against` differ in lightness too, for readers who see no hues."""

    window: str
    surface: str
    raised: str
    rail: str
    text: str
    quiet: str
    line: str
    accent: str
    on_accent: str
    chosen: str
    support: str
    against: str
    warning: str
    blocking: str
    bar: str


LIGHT = Colours(
    window="#f5f6f8",
    surface="#ffffff",
    raised="#eceff3",
    rail="#e7ebf0",
    text="#1b222b",
    quiet="#555f6b",
    line="#d3d9e0",
    accent="#1d5c8a",
    on_accent="#ffffff",
    chosen="#d3e3f0",
    support="#1b6ca8",
    against="#c98a2b",
    warning="#8a5300",
    blocking="#a8261c",
    bar="#9dbfd9",
)
DARK = Colours(
    window="#1b1f25",
    surface="#22272e",
    raised="#2c323a",
    rail="#171b20",
    text="#e6e8eb",
    quiet="#a5aeb8",
    line="#3a424c",
    accent="#7cbce6",
    on_accent="#0d1c28",
    chosen="#2c4458",
    support="#7cbce6",
    against="#e3b062",
    warning="#ecb95f",
    blocking="#ff9388",
    bar="#3f6a8a",
)


def is_dark(theme: str) -> bool:
    """Whether `theme` (system, light or dark) means dark on this desktop now."""
    if theme == "system":
        return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return theme == "dark"


def colours(theme: str) -> Colours:
    """The colours that a theme means now."""
    return DARK if is_dark(theme) else LIGHT


def now() -> Colours:
    """The colours that are shown, told by the palette of the application: what is drawn by hand follows a change by itself."""
    return DARK if QApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def apply(app: QApplication, theme: str) -> None:
    """Show the whole program in a theme; every widget is polished anew, so nothing is done when it is shown already."""
    chosen = colours(theme)
    wanted = sheet(chosen)
    if app.styleSheet() != wanted:
        app.setPalette(palette(chosen))
        app.setStyleSheet(wanted)


def palette(colours: Colours) -> QPalette:
    """A complete palette, disabled states included."""
    role = QPalette.ColorRole
    made = QPalette()
    for which, colour in (
        (role.Window, colours.window),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.PlaceholderText, colours.quiet),
        (role.Button, colours.raised),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.warning),
        (role.ToolTipBase, colours.surface),
        (role.ToolTipText, colours.text),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.accent),
        (role.Mid, colours.line),
        (role.Midlight, colours.raised),
        (role.Light, colours.surface),
        (role.Dark, colours.line),
        (role.Shadow, colours.line),
        (role.Accent, colours.accent),
    ):
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.quiet))
    return made


def sheet(colours: Colours) -> str:
    """The style sheet in these colours."""
    return Template((paths.resources() / "theme.qss").read_text("utf-8")).substitute(asdict(colours))


def draw_icon(painter: QPainter, name: str, area: QRectF, colour: str) -> None:
    """Draw one of our own icons into `area`; each file in `resources/icons/window` says in its title what it shows."""
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
        draw_icon(painter, name, QRectF(0, 0, size, size), colour)
        painter.end()
        made.addPixmap(pixmap)
    return made


def icon_names() -> list[str]:
    """The icons that there are."""
    return sorted(path.stem for path in _folder().glob("*.svg"))


@lru_cache(maxsize=64)
def _drawing(name: str, colour: str) -> QSvgRenderer:
    drawn = (_folder() / f"{name}.svg").read_bytes()
    return QSvgRenderer(QByteArray(drawn.replace(b"currentColor", colour.encode())))


def _folder() -> Path:
    return paths.resources() / "icons" / "window"

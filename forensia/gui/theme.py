"""Our own light and dark palettes on the Fusion style: `setColorScheme` does nothing on several platforms."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette


@dataclass(frozen=True)
class Colours:
    """The few colours of the program. `support` and `against` differ in lightness too, for readers who see no hues."""

    window: str
    surface: str
    raised: str
    text: str
    quiet: str
    line: str
    accent: str
    on_accent: str
    support: str
    against: str
    warning: str


LIGHT = Colours(
    window="#f6f5f2",
    surface="#ffffff",
    raised="#efede8",
    text="#1f2328",
    quiet="#5d646d",
    line="#d9d6cf",
    accent="#1f5f8b",
    on_accent="#ffffff",
    support="#1b6ca8",
    against="#c98a2b",
    warning="#9a5b00",
)
DARK = Colours(
    window="#1c1f23",
    surface="#24282d",
    raised="#2d3238",
    text="#e8e6e1",
    quiet="#a4abb3",
    line="#3b4148",
    accent="#6db3e0",
    on_accent="#10202c",
    support="#6db3e0",
    against="#e3b062",
    warning="#e8b45a",
)


def is_dark(theme: str) -> bool:
    """Whether `theme` (system, light or dark) means dark on this desktop now."""
    if theme == "system":
        return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return theme == "dark"


def colours(theme: str) -> Colours:
    return DARK if is_dark(theme) else LIGHT


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

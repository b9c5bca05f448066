"""Our own light and dark palettes on the Fusion style: `setColorScheme` does nothing on several platforms."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication


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


def sheet(c: Colours) -> str:
    """What Fusion cannot be told by a palette: flat fields, quiet headers, one filled button, a visible focus."""
    return f"""
    QToolTip {{ color: {c.text}; background: {c.surface}; border: 1px solid {c.line}; padding: 4px; }}
    QMenuBar {{ background: {c.window}; border-bottom: 1px solid {c.line}; }}
    QMenuBar::item {{ padding: 5px 10px; background: transparent; }}
    QMenuBar::item:selected {{ background: {c.chosen}; border-radius: 4px; }}
    QStatusBar {{ background: {c.rail}; min-height: 36px; border-top: 1px solid {c.line}; }}
    QStatusBar::item {{ border: none; }}
    QPushButton {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 6px; padding: 5px 12px; }}
    QPushButton:hover {{ background: {c.raised}; }}
    QPushButton:pressed, QPushButton:checked {{ background: {c.chosen}; }}
    QPushButton:focus {{ border: 1px solid {c.accent}; }}
    QPushButton:disabled {{ color: {c.quiet}; background: {c.window}; }}
    QPushButton[primary="true"] {{ background: {c.accent}; color: {c.on_accent}; border: 1px solid {c.accent};
        font-weight: bold; padding: 7px 18px; }}
    QPushButton[primary="true"]:hover {{ border: 1px solid {c.text}; }}
    QPushButton[primary="true"]:focus {{ border: 1px solid {c.text}; }}
    QPushButton[primary="true"]:disabled {{ background: {c.raised}; color: {c.quiet}; border: 1px solid {c.line}; }}
    QPushButton[flat="true"] {{ background: transparent; border: 1px solid transparent; text-align: left;
        padding: 3px 4px; }}
    QPushButton[flat="true"]:hover {{ background: {c.raised}; }}
    QPushButton[flat="true"]:focus {{ border: 1px solid {c.accent}; }}
    QToolButton[help="true"] {{ background: transparent; color: {c.accent}; border: 1px solid transparent;
        border-radius: 6px; padding: 0 3px; }}
    QToolButton[help="true"]:hover {{ background: {c.raised}; }}
    QToolButton[help="true"]:focus {{ border: 1px solid {c.accent}; }}
    QLineEdit {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 6px;
        padding: 4px 6px; selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
    QLineEdit:focus {{ border: 1px solid {c.accent}; }}
    QTreeView, QTableView, QListView, QPlainTextEdit, QTextEdit {{ background: {c.surface}; border: 1px solid {c.line};
        border-radius: 6px; alternate-background-color: {c.window}; }}
    QTreeView:focus, QTableView:focus, QListView:focus, QPlainTextEdit:focus, QTextEdit:focus {{ border: 1px solid {c.accent}; }}
    QTreeView::item, QTableView::item, QListView::item {{ padding: 3px 4px; }}
    QTreeView::item:selected, QTableView::item:selected, QListView::item:selected {{
        background: {c.chosen}; color: {c.text}; }}
    QHeaderView {{ background: transparent; border: none; }}
    QHeaderView::section {{ background: {c.surface}; color: {c.quiet}; border: none;
        border-bottom: 1px solid {c.line}; padding: 5px 6px; }}
    QTabWidget::pane {{ border: none; }}
    QTabBar {{ qproperty-drawBase: 0; }}
    QTabBar::tab {{ background: transparent; color: {c.quiet}; padding: 6px 12px; border: none;
        border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
    QTabBar::tab:focus {{ color: {c.accent}; }}
    QCheckBox::indicator:unchecked, QRadioButton::indicator:unchecked, QTableView::indicator:unchecked {{ width: 12px;
        height: 12px; background: {c.surface}; border: 1px solid {c.quiet}; border-radius: 2px; }}
    QRadioButton::indicator:unchecked {{ border-radius: 7px; }}
    QCheckBox::indicator:unchecked:disabled, QRadioButton::indicator:unchecked:disabled,
    QTableView::indicator:unchecked:disabled {{ border: 1px solid {c.line}; background: {c.window}; }}
    QCheckBox::indicator:unchecked:focus, QRadioButton::indicator:unchecked:focus {{ border: 1px solid {c.accent}; }}
    QSplitter::handle {{ background: transparent; }}
    QProgressBar {{ background: {c.raised}; border: none; border-radius: 4px; max-height: 8px; min-height: 8px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 4px; }}
    QFrame[card="true"] {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 8px; }}
    QFrame[rail="true"] {{ background: {c.rail}; border: none; border-right: 1px solid {c.line}; }}
    QFrame[rail="true"] QListView {{ background: transparent; border: 1px solid transparent; }}
    QFrame[rail="true"] QListView:focus {{ border: 1px solid {c.accent}; }}
    QLabel[quiet="true"] {{ color: {c.quiet}; }}
    QLabel[warning="true"] {{ color: {c.warning}; }}
    QScrollArea {{ background: transparent; border: none; }}
    QScrollArea > QWidget > QWidget {{ background: transparent; }}
    QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 11px; margin: 0; }}
    QScrollBar::handle {{ background: {c.line}; border-radius: 4px; min-height: 28px; min-width: 28px; margin: 2px; }}
    QScrollBar::handle:hover {{ background: {c.quiet}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """

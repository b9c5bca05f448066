"""What every page is made of: layouts written as they look, labels that never read markup, buttons, cards, bars in a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from forensia.gui import theme, words

Index = QModelIndex | QPersistentModelIndex
SHARE = Qt.ItemDataRole.UserRole + 1
"""The item role of a number from 0 to 1 that `BarDelegate` draws behind the text."""


Margins = int | tuple[int, int, int, int] | None


@dataclass(frozen=True)
class Blank:
    """Room without anything in it: so many pixels, and so much of what is left."""

    pixels: int = 0
    share: int | None = None


Part = QWidget | QLayout | Blank | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
"""What stands in a layout. A tuple gives a part its share of the room that is left (a number) or its alignment."""


def spring(share: int = 1) -> Blank:
    """Room that takes what is left, as a stretch of Qt does; with no share, only where nothing else wants it."""
    return Blank(share=share)


def gap(pixels: int) -> Blank:
    """Room of a fixed size."""
    return Blank(pixels)


def column(*parts: Part, margins: Margins = 0, spacing: int | None = None) -> QVBoxLayout:
    """Parts below each other. Margins are left, top, right, bottom; None means those of the style, for spacing too."""
    made = QVBoxLayout()
    _fill(made, parts, margins, spacing)
    return made


def row(*parts: Part, margins: Margins = 0, spacing: int | None = None) -> QHBoxLayout:
    """Parts beside each other."""
    made = QHBoxLayout()
    _fill(made, parts, margins, spacing)
    return made


def panel(layout: QLayout, width: int = 0) -> QWidget:
    """A widget with this layout, perhaps of a fixed width."""
    made = QWidget()
    made.setLayout(layout)
    if width:
        made.setFixedWidth(width)
    return made


def scrolled(inside: QWidget, name: str) -> QScrollArea:
    """A widget as wide as its place, which scrolls where it is too high."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setWidget(inside)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setAccessibleName(name)
    return made


def split(*parts: tuple[QWidget, int, int], upright: bool = False, handle: int = 10) -> QSplitter:
    """Parts whose border can be moved: each with its share of what is left, and the pixels that it begins with."""
    made = QSplitter(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)
    made.setHandleWidth(handle)
    made.setChildrenCollapsible(False)
    for place, (part, share, _) in enumerate(parts):
        made.addWidget(part)
        made.setStretchFactor(place, share)
    made.setSizes([pixels for _, _, pixels in parts])
    return made


def _fill(layout: QBoxLayout, parts: tuple[Part, ...], margins: Margins, spacing: int | None) -> None:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        _add(layout, part)


def _add(layout: QBoxLayout, part: Part) -> None:
    share, alignment = 0, Qt.AlignmentFlag(0)
    if isinstance(part, Blank):
        if part.share is not None:
            layout.addStretch(part.share)
        else:
            layout.addSpacing(part.pixels)
        return
    if isinstance(part, tuple):
        part, rest = part
        share, alignment = (0, rest) if isinstance(rest, Qt.AlignmentFlag) else (rest, alignment)
    if isinstance(part, QLayout):
        layout.addLayout(part, share)
        layout.setAlignment(part, alignment)
    else:
        layout.addWidget(part, share, alignment)


def label(text: str = "", *, quiet: bool = False, scale: float = 1.0, bold: bool = False, wrap: bool = True) -> QLabel:
    """A label that shows its text letter by letter."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if quiet:
        made.setProperty("quiet", True)
    _set_font(made, bold, scale)
    return made


def _set_font(made: QLabel, bold: bool, scale: float) -> None:
    if scale != 1.0 or bold:
        font = made.font()
        font.setPointSizeF(font.pointSizeF() * scale)
        font.setBold(bold)
        made.setFont(font)


def button(text: str, pressed: Callable[[], object], *, primary: bool = False, tip: str = "") -> QPushButton:
    """A push button; the primary one is the next thing to do."""
    made = QPushButton(text)
    made.setProperty("primary", primary)
    made.setAccessibleName(text.replace("&", ""))
    if tip:
        made.setToolTip(words.tip(tip))
    made.clicked.connect(lambda: pressed())
    return made


def menu_button(text: str, tip: str, *actions: tuple[str, Callable[[], object]]) -> QPushButton:
    """A push button that opens a menu of these actions."""
    made = button(text, lambda: None, tip=tip)
    menu = QMenu(made)
    for name, act in actions:
        menu.addAction(name, act)
    made.setMenu(menu)
    return made


def name_field(field: QWidget, name: str) -> None:
    """Name a field for those who hear it; in a combo box that can be typed in, the line within gets the focus."""
    field.setAccessibleName(name)
    line = field.lineEdit() if isinstance(field, QComboBox) else None
    if line is not None:
        line.setAccessibleName(name)


def card(*parts: Part, margin: int = 14) -> QFrame:
    """A quiet box around things that belong together."""
    made = QFrame()
    made.setProperty("card", True)
    made.setLayout(column(*parts, margins=margin, spacing=8))
    return made


class Facts(QWidget):
    """Names and values in two columns. Labels are kept and filled anew: making one takes the style longer than showing it."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show these, in place of those before."""
        self.hide()  # otherwise every label that is shown would arrange the whole page anew
        while len(self._rows) < len(rows):
            pair = (label(quiet=True, wrap=False), label(wrap=False))
            for place, made in enumerate(pair):
                self._grid.addWidget(made, len(self._rows), place)
            self._rows.append(pair)
        for place, (name, value) in enumerate(self._rows):
            there = place < len(rows)
            for made, text in zip((name, value), rows[place] if there else ("", ""), strict=True):
                made.setText(text)
                made.setVisible(there)
        self.show()


class ElidedLabel(QLabel):
    """One line of text that may come from a file: literal, cut in the middle where it does not fit, whole in the tooltip."""

    def __init__(self, text: str = "", *, bold: bool = False, scale: float = 1.0) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        _set_font(self, bold, scale)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(words.one_line(text))
        self.setToolTip(words.tip(text) if text else "")

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        area = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)


def title(text: str = "") -> ElidedLabel:
    """The headline of a page; it may hold a name from a file."""
    return ElidedLabel(text, bold=True, scale=1.35)


class Sign(QWidget):
    """One of our icons beside a text; it says nothing the text does not, so it takes no focus and no name."""

    def __init__(self, name: str, colour: str = "quiet", size: int = 18) -> None:
        super().__init__()
        self._name, self._colour = name, colour
        self.setFixedSize(size, size)

    def set(self, name: str, colour: str) -> None:
        """Show another icon; `colour` is the name of a field of `theme.Colours`."""
        self._name, self._colour = name, colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme.draw_icon(painter, self._name, QRectF(self.rect()), getattr(theme.now(), self._colour))


class BarDelegate(QStyledItemDelegate):
    """A number with a small bar under it, as long as its share of the largest."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        view = self.parent()
        if not isinstance(share, (int, float)) or not isinstance(view, QAbstractItemView):
            return
        colours = theme.now()
        area = QRectF(option.rect).adjusted(6, 0, -6, 0)
        full = QRectF(area.left(), area.bottom() - 5, area.width(), 3)
        part = QRectF(full.left(), full.top(), full.width() * min(max(float(share), 0.0), 1.0), full.height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(full, 1.5, 1.5)
        painter.setBrush(QColor(colours.support))
        painter.drawRoundedRect(part, 1.5, 1.5)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width() + 8, size.height() + 7)

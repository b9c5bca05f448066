"""Layouts written as they look: what stands below or beside each other, with its share of the room or its alignment."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

Margins = int | tuple[int, int, int, int] | None


@dataclass(frozen=True)
class Space:
    """Room without anything in it: so many pixels, and so much of what is left."""

    pixels: int = 0
    share: int | None = None


Part = QWidget | QLayout | Space | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
"""What stands in a layout. A tuple gives a part its share of the room that is left (a number) or its alignment."""


def spring(share: int = 1) -> Space:
    """Room that takes what is left, as a stretch of Qt does; with no share, only where nothing else wants it."""
    return Space(share=share)


def gap(pixels: int) -> Space:
    """Room of a fixed size."""
    return Space(pixels)


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
    if isinstance(part, Space):
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

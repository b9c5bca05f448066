"""What is chosen from, typed into and waited for: fields with their names, made and filled in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QProgressBar, QSpinBox, QTabWidget, QWidget

from forensia.gui import widgets, words

Named = TypeVar("Named", bound=QWidget)


def named(widget: Named, name: str) -> Named:
    """The widget, with a name for those who hear it."""
    widget.setAccessibleName(name)
    return widget


def choice(name: str, values: Mapping[str, str] | None = None, *, letters: int = 0, most: int = 0) -> QComboBox:
    """A list to choose from, each value by its words; `letters` of them are seen whatever is listed, `most` are its pixels at most."""
    made = named(QComboBox(), name)
    if letters:
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(letters)
    if most:
        made.setMaximumWidth(most)
    for value, text in (values or {}).items():
        made.addItem(text, value)
    return made


def choose(box: QComboBox, value: object) -> None:
    """Choose a value; what is chosen stays where it is not listed."""
    place = box.findData(value)
    if place >= 0:
        box.setCurrentIndex(place)


def refill(box: QComboBox, values: Iterable[tuple[object, str]], chosen: object = None) -> None:
    """List other values, each with its words, and choose one of them; nobody hears of it."""
    with QSignalBlocker(box):
        box.clear()
        for value, text in values:
            box.addItem(text, value)
        choose(box, chosen)


def refill_with_authors(box: QComboBox, authors: Iterable[str], chosen: object = None) -> None:
    """List authors, whose names may be long."""
    refill(box, ((author, words.shortened(words.one_line(author), 48)) for author in authors), chosen)


def line(name: str, hint: str = "", *, longest: int = 0, least: int = 0) -> QLineEdit:
    """A line to type in, with a hint as long as it is empty; `least` are its pixels at least."""
    made = named(QLineEdit(), name)
    made.setPlaceholderText(hint)
    if longest:
        made.setMaxLength(longest)
    if least:
        made.setMinimumWidth(least)
    return made


def whole_number(name: str, least: int, most: int) -> QSpinBox:
    """A field for a whole number."""
    made = named(QSpinBox(), name)
    made.setRange(least, most)
    made.setMinimumHeight(28)
    return made


def note(text: str = "") -> QLabel:
    """A remark in smaller letters."""
    return widgets.label(text, quiet=True, scale=0.92)


def bar(name: str) -> QProgressBar:
    """How far something is, in thousandths."""
    made = named(QProgressBar(), name)
    made.setRange(0, 1000)
    made.setTextVisible(False)
    return made


def tabs(name: str) -> QTabWidget:
    """Pages behind tabs, without a frame."""
    made = named(QTabWidget(), name)
    made.tabBar().setAccessibleName(name)
    made.setDocumentMode(True)
    return made


def say(label: QLabel, text: str) -> None:
    """Show a sentence in a label that is there only while it says something."""
    label.setText(text)
    label.setVisible(bool(text))

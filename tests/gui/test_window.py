"""The window as it comes up, and the fault in Qt's bindings that our version bounds avoid."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from forensia.gui.app import make_application
from forensia.gui.rail import PLACES, place_name
from forensia.gui.window import MainWindow


def test_void_calls_keep_the_count_of_none(qtbot: QtBot) -> None:
    """Some PySide6 releases lose a reference to None on each void call and die after a while; see pyproject.toml."""
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(1000):
        label.setText("x")
    assert abs(sys.getrefcount(None) - before) < 100


def test_places_by_keyboard(qtbot: QtBot) -> None:
    make_application()
    window = MainWindow()
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    places = window.rail.places
    assert [places.item(row).text() for row in range(places.count())] == [place_name(place) for place in PLACES]
    for number in range(1, len(PLACES) + 1):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda number=number: window.pages.currentIndex() == number - 1)

"""Python's collector while a window is taken apart."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from forensia.gui.lane import Collector
from support.qt import destroy


def test_the_collector_rests_until_the_window_is_gone(qtbot: QtBot) -> None:
    """Collected while Qt destroys a window, a widget can wait for a lock that the destruction holds: seen once in some thousand windows."""
    window = QObject()
    Collector(window)
    assert not gc.isenabled()
    seen: list[bool] = []
    window.destroyed.connect(lambda: seen.append(gc.isenabled()))
    window.deleteLater()
    qtbot.waitUntil(lambda: bool(seen) and gc.isenabled(), timeout=60_000)
    assert seen == [False]


def test_what_is_destroyed_in_tests_leaves_the_collector_on() -> None:
    destroy(QObject(), QObject())
    assert gc.isenabled()

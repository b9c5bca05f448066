"""A window as the user has it, and the gestures of a person at it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
import shiboken6
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from forensia.gui.app import make_application
from forensia.gui.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A fresh window; whatever it was doing is ended with the test."""
    make_application()
    made = MainWindow()
    made.show()
    yield made
    for bridge in (made.desk.bridge, made.desk.trial):
        bridge.cancel()
        qtbot.waitUntil(lambda bridge=bridge: not bridge.busy, timeout=30_000)  # type: ignore[misc]
    for dialog in made.findChildren(QDialog):
        dialog.close()
    made.desk.close()
    made.hide()
    shiboken6.delete(made)  # a window that lives on is styled anew with every later one


@pytest.fixture
def rest(qtbot: QtBot, window: MainWindow) -> Callable[[], None]:
    """Wait until the window has finished what it was asked to do."""

    def wait() -> None:
        qtbot.waitUntil(lambda: not window.desk.bridge.busy and not window.desk.trial.busy, timeout=60_000)

    return wait


@pytest.fixture
def sample(window: MainWindow, rest: Callable[[], None]) -> MainWindow:
    """The window with the sample case in it."""
    window.menus.sample.trigger()
    rest()
    return window


@pytest.fixture(scope="session")
def hand() -> ModuleType:
    """What a person does with a mouse, and the texts they bring."""
    spec = importlib.util.spec_from_file_location("gui_hand", Path(__file__).with_name("hand.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

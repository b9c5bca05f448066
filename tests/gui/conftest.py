"""A window as the user has it, and the gestures of a person at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from forensia.gui import tasks
from forensia.gui.app import make_application
from forensia.gui.window import MainWindow
from forensia.jobs.worker import Worker
from support import hand as gestures
from support.qt import destroy


@pytest.fixture(scope="session")
def engine() -> Iterator[Worker]:
    """One child process for all windows, so that the language model is loaded once."""
    made = Worker(tasks.ALL)
    yield made
    made.close()


@pytest.fixture(scope="session")
def drawing() -> Iterator[Worker]:
    """And one that draws, so that matplotlib is loaded once."""
    made = Worker(tasks.ALL)
    yield made
    made.close()


@pytest.fixture(scope="session")
def experimenting() -> Iterator[Worker]:
    """And one for experiments."""
    made = Worker(tasks.ALL)
    yield made
    made.close()


@pytest.fixture
def window(qtbot: QtBot, engine: Worker, drawing: Worker, experimenting: Worker) -> Iterator[MainWindow]:
    """A fresh window; whatever it was doing is ended with the test."""
    make_application()
    made = MainWindow(engine, drawing, experimenting)
    made.show()
    yield made
    opencase = made.opencase
    for lane in (opencase.work, opencase.trying, opencase.looking, opencase.drawer, *opencase.watched):
        lane.cancel()
    qtbot.waitUntil(lambda: opencase.quiet, timeout=120_000)
    for dialog in made.findChildren(QDialog):
        dialog.close()
    opencase.close()
    opencase.quick.close()
    if opencase.engine is not engine:
        opencase.engine.close()
    made.hide()
    destroy(made)  # a window that lives on is styled anew with every later one


@pytest.fixture
def rest(qtbot: QtBot, window: MainWindow) -> Callable[[], None]:
    """Wait until the window has finished what it was asked to do."""

    def wait() -> None:
        qtbot.waitUntil(lambda: window.opencase.quiet, timeout=180_000)

    return wait


@pytest.fixture
def sample(window: MainWindow, rest: Callable[[], None]) -> MainWindow:
    """The window with the sample case in it."""
    window.menus.sample.trigger()
    rest()
    return window


@pytest.fixture
def stand_in(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the engine do something else than the real work: the functions of some code, in the place of the tasks of the same names."""

    def put(code: str) -> None:
        name = f"stand_in_{len(list(tmp_path.glob('stand_in_*.py')))}_{tmp_path.name}"
        head = "import os, signal, time\nfrom forensia.gui.tasks import *\n"
        (tmp_path / f"{name}.py").write_text(head + code, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        made = [each for each in vars(import_module(name)).values() if getattr(each, "__module__", "") == name]
        for each in made:
            if hasattr(tasks, each.__name__):
                monkeypatch.setattr(tasks, each.__name__, each)
        window.opencase.engine = Worker((*tasks.ALL, *made))

    return put


@pytest.fixture(scope="session")
def hand() -> ModuleType:
    """What a person does with a mouse, and the texts they bring."""
    return gestures

"""The window's part of `forensia --self-test`: a case is opened in it, its pages are drawn, and a picture is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop
from PySide6.QtGui import QGuiApplication, QImage

from forensia.errors import ForensiaError
from forensia.gui.app import make_application
from forensia.gui.rail import PLACES
from forensia.gui.window import MainWindow

_PATIENCE = 120.0  # seconds, for slow machines
_COLOURS = 50  # fewer than this in a picture of a page full of writing: nothing was drawn


def look(case: Path, picture: Path) -> str:
    """Open `case` in a window, go to every page, keep a picture of the answers; return what was seen."""
    make_application()
    window = MainWindow()
    try:
        window.show()
        window.open_case(case)
        _until(lambda: window.desk.quiet and window.desk.shown is not None)
        for row in range(len(PLACES)):
            window.rail.go(row)
            _until(lambda: window.desk.quiet)
        window.rail.go(PLACES.index("disputed"))
        _until(lambda: window.desk.quiet)
        image = window.grab().toImage()
    finally:
        window.close()
        QCoreApplication.processEvents()
    colours = _colours(image)
    if not image.save(str(picture)) or colours < _COLOURS:
        raise ForensiaError(f"The window stays empty ({colours} colours): it has no fonts, or cannot draw.")
    return f"{image.width()} x {image.height()} on {QGuiApplication.platformName()}"


def _until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not there():
        if time.monotonic() > end:
            raise ForensiaError("The window does not finish what it was asked to do.")
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        time.sleep(0.01)


def _colours(image: QImage) -> int:
    """How many colours there are on a coarse grid of points."""
    points = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
    return len({image.pixel(x, y) for x, y in points})

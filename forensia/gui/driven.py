"""The window driven by the program itself: to see that it works (`forensia --self-test`), and to measure how long it keeps people waiting.

The lag is how much later than it should the event loop gets to a tick that is due every few milliseconds. Ticks that fall into a long
wait count too, each with what was left of the wait, so a wait of 100 ms is not one bad tick among many good ones. Beside it stands how
much the window itself did between two ticks (processor time of its own thread): the rest of a lag is other programs' on a busy
machine. `bench.lag` turns it into figures.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage

from forensia.errors import ForensiaError, InputError
from forensia.gui.app import make_application
from forensia.gui.pages import PLACES
from forensia.gui.window import MainWindow

_PATIENCE = 120.0  # seconds that the self-test waits, for slow machines
_COLOURS = 50  # fewer than this in a picture of a page full of writing: nothing was drawn
_DUE = 5  # milliseconds between two ticks
_ACT = 700  # milliseconds between two things that the user does meanwhile


def look(case: Path, picture: Path) -> str:
    """Open `case` in a window, go to every page, keep a picture of the answers; return what was seen."""
    make_application()
    window = MainWindow()
    try:
        window.show()
        window.open_case(case)
        _settle(lambda: window.opencase.quiet and window.opencase.shown is not None, _PATIENCE)
        for row in range(len(PLACES)):
            window.rail.go(row)
            _settle(lambda: window.opencase.quiet, _PATIENCE)
        window.rail.go("disputed")
        _settle(lambda: window.opencase.quiet, _PATIENCE)
        image = window.grab().toImage()
    finally:
        window.close()
        QCoreApplication.processEvents()
    colours = _colours(image)
    if not image.save(str(picture)) or colours < _COLOURS:
        raise ForensiaError(f"The window stays empty ({colours} colours): it has no fonts, or cannot draw.")
    return f"{image.width()} x {image.height()} on {QGuiApplication.platformName()}"


def _colours(image: QImage) -> int:
    """How many colours there are on a coarse grid of points."""
    points = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
    return len({image.pixel(x, y) for x, y in points})


@dataclass(frozen=True)
class Waits:
    """How long it was watched, the lag of each tick, and the most that the window itself did between two; all in seconds."""

    seconds: float
    lags: list[float]
    busiest: float


class Watch(QObject):
    """Measures the lag from `start` to `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_DUE)
        self._timer.timeout.connect(self._tick)
        self._begun = self._due = self._used = self._most = 0.0
        self.lags: list[float] = []

    def start(self) -> None:
        self.lags = []
        self._begun = time.perf_counter()
        self._due = self._begun + _DUE / 1000
        self._used, self._most = time.thread_time(), 0.0
        self._timer.start()

    def stop(self) -> Waits:
        self._timer.stop()
        self._tick()
        return Waits(time.perf_counter() - self._begun, self.lags, self._most)

    def _tick(self) -> None:
        now, used = time.perf_counter(), time.thread_time()
        self._most, self._used = max(self._most, used - self._used), used
        while self._due <= now:
            self.lags.append(now - self._due)
            self._due += _DUE / 1000


def at_work(window: MainWindow, known: Path, disputed: Sequence[Path]) -> Iterator[tuple[str, Waits]]:
    """The window at rest, reading, training while somebody uses it, and analysing: each stage with its waits."""
    watch = Watch(window)
    failures: list[BaseException] = []
    window.opencase.failed.connect(failures.append)

    def measured(stage: str, act: Callable[[], object]) -> tuple[str, Waits]:
        _settle(lambda: window.opencase.quiet)
        user = _User(window) if stage == "training" else None
        watch.start()
        act()
        _settle(lambda: not window.opencase.work.busy and window.opencase.quiet)
        waits = watch.stop()
        if user is not None:
            user.stop()
        if failures:
            raise (
                failures[0] if isinstance(failures[0], ForensiaError) else InputError("The window failed; see the log.")
            )
        return stage, waits

    yield measured("idle", lambda: _settle(_after(3.0)))
    yield measured("reading", lambda: window.opencase.read(known))
    window.rail.go("model")
    yield measured("training", window.model.settings.button.click)
    if window.opencase.shown is None or window.opencase.shown.model is None:
        raise InputError("No model was trained, so the lag says nothing. See the log.")
    yield measured("analysing", lambda: window.opencase.analyse(disputed))


class _User:
    """Goes between the places, looks at texts and types meanwhile, as people do."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._turn = 0
        self._timer = QTimer(window)
        self._timer.setInterval(_ACT)
        self._timer.timeout.connect(self._act)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._window.corpus.documents.filter.clear()

    def _act(self) -> None:
        window, page = self._window, self._window.corpus
        self._turn += 1
        rows = max(1, page.documents.proxy.rowCount())
        acts: tuple[Callable[[], object], ...] = (
            lambda: window.rail.go("corpus"),
            lambda: page.documents.table.selectRow(self._turn * 37 % rows),
            lambda: page.documents.table.scrollToBottom(),
            lambda: page.documents.filter.setText("1" if not page.documents.filter.text() else ""),
            lambda: window.rail.go("disputed"),
            lambda: window.rail.go("model"),
        )
        acts[self._turn % len(acts)]()


def _after(seconds: float) -> Callable[[], bool]:
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


def _settle(done: Callable[[], bool], patience: float = math.inf) -> None:
    """Let the event loop run until something is true."""
    end = time.monotonic() + patience
    loop = QEventLoop()
    timer = QTimer()
    timer.setInterval(40)
    timer.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > end else None)
    timer.start()
    if not done():
        loop.exec()
    QCoreApplication.processEvents()
    if time.monotonic() > end:
        raise ForensiaError("The window does not finish what it was asked to do.")

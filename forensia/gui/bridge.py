"""The bridge from jobs to signals. Nothing else in the window knows of threads: work goes in, signals come out in Qt's own thread."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from forensia.errors import Cancelled
from forensia.jobs import Job, Progress, ProgressReport, State

Work = Callable[[Progress], Any]
_NEWS = 0.06  # seconds between two signals: a reader of 100,000 files reports each of them
_SETTLED = 3.0  # seconds before a time left is told: earlier it would jump


class Bridge(QObject):
    """One lane for long work, one piece at a time.

    `moved` tells the share done, what is being done, and the seconds left (-1: unknown); `ended` comes last, whatever happened.
    """

    started = Signal(str)
    moved = Signal(float, str, float)
    partly = Signal(object)
    ended = Signal(str, object)
    _news = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job[Any] | None = None
        self._done: Callable[[Any], None] | None = None
        self._failed: Callable[[BaseException], None] | None = None
        self._since = 0.0
        self._last = 0.0
        self._news.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def name(self) -> str:
        """What is being done, for people; empty when nothing is."""
        return self._job.name if self._job else ""

    def run(
        self,
        name: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None] | None = None,
    ) -> bool:
        """Start `work`; `done` gets its result and `failed` what it raised, in the thread of the window. False when busy."""
        if self.busy:
            return False
        self._done, self._failed = done, failed
        self._since, self._last = time.monotonic(), 0.0
        self._job = Job(name, work, self._tell)
        self.started.emit(name)
        self._job.start()
        return True

    def cancel(self) -> None:
        """Ask the work to stop; `ended` says when it has."""
        if self._job is not None:
            self._job.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait for the end without showing anything; True when there is nothing left to wait for."""
        return self._job is None or self._job.wait(seconds)

    def announce(self, news: object) -> None:
        """Called by the work itself, from its thread: something is ready before the whole is."""
        self.partly.emit(news)

    def _tell(self, job: Job[Any]) -> None:
        """In the thread of the work: pass on what is new, not too often."""
        now = time.monotonic()
        report = job.report
        if report.state is State.RUNNING and now - self._last < _NEWS:
            return
        self._last = now
        with contextlib.suppress(RuntimeError):  # the window is gone: nobody is left to be told
            self._news.emit(job, report)

    @Slot(object, object)
    def _hear(self, job: Job[Any], report: ProgressReport) -> None:
        if job is not self._job:
            return
        if report.state is State.RUNNING:
            self.moved.emit(report.fraction, report.message, self._left(report.fraction))
            return
        done, failed = self._done, self._failed
        self._job = self._done = self._failed = None
        try:
            if report.state is State.DONE and done is not None:
                done(job.result())
            elif failed is not None:
                failed(job.error or Cancelled())
        finally:
            self.ended.emit(job.name, job.error)

    def _left(self, fraction: float) -> float:
        spent = time.monotonic() - self._since
        if spent < _SETTLED or fraction < 0.02:
            return -1.0
        return spent / fraction * (1.0 - fraction)


class Latest(QObject):
    """A lane of its own where only the newest wish counts: an older one is stopped, or never begun."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = Bridge(self)
        self._next: tuple[str, Work, Callable[[Any], None], Callable[[BaseException], None] | None] | None = None
        self.bridge.ended.connect(lambda *_: self._go_on())

    @property
    def busy(self) -> bool:
        return self.bridge.busy or self._next is not None

    def ask(
        self,
        name: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Wish for something instead of what was wished for before."""
        self._next = (name, work, done, failed)
        if self.bridge.busy:
            self.bridge.cancel()
        else:
            self._go_on()

    def cancel(self) -> None:
        """Wish for nothing."""
        self._next = None
        self.bridge.cancel()

    def _go_on(self) -> None:
        wish, self._next = self._next, None
        if wish is None:
            return
        name, work, done, failed = wish

        def told(result: Any) -> None:
            if self._next is None:  # nobody wants to know any more what an older wish came to
                done(result)

        def told_why(error: BaseException) -> None:
            if self._next is None and failed is not None:
                failed(error)

        self.bridge.run(name, work, told, told_why)

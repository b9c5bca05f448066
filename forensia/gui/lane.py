"""Work beside the window, and when Python looks for garbage meanwhile.

Nothing else in the window knows of threads: requests go in, and what comes of them arrives in Qt's own thread.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from forensia.errors import Cancelled, ForensiaError
from forensia.gui.words import tr
from forensia.jobs import Progress
from forensia.jobs.worker import News, Task, Worker

P = ParamSpec("P")
R = TypeVar("R")
Work = Callable[[Progress, News], R]
Failed = Callable[[BaseException], None]
NEWEST = "newest"
"""The key of requests of which only the newest counts."""

_log = logging.getLogger(__name__)
_OFTEN = 0.06  # seconds between two signals of progress: a reader of 100,000 files reports each of them
_SETTLED = 3.0  # seconds before a time left is told: earlier it would jump
_LOOK = 1_000  # milliseconds between two looks at new objects
_SELDOM = 20  # such looks before one at everything
_NEW = 5_000  # objects that make a look worth while


@dataclass(eq=False)
class _Request:
    """Something to do, and who is told what comes of it. One that is not `wanted` any more tells nobody."""

    name: str
    work: Work[Any]
    done: Callable[[Any], None]
    failed: Failed | None
    heard: Callable[[Any], None] | None
    key: Hashable
    wanted: bool = True
    stop: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    since: float = 0.0
    last: float = 0.0


class Lane(QObject):
    """Does one request after the other, each in a thread. Of those with the same key only the newest counts; those without one all do.

    A `hasty` lane stops what is being done when a newer request takes its place; otherwise it is finished and nobody is told, because a
    child that is stopped may lose the model it has made ready. `moved` tells the share done, what is being done, and the seconds left
    (-1: unknown); `ended` comes last, whatever happened.
    """

    started = Signal(str)
    moved = Signal(float, str, float)
    ended = Signal(str, object)
    _sent = Signal(object, object)

    def __init__(self, parent: QObject | None = None, *, hasty: bool = False) -> None:
        super().__init__(parent)
        self._hasty = hasty
        self._now: _Request | None = None
        self._waiting: dict[Hashable, _Request] = {}
        self._sent.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether anything is being done, wanted or not, or waits."""
        return self._now is not None or bool(self._waiting)

    @property
    def name(self) -> str:
        """What is being done, for people; empty when nothing is."""
        return self._now.name if self._now else ""

    def ask(
        self,
        name: str,
        work: Work[R],
        done: Callable[[R], None],
        failed: Failed | None = None,
        heard: Callable[[Any], None] | None = None,
        *,
        key: Hashable = None,
    ) -> None:
        """Ask for `work(progress, news)`; `done` gets its result, `heard` what it tells before, `failed` what it raised."""
        request = _Request(name, work, done, failed, heard, object() if key is None else key)
        now = self._now
        if now is not None and now.key == request.key:
            now.wanted = False
            if self._hasty:
                now.stop.set()
        self._waiting[request.key] = request
        self._go_on()

    def forget(self, key: Hashable = NEWEST) -> None:
        """Want no answer to a request any more."""
        self._waiting.pop(key, None)
        if self._now is not None and self._now.key == key:
            self._now.wanted = False

    def cancel(self) -> None:
        """Stop; what was being done fails with `Cancelled`, and `ended` says when it has."""
        self._waiting.clear()
        if self._now is not None:
            self._now.stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end without showing anything; True when there is nothing left to wait for."""
        thread = self._now.thread if self._now else None
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _go_on(self) -> None:
        if self._now is not None or not self._waiting:
            return
        self._now = request = self._waiting.pop(next(iter(self._waiting)))
        request.since = time.monotonic()
        request.thread = threading.Thread(target=self._work, args=(request,), name=request.name, daemon=True)
        self.started.emit(request.name)
        request.thread.start()

    # In the thread of the work

    def _work(self, request: _Request) -> None:
        def progress(fraction: float, message: str = "") -> None:
            if request.stop.is_set():
                raise Cancelled
            now = time.monotonic()
            if now - request.last >= _OFTEN:
                request.last = now
                self._send(request, _Moved(fraction, message))

        try:
            end = _End(request.work(progress, lambda news: self._send(request, _Heard(news))))
        except BaseException as error:
            if not isinstance(error, Cancelled):
                _log.error("job %s failed", request.name, exc_info=error)
            end = _End(None, error)
        self._send(request, end)

    def _send(self, request: _Request, message: object) -> None:
        with contextlib.suppress(RuntimeError):  # the window is gone: nobody is left to be told
            self._sent.emit(request, message)

    # In the thread of the window

    @Slot(object, object)
    def _tell(self, request: _Request, message: object) -> None:
        if request is not self._now:
            return
        if isinstance(message, _End):
            self._now = None
            try:
                if request.wanted and message.error is None:
                    request.done(message.result)
                elif request.wanted and request.failed is not None and message.error is not None:
                    request.failed(message.error)
            finally:
                self.ended.emit(request.name, message.error)
                self._go_on()
        elif isinstance(message, _Moved) and request.wanted:
            self.moved.emit(message.fraction, message.message, _left(request, message.fraction))
        elif isinstance(message, _Heard) and request.wanted and request.heard is not None:
            request.heard(message.news)


@dataclass(frozen=True)
class _Moved:
    fraction: float
    message: str


@dataclass(frozen=True)
class _Heard:
    news: Any


@dataclass(frozen=True)
class _End:
    result: Any
    error: BaseException | None = None


def _left(request: _Request, fraction: float) -> float:
    spent = time.monotonic() - request.since
    if spent < _SETTLED or fraction < 0.02:
        return -1.0
    return spent / fraction * (1.0 - fraction)


class Questions(Lane):
    """What a view asks a worker: the newest question counts. One that is not wanted any more is still answered, to nobody."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = worker

    def put(
        self,
        task: Task[P, R],
        done: Callable[[R], None],
        failed: Callable[[str], None],
        heard: Callable[[Any], None] | None = None,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> None:
        """Ask for a task; `failed` gets a sentence for people."""

        def excused(error: BaseException) -> None:
            if not isinstance(error, Cancelled):
                failed(sentence(error))

        name = tr("Looking closer")
        work: Work[R] = lambda progress, news: self.worker.do(task, progress, news, *args, **arguments)  # noqa: E731
        self.ask(name, work, done, excused, heard, key=NEWEST)

    def cancel(self) -> None:
        """Stop, because everything ends, or because what was asked takes longer than making the model ready again."""
        self.forget()
        super().cancel()


def sentence(error: BaseException) -> str:
    """What a view says in the place of an answer."""
    if isinstance(error, ForensiaError):
        return str(error)
    return tr("This could not be worked out ({0}).").format(type(error).__name__)


class Collector(QObject):
    """Collects garbage in the window's own thread, and when nobody waits, as long as it lives.

    Python would do it at any moment in whatever thread just made an object. A widget that is collected by another thread than its own
    takes the program with it, and a look at everything takes a tenth of a second and more.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.destroyed.connect(_let_python)
        self._turns = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        self._turns += 1
        if self._turns % _SELDOM == 0:
            gc.collect(2)
        elif gc.get_count()[0] > _NEW:
            gc.collect(1)


def keep_loaded() -> None:
    """What is there now stays to the end (libraries that were just loaded): it need not be looked at again."""
    gc.collect()
    gc.freeze()


def _let_python() -> None:
    """Not now: Qt is still taking the window apart, and holds a lock that a widget collected meanwhile would wait for, for ever."""
    QTimer.singleShot(0, gc.enable)

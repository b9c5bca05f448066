"""The child's side of both kinds of workers: do what is asked, one thing after the other, until the parent ends.

A child writes no log: two processes cannot turn one log file over. What went wrong is told to the parent, which logs it.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import inspect
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO, Any, NoReturn, get_type_hints

from forensia import logs
from forensia.errors import Cancelled, ForensiaError
from forensia.jobs import confined
from forensia.jobs.child import CONFINED, packed, parsed, receive_frame, send_frames
from forensia.jobs.confined import ChildLimits

Json = Any
_MOST = 1 << 30  # bytes of a question
_OFTEN = 0.05  # seconds between two messages of progress: a reader of 100,000 files reports each of them


def serve(kind: str) -> None:
    """Serve until the input ends; a library that prints must not speak in our place."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is the parent's affair
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    hello = parsed(receive_frame(inbox, _MOST))
    if hello is not None:
        (_confined if kind == CONFINED else _working)(inbox, outbox, hello)


# Confined: one thread, no listener; it is stopped by being killed


def _confined(inbox: IO[bytes], outbox: IO[bytes], hello: dict[str, Json]) -> None:
    limits = ChildLimits(**hello["limits"])
    _end_with_the_parent()
    function = _function(hello["target"])
    confined.alone()
    confined.forbid()
    confined.bound(limits.memory)
    send_frames(outbox, b"{}")
    while True:
        options, data = parsed(receive_frame(inbox, 1 << 20)), receive_frame(inbox, 1 << 40)
        if options is None or data is None:
            return
        confined.give_time(limits.seconds, limits.cpu_seconds)
        answer = _answered(function, data, **options)
        del data
        confined.give_time(0.0, 0.0)
        send_frames(outbox, packed(answer))


def _end_with_the_parent() -> None:
    """On Linux: whatever the child is doing, it ends when its parent does."""
    if sys.platform == "linux":
        parent = os.getppid()
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(0)


# Working: a listener hears the wish to stop while the work goes on


class _Telling:
    """What a task is given: `progress`, which raises when the parent wants it to stop, and `news`."""

    def __init__(self, outbox: IO[bytes], stop: threading.Event) -> None:
        self._outbox, self._stop = outbox, stop
        self._last, self._said = 0.0, ""

    def progress(self, fraction: float, message: str = "") -> None:
        if self._stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._last >= _OFTEN or (message and message != self._said and fraction in (0.0, 1.0)):
            self._last, self._said = now, message or self._said
            self.tell({"kind": "progress", "fraction": fraction, "message": self._said})

    def news(self, value: object) -> None:
        from forensia import codec

        self.tell({"kind": "news", "value": codec.plain(value)})

    def tell(self, message: dict[str, Json]) -> None:
        try:
            send_frames(self._outbox, packed(message))
        except OSError:
            end()


def _working(inbox: IO[bytes], outbox: IO[bytes], hello: dict[str, Json]) -> None:
    _step_back()
    questions: queue.SimpleQueue[dict[str, Json]] = queue.SimpleQueue()
    stop = threading.Event()
    telling = _Telling(outbox, stop)
    threading.Thread(target=_listen, args=(inbox, questions, stop), daemon=True).start()
    while True:
        try:
            question = questions.get(timeout=float(hello["idle"]))
        except queue.Empty:
            end()
        telling.tell({"kind": "began"})
        telling.tell(_answered(_task, question, hello["tasks"], telling))


def _listen(inbox: IO[bytes], questions: queue.SimpleQueue[dict[str, Json]], stop: threading.Event) -> None:
    with contextlib.suppress(OSError, ValueError):
        while (message := parsed(receive_frame(inbox, _MOST))) is not None:
            if message.get("stop"):
                stop.set()
            else:
                stop.clear()  # a wish that came too late for the task before it
                questions.put(message)
    end()


def end() -> NoReturn:
    """End at once, with every process that was started; a step of a case that is half done is taken back by its next opening."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _task(question: dict[str, Json], tasks: Collection[str], telling: _Telling) -> Json:
    """Do a task, with arguments of the types that it states."""
    from forensia import codec

    if question["do"] not in tasks:
        raise LookupError
    task = _function(question["do"])
    types = get_type_hints(inspect.unwrap(task))
    arguments = {name: codec.typed(types.get(name, Any), value) for name, value in question["with"].items()}
    return codec.plain(task(telling.progress, telling.news, **arguments))


def _step_back() -> None:
    """The window goes first: less urgent than it, and the first to go when memory runs out."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


# Both


def _function(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def _answered(function: Callable[..., Json], *args: Any, **options: Json) -> dict[str, Json]:
    """What a function returns or raises, as an answer."""
    try:
        answer = {"kind": "result", "value": function(*args, **options)}
        packed(answer)  # what cannot be told is a fault of the function, not of the telling
        return answer
    except MemoryError:
        return {"kind": "memory"}
    except ForensiaError as error:
        return {"kind": "error", "name": type(error).__name__, "message": str(error)}
    except Exception as error:
        return {"kind": "failed", "name": type(error).__name__, "details": logs.describe(error)}

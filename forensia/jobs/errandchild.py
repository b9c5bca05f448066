"""The child's side of `errands`: do what is asked, tell how it goes, and end when the parent does.

It writes no log: two processes cannot turn one log file over. What went wrong is told to the parent, which logs it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from forensia import logs
from forensia.errors import Cancelled, ForensiaError
from forensia.jobs import child

Json = Any
_NEWS = 0.05  # seconds between two lines of progress: a reader of 100,000 files reports each of them


class _Desk:
    """What the errand is given: `progress`, which raises when the parent wants it to stop, and `news`."""

    def __init__(self, outbox: IO[bytes], stop: threading.Event) -> None:
        self._outbox, self._stop = outbox, stop
        self._last, self._said = 0.0, ""

    def progress(self, fraction: float, message: str = "") -> None:
        if self._stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._last >= _NEWS or (message and message != self._said and fraction in (0.0, 1.0)):
            self._last, self._said = now, message or self._said
            self.tell({"kind": "progress", "fraction": fraction, "message": self._said})

    def news(self, value: Json) -> None:
        self.tell({"kind": "news", "value": value})

    def tell(self, message: dict[str, Json]) -> None:
        try:
            self._outbox.write(json.dumps(message).encode() + b"\n")
            self._outbox.flush()
        except OSError:
            end()


def serve() -> None:
    """Do one errand after the other until the input ends or nothing is asked for a while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is the parent's affair
    inbox, outbox = child.own_pipes()
    _step_back()
    questions: queue.SimpleQueue[dict[str, Json]] = queue.SimpleQueue()
    stop = threading.Event()
    desk = _Desk(outbox, stop)
    threading.Thread(target=_listen, args=(inbox, questions, stop), daemon=True).start()
    idle = float(os.environ.get("FORENSIA_IDLE", "180"))
    while True:
        try:
            question = questions.get(timeout=idle)
        except queue.Empty:
            end()
        desk.tell({"kind": "began"})
        desk.tell(_answer(question, desk))


def _listen(inbox: IO[bytes], questions: queue.SimpleQueue[dict[str, Json]], stop: threading.Event) -> None:
    """Hear the parent, in a thread: a wish to stop comes while the work goes on, and so does the parent's end."""
    with contextlib.suppress(OSError, ValueError):
        for line in inbox:
            message = json.loads(line)
            if message.get("stop"):
                stop.set()
            else:
                stop.clear()  # a wish that came too late for the errand before it
                questions.put(message)
    end()


def end() -> None:
    """End at once, with every process that was started; a step of a case that is half done is taken back by its next opening."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _answer(question: dict[str, Json], desk: _Desk) -> dict[str, Json]:
    try:
        module, _, name = str(question["do"]).partition(":")
        function = getattr(importlib.import_module(module), name)
        value = function(desk.progress, desk.news, **question["with"])
        json.dumps(value)  # what cannot be told is a fault of the errand, not of the telling
        return {"kind": "result", "value": value}
    except Cancelled:
        return {"kind": "cancelled"}
    except MemoryError:
        return {"kind": "memory"}
    except ForensiaError as error:
        return {"kind": "error", "name": type(error).__name__, "message": str(error)}
    except Exception as error:
        return {"kind": "failed", "name": type(error).__name__, "details": logs.describe(error)}


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

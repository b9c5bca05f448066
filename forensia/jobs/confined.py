"""Work on hostile data in a child process that is confined, has one thread and can be killed; nothing it sends back is ever unpickled.

One child serves many calls, because starting Python for each of 5,000 files is too slow; it is started at the first call, again after
it died or was stopped, and from time to time so that what one file left in memory cannot hurt the next.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from forensia.errors import WorkerDied
from forensia.jobs import confine
from forensia.jobs.child import CONFINED, Child, error_of
from forensia.jobs.frames import packed, parsed

Json = Any
_STARTUP = 60.0  # a cold disk and a virus scanner may take their time before the child is ready
_CALLS = 500  # then a fresh child


@dataclass(frozen=True)
class ChildLimits:
    """What one call may use: seconds by the clock and of the processor, bytes of address space, bytes of the answer."""

    seconds: float = 60.0
    cpu_seconds: float = 60.0
    memory: int = 1 << 30
    reply: int = 256 << 20


class Overrun(WorkerDied):
    """A call that reached one of its limits ('time' or 'memory') and was stopped."""

    def __init__(self, reason: str, limits: ChildLimits) -> None:
        bound = f"{limits.seconds:g} seconds" if reason == "time" else f"{limits.memory >> 20:,} MB of memory"
        super().__init__(f"The work was stopped because it needed more than {bound}.")
        self.reason = reason


def never() -> None:
    """For callers who never stop a call."""


class Confined:
    """Calls `function(data, **options)`, a module-level function that returns JSON-able data, in a child process."""

    def __init__(self, function: Callable[..., Json], limits: ChildLimits | None = None) -> None:
        self._target = f"{function.__module__}:{function.__qualname__}"
        self._limits = limits or ChildLimits()
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._calls = 0

    def __enter__(self) -> Confined:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        return self._child.pid if self._child else None

    def call(self, data: bytes, options: Mapping[str, Json] | None = None, check: Callable[[], object] = never) -> Json:
        """The function's result. `check` is called several times a second while waiting; what it raises stops the child."""
        with self._lock:
            check()
            if self._calls >= _CALLS:
                self._end(0.5)
            fresh = self._child is None
            try:
                child = self._child = self._child or self._start()
                child.send(packed(dict(options or {})), data)
                frame = self._wait(child, fresh, check)
            except BaseException:
                self._end()
                raise
            self._calls += 1
            return self._result(frame)

    def close(self) -> None:
        """End the child; the next call would start another."""
        with self._lock:
            self._end(0.5)

    def _start(self) -> Child:
        child = Child(CONFINED, self._limits.reply)
        child.send(packed({"target": self._target, "limits": asdict(self._limits)}))
        return child

    def _wait(self, child: Child, fresh: bool, check: Callable[[], object]) -> bytes | None:
        """The answer; of a fresh child the time begins when it says that it is ready."""
        end = time.monotonic() + self._limits.seconds + (_STARTUP if fresh else 0.0)
        while True:
            try:
                frame = child.receive()
            except queue.Empty:
                check()
                if time.monotonic() > end:
                    raise Overrun("time", self._limits) from None
                continue
            if not fresh or frame is None:
                return frame
            fresh, end = False, time.monotonic() + self._limits.seconds

    def _result(self, frame: bytes | None) -> Json:
        answer = parsed(frame)
        if answer is None:
            code = self._end(0.5)  # a child that is ending by itself should say why
            if code in confine.TIME_SIGNALS:
                raise Overrun("time", self._limits)
            if code == confine.MEMORY_CODE:
                raise Overrun("memory", self._limits)
            raise WorkerDied(f"The working process ended without an answer (code {code}).")
        if answer.get("kind") == "result":
            return answer.get("value")
        if answer.get("kind") == "memory":
            self._end()
            raise Overrun("memory", self._limits)
        raise error_of(answer)

    def _end(self, patience: float = 0.0) -> int | None:
        child, self._child, self._calls = self._child, None, 0
        return None if child is None else child.end(patience)

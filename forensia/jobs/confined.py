"""Work on hostile data in a child process that is confined, has one thread and can be killed; nothing it sends back is ever unpickled.

One child serves many calls, because starting Python for each of 5,000 files is too slow; it is started at the first call, again after
it died or was stopped, and from time to time so that what one file left in memory cannot hurt the next.
"""

from __future__ import annotations

import math
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from forensia.errors import WorkerDied
from forensia.jobs.child import CONFINED, Child, error_of, packed, parsed

if sys.platform != "win32":
    import resource

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

    def __exit__(self, *_: object) -> None:
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
            if code in TIME_SIGNALS:
                raise Overrun("time", self._limits)
            if code == MEMORY_CODE:
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


# What the child may not do: use the network, start programs, write files, or take more time and memory than it was given. Parsers of ours
# and the libraries we chose do none of this; it holds if one of them has a hole.

_FORBIDDEN = (
    "socket.", "subprocess.", "shutil.", "ftplib.", "smtplib.", "urllib.", "webbrowser.",
    "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate",
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_GRACE = 5.0  # by the clock: the parent stops its child first; this is for a child whose parent is gone

# How a process ends that used up its time; the names are missing on Windows, where the parent's clock is the only one.
TIME_SIGNALS = tuple(-int(getattr(signal, name)) for name in ("SIGXCPU", "SIGALRM") if hasattr(signal, name))
MEMORY_CODE = 77  # the exit code of a process that `watch` ended


def alone() -> None:
    """Refuse to go on with more than one thread: another one would escape what this one is forbidden."""
    threads = len(list(Path("/proc/self/task").iterdir())) if sys.platform == "linux" else threading.active_count()
    if threads != 1:
        raise RuntimeError(f"a confined process with {threads} threads")


def forbid() -> None:
    """Refuse network, programs and writing from now on; Python's audit events cannot be switched off again, nor gone around."""
    sys.dont_write_bytecode = True
    sys.addaudithook(_judge)


def _judge(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        flags = arguments[2]
        if isinstance(flags, int) and flags & _WRITING:
            raise PermissionError("a working process writes no files")
    elif event.startswith(_FORBIDDEN):
        raise PermissionError(f"a working process may not use {event}")


def bound(memory: int) -> None:
    """Cap the address space, and with it everything; no core dump (it would hold the document), no file, few descriptors."""
    if sys.platform == "win32":
        return  # only the limits of the readers and the parent's clock hold there
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 64)):
        _limit(kind, most)
    if sys.platform == "darwin" or not _limit(resource.RLIMIT_AS, memory):
        threading.Thread(target=watch, args=(memory,), daemon=True).start()


def _limit(kind: int, most: int) -> bool:
    """Lower both limits of one resource as far as the system lets us."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except (ValueError, OSError):
        return False
    return True


def watch(memory: int) -> None:
    """End this process when it has used more than `memory`: for systems that accept a limit and then ignore it."""
    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= memory:
        time.sleep(0.1)
    os._exit(MEMORY_CODE)


def give_time(seconds: float, cpu_seconds: float) -> None:
    """Start the clocks of one call; 0 stops them. When one runs out, the system ends the process."""
    if sys.platform == "win32":
        return
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE if seconds else 0.0)
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds) if cpu_seconds else hard
    if hard != resource.RLIM_INFINITY and soft != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))

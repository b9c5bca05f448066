"""A child process for work on hostile data: it can be stopped, it is confined, and nothing it sends back is ever unpickled.

One child serves many calls, because starting Python for each of 5,000 files is too slow; it is started at the first call,
again after it died or was stopped, and from time to time so that what one file left in memory cannot hurt the next.

The parent sends length-prefixed frames (JSON options, then bytes) and gets one JSON frame back. In a frozen bundle
`sys.executable` is Forensia itself: it is started with CHILD_FLAG, and `forensia.__main__` hands over to `serve` then.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from forensia.errors import ForensiaError, InputError, SettingsError, StorageError, WorkerDied
from forensia.jobs import confine

Json = Any
CHILD_FLAG = "--forensia-child"

_LENGTH = struct.Struct(">Q")
_POLL = 0.1  # seconds between two looks at the clock and at the wish to stop
_STARTUP = 60.0  # a cold disk and a virus scanner may take their time before the child says hello
_CALLS = 500  # then a fresh child
_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from forensia.jobs.{0} import serve; serve()"
# What an interpreter needs to start, and nothing a user keeps in the environment.
_ENVIRONMENT = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
# The classes that take their sentence as it is; any other of ours comes back as a plain ForensiaError.
KNOWN = {known.__name__: known for known in (InputError, SettingsError, StorageError, WorkerDied)}


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


class NotStarted(WorkerDied):
    """No child could be started at all: nothing is wrong with the data, something is with the machine."""


class CallFailed(ForensiaError):
    """The function raised something that is not ours; only the type's name is told, for its words may quote a document."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"The work failed unexpectedly ({kind}).")
        self.kind = kind


def never() -> None:
    """The wish to stop of somebody who never wants to."""


class Worker:
    """Calls `function(data, **options)`, a module-level function that returns JSON-able data, in a child process."""

    def __init__(self, function: Callable[..., Json], limits: ChildLimits | None = None) -> None:
        self._target = f"{function.__module__}:{function.__qualname__}"
        self._limits = limits or ChildLimits()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._calls = 0

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        return self._process.pid if self._process else None

    def call(self, data: bytes, options: Mapping[str, Json] | None = None, check: Callable[[], object] = never) -> Json:
        """The function's result. `check` is called several times a second while waiting; what it raises stops the child."""
        with self._lock:
            check()
            if self._calls >= _CALLS:
                self._end()
            process, fresh = (self._process, False) if self._process else (self._start(), True)
            hello = json.dumps({"target": self._target, "limits": asdict(self._limits)}).encode() if fresh else b""
            question = (json.dumps(dict(options or {})).encode(), data)
            exchange = _Exchange(process, hello, question, self._limits.reply)
            try:
                while not exchange.done.wait(_POLL):
                    check()
                    if exchange.age() > self._limits.seconds:
                        raise Overrun("time", self._limits)
            except BaseException:
                self._kill()
                raise
            self._calls += 1
            return self._result(process, exchange.reply)

    def close(self) -> None:
        """End the child; the next call would start another."""
        with self._lock:
            self._end()

    def _result(self, process: subprocess.Popen[bytes], reply: bytes | None) -> Json:
        answer = _parsed(reply)
        if answer is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)  # a child that is ending by itself should say why
            self._kill()
            if process.returncode in confine.TIME_SIGNALS:
                raise Overrun("time", self._limits)
            if process.returncode == confine.MEMORY_CODE:
                raise Overrun("memory", self._limits)
            raise WorkerDied(f"The working process ended without an answer (code {process.returncode}).")
        kind = answer.get("kind")
        if kind == "result":
            return answer.get("value")
        if kind == "memory":
            self._kill()
            raise Overrun("memory", self._limits)
        name, message = str(answer.get("name")), str(answer.get("message"))
        if kind == "error":
            raise KNOWN.get(name, ForensiaError)(message)
        raise CallFailed(name)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # a library's complaint may quote a document
                env=environment(),
                cwd=Path(sys.executable).anchor or None,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise NotStarted(f"No working process can be started ({error.strerror or 'unknown reason'}).") from error
        self._process, self._calls = process, 0
        return process

    def _end(self) -> None:
        """Let the child go: it ends when its input does."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            _close(process.stdin)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
        self._kill()

    def _kill(self) -> None:
        process, self._process, self._calls = self._process, None, 0
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                _close(stream)


class _Exchange:
    """One question and its answer, in a thread of its own: a pipe cannot be waited for with a time limit everywhere."""

    def __init__(self, process: subprocess.Popen[bytes], hello: bytes, frames: tuple[bytes, ...], most: int) -> None:
        self.done = threading.Event()
        self.reply: bytes | None = None
        self._process, self._hello, self._frames, self._most = process, hello, frames, most
        # The time of a call begins when the child is ready for it.
        self._since = time.monotonic() + (_STARTUP if hello else 0.0)
        threading.Thread(target=self._run, name="child exchange", daemon=True).start()

    def age(self) -> float:
        """Seconds for which the child has been at work."""
        return time.monotonic() - self._since

    def _run(self) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        try:
            if stdin is not None and stdout is not None:
                if self._hello:
                    _send(stdin, self._hello)
                    _receive(stdout, 1024)
                self._since = time.monotonic()
                for frame in self._frames:
                    _send(stdin, frame)
                self.reply = _receive(stdout, self._most)
        except (OSError, ValueError):  # the child is gone; so are its pipes
            pass
        finally:
            self.done.set()


def command(kind: str = "") -> list[str]:
    """How a child is started (`kind`: empty for `serve` below): isolated from the user's Python settings, with our search path."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_FLAG, *([kind] if kind else [])]
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    boot = _BOOT.format("errandchild" if kind else "child")
    return [sys.executable, "-I", "-B", "-X", "utf8", "-c", boot, *folders]


def environment() -> dict[str, str]:
    """The child's environment. A one-file bundle finds its unpacked folder by variables that begin with _PYI."""
    return {key: value for key, value in os.environ.items() if key.upper() in _ENVIRONMENT or key.startswith("_PYI")}


def serve() -> None:
    """The child's side: answer one call after the other until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is the parent's affair
    inbox, outbox = own_pipes()
    hello = _parsed(_receive(inbox, 1 << 20))
    if hello is None:
        return
    limits = ChildLimits(**hello["limits"])
    module, _, name = hello["target"].partition(":")
    function = getattr(importlib.import_module(module), name)
    confine.forbid()
    confine.bound(limits.memory)
    _send(outbox, b"{}")
    while True:
        options, data = _parsed(_receive(inbox, 1 << 20)), _receive(inbox, 1 << 40)
        if options is None or data is None:
            return
        confine.give_time(limits.seconds, limits.cpu_seconds)
        answer = _answer(function, data, options)
        del data
        confine.give_time(0.0, 0.0)
        _send(outbox, answer)


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to and from the parent, for us alone: a library that prints must not speak in our place."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return inbox, outbox


def _answer(function: Callable[..., Json], data: bytes, options: dict[str, Json]) -> bytes:
    try:
        return json.dumps({"kind": "result", "value": function(data, **options)}).encode()
    except MemoryError:
        return b'{"kind": "memory"}'
    except ForensiaError as error:
        answer = {"kind": "error", "name": type(error).__name__, "message": str(error)}
    except Exception as error:
        answer = {"kind": "failed", "name": type(error).__name__}
    return json.dumps(answer).encode()


def _send(stream: IO[bytes], frame: bytes) -> None:
    stream.write(_LENGTH.pack(len(frame)))
    stream.write(frame)
    stream.flush()


def _receive(stream: IO[bytes], most: int) -> bytes | None:
    """The next frame, or None at the end of the stream and when it claims more than it may be."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    if size > most:
        return None
    frame = stream.read(size)
    return frame if len(frame) == size else None


def _parsed(frame: bytes | None) -> dict[str, Json] | None:
    """A frame as the JSON object it should be; None when it is not one."""
    try:
        value = json.loads(frame or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _close(stream: IO[bytes]) -> None:
    with contextlib.suppress(OSError):  # a broken pipe cannot be flushed
        stream.close()

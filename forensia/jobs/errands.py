"""Long work in a child process: the window's own process stays free for the window, and work that dies takes nothing with it.

One child does one errand after the other, so that libraries and the language model are loaded once; when nothing is asked of
it for a while it ends by itself. Both sides speak in lines of JSON: a question goes in, progress, news and one answer come out.
The child's side is `errandchild`; it ends, with every process it started, as soon as its parent is gone.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from forensia.errors import Cancelled, ForensiaError, WorkerDied
from forensia.jobs import child
from forensia.jobs.progress import Progress, silent

_log = logging.getLogger(__name__)
Json = Any
News = Callable[[Json], None]
ERRANDS = "errands"
"""The word after CHILD_FLAG that asks a frozen bundle for this kind of child."""

_POLL = 0.1  # seconds between two looks at the wish to stop
_GRACE = 1.2  # seconds in which a child that was asked to stop may put things in order
_STARTUP = 180.0  # a cold disk, a virus scanner or a busy machine may take their time before the child has begun
_ENDS = frozenset({"result", "cancelled", "error", "memory", "failed"})


class ErrandFailed(child.CallFailed):
    """The errand raised something that is not ours; `details` say where, without anything that it quoted."""

    def __init__(self, kind: str, details: str) -> None:
        super().__init__(kind)
        self.details = details


def nothing(news: Json) -> None:
    """For those who do not wait for news."""


class Errands:
    """Does `module:function` with JSON arguments in a child process; one at a time, whoever asks."""

    def __init__(self, idle: float = 180.0) -> None:
        self._idle = idle
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        there = self._child
        return there.process.pid if there is not None and there.alive else None

    def do(self, target: str, arguments: Mapping[str, Json], progress: Progress = silent, news: News = nothing) -> Json:
        """What `target(progress, news, **arguments)` returns. `progress` is called ten times a second; what it raises stops the work."""
        with self._lock:
            there = self._begin({"do": target, "with": dict(arguments)}, progress)
            try:
                return _answer(self._follow(there, progress, news), there)
            except BaseException as error:
                if self._closed and isinstance(error, WorkerDied):
                    raise Cancelled from error
                if isinstance(error, ErrandFailed):
                    _log.error("errand %s failed: %s", target, error.details)
                elif isinstance(error, WorkerDied) or not isinstance(error, ForensiaError):
                    self._drop(there)
                raise

    def close(self) -> None:
        """End the child, whatever it is doing: for whoever waits for it that is a cancel. Nothing can be asked afterwards."""
        self._closed = True
        there = self._child
        if there is not None:
            self._drop(there)

    def _begin(self, question: dict[str, Json], progress: Progress) -> _Child:
        """Put the question to the child that is there, or to a new one when it has ended meanwhile."""
        for _ in range(2):
            if self._closed:
                raise Cancelled
            there = self._child
            if there is not None and not there.alive:  # it was idle for long, or somebody ended it
                self._drop(there)
                there = None
            fresh = there is None
            there = self._child = there or _Child(self._idle)
            if there.send(question) and self._heard(there, progress):
                return there
            self._drop(there)
            if fresh:
                break
        raise child.NotStarted("No working process can be started: it ended at once. Start Forensia again.")

    def _heard(self, there: _Child, progress: Progress) -> bool:
        """Wait until the child says that it has begun; False when it is gone."""
        end = time.monotonic() + _STARTUP
        while time.monotonic() < end:
            try:
                progress(0.0, "")
            except BaseException:
                self._drop(there)  # nothing has begun, so there is nothing to put in order
                raise
            try:
                line = there.lines.get(timeout=_POLL)
            except queue.Empty:
                continue
            return line is not None and line.get("kind") == "began"
        return False

    def _follow(self, there: _Child, progress: Progress, news: News) -> dict[str, Json] | None:
        """Pass on what the child tells until its last word; None when it has died."""
        fraction, message = 0.0, ""
        while True:
            try:
                progress(fraction, message)
            except BaseException:
                last = self._stop(there)
                if last is not None and last.get("kind") == "result":  # it was done before it heard
                    return last
                raise
            try:
                line = there.lines.get(timeout=_POLL)
            except queue.Empty:
                continue
            if line is None or line.get("kind") in _ENDS:
                return line
            if line.get("kind") == "progress":
                fraction, message = float(line.get("fraction", 0.0)), str(line.get("message", ""))
            elif line.get("kind") == "news":
                news(line.get("value"))

    def _stop(self, there: _Child) -> dict[str, Json] | None:
        """Ask the child to stop, and end it when it does not; its last word, if it had one."""
        there.send({"stop": True})
        end = time.monotonic() + _GRACE
        while (left := end - time.monotonic()) > 0:
            try:
                line = there.lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None or line.get("kind") in _ENDS:
                if line is None:
                    self._drop(there)
                return line
        self._drop(there)
        return None

    def _drop(self, there: _Child) -> None:
        there.end()
        if self._child is there:
            self._child = None


class _Child:
    """A running child and the lines it has sent."""

    def __init__(self, idle: float) -> None:
        self.lines: queue.SimpleQueue[dict[str, Json] | None] = queue.SimpleQueue()
        try:
            self.process = subprocess.Popen(
                child.command(ERRANDS),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # a library's complaint may quote a document
                env={**os.environ, "FORENSIA_IDLE": f"{idle:g}"},
                cwd=Path(sys.executable).anchor or None,
                start_new_session=sys.platform != "win32",  # so that it can be ended with all it started
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
                | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
        except OSError as error:
            reason = error.strerror or "unknown reason"
            raise child.NotStarted(f"No working process can be started ({reason}).") from error
        self._ending = threading.Lock()
        self._reader = threading.Thread(target=self._read, name="errands", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def send(self, message: dict[str, Json]) -> bool:
        """Send a line; False when nobody is there to read it."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def end(self) -> None:
        """End the child with every process it started; safe to call twice and from any thread."""
        with self._ending:
            _kill(self.process)
            self.process.wait()
            self._reader.join(5.0)
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # a broken pipe cannot be flushed
                        stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self.process.stdout:
                try:
                    message = json.loads(line)
                except (ValueError, RecursionError):
                    break
                if isinstance(message, dict):
                    self.lines.put(message)
        self.lines.put(None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        if process.poll() is None:
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            with contextlib.suppress(OSError):
                subprocess.run(command, capture_output=True, check=False, creationflags=subprocess.CREATE_NO_WINDOW)
        process.kill()
    elif process.returncode is None:  # as long as it was not waited for, its number is given to nobody else
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _answer(last: dict[str, Json] | None, there: _Child) -> Json:
    """The result, or the error that the child's last word stands for."""
    if last is None:
        there.end()
        raise WorkerDied(_died(there.process.returncode))
    kind, name = last.get("kind"), str(last.get("name"))
    if kind == "result":
        return last.get("value")
    if kind == "cancelled":
        raise Cancelled
    if kind == "memory":
        raise WorkerDied(_no_memory())
    if kind == "error":
        raise child.KNOWN.get(name, ForensiaError)(str(last.get("message")))
    raise ErrandFailed(name, str(last.get("details")))


def _died(code: int | None) -> str:
    if code == -getattr(signal, "SIGKILL", 9):
        return (
            "The working process was ended from outside, as a system does that runs out of memory. The case is as it was "
            "before. Close other programs, or allow less parallel work in the preferences, and try again."
        )
    return f"The working process ended without an answer (code {code}). The case is as it was before; try again."


def _no_memory() -> str:
    return (
        "There is not enough memory for this. The case is as it was before. Close other programs, allow less parallel work in "
        "the preferences, or use fewer texts, and try again."
    )

"""Long work in a child process: the window's own process stays free for the window, and work that dies takes nothing with it.

A task is a function `task(progress, news, **arguments)` of a module; what it takes and gives are values that `codec` can send. One
child does one task after the other, so that libraries and the language model are loaded once; when nothing is asked of it for a while
it ends by itself, and as soon as its parent is gone, with every process it started.
"""

from __future__ import annotations

import inspect
import logging
import queue
import signal
import threading
import time
from collections.abc import Callable, Collection
from typing import Any, Concatenate, ParamSpec, TypeVar, get_type_hints

from forensia import codec
from forensia.errors import Cancelled, ForensiaError, WorkerDied
from forensia.jobs import Progress
from forensia.jobs.child import WORKER, CallFailed, Child, NotStarted, error_of, packed, parsed

_log = logging.getLogger(__name__)
Json = Any
News = Callable[[Any], None]
P = ParamSpec("P")
R = TypeVar("R")
Task = Callable[Concatenate[Progress, News, P], R]

_GRACE = 1.2  # seconds in which a child that was asked to stop may put things in order
_STARTUP = 180.0  # a cold disk, a virus scanner or a busy machine may take their time before the child has begun
_ENDS = frozenset({"result", "error", "memory", "failed"})


def nothing(news: object) -> None:
    """For those who do not wait for news."""


def name_of(task: Callable[..., Any]) -> str:
    """By which a child finds a task."""
    return f"{task.__module__}:{task.__qualname__}"


class Worker:
    """Does tasks in a child process, one at a time, whoever asks; the child takes no others than those in `tasks`."""

    def __init__(self, tasks: Collection[Callable[..., Any]], idle: float = 180.0) -> None:
        self._hello = packed({"tasks": sorted(map(name_of, tasks)), "idle": idle})
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        child = self._child
        return child.pid if child is not None and child.alive else None

    def do(self, task: Task[P, R], progress: Progress, news: News, *args: P.args, **arguments: P.kwargs) -> R:
        """What `task(progress, news, **arguments)` returns. `progress` is called ten times a second; what it raises stops the work."""
        question = {"do": name_of(task), "with": codec.plain(arguments)}
        with self._lock:
            child = self._begin(packed(question), progress)
            try:
                answer = _answer(self._follow(child, progress, news), child)
            except BaseException as error:
                if self._closed and isinstance(error, WorkerDied):
                    raise Cancelled from error
                if isinstance(error, CallFailed):
                    _log.error("task %s failed: %s", question["do"], error.details)
                elif isinstance(error, WorkerDied) or not isinstance(error, ForensiaError):
                    self._drop(child)
                raise
        made: R = codec.typed(get_type_hints(inspect.unwrap(task)).get("return", Any), answer)
        return made

    def close(self) -> None:
        """End the child, whatever it is doing: for whoever waits for it that is a cancel. Nothing can be asked afterwards."""
        self._closed = True
        child = self._child
        if child is not None:
            self._drop(child)

    def _begin(self, question: bytes, progress: Progress) -> Child:
        """Put the question to the child that is there, or to a new one when it has ended meanwhile."""
        for _ in range(2):
            if self._closed:
                raise Cancelled
            child = self._child
            if child is not None and not child.alive:  # it was idle for long, or somebody ended it
                self._drop(child)
                child = None
            fresh = child is None
            if child is None:
                child = self._child = Child(WORKER)
                child.send(self._hello)
            child.send(question)
            if self._heard(child, progress):
                return child
            self._drop(child)
            if fresh:
                break
        raise NotStarted("No working process can be started: it ended at once. Start Forensia again.")

    def _heard(self, child: Child, progress: Progress) -> bool:
        """Wait until the child says that it has begun; False when it is gone."""
        end = time.monotonic() + _STARTUP
        while time.monotonic() < end:
            try:
                progress(0.0, "")
            except BaseException:
                self._drop(child)  # nothing has begun, so there is nothing to put in order
                raise
            try:
                message = parsed(child.receive())
            except queue.Empty:
                continue
            return message is not None and message.get("kind") == "began"
        return False

    def _follow(self, child: Child, progress: Progress, news: News) -> dict[str, Json] | None:
        """Pass on what the child tells until its last word; None when it has died."""
        fraction, said = 0.0, ""
        while True:
            try:
                progress(fraction, said)
            except BaseException:
                last = self._stop(child)
                if last is not None and last.get("kind") == "result":  # it was done before it heard
                    return last
                raise
            try:
                message = parsed(child.receive())
            except queue.Empty:
                continue
            if message is None or message.get("kind") in _ENDS:
                return message
            if message.get("kind") == "progress":
                fraction, said = float(message.get("fraction", 0.0)), str(message.get("message", ""))
            elif message.get("kind") == "news":
                news(message.get("value"))

    def _stop(self, child: Child) -> dict[str, Json] | None:
        """Ask the child to stop, and end it when it does not; its last word, if it had one."""
        child.send(packed({"stop": True}))
        end = time.monotonic() + _GRACE
        while (left := end - time.monotonic()) > 0:
            try:
                message = parsed(child.receive(left))
            except queue.Empty:
                break
            if message is None:
                break
            if message.get("kind") in _ENDS:
                return message
        self._drop(child)
        return None

    def _drop(self, child: Child) -> None:
        child.end()
        if self._child is child:
            self._child = None


def _answer(last: dict[str, Json] | None, child: Child) -> Json:
    """The result, or the error that the child's last word stands for."""
    if last is None:
        raise WorkerDied(_died(child.end()))
    if last.get("kind") == "result":
        return last.get("value")
    if last.get("name") == Cancelled.__name__:
        raise Cancelled
    if last.get("kind") == "memory":
        raise WorkerDied(
            "There is not enough memory for this. The case is as it was before. Close other programs, allow less parallel work in "
            "the preferences, or use fewer texts, and try again."
        )
    raise error_of(last)


def _died(code: int) -> str:
    if code == -getattr(signal, "SIGKILL", 9):
        return (
            "The working process was ended from outside, as a system does that runs out of memory. The case is as it was "
            "before. Close other programs, or allow less parallel work in the preferences, and try again."
        )
    return f"The working process ended without an answer (code {code}). The case is as it was before; try again."

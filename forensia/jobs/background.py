"""One long piece of work in a thread, watched from outside: state, progress, result or error, and a way to stop it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from forensia.errors import Cancelled
from forensia.jobs.progress import Progress

T = TypeVar("T")
_log = logging.getLogger(__name__)


class State(Enum):
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class ProgressReport:
    """What a watcher sees of a job at one moment."""

    state: State
    fraction: float
    message: str


class Job(Generic[T]):
    """Runs `work(progress)` in a thread of its own. `changed` is called from that thread after every step; keep it short."""

    def __init__(
        self, name: str, work: Callable[[Progress], T], changed: Callable[[Job[T]], None] | None = None
    ) -> None:
        self.name = name
        self._work = work
        self._changed = changed
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._report = ProgressReport(State.RUNNING, 0.0, "")
        self._result: T | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"job {name}", daemon=True)

    def start(self) -> Job[T]:
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Ask the work to stop; it does at its next report of progress."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; True when the job has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def report(self) -> ProgressReport:
        with self._lock:
            return self._report

    @property
    def ended(self) -> bool:
        return self.report.state is not State.RUNNING

    @property
    def error(self) -> BaseException | None:
        return self._error

    def result(self) -> T:
        """The result; waits for it, and raises what the work raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]  # DONE means that the work has returned a T

    def _progress(self, fraction: float, message: str = "") -> None:
        if self._stop.is_set():
            raise Cancelled
        self._tell(State.RUNNING, fraction, message)

    def _run(self) -> None:
        try:
            self._result = self._work(self._progress)
        except Cancelled as error:
            self._error = error
            self._tell(State.CANCELLED, self.report.fraction, str(error))
        except BaseException as error:
            self._error = error
            _log.error("job %s failed", self.name, exc_info=error)
            self._tell(State.FAILED, self.report.fraction, str(error))
        else:
            self._tell(State.DONE, 1.0, "")

    def _tell(self, state: State, fraction: float, message: str) -> None:
        with self._lock:
            self._report = ProgressReport(state, fraction, message or self._report.message)
        if self._changed is not None:
            self._changed(self)

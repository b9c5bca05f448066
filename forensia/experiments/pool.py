"""Independent calls on all cores, or on a cluster, by joblib: results come as they are there, and nothing outlives its owner.

A process that dies (killed, out of memory) takes the calls with it that were under way. They are made once more, one at a time, when
the rest is done; one that loses its process again is given up, and the others are not affected.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from forensia.errors import Cancelled, ForensiaError, WorkerDied
from forensia.jobs import silent

POLL = 0.1
GRACE = 1.5  # seconds that a stopped pool may take before its processes are ended by force
LOST = object()
"""Stands for the result of a call whose process died twice."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]


class Pool:
    """Makes calls. Each function gets its arguments and a `progress` that raises `Cancelled` when the pool is to stop.

    `address` is that of a Dask scheduler; `shared` are arguments that are sent to its workers once.
    """

    def __init__(self, jobs: int = 1, address: str = "", shared: Sequence[Any] = ()) -> None:
        self.jobs = max(jobs, 1)
        self.address = address
        self._shared = list(shared)
        self._stop = threading.Event()
        self._stack = contextlib.ExitStack()
        self._stop_file = Path()
        self._client: Any = None

    @property
    def in_threads(self) -> bool:
        """In a frozen bundle joblib's processes hang, so threads do the work there."""
        return bool(getattr(sys, "frozen", False)) and not self.address

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings())
            # A worker that has grown is replaced by joblib, which is no matter for the person at the terminal.
            warnings.filterwarnings("ignore", message="A worker stopped while some jobs")
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="forensia-pool-"))
            self._stop_file = Path(folder) / "stop"
            if self.address:
                self._client = stack.enter_context(_client(self.address))
            elif not self.in_threads:
                stack.callback(_end_processes)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, calls: Sequence[Call], check: Callable[[], object]) -> Iterator[tuple[int, Any]]:
        """The number of each call with its result, or LOST; `check` is called several times a second and may raise."""
        waiting, suspects = list(range(len(calls))), list[int]()
        while waiting:
            lost, unsent = yield from self._round(calls, waiting, self.jobs, check)
            if lost == [] and unsent == waiting:
                raise WorkerDied("No working process could be started. Close other programs, and run it again.")
            suspects += lost
            waiting = unsent
        for number in suspects:
            lost, _ = yield from self._round(calls, [number], 1, check)
            if lost:
                yield number, LOST

    def _round(
        self, calls: Sequence[Call], numbers: list[int], jobs: int, check: Callable[[], object]
    ) -> Generator[tuple[int, Any], None, tuple[list[int], list[int]]]:
        """Make calls until they are done or a process dies; returns those that were lost, and those that were not begun."""
        sent: list[int] = []
        received: set[int] = set()
        queue: SimpleQueue[tuple[int, Any] | BaseException | None] = SimpleQueue()
        thread = threading.Thread(
            target=self._work, args=(calls, numbers, jobs, sent, queue), name="experiment", daemon=True
        )
        thread.start()
        try:
            while True:
                check()
                try:
                    got = queue.get(timeout=POLL)
                except Empty:
                    continue
                if not isinstance(got, tuple):
                    break
                received.add(got[0])
                yield got
        except BaseException:
            self._halt(thread)
            raise
        thread.join()
        if got is not None and not _death(got):
            raise got
        return [n for n in sent if n not in received], [n for n in numbers if n not in sent]

    def _work(
        self, calls: Sequence[Call], numbers: list[int], jobs: int, sent: list[int], queue: SimpleQueue[Any]
    ) -> None:
        """The thread that waits for joblib, which does not wake up to be asked whether it should stop."""
        from joblib import Parallel, delayed, parallel_config

        def feed() -> Iterator[Any]:
            for number in numbers:
                if self._stop.is_set():
                    return
                sent.append(number)
                function, arguments = calls[number]
                if self.address:
                    yield delayed(_numbered)(number, function, *arguments)
                elif self.in_threads:
                    yield delayed(_numbered)(number, _stopped_by(self._stop, function), *arguments)
                else:
                    yield delayed(_in_process)(number, function, str(self._stop_file), os.getpid(), *arguments)

        try:
            with parallel_config(**self._backend()):
                parallel = Parallel(
                    n_jobs=-1 if self.address else max(jobs, 2),  # joblib would not make a process for one job
                    return_as="generator_unordered",
                    batch_size=1,
                    pre_dispatch="2 * n_jobs" if self.address and jobs > 1 else jobs,
                )
                for result in parallel(feed()):
                    queue.put(result)
        except BaseException as error:
            queue.put(error)
        else:
            queue.put(None)

    def _backend(self) -> dict[str, Any]:
        if self.address:
            return {"backend": "dask", "client": self._client, "scatter": self._shared}
        if self.in_threads:
            return {"backend": "threading"}
        return {"backend": "loky", "inner_max_num_threads": 1, "idle_worker_timeout": 86_400}

    def _halt(self, thread: threading.Thread) -> None:
        """Stop what is under way: processes end themselves at the sight of the file, threads and clusters at their next report."""
        self._stop.set()
        with contextlib.suppress(OSError):
            self._stop_file.touch()
        if self._client is not None:
            self._client.close(timeout=1)
        thread.join(GRACE)


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ForensiaError(
            "A cluster needs Dask, which is not installed here. Install forensia[cluster], or leave --dask out."
        ) from error
    try:
        connect: Any = distributed.Client
        return connect(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ForensiaError(
            f"There is no Dask scheduler at '{address}'. Start one with 'dask scheduler', or correct the address."
        ) from error


def _end_processes() -> None:
    """Joblib keeps its processes for the next call; ours are to end with us."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _death(error: BaseException) -> bool:
    """Whether an error means that a working process is gone.

    Dask forgets a call whose arguments lay with a worker that died, and says so by cancelling it.
    """
    names = ("TerminatedWorkerError", "BrokenProcessPool", "KilledWorker", "FutureCancelledError")
    return type(error).__name__ in names


# --- the worker's side ------------------------------------------------------------------------------------------------


def _numbered(number: int, function: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    return number, function(*arguments, silent)


def _stopped_by(stop: threading.Event, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a progress that stops it."""

    def progress(fraction: float, message: str = "") -> None:
        if stop.is_set():
            raise Cancelled

    def call(*arguments: Any) -> Any:
        return function(*arguments[:-1], progress)

    return call


def _in_process(
    number: int, function: Callable[..., Any], stop_file: str, owner: int, *arguments: Any
) -> tuple[int, Any]:
    """A call in a process of joblib's, which ends at once when it is told to, or when the program that owns it is gone."""
    _watch(stop_file, owner)
    return number, function(*arguments, silent)


@cache
def _watch(stop_file: str, owner: int) -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is the owner's affair

    def look() -> None:
        stop = Path(stop_file)
        while os.getppid() == owner and stop.parent.exists() and not stop.exists():
            time.sleep(POLL)
        os._exit(1)

    threading.Thread(target=look, name="watch", daemon=True).start()

"""Tasks in a child process: answers, progress, cancelling, and what happens when either side dies."""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from forensia.errors import Cancelled, InputError, WorkerDied
from forensia.evidence.result import Condition
from forensia.jobs import child, silent
from forensia.jobs import worker as jobs_worker
from forensia.jobs.child import CallFailed
from forensia.jobs.worker import Worker, nothing
from support.processes import gone

posix = pytest.mark.skipif(sys.platform == "win32", reason="uses signals and process groups")

WORK = """
import os, subprocess, sys, time
from pathlib import Path
from forensia.errors import InputError
from forensia.evidence.result import Condition

def echo(progress, news, **given):
    print("a library that prints")
    os.write(1, b"and one that does it below Python")
    for step in range(4):
        progress(step / 4, f"step {step}")
        news({"step": step})
        time.sleep(0.06)
    return {"pid": os.getpid(), **given}

def slow(progress, news, mark=""):
    news(os.getpid())
    try:
        while True:
            progress(0.5, "on and on")
            time.sleep(0.01)
    finally:
        if mark:
            Path(mark).write_text("in order")

def deaf(progress, news):
    news(os.getpid())
    while True:
        time.sleep(0.05)

def late(progress, news, gate):
    news(0)
    while not Path(gate).exists():
        time.sleep(0.01)
    return "done"

def with_grandchild(progress, news):
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    news([os.getpid(), started.pid])
    time.sleep(600)

def die(progress, news, code):
    os._exit(code)

def killed(progress, news):
    os.kill(os.getpid(), 9)

def refuse(progress, news):
    raise InputError("'x' is empty. Choose another file.")

def fail(progress, news):
    raise KeyError("a phrase of the document")

def eat(progress, news):
    raise MemoryError

def typed(progress, news, condition: Condition, numbers: tuple[int, ...]) -> tuple[Condition, tuple[int, ...]]:
    assert isinstance(condition, Condition) and isinstance(numbers, tuple)
    return Condition("known", condition.words), numbers

def untellable(progress, news):
    return object()
"""
_numbers = itertools.count()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that the child can import."""
    name = f"tasks_for_tests_{next(_numbers)}"
    (tmp_path / f"{name}.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module(name)


def _tasks(work: ModuleType) -> list[Callable[..., Any]]:
    return [each for each in vars(work).values() if inspect.isfunction(each)]


@pytest.fixture
def worker(work: ModuleType) -> Iterator[Worker]:
    made = Worker(_tasks(work))
    yield made
    made.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child may take its time to answer, as on a busy machine it does."""
    monkeypatch.setattr(jobs_worker, "_GRACE", 100.0)


def test_answer_progress_and_news(worker: Worker, work: ModuleType) -> None:
    seen: list[tuple[float, str]] = []
    news: list[object] = []
    found = worker.do(work.echo, lambda *told: seen.append(told), news.append, name="A\ud800 é")  # type: ignore[arg-type,misc]
    assert found["name"] == "A\ud800 é"
    assert news == [{"step": step} for step in range(4)]
    assert (0.25, "step 1") in seen
    again = worker.do(work.echo, silent, nothing)
    assert again["pid"] == found["pid"] == worker.pid, "one child does many tasks"


@pytest.mark.usefixtures("patient")
def test_cancel_lets_the_work_put_things_in_order(worker: Worker, work: ModuleType, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def progress(fraction: float, message: str = "") -> None:
        if message == "on and on":
            raise Cancelled

    with pytest.raises(Cancelled):
        worker.do(work.slow, progress, nothing, mark=str(mark))
    assert mark.read_text() == "in order"
    pid = worker.pid
    assert worker.do(work.echo, silent, nothing)["pid"] == pid, "the child lives on, and the old wish is forgotten"


def test_cancel_ends_work_that_does_not_listen(worker: Worker, work: ModuleType) -> None:
    begun: list[int] = []

    def progress(fraction: float, message: str = "") -> None:
        if begun:
            raise Cancelled

    assert child.POLL + jobs_worker._GRACE < 2, "seconds until it is ended"
    with pytest.raises(Cancelled):
        worker.do(work.deaf, progress, begun.append)  # type: ignore[arg-type]
    assert gone(begun[0])
    assert worker.do(work.echo, silent, nothing)["pid"] != begun[0]


def test_cancel_before_it_has_begun(worker: Worker, work: ModuleType) -> None:
    def progress(fraction: float, message: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        worker.do(work.echo, progress, nothing)
    assert worker.pid is None


@pytest.mark.usefixtures("patient")
def test_work_that_is_done_before_it_hears_is_done(worker: Worker, work: ModuleType, tmp_path: Path) -> None:
    """Otherwise the window would say that nothing was changed, and something was."""
    begun: list[int] = []
    gate = tmp_path / "gate"

    def progress(fraction: float, message: str = "") -> None:
        if begun:
            gate.touch()
            raise Cancelled

    assert worker.do(work.late, progress, begun.append, gate=str(gate)) == "done"  # type: ignore[arg-type]


def test_errors_come_back_in_their_own_words_and_no_others(worker: Worker, work: ModuleType) -> None:
    with pytest.raises(InputError, match="'x' is empty"):
        worker.do(work.refuse, silent, nothing)
    with pytest.raises(CallFailed, match="KeyError") as failed:
        worker.do(work.fail, silent, nothing)
    assert "phrase" not in str(failed.value) + failed.value.details
    assert "in fail" in failed.value.details
    with pytest.raises(WorkerDied, match="not enough memory"):
        worker.do(work.eat, silent, nothing)
    with pytest.raises(CallFailed, match="TypeError"):
        worker.do(work.untellable, silent, nothing)
    with pytest.raises(CallFailed, match="LookupError"):
        worker.do(os.getcwd, silent, nothing)  # type: ignore[arg-type]


@posix
def test_a_child_that_dies_is_a_failed_run(worker: Worker, work: ModuleType) -> None:
    with pytest.raises(WorkerDied, match="code 3"):
        worker.do(work.die, silent, nothing, code=3)
    with pytest.raises(WorkerDied, match="runs out of memory"):
        worker.do(work.killed, silent, nothing)
    assert worker.do(work.echo, silent, nothing)["pid"] == worker.pid, "the next task gets a new child"


@posix
def test_a_child_that_ended_idle_is_replaced(work: ModuleType) -> None:
    worker = Worker(_tasks(work), idle=2.0)  # long enough for a busy machine to hand over the question
    try:
        first = worker.do(work.echo, silent, nothing)["pid"]
        assert gone(first)
        assert worker.do(work.echo, silent, nothing)["pid"] != first
    finally:
        worker.close()


@posix
def test_close_ends_the_child_and_what_it_started(worker: Worker, work: ModuleType) -> None:
    def told(pids: object) -> None:
        assert isinstance(pids, list)
        started.extend(pids)
        worker.close()

    started: list[int] = []
    with pytest.raises(Cancelled):
        worker.do(work.with_grandchild, silent, told)
    assert len(started) == 2
    assert all(gone(pid) for pid in started)
    with pytest.raises(Cancelled):
        worker.do(work.echo, silent, nothing)


@posix
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_orphan_when_the_parent_is_killed(work: ModuleType, tmp_path: Path, how: signal.Signals) -> None:
    code = (
        "import sys; sys.path[:] = sys.argv[1:]\n"
        "from forensia.jobs import silent\n"
        "from forensia.jobs.worker import Worker\n"
        f"from {work.__name__} import with_grandchild as task\n"
        "Worker([task]).do(task, silent, lambda pids: print(*pids, flush=True))"
    )
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    parent = subprocess.Popen([sys.executable, "-c", code, *folders], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.send_signal(how)
    parent.wait(60)
    parent.stdout.close()
    assert all(gone(pid) for pid in pids)


def test_a_frozen_bundle_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child.command(child.WORKER) == [sys.executable, "--forensia-child", "worker"]
    assert child.command(child.CONFINED) == [sys.executable, "--forensia-child", "confined"]


def test_the_bundle_serves_tasks(work: ModuleType, monkeypatch: pytest.MonkeyPatch, worker: Worker) -> None:
    """`forensia --forensia-child worker` is what a frozen bundle runs."""
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    boot = (
        f"import sys; sys.path[:] = {folders!r}; sys.argv = ['forensia', '--forensia-child', 'worker']\n"
        "from forensia.__main__ import main; main()"
    )
    monkeypatch.setattr(child, "command", lambda kind: [sys.executable, "-c", boot])
    assert worker.do(work.echo, silent, nothing, x=1)["x"] == 1


def test_values_arrive_as_the_types_that_a_task_states(worker: Worker, work: ModuleType) -> None:
    made = worker.do(work.typed, silent, nothing, condition=Condition("new", 400), numbers=(1, 2))
    assert made == (Condition("known", 400), (1, 2)) and isinstance(made[0], Condition)


def test_one_thread_starts_all_children_and_lives_on(worker: Worker, work: ModuleType) -> None:
    """Linux can end a child with its parent; what it looks at is the thread that started it."""

    def begin() -> None:
        worker.do(work.echo, silent, nothing)

    starting = threading.Thread(target=begin)
    starting.start()
    starting.join(60)
    assert worker.pid is not None and not gone(worker.pid, 0.2)
    assert any(each.name.startswith("starter") for each in threading.enumerate())

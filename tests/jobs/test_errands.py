"""Errands in a child process: answers, progress, cancelling, and what happens when either side dies."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensia.errors import Cancelled, InputError, WorkerDied
from forensia.jobs import child
from forensia.jobs import errands as jobs_errands
from forensia.jobs.errands import ErrandFailed, Errands

posix = pytest.mark.skipif(sys.platform == "win32", reason="uses signals and process groups")

WORK = """
import os, subprocess, sys, time
from pathlib import Path
from forensia.errors import InputError

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

def untellable(progress, news):
    return object()
"""
_numbers = itertools.count()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that the child can import."""
    name = f"errands_for_tests_{next(_numbers)}"
    (tmp_path / f"{name}.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


@pytest.fixture
def errands() -> Iterator[Errands]:
    made = Errands()
    yield made
    made.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child may take its time to answer, as on a busy machine it does."""
    monkeypatch.setattr(jobs_errands, "_GRACE", 100.0)


def _gone(pid: int, seconds: float = 60.0) -> bool:
    """Whether a process ends; one that was never waited for counts as ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_answer_progress_and_news(errands: Errands, module: str) -> None:
    seen: list[tuple[float, str]] = []
    news: list[object] = []
    found = errands.do(f"{module}:echo", {"name": "A\ud800 é"}, lambda *told: seen.append(told), news.append)  # type: ignore[arg-type,misc]
    assert found["name"] == "A\ud800 é"
    assert news == [{"step": step} for step in range(4)]
    assert (0.25, "step 1") in seen
    again = errands.do(f"{module}:echo", {})
    assert again["pid"] == found["pid"] == errands.pid, "one child does many errands"


@pytest.mark.usefixtures("patient")
def test_cancel_lets_the_work_put_things_in_order(errands: Errands, module: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def progress(fraction: float, message: str = "") -> None:
        if message == "on and on":
            raise Cancelled

    with pytest.raises(Cancelled):
        errands.do(f"{module}:slow", {"mark": str(mark)}, progress)
    assert mark.read_text() == "in order"
    pid = errands.pid
    assert errands.do(f"{module}:echo", {})["pid"] == pid, "the child lives on, and the old wish is forgotten"


def test_cancel_ends_work_that_does_not_listen(errands: Errands, module: str) -> None:
    begun: list[int] = []

    def progress(fraction: float, message: str = "") -> None:
        if begun:
            raise Cancelled

    assert jobs_errands._POLL + jobs_errands._GRACE < 2, "seconds until it is ended"
    with pytest.raises(Cancelled):
        errands.do(f"{module}:deaf", {}, progress, begun.append)  # type: ignore[arg-type]
    assert _gone(begun[0])
    assert errands.do(f"{module}:echo", {})["pid"] != begun[0]


def test_cancel_before_it_has_begun(errands: Errands, module: str) -> None:
    def progress(fraction: float, message: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        errands.do(f"{module}:echo", {}, progress)
    assert errands.pid is None


@pytest.mark.usefixtures("patient")
def test_work_that_is_done_before_it_hears_is_done(errands: Errands, module: str, tmp_path: Path) -> None:
    """Otherwise the window would say that nothing was changed, and something was."""
    begun: list[int] = []
    gate = tmp_path / "gate"

    def progress(fraction: float, message: str = "") -> None:
        if begun:
            gate.touch()
            raise Cancelled

    assert errands.do(f"{module}:late", {"gate": str(gate)}, progress, begun.append) == "done"  # type: ignore[arg-type]


def test_errors_come_back_in_their_own_words_and_no_others(errands: Errands, module: str) -> None:
    with pytest.raises(InputError, match="'x' is empty"):
        errands.do(f"{module}:refuse", {})
    with pytest.raises(ErrandFailed, match="KeyError") as failed:
        errands.do(f"{module}:fail", {})
    assert "phrase" not in str(failed.value) + failed.value.details
    assert "in fail" in failed.value.details
    with pytest.raises(WorkerDied, match="not enough memory"):
        errands.do(f"{module}:eat", {})
    with pytest.raises(ErrandFailed, match="TypeError"):
        errands.do(f"{module}:untellable", {})
    with pytest.raises(ErrandFailed, match="ModuleNotFoundError"):
        errands.do("no_such_module_at_all:x", {})


@posix
def test_a_child_that_dies_is_a_failed_run(errands: Errands, module: str) -> None:
    with pytest.raises(WorkerDied, match="code 3"):
        errands.do(f"{module}:die", {"code": 3})
    with pytest.raises(WorkerDied, match="runs out of memory"):
        errands.do(f"{module}:killed", {})
    assert errands.do(f"{module}:echo", {})["pid"] == errands.pid, "the next errand gets a new child"


@posix
def test_a_child_that_ended_idle_is_replaced(module: str) -> None:
    errands = Errands(idle=2.0)  # long enough for a busy machine to hand over the question
    try:
        first = errands.do(f"{module}:echo", {})["pid"]
        assert _gone(first)
        assert errands.do(f"{module}:echo", {})["pid"] != first
    finally:
        errands.close()


@posix
def test_close_ends_the_child_and_what_it_started(errands: Errands, module: str) -> None:
    def told(pids: object) -> None:
        assert isinstance(pids, list)
        started.extend(pids)
        errands.close()

    started: list[int] = []
    with pytest.raises(Cancelled):
        errands.do(f"{module}:with_grandchild", {}, news=told)
    assert len(started) == 2
    assert all(_gone(pid) for pid in started)
    with pytest.raises(Cancelled):
        errands.do(f"{module}:echo", {})


@posix
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_orphan_when_the_parent_is_killed(module: str, tmp_path: Path, how: signal.Signals) -> None:
    code = (
        "import sys; sys.path[:] = sys.argv[1:]\n"
        "from forensia.jobs.errands import Errands\n"
        f"Errands().do('{module}:with_grandchild', {{}}, news=lambda pids: print(*pids, flush=True))"
    )
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    parent = subprocess.Popen([sys.executable, "-c", code, *folders], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.send_signal(how)
    parent.wait(60)
    parent.stdout.close()
    assert all(_gone(pid) for pid in pids)


def test_a_frozen_bundle_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child.command("errands") == [sys.executable, "--forensia-child", "errands"]
    assert child.command() == [sys.executable, "--forensia-child"]


def test_the_bundle_serves_errands(module: str, monkeypatch: pytest.MonkeyPatch, errands: Errands) -> None:
    """`forensia --forensia-child errands` is what a frozen bundle runs."""
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    boot = (
        f"import sys; sys.path[:] = {folders!r}; sys.argv = ['forensia', '--forensia-child', 'errands']\n"
        "from forensia.__main__ import main; main()"
    )
    monkeypatch.setattr(child, "command", lambda kind="": [sys.executable, "-c", boot])
    assert errands.do(f"{module}:echo", {"x": 1})["x"] == 1

"""The child process: it answers, it is stopped at its limits, it is confined, and its parent lives."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from forensia.errors import Cancelled, ForensiaError, InputError, WorkerDied
from forensia.jobs import child, confined
from forensia.jobs.child import CallFailed, NotStarted
from forensia.jobs.confined import ChildLimits, Confined, Overrun
from support.processes import gone

posix = pytest.mark.skipif(sys.platform == "win32", reason="the limits of the system are those of POSIX")

WORK = """
import os, socket, subprocess, sys, time
from pathlib import Path
from forensia.errors import Cancelled, InputError

def echo(data, **options):
    print("a library that prints")
    os.write(1, b"and one that does it below Python")
    return {"length": len(data), "last": data[-1:].hex(), "options": options, "pid": os.getpid()}

def spin(data):
    while True:
        pass

def rest(data):
    time.sleep(600)

def eat(data):
    return len(bytearray(int(data)))

def die(data):
    os._exit(3)

def environment(data):
    return sorted(os.environ)

def refuse(data):
    raise InputError("'x' is empty. Choose another file.")

def other(data):
    raise Cancelled

def fail(data):
    raise KeyError("a phrase of the document")

def flood(data):
    return "x" * int(data)

def misbehave(data):
    return [_tried(action) for action in (
        lambda: socket.socket(),
        lambda: socket.create_connection(("127.0.0.1", 9)),
        lambda: socket.getaddrinfo("localhost", 80),
        lambda: subprocess.run([sys.executable, "-V"]),
        lambda: os.system("true"),
        lambda: Path(data.decode()).write_text("x"),
        lambda: os.open(data.decode(), os.O_WRONLY | os.O_CREAT),
        lambda: os.remove(__file__),
        lambda: os.rename(__file__, __file__ + "x"),
    )]

def threads(data):
    import threading
    return threading.active_count()

def _tried(action):
    try:
        action()
    except BaseException as error:
        return type(error).__name__
    return "done"
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module that a child can import."""
    (tmp_path / "work_for_child.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("work_for_child")
    del sys.modules["work_for_child"]


def test_one_child_serves_many_calls(work: ModuleType) -> None:
    with Confined(work.echo) as worker:
        first = worker.call(b"abc", {"name": "é", "number": 3})
        second = worker.call(b"x" * 3_000_000)
        assert first["length"] == 3
        assert first["options"] == {"name": "é", "number": 3}
        assert second["length"] == 3_000_000
        assert first["pid"] == second["pid"] != os.getpid()
        assert worker.pid == first["pid"]
    assert worker.pid is None
    if sys.platform != "win32":
        with pytest.raises(ProcessLookupError):
            os.kill(first["pid"], 0)


def test_a_child_is_replaced_in_time(work: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "_CALLS", 2)
    with Confined(work.echo) as worker:
        pids = [worker.call(b"")["pid"] for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


@pytest.mark.parametrize("function", ["spin", "rest"])
def test_stopped_at_the_time_limit_and_started_again(work: ModuleType, function: str) -> None:
    worker = Confined(getattr(work, function), ChildLimits(seconds=0.5))
    with worker:
        for _ in range(2):
            with pytest.raises(Overrun) as caught:
                worker.call(b"")
            assert caught.value.reason == "time"
            assert "0.5 seconds" in str(caught.value)
            assert worker.pid is None


@posix
def test_stopped_at_the_limit_of_processor_time(work: ModuleType) -> None:
    with Confined(work.spin, ChildLimits(seconds=100, cpu_seconds=0.5)) as worker, pytest.raises(Overrun) as caught:
        worker.call(b"")
    assert caught.value.reason == "time"


@posix
def test_a_child_without_a_parent_ends_by_itself(work: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert -signal.SIGALRM in confined.TIME_SIGNALS
    source = "from forensia.jobs import confined; confined._GRACE = 0.2; confined.give_time(0.1, 5); import time; time.sleep(60)"
    done = subprocess.run([sys.executable, "-c", source], timeout=120, check=False)
    assert done.returncode == -signal.SIGALRM


@posix
def test_stopped_at_the_memory_limit_and_started_again(work: ModuleType) -> None:
    with Confined(work.eat, ChildLimits(memory=300 << 20)) as worker:
        assert worker.call(b"1000000") == 1_000_000
        with pytest.raises(Overrun) as caught:
            worker.call(b"400000000")
        assert caught.value.reason == "memory"
        assert "300 MB" in str(caught.value)
        assert worker.call(b"1000000") == 1_000_000


@posix
def test_memory_is_watched_where_the_system_does_not() -> None:
    source = (
        "import threading, time; from forensia.jobs import confined\n"
        "threading.Thread(target=confined.watch, args=(200 << 20,), daemon=True).start()\n"
        "kept = [b'x' * (300 << 20)]; time.sleep(100)"
    )
    done = subprocess.run([sys.executable, "-c", source], timeout=120, check=False)
    assert done.returncode == confined.MEMORY_CODE


def test_a_child_that_dies_is_an_expected_problem(work: ModuleType) -> None:
    with Confined(work.die) as worker:
        with pytest.raises(WorkerDied, match="code 3"):
            worker.call(b"")
        assert worker.pid is None


@posix
def test_a_child_that_is_killed_is_an_expected_problem(work: ModuleType) -> None:
    with Confined(work.echo) as worker:
        pid = worker.call(b"")["pid"]
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerDied):
            worker.call(b"x" * 5_000_000)
        assert worker.call(b"abc")["length"] == 3


def test_cancelled_while_waiting(work: ModuleType) -> None:
    asked: list[int] = []

    def check() -> None:
        asked.append(1)
        if len(asked) > 3:
            raise Cancelled

    with Confined(work.rest) as worker:
        with pytest.raises(Cancelled):
            worker.call(b"", check=check)
        assert len(asked) == 4, "it was asked while the child rested, and the first no was heard"
        assert worker.pid is None
    assert child.POLL <= 0.5, "seconds between two questions"


def test_cancelled_before_anything_is_started(work: ModuleType) -> None:
    def check() -> None:
        raise Cancelled

    with Confined(work.echo) as worker:
        with pytest.raises(Cancelled):
            worker.call(b"", check=check)
        assert worker.pid is None


def test_our_own_problems_come_back_as_what_they_are(work: ModuleType) -> None:
    with Confined(work.refuse) as worker, pytest.raises(InputError, match=r"'x' is empty\. Choose another file\."):
        worker.call(b"")
    with Confined(work.other) as worker, pytest.raises(ForensiaError, match="Stopped at your request"):
        worker.call(b"")


def test_foreign_problems_tell_their_type_and_quote_nothing(work: ModuleType) -> None:
    with Confined(work.fail) as worker:
        with pytest.raises(CallFailed) as caught:
            worker.call(b"")
        assert caught.value.kind == "KeyError"
        assert "phrase" not in str(caught.value)
        assert worker.pid is not None, "a raised exception is no reason to end the child"


def test_an_answer_that_is_too_long_is_not_read(work: ModuleType) -> None:
    with Confined(work.flood, ChildLimits(reply=100_000)) as worker:
        assert len(worker.call(b"50000")) == 50_000
        with pytest.raises(WorkerDied):
            worker.call(b"5000000")


@pytest.mark.parametrize(
    "frame",
    [b"", b"[1]", b"no JSON", b"\xff\xfe", b"[" * 200_000, b'{"kind": "result"', None],
    ids=["empty", "list", "words", "binary", "deep", "cut", "none"],
)
def test_a_senseless_answer_is_an_expected_problem(work: ModuleType, frame: bytes | None) -> None:
    with Confined(work.rest) as worker:
        worker._child = worker._start()
        worker._child.process.kill()
        with pytest.raises(WorkerDied):
            worker._result(frame)
        assert worker.pid is None


def test_what_a_child_may_not_do(work: ModuleType, tmp_path: Path) -> None:
    target = tmp_path / "written"
    with Confined(work.misbehave) as worker:
        results = worker.call(str(target).encode())
    assert set(results) == {"PermissionError"}
    assert len(results) == 9
    assert not target.exists()


def test_no_secret_of_the_environment_reaches_the_child(work: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    with Confined(work.environment) as worker:
        names = worker.call(b"")
    assert not {"SECRET_TOKEN", "PYTHONSTARTUP", "HOME", "USER"} & set(names)


def test_no_program_to_start(work: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with Confined(work.echo) as worker, pytest.raises(NotStarted, match="No working process"):
        worker.call(b"")


def test_started_from_a_frozen_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `sys.executable` is Forensia, which must hand over to the child; here its own entry point plays that part."""
    from forensia.corpus.filetypes.registry import extract_for_parent

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program, *flags = child.command(child.CONFINED)
    assert program == sys.executable
    monkeypatch.setattr(child, "command", lambda kind: [sys.executable, "-m", "forensia", *flags])
    monkeypatch.setattr(
        child, "environment", lambda kind: {**os.environ, "PYTHONPATH": str(Path(child.__file__).parents[2])}
    )
    with Confined(extract_for_parent) as worker:
        answer = worker.call(rb"{\rtf1 Hello.}", {"name": "a.rtf", "limits": {}})
    assert answer["parts"][0]["text"] == "Hello."


def test_a_confined_child_has_one_thread(work: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that was started before the child is confined would not be: such a child does not serve."""
    with Confined(work.threads) as worker:
        assert worker.call(b"") == 1
    (tmp_path / "with_a_thread.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\ndef work(data): pass\n"
    )
    threaded = importlib.import_module("with_a_thread")
    with Confined(threaded.work) as worker, pytest.raises(WorkerDied, match="code 1"):
        worker.call(b"")
    del sys.modules["with_a_thread"]


@pytest.mark.skipif(sys.platform != "linux", reason="a signal of Linux")
def test_a_confined_child_ends_with_its_parent_whatever_it_does(work: ModuleType, tmp_path: Path) -> None:
    code = (
        "import sys, threading; sys.path[:] = sys.argv[1:]\n"
        "import work_for_child\n"
        "from forensia.jobs.confined import Confined\n"
        "worker = Confined(work_for_child.spin)\n"
        "def told():\n"
        "    while worker.pid is None: pass\n"
        "    print(worker.pid, flush=True)\n"
        "threading.Thread(target=told, daemon=True).start()\n"
        "worker.call(b'')\n"
    )
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    parent = subprocess.Popen([sys.executable, "-c", code, *folders], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert not gone(pid, 1.0)
    parent.kill()
    parent.wait(60)
    parent.stdout.close()
    assert gone(pid)

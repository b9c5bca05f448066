"""FAULTS 60 and 67 to 70 for the whole program: it trains, analyses and verifies as a user does, in processes that are watched."""

from __future__ import annotations

import html
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from forensia import paths
from forensia.case import Case, verify_case

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("whole_run.py")
HOMES = ("TMPDIR", "FORENSIA_HOME", "HOME", "XDG_CACHE_HOME", "SQLITE_TMPDIR", "MPLCONFIGDIR", "JOBLIB_TEMP_FOLDER")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs kill -9 and permissions as POSIX has them")
NAMESPACE = ["unshare", "--map-root-user", "--net"]


@dataclass(frozen=True)
class Place:
    """Texts, a folder for what the user asks for, and folders for all that a program may write by the way."""

    corpus: Path
    disputed: tuple[Path, ...]
    work: Path
    outside: Path

    @property
    def environment(self) -> dict[str, str]:
        homes = {name: str(self.outside / name) for name in HOMES}
        return {**os.environ, **homes, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}

    @property
    def phrases(self) -> list[bytes]:
        """Runs of words of every document, as they may stand in a file."""
        files = [*self.corpus.rglob("*.txt"), *(paths.sample_case() / "disputed").glob("*.txt")]
        texts = [file.read_text("utf-8").split() for file in files]
        runs = [" ".join(words[place : place + 5]) for words in texts for place in range(0, len(words) - 5, 7)]
        return [run.encode(code) for run in runs for code in ("utf-8", "utf-16-le")]

    def start(self, *arguments: object, held: bool = False) -> subprocess.Popen[str]:
        """The program, as a user starts it; `held` in its training until it is killed."""
        program = [str(SCRIPT), "held"] if held else ["-m", "forensia"]
        command = [sys.executable, *program, *map(str, arguments)]
        return subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True)

    def child(self, *arguments: object, within: list[str] | None = None) -> subprocess.CompletedProcess[str]:
        """The script beside this file."""
        command = [*(within or []), sys.executable, str(SCRIPT), *map(str, arguments)]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def assert_nothing_quoted(self, *said: str) -> None:
        """No phrase of a document is in what was said, nor in any file outside the user's own folder."""
        held = {f"said {number}": text.encode() for number, text in enumerate(said)}
        held |= {str(file): file.read_bytes() for file in self.outside.rglob("*") if file.is_file()}
        phrases = self.phrases
        assert len(phrases) > 1000
        for name, data in held.items():
            assert not data.startswith(b"SQLite format 3"), name
            assert not any(phrase in data for phrase in phrases), name


def _place(folder: Path) -> Place:
    sample = paths.sample_case()
    for author in ("Adela Marsh", "Bram Oakley", "Dorothea Finch", "Freya Lund"):
        for file in sorted((sample / "known" / author).rglob("*.txt"))[:4]:
            target = folder / "corpus" / author / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    first, second = sorted((sample / "disputed").glob("*.txt"))[:2]
    page = folder / "page.html"  # read in a process of its own, and asks for something remote
    body = "".join(f"<p>{html.escape(each)}</p>" for each in second.read_text("utf-8").split("\n\n"))
    page.write_text(f"<html><body><img src='http://192.0.2.1/x.png'>{body}</body></html>", "utf-8")
    for name in ("work", *(f"outside/{each}" for each in HOMES)):
        (folder / name).mkdir(parents=True)
    return Place(folder / "corpus", (first, page), folder / "work", folder / "outside")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return _place(tmp_path)


@dataclass(frozen=True)
class Ran:
    """What a whole run left and said."""

    place: Place
    saw: dict[str, Any]
    said: str
    alone: bool  # in a network namespace of its own


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    place = _place(tmp_path_factory.mktemp("run"))
    alone = False
    if shutil.which(NAMESPACE[0]):
        alone = subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0
    done = place.child("whole", place.corpus, place.work, *place.disputed, within=NAMESPACE if alone else None)
    assert done.returncode != -signal.SIGSYS, "an internet socket was opened"
    assert done.returncode == 0, done.stderr[-3000:]
    saw = json.loads(done.stdout)
    return Ran(place, saw, saw["said"] + done.stderr, alone)


def test_67_a_whole_run_without_a_network(ran: Ran) -> None:
    if not ran.alone:
        pytest.skip("this account may not make a network namespace")
    assert set(ran.saw["interfaces"]) <= {"lo"}
    codes = ran.saw["codes"]
    assert codes["train"] == codes["analyse"] == codes["verify"] == 0, ran.said
    assert set(codes.values()) == {0}, ran.said
    verified = json.loads((ran.place.work / "verified.json").read_text("utf-8"))
    assert verified["agrees"] and "model" in verified["run_again"]["arrays"]
    assert len(verified["run_again"]["results"]) == 2 and verified["notes"] == []


def test_67_no_internet_socket_is_opened(ran: Ran) -> None:
    assert ran.saw["sockets"] == []
    if not ran.saw["trapped"]:
        pytest.skip("what libraries do cannot be watched here; Python itself opened none")


@pytest.mark.parametrize("family", ["AF_UNIX", "AF_INET", "AF_INET6"])
def test_67_the_trap_kills_at_an_internet_socket(place: Place, family: str) -> None:
    done = place.child("control", family)
    if "assert set_trap()" in done.stderr:
        pytest.skip("what libraries do cannot be watched here")
    assert done.returncode == (0 if family == "AF_UNIX" else -signal.SIGSYS), done.stderr


def test_67_no_internet_socket_is_opened_by_working_processes(place: Place) -> None:
    done = place.child("in_processes", place.corpus)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["texts"] == 3
    place.assert_nothing_quoted(done.stdout, done.stderr)


def test_68_after_a_whole_run_no_phrase_is_left_outside_the_case(ran: Ran) -> None:
    ran.place.assert_nothing_quoted(ran.said)
    assert (ran.place.outside / "FORENSIA_HOME" / "log" / "forensia.log").stat().st_size > 0
    ours = (str(ran.place.work), str(ran.place.outside), "/dev/")
    elsewhere = [file for file in ran.saw["written"] if file and not file.startswith(ours)]
    assert not elsewhere, "files were written in other places"


def test_69_what_a_whole_run_writes_is_for_its_owner_alone(ran: Ran) -> None:
    files = [each for folder in (ran.place.work, ran.place.outside) for each in folder.rglob("*") if each.is_file()]
    assert {"a.forensia", "found.json", "verified.json", "forensia.log"} <= {each.name for each in files}
    assert {each.name: stat.S_IMODE(each.stat().st_mode) for each in files} == {each.name: 0o600 for each in files}


def test_the_case_of_a_whole_run_is_at_most_twice_its_texts_and_arrays(ran: Ran) -> None:
    with Case.open(ran.place.work / "a.forensia", read_only=True) as case:
        listed = (*case.documents.known(), *case.documents.disputed())
        texts = sum(len(each.original.encode()) for each in listed)
        groups = [case.models.get(kind) for kind in case.models.hashes()]
        assert case.path.stat().st_size <= 2 * (texts + sum(each.nbytes for each in groups if each is not None))


def _kill_when(process: subprocess.Popen[str], ready: Callable[[], bool]) -> None:
    """Kill a process as soon as something is so."""
    with process:
        while not ready() and process.poll() is None:
            time.sleep(0.05)
        assert process.poll() is None, process.communicate()
        process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL


def _started(case: Path) -> bool:
    """Whether the log of a case that another process writes has the beginning of a run."""
    if not case.exists():
        return False
    connection = sqlite3.connect(f"{case.as_uri()}?mode=ro", uri=True)
    try:
        return bool(connection.execute("SELECT count(*) FROM log WHERE event = 'run started'").fetchone()[0])
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def test_60_the_program_is_killed_in_training(place: Place) -> None:
    file = place.work / "a.forensia"
    _kill_when(place.start("train", place.corpus, "-o", file, held=True), lambda: _started(file))
    with Case.open(file) as case:
        assert not case.read_only and not case.damage and len(case.documents.known()) == 16
        assert case.models.hashes() == {} and case.log.entries()[-1].event == "run interrupted"
        assert verify_case(case) == []
    assert [each.name for each in place.work.iterdir()] == ["a.forensia"]
    place.assert_nothing_quoted()


def test_68_killed_while_it_runs_again_the_next_start_sweeps(ran: Ran, place: Place) -> None:
    file = place.work / "a.forensia"
    shutil.copy(ran.place.work / "a.forensia", file)
    scratch = place.outside / "FORENSIA_HOME" / "cache" / "scratch"
    verifying = place.start("verify", file, held=True)
    _kill_when(verifying, lambda: any(_started(each) for each in scratch.glob("*/again.forensia")))
    assert {stat.S_IMODE(each.stat().st_mode) for each in (scratch, *scratch.iterdir())} == {0o700}
    with place.start("verify", "--quick", file) as again:
        _, said = again.communicate()
    assert again.returncode == 0 and list(scratch.iterdir()) == []
    place.assert_nothing_quoted(said)


@pytest.mark.parametrize("how", ["exception", "crash"])
def test_70_neither_the_log_nor_a_crash_note_holds_text(place: Place, how: str) -> None:
    done = place.child("broken", place.corpus, place.work, how)
    log, crash = (place.outside / "FORENSIA_HOME" / "log" / name for name in ("forensia.log", "crash.txt"))
    if how == "exception":
        assert done.returncode == 1 and "something unexpected happened (KeyError)" in done.stderr
        assert "builtins.KeyError" in log.read_text("utf-8") and "in fail" in log.read_text("utf-8")
    else:
        assert done.returncode == -signal.SIGSEGV and "whole_run.py" in crash.read_text("utf-8")
    place.assert_nothing_quoted(done.stdout, done.stderr)

"""FAULTS 58 to 60, 64, 65 and 67 to 70, as far as the case file has to do with them: faults of disks, kills, and privacy."""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
import subprocess
import sys
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from forensia import logs, paths
from forensia.case import Case, CaseError, Scratch, verify_case
from forensia.errors import StorageError
from support import casesamples

ROOT = Path(__file__).parents[2]
CHILDREN = ROOT / "tests" / "case" / "children.py"
posix = pytest.mark.skipif(os.name != "posix", reason="needs fork, kill -9 and limits of the system")
linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a disk of its own, as Linux can make one"
)


@pytest.fixture(scope="module")
def samples() -> ModuleType:
    return casesamples


def child(*arguments: object, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command of the children to its end."""
    return subprocess.run(
        [sys.executable, str(CHILDREN), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )


def told(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """What a child saw."""
    if done.returncode == 77:
        pytest.skip("this account may not make a disk of its own")
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout))


@posix
def test_58_a_write_that_is_refused_anywhere(tmp_path: Path) -> None:
    saw = told(child("too_large", tmp_path))
    assert saw["refused"] > 15 and saw["copied"] > 15


@linux
def test_58_the_disk_is_full_at_any_write(tmp_path: Path) -> None:
    saw = told(child("full_disk", tmp_path))
    assert saw["refused"] > 30 and saw["copied"] > 30


@posix
def test_59_killed_at_200_random_moments(tmp_path: Path) -> None:
    saw = told(child("killed", tmp_path, 200))
    assert saw["rounds"] >= 200 and saw["hot"] >= 15, "too few kills fell into a write"
    assert saw["interrupted"] >= 10 and saw["parts"] >= 5 and saw["copies"] >= 30


@posix
def test_60_killed_in_training(tmp_path: Path, samples: ModuleType) -> None:
    path = samples.make(tmp_path / "a.forensia")
    with Case.open(path) as case:
        before = samples.read_all(case)
    assert child("killed_in_training", path).returncode == -9
    with Case.open(path) as case:
        now = samples.read_all(case)
        assert {**now, "log": None} == {**before, "log": None}
        added = [each.event for each in case.log.entries()][len(before["log"][0]) :]
        assert added == ["run started", "run interrupted"] and verify_case(case) == []
    with Case.open(path) as case:
        assert (
            case.log.entries()[-1].event == "run interrupted" and len(case.log.entries()) == len(before["log"][0]) + 2
        )
    assert [each.name for each in tmp_path.iterdir()] == ["a.forensia"]


@linux
def test_64_a_folder_that_is_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    said = told(child("read_only_folder", folder))["said"]
    assert "write-protected" in said and "Save a copy" in said and "choose another place" in said


@pytest.fixture
def filled(tmp_path: Path, samples: ModuleType) -> Iterator[Case]:
    (tmp_path / "folder").mkdir()
    with Case.open(samples.make(tmp_path / "folder" / "a.forensia")) as case:
        yield case


@posix
@pytest.mark.parametrize("how", ["moved", "removed", "replaced"])
def test_64_the_folder_goes_while_the_case_is_open(filled: Case, samples: ModuleType, tmp_path: Path, how: str) -> None:
    before = samples.read_all(filled)
    folder = tmp_path / "folder"
    if how == "moved":
        folder.rename(tmp_path / "other")
    elif how == "removed":
        shutil.rmtree(folder)
    else:
        samples.make(tmp_path / "new.forensia").replace(filled.path)
    for write in (
        lambda: filled.choices.set_settings({"lost": True}),
        lambda: filled.models.store("x", {}, {"a": np.ones(9)}),
    ):
        with pytest.raises(StorageError, match="in another place"):
            write()
    assert samples.read_all(filled) == before
    filled.save_copy(tmp_path / "kept.forensia")
    with Case.open(tmp_path / "kept.forensia") as kept:
        assert samples.read_all(kept) == before
        kept.choices.set_settings({"work": "goes on"})


def test_65_the_clock_is_moved_back(tmp_path: Path, samples: ModuleType) -> None:
    path = samples.make(tmp_path / "a.forensia")
    with Case.open(path, clock=lambda: datetime(1999, 1, 1, tzinfo=UTC)) as case:
        count = len(case.log.entries())
        case.log.note("with an old clock")
        case.choices.set_settings({"seed": 1})
        name = case.documents.disputed()[0].id
        case.results.store(name, {"second": True})
        log = case.log.entries()
        assert [each.sequence for each in log] == list(range(1, count + 4)) and log[count].time.startswith("1999")
        assert [each.number for each in case.results.raw(name)] == [1, 2] and case.results.raw(name)[-1].result == {
            "second": True
        }
        assert case.log.faults() == () and verify_case(case) == []


@posix
def test_67_no_socket_is_opened(tmp_path: Path) -> None:
    assert told(child("whole_session", tmp_path)) == {"sockets": []}


def _phrases(samples: ModuleType) -> list[bytes]:
    """Runs of words of every document, as they may stand in a file."""
    texts = [samples.prose(seed) for seed in (*range(9), 50, 51)]
    runs = [" ".join(text.split()[place : place + 4]) for text in texts for place in range(0, 110, 10)]
    return [run.encode(code) for run in runs for code in ("utf-8", "utf-16-le")]


@posix
@pytest.mark.parametrize("end", ["clean", "crash"])
def test_68_no_phrase_is_left_outside_the_case(tmp_path: Path, samples: ModuleType, end: str) -> None:
    work = tmp_path / "work"
    outside = {name: tmp_path / name for name in ("TMPDIR", "FORENSIA_HOME", "HOME", "XDG_CACHE_HOME", "SQLITE_TMPDIR")}
    for folder in (work, *outside.values()):
        folder.mkdir()
    done = child("whole_session", work, end, environment={name: str(folder) for name, folder in outside.items()})
    assert done.returncode == (0 if end == "clean" else -9), done.stderr
    for name, folder in outside.items():
        for file in folder.rglob("*"):
            if file.is_file():
                held = file.read_bytes()
                assert not any(phrase in held for phrase in _phrases(samples)), f"{name}: {file.name}"
    held = done.stdout.encode() + done.stderr.encode()
    assert not any(phrase in held for phrase in _phrases(samples))
    left = {each.name for each in work.iterdir()}
    beside = {"a.forensia-journal", "a.forensia-lock"} if end == "crash" else set()
    assert left == {"a.forensia", "copy.forensia", "without.forensia"} | beside
    with Case.open(work / "a.forensia") as case:  # and the next start leaves nothing but the case
        case.log.note("opened again")
        assert verify_case(case) == []
    assert {each.name for each in work.iterdir()} == {"a.forensia", "copy.forensia", "without.forensia"}


def test_68_what_was_removed_is_not_in_the_file_any_more(filled: Case, samples: ModuleType) -> None:
    name = samples.document("", 50).id
    packed = zlib.compress(samples.prose(50).encode(), 6)
    held = filled.database.connection.execute("SELECT data FROM content WHERE name = ?", (name,)).fetchone()[0]
    assert held == packed and packed in filled.path.read_bytes()
    filled.results.remove_disputed(name)
    filled.close()
    data = filled.path.read_bytes()
    assert not any(packed[place : place + 24] in data for place in range(0, len(packed) - 24, 8))


@posix
def test_69_every_file_is_for_its_owner_alone(
    tmp_path: Path, samples: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0)
    try:
        with Case.create(tmp_path / "a.forensia") as case:
            samples.fill(case)
            with case.step():
                case.choices.set_settings({"x": 1})
                during = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
            case.save_copy(tmp_path / "b.forensia")
            case.export_without_texts(tmp_path / "c.forensia")
        shutil.copy(ROOT / "tests" / "data" / "cases" / "version0.forensia", tmp_path / "d.forensia")
        (tmp_path / "d.forensia").chmod(0o600)
        Case.open(tmp_path / "d.forensia").close()
        with Scratch() as scratch:
            assert stat.S_IMODE(scratch.path.stat().st_mode) == 0o700
            assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in scratch.path.iterdir())
    finally:
        os.umask(before)
    assert set(during) == {"a.forensia", "a.forensia-lock", "a.forensia-journal"} and set(during.values()) == {0o600}
    assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}
    assert len(list(tmp_path.iterdir())) == 5


def test_70_a_log_of_an_error_holds_no_text(filled: Case, samples: ModuleType, own_home: Path) -> None:
    """Errors inside a step, in what is stored and in what is damaged, told to the log as the program does it."""
    file = logs.start(logging.DEBUG)
    log = logging.getLogger("forensia.test")
    path = filled.path
    filled.close()
    data = bytearray(path.read_bytes())
    packed = zlib.compress(samples.prose(50).encode(), 6)
    data[bytes(data).index(packed) + 40] ^= 4
    path.write_bytes(data)
    with Case.open(path) as case:
        for use in (
            lambda: case.documents.get(samples.document("", 50).id),
            lambda: case.choices.set_settings({"a": {samples.prose(1): {1, 2}}}),
            lambda: case.log.note(samples.prose(2), {}),
            lambda: case.log.note("event", {"text": samples.prose(3) * 50}),
            lambda: case.choices.exclude([samples.prose(4)], "x"),
        ):
            try:
                use()
            except CaseError:
                log.exception("refused")
            else:
                pytest.fail("it was taken")
    for handler in list(logging.getLogger("forensia").handlers):
        handler.flush()
    held = file.read_bytes()
    assert held.count(b"refused") == 5
    assert not any(phrase in held for phrase in _phrases(samples))
    assert paths.log_dir() in file.parents

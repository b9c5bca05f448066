"""FAULTS 50 to 57 and 76: files that are no case, that were forged, damaged, are newer, older, or open already."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import joblib
import numpy as np
import pytest

from forensia.case import (
    Case,
    CaseDamaged,
    CaseError,
    CaseForeign,
    CaseNewer,
    CaseReadOnly,
    verify_case,
)
from forensia.case.arrays import to_npy
from forensia.case.storage import sha256
from forensia.errors import ForensiaError, StorageError
from support import casesamples

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "data" / "cases"


@pytest.fixture(scope="module")
def samples() -> ModuleType:
    return casesamples


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, samples: ModuleType) -> bytes:
    """The bytes of a case with something of every kind in it."""
    return samples.make(tmp_path_factory.mktemp("made") / "full.forensia").read_bytes()


@pytest.fixture
def path(tmp_path: Path, made: bytes) -> Path:
    """A closed case with something of every kind in it."""
    (tmp_path / "full.forensia").write_bytes(made)
    return tmp_path / "full.forensia"


def edited(path: Path, *statements: str) -> Path:
    """A case that another program has changed."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()
    return path


class Trap:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, (str(self.mark),))


def test_50_a_pickle_is_refused_and_nothing_runs(tmp_path: Path, path: Path) -> None:
    mark = tmp_path / "mark"
    for number, dump in enumerate((pickle.dumps, lambda trap: _joblib(tmp_path, trap))):
        file = tmp_path / f"{number}.forensia"
        file.write_bytes(dump(Trap(mark)))
        with pytest.raises(CaseForeign, match=f"{number}.forensia' is not a Forensia case"):
            Case.open(file)
    with Case.open(path) as case:  # one that hides in a case, with sound seals
        hidden = np.empty(1, object)
        hidden[0] = Trap(mark)
        stream = tmp_path / "hidden.npy"
        np.save(stream, hidden, allow_pickle=True)
        _forge(case, "space", "idf", stream.read_bytes())
        with pytest.raises(CaseDamaged, match="idf of the arrays space"):
            case.models.get("space")["idf"]  # type: ignore[index]
    assert not mark.exists()


def _joblib(folder: Path, value: object) -> bytes:
    joblib.dump(value, folder / "dumped")
    return (folder / "dumped").read_bytes()


def _forge(case: Case, kind: str, name: str, data: bytes, **claims: object) -> None:
    """Put a blob into a case as somebody would who knows how everything is sealed."""
    record = case.database.get("arrays", kind)
    record["arrays"][name] = {**record["arrays"][name], "sha256": sha256(data), **claims}
    with case.step():
        case.database.put_content("arrays", kind, name, data, deflate=False)
        case.database.put("arrays", kind, record)
        case.log.note("forged")


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 5000, b"Dear Sir,\n" * 500, b"PK\x03\x04" + b"\0" * 3000, b"SQLite format 3\0", b"SQLite format 3\0" * 400],
    ids=["empty", "zeros", "text", "zip", "magic", "magics"],
)  # fmt: skip
def test_51_not_a_database(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.forensia"
    file.write_bytes(content)
    with pytest.raises(CaseError, match=r"x.forensia"):
        Case.open(file)
    assert file.read_bytes() == content and [each.name for each in tmp_path.iterdir()] == ["x.forensia"]


def test_51_a_database_of_another_program(tmp_path: Path, path: Path) -> None:
    file = tmp_path / "other.forensia"
    edited(file, "CREATE TABLE moz_places (id)", "INSERT INTO moz_places VALUES (1)")
    before = file.read_bytes()
    with pytest.raises(CaseForeign, match="another program"):
        Case.open(file)
    assert file.read_bytes() == before
    folder = tmp_path / "folder.forensia"
    folder.mkdir()
    with pytest.raises(ForensiaError, match=r"folder.forensia"):
        Case.open(folder)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo.forensia")
        with pytest.raises(CaseForeign, match="no ordinary file"):
            Case.open(tmp_path / "fifo.forensia")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW notes AS SELECT * FROM records",
        "CREATE TRIGGER more AFTER INSERT ON records BEGIN DELETE FROM content; END",
        "CREATE TABLE more (a)",
        "CREATE INDEX more ON records (sha256)",
        "CREATE VIRTUAL TABLE more USING fts5(a)",
        "DROP TRIGGER log_is_not_changed",
        "ALTER TABLE content ADD COLUMN more DEFAULT 3",
        "DROP TABLE analyses",
        "PRAGMA journal_mode = WAL",
    ],
)
def test_51_a_case_that_declares_anything_else(path: Path, statement: str) -> None:
    edited(path, statement)
    before = path.read_bytes()
    with pytest.raises(CaseDamaged, match=r"full.forensia' is damaged in its"):
        Case.open(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_51_a_journal_that_would_delete_a_file(tmp_path: Path, path: Path) -> None:
    """SQLite deletes the file that a journal names as the master of several; no journal of ours names one."""
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    name = str(precious).encode()
    checksum = sum(byte - 256 if byte > 127 else byte for byte in name)
    magic = bytes.fromhex("d9d505f920a163d7")
    header = magic + struct.pack(">IIIII", 0, 7, path.stat().st_size // 4096, 512, 4096)
    tail = struct.pack(">I", path.stat().st_size // 4096 + 1) + name + struct.pack(">Ii", len(name), checksum) + magic
    (tmp_path / "full.forensia-journal").write_bytes(header.ljust(512, b"\0") + tail)
    with pytest.raises(CaseForeign, match=r"full.forensia-journal"):
        Case.open(path)
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("shape", [(10**12,), (1 << 40, 1 << 40), (7000, 0), (6999,), (7001,), (70, 100, 2)])
def test_52_forged_shapes_are_refused_before_memory_is_taken(path: Path, shape: tuple[int, ...]) -> None:
    real = to_npy(np.linspace(0, 1, 7000))
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    blob = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + real[-56_000:]
    with Case.open(path) as case:
        _forge(case, "space", "idf", blob, shape=list(shape))
    with Case.open(path) as case:
        group = case.models.get("space")
        assert group is not None
        tracemalloc.start()
        with pytest.raises(CaseDamaged, match="idf of the arrays space"):
            group["idf"]
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
        tracemalloc.stop()
        assert any(each.part == "idf of the arrays space" for each in verify_case(case))


def test_52_forged_sizes_of_texts(path: Path, samples: ModuleType) -> None:
    name = samples.document("", 50).id
    for size in (1 << 50, 10**9, -1, 1):
        edited(path, f"UPDATE content SET size = {size} WHERE name = '{name}'")
        with Case.open(path) as case:
            tracemalloc.start()
            with pytest.raises(CaseDamaged, match=f"text of the disputed document {name}"):
                case.documents.get(name)
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
            tracemalloc.stop()


def test_53_a_flipped_bit_anywhere(path: Path, samples: ModuleType, tmp_path: Path) -> None:
    """One bit in each of 500 random places: found or harmless, never a crash, never another result."""
    with Case.open(path) as case:
        right, analyses = samples.read_all(case), samples.cached(case)
        assert verify_case(case) == []
    data = path.read_bytes()
    chance = random.Random(53)
    file = tmp_path / "flipped.forensia"
    outcomes = {"refused": 0, "found": 0, "harmless": 0}
    for number in range(500):
        bit = chance.randrange(8 * len(data))
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        file.write_bytes(flipped)
        try:
            case = Case.open(file, read_only=number % 2 == 0)
        except CaseError as error:
            assert "flipped.forensia" in str(error)
            outcomes["refused"] += 1
            continue
        with case:
            found = _read_right(case, samples, right) or bool(case.damage)
            found |= any(read not in (None, put) for read, put in zip(samples.cached(case), analyses, strict=True))
            differences = verify_case(case)
            assert differences or not found, f"bit {bit}: found in use, but not by verification"
            outcomes["found" if differences else "harmless"] += 1
            if number % 2 and not differences:  # what is taken for sound can also be worked on
                case.models.store("more", {}, {"a": np.arange(3000)})
                assert not _read_right(case, samples, {**right, "log": None, "kinds": None})
                assert verify_case(case) == []
    assert outcomes["found"] + outcomes["refused"] > 250, outcomes


def _read_right(case: Case, samples: ModuleType, right: dict[str, object]) -> bool:
    """Read all; whatever can be read is as it was stored. True when something could not."""
    found = False
    for name, read in samples.readers(case).items():
        try:
            value = read()
        except ForensiaError as error:
            assert isinstance(error, CaseError) and not _quotes(str(error), samples)
            found = True
            continue
        if name == "log" and value[1]:  # the entries with what is wrong with them
            found = True
        elif right[name] is not None:
            assert value == right[name], name
    return found


def _quotes(message: str, samples: ModuleType) -> bool:
    words = message.split()
    texts = [samples.prose(seed) for seed in (*range(9), 50, 51)]
    return any(" ".join(words[place : place + 3]) in text for text in texts for place in range(len(words) - 2))


def test_53_a_file_cut_short(path: Path) -> None:
    data = path.read_bytes()
    for size in (1, 50, 99, 100, 600, 4096, 4097, len(data) // 2, len(data) - 4096, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(CaseError, match=r"full.forensia"):
            Case.open(path)


def test_54_nan_in_a_forged_array(path: Path) -> None:
    with Case.open(path) as case:
        _forge(case, "space", "idf", to_npy(np.full(7000, np.nan)))
        _forge(case, "pair model", "weights", to_npy(np.ones(301, np.float32)))
    with Case.open(path) as case:
        for kind, name, why in (("space", "idf", "not finite"), ("pair model", "weights", "shape")):
            with pytest.raises(CaseDamaged, match=why):
                case.models.get(kind)[name]  # type: ignore[index]


@pytest.mark.parametrize(
    "body", ['{"a":NaN}', '{"a":1e999}', "[" * 100_000, "{", '"text"', "null", '{"a":' + "9" * 5000 + "}"]
)
def test_54_forged_json(path: Path, body: str) -> None:
    """Sealed by somebody who knows how: still refused, and never a crash."""
    with Case.open(path) as case:
        connection = case.database.connection
        with case.step("forged"):
            for kind in ("choice", "known", "result", "note", "change", "arrays", "corpus", "report", "case"):
                for name in case.database.names(kind):
                    seal = sha256(f"{kind}\0{name}\0{body}")
                    connection.execute(
                        "UPDATE records SET sha256 = ?, body = ? WHERE kind = ? AND name = ?", (seal, body, kind, name)
                    )
    with Case.open(path) as case:
        assert not case.damage
        for read in (
            *(
                case.documents.known,
                case.choices.settings,
                case.results.all,
                case.results.raw,
                case.results.notes,
                case.choices.labels,
                case.models.hashes,
            ),
            *(case.results.reports, case.documents.corpus, case.documents.basis, case.documents.problems),
        ):
            with pytest.raises(CaseDamaged):
                read()
        assert verify_case(case)


def test_55_a_newer_case_is_shown_and_never_written(path: Path, samples: ModuleType) -> None:
    with Case.open(path) as case:
        right = samples.read_all(case)
    edited(path, "PRAGMA user_version = 3", "CREATE TABLE more (a)")
    before = path.read_bytes()
    with Case.open(path) as case:
        assert "newer Forensia" in case.read_only
        assert samples.read_all(case) == right
        for write in (lambda: case.log.note("x"), case.choices.undo, lambda: case.results.set_note("case", "x")):
            with pytest.raises(CaseReadOnly, match="newer"):
                write()
    with Case.create(path.with_name("mine.forensia")) as mine, pytest.raises(CaseNewer, match="newer"):
        mine.save_copy(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE records RENAME TO other",
        "CREATE VIEW more AS SELECT 1",
        "CREATE VIRTUAL TABLE more USING fts5(a)",
        "UPDATE records SET sha256 = 'another way'",
    ],
)
def test_55_a_newer_case_in_another_form_is_left_alone(path: Path, statement: str) -> None:
    edited(path, "PRAGMA user_version = 9", statement)
    before = path.read_bytes()
    with pytest.raises(CaseNewer, match="format 9"):
        Case.open(path)
    assert path.read_bytes() == before


def test_56_an_older_case_is_brought_up_after_a_backup(tmp_path: Path, samples: ModuleType) -> None:
    path = tmp_path / "old.forensia"
    shutil.copy(CASES / "version0.forensia", path)
    before = path.read_bytes()
    with Case.open(path, read_only=True) as case:  # in memory, for nothing may be written
        right = samples.read_all(case)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1

    with Case.open(path) as case:
        assert not case.read_only and not case.damage
        now = samples.read_all(case)
        entry = case.log.entries()[-1]
        assert {**now, "log": None} == {**right, "log": None}
        assert entry.event == "case brought to a newer format" and entry.data["backup"] == "old.format0.forensia"
        assert case.log.entries()[:-1] == right["log"][0] and verify_case(case) == []
        with case.models.analyses() as cache:
            cache.put("a" * 64, "b" * 64, b"new in this format")
    backup = tmp_path / "old.format0.forensia"
    assert backup.stat().st_mode & 0o777 == 0o600
    connection = sqlite3.connect(backup)
    assert connection.execute("PRAGMA user_version").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (len(right["log"][0]),)
    connection.close()
    with Case.open(path) as case:
        assert {**samples.read_all(case), "log": None} == {**right, "log": None}


def test_56_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, samples: ModuleType
) -> None:
    path = tmp_path / "old.forensia"
    shutil.copy(CASES / "version0.forensia", path)
    before = path.read_bytes()

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE content")
        raise RuntimeError("on purpose")

    monkeypatch.setattr("forensia.case.inspection.MIGRATIONS", {0: fail})
    with pytest.raises(RuntimeError, match="on purpose"):
        Case.open(path)
    assert path.read_bytes() == before
    monkeypatch.undo()
    with Case.open(path) as case:
        assert len(samples.read_all(case)["documents"]) == 9
    assert sorted(each.name for each in tmp_path.glob("*.forensia")) == [
        "old.forensia",
        "old.format0-2.forensia",
        "old.format0.forensia",
    ]


def test_56_the_case_of_each_version_that_was_ever_written(tmp_path: Path, samples: ModuleType) -> None:
    with Case.open(samples.make(tmp_path / "now.forensia")) as case:
        right = samples.read_all(case)
    for file in sorted(CASES.glob("version*.forensia")):
        path = Path(shutil.copy(file, tmp_path))
        with Case.open(path) as case:
            now = samples.read_all(case)
            assert verify_case(case) == [], file.name
        for name in right.keys() - {"about", "log"}:
            assert now[name] == right[name], f"{file.name}: {name}"


_HOLD = """
import sys
from forensia.case import Case
case = Case.open(sys.argv[1])
print(case.read_only or "writes", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def holding() -> Callable[[Path], subprocess.Popen[str]]:
    def hold(path: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _HOLD, str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    return hold


def test_57_opened_twice_the_second_is_read_only(path: Path, holding: Callable[[Path], subprocess.Popen[str]]) -> None:
    with holding(path) as other:
        assert other.stdout and other.stdin and other.stdout.readline().strip() == "writes"
        with Case.open(path) as case:
            assert "open in another window" in case.read_only
            assert len(case.documents.known()) == 9
            with pytest.raises(CaseReadOnly):
                case.log.note("x")
        other.kill()
        other.wait()
    with Case.open(path) as case:  # a kill leaves no case locked
        assert not case.read_only
        case.log.note("x")
        with Case.open(path) as second, Case.open(path) as third:
            assert second.read_only and third.read_only
            case.choices.set_settings({"seen": True})
            assert second.choices.settings() == {"seen": True}, "what the first does, the second sees"
        link = path.with_name("link.forensia")
        link.symlink_to(path)
        with Case.open(link) as by_another_name:
            assert by_another_name.read_only
    with Case.open(path) as case:
        assert not case.read_only


@pytest.mark.parametrize(
    ("column", "value"),
    [("event", "nothing"), ("details", "{}"), ("time", "2020-01-01T00:00:00.000000Z"), ("state", "0"), ("sha256", "0")],
)
@pytest.mark.parametrize("number", [1, 7, 18])
def test_76_an_edited_audit_entry(path: Path, column: str, value: str, number: int) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    trigger = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'log_is_not_changed'").fetchone()[0]
    connection.execute("DROP TRIGGER log_is_not_changed")
    connection.execute(f"UPDATE log SET {column} = ? WHERE sequence = ?", (value, number))
    connection.execute(trigger)
    connection.close()
    with Case.open(path) as case:
        assert case.log.faults()[0].sequence == number
        assert f"audit log, entry {number}" in {each.part for each in verify_case(case)}


@pytest.mark.parametrize(("which", "named"), [("= 1", 2), ("= 7", 8), ("> 15", 19), ("= 19", 19)])
def test_76_audit_entries_taken_out(path: Path, which: str, named: int) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    last = connection.execute("SELECT max(sequence) FROM log").fetchone()[0]
    assert last == 19
    trigger = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'log_is_not_shortened'").fetchone()[0]
    connection.execute("DROP TRIGGER log_is_not_shortened")
    connection.execute(f"DELETE FROM log WHERE sequence {which}")
    connection.execute(trigger)
    connection.close()
    with Case.open(path) as case:
        assert case.log.faults()[0].sequence == named
        assert verify_case(case)


def test_76_an_entry_put_in_with_a_sound_hash(path: Path) -> None:
    """Whoever changes an entry and its own hash breaks the chain at the next one."""
    from dataclasses import replace

    with Case.open(path) as case:
        entry = replace(case.log.entries()[4], event="nothing")
    connection = sqlite3.connect(path, isolation_level=None)
    trigger = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'log_is_not_changed'").fetchone()[0]
    connection.execute("DROP TRIGGER log_is_not_changed")
    connection.execute("UPDATE log SET event = ?, sha256 = ? WHERE sequence = 5", (entry.event, entry.seal))
    connection.execute(trigger)
    connection.close()
    with Case.open(path) as case:
        assert [each.sequence for each in case.log.faults()] == [6]


def test_a_missing_case_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none.forensia' is not there"):
        Case.open(tmp_path / "none.forensia")

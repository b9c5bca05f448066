"""The audit log: append-only, in order, each entry vouching for the one before and for the state of the case."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from forensia.case import Case, CaseRefused
from forensia.errors import Cancelled


def test_every_step_has_its_entry(full: Case) -> None:
    entries = full.log.entries()
    assert [each.sequence for each in entries] == list(range(1, len(entries) + 1))
    assert [each.event for each in entries] == [
        "case created",
        "corpus stored",
        "settings changed",
        "documents excluded",
        "documents reassigned",
        "documents included",
        "change undone",
        "run started",
        "arrays stored",
        "arrays stored",
        "run finished",
        *["disputed document added", "result stored", "note written"] * 2,
        "note written",
        "report made",
    ]
    assert not full.log.faults()
    assert entries[0].time == "2024-05-01T12:00:02.000000Z" and entries[0].data["format"] == 2


def test_sqlite_refuses_to_change_it(full: Case) -> None:
    path = full.path
    full.close()
    connection = sqlite3.connect(path, isolation_level=None)
    row = connection.execute("SELECT * FROM log WHERE sequence = 3").fetchone()
    for statement, values in (
        ("UPDATE log SET event = 'nothing' WHERE sequence = 3", ()),
        ("DELETE FROM log WHERE sequence = 3", ()),
        ("DELETE FROM log", ()),
        ("INSERT OR REPLACE INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row),
        ("INSERT INTO log VALUES (99, 't', 'e', '{}', '', '', '')", ()),
        ("INSERT INTO log SELECT max(sequence) + 1, 't', 'e', '{}', '', 'not the last', '' FROM log", ()),
    ):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement, values)
    connection.close()
    with Case.open(path) as case:
        assert not case.log.faults() and not case.damage


def test_no_text_goes_into_it(full: Case, samples: ModuleType) -> None:
    log = " ".join(each.details for each in full.log.entries())
    for seed in (*range(9), 50, 51):
        words = samples.prose(seed).split()
        assert not any(" ".join(words[place : place + 4]) in log for place in range(len(words) - 4))
    assert "Seen by two" not in log
    for event, details in (("x" * 81, {}), ("", {}), ("two\nlines", {}), ("e", {"text": "x" * 5000}), ("e", [1])):
        with pytest.raises(CaseRefused):
            full.log.note(event, details)


def test_the_clock_may_go_back(tmp_path: Path) -> None:
    times = [datetime(2024, 5, 1, hour, tzinfo=UTC) for hour in (12, 12, 13, 3, 4)]
    with Case.create(tmp_path / "a.forensia", clock=lambda: times.pop(0)) as case:
        for number in range(3):
            case.log.note("event", {"number": number})
        entries = case.log.entries()
        assert [each.data.get("number") for each in entries] == [None, 0, 1, 2]
        assert [each.time[11:13] for each in entries] == ["12", "13", "03", "04"]
        assert not case.log.faults()


def test_a_run_has_a_beginning_and_an_end(case: Case, samples: ModuleType) -> None:
    with case.log.run("training", {"seed": 1}) as run, run.finish({"model": "0" * 64}):
        case.choices.set_settings({"seed": 1})
    with pytest.raises(Cancelled), case.log.run("training") as run:
        raise Cancelled
    with pytest.raises(ZeroDivisionError), case.log.run("training") as run, run.finish():
        case.choices.set_settings({"seed": 2})
        raise ZeroDivisionError("words of a document")
    with case.log.run("training"):
        pass
    log = [(each.event, each.data) for each in case.log.entries()]
    assert case.choices.settings() == {"seed": 1}
    assert [event for event, _ in log[1:]] == [
        *("run started", "settings changed", "run finished"),
        *("run started", "run discarded", "run started", "run discarded", "run started", "run discarded"),
    ]
    assert [data["reason"] for event, data in log if event == "run discarded"] == [
        "Cancelled",
        "ZeroDivisionError",
        "given up",
    ]
    assert [data["run"] for event, data in log if event == "run started"] == [1, 2, 3, 4]


def test_the_last_entry_vouches_for_the_whole_case(full: Case) -> None:
    """Records that were exchanged for others with sound seals do not go unnoticed."""
    path = full.path
    full.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM records WHERE kind = 'note' AND name = 'case'")
    connection.close()
    with Case.open(path) as case:
        assert case.damage == ("the note: something is missing or comes from elsewhere",)
        assert "damaged" in case.read_only
        assert len(case.documents.known()) == 9, "the rest can be read"

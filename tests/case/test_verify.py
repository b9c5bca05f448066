"""Verification: nothing to say about a sound case, and every difference by its name."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from forensia.case import Case, recorded, stale_sources, verify_case
from forensia.case.plain import Json
from forensia.corpus import read_corpus, read_disputed
from forensia.errors import Cancelled, InputError
from forensia.jobs import Progress


def test_a_sound_case_verifies(full: Case) -> None:
    fractions: list[float] = []
    assert verify_case(full, None, lambda fraction, message="": fractions.append(fraction)) == []
    assert fractions == sorted(fractions) and fractions[-1] == 1.0


def test_what_runs_again_is_compared(full: Case) -> None:
    stored = recorded(full)
    assert set(stored) == {"arrays pair model", "arrays space", *(f"result {each.name}" for each in full.results())}
    assert verify_case(full, lambda case, progress: recorded(case)) == []

    name = f"result {full.results()[0].name}"

    def other(case: Case, progress: Progress) -> dict[str, Json]:
        again = recorded(case)
        again["arrays space"] = "0" * 64
        again[name] = {"lazy": [{"author": "Ann", "score": 50.2}], "warnings": []}
        again["arrays new"] = "1" * 64
        del again["arrays pair model"]
        return again

    found = {each.part: each for each in verify_case(full, other)}
    assert set(found) == {"arrays space", "arrays new", "arrays pair model", f"{name}: lazy[0].score"}
    assert "50.1" in found[f"{name}: lazy[0].score"].message and "50.2" in found[f"{name}: lazy[0].score"].message
    assert f"{name}: lazy[0].score" not in {each.part for each in verify_case(full, other, tolerance=0.2)}


def test_old_results_need_not_come_out_again(full: Case) -> None:
    full.set_settings({"seed": 8})
    assert not [name for name in recorded(full) if name.startswith("result ")]


def test_a_run_that_fails_is_a_difference(full: Case) -> None:
    def fail(case: Case, progress: Progress) -> dict[str, Json]:
        raise InputError("the language model is another one.")

    def cancel(case: Case, progress: Progress) -> dict[str, Json]:
        raise Cancelled

    assert "language model" in verify_case(full, fail)[0].message
    with pytest.raises(Cancelled):
        verify_case(full, cancel)


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("UPDATE records SET body = replace(body, '50.1', '90.1') WHERE kind = 'result'", "the result"),
        ("UPDATE records SET body = replace(body, 'Ann', 'Eve') WHERE kind = 'known'", "the document"),
        ("UPDATE content SET data = zeroblob(length(data)) WHERE part = 'weights'", "weights of the arrays pair model"),
        ("UPDATE content SET data = (SELECT data FROM content WHERE kind = 'disputed' LIMIT 1) "
         "WHERE kind = 'known'", "text of the document"),
        ("DELETE FROM content WHERE kind = 'disputed'", "text of the disputed document"),
        ("DELETE FROM records WHERE kind = 'report'", "the report"),
        ("UPDATE records SET name = 'other' WHERE kind = 'arrays' AND name = 'space'", "the arrays"),
        ("DROP TRIGGER log_is_not_changed; UPDATE log SET event = 'nothing' WHERE sequence = 5", ""),
    ],
)  # fmt: skip
def test_what_was_edited_is_named(full: Case, statement: str, part: str) -> None:
    path = full.path
    full.close()
    connection = sqlite3.connect(path, isolation_level=None)
    trigger = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'log_is_not_changed'").fetchone()[0]
    connection.executescript(statement)
    connection.execute(trigger.replace("CREATE TRIGGER", "CREATE TRIGGER IF NOT EXISTS"))
    connection.close()
    with Case.open(path) as case:
        found = [each.part for each in verify_case(case)]
    assert any(each.startswith(part or "audit log, entry 5") for each in found), found


def test_sources_that_changed_make_results_stale(tmp_path: Path, samples: ModuleType) -> None:
    """FAULTS 44, in a case."""
    root, letter = tmp_path / "known", tmp_path / "letter.txt"
    for seed in range(6):
        place = root / ("Ann", "Bob")[seed % 2] / f"{seed}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(samples.prose(seed, 300), encoding="utf-8")
    letter.write_text(samples.prose(9, 300), encoding="utf-8")
    with Case.create(tmp_path / "a.forensia") as case:
        case.store_corpus(read_corpus(root))
        name = case.add_disputed(read_disputed(letter), str(tmp_path))
        pasted = case.add_disputed(read_disputed(samples.prose(10, 300).encode(), name="pasted.txt"))
        case.store_arrays("pair model", {}, {"w": np.arange(3.0)})
        first, second = (case.store_result(each, {}).name for each in (name, pasted))
        assert not stale_sources(case)

        letter.write_text("Another letter.", encoding="utf-8")
        stale = stale_sources(case)
        assert (stale.documents, stale.model, stale.results) == ((name,), False, (first,))

        (root / "Ann" / "0.txt").write_text("Another text.", encoding="utf-8")
        (root / "Bob" / "1.txt").unlink()
        stale = stale_sources(case)
        assert stale.model and set(stale.results) == {first, second}
        assert {each.code for each in stale.problems} == {"source-changed", "source-missing"}
        changed = next(each for each in case.documents() if each.path == "Ann/0.txt")
        assert set(stale.documents) == {changed.id, name}
        case.exclude([changed.id], "changed since")
        assert not stale_sources(case).model

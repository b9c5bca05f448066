"""Verification: nothing to say about a sound case, and every difference by its name."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from forensia.case import Case, stale_files, stale_warnings, verify_case
from forensia.corpus import read_corpus, read_disputed


def test_a_sound_case_verifies(full: Case) -> None:
    fractions: list[float] = []
    assert verify_case(full, lambda fraction, message="": fractions.append(fraction)) == []
    assert fractions == sorted(fractions) and fractions[-1] == 1.0


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
        case.documents.store(read_corpus(root))
        name = case.documents.add_disputed(replace(read_disputed(letter), root=str(tmp_path)))
        pasted = case.documents.add_disputed(read_disputed(samples.prose(10, 300).encode(), name="pasted.txt"))
        case.models.store("pair model", {}, {"w": np.arange(3.0)})
        first, second = (case.results.store(each, {}).name for each in (name, pasted))
        assert not stale_files(case) and stale_warnings(case) == []

        letter.write_text("Another letter.", encoding="utf-8")
        stale = stale_files(case)
        assert (stale.documents, stale.model, stale.results) == ((name,), False, (first,))
        (warning,) = stale_warnings(case)
        assert "'letter.txt'" in warning and "stale" in warning and ": 1 result." in warning

        (root / "Ann" / "0.txt").write_text("Another text.", encoding="utf-8")
        (root / "Bob" / "1.txt").unlink()
        stale = stale_files(case)
        assert stale.model and set(stale.results) == {first, second}
        assert {each.code for each in stale.problems} == {"source-changed", "source-missing"}
        changed = next(each for each in case.documents.known() if each.path == "Ann/0.txt")
        assert set(stale.documents) == {changed.id, name}
        warning, missing = stale_warnings(case)
        assert "the model and 2 results" in warning and "'Bob/1.txt'" in missing
        case.choices.exclude([changed.id], "changed since")
        assert not stale_files(case).model and ": 1 result." in stale_warnings(case)[0]


def test_a_folder_that_is_gone_is_one_warning(tmp_path: Path, samples: ModuleType) -> None:
    for seed in range(5):
        place = tmp_path / "known" / ("Ann", "Bob")[seed % 2] / f"{seed}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(samples.prose(seed, 300), encoding="utf-8")
    with Case.create(tmp_path / "a.forensia") as case:
        case.documents.store(read_corpus(tmp_path / "known"))
        (tmp_path / "known").rename(tmp_path / "moved")
        (warning,) = stale_warnings(case)
        assert "and 2 more" in warning and "kept in the case" in warning and not stale_files(case).model

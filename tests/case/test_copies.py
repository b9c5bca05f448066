"""Copies: whole or not at all, private, and without texts where nobody must see them."""

from __future__ import annotations

import contextlib
import stat
import zlib
from pathlib import Path
from types import ModuleType

import pytest

from forensia.case import Case, CaseReadOnly, CaseWithheld, verify_case
from forensia.case.casefile import LEFT_OUT
from forensia.errors import StorageError


def test_a_copy_is_the_same_case(full: Case, samples: ModuleType, tmp_path: Path) -> None:
    before = samples.read_all(full)
    target = tmp_path / "copy.forensia"
    target.write_text("what was there before")
    target.chmod(0o644)
    full.save_copy(target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with Case.open(target) as copy:
        assert samples.read_all(copy) == before and verify_case(copy) == []
        copy.choices.set_settings({"of": "the copy"})
    assert full.choices.settings() == before["settings"]
    assert full.log.entries()[-1].event == "copy saved"


def test_nobody_loses_a_case_that_is_open(full: Case, tmp_path: Path, samples: ModuleType) -> None:
    other = samples.make(tmp_path / "other.forensia")
    with Case.open(other):
        with pytest.raises(StorageError, match="open elsewhere"):
            full.save_copy(other)
        with pytest.raises(StorageError, match="this case itself"):
            full.save_copy(full.path)
        with pytest.raises(StorageError, match="folder"):
            full.save_copy(tmp_path)
        with pytest.raises(StorageError, match="could not be written"):
            full.save_copy(tmp_path / "no" / "where.forensia")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["full.forensia", "full.forensia-lock", "other.forensia"]


def test_a_read_only_case_can_be_copied_and_worked_on(full: Case, tmp_path: Path) -> None:
    with Case.open(full.path) as second:
        assert "another window" in second.read_only
        with pytest.raises(CaseReadOnly, match="Save a copy"):
            second.log.note("x")
        second.save_copy(tmp_path / "mine.forensia")
    with Case.open(tmp_path / "mine.forensia") as mine:
        mine.log.note("x")


def _strings(case: Case) -> bytes:
    """Everything that can be found in the file, packed or not."""
    found = [case.path.read_bytes()]
    for (data,) in case.database.connection.execute("SELECT data FROM content UNION ALL SELECT data FROM analyses"):
        found.append(data)
        with contextlib.suppress(zlib.error):
            found.append(zlib.decompress(data))
    return b"\n".join(found)


def test_without_texts(full: Case, tmp_path: Path, samples: ModuleType) -> None:
    name = full.documents.disputed()[0].id
    quotation = " ".join(samples.prose(50).split()[10:17])
    full.results.store(
        name, {"statement": "no opinion", "why": quotation, "passages": ["harbour letter"], "score": 0.5}
    )
    full.results.set_note(name, f"It says ‘{quotation}’, which is odd.")
    target = tmp_path / "without.forensia"
    full.export_without_texts(target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert full.log.entries()[-1].event == "exported without texts"
    with Case.open(target) as copy:
        assert copy.without_texts and "without texts" in copy.read_only and not copy.damage
        held = _strings(copy)
        for seed in (*range(9), 50, 51):
            words = samples.prose(seed).split()
            assert not any(" ".join(words[place : place + 5]).encode() in held for place in range(len(words) - 5))
        assert [each.sha256_text for each in copy.documents.known()] == [
            each.sha256_text for each in full.documents.known()
        ]
        assert copy.models.hashes() == full.models.hashes()
        last = copy.results.raw(name)[-1].result
        assert last == {"statement": "no opinion", "why": LEFT_OUT, "passages": LEFT_OUT, "score": 0.5}
        assert copy.results.raw()[0].result == full.results.raw()[0].result
        assert copy.results.notes()[name] == LEFT_OUT and copy.results.notes()["case"] == full.results.notes()["case"]
        assert verify_case(copy) == [] and copy.log.entries()[-1].event == "texts left out"
        for use in (lambda: copy.documents.get(name), copy.documents.corpus, lambda: copy.models.get("space")["idf"]):  # type: ignore[index]
            with pytest.raises(CaseWithheld, match="without texts"):
                use()


def test_a_failed_export_leaves_what_was_there(full: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "there.forensia"
    target.write_bytes(b"before")

    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("forensia.case.casefile._redacted", fail)
    with pytest.raises(RuntimeError, match="on purpose"):
        full.export_without_texts(target)
    assert target.read_bytes() == b"before" and not list(tmp_path.glob(".*"))

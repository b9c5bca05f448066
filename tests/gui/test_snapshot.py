"""What the pages are shown of a case: its model in numbers, without loading it, and the last result of each disputed text."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from forensia.case.session import FUSED, MODEL, VALIDATION, open_model
from forensia.case.store import Case
from forensia.corpus import read_disputed
from forensia.gui import snapshot
from forensia.gui.snapshot import Changes
from support import results


def test_the_model_in_numbers(validated_case: Path) -> None:
    with Case.open(validated_case, read_only=True) as case:
        shown = snapshot.take(case).model
        model = open_model(case)
    assert shown is not None and shown.record == model.learnt.record(model.record) and shown.complete
    assert shown.names == model.learnt.documents
    assert shown.current and shown.validated


def test_whether_a_model_is_validated(validated_case: Path, tmp_path: Path) -> None:
    place = Path(shutil.copy(validated_case, tmp_path / "copy.forensia"))
    with Case.open(place) as case:
        case.models.remove(VALIDATION)
        case.models.remove(MODEL)
        alone = snapshot.take(case).model
    assert alone is not None and alone.current and alone.validated and not alone.complete
    shutil.copy(validated_case, place)
    with Case.open(place) as case:
        case.models.remove(FUSED)
        shown = snapshot.take(case).model
    assert shown is not None and shown.current and not shown.validated


def test_results_are_read_once_and_share_the_names_of_the_known_texts(tmp_path: Path) -> None:
    with Case.create(tmp_path / "case.forensia") as case:
        names = []
        for number in range(2):
            file = tmp_path / f"{number}.txt"
            file.write_text(f"This is text {number}, and no other.", encoding="utf-8")
            names.append(case.documents.add_disputed(read_disputed(file)))
            case.results.store(names[number], results.result(file.name))
        before = snapshot.take(case)
        case.results.store(names[0], results.result("again"))
        after = snapshot.analysed(before, case)
    first, second = (before.results[name].result for name in names)
    assert first == results.result("0.txt") and first.known is second.known
    assert after.results[names[1]].result is second, "what is known is not read again"
    assert after.results[names[0]].result.file == "again"
    assert after.results[names[0]].result.known is first.known


def test_what_has_changed_is_named_by_its_part(tmp_path: Path) -> None:
    with Case.create(tmp_path / "case.forensia") as case:
        first = snapshot.take(case)
        assert Changes.between(None, first) == Changes.between(first, None) == ~Changes(0), "another case: everything"
        assert not Changes.between(first, snapshot.take(case)), "read twice, nothing is new"
        text = read_disputed(b"Some words that nobody signed.", name="note.txt")
        case.documents.add_disputed(text)
        second = snapshot.take(case)
        assert Changes.between(first, second) == Changes.DISPUTED
        case.results.store(text.id, results.result("note.txt"))
        third = snapshot.take(case)
        assert Changes.between(second, third) == Changes.DISPUTED
    elsewhere = replace(third, path=tmp_path / "other.forensia")
    assert Changes.between(third, elsewhere) == ~Changes(0)


def test_a_choice_changes_the_corpus_and_the_model_that_it_outdates(validated_case: Path, tmp_path: Path) -> None:
    place = Path(shutil.copy(validated_case, tmp_path / "copy.forensia"))
    with Case.open(place) as case:
        before = snapshot.take(case)
        case.choices.exclude([before.documents[0].id], "a copy")
        found = Changes.between(before, snapshot.changed(before, case))
    assert found == Changes.CASE | Changes.CORPUS | Changes.MODEL

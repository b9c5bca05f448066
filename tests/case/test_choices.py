"""Exclusions, reassignments and settings can be taken back and made again, in any order, and the log keeps it all."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forensia.case import Case, CaseDamaged, CaseRefused, documents
from forensia.case.documents import ChosenSources


def _excluded(case: Case) -> dict[str, str]:
    return {each.id: each.excluded for each in case.documents() if each.excluded is not None}


def test_exclude_include_undo_redo(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    names = [each.id for each in case.documents()]
    start = _excluded(case)
    case.exclude(names[3:6], "too late")
    excluded = _excluded(case)
    assert set(excluded) == set(start) | set(names[3:6])
    case.include(names[4:5])
    assert set(_excluded(case)) == set(excluded) - {names[4]}
    assert case.undo_labels() == ("Include 1 document", None)

    change = case.undo()
    assert change is not None and change.names == (names[4],) and _excluded(case) == excluded
    assert case.undo_labels() == ("Exclude 3 documents", "Include 1 document")
    case.undo()
    assert _excluded(case) == start and case.undo() is None
    case.redo()
    case.redo()
    assert set(_excluded(case)) == set(excluded) - {names[4]} and case.redo() is None
    events = [each.event for each in case.log_entries()]
    assert events[-4:] == ["change undone", "change undone", "change redone", "change redone"]
    corpus = case.corpus()
    assert corpus is not None and dict(corpus.excluded) == _excluded(case)


def test_reassigning_keeps_the_author_that_was_read(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    first = case.documents()[0]
    case.reassign([first.id], "Zoe")
    now = case.documents()[0]
    assert (now.author, now.read_as) == ("Zoe", first.author)
    assert case.document(first.id).author == "Zoe"
    corpus = case.corpus()
    assert corpus is not None and corpus.by_id[first.id].author == "Zoe"
    case.reassign([first.id], first.author)
    assert case.documents()[0] == first
    case.undo()
    assert case.documents()[0].author == "Zoe"


def test_a_change_after_undo_drops_what_could_be_redone(case: Case) -> None:
    case.set_settings({"a": 1})
    case.set_settings({"a": 2})
    case.undo()
    case.set_settings({"a": 3, "b": None})
    assert case.redo() is None and case.settings() == {"a": 3, "b": None}
    case.undo()
    assert case.settings() == {"a": 1}
    case.undo()
    assert case.settings() == {}


def test_no_change_is_no_entry(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    case.set_settings({"a": 1})
    entries = len(case.log_entries())
    assert case.set_settings({"a": 1}) is None
    assert case.include([case.documents()[0].id]) is None or case.documents()[0].excluded
    assert case.exclude([], "nothing") is None
    assert len(case.log_entries()) == entries


def test_what_makes_no_sense_is_refused(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    name = case.documents()[0].id
    for use in (
        lambda: case.exclude(["0" * 16], "unknown"),
        lambda: case.exclude([name], "  "),
        lambda: case.exclude([name], "x" * 501),
        lambda: case.include(["0" * 16]),
        lambda: case.reassign([name], ""),
    ):
        with pytest.raises(CaseRefused):
            use()


def test_the_log_tells_settings_but_not_what_is_written_for_the_report(case: Case) -> None:
    case.set_settings({"seed": 3, "report": {"instructions": "a long story"}, "words": ["x" * 400]})
    details = case.log_entries()[-1].data["set"]
    assert details["seed"] == 3
    assert set(details["report"]) == set(details["words"]) == {"sha256"}


_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("exclude"), st.sets(st.integers(0, 5), min_size=1, max_size=3)),
        st.tuples(st.just("include"), st.sets(st.integers(0, 5), min_size=1, max_size=3)),
        st.tuples(st.just("settings"), st.dictionaries(st.sampled_from("abc"), st.integers(0, 2), max_size=2)),
        st.tuples(st.sampled_from(["undo", "redo", "reopen"]), st.none()),
    ),
    max_size=14,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_STEPS)
def test_any_course_of_changes_equals_a_simple_model(tmp_path: Path, samples: ModuleType, steps: list) -> None:  # type: ignore[type-arg]
    path = tmp_path / "any.forensia"
    path.unlink(missing_ok=True)
    case = Case.create(path)
    case.store_corpus(samples.corpus(6))
    names = [each.id for each in case.documents()]
    past: list[tuple[dict[str, str], dict[str, int]]] = []
    future: list[tuple[dict[str, str], dict[str, int]]] = []
    now: tuple[dict[str, str], dict[str, int]] = (_excluded(case), {})
    for step, value in steps:
        excluded, chosen = dict(now[0]), dict(now[1])
        if step == "exclude":
            reason = f"reason {len(past)}"
            case.exclude([names[number] for number in value], reason)
            excluded |= {names[number]: reason for number in value}
        elif step == "include":
            case.include([names[number] for number in value])
            excluded = {name: why for name, why in excluded.items() if names.index(name) not in value}
        elif step == "settings":
            case.set_settings(value)
            chosen = dict(value)
        elif step == "undo":
            assert (case.undo() is None) is (not past)
            if past:
                future.append(now)
                now = past.pop()
        elif step == "redo":
            assert (case.redo() is None) is (not future)
            if future:
                past.append(now)
                now = future.pop()
        else:
            case.close()
            case = Case.open(path)
        if step in ("exclude", "include", "settings") and (excluded, chosen) != now:
            past.append(now)
            future.clear()
            now = (excluded, chosen)
        assert (_excluded(case), case.settings()) == now
    assert not case.verify_log() and not case.database.damage()
    case.close()


def _sources(case: Case) -> dict[str, tuple[str, ...]]:
    return {each.id: each.sources for each in case.documents()}


def test_sources_hold_in_place_of_those_read(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    read, basis = _sources(case), documents.basis(case.database, sources=True)
    boxed = next(name for name, sources in read.items() if sources)
    first, second = [name for name in read if name != boxed][:2]
    assert case.set_sources({first: ["letters"], second: ["b", "a", "b"], boxed: []}, "as the archive has them")
    assert _sources(case) == {**read, first: ("letters",), second: ("a", "b"), boxed: ()}
    assert {each.id: each.read_sources for each in case.documents()} == read
    assert case.chosen_sources()[second] == ChosenSources(("a", "b"), "as the archive has them")
    assert documents.basis(case.database, sources=True) != basis and case.basis() == case.basis()
    assert case.set_sources({first: ["letters"]}, "as the archive has them") is None, "all is so already"
    assert case.undo_labels()[0] == "Change the sources of 3 documents"
    case.undo()
    assert _sources(case) == read and not case.chosen_sources()
    case.redo()
    assert case.document(first).sources == ("letters",)
    case.set_sources(dict(read))
    assert _sources(case) == read and not case.chosen_sources(), "what was read needs no choice"
    noted = [entry.data for entry in case.log_entries() if entry.data.get("which") == "sources"]
    assert noted[0]["set"][first] == {"sources": ["letters"], "because": "as the archive has them"}
    assert noted[-1]["removed"] and not case.verify_log()


def test_sources_stay_with_a_corpus_that_is_stored_again(case: Case, samples: ModuleType, tmp_path: Path) -> None:
    case.store_corpus(samples.corpus())
    name = case.documents()[0].id
    case.set_sources({name: ["letters"]})
    with Case.create(tmp_path / "other.forensia") as other:
        other.store_corpus(case.corpus())
        assert other.documents() == case.documents() and other.chosen_sources() == case.chosen_sources()


def test_sources_without_a_name_and_long_reasons_are_refused(case: Case, samples: ModuleType) -> None:
    case.store_corpus(samples.corpus())
    name = case.documents()[0].id
    for wanted, because in (([""], ""), (["x" * 4_001], ""), (["a"], "x" * 501)):
        with pytest.raises(CaseRefused):
            case.set_sources({name: wanted}, because)
    with pytest.raises(CaseRefused, match="1 of the documents"):
        case.set_sources({"nobody": ["a"]})
    assert not case.chosen_sources()


@pytest.mark.parametrize(
    "bad", [{"sources": "ab", "because": ""}, {"sources": [1], "because": ""}, {"sources": []}, []]
)
def test_sources_that_no_case_has_are_damage(case: Case, samples: ModuleType, bad: object) -> None:
    case.store_corpus(samples.corpus())
    with case.step("tampered with"):
        case.database.put("choice", "sources", {case.documents()[0].id: bad})
    with pytest.raises(CaseDamaged, match="the choice sources"):
        case.documents()

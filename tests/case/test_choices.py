"""Exclusions, reassignments and settings can be taken back and made again, in any order, and the log keeps it all."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forensia.case import Case, CaseDamaged, CaseRefused
from forensia.case.documents import ChosenSources


def _excluded(case: Case) -> dict[str, str]:
    return {each.id: each.excluded for each in case.documents.known() if each.excluded is not None}


def test_exclude_include_undo_redo(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    names = [each.id for each in case.documents.known()]
    start = _excluded(case)
    case.choices.exclude(names[3:6], "too late")
    excluded = _excluded(case)
    assert set(excluded) == set(start) | set(names[3:6])
    case.choices.include(names[4:5])
    assert set(_excluded(case)) == set(excluded) - {names[4]}
    assert case.choices.labels() == ("Include 1 document", None)

    change = case.choices.undo()
    assert change is not None and change.names == (names[4],) and _excluded(case) == excluded
    assert case.choices.labels() == ("Exclude 3 documents", "Include 1 document")
    case.choices.undo()
    assert _excluded(case) == start and case.choices.undo() is None
    case.choices.redo()
    case.choices.redo()
    assert set(_excluded(case)) == set(excluded) - {names[4]} and case.choices.redo() is None
    events = [each.event for each in case.log.entries()]
    assert events[-4:] == ["change undone", "change undone", "change redone", "change redone"]
    corpus = case.documents.corpus()
    assert corpus is not None and dict(corpus.excluded) == _excluded(case)


def test_reassigning_keeps_the_author_that_was_read(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    first = case.documents.known()[0]
    case.choices.reassign([first.id], "Zoe")
    now = case.documents.known()[0]
    assert (now.author, now.read_as) == ("Zoe", first.author)
    assert case.documents.get(first.id).author == "Zoe"
    corpus = case.documents.corpus()
    assert corpus is not None and corpus.by_id[first.id].author == "Zoe"
    case.choices.reassign([first.id], first.author)
    assert case.documents.known()[0] == first
    case.choices.undo()
    assert case.documents.known()[0].author == "Zoe"


def test_a_change_after_undo_drops_what_could_be_redone(case: Case) -> None:
    case.choices.set_settings({"a": 1})
    case.choices.set_settings({"a": 2})
    case.choices.undo()
    case.choices.set_settings({"a": 3, "b": None})
    assert case.choices.redo() is None and case.choices.settings() == {"a": 3, "b": None}
    case.choices.undo()
    assert case.choices.settings() == {"a": 1}
    case.choices.undo()
    assert case.choices.settings() == {}


def test_no_change_is_no_entry(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    case.choices.set_settings({"a": 1})
    entries = len(case.log.entries())
    assert case.choices.set_settings({"a": 1}) is None
    assert case.choices.include([case.documents.known()[0].id]) is None or case.documents.known()[0].excluded
    assert case.choices.exclude([], "nothing") is None
    assert len(case.log.entries()) == entries


def test_what_makes_no_sense_is_refused(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    name = case.documents.known()[0].id
    for use in (
        lambda: case.choices.exclude(["0" * 16], "unknown"),
        lambda: case.choices.exclude([name], "  "),
        lambda: case.choices.exclude([name], "x" * 501),
        lambda: case.choices.include(["0" * 16]),
        lambda: case.choices.reassign([name], ""),
    ):
        with pytest.raises(CaseRefused):
            use()


def test_the_log_tells_settings_but_not_what_is_written_for_the_report(case: Case) -> None:
    case.choices.set_settings({"seed": 3, "report": {"instructions": "a long story"}, "words": ["x" * 400]})
    details = case.log.entries()[-1].data["set"]
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
    case.documents.store(samples.corpus(6))
    names = [each.id for each in case.documents.known()]
    past: list[tuple[dict[str, str], dict[str, int]]] = []
    future: list[tuple[dict[str, str], dict[str, int]]] = []
    now: tuple[dict[str, str], dict[str, int]] = (_excluded(case), {})
    for step, value in steps:
        excluded, chosen = dict(now[0]), dict(now[1])
        if step == "exclude":
            reason = f"reason {len(past)}"
            case.choices.exclude([names[number] for number in value], reason)
            excluded |= {names[number]: reason for number in value}
        elif step == "include":
            case.choices.include([names[number] for number in value])
            excluded = {name: why for name, why in excluded.items() if names.index(name) not in value}
        elif step == "settings":
            case.choices.set_settings(value)
            chosen = dict(value)
        elif step == "undo":
            assert (case.choices.undo() is None) is (not past)
            if past:
                future.append(now)
                now = past.pop()
        elif step == "redo":
            assert (case.choices.redo() is None) is (not future)
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
        assert (_excluded(case), case.choices.settings()) == now
    assert not case.log.faults() and not case.database.damage()
    case.close()


def _sources(case: Case) -> dict[str, tuple[str, ...]]:
    return {each.id: each.sources for each in case.documents.known()}


def test_sources_hold_in_place_of_those_read(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    read, basis = _sources(case), case.documents.basis(sources=True)
    boxed = next(name for name, sources in read.items() if sources)
    first, second = [name for name in read if name != boxed][:2]
    assert case.choices.set_sources({first: ["letters"], second: ["b", "a", "b"], boxed: []}, "as the archive has them")
    assert _sources(case) == {**read, first: ("letters",), second: ("a", "b"), boxed: ()}
    assert {each.id: each.read_sources for each in case.documents.known()} == read
    assert case.documents.chosen_sources()[second] == ChosenSources(("a", "b"), "as the archive has them")
    assert case.documents.basis(sources=True) != basis and case.documents.basis() == case.documents.basis()
    assert case.choices.set_sources({first: ["letters"]}, "as the archive has them") is None, "all is so already"
    assert case.choices.labels()[0] == "Change the sources of 3 documents"
    case.choices.undo()
    assert _sources(case) == read and not case.documents.chosen_sources()
    case.choices.redo()
    assert case.documents.get(first).sources == ("letters",)
    case.choices.set_sources(dict(read))
    assert _sources(case) == read and not case.documents.chosen_sources(), "what was read needs no choice"
    noted = [entry.data for entry in case.log.entries() if entry.data.get("which") == "sources"]
    assert noted[0]["set"][first] == {"sources": ["letters"], "because": "as the archive has them"}
    assert noted[-1]["removed"] and not case.log.faults()


def test_sources_stay_with_a_corpus_that_is_stored_again(case: Case, samples: ModuleType, tmp_path: Path) -> None:
    case.documents.store(samples.corpus())
    name = case.documents.known()[0].id
    case.choices.set_sources({name: ["letters"]})
    with Case.create(tmp_path / "other.forensia") as other:
        other.documents.store(case.documents.corpus())
        assert (
            other.documents.known() == case.documents.known()
            and other.documents.chosen_sources() == case.documents.chosen_sources()
        )


def test_sources_without_a_name_and_long_reasons_are_refused(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    name = case.documents.known()[0].id
    for wanted, because in (([""], ""), (["x" * 4_001], ""), (["a"], "x" * 501)):
        with pytest.raises(CaseRefused):
            case.choices.set_sources({name: wanted}, because)
    with pytest.raises(CaseRefused, match="1 of the documents"):
        case.choices.set_sources({"nobody": ["a"]})
    assert not case.documents.chosen_sources()


@pytest.mark.parametrize(
    "bad", [{"sources": "ab", "because": ""}, {"sources": [1], "because": ""}, {"sources": []}, []]
)
def test_sources_that_no_case_has_are_damage(case: Case, samples: ModuleType, bad: object) -> None:
    case.documents.store(samples.corpus())
    with case.step("tampered with"):
        case.database.put("choice", "sources", {case.documents.known()[0].id: bad})
    with pytest.raises(CaseDamaged, match="the choice sources"):
        case.documents.known()

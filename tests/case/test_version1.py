"""What version 0.1 found is read as today's types, and says what version 0.1 wrote, whatever has become of its validation since."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia import codec
from forensia.case import Case, CaseDamaged
from forensia.case.session import VALIDATION
from forensia.cli import contract
from forensia.evidence.result import FUSED, INDEPENDENT, LAZY, STACKED, Condition, Result
from forensia.wording import opinion, reasons
from support.places import VERSION_0_1, real_case

WRITTEN = json.loads((VERSION_0_1 / "results.json").read_text("utf-8"))["documents"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with Case.open(real_case(tmp_path_factory.mktemp("read"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """The same case, after its validation has gone, as it does when the model is trained again."""
    with Case.open(real_case(tmp_path_factory.mktemp("later"))) as opened:
        opened.models.remove(VALIDATION)
        yield opened


def pairs(case: Case) -> list[tuple[Result, dict[str, Any]]]:
    """The results as they are read, and as they were written."""
    return [
        (read.result, written.result)  # type: ignore[misc]
        for read, written in zip(case.results.all(), case.results.raw(), strict=True)
    ]


def says_the_same(result: Result, written: dict[str, Any]) -> None:
    said = written["opinion"]
    assert opinion.statement(result) == said["statement"] and opinion.reasons(result) == said["reasons"]
    assert reasons.warnings(result) == written["warnings"]
    found = opinion.findings(result)
    assert found is not None
    assert found.statement == said["findings"]["statement"] and found.support == said["findings"]["support"]
    told = contract.document(result)
    assert {key: told["opinion"][key] for key in said} == said
    for row, old in zip(told["verification"], written["verification"], strict=True):
        assert {key: row[key] for key in old.keys() & row.keys()} == {key: old[key] for key in old.keys() & row.keys()}
        for alternative in ("listed", "unlisted"):
            assert row[alternative]["log10_lr"] == old[f"log10_lr_{alternative}"]


@pytest.mark.parametrize("file", [each["file"] for each in WRITTEN])
def test_the_last_result_of_each_text_says_what_was_written(case: Case, file: str) -> None:
    (written,) = (each for each in WRITTEN if each["file"] == file)
    (result,) = (each.result for each in case.results.all() if each.current and each.result.file == file)
    says_the_same(result, written)


def test_a_result_of_an_earlier_validation_is_not_worded_with_the_bounds_of_a_later_one(case: Case) -> None:
    ((result, written),) = [
        pair for pair, stored in zip(pairs(case), case.results.all(), strict=True) if not stored.current
    ]
    says_the_same(result, written)


def test_without_its_validation_each_says_what_was_written(later: Case) -> None:
    assert len(pairs(later)) == 4 and not any(each.current for each in later.results.all())
    for result, written in pairs(later):
        says_the_same(result, written)
    (sure,) = (result for result, _ in pairs(later) if result.file == "pages.txt")
    assert sure.subject.headline is not None and sure.subject.headline.reached == "upper"


def test_the_numbers_are_those_that_were_written(case: Case) -> None:
    for result, written in pairs(case):
        assert (result.file, result.sha256, result.words) == tuple(written[key] for key in ("file", "sha256", "words"))
        assert result.condition == Condition(words=written["validated_at_words"]) and result.k == written["k"]
        assert result.program == "0.1.0" and result.format == 1 and result.no_sentences is written["no_sentences"]
        told = contract.document(result)
        for key in ("pairs", "k_by_author", "sensitivity"):
            assert told[key] == written[key], key
        for key in (LAZY, STACKED):
            assert told[key] == [{**row, "accepted": row["rank"] == 1} for row in written[key]]
        assert told["ranking"] == told[LAZY] and FUSED not in told["systems"] and result.rankings == (LAZY, STACKED)
        assert [row["author"] for row in told["verification"] if row["accepted"]] == [written[LAZY][0]["author"]]
        assert told["agreement"] == [
            {key: vote[key] for key in ("method", "first", "agrees", "accepts")} for vote in written["agreement"]
        ]
        for vote in written["agreement"]:
            assert vote["method"] in INDEPENDENT
            assert sorted(each.systems[vote["method"]].score for each in result.candidates) == sorted(vote["scores"])


def test_read_and_kept_anew_it_is_the_same(case: Case) -> None:
    for result, _ in pairs(case):
        assert codec.typed(Result, json.loads(json.dumps(codec.plain(result), allow_nan=False))) == result


class _Back(Exception):
    """Nothing of a trial is kept."""


JUNK = st.sampled_from([None, True, 0, -1.5, "", "text", [], {}, [[]], [{}], {"findings": []}])


@pytest.fixture(scope="module")
def forged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with Case.open(real_case(tmp_path_factory.mktemp("forged"))) as opened:
        yield opened


@settings(max_examples=60)
@given(data=st.data())
def test_what_is_no_result_is_damage_and_never_a_crash(forged: Case, data: st.DataObject) -> None:
    """Something else in place of any part of a result: it is read as far as it makes sense, or named as damaged."""
    stored = json.loads(json.dumps(WRITTEN[0]))
    stored["pairs"], stored["explanations"] = stored["pairs"][:3], {}
    inner = stored
    while True:
        place = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if not inner[place] or not isinstance(inner[place], dict | list) or data.draw(st.booleans()):
            break
        inner = inner[place]
    inner[place] = data.draw(JUNK)
    name = forged.documents.disputed()[1].id
    with contextlib.suppress(_Back), forged.step("forged"):
        forged.results.store(name, stored)
        with contextlib.suppress(CaseDamaged):
            read = forged.results.all(name)[-1].result
            assert codec.typed(Result, codec.plain(read)) == read
        raise _Back
    assert len(forged.results.raw(name)) == 1

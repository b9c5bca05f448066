"""The public JSON and the terminal tell every figure under its condition, and what was stated of a text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from forensia.cli import contract
from forensia.cli.terminal import document_lines, trust_lines
from forensia.evidence.result import Condition, Stated
from forensia.evidence.summary import FirstPlace, ValidationSummary
from support import results

CONDITION = {
    "source", "words", "texts", "median_words", "documents", "first", "first_interval", "first_left_out", "cllr_listed",
    "cllr_listed_interval", "cllr_unlisted", "cllr_unlisted_interval", "opinions", "opinions_given", "opinions_interval", "right",
    "right_interval", "none_of_these", "none_of_these_interval", "outsiders_supported", "outsiders_supported_interval",
    "ruled_out",
}  # fmt: skip


@pytest.fixture
def summary() -> ValidationSummary:
    return results.both_sources(results.summary())


def shown(found: ValidationSummary) -> dict[str, Any]:
    """As anybody reads it."""
    return dict(json.loads(json.dumps(contract.validated(found), allow_nan=False)))


def test_every_figure_has_its_condition_and_its_rates_with_intervals(summary: ValidationSummary) -> None:
    found = shown(summary)
    names = ("source", "words", "texts", "median_words")
    assert [tuple(each[name] for name in names) for each in found["conditions"]] == [
        (source, *length)
        for source in ("new", "known")
        for length in ((None, 1, 800), (500, 1, None), (1_600, 2, None))
    ]
    assert all(each.keys() == CONDITION for each in found["conditions"])
    first = found["conditions"][0]
    whole = summary.whole
    assert (first["documents"], first["first"], first["first_interval"]) == (16, 0.5, [0.6, 0.88])
    assert (first["opinions"], first["opinions_given"], first["opinions_interval"]) == (0.75, 12, [0.6, 0.9])
    assert (first["right"], first["right_interval"]) == (0.97, [0.9, 0.99])
    assert (first["none_of_these"], first["none_of_these_interval"]) == (0.05, [0.01, 0.09])
    assert (first["outsiders_supported"], first["outsiders_supported_interval"]) == (0.04, [0.01, 0.12])
    assert whole.unlisted is not None
    assert (first["cllr_listed"], first["cllr_unlisted"]) == (whole.listed.cllr, whole.unlisted.cllr)
    assert first["cllr_unlisted_interval"] == list(whole.unlisted.cllr_interval or ())


def test_sources_and_outsiders_are_told_by_name(summary: ValidationSummary) -> None:
    found = shown(summary)
    assert found["sources_told"] is True and found["one_source"] == [results.AUTHORS[0]]
    assert [each["outside_supported"] for each in found["by_author"]] == [0.0, 0.0, 0.0, 0.25]
    assert [each["words"] for each in found["lengths"]] == [500], "shorter texts of the headline condition, as before"


def test_what_is_not_estimable_is_null(summary: ValidationSummary) -> None:
    whole = summary.whole
    rule = replace(whole.open_set.listed, right_when_given=None, right_interval=None, given=0)
    closed = replace(
        whole, unlisted=None, first=FirstPlace(0, None, None), open_set=replace(whole.open_set, listed=rule, unlisted=None)
    )  # fmt: skip
    (first,) = shown(replace(summary, figures=(closed,)))["conditions"]
    assert first["opinions_given"] == 0
    assert {name for name in CONDITION if first[name] is None} == {
        "words", "first", "first_interval", "first_left_out", "cllr_unlisted", "cllr_unlisted_interval", "right", "right_interval",
        "outsiders_supported", "outsiders_supported_interval", "ruled_out",
    }  # fmt: skip


def test_a_document_tells_what_was_stated_and_its_condition() -> None:
    stated = Stated("known", "It is from the same thread")
    result = replace(results.result(), condition=Condition("known", 1_600, 2), stated=stated)
    found = contract.document(result)
    assert found["condition"] == {"source": "known", "words": 1_600, "texts": 2, "median_words": None}
    assert found["stated"] == {"source": "known", "because": "It is from the same thread"}
    (told,) = (line for line in document_lines(result).splitlines() if "These figures hold" in line)
    assert "(2 known texts joined), from the source of known texts" in told and '"It is from the same thread".' in told
    assert contract.document(results.result(validated=False))["condition"] is None
    assert "These figures" not in document_lines(results.result(validated=False))


def test_the_terminal_has_both_figures_side_by_side(summary: ValidationSummary) -> None:
    lines = trust_lines(summary).splitlines()
    assert "Measured on whole known texts (in the median 800 words), each scored" in lines[0]
    (head,) = (line for line in lines if "New source" in line)
    (first,) = (line for line in lines if "Own author first" in line)
    assert (
        first.index("50 % of 16") == head.index("New source") < first.index("75 % of 16") == head.index("Known source")
    )
    assert len([line for line in lines if line.startswith("  ")]) <= 16, "a few lines"
    assert not any("is not known" in line for line in lines)
    assert "from a new source is not known" in trust_lines(results.summary()).splitlines()[0]

"""A case with a reference population: what its report says, with one candidate and with three, against what is stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from forensia.cli import contract
from forensia.evidence.reasons import ReferenceGroup
from forensia.evidence.result import LAZY, Alternative, Result
from forensia.evidence.summary import ValidationSummary
from forensia.wording.numbers import Printer
from forensia.wording.ratios import forbidden_in
from tests.report.conftest import POPULATION, Printed, print_report

CANDIDATES = ("Adela Marsh", "Bram Oakley", "Corin Vale")


@pytest.fixture(scope="module")
def alone(peopled: Callable[[int], Path]) -> Printed:
    return print_report(peopled(1))


@pytest.fixture(scope="module")
def three(peopled: Callable[[int], Path]) -> Printed:
    return print_report(peopled(3))


@pytest.fixture(params=["alone", "three"])
def report(request: pytest.FixtureRequest) -> Printed:
    found: Printed = request.getfixturevalue(request.param)
    return found


def stored(report: Printed) -> tuple[Result, ValidationSummary, ReferenceGroup]:
    (document,) = report.contents.documents
    validation = report.contents.validation
    assert validation is not None and validation.reference is not None
    return document.result, validation, validation.reference


def flat(report: Printed) -> str:
    """The text in one line, as lines are broken anywhere."""
    return re.sub(r"\s+", " ", report.text)


def section(report: Printed, first: str, last: str) -> str:
    """From one heading to another, both the last ones of that name: the table of contents has them too."""
    lines = [line.strip() for line in report.text.splitlines()]
    start, end = (
        max(place for place, line in enumerate(lines) if re.fullmatch(rf"(\d+\.?\d*|[A-Z])?\s*{name}", line))
        for name in (first, last)
    )
    return re.sub(r"\s+", " ", " ".join(lines[start:end]))


def test_the_question_and_the_second_proposition(alone: Printed, three: Printed) -> None:
    assert f"Did {CANDIDATES[0]} write the disputed text?" in alone.pages[1]
    assert "Which of the 3 candidates, if any, wrote the disputed text?" in three.pages[1]
    one, several = flat(alone), flat(three)
    second = "somebody else, for whom the reference population stands, wrote the disputed text"
    assert f"the second: {second}." in one and "another of the listed authors wrote" not in one
    assert f"another of the listed authors wrote the disputed text; or {second}." in several
    assert "The only candidate is Adela Marsh" in one and "The listed authors are the 3 candidates." in several


def test_the_ratio_is_the_one_that_is_stored(report: Printed) -> None:
    result, _, _ = stored(report)
    subject, text = result.subject, flat(report)
    assert subject.headline is not None
    if len(result.candidates) == 1:
        assert subject.listed is None and subject.headline.alternative is Alternative.POPULATION
        assert "LR, another listed" not in text, "there is no other"
    else:
        assert subject.listed is not None and subject.unlisted is not None
        assert subject.headline.log10 == min(subject.listed.log10, subject.unlisted.log10)
        for ratio in (subject.listed, subject.unlisted):
            assert Printer().short_ratio(ratio.log10, ratio.bounds) in section(report, "Results", "Sensitivity")
    assert Printer().short_ratio(subject.headline.log10, subject.headline.bounds) in report.pages[1]


def test_stand_ins_condition_and_rates(report: Printed) -> None:
    result, validation, reference = stored(report)
    text, say = flat(report), Printer()
    assert 0 < reference.stand_ins <= POPULATION and len(result.candidates) == reference.candidates
    (used,) = set(reference.used.values())
    place = "the candidate" if reference.alone else "candidates"
    assert f"In the place of {place} {reference.stand_ins} known authors were tried" in text and f"({used})" in text
    assert result.condition is not None and result.condition.source == "new"
    assert "The figures for a new source hold for 'anonymous-1.txt'." in text
    own, others = validation.whole.open_set.listed, validation.whole.open_set.unlisted
    assert others is not None and own.opinion is not None
    whole = section(report, "Texts of stand-ins, and texts by others", "Pairs of texts")
    assert say.rate_of(own.opinion, own.documents, own.opinion_interval) in whole
    assert say.rate_of(others.wrongly_supported, others.documents) in whole


def test_the_population_is_described_and_nobody_of_it_is_a_candidate(report: Printed) -> None:
    result, _, reference = stored(report)
    materials = report.contents.materials
    others = {each.author for each in materials.population}
    assert reference.authors == len(others) == POPULATION - len(result.candidates)
    assert f"{reference.texts} texts by {len(others)} authors who are no candidates" in flat(report)
    assert {each.author for each in result.candidates} == set(CANDIDATES[: len(result.candidates)])
    said = report.pages[1] + section(report, "Results", "Sensitivity") + section(report, "Conclusion", "Declaration")
    assert not [name for name in others if name in said]
    assert forbidden_in(flat(report)) == []


def test_an_only_candidate_has_no_rank(alone: Printed, three: Printed) -> None:
    (candidate,) = stored(alone)[0].candidates
    score = Printer().short_score(candidate.systems[LAZY].score)
    for text in (alone.pages[1], section(alone, "Results", "Sensitivity")):
        assert re.search(rf"Adela Marsh\s+\S+\s+{re.escape(score)}", text)
        assert not re.search(r"Adela Marsh\s+1 \(", text)
    assert "relative ranking" not in alone.text and "Rank" not in section(alone, "Sensitivity", "Limits")
    assert re.search(r"Adela Marsh\s+\d \(", three.pages[1])
    for report in (alone, three):
        assert f"By chance it would be {Printer().share(1 / POPULATION)}, by" in flat(report)


def test_scores_are_held_against_everybody_else_last(three: Printed) -> None:
    explained = three.contents.documents[0].explained
    assert explained is not None and [bool(each.against) for each in explained.scores] == [True, False, False]
    text = flat(three)
    assert "Against all other candidates Against everybody else" in text
    assert text.count("held against all other candidates") == text.count("held against everybody else") == 1


def test_the_texts_that_were_drawn_are_marked(report: Printed) -> None:
    result, _, reference = stored(report)
    known, texts = result.known, report.contents.materials.known
    assert len(result.subject.used) == reference.used[result.subject.author] < result.subject.texts
    for candidate in result.candidates:
        drawn = {known.documents[row] for row in candidate.used}
        assert {known.authors[row] for row in candidate.used} == {candidate.author}
        assert {each.file for each in texts if each.author == candidate.author and each.used} == drawn
    marked = re.findall(r"^\* (\S.*?\.txt)", report.text, re.MULTILINE)
    assert len(marked) == sum(len(each.used) for each in result.candidates)
    for each in contract.document(result)["verification"]:
        assert len(each["documents_used"]) == reference.used[each["author"]]

"""What is asked of a text decides whom the findings are about, what they are held against, and what can be the answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from forensia import codec, paths
from forensia.cli import contract
from forensia.cli.terminal import document_lines, trust_lines
from forensia.corpus import Corpus, read_disputed
from forensia.corpus.document import Role
from forensia.errors import InputError
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.learnt import read_known
from forensia.evidence.opinion import ALPHA, ruled_out
from forensia.evidence.result import WHO, Alternative, Question, Result, Stated
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.validation import validate
from forensia.features import count_documents
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import Profile
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import conditions, opinion, reasons
from forensia.wording.ratios import forbidden_in

AGREED = Question("one of these", because="Both parties say so.")
KNOWN = Stated("known", "the same box")


def counted(judge: Judge, language: LanguageModel, file: str) -> Counted:
    document, learnt = read_disputed(paths.sample_case() / "disputed" / file), judge.learnt
    counts = count_documents([document], language, learnt.options.counted, learnt.mask, typing=learnt.typing)
    return Counted(document, counts, counts)


def names(judge: Judge) -> list[str]:
    return list(judge.learnt.documents)


@pytest.fixture(scope="module")
def text(judge: Judge, language: LanguageModel) -> Counted:
    """By Freya Lund, who is listed."""
    return counted(judge, language, "anonymous-1.txt")


@pytest.fixture(scope="module")
def who(judge: Judge, text: Counted) -> Result:
    return judge.judge(text, names(judge))


def test_the_findings_are_about_whoever_is_asked_about(judge: Judge, text: Counted, who: Result) -> None:
    last = who.candidates[-1].author
    found = judge.judge(text, names(judge), question=Question("did", last))
    assert found.opinion.about == found.asked == last and found.subject.author == last
    assert found.candidates == who.candidates, "nothing is computed otherwise"
    assert found.sensitivity is not None and found.sensitivity.author == last
    assert opinion.question(found) == f"Did {last} write the disputed text?"
    assert found.opinion.kind != "author" and found.opinion.kind != "none of these"
    assert who.asked is None and opinion.question(who).startswith("Which of the 10 listed authors, if any, wrote")
    first = judge.judge(text, names(judge), question=Question("did", who.candidates[0].author))
    assert (first.opinion.about, first.opinion.given) == (who.opinion.about, who.opinion.kind == "author")


def test_where_one_of_them_is_agreed_on_nobody_else_plays_a_part(judge: Judge, text: Counted, who: Result) -> None:
    found = judge.judge(text, names(judge), question=AGREED)
    for each in found.candidates:
        assert each.unlisted is None and each.listed is not None and each.headline is not None
        assert each.headline.alternative is each.listed.alternative is Alternative.CLOSED
        assert each.listed.log10 == who.by_author[each.author].listed.log10  # type: ignore[union-attr]
    assert found.opinion.family_p is None and found.opinion.kind != "none of these"
    statement = opinion.findings(found)
    assert statement is not None and statement.statement.endswith("Nobody else was considered.")
    assert 'as the analyst states: "Both parties say so"' in opinion.question(found)
    (agreed,) = (each for each in found.warnings if each.code == "agreed")
    assert 0 <= agreed.values["right"] <= agreed.values["given"] <= agreed.values["texts"]  # type: ignore[operator]


def test_the_agreed_rule_is_the_one_that_is_tried(judge: Judge) -> None:
    assert judge.validation is not None
    rung = judge.validation.whole
    agreed = rung.agreed
    assert agreed.closed and not rung.closed and agreed.agreed is agreed
    assert np.isnan(agreed.judged.inside[1]).all() and np.isnan(agreed.family_p(np.zeros(2), 10.0)).all()
    assert (agreed.on_listed >= -2).all() and not (agreed.on_listed == -1).any(), "'none of these' is no answer"


@pytest.mark.parametrize("question", [Question("did", "Nobody"), Question("did")])
def test_who_is_no_candidate_cannot_be_asked_about(judge: Judge, text: Counted, question: Question) -> None:
    with pytest.raises(InputError, match="none of the 10 candidates"):
        judge.judge(text, names(judge), question=question)


def test_a_result_of_an_earlier_version_was_asked_who(who: Result) -> None:
    stored = {key: value for key, value in codec.plain(who).items() if key != "question"}
    for each in stored["candidates"]:
        del each["p_among"]
    found = codec.typed(Result, stored)
    assert found.question == WHO and found.opinion == who.opinion


def test_who_is_ruled_out() -> None:
    p = np.array([0.04, 0.04, 0.06, np.nan])
    high = np.array([-0.1, 0.1, -0.1, -0.1])
    usual, unlike = np.ones(1), np.full(1, ALPHA / 2)
    assert (
        ruled_out(p[None], high[None], usual, closed=False).tolist() == [[True, False, False, False]] and p[0] < ALPHA
    )
    assert not ruled_out(p[None], high[None], usual, closed=True).any()
    assert not ruled_out(p[None], high[None], unlike, closed=False).any(), "a text of another kind"


@pytest.fixture(scope="module")
def alone(sample: Corpus, language: LanguageModel, cache: MemoryCache, hasty: Profile) -> Judge:
    """One candidate, Freya Lund, and the eleven others as the population."""
    documents = [
        each if each.author == "Freya Lund" else replace(each, role=Role.POPULATION) for each in sample.documents
    ]
    corpus = Corpus.of(documents)
    learnt, texts = read_known(corpus, TrainingOptions(profile=hasty), language, cache=cache)
    return Judge(None, validate(learnt, texts))


@pytest.fixture(scope="module")
def summary(alone: Judge) -> ValidationSummary:
    assert alone.validation is not None
    return summarise(alone.validation)


def test_one_candidate_is_held_against_the_population(alone: Judge, language: LanguageModel) -> None:
    found = alone.judge(counted(alone, language, "anonymous-1.txt"), names(alone), stated=KNOWN)
    (only,) = found.candidates
    assert found.population == 11 and found.asked == only.author == "Freya Lund" and only.listed is None
    assert only.headline is not None and only.headline.alternative is Alternative.POPULATION
    assert only.systems["fused"].accepted is None, "whoever is alone is first"
    assert found.opinion.kind != "none of these"
    said = [opinion.question(found), opinion.statement(found), *opinion.reasons(found), *reasons.warnings(found)]
    said.append(document_lines(found))
    assert not any("listed author" in each or "not in the corpus" in each or forbidden_in(each) for each in said)
    told = contract.document(found)
    assert told["population"] == 11 and {row["author"] for row in told["verification"]} == {"Freya Lund"}
    assert told["question"] == {"kind": "who", "author": "Freya Lund", "because": ""}
    with pytest.raises(InputError, match="With one candidate"):
        alone.judge(counted(alone, language, "anonymous-1.txt"), names(alone), stated=KNOWN, question=AGREED)


def test_another_hand_is_held_against_the_only_candidate(alone: Judge, language: LanguageModel) -> None:
    """A text by somebody else is never hers; where she is ruled out, the sentence says by what."""
    found = alone.judge(counted(alone, language, "anonymous-2.txt"), names(alone), stated=KNOWN)
    assert found.opinion.kind in ("not the author", "none given")
    if found.opinion.kind == "not the author":
        assert opinion.statement(found).startswith(
            "The findings speak against Freya Lund: of the texts of authors who stood in"
        )


def test_the_validation_of_stand_ins_in_numbers_and_words(alone: Judge, summary: ValidationSummary) -> None:
    reference = summary.reference
    assert reference is not None and reference.alone and reference.authors == 11
    assert reference.used.keys() == {"Freya Lund"} and [each.author for each in summary.by_author] == ["Freya Lund"]
    assert summary.authors == 12 and summary.alternatives == (Alternative.POPULATION,)
    figure = summary.of("known")
    assert figure is not None and figure.denied is not None and figure.denied.own == figure.open_set.listed.documents
    assert codec.typed(ValidationSummary, codec.plain(summary)) == summary
    lines = trust_lines(summary)
    assert "first" not in lines.replace("first place", "") and "listed" not in lines
    assert conditions.stand_ins(summary) in lines
    more = replace(summary, reference=replace(reference, used={"Freya Lund": 2}))
    assert f"Only 2 of {summary.by_author[0].documents} texts of Freya Lund are used" in conditions.thinned(more)
    assert conditions.thinned(summary) == "" or reference.used["Freya Lund"] < summary.by_author[0].documents

"""What is found about one text: the same numbers everywhere, the JSON of the contract, and nothing without a validation."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from forensia import codec, paths
from forensia.case import Case
from forensia.case.session import Session
from forensia.cli import contract
from forensia.cli.terminal import document_lines
from forensia.corpus import Document, read_disputed
from forensia.corpus.typing import canonical
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.likelihood import standing
from forensia.evidence.opinion import ALPHA, smallest_p
from forensia.evidence.result import (
    FEWEST_TO_RULE_OUT,
    FUSED,
    INDEPENDENT,
    LAZY,
    RANKING,
    STACKED,
    Alternative,
    Candidate,
    Condition,
    Result,
    Stated,
)
from forensia.evidence.sensitivity import changed, halves_of
from forensia.evidence.training import SENTENCES
from forensia.features import FUSED_FAMILIES, count_documents
from forensia.language import LanguageModel, MemoryCache
from forensia.language.model import function_words
from forensia.profile import profile_named
from forensia.systems.others import COSINE, IMPOSTORS, SVM
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import opinion, reasons
from forensia.wording.ratios import forbidden_in

VERIFICATION = {
    "author": str, "accepted": bool, "log10_lr": float, "log10_lr_interval": list, "alternative": str, "bounded": bool,
    "verbal": str, "conformal_p": float, "can_be_ruled_out": bool, "documents": int, "listed": dict, "unlisted": dict,
    "documents_used": type(None),
}  # fmt: skip


def counted(document: Document, judge: Judge, language: LanguageModel) -> Counted:
    """As the case counts a text."""
    count = partial(count_documents, model=language, families=judge.model.options.counted, typing="canonical")
    halves = [replace(document, body=text, cuts=()) for text in halves_of(canonical(document.text).text)]
    return Counted(document, count([document]), count([document]), tuple(count([half]) for half in halves))


@pytest.fixture(scope="module")
def known(judge: Judge) -> list[str]:
    return [f"text {number}" for number in range(len(judge.model.learnt.documents))]


@pytest.fixture(scope="module")
def text(judge: Judge, language: LanguageModel) -> Counted:
    """By Freya Lund, who is listed."""
    return counted(read_disputed(paths.sample_case() / "disputed" / "anonymous-1.txt"), judge, language)


@pytest.fixture(scope="module")
def result(judge: Judge, text: Counted, known: list[str]) -> Result:
    return judge.judge(text, known)


def said(result: Result) -> list[str]:
    """Everything that is said of a text in words."""
    found = opinion.findings(result)
    words = [opinion.statement(result), *opinion.reasons(result), *reasons.warnings(result)]
    words += [row["verbal"] for row in contract.document(result)["verification"] if row["verbal"]]
    return words if found is None else [*words, found.statement, found.support]


def test_the_author_without_each_source_and_the_text_as_it_was_typed(
    judge: Judge, text: Counted, known: list[str], language: LanguageModel
) -> None:
    codes, first = judge.learnt.codes, judge.judge(text, known).opinion.about
    author = judge.learnt.authors.index(first)
    own = np.flatnonzero(codes == author)
    sources = [
        ("letters",) if row in own[:2] else ("diary",) if row in own else ("mails",) for row in range(len(codes))
    ]
    document = replace(text.document, body=text.document.text.replace("'", "’").replace("e", "é"))
    curly = count_documents([document], language, judge.learnt.options.fused, typing="as typed")
    found = judge.judge(replace(text, typed=curly), known, sources).sensitivity
    assert found is not None and judge.validation is not None
    rows = {(row.kind, row.what): row for row in found.variants}
    assert [what for kind, what in rows if kind == "source off"] == ["diary", "letters"], "the larger first"
    system, rung = judge.validation.system, judge.validation.rung(text.document.words)
    (without,) = system.without(text.whole, [own[:2]])
    expected = changed("source off", "letters", rung.calibration, without, author, judge.learnt.authors)
    assert rows["source off", "letters"] == expected != rows["source off", "diary"]
    typed = rows["typing", "as it was typed"]
    assert typed == changed(
        "typing", "as it was typed", rung.calibration, system.scores(curly), author, judge.learnt.authors
    )
    others = tuple(row for row in found.variants if row.kind not in ("typing", "source off"))
    assert judge.judge(text, known).sensitivity == replace(
        found, variants=others, survives=all(row.first == first for row in others)
    )


def test_who_cannot_be_ruled_out() -> None:
    """With nineteen own texts p is 1/20 at the least, with twenty it can be less."""
    few, enough = (Candidate("A", texts, 1, {}, p=0.5) for texts in (FEWEST_TO_RULE_OUT - 1, FEWEST_TO_RULE_OUT))
    assert not few.can_be_ruled_out and enough.can_be_ruled_out and not replace(enough, p=None).can_be_ruled_out
    assert smallest_p(FEWEST_TO_RULE_OUT - 1) >= ALPHA > smallest_p(FEWEST_TO_RULE_OUT)


def far_from_outsiders(judge: Judge, **changed: object) -> Judge:
    """With rungs so changed, and no outsider anywhere near the authors: so that all else can be seen to matter."""
    assert judge.validation is not None
    rungs = tuple(replace(each, **changed) for each in judge.validation.rungs)
    for rung in rungs:
        rung.__dict__["outsiders"] = replace(rung.outsiders, best=rung.outsiders.best - 9.0)
    return replace(judge, validation=replace(judge.validation, rungs=rungs))


def test_a_text_of_another_kind_gets_no_author(judge: Judge, text: Counted, known: list[str]) -> None:
    """Its function words are as far from those of other authors as hardly any known text's are; nothing else has changed."""
    assert judge.validation is not None
    result, system = far_from_outsiders(judge).judge(text, known), judge.validation.system
    rung = judge.validation.rung(text.document.words)
    author = judge.learnt.authors.index(result.opinion.about)
    (family,) = (each for each in system.families if each.name == "function words")
    row = family.weighted.vectors(text.whole.table("function words")).toarray()[0].astype(float)
    known_rows = family.known.toarray().astype(float)
    means = [(known_rows[system.codes == code] @ row).mean() for code in range(len(system.sizes)) if code != author]
    (likeness,) = system.likeness(text.whole, np.array([author]))
    assert likeness == pytest.approx(np.mean(means), rel=1e-6)
    share = (1 + (rung.likeness <= likeness).sum()) / (len(rung.likeness) + 1)
    assert rung.unlike_p(np.array([likeness]), 1)[0] == pytest.approx(share) and result.opinion.author is not None
    high = np.ones(len(rung.likeness))
    other = far_from_outsiders(judge, likeness=high).judge(text, known)
    assert [each.headline for each in other.candidates] == [each.headline for each in result.candidates]
    assert other.opinion.author is None and [each.code for each in other.opinion.reasons] == ["another-kind"]
    same = far_from_outsiders(judge, likeness=np.zeros(0)).judge(text, known)
    assert same.opinion == result.opinion, "where the family is not chosen, nobody can tell"


def test_the_family_that_carries_the_lead_is_named(
    judge: Judge, text: Counted, known: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judge.validation is not None
    rung, scores = judge.validation.rung(text.document.words), judge.validation.system.scores(text.whole)
    fusion = rung.calibration.fusion
    first, second = np.argsort(-rung.calibration.z(scores)[0])[:2]
    lead = np.maximum(fusion.weights / fusion.spread * (scores[0, first] - scores[0, second]), 0)
    share = lead.max() / lead.sum()
    for least, told in ((share - 0.01, True), (share + 0.01, False)):
        monkeypatch.setattr("forensia.evidence.reasons.CARRIED", least)
        found = [each for each in judge.judge(text, known).warnings if each.code == "carried-by"]
        assert bool(found) is told
        if told:
            assert found[0].values == {
                "family": judge.validation.system.families[int(lead.argmax())].name, "share": round(share, 2),
                "author": judge.learnt.authors[first], "second": judge.learnt.authors[second],
            }  # fmt: skip


def test_the_contract(result: Result, judge: Judge, text: Counted, known: list[str]) -> None:
    found = contract.document(result)
    assert json.loads(json.dumps(found, allow_nan=False)) == found, (
        "plain data: nothing is lost in the file, nothing is NaN"
    )
    assert found["file"] == "anonymous-1.txt" and found["words"] == text.document.words
    assert found["sha256"] == text.document.sha256_bytes and len(found["sha256"]) == 64
    assert found["condition"] == {
        "source": "new",
        "words": None,
        "texts": 1,
        "median_words": round(judge.learnt.median_words),
    }
    authors = sorted(judge.model.authors)
    for method in RANKING:
        rows = found["systems"][method]
        assert [row["rank"] for row in rows] == list(range(1, 11))
        assert sorted(row["author"] for row in rows) == authors
        scores = [row["score"] for row in rows]
        assert scores == sorted(scores, reverse=True) and all(isinstance(score, float) for score in scores)
    assert found["ranking"] == found["systems"][FUSED]
    assert found["lazy"] == found["systems"][LAZY] and found["stacked"] == found["systems"][STACKED]
    assert sorted(row["author"] for row in found["verification"]) == authors
    for row in found["verification"]:
        assert row.keys() == VERIFICATION.keys()
        assert all(type(row[name]) is kind for name, kind in VERIFICATION.items()), row
        low, high = row["log10_lr_interval"]
        assert low <= row["log10_lr"] <= high and 0 < row["conformal_p"] <= 1 and row["documents"] == 5
        for alternative in ("listed", "unlisted"):
            low, high = row[alternative]["interval"]
            assert low <= row[alternative]["log10_lr"] <= high
        assert row["log10_lr"] == row[row["alternative"]]["log10_lr"]
        assert row["log10_lr"] == min(row[each]["log10_lr"] for each in ("listed", "unlisted"))
    assert [row["document"] for row in found["pairs"]] == known
    assert all(0 <= row["score"] <= 1 and row["author"] in authors for row in found["pairs"])
    assert type(found["opinion"]["given"]) is bool and isinstance(found["opinion"]["statement"], str)
    assert all(isinstance(each, str) for each in found["opinion"]["reasons"])
    assert all(isinstance(each, str) for each in found["warnings"])
    assert [text for text in said(result) if forbidden_in(text)] == []


def test_what_is_stored_comes_back_equal(result: Result) -> None:
    assert codec.typed(Result, json.loads(json.dumps(codec.plain(result), allow_nan=False))) == result


def test_all_rows_are_about_the_same_scores(result: Result, judge: Judge, text: Counted) -> None:
    assert judge.validation is not None
    model = judge.model
    (ranking,) = model.rank(text.whole)
    assert list(result.pair_scores) == ranking.pr_same.tolist()
    rung = judge.validation.rung(text.document.words)
    assert rung.words == 0 and result.condition == Condition("new") == rung.condition
    scores = judge.validation.system.scores(text.whole)
    z, ratios = rung.calibration.z(scores), rung.calibration.ratios(scores)
    without = judge.validation.system.without_each(text.parts)
    ratios = rung.calibration.widened(ratios, scores, without, judge.learnt.codes)
    p = rung.conformal_p(standing(z))
    for candidate in result.candidates:
        code = model.authors.index(candidate.author)
        assert candidate.systems[FUSED].score == z[0, code] and candidate.placed is candidate.systems[FUSED]
        assert candidate.systems[LAZY].score == ranking.lazy[code]
        assert candidate.systems[STACKED].score == ranking.stacked[code]
        headline, listed, unlisted = candidate.headline, candidate.listed, candidate.unlisted
        assert headline is not None and listed is not None and unlisted is not None
        assert headline.log10 == ratios.headline[0, code] and candidate.p == p[0, code]
        assert listed.log10 == ratios.listed[0, code] and unlisted.log10 == ratios.unlisted[0, code]
        assert headline.interval == (ratios.low[0, code], ratios.high[0, code])
        lower = unlisted if headline.alternative is Alternative.UNLISTED else listed
        assert replace(headline, interval=None) == replace(lower, interval=None)
    ordered = [candidate.headline.log10 for candidate in result.candidates if candidate.headline is not None]
    assert ordered == sorted(ordered, reverse=True), "who ranks lower has no higher LR"
    first = result.candidates[0]
    for system in RANKING:
        accepted = [each.author for each in result.candidates if each.systems[system].accepted]
        assert accepted == [result.ranked(system)[0].author]
        if system != FUSED:
            assert [each.author for each in result.candidates if system in each.accepted_by] == accepted
        shown = contract.document(result)["systems"][system]
        assert [row["accepted"] for row in shown] == [row["rank"] == 1 for row in shown]
    assert first == result.ranked(FUSED)[0] and result.opinion.about == first.author
    assert contract.document(result)["opinion"]["findings"]["log10_lr"] == first.headline.log10  # type: ignore[union-attr]


def test_agreement_is_told(result: Result) -> None:
    first = result.opinion.about
    assert tuple(vote.method for vote in result.votes) == INDEPENDENT
    assert result.systems == (*RANKING, *INDEPENDENT) and result.rankings == RANKING
    for vote in result.votes:
        ranked = result.ranked(vote.method)
        scores = [each.systems[vote.method].score for each in ranked]
        assert vote.agrees is (vote.first == first) and len(scores) == 10 and scores == sorted(scores, reverse=True)
        assert vote.first == ranked[0].author and vote.accepts is ranked[0].systems[vote.method].accepted
    without = {vote.method for vote in result.votes if vote.accepts is None}
    assert without >= {COSINE, SVM} and IMPOSTORS not in without


def test_a_system_accepts_who_is_above_its_threshold(judge: Judge, text: Counted, result: Result) -> None:
    assert judge.baselines is not None
    model = judge.model
    query = model.fitted.vectors(text.whole)
    for each in judge.baselines.scores(model.known, model.codes, model.k, query):
        for code, author in enumerate(model.authors):
            placed = result.by_author[author].systems[each.system]
            assert placed.score == each.scores[code]
            assert placed.accepted is (None if each.threshold is None else bool(placed.score > each.threshold))


def test_lazy_and_stacked_each_accept_their_own_first_author(judge: Judge, text: Counted, known: list[str]) -> None:
    """Where they disagree two authors are accepted, one by each; nobody else."""
    stacked = judge.model.stacked
    other = copy.copy(stacked)
    other.intercepts_ = stacked.intercepts_ + 1e3 * (np.arange(len(judge.model.authors)) == 7)
    result = Judge(replace(judge.model, stacked=other)).judge(text, known)
    first, second = result.ranked(LAZY)[0].author, judge.model.authors[7]
    assert first != second
    expected = {first: (LAZY,), second: (STACKED,)}
    assert {each.author: each.accepted_by for each in result.candidates if each.accepted_by} == expected
    shown = contract.document(result)
    assert [row["author"] for row in shown["verification"] if row["accepted"]] == [first], "the headline's"
    assert [row["author"] for row in shown["systems"][STACKED] if row["accepted"]] == [second]
    marked = [line.split("*") for line in document_lines(result).splitlines() if line.startswith("   1  ")]
    assert len(marked) == 1 and first in marked[0][0] and second in marked[0][1] and len(marked[0]) == 3


def test_sensitivity_is_told(result: Result) -> None:
    first, told = result.opinion.about, result.sensitivity
    assert told is not None and told.author == first
    kinds = ["family off"] * len(FUSED_FAMILIES) + ["mask", "half", "half", "punctuation"]
    assert [row.kind for row in told.variants] == kinds
    for row in told.variants:
        assert (row.rank == 1) is (row.first == first) and row.log10 is not None
    left_out, headline = told.left_out, result.subject.headline
    assert left_out.documents == 50 and len(left_out.changed_by) == min(left_out.first_changes, 10)
    assert left_out.log10 is not None and headline is not None
    low, high = left_out.log10
    assert low <= headline.log10 + 1e-9 and high >= low
    every = all(row.first == first for row in told.variants) and not left_out.first_changes
    assert told.survives is every
    assert ("sensitive" in [warning.code for warning in result.warnings]) is not every
    assert any("does not survive" in warning for warning in reasons.warnings(result)) is not every
    shown = contract.document(result)["sensitivity"]
    assert [row["log10_lr"] for row in shown["variants"]] == [row.log10 for row in told.variants]
    assert shown["survives"] is every and shown["left_out"]["log10_lr"] == [low, high]


def test_explanations_add_up(result: Result, judge: Judge, text: Counted) -> None:
    """To the difference of the scores in the result, whoever is asked about."""
    authors, ranked = judge.model.authors, result.ranked(FUSED)
    for subject, rival in ((ranked[0], ranked[1]), (ranked[3], ranked[0])):
        found = judge.explain(text.whole, text.document.words, authors.index(subject.author), function_words())
        assert [authors[code] for code in found[0].others] == [rival.author]
        mean = np.mean([each.systems[FUSED].score for each in ranked if each is not subject])
        for each, against in zip(found, (rival.systems[FUSED].score, mean), strict=True):
            assert each.score == pytest.approx(subject.systems[FUSED].score - against, rel=1e-9)
            assert each.baseline + sum(family.relative for family in each.families) == pytest.approx(
                each.score, rel=1e-9
            )
    bare = Judge(judge.model)
    assert bare.explain(text.whole, text.document.words, 0, function_words()) == ()


def test_a_shorter_text_is_judged_by_shorter_known_texts(
    judge: Judge, text: Counted, language: LanguageModel, known: list[str]
) -> None:
    half = halves_of(text.document.text)[0]
    document = replace(text.document, body=half, cuts=(), words=417)
    told = judge.judge(counted(document, judge, language), known)
    assert judge.validation is not None
    expected = max(rung.words for rung in judge.validation.of("new") if rung.words <= 417)
    assert told.condition == Condition("new", expected)
    assert contract.document(told)["condition"] == {
        "source": "new",
        "words": expected,
        "texts": 1,
        "median_words": None,
    }
    assert f"The validation for this text used known texts cut to {expected} words." in reasons.warnings(told)
    least = int(judge.validation.shortest)
    for words, short in ((least, False), (least - 1, True)):
        told = judge.judge(counted(replace(document, words=words), judge, language), known)
        assert ("too-short" in {each.code for each in told.opinion.reasons}) is short and (
            short <= (not told.opinion.given)
        )


def test_without_a_validation_there_is_a_ranking_and_no_more(judge: Judge, text: Counted, known: list[str]) -> None:
    for profile, because in (("forensic", "not been validated"), ("paper", "forensic profile")):
        learnt = replace(judge.learnt, options=TrainingOptions(profile_named(profile)))
        bare = Judge(replace(judge.pairs, learnt=learnt))
        result = bare.judge(text, known)
        assert result.candidates and result.condition is result.sensitivity is None and result.votes == ()
        assert result.systems == result.rankings == (LAZY, STACKED)
        assert [each.placed.rank for each in result.candidates] == list(range(1, 11))
        assert all(each.placed is each.systems[LAZY] for each in result.candidates)
        for each in result.candidates:
            assert each.headline is each.listed is each.unlisted is each.p is None
        told = contract.document(result)
        json.dumps(told, allow_nan=False)
        assert told["lazy"] and told["stacked"] and told["agreement"] == [] and told["sensitivity"] is None
        assert told["ranking"] == told["lazy"] and FUSED not in told["systems"]
        for row in told["verification"]:
            assert row.keys() == VERIFICATION.keys()
            assert all(row[name] is None for name in VERIFICATION if name not in ("author", "accepted", "documents"))
        assert told["opinion"]["given"] is False and because in told["opinion"]["reasons"][0]
        assert "findings" not in told["opinion"] and [each for each in said(result) if forbidden_in(each)] == []


def test_a_text_without_sentences_is_judged_by_what_it_has(
    judge: Judge, text: Counted, language: LanguageModel, known: list[str]
) -> None:
    """The methods of diff-vectors leave the lengths of sentences out; the fused answer never had them."""
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in text.document.text)
    stripped = counted(replace(text.document, body=bare), judge, language)
    told = judge.judge(stripped, known)
    assert told.no_sentences is True and any("No sentences can be found" in each for each in reasons.warnings(told))
    assert not any("sentence" in reason for reason in opinion.reasons(told))
    expected = judge.model.without(SENTENCES).rank(stripped.whole)
    assert list(told.pair_scores) == expected[0].pr_same.tolist()
    assert judge.validation is not None and SENTENCES not in judge.model.options.fused
    z = judge.validation.whole.calibration.z(judge.validation.system.scores(stripped.whole))
    assert told.candidates[0].placed.score == z.max()


def test_an_author_without_scored_texts_has_no_conformal_p(judge: Judge, text: Counted, known: list[str]) -> None:
    assert judge.validation is not None
    code = judge.model.authors.index("Bram Oakley")
    rungs = []
    for rung in judge.validation.rungs:
        inside = rung.scores.inside.copy()
        inside[rung.scores.codes == code, code] = np.nan
        rungs.append(replace(rung, scores=replace(rung.scores, inside=inside)))
    lonely = replace(judge, validation=replace(judge.validation, rungs=tuple(rungs)))
    found = lonely.judge(text, known).by_author
    assert found["Bram Oakley"].p is None and found["Freya Lund"].p is not None


# --- where the text comes from -----------------------------------------------------------------------------------------


def test_the_source_that_is_stated_decides_which_figures_hold(judge: Judge, text: Counted, known: list[str]) -> None:
    assert judge.validation is not None
    for stated in (Stated(), Stated("known", "the same thread")):
        found = judge.judge(text, known, stated=stated)
        rung = judge.validation.rung(text.document.words, stated.source)
        assert found.stated == stated and found.condition == rung.condition == Condition(stated.source)
        z = rung.calibration.z(judge.validation.system.scores(text.parts))[0]
        assert [found.by_author[name].placed.score for name in judge.learnt.authors] == z.tolist()
        shown = contract.document(found)["stated"]
        assert shown == {"source": stated.source, "because": stated.because}


def test_without_figures_for_a_new_source_only_a_stated_one_gets_an_opinion(
    judge: Judge, text: Counted, known: list[str]
) -> None:
    assert judge.validation is not None
    for told, code in ((False, "sources-not-known"), (True, "nobody-has-two-sources")):
        all_conditions = far_from_outsiders(judge)
        assert all_conditions.validation is not None
        only = replace(all_conditions.validation, rungs=all_conditions.validation.of("known"), sources_known=told)
        other = replace(judge, validation=only)
        new, stated = other.judge(text, known), other.judge(text, known, stated=Stated("known", "the same thread"))
        assert [each.code for each in new.opinion.reasons] == [code] and new.condition == Condition("known")
        assert stated.opinion.author is not None
        assert stated.opinion == all_conditions.judge(text, known, stated=stated.stated).opinion
        assert [each.headline for each in new.candidates] == [each.headline for each in stated.candidates]


# --- a text longer than known ones -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session(validated_case: Path) -> Iterator[Session]:
    with Case.open(validated_case, read_only=True) as case:
        yield Session.of(case)


@pytest.fixture(scope="module")
def long(session: Session) -> Document:
    """Three disputed texts in one: more than twice as long as known texts are."""
    folder = paths.sample_case() / "disputed"
    texts = [read_disputed(folder / f"anonymous-{number}.txt") for number in (1, 2, 3)]
    found = replace(
        texts[0], body="\n\n".join(each.text for each in texts), cuts=(), words=sum(each.words for each in texts)
    )
    assert found.words > 2 * session.judge.learnt.median_words
    return found


def test_a_long_text_is_read_in_pieces_whose_scores_are_averaged(
    session: Session, long: Document, known: list[str]
) -> None:
    judge, cache = session.judge, MemoryCache()
    text = session.counted(long, cache)
    pieces = len(text.parts)
    assert pieces == int(long.words / judge.learnt.median_words) > 1 == len(text.whole)
    assert judge.validation is not None
    system = judge.validation.system
    alone = np.concatenate([system.scores(text.parts.rows([row])) for row in range(pieces)])
    mean = alone.mean(axis=0, keepdims=True)
    assert np.array_equal(system.scores_of_one(text.parts), mean)
    assert not np.allclose(system.scores(text.whole), mean), "longer texts have other scores"
    found = judge.judge(text, known)
    rung = judge.validation.rung(long.words, "new")
    assert rung.joined is not None and found.condition == rung.condition and rung.condition.texts == 2
    z = rung.calibration.z(mean)[0]
    assert [found.by_author[name].placed.score for name in judge.learnt.authors] == pytest.approx(z.tolist())
    assert "validated-by-joining" in {each.code for each in found.warnings}
    assert sum(map(len, text.halves)) == pieces, "and its halves are some of the pieces"


def test_the_explanation_of_a_long_text_adds_up(session: Session, long: Document, known: list[str]) -> None:
    judge, parts = session.judge, session.parts(long, MemoryCache())
    found = judge.judge(session.counted(long, MemoryCache()), known)
    ranked = found.ranked(FUSED)
    author = judge.learnt.authors.index(ranked[0].author)
    rival = ranked[1].systems[FUSED].score
    mean = np.mean([each.systems[FUSED].score for each in ranked[1:]])
    for each, against in zip(judge.explain(parts, long.words, author, function_words()), (rival, mean), strict=True):
        assert each.score == pytest.approx(ranked[0].systems[FUSED].score - against, rel=1e-6)
        assert each.baseline + sum(family.relative for family in each.families) == pytest.approx(each.score, rel=1e-9)


def test_a_text_that_is_not_twice_as_long_is_read_whole(session: Session, text: Counted) -> None:
    document = replace(text.document, words=int(2 * session.judge.learnt.median_words) - 1)
    assert len(session.counted(document, MemoryCache()).parts) == 1

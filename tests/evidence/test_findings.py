"""What is found about one text, as plain data: the contract, the same numbers everywhere, and nothing without a validation."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from forensia.evidence.findings import EXPLAINED, Counted, Means, explained, findings

from forensia import paths
from forensia.attribution.pairmodel import TrainingOptions
from forensia.corpus import Document, read_disputed
from forensia.evidence.authorscores import cohort_scores, raw_scores
from forensia.evidence.sensitivity import halves_of
from forensia.evidence.training import SENTENCES
from forensia.features import count_documents
from forensia.language import LanguageModel
from forensia.wording.ratios import forbidden_in

VERIFICATION = {
    "author": str, "accepted": bool, "log10_lr": float, "log10_lr_interval": list, "log10_lr_listed": float,
    "log10_lr_unlisted": float, "bounded": bool, "verbal": str, "conformal_p": float, "documents": int,
}  # fmt: skip


def counted(document: Document, means: Means, language: LanguageModel) -> Counted:
    """As the case counts a text."""
    halves = [replace(document, original=text, cuts=()) for text in halves_of(document.text)]
    masked = None
    if means.others is not None and means.others.masked is not None:
        masked = count_documents([document], language, mask=means.others.masked.space.mask_)
    whole = count_documents([document], language)
    return Counted(document, whole, masked, tuple(count_documents([half], language) for half in halves))


@pytest.fixture(scope="module")
def shown(means: Means) -> list[str]:
    return [f"text {number}" for number in range(len(means.model.documents))]


@pytest.fixture(scope="module")
def text(means: Means, language: LanguageModel) -> Counted:
    """By Freya Lund, who is listed."""
    return counted(read_disputed(paths.sample_case() / "disputed" / "anonymous-1.txt"), means, language)


@pytest.fixture(scope="module")
def found(means: Means, text: Counted, shown: list[str]) -> dict[str, Any]:
    told: dict[str, Any] = findings(means, text, shown)
    assert json.loads(json.dumps(told, allow_nan=False)) == told, (
        "plain data: nothing is lost in the file, nothing is NaN"
    )
    return told


def said(told: dict[str, Any]) -> list[str]:
    words = [told["opinion"]["statement"], *told["opinion"]["reasons"], *told["warnings"]]
    words += [row["verbal"] for row in told["verification"] if row["verbal"]]
    return words + [
        told["opinion"]["findings"][name] for name in ("statement", "support") if "findings" in told["opinion"]
    ]


def test_the_contract(found: dict[str, Any], means: Means, text: Counted, shown: list[str]) -> None:
    assert found["file"] == "anonymous-1.txt" and found["words"] == text.document.words
    assert found["sha256"] == text.document.sha256_bytes and len(found["sha256"]) == 64
    authors = sorted(means.model.authors)
    for method in ("lazy", "stacked"):
        rows = found[method]
        assert [row["rank"] for row in rows] == list(range(1, 11))
        assert sorted(row["author"] for row in rows) == authors
        scores = [row["score"] for row in rows]
        assert scores == sorted(scores, reverse=True) and all(isinstance(score, float) for score in scores)
    assert sorted(row["author"] for row in found["verification"]) == authors
    for row in found["verification"]:
        assert row.keys() == VERIFICATION.keys()
        assert all(type(row[name]) is kind for name, kind in VERIFICATION.items()), row
        low, high = row["log10_lr_interval"]
        assert low <= row["log10_lr"] <= high and 0 < row["conformal_p"] <= 1 and row["documents"] == 5
    assert [row["document"] for row in found["pairs"]] == shown
    assert all(0 <= row["score"] <= 1 and row["author"] in authors for row in found["pairs"])
    assert type(found["opinion"]["given"]) is bool and isinstance(found["opinion"]["statement"], str)
    assert all(isinstance(each, str) for name in ("reasons",) for each in found["opinion"][name])
    assert all(isinstance(each, str) for each in found["warnings"])
    assert [text for text in said(found) if forbidden_in(text)] == []


def test_all_rows_are_about_the_same_scores(found: dict[str, Any], means: Means, text: Counted) -> None:
    assert means.validation is not None
    model = means.model
    (ranking,) = model.rank(text.whole)
    assert [row["score"] for row in found["pairs"]] == ranking.pr_same.tolist()
    rung = means.validation.rung(text.document.words)
    assert rung.words == 0 and found["validated_at_words"] is None
    ratios = rung.calibration.ratios(cohort_scores(raw_scores(ranking.lazy)[None]))
    for row in found["verification"]:
        code = model.authors.index(row["author"])
        assert row["log10_lr"] == ratios.headline[0, code] and row["log10_lr_unlisted"] == ratios.unlisted[0, code]
    accepted = [row["author"] for row in found["verification"] if row["accepted"]]
    assert accepted == [found["lazy"][0]["author"]]
    assert found["opinion"]["findings"]["log10_lr"] == found["verification"][0]["log10_lr"]


def test_agreement_and_sensitivity_are_told(found: dict[str, Any]) -> None:
    first = found["verification"][0]["author"]
    assert [row["method"] for row in found["agreement"]] == ["cosine", "SVM", "impostors"]
    assert all(row["agrees"] is (row["first"] == first) and len(row["scores"]) == 10 for row in found["agreement"])
    told = found["sensitivity"]
    assert told["author"] == first and len(told["variants"]) == 12
    for row in told["variants"]:
        assert (row["rank"] == 1) is (row["first"] == first)
        assert (row["log10_lr"] is None) is (row["kind"] not in ("seed", "half")), "an LR where the calibration holds"
    left_out = told["left_out"]
    assert left_out["documents"] == 50 and len(left_out["changed_by"]) == min(left_out["first_changes"], 10)
    low, high = left_out["log10_lr"]
    assert low <= found["verification"][0]["log10_lr"] + 1e-9 and high >= low
    every = all(row["first"] == first for row in told["variants"]) and not left_out["first_changes"]
    assert told["survives"] is every
    assert any("does not survive" in warning for warning in found["warnings"]) is not every


def test_explanations_add_up(found: dict[str, Any], means: Means, text: Counted) -> None:
    order = [row["author"] for row in found["lazy"]]
    assert list(found["explanations"]) == order[:EXPLAINED]
    model = means.model
    query = model.fitted.vectors(text.whole)
    (ranking,) = model.rank(text.whole)
    author = model.authors.index(order[0])
    whole = explained(means, model, query, ranking.pr_same, author)
    assert whole.to_json() == found["explanations"][order[0]]
    assert whole.intercept + whole.contributions.sum() == pytest.approx(whole.log_odds)
    best = np.sort(ranking.pr_same[model.codes == author])[::-1][: model.k]
    assert whole.log_odds == pytest.approx(np.mean(np.log(best / (1 - best))), abs=1e-3)


def test_a_shorter_text_is_judged_by_shorter_known_texts(
    means: Means, text: Counted, language: LanguageModel, shown: list[str]
) -> None:
    half = halves_of(text.document.text)[0]
    document = replace(text.document, original=half, cuts=(), words=417)
    told = findings(means, counted(document, means, language), shown)
    assert means.validation is not None
    expected = max(words for words in means.validation.rungs if words <= 417)
    assert told["validated_at_words"] == expected
    assert f"The validation for this text used known texts cut to {expected} words." in told["warnings"]
    assert told["opinion"]["given"] is False and any("417 words" in reason for reason in told["opinion"]["reasons"])


def test_without_a_validation_there_is_a_ranking_and_no_more(means: Means, text: Counted, shown: list[str]) -> None:
    for profile, because in (("forensic", "not been validated"), ("paper", "forensic profile")):
        bare = Means(replace(means.model, options=replace(TrainingOptions(), profile=profile)))
        told = findings(bare, text, shown)
        json.dumps(told, allow_nan=False)
        assert told["lazy"] and told["stacked"] and told["agreement"] == [] and told["sensitivity"] is None
        for row in told["verification"]:
            assert row.keys() == VERIFICATION.keys()
            assert all(row[name] is None for name in VERIFICATION if name not in ("author", "accepted", "documents"))
        assert told["opinion"]["given"] is False and because in told["opinion"]["reasons"][0]
        assert "findings" not in told["opinion"] and [each for each in said(told) if forbidden_in(each)] == []


def test_a_text_without_sentences_gets_no_opinion(
    means: Means, text: Counted, language: LanguageModel, shown: list[str]
) -> None:
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in text.document.text)
    told = findings(means, counted(replace(text.document, original=bare), means, language), shown)
    assert told["no_sentences"] is True and told["opinion"]["given"] is False
    assert any("validated with sentence lengths" in reason for reason in told["opinion"]["reasons"])
    assert any("No sentences can be found" in warning for warning in told["warnings"])
    expected = means.model.without(SENTENCES).rank(count_documents([replace(text.document, original=bare)], language))
    assert [row["score"] for row in told["pairs"]] == expected[0].pr_same.tolist()


def test_an_author_without_scored_texts_has_no_conformal_p(means: Means, text: Counted, shown: list[str]) -> None:
    assert means.validation is not None
    code = means.model.authors.index("Bram Oakley")
    rungs = {}
    for words, rung in means.validation.rungs.items():
        inside = rung.scores.inside.copy()
        inside[rung.scores.codes == code, code] = np.nan
        rungs[words] = replace(rung, scores=replace(rung.scores, inside=inside))
    lonely = replace(means, validation=replace(means.validation, rungs=rungs))
    rows = {row["author"]: row for row in findings(lonely, text, shown)["verification"]}
    assert rows["Bram Oakley"]["conformal_p"] is None and rows["Freya Lund"]["conformal_p"] is not None

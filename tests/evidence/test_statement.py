"""The opinion in words: when one is given, every reason for giving none, and nothing that may not be said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from forensia.evidence.statement import NO_SENTENCES, Judged, opinion, warnings

from forensia.evidence.agreement import Vote
from forensia.evidence.bootstrap import Interval
from forensia.evidence.likelihood import Calibration, Scores, calibrate
from forensia.evidence.opinion import ALPHA, FEW_WORDS, FEWEST_WORDS
from forensia.evidence.training import Ranking, TrainedModel
from forensia.evidence.validation import Rung, Validation
from forensia.wording.ratios import forbidden_in
from forensia.wording.scale import MARQUIS_2016

Simulate = Callable[..., Scores]
AUTHORS = 40


def named(count: int) -> tuple[str, ...]:
    return tuple(f"Author {number}" for number in range(count))


def model_of(codes: np.ndarray, authors: int, profile: str = "forensic", quick: bool = False) -> TrainedModel:
    """All that the words need of a model."""
    fitted = SimpleNamespace(training=SimpleNamespace(converged=True))
    options = SimpleNamespace(profile=profile)
    made = SimpleNamespace(authors=named(authors), codes=codes, options=options, quick=quick, fitted=fitted)
    return cast(TrainedModel, made)


def rung_of(scores: Scores, words: int = 0) -> Rung:
    return Rung(words, scores, calibrate(scores, 0, count=20)[0], 0)


def judged_of(rung: Rung, row: Any, words: int = 3_000) -> Judged:
    """A text with given scores, judged by the calibration of simulated ones."""
    given = np.asarray(row, dtype=np.float64)[None]
    codes, authors = rung.scores.codes, rung.scores.inside.shape[1]
    return Judged(
        model_of(codes, authors), cast(Validation, SimpleNamespace()), rung, rung.calibration.ratios(given),
        given, rung.conformal_p(given)[0], words, [], int(given[0].argmax()), MARQUIS_2016,
    )  # fmt: skip


def with_high(authors: int, score: float, author: int = 7, rest: float = 0.0) -> np.ndarray:
    row = np.full(authors, rest)
    row[author] = score
    return row


@pytest.fixture(scope="module")
def many(simulate: Simulate) -> Rung:
    """Forty authors who are easily told apart."""
    return rung_of(simulate(authors=AUTHORS, each=20, apart=6.0))


@pytest.fixture(scope="module")
def clear(many: Rung) -> Judged:
    """Nothing stands against an opinion."""
    return judged_of(many, with_high(AUTHORS, 6.0))


def refused(judged: Judged, *because: str) -> dict[str, Any]:
    """No opinion, for the reasons that are expected and no others."""
    said = opinion(judged)
    assert said["given"] is False and said["kind"] == "none given" and said["author"] is None
    assert said["statement"] == "No opinion."
    assert len(said["reasons"]) == len(because), said["reasons"]
    assert all(part in reason for part, reason in zip(because, said["reasons"], strict=True)), said["reasons"]
    return said


def test_an_opinion_about_an_author(clear: Judged) -> None:
    said = opinion(clear)
    assert said["given"] is True and said["kind"] == "author" and said["author"] == "Author 7" and said["reasons"] == []
    assert "times more probable if Author 7 wrote the disputed text than if" in said["statement"]
    assert "Marquis et al. (2016)" in said["statement"]
    assert said["statement"] == f"{said['findings']['statement']} {said['findings']['support']}"
    assert said["family_p"] <= ALPHA and said["findings"]["log10_lr"] > 0
    low, high = said["findings"]["log10_lr_interval"]
    assert 0 < low <= said["findings"]["log10_lr"] <= high


def test_the_alternative_named_is_the_weaker_one(clear: Judged) -> None:
    assert clear.ratios is not None
    ratios = clear.ratios
    for listed, unlisted, name, clause in (
        (1.5, 1.2, "somebody not in the corpus", "somebody who is not in the corpus wrote"),
        (1.2, 1.5, "another listed author", "another of the listed authors wrote"),
        (1.2, np.nan, "another listed author", "another of the listed authors wrote"),
    ):
        first = np.full_like(ratios.headline, listed)
        headline = np.full_like(ratios.headline, np.fmin(listed, unlisted))
        changed = replace(
            ratios, listed=first, unlisted=np.full_like(first, unlisted), headline=headline, low=headline, high=headline
        )
        told = opinion(replace(clear, ratios=changed))["findings"]
        assert told["alternative"] == name and clause in told["statement"] and told["log10_lr"] == 1.2


def test_none_of_these(many: Rung) -> None:
    said = opinion(judged_of(many, np.full(AUTHORS, -1.0)))
    assert said["given"] is True and said["kind"] == "none of these" and said["author"] is None
    assert said["statement"].startswith("None of the 40 listed authors") and "approximate and weak" in said["statement"]


def test_too_few_words(clear: Judged) -> None:
    assert opinion(replace(clear, words=FEWEST_WORDS))["given"]
    refused(replace(clear, words=FEWEST_WORDS - 1), "499 words; fewer than 500")


def test_too_few_words_for_none_of_these(many: Rung) -> None:
    judged = judged_of(many, np.full(AUTHORS, -1.0), words=120)
    refused(judged, "120 words", "support none of the listed authors")


def test_too_few_documents(clear: Judged) -> None:
    codes = clear.model.codes.copy()
    codes[np.flatnonzero(codes == 7)[1:]] = 8
    refused(replace(clear, model=model_of(codes, AUTHORS)), "too few: 1, where 3 are needed")


def test_too_few_authors(simulate: Simulate) -> None:
    judged = judged_of(rung_of(simulate(authors=9, each=20, apart=6.0)), with_high(9, 6.0))
    assert judged.ratios is not None and judged.ratios.low[0, 7] > 0, "the numbers alone would support somebody"
    said = refused(judged, "With 9 authors", "who is not in the corpus would score as high is not estimable")
    assert said["family_p"] is None and said["findings"]["alternative"] == "another listed author"


def test_no_better_than_nothing(simulate: Simulate) -> None:
    """Scores that tell nothing: the cost may be 1 or more, and nothing is said of any text."""
    judged = judged_of(rung_of(simulate(authors=AUTHORS, each=5, apart=0.0)), with_high(AUTHORS, 9.0))
    said = opinion(judged)
    assert not said["given"]
    costs = [reason for reason in said["reasons"] if "upper bound of their cost (Cllr) is 1" in reason]
    assert len(costs) == 2 and "'another listed author'" in costs[0] and "'somebody not in the corpus'" in costs[1]


def test_an_interval_that_includes_one(clear: Judged) -> None:
    assert clear.ratios is not None
    ratios = replace(clear.ratios, low=np.full_like(clear.ratios.low, -0.1))
    refused(replace(clear, ratios=ratios), "interval of the likelihood ratio for Author 7 includes 1")


def test_an_interval_that_is_not_estimable(clear: Judged) -> None:
    assert clear.ratios is not None
    missing = np.full_like(clear.ratios.low, np.nan)
    unknown = replace(clear, ratios=replace(clear.ratios, low=missing, high=missing))
    said = refused(unknown, "The interval of the likelihood ratio for Author 7 is not estimable.")
    assert said["findings"]["log10_lr_interval"] is None and "not estimable" in said["findings"]["statement"]


def test_a_ratio_that_is_not_estimable(clear: Judged) -> None:
    assert clear.ratios is not None
    nothing = np.full_like(clear.ratios.low, np.nan)
    said = refused(replace(clear, ratios=replace(clear.ratios, headline=nothing)), "Author 7 is not estimable")
    assert said["findings"]["log10_lr"] is None


def test_outsiders_who_score_as_high(many: Rung, clear: Judged) -> None:
    crowd = Rung(0, replace(many.scores, outside=many.scores.outside + 3.5), many.calibration, 0)
    said = refused(replace(clear, rung=crowd), "Of texts by people who are not in the corpus, about")
    assert "at least one of the 40 listed authors; more than 5 % is too many" in said["reasons"][0]
    assert said["family_p"] > ALPHA


def test_nobody_is_supported(many: Rung) -> None:
    judged = judged_of(many, with_high(AUTHORS, 2.9))
    assert opinion(judged)["kind"] == "none of these"
    refused(replace(judged, p=np.full(AUTHORS, ALPHA)), "support none of the listed authors")


def test_no_sentences(clear: Judged) -> None:
    refused(replace(clear, no_sentences=True), "validated with sentence lengths")
    assert NO_SENTENCES in warnings(replace(clear, no_sentences=True), ranking(7), None)


@pytest.mark.parametrize(
    ("profile", "because"), [("forensic", "has not been validated yet"), ("paper", "Train with the forensic profile")]
)
def test_not_validated(profile: str, because: str, clear: Judged) -> None:
    bare = replace(
        clear, model=model_of(clear.model.codes, AUTHORS, profile), validation=None, rung=None, ratios=None, p=None
    )
    said = refused(bare, because)
    assert "findings" not in said and np.isnan(bare.family_p)
    assert all("validation" not in warning for warning in warnings(bare, ranking(7), None))


def ranking(first: int, stacked: int | None = None) -> Ranking:
    lazy, other = np.zeros(AUTHORS), np.zeros(AUTHORS)
    lazy[first] = 1.0
    other[first if stacked is None else stacked] = 1.0
    return Ranking(np.zeros(3), lazy, other)


def test_warnings_name_what_triggered_them(clear: Judged) -> None:
    assert warnings(clear, ranking(7), None) == []
    (short,) = warnings(replace(clear, words=FEW_WORDS - 1), ranking(7), None)
    assert "2,499 words" in short
    assert not warnings(replace(clear, words=FEW_WORDS), ranking(7), {"survives": True})
    (survives,) = warnings(clear, ranking(7), {"survives": False})
    assert "does not survive" in survives
    votes = [Vote("cosine", np.eye(AUTHORS)[7]), Vote("SVM", np.eye(AUTHORS)[3])]
    (disagree,) = warnings(replace(clear, votes=votes), ranking(7, stacked=5), None)
    assert disagree == "Methods disagree: Author 7 is not first by Stacked AA (Author 5) and SVM (Author 3)."
    quick = model_of(clear.model.codes, AUTHORS, quick=True)
    quick.fitted.training.converged = False  # type: ignore[misc]
    told = warnings(replace(clear, model=quick), ranking(7), None)
    assert len(told) == 2 and "did not converge" in told[0] and "quick one" in told[1]


def test_warnings_about_length_and_authors(simulate: Simulate) -> None:
    judged = judged_of(rung_of(simulate(authors=12), 640), with_high(12, 4.0), words=700)
    told = warnings(judged, ranking(7), None)
    assert ["short" in told[0], "cut to 640 words" in told[1], "12 authors only; 40" in told[2]] == [True] * 3


def test_nothing_forbidden_is_ever_said(simulate: Simulate, many: Rung, clear: Judged) -> None:
    assert clear.ratios is not None
    judged = [clear, replace(clear, words=90), judged_of(many, np.full(AUTHORS, -1.0))]
    judged += [replace(judged[-1], p=np.ones(AUTHORS))]
    judged += [judged_of(rung_of(simulate(authors=9)), with_high(9, 5.0))]
    judged += [judged_of(rung_of(simulate(apart=0.0)), with_high(12, 5.0))]
    judged += [replace(clear, validation=None, rung=None, ratios=None, p=None)]
    judged += [
        replace(clear, ratios=replace(clear.ratios, **{name: -getattr(clear.ratios, name)}))
        for name in ("headline", "low")
    ]
    for each in judged:
        said = opinion(each)
        votes = [Vote("SVM", np.eye(AUTHORS)[1])]
        told = [
            said["statement"],
            *said["reasons"],
            *warnings(replace(each, votes=votes), ranking(0), {"survives": False}),
        ]
        told += [said["findings"][name] for name in ("statement", "support")] if "findings" in said else []
        assert [forbidden_in(text) for text in told] == [[]] * len(told)
        assert all(text[0].isupper() and text.endswith(".") for text in told)


def test_the_rates_of_a_rung_do_not_change_by_asking(clear: Judged) -> None:
    assert clear.rung is not None and isinstance(clear.rung.calibration, Calibration)
    assert isinstance(clear.rung.cllr_intervals[0], Interval) and clear.rung.cllr_intervals is clear.rung.cllr_intervals
    assert opinion(clear) == opinion(clear)

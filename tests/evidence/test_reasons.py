"""The opinion on a text: when one is given, every reason for giving none, in words to the letter, and nothing that may not be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from forensia.cli import contract
from forensia.evidence.authorscores import standing
from forensia.evidence.bootstrap import Interval
from forensia.evidence.elub import Bounds
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import Calibration, Ratios, Scores, calibrate
from forensia.evidence.opinion import ALPHA, FEW_WORDS, FEWEST_WORDS
from forensia.evidence.reasons import Judged, opinion, warnings
from forensia.evidence.result import (
    FUSED,
    LAZY,
    STACKED,
    SVM,
    Alternative,
    Candidate,
    Known,
    LeftOut,
    Opinion,
    Placed,
    Result,
    Sensitivity,
)
from forensia.evidence.validation import Rung, Validation
from forensia.profile import QUICK, THOROUGH, profile_named
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import opinion as words_of
from forensia.wording.ratios import forbidden_in
from forensia.wording.reasons import sentences

Simulate = Callable[..., Scores]
AUTHORS = 40
SIGNALS = (0.8, 0.6)  # as in the simulated scores


def named(count: int) -> tuple[str, ...]:
    return tuple(f"Author {number}" for number in range(count))


def learnt_of(codes: np.ndarray, authors: int, profile: str = "forensic", quick: bool = False) -> Learnt:
    """All that the words need of what was learnt from."""
    options = TrainingOptions(profile=profile_named(profile, QUICK if quick else THOROUGH))
    documents = tuple(f"text {number}" for number in range(len(codes)))
    return Learnt(options, {}, documents, named(authors), codes.astype(np.int32), 500.0)


def rung_of(scores: Scores, words: int = 0) -> Rung:
    return Rung(words, scores, calibrate(scores, 0, count=20)[0], 0)


def placed(first: int, authors: int = AUTHORS) -> Mapping[int, Placed]:
    """What a system says that puts one author first, and the others in their order."""
    order = [first, *(code for code in range(authors) if code != first)]
    return {code: Placed(1.0 / rank, rank, rank == 1) for rank, code in enumerate(order, start=1)}


def scores_of(row: Any) -> np.ndarray:
    """The scores of the two simulated families that together say so much of each author."""
    return np.asarray(row, dtype=np.float64)[None, :, None] * np.array(SIGNALS)


def judged_of(rung: Rung, row: Any, words: int = 3_000) -> Judged:
    """A text with given scores, judged by the calibration of simulated ones; all systems agree."""
    given = scores_of(row)
    here = standing(rung.calibration.z(given))
    authors = here.shape[1]
    return Judged(
        learnt_of(rung.scores.codes, authors),
        words,
        dict.fromkeys((FUSED, LAZY, STACKED), placed(int(here[0].argmax()), authors)),
        cast(Validation, SimpleNamespace()),
        rung,
        rung.calibration.ratios(given),
        here,
        rung.conformal_p(here)[0],
    )


def result_of(judged: Judged) -> Result:
    """A result with this opinion, as the judge makes one."""
    rung, ratios = judged.rung, judged.ratios
    candidates = []
    for code, author in enumerate(judged.learnt.authors):
        systems = {system: each[code] for system, each in judged.systems.items()}
        said = (None,) * 3 if rung is None or ratios is None else rung.calibration.said(ratios, code)
        candidates.append(Candidate(author, 1, 1, systems, *said))
    candidates.insert(0, candidates.pop(judged.first))
    return Result(
        document="", file="text.txt", sha256="", words=judged.words, condition=None if rung is None else rung.condition,
        candidates=tuple(candidates), known=Known((), ()), pair_scores=(), k=1,
        opinion=opinion(judged), warnings=tuple(warnings(judged)), sensitivity=judged.sensitivity,
    )  # fmt: skip


def survived(yes: bool) -> Sensitivity:
    return Sensitivity("Author 7", (), LeftOut(0, 0, (), None), yes)


def told(judged: Judged) -> list[str]:
    """The warnings in words."""
    return sentences(warnings(judged))


def with_high(authors: int, score: float, author: int = 7) -> np.ndarray:
    """The scores of chance for all but one author."""
    row = np.random.default_rng(1).normal(size=authors)
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


def refused(judged: Judged, *because: str) -> Opinion:
    """No opinion, for the reasons that are expected and no others."""
    said, result = opinion(judged), result_of(judged)
    assert said.given is False and said.kind == "none given" and said.author is None
    assert words_of.statement(result) == "No opinion."
    shown = sentences(said.reasons)
    assert words_of.reasons(result) == shown and len(shown) == len(because), shown
    assert all(part in reason for part, reason in zip(because, shown, strict=True)), shown
    return said


def findings(judged: Judged) -> dict[str, Any]:
    """The findings as the public JSON has them."""
    shown: dict[str, Any] = contract.document(result_of(judged))["opinion"]["findings"]
    return shown


def test_an_opinion_about_an_author(clear: Judged) -> None:
    said = opinion(clear)
    assert said == Opinion("author", "Author 7", (), said.family_p) and said.given and said.author == "Author 7"
    assert said.family_p is not None and said.family_p <= ALPHA


def test_an_opinion_about_an_author_in_words(clear: Judged) -> None:
    result = result_of(clear)
    statement, found = words_of.statement(result), words_of.findings(result)
    assert "times more probable if Author 7 wrote the disputed text than if" in statement
    assert "Marquis et al. (2016)" in statement
    assert found is not None and statement == f"{found.statement} {found.support}"
    shown = contract.document(result)["opinion"]
    assert shown["given"] is True and shown["kind"] == "author" and shown["author"] == "Author 7"
    assert shown["statement"] == statement and shown["reasons"] == [] and shown["family_p"] <= ALPHA
    assert shown["findings"]["statement"] == found.statement and shown["findings"]["support"] == found.support
    low, high = shown["findings"]["log10_lr_interval"]
    assert 0 < low <= shown["findings"]["log10_lr"] <= high


def everywhere(ratios: Ratios, listed: float, unlisted: float) -> Ratios:
    """The same LRs for all authors, with intervals that are as narrow as can be."""
    one, other = (np.full_like(ratios.listed, value) for value in (listed, unlisted))
    lowest = np.fmin(one, other)
    return Ratios(one, other, (one, one), (other, other), lowest, lowest)


@pytest.mark.parametrize(
    ("listed", "unlisted", "alternative", "name", "clause"),
    [
        (1.5, 1.2, Alternative.UNLISTED, "somebody not in the corpus", "somebody who is not in the corpus wrote"),
        (1.2, 1.5, Alternative.LISTED, "another listed author", "another of the listed authors wrote"),
        (1.2, np.nan, Alternative.LISTED, "another listed author", "another of the listed authors wrote"),
    ],
)
def test_the_alternative_named_is_the_lower_one(
    listed: float, unlisted: float, alternative: Alternative, name: str, clause: str, many: Rung, clear: Judged
) -> None:
    wide = Bounds(-3.0, 3.0, 10, 10)
    calibration = replace(many.calibration, listed_bounds=wide, unlisted_bounds=None if np.isnan(unlisted) else wide)
    assert clear.ratios is not None
    ratios = everywhere(clear.ratios, listed, unlisted)
    judged = replace(clear, rung=replace(many, calibration=calibration), ratios=ratios)
    headline = result_of(judged).subject.headline
    assert headline is not None and headline.alternative is alternative and headline.log10 == pytest.approx(1.2)
    shown = findings(judged)
    assert shown["alternative"] == name and clause in shown["statement"] and shown["log10_lr"] == headline.log10


def test_none_of_these(many: Rung) -> None:
    judged = judged_of(many, np.full(AUTHORS, -1.0))
    said = opinion(judged)
    assert said.given is True and said.kind == "none of these" and said.author is None and said.reasons == ()
    statement = words_of.statement(result_of(judged))
    assert statement.startswith("None of the 40 listed authors") and "approximate and weak" in statement


def test_too_few_words(clear: Judged) -> None:
    assert opinion(replace(clear, words=FEWEST_WORDS)).given
    refused(replace(clear, words=FEWEST_WORDS - 1), "499 words; fewer than 500")


def test_too_few_words_for_none_of_these(many: Rung) -> None:
    judged = judged_of(many, np.full(AUTHORS, -1.0), words=120)
    refused(judged, "120 words", "support none of the listed authors")


def test_too_few_documents(clear: Judged) -> None:
    codes = clear.learnt.codes.copy()
    codes[np.flatnonzero(codes == 7)[1:]] = 8
    refused(replace(clear, learnt=learnt_of(codes, AUTHORS)), "too few: 1, where 3 are needed")


def test_too_few_authors(simulate: Simulate) -> None:
    judged = judged_of(rung_of(simulate(authors=9, each=20, apart=6.0)), with_high(9, 6.0))
    assert judged.ratios is not None and judged.ratios.low[0, 7] > 0, "the numbers alone would support somebody"
    said = refused(judged, "With 9 authors", "who is not in the corpus would score as high is not estimable")
    assert said.family_p is None and findings(judged)["alternative"] == "another listed author"


def test_no_better_than_nothing(simulate: Simulate) -> None:
    """Scores that tell nothing: the cost may be 1 or more, and nothing is said of any text."""
    judged = judged_of(rung_of(simulate(authors=AUTHORS, each=5, apart=0.0)), with_high(AUTHORS, 9.0))
    said = opinion(judged)
    assert not said.given
    costs = [reason for reason in sentences(said.reasons) if "upper bound of their cost (Cllr) is 1" in reason]
    assert len(costs) == 2 and "'another listed author'" in costs[0] and "'somebody not in the corpus'" in costs[1]


def test_an_interval_that_includes_one(clear: Judged) -> None:
    assert clear.ratios is not None
    ratios = replace(clear.ratios, low=np.full_like(clear.ratios.low, -0.1))
    refused(replace(clear, ratios=ratios), "interval of the likelihood ratio for Author 7 includes 1")


def test_an_interval_that_is_not_estimable(many: Rung) -> None:
    unknown = judged_of(
        replace(many, calibration=replace(many.calibration, resampled=np.empty((0, 5)))), with_high(AUTHORS, 6.0)
    )
    refused(unknown, "The interval of the likelihood ratio for Author 7 is not estimable.")
    headline, shown = result_of(unknown).subject.headline, findings(unknown)
    assert headline is not None and headline.interval is None
    assert shown["log10_lr_interval"] is None and "not estimable" in shown["statement"]


def test_a_ratio_that_is_not_estimable(clear: Judged) -> None:
    assert clear.ratios is not None
    unknown = replace(clear, ratios=everywhere(clear.ratios, np.nan, np.nan))
    refused(unknown, "The likelihood ratio for Author 7 is not estimable.")
    shown = findings(unknown)
    assert result_of(unknown).subject.headline is None and shown["log10_lr"] is None
    assert "not estimable" in shown["statement"] and "not estimable" in shown["support"]


def test_outsiders_who_score_as_high(many: Rung, clear: Judged, simulate: Simulate) -> None:
    crowd = Rung(0, simulate(authors=AUTHORS, each=20, apart=6.0, strange=6.0), many.calibration, 0)
    said = refused(replace(clear, rung=crowd), "Of texts by people who are not in the corpus, about")
    (reason,) = sentences(said.reasons)
    assert "at least one of the 40 listed authors; more than 5 % is too many" in reason
    assert said.family_p is not None and said.family_p > ALPHA and said.reasons[0].values["share"] == said.family_p


def test_nobody_is_supported(many: Rung) -> None:
    judged = judged_of(many, with_high(AUTHORS, 2.2))
    assert (
        judged.first == 7
        and judged.ratios is not None
        and judged.ratios.listed[0, 7] > 0 > judged.ratios.unlisted[0, 7]
    )
    assert opinion(judged).kind == "none of these"
    refused(replace(judged, p=np.full(AUTHORS, ALPHA)), "support none of the listed authors")


def test_no_sentences(clear: Judged) -> None:
    """The fused answer knows no lengths of sentences, so it stands; the methods beside it do."""
    without = replace(clear, no_sentences=True)
    assert opinion(without) == opinion(clear) and opinion(clear).given
    assert told(without) == [
        "No sentences can be found in this text (hardly any end marks), so sentence lengths were left out of its analysis "
        "by diff-vectors."
    ]


@pytest.mark.parametrize(
    ("profile", "because"), [("forensic", "has not been validated yet"), ("paper", "Train with the forensic profile")]
)
def test_not_validated(profile: str, because: str, clear: Judged) -> None:
    bare = replace(
        clear, learnt=learnt_of(clear.learnt.codes, AUTHORS, profile), validation=None, rung=None, ratios=None, p=None,
        standings=None, systems={LAZY: placed(7), STACKED: placed(5)},
    )  # fmt: skip
    said = refused(bare, because)
    assert said.about == "Author 7", "whom Lazy puts first"
    assert said.family_p is None and words_of.findings(result_of(bare)) is None and np.isnan(bare.family_p)
    assert "findings" not in contract.document(result_of(bare))["opinion"]
    assert all("validation" not in warning for warning in told(bare))


def test_warnings_name_what_triggered_them(clear: Judged) -> None:
    assert told(clear) == []
    (short,) = told(replace(clear, words=FEW_WORDS - 1))
    assert "2,499 words" in short
    assert not told(replace(clear, words=FEW_WORDS, sensitivity=survived(True)))
    (survives,) = told(replace(clear, sensitivity=survived(False)))
    assert "does not survive" in survives
    systems = {FUSED: placed(7), LAZY: placed(7), STACKED: placed(5), "cosine": placed(7), SVM: placed(3)}
    (disagree,) = told(replace(clear, systems=systems))
    assert disagree == "Methods disagree: Author 7 is not first by Stacked AA (Author 5) and SVM (Author 3)."
    quick = learnt_of(clear.learnt.codes, AUTHORS, quick=True)
    found = told(replace(clear, learnt=quick, converged=False))
    assert len(found) == 2 and "did not converge" in found[0] and "quick one" in found[1]
    (alone,) = told(replace(clear, systems={FUSED: placed(7)}))
    assert alone.startswith("This is the fused ranking alone: Lazy AA, Stacked AA, Pr(Same)")


def test_warnings_about_length_and_authors(simulate: Simulate) -> None:
    found = told(judged_of(rung_of(simulate(authors=12), 640), with_high(12, 4.0), words=700))
    assert ["short" in found[0], "cut to 640 words" in found[1], "12 authors only; 40" in found[2]] == [True] * 3


def test_nothing_forbidden_is_ever_said(simulate: Simulate, many: Rung, clear: Judged) -> None:
    assert clear.ratios is not None
    judged = [clear, replace(clear, words=90), judged_of(many, np.full(AUTHORS, -1.0))]
    judged += [replace(judged[-1], p=np.ones(AUTHORS))]
    judged += [judged_of(rung_of(simulate(authors=9)), with_high(9, 5.0))]
    judged += [judged_of(rung_of(simulate(apart=0.0)), with_high(12, 5.0))]
    judged += [replace(clear, validation=None, rung=None, ratios=None, p=None)]
    judged += [
        replace(clear, ratios=replace(clear.ratios, **{name: -getattr(clear.ratios, name)}))
        for name in ("listed", "unlisted", "low")
    ]
    for each in judged:
        authors = len(each.learnt.authors)
        systems = {system: placed(0, authors) for system in (FUSED, LAZY, STACKED)} | {SVM: placed(1, authors)}
        result = result_of(replace(each, systems=systems, sensitivity=survived(False)))
        found = words_of.findings(result)
        said = [words_of.statement(result), *words_of.reasons(result), *sentences(result.warnings)]
        said += [] if found is None else [found.statement, found.support]
        assert [forbidden_in(text) for text in said] == [[]] * len(said)
        assert all(text[0].isupper() and text.endswith(".") for text in said)


def test_the_rates_of_a_rung_do_not_change_by_asking(clear: Judged) -> None:
    assert clear.rung is not None and isinstance(clear.rung.calibration, Calibration)
    assert isinstance(clear.rung.cllr_intervals[0], Interval) and clear.rung.cllr_intervals is clear.rung.cllr_intervals
    assert opinion(clear) == opinion(clear)


def test_the_fused_ranking_is_the_headline_and_lazy_where_there_is_none(clear: Judged) -> None:
    systems = {FUSED: placed(7), LAZY: placed(5), STACKED: placed(5)}
    fused = replace(clear, systems=systems)
    assert fused.author == "Author 7" and opinion(fused).author == "Author 7"
    assert told(fused) == ["Methods disagree: Author 7 is not first by Lazy AA (Author 5) and Stacked AA (Author 5)."]
    del systems[FUSED]
    assert replace(clear, systems=systems).author == "Author 5"

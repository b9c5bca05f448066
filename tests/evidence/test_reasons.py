"""The opinion on a text: when one is given, every reason for giving none, in words to the letter, and nothing that may not be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.cli import contract
from forensia.evidence.bootstrap import Interval
from forensia.evidence.calibration import Bounds
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import Calibration, Ratios, Scores, calibrate, standing
from forensia.evidence.opinion import ALPHA, FEW_WORDS, FEWEST_COMPARISONS
from forensia.evidence.reasons import Judged, opinion, warnings
from forensia.evidence.result import (
    FUSED,
    LAZY,
    STACKED,
    Alternative,
    Candidate,
    Condition,
    Known,
    LeftOut,
    Opinion,
    Placed,
    Reason,
    Result,
    Sensitivity,
    Stated,
)
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Validation
from forensia.profile import QUICK, THOROUGH, profile_named
from forensia.systems.others import SVM
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import opinion as words_of
from forensia.wording.ratios import forbidden_in
from forensia.wording.reasons import sentence, sentences

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


def rung_of(scores: Scores, words: int | None = None, likeness: Any = ()) -> Rung:
    return Rung(Condition("new", words), scores, calibrate(scores, 0, count=20)[0], 0, likeness=np.array(likeness))


def validation_of(*, told: bool = True, shortest: int = 100) -> Validation:
    """All that the rule asks of it."""
    return cast(Validation, SimpleNamespace(sources_known=told, shortest=shortest))


def placed(first: int, authors: int = AUTHORS) -> Mapping[int, Placed]:
    """What a system says that puts one author first, and the others in their order."""
    order = [first, *(code for code in range(authors) if code != first)]
    return {code: Placed(1.0 / rank, rank, rank == 1) for rank, code in enumerate(order, start=1)}


def scores_of(row: Any) -> np.ndarray:
    """The scores of the two simulated families that together say so much of each author."""
    return np.asarray(row, dtype=np.float64)[None, :, None] * np.array(SIGNALS)


def judged_of(rung: Rung, row: Any, words: int = 3_000, likeness: Any = ()) -> Judged:
    """A text with given scores, judged by the calibration of simulated ones; all systems agree."""
    given = scores_of(row)
    here = standing(rung.calibration.z(given))
    authors = here.shape[1]
    return Judged(
        learnt_of(rung.scores.codes, authors),
        words,
        dict.fromkeys((FUSED, LAZY, STACKED), placed(int(here[0].argmax()), authors)),
        validation_of(),
        rung,
        rung.calibration.ratios(given),
        here,
        rung.conformal_p(here)[0],
        rung.doubts(rung.calibration.log10_lr(given)[0], here, np.array(likeness)),
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
        (1.2, np.nan, Alternative.CLOSED, "another of the listed authors", "another of the listed authors wrote"),
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


def test_a_text_shorter_than_all_that_were_tried(clear: Judged, many: Rung) -> None:
    some = replace(clear, validation=validation_of(shortest=210))
    assert opinion(replace(some, words=210)).given
    refused(replace(some, words=209), "The text has 209 words. The shortest texts that were tried have 210")
    judged = replace(judged_of(many, np.full(AUTHORS, -1.0), words=120), validation=some.validation)
    refused(judged, "120 words", "support none of the listed authors")


@pytest.mark.parametrize(
    ("told", "code"), [(False, "sources-not-known"), (True, "nobody-has-two-sources")], ids=["not told", "one each"]
)
def test_a_new_source_that_could_not_be_tried(told: bool, code: str, clear: Judged, many: Rung) -> None:
    """Nothing is said of a new source by the figures of a known one; if that is where the text is from, they hold."""
    known = replace(many, condition=Condition("known"))
    judged = replace(clear, rung=known, validation=validation_of(told=told))
    said = refused(judged, "nothing is known of how well authors are recognised in a text from a new source")
    assert said.reasons == (Reason(code),)
    stated = replace(judged, stated=Stated("known", "the same thread"))
    assert opinion(stated) == opinion(clear) and opinion(stated).given
    nobody = replace(judged_of(known, np.full(AUTHORS, -1.0)), validation=judged.validation)
    assert opinion(nobody).kind == "none given", "nor that it is none of these"
    assert opinion(replace(nobody, stated=stated.stated)).kind == "none of these"


@pytest.fixture(scope="module")
def uneven(simulate: Simulate) -> Rung:
    """Twelve authors who are easily told apart: the first has 3 texts, the second 7, the others 24."""
    made = simulate(authors=12, each=24, apart=6.0)
    kept = np.concatenate([np.flatnonzero(made.codes == code)[:size] for code, size in enumerate((3, 7, *(24,) * 10))])
    return rung_of(Scores(made.inside[kept], made.outside[kept], made.codes[kept], np.bincount(made.codes[kept])))


def test_too_few_left_out_texts_behind_an_author(uneven: Rung) -> None:
    """Of authors with at most twice as many texts: however many others have."""
    for author, size, comparisons in ((0, 3, 3), (1, 7, 10)):
        judged = judged_of(uneven, with_high(12, 6.0, author))
        said = refused(
            judged,
            f"stand behind an opinion about Author {author}, who has {size} known texts: {comparisons} by authors",
        )
        assert said.reasons[0].values == {
            "author": f"Author {author}", "texts": size, "most": 2 * size, "comparisons": comparisons, "fewest": FEWEST_COMPARISONS,
        }  # fmt: skip
    assert opinion(judged_of(uneven, with_high(12, 6.0, 2))).author == "Author 2"


@pytest.mark.parametrize(("source", "code"), [("new", "one-source-author"), ("known", "one-text")])
def test_an_author_none_of_whose_texts_could_be_tried(source: Any, code: str, simulate: Simulate) -> None:
    scores = simulate(authors=12, each=24, apart=6.0)
    inside = scores.inside.copy()
    inside[scores.codes == 5] = np.nan
    rung = replace(rung_of(replace(scores, inside=inside)), condition=Condition(source))
    judged = replace(
        judged_of(rung, with_high(12, 6.0, 5)), stated=Stated(source, "" if source == "new" else "a reason")
    )
    said = opinion(judged)
    assert not said.given and said.reasons == (Reason(code, {"author": "Author 5"}),)
    assert opinion(replace(judged_of(rung, with_high(12, 6.0, 4)), stated=judged.stated)).author == "Author 4"


def test_opinions_that_were_often_wrong(clear: Judged, many: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = replace(many.backing[7], given=40, right=33)
    monkeypatch.setitem(many.__dict__, "backing", (*many.backing[:7], behind, *many.backing[8:]))
    monkeypatch.setitem(many.__dict__, "backed", np.array([each.enough for each in many.backing]))
    assert refused(clear, "Of 40 opinions on left-out texts").reasons == (
        Reason("often-wrong", {"given": 40, "wrong": 7}),
    )


def test_opinions_behind_which_nothing_stands(clear: Judged, many: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = replace(many.backing[7], comparisons=40, given=0, right=0)
    monkeypatch.setitem(many.__dict__, "backing", (*many.backing[:7], behind, *many.backing[8:]))
    monkeypatch.setitem(many.__dict__, "backed", np.array([each.enough for each in many.backing]))
    assert refused(clear, "None of 40 left-out texts of this length").reasons == (
        Reason("never-given", {"comparisons": 40}),
    )


@pytest.mark.parametrize(("sizes", "few"), [((20,) * 12, 0), ((20,) * 11 + (19,), 1), ((19, 5) + (25,) * 10, 2)])
def test_where_none_of_these_can_never_be_the_answer(sizes: tuple[int, ...], few: int, simulate: Simulate) -> None:
    """It needs every author to be ruled out, and one with few texts never is, however low a text stands with them."""
    made = simulate(authors=12, each=max(sizes), apart=6.0)
    kept = np.concatenate([np.flatnonzero(made.codes == code)[:size] for code, size in enumerate(sizes)])
    rung = rung_of(Scores(made.inside[kept], made.outside[kept], made.codes[kept], np.array(sizes)))
    judged = judged_of(rung, with_high(12, 6.0, 4))
    said = [each for each in warnings(judged) if each.code == "never-none"]
    assert said == ([Reason("never-none", {"few": few, "authors": 12, "fewest": 20})] if few else [])
    lowest = rung.conformal_p(np.full((1, 12), -99.0))
    assert ((lowest < ALPHA).all() == (not few)) and all("cannot be 'none of these'" in sentence(each) for each in said)


def test_authors_too_close_to_one_another(clear: Judged, many: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    assert clear.doubts is not None
    left = float(clear.doubts.doubt[0])
    monkeypatch.setitem(many.__dict__, "most_doubt", left)
    assert opinion(clear).given, "just as much is allowed"
    for most in (left / 2, -1.0):
        monkeypatch.setitem(many.__dict__, "most_doubt", most)
        said = refused(clear, "The listed authors are too close to one another")
        assert said.reasons == (Reason("too-close", {"share": left, "most": max(most, 0.0), "author": "Author 7"}),)


def test_a_text_of_another_kind(simulate: Simulate) -> None:
    rung = rung_of(simulate(authors=12, each=20, apart=6.0), likeness=np.linspace(0.2, 0.8, 240))
    assert opinion(judged_of(rung, with_high(12, 6.0), likeness=[0.3])).author == "Author 7"
    said = refused(judged_of(rung, with_high(12, 6.0), likeness=[0.2]), "taken for another kind of writing")
    assert said.reasons[0].values == {"share": pytest.approx(2 / 241), "alpha": ALPHA}


def test_with_few_authors_an_opinion_is_among_them(simulate: Simulate) -> None:
    """Nothing is known of outsiders: the alternative is one of the others, and no more doubt is left than outsiders might be."""
    rung = rung_of(simulate(authors=9, each=20, apart=6.0))
    judged = judged_of(rung, with_high(9, 6.0))
    said = opinion(judged)
    assert (
        said == Opinion("author", "Author 7", (), None)
        and judged.doubts is not None
        and judged.doubts.doubt[0] <= ALPHA
    )
    headline = result_of(judged).subject.headline
    assert headline is not None and headline.alternative is Alternative.CLOSED
    row = np.zeros(9)
    row[7], row[3] = 6.0, 5.3
    close = judged_of(rung, row)
    assert (
        close.doubts is not None
        and close.doubts.doubt[0] > ALPHA
        and close.ratios is not None
        and close.ratios.low[0, 7] > 0
    )
    (reason,) = refused(close, "too close to one another").reasons
    assert reason.code == "too-close" and reason.values["most"] == ALPHA
    assert opinion(judged_of(rung, np.full(9, -1.0))).kind == "none given", "that it is none of these cannot be said"


@settings(max_examples=25)
@given(st.lists(st.floats(-6, 8), min_size=12, max_size=12), st.booleans(), st.integers(50, 400))
def test_no_opinion_is_without_a_reason(uneven: Rung, row: list[float], told: bool, words: int) -> None:
    for source in ("new", "known"):
        rung = replace(uneven, condition=Condition(source))
        judged = replace(judged_of(rung, row, words), validation=validation_of(told=told))
        said = opinion(judged)
        assert bool(said.reasons) is not said.given and all(sentences(said.reasons))


def test_no_better_than_nothing(simulate: Simulate) -> None:
    """Scores that tell nothing: they cost 1 or more, and nothing is said of any text."""
    judged = judged_of(rung_of(simulate(authors=AUTHORS, each=5, apart=0.0)), with_high(AUTHORS, 9.0))
    said = opinion(judged)
    assert not said.given
    costs = [reason for reason in sentences(said.reasons) if "their cost (Cllr) is 1" in reason]
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
    crowd = replace(many, scores=simulate(authors=AUTHORS, each=20, apart=6.0, strange=6.0))
    some = judged_of(crowd, with_high(AUTHORS, 6.0))
    some = replace(some, rung=many, ratios=clear.ratios)
    said = refused(some, "Of texts by people who are not in the corpus, about")
    (reason,) = sentences(said.reasons)
    assert "with the one of the 40 listed authors who comes first for them, where" in reason and reason.endswith(
        "; more than 5 % is too many."
    )
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
        clear, learnt=learnt_of(clear.learnt.codes, AUTHORS, profile), validation=None, rung=None, ratios=None, p=None, doubts=None,
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
    (fused,) = told(replace(clear, learnt=quick, systems={FUSED: placed(7)}))
    assert "quick" not in fused, "nothing of it was tried quickly"
    (alone,) = told(replace(clear, systems={FUSED: placed(7)}))
    assert alone.startswith("This is the fused ranking alone: Lazy AA, Stacked AA, Pr(Same)")


def test_warnings_about_length_and_authors(simulate: Simulate) -> None:
    rung = rung_of(simulate(authors=12), 640)
    found = told(judged_of(rung, with_high(12, 4.0), words=700))
    assert ["short" in found[0], "cut to 640 words" in found[1], "12 authors only; 40" in found[2]] == [True] * 3
    joined = replace(rung, condition=Condition("new", 6_000, 4), joined=np.zeros(120, np.int64))
    found = told(judged_of(joined, with_high(12, 4.0), words=7_000))
    assert ["joined 4 texts of one author each, to 6,000 words" in found[0], "12 authors only" in found[1]] == [
        True
    ] * 2


def test_nothing_forbidden_is_ever_said(simulate: Simulate, many: Rung, clear: Judged) -> None:
    assert clear.ratios is not None
    judged = [clear, replace(clear, words=90), judged_of(many, np.full(AUTHORS, -1.0))]
    judged += [replace(judged[-1], p=np.ones(AUTHORS))]
    judged += [judged_of(rung_of(simulate(authors=9)), with_high(9, 5.0))]
    judged += [judged_of(rung_of(simulate(apart=0.0)), with_high(12, 5.0))]
    judged += [replace(clear, validation=None, rung=None, ratios=None, p=None, doubts=None)]
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

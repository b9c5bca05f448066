"""From scores to likelihood ratios: what simulated scores must give, what may not leak, bounds, intervals, the lower alternative."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forensia.evidence import likelihood
from forensia.evidence.calibration import Bounds, CalibrationError, elub
from forensia.evidence.likelihood import (
    FEWEST_AUTHORS,
    FOLDS,
    LN10,
    NO_LINE,
    Calibration,
    Scores,
    calibrate,
    crossfitted,
    fit_line,
    jackknife,
    log_odds,
    lower,
    standing,
)
from forensia.evidence.measures import cllr, cllr_cal
from forensia.evidence.result import Alternative
from forensia.jobs import Progress
from forensia.systems.fusion import PRIOR, Fusion, log_softmax

Simulate = Callable[..., Scores]
NAN = float("nan")
WIDE = Bounds(-9.0, 9.0, 5, 9)
SIGNALS = (0.8, 0.6)  # as in the simulated scores


def fusion_of(scores: Scores) -> Fusion:
    return Fusion.fit(scores.inside, scores.codes, scores.sizes)


def fixed(
    line: tuple[float, float] = (0.0, 1.0),
    resampled: list[list[float]] | None = None,
    listed: Bounds = WIDE,
    unlisted: Bounds | None = WIDE,
    authors: int = 3,
) -> Calibration:
    """One family whose score is the fused one; a resample is a weight, beta, and a line."""
    fusion = Fusion(np.ones(1), np.ones(1), 0.0, 1.0)
    draws = np.array(resampled if resampled is not None else [[1.0, 0.0, *line]])
    return Calibration(fusion, line, np.ones(authors, np.intp), listed, unlisted, draws)


def row(*scores: float) -> np.ndarray:
    """One text x authors x one family."""
    return np.array(scores)[None, :, None]


def test_the_odds_of_normal_scores_are_found(simulate: Simulate) -> None:
    """Independent scores of unit variance, d above the others for the true author: the odds are the softmax of d times them."""
    apart = 2.0
    fusion = fusion_of(simulate(authors=15, each=60, apart=apart))
    assert fusion.weights / fusion.spread == pytest.approx(apart * np.array(SIGNALS), rel=0.07)
    assert fusion.size == 0.0, "all authors have as many texts"


def test_weights_learnt_again_are_those_of_texts_that_count_so_often(simulate: Simulate) -> None:
    """Step after step it ends where the loss of the texts as often as they count is least; the first step is nearly there."""
    scores = simulate(authors=6, each=12, apart=1.5)
    fusion = fusion_of(scores)
    steady = np.ones((1, len(scores.codes)))
    arguments = (scores.inside, scores.codes, scores.sizes)
    assert np.allclose(fusion.again(*arguments, steady), fusion.vector[None], rtol=1e-6), "nothing has changed"
    times = np.random.default_rng(0).integers(0, 3, steady.shape).astype(np.float64)
    (first,) = fusion.again(*arguments, times)
    found = first
    for _ in range(20):
        here = Fusion(found[:-1], fusion.spread, float(found[-1]), fusion.common)
        (found,) = here.again(*arguments, times)

    def loss(vector: np.ndarray) -> float:
        z = (scores.inside / fusion.spread) @ vector[:-1]  # all authors have as many texts
        own = log_softmax(z)[np.arange(len(z)), scores.codes]
        return float(-(times[0] * own).sum() + ((vector[:-1] - fusion.common) ** 2).sum() * PRIOR / 2)

    for number in range(len(SIGNALS)):
        step = np.eye(len(found))[number] * 1e-4
        assert (loss(found + step) - loss(found - step)) / 2e-4 == pytest.approx(0.0, abs=1e-3)
    moved, missed = np.abs(found - fusion.vector).max(), np.abs(found - first).max()
    assert missed < 0.2 * moved


def test_a_family_that_speaks_for_others_gets_no_weight_in_a_resample_either(simulate: Simulate) -> None:
    scores = simulate(authors=6, each=12, apart=1.5)
    against = np.random.default_rng(5).normal(size=(*scores.own.shape, 1)) - 2.0 * scores.own[:, :, None]
    inside = np.concatenate((scores.inside, against), axis=2)
    fusion = Fusion.fit(inside, scores.codes, scores.sizes)
    assert fusion.weights[2] == 0
    times = np.stack([draw.documents for draw in likelihood.resamples(scores.codes, 30, 0)])
    assert (fusion.again(inside, scores.codes, scores.sizes, times)[:, :3] >= 0).all()


def test_a_fusion_is_stored_to_the_last_bit(simulate: Simulate) -> None:
    fusion = fusion_of(simulate())
    again = Fusion.from_array(fusion.to_array(), len(fusion.weights))
    assert np.array_equal(again.vector, fusion.vector) and np.array_equal(again.spread, fusion.spread)
    assert again.common == fusion.common


def test_the_line_of_normal_standings_is_found(simulate: Simulate) -> None:
    """Two normal distributions of unit variance, d apart: the natural log LR of x is d (x - the middle)."""
    scores = simulate(authors=20, each=100)
    rng = np.random.default_rng(0)
    standings = (rng.normal(2.0, 1.0, scores.own.shape), rng.normal(0.5, 1.0, scores.own.shape))
    assert fit_line(scores, standings) == pytest.approx((-1.5 * 1.25, 1.5), rel=0.07)


def test_crossfitted_ratios_are_calibrated(simulate: Simulate) -> None:
    scores = simulate(authors=15, each=30, apart=2.0, strange=1.0)
    judged = crossfitted(scores, fusion_of(scores), 0)
    assert cllr_cal(judged.inside[0][scores.own], judged.inside[0][scores.other]) < 0.03
    assert cllr_cal(judged.inside[1][scores.own], judged.outside[1][scores.strange]) < 0.03
    assert np.isnan(judged.outside[0][~scores.strange]).all() and not np.isnan(judged.outside[1][scores.strange]).any()


def test_scores_that_tell_nothing_cost_one_bit(simulate: Simulate) -> None:
    scores = simulate(authors=12, each=10, apart=0.0)
    calibration, judged = calibrate(scores, 0, count=40)
    assert cllr(judged.inside[0][scores.own], judged.inside[0][scores.other]) == pytest.approx(1.0, abs=0.05)
    found = calibration.ratios(scores.inside)
    assert (found.low <= 0).all() and (np.abs(found.headline) < 0.5).all(), "nobody is supported"


def test_the_ratios_of_an_author_rest_on_the_other_authors(simulate: Simulate) -> None:
    """Whatever the other texts of an author say: those of an author's text stay, and those of other authors' texts move."""
    scores = simulate(authors=10, each=8)
    fusion, judged = fusion_of(scores), 27
    assert FOLDS == 10, "each author has a fold"
    mine = scores.codes == scores.codes[judged]
    rest = mine & (np.arange(len(mine)) != judged)
    rng = np.random.default_rng(1)
    inside, outside = scores.inside.copy(), scores.outside.copy()
    inside[rest] = rng.normal(5, 9, inside[rest].shape)
    outside[rest] = np.where(np.isnan(outside[rest]), np.nan, rng.normal(-5, 9, outside[rest].shape))
    before = crossfitted(scores, fusion, 0)
    after = crossfitted(replace(scores, inside=inside, outside=outside), fusion, 0)
    for one, other in zip((*before.inside, *before.outside), (*after.inside, *after.outside), strict=True):
        assert np.allclose(one[judged], other[judged], rtol=1e-9, equal_nan=True)
        assert np.nanmax(np.abs(one - other)[~mine]) > 1e-3, "the others do rest on these texts"


def test_the_ratio_of_a_text_does_not_know_who_wrote_it(simulate: Simulate) -> None:
    """Two authors of one fold may change hands: nothing that is said of their texts was learnt from them."""
    scores = simulate(authors=20, each=4)
    fold = likelihood.author_folds(20, 0)
    one, other = np.flatnonzero(fold == fold[3])
    swapped = np.arange(20)
    swapped[[one, other]] = other, one
    fusion = fusion_of(scores)
    before = crossfitted(scores, fusion, 0)
    after = crossfitted(replace(scores, codes=swapped[scores.codes]), fusion, 0)
    rows = np.isin(scores.codes, (one, other))
    for mine, theirs in zip(before.inside, after.inside, strict=True):
        assert np.allclose(mine[rows], theirs[rows], rtol=1e-9)


@pytest.mark.parametrize(("authors", "folds"), [(2, 2), (3, 3), (10, 10), (34, 10)])
def test_folds_of_authors_are_even(authors: int, folds: int) -> None:
    sizes = np.bincount(likelihood.author_folds(authors, 4))
    assert len(sizes) == folds and sizes.max() - sizes.min() <= 1


def test_texts_and_authors_count_as_often_as_they_were_drawn(simulate: Simulate) -> None:
    """The line of a resample is that of the texts it drew, each of them met by each author as often as that one was drawn."""
    scores = simulate(authors=10, each=40)  # many: the ridge knows a weight of 2 from two texts, and is lost in them
    fusion = fusion_of(scores)
    standings = tuple(standing(fusion.z(each, scores.sizes)) for each in (scores.inside, scores.outside))
    whole = fit_line(scores, (standings[0], standings[1]))
    (draw,) = likelihood.resamples(scores.codes, 1, 3)
    found = likelihood._resampled(scores, fusion, whole, (standings[0], standings[1]), [draw], likelihood.silent)
    texts = draw.index()
    own = standings[0][texts][scores.own[texts]]
    strangers = np.concatenate(
        [np.repeat(standings[1][text, met], int(draw.authors[met])) for text in texts for met in np.flatnonzero(scores.strange[text])]
    )  # fmt: skip
    labels = np.arange(len(own) + len(strangers)) < len(own)
    line = likelihood.calibrated_line(np.concatenate([own, strangers]), labels)
    assert found[0, -2:] == pytest.approx(line, rel=5e-3)
    assert whole != pytest.approx(line, rel=5e-3)
    expected = fusion.again(scores.inside, scores.codes, scores.sizes, draw.documents[None])
    assert np.array_equal(found[:, :-2], expected)


@pytest.mark.parametrize(
    ("listed", "unlisted", "expected"),
    [
        (2.0, 1.0, 1.0), (1.0, 2.0, 1.0), (-2.0, -1.0, -2.0), (-1.0, -2.0, -2.0), (2.0, -1.0, -1.0), (-1.0, 2.0, -1.0),
        (0.0, 2.0, 0.0), (0.0, -2.0, -2.0), (0.0, 0.0, 0.0),
        (1.5, NAN, 1.5), (-1.5, NAN, -1.5), (NAN, 1.5, 1.5), (NAN, -1.5, -1.5), (NAN, NAN, NAN),  # one alone stands
    ],
)  # fmt: skip
def test_the_lower_of_two(listed: float, unlisted: float, expected: float) -> None:
    assert np.array_equal(lower(np.array([listed]), np.array([unlisted])), [expected], equal_nan=True)


@pytest.fixture(scope="module")
def calibration(simulate: Simulate) -> Calibration:
    return calibrate(simulate(strange=1.0), 0, count=60)[0]


@given(arrays(np.float64, (3, 12, 2), elements=st.one_of(st.floats(-1e2, 1e2), st.integers(-2, 2).map(float))))
def test_ratios_keep_within_bounds_and_intervals_hold_them(calibration: Calibration, scores: np.ndarray) -> None:
    found, z = calibration.ratios(scores), calibration.z(scores)
    assert calibration.unlisted_bounds is not None
    for llr, bounds in ((found.listed, calibration.listed_bounds), (found.unlisted, calibration.unlisted_bounds)):
        assert (llr >= bounds.lower).all() and (llr <= bounds.upper).all()
    assert np.array_equal(found.headline, np.minimum(found.listed, found.unlisted))
    three = (found.listed, found.unlisted, found.headline)
    for llr, (low, high) in zip(three, (found.listed_ends, found.unlisted_ends, (found.low, found.high)), strict=True):
        assert (low <= llr).all() and (llr <= high).all()
        for text in range(len(z)):
            order = np.argsort(z[text], kind="stable")
            assert (np.diff(llr[text][order]) >= -1e-9).all(), (
                "a higher score never gives a lower LR, nor a lower headline"
            )


def test_an_author_who_is_no_candidate_has_no_ratio(calibration: Calibration, simulate: Simulate) -> None:
    """And the others have what they would have if nobody had been asked about that one."""
    outside = simulate(strange=1.0).outside[:3]
    found = calibration.ratios(outside)
    for each in (found.listed, found.unlisted, found.headline, found.low, found.high):
        assert np.array_equal(np.isnan(each), np.isnan(outside[:, :, 0]))
    assert calibration.said(found, 0) == (None, None, None) and calibration.said(found, 1)[0] is not None


def test_bounds_are_those_of_the_ratios_that_are_used(simulate: Simulate) -> None:
    """Of left-out texts, by the fusion and the line of the calibration itself; cross-fitted ones of a few authors would give others."""
    scores = simulate(authors=10, each=6, apart=1.5)
    calibration, judged = calibrate(scores, 0, 20)
    inside, outside = calibration.log10_lr(scores.inside), calibration.log10_lr(scores.outside)
    expected = (
        elub(inside[0][scores.own], inside[0][scores.other]),
        elub(inside[1][scores.own], outside[1][scores.strange]),
    )
    assert (calibration.listed_bounds, calibration.unlisted_bounds) == expected
    assert calibration.listed_bounds != elub(judged.inside[0][scores.own], judged.inside[0][scores.other])


def test_far_scores_are_at_a_bound_and_middle_ones_not(calibration: Calibration) -> None:
    far = np.zeros((1, 12, 2))
    far[0, 0], far[0, 1:4] = 50.0, 0.3
    found = calibration.ratios(far)
    headline = calibration.said(found, 0)[0]
    assert headline is not None and headline.reached == "upper"
    assert calibration.unlisted_bounds is not None
    assert headline.log10 == min(calibration.listed_bounds.upper, calibration.unlisted_bounds.upper)
    middle = calibration.said(calibration.ratios(np.random.default_rng(0).normal(size=(1, 12, 2)) / 9), 3)
    assert all(each is not None and each.reached is None for each in middle)


def test_the_interval_is_the_middle_of_the_resampled_headlines(calibration: Calibration) -> None:
    scores = np.random.default_rng(2).normal(size=(5, 12, 2)) * 2
    found = calibration.ratios(scores)
    for text, author in ((0, 3), (4, 11)):
        draws = []
        for first, second, beta, intercept, slope in calibration.resampled:
            z = scores[text] @ (np.array((first, second)) / calibration.fusion.spread) + beta * 0.0
            listed, unlisted = log_odds(z)[author] / LN10, (intercept + slope * standing(z)[author]) / LN10
            draws.append(float(calibration.headline(np.array(listed), np.array(unlisted))))
        draws.sort()
        tail = int(0.025 * (len(draws) - 1))
        assert found.low[text, author] == pytest.approx(min(draws[tail], found.headline[text, author]))
        assert found.high[text, author] == pytest.approx(max(draws[-1 - tail], found.headline[text, author]))


def test_texts_judged_in_pieces_are_judged_alike(calibration: Calibration, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(3).normal(size=(7, 12, 2))
    whole = calibration.ratios(scores)
    monkeypatch.setattr(likelihood, "PIECE", 12 * 60 * 2)  # two texts at a time
    pieces = calibration.ratios(scores)
    assert np.array_equal(whole.low, pieces.low) and np.array_equal(whole.high, pieces.high)


def test_the_unlisted_alternative_needs_ten_authors(simulate: Simulate) -> None:
    for authors in (FEWEST_AUTHORS - 1, FEWEST_AUTHORS):
        scores = simulate(authors=authors)
        calibration, judged = calibrate(scores, 0, count=20)
        found = calibration.ratios(scores.inside)
        missing = authors < FEWEST_AUTHORS
        assert (calibration.unlisted_bounds is None) is missing
        assert np.isnan(found.unlisted).all() == missing and np.isnan(judged.inside[1]).all() == missing
        assert np.isfinite(found.headline).all() and np.isfinite(found.low).all()
        assert (calibration.said(found, 2)[2] is None) is missing
        if missing:
            assert calibration.line is NO_LINE and np.array_equal(found.headline, found.listed)


def test_two_authors_are_enough_for_odds(simulate: Simulate) -> None:
    scores = simulate(authors=2, each=12)
    calibration, judged = calibrate(scores, 0, count=20)
    found = calibration.ratios(scores.inside)
    assert np.allclose(found.listed[:, 0], np.clip(-calibration.log10_lr(scores.inside)[0][:, 1], *_ends(calibration)))
    assert np.isnan(judged.outside[0]).all(), "an outsider's text has one author left to be compared with"


def _ends(calibration: Calibration) -> tuple[float, float]:
    return calibration.listed_bounds.lower, calibration.listed_bounds.upper


def test_without_scores_of_strangers_the_rest_stands(simulate: Simulate) -> None:
    scores = simulate()
    without = replace(scores, outside=np.full_like(scores.outside, np.nan))
    calibration, judged = calibrate(without, 0, count=20)
    assert calibration.unlisted_bounds is None and np.isnan(judged.outside[0]).all()
    assert np.isfinite(calibration.ratios(without.inside).headline).all()


def test_too_many_useless_resamples_give_no_interval(simulate: Simulate) -> None:
    """One author of ten has scores for texts of their own: too often that one is not drawn."""
    scores = simulate(authors=10, each=3)
    inside = scores.inside.copy()
    inside[(scores.codes[:, None] == np.arange(10)) & (scores.codes >= 1)[:, None]] = np.nan
    calibration, judged = calibrate(replace(scores, inside=inside), 0, 100)
    assert calibration.resampled.shape == (0, 5)
    assert calibration.unlisted_bounds is None and np.isnan(judged.outside[1]).all(), (
        "nobody else to learn the line from"
    )
    found = calibration.ratios(scores.inside[:1])
    assert np.isfinite(found.headline).all() and np.isnan(found.low).all() and np.isnan(found.high).all()
    headline = calibration.said(found, 0)[0]
    assert headline is not None and headline.interval is None
    assert len(calibrate(scores, 0, 20)[0].resampled) == 20


def test_nothing_to_calibrate_with_is_said(simulate: Simulate) -> None:
    scores = simulate(authors=10, each=3)
    nobody = replace(scores, inside=np.where(scores.own[:, :, None], np.nan, scores.inside))
    standings = (scores.inside[:, :, 0], scores.outside[:, :, 0])
    assert not nobody.tried.any()
    with pytest.raises(CalibrationError, match="at least two authors have two each"):
        fit_line(nobody, standings)


def test_scores_are_in_the_precision_in_which_they_are_kept() -> None:
    third = np.full((4, 2, 1), 1 / 3)
    made = Scores.of(third, third, np.array([0, 0, 0, 1]))
    assert made.inside.dtype == np.float64 and (made.inside == np.float32(1 / 3)).all()
    assert (made.outside == np.float32(1 / 3)).all() and made.sizes.tolist() == [3, 1]


def test_joined_scores_are_means_of_those_of_their_texts(simulate: Simulate) -> None:
    scores = simulate(authors=3, each=5)
    groups = np.array([0, 0, -1, 1, 1, 2, -1, 2, -1, -1, 3, -1, -1, 3, -1])
    found = scores.joined(groups)
    assert found.codes.tolist() == [0, 0, 1, 2] and found.sizes.tolist() == [5, 5, 5], "an author has all their texts"
    for number, rows in enumerate(([0, 1], [3, 4], [5, 7], [10, 13])):
        for made, of in ((found.inside, scores.inside), (found.outside, scores.outside)):
            expected = (of[rows[0]] + of[rows[1]]) / 2
            assert made[number] == pytest.approx(expected, nan_ok=True)


def test_a_joined_text_is_tried_where_all_of_its_texts_are(simulate: Simulate) -> None:
    scores = simulate(authors=3, each=4)
    inside = scores.inside.copy()
    inside[1] = np.nan
    found = replace(scores, inside=inside).joined(np.repeat(np.arange(6), 2))
    assert found.tried.tolist() == [False, True, True, True, True, True]


def test_with_too_few_authors_the_alternative_is_one_of_the_listed_and_nobody_else(simulate: Simulate) -> None:
    for authors, alternative in ((9, Alternative.CLOSED), (10, Alternative.LISTED)):
        scores = simulate(authors=authors)
        calibration = calibrate(scores, 0, count=20)[0]
        listed = calibration.said(calibration.ratios(scores.inside[:1]), 0)[1]
        assert listed is not None and listed.alternative is alternative


def test_who_meets_whom() -> None:
    inside, outside = np.zeros((3, 2, 1)), np.zeros((3, 2, 1))
    inside[2, 1], outside[[0, 1, 2], [0, 0, 1]] = np.nan, np.nan
    scores = Scores(inside, outside, np.array([0, 0, 1]), np.array([2, 1]))
    assert scores.own.tolist() == [[True, False], [True, False], [False, False]]
    assert scores.other.tolist() == [[False, True], [False, True], [True, False]]
    assert scores.strange.tolist() == scores.other.tolist()
    assert scores.tried.tolist() == [True, True, False], "the only text of its author"


def test_scores_without_some_families(simulate: Simulate) -> None:
    scores = simulate()
    kept = scores.without(0)
    assert np.array_equal(kept.inside, scores.inside[:, :, [1]]) and kept.outside.shape[2] == 1
    assert kept.codes is scores.codes and scores.without().inside.shape == scores.inside.shape


def test_the_number_of_resamples_and_cancelling(simulate: Simulate) -> None:
    steps: list[float] = []
    watch: Progress = lambda fraction, message="": steps.append(fraction)  # noqa: E731
    assert len(calibrate(simulate(), 0, 7, watch)[0].resampled) == 7
    assert len(steps) >= 7 and steps == sorted(steps)
    assert len(calibrate(simulate(), 0, 0)[0].resampled) == 0


def test_an_interval_keeps_within_the_bounds_of_the_alternative_it_is_for() -> None:
    """Resamples may disagree with the whole about which alternative is the lower one."""
    draws = [[1.0, 0.0, -30.0, 1.0], [1.0, 0.0, 30.0, 1.0]] * 20
    both = fixed((-2.0, 1.0), draws, Bounds(-3.0, 2.0, 5, 9), Bounds(-1.0, 1.5, 5, 7))
    found = both.ratios(row(1.0, 0.0, 0.0))
    assert found.headline[0, 0] == found.unlisted[0, 0], "the unlisted alternative is the lower one"
    assert found.low[0, 0] == -1.0 and found.high[0, 0] == pytest.approx(found.listed[0, 0])
    headline, listed, unlisted = both.said(found, 0)
    assert headline is not None and listed is not None and unlisted is not None
    assert headline.alternative is Alternative.UNLISTED and headline.interval == (found.low[0, 0], found.high[0, 0])
    assert unlisted.interval == (-1.0, 1.5), "its own reaches further than the headline's"
    assert listed.interval == pytest.approx((listed.log10, listed.log10)), "no resample moves the fusion"


def test_bounds_are_those_of_both_alternatives() -> None:
    both = fixed((0.0, 9.0), None, Bounds(-1.0, 2.0, 5, 9), Bounds(-2.0, 1.0, 5, 7))
    found = both.ratios(row(9.0, 0.0, -9.0))
    assert found.headline[0, [0, 2]].tolist() == [1.0, -2.0]
    high, low = both.said(found, 0)[0], both.said(found, 2)[0]
    assert high is not None and high.reached == "upper" and high.bounds.upper == 1.0
    assert low is not None and low.reached == "lower" and low.alternative is Alternative.UNLISTED


def test_the_number_of_texts_is_taken_out_of_the_answer() -> None:
    """With unequal authors the scores of the largest are the largest, and the fusion learns how much of that is number alone."""
    rng = np.random.default_rng(0)
    sizes = np.array([40, 10, 5])
    codes = np.repeat(np.arange(3), sizes)
    inside = rng.normal(size=(len(codes), 3, 1)) + 0.8 * np.log(sizes)[:, None] + 2.0 * np.eye(3)[codes][:, :, None]
    scores = Scores(inside, np.full_like(inside, np.nan), codes, sizes)
    calibration = calibrate(scores, 0, 0)[0]
    weight = calibration.fusion.weights[0] / calibration.fusion.spread[0]
    assert calibration.fusion.size == pytest.approx(-0.8 * weight, rel=0.3)
    same = np.log(sizes)[None, :, None] * 0.8  # a text that speaks for nobody
    assert np.ptp(calibration.z(same)) < 0.3 * np.ptp(weight * same)


# --- the choice of known texts ---------------------------------------------------------------------------------------


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    """Of each author by itself: the variances of a figure to which two authors add their means."""
    rng = np.random.default_rng(0)
    values, codes = rng.normal(size=12), np.repeat([0, 1], [5, 7])
    sums = []
    for gone in range(12):
        kept = np.arange(12) != gone
        sums.append(sum(values[kept & (codes == code)].mean() for code in (0, 1)))
    expected = np.sqrt(sum(values[codes == code].var(ddof=1) / (codes == code).sum() for code in (0, 1)))
    assert jackknife(np.array(sums)[:, None], codes) == pytest.approx([expected])


def test_the_only_text_of_an_author_says_nothing_about_its_choice() -> None:
    assert jackknife(np.array([[5.0], [1.0], [1.0]]), np.array([0, 1, 1])).tolist() == [0.0]


def test_intervals_cover_the_choice_of_known_texts(calibration: Calibration) -> None:
    """Never narrower than without, within the bounds, and unchanged where no known text matters."""
    scores = np.random.default_rng(5).normal(size=(1, 12, 2))
    found, codes = calibration.ratios(scores), np.repeat(np.arange(12), 10)
    same = calibration.widened(found, scores, np.repeat(scores, 120, axis=0), codes)
    for name in ("listed", "unlisted", "headline", "low", "high"):
        assert getattr(same, name) == pytest.approx(getattr(found, name))
    other = scores + np.random.default_rng(6).normal(0, 0.05, (120, 12, 2))
    wide = calibration.widened(found, scores, other, codes)
    assert np.array_equal(wide.headline, found.headline), "the LR itself is what it was"
    assert (wide.low <= found.low + 1e-9).all() and (wide.high >= found.high - 1e-9).all()
    assert (wide.high - wide.low > found.high - found.low + 1e-6).mean() > 0.5
    far = 40.0 * np.eye(12)[:1, :, None] + scores
    at_bound = calibration.ratios(far)
    moved = calibration.widened(at_bound, far, far + 60.0 * (other - scores), codes)
    assert moved.low[0, 0] < at_bound.low[0, 0], "a bound does not hide what the choice of texts moves"
    bounds = [calibration.listed_bounds, calibration.unlisted_bounds]
    assert all(each is not None for each in bounds)
    assert wide.high.max() <= min(each.upper for each in bounds if each) + 1e-9
    assert wide.low.min() >= min(each.lower for each in bounds if each) - 1e-9
    for ends, each in ((wide.listed_ends, bounds[0]), (wide.unlisted_ends, bounds[1])):
        assert each is not None and ends[0].min() >= each.lower and ends[1].max() <= each.upper

"""From scores to likelihood ratios: what simulated scores must give, what may not leak, bounds, intervals, the weaker alternative."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.calibration import CalibrationError
from forensia.evidence.elub import Bounds
from forensia.evidence.likelihood import (
    FEWEST_AUTHORS,
    LN10,
    NO_LINE,
    Calibration,
    Lines,
    Scores,
    calibrate,
    crossfitted,
    fit_lines,
    resampled_lines,
    weaker,
)
from forensia.evidence.measures import cllr, cllr_cal
from forensia.jobs import Progress

Simulate = Callable[..., Scores]
NAN = float("nan")


def test_the_line_of_normal_scores_is_found(simulate: Simulate) -> None:
    """Two normal distributions of unit variance, d apart: the natural log LR of x is d x - d²/2."""
    apart, strange = 2.0, 0.5
    lines = fit_lines(simulate(authors=20, each=100, apart=apart, strange=strange))
    assert lines.listed == pytest.approx((-(apart**2) / 2, apart), rel=0.07)
    # Against strangers, who score higher: distance 1.5, and the middle lies at 1.25.
    assert lines.unlisted == pytest.approx((-1.5 * 1.25, 1.5), rel=0.07)


def test_crossfitted_ratios_are_calibrated(simulate: Simulate) -> None:
    scores = simulate(authors=15, each=30, apart=2.0, strange=0.5)
    judged = crossfitted(scores)
    assert cllr_cal(judged.inside[0][scores.own], judged.inside[0][scores.other]) < 0.03
    assert cllr_cal(judged.inside[1][scores.own], judged.outside[1][scores.strange]) < 0.03
    assert np.isnan(judged.outside[0][~scores.strange]).all() and not np.isnan(judged.outside[1][scores.strange]).any()


def test_scores_that_tell_nothing_cost_one_bit(simulate: Simulate) -> None:
    scores = simulate(authors=12, each=10, apart=0.0)
    judged = crossfitted(scores)
    assert cllr(judged.inside[0][scores.own], judged.inside[0][scores.other]) == pytest.approx(1.0, abs=0.05)
    calibration, _ = calibrate(scores, 0, count=40)
    found = calibration.ratios(scores.inside)
    assert (found.low <= 0).all() and (np.abs(found.headline) < 0.5).all(), "nobody is supported"


@pytest.mark.parametrize("side", ["inside", "outside"])
def test_the_ratios_of_a_fold_rest_on_the_other_folds(simulate: Simulate, side: str) -> None:
    """Whatever the rows of a fold say, of either kind: the lines used for that fold stay, and so do their LRs as a line of the scores."""
    scores = simulate()
    fold = getattr(scores, f"{side}_fold")
    rows = fold == 3
    rng = np.random.default_rng(1)
    inside, outside = scores.inside.copy(), scores.outside.copy()
    inside[rows] = rng.normal(5, 9, inside[rows].shape)
    outside[rows] = np.where(np.isnan(outside[rows]), np.nan, rng.normal(-5, 9, outside[rows].shape))
    codes = scores.codes.copy()
    codes[rows] = rng.permutation(codes[rows])  # and they may even change hands
    changed = replace(scores, inside=inside, outside=outside, codes=codes)
    before, after = crossfitted(scores), crossfitted(changed)
    for number in (0, 1):  # both alternatives
        lines = []
        for judged, tried in ((before, scores), (after, changed)):
            x, y = getattr(tried, side)[rows], getattr(judged, side)[number][rows]
            known = ~np.isnan(x)
            lines.append(np.polyfit(x[known], y[known], 1))
            assert np.allclose(np.polyval(lines[-1], x[known]), y[known])
        assert np.allclose(*lines, rtol=1e-6, atol=1e-8)
        others = ~rows
        moved = np.abs(getattr(before, side)[number][others] - getattr(after, side)[number][others])
        assert np.nanmax(moved) > 1e-3, "the other folds do rest on these rows"


def test_the_ratio_of_a_document_does_not_know_its_own_author(simulate: Simulate) -> None:
    scores = simulate()
    codes = scores.codes.copy()
    codes[7] = (codes[7] + 1) % 12
    before, after = crossfitted(scores), crossfitted(replace(scores, codes=codes))
    assert np.allclose(before.inside[0][7], after.inside[0][7], rtol=1e-6)


def test_documents_and_authors_count_as_often_as_they_were_drawn(simulate: Simulate) -> None:
    scores = simulate(
        authors=10, each=60
    )  # many: the ridge, which knows a weight of 2 from two documents, is lost in them
    documents = np.random.default_rng(0).integers(0, 3, len(scores.codes)).astype(np.float64)
    index = np.repeat(np.arange(len(documents)), documents.astype(int))
    drawn = Scores(
        scores.inside[index], scores.outside[index], scores.codes[index],
        scores.inside_fold[index], scores.outside_fold[index],
    )  # fmt: skip
    one, other = fit_lines(scores, documents), fit_lines(drawn)
    assert one.listed == pytest.approx(other.listed, rel=2e-3) and one.unlisted == pytest.approx(
        other.unlisted, rel=2e-3
    )
    # An author drawn twice is met twice by all others, but owns a document once.
    authors = np.ones(10)
    authors[3] = 2
    twice = fit_lines(scores, authors=authors)
    wide = replace(
        scores,
        inside=np.column_stack((scores.inside, np.where(scores.codes == 3, np.nan, scores.inside[:, 3]))),
        outside=np.column_stack((scores.outside, scores.outside[:, 3])),
    )
    again = fit_lines(wide)
    assert twice.listed == pytest.approx(again.listed, rel=2e-3) != pytest.approx(fit_lines(scores).listed, rel=2e-3)
    assert twice.unlisted == pytest.approx(again.unlisted, rel=2e-3)


def test_a_start_changes_nothing_that_counts(simulate: Simulate) -> None:
    scores = simulate()
    exact = fit_lines(scores)
    near = fit_lines(scores, near=Lines((0.3, 4.0), (-2.0, 0.1)))
    assert near.listed == pytest.approx(exact.listed, rel=1e-6) and near.unlisted == pytest.approx(
        exact.unlisted, rel=1e-6
    )


@pytest.mark.parametrize(
    ("listed", "unlisted", "expected"),
    [
        (2.0, 1.0, 1.0), (1.0, 2.0, 1.0),  # both above 1: nearer to it
        (-2.0, -1.0, -1.0), (-1.0, -2.0, -1.0),  # both below: nearer to it
        (2.0, -1.0, -1.0), (-1.0, 2.0, -1.0),  # on different sides: the lower
        (0.0, 2.0, 0.0), (0.0, -2.0, -2.0), (2.0, 0.0, 0.0), (-2.0, 0.0, -2.0), (0.0, 0.0, 0.0),
        (1.5, NAN, 1.5), (-1.5, NAN, -1.5), (NAN, 1.5, 1.5), (NAN, -1.5, -1.5), (NAN, NAN, NAN),  # one alone stands
    ],
)  # fmt: skip
def test_the_weaker_of_two(listed: float, unlisted: float, expected: float) -> None:
    assert np.array_equal(weaker(np.array([listed]), np.array([unlisted])), [expected], equal_nan=True)


@pytest.fixture(scope="module")
def calibration(simulate: Simulate) -> Calibration:
    return calibrate(simulate(strange=0.5), 0, count=60)[0]


@given(st.lists(st.one_of(st.floats(-1e4, 1e4), st.just(NAN)), min_size=1, max_size=20))
def test_ratios_keep_within_bounds_and_intervals_hold_them(calibration: Calibration, values: list[float]) -> None:
    scores = np.array(values)
    found = calibration.ratios(scores)
    known = ~np.isnan(scores)
    for name in ("listed", "unlisted", "headline", "low", "high"):
        assert np.array_equal(np.isnan(getattr(found, name)), ~known)
    assert calibration.unlisted_bounds is not None
    for llr, bounds in ((found.listed, calibration.listed_bounds), (found.unlisted, calibration.unlisted_bounds)):
        assert (llr[known] >= bounds.lower).all() and (llr[known] <= bounds.upper).all()
    assert np.array_equal(found.headline, weaker(found.listed, found.unlisted), equal_nan=True)
    assert (found.low[known] <= found.headline[known]).all() and (found.headline[known] <= found.high[known]).all()
    order = np.argsort(scores[known], kind="stable")
    for each in (found.listed, found.unlisted):
        assert (np.diff(each[known][order]) >= 0).all(), "a higher score never gives a lower LR"
    agreed = (found.listed > 0) == (
        found.unlisted > 0
    )  # where they do not agree, the lower counts, and the headline may fall
    for side in (found.listed > 0, found.listed <= 0):
        kept = (known & agreed & side)[known][order]
        assert (np.diff(found.headline[known][order][kept]) >= 0).all()
    limits = [calibration.listed_bounds, calibration.unlisted_bounds]
    ends = {end for bounds in limits for end in (bounds.lower, bounds.upper)}
    assert all(llr in ends for llr in found.headline[known & found.bounded])


def test_far_scores_are_at_a_bound_and_middle_ones_not(calibration: Calibration) -> None:
    found = calibration.ratios(np.array([[-50.0, 1.0, 50.0]]))
    assert found.bounded.tolist() == [[True, False, True]]
    assert calibration.unlisted_bounds is not None
    assert found.headline[0, 2] == min(calibration.listed_bounds.upper, calibration.unlisted_bounds.upper)


def test_the_interval_is_the_middle_of_the_resampled_headlines(calibration: Calibration) -> None:
    score = 1.3
    draws = []
    for a, b, c, d in calibration.resampled:
        draws.append(float(calibration.headline(np.array((a + b * score) / LN10), np.array((c + d * score) / LN10))))
    draws.sort()
    found = calibration.ratios(np.array([score]))
    tail = int(0.025 * (len(draws) - 1))
    assert found.low[0] == pytest.approx(min(draws[tail], found.headline[0]))
    assert found.high[0] == pytest.approx(max(draws[-1 - tail], found.headline[0]))


def test_the_unlisted_alternative_needs_ten_authors(simulate: Simulate) -> None:
    for authors in (FEWEST_AUTHORS - 1, FEWEST_AUTHORS):
        scores = simulate(authors=authors)
        calibration, judged = calibrate(scores, 0, count=20)
        found = calibration.ratios(scores.inside)
        missing = authors < FEWEST_AUTHORS
        assert (calibration.unlisted_bounds is None) is missing
        assert np.isnan(found.unlisted).all() == missing and np.isnan(judged.inside[1]).all() == missing
        assert np.isfinite(found.headline).all() and np.isfinite(found.low).all()
        if missing:
            assert calibration.lines.unlisted is NO_LINE and np.array_equal(found.headline, found.listed)


def test_without_scores_of_strangers_the_rest_stands(simulate: Simulate) -> None:
    scores = simulate()
    without = replace(scores, outside=np.full_like(scores.outside, np.nan), outside_fold=np.zeros_like(scores.codes))
    calibration, judged = calibrate(without, 0, count=20)
    assert calibration.unlisted_bounds is None and np.isnan(judged.outside[0]).all()
    assert np.isfinite(calibration.ratios(without.inside).headline).all()


def test_too_many_useless_resamples_give_no_interval(simulate: Simulate) -> None:
    """One author of ten has scores for texts of their own: too often that one is not drawn."""
    scores = simulate(authors=10, each=3)
    inside = scores.inside.copy()
    inside[(scores.codes[:, None] == np.arange(10)) & (scores.codes >= 1)[:, None]] = np.nan
    lonely = replace(scores, inside=inside)
    lines = fit_lines(lonely)
    resampled = resampled_lines(lonely, lines, 0, 100)
    assert resampled.shape == (0, 4)
    found = Calibration(lines, resampled, Bounds(-1.0, 1.0, 3, 9), None).ratios(np.array([2.0]))
    assert np.isfinite(found.headline).all() and np.isnan(found.low).all() and np.isnan(found.high).all()
    assert len(resampled_lines(scores, fit_lines(scores), 0, 20)) == 20


def test_nothing_to_calibrate_with_is_said(simulate: Simulate) -> None:
    scores = simulate(authors=10, each=3)
    with pytest.raises(CalibrationError, match="at least two authors have two each"):
        fit_lines(replace(scores, inside=np.where(scores.own, np.nan, scores.inside)))


def test_scores_of_raw_scores_subtract_the_cohort(simulate: Simulate) -> None:
    raw = simulate()
    made = Scores.of(raw.inside, raw.outside, raw.codes.astype(np.int32), raw.inside_fold, raw.outside_fold)
    row = raw.inside[5]
    others = np.sort(np.delete(row, 2))[::-1][:3]
    assert made.inside[5, 2] == pytest.approx(row[2] - others.mean())
    assert np.array_equal(np.isnan(made.outside), np.isnan(raw.outside)) and made.codes.dtype == np.intp


def test_the_number_of_resamples_and_cancelling(simulate: Simulate) -> None:
    steps: list[float] = []
    watch: Progress = lambda fraction, message="": steps.append(fraction)  # noqa: E731
    assert len(calibrate(simulate(), 0, 7, watch)[0].resampled) == 7
    assert len(steps) >= 7 and steps == sorted(steps)


def test_an_interval_keeps_within_the_bounds_of_the_alternative_it_is_for() -> None:
    """Resamples may disagree with the whole about which alternative is the weaker one."""
    lines = Lines((0.0, 0.2), (-1.0, 0.2))
    resampled = np.array([[-30.0, 0.2, 30.0, 0.2], [30.0, 0.2, 30.0, 0.2]] * 20)
    both = Calibration(lines, resampled, Bounds(-3.0, 2.0, 5, 9), Bounds(-1.0, 1.5, 5, 7))
    found = both.ratios(np.array([1.0]))
    assert found.headline == found.unlisted, "the unlisted alternative is the weaker one"
    assert found.low == -1.0 and found.high == 1.5, "not -3, the bound of the other"


def test_bounds_are_those_of_both_alternatives() -> None:
    lines = Lines((0.0, 1.0), (0.0, 1.0))
    resampled = np.array([[0.0, 1.0, 0.0, 1.0]])
    both = Calibration(lines, resampled, Bounds(-1.0, 2.0, 5, 9), Bounds(-2.0, 1.0, 5, 7))
    assert both.highest == 1.0 and replace(both, unlisted_bounds=None).highest == 2.0
    found = both.ratios(np.array([-9.0, 9.0]))
    assert found.headline.tolist() == [-1.0, 1.0] and found.bounded.all()

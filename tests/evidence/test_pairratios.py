"""Likelihood ratios of two texts: which pairs they are learnt from, what may not leak, and how good they say they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence import pairwise
from forensia.evidence.calibration import BinnedScores, CalibrationError
from forensia.evidence.measures import auc, cllr, cllr_min, eer
from forensia.evidence.pairwise import FEWEST, LN10, PairCalibration, PairScores, calibrate_pairs
from forensia.evidence.result import Alternative


def matrices(
    authors: int = 10, each: int = 8, apart: float = 2.0, seed: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Scores of pairs with one document known, of pairs with none, the authors and the folds."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(authors), each)
    fold = np.arange(len(codes)) % 5
    log_odds = rng.normal(size=(len(codes), len(codes))) + apart * (codes[:, None] == codes)
    same_fold = fold[:, None] == fold
    unseen = np.where(same_fold, (log_odds + log_odds.T) / 2**0.5, np.nan)
    np.fill_diagonal(unseen, np.nan)
    return np.where(same_fold, np.nan, log_odds).astype(np.float32), unseen.astype(np.float32), codes, fold


def scored(matrix: np.ndarray, codes: np.ndarray, fold: np.ndarray) -> PairScores:
    """All pairs that a matrix has scores for, each once."""
    once = (fold[:, None] != fold) | np.triu(np.ones(matrix.shape, bool), 1)  # pairs within a fold stand there twice
    first, second = np.nonzero(~np.isnan(matrix) & once)
    return PairScores.of(matrix[first, second].astype(np.float64), first, second, codes, fold)


def test_pairs_know_their_authors_and_folds() -> None:
    codes, fold = np.array([0, 0, 1, 2]), np.array([3, 4, 3, 5])
    pairs = PairScores.of(np.array([0.5, -1.0]), np.array([0, 3]), np.array([1, 2]), codes, fold)
    assert pairs.same.tolist() == [True, False] and pairs.folds.tolist() == [[3, 4], [5, 3]]


def test_the_line_of_normal_scores_is_found() -> None:
    known, _, codes, fold = matrices(authors=20, each=20, apart=2.0)
    calibration, measured = found(scored(known, codes, fold), codes, 3)
    assert calibration.line == pytest.approx((-2.0, 2.0), rel=0.05)
    assert measured.cllr - measured.cllr_min < 0.02
    assert measured.accuracy == pytest.approx(0.5 * (0.977 + 0.5), abs=0.02), "h itself says Same above zero"


def found(pairs: PairScores, codes: np.ndarray, count: int = 25) -> tuple[PairCalibration, pairwise.PairPerformance]:
    answer = calibrate_pairs(pairs, codes, 0, count)
    assert answer is not None
    return answer


@pytest.mark.parametrize("kind", ["known", "unseen"])
def test_no_pair_is_judged_by_a_line_that_knows_its_fold(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known, unseen, codes, fold = matrices()
    pairs = scored(known if kind == "known" else unseen, codes, fold)
    used: list[np.ndarray] = []
    plain = pairwise.calibrated_line

    def watched(*given: object) -> tuple[float, float]:
        if len(given) > 2:
            used.append(given[2])  # type: ignore[arg-type]
        return plain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(pairwise, "calibrated_line", watched)
    found(pairs, codes, 1)
    for number, weights in enumerate(used[:5]):
        rested = weights > 0
        assert not (pairs.folds[rested] == number).any(), "neither document, whichever comes first"
        assert (rested == (pairs.folds != number).all(axis=1)).all(), "and all others are used"


def test_performance_is_that_of_pairs_judged_without_themselves() -> None:
    known, _, codes, fold = matrices()
    pairs = scored(known, codes, fold)
    _, measured = found(pairs, codes)
    judged = np.empty(len(pairs.same))
    for number in range(5):
        intercept, slope = pairwise.calibrated_line(
            pairs.log_odds, pairs.same, (pairs.folds != number).all(axis=1).astype(float)
        )
        tried = pairs.folds[:, 0] == number
        judged[tried] = (intercept + slope * pairs.log_odds[tried]) / LN10
    same, different = judged[pairs.same], judged[~pairs.same]
    assert (measured.same, measured.different) == (len(same), len(different))
    expected = [f(same, different) for f in (cllr, cllr_min, auc, eer)]
    assert [measured.cllr, measured.cllr_min, measured.auc, measured.eer] == pytest.approx(expected, rel=1e-6)
    assert measured.cllr_interval.low <= measured.cllr <= measured.cllr_interval.high
    assert measured.cllr_interval.resamples == 25


def test_pairs_that_tell_nothing_cost_one_bit() -> None:
    known, _, codes, fold = matrices(apart=0.0)
    calibration, measured = found(scored(known, codes, fold), codes, 60)
    assert measured.cllr == pytest.approx(1.0, abs=0.02) and measured.cllr_interval.high >= 1
    ends = calibration.said(1.0, Alternative.LISTED).interval
    assert ends is not None and ends[0] <= 0 <= ends[1]


@pytest.fixture(scope="module")
def calibration() -> PairCalibration:
    known, _, codes, fold = matrices()
    return found(scored(known, codes, fold), codes)[0]


@given(st.floats(-1e4, 1e4), st.floats(0, 100))
def test_ratios_keep_within_bounds_and_rise(calibration: PairCalibration, log_odds: float, more: float) -> None:
    ratio, bounds = calibration.said(log_odds, Alternative.UNLISTED), calibration.bounds
    assert ratio.interval is not None
    assert bounds.lower <= ratio.interval[0] <= ratio.log10 <= ratio.interval[1] <= bounds.upper
    assert ratio.reached == {bounds.lower: "lower", bounds.upper: "upper"}.get(ratio.log10)
    assert ratio.alternative is Alternative.UNLISTED and ratio.bounds == bounds
    assert calibration.said(log_odds + more, Alternative.UNLISTED).log10 >= ratio.log10


def test_a_calibration_comes_back_from_its_numbers(calibration: PairCalibration) -> None:
    again = PairCalibration.from_dict(calibration.to_dict(), calibration.resampled)
    assert all(again.said(x, Alternative.LISTED) == calibration.said(x, Alternative.LISTED) for x in (-3.0, 0.1, 8.0))


def test_too_few_pairs_are_not_estimable() -> None:
    known, unseen, codes, fold = matrices(authors=2, each=4)
    few = scored(unseen, codes, fold)
    assert min(few.same.sum(), (~few.same).sum()) < FEWEST and not few.estimable
    assert calibrate_pairs(few, codes, 0, 25) is None
    nothing = scored(np.full_like(known, np.nan), codes, fold)
    assert not len(nothing.first) and calibrate_pairs(nothing, codes, 0, 25) is None


def test_one_fold_cannot_be_judged() -> None:
    _, _, codes, _ = matrices(authors=3, each=5)
    fold = np.zeros(len(codes), dtype=np.int64)
    scores = np.random.default_rng(0).normal(size=(len(codes), len(codes)))
    pairs = scored(scores, codes, fold)
    assert pairs.estimable and calibrate_pairs(pairs, codes, 0, 25) is None


def test_too_many_useless_resamples_give_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    known, _, codes, fold = matrices()
    plain, calls = BinnedScores.line, iter(range(1000))

    def failing(*given: object) -> tuple[float, float]:
        if next(calls) > 12:
            raise CalibrationError("no pair of one class was drawn")
        return plain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(BinnedScores, "line", failing)
    calibration, measured = found(scored(known, codes, fold), codes)
    ratio = calibration.said(1.0, Alternative.LISTED)
    assert np.isfinite(ratio.log10) and ratio.interval is None and np.isnan(measured.cllr_interval.high)
    assert measured.cllr_interval.spans(0.0), "an interval that is not known excludes nothing"

"""The calibrator against lir's, and what makes its log-odds a likelihood ratio."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.calibration import BINS, RIDGE, BinnedScores, CalibrationError, calibrated_line, class_balance
from forensia.evidence.measures import cllr, cllr_min

SETS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "lir" / "lir-1.3.3.json").read_text(encoding="utf-8")
)["sets"]
FITTED = [name for name, case in SETS.items() if isinstance(case["logit_tight"], dict)]
MIXED = ["overlapping", "overconfident", "useless", "inverted", "tiny", "ties", "infinite_true", "large"]

scores = st.lists(st.floats(-20, 20), min_size=1, max_size=25)


def numbers(values: list[Any]) -> np.ndarray:
    return np.array([float(value) for value in values])


def labelled(name: str) -> tuple[np.ndarray, np.ndarray]:
    case = SETS[name]
    labels = np.repeat([True, False], [len(case["same"]), len(case["different"])])
    return numbers(case["same"] + case["different"]), labels


@dataclass
class Calibrator:
    """A line with what the tests ask of it."""

    ridge: float = RIDGE
    increasing: bool = True

    def fit(self, x: Any, y: Any, weights: Any = None) -> Calibrator:
        self.intercept_, self.slope_ = calibrated_line(x, y, weights, None, self.ridge, self.increasing)
        finite = np.isfinite(np.asarray(x, float))
        self.given = np.asarray(x, float)[finite], np.asarray(y, bool)[finite]
        return self

    @property
    def converged_(self) -> bool:
        """Whether the slope of what is minimised vanishes; at the edge, where no score says anything, it need not."""
        if not self.slope_:
            return abs(self.intercept_) < 1e-12
        x, y = self.given
        w, signs = class_balance(y), np.where(y, 1.0, -1.0)
        centre = float((w * x).sum())
        z = (x - centre) / np.sqrt((w * (x - centre) ** 2).sum())
        wrong = 1 / (1 + np.exp(np.minimum((self.intercept_ + self.slope_ * x) * signs, 700)))
        penalty = self.ridge / min(y.sum(), (~y).sum()) * self.slope_ * np.sqrt((w * (x - centre) ** 2).sum())
        return bool(max(abs((w * wrong * signs).sum()), abs(penalty - (w * wrong * signs * z).sum())) < 1e-12)

    def transform(self, x: Any) -> np.ndarray:
        """log10 LR; without a slope the intercept alone, whatever the score."""
        values = np.asarray(x, float)
        return np.asarray(
            (self.intercept_ + (self.slope_ * values if self.slope_ else 0.0 * np.zeros(len(values)))) / np.log(10)
        )


def as_lir(x: np.ndarray, y: np.ndarray, c: float) -> Calibrator:
    """scikit-learn penalises slope²/2 against C times a loss that sums to n; ours the standardised slope against a mean."""
    finite = np.isfinite(x)
    x, y = x[finite], y[finite]
    w = class_balance(y)
    variance = float(np.sum(w * (x - np.sum(w * x)) ** 2))
    smaller = min(y.sum(), (~y).sum())
    return Calibrator(ridge=float(smaller / (c * x.size * variance)) if variance else 0.0, increasing=False)


@pytest.mark.parametrize("name", FITTED)
def test_equals_lir_with_its_ridge(name: str) -> None:
    """Same optimum as LogitCalibrator(C=1) when its solver is told to find it exactly."""
    x, y = labelled(name)
    calibrator = as_lir(x, y, 1.0).fit(x, y)
    expected = SETS[name]["logit_tight"]
    assert calibrator.converged_
    assert calibrator.transform(numbers(SETS[name]["new"])) == pytest.approx(numbers(expected["new"]), abs=1e-9)
    assert calibrator.slope_ == pytest.approx(expected["slope"], abs=1e-9)
    assert calibrator.intercept_ == pytest.approx(expected["intercept"], abs=1e-9)


@pytest.mark.parametrize("name", FITTED)
def test_lir_as_it_comes_stops_within_its_tolerance(name: str) -> None:
    """LogitCalibrator() runs lbfgs to a gradient of 1e-4, so it stands up to 0.006 of a log10 LR from its own optimum."""
    x, y = labelled(name)
    ours = as_lir(x, y, 1.0).fit(x, y).transform(numbers(SETS[name]["new"]))
    assert ours == pytest.approx(numbers(SETS[name]["logit_default"]["new"]), abs=0.006)


@pytest.mark.parametrize("name", MIXED)
def test_equals_lir_without_a_ridge(name: str) -> None:
    """Where the classes overlap the optimum exists without a ridge; separable sets have none, and are left out."""
    x, y = labelled(name)
    ours = as_lir(x, y, 1e12).fit(x, y).transform(numbers(SETS[name]["new"]))
    assert ours == pytest.approx(numbers(SETS[name]["logit_free"]["new"]), abs=1e-9)


def test_our_small_ridge_is_small() -> None:
    x, y = labelled("overlapping")
    free = Calibrator(ridge=0.0).fit(x, y)
    assert Calibrator(ridge=RIDGE).fit(x, y).slope_ == pytest.approx(free.slope_, rel=2e-3)


def test_recovers_the_true_likelihood_ratio() -> None:
    """Normal scores one standard deviation each side of 0 have log-odds 2x, whatever the sizes of the classes."""
    rng = np.random.default_rng(11)
    x = np.concatenate([rng.normal(1, 1, 5_000), rng.normal(-1, 1, 100_000)])
    y = np.repeat([True, False], [5_000, 100_000])
    calibrator = Calibrator().fit(x, y)
    assert calibrator.slope_ == pytest.approx(2.0, abs=0.08)
    assert calibrator.intercept_ == pytest.approx(0.0, abs=0.05)
    llr = calibrator.transform(x)
    assert cllr(llr[y], llr[~y]) - cllr_min(llr[y], llr[~y]) < 0.01


@given(scores, scores)
def test_rises_with_the_score_and_does_no_harm(same: list[float], different: list[float]) -> None:
    x, y = np.array(same + different), np.repeat([True, False], [len(same), len(different)])
    calibrator = Calibrator().fit(x, y)
    assert calibrator.converged_
    grid = calibrator.transform(np.linspace(-30, 30, 61))
    assert np.isfinite(grid).all()
    assert (np.diff(grid) >= 0).all()
    llr = calibrator.transform(x)
    assert cllr_min(same, different) - 1e-9 <= cllr(llr[y], llr[~y]) <= 1 + 1e-9


@given(scores, scores, st.floats(0.01, 100), st.floats(-50, 50))
def test_units_of_the_score_do_not_matter(
    same: list[float], different: list[float], scale: float, shift: float
) -> None:
    x, y = np.round(same + different, 3), np.repeat([True, False], [len(same), len(different)])
    ours = Calibrator().fit(x, y).transform(x)
    moved = Calibrator().fit(x * scale + shift, y).transform(x * scale + shift)
    assert moved == pytest.approx(ours, abs=1e-6)


@given(scores, scores)
def test_swapping_the_propositions_negates(same: list[float], different: list[float]) -> None:
    x, y = np.array(same + different), np.repeat([True, False], [len(same), len(different)])
    ours = Calibrator().fit(x, y).transform(x)
    assert Calibrator().fit(-x, ~y).transform(-x) == pytest.approx(-ours, abs=1e-9)


def test_separable_scores_get_a_finite_slope() -> None:
    x, y = np.array([3.0, 4.0, -3.0, -4.0]), np.array([True, True, False, False])
    calibrator = Calibrator().fit(x, y)
    assert calibrator.converged_
    assert 1 < calibrator.transform([3.0])[0] < 4


def test_worse_than_chance_says_nothing() -> None:
    x, y = labelled("inverted")
    assert (Calibrator().fit(x, y).transform([-9.0, 0.0, math.inf]) == 0).all()
    assert Calibrator(increasing=False).fit(x, y).slope_ < 0


def test_a_constant_score_says_nothing() -> None:
    calibrator = Calibrator().fit([0.3] * 5, [True, True, False, False, False])
    assert calibrator.transform([0.3, 99.0]) == pytest.approx([0.0, 0.0], abs=1e-12)


def test_weights_are_relative_and_zero_is_absence() -> None:
    x, y = labelled("overlapping")
    w = np.random.default_rng(2).integers(0, 3, x.size)
    ours = Calibrator().fit(x, y, w)
    assert Calibrator().fit(x, y, w * 7.0).slope_ == pytest.approx(ours.slope_, abs=1e-12)
    assert Calibrator().fit(x[w > 0], y[w > 0], w[w > 0]).slope_ == pytest.approx(ours.slope_, abs=1e-12)
    repeated = Calibrator(ridge=0.0).fit(np.repeat(x, w), np.repeat(y, w))
    assert Calibrator(ridge=0.0).fit(x, y, w).slope_ == pytest.approx(repeated.slope_, abs=1e-10)


def test_infinite_scores() -> None:
    calibrator = Calibrator().fit([1.0, math.inf, 0.2, -1.0, 0.5], [True, True, True, False, False])
    assert calibrator.transform([math.inf, -math.inf]).tolist() == [math.inf, -math.inf]
    with pytest.raises(CalibrationError, match="infinite"):
        Calibrator().fit([1.0, -math.inf, -1.0], [True, True, False])
    with pytest.raises(ValueError, match="not a number"):
        Calibrator().fit([1.0, math.nan], [True, False])


def test_one_class_is_refused_in_words() -> None:
    with pytest.raises(CalibrationError, match="at least two authors"):
        Calibrator().fit([1.0, 2.0], [True, True])
    with pytest.raises(CalibrationError):
        Calibrator().fit([1.0, 2.0], [True, False], [1.0, 0.0])


def test_class_balance() -> None:
    w = class_balance([True, False, False], [2.0, 1.0, 3.0])
    assert w.tolist() == [0.5, 0.125, 0.375]
    with pytest.raises(ValueError, match="negative"):
        class_balance([True, False], [1.0, -1.0])


def test_scores_in_bins_give_the_line_of_the_scores() -> None:
    """Exactly where each score has a bin of its own, whatever the weights; nearly where there are many."""
    rng = np.random.default_rng(0)
    for count, error in ((BINS // 2, 1e-6), (20 * BINS, 2e-3)):
        same, different = rng.normal(2, 1, count), rng.normal(0, 1, count)
        weights = rng.integers(0, 3, 2 * count).astype(float)
        labels = np.arange(2 * count) < count
        exact = Calibrator().fit(np.concatenate([same, different]), labels, weights)
        found = BinnedScores.of(same, different).line(weights, (0.0, 1.0))
        assert found == pytest.approx((exact.intercept_, exact.slope_), rel=error)


def test_bins_without_a_class_are_refused() -> None:
    bins = BinnedScores.of(np.array([1.0, 2.0]), np.array([0.0, 0.5]))
    with pytest.raises(CalibrationError):
        bins.line(np.array([0.0, 0.0, 1.0, 1.0]), (0.0, 1.0))

"""Pool adjacent violators against lir and SciPy's isotonic regression."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from forensia.evidence.measures import _pool_stack, pav, posterior

SETS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "lir" / "lir-1.3.3.json").read_text(encoding="utf-8")
)["sets"]

scores = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=40)


def numbers(values: list[Any]) -> np.ndarray:
    return np.array([float(value) for value in values])


@pytest.mark.parametrize("name", SETS)
def test_equals_lir(name: str) -> None:
    case = SETS[name]
    fit = pav(numbers(case["same"]), numbers(case["different"]))
    assert fit.transform(numbers(case["same"] + case["different"])) == pytest.approx(numbers(case["pav"]), abs=1e-9)
    assert fit.transform(numbers(case["new"])) == pytest.approx(numbers(case["pav_new"]), abs=1e-9)


@given(scores, scores)
def test_equals_isotonic_regression_of_scipy(same: list[float], different: list[float]) -> None:
    points = np.unique(same + different)
    a = np.array([same.count(x) / len(same) for x in points])
    b = np.array([different.count(x) / len(different) for x in points])
    expected = isotonic_regression(a / (a + b), weights=a + b).x
    assert posterior(pav(same, different).transform(points)) == pytest.approx(expected, abs=1e-12)


@given(scores, scores)
def test_blocks_rise_and_hold_everything(same: list[float], different: list[float]) -> None:
    fit = pav(same, different)
    assert (np.diff(fit.log10_lr) > 0).all()
    assert (fit.low <= fit.high).all()
    assert (fit.high[:-1] < fit.low[1:]).all()
    assert fit.same.sum() == pytest.approx(1)
    assert fit.different.sum() == pytest.approx(1)
    grid = np.linspace(-8, 8, 97)
    assert (np.diff(posterior(fit.transform(grid))) >= -1e-12).all()


def test_worked_by_hand() -> None:
    fit = pav([1.0, 3.0, 4.0], [0.0, 2.0])
    # 1 (same) and 2 (different) violate the order and pool: 1/3 of the same, 1/2 of the different
    assert fit.low.tolist() == [0, 1, 3]
    assert fit.high.tolist() == [0, 2, 4]
    assert fit.log10_lr.tolist() == pytest.approx([-math.inf, math.log10((1 / 3) / (1 / 2)), math.inf])


def test_both_ways_of_pooling_give_the_same_blocks() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        a, b = rng.integers(0, 4, 200).astype(float), rng.integers(1, 4, 200).astype(float)
        a[0] = 1.0
        slow_same, slow_different, starts = _pool_stack(a, b, np.arange(200))
        x = np.arange(200.0)
        fit = pav(x, x, (a, b))
        assert fit.low.tolist() == starts.tolist()
        assert fit.same == pytest.approx(slow_same / a.sum(), abs=1e-12)
        assert fit.different == pytest.approx(slow_different / b.sum(), abs=1e-12)


def test_long_chains_of_late_violations_pool_too() -> None:
    """Rising blocks that one heavy block at the end pulls down: each sweep would pool a single pair."""
    n = 5_000
    x = np.arange(float(n))
    fit = pav(x, np.append(x, n), (np.arange(1.0, n + 1), np.append(np.ones(n), 1e12)))
    assert fit.low.size == 1
    assert fit.log10_lr == pytest.approx([0.0], abs=1e-12)


def test_infinite_ends_draw_no_line() -> None:
    fit = pav([-math.inf, 1.0, math.inf], [-math.inf, -math.inf, 1.0])
    expected = [math.log10(1 / 2), 0.0, 0.0, 0.0, math.inf]
    assert fit.transform([-math.inf, -50.0, 1.0, 50.0, math.inf]) == pytest.approx(expected, abs=1e-12)


def test_hull_ends_at_the_corners() -> None:
    misses, alarms = pav([1.0, 2.0], [0.0, 1.5]).hull()
    assert (misses[0], alarms[0]) == (0, 1)
    assert (misses[-1], alarms[-1]) == (1, 0)


def test_needs_both_classes() -> None:
    with pytest.raises(ValueError, match="both classes"):
        pav([1.0], [])

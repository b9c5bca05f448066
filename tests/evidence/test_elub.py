"""Empirical bounds against lir, and what they promise."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.calibration import Bounds, elub

SETS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "lir" / "lir-1.3.3.json").read_text(encoding="utf-8")
)["sets"]

log10_lrs = st.lists(st.floats(-12, 12), min_size=1, max_size=40)


def numbers(values: list[Any]) -> np.ndarray:
    return np.array([float(value) for value in values])


@pytest.mark.parametrize("name", SETS)
def test_equals_lir(name: str) -> None:
    bounds = elub(numbers(SETS[name]["same"]), numbers(SETS[name]["different"]))
    assert (bounds.lower, bounds.upper) == pytest.approx(tuple(SETS[name]["elub"]), abs=1e-9)
    assert bounds.comparisons == len(SETS[name]["same"]) + len(SETS[name]["different"])


@given(log10_lrs, log10_lrs)
def test_no_bound_beyond_what_the_numbers_allow(same: list[float], different: list[float]) -> None:
    bounds = elub(same, different)
    assert -math.log10(len(same) + 1) - 0.011 <= bounds.lower <= 0 <= bounds.upper
    assert bounds.upper <= math.log10(len(different) + 1) + 0.011


def test_more_comparisons_support_more() -> None:
    few = elub(np.full(10, 5.0), np.full(10, -5.0))
    many = elub(np.full(1_000, 5.0), np.full(1_000, -5.0))
    assert many.upper > few.upper > 0
    assert many.lower < few.lower < 0


def test_a_system_that_misleads_supports_nothing() -> None:
    assert elub([-3.0] * 20, [3.0] * 20) == Bounds(0.0, 0.0, 20, 20)
    assert elub([], [1.0, 2.0]) == Bounds(0.0, 0.0, 0, 2)


def test_strong_misleading_lrs_lower_the_bound() -> None:
    """Two of a thousand above 10^2.9 and the one that is added make three, so beyond 1001 / 3 an LR costs more than it saves."""
    different = np.full(1_000, -3.0)
    assert elub(np.full(1_000, 3.0), different).upper == pytest.approx(2.99)
    different[:2] = 2.9
    assert elub(np.full(1_000, 3.0), different).upper == pytest.approx(math.log10(1_001 / 3), abs=0.01)


def test_input_is_left_alone() -> None:
    same = np.array([math.inf, 2.0])
    elub(same, np.array([-20.0, 0.5]))
    assert same.tolist() == [math.inf, 2.0]


def test_apply_and_side() -> None:
    bounds = Bounds(-1.5, 2.0, 30, 100)
    assert bounds.apply([-math.inf, -1.0, 0.0, 2.0, math.inf]).tolist() == [-1.5, -1.0, 0.0, 2.0, 2.0]
    assert [bounds.side(x) for x in (-9.0, -1.5, 0.0, 2.0, 3.0)] == ["lower", "lower", None, "upper", "upper"]
    assert Bounds.from_dict(json.loads(json.dumps(bounds.to_dict()))) == bounds

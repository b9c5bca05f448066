"""Conformal p-values and false support in families of candidates."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.opinion import (
    conformal_p,
    false_support,
    smallest_p,
)


def test_p_is_the_formula() -> None:
    own = [0.2, 0.4, 0.4, 0.9]
    assert conformal_p(own, [0.1, 0.2, 0.4, 0.5, 0.9, 2.0]).tolist() == [0.2, 0.4, 0.8, 0.8, 1.0, 1.0]
    assert conformal_p([], [0.3]).tolist() == [1.0]  # nothing known about the author rules nobody out
    assert conformal_p(own, -math.inf)[0] == smallest_p(4)
    with pytest.raises(ValueError, match="not a number"):
        conformal_p(own, math.nan)


@given(st.lists(st.floats(-5, 5), max_size=30), st.lists(st.floats(-6, 6), min_size=2, max_size=30))
def test_p_rises_with_the_score(own: list[float], scores: list[float]) -> None:
    p = conformal_p(own, sorted(scores))
    assert (np.diff(p) >= 0).all()
    assert (p > 0).all()
    assert (p <= 1).all()


def test_the_author_is_declined_no_more_often_than_alpha() -> None:
    """The promise of conformal prediction: exchangeable scores give P(p < alpha) <= alpha, whatever their distribution."""
    rng = np.random.default_rng(5)
    low = [conformal_p(scores[1:], scores[0])[0] < 0.1 for scores in rng.exponential(1, (4_000, 30))]
    assert 0.06 < np.mean(low) < 0.115


def test_false_support_worked_by_hand() -> None:
    llr = np.array([[1.5, 0.0, -1.0], [0.2, 1.0, math.nan], [2.0, 3.0, 1.2], [-1.0, -1.0, -1.0]])
    rates = false_support(llr, 10.0)
    assert rates.single == pytest.approx(4 / 11)  # LR = 10 itself is not above 10
    assert rates.family == pytest.approx(2 / 4)
    pairs = false_support(llr, 10.0, candidates=2)
    assert pairs.family == pytest.approx((2 / 3 + 0 + 1 + 0) / 4)
    assert false_support(llr, 10.0, candidates=2, weights=[0, 0, 0, 1]).family == 0
    assert math.isnan(false_support(llr, 10.0, candidates=4).family)


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=6), st.integers(1, 5))
def test_family_is_the_mean_over_all_choices(rows: list[list[bool]], m: int) -> None:
    llr = np.where(rows, 2.0, -2.0)
    expected = np.mean([[any(row[i] for i in chosen) for chosen in combinations(range(5), m)] for row in rows])
    rates = false_support(llr, 10.0, candidates=m)
    assert rates.family == pytest.approx(expected, abs=1e-12)
    assert rates.single == pytest.approx(np.mean(rows))
    if m == 5:
        assert rates.family == pytest.approx(false_support(llr, 10.0).family, abs=1e-12)

"""What the fused scores of a text say of each author: its odds against the others, and how far it stands above them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forensia.evidence.likelihood import log_odds, standing

NAN = float("nan")
# Few values, so that there are ties; NaN is an author who is no candidate.
matrices = arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(2, 8)),
    elements=st.sampled_from((-2.0, -1.5, 0.0, 0.25, 3.0, NAN)),
).filter(lambda z: bool((np.isfinite(z).sum(axis=1) >= 2).all()))


def plain_odds(row: np.ndarray, author: int) -> float:
    others = [np.exp(z) for place, z in enumerate(row) if place != author and not np.isnan(z)]
    return float(np.log(np.exp(row[author]) / np.mean(others)))


@given(matrices)
def test_odds_against_a_plain_loop(z: np.ndarray) -> None:
    """Over even prior odds, the odds against all others are those against the mean of the others."""
    assert np.allclose(log_odds(z), [[plain_odds(row, at) for at in range(len(row))] for row in z], equal_nan=True)


def test_odds_of_two_are_the_difference_however_large() -> None:
    """Where a share is 1 but for rounding, the sum of the others must not come from the difference to 1."""
    z = np.array([[300.0, -300.0], [2.0, 2.0], [1e-12, 0.0]])
    assert np.allclose(log_odds(z), [[600.0, -600.0], [0.0, 0.0], [1e-12, -1e-12]], rtol=1e-12, atol=1e-15)
    among_three = log_odds(np.array([[50.0, 0.0, -1.0]]))[0, 0]
    assert among_three == pytest.approx(50.0 - np.log1p(np.exp(-1.0)) + np.log(2), rel=1e-14)


@given(matrices)
def test_a_standing_is_a_standard_score(z: np.ndarray) -> None:
    found = standing(z)
    assert np.array_equal(np.isnan(found), np.isnan(z))
    for row, own in zip(found, z, strict=True):
        known = ~np.isnan(own)
        assert row[known].mean() == pytest.approx(0.0, abs=1e-9)
        assert row[known].std() == pytest.approx(1.0 if np.ptp(own[known]) else 0.0)


@given(matrices, st.floats(-9, 9), st.floats(0.1, 9))
def test_a_text_that_resembles_everybody_says_no_more(z: np.ndarray, shift: float, scale: float) -> None:
    assert np.allclose(log_odds(z + shift), log_odds(z), atol=1e-9, equal_nan=True)
    before, after = standing(z), standing(z * scale + shift)
    tied = np.nanmax(z, axis=1) == np.nanmin(z, axis=1)  # of these only rounding is left
    assert np.allclose(after[~tied], before[~tied], atol=1e-9, equal_nan=True)
    assert np.allclose(after[tied], before[tied], atol=1e-2, equal_nan=True)


@given(matrices)
def test_both_keep_the_order_of_the_fused_scores(z: np.ndarray) -> None:
    for found in (log_odds(z), standing(z)):
        for row, own in zip(found, z, strict=True):
            known = ~np.isnan(own)
            higher, gained = own[known][:, None] - own[known], row[known][:, None] - row[known]
            assert (gained[higher > 0] > 0).all() and np.allclose(gained[higher == 0], 0.0)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_the_authors_does_not_matter(z: np.ndarray, random: Random) -> None:
    order = list(range(z.shape[1]))
    random.shuffle(order)
    for of in (log_odds, standing):
        assert np.allclose(of(z[:, order]), of(z)[:, order], equal_nan=True)


def test_resamples_have_an_axis_of_their_own() -> None:
    z = np.random.default_rng(0).normal(size=(3, 4, 6))
    for of in (log_odds, standing):
        assert np.allclose(of(z), np.stack([of(each) for each in z]))


def test_an_only_candidate_has_no_odds() -> None:
    """An outsider's text among two authors, say: one of the two is its own."""
    with np.errstate(all="raise"):
        assert np.isnan(log_odds(np.array([[1.0, NAN]]))).all()
        assert standing(np.array([[1.0, NAN]]))[0, 0] == 0.0

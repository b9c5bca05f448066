"""Resampling draws authors and documents, and its intervals cover what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.bootstrap import (
    Interval,
    Over,
    Resample,
    interval,
    pair_weights,
    resamples,
)

OWNERS = [0, 0, 0, 1, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("over", ["both", "documents", "authors"])
def test_same_seed_same_draws(over: Over) -> None:
    first, second, other = (list(resamples(OWNERS, 20, seed, over)) for seed in (7, 7, 8))
    assert all((a.documents == b.documents).all() for a, b in zip(first, second, strict=True))
    assert any((a.documents != b.documents).any() for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("over", ["both", "documents", "authors"])
@given(owners=st.lists(st.integers(0, 5), min_size=2, max_size=20), seed=st.integers(0, 99))
def test_counts_belong_together(over: Over, owners: list[int], seed: int) -> None:
    numbered = np.unique([*owners, 0, 1], return_inverse=True)[1]
    sizes = np.bincount(numbered)
    for drawn in resamples(numbered, 3, seed, over):
        own = np.bincount(numbered, weights=drawn.documents)
        assert (own == sizes * drawn.authors).all()
        assert drawn.authors.sum() == sizes.size
        assert np.count_nonzero(drawn.authors) > 1
        assert drawn.index().size == drawn.documents.sum()
        if over == "documents":
            assert (drawn.authors == 1).all()
        if over == "authors":
            assert (drawn.documents == drawn.authors[numbered]).all()


@pytest.mark.parametrize("over", ["both", "documents", "authors"])
def test_every_document_is_drawn_about_once(over: Over) -> None:
    mean = np.mean([drawn.documents for drawn in resamples(OWNERS, 3_000, 1, over)], axis=0)
    assert mean == pytest.approx(np.ones(len(OWNERS)), abs=0.1)


def test_refuses_what_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="at least two"):
        list(resamples([0, 0], 1, 0))
    with pytest.raises(ValueError, match="gaps"):
        list(resamples([0, 2], 1, 0))
    assert len(list(resamples([0, 0], 4, 0, "documents"))) == 4


def test_weights_of_comparisons() -> None:
    drawn = Resample(documents=np.array([2.0, 0.0, 1.0]), authors=np.array([1.0, 3.0]))
    assert pair_weights(drawn, [0, 0, 1], [2, 0, 2]).tolist() == [2, 4, 0]
    assert drawn.index().tolist() == [0, 0, 2]


def test_interval_takes_the_outer_values() -> None:
    assert interval(np.arange(101.0), 0.9) == Interval(5.0, 95.0, 0.9, 101)
    assert interval([3.0]) == Interval(3.0, 3.0, 0.95, 1)
    assert interval([1.0, 2.0, 3.0]) == Interval(1.0, 3.0, 0.95, 3)
    with pytest.raises(ValueError, match="level"):
        interval([1.0], 95)


def test_interval_of_infinities_and_gaps() -> None:
    values = np.concatenate([np.full(10, -math.inf), np.arange(80.0), np.full(10, math.inf)])
    assert (interval(values).low, interval(values).high) == (-math.inf, math.inf)
    missing = np.concatenate([np.arange(95.0), np.full(5, math.nan)])
    assert interval(missing).resamples == 95
    assert not math.isnan(interval(missing).low)
    too_many = interval(np.concatenate([np.arange(80.0), np.full(20, math.nan)]))
    assert math.isnan(too_many.low)
    assert too_many.spans(0.0)  # what is not known excludes nothing
    assert math.isnan(interval([]).high)


def test_spans() -> None:
    assert Interval(-0.2, 1.0, 0.95, 9).spans(0.0)
    assert Interval(0.0, 1.0, 0.95, 9).spans(0.0)
    assert not Interval(0.1, 1.0, 0.95, 9).spans(0.0)


def test_dependent_scores_get_the_wider_interval_and_it_covers() -> None:
    """Scores share an effect of their author: an interval over single scores would cover the mean far too seldom."""
    rng = np.random.default_rng(21)
    owners = np.repeat(np.arange(25), 8)
    covered = naive = 0
    for trial in range(150):
        scores = rng.normal(0, 1, 25)[owners] + rng.normal(0, 0.5, owners.size)
        means = [np.average(scores, weights=drawn.documents) for drawn in resamples(owners, 120, trial)]
        covered += interval(means).spans(0.0)
        singles = [scores[rng.integers(scores.size, size=scores.size)].mean() for _ in range(120)]
        naive += interval(singles).spans(0.0)
    assert covered >= 0.86 * 150
    assert naive < 0.75 * 150

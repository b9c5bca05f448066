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
    share_interval,
    wilson,
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


@pytest.mark.parametrize("over", ["both", "documents", "authors"])
@given(owners=st.lists(st.integers(0, 3), min_size=2, max_size=20), sources=st.integers(1, 4), seed=st.integers(0, 99))
def test_documents_of_one_source_are_drawn_together(over: Over, owners: list[int], sources: int, seed: int) -> None:
    numbered = np.unique([*owners, 0, 1], return_inverse=True)[1]
    units = 7 * numbered + np.arange(len(numbered)) % sources
    for drawn in resamples(numbered, 3, seed, over, units=units):
        times = {unit: set(drawn.documents[units == unit].tolist()) for unit in np.unique(units).tolist()}
        assert all(len(each) == 1 for each in times.values())
        for author, count in enumerate(drawn.authors.tolist()):
            own = np.unique(units[numbered == author])
            assert sum(times[unit].copy().pop() for unit in own.tolist()) == len(own) * count
    alone = resamples(numbered, 3, seed, over, units=np.arange(len(numbered)))
    for drawn, other in zip(resamples(numbered, 3, seed, over), alone, strict=True):
        assert (drawn.documents == other.documents).all(), "every text its own source: as if nobody had told"


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


@pytest.mark.parametrize(
    ("share", "size", "low", "high"),
    [
        (1.0, 10, 0.7225, 1.0),
        (0.0, 10, 0.0, 0.2775),
        (0.5, 10, 0.2366, 0.7634),
        (0.95, 20, 0.7639, 0.9911),
        (0.9, 100, 0.8256, 0.9448),
        (1.0, 1, 0.2065, 1.0),
    ],
)
def test_wilsons_interval(share: float, size: int, low: float, high: float) -> None:
    """Known answers, as R's prop.test without correction gives them."""
    assert wilson(share, size) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 300), st.integers(0, 300), st.floats(0.5, 0.99))
def test_the_ends_of_wilsons_interval_solve_its_equation(size: int, hits: int, level: float) -> None:
    """At each end the share lies as many standard errors away as the level says, unless it is 0 or 1."""
    from scipy.stats import norm

    share = min(hits, size) / size
    for end in wilson(share, size, level):
        assert 0 <= end <= 1
        if 1e-9 < end < 1 - 1e-9:
            assert abs(share - end) == pytest.approx(
                norm.ppf((1 + level) / 2) * math.sqrt(end * (1 - end) / size), rel=1e-6
            )


def test_an_interval_of_a_share_is_that_of_authors_and_never_narrower_than_wilsons() -> None:
    """Two authors of whom one is always right and one always wrong: nobody knows anything about a third."""
    hits, authors = np.repeat([True, False], 50), np.repeat([3, 8], 50)
    found = share_interval(hits, authors, 200, 0)
    assert (found.low, found.high, found.level, found.resamples) == (*wilson(0.5, 100), 0.95, 200)
    many = np.repeat(np.arange(20), 50)
    wide = share_interval(many % 2 == 0, many, 400, 0)
    (low, high), drawn = (
        wilson(0.5, 1_000),
        [np.average(many % 2 == 0, weights=each.documents) for each in resamples(many, 400, 0)],
    )
    assert (wide.low, wide.high) == (interval(drawn).low, interval(drawn).high) and wide.low < low < high < wide.high


def test_what_holds_for_all_or_for_none_is_not_sure() -> None:
    authors = np.repeat(np.arange(5), 2)
    for hits, ends in ((np.ones(10, bool), (0.7225, 1.0)), (np.zeros(10, bool), (0.0, 0.2775))):
        found = share_interval(hits, authors, 50, 0)
        assert (found.low, found.high) == pytest.approx(ends, abs=5e-5)


def test_a_share_of_one_author_and_of_nothing() -> None:
    one = share_interval(np.ones(10, bool), np.full(10, 4), 50, 0)
    assert (one.low, one.high) == wilson(1.0, 10) and one.resamples == 0, "there is nobody else to draw"
    nothing = share_interval(np.zeros(0, bool), np.zeros(0, np.intp), 50, 0)
    assert math.isnan(nothing.low) and math.isnan(nothing.high)

"""Samples as the paper draws them: nested documents, nothing both learnt from and asked for, the same test pairs for each m."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.experiments.plans import ALL, HALF
from forensia.experiments.units import Draw, NotFeasible, Roster, Sample, draw, largest, resolved, training_size

seeds = st.integers(0, 2**31 - 1)


@st.composite
def rosters(choose: st.DrawFn) -> Roster:
    """Authors with four to twelve documents each, in any order; the split is marked or not."""
    sizes = choose(st.lists(st.integers(4, 12), min_size=4, max_size=9))
    rng = np.random.default_rng(choose(seeds))
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.int32)
    marked = choose(st.booleans())
    train = Roster(codes).training("random", int(rng.integers(1000))) if marked else None
    return Roster(codes, train)


def equal(one: Sample, other: Sample) -> bool:
    arrays = [(one.train, other.train), (one.test, other.test), (one.others, other.others)]
    pairs = [(one.closed_pairs, other.closed_pairs), (one.open_pairs, other.open_pairs)]
    return all(np.array_equal(a, b) for a, b in arrays) and all(
        (a is None and b is None) or (a is not None and b is not None and a.sha256 == b.sha256) for a, b in pairs
    )


@settings(max_examples=80)
@given(rosters(), seeds, st.sampled_from(["given", "random"]))
def test_samples_are_nested_disjoint_and_reproducible(roster: Roster, seed: int, split: str) -> None:
    m = 2
    most = largest(roster, m, (2, 3, 4), split, seed)
    wanted = Draw(m, 2, most, seed, split, pairs=10)
    if most < 2:
        with pytest.raises(NotFeasible):
            draw(roster, replace(wanted, most=4))
        return
    samples = [draw(roster, replace(wanted, q=q)) for q in range(2, most + 1)]
    training = roster.training(split, seed)
    for smaller, larger in pairwise(samples):
        assert set(smaller.train) < set(larger.train)
        assert np.array_equal(smaller.test, larger.test) and np.array_equal(smaller.others, larger.others)
        assert (smaller.closed_pairs is None) == (larger.closed_pairs is None)
        if smaller.closed_pairs is not None and larger.closed_pairs is not None:
            assert smaller.closed_pairs.sha256 == larger.closed_pairs.sha256
        if smaller.open_pairs is not None and larger.open_pairs is not None:
            assert smaller.open_pairs.sha256 == larger.open_pairs.sha256
    for q, sample in enumerate(samples, start=2):
        authors = set(roster.codes[sample.train].tolist())
        assert len(authors) == m and np.bincount(roster.codes[sample.train]).max() == q
        assert training[sample.train].all() and not training[sample.test].any() and not training[sample.others].any()
        assert set(roster.codes[sample.test].tolist()) == authors
        assert not authors & set(roster.codes[sample.others].tolist())
        assert set(sample.test.tolist()) == set(
            np.flatnonzero(~training & np.isin(roster.codes, list(authors))).tolist()
        )
        assert equal(sample, draw(roster, replace(wanted, q=q)))


@settings(max_examples=40)
@given(rosters(), seeds)
def test_pairs_are_half_same_and_truly_so(roster: Roster, seed: int) -> None:
    if largest(roster, 3, (2,), "given", seed) < 2:
        return
    sample = draw(roster, Draw(3, 2, 2, seed, pairs=8))
    for rows, pairs in ((sample.test, sample.closed_pairs), (sample.others, sample.open_pairs)):
        if pairs is None:
            continue
        authors = roster.codes[rows]
        assert np.array_equal(authors[pairs.first] == authors[pairs.second], pairs.same)
        assert int(pairs.same.sum()) <= 8 and len(pairs) <= 2 * int(pairs.same.sum())
        assert len(set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))) == len(pairs)


def test_seeds_and_runs_differ_and_the_given_split_does_not() -> None:
    roster = Roster(np.repeat(np.arange(20), 20).astype(np.int32))
    one, other = (draw(roster, Draw(5, 4, 10, seed)) for seed in (0, 1))
    assert not np.array_equal(one.train, other.train)
    assert np.array_equal(roster.training("given", 0), roster.training("given", 1))
    assert not np.array_equal(roster.training("random", 0), roster.training("random", 1))
    shares = np.bincount(roster.codes[roster.training("random", 3)])
    assert set(shares.tolist()) == {14}


@given(st.integers(1, 200))
def test_something_is_left_to_test_on(documents: int) -> None:
    size = training_size(documents)
    assert 1 <= size <= documents and (documents == 1 or size < documents)


def test_all_and_half_of_the_authors_and_all_documents() -> None:
    codes = np.repeat(np.arange(7), [4, 6, 9, 10, 3, 2, 8]).astype(np.int32)
    roster = Roster(codes)
    assert resolved(ALL, roster) == 7 and resolved(HALF, roster) == 3 and resolved(5, roster) == 5
    sample = draw(roster, Draw(3, ALL, 2, 0, "random", pairs=5))
    training = roster.training("random", 0)
    for author in np.unique(codes[sample.train]):
        assert set(np.flatnonzero(training & (codes == author))) <= set(sample.train.tolist())
    limited = draw(roster, Draw(3, ALL, 2, 0, "random", pairs=5, test_documents=1))
    assert np.bincount(codes[limited.test]).max() == 1


def test_the_largest_q_that_is_feasible_is_found() -> None:
    codes = np.repeat(np.arange(4), [20, 20, 10, 10]).astype(np.int32)  # 14, 14, 7, 7 for training
    roster = Roster(codes)
    assert [largest(roster, m, (5, 10, 20), "given", 0) for m in (2, 3, 4, 5)] == [10, 5, 5, 0]
    with pytest.raises(NotFeasible, match="4 authors with 10"):
        draw(roster, Draw(4, 10, 10, 0))

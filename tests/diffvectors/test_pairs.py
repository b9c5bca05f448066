from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.diffvectors.pairs import Pairs, TooFewPairs, _unrank, codes, count_pairs, native_pairs, sample_pairs

LABELS = st.lists(st.integers(0, 5), min_size=2, max_size=40)


def enough(labels: list[int]) -> bool:
    same, different = count_pairs(labels)
    return same >= 5 and different >= 1


def check(pairs: Pairs, labels: list[int] | np.ndarray) -> None:
    authors = codes(labels)
    assert (pairs.first < pairs.second).all()
    assert len({*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)}) == len(pairs)
    assert ((authors[pairs.first] == authors[pairs.second]) == pairs.same).all()


def test_counts_of_the_papers_examples() -> None:
    assert count_pairs(list(np.repeat(np.arange(10), 100))) == (49_500, 499_500 - 49_500)
    assert count_pairs(list(np.repeat(np.arange(10), 20))) == (1_900, 18_000)


def test_all_same_pairs_and_as_many_different_ones() -> None:
    labels = list(np.repeat(np.arange(10), 20))
    pairs = sample_pairs(labels, 0)
    check(pairs, labels)
    assert pairs.same.sum() == 1_900 and (~pairs.same).sum() == 1_900


def test_the_cap() -> None:
    labels = list(np.repeat(np.arange(5), 30))
    pairs = sample_pairs(labels, 3, cap=100)
    check(pairs, labels)
    assert pairs.same.sum() == 100 == (~pairs.same).sum()


@given(LABELS.filter(enough), st.integers(0, 2**32), st.booleans())
def test_pairs_are_right_for_any_corpus(labels: list[int], seed: int, matched: bool) -> None:
    pairs = sample_pairs(labels, seed, matched=matched)
    check(pairs, labels)
    same, different = count_pairs(labels)
    assert pairs.same.sum() == same
    if not matched:
        assert (~pairs.same).sum() == min(same, different)


@given(LABELS.filter(enough), st.integers(0, 100), st.permutations(range(6)))
def test_renaming_authors_changes_nothing(labels: list[int], seed: int, names: list[int]) -> None:
    renamed = [f"author {names[label]}" for label in labels]
    for matched in (False, True):
        assert sample_pairs(labels, seed, matched=matched).sha256 == sample_pairs(renamed, seed, matched=matched).sha256


def test_the_seed_decides() -> None:
    labels = list(np.repeat(np.arange(4), 10))
    assert sample_pairs(labels, 1).sha256 == sample_pairs(labels, 1).sha256 != sample_pairs(labels, 2).sha256


def test_every_pair_is_equally_likely() -> None:
    """Chi-square over many draws, with a wide margin; unequal authors, so that drawing by author first would show."""
    labels = [0] * 6 + [1] * 3 + [2] * 2
    authors = codes(labels)
    seen = np.zeros((11, 11))
    draws = 3_000
    for seed in range(draws):
        pairs = sample_pairs(labels, seed, cap=8)
        np.add.at(seen, (pairs.first, pairs.second), 1)
    upper = np.triu_indices(11, 1)
    same = (authors[:, None] == authors)[upper]
    for side in (same, ~same):
        counts = seen[upper][side]
        expected = draws * 8 / side.sum()
        assert ((counts - expected) ** 2 / expected).sum() < 2 * side.sum()


def test_each_document_equally_often_in_both_classes() -> None:
    labels = list(np.repeat(np.arange(6), [7, 28, 28, 28, 28, 28]))
    pairs = sample_pairs(labels, 0, matched=True)
    check(pairs, labels)
    ends = [
        np.bincount(np.concatenate((p.first, p.second)), minlength=len(labels))
        for p in (pairs.take(pairs.same), pairs.take(~pairs.same))
    ]
    assert np.abs(ends[0] - ends[1]).max() <= 1 and (ends[0] == ends[1]).mean() > 0.98


def test_never_enumerates() -> None:
    """200,000 documents have 2 x 10^10 pairs: drawing 50,000 of each class must not touch them all."""
    labels = np.repeat(np.arange(1_000), 200)
    pairs = sample_pairs(labels, 0)
    check(pairs, labels)
    assert len(pairs) == 100_000


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=50))
def test_unranking(ranks: list[int]) -> None:
    low, high = _unrank(np.array(ranks, dtype=np.int64))
    assert (low >= 0).all() and (low < high).all()
    assert (high * (high - 1) // 2 + low == np.array(ranks)).all()


@pytest.mark.parametrize("labels", [[], ["a"], ["a"] * 10, list("abcdefgh"), list("aabbccde")])
def test_too_few(labels: list[str]) -> None:
    with pytest.raises(TooFewPairs):
        sample_pairs(labels, 0)


def test_native_pairs() -> None:
    author = np.array([True] * 5 + [False] * 20)
    pairs = native_pairs(author, 0)
    assert pairs.same.sum() == 10 == (~pairs.same).sum()
    assert author[pairs.first[pairs.same]].all() and author[pairs.second[pairs.same]].all()
    assert (author[pairs.first[~pairs.same]] != author[pairs.second[~pairs.same]]).all()
    with pytest.raises(TooFewPairs):
        native_pairs(np.array([True, False]), 0)

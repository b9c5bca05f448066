"""The rule of the opinion: how outsiders are held at bay, when nobody fits, and who is supported."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forensia.evidence.opinion import ABSTAIN, ALPHA, NONE, Outsiders, conformal, decide, own_scores

NAN = float("nan")
bests = arrays(np.float64, st.integers(1, 30), elements=st.integers(-4, 4).map(float))


def test_family_p_of_few_outsiders() -> None:
    outsiders = Outsiders(np.array([3.0, 1.0, 2.0, 2.0]), 4.0)
    scores = np.array([0.0, 1.0, 1.5, 2.0, 3.0, 9.0])
    assert np.allclose(outsiders.family_p(scores, 4), [1.0, 1.0, 4 / 5, 4 / 5, 2 / 5, 1 / 5])
    # Twice as many authors: twice the chances, as for independent ones.
    assert np.allclose(outsiders.family_p(np.array([3.0]), 8), 1 - (3 / 5) ** 2)
    assert np.isnan(Outsiders(np.empty(0), 1.0).family_p(scores, 4)).all()


@given(bests, st.floats(-5, 5), st.floats(0, 5), st.integers(1, 40))
def test_family_p_falls_with_the_score_and_rises_with_the_authors(
    best: np.ndarray, score: float, more: float, authors: int
) -> None:
    outsiders = Outsiders(best, 8.0)
    p = float(outsiders.family_p(np.array([score]), authors)[0])
    assert 0 < p <= 1
    assert outsiders.family_p(np.array([score + more]), authors)[0] <= p
    assert outsiders.family_p(np.array([score]), authors + 1)[0] >= p


@given(bests)
def test_an_outsider_does_not_count_for_itself(best: np.ndarray) -> None:
    found = Outsiders(best, 3.0).family_p(best, 3.0, among=True)
    for at, score in enumerate(best):
        others = Outsiders(np.delete(best, at), 3.0).family_p(np.array([score]), 3.0)[0]
        assert found[at] == pytest.approx(others, nan_ok=True)


@given(arrays(np.float64, (8, 3), elements=st.one_of(st.integers(-3, 3).map(float), st.just(NAN))))
def test_conformal_p_leaves_each_text_out_of_its_own(scores: np.ndarray) -> None:
    codes = np.array([0, 0, 0, 0, 1, 1, 1, 2])
    own = (codes[:, None] == np.arange(3)) & ~np.isnan(scores)
    mine = own_scores(scores, own)
    found, new = conformal(mine, scores, own), conformal(mine, scores)
    for row, author in itertools.product(range(8), range(3)):
        score = scores[row, author]
        if np.isnan(score):
            assert np.isnan(found[row, author]) and np.isnan(new[row, author])
            continue
        others = [scores[other, author] for other in range(8) if own[other, author] and other != row]
        known = [scores[other, author] for other in range(8) if own[other, author]]
        assert found[row, author] == pytest.approx((1 + sum(each <= score for each in others)) / (len(others) + 1))
        assert new[row, author] == pytest.approx((1 + sum(each <= score for each in known)) / (len(known) + 1))


def test_an_author_without_scored_texts_is_never_ruled_out() -> None:
    p = conformal([np.linspace(1, 2, 40), np.empty(0)], np.array([[-9.0, -9.0]]))
    assert p[0, 0] < ALPHA and p[0, 1] == 1.0
    headline = low = np.full((1, 2), -1.0)
    assert decide(np.array([[-9.0, -9.0]]), headline, low, p, np.array([1.0]), np.ones(1))[0] == ABSTAIN


def plain(scores: list[float], headline: list[float], low: list[float], p: list[float], family: float) -> int:
    """The rule in words, for one text."""
    best = max((score, -author) for author, score in enumerate(scores) if not np.isnan(score))
    author = -best[1]
    if headline[author] > 0 and low[author] > 0 and family <= ALPHA:
        return author
    candidates = [value for value in p if not np.isnan(value)]
    return NONE if candidates and all(value < ALPHA for value in candidates) else ABSTAIN


TRUTH = [
    # scores, headline, low, conformal p, family p: decision
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.01, 1),
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.05, 1),
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.01, 0.01, 0.01], 0.01, 1),  # support comes first
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.051, ABSTAIN),  # too many outsiders score as high
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], NAN, ABSTAIN),  # nobody knows how many
    ([1, 5, 2], [0, 2, 1], [-1, 0, 0], [0.5, 0.5, 0.5], 0.01, ABSTAIN),  # the interval holds 1
    ([1, 5, 2], [0, 2, 1], [-1, NAN, 0], [0.5, 0.5, 0.5], 0.01, ABSTAIN),  # there is none
    ([1, 5, 2], [0, 0, 0], [-1, -1, -1], [0.5, 0.5, 0.5], 0.01, ABSTAIN),
    ([1, 5, 2], [-1, -1, -1], [-2, -2, -2], [0.04, 0.04, 0.049], 1.0, NONE),
    ([1, 5, 2], [-1, -1, -1], [-2, -2, -2], [0.04, 0.04, 0.05], 1.0, ABSTAIN),  # one of them is not ruled out
    ([1, 5, NAN], [-1, -1, NAN], [-2, -2, NAN], [0.04, 0.04, NAN], 1.0, NONE),  # the third was no candidate
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.04, 0.04, 0.04], 0.5, NONE),
    ([2, 5, 4], [1.4, 1.4, 1.4], [-1, 1, 1], [0.5, 0.5, 0.5], 0.01, 1),  # all at the bound: the score decides
]


@pytest.mark.parametrize("case", TRUTH)
def test_who_is_supported(case: tuple[list[float], list[float], list[float], list[float], float, int]) -> None:
    scores, headline, low, p, family, expected = case
    found = decide(
        *(np.array([row], dtype=float) for row in (scores, headline, low, p)), np.array([family]), np.ones(1)
    )
    assert found.tolist() == [expected] == [plain(scores, headline, low, p, family)]


@pytest.mark.parametrize("case", TRUTH)
def test_nobody_is_supported_for_a_text_of_another_kind(
    case: tuple[list[float], list[float], list[float], list[float], float, int],
) -> None:
    scores, headline, low, p, family, expected = case
    columns = [np.array([row], dtype=float) for row in (scores, headline, low, p)]
    found = [int(decide(*columns, np.array([family]), np.array([share]))[0]) for share in (ALPHA, ALPHA - 1e-9)]
    unusual = all(each < ALPHA for each in p)
    assert found == [expected, expected if expected < 0 else NONE if unusual else ABSTAIN]


def test_texts_are_decided_one_by_one() -> None:
    columns = [np.array([case[place] for case in TRUTH], dtype=float) for place in range(5)]
    assert decide(*columns, np.ones(len(columns[0]))).tolist() == [case[-1] for case in TRUTH]

"""The rule of the opinion: how outsiders are held at bay, when nobody fits, and who is supported."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forensia.evidence.opinion import (
    ABSTAIN,
    ALPHA,
    FEWEST_RIGHT,
    NONE,
    Doubts,
    Outsiders,
    conformal,
    decide,
    doubt,
    most_doubt,
    own_scores,
)

NAN = float("nan")
bests = arrays(np.float64, st.integers(1, 30), elements=st.integers(-4, 4).map(float))


def outsiders_of(best: np.ndarray, candidates: float, each: int = 1) -> Outsiders:
    """Outsiders by as many writers, or with so many texts of each."""
    return Outsiders(best, candidates, np.arange(len(best)) // each)


def test_family_p_of_few_outsiders() -> None:
    outsiders = outsiders_of(np.array([3.0, 1.0, 2.0, 2.0]), 4.0)
    scores = np.array([0.0, 1.0, 1.5, 2.0, 3.0, 9.0])
    assert np.allclose(outsiders.family_p(scores, 4), [1.0, 1.0, 4 / 5, 4 / 5, 2 / 5, 1 / 5])
    # Twice as many authors: twice the chances, as for independent ones.
    assert np.allclose(outsiders.family_p(np.array([3.0]), 8), 1 - (3 / 5) ** 2)
    assert np.isnan(outsiders_of(np.empty(0), 1.0).family_p(scores, 4)).all()


@given(bests, st.floats(-5, 5), st.floats(0, 5), st.integers(1, 40))
def test_family_p_falls_with_the_score_and_rises_with_the_authors(
    best: np.ndarray, score: float, more: float, authors: int
) -> None:
    outsiders = outsiders_of(best, 8.0)
    p = float(outsiders.family_p(np.array([score]), authors)[0])
    assert 0 < p <= 1
    assert outsiders.family_p(np.array([score + more]), authors)[0] <= p
    assert outsiders.family_p(np.array([score]), authors + 1)[0] >= p


@given(bests, st.integers(1, 4))
def test_outsiders_by_the_author_of_a_text_do_not_count_for_it(best: np.ndarray, each: int) -> None:
    """Neither the text itself nor any other by the same writer; NaN where nobody else is left."""
    outsiders = outsiders_of(best, 3.0, each)
    found = outsiders.family_p(best, 3.0, without=outsiders.authors)
    for at, score in enumerate(best):
        others = best[outsiders.authors != outsiders.authors[at]]
        expected = outsiders_of(others, 3.0).family_p(np.array([score]), 3.0)[0]
        assert found[at] == pytest.approx(expected, nan_ok=True) and np.isnan(found[at]) == (not len(others))


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
    assert decide(np.array([[-9.0, -9.0]]), headline, low, p, doubts(), 1.0, np.ones(2, bool))[0] == ABSTAIN


def doubts(outsiders: float = 1.0, doubt: float = 0.0, unlike: float = 1.0) -> Doubts:
    """Of one text."""
    return Doubts(*(np.array([each]) for each in (outsiders, doubt, unlike)))


def test_doubt_is_what_the_fusion_leaves_to_the_others() -> None:
    """Of three authors with an LR of 18 for the first: odds of 9 after even prior odds of 1 to 2."""
    assert doubt(np.log10([[18.0, 0.1, 0.1], [1.0, 1.0, 1.0], [1e9, 0.1, 0.1]])) == pytest.approx(
        [0.1, 2 / 3, 0], abs=1e-8
    )
    assert doubt(np.array([[np.log10(9.0), -2.0, NAN]])) == pytest.approx([0.1]), "who is no candidate has no share"
    assert doubt(np.full((1, 2), NAN)) == 0, "an only candidate leaves nothing to others"


@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(2, 6)), elements=st.floats(-8, 8)))
def test_doubt_is_one_less_the_first_share_of_the_softmax(z: np.ndarray) -> None:
    shares = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    odds = shares / (1 - shares) * (z.shape[1] - 1)
    assert doubt(np.log10(odds)) == pytest.approx(1 - shares.max(axis=1), abs=1e-9)


def plain(
    scores: list[float], headline: list[float], low: list[float], p: list[float], family: float, left: float
) -> int:
    """The rule in words, for one text, where nothing else stands against an opinion."""
    best = max((score, -author) for author, score in enumerate(scores) if not np.isnan(score))
    author = -best[1]
    if headline[author] > 0 and low[author] > 0 and (left if np.isnan(family) else family) <= ALPHA:
        return author
    candidates = [value for value in p if not np.isnan(value)]
    some_other = not np.isnan(family)  # else all rests on one of the listed having written it
    return NONE if some_other and candidates and all(value < ALPHA for value in candidates) else ABSTAIN


TRUTH = [
    # scores, headline, low, conformal p, family p, doubt: decision
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.01, 0.3, 1),
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.05, 0.3, 1),
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.01, 0.01, 0.01], 0.01, 0.3, 1),  # support comes first
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], 0.051, 0.3, ABSTAIN),  # too many outsiders score as high
    (
        [1, 5, 2],
        [0, 2, 1],
        [-1, 1, 0],
        [0.5, 0.5, 0.5],
        NAN,
        0.06,
        ABSTAIN,
    ),  # nobody knows how many: then the doubt counts
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.5, 0.5, 0.5], NAN, 0.05, 1),
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.01, 0.01, 0.01], NAN, 0.06, ABSTAIN),  # and it is one of them
    ([1, 5, 2], [0, 2, 1], [-1, 0, 0], [0.5, 0.5, 0.5], 0.01, 0.3, ABSTAIN),  # the interval holds 1
    ([1, 5, 2], [0, 2, 1], [-1, NAN, 0], [0.5, 0.5, 0.5], 0.01, 0.3, ABSTAIN),  # there is none
    ([1, 5, 2], [0, 0, 0], [-1, -1, -1], [0.5, 0.5, 0.5], 0.01, 0.3, ABSTAIN),
    ([1, 5, 2], [-1, -1, -1], [-2, -2, -2], [0.04, 0.04, 0.049], 1.0, 0.3, NONE),
    ([1, 5, 2], [-1, -1, -1], [-2, -2, -2], [0.04, 0.04, 0.05], 1.0, 0.3, ABSTAIN),  # one of them is not ruled out
    ([1, 5, NAN], [-1, -1, NAN], [-2, -2, NAN], [0.04, 0.04, NAN], 1.0, 0.3, NONE),  # the third was no candidate
    ([1, 5, 2], [0, 2, 1], [-1, 1, 0], [0.04, 0.04, 0.04], 0.5, 0.3, NONE),
    ([2, 5, 4], [1.4, 1.4, 1.4], [-1, 1, 1], [0.5, 0.5, 0.5], 0.01, 0.3, 1),  # all at the bound: the score decides
]


Case = tuple[list[float], list[float], list[float], list[float], float, float, int]
EVERYBODY = np.ones(3, bool)


def columns(case: Case) -> list[np.ndarray]:
    return [np.array([row], dtype=float) for row in case[:4]]


def refused(case: Case) -> int:
    """What is said where something stands against an opinion about an author."""
    return (
        case[-1] if case[-1] < 0 else NONE if all(each < ALPHA for each in case[3]) and case[4] == case[4] else ABSTAIN
    )


@pytest.mark.parametrize("case", TRUTH)
def test_who_is_supported(case: Case) -> None:
    found = decide(*columns(case), doubts(case[4], case[5]), 1.0, EVERYBODY)
    assert found.tolist() == [case[-1]] == [plain(*case[:-1])]


@pytest.mark.parametrize("case", TRUTH)
def test_nobody_is_supported_for_a_text_of_another_kind(case: Case) -> None:
    kinds = (doubts(case[4], case[5], share) for share in (ALPHA, ALPHA - 1e-9))
    found = [int(decide(*columns(case), each, 1.0, EVERYBODY)[0]) for each in kinds]
    assert found == [case[-1], refused(case)]


@pytest.mark.parametrize("case", TRUTH)
def test_no_more_doubt_is_left_than_left_out_texts_allow(case: Case) -> None:
    found = [
        int(decide(*columns(case), doubts(case[4], case[5]), most, EVERYBODY)[0])
        for most in (case[5], case[5] - 1e-9, -1.0)
    ]
    assert found == [case[-1], refused(case), refused(case)]


@pytest.mark.parametrize("case", TRUTH)
def test_only_authors_with_enough_behind_them_are_supported(case: Case) -> None:
    """Whether the others have does not matter."""
    first = np.arange(3) == int(np.nanargmax(case[0]))
    found = [int(decide(*columns(case), doubts(case[4], case[5]), 1.0, backed)[0]) for backed in (first, ~first)]
    assert found == [case[-1], refused(case)]


def test_texts_are_decided_one_by_one() -> None:
    every = [np.array([case[place] for case in TRUTH], dtype=float) for place in range(6)]
    together = Doubts(every[4], every[5], np.ones(len(TRUTH)))
    assert decide(*every[:4], together, 1.0, EVERYBODY).tolist() == [case[-1] for case in TRUTH]


# --- how much doubt an opinion may leave ------------------------------------------------------------------------------


def limit(*rows: tuple[float, int, int]) -> float:
    """From so many texts at each doubt, and how many of them are right."""
    left = np.concatenate([np.full(texts, doubt) for doubt, texts, _ in rows])
    right = np.concatenate([np.arange(texts) < good for _, texts, good in rows])
    return most_doubt(left, right)


@pytest.mark.parametrize(
    ("rows", "most"),
    [
        ([(0.01, 20, 20), (0.2, 20, 20)], 1.0),  # all are right: no limit is needed
        ([(0.01, 20, 19), (0.2, 20, 19)], 1.0),  # 95 % are
        ([(0.01, 20, 20), (0.2, 20, 17)], 0.01),  # 37 of 40 are too few, 20 of 20 are not
        ([(0.01, 19, 19), (0.1, 1, 0), (0.2, 20, 10)], 0.1),  # 19 of 20 are just enough
        ([(0.01, 18, 18), (0.1, 1, 0), (0.2, 1, 0)], 0.01),  # 18 of 19 are not
        ([(0.01, 20, 18), (0.2, 80, 80)], 1.0),  # those with less doubt are wrong, but all together are right
        ([(0.01, 20, 18), (0.2, 30, 30), (0.3, 10, 0)], 0.2),
        ([(0.01, 1, 0)], -1.0),  # no limit works
        ([(0.01, 20, 10), (0.2, 20, 10)], -1.0),
    ],
)
def test_the_most_doubt_that_left_out_texts_allow(rows: list[tuple[float, int, int]], most: float) -> None:
    assert limit(*rows) == most


def test_without_any_opinion_no_limit_is_needed() -> None:
    assert most_doubt(np.zeros(0), np.zeros(0, bool)) == 1.0


@given(st.lists(st.tuples(st.integers(0, 8).map(lambda each: each / 8), st.booleans()), max_size=60))
def test_opinions_within_the_limit_are_right_and_the_limit_is_the_widest(texts: list[tuple[float, bool]]) -> None:
    """Texts with the same doubt fall on the same side of it."""
    left = np.array([doubt for doubt, _ in texts])
    right = np.array([good for _, good in texts], bool)
    most = most_doubt(left, right)
    within = left <= most
    if most < 0:
        assert most == -1.0 and len(texts)
    elif len(texts):
        assert within.any() and right[within].mean() >= FEWEST_RIGHT
    for wider in {*left.tolist(), 1.0}:
        if wider > most:
            assert right[left <= wider].mean() < FEWEST_RIGHT


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=40), st.randoms())
def test_the_order_of_texts_does_not_matter(texts: list[tuple[int, bool]], chance: object) -> None:
    left, right = np.array([float(doubt) / 8 for doubt, _ in texts]), np.array([good for _, good in texts])
    order = list(range(len(texts)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    assert most_doubt(left, right) == most_doubt(left[order], right[order])

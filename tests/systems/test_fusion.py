"""The fusion finds the least of its own objective, as a general solver does, and the numbers of texts do not decide."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.estimator import NotLearnable
from forensia.systems.fusion import LOOSE, PRIOR, Fusion, log_loss, log_softmax
from tests.systems.plain import fused_loss, fused_weights


def made_up(
    seed: int, strengths: tuple[float, ...] = (2.0, 0.5, 0.0), sizes: tuple[int, ...] = (20, 9, 5, 4), lift: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Left-out scores in which families tell the author so well, and each author is lifted by the log of the number of texts."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    scores = rng.normal(size=(len(codes), len(sizes), len(strengths)))
    scores[np.arange(len(codes)), codes] += strengths
    scores += lift * np.log(sizes)[None, :, None]
    return scores * np.linspace(0.1, 3.0, len(strengths)), codes, np.array(sizes)


def check(scores: np.ndarray, codes: np.ndarray, sizes: np.ndarray, prior: float = PRIOR) -> Fusion:
    ours = Fusion.fit(scores, codes, sizes, prior)
    found, expected = np.append(ours.weights, ours.size), fused_weights(scores, codes, sizes, prior)
    np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-4)
    assert (ours.weights >= 0).all()
    return ours


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "strengths",
    [(2.0, 0.5, 0.0), (1.0,), (1.0, -2.0), (0.0, 0.0), (9.0, 9.0), (-1.0, -1.0), (3.0, 0.1, -0.1, 0.5, -3.0)],
)
def test_optimum(seed: int, strengths: tuple[float, ...]) -> None:
    check(*made_up(seed, strengths))


@pytest.mark.parametrize("sizes", [(6, 6), (30, 3), (2, 2, 2), (5,) * 12])
@pytest.mark.parametrize("lift", [0.0, 1.5])
def test_optimum_for_any_numbers_of_authors_and_texts(sizes: tuple[int, ...], lift: float) -> None:
    check(*made_up(5, (1.0, 0.3), sizes, lift))


@pytest.mark.parametrize("prior", [0.001, 2.0, 1e6])
def test_the_prior_draws_weights_together(prior: float) -> None:
    weights = check(*made_up(1), prior).weights
    assert (np.ptp(weights) < 1e-3) == (prior == 1e6)


def test_nan_is_no_candidate_and_no_text() -> None:
    """A text without a score for its author teaches nothing; an author without a score for a text is no candidate for it."""
    scores, codes, sizes = made_up(2)
    scores[3] = np.nan
    scores[7, codes[7], 1] = np.nan
    scores[5, 2] = np.nan
    scores[20:24, 3, 0] = np.nan
    scores[codes == 3] = np.nan
    ours = check(scores, codes, sizes)
    rest = np.array([row for row in range(len(codes)) if row not in (3, 7) and codes[row] != 3])
    again = Fusion.fit(scores[rest], codes[rest], sizes)
    assert np.allclose(again.weights, ours.weights, rtol=1e-9) and again.size == pytest.approx(ours.size, rel=1e-9)
    z = ours.z(scores, sizes)
    assert np.array_equal(np.isnan(z), np.isnan(scores).any(axis=2))


def test_a_few_right_texts_do_not_make_the_weights_large() -> None:
    """Where every text is ascribed rightly nothing bounds the weights but what is usual; many contradictions bound them."""
    scores, codes, sizes = made_up(6, (9.0, 9.0, 9.0), sizes=(2, 2, 2))
    assert 1.5 < Fusion.fit(scores, codes, sizes).weights.sum() < 3.5
    scores, codes, sizes = made_up(6, (0.3, 0.3, 0.3), sizes=(60,) * 6)
    assert Fusion.fit(scores, codes, sizes).weights.sum() < 1.5


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 5), st.sampled_from([0.1, 1.0, 30.0]))
def test_weights_are_never_negative_and_nothing_near_is_better(
    seed: int, families: int, authors: int, scale: float
) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 8, authors)
    codes = np.repeat(np.arange(authors), sizes)
    scores = rng.normal(size=(len(codes), authors, families))
    scores[np.arange(len(codes)), codes] += rng.normal(size=families) * scale
    ours = Fusion.fit(scores, codes, sizes, 1e-9)
    assert (ours.weights >= 0).all() and np.isfinite(ours.weights).all()
    loss = partial(
        fused_loss, scores=scores / ours.spread, codes=codes, sizes=sizes, centre=0.0, prior=1e-9, loose=LOOSE
    )
    best = np.append(ours.weights, ours.size)
    least = loss(best)
    for place in range(families + 1):
        for step in (-1e-3, 1e-3):
            near = best.copy()
            near[place] = near[place] + step if place == families else max(near[place] + step, 0.0)
            assert loss(near) >= least - 1e-6 * max(1.0, least)


def test_authors_count_equally() -> None:
    """Every text of one author twice is nothing new, when their number is taken as it was."""
    scores, codes, sizes = made_up(3)
    twice = np.concatenate((np.arange(len(codes)), np.flatnonzero(codes == 0)))
    fitted = [
        Fusion.fit(scores[rows], codes[rows], sizes, PRIOR * len(rows) / len(codes))
        for rows in (np.arange(len(codes)), twice)
    ]
    z = [each.z(scores, sizes) for each in fitted]
    losses = [log_loss(each, codes) for each in z]
    assert losses[0] == pytest.approx(losses[1], rel=0.02), "but for the prior of their sum, which is not weighed here"
    assert log_loss(z[0][twice], codes[twice]) == pytest.approx(losses[0], rel=1e-12)


def test_the_numbers_of_texts_do_not_decide() -> None:
    """51, 14 and 5 texts: the scores follow the numbers, and without the size term so does the ranking."""
    scores, codes, sizes = made_up(4, (2.0, 1.0), (51, 14, 5), lift=1.5)
    fusion = Fusion.fit(scores, codes, sizes)
    fresh, truth, _ = made_up(14, (2.0, 1.0), (51, 14, 5), lift=1.5)
    few = truth == 2
    without = replace(fusion, size=0.0)
    right, blind = ((each.z(fresh, sizes).argmax(axis=1) == truth) for each in (fusion, without))
    assert fusion.size < 0
    assert blind[few].mean() <= 0.4 < 0.8 <= right[few].mean()
    rates = [right[truth == author].mean() for author in range(3)]
    assert max(rates) - min(rates) <= 0.25
    ahead, more = (z - z[:, :1] for z in (fusion.z(scores, sizes), fusion.z(scores, 10 * sizes)))
    assert ahead == pytest.approx(more), "only their proportion counts"


def test_known_probabilities() -> None:
    z = np.array([[0.0, np.log(3.0)], [np.nan, 5.0], [800.0, -800.0]])
    assert np.exp(log_softmax(z))[0] == pytest.approx([0.25, 0.75])
    assert log_softmax(z)[1, 1] == 0.0 and np.isnan(log_softmax(z)[1, 0])
    assert log_softmax(z)[2] == pytest.approx([0.0, -1600.0])
    codes = np.array([0, 1, 0])
    assert log_loss(z, codes) == pytest.approx((np.log(4.0) + 0.0) / 2 / 2), "the mean over authors"
    assert log_loss(z, np.array([0, 0, 0])) == pytest.approx(np.log(4.0) / 2), (
        "without the text that has no score for its author"
    )


def test_scores_that_do_not_vary() -> None:
    scores, codes, sizes = made_up(6, (1.0, 1.0))
    scores[:, :, 1] = 0.25
    fusion = Fusion.fit(scores, codes, sizes)
    assert np.isfinite(fusion.z(scores, sizes)).all()
    assert np.isfinite(fusion.weights).all() and fusion.weights[0] > 0


@pytest.mark.parametrize("what", ["no texts", "no scores"])
def test_nothing_to_learn_from(what: str) -> None:
    scores, codes, sizes = made_up(7)
    with pytest.raises(NotLearnable):
        Fusion.fit(
            scores[:0] if what == "no texts" else scores * np.nan, codes[: 0 if what == "no texts" else None], sizes
        )

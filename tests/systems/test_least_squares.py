"""Least squares in closed form against a fit on what is left, with the same weights: documents, sources, whole authors, other versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.systems.least_squares import LeastSquares, scores
from forensia.systems.leaving_out import Round, authors_left_out, rounds
from tests.systems.plain import equal_weights, least_squares

SIZES = (12, 7, 4, 2)
CODES = np.random.default_rng(0).permutation(np.repeat(np.arange(4), SIZES))


def kernels(seed: int = 1, texts: int = len(CODES)) -> tuple[np.ndarray, np.ndarray]:
    """Cosines of the texts, and of other versions of them (rows) with them (columns)."""
    rng = np.random.default_rng(seed)
    vectors = rng.random((texts, 60)) * (rng.random((texts, 60)) < 0.4)
    versions = vectors * (rng.random((texts, 60)) < 0.7)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    versions /= np.linalg.norm(versions, axis=1, keepdims=True)
    return vectors @ vectors.T, versions @ vectors.T


def refitted(kernel: np.ndarray, ridge: float, away: np.ndarray) -> np.ndarray:
    """The duals of a fit that never sees some texts, zero for those; weights and targets are those of all texts."""
    left = np.setdiff1d(np.arange(len(CODES)), away)
    duals = np.zeros((len(CODES), len(SIZES)))
    weights = equal_weights(CODES)[left]
    duals[left] = least_squares(kernel[np.ix_(left, left)], CODES[left], weights, ridge, len(SIZES))
    return duals


SOURCES = [(f"{row % 3}",) if row % 7 else (f"{row % 3}", f"{(row + 1) % 3}") for row in range(len(CODES))]
WAYS = {
    "documents": [Round(np.array([row]), np.array([row])) for row in range(len(CODES))],
    "one of every author": rounds(CODES, [()] * len(CODES), 0),
    "sources": rounds(CODES, SOURCES, 0),
    "authors": authors_left_out(CODES.astype(np.intp)),
    "some of what is away is tried": [Round(np.array([1, 5, 6, 20]), np.array([5, 20]))],
    "nearly all": [Round(np.arange(1, len(CODES)), np.arange(1, len(CODES)))],
}


@pytest.mark.parametrize("ridge", [0.03, 1.0])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("other_versions", [False, True])
def test_left_out_scores_are_those_of_a_fit_without(way: str, ridge: float, other_versions: bool) -> None:
    kernel, versions = kernels()
    asked = versions if other_versions else kernel
    total, times = np.zeros((len(CODES), len(SIZES))), np.zeros(len(CODES))
    for each in WAYS[way]:
        duals = refitted(kernel, ridge, each.away)
        for row in each.tried:
            said = asked[row] @ duals + duals.sum(axis=0)
            gone = [author for author in range(len(SIZES)) if not (np.delete(CODES, each.away) == author).any()]
            said[gone] = np.nan
            total[row] += said
            times[row] += 1
    expected = np.full_like(total, np.nan)
    expected[times > 0] = total[times > 0] / times[times > 0, None]
    fit = LeastSquares.fit(kernel, CODES, ridge)
    found = fit.left_out(WAYS[way], versions if other_versions else None)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert np.isnan(found).all(axis=1).tolist() == (times == 0).tolist()


@settings(max_examples=30)
@given(st.sets(st.integers(0, len(CODES) - 1), max_size=len(CODES) - 1), st.sampled_from([0.03, 0.3]))
def test_duals_without_any_texts(away: set[int], ridge: float) -> None:
    kernel, versions = kernels()
    group = np.array(sorted(away), np.intp)
    duals = LeastSquares.fit(kernel, CODES, ridge).without(group)
    assert np.abs(duals - refitted(kernel, ridge, group)).max() < 1e-9
    assert np.array_equal(duals[group], np.zeros((len(group), len(SIZES))))
    assert np.abs(scores(versions, duals) - (versions @ duals + duals.sum(axis=0))).max() < 1e-12


def test_the_fit_itself() -> None:
    kernel, _ = kernels()
    before = kernel.copy()
    fit = LeastSquares.fit(kernel, CODES, 0.1)
    assert np.array_equal(kernel, before), "the next ridge needs it"
    assert np.abs(fit.duals - refitted(kernel, 0.1, np.zeros(0, int))).max() < 1e-9
    assert np.array_equal(fit.inverse.matrix, fit.inverse.matrix.T)
    system = kernel + 1 + np.diag(0.1 / equal_weights(CODES))
    assert np.abs(fit.inverse.matrix @ system - np.eye(len(CODES))).max() < 1e-9


def test_authors_count_equally() -> None:
    """A text by an author with few counts for several: doubled texts of one author change nothing but the ridge on them."""
    kernel, versions = kernels()
    twice = np.concatenate((np.arange(len(CODES)), np.flatnonzero(CODES == 3)))
    single, double = (
        LeastSquares.fit(kernel[np.ix_(rows, rows)], CODES[rows], ridge)
        for rows, ridge in ((np.arange(len(CODES)), 0.1), (twice, 0.1 * len(twice) / len(CODES)))
    )
    expected = scores(versions, single.duals)
    assert np.abs(scores(versions[:, twice], double.duals) - expected).max() < 1e-9


def test_an_author_of_whom_nothing_is_left_has_no_score() -> None:
    kernel, versions = kernels()
    fit = LeastSquares.fit(kernel, CODES, 0.1)
    for asked in (None, versions):
        found = fit.left_out(authors_left_out(fit.codes), asked)
        assert np.array_equal(np.isnan(found), CODES[:, None] == np.arange(len(SIZES)))
    last = np.flatnonzero(CODES == 2)
    some = [Round(last[1:], last[1:])]
    assert not np.isnan(fit.left_out(some)[last[1:]]).any(), "one text is something"


def test_a_kernel_that_is_none_is_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        LeastSquares.fit(-np.eye(4) * 5, np.array([0, 0, 1, 1]), 0.1)

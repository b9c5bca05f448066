"""The score of a text for an author, and the cohort that it is held against."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forensia.evidence.authorscores import COHORT, FEWEST_FOR_COHORT, FURTHEST, cohort_means, cohort_scores, raw_scores

# Few values, so that there are ties; NaN is an author who is no candidate.
matrices = arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 8)),
    elements=st.sampled_from((-2.0, -1.5, 0.0, 0.25, 3.0, float("nan"))),
)


def plain(row: np.ndarray, author: int) -> float:
    others = sorted((score for place, score in enumerate(row) if place != author and not np.isnan(score)), reverse=True)
    return float(np.mean(others[:COHORT])) if others else 0.0


@given(matrices)
def test_cohort_means_against_a_plain_loop(scores: np.ndarray) -> None:
    expected = [[plain(row, author) for author in range(len(row))] for row in scores]
    assert np.allclose(cohort_means(scores), expected)


@given(matrices)
def test_cohort_scores(scores: np.ndarray) -> None:
    found = cohort_scores(scores)
    if scores.shape[1] < FEWEST_FOR_COHORT:
        assert np.array_equal(found, scores, equal_nan=True) and found is not scores
    else:
        assert np.array_equal(found, scores - cohort_means(scores), equal_nan=True)
    assert np.array_equal(np.isnan(found), np.isnan(scores))


@given(arrays(np.float64, (3, 6), elements=st.floats(-14, 14)))
def test_the_cohort_changes_no_order_within_a_text(scores: np.ndarray) -> None:
    found = cohort_scores(scores)
    for before, after in zip(scores, found, strict=True):
        order = np.argsort(before, kind="stable")
        assert (np.diff(after[order]) >= -1e-9).all()


def test_raw_scores_are_log_odds_that_stay_finite() -> None:
    lazy = np.array([[0.0, 0.5, 0.9, 1.0, np.nan]])
    far = float(np.log(1 - FURTHEST) - np.log(FURTHEST))
    assert np.allclose(raw_scores(lazy), [[-far, 0.0, np.log(9), far, np.nan]], equal_nan=True)
    assert raw_scores(lazy.astype(np.float16)).dtype == np.float64

"""All ways of scoring give what the written-out diff-vectors would give, whatever the sign of a weight."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forensia.diffvectors import PairModel, Scorer, matrix_log_odds
from tests.diffvectors.conftest import explicit, random_vectors


@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from([0.0, 0.1, 0.6, 1.0]))
def test_scores_equal_those_of_written_out_differences(seed: int, documents: int, density: float) -> None:
    vectors = random_vectors(seed, documents, 3, 25, density)
    vectors.sparse.data[::7] = 0.0  # a zero that is stored is a zero
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=25).astype(np.float32)
    weights[::5], weights[1::5] = 0.0, -0.0
    model = PairModel(rng.normal(size=3).astype(np.float32), weights, 0.25)
    first, second = (side.ravel() for side in np.indices((documents, documents)))
    expected = explicit(vectors, first, second) @ np.concatenate((model.dense, weights)).astype(np.float64) + 0.25

    scores = Scorer(model, vectors).log_odds(vectors)
    assert np.allclose(scores.ravel(), expected, atol=1e-5)
    assert np.allclose(model.pair_log_odds(vectors, first, second), expected, atol=1e-5)
    matrix = matrix_log_odds(model, vectors)
    assert np.isnan(np.diag(matrix)).all()
    off = first != second
    assert np.allclose(matrix.ravel()[off], expected[off], atol=1e-5)
    assert (matrix.ravel()[off] == matrix.T.ravel()[off]).all()


def test_the_score_of_a_pair_does_not_depend_on_other_documents() -> None:
    vectors = random_vectors(1, 30, 0, 60)
    model = PairModel(np.zeros(0, np.float32), np.random.default_rng(0).normal(size=60).astype(np.float32), 0.0)
    some = np.array([3, 7, 8, 21])
    few = matrix_log_odds(model, vectors.rows(some))
    assert np.array_equal(few, matrix_log_odds(model, vectors)[np.ix_(some, some)], equal_nan=True)

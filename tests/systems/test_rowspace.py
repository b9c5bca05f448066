"""The row space: products as written out, and weights that give the same logits."""

from __future__ import annotations

import numpy as np
import pytest

from forensia.systems import RowSpace, StandardAttributor
from tests.systems.conftest import Sample
from tests.systems.plain import joined


@pytest.mark.parametrize("centred", [True, False])
def test_products_are_those_of_the_written_out_vectors(sample: Sample, centred: bool) -> None:
    space = RowSpace(sample.known, centred=centred)
    known, queries = joined(sample.known).toarray(), joined(sample.queries).toarray()
    middle = known.mean(axis=0) * centred
    scale = np.abs(known @ known.T).max()
    assert np.abs(space.gram - (known - middle) @ (known - middle).T).max() < 1e-6 * scale
    assert np.abs(space.against(sample.queries) - (queries - middle) @ (known - middle).T).max() < 1e-6 * scale


@pytest.mark.parametrize("each", [False, True])
def test_weights_explain_the_logits(sample: Sample, each: bool) -> None:
    fitted = StandardAttributor(each=each, grid=(10.0,)).fit(sample.known, sample.labels)
    weights = fitted.weights()
    logits = joined(sample.queries) @ np.hstack((weights.dense, weights.sparse)).T + weights.intercepts
    from scipy.special import expit, softmax

    assert np.allclose(expit(logits) if each else softmax(logits, axis=1), fitted.predict_proba(sample.queries))

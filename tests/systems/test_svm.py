"""The linear support vector machine against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from forensia.diffvectors.pairs import codes
from forensia.systems import LinearSVM, NotLearnable
from tests.systems.conftest import Sample, made_up, with_nan
from tests.systems.plain import joined


@pytest.mark.parametrize("c", [0.01, 1.0])
def test_equals_linear_svc(sample: Sample, c: float) -> None:
    ours = LinearSVM(grid=(c,)).fit(sample.known, sample.labels)
    theirs = LinearSVC(C=c, tol=1e-9, max_iter=1_000_000, random_state=0).fit(
        joined(sample.known), codes(sample.labels)
    )
    expected = theirs.decision_function(joined(sample.queries))
    assert np.abs(ours.decision_function(sample.queries) - expected).max() < 1e-3
    assert (ours.predict(sample.queries) == ours.authors_[expected.argmax(axis=1)]).all()
    assert ours.converged_


def test_c_is_the_smallest_of_the_most_accurate(sample: Sample) -> None:
    ours = LinearSVM().fit(sample.known, sample.labels)
    best = max(ours.accuracies_.values())
    assert ours.c_ == min(c for c, accuracy in ours.accuracies_.items() if accuracy == best)
    assert (ours.predict(sample.queries) == sample.truth).mean() > 0.5


def test_two_authors_and_other_names() -> None:
    vectors, labels = made_up(1, authors=2)
    one = LinearSVM().fit(vectors, labels)
    other = LinearSVM().fit(vectors, np.where(labels == "author 0", "z", "a"))
    assert (one.decision_function(vectors) == other.decision_function(vectors)).all()
    assert np.allclose(one.decision_function(vectors).sum(axis=1), 0, atol=1e-4)


def test_what_cannot_be_learnt_is_said() -> None:
    vectors, labels = made_up(2)
    with pytest.raises(NotLearnable, match="finite"):
        LinearSVM().fit(with_nan(vectors), labels)
    with pytest.raises(NotLearnable, match="one author"):
        LinearSVM().fit(vectors, ["a"] * len(labels))

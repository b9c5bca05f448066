"""Stacked AA against a plain logistic regression on the scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from forensia.diffvectors.pairs import codes
from forensia.systems import NotLearnable, StackedAttributor, completed, with_itself
from tests.systems.conftest import Sample, Scored


@pytest.mark.parametrize("made", [0, 1])
def test_equals_scikit_learn_on_the_scores(sample: Sample, scored: Scored, made: int) -> None:
    authors = codes(sample.labels)
    phi = (with_itself(scored.matrix, scored.pairs.model_), completed(scored.matrix, authors))[made]
    ours = StackedAttributor().fit(phi, sample.labels)
    model = LogisticRegression(C=ours.c_, solver="newton-cg", tol=1e-10, max_iter=1000).fit(phi, authors)
    assert np.abs(model.predict_proba(scored.scores) - ours.predict_proba(scored.scores)).max() < 1e-4
    assert ours.converged_
    assert (ours.predict(scored.scores) == ours.authors_[model.predict(scored.scores)]).mean() == 1


def test_a_document_with_itself_scores_as_the_model_says(sample: Sample, scored: Scored) -> None:
    phi = with_itself(scored.matrix, scored.pairs.model_)
    every = np.arange(len(sample.labels))
    assert np.diag(phi) == pytest.approx(scored.pairs.predict_proba(sample.known, every, every), abs=1e-5)
    off = ~np.eye(len(phi), dtype=bool)
    assert (phi[off] == scored.matrix[off]).all()


def test_missing_scores_become_the_mean_over_the_same_author() -> None:
    nan = np.nan
    matrix = np.array([[nan, 0.4, 0.6, 0.1], [0.4, nan, 0.2, nan], [0.6, 0.2, nan, 0.3], [0.1, nan, 0.3, nan]])
    found = completed(matrix, np.array([0, 0, 0, 1]))
    assert found[0] == pytest.approx([0.5, 0.4, 0.6, 0.1])
    assert found[1] == pytest.approx([0.4, 0.3, 0.2, 0.3])  # nobody else of the last author: the mean of the row
    other = matrix.copy()
    np.fill_diagonal(other, 7.0)
    assert (completed(other, np.array([0, 0, 0, 1])) == found).all()


def test_names_change_nothing(sample: Sample, scored: Scored) -> None:
    phi = with_itself(scored.matrix, scored.pairs.model_)
    names = {name: f"{number}" for number, name in enumerate(sorted(set(sample.labels), reverse=True))}
    one = StackedAttributor().fit(phi, sample.labels).predict_proba(scored.scores)
    other = StackedAttributor().fit(phi, [names[label] for label in sample.labels]).predict_proba(scored.scores)
    assert (one == other).all()


def test_what_cannot_be_learnt_is_said(sample: Sample, scored: Scored) -> None:
    with pytest.raises(NotLearnable, match="finite"):
        StackedAttributor().fit(scored.matrix, sample.labels)  # the diagonal is still open
    with pytest.raises(NotLearnable, match="shape"):
        StackedAttributor().fit(scored.matrix[:, :9], sample.labels)
    with pytest.raises(NotLearnable, match="one author"):
        StackedAttributor().fit(np.ones((4, 4)), ["a"] * 4)
    with pytest.raises(NotLearnable, match="compared"):
        completed(np.full((3, 3), np.nan), np.array([0, 0, 1]))


def test_equal_scores_say_nothing() -> None:
    found = StackedAttributor().fit(np.full((9, 9), 0.5), ["a", "b", "c"] * 3).predict_proba(np.full((2, 9), 0.5))
    assert np.allclose(found, 1 / 3, atol=1e-3)

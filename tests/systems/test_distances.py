"""STD-CosDist and its variants: distances as everybody computes them, and the logistic regression on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import cosine_similarity

from forensia.diffvectors import TooFewPairs, sample_pairs
from forensia.diffvectors.pairs import split_pairs
from forensia.profile import FORENSIC
from forensia.systems import DistanceClassifier, NotLearnable
from forensia.systems import distances as distances_module
from forensia.systems.distances import DISTANCES, DistanceName, cosines, minmaxes, overlap, own_cosines, pair_cosines
from tests.systems import plain
from tests.systems.conftest import Sample, equal_documents, made_up, with_nan
from tests.systems.plain import joined

NAMES: tuple[DistanceName, ...] = ("cosine", "l1", "l2")
finite = st.floats(-3, 3, width=32)


def test_cosines_are_those_of_the_joined_vectors(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    known, queries = joined(sample.known), joined(sample.queries)
    assert np.abs(cosines(sample.queries, sample.known) - cosine_similarity(queries, known)).max() < 1e-6
    expected = cosine_similarity(known)
    found = own_cosines(sample.known)
    assert np.abs(found - expected).max() < 1e-6
    assert (found == found.T).all()
    first, second = np.triu_indices(len(sample.labels), 1)
    from_matrix = pair_cosines(sample.known, first, second)
    monkeypatch.setattr(distances_module, "CHEAPER", 0)
    one_by_one = pair_cosines(sample.known, first, second)
    for way in (from_matrix, one_by_one):
        assert np.abs(way - expected[first, second]).max() < 1e-6


def test_an_empty_document_is_like_nothing() -> None:
    vectors, _ = made_up(1)
    empty = vectors.rows(slice(0, 1)).scaled({"function words": 0.0, "words": 0.0})
    assert (cosines(empty, vectors) == 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_distances_are_those_of_the_plain_form(name: DistanceName) -> None:
    vectors, _ = made_up(3)
    matrix, right = joined(vectors), plain.DISTANCES[name]
    expected = np.array([[right(a, b) for b in matrix] for a in matrix])
    distance = DISTANCES[name]
    own, first, second = distance.own(vectors), *np.triu_indices(len(vectors), 1)
    assert (own == own.T).all()
    assert np.abs(own - expected)[first, second].max() < 1e-5
    assert np.abs(np.diag(own)).max() < 0.01  # the root of what single precision leaves
    others = distance.between(vectors.rows(slice(0, 9)), vectors.rows(slice(9, None)))
    assert np.abs(others - expected[:9, 9:]).max() < 1e-5
    assert np.abs(distance.pairs(vectors, first, second) - expected[first, second]).max() < 1e-5
    assert (distance.pairs(vectors, first, second) == distance.pairs(vectors, second, first)).all()


def test_minmax_is_that_of_the_plain_form(sample: Sample) -> None:
    queries, known = sample.queries.rows(slice(0, 6)), sample.known.rows(slice(0, 9))
    expected = [[plain.minmax(a, b) for b in joined(known)] for a in joined(queries)]
    assert minmaxes(queries, known) == pytest.approx(np.array(expected), abs=1e-6)
    assert np.diag(minmaxes(known, known)) == pytest.approx(1, abs=1e-6)
    empty = queries.scaled(dict.fromkeys((block.family for block in queries.blocks), 0.0))
    assert minmaxes(empty, known).max() < 1e-6 and (minmaxes(empty, empty) == 0).all()


@given(finite, finite)
def test_overlap_is_the_least_of_what_is_above_and_of_what_is_below(a: float, b: float) -> None:
    expected = min(max(a, 0), max(b, 0)) + min(max(-a, 0), max(-b, 0))
    assert overlap(np.array([a]), np.array([b]))[0] == expected
    assert expected == pytest.approx((abs(a) + abs(b) - abs(a - b)) / 2)


@pytest.mark.parametrize("name", NAMES)
def test_equals_scikit_learn_on_one_feature(sample: Sample, name: DistanceName) -> None:
    ours = DistanceClassifier(distance=name).fit(sample.known, sample.labels)
    pairs = sample_pairs(sample.labels, 0)
    split = split_pairs(pairs, 0)
    matrix, right = joined(sample.known), plain.DISTANCES[name]
    distance = np.array([[right(matrix[a], matrix[b])] for a, b in zip(pairs.first, pairs.second, strict=True)])

    def theirs(c: float, rows: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=c, solver="newton-cg", tol=1e-10).fit(distance[rows], pairs.same[rows])

    losses = {}
    for c in ours.grid:
        folds = zip(split.train.T, split.test.T, strict=True)
        losses[c] = np.mean(
            [log_loss(pairs.same[b], theirs(c, a).predict_proba(distance[b])[:, 1], labels=[0, 1]) for a, b in folds]
        )
    assert ours.losses_ == pytest.approx(losses, abs=1e-5)
    assert ours.c_ == min(losses, key=lambda c: losses[c])
    model = theirs(ours.c_, np.ones(len(pairs), dtype=bool))
    assert ours.predict_proba(sample.known, pairs.first, pairs.second) == pytest.approx(
        model.predict_proba(distance)[:, 1], abs=1e-4
    )


@pytest.mark.parametrize("name", NAMES)
def test_matrix_scores_and_pairs_agree(sample: Sample, name: DistanceName) -> None:
    ours = DistanceClassifier(distance=name, profile=FORENSIC).fit(sample.known, sample.labels)
    matrix = ours.matrix(sample.known)
    assert np.isnan(np.diag(matrix)).all()
    scores = ours.scores(sample.known, sample.known)
    first, second = np.triu_indices(len(sample.labels), 1)
    assert np.allclose(matrix[first, second], scores[first, second], atol=1e-5)
    assert np.allclose(matrix[first, second], ours.predict_proba(sample.known, second, first), atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_learnt_is_said(name: DistanceName) -> None:
    vectors, labels = made_up(2)
    with pytest.raises(NotLearnable, match="finite"):
        DistanceClassifier(distance=name).fit(with_nan(vectors), labels)
    with pytest.raises(NotLearnable, match="one author"):
        DistanceClassifier().fit(vectors, ["a"] * len(labels))
    with pytest.raises(TooFewPairs):
        DistanceClassifier().fit(vectors, [f"author {row}" for row in range(len(labels))])


@pytest.mark.parametrize("name", NAMES)
def test_equal_documents_give_one_half(name: DistanceName) -> None:
    vectors = equal_documents(12)
    ours = DistanceClassifier(distance=name).fit(vectors, ["a", "b", "c"] * 4)
    every = np.arange(12)
    assert ours.predict_proba(vectors, every, every[::-1]) == pytest.approx(0.5, abs=1e-6)

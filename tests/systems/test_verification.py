"""Verification and the two-fold methods: each a small rule over attribution, checked as such."""

from __future__ import annotations

import numpy as np
import pytest

from forensia.diffvectors import TooFewPairs
from forensia.systems import (
    LazyVerifier,
    NativeVerifier,
    NotLearnable,
    StackedAttributor,
    StackedVerifier,
    with_itself,
)
from tests.systems import plain
from tests.systems.conftest import Sample, Scored, made_up


def test_lazy_verification_is_lazy_attribution_on_two_classes(sample: Sample, scored: Scored) -> None:
    author = sample.labels[0]
    ours = LazyVerifier(author).fit(scored.matrix, sample.labels)
    flags = (sample.labels == author).tolist()
    curve = [plain.lazy_accuracy(scored.matrix, flags, k) for k in range(1, flags.count(False) + 1)]
    assert ours.k_ == 1 + int(np.argmax(curve))
    for row, answer in zip(scored.scores, ours.predict(scored.scores), strict=True):
        scores = plain.lazy_scores(row, flags, ours.k_)
        assert answer == (scores[True] > scores[False])


@pytest.mark.parametrize("first", [0, 1])
def test_stacked_verification_is_stacked_attribution_on_two_classes(sample: Sample, scored: Scored, first: int) -> None:
    """Whether the author's documents come first or not."""
    author = sample.labels[0] if first == 0 else next(label for label in sample.labels if label != sample.labels[0])
    phi = with_itself(scored.matrix, scored.pairs.model_)
    ours = StackedVerifier(author).fit(phi, sample.labels)
    model = StackedAttributor().fit(phi, sample.labels == author)
    column = list(model.authors_).index(True)
    assert (ours.predict(scored.scores) == (model.predict_proba(scored.scores)[:, column] > 0.5)).all()
    assert ours.predict(phi)[sample.labels == author].all()


@pytest.mark.parametrize("method", ["lazy", "stacked", "standard"])
@pytest.mark.parametrize("position", [0, 1])
def test_native_verification_learns_the_author(sample: Sample, method: str, position: int) -> None:
    """Its own training documents at least; with the author first and not first in the list."""
    author = list(dict.fromkeys(sample.labels))[position]
    flags = sample.labels == author
    fitted = NativeVerifier(method).fit(sample.known, flags)
    answers = fitted.predict(sample.known)
    assert answers.dtype == np.bool_
    assert answers[flags].mean() > 0.5
    if method != "lazy":  # the pool of the others is large, which the paper found to mislead Lazy AV, either way
        assert answers[~flags].mean() < 0.5


def test_what_cannot_be_learnt_is_said(sample: Sample, scored: Scored) -> None:
    vectors, labels = made_up(1)
    with pytest.raises(NotLearnable, match="somebody else"):
        LazyVerifier("nobody").fit(scored.matrix, sample.labels)
    with pytest.raises(NotLearnable, match="no method"):
        NativeVerifier("best").fit(vectors, labels == "author 0")
    with pytest.raises(TooFewPairs):
        NativeVerifier().fit(vectors, np.arange(len(labels)) == 0)
    with pytest.raises(NotLearnable, match="one author"):
        NativeVerifier("standard").fit(vectors, np.zeros(len(labels), dtype=bool))
    with pytest.raises(NotLearnable, match="answers"):
        NativeVerifier().fit(vectors, labels[:-1] == "author 0")

"""Lazy AA: an author's score is the mean of h over the k of their documents that are most similar to the text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.problems import NotLearnable

Floats = NDArray[np.float64]


def author_scores(h: Floats, codes: NDArray[Any], k: int) -> Floats:
    """Queries x authors: the mean of the k best scores with each author's documents, or of those there are.

    NaN marks a pair that was not scored (a document with itself, or with one of its own fold); without any score an author gets 0.
    """
    if k < 1:
        raise NotLearnable("k must be at least 1.")
    authors = int(codes.max(initial=-1)) + 1
    out = np.zeros((len(h), authors))
    for author in range(authors):
        best = _best_first(h[:, codes == author])[:, :k]
        scored = ~np.isnan(best)
        out[:, author] = np.where(scored, best, 0.0).sum(axis=1) / np.maximum(scored.sum(axis=1), 1)
    return out


def choose_k(h: Floats, codes: NDArray[Any]) -> tuple[int, Floats]:
    """The k with the best leave-one-out accuracy (the smallest among equals), and the accuracy for k = 1, 2, ...

    `h` has all training documents against all; a document's score with itself never counts, whatever stands there.
    """
    authors = int(codes.max(initial=-1)) + 1
    if authors < 2:
        raise NotLearnable("Ranking needs documents by at least two authors.")
    scores = h.copy()
    np.fill_diagonal(scores, np.nan)
    most = int(np.bincount(codes).max())
    means = np.zeros((most, len(h), authors))
    for author in range(authors):
        best = _best_first(scores[:, codes == author])
        scored = ~np.isnan(best)
        totals = np.cumsum(np.where(scored, best, 0.0), axis=1)
        counts = np.maximum(np.cumsum(scored, axis=1), 1)
        running = (totals / counts).T
        means[: len(running), :, author] = running
        means[len(running) :, :, author] = running[-1]
    accuracy = (means.argmax(axis=2) == codes).mean(axis=1)
    return int(accuracy.argmax()) + 1, accuracy


def _best_first(scores: Floats) -> Floats:
    """Each row from the highest to the lowest; NaN last."""
    return -np.sort(-scores, axis=1)

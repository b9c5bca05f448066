"""Lazy AA: an author's score is the mean of Pr(Same) over the k of their documents that are most similar to the disputed one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.problems import NotLearnable, check_compared, check_finite, check_labels
from forensia.attribution.ranking import in_order
from forensia.diffvectors.pairs import codes as author_codes

CELLS = 4_000_000  # numbers that are sorted together: bounds the memory
Floats = NDArray[np.float64]
Codes = NDArray[np.integer]


@dataclass(frozen=True)
class KChoice:
    """The k with the highest leave-one-out accuracy, and the accuracy of each k from 1 on.

    `estimable` is False when no author has two documents: then there is nothing to leave out, and k is 1.
    """

    k: int
    curve: tuple[float, ...]
    estimable: bool

    @property
    def accuracy(self) -> float | None:
        return self.curve[self.k - 1] if self.estimable else None


def author_scores(h: Floats, codes: Codes, k: int) -> Floats:
    """Queries x authors, from the Pr(Same) of queries x known documents; NaN entries of `h` do not count.

    An author with fewer than k documents gets the mean over those there are, one without any gets NaN.
    """
    if k < 1:
        raise NotLearnable(f"k must be at least 1, not {k}.")
    out = np.empty((len(h), int(codes.max()) + 1))
    for rows, means in _means(h, codes):
        out[rows] = means[:, :, min(k, means.shape[2]) - 1]
    return out


def choose_k(matrix: Floats, codes: Codes) -> KChoice:
    """k by leave-one-out accuracy over 1 to the most documents of an author; ties go to the smallest k.

    `matrix` is the Pr(Same) of all documents against all. Whatever stands on its diagonal is ignored: a document is never its own
    neighbour.
    """
    others = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(others, np.nan)
    sizes = np.bincount(codes)
    right = np.zeros(int(sizes.max()), dtype=np.int64)
    for rows, means in _means(others, codes):
        likely = np.where(np.isnan(means), -np.inf, means).argmax(axis=1)  # among equals, the author who comes first
        own = means[np.arange(len(means)), codes[rows]]
        right += ((likely == codes[rows][:, None]) & ~np.isnan(own)).sum(axis=0)
    curve = right / len(others)
    return KChoice(int(curve.argmax()) + 1, tuple(float(value) for value in curve), bool((sizes > 1).any()))


def attributed_left_out(matrix: Floats, codes: Codes) -> NDArray[np.int64]:
    """The author (code) of each document by Lazy AA, with the k that all other documents would choose: it has no say in it itself."""
    others = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(others, np.nan)
    first = np.empty((len(others), int(np.bincount(codes).max())), dtype=np.int64)
    for rows, means in _means(others, codes):
        first[rows] = np.where(np.isnan(means), -np.inf, means).argmax(axis=1)
    right = first == codes[:, None]
    chosen = (right.sum(axis=0) - right).argmax(axis=1)  # ties go to the smallest k
    return np.asarray(first[np.arange(len(first)), chosen])


class LazyAttributor:
    """Attribution by the k most similar documents of each author; k is chosen by leave-one-out unless it is given."""

    def __init__(self, *, k: int | None = None) -> None:
        self.k = k

    def fit(self, matrix: Floats, labels: NDArray[Any] | list[str]) -> LazyAttributor:
        """Learn k from the Pr(Same) of the known documents against each other; the diagonal is ignored, NaN is 'not compared'."""
        check_labels(labels, len(matrix))
        _check_width(matrix, len(matrix))
        check_compared(matrix)
        self.authors_ = in_order(labels)
        self._codes = author_codes(labels)
        self.choice_ = choose_k(matrix, self._codes) if self.k is None else None
        self.k_ = self.k if self.choice_ is None else self.choice_.k
        return self

    def scores(self, h: Floats) -> Floats:
        """Documents x authors, from the Pr(Same) of documents x known documents: relative, not probabilities of authorship."""
        _check_width(h, len(self._codes))
        check_finite(h)
        return author_scores(h, self._codes, self.k_ or 1)

    def predict(self, h: Floats) -> NDArray[Any]:
        """The author with the highest score."""
        scores = self.scores(h)
        return np.asarray(self.authors_[np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)])


def _means(h: Floats, codes: Codes) -> Iterator[tuple[slice, Floats]]:
    """For some rows at a time: the mean over the k most similar documents of each author, for every k (rows x authors x k)."""
    sizes = np.bincount(codes)
    most = int(sizes.max())
    place = np.full((len(sizes), most), -1)
    order = np.argsort(codes, kind="stable")
    place[codes[order], np.arange(len(codes)) - (np.cumsum(sizes) - sizes)[codes[order]]] = order
    step = max(1, CELLS // place.size)
    for start in range(0, len(h), step):
        rows = slice(start, min(start + step, len(h)))
        ours = np.where(place >= 0, h[rows][:, place], np.nan)
        ours = -np.sort(-ours, axis=2)  # falling, with NaN at the end
        counted = np.cumsum(~np.isnan(ours), axis=2)
        with np.errstate(invalid="ignore"):  # nobody to take the mean over: NaN
            yield rows, np.cumsum(np.nan_to_num(ours, nan=0.0), axis=2) / counted


def _check_width(h: Floats, known: int) -> None:
    if h.ndim != 2 or h.shape[1] != known:
        raise NotLearnable(f"Scores against {known} known documents are needed, not an array of shape {h.shape}.")

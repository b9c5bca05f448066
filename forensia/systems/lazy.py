"""Lazy AA: an author's score is the mean of Pr(Same) over the k of their documents that are most similar to the disputed one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.pairs import codes as author_codes
from forensia.estimator import Estimator
from forensia.profile import PAPER, Profile
from forensia.systems.problems import NotLearnable, check_compared, check_finite, check_labels, in_order

CELLS = 4_000_000  # numbers that are sorted together: bounds the memory
Floats = NDArray[np.float64]
Codes = NDArray[np.integer]


@dataclass(frozen=True)
class KChoice:
    """The k chosen by leave-one-out accuracy, and the accuracy of each k from 1 on.

    `estimable` is False when no author has two documents: then there is nothing to leave out, and k is 1.
    """

    k: int
    curve: tuple[float, ...]
    estimable: bool

    @property
    def accuracy(self) -> float | None:
        return self.curve[self.k - 1] if self.estimable else None


def author_scores(h: Floats, codes: Codes, k: int, *, even: bool = False) -> Floats:
    """Queries x authors, from the Pr(Same) of queries x known documents; NaN entries of `h` do not count.

    An author with fewer than k documents gets the mean over those there are, one without any gets NaN. `even` is explained at `reach`.
    """
    if k < 1:
        raise NotLearnable(f"k must be at least 1, not {k}.")
    out = np.empty((len(h), int(codes.max()) + 1))
    counted = reach(codes, k, even=even)
    for rows, means in _means(h, codes):
        out[rows] = means[:, np.arange(len(counted)), np.minimum(counted, means.shape[2]) - 1]
    return out


def reach(codes: Codes, k: int, *, even: bool = False) -> NDArray[np.int64]:
    """How many documents of each author are looked at: k, or with `even` the share of the author's documents that k is of the most.

    The k most similar of many documents are more similar than the k most similar of few, by chance alone. With k for everybody an
    author with 7 documents among others with 28 was chosen for 3 % of texts instead of 17 %; with shares for 10 %, and more texts were
    ascribed rightly. Where all have the same number of documents there is no difference.
    """
    sizes = np.bincount(codes)
    if not even:
        return np.full(len(sizes), k)
    return np.asarray(np.maximum(1, np.rint(k * sizes / sizes.max())), dtype=np.int64)


def choose_k(matrix: Floats, codes: Codes, profile: Profile = PAPER) -> KChoice:
    """k by leave-one-out accuracy over 1 to the most documents of an author; the paper's way, ties go to the smallest k.

    In the forensic profile reach is even, and k is the middle one of all that are as good as the best to within half a standard error:
    on a flat curve the highest point is a matter of chance (12 authors with 10 texts: 114 of 120 right by k = 10, 113 by k = 3).

    `matrix` is the Pr(Same) of all documents against all. Whatever stands on its diagonal is ignored: a document is never its own
    neighbour.
    """
    sizes = np.bincount(codes)
    right = _first_by_k(matrix, codes, profile.even) == codes[:, None]
    curve = tuple(float(value) for value in right.mean(axis=0))
    return KChoice(_best(right, profile) + 1, curve, bool((sizes > 1).any()))


def _best(right: NDArray[np.bool_], profile: Profile) -> int:
    """The column with the most documents right, or the middle one of those that are about as good."""
    curve = right.mean(axis=0)
    if profile.k == "highest":
        return int(curve.argmax())
    error = np.sqrt(curve.max() * (1 - curve.max()) / len(right)) / 2
    plateau = np.flatnonzero(curve >= curve.max() - error)
    return int(plateau[(len(plateau) - 1) // 2])


def attributed_out_of_fold(
    matrix: Floats, codes: Codes, fold: NDArray[np.integer], profile: Profile = PAPER
) -> NDArray[np.int64]:
    """The author (code) of each document by Lazy AA, with the k that the documents of the other folds choose.

    By folds, not one by one: where several k are about equally good, a single document that is right tips the balance to a k by which it
    is wrong as soon as it is left out. That cost 4 points of accuracy on short mails.
    """
    first = _first_by_k(matrix, codes, profile.even)
    right = first == codes[:, None]
    found = np.empty(len(first), dtype=np.int64)
    for number in np.unique(fold):
        rows = fold == number
        found[rows] = first[rows, _best(right[~rows], profile)]
    return np.where(found < 0, -1 - found, found)


def _first_by_k(matrix: Floats, codes: Codes, even: bool) -> NDArray[np.int64]:
    """The author who comes first for each document and each k; written as -1 - author where its own could not be compared."""
    others = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(others, np.nan)
    most = int(np.bincount(codes).max())
    counted = np.stack([reach(codes, k, even=even) for k in range(1, most + 1)], axis=1)
    authors = np.arange(len(counted))[:, None]
    first = np.empty((len(others), most), dtype=np.int64)
    for rows, means in _means(others, codes):
        picked = means[:, authors, counted - 1]
        likely = np.where(np.isnan(picked), -np.inf, picked).argmax(axis=1)  # among equals, the author who comes first
        own = picked[np.arange(len(picked)), codes[rows]]
        first[rows] = np.where(np.isnan(own), -1 - likely, likely)
    return first


class LazyAttributor(Estimator):
    """Attribution by the k most similar documents of each author; k is chosen by leave-one-out, as `profile` has it, unless given."""

    def __init__(self, *, k: int | None = None, profile: Profile = PAPER) -> None:
        self.k = k
        self.profile = profile

    def fit(self, matrix: Floats, labels: NDArray[Any] | list[str]) -> LazyAttributor:
        """Learn k from the Pr(Same) of the known documents against each other; the diagonal is ignored, NaN is 'not compared'."""
        check_labels(labels, len(matrix))
        _check_width(matrix, len(matrix))
        check_compared(matrix)
        self.authors_ = in_order(labels)
        self._codes = author_codes(labels)
        self.choice_ = choose_k(matrix, self._codes, self.profile) if self.k is None else None
        self.k_ = self.k if self.choice_ is None else self.choice_.k
        return self

    def scores(self, h: Floats) -> Floats:
        """Documents x authors, from the Pr(Same) of documents x known documents: relative, not probabilities of authorship."""
        _check_width(h, len(self._codes))
        check_finite(h)
        return author_scores(h, self._codes, self.k_ or 1, even=self.profile.even)

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

"""Attribution from Pr(Same) with each known document, by Lazy AA and by Stacked AA, and verification by both.

Lazy AA: an author's score is the mean of Pr(Same) over the k of their documents that are most similar to the disputed one.

Stacked AA: a document is described by its Pr(Same) with each known document, and a logistic regression learns what that means.

Verification: did A* write it? By the paper's reduction to attribution, on the binary codeframe, or with pairs made for A* alone.

All of it returns decisions; how good they are is measured elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import DVBin, PairModel, native_pairs, one_blas_thread, probability
from forensia.diffvectors.pairs import codes, split_pairs
from forensia.diffvectors.pairs import codes as author_codes
from forensia.estimator import Estimator, NotLearnable, check_compared, check_finite, check_labels, in_order
from forensia.features.vectors import Block, Vectors
from forensia.jobs import Progress, part, silent
from forensia.profile import PAPER, Profile
from forensia.systems.multinomial import FOLDS, GRID, RowLogistic, RowSpace

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


class StackedAttributor(Estimator):
    """Attribution by a multinomial logistic regression on phi(x) = (h(x, x1), ..., h(x, xn)).

    The phi of the training documents must be complete: what stands on the diagonal is decided by whoever computes the scores. The
    paper's formula has h(x, x), which `with_itself` fills in; cross-fitted scores, which lack the pairs
    within a fold, are completed by `completed`. `even` takes out of the result how many documents each author has: a disputed text is
    not more probably by somebody because more of their texts were collected.
    """

    def __init__(
        self,
        *,
        grid: tuple[float, ...] = GRID,
        folds: int = FOLDS,
        seed: int = 0,
        whole_path: bool = False,
        even: bool = False,
    ) -> None:
        self.grid = grid
        self.folds = folds
        self.seed = seed
        self.whole_path = whole_path
        self.even = even

    def fit(self, phi: Floats, labels: NDArray[Any] | list[str], progress: Progress = silent) -> StackedAttributor:
        """Learn from the scores of the known documents against each other."""
        check_labels(labels, len(phi))
        if phi.shape != (len(phi), len(phi)):
            raise NotLearnable(f"Each document needs a score for each document, not an array of shape {phi.shape}.")
        self.authors_ = in_order(labels)
        space = RowSpace(_as_vectors(phi))
        learner = RowLogistic(grid=self.grid, folds=self.folds, seed=self.seed, whole_path=self.whole_path)
        learner.fit(space.gram, labels, progress)
        weights = space.weights(learner.duals_, learner.intercepts_)
        self.weights_, self.intercepts_ = weights.dense, weights.intercepts
        if self.even:
            sizes = np.log(np.bincount(codes(labels)))
            self.intercepts_ = weights.intercepts - (sizes if len(weights.intercepts) > 1 else sizes[1:] - sizes[:1])
        self.c_, self.converged_ = learner.c_[0], learner.converged_
        return self

    def predict_proba(self, phi: Floats) -> Floats:
        """Documents x authors, in the order of `authors_`."""
        from scipy.special import expit, softmax

        check_finite(phi)
        with one_blas_thread():
            logits = phi @ self.weights_.T + self.intercepts_
        if logits.shape[1] == 1:  # two authors: one model, of the second
            return np.column_stack((expit(-logits[:, 0]), expit(logits[:, 0])))
        return np.asarray(softmax(logits, axis=1))

    def predict(self, phi: Floats) -> NDArray[Any]:
        """The most probable author of each document."""
        return np.asarray(self.authors_[self.predict_proba(phi).argmax(axis=1)])

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file; the authors are the caller's to keep."""
        return {"weights": self.weights_, "intercepts": self.intercepts_}, {"c": self.c_, "converged": self.converged_}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any], authors: NDArray[Any]
    ) -> StackedAttributor:
        """The classifier as it was stored."""
        made = cls()
        made.weights_, made.intercepts_ = arrays["weights"], arrays["intercepts"]
        made.c_, made.converged_ = float(header["c"]), bool(header["converged"])
        made.authors_ = authors
        return made


def described(matrix: Floats, codes: NDArray[np.integer], model: PairModel, profile: Profile) -> Floats:
    """The phi of the training documents, complete, as a profile has it."""
    return completed(matrix, codes) if profile.out_of_fold else with_itself(matrix, model)


def with_itself(matrix: Floats, model: PairModel) -> Floats:
    """The scores with h(x, x) on the diagonal: all differences are zero there, so only the intercept is left."""
    out = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(out, probability(np.array(model.intercept)))
    return out


def completed(matrix: Floats, codes: NDArray[np.integer]) -> Floats:
    """The scores with each missing one (NaN, or on the diagonal) replaced by the mean of the row over the same author's documents.

    So a training document looks as a new one by its author would: its own column, or its fold's, stands out neither as certain nor as
    empty. Where the row has no other document of that author, the mean of the row is taken.
    """
    out = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(out, np.nan)
    missing = np.isnan(out)
    if missing.all(axis=1).any():
        raise NotLearnable("Some documents could not be compared with any other.")
    member = (codes[:, None] == np.arange(int(codes.max()) + 1)).astype(np.float64)
    with one_blas_thread():
        sums, counts = np.where(missing, 0.0, out) @ member, (~missing).astype(np.float64) @ member
    rows = sums.sum(axis=1, keepdims=True) / counts.sum(axis=1, keepdims=True)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), rows)
    return np.where(missing, means[:, codes], out)


def _as_vectors(phi: Floats) -> Vectors:
    from scipy.sparse import csr_matrix

    check_finite(phi)
    empty = csr_matrix((len(phi), 0), dtype=np.float32)
    return Vectors(phi.astype(np.float32), empty, (Block("scores", True, 0, phi.shape[1]),))


Flags = NDArray[np.bool_]
METHODS = ("lazy", "stacked", "standard")


class LazyVerifier(Estimator):
    """Lazy AV: Lazy AA with the codeframe {A*, everybody else}."""

    def __init__(self, author: Any, *, k: int | None = None) -> None:
        self.author = author
        self.k = k

    def fit(self, matrix: Floats, labels: NDArray[Any] | list[str]) -> LazyVerifier:
        """Learn k from the Pr(Same) of the known documents against each other."""
        self._lazy = LazyAttributor(k=self.k).fit(matrix, _is_author(labels, self.author))
        self.k_ = self._lazy.k_
        return self

    def predict(self, h: Floats) -> Flags:
        """Yes or no, from the Pr(Same) of documents x known documents."""
        return np.asarray(self._lazy.predict(h), dtype=np.bool_)


class StackedVerifier(Estimator):
    """Stacked AV: Stacked AA with the codeframe {A*, everybody else}."""

    def __init__(self, author: Any, *, seed: int = 0) -> None:
        self.author = author
        self.seed = seed

    def fit(self, phi: Floats, labels: NDArray[Any] | list[str], progress: Progress = silent) -> StackedVerifier:
        """Learn from the scores of the known documents against each other."""
        self._stacked = StackedAttributor(seed=self.seed).fit(phi, _is_author(labels, self.author), progress)
        return self

    def predict(self, phi: Floats) -> Flags:
        """Yes or no, from the Pr(Same) of documents x known documents."""
        return np.asarray(self._stacked.predict(phi), dtype=np.bool_)


class NativeVerifier(Estimator):
    """Verification where all that is known of a training document is whether A* wrote it.

    `method` 'lazy' or 'stacked': DV-Bin on pairs within A* (Same) and across the border (Different), then Lazy or Stacked on two
    classes. 'standard': a binary logistic regression on the vectors themselves (STD-Bin).
    """

    def __init__(self, method: str = "lazy", *, seed: int = 0, threads: int = 1) -> None:
        self.method = method
        self.seed = seed
        self.threads = threads

    def fit(self, vectors: Vectors, is_author: Flags, progress: Progress = silent) -> NativeVerifier:
        """Learn from documents and whether A* wrote them."""
        if self.method not in METHODS:
            raise NotLearnable(f"There is no method '{self.method}': choose one of {', '.join(METHODS)}.")
        flags = np.asarray(is_author, dtype=np.bool_)
        if len(flags) != len(vectors):
            raise NotLearnable(f"There are {len(vectors)} documents and {len(flags)} answers whether A* wrote them.")
        self._known = vectors
        if self.method == "standard":
            self._fit_standard(vectors, flags, progress)
            return self
        pairs = native_pairs(flags, self.seed)
        self.pairs_ = DVBin(seed=self.seed, threads=self.threads).fit_pairs(
            vectors, pairs, split_pairs(pairs, self.seed), part(progress, 0.0, 0.8)
        )
        matrix = self.pairs_.matrix(vectors, part(progress, 0.8, 0.9))
        self._learner: LazyVerifier | StackedVerifier
        if self.method == "lazy":
            self._learner = LazyVerifier(True).fit(matrix, flags)
        else:
            phi = with_itself(matrix, self.pairs_.model_)
            self._learner = StackedVerifier(True, seed=self.seed).fit(phi, flags, part(progress, 0.9, 1.0))
        return self

    def predict(self, vectors: Vectors, progress: Progress = silent) -> Flags:
        """Yes or no for each document."""
        if self.method == "standard":
            return np.asarray(self._model.decision(self._space.against(vectors))[:, 0] * self._sign > 0)
        return self._learner.predict(self.pairs_.scores(vectors, self._known, progress))

    def _fit_standard(self, vectors: Vectors, flags: Flags, progress: Progress) -> None:
        self._space = RowSpace(vectors)
        self._model = RowLogistic(seed=self.seed).fit(self._space.gram, flags, progress)
        self._sign = -1.0 if flags[0] else 1.0  # the model is for the class that comes second


def _is_author(labels: NDArray[Any] | list[str], author: Any) -> Flags:
    flags = np.array([label == author for label in labels], dtype=np.bool_)
    if not flags.any() or flags.all():
        raise NotLearnable(f"Verifying '{author}' needs documents of theirs and documents by somebody else.")
    return flags

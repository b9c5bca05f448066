"""The baselines on standard vectors: STD-AA, one multinomial logistic regression; STD-Bin, a binary one for each author; a linear SVM;
Impostors.

Impostors (Koppel and Winter 2014) asks whether two documents are closer to each other than to others. In each of `rounds` rounds half of
the features are kept and some impostors are drawn from the candidates, the training documents most similar to y. The round counts if x is
closer to y than to every impostor. The score of a pair is the share of rounds that count, averaged over both directions; above sigma* the
answer is 'same author'. Closeness is the cosine, which the paper found to be the better one, or minmax, which is Koppel and Winter's own.

The halves and the draws are made once, when the method is fitted, and serve every pair: so the score of a pair depends neither on
other pairs nor on their order. All rounds of a direction are then one product: what y and each of its candidates have in
common with x, feature by feature, times the halves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread, sample_pairs
from forensia.diffvectors.pairs import codes
from forensia.estimator import Estimator, NotLearnable, check_labels, in_order
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent, tracked
from forensia.systems.descent import DescentSolution, SquaredHinge, descend, nothing, one_against_rest
from forensia.systems.distances import cosines, minmaxes, overlap
from forensia.systems.multinomial import FOLDS, GRID, RowLogistic, RowSpace, RowWeights, held_out

Floats = NDArray[np.float64]


class StandardAttributor(Estimator):
    """Attribution by logistic regression on the vectors themselves; `each` False is STD-AA, True is STD-Bin."""

    def __init__(
        self,
        *,
        each: bool = False,
        grid: tuple[float, ...] = GRID,
        folds: int = FOLDS,
        seed: int = 0,
        whole_path: bool = False,
    ) -> None:
        self.each = each
        self.grid = grid
        self.folds = folds
        self.seed = seed
        self.whole_path = whole_path

    def fit(
        self, vectors: Vectors, labels: NDArray[Any] | list[str], progress: Progress = silent
    ) -> StandardAttributor:
        """Learn from documents and their authors."""
        check_labels(labels, len(vectors))
        self.authors_ = in_order(labels)
        self._space = RowSpace(vectors)
        self.model_ = RowLogistic(
            each=self.each, grid=self.grid, folds=self.folds, seed=self.seed, whole_path=self.whole_path
        ).fit(self._space.gram, labels, progress)
        return self

    def predict_proba(self, vectors: Vectors) -> Floats:
        """Documents x authors, in the order of `authors_`; the rows of STD-Bin do not sum to one."""
        return self.model_.predict_proba(self._space.against(vectors))

    def predict(self, vectors: Vectors) -> NDArray[Any]:
        """The most probable author of each document."""
        logits = self.model_.decision(self._space.against(vectors))
        if logits.shape[1] == 1:  # two authors, one model: the second or not
            logits = np.column_stack((-logits[:, 0], logits[:, 0]))
        return np.asarray(self.authors_[logits.argmax(axis=1)])

    def weights(self) -> RowWeights:
        """What the features say for each author; with two authors and STD-AA, for the second against the first."""
        return self._space.weights(self.model_.duals_, self.model_.intercepts_)


SVM_GRID = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
HELD_OUT = 1e-4  # duality gap as a share of the objective: enough for who comes first
EXACT = 1e-8
Singles = NDArray[np.float32]


class LinearSVM(Estimator):
    """Attribution by the author whose machine gives the highest decision value."""

    def __init__(self, *, grid: tuple[float, ...] = SVM_GRID, folds: int = FOLDS, seed: int = 0) -> None:
        self.grid = grid
        self.folds = folds
        self.seed = seed

    def fit(self, vectors: Vectors, labels: NDArray[Any] | list[str], progress: Progress = silent) -> LinearSVM:
        """Learn from documents and their authors; among values of C that are equally accurate the smallest is taken."""
        check_labels(labels, len(vectors))
        self.authors_ = in_order(labels)
        authors = codes(labels)
        self._space = RowSpace(vectors, centred=False)
        gram = self._space.gram + np.float32(1)
        with one_blas_thread():
            right = np.zeros(len(self.grid))
            fold = held_out(authors, self.folds, self.seed)
            numbers = np.unique(fold[fold >= 0])
            for done, number in enumerate(numbers):
                stage = part(progress, done / (len(numbers) + 1), (done + 1) / (len(numbers) + 1))
                stage(0.0, "choosing the regularisation")
                right += self._right(gram, authors, fold == number, stage)
            self.accuracies_: Mapping[float, float] = dict(
                zip(self.grid, (right / (fold >= 0).sum()).tolist(), strict=True)
            )
            self.c_ = self.grid[int(right.argmax())]
            self.solution_ = self._solve(gram, authors, self.c_, None, EXACT, progress)
        self.converged_ = bool(self.solution_.converged.all())
        return self

    def decision_function(self, vectors: Vectors) -> Floats:
        """Documents x authors."""
        duals = self.solution_.duals.astype(np.float64)
        with one_blas_thread():
            return np.asarray((self._space.against(vectors) + 1) @ duals.T)

    def predict(self, vectors: Vectors) -> NDArray[Any]:
        """The author with the highest decision value."""
        return np.asarray(self.authors_[self.decision_function(vectors).argmax(axis=1)])

    def _right(self, gram: Singles, authors: NDArray[np.int32], test: NDArray[np.bool_], progress: Progress) -> Floats:
        """How many of the held-out documents each C attributes rightly."""
        train = np.flatnonzero(~test)
        inner, cross = np.ascontiguousarray(gram[np.ix_(train, train)]), gram[np.ix_(train, np.flatnonzero(test))]
        start, right = None, []
        for c in self.grid:
            start = self._solve(inner, authors[train], c, start, HELD_OUT, progress)
            right.append(((start.duals @ cross).argmax(axis=0) == authors[test]).sum())
        return np.array(right, dtype=np.float64)

    def _solve(
        self,
        gram: Singles,
        authors: NDArray[np.int32],
        c: float,
        start: DescentSolution | None,
        tolerance: float,
        progress: Progress,
    ) -> DescentSolution:
        classes = len(self.authors_)
        loss = SquaredHinge(one_against_rest(authors, classes))
        start = start or nothing(classes, len(gram), joint=False)
        return descend(gram, loss, c, start, tolerance, intercept=False, progress=progress)


Places = NDArray[np.intp]
SimilarityName = Literal["cosine", "minmax"]


@dataclass(frozen=True)
class Similarity:
    """How alike documents are: by all features, and by those of each round, from what two have in common and the sizes of both.

    `closeness` takes what x has in common with some documents (documents x rounds), the sizes of x and those of the documents. It
    need only be in the right order for one x.
    """

    between: Callable[[Vectors, Vectors], Floats]
    common: Callable[[NDArray[Any], NDArray[Any]], Floats]
    sizes: Callable[[Vectors, NDArray[np.bool_]], Floats]
    closeness: Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True)
class Draws:
    """What chance decides, once: the features kept (features x rounds) and how early each candidate is drawn (rounds x candidates)."""

    halves: NDArray[np.bool_]
    urn: Floats

    def impostors(self, count: int, size: int) -> NDArray[np.intp]:
        """The impostors of each round, as places among `count` candidates."""
        return np.argsort(self.urn[:, :count], axis=1, kind="stable")[:, :size]


class Impostors(Estimator):
    """Same author or not by the impostors method; needs three authors, and test authors that are not among the impostors."""

    def __init__(
        self,
        *,
        candidates: int = 50,
        impostors: int = 10,
        rounds: int = 100,
        validation: int = 250,
        similarity: SimilarityName = "cosine",
        seed: int = 0,
    ) -> None:
        self.candidates = candidates
        self.impostors = impostors
        self.rounds = rounds
        self.validation = validation  # pairs of each class on which sigma* is tuned
        self.similarity = similarity
        self.seed = seed

    def fit(self, vectors: Vectors, labels: NDArray[Any] | list[str], progress: Progress = silent) -> Impostors:
        """Keep the training documents, draw, and tune sigma* on pairs of them, whose authors are no impostors then."""
        check_labels(labels, len(vectors))
        authors = codes(labels)
        if authors.max() < 2:
            raise NotLearnable("The impostors method needs documents by at least three authors.")
        self._known = vectors
        self.draws_ = self._draw(vectors.dense.shape[1] + vectors.sparse.shape[1])
        self._dense_halves = self.draws_.halves[: vectors.dense.shape[1]].astype(np.float64)
        with one_blas_thread():
            self._known_sizes = self._measure.sizes(vectors, self.draws_.halves)
        pairs = sample_pairs(labels, self.seed, cap=self.validation)
        similar = self._measure.between(vectors, vectors)
        chosen = [
            self._candidates(np.where(np.isin(authors, authors[[x, y]]), -np.inf, similar[[x, y]]))
            for x, y in zip(pairs.first, pairs.second, strict=True)
        ]
        scores = self._scores(vectors, pairs.first, pairs.second, chosen, part(progress, 0.05, 1.0))
        self.sigma_, self.accuracy_ = tune_sigma(scores, pairs.same)
        return self

    def scores(
        self,
        vectors: Vectors,
        first: NDArray[Any],
        second: NDArray[Any],
        progress: Progress = silent,
        barred: NDArray[np.bool_] | None = None,
    ) -> Floats:
        """The score of pairs of rows, from 0 to 1; the same for (x, y) and (y, x).

        `barred` (pairs x known documents) marks documents that must not be impostors of a pair: those by the author in question.
        """
        needed = np.unique(np.concatenate((first, second)))
        similar = np.zeros((len(vectors), len(self._known)))
        similar[needed] = self._measure.between(vectors.rows(needed), self._known)
        chosen = [
            self._candidates(similar[[x, y]] if barred is None else np.where(barred[at], -np.inf, similar[[x, y]]))
            for at, (x, y) in enumerate(zip(first, second, strict=True))
        ]
        return self._scores(vectors, first, second, chosen, progress)

    def kept(self) -> dict[str, NDArray[Any]]:
        """What was learnt, beside the documents themselves."""
        return {"norms": self._known_sizes, "tuned": np.array([self.sigma_, self.accuracy_])}

    def restore(self, vectors: Vectors, kept: Mapping[str, NDArray[Any]]) -> Impostors:
        """The method as it was fitted on these documents."""
        self._known, self._known_sizes = vectors, kept["norms"]
        self.draws_ = self._draw(vectors.dense.shape[1] + vectors.sparse.shape[1])
        self._dense_halves = self.draws_.halves[: vectors.dense.shape[1]].astype(np.float64)
        self.sigma_, self.accuracy_ = (float(value) for value in kept["tuned"])
        return self

    def predict(
        self, vectors: Vectors, first: NDArray[Any], second: NDArray[Any], progress: Progress = silent
    ) -> NDArray[np.bool_]:
        """Same or not, for pairs of rows."""
        return np.asarray(self.scores(vectors, first, second, progress) > self.sigma_)

    @property
    def _measure(self) -> Similarity:
        return SIMILARITIES[self.similarity]

    def _draw(self, width: int) -> Draws:
        rng = np.random.default_rng([self.seed, 3])
        halves = np.zeros((width, self.rounds), dtype=np.bool_)
        for number in range(self.rounds):
            halves[rng.permutation(width)[: width // 2], number] = True
        return Draws(halves, rng.random((self.rounds, self.candidates)))

    def _candidates(self, similar: Floats) -> list[Places]:
        """The known documents most similar to each of two, the most similar first; those at minus infinity are not to be taken."""
        order = np.argsort(-similar, axis=1, kind="stable")[:, : self.candidates]
        return [row[np.isfinite(values[row])] for row, values in zip(order, similar, strict=True)]

    def _scores(
        self,
        vectors: Vectors,
        first: NDArray[Any],
        second: NDArray[Any],
        chosen: list[list[Places]],
        progress: Progress,
    ) -> Floats:
        out = np.empty(len(first))
        needed = np.unique(np.concatenate((first, second)))
        sizes = np.zeros((len(vectors), self.rounds))
        with one_blas_thread():
            sizes[needed] = self._measure.sizes(vectors.rows(needed), self.draws_.halves)
            for at in tracked(range(len(first)), progress, "comparing with impostors"):
                x, y = int(first[at]), int(second[at])
                forth = self._direction(vectors, x, y, sizes, chosen[at][1])
                back = self._direction(vectors, y, x, sizes, chosen[at][0])
                out[at] = (forth + back) / 2
        return out

    def _direction(self, vectors: Vectors, x: int, y: int, sizes: Floats, candidates: Places) -> float:
        """The share of rounds in which x is closer to y than to every impostor of y."""
        if not len(candidates):
            raise NotLearnable("There is no document that could serve as an impostor: add documents by other authors.")
        common = self._half_common(vectors, x, y, candidates)
        closeness = self._measure.closeness(common, sizes[x], np.vstack((sizes[y], self._known_sizes[candidates])))
        drawn = self.draws_.impostors(len(candidates), self.impostors)
        best = closeness[1:].T[np.arange(self.rounds)[:, None], drawn].max(axis=1)
        return float((closeness[0] > best).mean())

    def _half_common(self, vectors: Vectors, x: int, y: int, candidates: Places) -> Floats:
        """What x has in common with y and with each candidate, on the features of each round: (1 + candidates) x rounds."""
        width = vectors.dense.shape[1]
        mine, yours, theirs = vectors.sparse[x], vectors.sparse[y], self._known.sparse[candidates]
        place = np.full(vectors.sparse.shape[1], -1, dtype=np.int32)
        place[mine.indices] = np.arange(mine.nnz)
        at = place[np.concatenate((yours.indices, theirs.indices))]
        row = np.repeat(np.arange(1 + len(candidates)), np.append(yours.nnz, np.diff(theirs.indptr)))
        shared = np.zeros((1 + len(candidates), mine.nnz))
        both = at >= 0
        shared[row[both], at[both]] = np.concatenate((yours.data, theirs.data))[both]
        shared = self._measure.common(shared, mine.data)
        others = np.vstack((vectors.dense[y], self._known.dense[candidates]))
        dense = self._measure.common(others, vectors.dense[x].astype(np.float64))
        own_half = self.draws_.halves[width + mine.indices].astype(np.float64)
        return np.asarray(dense @ self._dense_halves + shared @ own_half)


def half_norms(vectors: Vectors, halves: NDArray[np.bool_]) -> Floats:
    """The length of each document on the features of each round."""
    width = vectors.dense.shape[1]
    squares = vectors.dense.astype(np.float64) ** 2 @ halves[:width].astype(np.float64)
    squares += vectors.sparse.astype(np.float64).power(2) @ halves[width:].astype(np.float64)
    return np.sqrt(squares)


def _half_sums(vectors: Vectors, halves: NDArray[np.bool_]) -> Floats:
    """The sum of the absolute values of each document on the features of each round."""
    width = vectors.dense.shape[1]
    dense = np.abs(vectors.dense.astype(np.float64)) @ halves[:width].astype(np.float64)
    return np.asarray(dense + vectors.sparse.astype(np.float64) @ halves[width:].astype(np.float64))


def _cosine(common: Floats, _: Floats, sizes: Floats) -> Floats:
    return np.divide(
        common, sizes, out=np.zeros_like(common), where=sizes > 0
    )  # times the length of x, which all share


def _minmax(common: Floats, own: Floats, sizes: Floats) -> Floats:
    most = own + sizes - common
    return np.divide(common, most, out=np.zeros_like(common), where=most > 0)


SIMILARITIES: Mapping[SimilarityName, Similarity] = {
    "cosine": Similarity(cosines, np.multiply, half_norms, _cosine),
    "minmax": Similarity(minmaxes, overlap, _half_sums, _minmax),
}


def tune_sigma(scores: Floats, same: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold above which 'same' is most often right, and how often that is; the lowest of equally good ones."""
    tried = np.unique(np.append(scores, 0.0))
    right = np.array([((scores > sigma) == same).mean() for sigma in tried])
    best = int(right.argmax())
    return float(tried[best]), float(right[best])

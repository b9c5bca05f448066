"""The baselines on standard vectors: STD-AA, one multinomial logistic regression; STD-Bin, a binary one for each author; a linear SVM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.estimator import Estimator, check_labels, in_order
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems.descent import DescentSolution, SquaredHinge, descend, nothing, one_against_rest
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

"""Logistic regression in the row space of the documents, with C chosen by cross-validation: multinomial, or each class by itself.

The folds of the cross-validation are problems on parts of one Gram matrix. They start from the solution on all documents at the
smallest C, each next C starts from the one before, and the last fit from the mean of the folds. Every C is first solved roughly:
where that already shows that the loss has clearly turned, the path over C ends there, for the loss falls and
then rises along it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.descent import Solution, descend, nothing
from forensia.attribution.losses import Logistic, Loss, Softmax, one_against_rest
from forensia.attribution.problems import NotLearnable, check_finite, check_labels
from forensia.diffvectors import document_folds, one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.jobs import Progress, part, silent

GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)
FOLDS = 5
TURNED = 0.01  # the path over C ends when the loss lies this share above the lowest
# How exactly problems are solved: the gap as a share of the objective (see `descent`). What it means was measured on real text.
ROUGH = 0.1  # for a start; a better one saves nothing
HELD_OUT = 3e-6  # for the loss of a C: it is then within 0.0004 of the true one
EXACT = 1e-10  # for the model itself: the probabilities of new documents are then within 0.00002
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class _Look:
    """A first look at the loss of a C: how exactly it solves, and the share by which the loss it finds may be wrong."""

    tolerance: float
    doubt: float


FIRST_LOOK = {"joint": _Look(1e-2, 0.03), "each": _Look(1e-3, 0.1)}  # on real text they were wrong by 0.012 and 0.05


class RowLogistic:
    """Logistic regression of classes on documents that are known by their Gram matrix.

    `each` False: one multinomial model (with two classes the binary one, as scikit-learn has it). True: a binary model for each
    class against the rest, each with its own C.
    """

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

    def fit(self, gram: Singles, labels: NDArray[Any] | list[str], progress: Progress = silent) -> RowLogistic:
        """Learn from the products of the training documents; they should be centred (see `RowSpace`)."""
        check_labels(labels, len(gram))
        check_finite(gram)
        authors = codes(labels)
        self.classes_ = int(authors.max()) + 1
        self._binary = self.classes_ == 2 and not self.each
        loss = self._loss(authors)
        columns = 1 if self._binary else self.classes_
        fold = held_out(authors, self.folds, self.seed)
        with one_blas_thread():
            start = nothing(columns, len(gram), joint=loss.joint)
            start = descend(gram, loss, self.grid[0], start, ROUGH, progress=part(progress, 0.0, 0.1))
            path = _Path(gram, loss, start, fold)
            path.walk(self.grid, self.whole_path, part(progress, 0.1, 0.9))
            final = descend(gram, loss, path.c, path.start, EXACT, progress=part(progress, 0.9, 1.0))
        self.duals_: Floats = final.duals.astype(np.float64)
        self.intercepts_: Floats = final.intercepts.astype(np.float64)
        self.c_: tuple[float, ...] = tuple(float(c) for c in path.c)  # one, or one for each class
        # The cross-validated log loss of each C that was solved: one, or one for each class.
        self.losses_: Mapping[float, Floats] = path.losses
        self.ended_at_: float | None = path.ended_at  # the C whose first look ended the path
        self.converged_ = bool(final.converged.all())
        self.steps_ = final.steps
        return self

    def decision(self, cross: Floats) -> Floats:
        """The logits of documents (rows) whose products with the training documents are given: documents x classes."""
        with one_blas_thread():
            return np.asarray(cross @ self.duals_.T + self.intercepts_)

    def predict_proba(self, cross: Floats) -> Floats:
        """Pr(class): sums to one for the multinomial model; for each class by itself it is that of its own model."""
        from scipy.special import expit, softmax

        logits = self.decision(cross)
        if self.each:
            return np.asarray(expit(logits))
        if self._binary:
            return np.column_stack((expit(-logits[:, 0]), expit(logits[:, 0])))
        return np.asarray(softmax(logits, axis=1))

    def _loss(self, authors: NDArray[np.int32]) -> Loss:
        if self.each:
            return Logistic(one_against_rest(authors, self.classes_))
        return Logistic(one_against_rest(authors, 2)[1:]) if self._binary else Softmax(authors)


@dataclass
class _Fold:
    """One fold: the training part of the Gram matrix, the products of held-out documents with it, and the solution so far."""

    train: NDArray[np.intp]
    gram: Singles
    cross: Singles
    loss: Loss
    test: Loss
    solution: Solution

    def solve(self, problems: NDArray[np.intp], c: float, tolerance: float, progress: Progress) -> Floats:
        """Solve some of the problems further, and return their mean losses on the held-out documents."""
        start = self.solution.only(problems)
        solved = descend(self.gram, self.loss.only(problems), c, start, tolerance, progress=progress)
        self.solution = self.solution.with_only(problems, solved)
        test = self.test.only(problems)
        margins = test.margins(solved.duals @ self.cross + solved.intercepts[:, None])
        return np.asarray(test.value(margins).mean(axis=1))


class _Path:
    """The walk over the grid of C: all folds, each problem until its loss has turned."""

    def __init__(self, gram: Singles, loss: Loss, start: Solution, fold: Integers) -> None:
        self._folds = [_open(gram, loss, start, fold, number) for number in np.unique(fold[fold >= 0])]
        self._look = FIRST_LOOK["joint" if start.joint else "each"]
        self.start = start  # for the last fit: the mean of the folds at the chosen C
        self.losses: dict[float, Floats] = {}
        self.ended_at: float | None = None

    def walk(self, grid: tuple[float, ...], whole: bool, progress: Progress) -> None:
        """Fill `losses`, `c` (one for each problem), `ended_at` and `start`."""
        problems = len(self.start.gap)
        self.c = np.full(problems, grid[0])
        lowest = np.full(problems, np.inf)
        going = np.arange(problems)
        for number, c in enumerate(grid):
            stage = part(progress, number / len(grid), (number + 1) / len(grid))
            if number and not whole:
                seen = self._solve(going, c, self._look.tolerance, part(stage, 0.0, 0.2))
                going = going[seen <= (1 + TURNED + self._look.doubt) * lowest[going]]
                if not len(going):
                    self.ended_at = c
                    break
            found = self._solve(going, c, HELD_OUT, part(stage, 0.2, 1.0))
            self.losses[c] = np.full(problems, np.nan)
            self.losses[c][going] = found
            better = going[found < lowest[going]]
            self.c[better], lowest[better] = c, self.losses[c][better]
            self.start = self.start.with_only(better, self._mean().only(better))
            if not whole:
                going = going[found <= (1 + TURNED) * lowest[going]]
                if not len(going):
                    break

    def _solve(self, problems: NDArray[np.intp], c: float, tolerance: float, progress: Progress) -> Floats:
        """The held-out losses of some problems at one C, averaged over the folds."""
        message = f"choosing the regularisation (C = {c:g})"
        losses = []
        for number, fold in enumerate(self._folds):
            stage = part(progress, number / len(self._folds), (number + 1) / len(self._folds))
            stage(0.0, message)
            losses.append(fold.solve(problems, c, tolerance, stage))
        return np.asarray(np.mean(losses, axis=0))

    def _mean(self) -> Solution:
        """The mean of the folds, which is near the solution on all documents."""
        duals, times = np.zeros_like(self.start.duals), np.zeros(self.start.duals.shape[1], dtype=np.float32)
        for fold in self._folds:
            duals[:, fold.train] += fold.solution.duals
            times[fold.train] += 1
        intercepts = np.stack([fold.solution.intercepts for fold in self._folds]).mean(axis=0)
        return replace(self.start, duals=duals / np.maximum(times, 1), intercepts=intercepts)


def _open(gram: Singles, loss: Loss, start: Solution, fold: Integers, number: int) -> _Fold:
    train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
    rows = gram[train]
    return _Fold(
        train,
        np.ascontiguousarray(rows[:, train]),
        np.ascontiguousarray(rows[:, test]),
        loss.take(train),
        loss.take(test),
        start.documents(train),
    )


def held_out(authors: NDArray[np.int32], folds: int, seed: int) -> Integers:
    """The fold in which each document is held out; -1, never, for the only document of an author, whom no model would know then."""
    fold = document_folds(list(authors), folds, seed)
    fold[np.bincount(authors)[authors] == 1] = -1
    if len(np.unique(fold[fold >= 0])) < 2:
        raise NotLearnable(
            "No author has two documents, so nothing can be held out to choose the regularisation: "
            "add documents, or cut the texts into segments."
        )
    return fold

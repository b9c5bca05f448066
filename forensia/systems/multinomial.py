"""Logistic regression in the row space of the documents, with C chosen by cross-validation: multinomial, or each class by itself.

The folds of the cross-validation are problems on parts of one Gram matrix. They start from the solution on all documents at the
smallest C, each next C starts from the one before, and the last fit from the mean of the folds. Every C is first solved roughly:
where that already shows that the loss has clearly turned, the path over C ends, for the loss falls and then rises along it. Only
where these first looks leave a doubt which C is best are the C in question solved exactly.

When documents are fewer than features, a linear learner's exact solution lies in the row space of the documents. The weights that minimise
a penalised loss are a combination of the documents, W = A X, with one dual coefficient for each class and document. All a learner needs is
then the Gram matrix X X', n x n, and the weights over the features need never exist. An intercept that is not penalised absorbs any shift
of the features, so by default the documents are centred: the same solution, better conditioned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import document_folds, one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.estimator import Estimator, NotLearnable, check_finite, check_labels, check_nonempty
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems.descent import DescentSolution, Logistic, Loss, Softmax, descend, nothing, one_against_rest

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


FREQUENT = 60  # a feature of more documents than this is cheaper in a dense product than in a sparse one (measured)


@dataclass(frozen=True)
class RowWeights:
    """What a solution says about the features: classes x features of group 1, of group 2, and the intercepts."""

    dense: Floats
    sparse: Floats
    intercepts: Floats


class RowSpace:
    """The training documents as a basis: `gram` holds their products, `against` gives those of other documents with them."""

    def __init__(self, vectors: Vectors, *, centred: bool = True) -> None:
        check_nonempty(len(vectors))
        check_finite(vectors.dense, vectors.sparse.data)
        self._vectors = vectors
        self._centred = centred
        self._middle = vectors.dense.mean(axis=0, dtype=np.float64) * centred
        self._dense = (vectors.dense - self._middle).astype(np.float32)
        with one_blas_thread():
            self.gram: Singles = products(self._dense, vectors.sparse)
        self._means = self.gram.mean(axis=0, dtype=np.float64) * centred
        shift = (self._means - self._means.mean() / 2).astype(np.float32)
        self.gram -= shift
        self.gram -= shift[:, None]

    def against(self, others: Vectors) -> Floats:
        """Products of other documents (rows) with the training documents (columns)."""
        check_finite(others.dense, others.sparse.data)
        with one_blas_thread():
            out = (others.dense - self._middle) @ self._dense.T.astype(np.float64)
        out += (others.sparse @ self._vectors.sparse.T).toarray()
        if self._centred:
            out -= out.mean(axis=1, keepdims=True)
            out += self._means.mean() - self._means
        return np.asarray(out)

    def weights(self, duals: Floats, intercepts: Floats) -> RowWeights:
        """The weights of a solution over the features themselves, for explaining it: logits = features x weights + intercepts."""
        if self._centred:
            duals = duals - duals.mean(axis=1, keepdims=True)
        with one_blas_thread():
            dense = np.asarray(duals @ self._vectors.dense.astype(np.float64))
            sparse = np.asarray(duals @ self._vectors.sparse)
            if self._centred:
                middle = np.asarray(self._vectors.sparse.mean(axis=0)).ravel()
                intercepts = intercepts - dense @ self._middle - sparse @ middle
        return RowWeights(dense, sparse, intercepts)


def products(dense: Singles, sparse: csr_matrix) -> Singles:
    """The products of all documents with all."""
    columns = sparse.tocsc()
    many = np.diff(columns.indptr) > FREQUENT
    frequent = columns[:, np.flatnonzero(many)].toarray()
    rest = columns[:, np.flatnonzero(~many)].tocsr()
    out = dense @ dense.T
    out += frequent @ frequent.T
    out += (rest @ rest.T).toarray()
    return np.asarray(out)


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


FIRST_LOOK = {"joint": _Look(1e-3, 0.03), "each": _Look(3e-4, 0.1)}  # on real text they were wrong by 0.014 and 0.074


class RowLogistic(Estimator):
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
        with one_blas_thread():
            path, loss = self._choose(gram, labels, part(progress, 0.0, 0.9))
            final = descend(gram, loss, path.c, path.start(), EXACT, progress=part(progress, 0.9, 1.0))
        self.duals_: Floats = final.duals.astype(np.float64)
        self.intercepts_: Floats = final.intercepts.astype(np.float64)
        self.c_: tuple[float, ...] = tuple(float(c) for c in path.c)  # one, or one for each class
        # The cross-validated log loss of each C that had to be solved exactly: one, or one for each class.
        self.losses_: Mapping[float, Floats] = path.losses
        self.ended_at_: float | None = path.ended_at  # the C whose first look ended the path
        self.converged_ = bool(final.converged.all())
        self.steps_ = final.steps
        return self

    def lowest_loss(self, gram: Singles, labels: NDArray[Any] | list[str]) -> Floats:
        """The cross-validated log loss at the best C: one, or one for each class. No model is learnt."""
        with one_blas_thread():
            return self._choose(gram, labels, silent)[0].lowest()

    def _choose(self, gram: Singles, labels: NDArray[Any] | list[str], progress: Progress) -> tuple[_Path, Loss]:
        check_labels(labels, len(gram))
        check_finite(gram)
        authors = codes(labels)
        self.classes_ = int(authors.max()) + 1
        self._binary = self.classes_ == 2 and not self.each
        loss = self._loss(authors)
        start = nothing(1 if self._binary else self.classes_, len(gram), joint=loss.joint)
        fold = held_out(authors, self.folds, self.seed)
        start = descend(gram, loss, self.grid[0], start, ROUGH, progress=part(progress, 0.0, 0.1))
        path = _Path(gram, loss, start, fold)
        path.walk(self.grid, self.whole_path, part(progress, 0.1, 1.0))
        return path, loss

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


@dataclass(frozen=True)
class _Fold:
    """One fold: the training part of the Gram matrix, the products of held-out documents with it, and where to start."""

    train: NDArray[np.intp]
    gram: Singles
    cross: Singles
    loss: Loss
    test: Loss
    start: DescentSolution

    def solve(
        self, solution: DescentSolution, problems: NDArray[np.intp], c: float, tolerance: float, progress: Progress
    ) -> tuple[DescentSolution, Floats]:
        """Solve some of the problems further: the solution with them, and their mean losses on the held-out documents."""
        solved = descend(self.gram, self.loss.only(problems), c, solution.only(problems), tolerance, progress=progress)
        test = self.test.only(problems)
        margins = test.margins(solved.duals @ self.cross + solved.intercepts[:, None])
        return solution.with_only(problems, solved), np.asarray(test.value(margins).mean(axis=1))


class _Path:
    """The choice of C: looks along the grid until the loss has turned, then exact losses where the looks leave a doubt."""

    def __init__(self, gram: Singles, loss: Loss, start: DescentSolution, fold: Integers) -> None:
        self._folds = [_open(gram, loss, start, fold, number) for number in np.unique(fold[fold >= 0])]
        self._look = FIRST_LOOK["joint" if start.joint else "each"]
        self._blank = start
        self._solved: dict[
            float, list[DescentSolution]
        ] = {}  # for each C that was looked at: the solutions of the folds
        self.losses: dict[float, Floats] = {}  # the exact ones; nan where a problem did not need it
        self.ended_at: float | None = None

    def walk(self, grid: tuple[float, ...], whole: bool, progress: Progress) -> None:
        """Fill `c` (one for each problem), `losses` and `ended_at`."""
        looked = self._looks(grid, whole, part(progress, 0.0, 0.3))
        doubt = 0.0 if whole else self._look.doubt
        surely = {c: seen * (1 - doubt) for c, seen in looked.items()}  # no loss is lower than this
        bound = np.nanmin([seen * (1 + doubt) for seen in looked.values()], axis=0)
        rivals = {c: whole | (least <= bound) for c, least in surely.items()}
        open_ = whole | (np.sum(list(rivals.values()), axis=0) > 1)
        self.c = np.array([next(c for c in rivals if rivals[c][problem]) for problem in range(len(open_))])
        lowest = np.full(len(open_), np.inf)
        for number, c in enumerate(rivals):
            problems = np.flatnonzero(open_ & rivals[c] & (whole | (surely[c] < lowest)))
            if len(problems):
                stage = part(progress, 0.3 + 0.7 * number / len(rivals), 0.3 + 0.7 * (number + 1) / len(rivals))
                found = self._solve_exactly(problems, c, stage)
                better = problems[found < lowest[problems]]
                self.c[better], lowest[better] = c, self.losses[c][better]

    def lowest(self) -> Floats:
        """The exact loss of each problem at the chosen C."""
        for c in np.unique(self.c):
            known = self.losses.get(c, np.full(len(self.c), np.nan))
            problems = np.flatnonzero((self.c == c) & np.isnan(known))
            if len(problems):
                self._solve_exactly(problems, float(c), silent)
        return np.array([self.losses[c][problem] for problem, c in enumerate(self.c)])

    def start(self) -> DescentSolution:
        """For the last fit: the mean of the folds at the chosen C, which is near the solution on all documents."""
        start = self._blank
        for c in np.unique(self.c):
            problems = np.flatnonzero(self.c == c)
            start = start.with_only(problems, self._mean(self._solved[c]).only(problems))
        return start

    def _looks(self, grid: tuple[float, ...], whole: bool, progress: Progress) -> dict[float, Floats]:
        """A first look at each C, each starting from the one before, until the loss of every problem has clearly turned."""
        looked: dict[float, Floats] = {}
        going = np.arange(len(self._blank.gap))
        lowest = np.full(len(going), np.inf)
        solutions = [fold.start for fold in self._folds]
        for number, c in enumerate(grid):
            stage = part(progress, number / len(grid), (number + 1) / len(grid))
            solutions = self._solved[c] = list(solutions)
            seen = self._solve(going, c, self._look.tolerance, stage)
            looked[c] = np.full(len(lowest), np.nan)
            looked[c][going] = seen
            lowest[going] = np.minimum(lowest[going], seen)
            turned = seen * (1 - self._look.doubt) > (1 + TURNED) * (1 + self._look.doubt) * lowest[going]
            if not whole and turned.any():
                going = going[~turned]
                if not len(going):
                    self.ended_at = c
                    break
        return looked

    def _solve_exactly(self, problems: NDArray[np.intp], c: float, progress: Progress) -> Floats:
        found = self._solve(problems, c, HELD_OUT, progress)
        self.losses.setdefault(c, np.full(len(self._blank.gap), np.nan))[problems] = found
        return found

    def _solve(self, problems: NDArray[np.intp], c: float, tolerance: float, progress: Progress) -> Floats:
        """Solve some problems at one C further; their held-out losses, averaged over the folds."""
        message = f"choosing the regularisation (C = {c:g})"
        losses, solutions = [], self._solved[c]
        for number, fold in enumerate(self._folds):
            stage = part(progress, number / len(self._folds), (number + 1) / len(self._folds))
            stage(0.0, message)
            solutions[number], loss = fold.solve(solutions[number], problems, c, tolerance, stage)
            losses.append(loss)
        return np.asarray(np.mean(losses, axis=0))

    def _mean(self, solutions: Sequence[DescentSolution]) -> DescentSolution:
        duals = np.zeros_like(self._blank.duals)
        times = np.zeros(duals.shape[1], dtype=np.float32)
        for fold, solution in zip(self._folds, solutions, strict=True):
            duals[:, fold.train] += solution.duals
            times[fold.train] += 1
        intercepts = np.stack([solution.intercepts for solution in solutions]).mean(axis=0)
        return replace(self._blank, duals=duals / np.maximum(times, 1), intercepts=intercepts)


def _open(gram: Singles, loss: Loss, start: DescentSolution, fold: Integers, number: int) -> _Fold:
    train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
    return _Fold(
        train,
        gram[np.ix_(train, train)],
        gram[np.ix_(train, test)],
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

"""The reference recipe of the engine: diff-vectors written out, scikit-learn, one prediction a pair.

Written for clarity, as most people would write it; the benchmark measures Forensia against it and nothing in the program
depends on it. Values are in double precision, as scikit-learn's own vectorisers give them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.dvbin import PairModel
from forensia.diffvectors.pairs import Pairs, Split, split_pairs
from forensia.features.vectors import Vectors

Floats = NDArray[np.float64]
Rows = NDArray[np.integer]

# newton-cg ends when no component of the gradient is above `tol`, and scikit-learn divides the objective by C times the number
# of rows: the same tolerance means less and less as C grows. With this one, divided by C, the objective is within 5e-8 of the optimum
# and Pr(Same) of held-out pairs within 3e-4; with ten times as much Pr(Same) was wrong by 0.0014 to 0.004 (quick run, one fold).
TOLERANCE = 1e-5
GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)


def joined(vectors: Vectors) -> Any:
    """Both groups of features in one sparse matrix."""
    from scipy.sparse import csr_matrix, hstack

    return hstack([csr_matrix(vectors.dense), vectors.sparse], format="csr", dtype=np.float64)


def diff_vectors(left: Any, first: Rows, right: Any, second: Rows) -> Any:
    """|a - b| of pairs of rows, written out."""
    return abs(left[first] - right[second])


@dataclass(frozen=True)
class Written:
    """The diff-vectors of all training pairs, and the folds over them: Forensia's, so that both sides do the same."""

    differences: Any
    same: NDArray[np.bool_]
    split: Split


def write_out(vectors: Vectors, pairs: Pairs, seed: int) -> Written:
    """The diff-vectors of all pairs."""
    matrix = joined(vectors)
    differences = diff_vectors(matrix, pairs.first, matrix, pairs.second)
    return Written(differences, pairs.same, split_pairs(pairs, seed))


@dataclass(frozen=True)
class Fitted:
    """A model, the C it was trained with, and, where it was asked for, its loss on held-out rows."""

    c: float
    model: Any
    loss: float = np.nan

    def probability(self, differences: Any) -> Floats:
        return np.asarray(self.model.predict_proba(differences)[:, 1])


def train_exactly(written: Written) -> tuple[Fitted, Floats]:
    """What LogisticRegressionCV does, but to convergence: each fold along C, each start the last solution; then the best C on all.

    Returns the model and the mean loss at each C.
    """
    paths = [list(fold_path(written, fold)) for fold in range(written.split.test.shape[1])]
    losses = np.array([[fitted.loss for fitted in path] for path in paths]).mean(axis=0)
    best = int(losses.argmin())
    coefficients = np.mean([path[best].model.coef_ for path in paths], axis=0)
    intercept = np.mean([path[best].model.intercept_ for path in paths], axis=0)
    return _solve(written.differences, written.same, GRID[best], (coefficients, intercept)), losses


def fold_path(written: Written, fold: int) -> Iterable[Fitted]:
    """One fold at every C."""
    from sklearn.metrics import log_loss

    train, test = written.split.train[:, fold], written.split.test[:, fold]
    differences, held_out = written.differences[train], written.differences[test]
    start: tuple[Floats, Floats] | None = None
    for c in GRID:
        fitted = _solve(differences, written.same[train], c, start)
        start = (fitted.model.coef_, fitted.model.intercept_)
        yield replace(fitted, loss=float(log_loss(written.same[test], fitted.probability(held_out))))


def _solve(differences: Any, same: NDArray[np.bool_], c: float, start: tuple[Floats, Floats] | None) -> Fitted:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=c, solver="newton-cg", tol=TOLERANCE / c, max_iter=1000, warm_start=True)
    if start is not None:
        model.coef_, model.intercept_ = start[0].copy(), start[1].copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a line search that cannot go on: the optimum to the last digit
        return Fitted(c, model.fit(differences, same))


def train_by_default(written: Written) -> Fitted:
    """LogisticRegressionCV as it comes: L-BFGS, at most 100 steps; only the grid, the loss and the folds are given."""
    split = written.split
    folds = [
        (np.flatnonzero(train), np.flatnonzero(test)) for train, test in zip(split.train.T, split.test.T, strict=True)
    ]
    return _cross_validated(written.differences, written.same, folds)


def standard(vectors: Vectors, authors: NDArray[Any], fold: NDArray[np.int64]) -> Fitted:
    """STD-AA: a multinomial model on the vectors of the documents themselves, by LogisticRegressionCV as it comes."""
    folds = [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(fold.max() + 1)]
    return _cross_validated(joined(vectors), authors, folds)


def _cross_validated(matrix: Any, labels: NDArray[Any], folds: Sequence[tuple[Rows, Rows]]) -> Fitted:
    from sklearn.linear_model import LogisticRegressionCV

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it does not converge is what the benchmark shows
        model = LogisticRegressionCV(Cs=list(GRID), cv=folds, scoring="neg_log_loss").fit(matrix, labels)
    return Fitted(float(np.ravel(model.C_)[0]), model)


def converged(model: Any) -> bool:
    """Whether LogisticRegressionCV came to an end everywhere before its limit of steps."""
    return bool(np.max(model.n_iter_) < model.max_iter)


def classifier(model: PairModel) -> Any:
    """A trained pair model as scikit-learn's."""
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression()
    fitted.classes_ = np.array([False, True])
    fitted.coef_ = np.concatenate((model.dense, model.sparse)).astype(np.float64)[None, :]
    fitted.intercept_ = np.array([model.intercept])
    fitted.n_features_in_ = fitted.coef_.shape[1]
    return fitted


def score(model: Any, left: Any, first: Rows, right: Any, second: Rows) -> Floats:
    """Pr(Same), one pair after the other."""
    return np.array(
        [
            model.predict_proba(abs(left[i] - right[j]))[0, 1]
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        ]
    )


def impostors(
    documents: Any, known: Any, first: Rows, second: Rows, halves: Sequence[Rows], urn: Floats, size: int
) -> Floats:
    """The scores of pairs by the impostors method, a round after the other, with the halves and draws of Forensia.

    `halves` has the features of each round, `urn` (rounds x candidates) how early each candidate is drawn.
    """
    from scipy.sparse import vstack
    from sklearn.metrics.pairwise import cosine_similarity

    def direction(x: int, y: int) -> float:
        similar = cosine_similarity(documents[y], known)[0]
        candidates = np.argsort(-similar, kind="stable")[: urn.shape[1]]
        closer = 0
        for kept, early in zip(halves, urn, strict=True):
            drawn = candidates[np.argsort(early[: len(candidates)], kind="stable")[:size]]
            others = vstack([documents[y], known[drawn]], format="csr")[:, kept]
            similarity = cosine_similarity(documents[x][:, kept], others)[0]
            closer += bool(similarity[0] > similarity[1:].max())
        return closer / len(halves)

    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return np.array([(direction(x, y) + direction(y, x)) / 2 for x, y in pairs])

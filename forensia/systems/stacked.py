"""Stacked AA: a document is described by its Pr(Same) with each known document, and a logistic regression learns what that means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import PairModel, one_blas_thread, probability
from forensia.diffvectors.pairs import codes
from forensia.estimator import Estimator
from forensia.features.vectors import Block, Vectors
from forensia.jobs import Progress, silent
from forensia.profile import Profile
from forensia.systems.multinomial import FOLDS, GRID, RowLogistic, RowSpace
from forensia.systems.problems import NotLearnable, check_finite, check_labels, in_order

Floats = NDArray[np.float64]


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

"""The baselines on standard vectors: STD-AA, one multinomial logistic regression, and STD-Bin, a binary one for each author."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.estimator import Estimator
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, silent
from forensia.systems.multinomial import FOLDS, GRID, RowLogistic
from forensia.systems.problems import check_labels
from forensia.systems.ranking import in_order
from forensia.systems.rowspace import RowSpace, RowWeights

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

"""Verification: did A* write it? By the paper's reduction to attribution, on the binary codeframe, or with pairs made for A* alone.

All of it returns decisions; how good they are is measured elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import DVBin, native_pairs
from forensia.diffvectors.pairs import split_pairs
from forensia.estimator import Estimator
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems.lazy import LazyAttributor
from forensia.systems.multinomial import RowLogistic, RowSpace
from forensia.systems.problems import NotLearnable
from forensia.systems.stacked import StackedAttributor, with_itself

Floats = NDArray[np.float64]
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

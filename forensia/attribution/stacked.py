"""Stacked AA: a multinomial classifier of authors on phi(x) = (h(x, x1), ..., h(x, xn)), the scores with all known documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.multinomial import RowLogistic
from forensia.attribution.problems import check_finite
from forensia.jobs import Progress, silent

Floats = NDArray[np.float64]


class StackedAttributor:
    """Learns how to weigh the scores; what stands for h(x, x) in the training rows is the caller's to decide."""

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, phi: Floats, codes: NDArray[Any], progress: Progress = silent) -> Self:
        """Learn from the phi of the training documents and their authors' codes."""
        check_finite(phi)
        centred = phi - phi.mean(axis=0)
        gram = (centred @ centred.T).astype(np.float32)
        learner = RowLogistic(seed=self.seed).fit(gram, list(codes), progress)
        duals = learner.duals_ - learner.duals_.mean(axis=1, keepdims=True)
        self.weights_: Floats = duals @ phi
        self.intercepts_: Floats = learner.intercepts_ - self.weights_ @ phi.mean(axis=0)
        self.c_ = learner.c_[0]
        self.converged_ = learner.converged_
        return self

    def predict_proba(self, phi: Floats) -> Floats:
        """Queries x authors."""
        from scipy.special import expit, softmax

        logits = phi @ self.weights_.T + self.intercepts_
        if logits.shape[1] == 1:
            return np.column_stack((expit(-logits[:, 0]), expit(logits[:, 0])))
        return np.asarray(softmax(logits, axis=1))

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        arrays: dict[str, NDArray[Any]] = {"weights": self.weights_, "intercepts": self.intercepts_}
        return arrays, {"seed": self.seed, "c": self.c_, "converged": self.converged_}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Self:
        made = cls(seed=int(header["seed"]))
        made.weights_, made.intercepts_ = arrays["weights"], arrays["intercepts"]
        made.c_, made.converged_ = float(header["c"]), bool(header["converged"])
        return made

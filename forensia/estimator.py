"""What all learners share: what scikit-learn asks of an estimator, without loading it, and what can be wrong with their input."""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from forensia.errors import ForensiaError


class Estimator:
    """Parameters are stored as they were given, under their names, so that `sklearn.base.clone` and a grid search can use them."""

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` is there for scikit-learn: no estimator of ours holds another as a parameter."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change some parameters; takes effect with the next `fit`."""
        unknown = sorted(params.keys() - set(self._names()))
        if unknown:
            raise ValueError(f"{type(self).__name__} has no parameter '{unknown[0]}'.")
        for name, value in params.items():
            setattr(self, name, value)
        return self


class NotLearnable(ForensiaError):
    """Documents from which the authors cannot be told apart by any learner."""


def check_nonempty(documents: int) -> None:
    if documents == 0:
        raise NotLearnable("There are no documents to learn from.")


def check_finite(*arrays: NDArray[Any]) -> None:
    if not all(np.isfinite(array).all() for array in arrays):
        raise NotLearnable(
            "Some features or scores are not finite numbers. Please report it, with the kind of text that caused it."
        )


def check_labels(labels: NDArray[Any] | list[str], documents: int) -> None:
    """As many labels as documents, and at least two authors."""
    if len(labels) != documents:
        raise NotLearnable(f"There are {documents} documents and {len(labels)} labels: each document needs one author.")
    if len(set(labels)) < 2:
        raise NotLearnable("All documents are by one author: add texts by at least one other author.")


def check_tried(texts: int) -> None:
    """Some texts were left out and tried."""
    if texts == 0:
        raise NotLearnable("No text could be tried: an author needs texts from two sources. Add texts.")


def check_compared(matrix: NDArray[np.float64]) -> None:
    """Scores of documents against each other: NaN is a pair that was not compared, but every document was compared with some."""
    off = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(off, np.nan)
    if np.isinf(off).any() or np.isnan(off).all(axis=1).any():
        raise NotLearnable("Some documents could not be compared with the others: their scores are not numbers.")


def in_order(labels: NDArray[Any] | list[str]) -> NDArray[Any]:
    """The authors in the order of their first document: the order of the codes."""
    return np.array(list(dict.fromkeys(labels)))

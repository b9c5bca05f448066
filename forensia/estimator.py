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


STEPS, HALVINGS = 200, 60
ROUNDING = 8 * float(np.finfo(np.float64).eps)
SOUND = 1e-6  # of the product of a matrix's diagonal: with less area it can hardly be inverted


def logistic_lines(
    x: NDArray[np.float64],
    same: NDArray[np.bool_],
    weights: NDArray[np.float64],
    ridge: float,
    start: NDArray[np.float64],
    enough: float = 0.0,
) -> NDArray[np.float64]:
    """Logistic regression on one feature for several weightings (columns) at once: the intercepts and slopes (rows) of least weighted log
    loss plus ridge/2 slope², by Newton's method from a `start` until a step no longer moves anything, or moves no more than `enough`.

    Sums go through einsum, never BLAS: those depend on the number of threads, and for two columns threads only cost time.
    """
    signs = np.where(same, 1.0, -1.0)[:, None]
    penalty = np.array([[0.0], [ridge]])

    def at(lines: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The loss, and for each comparison the probability given to the wrong class: exact for large margins too."""
        margin = (lines[0] + x[:, None] * lines[1]) * signs
        small = np.exp(-np.abs(margin))
        loss = np.einsum("ik,ik->k", weights, np.log1p(small) - np.minimum(margin, 0.0))
        return loss + 0.5 * (penalty * lines**2).sum(axis=0), np.where(margin > 0, small, 1.0) / (1.0 + small)

    lines, last = start, np.full(weights.shape[1], np.inf)
    loss, wrong = at(lines)
    powers = np.stack((np.ones_like(x), x, x**2))
    for _ in range(STEPS):
        pull = weights * wrong
        gradient = penalty * lines - np.einsum("ji,ik->jk", powers[:2], pull * signs)
        first, mixed, second = np.einsum("ji,ik->jk", powers, pull * (1.0 - wrong))
        second += ridge
        area = first * second - mixed**2
        if (area > SOUND * first * second).all():
            step = (
                np.stack((second * gradient[0] - mixed * gradient[1], first * gradient[1] - mixed * gradient[0])) / area
            )
        else:
            hessians = np.moveaxis(np.array(((first, mixed), (mixed, second))), 2, 0)
            step = np.einsum("kab,bk->ak", np.linalg.pinv(hessians, hermitian=True), gradient)
        for _ in range(HALVINGS):
            new_loss, new_wrong = at(lines - step)
            worse = new_loss > loss * (1.0 + ROUNDING)
            if not worse.any():
                break
            step = np.where(worse, step / 2, step)
        lines, loss, wrong = lines - step, new_loss, new_wrong
        moved = np.abs(step).max(axis=0) / np.maximum(1.0, np.abs(lines).max(axis=0))
        # Newton squares its error, so a small step that does not shrink any more is rounding.
        if ((moved <= enough) | ((moved < 1e-8) & (moved > last / 2))).all():
            break
        last = moved
    return lines

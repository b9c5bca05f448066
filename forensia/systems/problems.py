"""What all learners share: what can be wrong with their input, and authors in the order of their scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.errors import ForensiaError


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

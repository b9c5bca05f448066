"""Same author or not by attributing both documents: DV-2xAA on Lazy AA, STD-2xAA on STD-AA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.lazy import LazyAttributor
from forensia.attribution.standard import StandardAttributor
from forensia.diffvectors import DVBin
from forensia.features.vectors import Vectors

Attribute = Callable[[Vectors], NDArray[Any]]


class TwoFold:
    """Two documents are by the same author if both are attributed to the same one; each document is attributed once."""

    def __init__(self, attribute: Attribute) -> None:
        self.attribute = attribute

    def predict(self, vectors: Vectors, first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.bool_]:
        """Same or not, for pairs of rows."""
        needed, at = np.unique(np.concatenate((first, second)), return_inverse=True)
        authors = self.attribute(vectors.rows(needed))[at]
        return np.asarray(authors[: len(first)] == authors[len(first) :])


def dv_two_fold(pairs: DVBin, known: Vectors, lazy: LazyAttributor) -> TwoFold:
    """DV-2xAA, from a trained classifier, its known documents and the Lazy AA fitted on them."""
    return TwoFold(lambda vectors: lazy.predict(pairs.scores(vectors, known)))


def std_two_fold(standard: StandardAttributor) -> TwoFold:
    """STD-2xAA."""
    return TwoFold(standard.predict)

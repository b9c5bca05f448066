"""Is a method really worse than the best? The paper's paired t-test, and beside it a test that overlapping samples need.

The runs of an experiment share documents, so their differences are not independent, and the plain test sees differences
too easily. Nadeau and Bengio (2003) widen the variance of the mean by the share of test to training documents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

LEVELS = (0.05, 0.001)
LEGEND = (
    "Best in bold. Two-tailed paired t-test against the best: ** not different at the level .05 (p > .05); * different at .05, "
    "not at .001. The marks after the bar are those of the Nadeau-Bengio corrected test."
)


@dataclass(frozen=True)
class ComparedMethods:
    """A method against the best one: p of both tests (None where there is nothing to test)."""

    p: float | None
    corrected: float | None

    @property
    def mark(self) -> str:
        return mark(self.p)

    @property
    def corrected_mark(self) -> str:
        return mark(self.corrected)


def mark(p: float | None) -> str:
    """A star for each level, .05 and .001, at which the difference is not significant: two, one, or none."""
    return "" if p is None else "*" * sum(p > level for level in LEVELS)


def paired(one: ArrayLike, other: ArrayLike) -> float | None:
    """p of the two-tailed paired t-test; None for fewer than two runs."""
    return _two_tailed(one, other, 0.0)


def corrected(one: ArrayLike, other: ArrayLike, ratio: float) -> float | None:
    """p of the corrected resampled t-test, `ratio` being test documents to training documents."""
    return _two_tailed(one, other, ratio)


def compare(
    methods: Sequence[str], values: Sequence[Sequence[float]], ratio: float
) -> tuple[str, dict[str, ComparedMethods]]:
    """The method with the highest mean (of equals the first), and each other one against it; runs are in the same order for all."""
    best = int(np.argmax([np.mean(each) for each in values]))
    found = {
        method: ComparedMethods(paired(values[best], own), corrected(values[best], own, ratio))
        for number, (method, own) in enumerate(zip(methods, values, strict=True))
        if number != best
    }
    return methods[best], found


def _two_tailed(one: ArrayLike, other: ArrayLike, ratio: float) -> float | None:
    from scipy.stats import t as student

    difference = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    runs = difference.size
    if runs < 2:
        return None
    mean, variance = float(difference.mean()), float(difference.var(ddof=1))
    if variance <= (1e-12 * max(abs(mean), 1e-12)) ** 2:  # always the same difference: none at all, or beyond doubt
        return 1.0 if abs(mean) < 1e-12 else 0.0
    statistic = mean / math.sqrt((1.0 / runs + ratio) * variance)
    return float(2.0 * student.sf(abs(statistic), runs - 1))

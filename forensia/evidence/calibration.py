"""From scores to likelihood ratios: logistic regression in which both classes weigh the same, so that its log-odds are a log LR.

Empirical lower and upper bounds of likelihood ratios: no LR goes further than the validation comparisons can support.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forensia.errors import ForensiaError
from forensia.estimator import logistic_lines
from forensia.evidence.measures import Array, class_arrays

Side = Literal["lower", "upper"]

# As lir has it: LRs beyond these stand for 0 and infinity, and bounds are found to two decimals of log10 LR.
_EXTREME = 9.0
_STEP = 0.01


@dataclass(frozen=True)
class Bounds:
    """The lowest and highest log10 LR that may be reported, with the number of comparisons they rest on."""

    lower: float
    upper: float
    n_same: int
    n_different: int

    @property
    def comparisons(self) -> int:
        return self.n_same + self.n_different

    def apply(self, log10_lr: ArrayLike) -> Array:
        """The same LRs, none beyond a bound."""
        return np.clip(np.asarray(log10_lr, dtype=np.float64), self.lower, self.upper)

    def side(self, log10_lr: float) -> Side | None:
        """Which bound an LR before bounding reaches, if any; it must then be worded as a limit."""
        if log10_lr >= self.upper:
            return "upper"
        return "lower" if log10_lr <= self.lower else None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            lower=float(stored["lower"]),
            upper=float(stored["upper"]),
            n_same=int(stored["n_same"]),
            n_different=int(stored["n_different"]),
        )


def elub(same: ArrayLike, different: ArrayLike, misleading: int = 1) -> Bounds:
    """Bounds after Vergeer et al. (2016): where decisions by LR, with one more misleading LR on each side, beat no LR at all."""
    s, d, _, _ = class_arrays(same, different)
    if not s.size or not d.size:
        return Bounds(0.0, 0.0, s.size, d.size)  # nothing was validated, so nothing but LR = 1 is supported
    s, d = np.clip(s, -_EXTREME, _EXTREME), np.clip(d, -_EXTREME, _EXTREME)
    thresholds = _thresholds(s, d)
    cost = 10.0**thresholds
    # Accepting at a threshold costs 1 for each rejected same-author and 10^threshold for each accepted other comparison.
    rejected = (_at_most(s, cost) + misleading) / (s.size + misleading)
    accepted = (d.size - _at_most(d, cost) + misleading) / (d.size + misleading)
    without_lr = np.where(cost < 1.0, cost, 1.0)
    worse = without_lr < rejected + cost * accepted
    lower = np.max(thresholds[worse & (thresholds <= 0)] + _STEP, initial=thresholds[0])
    upper = np.min(thresholds[worse & (thresholds >= 0)] - _STEP, initial=thresholds[-1])
    # The steps are hundredths: rounding takes away what floating point added to them (and turns -0.0 into 0.0).
    return Bounds(round(min(float(lower), 0.0), 9) + 0.0, round(max(float(upper), 0.0), 9) + 0.0, s.size, d.size)


def _thresholds(s: Array, d: Array) -> Array:
    """Steps of log10 LR from the lowest to the highest that occurs, and no further than log10 of a class size plus one."""
    lowest = max(min(s.min(), d.min()), -np.log10(s.size + 1))
    highest = min(max(s.max(), d.max()), np.log10(d.size + 1))
    first = min(0, int(np.floor_divide(lowest, _STEP)))
    last = max(0, int(np.floor_divide(highest, _STEP)) + 1)
    return np.linspace(first * _STEP, last * _STEP, last - first + 1)


def _at_most(log10_lr: Array, thresholds: Array) -> Array:
    """How many LRs are at most each threshold; compared as LRs, so that a tie in them is a tie here."""
    return np.searchsorted(np.sort(10.0**log10_lr), thresholds, side="right").astype(np.float64)


LN10 = float(np.log(10.0))

# The ridge keeps the slope finite where the classes are separate. It acts on the slope of the standardised score (so units do
# not matter) and is divided by the number of comparisons in the smaller class, against a loss whose weights sum to 1.
# Simulated with normal scores (distance 1 to 4 standard deviations, 6+12 to 200+2,000 comparisons, limits log10(n + 1), Cllr
# on fresh scores): 0.01 lost nothing anywhere against no ridge (0.090 and 0.090 at 200+2,000, distance 4) and gained most
# where data were few (0.163 against 0.190 at 12+24); 1 nearly doubled the cost there (0.355). lir's default, scikit-learn's
# C = 1, is a ridge of n_smaller / (n x variance of the score) in this measure: it changes with the units.
RIDGE = 0.01

BINS = 400  # of each class
Line = tuple[float, float]  # intercept and slope, from a score to a natural log LR


class CalibrationError(ForensiaError):
    """Scores that cannot be turned into likelihood ratios; the text says why and what would help."""


def class_balance(labels: ArrayLike, weights: ArrayLike | None = None) -> Array:
    """Weights under which same-author and different-author comparisons have a total of 1/2 each."""
    y = np.asarray(labels, dtype=bool).ravel()
    w = np.ones(y.size) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if w.shape != y.shape or not np.isfinite(w).all() or (w < 0).any():
        raise ValueError("weights must be one for each label, finite and not negative")
    same, different = float(w[y].sum()), float(w[~y].sum())
    if same == 0 or different == 0:
        raise CalibrationError(
            "Likelihood ratios cannot be calibrated: there are no same-author or no different-author comparisons. "
            "Add documents, so that at least two authors have two each."
        )
    return np.asarray(np.where(y, 0.5 / same, 0.5 / different) * w, dtype=np.float64)


def calibrated_line(
    scores: ArrayLike,
    labels: ArrayLike,
    weights: ArrayLike | None = None,
    near: Line | None = None,
    ridge: float = RIDGE,
    increasing: bool = True,
) -> Line:
    """Intercept and slope of the natural log LR of a score: those of least class-balanced log loss plus a ridge.

    Labels True = same author; weights are relative, their sum is free. `near` is a line near the solution: from there it is found sooner,
    to nine digits instead of the last.
    """
    x, y = np.asarray(scores, dtype=np.float64).ravel(), np.asarray(labels, dtype=bool).ravel()
    if x.size != y.size:
        raise ValueError(f"{x.size} scores have {y.size} labels")
    w = class_balance(y, weights)
    _refuse_misleading_infinity(x[w > 0], y[w > 0])
    kept = (w > 0) & np.isfinite(x)
    x, y = x[kept], y[kept]
    w = class_balance(y, w[kept])
    centre = float(np.einsum("i,i->", w, x))
    spread = math.sqrt(np.einsum("i,i->", w, (x - centre) ** 2))
    if spread <= 1e-12 * max(1.0, abs(centre)):
        return 0.0, 0.0  # a constant score says nothing
    start, enough = np.zeros((2, 1)), 0.0
    if near is not None and np.isfinite(near).all():
        start, enough = np.array([[near[0] + near[1] * centre], [near[1] * spread]]), 1e-5
    ridge /= min(_effective(w[y]), _effective(w[~y]))
    intercept, slope = logistic_lines((x - centre) / spread, y, w[:, None], ridge, start, enough)[:, 0].tolist()
    if increasing and slope < 0:
        # Under the constraint the optimum is on its edge, and a balanced regression without a slope says LR = 1.
        return 0.0, 0.0
    return intercept - slope / spread * centre, slope / spread


def _refuse_misleading_infinity(x: Array, y: NDArray[np.bool_]) -> None:
    """An infinite score for its own side costs nothing and is left out; for the other side its cost is infinite."""
    if np.isnan(x).any():
        raise ValueError("a score is not a number")
    if np.isneginf(x[y]).any() or np.isposinf(x[~y]).any():
        raise CalibrationError(
            "Likelihood ratios cannot be calibrated: a score is infinite for the wrong side. "
            "Limit the scores (probabilities of exactly 0 or 1) before calibrating."
        )


@dataclass(frozen=True)
class BinnedScores:
    """Scores of one class that are nearly the same, taken together: resampled lines come out the same, at a tenth of the cost."""

    place: NDArray[np.intp]
    scores: Array
    same: NDArray[np.bool_]

    @classmethod
    def of(cls, same: Array, different: Array) -> BinnedScores:
        """The scores of both classes, the same-author ones first."""
        place = np.empty(len(same) + len(different), np.intp)
        means: list[float] = []
        labels: list[bool] = []
        first = 0
        for values, label in ((same, True), (different, False)):
            parts = np.array_split(np.argsort(values, kind="stable"), min(BINS, max(len(values), 1)))
            for part in parts:
                place[first + part] = len(means)
                means.append(float(values[part].mean()) if len(part) else 0.0)
            labels += [label] * len(parts)
            first += len(values)
        return cls(place, np.array(means), np.array(labels))

    def line(self, weights: Array, near: Line) -> Line:
        """Intercept and slope of the calibration in which each score has such a weight."""
        together = np.bincount(self.place, weights, len(self.same)).astype(np.float64)
        return calibrated_line(self.scores, self.same, together, near)


def _effective(weights: Array) -> float:
    """The number of equal weights that would be worth as much (Kish), whatever their scale."""
    return float(weights.sum() ** 2 / (weights**2).sum())

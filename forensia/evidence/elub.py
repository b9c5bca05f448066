"""Empirical lower and upper bounds of likelihood ratios: no LR goes further than the validation comparisons can support."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.pav import Array, class_arrays

__all__ = ["Bounds", "Side", "elub"]

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

"""None of these? How usual a score is for an author's own texts, and how often an outsider finds support by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.pav import Array

__all__ = [
    "SupportRate", "conformal_p", "false_support", "smallest_p",
]  # fmt: skip


def conformal_p(own_scores: ArrayLike, scores: ArrayLike) -> Array:
    """(1 + number of the author's own cross-fitted scores that are at most s) / (n + 1), for each s.

    Small means: hardly any text known to be by the author scores so low. It is exact only if the text at hand came about as
    the author's known texts did, and it cannot fall below 1 / (n + 1).
    """
    own = np.sort(np.asarray(own_scores, dtype=np.float64).ravel())
    s = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    if np.isnan(own).any() or np.isnan(s).any():
        raise ValueError("a score is not a number")
    return np.asarray((1.0 + np.searchsorted(own, s, side="right")) / (own.size + 1.0), dtype=np.float64)


def smallest_p(n: int) -> float:
    """The lowest p that n own scores can give; at or above alpha, the author can never be ruled out."""
    return 1.0 / (n + 1)


@dataclass(frozen=True)
class SupportRate:
    """How often an LR exceeds the threshold for texts by somebody else: for one author, and for at least one of several."""

    threshold: float
    single: float
    candidates: int
    family: float


def false_support(
    log10_lr: ArrayLike, threshold: float = 10.0, candidates: int | None = None, weights: ArrayLike | None = None
) -> SupportRate:
    """False-support rates from LRs of texts (rows) against authors who did not write them (columns, NaN = no candidate).

    With `candidates` = m the family is any m of a text's authors, all choices counted: an exact mean, not a simulation, and
    unlike 1 - (1 - p)^m it keeps the dependence between authors who resemble the same text.
    """
    llr = np.atleast_2d(np.asarray(log10_lr, dtype=np.float64))
    w = _row_weights(llr, weights)
    available = (~np.isnan(llr)).sum(axis=1)
    with np.errstate(invalid="ignore"):
        above = (llr > np.log10(threshold)).sum(axis=1)
    size = int(available.max(initial=0)) if candidates is None else int(candidates)
    usable = (available > 0) & (w > 0)
    if candidates is not None:
        usable &= available >= size
    if not usable.any():
        return SupportRate(float(threshold), float("nan"), size, float("nan"))
    n, r, w = available[usable].astype(np.float64), above[usable].astype(np.float64), w[usable]
    drawn = n if candidates is None else np.full(n.shape, float(size))
    clear = np.ones(n.shape)  # chance that none of the drawn authors is among the r above the threshold
    for i in range(size):
        clear *= np.where(i < drawn, np.maximum(n - r - i, 0.0) / np.maximum(n - i, 1.0), 1.0)
    return SupportRate(
        threshold=float(threshold),
        single=float(np.average(r, weights=w) / np.average(n, weights=w)),
        candidates=size,
        family=float(np.average(1.0 - clear, weights=w)),
    )


def _row_weights(rows: Array, weights: ArrayLike | None) -> Array:
    w = np.ones(rows.shape[0]) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if w.size != rows.shape[0]:
        raise ValueError(f"{rows.shape[0]} texts have {w.size} weights")
    return w

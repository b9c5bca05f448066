"""Pool adjacent violators: the best likelihood ratios that any rising map of a score could give, and the ROC convex hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "PavFit", "Weights", "class_arrays", "pav"]

Array = NDArray[np.float64]
# How much each same-author and each different-author comparison counts; a weight of 2 is the comparison twice.
Weights = tuple[ArrayLike, ArrayLike] | None

# A sweep over all blocks is cheap in numpy as long as it pools many of them; after that the stack finishes in linear time.
_WORTH_A_SWEEP = 0.1


@dataclass(frozen=True)
class PavFit:
    """Blocks of rising scores, with the share of all same-author and different-author comparisons in each."""

    low: Array
    high: Array
    same: Array
    different: Array

    @property
    def log10_lr(self) -> Array:
        """log10 LR of each block: minus infinity where no same-author comparison fell, infinity where no other did."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log10(self.same) - np.log10(self.different), dtype=np.float64)

    def transform(self, scores: ArrayLike) -> Array:
        """log10 LR of scores: that of their block; between blocks the posterior probability runs straight; beyond, the end's."""
        s = np.atleast_1d(np.asarray(scores, dtype=np.float64))
        after = np.clip(np.searchsorted(self.low, s, side="right"), 1, len(self.low))
        result = self.log10_lr[after - 1]
        gap = np.flatnonzero((s > self.high[after - 1]) & (after < len(self.low)))
        if gap.size:
            left, right = after[gap] - 1, after[gap]
            start, end = self.high[left], self.low[right]
            with np.errstate(invalid="ignore"):
                share = (s[gap] - start) / (end - start)
            # A finite score stands infinitely far from an infinite end, hence at the other one.
            share = np.where(np.isneginf(start), 1.0, np.where(np.isposinf(end), 0.0, share))
            mass = self.same + self.different
            p, q = self.same / mass, self.different / mass
            with np.errstate(divide="ignore"):
                result[gap] = np.log10(p[left] + share * (p[right] - p[left])) - np.log10(
                    q[left] + share * (q[right] - q[left])
                )
        return result

    def hull(self) -> tuple[Array, Array]:
        """ROC convex hull: miss rate and false-alarm rate as the threshold rises over the blocks, ends included."""
        misses = np.concatenate([[0.0], np.cumsum(self.same)])
        alarms = np.concatenate([np.cumsum(self.different[::-1])[::-1], [0.0]])
        return misses, alarms


def class_arrays(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> tuple[Array, Array, Array, Array]:
    """Values and weights of both classes as float arrays, without what has no weight: infinity times nothing is nothing."""
    values, counted = [], []
    for side, given in enumerate((same, different)):
        x = np.asarray(given, dtype=np.float64).ravel()
        w = np.ones_like(x) if weights is None else np.asarray(weights[side], dtype=np.float64).ravel()
        if w.shape != x.shape:
            raise ValueError(f"{x.size} values have {w.size} weights")
        if np.isnan(x).any() or not np.isfinite(w).all() or (w < 0).any():
            raise ValueError("a value is not a number, or a weight is negative or not finite")
        values.append(x[w > 0])
        counted.append(w[w > 0])
    return values[0], values[1], counted[0], counted[1]


def pav(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> PavFit:
    """Pool the comparisons until the ratio of the class shares rises with the score; both classes count the same in all."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if not s.size or not d.size:
        raise ValueError("both classes need at least one comparison")
    points, where = np.unique(np.concatenate([s, d]), return_inverse=True)
    a, b, first, last = _pool(
        np.bincount(where[: s.size], weights=ws, minlength=points.size).astype(np.float64),
        np.bincount(where[s.size :], weights=wd, minlength=points.size).astype(np.float64),
    )
    return PavFit(low=points[first], high=points[last], same=a / a.sum(), different=b / b.sum())


def _pool(a: Array, b: Array) -> tuple[Array, Array, NDArray[np.intp], NDArray[np.intp]]:
    """Pooled masses of both classes with the first and last point of each block; masses are compared, never ratios of zero."""
    starts = np.arange(a.size)
    size = a.size
    while a.size > 1:
        # Neighbours that fall or stay level belong to one block whatever comes later, so whole falling runs pool at once.
        heads = np.concatenate([[True], a[:-1] * b[1:] < a[1:] * b[:-1]])
        before, after = a.size, int(heads.sum())
        if after == before:
            break
        index = np.flatnonzero(heads)
        a, b, starts = np.add.reduceat(a, index), np.add.reduceat(b, index), starts[index]
        if before - after < _WORTH_A_SWEEP * before:
            a, b, starts = _pool_stack(a, b, starts)
            break
    ends = np.concatenate([starts[1:] - 1, [size - 1]])
    return a, b, starts, ends


def _pool_stack(a: Array, b: Array, starts: NDArray[np.intp]) -> tuple[Array, Array, NDArray[np.intp]]:
    """The classical pass with a stack: each block is pushed once and pooled at most once, so the time is linear."""
    blocks: list[tuple[float, float, int]] = []
    for same, different, start in zip(a.tolist(), b.tolist(), starts.tolist(), strict=True):
        while blocks and blocks[-1][0] * different >= same * blocks[-1][1]:
            earlier_same, earlier_different, start = blocks.pop()
            same, different = same + earlier_same, different + earlier_different
        blocks.append((same, different, start))
    columns = list(zip(*blocks, strict=True))
    return np.array(columns[0]), np.array(columns[1]), np.array(columns[2], dtype=np.intp)

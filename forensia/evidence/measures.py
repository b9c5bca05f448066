"""How good likelihood ratios, probabilities and decisions are. LRs come as log10; what cannot be estimated is NaN, never 0.

Pool adjacent violators: the best likelihood ratios that any rising map of a score could give, and the ROC convex hull.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


LN2 = float(np.log(2.0))
LN10 = float(np.log(10.0))
NO_ANSWER = 0.5


# --- likelihood ratios ---------------------------------------------------------------------------------------------


def cllr(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> float:
    """Log-likelihood-ratio cost in bits: 0 is perfect, 1 is as good as always saying LR = 1, above 1 misleads."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if not s.size or not d.size:
        return float("nan")
    return float(0.5 * (np.average(_bits(-s), weights=ws) + np.average(_bits(d), weights=wd)))


def cllr_min(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> float:
    """Cllr after the best rising map of the scores (PAV): what the scores can tell apart, whatever their calibration."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if not s.size or not d.size:
        return float("nan")
    best = pav(s, d, (ws, wd))
    llr = best.log10_lr
    return cllr(llr, llr, (best.same, best.different))


def cllr_cal(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> float:
    """What is lost by calibration: Cllr - Cllr_min, which rounding alone could make negative."""
    lost = cllr(same, different, weights) - cllr_min(same, different, weights)
    return 0.0 if lost < 0 else lost


def eer(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> float:
    """Equal error rate on the ROC convex hull: where as many same-author are missed as different-author are accepted."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if not s.size or not d.size:
        return float("nan")
    misses, alarms = pav(s, d, (ws, wd)).hull()
    surplus = misses - alarms
    at = int(np.searchsorted(surplus, 0.0))
    if surplus[at] == 0.0:
        return float(misses[at])
    share = -surplus[at - 1] / (surplus[at] - surplus[at - 1])
    return float(misses[at - 1] + share * (misses[at] - misses[at - 1]))


def auc(same: ArrayLike, different: ArrayLike, weights: Weights = None) -> float:
    """The chance that a same-author score exceeds a different-author score; a tie counts a half."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if not s.size or not d.size:
        return float("nan")
    order = np.argsort(d, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(wd[order])])
    left, right = (np.searchsorted(d[order], s, side=side) for side in ("left", "right"))
    return float(np.average(0.5 * (below[left] + below[right]), weights=ws) / below[-1])


@dataclass(frozen=True)
class MisleadingRate:
    """Share of same-author LRs below 1/threshold and of different-author LRs above the threshold."""

    threshold: float
    same: float
    different: float


def misleading_rates(
    same: ArrayLike, different: ArrayLike, weights: Weights = None, thresholds: Sequence[float] = (1.0, 10.0, 100.0)
) -> tuple[MisleadingRate, ...]:
    """Rates of misleading evidence in both directions: how often an LR at least this strong pointed the wrong way."""
    s, d, ws, wd = class_arrays(same, different, weights)
    return tuple(MisleadingRate(float(t), _mean(s < -np.log10(t), ws), _mean(d > np.log10(t), wd)) for t in thresholds)


@dataclass(frozen=True)
class EceCurve:
    """Empirical cross-entropy in bits at each prior: of the LRs, after PAV, and of LR = 1 (all that is known is the prior)."""

    prior_log10_odds: Array
    lr: Array
    pav: Array
    neutral: Array


def ece_curve(
    same: ArrayLike, different: ArrayLike, weights: Weights = None, prior_log10_odds: ArrayLike | None = None
) -> EceCurve:
    """How much uncertainty the LRs leave for every prior odds; at prior odds of 1 it is Cllr."""
    s, d, ws, wd = class_arrays(same, different, weights)
    grid = np.linspace(-3.0, 3.0, 121) if prior_log10_odds is None else np.asarray(prior_log10_odds, dtype=np.float64)
    if not s.size or not d.size:
        missing = np.full(grid.shape, np.nan)
        return EceCurve(grid, missing, missing, missing)
    best = pav(s, d, (ws, wd))
    llr, none = best.log10_lr, np.zeros(1)
    # Blocks without a class weigh nothing there: their infinite LR would cost nothing times infinity.
    is_same, is_different = best.same > 0, best.different > 0
    return EceCurve(
        prior_log10_odds=grid,
        lr=_cross_entropy(s, d, ws, wd, grid),
        pav=_cross_entropy(
            llr[is_same], llr[is_different], best.same[is_same], best.different[is_different], grid
        ),
        neutral=_cross_entropy(none, none, none + 1, none + 1, grid),
    )  # fmt: skip


def _cross_entropy(s: Array, d: Array, ws: Array, wd: Array, grid: Array) -> Array:
    prior = posterior(0.0, grid)
    other = posterior(0.0, -grid)
    # One prior at a time: a grid times all comparisons would not fit in memory for large corpora.
    return np.array(
        [
            p * np.average(_bits(-(s + x)), weights=ws) + q * np.average(_bits(d + x), weights=wd)
            for x, p, q in zip(grid, prior, other, strict=True)
        ]
    )


@dataclass(frozen=True)
class TippettCurves:
    """Share of LRs that are at least 10^x, for same-author and for different-author comparisons."""

    log10_lr: Array
    same: Array
    different: Array


def tippett_curves(
    same: ArrayLike, different: ArrayLike, weights: Weights = None, log10_lr: ArrayLike | None = None, points: int = 201
) -> TippettCurves:
    """Both cumulative distributions, at the given log10 LRs or at even steps over all finite ones."""
    s, d, ws, wd = class_arrays(same, different, weights)
    if log10_lr is None:
        finite = np.concatenate([s, d, [0.0]])
        finite = finite[np.isfinite(finite)]
        grid = np.linspace(finite.min(), finite.max(), points)
    else:
        grid = np.asarray(log10_lr, dtype=np.float64)
    return TippettCurves(grid, _at_least(s, ws, grid), _at_least(d, wd, grid))


# --- probabilities -------------------------------------------------------------------------------------------------


def posterior(log10_lr: ArrayLike, prior_log10_odds: ArrayLike = 0.0) -> Array:
    """Probability under given prior odds; for measures and plots only, never for a statement about a case."""
    total = np.asarray(log10_lr, dtype=np.float64) + np.asarray(prior_log10_odds, dtype=np.float64)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-np.logaddexp(0.0, -total * LN10)), dtype=np.float64)


def c_at_1(probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Accuracy that credits exactly 0.5 (no answer) with the share of right answers among all problems (PAN)."""
    p, y, _ = _labelled(probabilities, labels, None)
    if not p.size:
        return float("nan")
    right = float(np.sum((p > NO_ANSWER) & (y == 1)) + np.sum((p < NO_ANSWER) & (y == 0)))
    unanswered = float(np.sum(p == NO_ANSWER))
    return (right + unanswered * right / p.size) / p.size


@dataclass(frozen=True)
class ReliabilityCurve:
    """For each bin that holds something: mean stated probability, share that was true, and the weight in it."""

    stated: Array
    observed: Array
    count: Array


def reliability_curve(
    probabilities: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None, bins: int = 10
) -> ReliabilityCurve:
    """Stated against observed probability in even bins; with class-balancing weights it is read at prior odds of 1."""
    p, y, w = _labelled(probabilities, labels, weights)
    at = np.minimum((p * bins).astype(np.intp), bins - 1)
    count, stated, observed = (
        np.bincount(at, weights=each, minlength=bins).astype(np.float64) for each in (w, w * p, w * y)
    )
    held = count > 0
    return ReliabilityCurve(stated[held] / count[held], observed[held] / count[held], count[held])


# --- decisions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Confusion:
    """counts[i, j]: how often a document of classes[i] was given to classes[j]; f1 follows the same order."""

    classes: tuple[str, ...]
    counts: Array
    f1: Array

    @property
    def recall(self) -> Array:
        """Share of a class's documents that were given to it; NaN for a class without any."""
        return self._share(self.counts.sum(axis=1))

    @property
    def precision(self) -> Array:
        """Share of the documents given to a class that are its own; NaN for a class that got none."""
        return self._share(self.counts.sum(axis=0))

    def _share(self, of: Array) -> Array:
        return np.asarray(np.divide(np.diag(self.counts), of, out=np.full(len(of), np.nan), where=of > 0))


def confusion(
    true: Sequence[str],
    predicted: Sequence[str],
    weights: ArrayLike | None = None,
    classes: Sequence[str] | None = None,
) -> Confusion:
    """Who was taken for whom, and F1 by class; F1 is 0 for a class that was never right, also if never true nor given."""
    if len(true) != len(predicted):
        raise ValueError(f"{len(true)} true classes have {len(predicted)} predictions")
    names = tuple(sorted(set(true) | set(predicted))) if classes is None else tuple(classes)
    place = {name: i for i, name in enumerate(names)}
    w = np.ones(len(true)) if weights is None else np.asarray(weights, dtype=np.float64)
    counts = np.zeros((len(names), len(names)))
    np.add.at(counts, ([place[name] for name in true], [place[name] for name in predicted]), w)
    right, whole = np.diag(counts), counts.sum(axis=0) + counts.sum(axis=1)
    return Confusion(names, counts, np.divide(2 * right, whole, out=np.zeros(len(names)), where=whole > 0))


def accuracy(true: Sequence[str], predicted: Sequence[str], weights: ArrayLike | None = None) -> float:
    """Share of documents that were given to their author."""
    counts = confusion(true, predicted, weights).counts
    return float(np.trace(counts) / counts.sum()) if counts.sum() else float("nan")


def macro_f1(
    true: Sequence[str],
    predicted: Sequence[str],
    weights: ArrayLike | None = None,
    classes: Sequence[str] | None = None,
) -> float:
    """Mean of F1 over authors, each counting the same however many documents are theirs."""
    f1 = confusion(true, predicted, weights, classes).f1
    return float(f1.mean()) if f1.size else float("nan")


# --- small parts ---------------------------------------------------------------------------------------------------


def _bits(log10_odds: Array) -> Array:
    """log2(1 + 10^x), without overflow: the cost in bits of odds against the truth."""
    with np.errstate(over="ignore"):
        return np.asarray(np.logaddexp(0.0, log10_odds * LN10) / LN2, dtype=np.float64)


def _mean(values: ArrayLike, weights: Array) -> float:
    return float(np.average(np.asarray(values, dtype=np.float64), weights=weights)) if weights.sum() else float("nan")


def _at_least(values: Array, weights: Array, grid: Array) -> Array:
    """Weighted share of values that reach each point of the grid."""
    if not values.size:
        return np.full(grid.shape, np.nan)
    order = np.argsort(values, kind="stable")
    above = np.concatenate([np.cumsum(weights[order][::-1])[::-1], [0.0]])
    return np.asarray(above[np.searchsorted(values[order], grid, side="left")] / above[0], dtype=np.float64)


def _labelled(probabilities: ArrayLike, labels: ArrayLike, weights: ArrayLike | None) -> tuple[Array, Array, Array]:
    p = np.asarray(probabilities, dtype=np.float64).ravel()
    y = np.asarray(labels, dtype=bool).ravel().astype(np.float64)
    w = np.ones(p.size) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if y.shape != p.shape or w.shape != p.shape:
        raise ValueError(f"{p.size} probabilities have {y.size} labels and {w.size} weights")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability is outside 0 to 1")
    return p, y, w

"""L2 logistic regression over products with a matrix that need not exist: Newton steps by conjugate gradients.

Several problems over the same rows (the folds of a cross-validation) are solved in lock-step, so that one pass over the data
serves them all. The objective is scikit-learn's: half the squared weights plus C times the summed log loss; the
intercept, the last column, is not penalised.

Stopping rule: a problem is solved when a full Newton step, its system solved to a residual of `RESIDUAL` in the norm of the
preconditioner, moves the log-odds of no row (training or held out) by more than `TOLERANCE`, and the next would move them by a tenth of
that; or when it would lower the objective by less than its share `PRECISION`, which happens first where the classes are
separable and C is large, so that the log-odds are large too and their last digits are rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.jobs import Progress, silent

TOLERANCE = 3e-3  # in log-odds
RESIDUAL = 0.1
PRECISION = 1e-9  # of the objective: what products in single precision can still tell
STALE = 0.5  # log-odds that have moved less than this leave the preconditioner as good as new
MOST_STEPS = 60
MOST_INNER_STEPS = 400
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Flags = NDArray[np.bool_]


class Approximation(Protocol):
    """An approximate inverse of the Hessian of each problem."""

    def update(self, curvature: Singles, c: float) -> None: ...

    def apply(self, residual: Singles, problems: NDArray[np.intp]) -> Singles: ...


class Operator(Protocol):
    """A rows x columns matrix with a last column of ones, known by its products with many vectors at once."""

    shape: tuple[int, int]

    @property
    def preconditioner(self) -> Approximation: ...

    def forward(self, weights: NDArray[Any]) -> NDArray[Any]: ...

    def backward(self, residuals: NDArray[Any]) -> NDArray[Any]: ...


@dataclass(frozen=True)
class Solution:
    """The weights of each problem (columns x problems), the log-odds of every row, and how the search went."""

    weights: Floats
    log_odds: Floats
    steps: NDArray[np.int64]
    converged: Flags
    objective: Floats


def solve(
    operator: Operator,
    same: Flags,
    sample_weights: Singles,
    c: float,
    start: Solution | None = None,
    *,
    tolerance: float = TOLERANCE,
    enough: Callable[[Floats], bool] | None = None,
    progress: Progress = silent,
) -> Solution | None:
    """Fit one model for each column of `sample_weights` (rows x problems; 0 leaves a row out).

    After each step `enough` sees the log-odds; when it says so the search is given up and there is no solution.
    """
    rows, columns = operator.shape
    problems = sample_weights.shape[1]
    weights = np.zeros((columns, problems)) if start is None else start.weights.copy()
    log_odds = np.zeros((rows, problems)) if start is None else start.log_odds.copy()
    steps = np.zeros(problems, dtype=np.int64)
    converged = np.zeros(problems, dtype=np.bool_)
    made = np.arange(problems)
    objective = _objective(weights, log_odds, same, sample_weights, c)
    fresh = np.inf  # how far the log-odds have moved since the preconditioner was made
    for _ in range(MOST_STEPS):
        active = np.flatnonzero(~converged)
        if not len(active):
            break
        progress(float(converged.mean()))
        z, w, s = log_odds[:, active], weights[:, active], sample_weights[:, active]
        probability = _sigmoid(z)
        # Where C is large the gradient is a small difference of large sums: it and the log-odds it comes from are computed
        # in double precision, once a step; the many products on the way to the next step are not.
        exact = c * operator.backward(s * (probability - same[:, None]))
        exact[:-1] += w[:-1]
        gradient = exact.astype(np.float32)
        curvature = (s * probability * (1 - probability)).astype(np.float32)
        if fresh > STALE:
            operator.preconditioner.update(curvature, c)
            made, fresh = active, 0.0
        direction, moves, solved = _newton_direction(
            operator, gradient, curvature, c, np.searchsorted(made, active), progress
        )
        length = _line_search(w, z, direction, moves, gradient, same, s, c, objective[active])
        weights[:, active] = w + length * direction
        log_odds[:, active] = operator.forward(weights[:, active])
        fresh += float((length * np.abs(moves).max(axis=0)).max())
        objective[active] = _objective(weights[:, active], log_odds[:, active], same, s, c)
        steps[active] += 1
        if enough is not None and enough(log_odds):
            return None
        still = (np.abs(moves).max(axis=0) <= tolerance) | (
            -_dots(gradient, direction) <= PRECISION * objective[active]
        )
        converged[active] = solved & still
        if not length.any():  # rounding hides any further descent
            break
    return Solution(weights, log_odds, steps, converged, objective)


def extrapolated(before: Solution | None, last: Solution, same: Flags, sample_weights: Singles, c: float) -> Solution:
    """Where to start at the next C: the last solution, moved on along the path as far as that lowers the new objective."""
    if before is None:
        return last
    best = last
    lowest = _objective(last.weights, last.log_odds, same, sample_weights, c)
    for further in (0.5, 1.0, 1.5):
        weights = last.weights + further * (last.weights - before.weights)
        log_odds = last.log_odds + further * (last.log_odds - before.log_odds)
        value = _objective(weights, log_odds, same, sample_weights, c)
        better = value < lowest
        best = replace(
            best, weights=np.where(better, weights, best.weights), log_odds=np.where(better, log_odds, best.log_odds)
        )
        lowest = np.where(better, value, lowest)
    return best


def log_loss(log_odds: Floats, same: Flags) -> Floats:
    """The loss of each row."""
    return np.logaddexp(0.0, np.where(same, -log_odds, log_odds))


def _newton_direction(
    operator: Operator, gradient: Singles, curvature: Singles, c: float, problems: NDArray[np.intp], progress: Progress
) -> tuple[Singles, Floats, Flags]:
    """Solve Hessian x direction = -gradient for all problems at once: the direction, what it does to the rows, solved or not."""
    direction = np.zeros_like(gradient)
    moves = np.zeros(curvature.shape)
    rest = -gradient
    search = operator.preconditioner.apply(rest, problems)
    norm = _dots(rest, search)
    first = np.maximum(norm, 1e-300)
    going = norm > 0
    for _ in range(MOST_INNER_STEPS):
        at = np.flatnonzero(going)
        if not len(at):
            break
        progress(0.0)
        along = np.ascontiguousarray(search[:, at])
        effect = operator.forward(along)
        product = c * operator.backward(curvature[:, at] * effect)
        product[:-1] += along[:-1]
        bend = _dots(along, product)
        length = np.where(bend > 0, norm[at] / np.where(bend > 0, bend, 1.0), 0.0)
        step = length.astype(np.float32)
        direction[:, at] += step * along
        moves[:, at] += length * effect
        rest[:, at] -= step * product
        better = operator.preconditioner.apply(np.ascontiguousarray(rest[:, at]), problems[at])
        new = np.maximum(_dots(rest[:, at], better), 0.0)
        search[:, at] = better + (new / norm[at]).astype(np.float32) * along
        norm[at] = new
        going[at] = (new > RESIDUAL**2 * first[at]) & (length > 0)
    return direction, moves, norm <= RESIDUAL**2 * first


def _line_search(
    weights: Floats,
    log_odds: Floats,
    direction: Singles,
    moves: Floats,
    gradient: Singles,
    same: Flags,
    sample_weights: Singles,
    c: float,
    before: Floats,
) -> Floats:
    """The longest of 1, 1/2, 1/4 ... that lowers each objective enough; needs no pass over the data."""
    slope = _dots(gradient, direction)
    length = np.ones(len(before))
    for _ in range(30):
        after = _objective(weights + length * direction, log_odds + length * moves, same, sample_weights, c)
        # A step that changes the objective by no more than rounding is as good as one that lowers it.
        bad = after > before + 1e-4 * length * slope + 1e-7 * np.abs(before)
        if not bad.any():
            return length
        length = np.where(bad, length / 2, length)
    return np.where(bad, 0.0, length)


def _objective(weights: Floats, log_odds: Floats, same: Flags, sample_weights: Singles, c: float) -> Floats:
    loss = log_loss(log_odds, same[:, None])
    return np.asarray(0.5 * _dots(weights[:-1], weights[:-1]) + c * np.einsum("pk,pk->k", sample_weights, loss))


def _dots(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """The inner product of each column with its fellow, summed in double precision."""
    return np.asarray(np.einsum("dk,dk->k", a, b, dtype=np.float64))


def _sigmoid(x: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(x))

"""Penalised linear learners in the row space of the documents, by conjugate gradients that follow the shape of the loss.

The objective is scikit-learn's: half the squared weights plus C times the summed loss; the intercepts are not penalised. With
weights W = A X the natural gradient of the duals A (that of W, written in the documents) is A - C T, where T is the pull of
the loss on the logits. One product with the Gram matrix gives its norm, its effect on every logit and the next direction
(Polak-Ribiere, restarted where it would not go down), and a step along a direction needs no product at all. On real text
this took a third fewer products than Newton steps with an inner solver, and no more than L-BFGS with 30 pairs; preconditioners
cost as much as they saved.

Stopping rule: without intercepts C T is a feasible point of the dual problem, and half the squared norm of A - C T is the duality
gap: by no more than that does the objective exceed its minimum. The slope along the intercepts adds its own second-order term, so with
them the gap is an estimate. A problem is solved when the gap is at most `tolerance` times the objective.

The losses of linear learners, each as the descent needs it: its force and its bend along a direction.

A loss sees the logits (classes x documents) only through margins, in which the own class stands at zero (softmax) or the sign
of the label is taken out (one class against the rest). Close to a perfect fit this keeps small numbers small: 1 - p
is never computed from p, so single precision is enough even for very large C.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.jobs import Progress, silent

OVERFLOW = 80  # the exponential of more does not fit in single precision
Codes = NDArray[np.integer]


class Loss(Protocol):
    """A convex loss over documents; `joint` when all classes form one problem, else each class is a problem of its own."""

    joint: bool

    def margins(self, logits: Reals) -> Reals:
        """What the loss is a function of."""
        ...

    def moves(self, moves: Reals) -> Reals:
        """How the margins move when the logits do: their linear part."""
        ...

    def force(self, margins: Reals) -> Reals:
        """Minus the derivative with respect to the margins."""
        ...

    def value(self, margins: Reals) -> Floats:
        """The loss of each document (joint), or of each class and document."""
        ...

    def pull(self, force: Reals) -> Reals:
        """The force on the logits."""
        ...

    def bend(self, margins: Reals, force: Reals, moves: Reals) -> Floats:
        """The second derivative of each problem along `moves`, as a column."""
        ...

    def take(self, documents: NDArray[np.intp]) -> Loss:
        """The loss over some of the documents."""
        ...

    def only(self, problems: NDArray[np.intp]) -> Loss:
        """The loss of some of the problems."""
        ...


class Softmax:
    """The multinomial log loss. The margins are those of the other classes; that of the own class is minus infinity."""

    joint = True

    def __init__(self, codes: Codes) -> None:
        self._codes = codes
        self._own = codes * np.intp(len(codes)) + np.arange(len(codes))  # places in classes x documents, row by row

    def margins(self, logits: Reals) -> Reals:
        margins = self.moves(logits)
        margins.reshape(-1)[self._own] = -np.inf
        return margins

    def moves(self, moves: Reals) -> Reals:
        return np.asarray(moves - moves.reshape(-1)[self._own])

    def force(self, margins: Reals) -> Reals:
        if margins.max() < OVERFLOW:
            force = np.exp(margins)
            odds = force.sum(axis=0)
            share = 1 / (1 + odds)
        else:
            highest = np.maximum(margins.max(axis=0), 0)
            force = np.exp(margins - highest)
            odds = force.sum(axis=0)
            share = 1 / (np.exp(-highest) + odds)
        force *= -share
        force.reshape(-1)[self._own] = odds * share
        return np.asarray(force)

    def value(self, margins: Reals) -> Floats:
        highest = np.maximum(margins.max(axis=0, keepdims=True), 0).astype(np.float64)
        odds = np.exp(margins - highest).sum(axis=0, keepdims=True)
        return np.asarray(highest + np.log1p(odds + np.expm1(-highest)))

    def pull(self, force: Reals) -> Reals:
        return force

    def bend(self, margins: Reals, force: Reals, moves: Reals) -> Floats:
        weighted = force * moves  # the own class does not move
        spread = weighted.sum(axis=0)
        return np.array([[-np.vdot(weighted, moves) - np.vdot(spread, spread)]], dtype=np.float64)

    def take(self, documents: NDArray[np.intp]) -> Softmax:
        return Softmax(self._codes[documents])

    def only(self, problems: NDArray[np.intp]) -> Softmax:
        return self


class Logistic:
    """The log loss of each class against the rest."""

    joint = False

    def __init__(self, signs: Reals) -> None:
        self._signs = signs

    def margins(self, logits: Reals) -> Reals:
        return np.asarray(logits * self._signs)

    def moves(self, moves: Reals) -> Reals:
        return np.asarray(moves * self._signs)

    def force(self, margins: Reals) -> Reals:
        from scipy.special import expit

        return np.asarray(expit(-margins))

    def value(self, margins: Reals) -> Floats:
        return np.logaddexp(0.0, -margins, dtype=np.float64)

    def pull(self, force: Reals) -> Reals:
        return np.asarray(force * self._signs)

    def bend(self, margins: Reals, force: Reals, moves: Reals) -> Floats:
        return np.asarray((force * (1 - force) * moves**2).sum(axis=1, keepdims=True, dtype=np.float64))

    def take(self, documents: NDArray[np.intp]) -> Logistic:
        return type(self)(np.ascontiguousarray(self._signs[:, documents]))

    def only(self, problems: NDArray[np.intp]) -> Logistic:
        return type(self)(self._signs[problems])


class SquaredHinge(Logistic):
    """The loss of the linear support vector machine, for each class against the rest."""

    def force(self, margins: Reals) -> Reals:
        return np.asarray(2 * np.maximum(1 - margins, 0))

    def value(self, margins: Reals) -> Floats:
        return np.maximum(1 - margins, 0, dtype=np.float64) ** 2

    def bend(self, margins: Reals, force: Reals, moves: Reals) -> Floats:
        return np.asarray((2 * (margins < 1) * moves**2).sum(axis=1, keepdims=True, dtype=np.float64))


def one_against_rest(codes: Codes, classes: int) -> Reals:
    """+1 where the document is of the class, -1 elsewhere: classes x documents."""
    return np.where(np.arange(classes)[:, None] == codes, 1, -1).astype(np.float32)


MOST_STEPS = 2000
MOST_TRIALS = 20
ENOUGH = 0.3  # a step is long enough when the slope along the direction has fallen to this share
LIGHTNESS = 0.1  # an intercept moves as a feature that is this much heavier than a document: a third fewer steps than by its curvature
TINY = 1e-30
Reals = NDArray[np.floating[Any]]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class DescentSolution:
    """Duals (classes x documents) and intercepts; gap, objective and success of each problem, and the steps it took."""

    duals: Reals
    intercepts: Reals
    gap: Floats
    objective: Floats
    converged: Flags
    steps: int = 0

    @property
    def joint(self) -> bool:
        """Whether all classes form one problem; else each class is a problem of its own."""
        return len(self.gap) < len(self.duals)

    def documents(self, chosen: Places) -> DescentSolution:
        """The solution without the other documents: a start for the problem on these."""
        return replace(self, duals=np.ascontiguousarray(self.duals[:, chosen]))

    def only(self, problems: Places) -> DescentSolution:
        """The solution of some of the problems."""
        if self.joint:
            return self
        parts = {name: getattr(self, name)[problems] for name in _BY_PROBLEM}
        return replace(self, **parts)

    def with_only(self, problems: Places, new: DescentSolution) -> DescentSolution:
        """The solution with some of the problems replaced by those of `new`, which has no others."""
        if self.joint:
            return new if len(problems) else self
        parts = {name: getattr(self, name).copy() for name in _BY_PROBLEM}
        for name, values in parts.items():
            values[problems] = getattr(new, name)
        return replace(self, **parts)


_BY_PROBLEM = ("duals", "intercepts", "gap", "objective", "converged")


def nothing(classes: int, documents: int, *, joint: bool) -> DescentSolution:
    """The start that knows nothing."""
    problems = 1 if joint else classes
    return DescentSolution(
        np.zeros((classes, documents), dtype=np.float32),
        np.zeros(classes, dtype=np.float32),
        np.full(problems, np.inf),
        np.full(problems, np.inf),
        np.zeros(problems, dtype=np.bool_),
    )


def descend(
    gram: Reals,
    loss: Loss,
    c: float | Floats,
    start: DescentSolution,
    tolerance: float,
    *,
    intercept: bool = True,
    progress: Progress = silent,
) -> DescentSolution:
    """Minimise from `start`; `c` is one number or, where each class is its own problem, one for each class."""
    strengths = np.broadcast_to(np.asarray(c, dtype=np.float64), start.gap.shape)
    left = np.arange(len(strengths))
    solution, steps = start, 0
    while len(left) and steps < MOST_STEPS:
        search = _Search(gram, loss.only(left), strengths[left], solution.only(left), intercept)
        taken, stuck = _run(search, tolerance, len(left) // 2, MOST_STEPS - steps, progress)
        found = search.solution(tolerance)
        solution = solution.with_only(left, found)
        steps += taken
        left = left[:0] if stuck else left[~found.converged]
    return replace(solution, steps=steps)


def _run(search: _Search, tolerance: float, may_stay: int, most: int, progress: Progress) -> tuple[int, bool]:
    """Step on until no more than `may_stay` problems are unsolved; how many steps that took, and whether rounding ended them.

    Those that stay go on without the others, which so cost nothing any more.
    """
    objective = search.objective()
    for steps in range(most):
        unsolved = search.gap > tolerance * objective
        if unsolved.sum() <= may_stay:
            objective = search.objective()  # it only falls, so a fresh look is needed only here
            unsolved = search.gap > tolerance * objective
            if unsolved.sum() <= may_stay:
                return steps, False
        progress(steps / MOST_STEPS)
        if not search.step(unsolved):
            return steps, True
    return most, False


class _Search:
    """Where the descent stands: the duals, the margins they give, the natural gradient and the direction.

    Numbers that belong to a problem are columns: one row for all classes together or one for each.
    """

    _ahead_free: Reals

    def __init__(self, gram: Reals, loss: Loss, c: Floats, start: DescentSolution, intercept: bool) -> None:
        self._gram, self._loss = gram, loss
        self._c = c[:, None].astype(gram.dtype)
        self.duals = start.duals
        self.intercepts = start.intercepts[:, None]
        logits = self.duals @ gram
        self._penalty = self._dot(self.duals, logits) / 2
        self._margins = loss.margins(logits + self.intercepts)
        self._force = loss.force(self._margins)
        # The intercepts have no penalty and so need a metric of their own; one of infinity holds them where they are.
        spread = max(float(np.trace(gram, dtype=np.float64)), TINY)
        self._metric = np.minimum(self._c * len(gram) / 4, LIGHTNESS * len(gram) ** 2 / spread)
        self._metric = self._metric.astype(gram.dtype) if intercept else self._c * np.inf
        self._differentiate()
        self._restart()

    def objective(self) -> Floats:
        return np.asarray(self._penalty + self._c * self._sum(self._loss.value(self._margins)))

    @property
    def gap(self) -> Floats:
        return np.asarray(np.maximum(self._norm, 0) / 2)

    def solution(self, tolerance: float) -> DescentSolution:
        gap, objective = self.gap[:, 0], self.objective()[:, 0]
        return DescentSolution(self.duals, self.intercepts[:, 0], gap, objective, gap <= tolerance * objective)

    def step(self, active: Flags) -> bool:
        """One step along the direction, then the next direction; False when no problem moves any more."""
        length, linear, square = self._step_length(active)
        if not length.any():
            self._restart()
            length, linear, square = self._step_length(active)
            if not length.any():
                return False
        single = length.astype(self._gram.dtype)
        self.duals = self.duals + single * self._ahead
        self.intercepts = self.intercepts + single * self._ahead_free
        self._penalty = self._penalty + length * linear + length**2 * square / 2
        before, before_free, norm = self._slope, self._slope_free, self._norm
        self._differentiate()
        shared = self._dot(before, self._slope_effect) + self._dot(before_free, self._slope_free / self._metric)
        keep = (np.maximum(self._norm - shared, 0) / np.maximum(norm, TINY)).astype(self._gram.dtype)
        for ahead, slope in ((self._ahead, self._slope), (self._effect, self._slope_effect)):
            ahead *= keep
            ahead -= slope
        self._ahead_free = keep * self._ahead_free - self._slope_free / self._metric
        return True

    def _restart(self) -> None:
        """Straight down."""
        self._ahead, self._effect = -self._slope, -self._slope_effect
        self._ahead_free = -self._slope_free / self._metric

    def _differentiate(self) -> None:
        """The natural gradient and what it does to the logits: the one product of a step."""
        pull = self._c * self._loss.pull(self._force)
        self._slope = self.duals - pull
        self._slope_effect = self._slope @ self._gram
        self._slope_free = -pull.sum(axis=1, keepdims=True)
        self._norm = self._dot(self._slope, self._slope_effect)
        self._norm = self._norm + self._dot(self._slope_free, self._slope_free / self._metric)

    def _step_length(self, active: Flags) -> tuple[Floats, Floats, Floats]:
        """How far to go: Newton steps in one dimension, kept between what was too short and what was too long.

        Sets the margins and the force of where it ends; returns also the terms of the penalty along the direction.
        """
        moves = self._loss.moves(self._effect + self._ahead_free)
        linear, square = self._dot(self.duals, self._effect), self._dot(self._ahead, self._effect)
        margins, force = self._margins, self._force
        first = slope = linear - self._c * self._dot(force, moves)
        bend = square + self._c * self._loss.bend(margins, force, moves)
        going = active & (first < 0) & (bend > TINY)
        length = np.where(going, -first / np.maximum(bend, TINY), 0)
        short, long = np.zeros_like(length), np.full_like(length, np.inf)
        for _ in range(MOST_TRIALS):
            margins = self._margins + length.astype(moves.dtype) * moves
            force = self._loss.force(margins)
            slope = linear + length * square - self._c * self._dot(force, moves)
            going = going & (np.abs(slope) > ENOUGH * np.abs(first))
            if not going.any():
                break
            short, long = np.where(slope < 0, length, short), np.where(slope < 0, long, length)
            bend = square + self._c * self._loss.bend(margins, force, moves)
            better = length - slope / np.maximum(bend, TINY)
            inside = (better > short) & (better < long)
            halfway = np.where(long < np.inf, (short + long) / 2, 2 * short)
            length = np.where(going, np.where(inside, better, halfway), length)
        self._margins, self._force = margins, force
        return length, linear, square

    def _dot(self, a: Reals, b: Reals) -> Floats:
        """The inner product within each problem."""
        if self._loss.joint:
            return np.array([[np.vdot(a, b)]], dtype=np.float64)
        return np.asarray(np.einsum("cn,cn->c", a, b)[:, None], dtype=np.float64)

    def _sum(self, a: Reals) -> Floats:
        if self._loss.joint:
            return np.array([[a.sum()]], dtype=np.float64)
        return np.asarray(a.sum(axis=1, dtype=np.float64)[:, None])

"""The losses of linear learners, each as the descent needs it: its force and its bend along a direction.

A loss sees the logits (classes x documents) only through margins, in which the own class stands at zero (softmax) or the sign
of the label is taken out (one class against the rest). Close to a perfect fit this keeps small numbers small: 1 - p
is never computed from p, so single precision is enough even for very large C.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

OVERFLOW = 80  # the exponential of more does not fit in single precision
Reals = NDArray[np.floating[Any]]
Floats = NDArray[np.float64]
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

"""A kernel by its products with a few of the texts, for more texts than whose kernel is worth its memory (Nyström's way).

With F the texts in the coordinates that the landmarks span, K + 1 is about F F^T, and C = (F F^T + D)^-1 = 1/D - H H^T for a matrix H of as
many columns as F. So everything that least squares needs of C is had from H, in memory that grows with the number of texts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.systems.leaving_out import Round

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
NOTHING = 1e-10  # of the greatest: directions in which the landmarks hardly differ are left out


def landmarks(codes: NDArray[Any], rounds: Sequence[Round], number: int) -> Rows:
    """So many texts: one of every author in turn, and of each author one of every source in turn, for a round leaves out one of each."""
    source = np.full(len(codes), len(rounds))
    for place in range(len(rounds) - 1, -1, -1):
        source[rounds[place].away] = place
    turn = _turns(codes * (len(rounds) + 1) + source)
    order = np.lexsort((source, turn))
    place_of = np.empty(len(codes), np.intp)
    place_of[order] = _turns(codes[order])
    return np.sort(np.argsort(place_of, kind="stable")[:number])


def _turns(keys: NDArray[Any]) -> Rows:
    """How many equal keys come before each."""
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(keys[order], keys[order])
    turns = np.empty(len(keys), np.intp)
    turns[order] = np.arange(len(keys)) - first
    return turns


@dataclass(frozen=True, eq=False)
class LowRank:
    """`features` is F; `rotation` takes products with the landmarks, plus 1, to such coordinates."""

    features: Floats
    rotation: Floats

    @classmethod
    def of(cls, products: Floats, chosen: Rows) -> LowRank:
        """From the products of all texts (rows) with the landmarks (columns), which are the chosen texts."""
        values, axes = np.linalg.eigh(products[chosen] + 1.0)
        kept = values > NOTHING * values[-1]
        rotation = axes[:, kept] / np.sqrt(values[kept])
        return cls(products @ rotation + rotation.sum(axis=0), rotation)

    def inverted(self, penalty: Floats) -> LowRankInverse:
        """C, with the penalties as D."""
        from scipy.linalg import cholesky, solve_triangular

        scaled = self.features / penalty[:, None]
        system = self.features.T @ scaled
        system.flat[:: len(system) + 1] += 1.0
        lower = cholesky(system, lower=True)
        half = np.ascontiguousarray(solve_triangular(lower, scaled.T, lower=True).T)
        return LowRankInverse(penalty, half, solve_triangular(lower, self.rotation.T, lower=True).T)


@dataclass(frozen=True, eq=False)
class LowRankInverse:
    """C = 1 / `penalty` - `half` `half`^T; `outward` leads from the columns of `half` to the landmarks."""

    penalty: Floats
    half: Floats
    outward: Floats

    def times(self, values: Floats) -> Floats:
        """C times values."""
        return np.asarray(values / self.penalty[:, None] - self.half @ (self.half.T @ values))

    def solved(self, group: Rows, values: Floats) -> Floats:
        """(C_gg)^-1 times values: by a matrix of the texts in the group or of the landmarks, whichever is smaller."""
        half, penalty = self.half[group], self.penalty[group][:, None]
        if len(group) <= half.shape[1]:
            return np.asarray(np.linalg.solve(np.diag(1.0 / penalty[:, 0]) - half @ half.T, values))
        scaled = half * penalty
        inner = np.eye(half.shape[1]) - half.T @ scaled
        return np.asarray(penalty * values + scaled @ np.linalg.solve(inner, scaled.T @ values))

    def coefficients(self, targets: Floats) -> Floats:
        """Of the landmarks."""
        return np.asarray(self.outward @ (self.half.T @ targets))

    def without(self, coefficients: Floats, group: Rows, solved: Floats) -> Floats:
        """Those of a fit that never saw the group."""
        return np.asarray(coefficients - self.outward @ (self.half[group].T @ solved))

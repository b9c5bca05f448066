"""Least squares for one family of features: all authors in one fit, and every leave-out exact, without a second fit.

With the kernel K of the known texts' vectors, T the targets of all authors and weights by which authors count equally,
C = (K + 1 + ridge / weight)^-1 and the duals are C T. The scores of a set g of texts by a model that never saw them are then
T_g - (C_gg)^-1 duals_g, and the duals of that model are duals - C_.g (C_gg)^-1 duals_g. What that model says of other texts, such as
shortened copies of those in g, follows from the latter.

A fit keeps a matrix of texts x texts and needs the kernel and one more to be made: 24 n^2 bytes for n texts.
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


@dataclass(frozen=True, eq=False)
class WholeInverse:
    """C as it is: texts x texts."""

    matrix: Floats

    def times(self, values: Floats) -> Floats:
        """C times values."""
        return np.asarray(self.matrix @ values)

    def solved(self, group: Rows, values: Floats) -> Floats:
        """(C_gg)^-1 times values."""
        return np.asarray(np.linalg.solve(self.matrix[np.ix_(group, group)], values), np.float64)

    def coefficients(self, targets: Floats) -> Floats:
        """Of the known texts: the duals."""
        return self.times(targets)

    def without(self, coefficients: Floats, group: Rows, solved: Floats) -> Floats:
        """Those of a fit that never saw the group, whose own are zero."""
        found = coefficients - self.matrix[:, group] @ solved
        found[group] = 0.0
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """A fit: `inverse` is C (texts x texts), `duals` and `targets` are texts x authors.

    `coefficients` are those of the texts that others are compared with: of all known ones the duals, or of the landmarks.
    """

    codes: Rows
    inverse: WholeInverse | LowRankInverse
    duals: Floats
    targets: Floats
    coefficients: Floats

    @classmethod
    def fit(cls, kernel: Floats | LowRank, codes: NDArray[Any], ridge: float) -> LeastSquares:
        """Fit all authors at once, numbered from 0."""
        numbers = codes.astype(np.intp)
        sizes = np.bincount(numbers)
        penalty = ridge * len(sizes) * sizes[numbers] / len(numbers)
        inverse = kernel.inverted(penalty) if isinstance(kernel, LowRank) else _inverted(kernel, penalty)
        targets = (numbers[:, None] == np.arange(len(sizes))) - 1.0 / len(sizes)
        return cls(numbers, inverse, inverse.times(targets), targets, inverse.coefficients(targets))

    def without(self, group: Rows) -> Floats:
        """The coefficients of a fit without some texts."""
        return self.inverse.without(self.coefficients, group, self._solved(group))

    def without_each(self, near: Floats) -> Floats:
        """The scores of one text, by its products with the known texts, without each of these in turn (known texts x authors)."""
        if not isinstance(self.inverse, WholeInverse):
            raise ValueError("a fit by landmarks does not know the other texts")
        pull = self.inverse.times(near + 1.0) / np.diag(self.inverse.matrix)
        return np.asarray(scores(near[None], self.duals) - pull[:, None] * self.duals)

    def left_out(self, rounds: Sequence[Round], kernel: Floats | None = None) -> Floats:
        """The scores of each text by fits that never saw what was left out with it: the mean over its rounds, NaN without any.

        `kernel` holds the products of other versions of the texts (rows) with the known ones or the landmarks (columns): then it is those
        that are scored. An author of whom no text was left has no score: NaN.
        """
        total, times = np.zeros_like(self.duals), np.zeros(len(self.codes))
        sizes = np.bincount(self.codes, minlength=self.duals.shape[1])
        for each in rounds:
            if kernel is None:
                found = (self.targets[each.away] - self._solved(each.away))[np.searchsorted(each.away, each.tried)]
            else:
                found = scores(kernel[each.tried], self.without(each.away))
            gone = sizes == np.bincount(self.codes[each.away], minlength=len(sizes))
            found[:, gone] = np.nan
            total[each.tried] += found
            times[each.tried] += 1
        with np.errstate(invalid="ignore"):
            return np.asarray(total / np.where(times > 0, times, np.nan)[:, None])

    def _solved(self, group: Rows) -> Floats:
        return self.inverse.solved(group, self.duals[group])


def scores(kernel: Floats, coefficients: Floats) -> Floats:
    """Texts x authors, from the products of texts with those that have the coefficients."""
    return np.asarray(kernel @ coefficients + coefficients.sum(axis=0))


def _inverted(kernel: Floats, penalty: Floats) -> WholeInverse:
    """The inverse of a positive definite matrix, symmetric to the last bit; beside the kernel it takes the memory of two such."""
    from scipy.linalg.lapack import dpotrf, dpotri

    system = kernel.T + 1.0  # a transposed matrix is in the order of LAPACK, which then works in place
    system.T.flat[:: len(penalty) + 1] += penalty
    factor, failed = dpotrf(system, lower=1, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("the kernel is not positive definite")
    found = dpotri(factor, lower=1, overwrite_c=1)[0]
    for row in range(1, len(found)):
        found[:row, row] = found[row, :row]
    return WholeInverse(found)


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

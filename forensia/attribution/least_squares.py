"""Least squares for one family of features: all authors in one fit, and every leave-out exact, without a second fit.

With the kernel K of the known texts' vectors, T the targets of all authors and weights by which authors count equally,
C = (K + 1 + ridge / weight)^-1 and the duals are C T. The scores of a set g of texts by a model that never saw them are then
T_g - (C_gg)^-1 duals_g, and the duals of that model are duals - C_.g (C_gg)^-1 duals_g. What that model says of other texts, such as
shortened copies of those in g, follows from the latter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.leaving_out import Round

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """A fit: `inverse` is C (texts x texts), `duals` and `targets` are texts x authors."""

    codes: Rows
    inverse: Floats
    duals: Floats
    targets: Floats

    @classmethod
    def fit(cls, kernel: Floats, codes: NDArray[Any], ridge: float) -> LeastSquares:
        """Fit all authors at once, numbered from 0."""
        numbers = codes.astype(np.intp)
        sizes = np.bincount(numbers)
        system = kernel + 1.0
        system.flat[:: len(numbers) + 1] += ridge * len(sizes) * sizes[numbers] / len(numbers)
        inverse = _inverse(system)
        targets = (numbers[:, None] == np.arange(len(sizes))) - 1.0 / len(sizes)
        return cls(numbers, inverse, inverse @ targets, targets)

    def without(self, group: Rows) -> Floats:
        """The duals of a fit without some texts; theirs are zero."""
        duals = self.duals - self.inverse[:, group] @ self._solved(group)
        duals[group] = 0.0
        return np.asarray(duals)

    def left_out(self, rounds: Sequence[Round], kernel: Floats | None = None) -> Floats:
        """The scores of each text by fits that never saw what was left out with it: the mean over its rounds, NaN without any.

        `kernel` holds the products of other versions of the texts (rows) with the texts (columns): then it is those that are scored. An
        author of whom no text was left has no score: NaN.
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
        return np.asarray(np.linalg.solve(self.inverse[np.ix_(group, group)], self.duals[group]), np.float64)


def scores(kernel: Floats, duals: Floats) -> Floats:
    """Texts x authors, from the products of texts with the known ones."""
    return np.asarray(kernel @ duals + duals.sum(axis=0))


def _inverse(system: Floats) -> Floats:
    """The inverse of a positive definite matrix, symmetric to the last bit."""
    from scipy.linalg.lapack import dpotrf, dpotri

    factor, failed = dpotrf(system, lower=1, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("the kernel is not positive definite")
    lower = np.tril(dpotri(factor, lower=1, overwrite_c=1)[0])
    return np.asarray(lower + np.tril(lower, -1).T)

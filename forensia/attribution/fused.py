"""The fused system: least squares for each family of features, and one small fusion of their scores.

The ridge of each family is the one under which its left-out scores alone tell the authors of texts best; the weights of the families are
learnt from left-out scores too. Document frequencies are those of all known texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.fusion import Fusion, log_loss
from forensia.attribution.least_squares import LeastSquares, scores
from forensia.attribution.leaving_out import Round
from forensia.diffvectors import one_blas_thread
from forensia.features import Counts
from forensia.features.keys import damaged, unpacked
from forensia.features.weighting import WeightedFamily, products
from forensia.jobs import Progress, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

RIDGES = (0.03, 0.1, 0.3, 1.0)
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedFamily:
    """A family with its fit, less what only leaving out needs."""

    weighted: WeightedFamily
    known: csr_matrix
    ridge: float
    duals: Floats

    @property
    def name(self) -> str:
        return self.weighted.family

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        known = self.known
        return {
            "keys": self.weighted.keys.pack(),
            "rarity": self.weighted.rarity,
            "data": known.data,
            "indices": known.indices,
            "indptr": known.indptr,
            "duals": self.duals,
        }

    @classmethod
    def from_arrays(cls, name: str, ridge: float, arrays: Mapping[str, NDArray[Any]]) -> FittedFamily:
        from scipy.sparse import csr_matrix

        stored = {part: arrays[f"{name}/{part}"] for part in ("keys", "rarity", "data", "indices", "indptr", "duals")}
        keys, duals = unpacked(name, stored["keys"]), stored["duals"]
        if stored["rarity"].shape != (len(keys),) or duals.ndim != 2:
            raise damaged()
        if not all(np.isfinite(stored[part]).all() for part in ("rarity", "data", "duals")):
            raise damaged()
        try:
            parts = (stored["data"], stored["indices"], stored["indptr"])
            known = csr_matrix(parts, shape=(len(duals), len(keys)))
            known.check_format(full_check=True)
        except ValueError as error:
            raise damaged() from error
        return cls(WeightedFamily(name, keys, stored["rarity"]), known, ridge, duals)

    def scores(self, counts: Counts) -> Floats:
        """Texts x authors."""
        with one_blas_thread():
            return scores(self.near(counts), self.duals)

    def near(self, counts: Counts) -> Floats:
        """The products of texts with the known ones."""
        return products(self.weighted.vectors(counts.table(self.name)), self.known)


@dataclass(frozen=True, eq=False)
class LeftOutScores:
    """Scores (texts x authors x families) that no model gave to a text it had seen.

    `inside`: one source of every author was left out, the text's own among them; NaN for a text whose author has too few others.
    `outside`: nothing by the text's author was known, whose column is NaN.
    """

    inside: Floats
    outside: Floats


@dataclass(frozen=True, eq=False)
class FusedSystem:
    """Everything that is needed to rank the authors of a text."""

    families: tuple[FittedFamily, ...]
    codes: NDArray[np.intp]
    fusion: Fusion

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of texts of each author."""
        return np.bincount(self.codes)

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file."""
        arrays: dict[str, NDArray[Any]] = {"codes": self.codes.astype(np.int64), "fusion": self.fusion.to_array()}
        for family in self.families:
            arrays |= {f"{family.name}/{name}": array for name, array in family.to_arrays().items()}
        return arrays, {"families": {family.name: family.ridge for family in self.families}}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> FusedSystem:
        """The system as it was stored; what does not fit together is refused."""
        families = tuple(
            FittedFamily.from_arrays(name, float(ridge), arrays) for name, ridge in header["families"].items()
        )
        codes, fusion = arrays["codes"].astype(np.intp), arrays["fusion"]
        numbers = np.unique(codes)
        sound = (
            np.array_equal(numbers, np.arange(len(numbers)))
            and all(family.duals.shape == (len(codes), len(numbers)) for family in families)
            and fusion.shape == (len(families) + 1, 2)
            and np.isfinite(fusion).all()
        )
        if not sound:
            raise damaged()
        return cls(families, codes, Fusion.from_array(fusion))

    def scores(self, counts: Counts) -> Floats:
        """Texts x authors x families."""
        return np.stack([family.scores(counts) for family in self.families], axis=2)

    def z(self, counts: Counts) -> Floats:
        """The fused scores of texts x authors."""
        return self.fusion.z(self.scores(counts), self.sizes)

    @cached_property
    def _fits(self) -> list[LeastSquares]:
        """The fits with what leaving out needs: made anew, for they are too large to be kept."""
        return [LeastSquares.fit(products(each.known, each.known), self.codes, each.ridge) for each in self.families]

    def without_each(self, counts: Counts) -> Floats:
        """The scores of one text without each known text in turn (known texts x authors x families)."""
        found = []
        with one_blas_thread():
            for family, fit in zip(self.families, self._fits, strict=True):
                near = family.near(counts)
                pull = (near[0] + 1.0) @ fit.inverse / np.diag(fit.inverse)
                found.append(scores(near, fit.duals) - pull[:, None] * fit.duals)
        return np.stack(found, axis=2)


def fit_fused(
    counts: Counts,
    codes: NDArray[Any],
    rounds: Sequence[Round],
    families: Sequence[str],
    shorter: Sequence[Counts] = (),
    progress: Progress = silent,
) -> tuple[FusedSystem, list[LeftOutScores]]:
    """Fit on known texts, with their left-out scores, and those of `shorter` versions of them.

    One family at a time: what leaving out needs is a square of the number of texts, and is let go before the next.
    """
    numbers = codes.astype(np.intp)
    fitted: list[FittedFamily] = []
    left_out: list[list[tuple[Floats, Floats]]] = [[] for _ in range(1 + len(shorter))]
    with one_blas_thread():
        for number, name in enumerate(families):
            progress(number / len(families), "learning what tells the authors apart")
            weighted = WeightedFamily.fit(counts.table(name))
            known = weighted.vectors(counts.table(name))
            kernel = products(known, known)
            ridge, fit, inside = _best(kernel, numbers, rounds)
            away = authors_left_out(numbers)
            left_out[0].append((inside, _of_others(fit.left_out(away), numbers)))
            for place, cut in enumerate(shorter):
                progress((number + (place + 1) / (len(shorter) + 1)) / len(families))
                versions = products(weighted.vectors(cut.table(name)), known)
                left_out[place + 1].append(
                    (fit.left_out(rounds, versions), _of_others(fit.left_out(away, versions), numbers))
                )
            fitted.append(FittedFamily(weighted, known, ridge, fit.duals))
        found = [LeftOutScores(*(np.stack(side, axis=2) for side in zip(*each, strict=True))) for each in left_out]
        fusion = Fusion.fit(found[0].inside, numbers, np.bincount(numbers))
    progress(1.0, "trained")
    return FusedSystem(tuple(fitted), numbers, fusion), found


def authors_left_out(codes: NDArray[np.intp]) -> list[Round]:
    """Each author with all texts, one after the other."""
    every = (np.flatnonzero(codes == code) for code in range(int(codes.max(initial=-1)) + 1))
    return [Round(rows, rows) for rows in every]


def _best(kernel: Floats, codes: NDArray[np.intp], rounds: Sequence[Round]) -> tuple[float, LeastSquares, Floats]:
    """The ridge of least loss, with the fit and its left-out scores."""

    def tried() -> Iterator[tuple[float, float, LeastSquares, Floats]]:
        for ridge in RIDGES:
            fit = LeastSquares.fit(kernel, codes, ridge)
            inside = fit.left_out(rounds)
            one = inside[:, :, None]
            yield (
                log_loss(Fusion.fit(one, codes, np.bincount(codes)).z(one, np.bincount(codes)), codes),
                ridge,
                fit,
                inside,
            )

    return min(tried(), key=lambda each: each[0])[1:]


def _of_others(left_out: Floats, codes: NDArray[np.intp]) -> Floats:
    """The scores of outsiders: their own author is no candidate."""
    left_out[np.arange(len(codes)), codes] = np.nan
    return left_out

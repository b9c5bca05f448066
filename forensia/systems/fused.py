"""The fused system: least squares for each family of features, and one small fusion of their scores.

The ridge of each family is the one under which its left-out scores alone tell the authors of texts best; the weights of the families are
learnt from left-out scores too. Document frequencies are those of all known texts.

Beside the counts a family takes about 75 bytes for each of its counts or, where that is more, 32 n^2 bytes for n texts: measured for
character n-grams .3, .6 and 1.2 GB (2, 6 and 27 CPU seconds) with 1,250, 2,500 and 5,000 texts that have 3,200 different ones each. By p
landmarks it is some 56 n p bytes instead of the square. A landmark is known a little better than a new text is, so that left-out scores
by landmarks are a little too good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
from forensia.features import FUSED_FAMILIES, Counts
from forensia.features.vectors import WordKeys, damaged, unpacked
from forensia.features.weighting import WeightedFamily, products
from forensia.jobs import Progress, silent
from forensia.systems.centred import NOBODY, AuthorMeans
from forensia.systems.fusion import Fusion, log_loss
from forensia.systems.least_squares import LeastSquares, LowRank, landmarks, scores
from forensia.systems.leaving_out import Round, Sources, authors_left_out

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

RIDGES = (0.03, 0.1, 0.3, 1.0)
WHOLE = 8_000  # texts: of more the kernel is not worth its memory
LANDMARKS = 2_000  # among more texts
KIND = "function words"
AUTHORS = 64  # that are scored at once; it bounds the memory
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedFamily:
    """A family with its fit, less what only leaving out needs: the `known` texts, or the landmarks among them, with their coefficients."""

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
    def from_arrays(
        cls, name: str, ridge: float, arrays: Mapping[str, NDArray[Any]], shape: tuple[int, int]
    ) -> FittedFamily:
        """The family as it was stored, for so many texts that are kept and so many authors; what does not fit together is refused."""
        from scipy.sparse import csr_matrix

        stored = {part: arrays[f"{name}/{part}"] for part in ("keys", "rarity", "data", "indices", "indptr", "duals")}
        keys, rarity, duals = unpacked(name, stored["keys"]), stored["rarity"], stored["duals"]
        parts = (stored["data"], stored["indices"], stored["indptr"])
        sound = (
            name in FUSED_FAMILIES
            and 0 < ridge < np.inf
            and (isinstance(keys, WordKeys) or keys.array.dtype.kind == "U")
            and rarity.shape == (len(keys),)
            and rarity.dtype == duals.dtype == np.float64
            and bool((np.isfinite(rarity) & (rarity > 0)).all())
            and duals.shape == shape
            and bool(np.isfinite(duals).all())
            and parts[0].dtype == np.float32
            and bool(np.isfinite(parts[0]).all())
            and all(part.dtype in (np.int32, np.int64) for part in parts[1:])
        )
        if not sound:
            raise damaged()
        known = csr_matrix(parts, shape=(len(duals), len(keys)))
        known.check_format(full_check=True)
        return cls(WeightedFamily(name, keys, rarity), known, ridge, duals)

    def scores(self, counts: Counts) -> Floats:
        """Texts x authors, the same to the bit whatever other texts are scored with a text.

        By what each feature that occurs in them says for the authors: so one text costs one look at the known ones.
        """
        vectors = self.weighted.vectors(counts.table(self.name)).astype(np.float64)
        occurring = np.unique(vectors.indices)
        vectors, known = vectors[:, occurring], self.known[:, occurring].T
        some = (self.duals[:, start : start + AUTHORS] for start in range(0, self.duals.shape[1], AUTHORS))
        return np.asarray(np.hstack([vectors @ (known @ duals) for duals in some]) + self.duals.sum(axis=0))

    def scale(self, counts: Counts) -> Floats:
        """What the duals are to be multiplied with, for each author, to give the mean score of texts from the mean of their vectors."""
        return np.ones(self.duals.shape[1])

    def near(self, counts: Counts) -> Floats:
        """The products of texts with the known ones."""
        return products(self.weighted.vectors(counts.table(self.name)), self.known)


@dataclass(frozen=True, eq=False)
class LeftOutScores:
    """Scores (texts x authors x families) that no model gave to a text it had seen.

    `inside`, for each way of leaving out: some texts of every author were left out, the text among them; NaN for one whose author has too
    few others. `outside`: nothing by the text's author was known, whose column is NaN.
    """

    inside: tuple[Floats, ...]
    outside: Floats


@dataclass(frozen=True, eq=False)
class FusedSystem:
    """Everything that is needed to rank the authors of a text."""

    families: tuple[FittedFamily, ...]
    codes: NDArray[np.intp]
    fusion: Fusion
    kept: NDArray[np.intp]  # the known texts that the families hold: all, or the landmarks among them

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of texts of each author."""
        return np.bincount(self.codes)

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file."""
        arrays: dict[str, NDArray[Any]] = {
            "codes": self.codes.astype(np.int64),
            "kept": self.kept.astype(np.int64),
            "fusion": self.fusion.to_array(),
        }
        for family in self.families:
            arrays |= {f"{family.name}/{name}": array for name, array in family.to_arrays().items()}
        return arrays, {"families": {family.name: family.ridge for family in self.families}}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> FusedSystem:
        """The system as it was stored; what does not fit together is refused."""
        try:
            codes, ridges = arrays["codes"], dict(header["families"])
            present = np.unique(codes)
            if codes.ndim != 1 or codes.dtype != np.int64 or not np.array_equal(present, np.arange(len(present))):
                raise damaged()
            kept = arrays["kept"]
            if not _are_rows(kept, len(codes)):
                raise damaged()
            shape = (len(kept), len(present))
            families = tuple(
                FittedFamily.from_arrays(str(name), float(ridge), arrays, shape) for name, ridge in ridges.items()
            )
            fusion = Fusion.from_array(arrays["fusion"], len(families))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise damaged() from error
        return cls(families, codes.astype(np.intp), fusion, kept.astype(np.intp))

    def scores(self, counts: Counts) -> Floats:
        """Texts x authors x families."""
        return np.stack([family.scores(counts) for family in self.families], axis=2)

    def scores_of_one(self, parts: Counts) -> Floats:
        """The scores of one text (1 x authors x families) that is read in parts: the mean of theirs, for scores grow with length."""
        return np.asarray(self.scores(parts).mean(axis=0, keepdims=True))

    def thinned(self, rows: NDArray[np.intp]) -> FusedSystem:
        """The system of some of the known texts, with the same ridges and weights; only where all are kept."""
        codes, families = self.codes[rows], []
        with one_blas_thread():
            for each in self.families:
                known = each.known[rows]
                duals = LeastSquares.fit(products(known, known), codes, each.ridge).coefficients
                families.append(FittedFamily(each.weighted, known, each.ridge, duals))
        return FusedSystem(tuple(families), codes, self.fusion, np.arange(len(rows)))

    def z(self, counts: Counts) -> Floats:
        """The fused scores of texts x authors."""
        return self.fusion.z(self.scores(counts), self.sizes)

    @cached_property
    def means(self) -> tuple[AuthorMeans, ...]:
        """What the known texts of each author have in common, for each family."""
        codes, authors = self.codes[self.kept], len(self.sizes)
        return tuple(AuthorMeans.of(family.known, codes, authors) for family in self.families)

    def centred(self, a: Counts, b: Counts, without: Sequence[int] = ()) -> Floats:
        """The centred cosine of two texts for each family, without at most two authors."""
        away, row = np.array([(*without, NOBODY, NOBODY)[:2]]), np.zeros(1, np.intp)
        return np.asarray(self.centred_pairs(a, b, row, row, away)[0])

    def centred_pairs(
        self, a: Counts, b: Counts, i: NDArray[np.intp], j: NDArray[np.intp], without: NDArray[Any]
    ) -> Floats:
        """Those of text i of the first and text j of the second (pairs x families), each pair without two authors, or `NOBODY`."""
        found = []
        with one_blas_thread():
            for family, means in zip(self.families, self.means, strict=True):
                first, second = (family.weighted.vectors(each.table(family.name)) for each in (a, b))
                found.append(means.cosines(first, second, products(first, second), i, j, without))
        return np.stack(found, axis=1)

    @cached_property
    def _fits(self) -> list[LeastSquares]:
        """The fits with what leaving out needs: made anew, for they are too large to be kept."""
        return [LeastSquares.fit(products(each.known, each.known), self.codes, each.ridge) for each in self.families]

    def likeness(self, counts: Counts, without: NDArray[Any]) -> Floats:
        """How like the known texts each text is in its function words: the mean cosine with those of every author but one.

        They tell kinds of writing apart, whatever a text is about: of 25 passages in which essayists imitate a novelist 60 % were less
        like the known essays than 95 % of these are, of their other texts 2 %; of the other families the next best saw 28 %. Empty
        without that family. The one is a known text's own author, for a disputed one whoever is first, or `NOBODY`. (Had neither counted
        for a known text, no essay and no German novel, known or disputed, would have been judged otherwise; of 72 English novels two.)
        """
        for family in self.families:
            if family.name == KIND:
                means = AuthorMeans.of(family.known, self.codes[self.kept], len(self.sizes))
                near = products(family.weighted.vectors(counts.table(KIND)), means.means)
                near[:, ~means.present] = np.nan
                near = np.pad(near, ((0, 0), (0, 1)), constant_values=np.nan)  # NOBODY points there
                near[np.arange(len(near)), without] = np.nan
                return np.asarray(np.nanmean(near, axis=1))
        return np.zeros(0)

    def without(self, parts: Counts, groups: Sequence[NDArray[np.intp]]) -> list[Floats]:
        """The scores of one text (1 x authors x families) without each of some groups of known texts; none for a system of landmarks."""
        if len(self.kept) < len(self.codes):
            return []
        with one_blas_thread():
            near = [family.near(parts).mean(axis=0, keepdims=True) for family in self.families]
            return [
                np.stack([scores(each, fit.without(group)) for each, fit in zip(near, self._fits, strict=True)], axis=2)
                for group in groups
            ]

    @property
    def left_out_rows(self) -> NDArray[np.intp]:
        """The known texts that are left out in turn: none of a system of landmarks, where the others are not kept."""
        return np.arange(len(self.codes) if len(self.kept) == len(self.codes) else 0)

    def without_each(self, parts: Counts) -> Floats:
        """The scores of one text without each of these in turn (texts x authors x families)."""
        if len(self.kept) < len(self.codes):
            return np.zeros((0, len(self.sizes), len(self.families)))
        with one_blas_thread():
            both = zip(self.families, self._fits, strict=True)
            return np.stack([fit.without_each(family.near(parts).mean(axis=0)) for family, fit in both], axis=2)


def fit_fused(
    counts: Counts,
    codes: NDArray[Any],
    ways: Sequence[Sequence[Round]],
    families: Sequence[str],
    shorter: Sequence[Counts] = (),
    progress: Progress = silent,
    sources: Sources = (),
    halves: Sequence[Sequence[Round]] = (),
    whole: int = WHOLE,
    most: int = LANDMARKS,
) -> tuple[FusedSystem, list[LeftOutScores]]:
    """Fit on known texts, with their left-out scores, and those of `shorter` versions of them.

    There may be several ways of leaving out; ridges and weights come from the first. `halves` are ways for whole texts alone. Of
    `sources` only those matter that are shared: outsiders are tried without them. One family at a time: what leaving out needs is a
    square of the number of texts, and is let go before the next. Of more than `whole` texts there is no square: they are compared with
    `most` landmarks among them.
    """
    numbers = codes.astype(np.intp)
    chosen = landmarks(numbers, ways[0], most) if len(numbers) > whole else None
    fitted: list[FittedFamily] = []
    left_out: list[list[tuple[Floats, ...]]] = [[] for _ in range(1 + len(shorter))]
    away = authors_left_out(numbers, sources)
    with one_blas_thread():
        for number, name in enumerate(families):
            progress(number / len(families), "learning what tells the authors apart")
            weighted = WeightedFamily.fit(counts.table(name))
            vectors = weighted.vectors(counts.table(name))
            known = vectors if chosen is None else vectors[chosen]
            near = products(vectors, known)
            ridge, fit, inside = _best(near if chosen is None else LowRank.of(near, chosen), numbers, ways[0])
            del near
            others = [fit.left_out(rounds) for rounds in (*ways[1:], *halves)]
            left_out[0].append((_of_others(fit.left_out(away), numbers), inside, *others))
            for place, cut in enumerate(shorter):
                progress((number + (place + 1) / (len(shorter) + 1)) / len(families))
                versions = products(weighted.vectors(cut.table(name)), known)
                outside = _of_others(fit.left_out(away, versions), numbers)
                left_out[place + 1].append((outside, *(fit.left_out(rounds, versions) for rounds in ways)))
            fitted.append(FittedFamily(weighted, known, ridge, fit.coefficients))
        stacked = [[np.stack(side, axis=2) for side in zip(*each, strict=True)] for each in left_out]
        found = [LeftOutScores(tuple(inside), outside) for outside, *inside in stacked]
        fusion = Fusion.fit(found[0].inside[0], numbers, np.bincount(numbers))
    progress(1.0, "trained")
    kept = np.arange(len(numbers)) if chosen is None else chosen
    return FusedSystem(tuple(fitted), numbers, fusion, kept), found


def _are_rows(stored: NDArray[Any], texts: int) -> bool:
    """Whether these can be some of so many texts, in their order."""
    inside = stored.ndim == 1 and stored.dtype == np.int64 and len(stored) > 0 and stored[0] >= 0 and stored[-1] < texts
    return bool(inside and (np.diff(stored) > 0).all())


def _best(
    kernel: Floats | LowRank, codes: NDArray[np.intp], rounds: Sequence[Round]
) -> tuple[float, LeastSquares, Floats]:
    """The ridge of least loss, with the fit and its left-out scores; only the best fit so far is kept."""
    best: tuple[float, float, LeastSquares, Floats] | None = None
    sizes = np.bincount(codes)
    for ridge in RIDGES:
        fit = LeastSquares.fit(kernel, codes, ridge)
        inside = fit.left_out(rounds)
        one = inside[:, :, None]
        loss = log_loss(Fusion.fit(one, codes, sizes).z(one, sizes), codes)
        if best is None or loss < best[0]:
            best = loss, ridge, fit, inside
        del fit
    assert best is not None
    return best[1:]


def _of_others(left_out: Floats, codes: NDArray[np.intp]) -> Floats:
    """The scores of outsiders: their own author is no candidate."""
    left_out[np.arange(len(codes)), codes] = np.nan
    return left_out

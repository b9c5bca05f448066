"""Authors against a population: how near a text is to what an author's known texts have in common, beside what everybody shares.

From all vectors the mean of the other authors is taken, every author counting the same. With R the cosines of an author's texts among each
other and r those with the disputed one, the score is 1'(R + ridge)^-1 r, over the square root of 1'(R + ridge)^-1 1: the least-squares fit
of these texts, in units that hardly depend on how many they are. It needs no other author's texts but for the mean, so that one candidate
is enough. On problems of 1, 3, 5 and 20 known texts of journalists and reviewers, by authors and disputed texts that no population held,
its AUC was .86 to .99, that of least squares against the population alike with 20 texts and .01 to .05 lower with fewer; the reverse
(the disputed text against the population, read on the known ones) added nothing to either.

What a score is worth is found with stand-ins: each author plays the candidate, with as many texts as the candidates have, and the mean is
that of those who wrote neither these texts nor the disputed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
from forensia.features import Counts
from forensia.features.weighting import products
from forensia.jobs import Progress, silent
from forensia.systems.centred import AuthorMeans, MeanGram, MeanProducts, OtherMeans, lengths, squares
from forensia.systems.fused import FittedFamily, FusedSystem
from forensia.systems.leaving_out import Round

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

RIDGE = 0.3
STAND_INS = 10
"""Authors who must have as many texts as a candidate, and one more to be tried: of a candidate with more only so many are used."""

MOST_THINNED = 200  # texts for which it is tried what each of their stand-in's texts does to the score
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CentredFamily(FittedFamily):
    """A family in which texts are held against candidates: before it is divided by a length a score is linear in a text's vector.

    `duals` and `offsets` give that; `shares` make the mean that is taken away for each candidate from the known texts, and `squares` are
    its own products. Whoever is no candidate has no score.
    """

    shares: Floats
    offsets: Floats
    squares: Floats

    def scores(self, counts: Counts) -> Floats:
        """Texts x authors."""
        vectors = self.weighted.vectors(counts.table(self.name)).astype(np.float64)
        return np.asarray(self.sums(vectors) / self.lengths(vectors))

    def scale(self, counts: Counts) -> Floats:
        """What the duals are to be multiplied with, for each author, to give the score of a text, or about that of its parts."""
        vectors = self.weighted.vectors(counts.table(self.name)).astype(np.float64)
        return np.asarray((1.0 / self.lengths(vectors)).mean(axis=0))

    def sums(self, vectors: csr_matrix) -> Floats:
        """The scores before they are divided by the lengths."""
        return np.asarray(vectors @ (self.known.T @ self.duals) + self.offsets)

    def lengths(self, vectors: csr_matrix) -> Floats:
        """How long the vectors of texts are without each mean (texts x authors)."""
        return lengths(squares(vectors)[:, None] - 2 * (vectors @ (self.known.T @ self.shares)) + self.squares)

    def from_products(self, near: Floats, own: Floats) -> Floats:
        """The scores of texts by their products with the known ones and with themselves: for one text with many systems it is faster."""
        return np.asarray((near @ self.duals + self.offsets) / lengths(own - 2 * near @ self.shares + self.squares))


@dataclass(frozen=True, eq=False)
class PopulationSystem(FusedSystem):
    """The fused system of a case with a population: only candidates have scores, from some or all of their texts (`used`, rows)."""

    used: tuple[Rows, ...]

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many texts of each author are used; 1 for whoever is no candidate."""
        return np.maximum([len(rows) for rows in self.used], 1)

    @cached_property
    def _pools(self) -> list[_Pool]:
        """What leaving out needs: made once for all."""
        return _pools(self, self.used)

    def without(self, parts: Counts, groups: Sequence[NDArray[np.intp]]) -> list[Floats]:
        """The scores of one text without each of some groups of known texts; NaN for a candidate of whom nothing is left."""
        vectors = [each.weighted.vectors(parts.table(each.name)) for each in self.families]
        near = [products(some, each.known) for some, each in zip(vectors, self.families, strict=True)]
        own = [squares(some.astype(np.float64))[:, None] for some in vectors]
        found = []
        for group in groups:
            used = tuple(rows[~np.isin(self.kept[rows], group)] for rows in self.used)
            families = (_centred(each, pool, used) for each, pool in zip(self.families, self._pools, strict=True))
            scores = [each.from_products(*both).mean(axis=0) for each, *both in zip(families, near, own, strict=True)]
            found.append(np.stack(scores, axis=1)[None])
        return found

    @property
    def left_out_rows(self) -> NDArray[np.intp]:
        """The known texts that are left out in turn: those of candidates who have another."""
        return np.asarray(self.kept[np.concatenate([rows if len(rows) > 1 else rows[:0] for rows in self.used])])

    def without_each(self, parts: Counts) -> Floats:
        """The scores of one text without each of these in turn (texts x authors x families)."""
        found = self.without(parts, [np.array([row]) for row in self.left_out_rows.tolist()])
        return np.concatenate(found) if found else np.zeros((0, len(self.used), len(self.families)))


@dataclass(frozen=True, eq=False)
class _Pool:
    """Some known texts (`rows` among all): their products with each other and with authors' means, and what makes these of all texts."""

    rows: Rows
    kernel: Floats
    near: MeanProducts
    means: MeanGram
    shares: MeanProducts

    @classmethod
    def of(cls, known: csr_matrix, codes: Rows, means: AuthorMeans, rows: Rows) -> _Pool:
        some = known[rows].astype(np.float64)
        kernel = np.asarray((some @ some.T).todense())
        return cls(rows, kernel, means.near(some), means, MeanProducts.of(author_shares(codes)))


def _pools(system: FusedSystem, used: Sequence[Rows]) -> list[_Pool]:
    """Those of the texts that are used, for each family."""
    codes, some = system.codes[system.kept], np.unique(np.concatenate(used))
    both = zip(system.families, system.means, strict=True)
    return [_Pool.of(family.known, codes, means, some) for family, means in both]


def author_shares(codes: Rows) -> Floats:
    """Texts x authors: what makes the mean of each author's texts."""
    numbers = np.arange(int(codes.max(initial=-1)) + 1)
    own = (codes[:, None] == numbers).astype(np.float64)
    return np.asarray(own / np.maximum(own.sum(axis=0), 1.0))


def usable(sizes: NDArray[Any]) -> int:
    """How many texts of a candidate can be used, when authors have so many: as many as stand-ins can be tried with."""
    most = np.sort(sizes)[::-1]
    return max(int(most[min(STAND_INS, len(most)) - 1]) - 1, 1)


def against(system: FusedSystem, candidates: Rows, seed: int) -> PopulationSystem:
    """The system in which texts are held against some of the authors."""
    codes = system.codes[system.kept]
    most = usable(np.bincount(codes))
    used = tuple(
        _drawn(np.flatnonzero(codes == code), most if code in candidates else 0, [seed, 29, code])
        for code in range(len(system.sizes))
    )
    with one_blas_thread():
        both = zip(system.families, _pools(system, used), strict=True)
        families = tuple(_centred(each, pool, used) for each, pool in both)
    return PopulationSystem(families, system.codes, system.fusion, system.kept, used)


def _drawn(rows: Rows, most: int, seed: list[int]) -> Rows:
    """At most so many of some rows, in their order."""
    return np.sort(np.random.default_rng(seed).permutation(rows)[:most])


def _centred(family: FittedFamily, pool: _Pool, used: Sequence[Rows]) -> CentredFamily:
    """A family with what its scores need, from so many texts of each candidate."""
    authors, every = len(used), np.arange(len(pool.shares.sums))
    duals, shares = np.zeros((len(every), authors)), np.zeros((len(every), authors))
    offsets, own = np.full(authors, np.nan), np.zeros(authors)
    for code, rows in enumerate(used):
        if not len(rows):
            continue
        others, places = pool.means.without(np.array([code])), np.searchsorted(pool.rows, rows)
        near, square = pool.near.less(others, places), float(others.square)
        weights = _weights(pool.kernel[np.ix_(places, places)], near, square)
        shares[:, code] = pool.shares.less(others, every)
        duals[:, code] = -weights.sum() * shares[:, code]
        duals[rows, code] += weights
        offsets[code] = weights.sum() * square - float(weights @ near)
        own[code] = square
    return CentredFamily(family.weighted, family.known, family.ridge, duals, shares, offsets, own)


def _weights(kernel: Floats, near: Floats, square: Floats | float) -> Floats:
    """What each of an author's texts weighs in the score: from their products with each other, with a mean, and those of the mean itself.

    Leading axes are several such problems.
    """
    square = np.asarray(square)[..., None]
    long = lengths(np.diagonal(kernel, axis1=-2, axis2=-1) - 2 * near + square)
    centred = kernel - near[..., :, None] - near[..., None, :] + square[..., None]
    cosines = centred / long[..., :, None] / long[..., None, :]
    fitted = np.linalg.solve(cosines + RIDGE * np.eye(kernel.shape[-1]), np.ones((*near.shape, 1)))[..., 0]
    return np.asarray(fitted / long / np.sqrt(fitted.sum(axis=-1, keepdims=True)))


@dataclass(frozen=True, eq=False)
class StandInScores:
    """Scores of stand-ins (texts x authors), and those of some texts with their author without each of the author's texts.

    NaN stands where an author has no more texts.
    """

    scores: Floats
    without_each: Floats


@dataclass(frozen=True, eq=False)
class StandIns:
    """Who plays the candidate, with how many texts (`sizes`, 0: nobody) and which (`known`, rows); for each way of leaving out also what is
    known when a text is tried with its own author (`own`: by row), and the texts for which that is thinned (`thinned`, rows)."""

    codes: Rows
    sizes: NDArray[np.intp]
    known: tuple[Rows, ...]
    own: tuple[dict[int, Rows], ...]
    thinned: tuple[Rows, ...]

    @classmethod
    def of(cls, codes: Rows, wanted: NDArray[np.intp], ways: Sequence[Sequence[Round]], seed: int) -> StandIns:
        """Each author who has enough texts plays the candidate with as many as are `wanted`: one of these numbers, drawn by lot.

        A text is tried with its author where at least half as many are left from elsewhere.
        """
        numbers, rng = np.bincount(codes), np.random.default_rng([seed, 31])
        sizes, known = np.zeros(len(numbers), np.intp), []
        for code, number in enumerate(numbers):
            fitting = wanted[wanted <= number]
            if len(fitting):
                sizes[code] = rng.choice(fitting)
            known.append(_drawn(np.flatnonzero(codes == code), sizes[code], [seed, 31, code]))
        own: list[dict[int, Rows]] = []
        for rounds in ways:
            found: dict[int, Rows] = {}
            for each in rounds:
                for row in each.tried.tolist():
                    size = sizes[codes[row]]
                    left = np.setdiff1d(np.flatnonzero(codes == codes[row]), each.away)
                    if size and 2 * len(left) >= size:
                        found[row] = _drawn(left, size, [seed, 33, row])
            own.append(found)
        several = ([row for row, rows in found.items() if len(rows) > 1] for found in own)
        thinned = (_drawn(np.array(rows, np.intp), MOST_THINNED, [seed, 47]) for rows in several)
        return cls(codes, sizes, tuple(known), tuple(own), tuple(thinned))

    def scores(self, known: csr_matrix, versions: Sequence[csr_matrix]) -> Iterator[tuple[StandInScores, ...]]:
        """For each version of the texts the scores of one family, once for each way of leaving out."""
        kernel, shares = products(known, known), author_shares(self.codes)
        near, texts = MeanProducts.of(kernel @ shares), np.arange(len(self.codes))
        means = MeanGram(np.bincount(self.codes) > 0, shares.T @ near.values[:, :-1])
        held = {
            code: _Held.without_each(code, self.known[code], kernel, near, means)
            for code in np.flatnonzero(self.sizes).tolist()
        }
        own = [
            {row: _Held.alone(self.codes[row], rows, kernel, near, means) for row, rows in each.items()}
            for each in self.own
        ]
        fewer = [
            {row: _Held.without_each_text(self.codes[row], each[row], kernel, near, means) for row in rows.tolist()}
            for each, rows in zip(self.own, self.thinned, strict=True)
        ]
        for version in versions:
            between = kernel if version is known else products(version, known)
            tried = _Tried(between, MeanProducts.of(between @ shares), squares(version))
            outside = np.full((len(texts), len(self.sizes)), np.nan)
            for code, each in held.items():
                outside[:, code] = tried.scores(each, texts, self.codes)
            outside[texts, self.codes] = np.nan
            found = []
            for with_own, thinned in zip(own, fewer, strict=True):
                inside, without = outside.copy(), np.full((len(thinned), self.sizes.max(initial=0)), np.nan)
                for row, mine in with_own.items():
                    inside[row, self.codes[row]] = tried.by_each(mine, row)[0]
                for place, (row, mine) in enumerate(thinned.items()):
                    without[place, : len(mine.rows)] = tried.by_each(mine, row)
                found.append(StandInScores(inside, without))
            yield tuple(found)


@dataclass(frozen=True, eq=False)
class _Held:
    """Some texts (`rows`) that play a candidate's, by several means of others (leading axis): their weights, and their products with
    each mean."""

    rows: Rows
    weights: Floats
    near: Floats
    means: OtherMeans

    @classmethod
    def of(cls, rows: Rows, kernel: Floats, products: MeanProducts, means: OtherMeans) -> _Held:
        near = products.less(means, rows[:, None]).T
        return cls(rows, _weights(kernel[np.ix_(rows, rows)][None], near, means.square), near, means)

    @classmethod
    def without_each(cls, code: int, rows: Rows, kernel: Floats, near: MeanProducts, means: MeanGram) -> _Held:
        """By the means of all authors but this one and, for each, one more."""
        every = np.arange(len(means.gram))
        return cls.of(rows, kernel, near, means.without(np.column_stack((np.full_like(every, code), every))))

    @classmethod
    def alone(cls, code: int, rows: Rows, kernel: Floats, near: MeanProducts, means: MeanGram) -> _Held:
        """By the mean of all authors but this one."""
        return cls.of(rows, kernel, near, means.without(np.array([[code]])))

    @classmethod
    def without_each_text(cls, code: int, rows: Rows, kernel: Floats, near: MeanProducts, means: MeanGram) -> _Held:
        """By that mean, and without each of these texts in turn."""
        whole, count = cls.alone(code, rows, kernel, near, means), len(rows)
        rest = np.array([np.delete(np.arange(count), place) for place in range(count)])
        some = kernel[rows[rest][:, :, None], rows[rest][:, None, :]]
        again = whole.means.at(np.zeros(count, np.intp))
        weights = np.zeros((count, count))
        np.put_along_axis(weights, rest, _weights(some, whole.near[0][rest], again.square), axis=1)
        return cls(rows, weights, np.repeat(whole.near, count, axis=0), again)


@dataclass(frozen=True, eq=False)
class _Tried:
    """The products of texts with the known ones, with the means of authors, and with themselves."""

    near: Floats
    means: MeanProducts
    squares: Floats

    def scores(self, held: _Held, rows: Rows, places: Rows) -> Floats:
        """Of some texts, each by one of the means."""
        means, weights = held.means.at(places), held.weights[places]
        here = self.means.less(means, rows)
        common = np.einsum("ti,ti->t", weights, self.near[rows[:, None], held.rows] - held.near[places])
        above = common + weights.sum(axis=1) * (means.square - here)
        return np.asarray(above / lengths(self.squares[rows] - 2 * here + means.square))

    def by_each(self, held: _Held, row: int) -> Floats:
        """Of one text, by each of the means."""
        places = np.arange(len(held.weights))
        return self.scores(held, np.full_like(places, row), places)


def newcomer(system: FusedSystem, known: Counts, parts: Counts, without: Sequence[int] = ()) -> Floats:
    """The scores of a text, read in parts, with somebody of whom the system knows nothing: by all their known texts, and then, where these
    are several, without each (1 + texts x families).

    The mean is that of all authors but those `without`.
    """
    every, rows = np.arange(len(known)), np.arange(len(parts))
    groups = [every, *(np.delete(every, row) for row in every if len(every) > 1)]
    found = []
    with one_blas_thread():
        for family, means in zip(system.families, system.means, strict=True):
            some, texts = (
                family.weighted.vectors(each.table(family.name)).astype(np.float64) for each in (known, parts)
            )
            others, near = means.without(np.array([without], np.intp)), means.near(some)
            kernel, between = (np.asarray((each @ some.T).todense()) for each in (some, texts))
            tried = _Tried(between, means.near(texts), squares(texts))
            for group in groups:
                found.append(tried.scores(_Held.of(group, kernel, near, others), rows, np.zeros_like(rows)).mean())
    return np.array(found).reshape(len(system.families), len(groups)).T


def tried(
    system: FusedSystem, stand_ins: StandIns, versions: Sequence[Counts], progress: Progress = silent
) -> list[tuple[StandInScores, ...]]:
    """The trials of stand-ins for each version of the known texts (families last), once for each way of leaving out."""
    found: list[list[tuple[StandInScores, ...]]] = [[] for _ in versions]
    with one_blas_thread():
        for number, family in enumerate(system.families):
            progress(number / len(system.families), "trying authors of the population as candidates")
            vectors = [family.weighted.vectors(counts.table(family.name)) for counts in versions]
            for place, each in enumerate(stand_ins.scores(vectors[0], vectors)):
                found[place].append(each)
    return [tuple(_stacked(way) for way in zip(*each, strict=True)) for each in found]


def _stacked(families: Sequence[StandInScores]) -> StandInScores:
    scores, without = ([getattr(each, part) for each in families] for part in ("scores", "without_each"))
    return StandInScores(np.stack(scores, axis=2), np.stack(without, axis=2))

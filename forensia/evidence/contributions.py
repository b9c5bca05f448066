"""Why the fused score of an author is what it is: the contribution of each feature, exactly.

The score of an author is linear in the weighted vectors x_k of a text, one for each family k: the sum of (w_k / sd_k)(x_k . V_k + c_k) over
the families, and what takes out the author's number of texts. V_k are the known texts' vectors times their coefficients. Told against the
average known text m_k, in which authors count equally, what is missing in a text counts as well as what is there:

    score = baseline + sum over families and features of (w_k / sd_k)(x_k - m_k) V_k, where the baseline is the score of the average text.

A score says little alone, so it is that of an author less that of another, or less the mean of several others: V_k, baseline and score are
then such differences. Their unit is that of natural logarithms: one more means that the fusion gives the author 2.7 times as much.

What is usual: how far a text lies from the known texts of other authors in each feature, and how rare a feature is.

That two texts hardly differ in a feature says little when hardly any texts do. So a difference is held against the mean
difference to the known texts, in which every author counts the same, however many texts there are of each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.likelihood import Calibration
from forensia.features import Counts, Mask, Vectors
from forensia.features.names import feature_name
from forensia.features.weighting import WeightedFamily
from forensia.systems.against import PopulationSystem
from forensia.systems.fused import FittedFamily, FusedSystem
from forensia.systems.pairmodel import FittedPairs

ROWS = 1 << 10  # known texts whose group 1 is looked at together: bounds the memory


@dataclass(frozen=True, eq=False)
class Columns:
    """The values of group 2 by feature, in ascending order: those of feature f are `starts[f]` to `starts[f + 1]`."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: Vectors) -> Columns:
        sparse = vectors.sparse
        # Floats that are not negative are in the order of their bits, so column and value can be sorted as one number.
        keys = sparse.indices.astype(np.uint64) << np.uint64(32) | np.asarray(sparse.data, np.float32).view(np.uint32)
        order = np.argsort(keys)
        rows = np.repeat(np.arange(len(vectors), dtype=np.int32), np.diff(sparse.indptr))
        counts = np.bincount(sparse.indices, minlength=sparse.shape[1])
        return cls(np.concatenate(([0], np.cumsum(counts))), rows[order], sparse.data[order])

    def above(self, features: NDArray[np.integer], limits: NDArray[np.float32]) -> NDArray[np.int64]:
        """For each of some features, where its values above a limit begin: all are searched at once, by halves."""
        low: NDArray[np.int64] = self.starts[features]
        high: NDArray[np.int64] = self.starts[features + 1]
        while (open_ := low < high).any():
            middle = np.where(open_, (low + high) // 2, 0)
            small = open_ & (self.values[middle] <= limits)
            low = np.where(small, middle + 1, low)
            high = np.where(open_ & ~small, middle, high)
        return low


@dataclass(frozen=True, eq=False)
class Background:
    """The known texts by feature, who wrote each (`codes`), and how much each counts (`shares`, which sum to 1).

    `absent` is the value that a column of group 1 has in a text without the feature: standardised, it is not zero.
    """

    known: Vectors
    columns: Columns
    codes: NDArray[np.integer]
    shares: Floats
    absent: NDArray[np.float32]

    @classmethod
    def of(cls, fitted: FittedPairs, known: Vectors, codes: NDArray[np.integer]) -> Background:
        """From the known texts as vectors of the model and the number of each one's author."""
        if len(known) != len(codes):
            raise ValueError("each known text needs its author")
        return cls(known, Columns.of(known), codes, equal_shares(codes), _absent(fitted))

    def __len__(self) -> int:
        return len(self.codes)

    def without(self, *authors: int) -> Background:
        """The same texts, of which those by some authors do not count: what is usual between different authors.

        When nobody is left, nothing is usual: all mean differences are then zero. How rare a feature is does not change.
        """
        return replace(self, shares=equal_shares(self.codes, ~np.isin(self.codes, authors)))

    @property
    def authors(self) -> int:
        """The number of authors of known texts."""
        return len(np.unique(self.codes))

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """In how many known texts the feature of each column occurs."""
        dense = (self.known.dense != self.absent).sum(axis=0)
        return np.concatenate((dense, np.diff(self.columns.starts))).astype(np.int64)

    def authors_with(self, column: int) -> int:
        """By how many authors there is a known text in which the feature occurs."""
        width = self.known.dense.shape[1]
        rows: NDArray[np.integer]
        if column < width:
            rows = np.flatnonzero(self.known.dense[:, column] != self.absent[column])
        else:
            rows = self.columns.rows[self.columns.starts[column - width] : self.columns.starts[column - width + 1]]
        return len(np.unique(self.codes[rows]))

    def differences(self, texts: Vectors) -> Floats:
        """The mean absolute difference between some texts and the known ones that count, for each column."""
        return np.concatenate((self._dense(texts), self._sparse(texts)))

    def _dense(self, texts: Vectors) -> Floats:
        total = np.zeros(texts.dense.shape[1])
        counted = np.flatnonzero(self.shares)
        for start in range(0, len(counted), ROWS):
            rows = counted[start : start + ROWS]
            known = self.known.dense[rows].astype(np.float64)
            for text in texts.dense:
                total += self.shares[rows] @ np.abs(known - text)
        return total / max(len(texts), 1)

    def _sparse(self, texts: Vectors) -> Floats:
        """Here |a - b| = a + b - 2 min(a, b). The mean of min(a, b) comes from running sums over the values in ascending order:

        those up to a count as they are, those above it as a. So a text costs no more than its own features.
        """
        columns = self.columns
        shares = self.shares[columns.rows]
        up_to = np.concatenate(([0.0], np.cumsum(shares * columns.values)))
        count_up_to = np.concatenate(([0.0], np.cumsum(shares)))
        total = len(texts) * (up_to[columns.starts[1:]] - up_to[columns.starts[:-1]])
        for number in range(len(texts)):
            span = slice(texts.sparse.indptr[number], texts.sparse.indptr[number + 1])
            features, values = texts.sparse.indices[span], texts.sparse.data[span]
            at, end = columns.above(features, values), columns.starts[features + 1]
            least = up_to[at] - up_to[columns.starts[features]] + values * (count_up_to[end] - count_up_to[at])
            total[features] += values * self.shares.sum() - 2.0 * least
        return np.maximum(total / max(len(texts), 1), 0.0)  # nothing below zero, as rounding would leave it


def equal_shares(codes: NDArray[np.integer], counted: NDArray[np.bool_] | None = None) -> Floats:
    """Equal shares for all authors that count, and equal ones for the texts of each."""
    counted = np.ones(len(codes), bool) if counted is None else counted
    shares = np.zeros(len(codes))
    if counted.any():
        _, places, sizes = np.unique(codes[counted], return_inverse=True, return_counts=True)
        shares[counted] = 1.0 / (sizes[places] * len(sizes))
    return shares


def _absent(fitted: FittedPairs) -> NDArray[np.float32]:
    """The columns of group 1 for a text in which nothing occurs, reckoned exactly as those of other texts."""
    from scipy.sparse import csr_matrix

    space = fitted.space
    parts = [((0.0 - part.mean) / part.deviation).astype(np.float32) for part in space.dense_]
    dense = np.concatenate([np.zeros(0, np.float32), *parts])[None, :]
    empty = Vectors(dense, csr_matrix((1, space.sparse_width_), dtype=np.float32), space.blocks_)
    return np.asarray(empty.scaled(fitted.factors).dense[0])


MOST = 10
"""How many features are listed for an author, and how many against."""

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Places = tuple[int, ...]


@dataclass(frozen=True)
class Having:
    """How many of some known texts have a feature."""

    texts: int
    of: int


@dataclass(frozen=True)
class FusedFeature:
    """What one feature contributes: its value in the text and in the average known text, and the weight of the difference.

    `count` says how often the disputed text has it, `own` how many of the author's known texts have it, `others` how many of those whom the
    author is held against, or of all others where it is nobody.
    """

    column: int
    feature: str
    family: str
    value: float
    average: float
    weight: float
    count: int
    own: Having
    others: Having

    @property
    def relative(self) -> float:
        """The contribution, compared with the average text: above zero it speaks for the author."""
        return self.weight * (self.value - self.average) + 0.0  # never -0

    @property
    def in_neither(self) -> bool:
        """Whether neither the disputed text nor any known text of the author has it."""
        return not self.count and not self.own.texts


@dataclass(frozen=True)
class FusedFamily:
    """The contributions of one family: `features` that the model knows, `present` of which the text has."""

    family: str
    features: int
    present: int
    relative: float


@dataclass(frozen=True, eq=False)
class _Part:
    """One family: value, average and weight of each feature; `scale` is the weight of the family."""

    fitted: FittedFamily
    scale: float
    values: Floats
    average: Floats
    weights: Floats

    @cached_property
    def relative(self) -> Floats:
        return self.weights * (self.values - self.average)


@dataclass(frozen=True, eq=False)
class Contributions:
    """The fused score of an author less the mean of those of `others`, taken apart; without others it is the score itself, which in a
    case with a population is against everybody else.

    A column is the number of a feature through all families, in their order. `function_words` is the list by which tokens were masked.
    """

    author: int
    others: tuple[int, ...]
    score: float
    baseline: float
    parts: tuple[_Part, ...]
    system: FusedSystem
    counts: Counts
    function_words: Sequence[str]

    @property
    def rival(self) -> int | None:
        """The other author, where there is one only."""
        return self.others[0] if len(self.others) == 1 else None

    @property
    def mask_(self) -> Mask:
        return self.counts.mask

    @cached_property
    def families(self) -> tuple[FusedFamily, ...]:
        """The sums of the families; with the baseline they are the score."""
        return tuple(
            FusedFamily(
                part.fitted.name, len(part.values), int(np.count_nonzero(part.values)), float(part.relative.sum()) + 0.0
            )
            for part in self.parts
        )

    def strongest(self, most: int = MOST, family: str = "") -> tuple[Places, Places]:
        """The features that speak most for the author and most against: of all families or of one."""
        both = []
        for sign in (1.0, -1.0):
            ahead = [
                (-sign * float(part.relative[number]), start + number)
                for start, part in zip(self._starts, self.parts, strict=True)
                if family in ("", part.fitted.name)
                for number in _greatest(sign * part.relative, most)
            ]
            both.append(tuple(column for _, column in sorted(ahead)[:most]))
        return both[0], both[1]

    def features(self, columns: Sequence[int]) -> list[FusedFeature]:
        """All about some columns."""
        own = self._rows([self.author])
        others = self._rows(self.others) if self.others else np.setdiff1d(np.arange(len(self.system.kept)), own)
        found: dict[int, FusedFeature] = {}
        for start, part in zip(self._starts, self.parts, strict=True):
            numbers = np.array(
                [column - start for column in columns if 0 <= column - start < len(part.values)], np.intp
            )
            if not len(numbers):
                continue
            weighted = part.fitted.weighted
            known, counts = part.fitted.known[:, numbers], _counts(self.counts, weighted, numbers)
            ours, theirs = (known[rows].getnnz(axis=0).tolist() for rows in (own, others))
            for place, number in enumerate(numbers.tolist()):
                found[start + number] = FusedFeature(
                    start + number,
                    feature_name(weighted.family, weighted.keys, number, self.function_words),
                    weighted.family,
                    float(part.values[number]),
                    float(part.average[number]),
                    float(part.weights[number]),
                    counts[place],
                    Having(ours[place], len(own)),
                    Having(theirs[place], len(others)),
                )
        return [found[column] for column in columns]

    def place(self, column: int) -> tuple[WeightedFamily, int]:
        """The family of a column, and the number of its key there."""
        part, number = self._place(column)
        return part.fitted.weighted, number

    def having(self, column: int) -> Rows:
        """The known texts of the author that have a feature."""
        part, number = self._place(column)
        rows = self._rows([self.author])
        has = part.fitted.known[rows][:, [number]].getnnz(axis=1) > 0
        return np.asarray(self.system.kept[rows[has]])

    @cached_property
    def nearest(self) -> Rows:
        """The author's known texts, the most similar first: by their products with the text, families weighted as in the score.

        Those that are not kept cannot be compared: where none of the author's is, all in their order.
        """
        rows = self._rows([self.author])
        if not len(rows):
            return np.flatnonzero(self.system.codes == self.author)
        like = np.zeros(len(rows))
        for part in self.parts:
            like += part.scale * (part.fitted.known[rows] @ part.values)
        return self.system.kept[rows[np.argsort(-like, kind="stable")]]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(part.values) for part in self.parts[:-1])]

    def _place(self, column: int) -> tuple[_Part, int]:
        number = bisect_right(self._starts, column) - 1
        return self.parts[number], column - self._starts[number]

    def _rows(self, authors: Sequence[int]) -> Rows:
        """The rows of authors among the known texts that are kept."""
        return np.flatnonzero(np.isin(self.system.codes[self.system.kept], authors))


def contributions(
    system: FusedSystem, calibration: Calibration, counts: Counts, author: int, function_words: Sequence[str]
) -> tuple[Contributions, ...]:
    """The score of an author for one text, against the author of the others who is highest, and against all others if there are more;
    in a case with a population also against everybody else."""
    z = calibration.z(system.scores_of_one(counts))[0]
    everybody = tuple(code for code in np.flatnonzero(~np.isnan(z)).tolist() if code != author)
    highest = tuple(sorted(everybody, key=lambda code: -z[code])[:1])
    against = tuple(dict.fromkeys((highest, everybody, *([()] if isinstance(system, PopulationSystem) else []))))

    def less(values: Floats) -> Floats:
        """What an author has (last axis), less what those have whom the author is held against, if anybody."""
        rest = [values[..., others].mean(axis=-1) if others else 0.0 for others in against]
        return np.stack([values[..., author] - each for each in rest], axis=-1)

    shares = equal_shares(system.codes[system.kept])
    scores = less(z)
    parts: list[list[_Part]] = [[] for _ in against]
    for each, scale in zip(system.families, calibration.fusion.weights / calibration.fusion.spread, strict=True):
        vectors = each.weighted.vectors(counts.table(each.name)).astype(np.float64)
        values = np.asarray(vectors.mean(axis=0)).ravel()
        duals = scale * less(each.duals * each.scale(counts))
        average, *weights = (each.known.T @ np.column_stack((shares, duals))).T  # one look at the known texts for all
        for place, some in enumerate(parts):
            some.append(_Part(each, float(scale), values, average, weights[place]))
    found = []
    for others, score, some in zip(against, scores.tolist(), parts, strict=True):
        baseline = score - sum(float(each.relative.sum()) for each in some)
        found.append(Contributions(author, others, score, baseline, tuple(some), system, counts, function_words))
    return tuple(found)


def _greatest(values: Floats, most: int) -> list[int]:
    """The places of the greatest values above zero; of equal ones the first."""
    above = np.flatnonzero(values > 0)
    if len(above) > most:
        above = above[values[above] >= np.partition(values[above], -most)[-most]]
    return [int(place) for place in above[np.argsort(-values[above], kind="stable")][:most]]


def _counts(counts: Counts, weighted: WeightedFamily, numbers: NDArray[np.intp]) -> list[int]:
    """How often a text has some features of a family."""
    table = counts.table(weighted.family)
    at = table.keys.find(weighted.keys.take(numbers))  # type: ignore[arg-type]  # keys of one family are of one kind
    found = np.zeros(len(at), np.int64)
    found[at >= 0] = np.asarray(table.counts[:, at[at >= 0]].sum(axis=0)).ravel()
    return found.tolist()

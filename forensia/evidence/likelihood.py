"""From the scores of the families to likelihood ratios against two alternatives, with their bounds and their intervals.

'Another listed author' is answered by the fusion itself: the odds that it gives an author against the others, over even prior odds.
'Somebody not in the corpus' is calibrated with the standing of authors among those of a text, from texts whose author the model did not
know. Both rise with the fused score. The lower of the two LRs is the headline: what is least favourable to the author having written it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.bootstrap import MISSING, Resample, resamples
from forensia.evidence.calibration import BinnedScores, Bounds, CalibrationError, Line, calibrated_line, elub
from forensia.evidence.result import Alternative, LikelihoodRatio
from forensia.jobs import Progress, silent, tracked
from forensia.systems.fusion import Fusion

LEVEL = 0.95
FEWEST_AUTHORS = 10
"""For the alternative 'somebody not in the corpus'. With 4 to 8 journalists or reviewers the line that 5 % of the outsiders among the known
authors pass was passed by 7 to 26 % of the texts of others; with 10 to 18 by 5 to 11 %, within the upper end that is stated."""
FOLDS = 10  # of authors, without whom a calibration is judged
NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)
LN10 = float(np.log(10.0))
PIECE = 4_000_000  # numbers that are drawn at once; it bounds the memory
Floats = NDArray[np.float64]
NO_LINE: Line = (float("nan"), float("nan"))
Both = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the families (documents x authors x families) that no model gave to a document it had seen.

    `inside`: the author's other documents were known; `outside`: nothing by the document's author was. NaN stands where an author
    could not be compared. `sizes` are the authors' numbers of documents.

    Where authors are stand-ins for candidates, `every` holds the scores with all of them, from which the fusion is learnt. A document is
    decided on as if there were as many as there are `candidates`: drawn by lot with its own author among them (`inside`), or of all others
    (`met`). `moves` are the jackknife covariances of the families' scores of some documents with their author, whose texts might have been
    others.
    """

    inside: Floats
    outside: Floats
    codes: NDArray[np.intp]
    sizes: NDArray[np.intp]
    every: Floats | None = None
    met: NDArray[np.bool_] | None = None
    candidates: int = 0  # where authors are stand-ins
    moves: Floats | None = None

    @classmethod
    def of(cls, inside: Floats, outside: Floats, codes: NDArray[np.intp]) -> Scores:
        """In the precision in which they are kept, so that a validation says the same when it is opened again."""
        kept = [each.astype(np.float32).astype(np.float64) for each in (inside, outside)]
        return cls(kept[0], kept[1], codes, np.bincount(codes))

    @classmethod
    def of_stand_ins(
        cls, every: Floats, codes: NDArray[np.intp], sizes: NDArray[np.intp], candidates: int, seed: int, moves: Floats
    ) -> Scores:
        """Those of documents with stand-ins who have so many texts; whom a document meets is drawn by lot, its own author first."""
        every, moves = (each.astype(np.float32).astype(np.float64) for each in (every, moves))
        lots = np.random.default_rng([seed, 37]).random(every.shape[:2])
        lots[np.isnan(every[:, :, 0])] = np.inf
        own = codes[:, None] == np.arange(every.shape[1])
        with_own, met = (_order(np.where(own, first, lots)) < candidates for first in (-1.0, np.inf))
        with_own[np.isnan(every[own][:, 0])] = False  # nobody can be found who is not among them
        inside, outside = np.where(with_own[:, :, None], every, np.nan), np.where(own[:, :, None], np.nan, every)
        return cls(inside, outside, codes, sizes, every, met & ~np.isnan(outside[:, :, 0]), candidates, moves)

    def among(self, values: Floats) -> Floats:
        """Values of documents whose author is not listed, without those for authors whom they do not meet."""
        return values if self.met is None else np.where(self.met, values, np.nan)

    @property
    def taught(self) -> Floats:
        """The scores that the fusion is learnt from."""
        return self.inside if self.every is None else self.every

    def placed(self, z: Floats) -> Floats:
        """What is read against outsiders, from fused scores: the standing among all authors, or with stand-ins the score itself."""
        return standing(z) if self.every is None else z

    def joined(self, groups: NDArray[np.int64], seed: int = 0) -> Scores:
        """The scores of longer texts, each the mean of those of the documents with its number; what has -1 is in none."""
        rows = [np.flatnonzero(groups == number) for number in range(int(groups.max(initial=-1)) + 1)]
        codes = self.codes[[some[0] for some in rows]]
        if self.every is not None:
            every = np.stack([self.every[some].mean(axis=0) for some in rows])
            assert self.moves is not None
            return Scores.of_stand_ins(every, codes, self.sizes, self.candidates, seed, self.moves)
        inside, outside = (np.stack([each[some].mean(axis=0) for some in rows]) for each in (self.inside, self.outside))
        return replace(self, inside=inside, outside=outside, codes=codes)

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """Where a document meets its author."""
        return np.asarray((self.codes[:, None] == np.arange(len(self.sizes))) & ~np.isnan(self.inside[:, :, 0]))

    @cached_property
    def other(self) -> NDArray[np.bool_]:
        """Where a document meets another author."""
        return np.asarray((self.codes[:, None] != np.arange(len(self.sizes))) & ~np.isnan(self.inside[:, :, 0]))

    @cached_property
    def strange(self) -> NDArray[np.bool_]:
        """Where a document by an unknown author meets a known one."""
        return np.asarray(~np.isnan(self.outside[:, :, 0]))

    @cached_property
    def tried(self) -> NDArray[np.bool_]:
        """The documents whose author had enough others to be known by."""
        return np.asarray(self.own.any(axis=1))

    def without(self, *families: int) -> Scores:
        """The scores of the other families."""
        kept = [number for number in range(self.inside.shape[2]) if number not in families]
        every = None if self.every is None else self.every[:, :, kept]
        moves = None if self.moves is None else self.moves[:, kept][:, :, kept]
        return replace(self, inside=self.inside[:, :, kept], outside=self.outside[:, :, kept], every=every, moves=moves)


def _order(lots: Floats) -> NDArray[np.intp]:
    """The place of each author when a row is put in order."""
    return np.asarray(lots.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable"))


def fit_line(scores: Scores, standings: Both) -> Line:
    """From a standing to the LR against somebody not in the corpus; none where authors are too few."""
    if len(scores.sizes) < FEWEST_AUTHORS or not scores.strange.any():
        return NO_LINE
    same, different = standings[0][scores.own], standings[1][scores.strange]
    labels = np.arange(len(same) + len(different)) < len(same)
    return calibrated_line(np.concatenate([same, different]), labels)


@dataclass(frozen=True, eq=False)
class Crossfitted:
    """log10 LRs (documents x authors, both alternatives, before bounds) of calibrations that knew nothing by the document's author.

    `inside` is for documents whose author is listed, `outside` for documents whose author the model did not know; `standings` are those of
    both under the same fusions.
    """

    inside: Both
    outside: Both
    standings: Both


@dataclass(frozen=True, eq=False)
class Ratios:
    """What is said of texts (rows) and authors (columns): log10 LRs within their bounds and 95 % intervals.

    The ends of an interval are NaN where it is not estimable.
    """

    listed: Floats
    unlisted: Floats
    listed_ends: Both
    unlisted_ends: Both
    low: Floats  # of the headline
    high: Floats

    @property
    def headline(self) -> Floats:
        return lower(self.listed, self.unlisted)


def jackknife(values: Floats, codes: NDArray[Any]) -> Floats:
    """The standard deviation of a figure (known texts x authors, each row without one of them) that comes from the choice of known texts.

    Authors are given; of each, other texts might have been known.
    """
    variance = np.zeros(values.shape[1])
    for code in np.unique(codes):
        some = values[codes == code]
        variance += (len(some) - 1) / len(some) * ((some - some.mean(axis=0)) ** 2).sum(axis=0)
    return np.sqrt(variance)


def covariances(without_each: Floats) -> Floats:
    """The same for the scores of texts (texts x known texts that are left out x families; NaN: no more), as covariances of families."""
    there = ~np.isnan(without_each)
    counts = np.maximum(there[:, :, 0].sum(axis=1), 1)
    means = np.where(there, without_each, 0.0).sum(axis=1) / counts[:, None]
    away = np.where(there, without_each - means[:, None], 0.0)
    return np.asarray(np.einsum("tki,tkj->tij", away, away) * ((counts - 1) / counts)[:, None, None])


def widened(value: Floats, ends: Both, more: Floats | float) -> Both:
    """An interval around a value that also covers what moves the value by so many standard deviations for a normal 95 %."""
    low = value - np.hypot(np.maximum(value - ends[0], 0.0), NORMAL * more)
    high = value + np.hypot(np.maximum(ends[1] - value, 0.0), NORMAL * more)
    return low, high


def lower(listed: Floats, unlisted: Floats) -> Floats:
    """The headline: the lower of two LRs; one alone stands."""
    return np.fmin(listed, unlisted)


@dataclass(frozen=True, eq=False)
class Calibration:
    """Everything that turns the scores of a text into LRs; `resampled` has the fusion and the line of each resample in a row."""

    fusion: Fusion
    line: Line
    sizes: NDArray[np.intp]
    listed_bounds: Bounds
    unlisted_bounds: Bounds | None
    resampled: Floats
    stand_ins: bool = False

    @property
    def closed(self) -> Calibration:
        """The same where it is agreed that one of the listed authors wrote the text."""
        resampled = self.resampled.copy()
        resampled[:, self.fusion.weights.size + 1 :] = np.nan
        return replace(self, line=NO_LINE, unlisted_bounds=None, resampled=resampled)

    def placed(self, z: Floats) -> Floats:
        """What is read against outsiders, from fused scores (see `Scores.placed`)."""
        return z if self.stand_ins else standing(z)

    def z(self, scores: Floats) -> Floats:
        """The fused scores of texts x authors."""
        return self.fusion.z(scores, self.sizes)

    def log10_lr(self, scores: Floats) -> Both:
        """Against both alternatives, before any bound; NaN where not estimable."""
        return self._log10(self.z(scores), self.line)

    def headline(self, listed: Floats, unlisted: Floats) -> Floats:
        """The lower of both LRs, each within its bounds."""
        return lower(*self.bounded((listed, unlisted)))

    def ratios(self, scores: Floats) -> Ratios:
        """LRs with bounds and percentile intervals, which hold the LRs themselves."""
        listed, unlisted = self.bounded(self.log10_lr(scores))
        ends = [np.full((6, *listed.shape[1:]), np.nan) for _ in range(len(listed))]
        if len(self.resampled):
            step = max(1, PIECE // (listed.shape[1] * len(self.resampled)))
            for start in range(0, len(listed), step):
                for row, found in enumerate(self._ends(scores[start : start + step]), start):
                    ends[row] = found
        low = [np.stack([row[place] for row in ends]) for place in (0, 2, 4)]
        high = [np.stack([row[place] for row in ends]) for place in (1, 3, 5)]
        middle = (listed, unlisted, lower(listed, unlisted))
        first, second, third = (
            (np.minimum(down, value), np.maximum(up, value)) for down, up, value in zip(low, high, middle, strict=True)
        )
        return Ratios(listed, unlisted, first, second, *third)

    def _ends(self, scores: Floats) -> Iterator[Floats]:
        """For each text the ends of the middle 95 % of the resamples: listed, unlisted, headline (6 x authors)."""
        families = self.fusion.weights.size + 1
        drawn = np.moveaxis(self.fusion.z(scores, self.sizes, self.resampled[:, :families]), 2, 1)
        lines = self.resampled[:, families:]
        tail = int((1 - LEVEL) / 2 * (len(self.resampled) - 1))
        for each in drawn:
            listed, unlisted = self.bounded(self._log10(each, (lines[:, :1], lines[:, 1:])))
            both = []
            for draws in (listed, unlisted, lower(listed, unlisted)):
                ordered = np.sort(draws, axis=0)
                both += [ordered[tail], ordered[-1 - tail]]
            yield np.stack(both)

    def widened(self, ratios: Ratios, scores: Floats, without_each: Floats, codes: NDArray[Any]) -> Ratios:
        """The ratios of one text with intervals that cover the choice of known texts too, from its scores without each of these.

        What the choice moves is found before any bound, which would hide it.
        """
        values, changed = self.log10_lr(scores), self.log10_lr(without_each)
        ends: list[Both] = []
        for value, found, each, bounds in (
            (values[0], ratios.listed_ends, changed[0], self.listed_bounds),
            (values[1], ratios.unlisted_ends, changed[1], self.unlisted_bounds),
            (lower(*values), (ratios.low, ratios.high), lower(*changed), None),
        ):
            low, high = widened(value, found, jackknife(each, codes))
            ends.append((low, high) if bounds is None else (bounds.apply(low), bounds.apply(high)))
        low, high = self._bounded_headline(*ends[2])
        return replace(ratios, listed_ends=ends[0], unlisted_ends=ends[1], low=low, high=high)

    def _bounded_headline(self, low: Floats, high: Floats) -> Both:
        """The ends of a headline's interval, none beyond what both bounds allow."""
        every = [each for each in (self.listed_bounds, self.unlisted_bounds) if each is not None and each.n_different]
        return (
            np.maximum(low, min((each.lower for each in every), default=-np.inf)),
            np.minimum(high, min((each.upper for each in every), default=np.inf)),
        )

    def said(
        self, ratios: Ratios, author: int, text: int = 0
    ) -> tuple[LikelihoodRatio | None, LikelihoodRatio | None, LikelihoodRatio | None]:
        """What is said of one author: the headline, then the LR against each alternative; None where not estimable."""
        at = (text, author)
        within = Alternative.CLOSED if self.unlisted_bounds is None else Alternative.LISTED
        without = Alternative.POPULATION if self.stand_ins else Alternative.UNLISTED
        listed = _said(within, ratios.listed[at], ratios.listed_ends, at, self.listed_bounds)
        unlisted = _said(without, ratios.unlisted[at], ratios.unlisted_ends, at, self.unlisted_bounds)
        lowest = unlisted if listed is None or (unlisted is not None and unlisted.log10 <= listed.log10) else listed
        if lowest is None:
            return None, None, None
        return replace(lowest, interval=_finite(ratios.low[at], ratios.high[at])), listed, unlisted

    def _log10(self, z: Floats, line: tuple[Floats | float, Floats | float]) -> Both:
        return _log10(z, self.placed(z), line)

    def bounded(self, ratios: Both) -> Both:
        """LRs against both alternatives, none beyond its bounds."""
        listed, unlisted = ratios
        second = unlisted if self.unlisted_bounds is None else self.unlisted_bounds.apply(unlisted)
        return self.listed_bounds.apply(listed), second


def _log10(z: Floats, placed: Floats, line: tuple[Floats | float, Floats | float]) -> Both:
    return log_odds(z) / LN10, (line[0] + line[1] * placed) / LN10


def _said(
    alternative: Alternative, value: float, ends: Both, at: tuple[int, int], bounds: Bounds | None
) -> LikelihoodRatio | None:
    if bounds is None or np.isnan(value):
        return None
    found = _finite(ends[0][at], ends[1][at])
    return LikelihoodRatio(float(value), found, alternative, bounds, bounds.side(float(value)))


def _finite(low: float, high: float) -> tuple[float, float] | None:
    return (float(low), float(high)) if np.isfinite((low, high)).all() else None


def crossfitted(scores: Scores, fusion: Fusion, seed: int) -> Crossfitted:
    """The LRs of each author's documents by a fusion and a line that were learnt without them: so the calibration can be judged.

    Where the line of some authors cannot be learnt without them, nothing can be said of that alternative.
    """
    folds = author_folds(len(scores.sizes), seed)[scores.codes]
    numbers = np.unique(folds)
    vectors = fusion.again(scores.taught, scores.codes, scores.sizes, (folds != numbers[:, None]).astype(np.float64))
    inside, outside = (
        (np.full(scores.own.shape, np.nan), np.full(scores.own.shape, np.nan)) for _ in ("inside", "outside")
    )
    standings = (np.full(scores.own.shape, np.nan), np.full(scores.own.shape, np.nan))
    lines: list[Line] = []
    for number, vector in zip(numbers, vectors, strict=True):
        rows, rest = folds == number, np.flatnonzero(folds != number)
        z = [fusion.z(each, scores.sizes, vector[None])[:, :, 0] for each in (scores.inside, scores.outside)]
        listed = (z[0], scores.among(z[1]))
        kept = replace(scores, inside=scores.inside[rest], outside=scores.outside[rest], codes=scores.codes[rest])
        try:
            line = fit_line(kept, (scores.placed(z[0][rest]), scores.placed(z[1][rest])))
        except CalibrationError:
            line = NO_LINE
        lines.append(line)
        for side, found in enumerate((inside, outside)):
            placed = scores.placed(z[side][rows])
            found[0][rows], found[1][rows] = _log10(listed[side][rows], placed, line)
            standings[side][rows] = placed
    if np.isnan(lines).any():
        for found in (inside, outside):
            found[1][:] = np.nan
    return Crossfitted(inside, outside, (standings[0], scores.among(standings[1])))


def author_folds(authors: int, seed: int) -> NDArray[np.int64]:
    """Each author's fold."""
    return np.random.default_rng([seed, 19]).permutation(np.arange(authors) % FOLDS)


def calibrate(
    scores: Scores, seed: int, count: int, progress: Progress = silent, units: NDArray[np.intp] | None = None
) -> tuple[Calibration, Crossfitted]:
    """The calibration of a set of scores with so many resamples, and the cross-fitted LRs by which it is judged.

    Documents with one number in `units` are resampled together. The bounds come from the LRs that the calibration itself gives left-out
    texts: by cross-fitted ones of a few authors, whose few weights are learnt without a sixth of them, they would be narrower than so many
    comparisons make them. (On problems made of known texts Cllr was .375 and is .312 with fewer than ten authors, .343 and .327 with more;
    LRs above 100 for a wrong author .02 % both times, and .08 and .11 %.)
    """
    fusion = Fusion.fit(scores.taught, scores.codes, scores.sizes)
    z = [fusion.z(each, scores.sizes) for each in (scores.inside, scores.outside)]
    standings = scores.placed(z[0]), scores.placed(z[1])
    line = fit_line(scores, standings)
    judged = crossfitted(scores, fusion, seed)
    if np.isnan(judged.outside[1]).all():
        line = NO_LINE
    inside, outside = (_log10(each, placed, line) for each, placed in zip(z, standings, strict=True))
    other = inside[0][scores.other]
    listed = elub(inside[0][scores.own] if len(other) else other, other)
    unlisted = None if np.isnan(line[0]) else elub(inside[1][scores.own], outside[1][scores.strange])
    draws = list(resamples(scores.codes, count, seed, authors=len(scores.sizes), units=units))
    resampled = _resampled(scores, fusion, line, standings, draws, progress)
    return Calibration(fusion, line, scores.sizes, listed, unlisted, resampled, scores.every is not None), judged


def _resampled(
    scores: Scores, fusion: Fusion, line: Line, standings: Both, draws: list[Resample], progress: Progress
) -> Floats:
    """Fusion and line of each resample, one a row; none when too many lack one of the classes."""
    if not draws:
        return np.zeros((0, fusion.weights.size + 3))
    vectors = fusion.again(scores.taught, scores.codes, scores.sizes, np.stack([draw.documents for draw in draws]))
    lines = _resampled_lines(scores, line, standings, draws, progress)
    drawn = [bool(draw.documents[scores.tried].any()) for draw in draws]
    kept = [number for number, found in enumerate(lines) if found is not None and drawn[number]]
    if len(kept) < (1 - MISSING) * len(draws):
        return np.zeros((0, fusion.weights.size + 3))
    return np.column_stack((vectors[kept], np.array([lines[number] for number in kept])))


def _resampled_lines(
    scores: Scores, line: Line, standings: Both, draws: list[Resample], progress: Progress
) -> list[Line | None]:
    if np.isnan(line[0]):
        return [NO_LINE] * len(draws)
    own, strange = scores.own, scores.strange
    bins = BinnedScores.of(standings[0][own], standings[1][strange])
    found: list[Line | None] = []
    for draw in tracked(draws, progress, "finding out how far the numbers can be trusted"):
        mine = np.broadcast_to(draw.documents[:, None], own.shape)[own]
        theirs = (draw.documents[:, None] * draw.authors)[strange]
        try:
            found.append(bins.line(np.concatenate([mine, theirs]), line))
        except CalibrationError:
            found.append(None)
    return found


def log_odds(z: Floats) -> Floats:
    """The natural log of an author's odds against all others together, over even prior odds; NaN marks who is no candidate."""
    known = ~np.isnan(z)
    top = np.where(known, z, -np.inf).max(axis=-1, keepdims=True)
    share = np.where(known, np.exp(np.where(known, z, 0.0) - top), 0.0)
    first = share.argmax(axis=-1, keepdims=True)
    others = share.sum(axis=-1, keepdims=True) - share
    rest = share.copy()
    np.put_along_axis(rest, first, 0.0, axis=-1)  # of the first the sum less itself would be rounding
    np.put_along_axis(others, first, rest.sum(axis=-1, keepdims=True), axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # an only candidate has no odds
        return np.asarray(z - top - np.log(others) + np.log(known.sum(axis=-1, keepdims=True) - 1.0))


def standing(z: Floats) -> Floats:
    """How far each author stands above the mean of a text's authors, in standard deviations of their scores."""
    known = ~np.isnan(z)
    count = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    centred = z - np.where(known, z, 0.0).sum(axis=-1, keepdims=True) / count
    spread = np.sqrt(np.where(known, centred, 0.0) ** 2 @ np.ones((z.shape[-1], 1)) / count)
    return np.asarray(centred / np.maximum(spread, 1e-12))

"""Two texts by anybody: one writer or two? By their centred cosines in the families of the fused system, tried on pairs of known texts.

A few weights make one score of a pair's cosines. They are learnt from pairs of which neither writer counts among the known ones, and a
pair is scored with the weights that pairs by other authors give. Same pairs share no source, unless there are hardly any such pairs: what
one letter has in common with the next of the same day would speak too well of one writer.

In use the mean that is taken from two texts is that of the known authors less whoever wrote a known one of the two. A pair by strangers
is tried without both authors. Where the writer of a new text is a listed one, other texts of theirs are in that mean: such pairs are
tried with the mean of one half of the texts, and new texts from the other half.

Likelihood ratios for two texts: one writer or two? From the log-odds of pairs of known texts that were left out.

Two new texts are judged by pairs that were both left out; a new text and a known one by pairs of which one was left out. Each with
texts cut to the length of the shorter one, and against two alternatives where they can be had: that another listed author, or somebody
who is not listed, wrote the other text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import one_blas_thread
from forensia.evidence.bootstrap import MISSING, Interval, interval, pair_weights, resamples
from forensia.evidence.calibration import BinnedScores, Bounds, CalibrationError, calibrated_line, elub
from forensia.evidence.crossfit import FEWEST_AUTHORS, OutOfFold, author_folds, document_folds, with_copies
from forensia.evidence.knowntexts import WHOLE, Texts
from forensia.evidence.likelihood import LEVEL, LN10
from forensia.evidence.measures import auc, cllr, cllr_min, eer
from forensia.evidence.result import DV_BIN, FUSED, Alternative, LikelihoodRatio, Strangers
from forensia.features import Counts, Vectors
from forensia.features.weighting import products
from forensia.jobs import Progress, part, silent, tracked
from forensia.profile import Effort
from forensia.systems import Impostors
from forensia.systems.centred import NOBODY, AuthorMeans
from forensia.systems.distances import pair_cosines
from forensia.systems.fused import FusedSystem
from forensia.systems.fusion import Fusion
from forensia.systems.others import COSINE, IMPOSTORS
from forensia.systems.pairmodel import spread

FEWEST = 10


@dataclass(frozen=True)
class PairScores:
    """Pairs of documents with log-odds that neither author has had a part in; `folds` are those of both."""

    log_odds: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    same: NDArray[np.bool_]
    folds: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        log_odds: Floats,
        first: NDArray[np.intp],
        second: NDArray[np.intp],
        codes: NDArray[Any],
        fold: NDArray[Any],
    ) -> PairScores:
        """Pairs of rows, from the author and the fold of every document."""
        folds = np.column_stack((fold[first], fold[second])).astype(np.int64)
        return cls(log_odds, first, second, codes[first] == codes[second], folds)

    @property
    def estimable(self) -> bool:
        return min(int(self.same.sum()), int((~self.same).sum())) >= FEWEST


@dataclass(frozen=True)
class PairCalibration:
    """From the log-odds of a pair to its log10 LR, with bounds and resampled lines for the interval."""

    line: tuple[float, float]
    resampled: Floats
    bounds: Bounds

    def said(self, log_odds: float, alternative: Alternative) -> LikelihoodRatio:
        """The LR of a pair with its interval, which holds the LR itself."""
        llr = (self.line[0] + self.line[1] * log_odds) / LN10
        draws = self.bounds.apply((self.resampled[:, 0] + self.resampled[:, 1] * log_odds) / LN10)
        value = float(self.bounds.apply(llr))
        found = interval(draws, LEVEL)
        low, high = min(found.low, value), max(found.high, value)
        ends = (low, high) if np.isfinite((low, high)).all() else None
        return LikelihoodRatio(value, ends, alternative, self.bounds, self.bounds.side(llr))

    def log10_lr(self, log_odds: Floats) -> Floats:
        """The LRs of pairs within their bounds."""
        return self.bounds.apply((self.line[0] + self.line[1] * log_odds) / LN10)

    def to_dict(self) -> dict[str, Any]:
        return {"line": list(self.line), "bounds": self.bounds.to_dict()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], resampled: Floats) -> PairCalibration:
        return cls((float(stored["line"][0]), float(stored["line"][1])), resampled, Bounds.from_dict(stored["bounds"]))


@dataclass(frozen=True)
class PairPerformance:
    """How well pairs of one writer and of two are told apart; measured on pairs the calibration had not seen either."""

    same: int
    different: int
    accuracy: float
    auc: float
    eer: float
    cllr: float
    cllr_min: float
    cllr_interval: Interval


def calibrate_pairs(
    pairs: PairScores, codes: NDArray[Any], seed: int, count: int, progress: Progress = silent
) -> tuple[PairCalibration, PairPerformance] | None:
    """The calibration of pairs with so many resamples, and how good it is; None where pairs are too few for either."""
    if not pairs.estimable:
        return None
    line = calibrated_line(pairs.log_odds, pairs.same)
    judged = np.empty(len(pairs.same))
    for number in np.unique(pairs.folds[:, 0]):
        rows = pairs.folds[:, 0] == number
        apart = (pairs.folds != number).all(axis=1)  # the same two documents may stand there the other way round
        try:
            intercept, slope = calibrated_line(pairs.log_odds, pairs.same, apart.astype(np.float64), line)
        except CalibrationError:
            return None
        judged[rows] = (intercept + slope * pairs.log_odds[rows]) / LN10
    same, different = judged[pairs.same], judged[~pairs.same]
    bins = BinnedScores.of(pairs.log_odds[pairs.same], pairs.log_odds[~pairs.same])
    lines, costs = [], []
    for draw in tracked(resamples(codes.astype(np.intp), count, seed), progress, "calibrating pairs of texts", count):
        each = pair_weights(draw, pairs.first, pairs.second)
        weights = each[pairs.same], each[~pairs.same]
        try:
            lines.append(bins.line(np.concatenate(weights), line))
        except CalibrationError:
            continue
        costs.append(cllr(same, different, weights))
    if len(lines) < (1 - MISSING) * count:
        lines, costs = [], []
    calibration = PairCalibration(line, np.array(lines).reshape(-1, 2), elub(same, different))
    right = [np.mean(pairs.log_odds[pairs.same] > 0), np.mean(pairs.log_odds[~pairs.same] <= 0)]
    return calibration, PairPerformance(
        len(same), len(different), float(np.mean(right)), auc(same, different), eer(same, different),
        cllr(same, different), cllr_min(same, different), interval(np.array(costs), LEVEL),
    )  # fmt: skip


def weakest(log10: Floats) -> NDArray[np.intp]:
    """For each pair (columns) the LR (rows) that claims least: the nearest to none where all speak for the same, else the lowest."""
    agree = (log10 > 0).all(axis=0) | (log10 <= 0).all(axis=0)
    return np.asarray(np.where(agree, np.abs(log10), log10).argmin(axis=0), np.intp)


TEXTS = 600  # that are compared with each other, about as many of each author
AUTHORS = TEXTS // 4  # so that there are Same pairs, however many authors there are
MOST = 20_000  # pairs of a class: more add nothing, for they share documents
TAUGHT = 2_000  # pairs of a class that the weights are learnt from
BESIDE = 300  # pairs of a class that other methods are tried on: impostors take a few milliseconds for each
OUTCOMES = np.exp([1.0, 0.0])  # one writer and two: by these numbers the fusion's term of sizes is an intercept
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Pairs = Mapping[int, tuple[PairCalibration, PairPerformance]]
KINDS = ("known", "known_outside", "unseen", "unseen_outside")


@dataclass(frozen=True)
class Pairwise:
    """The calibrations of pairs and how good they are, by rung; a rung is missing where pairs are too few.

    `known`: a cut text and a known one, by listed authors; `known_outside`: the same, and whoever did not write both is not listed.
    `unseen` and `unseen_outside`: both texts are new, and cut. `fusion` makes one score of the families, None where authors are too few.
    """

    known: Pairs
    known_outside: Pairs
    unseen: Pairs
    unseen_outside: Pairs
    fusion: Fusion | None
    strangers: Strangers | None

    def applying(self, known: int, rung: int) -> Mapping[Alternative, tuple[PairCalibration, PairPerformance]]:
        """The calibrations for a pair of which so many texts are known, against each alternative that is estimable.

        Two known texts are compared as those of strangers are: neither author counts.
        """
        kinds = ((self.unseen, self.unseen_outside), (self.known, self.known_outside), ({}, self.unseen_outside))[known]
        alternatives = (Alternative.LISTED, Alternative.UNLISTED)
        return {each: kind[rung] for each, kind in zip(alternatives, kinds, strict=True) if rung in kind}

    def score(self, system: FusedSystem, a: Counts, b: Counts, without: Sequence[int]) -> float | None:
        """The fused log-odds of two texts, of which some have known authors; None where there is no fusion."""
        return None if self.fusion is None else float(log_odds(self.fusion, system.centred(a, b, without)))

    def log10_lr(self, log_odds: Floats, known: int, rung: int) -> Floats | None:
        """The LRs of pairs by the calibration that claims least for each; None where none applies."""
        every = [each.log10_lr(log_odds) for each, _ in self.applying(known, rung).values()]
        if not every:
            return None
        found = np.stack(every)
        return np.asarray(np.take_along_axis(found, weakest(found)[None], axis=0)[0])


@dataclass(frozen=True, eq=False)
class TriedPairs:
    """Pairs of known texts by their rows, and how they are compared.

    `without` (pairs x 2) are the authors who do not count; `known`: the second text is a known one, and so not cut; `halved`: what is
    known is the half of all texts in which the first one is not.
    """

    first: Rows
    second: Rows
    without: NDArray[np.int64]
    known: bool
    halved: bool


@dataclass(frozen=True, eq=False)
class PairTexts:
    """The known texts that are compared with each other: their `rows` among all, and which two of them may be a pair.

    `codes` are the authors of all texts, and `half` is the half of their author's texts in which each is.
    """

    rows: Rows
    allowed: NDArray[np.bool_]
    codes: Rows
    half: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Texts, codes: Rows, seed: int) -> PairTexts:
        """Some texts of every author; where authors are many, of some who have several."""
        labels = list(texts.labels)
        several = np.minimum(np.bincount(codes), 2)
        rows = np.flatnonzero(np.isin(codes, np.argsort(-several, kind="stable")[:AUTHORS]))
        rows = rows[spread([labels[row] for row in rows], TEXTS, seed)]
        same = codes[rows][:, None] == codes[rows]
        together = same & _sharing(with_copies(labels, texts.sources, texts.counts), rows)
        once = np.triu(np.ones_like(same), 1)
        few = (once & same & ~together).sum() < FEWEST
        half = document_folds(labels, np.arange(len(labels)), 2, seed)
        return cls(rows, once if few else once & ~together, codes, half)

    def kinds(self, seed: int) -> dict[str, TriedPairs]:
        """The pairs of every kind."""
        rng = np.random.default_rng([seed, 11])
        half = self.half[self.rows]
        alike = half[:, None] == half
        strange, within, across = (self._drawn(self.allowed & some, rng) for some in (True, alike, ~alike))
        nobody = np.full((len(within[0]), 2), NOBODY)
        both = np.column_stack([self.codes[side] for side in strange])
        known = np.column_stack((self.codes[across[1]], np.full(len(across[1]), NOBODY)))
        return {
            "known": TriedPairs(*across, known, known=True, halved=True),
            "known_outside": TriedPairs(*strange, both, known=True, halved=False),
            "unseen": TriedPairs(*within, nobody, known=False, halved=True),
            "unseen_outside": TriedPairs(*strange, both, known=False, halved=False),
        }

    def _drawn(self, allowed: NDArray[np.bool_], rng: np.random.Generator) -> tuple[Rows, Rows]:
        """At most so many pairs of each class; which text comes first is left to chance."""
        codes, chosen = self.codes[self.rows], []
        for label in (True, False):
            pairs = np.argwhere(allowed & ((codes[:, None] == codes) == label))
            chosen.append(pairs[np.sort(rng.permutation(len(pairs))[:MOST])])
        pairs = self.rows[np.concatenate(chosen)]
        turned = rng.random(len(pairs)) < 0.5
        return np.where(turned, pairs[:, 1], pairs[:, 0]), np.where(turned, pairs[:, 0], pairs[:, 1])

    def cosines(
        self, kinds: Mapping[str, TriedPairs], texts: Texts, system: FusedSystem, progress: Progress
    ) -> dict[str, dict[int, Floats]]:
        """The centred cosines (pairs x families) of each kind, by rung."""
        shape = len(system.families)
        found = {
            kind: {rung: np.zeros((len(pairs.first), shape)) for rung in texts.rungs} for kind, pairs in kinds.items()
        }
        owner, half = self.codes[system.kept], self.half[system.kept]
        for number, (family, everybody) in enumerate(zip(system.families, system.means, strict=True)):
            halves = [
                AuthorMeans.of(family.known[half == side], owner[half == side], len(system.sizes)) for side in (0, 1)
            ]
            for at, rung in enumerate(texts.rungs):
                progress((number + at / len(texts.rungs)) / shape, "comparing pairs of texts")
                counts = texts.cut[rung] if rung else texts.counts
                cut = family.weighted.vectors(counts.rows(self.rows).table(family.name))
                if not rung:
                    whole = cut
                second = {True: whole, False: cut}
                near = {known: products(cut, each) for known, each in second.items()}
                for kind, pairs in kinds.items():
                    i, j = (np.searchsorted(self.rows, side) for side in (pairs.first, pairs.second))
                    side = self.half[pairs.first]
                    for means, mine in (
                        [(halves[1 - one], side == one) for one in (0, 1)] if pairs.halved else [(everybody, side >= 0)]
                    ):
                        found[kind][rung][mine, number] = means.cosines(
                            cut, second[pairs.known], near[pairs.known], i[mine], j[mine], pairs.without[mine]
                        )
        return found


@dataclass(frozen=True, eq=False)
class CrossfitFusion:
    """The weights of the families for pairs, with those that pairs by other authors give; `fold` is that of each text's author."""

    fusion: Fusion
    without: Mapping[tuple[int, int], Fusion]
    fold: NDArray[np.int64]

    @classmethod
    def fit(cls, pairs: TriedPairs, columns: Floats, codes: Rows, fold: NDArray[np.int64]) -> CrossfitFusion | None:
        """Learn from pairs by strangers; None where too few are left without some authors."""
        same = codes[pairs.first] == codes[pairs.second]
        classes = (np.flatnonzero(same), np.flatnonzero(~same))
        some = np.concatenate([each[:: -(-len(each) // TAUGHT) or 1] for each in classes])
        ends = np.column_stack((fold[pairs.first], fold[pairs.second]))[some]
        found: dict[tuple[int, int], Fusion] = {}
        for away in combinations_with_replacement(range(int(fold.max(initial=0)) + 1), 2):
            left = some[~np.isin(ends, away).any(axis=1)]
            if len(np.unique(same[left])) < 2:
                return None
            found[away] = _fitted(columns[left], same[left])
        return cls(_fitted(columns[some], same[some]), found, fold)

    def scores(self, pairs: TriedPairs, columns: Floats, codes: Rows) -> PairScores:
        """The log-odds of pairs, each by the weights that neither of its authors has had a part in."""
        ends = np.sort(np.column_stack((self.fold[pairs.first], self.fold[pairs.second])), axis=1)
        found = np.empty(len(ends))
        for away, fusion in self.without.items():
            mine = (ends == away).all(axis=1)
            found[mine] = log_odds(fusion, columns[mine])
        return PairScores.of(found, pairs.first, pairs.second, codes, self.fold)


def log_odds(fusion: Fusion, columns: Floats) -> Floats:
    """The fused score of pairs: log-odds in which one writer and two were equally many."""
    return np.asarray(columns @ (fusion.weights / fusion.spread) + fusion.size)


def _fitted(columns: Floats, same: NDArray[np.bool_]) -> Fusion:
    """A pair is a choice between one writer, for whom its cosines speak, and two, for whom nothing does."""
    scores = np.stack((columns, np.zeros_like(columns)), axis=1)
    return Fusion.fit(scores, np.where(same, 0, 1), OUTCOMES)


def compared(
    texts: Texts,
    system: FusedSystem,
    known: Vectors,
    by_author: OutOfFold,
    seed: int,
    effort: Effort,
    progress: Progress = silent,
) -> Pairwise:
    """Learn the weights of pairs, calibrate every kind of them on every rung, and try other methods beside them."""
    found: dict[str, dict[int, tuple[PairCalibration, PairPerformance]]] = {kind: {} for kind in KINDS}
    codes, fused = system.codes, None
    if len(system.sizes) >= FEWEST_AUTHORS:
        chosen = PairTexts.of(texts, codes, seed)
        kinds = chosen.kinds(seed)
        strange, fold = kinds["unseen_outside"], author_folds(texts.labels, effort.folds, seed)
        with one_blas_thread():
            columns = chosen.cosines(kinds, texts, system, part(progress, 0.0, 0.4))
            cosines = columns["unseen_outside"][WHOLE]
            fused = CrossfitFusion.fit(strange, cosines, codes, fold)
    if fused is None:
        return Pairwise(**found, fusion=None, strangers=None)
    steps = len(texts.rungs) * len(found)
    for at, rung in enumerate(texts.rungs):
        for number, (kind, pairs) in enumerate(kinds.items()):
            step = at * len(found) + number
            stage = part(progress, 0.4 + 0.5 * step / steps, 0.4 + 0.5 * (step + 1) / steps)
            scores = fused.scores(pairs, columns[kind][rung], codes)
            calibrated = calibrate_pairs(scores, codes, seed, effort.fewer_resamples, stage)
            if calibrated is not None:
                found[kind][rung] = calibrated
    scores = fused.scores(strange, cosines, codes)
    beside = strangers(scores, codes, known, by_author, seed, part(progress, 0.9, 1.0))
    return Pairwise(**found, fusion=fused.fusion, strangers=beside)


def strangers(
    scores: PairScores, codes: Rows, known: Vectors, by_author: OutOfFold, seed: int, progress: Progress = silent
) -> Strangers | None:
    """The AUC of other methods beside that of the fused score; DV-Bin only where a model of its own knew neither author of a pair.

    The vectors of the others are those of the final model, whose features all known texts have chosen.
    """
    unseen = by_author.unseen[scores.first, scores.second]
    classes = [np.flatnonzero(scores.same & ~np.isnan(unseen)), np.flatnonzero(~scores.same & ~np.isnan(unseen))]
    paired = min(map(len, classes)) >= FEWEST
    if not paired:
        classes = [np.flatnonzero(scores.same), np.flatnonzero(~scores.same)]
    if min(map(len, classes)) < FEWEST:
        return None
    rng = np.random.default_rng([seed, 12])
    rows = np.concatenate([np.sort(rng.permutation(each)[:BESIDE]) for each in classes])
    first, second, same = scores.first[rows], scores.second[rows], scores.same[rows]
    impostors = Impostors(seed=seed, validation=FEWEST).fit(known, list(codes.tolist()))
    own = (codes == codes[first][:, None]) | (codes == codes[second][:, None])
    tried = {FUSED: scores.log_odds[rows]}
    if paired:
        tried[DV_BIN] = unseen[rows].astype(np.float64)
    tried[COSINE] = pair_cosines(known, first, second)
    tried[IMPOSTORS] = impostors.scores(known, first, second, progress, own)
    found = {name: auc(values[same], values[~same]) for name, values in tried.items()}
    return Strangers(int(same.sum()), int((~same).sum()), found)


def _sharing(sources: Sequence[tuple[str, ...]], rows: Rows) -> NDArray[np.bool_]:
    """Which two of some texts have a source in common."""
    numbers: dict[str, int] = {}
    having = np.zeros((len(rows), len({name for row in rows for name in sources[row]})), np.float32)
    for place, row in enumerate(rows):
        for name in sources[row]:
            having[place, numbers.setdefault(name, len(numbers))] = 1.0
    return np.asarray(having @ having.T > 0)

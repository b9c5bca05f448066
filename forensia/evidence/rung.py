"""The validation under one condition: left-out scores, their calibration, and what the rule of the opinion does with them.

What the rule does to a text is found with weights, a line, a limit of doubt and outsiders' texts that are not of the text's author. Learnt
from all are what is rare, the ridges, the bounds, the width of the interval of a likelihood ratio, and how evenly authors attract others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.bootstrap import Interval, interval, resamples, wilson
from forensia.evidence.likelihood import (
    LEVEL,
    LN10,
    Both,
    Calibration,
    Crossfitted,
    Ratios,
    Scores,
    author_folds,
    crossfitted,
    lower,
    widened,
)
from forensia.evidence.measures import cllr
from forensia.evidence.opinion import (
    ABSTAIN,
    FEWEST_COMPARISONS,
    FEWEST_RIGHT,
    Doubts,
    Outsiders,
    conformal,
    decide,
    doubt,
    most_doubt,
    own_scores,
    ruled_out,
)
from forensia.evidence.result import Condition
from forensia.profile import THOROUGH, Effort
from forensia.systems.leaving_out import rate_of_all

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Backing:
    """What stands behind opinions about an author: left-out texts that could be tried, opinions given on them, and those that were right.

    They are those of authors with at most twice as many texts. `tried` are the author's own.
    """

    tried: int
    comparisons: int
    given: int
    right: int

    @property
    def enough(self) -> bool:
        """Whether there were opinions, and nothing says that fewer of them than the rule allows for are right."""
        if not self.tried or self.comparisons < FEWEST_COMPARISONS or not self.given:
            return False
        return wilson(self.right / self.given, self.given)[1] >= FEWEST_RIGHT


@dataclass(frozen=True, eq=False)
class Halved:
    """For each whole text whether its author was first, how often so with half of what was left, and what was halved and is missing.

    Both by one fusion; what was halved and what is missing are in doublings of the author's texts.
    """

    before: Floats
    right: Floats
    steps: Floats
    missing: Floats


@dataclass(frozen=True)
class Rung:
    """The validation for texts of one length from a known or a new source."""

    condition: Condition
    scores: Scores
    calibration: Calibration
    seed: int
    effort: Effort = THOROUGH
    likeness: Floats = field(default_factory=lambda: np.zeros(0))  # of each text with those of other authors
    joined: NDArray[np.int64] | None = None  # of each known document, the number of the longer text it was joined to
    units: NDArray[np.intp] | None = None  # a number for each text, one for those of an author from one source
    halved: Halved | None = None

    @property
    def words(self) -> int:
        """The length that texts were cut to or joined to; 0 for whole ones."""
        return self.condition.words or 0

    @cached_property
    def judged(self) -> Crossfitted:
        """The LRs by which the calibration is judged."""
        found = crossfitted(self.scores, self.calibration.fusion, self.seed)
        if not self.closed:
            return found
        nothing = np.full(found.inside[1].shape, np.nan)
        return replace(found, inside=(found.inside[0], nothing), outside=(found.outside[0], nothing))

    @cached_property
    def first(self) -> Codes:
        """Whom each text was ascribed to without it, by a fusion that knew nothing by its author; -1 for one that could not be tried."""
        here = self.judged.standings[0]
        return np.where(self.scores.tried, np.where(np.isnan(here), -np.inf, here).argmax(axis=1), -1).astype(np.int64)

    def first_places(self, weights: Floats) -> float:
        """The share of texts whose author the model of all known texts would put first, when texts count so much; NaN when none does.

        Of the tried ones it is what was found with what was left, and the gain that more texts are worth.
        """
        tried = self.scores.tried
        weights, codes = weights[tried], self.scores.codes
        total = weights.sum()
        if not total:
            return float("nan")
        rate = float(weights @ (self.first == codes)[tried] / total)
        if self.halved is None:
            return rate
        least, halved = 0.5 / total, self.halved
        means = (
            float(weights @ each[tried] / total) for each in (halved.before, halved.right, halved.steps, halved.missing)
        )
        before, fewer, steps, missing = means
        rates = np.clip((rate, before, fewer), least, 1.0 - least).tolist()
        return rate_of_all(rates[0], rates[1], rates[2], steps, missing)

    @cached_property
    def standings(self) -> tuple[Floats, Floats]:
        """How far authors stand above the others, for documents whose author is listed and for outsiders."""
        scores, fusion = self.scores, self.calibration.fusion
        inside, outside = (scores.placed(fusion.z(each, scores.sizes)) for each in (scores.inside, scores.outside))
        return inside, scores.among(outside)

    @cached_property
    def outsiders(self) -> Outsiders:
        """What chance can do for a text by somebody who is not listed."""
        strange = self.scores.strange
        if not strange.any():
            return Outsiders(np.empty(0), 1.0, np.empty(0, np.intp))
        rows = strange.any(axis=1)
        best = self.counted(self.standings[1][rows], self.scores.codes[rows])
        met = float((~np.isnan(self.standings[1][rows])).sum(axis=1).mean())
        return Outsiders(best, met, self.scores.codes[rows])

    @cached_property
    def evenness(self) -> Floats:
        """How much of a standing with each author counts against outsiders: less, where others' texts stand now high, now low with them.

        Such an author writes in a kind of their own, and whatever is of that kind falls to them: of 255 pieces of novels 93 got an opinion
        from a model of essays, 91 of them for one essayist. The rows are for what is known without each author, the last for all. Of
        candidates that stand-ins were tried for nothing such is known.
        """
        outside, count = self.standings[1], len(self.scores.sizes)
        if self.stand_ins:
            return np.ones((count + 1, count))
        mine = [outside[self.scores.codes == author] for author in range(count)]
        first, second = (
            np.stack([(each**power).mean(axis=0) if len(each) else np.full(count, np.nan) for each in mine])
            for power in (1, 2)
        )
        met = ~np.isnan(first)
        sums = (met.astype(np.float64), np.where(met, first, 0.0), np.where(met, second, 0.0))
        number, total, squares = (each.sum(axis=0) - np.vstack((each, np.zeros(count))) for each in sums)
        number = np.maximum(number, 1.0)
        spread = np.sqrt(np.maximum(squares / number - (total / number) ** 2, 1e-12))
        return np.asarray(np.minimum(np.median(spread, axis=1, keepdims=True) / spread, 1.0))

    def counted(self, standings: Floats, without: NDArray[np.intp] | None = None) -> Floats:
        """The standing of each text's first author, as far as it counts against outsiders; `without`, for each text, one author's texts."""
        first = np.where(np.isnan(standings), -np.inf, standings).argmax(axis=1)
        known = np.full(len(first), -1) if without is None else without
        return np.asarray(standings[np.arange(len(first)), first] * self.evenness[known, first])

    @cached_property
    def own(self) -> list[Floats]:
        """For each author the standings of their own documents; with stand-ins those of all others, with theirs."""
        return self._own(self.standings[0])

    def _own(self, standings: Floats) -> list[Floats]:
        own = own_scores(standings, self.scores.own)
        if not self.stand_ins:
            return own
        return [np.concatenate([*own[:author], *own[author + 1 :]]) for author in range(len(own))]

    @property
    def stand_ins(self) -> bool:
        """Whether other authors were tried in the place of the candidates."""
        return self.scores.every is not None

    @property
    def closed(self) -> bool:
        """Whether nothing can be said of somebody who is not listed, so that all rests on one of the listed having written the text."""
        return self.calibration.unlisted_bounds is None

    @cached_property
    def agreed(self) -> Rung:
        """The same where it is agreed that one of the listed authors wrote the text."""
        return self if self.closed else replace(self, calibration=self.calibration.closed)

    def conformal_p(self, standings: Floats) -> Floats:
        return conformal(self.own, standings)

    def family_p(self, best: Floats, authors: float, without: NDArray[np.intp] | None = None) -> Floats:
        """How often an outsider's text gets as high a score with one of the authors; NaN where not estimable."""
        return np.full(np.shape(best), np.nan) if self.closed else self.outsiders.family_p(best, authors, without)

    def unlike_p(self, likeness: Floats, count: int, among: bool = False) -> Floats:
        """The share of known documents that are no more like those of other authors than these texts are; 1 where nobody can tell.

        `among` the known documents themselves, none counts for its own share.
        """
        known = self.likeness
        if not len(known) or not len(likeness):
            return np.ones(count)
        below = np.searchsorted(np.sort(known), likeness, side="right")
        return np.asarray((1.0 + below - among) / (len(known) + 1.0 - among))

    def doubts(self, listed: Floats, standings: Floats, likeness: Floats) -> Doubts:
        """What may keep opinions on new texts back."""
        outsiders = self.family_p(self.counted(standings), float((~np.isnan(standings[:1])).sum()))
        return Doubts(outsiders, doubt(listed), self.unlike_p(likeness, len(standings)))

    def decisions(self, scores: Floats, likeness: Floats) -> Codes:
        """The opinions on new texts given by the scores of their families and how like the known ones they are, by the rule alone."""
        here, ratios = self.calibration.placed(self.calibration.z(scores)), self.calibration.ratios(scores)
        doubts = self.doubts(self.calibration.log10_lr(scores)[0], here, likeness)
        p = self.conformal_p(here)
        return self._unless_costly(decide(here, ratios.headline, ratios.low, p, doubts, self.most_doubt, self.backed))

    def _unless_costly(self, decisions: Codes) -> Codes:
        """Nothing is said by LRs that are no better than none."""
        return np.full_like(decisions, ABSTAIN) if self.costly else decisions

    @cached_property
    def on_listed(self) -> Codes:
        """The opinions on the documents that could be tried, none of which speaks for itself."""
        return self._unless_costly(self._decided(0, self._limits, self.backed))

    @cached_property
    def on_outsiders(self) -> Codes:
        """The opinions on the documents when their author is not known, none of which speaks for itself."""
        return self._unless_costly(self._decided(1, self._limits, self.backed))

    def _decided(self, side: int, limits: Floats, backed: NDArray[np.bool_]) -> Codes:
        """The rule for documents with their author listed (0) or not (1), with what was learnt without the author.

        `limits`: the most doubt that an opinion may leave on a text by each author.
        """
        rows, doubts, p = self._left_out[side]
        most = limits[self.scores.codes[rows]]
        low, headline, _ = self._said(side)
        return decide(self.judged.standings[side][rows], headline, low, p, doubts, most, backed)

    def _said(self, side: int) -> tuple[Floats, Floats, Floats]:
        """The headline LRs of documents with their author listed (0) or not (1), and the ends of their intervals around them."""
        rows, _, _ = self._left_out[side]
        listed, unlisted = (each[rows] for each in (self.judged.inside, self.judged.outside)[side])
        headline, ratios = self.calibration.headline(listed, unlisted), self._ratios[side]
        low, high = headline - (ratios.headline - ratios.low), headline + (ratios.high - ratios.headline)
        if self.moved:  # found before any bound, as for a disputed text
            slope = np.where(np.isnan(unlisted) | (listed < unlisted), 1.0, self.calibration.line[1])
            wide = widened(lower(listed, unlisted), (low, high), self.moved * slope / LN10)
            # Each disputed text is moved in its own way, some hardly. So the typical movement may keep right answers back, and no wrong
            # ones: an author who is not listed is supported, and one who is listed is ruled out, by the narrower interval.
            low, high = (low, wide[1]) if side else (wide[0], high)
        return low, headline, high

    @cached_property
    def moved(self) -> float:
        """By how much fused scores typically move with the choice of a stand-in's texts, as a standard deviation; 0 without stand-ins."""
        if self.scores.moves is None or not len(self.scores.moves):
            return 0.0
        weights = self.calibration.fusion.weights / self.calibration.fusion.spread
        squares = np.einsum("tij,i,j->t", self.scores.moves, weights, weights)
        return float(np.sqrt(np.maximum(np.median(squares), 0.0)))

    @cached_property
    def denied(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of each document tried with its author, and of each that met an author as an outsider's, whether that author is ruled out."""
        found = []
        for side, met in enumerate((self.scores.own, self.scores.strange)):
            rows, doubts, p = self._left_out[side]
            out = ruled_out(p, self._said(side)[2], doubts.unlike, self.closed or self.costly)
            found.append(out[met[rows] & ~np.isnan(p)])
        return found[0], found[1]

    @cached_property
    def _ratios(self) -> tuple[Ratios, Ratios]:
        calibration = replace(self.calibration, sizes=self.scores.sizes)
        inside, outside = (
            calibration.ratios(scores[rows])
            for scores, (rows, _, _) in zip((self.scores.inside, self.scores.outside), self._left_out, strict=True)
        )
        return inside, outside

    @cached_property
    def _left_out(self) -> tuple[tuple[NDArray[np.bool_], Doubts, Floats], ...]:
        """For documents with their author listed, and not: which they are, what may keep opinions back, and their conformal p."""
        found = []
        for side, rows in enumerate((self.scores.tried, np.asarray(self.scores.strange.any(axis=1)))):
            here, mine = self.judged.standings[side][rows], self.scores.codes[rows]
            listed_ = self.scores.candidates or len(self.scores.sizes)
            among = (float(listed_), self.outsiders.candidates)[side]
            like = self.unlike_p(self.likeness[rows] if len(self.likeness) else self.likeness, len(here), among=True)
            outsiders = self.family_p(self.counted(here, mine), among, mine) if len(here) else np.zeros(0)
            listed = (self.judged.inside, self.judged.outside)[side][0][rows]
            itself = None if side or self.stand_ins else self.scores.own[rows]
            p = conformal(self._own(self.judged.standings[0]), here, itself)
            found.append((rows, Doubts(outsiders, doubt(listed) if len(here) else np.zeros(0), like), p))
        return tuple(found)

    @cached_property
    def most_doubt(self) -> float:
        """The most doubt that an opinion may leave, from left-out texts."""
        return self._limit(np.ones(len(self.scores.sizes), bool))

    @cached_property
    def _limits(self) -> Floats:
        """The same for texts by each author, from those of others."""
        folds = author_folds(len(self.scores.sizes), self.seed)
        found = {number: self._limit(folds != number) for number in np.unique(folds).tolist()}
        return np.array([found[number] for number in folds.tolist()])

    def _limit(self, authors: NDArray[np.bool_]) -> float:
        """The most doubt with which opinions on texts by some authors are right often enough."""
        rows, doubts, _ = self._left_out[0]
        everybody = np.ones(len(authors), bool)
        codes, given = self.scores.codes[rows], self._decided(0, everybody.astype(np.float64), everybody)
        some = (given >= 0) & authors[codes]
        return most_doubt(doubts.doubt[some], given[some] == codes[some])

    @cached_property
    def costly(self) -> bool:
        """Whether the LRs against one of the alternatives were no better than none.

        The upper end of Cllr's interval does not decide: with six authors it is above or below 1 by the luck of the draws (12 of 20 seeds),
        and all of their opinions on another book of theirs were right.
        """
        return self.cllr_listed >= 1 or self.cllr_unlisted >= 1

    @cached_property
    def backing(self) -> tuple[Backing, ...]:
        """For each author."""
        codes, sizes = self.scores.codes[self.scores.tried], self.scores.sizes
        decided = self._decided(0, self._limits, np.ones(len(sizes), bool))
        given = decided >= 0
        right = given & (decided == codes)
        found = []
        for author, size in enumerate(sizes):
            like = np.full(len(codes), self.stand_ins) | (sizes[codes] <= 2 * size)
            counts = (int(each[like].sum()) for each in (np.ones(len(codes), bool), given, right))
            tried = len(codes) if self.stand_ins else int((codes == author).sum())
            found.append(Backing(tried, *counts))
        return tuple(found)

    @cached_property
    def backed(self) -> NDArray[np.bool_]:
        """The authors for whom an opinion can be given."""
        return np.array([each.enough for each in self.backing])

    @cached_property
    def reported(self) -> tuple[Both, Both]:
        """The same within the bounds in which they are reported: of documents whose author is listed, and of outsiders."""
        return self.calibration.bounded(self.judged.inside), self.calibration.bounded(self.judged.outside)

    @cached_property
    def cllr_listed(self) -> float:
        listed = self.reported[0][0]
        return cllr(listed[self.scores.own], listed[self.scores.other]) if self.scores.other.any() else float("nan")

    @cached_property
    def cllr_unlisted(self) -> float:
        """NaN where that alternative is not estimable."""
        if self.closed:
            return float("nan")
        return cllr(self.reported[0][1][self.scores.own], self.reported[1][1][self.scores.strange])

    @cached_property
    def cllr_intervals(self) -> tuple[Interval, Interval]:
        """Of both Cllr, over resamples of authors and of their sources, or of documents where no sources are told."""
        scores, found = self.scores, ([], [])  # type: tuple[Scores, tuple[list[float], list[float]]]
        own, other, strange = scores.own, scores.other, scores.strange
        count, authors = self.effort.fewer_resamples, len(scores.sizes)
        for draw in resamples(scores.codes, count, self.seed, authors=authors, units=self.units):
            each = draw.documents[:, None] * draw.authors
            mine = np.broadcast_to(draw.documents[:, None], own.shape)[own]
            listed, unlisted = self.reported[0]
            if other.any():
                found[0].append(cllr(listed[own], listed[other], (mine, each[other])))
            if not self.closed:
                values = (unlisted[own], self.reported[1][1][strange])
                found[1].append(cllr(*values, (mine, each[strange])))
        first, second = (interval(np.array(values), LEVEL) for values in found)
        return first, second

"""How far a model can be trusted, measured on documents that the models which scored them had not seen.

Everything here follows from the out-of-fold scores by document and by author: the rates of right rankings, the calibration of LRs at
each rung of lengths and how good it is, and what becomes of texts whose author nobody listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.lazy import attributed_out_of_fold
from forensia.attribution.stacked import StackedAttributor, completed
from forensia.diffvectors import probability
from forensia.evidence.authorscores import raw_scores
from forensia.evidence.bootstrap import Interval, Resample, interval, resamples
from forensia.evidence.crossfit import OutOfFold
from forensia.evidence.grouping import several_sources, torn
from forensia.evidence.knowntexts import WHOLE, rung_of
from forensia.evidence.likelihood import LEVEL, Calibration, Crossfitted, Scores, calibrate, crossfitted
from forensia.evidence.measures import accuracy, cllr, confusion
from forensia.evidence.opinion import Outsiders, conformal, decide, own_scores
from forensia.evidence.pairratios import PairCalibration, PairPerformance, PairScores, calibrate_pairs
from forensia.evidence.result import LAZY, STACKED, Alternative, Condition
from forensia.evidence.training import Trained
from forensia.jobs import Progress, part, silent
from forensia.profile import THOROUGH, Effort, Profile

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rung:
    """The validation for texts of one length: scores, calibration, and the best headlines of outsiders."""

    words: int
    scores: Scores
    calibration: Calibration
    seed: int
    effort: Effort = THOROUGH

    @property
    def condition(self) -> Condition:
        """The texts that its figures were measured on."""
        return Condition(words=self.words or None)

    @cached_property
    def judged(self) -> Crossfitted:
        """The LRs by which the calibration is judged."""
        return crossfitted(self.scores)

    @cached_property
    def outsiders(self) -> Outsiders:
        """What chance can do for a text by somebody who is not listed."""
        strange = self.scores.strange
        if not strange.any():
            return Outsiders(np.empty(0), 1.0)
        best = np.nanmax(self.scores.outside[strange.any(axis=1)], axis=1)
        return Outsiders(best, float(strange.sum(axis=1).mean()))

    @cached_property
    def own(self) -> list[Floats]:
        """For each author the scores of their own documents."""
        return own_scores(self.scores.inside, self.scores.own)

    def conformal_p(self, scores: Floats) -> Floats:
        return conformal(self.own, scores)

    def family_p(self, best: Floats, authors: float, among: bool = False) -> Floats:
        """How often an outsider's text gets as high a score with one of the authors; NaN where not estimable."""
        if self.calibration.unlisted_bounds is None:
            return np.full(np.shape(best), np.nan)
        return self.outsiders.family_p(best, authors, among)

    def decisions(self, scores: Floats, authors: float) -> NDArray[np.int64]:
        """The opinions on new texts given by their scores among so many authors, by the rule alone."""
        return self._decided(scores, self.conformal_p(scores), self.family_p(np.nanmax(scores, axis=1), authors))

    def decisions_on_listed(self) -> NDArray[np.int64]:
        """The opinions on the known documents, none of which speaks for itself."""
        scores = self.scores.inside
        p = conformal(self.own, scores, self.scores.own)
        return self._decided(scores, p, self.family_p(np.nanmax(scores, axis=1), scores.shape[1]))

    def decisions_on_outsiders(self) -> NDArray[np.int64]:
        """The opinions on the known documents when their author is not known, none of which speaks for itself."""
        scores = self.scores.outside[self.scores.strange.any(axis=1)]
        family = self.family_p(np.nanmax(scores, axis=1), self.outsiders.candidates, among=True)
        return self._decided(scores, self.conformal_p(scores), family)

    def _decided(self, scores: Floats, p: Floats, family: Floats) -> NDArray[np.int64]:
        ratios = self.calibration.ratios(scores)
        return decide(scores, ratios.headline, ratios.low, p, family)

    @cached_property
    def cllr_listed(self) -> float:
        return cllr(self.judged.inside[0][self.scores.own], self.judged.inside[0][self.scores.other])

    @cached_property
    def cllr_unlisted(self) -> float:
        """NaN where that alternative is not estimable."""
        if self.calibration.unlisted_bounds is None:
            return float("nan")
        return cllr(self.judged.inside[1][self.scores.own], self.judged.outside[1][self.scores.strange])

    @cached_property
    def cllr_intervals(self) -> tuple[Interval, Interval]:
        """Of both Cllr, over resamples of authors and documents."""
        scores, found = self.scores, ([], [])  # type: tuple[Scores, tuple[list[float], list[float]]]
        own, other, strange = scores.own, scores.other, scores.strange
        for draw in resamples(scores.codes, self.effort.fewer_resamples, self.seed):
            each = draw.documents[:, None] * draw.authors
            mine = np.broadcast_to(draw.documents[:, None], own.shape)[own]
            found[0].append(cllr(self.judged.inside[0][own], self.judged.inside[0][other], (mine, each[other])))
            if self.calibration.unlisted_bounds is not None:
                values = (self.judged.inside[1][own], self.judged.outside[1][strange])
                found[1].append(cllr(*values, (mine, each[strange])))
        first, second = (interval(np.array(values), LEVEL) for values in found)
        return first, second


@dataclass(frozen=True)
class Attributed:
    """Who each known document was ascribed to (author codes), by models and choices of k that had not seen it."""

    lazy: NDArray[np.int64]
    stacked: NDArray[np.int64]


Pairs = Mapping[int, tuple[PairCalibration, PairPerformance]]


@dataclass(frozen=True)
class Pairwise:
    """The calibrations of pairs and how good they are, by rung; a rung is missing where pairs are too few.

    `known`: a cut text and a known one, by listed authors; `known_outside`: the same, and whoever did not write both is unknown to the
    model. `unseen` and `unseen_outside`: both texts are new to the model, and cut. `log_odds` are those of all known documents with each
    other, none from a model that had seen both: where each was tried against the other, the mean of the two.
    """

    known: Pairs
    known_outside: Pairs
    unseen: Pairs
    unseen_outside: Pairs
    log_odds: NDArray[np.float32]

    def applying(self, one_known: bool, rung: int) -> Mapping[Alternative, tuple[PairCalibration, PairPerformance]]:
        """The calibrations for such a pair of texts against each alternative that is estimable."""
        kinds = (self.known, self.known_outside) if one_known else (self.unseen, self.unseen_outside)
        alternatives = (Alternative.LISTED, Alternative.UNLISTED)
        return {each: kind[rung] for each, kind in zip(alternatives, kinds, strict=True) if rung in kind}


@dataclass(frozen=True)
class Validation:
    """What the trust page, the opinion and the report rest on."""

    seed: int
    authors: tuple[str, ...]
    median_words: float
    rungs: Mapping[int, Rung]
    attributed: Attributed
    pairwise: Pairwise
    sources: tuple[
        bool, ...
    ]  # for each author, whether their documents were tried by models without the document's source
    torn: tuple[str, ...]  # authors whose documents belong together and could not be kept so
    effort: Effort
    converged: bool

    @property
    def quick(self) -> bool:
        return self.effort.quick

    @property
    def whole(self) -> Rung:
        return self.rungs[WHOLE]

    @property
    def codes(self) -> NDArray[np.intp]:
        return self.whole.scores.codes

    def rung(self, words: int) -> Rung:
        """The validation for a text of so many words."""
        return self.rungs[rung_of(words, tuple(self.rungs), self.median_words)]

    @cached_property
    def labels(self) -> list[str]:
        return [self.authors[code] for code in self.codes]

    def predicted(self, method: str) -> list[str]:
        codes = self.attributed.lazy if method == LAZY else self.attributed.stacked
        return [self.authors[code] for code in codes]

    @cached_property
    def attribution_intervals(self) -> dict[str, dict[str, Interval]]:
        """Of accuracy and macro-F1 of both methods, over resamples of authors and documents."""
        draws = list(resamples(self.codes, self.effort.fewer_resamples, self.seed))
        found: dict[str, dict[str, Interval]] = {}
        for method in (LAZY, STACKED):
            predicted = self.predicted(method)
            found[method] = {
                "accuracy": interval([accuracy(self.labels, predicted, draw.documents) for draw in draws], LEVEL),
                "macro_f1": interval([self._macro_f1(predicted, draw) for draw in draws], LEVEL),
            }
        return found

    def _macro_f1(self, predicted: list[str], draw: Resample) -> float:
        """The mean of F1 over the authors that were drawn, as often as they were."""
        f1 = confusion(self.labels, predicted, draw.documents, self.authors).f1
        return float(np.average(f1, weights=draw.authors))


def validate(trained: Trained, by_author: OutOfFold, median_words: float, progress: Progress = silent) -> Validation:
    """Put together what the out-of-fold scores of a trained model say."""
    if trained.out_of_fold is None:
        raise ValueError("the paper's profile has no out-of-fold scores")
    model, by_document, texts = trained.model, trained.out_of_fold, trained.texts
    codes = model.codes.astype(np.intp)
    seed, profile = model.options.seed, model.options.profile
    effort = profile.effort
    rungs: dict[int, Rung] = {}
    for number, rung in enumerate(by_document.by_rung):
        stage = part(progress, number / (len(by_document.by_rung) + 2), (number + 1) / (len(by_document.by_rung) + 2))
        raw = [
            raw_scores(model.lazy(probability(each.by_rung[rung].astype(np.float64))))
            for each in (by_document, by_author)
        ]
        scores = Scores.of(raw[0], raw[1], codes, by_document.fold, by_author.fold)
        calibration = calibrate(scores, seed, effort.resamples, stage)[0]
        rungs[rung] = Rung(rung, scores, calibration, seed, effort)
    stage = part(progress, 1 - 2 / (len(rungs) + 2), 1.0)
    stage(0.0, "trying the rankings on texts they had not seen")
    pr_same = probability(by_document.log_odds.astype(np.float64))
    attributed = attribute(pr_same, codes, by_document.fold, profile, seed, stage)
    stage(0.6, "calibrating pairs of texts")
    pairs = _pairwise(by_document, by_author, codes, seed, effort.fewer_resamples, part(stage, 0.6, 1.0))
    stage(1.0, "validated")
    apart = several_sources(texts.labels, texts.sources)
    sources = tuple(author in apart for author in model.authors)
    return Validation(
        seed, model.authors, median_words, rungs, attributed, pairs, sources,
        torn(texts.labels, texts.sources, texts.counts), effort, by_document.converged and by_author.converged,
    )  # fmt: skip


def _pairwise(
    by_document: OutOfFold, by_author: OutOfFold, codes: NDArray[np.intp], seed: int, count: int, progress: Progress
) -> Pairwise:
    """Calibrate pairs of every kind on every rung."""
    found: dict[str, dict[int, tuple[PairCalibration, PairPerformance]]] = {
        "known": {}, "known_outside": {}, "unseen": {}, "unseen_outside": {},
    }  # fmt: skip
    steps = len(by_document.by_rung) * len(found)
    for at, rung in enumerate(by_document.by_rung):

        def scored(matrices: Mapping[int, Any], fold: NDArray[np.int64], rung: int = rung) -> PairScores:
            return PairScores.of(matrices[rung], codes, fold, seed)

        known = scored(by_document.by_rung, by_document.fold)
        strange = scored(by_author.by_rung, by_author.fold)
        kinds = {
            "known": known,
            "known_outside": known.against(strange, by_author.fold),
            "unseen": scored(by_document.unseen_by_rung, by_document.fold),
            "unseen_outside": scored(by_author.unseen_by_rung, by_author.fold),
        }
        for number, (kind, pairs) in enumerate(kinds.items()):
            step = at * len(found) + number
            stage = part(progress, step / steps, (step + 1) / steps)
            calibrated = calibrate_pairs(pairs, codes, seed, count, stage)
            if calibrated is not None:
                found[kind][rung] = calibrated
    everything = np.where(np.isnan(by_document.log_odds), by_document.unseen, by_document.log_odds)
    symmetric = np.nan_to_num((everything + everything.T) / 2).astype(np.float32)
    return Pairwise(**found, log_odds=symmetric)


def attribute(
    pr_same: Floats,
    codes: NDArray[np.intp],
    fold: NDArray[np.int64],
    profile: Profile,
    seed: int,
    progress: Progress = silent,
) -> Attributed:
    """Ascribe each document with the k and the stacked classifier that the other folds choose."""
    lazy, stacked = attributed_out_of_fold(pr_same, codes, fold, profile), np.empty(len(codes), np.int64)
    numbers = np.unique(fold)
    for done, number in enumerate(numbers):
        part(progress, 0.0, 0.6)(done / len(numbers), "trying the rankings on texts they had not seen")
        rest, tried = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        inner, rows = pr_same[np.ix_(rest, rest)], pr_same[np.ix_(tried, rest)]
        present, renumbered = np.unique(codes[rest], return_inverse=True)
        learner = StackedAttributor(seed=seed, even=profile.even).fit(completed(inner, renumbered), list(renumbered))
        stacked[tried] = present[learner.authors_[learner.predict_proba(rows).argmax(axis=1)]]
    return Attributed(lazy, stacked)

"""How far a model can be trusted, measured on documents that the models which scored them had not seen.

The fused system is trained here, because its left-out scores come with it: from them follow the rates of right rankings, the calibration of
LRs at each rung of lengths and how good it is, and what becomes of texts whose author nobody listed. What the diff-vector part adds comes
later: Lazy and Stacked are tried with its out-of-fold scores by document; pairs of texts have a validation of their own (`pairwise`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import probability
from forensia.evidence.authorscores import standing
from forensia.evidence.bootstrap import Interval, Resample, interval, resamples
from forensia.evidence.crossfit import OutOfFold
from forensia.evidence.grouping import torn, with_copies
from forensia.evidence.knowntexts import WHOLE, Texts, rung_of
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import LEVEL, Calibration, Crossfitted, Scores, calibrate, crossfitted
from forensia.evidence.measures import accuracy, cllr, confusion
from forensia.evidence.opinion import Outsiders, conformal, decide, own_scores
from forensia.evidence.pairwise import Pairwise, compared
from forensia.evidence.result import FUSED, LAZY, STACKED, Condition
from forensia.evidence.training import Trained
from forensia.jobs import Progress, part, silent
from forensia.profile import THOROUGH, Effort, Profile
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.lazy import attributed_out_of_fold
from forensia.systems.leaving_out import Round, rounds
from forensia.systems.stacked import StackedAttributor, completed

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rung:
    """The validation for texts of one length: scores, calibration, and the best standings of outsiders."""

    words: int
    scores: Scores
    calibration: Calibration
    seed: int
    effort: Effort = THOROUGH
    likeness: Floats = field(default_factory=lambda: np.zeros(0))  # of each document with those of other authors

    @property
    def condition(self) -> Condition:
        """The texts that its figures were measured on."""
        return Condition(words=self.words or None)

    @cached_property
    def judged(self) -> Crossfitted:
        """The LRs by which the calibration is judged."""
        return crossfitted(self.scores, self.calibration.fusion, self.seed)

    @cached_property
    def standings(self) -> tuple[Floats, Floats]:
        """How far authors stand above the others, for documents whose author is listed and for outsiders."""
        return standing(self.calibration.z(self.scores.inside)), standing(self.calibration.z(self.scores.outside))

    @cached_property
    def outsiders(self) -> Outsiders:
        """What chance can do for a text by somebody who is not listed."""
        strange = self.scores.strange
        if not strange.any():
            return Outsiders(np.empty(0), 1.0)
        best = np.nanmax(self.standings[1][strange.any(axis=1)], axis=1)
        return Outsiders(best, float(strange.sum(axis=1).mean()))

    @cached_property
    def own(self) -> list[Floats]:
        """For each author the standings of their own documents."""
        return own_scores(self.standings[0], self.scores.own)

    def conformal_p(self, standings: Floats) -> Floats:
        return conformal(self.own, standings)

    def family_p(self, best: Floats, authors: float, among: bool = False) -> Floats:
        """How often an outsider's text gets as high a score with one of the authors; NaN where not estimable."""
        if self.calibration.unlisted_bounds is None:
            return np.full(np.shape(best), np.nan)
        return self.outsiders.family_p(best, authors, among)

    def unlike_p(self, likeness: Floats, count: int) -> Floats:
        """The share of known documents that are no more like those of other authors than these texts are; 1 where nobody can tell."""
        known = self.likeness
        if not len(known) or not len(likeness):
            return np.ones(count)
        return np.asarray((1.0 + np.searchsorted(np.sort(known), likeness, side="right")) / (len(known) + 1.0))

    def decisions(self, scores: Floats, likeness: Floats) -> NDArray[np.int64]:
        """The opinions on new texts given by the scores of their families and how like the known ones they are, by the rule alone."""
        here = standing(self.calibration.z(scores))
        family = self.family_p(here.max(axis=1), here.shape[1])
        return self._decided(scores, here, self.conformal_p(here), family, likeness)

    def decisions_on_listed(self) -> NDArray[np.int64]:
        """The opinions on the known documents, none of which speaks for itself."""
        tried = self.scores.tried
        here = self.standings[0][tried]
        p = conformal(self.own, here, self.scores.own[tried])
        family = self.family_p(np.nanmax(here, axis=1), here.shape[1])
        return self._decided(self.scores.inside[tried], here, p, family, self._likeness_of(tried))

    def decisions_on_outsiders(self) -> NDArray[np.int64]:
        """The opinions on the known documents when their author is not known, none of which speaks for itself."""
        strange = np.asarray(self.scores.strange.any(axis=1))
        here = self.standings[1][strange]
        family = self.family_p(np.nanmax(here, axis=1), self.outsiders.candidates, among=True)
        likeness = self._likeness_of(strange)
        return self._decided(self.scores.outside[strange], here, self.conformal_p(here), family, likeness)

    def _likeness_of(self, rows: NDArray[np.bool_]) -> Floats:
        return self.likeness[rows] if len(self.likeness) else self.likeness

    def _decided(self, scores: Floats, here: Floats, p: Floats, family: Floats, likeness: Floats) -> NDArray[np.int64]:
        ratios = self.calibration.ratios(scores)
        return decide(here, ratios.headline, ratios.low, p, family, self.unlike_p(likeness, len(here)))

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


@dataclass(frozen=True, eq=False)
class DiffVectors:
    """What the diff-vector part says of the known documents, none of it by a model that had seen them.

    `lazy` and `stacked`: whom each was ascribed to (author codes). `log_odds` are those of DV-Bin for all of them with each other: where
    each was tried against the other, the mean of the two.
    """

    lazy: NDArray[np.int64]
    stacked: NDArray[np.int64]
    log_odds: NDArray[np.float32]
    converged: bool


@dataclass(frozen=True)
class Validation:
    """The fused system, and what the trust page, the opinion and the report rest on; the last two once the diff-vector part is trained."""

    learnt: Learnt
    system: FusedSystem
    rungs: Mapping[int, Rung]
    first: NDArray[np.int64]  # whom each known document was ascribed to without it; -1 for one that could not be tried
    sources: tuple[bool, ...]  # for each author, whether their documents were tried without the document's source
    torn: tuple[str, ...]  # authors whose documents belong together and could not be kept so
    diff_vectors: DiffVectors | None = None
    pairwise: Pairwise | None = None

    @property
    def authors(self) -> tuple[str, ...]:
        return self.learnt.authors

    @property
    def seed(self) -> int:
        return self.learnt.options.seed

    @property
    def effort(self) -> Effort:
        return self.learnt.options.profile.effort

    @property
    def whole(self) -> Rung:
        return self.rungs[WHOLE]

    @property
    def codes(self) -> NDArray[np.intp]:
        return self.whole.scores.codes

    def rung(self, words: int) -> Rung:
        """The validation for a text of so many words."""
        return self.rungs[rung_of(words, tuple(self.rungs), self.learnt.median_words)]

    @cached_property
    def labels(self) -> list[str]:
        return [self.authors[code] for code in self.codes]

    @property
    def ascribed(self) -> Mapping[str, NDArray[np.int64]]:
        """Whom each ranking system ascribed the known documents to."""
        later = self.diff_vectors
        if later is None:
            return {FUSED: self.first}
        return {FUSED: self.first, LAZY: later.lazy, STACKED: later.stacked}

    def predicted(self, system: str) -> tuple[list[str], list[str], NDArray[np.intp]]:
        """The true and the predicted authors of the documents that a system could be tried on, and which these are."""
        codes = self.ascribed[system]
        rows = np.flatnonzero(codes >= 0)
        return [self.labels[row] for row in rows], [self.authors[codes[row]] for row in rows], rows

    @cached_property
    def attribution_intervals(self) -> dict[str, dict[str, Interval]]:
        """Of accuracy and macro-F1 of each system, over resamples of authors and documents."""
        draws = list(resamples(self.codes, self.effort.fewer_resamples, self.seed))
        found: dict[str, dict[str, Interval]] = {}
        for system in self.ascribed:
            labels, predicted, rows = self.predicted(system)
            found[system] = {
                "accuracy": interval([accuracy(labels, predicted, draw.documents[rows]) for draw in draws], LEVEL),
                "macro_f1": interval([self._macro_f1(labels, predicted, rows, draw) for draw in draws], LEVEL),
            }
        return found

    def _macro_f1(self, labels: list[str], predicted: list[str], rows: NDArray[np.intp], draw: Resample) -> float:
        """The mean of F1 over the authors that were drawn and tried, as often as they were drawn."""
        f1 = confusion(labels, predicted, draw.documents[rows], self.authors).f1
        weights = draw.authors * (np.bincount(self.codes[rows], minlength=len(self.authors)) > 0)
        return float(np.average(f1, weights=weights)) if weights.any() else float("nan")


def validate(learnt: Learnt, texts: Texts, progress: Progress = silent) -> Validation:
    """Train the fused system, and put together what its left-out scores say.

    It is tried on texts without their sources where that leaves any author with others; else each without itself.
    """
    codes, options = learnt.codes.astype(np.intp), learnt.options
    by_source = rounds(codes, with_copies(texts.labels, texts.sources, texts.counts), options.seed)
    left_out = by_source or rounds(codes, [()] * len(codes), options.seed)
    system, rungs = fused(texts, codes, left_out, options.fused, options.seed, options.profile.effort, progress)
    whole = rungs[WHOLE]
    elsewhere = {int(codes[row]) for each in by_source for row in each.tried if texts.sources and texts.sources[row]}
    return Validation(
        learnt,
        system,
        rungs,
        np.where(whole.scores.tried, _first(whole.judged.inside[0]), -1).astype(np.int64),
        tuple(code in elsewhere for code in range(len(learnt.authors))),
        torn(texts.labels, texts.sources, texts.counts),
    )


def with_pairs(
    validation: Validation, trained: Trained, by_author: OutOfFold, progress: Progress = silent
) -> Validation:
    """The validation with what the out-of-fold scores of the diff-vector part say of it, and how well pairs of texts are told apart."""
    if trained.out_of_fold is None:
        raise ValueError("the paper's profile has no out-of-fold scores")
    model, by_document = trained.model, trained.out_of_fold
    codes, seed, profile = model.codes.astype(np.intp), model.options.seed, model.options.profile
    progress(0.0, "trying the rankings on texts they had not seen")
    pr_same = probability(by_document.log_odds.astype(np.float64))
    lazy, stacked = attribute(pr_same, codes, by_document.fold, profile, seed, part(progress, 0.0, 0.6))
    everything = np.where(np.isnan(by_document.log_odds), by_document.unseen, by_document.log_odds)
    diff_vectors = DiffVectors(
        lazy=lazy,
        stacked=stacked,
        log_odds=np.nan_to_num((everything + everything.T) / 2).astype(np.float32),
        converged=by_document.converged and by_author.converged,
    )
    stage = part(progress, 0.6, 1.0)
    pairwise = compared(trained.texts, validation.system, model.known, by_author, seed, profile.effort, stage)
    progress(1.0, "validated")
    return replace(validation, diff_vectors=diff_vectors, pairwise=pairwise)


def fused(
    texts: Texts,
    codes: NDArray[np.intp],
    left_out: Sequence[Round],
    families: Sequence[str],
    seed: int,
    effort: Effort,
    progress: Progress = silent,
) -> tuple[FusedSystem, dict[int, Rung]]:
    """The fused system of some texts, and its validation at each length."""
    shorter = [texts.cut[rung] for rung in texts.cut]
    system, scores = fit_fused(texts.counts, codes, left_out, families, shorter, part(progress, 0.0, 0.6))
    rungs: dict[int, Rung] = {}
    for number, (words, each) in enumerate(zip(texts.rungs, scores, strict=True)):
        stage = part(progress, 0.6 + 0.4 * number / len(scores), 0.6 + 0.4 * (number + 1) / len(scores))
        kept = Scores.of(each, codes)
        likeness = system.likeness(texts.cut[words] if words else texts.counts, codes)
        calibration = calibrate(kept, seed, effort.resamples, stage)[0]
        rungs[words] = Rung(words, kept, calibration, seed, effort, likeness)
    return system, rungs


def _first(z: Floats) -> NDArray[np.intp]:
    return np.asarray(np.where(np.isnan(z), -np.inf, z).argmax(axis=1), np.intp)


def attribute(
    pr_same: Floats,
    codes: NDArray[np.intp],
    fold: NDArray[np.int64],
    profile: Profile,
    seed: int,
    progress: Progress = silent,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ascribe each document by Lazy and by Stacked, with the k and the stacked classifier that the other folds choose."""
    lazy, stacked = attributed_out_of_fold(pr_same, codes, fold, profile), np.empty(len(codes), np.int64)
    numbers = np.unique(fold)
    for done, number in enumerate(numbers):
        progress(done / len(numbers), "trying the rankings on texts they had not seen")
        rest, tried = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        inner, rows = pr_same[np.ix_(rest, rest)], pr_same[np.ix_(tried, rest)]
        present, renumbered = np.unique(codes[rest], return_inverse=True)
        learner = StackedAttributor(seed=seed, even=profile.even).fit(completed(inner, renumbered), list(renumbered))
        stacked[tried] = present[learner.authors_[learner.predict_proba(rows).argmax(axis=1)]]
    return lazy, stacked

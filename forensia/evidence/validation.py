"""How far a model can be trusted, measured on documents that the models which scored them had not seen.

The fused system is trained here, because its left-out scores come with it: from them follow the rates of right rankings, the calibration of
LRs at each rung of lengths and how good it is, and what becomes of texts whose author nobody listed. What the diff-vector part adds comes
later: Lazy and Stacked are tried with its out-of-fold scores by document; pairs of texts have a validation of their own (`pairwise`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import probability
from forensia.evidence.bootstrap import Interval, Resample, interval, resamples
from forensia.evidence.crossfit import OutOfFold
from forensia.evidence.grouping import torn, with_copies
from forensia.evidence.knowntexts import Texts
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import LEVEL, Scores, calibrate
from forensia.evidence.measures import accuracy, confusion
from forensia.evidence.opinion import FEWEST_COMPARISONS
from forensia.evidence.pairwise import Pairwise, compared
from forensia.evidence.result import FUSED, LAZY, STACKED, Condition, Source
from forensia.evidence.rung import Halved, Rung
from forensia.evidence.training import Trained
from forensia.jobs import Progress, part, silent
from forensia.profile import Effort, Profile
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.halving import Halving, halving
from forensia.systems.lazy import attributed_out_of_fold
from forensia.systems.leaving_out import Round, rounds, together
from forensia.systems.stacked import StackedAttributor, completed

UNTOLD = "\0"  # in place of sources that nobody has told; no name can be this
Floats = NDArray[np.float64]


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
    """The fused system, and what the trust page, the opinion and the report rest on; the last two once the diff-vector part is trained.

    The rungs for texts from a known source are always there; those for a new one where sources are known and somebody has two.
    """

    learnt: Learnt
    system: FusedSystem
    rungs: tuple[Rung, ...]
    told: bool  # whether the sources of any text are known
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
    def source(self) -> Source:
        """The condition of its headline figures: a new source, wherever that could be tried."""
        return self.rungs[0].condition.source

    @property
    def whole(self) -> Rung:
        """Of whole texts from that source."""
        return self.rungs[0]

    @property
    def codes(self) -> NDArray[np.intp]:
        return self.learnt.codes.astype(np.intp)

    def of(self, source: Source) -> tuple[Rung, ...]:
        """The rungs for texts from a known or a new source, whole texts first; none where that could not be tried."""
        return tuple(rung for rung in self.rungs if rung.condition.source == source)

    def rung(self, words: int, source: Source | None = None) -> Rung:
        """The validation for a text of so many words from a source, or from a known one where a new one could not be tried."""
        rungs = self.of(source or self.source) or self.rungs
        median = self.learnt.median_words
        fitting = {rung.words or median: rung for rung in rungs}
        return fitting[max((each for each in fitting if each <= words), default=min(fitting))]

    @property
    def shortest(self) -> float:
        """The length of the shortest texts that were tried."""
        return min(rung.words or self.learnt.median_words for rung in self.rungs)

    @cached_property
    def labels(self) -> list[str]:
        return [self.authors[code] for code in self.codes]

    @property
    def ascribed(self) -> Mapping[str, NDArray[np.int64]]:
        """Whom each ranking system ascribed the known documents to."""
        later, first = self.diff_vectors, self.whole.first
        return {FUSED: first} if later is None else {FUSED: first, LAZY: later.lazy, STACKED: later.stacked}

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
    """Train the fused system, and put together what its left-out scores say: of new sources where these can be tried, and of known ones."""
    codes, options = learnt.codes.astype(np.intp), learnt.options
    ways = left_out(texts, codes, options.seed)
    system, rungs = fused(
        texts, codes, ways, options.fused, options.seed, options.profile.effort, learnt.median_words, progress
    )
    return Validation(learnt, system, rungs, any(texts.sources), torn(texts.labels, texts.sources, texts.counts))


def told(sources: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The sources of texts; what nobody has told is one more."""
    return [names or (UNTOLD,) for names in sources]


def left_out(texts: Texts, codes: NDArray[np.intp], seed: int) -> dict[Source, list[Round]]:
    """How texts are left out to be tried: with their sources, as if from a new one, where anybody has two; and each by itself.

    Copies go together. The texts of an author of which no source is known count as one source.
    """
    found: dict[Source, list[Round]] = {}
    by_source = (
        rounds(codes, with_copies(texts.labels, told(texts.sources), texts.counts), seed) if any(texts.sources) else []
    )
    if by_source:
        found["new"] = by_source
    found["known"] = rounds(codes, with_copies(texts.labels, (), texts.counts), seed)
    return found


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
    ways: Mapping[Source, Sequence[Round]],
    families: Sequence[str],
    seed: int,
    effort: Effort,
    median: float = 0.0,
    progress: Progress = silent,
) -> tuple[FusedSystem, tuple[Rung, ...]]:
    """The fused system of some texts, and its validation for each way of leaving out and each length."""
    shorter = [texts.cut[rung] for rung in texts.cut]
    belonging: dict[Source, list[tuple[str, ...]]] = {"new": told(texts.sources), "known": [()] * len(codes)}
    fewer = {source: found for source, way in ways.items() if (found := halving(way, codes, belonging[source], seed))}
    system, scores = fit_fused(
        texts.counts,
        codes,
        list(ways.values()),
        families,
        shorter,
        part(progress, 0.0, 0.5),
        texts.sources,
        [half for each in fewer.values() for half in each.halves],
    )
    units = together(codes, belonging["new"]) if "new" in ways else None
    likeness = [system.likeness(texts.cut[words] if words else texts.counts, codes) for words in texts.rungs]
    tried: list[_Tried] = []
    for place, source in enumerate(ways):
        every = [Scores.of(each.inside[place], each.outside, codes) for each in scores]
        theirs = units if source == "new" else None
        cut = [
            _Tried(Condition(source, words or None), kept, like, None, theirs)
            for words, kept, like in zip(texts.rungs, every, likeness, strict=True)
        ]
        # From a known source, the others that a text is joined with would be known.
        longer = _joined(every[0], texts.sources) if source == "new" else ()
        tried += [*cut, *(cut[0].joined(*each, median) for each in longer)]
    rungs = []
    for number, each in enumerate(tried):
        stage = part(progress, 0.5 + 0.5 * number / len(tried), 0.5 + 0.5 * (number + 1) / len(tried))
        rungs.append(each.calibrated(seed, effort, stage))
    return system, tuple(_with_halves(rungs, fewer, scores[0].inside[len(ways) :]))


@dataclass(frozen=True, eq=False)
class _Tried:
    """Texts of one length that were tried under one condition, before their scores are calibrated."""

    condition: Condition
    scores: Scores
    likeness: Floats
    groups: NDArray[np.int64] | None
    units: NDArray[np.intp] | None

    def joined(self, count: int, groups: NDArray[np.int64], median: float) -> _Tried:
        """The texts that whole ones were joined to."""
        firsts = [int(np.flatnonzero(groups == text)[0]) for text in range(int(groups.max()) + 1)]
        return _Tried(
            Condition(self.condition.source, int(count * median), count),
            self.scores.joined(groups),
            means(self.likeness, groups),
            groups,
            None if self.units is None else self.units[firsts],
        )

    def calibrated(self, seed: int, effort: Effort, progress: Progress) -> Rung:
        calibration = calibrate(self.scores, seed, effort.resamples, progress)[0]
        return Rung(self.condition, self.scores, calibration, seed, effort, self.likeness, self.groups, self.units)


def _with_halves(rungs: Sequence[Rung], fewer: Mapping[Source, Halving], scores: Sequence[Floats]) -> Iterator[Rung]:
    """The rungs with what became of whole texts with half of what was left; of joined texts it is not known."""
    sources = list(fewer)
    found: dict[Source, Halved] = {}
    for place, source in enumerate(sources):
        whole = next(rung for rung in rungs if rung.condition.source == source)
        found[source] = _halved(whole, fewer[source], scores[2 * place : 2 * place + 2])
    for rung in rungs:
        yield rung if rung.joined is not None else replace(rung, halved=found.get(rung.condition.source))


def _halved(rung: Rung, fewer: Halving, scores: Sequence[Floats]) -> Halved:
    """What became of texts with half of what was left."""
    before, *right = (_first(rung.calibration.z(each)) == rung.scores.codes for each in (rung.scores.inside, *scores))
    tried = rung.scores.tried
    return Halved(
        (before & tried).astype(np.float64), np.where(tried, np.mean(right, axis=0), 0.0), fewer.steps, fewer.missing
    )


def _first(z: Floats) -> NDArray[np.intp]:
    return np.asarray(np.where(np.isnan(z), -np.inf, z).argmax(axis=1), np.intp)


def _joined(scores: Scores, sources: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Documents of one author and one source joined by twos, fours and so on, as long as enough can be tried.

    From several occasions they would say more of an author than one long text does: mails joined by fours were ascribed rightly in 95 %,
    mails of that length in 76 %.
    """
    belong: dict[tuple[object, ...], list[int]] = {}
    for row, names in enumerate(sources):
        if names:
            belong.setdefault((int(scores.codes[row]), *names), []).append(row)
    count = 2
    while True:
        groups = np.full(len(scores.codes), -1, np.int64)
        number = tried = 0
        for rows in belong.values():
            for start in range(0, len(rows) - count + 1, count):
                some = rows[start : start + count]
                groups[some] = number
                number += 1
                tried += bool(scores.tried[some].all())
        if tried < FEWEST_COMPARISONS:
            return
        yield count, groups
        count *= 2


def means(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """Of the values of the documents with each number; -1 is none."""
    if not len(values):
        return values
    inside = groups >= 0
    return np.asarray(np.bincount(groups[inside], values[inside]) / np.bincount(groups[inside]))


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

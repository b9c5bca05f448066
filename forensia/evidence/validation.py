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
from forensia.evidence.crossfit import OutOfFold, not_kept_together, with_copies
from forensia.evidence.knowntexts import Texts
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import LEVEL, Scores, calibrate, covariances
from forensia.evidence.measures import accuracy, confusion
from forensia.evidence.opinion import FEWEST_COMPARISONS
from forensia.evidence.pairwise import Pairwise, compared
from forensia.evidence.result import FUSED, LAZY, STACKED, Condition, Source
from forensia.evidence.rung import Halved, Rung
from forensia.evidence.training import Trained
from forensia.jobs import Progress, part, silent
from forensia.profile import Effort, Profile
from forensia.systems.against import StandIns, against, tried, usable
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.lazy_stacked import StackedAttributor, attributed_out_of_fold, completed
from forensia.systems.leaving_out import Halving, Round, halving, rounds, together

UNSTATED = "\0"  # in place of sources that nobody has told; no name can be this
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
    sources_known: bool  # whether the sources of any text are known
    apart: tuple[str, ...]  # authors whose documents belong together and could not be kept so
    diff_vectors: DiffVectors | None = None
    pairwise: Pairwise | None = None

    @property
    def authors(self) -> tuple[str, ...]:
        return self.learnt.authors

    @cached_property
    def asked(self) -> FusedSystem:
        """The system that scores texts: where there is a population, only candidates have scores."""
        learnt = self.learnt
        return against(self.system, learnt.candidates, self.seed) if learnt.population else self.system

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
        return rungs[on_ladder(words, [rung.condition for rung in rungs], self.learnt.median_words)]

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
        """Of accuracy and macro-F1 of each system, over resamples of authors and of their sources, or documents."""
        draws = list(resamples(self.codes, self.effort.fewer_resamples, self.seed, units=self.whole.units))
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


def on_ladder(words: int, conditions: Sequence[Condition], median: float) -> int:
    """Which of the conditions holds for a text of so many words: the longest that is not longer, or else the shortest."""
    lengths = {each.words or median: number for number, each in enumerate(conditions)}
    return lengths[max((each for each in lengths if each <= words), default=min(lengths))]


def validate(learnt: Learnt, texts: Texts, progress: Progress = silent) -> Validation:
    """Train the fused system, and put together what its left-out scores say: of new sources where these can be tried, and of known ones."""
    codes, options = learnt.codes.astype(np.intp), learnt.options
    ways = left_out(texts, codes, options.seed)
    candidates = learnt.candidates if learnt.population else None
    system, rungs = fused(
        texts,
        codes,
        ways,
        options.fused,
        options.seed,
        options.profile.effort,
        learnt.median_words,
        progress,
        candidates,
    )
    return Validation(
        learnt, system, rungs, any(texts.sources), not_kept_together(texts.labels, texts.sources, texts.counts)
    )


def stated_sources(sources: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The sources of texts; what nobody has told is one more."""
    return [names or (UNSTATED,) for names in sources]


def left_out(texts: Texts, codes: NDArray[np.intp], seed: int) -> dict[Source, list[Round]]:
    """How texts are left out to be tried: with their sources, as if from a new one, where anybody has two; and each by itself.

    Copies go together, and so do the pieces of one text. The texts of an author of which no source is known count as one source.
    """
    found: dict[Source, list[Round]] = {}
    pieces = texts.pieces or [()] * len(codes)
    if any(texts.sources):
        sources = [(*names, *piece) for names, piece in zip(stated_sources(texts.sources), pieces, strict=True)]
        if by_source := rounds(codes, with_copies(texts.labels, sources, texts.counts), seed):
            found["new"] = by_source
    found["known"] = rounds(codes, with_copies(texts.labels, pieces, texts.counts), seed)
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
    candidates: NDArray[np.intp] | None = None,
) -> tuple[FusedSystem, tuple[Rung, ...]]:
    """The fused system of some texts, and its validation for each way of leaving out and each length.

    Where only some authors are `candidates`, it is that of stand-ins for them.
    """
    shorter = [texts.cut[rung] for rung in texts.cut] if candidates is None else []
    belonging: dict[Source, list[tuple[str, ...]]] = {"new": stated_sources(texts.sources), "known": [()] * len(codes)}
    fewer: dict[Source, Halving] = {}
    if candidates is None:
        fewer = {source: half for source, way in ways.items() if (half := halving(way, codes, belonging[source], seed))}
    system, scores = fit_fused(
        texts.counts,
        codes,
        list(ways.values()),
        families,
        shorter,
        part(progress, 0.0, 0.5 if candidates is None else 0.2),
        texts.sources,
        [half for each in fewer.values() for half in each.halves],
    )
    sizes, left = (
        system.sizes,
        [[Scores.of(each.inside[way], each.outside, codes) for each in scores] for way in range(len(ways))],
    )
    if candidates is not None:
        sizes, numbers = against(system, candidates, seed).sizes, np.bincount(codes)
        wanted = np.minimum(numbers[candidates], usable(numbers))
        left = stand_ins(texts, system, wanted, list(ways.values()), seed, part(progress, 0.2, 0.5))
    trials = tried_under(texts, system, dict(zip(ways, left, strict=True)), median, seed)
    rungs = []
    for number, each in enumerate(trials):
        stage = part(progress, 0.5 + 0.5 * number / len(trials), 0.5 + 0.5 * (number + 1) / len(trials))
        rungs.append(each.calibrated(sizes, seed, effort, stage))
    return system, tuple(_with_halves(rungs, fewer, scores[0].inside[len(ways) :]))


def stand_ins(
    texts: Texts,
    system: FusedSystem,
    wanted: NDArray[np.intp],
    ways: Sequence[Sequence[Round]],
    seed: int,
    progress: Progress = silent,
) -> list[list[Scores]]:
    """For each way of leaving out the scores of stand-ins with so many texts, whole texts first and then at each length."""
    kept, codes = system.kept, system.codes
    players = StandIns.of(codes[kept], wanted, [[each.among(kept) for each in way] for way in ways], seed)
    versions = [(texts.cut[words] if words else texts.counts).rows(kept) for words in texts.rungs]
    sizes = np.maximum(players.sizes, 1)
    found: list[list[Scores]] = [[] for _ in ways]
    for each in tried(system, players, versions, progress):
        for way, trial in enumerate(each):
            every = np.full((len(codes), *trial.scores.shape[1:]), np.nan)
            every[kept] = trial.scores
            moves = covariances(trial.without_each)
            found[way].append(Scores.of_stand_ins(every, codes, sizes, len(wanted), seed, moves))
    return found


def tried_under(
    texts: Texts, system: FusedSystem, left: Mapping[Source, Sequence[Scores]], median: float, seed: int
) -> list[Tried]:
    """The left-out scores of texts from each source, at each length, with all that their calibration needs."""
    codes, found = system.codes, []
    likeness = [system.likeness(texts.cut[words] if words else texts.counts, codes) for words in texts.rungs]
    for source, every in left.items():
        units = together(codes, stated_sources(texts.sources)) if source == "new" else None
        cut = [
            Tried(
                Condition(source, words) if words else Condition(source, median=round(median)), kept, like, None, units
            )
            for words, kept, like in zip(texts.rungs, every, likeness, strict=True)
        ]
        # From a known source, the others that a text is joined with would be known.
        longer = _joined(every[0], texts.sources) if source == "new" else ()
        found += [*cut, *(cut[0].joined(*each, median, seed) for each in longer)]
    return found


@dataclass(frozen=True, eq=False)
class Tried:
    """Texts of one length that were tried under one condition, before their scores are calibrated."""

    condition: Condition
    scores: Scores
    likeness: Floats
    groups: NDArray[np.int64] | None
    units: NDArray[np.intp] | None

    def joined(self, count: int, groups: NDArray[np.int64], median: float, seed: int) -> Tried:
        """The texts that whole ones were joined to."""
        firsts = [int(np.flatnonzero(groups == text)[0]) for text in range(int(groups.max()) + 1)]
        return Tried(
            Condition(self.condition.source, int(count * median), count),
            self.scores.joined(groups, seed),
            means(self.likeness, groups),
            groups,
            None if self.units is None else self.units[firsts],
        )

    def calibrated(self, sizes: NDArray[np.intp], seed: int, effort: Effort, progress: Progress) -> Rung:
        """With the calibration for authors who have so many texts."""
        calibration = calibrate(self.scores, seed, effort.resamples, progress, self.units)[0]
        calibration = replace(calibration, sizes=sizes)
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

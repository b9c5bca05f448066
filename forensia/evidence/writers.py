"""Texts by people of whom the case has learnt nothing: which of several are by one writer, and is another by the writer of some?

Several texts are put into groups by the likelihood ratios of all pairs. The two groups with the highest mean log LR between their texts
(average link) are joined, as long as it is above 0: as long as one writer is more probable than two, if both were equally so before. How
often that goes wrong is tried on known texts of the same lengths, as if nothing by their authors were known. The weights of the families
are those that other authors give; the line that makes LRs of scores is that of all.

Where all authors of the case are the population, the writer of some known texts is held against the case as a candidate is against a
population. What the score is worth comes from stand-ins: every author of the case plays the newcomer, with as many texts, and is tried on
texts of the length of the one in question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.errors import InputError
from forensia.evidence.bootstrap import interval, pair_weights, resamples
from forensia.evidence.crossfit import author_folds
from forensia.evidence.knowntexts import Texts
from forensia.evidence.likelihood import FEWEST_AUTHORS, LEVEL
from forensia.evidence.opinion import ABSTAIN, FEWEST_COMPARISONS, NONE, decide
from forensia.evidence.pairwise import CrossfitFusion, PairTexts, TriedPairs
from forensia.evidence.result import ComparedText, Condition, Ends, LikelihoodRatio, Reason, Source
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Tried, Validation, left_out, on_ladder, stand_ins, tried_under
from forensia.features import Counts
from forensia.jobs import Progress, part, silent, tracked
from forensia.systems.against import newcomer, usable
from forensia.systems.centred import NOBODY
from forensia.systems.leaving_out import Round

DRAWS = 300
TRIES = 20  # to draw texts of so many writers, before that number is given up
UNSURE = "pair-interval-includes-1"  # the one reason that a pair may have in a grouping
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class TextPair:
    """Two of several texts, by their numbers, with their fused log-odds; no opinion is given where there are reasons."""

    a: int
    b: int
    fused: float
    ratio: LikelihoodRatio | None
    reasons: tuple[Reason, ...] = ()

    @property
    def given(self) -> bool:
        return self.ratio is not None and not self.reasons


@dataclass(frozen=True)
class WrongPairs:
    """How many of some pairs fell into the wrong groups."""

    wrong: int
    pairs: int
    interval: Ends | None

    @property
    def share(self) -> float:
        return self.wrong / self.pairs


@dataclass(frozen=True)
class GroupingError:
    """Groupings of known texts by so many writers: pairs by two writers that were put together, and pairs by one that were split.

    None where no such pair could be drawn.
    """

    draws: int
    writers: tuple[int, int]  # the fewest and the most
    together: WrongPairs | None
    split: WrongPairs | None


@dataclass(frozen=True)
class Grouping:
    """Two texts or more, all their pairs, and the groups of those that one person may have written, by their numbers.

    There are none where LRs are missing or worth nothing.
    """

    texts: tuple[ComparedText, ...]
    pairs: tuple[TextPair, ...]
    groups: tuple[tuple[int, ...], ...]
    error: GroupingError | None = None
    warnings: tuple[Reason, ...] = ()

    @classmethod
    def of(cls, texts: tuple[ComparedText, ...], pairs: Sequence[TextPair]) -> Grouping:
        found: tuple[tuple[int, ...], ...] = ()
        log10 = ratios_of(len(texts), pairs)
        if np.isfinite(log10).all() and all(reason.code == UNSURE for pair in pairs for reason in pair.reasons):
            labels = grouped(log10)
            found = tuple(tuple(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1))
        return cls(texts, tuple(pairs), found)

    @property
    def log10(self) -> Floats:
        """The log10 LRs of all pairs (texts x texts), 0 for a text with itself; NaN where not estimable."""
        return ratios_of(len(self.texts), self.pairs)


def ratios_of(texts: int, pairs: Sequence[TextPair]) -> Floats:
    found = np.zeros((texts, texts))
    for pair in pairs:
        found[pair.a, pair.b] = found[pair.b, pair.a] = np.nan if pair.ratio is None else pair.ratio.log10
    return found


def grouped(log10: Floats) -> Rows:
    """The number of each text's group, from the LRs of all pairs; groups are numbered by their first text."""
    member = np.eye(len(log10))
    while len(member) > 1:
        sizes = member.sum(axis=1)
        means = member @ log10 @ member.T / np.outer(sizes, sizes)
        means[np.tril_indices(len(means))] = -np.inf
        first, second = np.unravel_index(int(means.argmax()), means.shape)
        if means[first, second] <= 0:
            break
        member[first] += member[second]
        member = np.delete(member, second, axis=0)
    return np.asarray(member.argmax(axis=0), np.intp)


def pair_rung(validation: Validation, words: int) -> int:
    """The length at which a pair whose shorter text has so many words was tried."""
    return validation.rung(min(words, int(validation.learnt.median_words))).words


def grouping_error(
    validation: Validation, texts: Texts, words: Sequence[int], progress: Progress = silent
) -> GroupingError | None:
    """How often groupings of known texts that have these lengths are wrong, with as many writers as can be: from one to one for each.

    None where nothing can be drawn, or pairs of such lengths were not tried.
    """
    system, seed, pairwise = validation.system, validation.seed, validation.pairwise
    codes, chosen = system.codes, PairTexts.of(texts, system.codes, seed)
    drawn = list(_draws(chosen, len(words), np.random.default_rng([seed, 43])))
    strange, fold = chosen.kinds(seed)["unseen_outside"], author_folds(texts.labels, validation.effort.folds, seed)
    fusion = CrossfitFusion.fit(strange, _cosines(validation, texts, chosen, strange, 0), codes, fold)
    if not drawn or fusion is None or pairwise is None:
        return None
    one, other = np.triu_indices(len(words), 1)
    rungs = np.array(
        [pair_rung(validation, min(words[i], words[j])) for i, j in zip(one.tolist(), other.tolist(), strict=True)]
    )
    every = np.stack(drawn)
    first, second = every[:, one], every[:, other]
    log10 = np.empty(first.shape)
    for rung in tracked(np.unique(rungs).tolist(), progress, "trying such groupings on known texts"):
        at = rungs == rung
        sides = first[:, at].ravel(), second[:, at].ravel()
        pairs = TriedPairs(*sides, np.column_stack([codes[side] for side in sides]), known=False, halved=False)
        scores = fusion.scores(pairs, _cosines(validation, texts, chosen, pairs, rung), codes)
        ratios = pairwise.log10_lr(scores.log_odds, 0, rung)
        if ratios is None:
            return None
        log10[:, at] = ratios.reshape(len(drawn), -1)
    joined = np.empty(first.shape, bool)
    for draw, values in enumerate(log10):
        matrix = np.zeros((len(words), len(words)))
        matrix[one, other] = matrix[other, one] = values
        labels = grouped(matrix)
        joined[draw] = labels[one] == labels[other]
    same = codes[first] == codes[second]
    rates = [
        _wrong(joined[some] == wrongly, first[some], second[some], validation)
        for some, wrongly in ((~same, True), (same, False))
    ]
    writers = [len(np.unique(codes[rows])) for rows in drawn]
    return GroupingError(len(drawn), (min(writers), max(writers)), rates[0], rates[1])


def _cosines(validation: Validation, texts: Texts, chosen: PairTexts, pairs: TriedPairs, rung: int) -> Floats:
    """Of pairs of known texts that are cut to one length."""
    counts = (texts.cut[rung] if rung else texts.counts).rows(chosen.rows)
    first, second = (np.searchsorted(chosen.rows, side) for side in (pairs.first, pairs.second))
    return validation.system.centred_pairs(counts, counts, first, second, pairs.without)


def _draws(chosen: PairTexts, number: int, rng: np.random.Generator) -> list[Rows]:
    """So many known texts, by one writer, two, and so on in turn; texts of one writer share no source, where that can be."""
    allowed = chosen.allowed | chosen.allowed.T
    own = [np.flatnonzero(chosen.codes[chosen.rows] == code) for code in np.unique(chosen.codes[chosen.rows])]
    found = []
    for draw in range(DRAWS):
        writers = 1 + draw % number
        if writers > len(own):
            continue
        for _ in range(TRIES):
            wanted = np.ones(writers, np.intp) + rng.multinomial(number - writers, np.full(writers, 1 / writers))
            some = [
                _apart(rng.permutation(own[code]), allowed, int(size))
                for code, size in zip(rng.permutation(len(own)), wanted, strict=False)
            ]
            if sum(map(len, some)) == number:
                found.append(chosen.rows[rng.permutation(np.concatenate(some))])
                break
    return found


def _apart(rows: Rows, allowed: NDArray[np.bool_], size: int) -> Rows:
    """The first so many of which any two may be compared."""
    kept: list[int] = []
    for row in rows.tolist():
        if len(kept) < size and allowed[row, kept].all():
            kept.append(row)
    return np.array(kept, np.intp)


def _wrong(wrong: NDArray[np.bool_], first: Rows, second: Rows, validation: Validation) -> WrongPairs | None:
    """The share with its interval, over resamples of authors and their texts."""
    if not len(wrong):
        return None
    shares = []
    for draw in resamples(validation.codes, validation.effort.fewer_resamples, validation.seed):
        weights = pair_weights(draw, first, second)
        shares.append(float(weights @ wrong / weights.sum()) if weights.any() else float("nan"))
    found = interval(shares, LEVEL)
    ends = (found.low, found.high)
    return WrongPairs(int(wrong.sum()), len(wrong), ends if np.isfinite(ends).all() else None)


@dataclass(frozen=True)
class Verified:
    """What was found about a text and `texts` known ones: `same` is the answer, one writer or two, or None where none is given."""

    condition: Condition
    texts: int
    score: float
    ratio: LikelihoodRatio | None
    same: bool | None

    @property
    def probability(self) -> float | None:
        """That one person wrote all, if that was as probable as not before; None where no LR is estimable."""
        return None if self.ratio is None else 1.0 / (1.0 + 10.0**-self.ratio.log10)


@dataclass(frozen=True, eq=False)
class Newcomers:
    """A case with the counts of its known texts, ready to verify texts by people whom it does not know; calibrations are made once."""

    validation: Validation
    texts: Texts

    def __post_init__(self) -> None:
        authors = len(self.validation.authors)
        if authors < FEWEST_AUTHORS:
            raise InputError(
                f"The case has {authors} authors. At least {FEWEST_AUTHORS} are needed to say what somebody else's texts look like."
            )

    @cached_property
    def most(self) -> int:
        """So many known texts can be used: of more there are no stand-ins."""
        return usable(np.bincount(self.validation.system.codes))

    @cached_property
    def _ways(self) -> Mapping[Source, Sequence[Round]]:
        return left_out(self.texts, self.validation.codes, self.validation.seed)

    @cached_property
    def _trials(self) -> dict[int, list[Tried]]:
        """The trials of stand-ins, by their number of texts, as far as they have been needed."""
        return {}

    @cached_property
    def _rungs(self) -> dict[tuple[int, Condition], Rung]:
        return {}

    def _tried(self, number: int, words: int, progress: Progress) -> Tried:
        """How texts of that length fared with stand-ins who have so many texts: from a new source where enough could be tried."""
        validation, learnt = self.validation, self.validation.learnt
        if number not in self._trials:
            wanted, ways = np.array([number]), list(self._ways.values())
            left = stand_ins(self.texts, validation.system, wanted, ways, validation.seed, progress)
            self._trials[number] = tried_under(
                self.texts,
                validation.system,
                dict(zip(self._ways, left, strict=True)),
                learnt.median_words,
                validation.seed,
            )
        for source in self._ways:
            some = [each for each in self._trials[number] if each.condition.source == source]
            found = some[on_ladder(words, [each.condition for each in some], learnt.median_words)]
            if found.scores.tried.sum() >= FEWEST_COMPARISONS:
                return found
        raise InputError(f"Too few authors of the case have so many texts that {number} known ones could be tried.")

    def rung(self, number: int, words: int, progress: Progress = silent) -> Rung:
        """The validation for somebody with so many known texts and a text of so many words."""
        tried = self._tried(number, words, part(progress, 0.0, 0.5))
        validation, key = self.validation, (number, tried.condition)
        if key not in self._rungs:
            sizes = np.full(len(validation.authors), number)
            stage = part(progress, 0.5, 1.0)
            self._rungs[key] = tried.calibrated(sizes, validation.seed, validation.effort, stage)
        return self._rungs[key]

    def verify(
        self, known: Counts, parts: Counts, words: int, without: Sequence[int] = (), progress: Progress = silent
    ) -> Verified:
        """Whether a text of so many words, read in parts, is by the writer of the known ones; authors `without` do not count.

        The rule is that of the opinion about a case's only candidate.
        """
        validation = self.validation
        if len(known) > self.most:
            drawn = np.random.default_rng([validation.seed, 41]).permutation(len(known))[: self.most]
            known = known.rows(np.sort(drawn))
        rung = self.rung(len(known), words, progress)
        calibration, found = rung.calibration, newcomer(validation.system, known, parts, without)
        # Stand-ins play for whoever it is, so that all places of such a rung are alike: the newcomer takes the first.
        scores = np.full((len(found), len(validation.authors), found.shape[1]), np.nan)
        scores[:, 0] = found
        whole, without_each = scores[:1], scores[1:]
        z, ratios = calibration.z(whole), calibration.ratios(whole)
        here = calibration.placed(z)
        if len(without_each):
            ratios = calibration.widened(ratios, whole, without_each, np.zeros(len(without_each), np.intp))
        likeness = validation.system.likeness(parts, np.full(len(parts), NOBODY))
        if len(likeness):
            likeness = likeness.mean(keepdims=True)
        doubts = rung.doubts(calibration.log10_lr(whole)[0], here, likeness)
        p = rung.conformal_p(here)
        decision = int(decide(here, ratios.headline, ratios.low, p, doubts, rung.most_doubt, rung.backed)[0])
        ratio = calibration.said(ratios, 0)[0]
        if ratio is None or rung.costly or words < validation.shortest or (decision == NONE and ratio.log10 >= 0):
            decision = ABSTAIN  # nor is 'not this one' an answer where the LR says otherwise
        same = {NONE: False, ABSTAIN: None}.get(decision, True)
        return Verified(rung.condition, len(known), float(z[0, 0]), ratio, same)

"""Did the writer of some known texts, of whom the case has learnt nothing, write another text? All authors of the case are the population.

Such an author is held against the case as a candidate is against a population. What the score is worth comes from stand-ins: every author
of the case plays the newcomer, with as many texts, and is tried on texts of the length of the one in question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from forensia.errors import InputError
from forensia.evidence.knowntexts import Texts
from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.opinion import ABSTAIN, FEWEST_COMPARISONS, NONE, decide
from forensia.evidence.result import Condition, LikelihoodRatio, Source
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Tried, Validation, left_out, on_ladder, stand_ins, tried_under
from forensia.features import Counts
from forensia.jobs import Progress, part, silent
from forensia.systems.against import newcomer, usable
from forensia.systems.centred import NOBODY
from forensia.systems.leaving_out import Round


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

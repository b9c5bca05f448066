"""The validation in numbers, which the trust page, the report and `forensia validate` show. What cannot be estimated is None."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.bootstrap import Interval, interval, resamples, share_interval, wilson
from forensia.evidence.calibration import Bounds
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.measures import accuracy, auc, cllr_min, confusion, eer, misleading_rates
from forensia.evidence.opinion import ABSTAIN, ALPHA, NONE, false_support, smallest_p
from forensia.evidence.pairwise import KINDS, Pairs
from forensia.evidence.reasons import ReferenceGroup, notes, reference
from forensia.evidence.result import FUSED, LAZY, Alternative, Condition, Ends, Reason, Source, Strangers
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Validation

THRESHOLDS = (1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Misleading:
    """The share of comparisons with the right author below 1/threshold, and of those with a wrong one above it."""

    threshold: float
    same: float | None
    different: float | None


@dataclass(frozen=True)
class Performance:
    """How good likelihood ratios are: of an author against one alternative, or of two texts."""

    same: int
    different: int
    cllr: float | None
    cllr_min: float | None
    cllr_interval: Ends | None
    eer: float | None
    auc: float | None
    accuracy: float | None = None  # of pairs
    misleading: tuple[Misleading, ...] = ()
    bounds: Bounds | None = None

    def beyond(self, threshold: float) -> Misleading:
        """The misleading rates at a threshold."""
        return next(rate for rate in self.misleading if rate.threshold == threshold)


@dataclass(frozen=True)
class OnListed:
    """What the rule of the opinion does with texts by listed authors, as shares of them."""

    documents: int
    opinion: float
    right_when_given: float | None
    none_of_these: float
    no_opinion: float
    given: int = 0
    opinion_interval: Ends | None = None
    right_interval: Ends | None = None
    none_interval: Ends | None = None
    no_opinion_interval: Ends | None = None


@dataclass(frozen=True)
class OnUnlisted:
    """What it does with texts by people whom the model does not know.

    `supported_interval` is for as many other authors (see `_among_others`): whoever wrote a disputed text is none of those who were tried.
    """

    documents: int
    wrongly_supported: float
    none_of_these: float
    no_opinion: float
    declined: float
    supported_interval: Ends | None = None
    none_interval: Ends | None = None
    no_opinion_interval: Ends | None = None


@dataclass(frozen=True)
class FalseSupport:
    """How often an outsider's text gets an LR above a threshold for one author, and for at least one of so many."""

    threshold: float
    one_author: float | None
    any_author: float | None
    candidates: int
    any_interval: Ends | None = None


@dataclass(frozen=True)
class OpenSet:
    """What becomes of texts by listed authors and by outsiders under the rule of the opinion, whole."""

    alpha: float
    listed: OnListed
    unlisted: OnUnlisted | None
    false_support: tuple[FalseSupport, ...] = ()


@dataclass(frozen=True)
class FirstPlace:
    """How often the true author is put first."""

    documents: int
    share: float | None
    interval: Ends | None
    left_out: float | None = None  # with the texts that were left; `share` is what more of them are worth besides
    left_out_interval: Ends | None = None

    @property
    def counted(self) -> tuple[float | None, Ends | None]:
        """The share that was found by counting, nothing estimated, and its interval."""
        if self.left_out is None or self.left_out == self.share:
            return self.share, self.interval
        return self.left_out, self.left_out_interval


@dataclass(frozen=True)
class Denied:
    """How often an author is ruled out alone: of so many texts tried with their `own` author, and of so many comparisons with `others`."""

    own: int
    wrongly: float | None
    others: int
    rightly: float | None


@dataclass(frozen=True)
class Figure:
    """What was measured under one condition: first places, the LRs against both alternatives, and the rule of the opinion."""

    condition: Condition
    listed: Performance
    unlisted: Performance | None
    open_set: OpenSet
    first: FirstPlace = FirstPlace(0, None, None)
    denied: Denied | None = None

    def against(self, alternative: Alternative) -> Performance | None:
        return self.listed if alternative in (Alternative.LISTED, Alternative.CLOSED) else self.unlisted


@dataclass(frozen=True)
class Attribution:
    """How often a system puts the true author first, by models that had not seen the text; rows of `confusion` are true authors."""

    accuracy: float
    accuracy_interval: Ends | None
    macro_f1: float
    macro_f1_interval: Ends | None
    confusion: tuple[tuple[int, ...], ...]
    documents: int = 0


@dataclass(frozen=True)
class Recognised:
    """How well a system recognises one author."""

    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True)
class AuthorFigure:
    """How one author fared in the validation."""

    author: str
    documents: int
    systems: Mapping[str, Recognised]
    own_supported: float | None
    others_supported: float | None
    median_log10: float | None
    smallest_p: float | None
    source_left_out: bool
    outside_supported: float | None = (
        None  # of the author's texts, when nothing by the author is known: those with an opinion for somebody
    )
    tried: int = 0  # the author's texts, of which `own_supported` is a share
    others: int = 0  # texts of others, of which `others_supported` is one
    outside: int = 0  # the author's texts that were tried as an outsider's

    @property
    def headline(self) -> Recognised:
        return self.systems[FUSED if FUSED in self.systems else LAZY]


@dataclass(frozen=True)
class PairFigures:
    """How well two writers are told from one, by which of two texts is known and whether their writers are listed.

    `strangers` holds the fused score beside other methods, on the same pairs by people whom none of them knows. Nothing is known of all
    this as long as the diff-vector part is not trained.
    """

    unseen: Performance | None = None
    unseen_outside: Performance | None = None
    known: Performance | None = None
    known_outside: Performance | None = None
    strangers: Strangers | None = None


@dataclass(frozen=True)
class ValidationSummary:
    """Everything that `forensia validate` tells.

    First come the figures for a new source where these could be tried, then those for a known one; of each, whole texts, then shorter and
    shorter ones, then longer ones.
    """

    documents: int
    median_words: float
    quick: bool
    converged: bool
    systems: Mapping[str, Attribution]
    pairs: PairFigures
    figures: tuple[Figure, ...]
    by_author: tuple[AuthorFigure, ...]
    notes: tuple[Reason, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)  # of the families in the fused ranking of whole texts
    chance: float = 0.0  # of drawing the author
    majority: float = 0.0  # the share of texts by the author who has most: what always naming that one would reach
    told: bool = False  # whether the sources of any text are known
    reference: ReferenceGroup | None = None  # where there is a population; then `by_author` has the candidates alone

    @property
    def authors(self) -> int:
        return len(self.by_author) + (0 if self.reference is None else self.reference.authors)

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The alternatives that LRs are given against: of an only candidate there is no other to hold the author against."""
        if self.reference is None:
            return Alternative.LISTED, Alternative.UNLISTED
        return (Alternative.POPULATION,) if self.reference.alone else (Alternative.LISTED, Alternative.POPULATION)

    @property
    def whole(self) -> Figure:
        return self.figures[0]

    def of(self, source: Source) -> Figure | None:
        """The figure of whole texts from a known or a new source."""
        return next((each for each in self.figures if each.condition.source == source), None)

    @property
    def one_source(self) -> tuple[str, ...]:
        """The authors whose texts could not be tried as if from a new source."""
        return tuple(each.author for each in self.by_author if not each.source_left_out)

    @property
    def fused_only(self) -> bool:
        """Whether the diff-vector part has not been trained yet."""
        return LAZY not in self.systems

    @property
    def headline(self) -> Attribution:
        """Of the system whose ranking is the answer."""
        return self.systems[FUSED if FUSED in self.systems else LAZY]


def summarise(validation: Validation, before: ValidationSummary | None = None) -> ValidationSummary:
    """Measure a validation; for a large corpus it takes long, so the figures that it had `before` its diff-vector part are taken over."""
    pairs, later = validation.pairwise, validation.diff_vectors
    return ValidationSummary(
        documents=len(validation.codes),
        median_words=validation.learnt.median_words,
        quick=validation.effort.quick,
        converged=later is None or later.converged,
        systems={system: _attribution(validation, system) for system in validation.ascribed},
        pairs=PairFigures()
        if pairs is None
        else PairFigures(**{kind: _pairs(getattr(pairs, kind)) for kind in KINDS}, strangers=pairs.strangers),
        figures=tuple(map(figure, validation.rungs)) if before is None else before.figures,
        by_author=tuple(_authors(validation)),
        notes=tuple(notes(validation)),
        weights=_weights(validation),
        chance=1 / len(validation.learnt.candidates),
        majority=float(np.bincount(validation.codes).max() / len(validation.codes)),
        told=validation.sources_known,
        reference=reference(validation),
    )


def _weights(validation: Validation) -> dict[str, float]:
    """What the answer rests on: the weights of the families' scores, each in units of its spread."""
    names = (family.name for family in validation.system.families)
    return dict(zip(names, validation.whole.calibration.fusion.weights.tolist(), strict=True))


def number(value: float) -> float | None:
    """A number that can be kept: None where there is none."""
    return float(value) if math.isfinite(value) else None


def _ends(found: Interval) -> Ends | None:
    return (found.low, found.high) if math.isfinite(found.low) and math.isfinite(found.high) else None


def _attribution(validation: Validation, system: str) -> Attribution:
    labels, predicted, _ = validation.predicted(system)
    found = confusion(labels, predicted, classes=validation.authors)
    intervals = validation.attribution_intervals[system]
    return Attribution(
        accuracy(labels, predicted),
        _ends(intervals["accuracy"]),
        float(found.f1[np.isin(validation.authors, labels)].mean()) if labels else float("nan"),
        _ends(intervals["macro_f1"]),
        tuple(tuple(row) for row in found.counts.astype(int).tolist()),
        len(labels),
    )


def _pairs(kind: Pairs) -> Performance | None:
    """Of whole texts."""
    found = kind.get(WHOLE)
    if found is None:
        return None
    measured = found[1]
    return Performance(
        measured.same, measured.different, number(measured.cllr), number(measured.cllr_min), _ends(measured.cllr_interval),
        number(measured.eer), number(measured.auc), measured.accuracy,
    )  # fmt: skip


def figure(rung: Rung) -> Figure:
    """What was measured under one condition."""
    scores, (inside, outside) = rung.scores, rung.reported
    listed, unlisted = rung.cllr_intervals
    own = scores.own

    def measured(same: Any, different: Any, cost: float, ends: Interval, bounds: Bounds) -> Performance:
        rates = misleading_rates(same, different, thresholds=THRESHOLDS)
        return Performance(
            len(same), len(different), number(cost), number(cllr_min(same, different)), _ends(ends),
            number(eer(same, different)), number(auc(same, different)), None,
            tuple(Misleading(rate.threshold, number(rate.same), number(rate.different)) for rate in rates), bounds,
        )  # fmt: skip

    second = None
    if rung.calibration.unlisted_bounds is not None:
        second = measured(
            inside[1][own], outside[1][scores.strange],
            rung.cllr_unlisted, unlisted, rung.calibration.unlisted_bounds,
        )  # fmt: skip
    other = inside[0][scores.other]
    first = measured(
        inside[0][own] if len(other) else other, other,  # an only candidate has no odds against others
        rung.cllr_listed, listed, rung.calibration.listed_bounds,
    )  # fmt: skip
    return Figure(rung.condition, first, second, open_set(rung), _first_place(rung), _denied(rung))


def _denied(rung: Rung) -> Denied | None:
    if rung.closed:
        return None
    own, others = rung.denied
    wrongly, rightly = (number(float(each.mean())) if len(each) else None for each in (own, others))
    return Denied(len(own), wrongly, len(others), rightly)


def _first_place(rung: Rung) -> FirstPlace:
    tried = rung.scores.tried
    right = rung.first[tried] == rung.scores.codes[tried]
    if not len(right) or rung.scores.candidates == 1:  # whoever is alone is first
        return FirstPlace(0, None, None)
    found = number(rung.first_places(np.ones(len(tried))))
    counted = ends = _share_ends(rung, right, tried)
    if rung.halved is not None:
        draws = resamples(rung.scores.codes, rung.effort.fewer_resamples, rung.seed, units=rung.units)
        ends, least = (
            _ends(interval([rung.first_places(each.documents) for each in draws])),
            wilson(found or 0.0, len(right)),
        )
        ends = None if ends is None else (min(ends[0], least[0]), max(ends[1], least[1]))
    return FirstPlace(len(right), found, ends, float(right.mean()), counted)


def _share_ends(rung: Rung, hits: NDArray[np.bool_], rows: NDArray[np.bool_]) -> Ends | None:
    units = None if rung.units is None else rung.units[rows]
    return _ends(share_interval(hits, rung.scores.codes[rows], rung.effort.fewer_resamples, rung.seed, units))


def _among_others(rate: float, ends: Ends | None) -> Ends | None:
    """The prediction interval of a rate among as many other authors: the square root of 2 times as wide, since theirs varies as much.

    With the interval of the rate itself, 5 % (to 7.3 %) was stated of film reviewers, and 7.9 % found on 25 others.
    """
    if ends is None:
        return None
    low, high = (rate + math.sqrt(2) * (end - rate) for end in ends)
    return max(low, 0.0), min(high, 1.0)


def open_set(rung: Rung) -> OpenSet:
    """What the rule of the opinion does for texts of one length."""
    scores = rung.scores
    inside, tried = rung.on_listed, scores.tried
    given = inside >= 0
    rows = np.flatnonzero(tried)[given]
    of_given = np.isin(np.arange(len(tried)), rows)
    listed = OnListed(
        documents=len(inside),
        opinion=float(given.mean()),
        right_when_given=number(float((inside == scores.codes[scores.tried])[given].mean())) if given.any() else None,
        none_of_these=float((inside == NONE).mean()),
        no_opinion=float((inside == ABSTAIN).mean()),
        given=int(given.sum()),
        opinion_interval=_share_ends(rung, given, tried),
        right_interval=_share_ends(rung, (inside == scores.codes[tried])[given], of_given),
        none_interval=_share_ends(rung, inside == NONE, tried),
        no_opinion_interval=_share_ends(rung, inside == ABSTAIN, tried),
    )
    if rung.calibration.unlisted_bounds is None or not scores.strange.any():
        return OpenSet(ALPHA, listed, None)
    outside, strangers = rung.on_outsiders, np.asarray(scores.strange.any(axis=1))
    wrongly = float((outside >= 0).mean())
    unlisted = OnUnlisted(
        documents=len(outside),
        wrongly_supported=wrongly,
        none_of_these=float((outside == NONE).mean()),
        no_opinion=float((outside == ABSTAIN).mean()),
        declined=float((outside < 0).mean()),
        supported_interval=_among_others(wrongly, _share_ends(rung, outside >= 0, strangers)),
        none_interval=_share_ends(rung, outside == NONE, strangers),
        no_opinion_interval=_share_ends(rung, outside == ABSTAIN, strangers),
    )
    headline = scores.among(rung.calibration.headline(*rung.judged.outside))
    best = np.fmax.reduce(headline[strangers], axis=1)
    support = []
    for threshold in THRESHOLDS:
        found = false_support(headline, threshold)
        ends = _share_ends(rung, best > math.log10(threshold), strangers)
        support.append(FalseSupport(threshold, number(found.single), number(found.family), found.candidates, ends))
    return OpenSet(ALPHA, listed, unlisted, tuple(support))


def _authors(validation: Validation) -> list[AuthorFigure]:
    rung = validation.whole
    tables = {
        system: confusion(*validation.predicted(system)[:2], classes=validation.authors)
        for system in validation.ascribed
    }
    headline = rung.calibration.headline(*rung.judged.inside)
    elsewhere = next(iter(validation.of("new")), None)
    outside = np.zeros(0, np.int64) if rung.closed else rung.on_outsiders
    strangers = rung.scores.codes[rung.scores.strange.any(axis=1)]
    rows = []
    for code in validation.learnt.candidates.tolist():
        author = validation.authors[code]
        own, other = rung.scores.own[:, code], rung.scores.other[:, code]
        mine = headline[own, code]
        rows.append(
            AuthorFigure(
                author=author,
                documents=int((validation.codes == code).sum()),
                systems={
                    system: Recognised(
                        number(float(table.precision[code])),
                        number(float(table.recall[code])),
                        number(float(table.f1[code])),
                    )
                    for system, table in tables.items()
                },
                own_supported=number(float((mine > 0).mean())) if mine.size else None,
                others_supported=number(float((headline[other, code] > 0).mean())) if other.any() else None,
                median_log10=number(float(np.median(mine))) if mine.size else None,
                smallest_p=smallest_p(len(rung.own[code])) if len(rung.own[code]) else None,
                source_left_out=elsewhere is not None
                and bool(elsewhere.stand_ins or elsewhere.scores.own[:, code].any()),
                outside_supported=number(float((outside[code == strangers] >= 0).mean()))
                if len(outside) and (strangers == code).any()
                else None,
                tried=int(own.sum()),
                others=int(other.sum()),
                outside=int((strangers == code).sum()) if len(outside) else 0,
            )
        )
    return rows

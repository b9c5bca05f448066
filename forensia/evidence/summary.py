"""The validation in numbers, which the trust page, the report and `forensia validate` show. What cannot be estimated is None."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from forensia.evidence.bootstrap import Interval
from forensia.evidence.conformal import false_support, smallest_p
from forensia.evidence.elub import Bounds
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.measures import accuracy, auc, cllr_min, confusion, eer, misleading_rates
from forensia.evidence.opinion import ABSTAIN, ALPHA, FEW_AUTHORS, NONE
from forensia.evidence.pairwise import KINDS, Pairs
from forensia.evidence.result import FUSED, LAZY, Alternative, Condition, Ends, Reason, Strangers
from forensia.evidence.validation import Rung, Validation

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


@dataclass(frozen=True)
class OnUnlisted:
    """What it does with texts by people whom the model does not know."""

    documents: int
    wrongly_supported: float
    none_of_these: float
    no_opinion: float
    declined: float


@dataclass(frozen=True)
class FalseSupport:
    """How often an outsider's text gets an LR above a threshold for one author, and for at least one of so many."""

    threshold: float
    one_author: float | None
    any_author: float | None
    candidates: int


@dataclass(frozen=True)
class OpenSet:
    """What becomes of texts by listed authors and by outsiders under the rule of the opinion (its lengths and counts aside)."""

    alpha: float
    listed: OnListed
    unlisted: OnUnlisted | None
    false_support: tuple[FalseSupport, ...] = ()


@dataclass(frozen=True)
class Figure:
    """What was measured under one condition: the LRs against both alternatives, and the rule of the opinion."""

    condition: Condition
    listed: Performance
    unlisted: Performance | None
    open_set: OpenSet

    def against(self, alternative: Alternative) -> Performance | None:
        return self.unlisted if alternative is Alternative.UNLISTED else self.listed


@dataclass(frozen=True)
class Attribution:
    """How often a system puts the true author first, by models that had not seen the text; rows of `confusion` are true authors."""

    accuracy: float
    accuracy_interval: Ends | None
    macro_f1: float
    macro_f1_interval: Ends | None
    confusion: tuple[tuple[int, ...], ...]


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
    """Everything that `forensia validate` tells; the figure of whole texts comes first, then shorter and shorter ones."""

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

    @property
    def authors(self) -> int:
        return len(self.by_author)

    @property
    def whole(self) -> Figure:
        return self.figures[0]

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
        figures=tuple(map(_figure, validation.rungs.values())) if before is None else before.figures,
        by_author=tuple(_authors(validation)),
        notes=tuple(_notes(validation)),
        weights=_weights(validation),
        chance=1 / len(validation.authors),
        majority=float(np.bincount(validation.codes).max() / len(validation.codes)),
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


def _figure(rung: Rung) -> Figure:
    """How good the LRs of an author against each alternative are, for texts of one length."""
    scores, judged = rung.scores, rung.judged
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
            judged.inside[1][own], judged.outside[1][scores.strange],
            rung.cllr_unlisted, unlisted, rung.calibration.unlisted_bounds,
        )  # fmt: skip
    first = measured(
        judged.inside[0][own], judged.inside[0][scores.other],
        rung.cllr_listed, listed, rung.calibration.listed_bounds,
    )  # fmt: skip
    return Figure(rung.condition, first, second, open_set(rung))


def open_set(rung: Rung) -> OpenSet:
    """What the rule of the opinion does for texts of one length."""
    scores = rung.scores
    inside = rung.decisions_on_listed()
    given = inside >= 0
    listed = OnListed(
        documents=len(inside),
        opinion=float(given.mean()),
        right_when_given=number(float((inside == scores.codes[scores.tried])[given].mean())) if given.any() else None,
        none_of_these=float((inside == NONE).mean()),
        no_opinion=float((inside == ABSTAIN).mean()),
    )
    if rung.calibration.unlisted_bounds is None or not scores.strange.any():
        return OpenSet(ALPHA, listed, None)
    outside = rung.decisions_on_outsiders()
    unlisted = OnUnlisted(
        documents=len(outside),
        wrongly_supported=float((outside >= 0).mean()),
        none_of_these=float((outside == NONE).mean()),
        no_opinion=float((outside == ABSTAIN).mean()),
        declined=float((outside < 0).mean()),
    )
    headline = rung.calibration.headline(*rung.judged.outside)
    support = []
    for threshold in THRESHOLDS:
        found = false_support(headline, threshold)
        support.append(FalseSupport(threshold, number(found.single), number(found.family), found.candidates))
    return OpenSet(ALPHA, listed, unlisted, tuple(support))


def _authors(validation: Validation) -> list[AuthorFigure]:
    rung = validation.whole
    tables = {
        system: confusion(*validation.predicted(system)[:2], classes=validation.authors)
        for system in validation.ascribed
    }
    headline = rung.calibration.headline(*rung.judged.inside)
    rows = []
    for code, author in enumerate(validation.authors):
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
                source_left_out=validation.sources[code],
            )
        )
    return rows


def _notes(validation: Validation) -> list[Reason]:
    """What limits the validation itself."""
    found = []
    authors = len(validation.authors)
    if validation.effort.quick:
        found.append(Reason("quick-validation"))
    if authors < FEWEST_AUTHORS:
        found.append(Reason("unlisted-not-estimable", {"authors": authors, "fewest": FEWEST_AUTHORS}))
    elif authors < FEW_AUTHORS:
        found.append(Reason("unlisted-few-authors", {"authors": authors, "few": FEW_AUTHORS}))
    left_out = sum(validation.sources)
    if left_out < authors:
        found.append(Reason("new-source-not-estimable", {"untried": authors - left_out, "authors": authors}))
    if validation.torn:
        found.append(Reason("texts-not-kept-together", {"authors": validation.torn}))
    lonely = [row for row, scores in enumerate(validation.whole.own) if len(scores) < 1]
    if lonely:
        found.append(Reason("single-documents", {"authors": tuple(validation.authors[code] for code in lonely)}))
    if validation.diff_vectors is None:
        found.append(Reason("pairs-to-come"))
    elif not validation.diff_vectors.converged:
        found.append(Reason("validation-not-converged"))
    return found

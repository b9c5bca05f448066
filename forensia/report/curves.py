"""The curves of the figures of the validation: how far the numbers can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.measures import (
    EceCurve,
    PavFit,
    ReliabilityCurve,
    TippettCurves,
    ece_curve,
    pav,
    posterior,
    reliability_curve,
    tippett_curves,
)
from forensia.evidence.opinion import false_support
from forensia.evidence.result import Alternative, Condition, Result
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Validation

__all__ = ["Curves", "OpenSetCurve", "Plots", "as_curve", "curves", "most_used"]

Floats = NDArray[np.float64]
Points = tuple[float, ...]
_TIPPETT, _PRIORS, _THRESHOLDS = 121, 61, 31


@dataclass(frozen=True)
class TippettPoints:
    """The points of a Tippett plot."""

    log10_lr: Points
    same: Points
    different: Points


@dataclass(frozen=True)
class EcePoints:
    """The points of an ECE plot."""

    prior_log10_odds: Points
    lr: Points
    pav: Points
    neutral: Points


@dataclass(frozen=True)
class PavPoints:
    """The steps of a PAV plot."""

    low: Points
    high: Points
    same: Points
    different: Points


@dataclass(frozen=True)
class ReliabilityPoints:
    """The points of a reliability plot."""

    stated: Points
    observed: Points
    count: Points


Curve = TypeVar("Curve", TippettCurves, EceCurve, PavFit, ReliabilityCurve)
Line = TypeVar("Line", TippettPoints, EcePoints, PavPoints, ReliabilityPoints)


@dataclass(frozen=True)
class Plots:
    """What the figures of the likelihood ratios against one alternative show."""

    tippett: TippettPoints
    ece: EcePoints
    pav: PavPoints
    reliability: ReliabilityPoints


@dataclass(frozen=True)
class OpenSetCurve:
    """What becomes of outsiders at each threshold of the LR, and of listed authors' own texts."""

    threshold: Points
    any_author: Points
    one_author: Points
    declined: Points
    candidates: float


@dataclass(frozen=True)
class Curves:
    """What the figures of the validation show, for texts of one length from a new or a known source."""

    condition: Condition
    listed: Plots | None
    unlisted: Plots | None = None
    open_set: OpenSetCurve | None = None

    def against(self, alternative: Alternative) -> Plots | None:
        return self.listed if alternative in (Alternative.LISTED, Alternative.CLOSED) else self.unlisted


def most_used(validation: Validation, results: Sequence[Result]) -> Rung:
    """The validation for the source and the length that most of the disputed texts have; the shorter of two that as many have."""
    counts = Counter(validation.rung(each.words, each.stated.source).condition for each in results)
    best = max(counts, key=lambda condition: (counts[condition], -(condition.words or 10**9)))
    return next(rung for rung in validation.rungs if rung.condition == best)


def curves(rung: Rung) -> Curves:
    """What the figures of the validation show, for both alternatives, and the open set."""
    scores, judged = rung.scores, rung.judged
    listed = _plots(judged.inside[0][scores.own], judged.inside[0][scores.other])
    if rung.calibration.unlisted_bounds is None:
        return Curves(rung.condition, listed)
    unlisted = _plots(judged.inside[1][scores.own], judged.outside[1][scores.strange])
    strangers = scores.among(rung.calibration.headline(*judged.outside))
    own = rung.calibration.headline(*rung.judged.inside)
    best = np.where(np.isnan(own), -np.inf, own).max(axis=1)
    thresholds = 10.0 ** np.linspace(0.0, 3.0, _THRESHOLDS)
    support = [false_support(strangers, float(threshold)) for threshold in thresholds]
    open_set = OpenSetCurve(
        threshold=tuple(thresholds.tolist()),
        any_author=tuple(each.family for each in support),
        one_author=tuple(each.single for each in support),
        declined=tuple(float((best <= np.log10(threshold)).mean()) for threshold in thresholds),
        candidates=support[0].candidates,
    )
    return Curves(rung.condition, listed, unlisted, open_set)


def _plots(same: Floats, different: Floats) -> Plots | None:
    same, different = (values[~np.isnan(values)] for values in (same, different))
    if not same.size or not different.size:
        return None
    falling = tippett_curves(same, different, points=_TIPPETT)
    cost = ece_curve(same, different, prior_log10_odds=np.linspace(-3.0, 3.0, _PRIORS))
    best = pav(same, different)
    truth = np.arange(same.size + different.size) < same.size
    # Both kinds count the same, as for somebody to whom both were equally probable beforehand.
    weights = np.where(truth, 0.5 / same.size, 0.5 / different.size)
    stated = reliability_curve(posterior(np.concatenate([same, different])), truth, weights)
    return Plots(
        _points(TippettPoints, falling),
        _points(EcePoints, cost),
        _points(PavPoints, best),
        _points(ReliabilityPoints, stated),
    )


def _points(kind: type[Line], curve: object) -> Line:
    """The points of a curve, which has them in arrays of the same names."""
    return kind(**{each.name: tuple(getattr(curve, each.name).tolist()) for each in fields(kind)})


def as_curve(kind: type[Curve], stored: object) -> Curve:
    """The curve of a figure, as it was stored: in arrays of the same names."""
    return kind(**{each.name: np.array(getattr(stored, each.name), dtype=np.float64) for each in fields(kind)})

"""How far the numbers can be trusted, as plain data: the validation of the case, and the curves of its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.conformal import false_support
from forensia.evidence.elub import Bounds
from forensia.evidence.measures import (
    EceCurve,
    ReliabilityCurve,
    TippettCurves,
    ece_curve,
    posterior,
    reliability_curve,
    tippett_curves,
)
from forensia.evidence.pav import PavFit, pav
from forensia.evidence.validation import Rung, Validation

__all__ = ["bounds_of", "curves", "ece", "most_used", "pav_fit", "reliability", "tippett"]

Floats = NDArray[np.float64]
LISTED, UNLISTED = "listed", "unlisted"
_TIPPETT, _PRIORS, _THRESHOLDS = 121, 61, 31


def most_used(validation: Validation, words: Sequence[int]) -> Rung:
    """The validation for the length that most of the disputed texts have; the shorter of two that as many have."""
    counts = Counter(validation.rung(each).words for each in words)
    best = max(counts, key=lambda rung: (counts[rung], -(rung or 10**9)))
    return validation.rungs[best]


def bounds_of(rung: Rung) -> dict[str, Any]:
    """The limits of the LRs against both alternatives, with the comparisons that they rest on."""
    found = {LISTED: rung.calibration.listed_bounds, UNLISTED: rung.calibration.unlisted_bounds}
    return {
        name: None
        if each is None
        else {"log10": [each.lower, each.upper], "same": each.n_same, "different": each.n_different}
        for name, each in found.items()
    }


def as_bounds(stored: dict[str, Any] | None) -> Bounds | None:
    """Limits as the wording takes them."""
    if stored is None:
        return None
    lower, upper = stored["log10"]
    return Bounds(float(lower), float(upper), int(stored["same"]), int(stored["different"]))


def curves(rung: Rung) -> dict[str, Any]:
    """What the figures of the validation show, for both alternatives, and the open set."""
    scores, judged = rung.scores, rung.judged
    found: dict[str, Any] = {
        "words": rung.words or None,
        LISTED: _curves(judged.inside[0][scores.own], judged.inside[0][scores.other]),
        UNLISTED: None,
        "open_set": None,
    }
    if rung.calibration.unlisted_bounds is None:
        return found
    found[UNLISTED] = _curves(judged.inside[1][scores.own], judged.outside[1][scores.strange])
    strangers = rung.calibration.headline(*rung.judged.outside)
    own = rung.calibration.headline(*rung.judged.inside)
    best = np.where(np.isnan(own), -np.inf, own).max(axis=1)
    thresholds = 10.0 ** np.linspace(0.0, 3.0, _THRESHOLDS)
    support = [false_support(strangers, float(threshold)) for threshold in thresholds]
    found["open_set"] = {
        "threshold": thresholds.tolist(),
        "any_author": [each.family for each in support],
        "one_author": [each.single for each in support],
        "declined": [float((best <= np.log10(threshold)).mean()) for threshold in thresholds],
        "candidates": support[0].candidates,
    }
    return found


def _curves(same: Floats, different: Floats) -> dict[str, Any] | None:
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
    return {
        "tippett": {name: getattr(falling, name).tolist() for name in ("log10_lr", "same", "different")},
        "ece": {name: getattr(cost, name).tolist() for name in ("prior_log10_odds", "lr", "pav", "neutral")},
        "pav": {name: getattr(best, name).tolist() for name in ("low", "high", "same", "different")},
        "reliability": {name: getattr(stated, name).tolist() for name in ("stated", "observed", "count")},
    }


def tippett(stored: dict[str, Any]) -> TippettCurves:
    """The curve of a figure, as it was stored."""
    return TippettCurves(**_arrays(stored["tippett"]))


def ece(stored: dict[str, Any]) -> EceCurve:
    """The curve of a figure, as it was stored."""
    return EceCurve(**_arrays(stored["ece"]))


def pav_fit(stored: dict[str, Any]) -> PavFit:
    """The curve of a figure, as it was stored."""
    return PavFit(**_arrays(stored["pav"]))


def reliability(stored: dict[str, Any]) -> ReliabilityCurve:
    """The curve of a figure, as it was stored."""
    return ReliabilityCurve(**_arrays(stored["reliability"]))


def _arrays(stored: dict[str, list[float]]) -> dict[str, Floats]:
    return {name: np.array(values, dtype=np.float64) for name, values in stored.items()}

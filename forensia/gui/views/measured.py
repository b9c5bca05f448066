"""What the child process reads out of a validation for the trust page and for 'How typical?': numbers small enough to be sent.

Curves are made here; the window only passes them on to whoever draws them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from forensia.case.store import Case
from forensia.jobs import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forensia.evidence.validation import Rung

    Floats = NDArray[np.float64]

Json = Any
News = Callable[[Json], None]
MOST = 4_000
"""Scores of a kind that are sent; of more, every so manieth in their order."""

_STEPS = 61  # thresholds of the open-set curves


def trust(progress: Progress, news: News, *, case: str) -> Json:
    """The validation in numbers; what the plots show comes first, as news, because it takes no time."""
    progress(0.0, "Reading the validation")
    from forensia.case.work import open_validation
    from forensia.evidence.validationsummary import summary

    with Case.open(case, read_only=True) as read:
        validation = open_validation(read)
    news(curves(validation.whole))
    progress(0.3, "Putting the validation into words")
    return summary(validation)


def curves(rung: Rung) -> dict[str, Json]:
    """What the plots of the trust page show, for both alternatives."""
    judged, scores = rung.judged, rung.scores
    found: dict[str, Json] = {
        "listed": _against(judged.inside[0][scores.own], judged.inside[0][scores.other]),
        "unlisted": None,
        "scores": _scores(rung),
        "open_set": None,
    }
    if rung.calibration.unlisted_bounds is not None:
        found["unlisted"] = _against(judged.inside[1][scores.own], judged.outside[1][scores.strange])
        found["open_set"] = _open_set(rung)
    return found


def typical(progress: Progress, news: News, *, case: str, lazy: Mapping[str, float], words: int) -> Json:
    """The scores of the validation for texts of this length, and the score of this text for each author, on the same scale."""
    progress(0.0, "Reading the validation")
    import numpy as np

    from forensia.case.work import open_validation
    from forensia.evidence.authorscores import cohort_scores, raw_scores

    with Case.open(case, read_only=True) as read:
        validation = open_validation(read)
    rung = validation.rung(words)
    row = np.array([[lazy.get(author, math.nan) for author in validation.authors]])
    here = cohort_scores(raw_scores(row))[0]
    return {
        **_scores(rung),
        "words": rung.words,
        "cohort": len(validation.authors) >= 4,
        "own_of": {author: _thin(rung.own[code]) for code, author in enumerate(validation.authors)},
        "here": {author: float(here[code]) for code, author in enumerate(validation.authors)},
    }


def _against(same: Floats, different: Floats) -> dict[str, Json]:
    """Every curve of likelihood ratios against one alternative."""
    import numpy as np

    from forensia.evidence.measures import ece_curve, posterior, reliability_curve, tippett_curves
    from forensia.evidence.pav import pav

    tippett, ece, fit = tippett_curves(same, different), ece_curve(same, different), pav(same, different)
    labels = np.arange(same.size + different.size) < same.size
    weights = np.where(labels, 0.5 / max(1, same.size), 0.5 / max(1, different.size))
    stated = reliability_curve(posterior(np.concatenate([same, different])), labels, weights)
    return {
        "tippett": _plain(log10_lr=tippett.log10_lr, same=tippett.same, different=tippett.different),
        "ece": _plain(prior_log10_odds=ece.prior_log10_odds, lr=ece.lr, pav=ece.pav, neutral=ece.neutral),
        "pav": _plain(low=fit.low, high=fit.high, same=fit.same, different=fit.different),
        "reliability": _plain(stated=stated.stated, observed=stated.observed, count=stated.count),
    }


def _scores(rung: Rung) -> dict[str, Json]:
    """The scores of texts with their own author, with other listed authors, and of outsiders with listed authors."""
    scores = rung.scores
    groups = {
        "own": scores.inside[scores.own],
        "other": scores.inside[scores.other],
        "outsiders": scores.outside[scores.strange],
    }
    return {name: {"values": _thin(values), "size": int(values.size)} for name, values in groups.items()}


def _open_set(rung: Rung) -> dict[str, Json]:
    import numpy as np

    from forensia.evidence.conformal import false_support

    top = max(1.0, math.ceil(rung.calibration.bounds.upper * 2) / 2)
    outside = rung.calibration.headline(*rung.judged.outside)
    inside = rung.calibration.headline(*rung.judged.inside)
    best = np.where(np.isnan(inside), -np.inf, inside).max(axis=1)
    at = np.unique(np.concatenate([np.linspace(0.0, top, _STEPS), np.arange(0.0, top + 1e-9)]))
    support = [false_support(outside, float(10.0**each)) for each in at]
    return _plain(
        thresholds=10.0**at,
        any_supported=np.array([each.family for each in support]),
        one_supported=np.array([each.single for each in support]),
        own_declined=np.array([float((best <= each).mean()) for each in at]),
    ) | {"candidates": support[0].candidates}


def _plain(**arrays: Floats) -> dict[str, Json]:
    return {name: [float(value) for value in values] for name, values in arrays.items()}


def _thin(values: Floats) -> list[float]:
    """Values in their order, at most so many, evenly chosen so that their distribution stays."""
    import numpy as np

    kept = np.sort(values[np.isfinite(values)])
    if kept.size > MOST:
        kept = kept[np.linspace(0, kept.size - 1, MOST).round().astype(np.intp)]
    return [round(float(value), 4) for value in kept]

"""What the child process reads out of a validation for the trust page and for 'How typical?': numbers small enough to be sent.

The curves are those of the report; the window only passes them on to whoever draws them.
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
    """What the plots of the trust page show, for both alternatives: the curves of the report, and the scores themselves."""
    from forensia import codec
    from forensia.report.trust import curves as reported

    found = codec.plain(reported(rung))
    stranger = found["open_set"]
    return {
        "listed": found["listed"],
        "unlisted": found["unlisted"],
        "scores": _scores(rung),
        "open_set": None
        if stranger is None
        else {
            "thresholds": stranger["threshold"],
            "any_supported": stranger["any_author"],
            "one_supported": stranger["one_author"],
            "own_declined": stranger["declined"],
            "candidates": stranger["candidates"],
        },
    }


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


def _scores(rung: Rung) -> dict[str, Json]:
    """The scores of texts with their own author, with other listed authors, and of outsiders with listed authors."""
    scores = rung.scores
    groups = {
        "own": scores.inside[scores.own],
        "other": scores.inside[scores.other],
        "outsiders": scores.outside[scores.strange],
    }
    return {name: {"values": _thin(values), "size": int(values.size)} for name, values in groups.items()}


def _thin(values: Floats) -> list[float]:
    """Values in their order, at most so many, evenly chosen so that their distribution stays."""
    import numpy as np

    kept = np.sort(values[np.isfinite(values)])
    if kept.size > MOST:
        kept = kept[np.linspace(0, kept.size - 1, MOST).round().astype(np.intp)]
    return [round(float(value), 4) for value in kept]

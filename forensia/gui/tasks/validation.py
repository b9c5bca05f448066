"""What the child process reads out of a validation for the trust page and for 'How typical?': numbers small enough to be sent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forensia.case.store import Case
from forensia.evidence.result import Condition, Source
from forensia.evidence.summary import ValidationSummary
from forensia.gui.tasks.plots import NamedScores, ScoreGroup
from forensia.jobs import Progress
from forensia.jobs.worker import News
from forensia.report.curves import Curves, curves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forensia.evidence.rung import Rung

    Floats = NDArray[np.float64]

MOST = 4_000
"""Scores of a kind that are sent; of more, a selection that is spread evenly over their order."""


@dataclass(frozen=True)
class ValidationScores:
    """The scores of texts with their own author, with other listed authors, and of outsiders with listed authors.

    Where authors stood in for candidates they are the fused scores themselves.
    """

    own: ScoreGroup
    other: ScoreGroup
    outsiders: ScoreGroup
    stand_ins: bool = False

    @property
    def rows(self) -> tuple[NamedScores, ...]:
        """As rows of a plot."""
        return (
            NamedScores("own author", True, self.own),
            NamedScores("another listed author", False, self.other),
            NamedScores("somebody else" if self.stand_ins else "not in the corpus", False, self.outsiders),
        )


@dataclass(frozen=True)
class TrustCurves:
    """What the plots of the trust page show: the curves of the report, and the scores themselves."""

    ratios: Curves
    scores: ValidationScores


@dataclass(frozen=True)
class Typical:
    """The scores of the validation for texts as long as one and from such a source, and the score of that text for each author.

    Scores are standings: how far an author stands above all authors of the text. `own_of` has the scores of each author's own texts; with
    stand-ins nothing is known of each alone.
    """

    scores: ValidationScores
    condition: Condition
    own_of: Mapping[str, tuple[float, ...]]
    here: Mapping[str, float]


def trust(progress: Progress, news: News, *, case: str) -> ValidationSummary:
    """The validation in numbers; what the plots show comes first, as news, because it takes no time."""
    progress(0.0, "Reading the validation")
    from forensia.case.session import open_summary, open_validation

    with Case.open(case, read_only=True) as read:
        whole = open_validation(read).whole
        news(TrustCurves(curves(whole), _scores(whole)))
        progress(0.3, "Putting the validation into words")
        return open_summary(read)


def typical(
    progress: Progress, news: News, *, case: str, fused: Mapping[str, float], words: int, source: Source
) -> Typical:
    """The scores of the validation for texts of this length and source, and the score of this text for each author, on the same scale."""
    progress(0.0, "Reading the validation")
    import numpy as np

    from forensia.case.session import open_validation

    with Case.open(case, read_only=True) as read:
        validation = open_validation(read)
    rung = validation.rung(words, source)
    here = rung.calibration.placed(np.array([[fused.get(author, math.nan) for author in validation.authors]]))[0]
    own_of = {} if rung.stand_ins else {author: _thin(rung.own[code]) for code, author in enumerate(validation.authors)}
    return Typical(
        _scores(rung),
        rung.condition,
        own_of,
        {author: float(here[code]) for code, author in enumerate(validation.authors) if author in fused},
    )


def _scores(rung: Rung) -> ValidationScores:
    scores, (inside, outside) = rung.scores, rung.standings
    own, other, outsiders = (
        _group(some) for some in (inside[scores.own], inside[scores.other], outside[scores.strange])
    )
    return ValidationScores(own, other, outsiders, rung.stand_ins)


def _group(values: Floats) -> ScoreGroup:
    return ScoreGroup(_thin(values), int(values.size))


def _thin(values: Floats) -> tuple[float, ...]:
    """Values in their order, at most so many, evenly chosen so that their distribution stays."""
    import numpy as np

    kept = np.sort(values[np.isfinite(values)])
    if kept.size > MOST:
        kept = kept[np.linspace(0, kept.size - 1, MOST).round().astype(np.intp)]
    return tuple(round(float(value), 4) for value in kept)

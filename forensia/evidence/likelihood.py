"""From author scores to likelihood ratios against two alternatives, with their bounds and their intervals.

'Another listed author' is calibrated with the scores of documents for authors in the corpus who did not write them; 'somebody not
in the corpus' with those of documents for authors whom the model knows, when it knows nothing by the documents' own author. The
weaker of the two LRs is the headline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.authorscores import cohort_scores
from forensia.evidence.bootstrap import MISSING, interval, resamples
from forensia.evidence.calibration import CalibrationError, LogisticCalibrator
from forensia.evidence.elub import Bounds, elub
from forensia.evidence.result import Alternative, LikelihoodRatio
from forensia.jobs import Progress, silent, tracked

LEVEL = 0.95
FEWEST_AUTHORS = 10  # for the alternative 'somebody not in the corpus'
LN10 = float(np.log(10.0))
Floats = NDArray[np.float64]
Line = tuple[float, float]  # intercept and slope, from a score to a natural log LR
NO_LINE: Line = (float("nan"), float("nan"))


@dataclass(frozen=True)
class Scores:
    """Author scores (documents x authors) that no model gave to a document it had seen.

    `inside`: the author's other documents were known; `outside`: nothing by the document's author was. NaN stands where an author
    could not be compared. The folds say which rows a claim about a row may not rest on.
    """

    inside: Floats
    outside: Floats
    codes: NDArray[np.intp]
    inside_fold: NDArray[np.int64]
    outside_fold: NDArray[np.int64]

    @classmethod
    def of(
        cls, inside: Floats, outside: Floats, codes: NDArray[Any], inside_fold: NDArray[Any], outside_fold: NDArray[Any]
    ) -> Scores:
        """From raw scores."""
        return cls(
            cohort_scores(inside), cohort_scores(outside),
            codes.astype(np.intp), inside_fold.astype(np.int64), outside_fold.astype(np.int64),
        )  # fmt: skip

    @property
    def own(self) -> NDArray[np.bool_]:
        """Where a document meets its author."""
        return np.asarray((self.codes[:, None] == np.arange(self.inside.shape[1])) & ~np.isnan(self.inside))

    @property
    def other(self) -> NDArray[np.bool_]:
        """Where a document meets another author."""
        return np.asarray((self.codes[:, None] != np.arange(self.inside.shape[1])) & ~np.isnan(self.inside))

    @property
    def strange(self) -> NDArray[np.bool_]:
        """Where a document by an unknown author meets a known one."""
        return np.asarray(~np.isnan(self.outside))


@dataclass(frozen=True)
class Lines:
    """The calibrations against both alternatives."""

    listed: Line
    unlisted: Line

    def log10_lr(self, scores: Floats) -> tuple[Floats, Floats]:
        """Against both alternatives, before any bound; NaN where not estimable."""
        listed, unlisted = ((line[0] + line[1] * scores) / LN10 for line in (self.listed, self.unlisted))
        return listed, unlisted


def fit_lines(
    scores: Scores,
    documents: Floats | None = None,
    authors: Floats | None = None,
    near: Lines | None = None,
) -> Lines:
    """Calibrate, with documents and authors counting as often as they were drawn; `near` is a solution to start from."""
    weight = np.ones(len(scores.codes)) if documents is None else documents
    drawn = np.ones(scores.inside.shape[1]) if authors is None else authors
    own, other, strange = scores.own, scores.other, scores.strange
    same, same_weight = scores.inside[own], np.broadcast_to(weight[:, None], own.shape)[own]
    each = weight[:, None] * drawn

    def line(different: Floats, theirs: Floats, start: Line | None) -> Line:
        values = np.concatenate([same, different])
        labels = np.arange(len(values)) < len(same)
        found = LogisticCalibrator().fit(values, labels, np.concatenate([same_weight, theirs]), start)
        return found.intercept_, float(found.slopes_[0])

    listed = line(scores.inside[other], each[other], near.listed if near else None)
    if len(drawn) < FEWEST_AUTHORS or not (each[strange] > 0).any():
        return Lines(listed, NO_LINE)
    return Lines(listed, line(scores.outside[strange], each[strange], near.unlisted if near else None))


def weaker(listed: Floats, unlisted: Floats) -> Floats:
    """The headline: of two LRs on one side of 1 the one nearer to it, of two on different sides the lower; one alone stands."""
    both_below = (listed < 0) & (unlisted < 0)
    return np.where(both_below, np.fmax(listed, unlisted), np.fmin(listed, unlisted))


@dataclass(frozen=True)
class Crossfitted:
    """log10 LRs (documents x authors, both alternatives, before bounds) that rest on other documents than the one they are for.

    `inside` is for documents whose author is listed, `outside` for documents whose author the model did not know.
    """

    inside: tuple[Floats, Floats]
    outside: tuple[Floats, Floats]


def crossfitted(scores: Scores) -> Crossfitted:
    """Calibrate once for each fold, without it, and apply it there: so the calibration itself can be judged."""
    whole = fit_lines(scores)

    def fold_by_fold(values: Floats, fold: NDArray[np.int64]) -> tuple[Floats, Floats]:
        found = (np.full(values.shape, np.nan), np.full(values.shape, np.nan))
        for number in np.unique(fold):
            rows = fold == number
            if np.isnan(values[rows]).all():  # nothing to judge, and perhaps nothing left to judge it by
                continue
            lines = fit_lines(scores, (~rows).astype(np.float64), near=whole)
            for out, llr in zip(found, lines.log10_lr(values[rows]), strict=True):
                out[rows] = llr
        return found

    return Crossfitted(
        fold_by_fold(scores.inside, scores.inside_fold), fold_by_fold(scores.outside, scores.outside_fold)
    )


@dataclass(frozen=True)
class Ratios:
    """What is said of texts (rows) and authors (columns): log10 LRs within their bounds, the headline with its interval."""

    listed: Floats
    unlisted: Floats
    headline: Floats
    low: Floats
    high: Floats
    bounded: NDArray[np.bool_]


@dataclass(frozen=True)
class Calibration:
    """Everything that turns the scores of a text into LRs; `resampled` has the lines of each resample (listed, unlisted) in a row."""

    lines: Lines
    resampled: Floats
    listed_bounds: Bounds
    unlisted_bounds: Bounds | None

    def ratios(self, scores: Floats) -> Ratios:
        """LRs with bounds and percentile intervals, for scores of any shape."""
        listed, unlisted = self.lines.log10_lr(scores)
        headline = self.headline(listed, unlisted)
        low, high = self._interval(scores, headline)
        first = self.listed_bounds.apply(listed)
        second = unlisted if self.unlisted_bounds is None else self.unlisted_bounds.apply(unlisted)
        if self.unlisted_bounds is not None:  # where the alternatives disagree, resamples may come from the other one
            low, high = (
                np.where(second == headline, self.unlisted_bounds.apply(ends), self.listed_bounds.apply(ends))
                for ends in (low, high)
            )
        return Ratios(first, second, headline, low, high, self._at_bound(listed, unlisted, headline))

    def said(self, score: float) -> tuple[LikelihoodRatio | None, LikelihoodRatio | None, LikelihoodRatio | None]:
        """What is said of one author by their score: the headline, then the LR against each alternative; None where not estimable."""
        scores = np.array([score])
        ratios = self.ratios(scores)
        listed = self._alone(Alternative.LISTED, ratios.listed, scores)
        unlisted = self._alone(Alternative.UNLISTED, ratios.unlisted, scores)
        outside = unlisted is not None and unlisted.log10 == float(ratios.headline[0])
        source = unlisted if outside else listed
        if source is None:
            return None, listed, unlisted
        ends = _ends(ratios.low, ratios.high)
        return replace(source, interval=ends), listed, unlisted

    def _alone(self, alternative: Alternative, values: Floats, scores: Floats) -> LikelihoodRatio | None:
        """The LR against one alternative, with the interval that its own resamples give."""
        outside = alternative is Alternative.UNLISTED
        bounds = self.unlisted_bounds if outside else self.listed_bounds
        value = float(values[0])
        if bounds is None or np.isnan(value):
            return None
        first = 2 if outside else 0
        draws = bounds.apply((self.resampled[:, first] + self.resampled[:, first + 1] * scores[0]) / LN10)
        found = interval(draws, LEVEL)
        ends = _ends(np.array([min(found.low, value)]), np.array([max(found.high, value)]))
        return LikelihoodRatio(value, ends, alternative, bounds, bounds.side(value))

    def headline(self, listed: Floats, unlisted: Floats) -> Floats:
        """The weaker of both LRs, each within its bounds."""
        bounded = self.listed_bounds.apply(listed)
        return weaker(bounded, unlisted if self.unlisted_bounds is None else self.unlisted_bounds.apply(unlisted))

    @property
    def highest(self) -> float:
        """The largest log10 LR that a headline can reach."""
        return min(
            self.listed_bounds.upper, float("inf") if self.unlisted_bounds is None else self.unlisted_bounds.upper
        )

    def _interval(self, scores: Floats, headline: Floats) -> tuple[Floats, Floats]:
        """The middle 95 % of the headlines that the resamples give, widened where needed to hold the headline itself."""
        flat = scores.ravel()
        low, high = np.full(flat.shape, np.nan), np.full(flat.shape, np.nan)
        tail = int((1 - LEVEL) / 2 * (len(self.resampled) - 1)) if len(self.resampled) else 0
        piece = max(1, 2_000_000 // max(len(self.resampled), 1))
        for start in range(0, len(flat) if len(self.resampled) else 0, piece):
            part = flat[start : start + piece]
            a, b = ((self.resampled[:, [i]] + self.resampled[:, [i + 1]] * part) / LN10 for i in (0, 2))
            draws = np.sort(self.headline(a, b), axis=0)
            low[start : start + piece], high[start : start + piece] = draws[tail], draws[-1 - tail]
        middle = headline.ravel()
        return np.minimum(low, middle).reshape(scores.shape), np.maximum(high, middle).reshape(scores.shape)

    def _at_bound(self, listed: Floats, unlisted: Floats, headline: Floats) -> NDArray[np.bool_]:
        """Whether the headline stands at a bound of the alternative it comes from."""
        reached = np.zeros(np.shape(headline), dtype=bool)
        for llr, bounds in ((listed, self.listed_bounds), (unlisted, self.unlisted_bounds)):
            if bounds is not None:
                beyond = (llr >= bounds.upper) | (llr <= bounds.lower)
                reached |= beyond & (bounds.apply(llr) == headline)
        return reached


def _ends(low: Floats, high: Floats) -> tuple[float, float] | None:
    ends = (float(low[0]), float(high[0]))
    return ends if np.isfinite(ends).all() else None


def calibrate(scores: Scores, seed: int, count: int, progress: Progress = silent) -> tuple[Calibration, Crossfitted]:
    """The calibration of a set of scores with so many resamples, and the cross-fitted LRs by which it is judged and bounded."""
    judged = crossfitted(scores)
    lines = fit_lines(scores)
    own = scores.own
    listed = elub(judged.inside[0][own], judged.inside[0][scores.other])
    unlisted = None
    if not np.isnan(lines.unlisted[0]):
        unlisted = elub(judged.inside[1][own], judged.outside[1][scores.strange])
    return Calibration(lines, resampled_lines(scores, lines, seed, count, progress), listed, unlisted), judged


def resampled_lines(scores: Scores, near: Lines, seed: int, count: int, progress: Progress = silent) -> Floats:
    """The lines of resamples of authors and of their documents, one a row; none when too many lack one of the classes."""
    found = []
    draws = list(resamples(scores.codes, count, seed))
    for draw in tracked(draws, progress, "finding out how far the numbers can be trusted"):
        try:
            lines = fit_lines(scores, draw.documents, draw.authors, near)
        except CalibrationError:
            continue
        found.append((*lines.listed, *lines.unlisted))
    if len(found) < (1 - MISSING) * count:
        found = []
    return np.array(found, dtype=np.float64).reshape(-1, 4)

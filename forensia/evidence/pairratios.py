"""Likelihood ratios for two texts: one writer or two? From the log-odds of pairs of known texts that were left out.

Two new texts are judged by pairs that were both left out; a new text and a known one by pairs of which one was left out. Each with
texts cut to the length of the shorter one, and against two alternatives where they can be had: that another listed author, or somebody
who is not listed, wrote the other text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.bootstrap import MISSING, Interval, interval, pair_weights, resamples
from forensia.evidence.calibration import BinnedScores, CalibrationError, LogisticCalibrator
from forensia.evidence.elub import Bounds, elub
from forensia.evidence.likelihood import LEVEL, LN10
from forensia.evidence.measures import auc, cllr, cllr_min, eer
from forensia.evidence.result import Alternative, LikelihoodRatio
from forensia.jobs import Progress, silent, tracked

FEWEST = 10
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PairScores:
    """Pairs of documents with log-odds that neither author has had a part in; `folds` are those of both."""

    log_odds: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    same: NDArray[np.bool_]
    folds: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        log_odds: Floats,
        first: NDArray[np.intp],
        second: NDArray[np.intp],
        codes: NDArray[Any],
        fold: NDArray[Any],
    ) -> PairScores:
        """Pairs of rows, from the author and the fold of every document."""
        folds = np.column_stack((fold[first], fold[second])).astype(np.int64)
        return cls(log_odds, first, second, codes[first] == codes[second], folds)

    @property
    def estimable(self) -> bool:
        return min(int(self.same.sum()), int((~self.same).sum())) >= FEWEST


@dataclass(frozen=True)
class PairCalibration:
    """From the log-odds of a pair to its log10 LR, with bounds and resampled lines for the interval."""

    line: tuple[float, float]
    resampled: Floats
    bounds: Bounds

    def said(self, log_odds: float, alternative: Alternative) -> LikelihoodRatio:
        """The LR of a pair with its interval, which holds the LR itself."""
        llr = (self.line[0] + self.line[1] * log_odds) / LN10
        draws = self.bounds.apply((self.resampled[:, 0] + self.resampled[:, 1] * log_odds) / LN10)
        value = float(self.bounds.apply(llr))
        found = interval(draws, LEVEL)
        low, high = min(found.low, value), max(found.high, value)
        ends = (low, high) if np.isfinite((low, high)).all() else None
        return LikelihoodRatio(value, ends, alternative, self.bounds, self.bounds.side(llr))

    def log10_lr(self, log_odds: Floats) -> Floats:
        """The LRs of pairs within their bounds."""
        return self.bounds.apply((self.line[0] + self.line[1] * log_odds) / LN10)

    def to_dict(self) -> dict[str, Any]:
        return {"line": list(self.line), "bounds": self.bounds.to_dict()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], resampled: Floats) -> PairCalibration:
        return cls((float(stored["line"][0]), float(stored["line"][1])), resampled, Bounds.from_dict(stored["bounds"]))


@dataclass(frozen=True)
class PairPerformance:
    """How well pairs of one writer and of two are told apart; measured on pairs the calibration had not seen either."""

    same: int
    different: int
    accuracy: float
    auc: float
    eer: float
    cllr: float
    cllr_min: float
    cllr_interval: Interval


def calibrate_pairs(
    pairs: PairScores, codes: NDArray[Any], seed: int, count: int, progress: Progress = silent
) -> tuple[PairCalibration, PairPerformance] | None:
    """The calibration of pairs with so many resamples, and how good it is; None where pairs are too few for either."""
    if not pairs.estimable:
        return None
    line = _line(pairs.log_odds, pairs.same, np.ones(len(pairs.same)), None)
    judged = np.empty(len(pairs.same))
    for number in np.unique(pairs.folds[:, 0]):
        rows = pairs.folds[:, 0] == number
        apart = (pairs.folds != number).all(axis=1)  # the same two documents may stand there the other way round
        try:
            intercept, slope = _line(pairs.log_odds, pairs.same, apart.astype(np.float64), line)
        except CalibrationError:
            return None
        judged[rows] = (intercept + slope * pairs.log_odds[rows]) / LN10
    same, different = judged[pairs.same], judged[~pairs.same]
    bins = BinnedScores.of(pairs.log_odds[pairs.same], pairs.log_odds[~pairs.same])
    lines, costs = [], []
    for draw in tracked(resamples(codes.astype(np.intp), count, seed), progress, "calibrating pairs of texts", count):
        each = pair_weights(draw, pairs.first, pairs.second)
        weights = each[pairs.same], each[~pairs.same]
        try:
            lines.append(bins.line(np.concatenate(weights), line))
        except CalibrationError:
            continue
        costs.append(cllr(same, different, weights))
    if len(lines) < (1 - MISSING) * count:
        lines, costs = [], []
    calibration = PairCalibration(line, np.array(lines).reshape(-1, 2), elub(same, different))
    right = [np.mean(pairs.log_odds[pairs.same] > 0), np.mean(pairs.log_odds[~pairs.same] <= 0)]
    return calibration, PairPerformance(
        len(same), len(different), float(np.mean(right)), auc(same, different), eer(same, different),
        cllr(same, different), cllr_min(same, different), interval(np.array(costs), LEVEL),
    )  # fmt: skip


def weakest(log10: Floats) -> NDArray[np.intp]:
    """For each pair (columns) the LR (rows) that claims least: the nearest to none where all speak for the same, else the lowest."""
    agree = (log10 > 0).all(axis=0) | (log10 <= 0).all(axis=0)
    return np.asarray(np.where(agree, np.abs(log10), log10).argmin(axis=0), np.intp)


def _line(
    log_odds: Floats, same: NDArray[np.bool_], weights: Floats, near: tuple[float, float] | None
) -> tuple[float, float]:
    found = LogisticCalibrator().fit(log_odds, same, weights, near)
    return found.intercept_, float(found.slopes_[0])

"""The score of a text for an author, made comparable between authors and texts before it is calibrated.

The raw score is the log-odds of the Lazy mean. Two things can be taken out of it. Some authors resemble everybody: the z-norm
subtracts the mean, and divides by the deviation, of the author's scores with texts by others. Some texts resemble everybody: the
cohort norm subtracts the mean of the best other authors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

COHORT = 3
FEWEST_FOR_COHORT = 4
FURTHEST = 1e-6  # of a probability from 0 or 1: beyond that, log-odds are rounding
Floats = NDArray[np.float64]


def raw_scores(lazy: Floats) -> Floats:
    """The log-odds of Lazy means."""
    kept = np.clip(lazy, FURTHEST, 1 - FURTHEST)
    return np.asarray(np.log(kept) - np.log1p(-kept))


@dataclass(frozen=True)
class Normaliser:
    """What is subtracted and divided, learnt from out-of-fold scores (texts x authors) with texts by others."""

    mean: Floats
    deviation: Floats
    z_norm: bool = True
    cohort: bool = True

    @classmethod
    def fit(cls, scores: Floats, codes: NDArray[Any], *, z_norm: bool = True, cohort: bool = True) -> Normaliser:
        """Learn from the raw scores of texts with known authors."""
        authors = scores.shape[1]
        others = np.where(codes[:, None] == np.arange(authors), np.nan, scores)
        mean = np.nanmean(others, axis=0)
        deviation = np.nanstd(others, axis=0)
        return cls(mean, np.maximum(deviation, 1e-3), z_norm, cohort and authors >= FEWEST_FOR_COHORT)

    def transform(self, scores: Floats, candidates: NDArray[np.bool_] | None = None) -> Floats:
        """Normalised scores (texts x authors); authors that are no candidates get NaN and are in no cohort."""
        out = (scores - self.mean) / self.deviation if self.z_norm else scores.copy()
        if candidates is not None:
            out = np.where(candidates, out, np.nan)
        return out - cohort_means(out) if self.cohort else out

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "mean": self.mean,
            "deviation": self.deviation,
            "norms": np.array([self.z_norm, self.cohort], dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Normaliser:
        z_norm, cohort = (bool(value) for value in arrays["norms"])
        return cls(arrays["mean"], arrays["deviation"], z_norm, cohort)


def cohort_means(scores: Floats) -> Floats:
    """For each text and author, the mean of the best `COHORT` scores of the other authors; those that are NaN do not count."""
    best = -np.sort(-scores, axis=1)[:, : COHORT + 1]
    counted = ~np.isnan(best)
    values = np.where(counted, best, 0.0)
    # Whoever is among the best is left out of their own cohort, and the next one moves up.
    among = scores >= best[:, min(COHORT, best.shape[1]) - 1 : min(COHORT, best.shape[1])]
    top = values[:, :COHORT].sum(axis=1, keepdims=True)
    top_count = counted[:, :COHORT].sum(axis=1, keepdims=True)
    spare = values[:, COHORT:].sum(axis=1, keepdims=True)
    spare_count = counted[:, COHORT:].sum(axis=1, keepdims=True)
    total = np.where(among, top - np.nan_to_num(scores) + spare, top)
    count = np.where(among, top_count - 1 + spare_count, top_count)
    return np.where(count > 0, total / np.maximum(count, 1), 0.0)

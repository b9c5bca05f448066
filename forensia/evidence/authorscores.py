"""The score of a text for an author, made comparable between texts before it is calibrated.

The raw score is the log-odds of the Lazy mean. Some texts resemble everybody, so the mean of the best other authors (the cohort) is
subtracted. Subtracting and dividing by what is usual for the author (z-norm) was measured too, alone and together with the cohort, and
left out: `python -m forensia.bench.honesty DATA OUT --check norms`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

COHORT = 3
FEWEST_FOR_COHORT = 4
FURTHEST = 1e-6  # of a probability from 0 or 1: beyond that, log-odds are rounding
Floats = NDArray[np.float64]


def raw_scores(lazy: NDArray[Any]) -> Floats:
    """The log-odds of Lazy means."""
    kept = np.clip(lazy.astype(np.float64), FURTHEST, 1 - FURTHEST)
    return np.asarray(np.log(kept) - np.log1p(-kept))


def cohort_scores(raw: Floats) -> Floats:
    """Raw scores (texts x authors) less the mean of the best three other authors; NaN marks an author who is no candidate.

    With fewer than four authors there is no cohort worth the name, and the raw scores stand.
    """
    return raw - cohort_means(raw) if raw.shape[1] >= FEWEST_FOR_COHORT else raw.copy()


def cohort_means(scores: Floats) -> Floats:
    """For each text and author, the mean of the best `COHORT` scores of the other authors; those that are NaN do not count."""
    best = -np.sort(-scores, axis=1)[:, : COHORT + 1]
    counted = ~np.isnan(best)
    values = np.where(counted, best, 0.0)
    # Whoever is among the best is left out of their own cohort, and the next one moves up.
    among = scores >= np.where(counted, best, np.inf)[:, :COHORT].min(axis=1, keepdims=True)
    top = values[:, :COHORT].sum(axis=1, keepdims=True)
    top_count = counted[:, :COHORT].sum(axis=1, keepdims=True)
    spare = values[:, COHORT:].sum(axis=1, keepdims=True)
    spare_count = counted[:, COHORT:].sum(axis=1, keepdims=True)
    total = np.where(among, top - np.nan_to_num(scores) + spare, top)
    count = np.where(among, top_count - 1 + spare_count, top_count)
    return np.where(count > 0, total / np.maximum(count, 1), 0.0)

"""Compute with the `lir` package what our measures are compared with.

Run in an environment of its own (Python 3.12, `pip install lir==1.3.3`): python make_fixtures.py lir-1.3.3.json
Nothing here imports Forensia, so the numbers are independent of what they check. lir 1.8.0 gave the same numbers to the bit.
"""

from __future__ import annotations

import json
import platform
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import scipy.spatial
import sklearn.exceptions
import sklearn.metrics
from lir.algorithms.bayeserror import ELUBBounder
from lir.algorithms.isotonic_regression import IsotonicCalibrator
from lir.algorithms.logistic_regression import LogitCalibrator
from lir.data.models import LLRData
from lir.metrics import cllr, cllr_cal, cllr_min
from lir.plotting.expected_calibration_error import calculate_ece

FUNCTIONS = {
    "cllr": "lir.metrics.cllr",
    "cllr_min": "lir.metrics.cllr_min",
    "cllr_cal": "lir.metrics.cllr_cal",
    "elub": "lir.algorithms.bayeserror.ELUBBounder().calculate_bounds",
    "pav": "lir.algorithms.isotonic_regression.IsotonicCalibrator().fit(set).apply(set), same order as same + different",
    "pav_new": "the same calibrator applied to `new`",
    "logit_default": "lir.algorithms.logistic_regression.LogitCalibrator() as it is: scikit-learn's C = 1, lbfgs, tol 1e-4",
    "logit_tight": "LogitCalibrator(C=1.0, solver='newton-cholesky', tol=1e-13, max_iter=1000): the same optimum, found exactly",
    "logit_free": "LogitCalibrator(C=1e12, solver='newton-cholesky', tol=1e-13, max_iter=1000): no regularisation to speak of",
    "ece": "lir.plotting.expected_calibration_error.calculate_ece at `prior_log10_odds`",
    "ece_pav": "the same of the LRs that IsotonicCalibrator gives",
    "auc": "sklearn.metrics.roc_auc_score (lir has none)",
    "eer": "scipy.spatial.ConvexHull of the ROC points, crossed with the line misses = false alarms (lir has none)",
}
PRIORS = [-2.0, -1.0, -0.25, 0.0, 0.5, 1.5]
TIGHT = {"solver": "newton-cholesky", "tol": 1e-13, "max_iter": 1000}


def score_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Same-author and different-author log10 LRs, each set with its own seed, so that adding one changes no other."""

    def normal(seed: int, n: int, mean: float, sd: float) -> np.ndarray:
        return np.random.default_rng(seed).normal(mean, sd, n)

    inf = np.inf
    return {
        "well_separated": (normal(1, 40, 2.5, 0.8), normal(2, 120, -2.5, 0.9)),
        "separable": (normal(3, 15, 3.0, 0.4), normal(4, 25, -3.0, 0.4)),
        "overlapping": (normal(5, 80, 0.4, 0.7), normal(6, 160, -0.4, 0.7)),
        "overconfident": (normal(7, 50, 3.0, 4.0), normal(8, 100, -3.0, 4.0)),
        "useless": (normal(9, 30, 0.0, 0.5), normal(10, 60, 0.0, 0.5)),
        "inverted": (normal(11, 30, -1.0, 1.0), normal(12, 40, 1.0, 1.0)),
        "tiny": (np.array([0.8, -0.1, 1.3]), np.array([-0.6, 0.2])),
        "one_each": (np.array([0.5]), np.array([-0.5])),
        "ties": (np.round(normal(13, 60, 0.5, 0.8), 1), np.round(normal(14, 90, -0.5, 0.8), 1)),
        "all_one": (np.zeros(7), np.zeros(9)),
        "infinite_true": (
            np.append(normal(15, 20, 1.0, 1.0), [inf, inf]),
            np.append(normal(16, 30, -1.0, 1.0), [-inf]),
        ),
        "infinite_misleading": (np.append(normal(17, 20, 1.0, 1.0), [-inf, inf]), normal(18, 30, -1.0, 1.0)),
        "large": (normal(19, 20, 60.0, 40.0), normal(20, 40, -60.0, 40.0)),
    }


def data(same: np.ndarray, different: np.ndarray) -> LLRData:
    labels = np.concatenate([np.ones(same.size, dtype=int), np.zeros(different.size, dtype=int)])
    field = "hypothesis" if "hypothesis" in LLRData.model_fields else "labels"  # renamed after 1.3
    return LLRData(features=np.concatenate([same, different]).reshape(-1, 1).copy(), **{field: labels})


def unlabelled(values: np.ndarray) -> LLRData:
    return LLRData(features=values.reshape(-1, 1).copy())


def hull_eer(same: np.ndarray, different: np.ndarray) -> float:
    """Equal error rate on the lower left convex hull of (false alarms, misses), by geometry instead of pooling."""
    thresholds = np.append(np.unique(np.concatenate([same, different])), np.inf)
    points = {(float(np.mean(different >= t)), float(np.mean(same < t))) for t in thresholds}
    points |= {(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)}  # reject all, accept all, and a corner that closes the polygon
    corners = np.array(sorted(points))
    hull = scipy.spatial.ConvexHull(corners)
    best = 1.0
    for i, j in hull.simplices:
        (x1, y1), (x2, y2) = corners[i], corners[j]
        d1, d2 = y1 - x1, y2 - x2
        if d1 == d2:
            continue
        share = d1 / (d1 - d2)
        if -1e-12 <= share <= 1 + 1e-12:
            best = min(best, x1 + share * (x2 - x1))
    return best


def logit(same: np.ndarray, different: np.ndarray, new: np.ndarray, **options: object) -> dict[str, object] | str:
    calibrator = LogitCalibrator(**options)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", category=sklearn.exceptions.ConvergenceWarning)
            calibrator.fit(data(same, different))
    except (ValueError, sklearn.exceptions.ConvergenceWarning) as problem:
        return f"{type(problem).__name__}: {problem}".splitlines()[0]
    return {
        "intercept": float(calibrator._logit.intercept_[0]),
        "slope": float(calibrator._logit.coef_[0][0]),
        "new": calibrator.apply(unlabelled(new)).llrs.tolist(),
    }


def results(same: np.ndarray, different: np.ndarray) -> dict[str, object]:
    both = np.concatenate([same, different])
    finite = both[np.isfinite(both)]
    new = np.linspace(finite.min() - 0.5, finite.max() + 0.5, 23)
    labels = np.concatenate([np.ones(same.size), np.zeros(different.size)])
    pav = IsotonicCalibrator().fit(data(same, different))
    with np.errstate(all="ignore"):
        pav_llrs = pav.apply(unlabelled(both)).llrs
        priors = 1 / (1 + 10 ** -np.array(PRIORS))
        return {
            "same": same.tolist(),
            "different": different.tolist(),
            "cllr": cllr(data(same, different)),
            "cllr_min": cllr_min(data(same, different)),
            "cllr_cal": cllr_cal(data(same, different)),
            "elub": [float(bound) for bound in ELUBBounder().calculate_bounds(data(same, different))],
            "pav": pav_llrs.tolist(),
            "new": new.tolist(),
            "pav_new": pav.apply(unlabelled(new)).llrs.tolist(),
            "logit_default": logit(same, different, new),
            "logit_tight": logit(same, different, new, C=1.0, **TIGHT),
            "logit_free": logit(same, different, new, C=1e12, **TIGHT),
            "ece": calculate_ece(10.0**both, labels, priors).tolist(),
            "ece_pav": calculate_ece(10.0**pav_llrs, labels, priors).tolist(),
            "auc": float(sklearn.metrics.roc_auc_score(labels, np.clip(both, -1e6, 1e6))),
            "eer": hull_eer(same, different),
        }


def plain(value: object) -> object:
    """JSON has no infinity: it is written as a word. Python writes every other float so that it is read back to the bit."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def main(target: Path) -> None:
    document = {
        "made_with": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("lir", "numpy", "scipy", "scikit-learn")},
        },
        "functions": FUNCTIONS,
        "prior_log10_odds": PRIORS,
        "sets": {name: results(*arrays) for name, arrays in score_sets().items()},
    }
    target.write_text(json.dumps(plain(document), allow_nan=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

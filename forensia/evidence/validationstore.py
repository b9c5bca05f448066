"""A validation as plain arrays and a header for the case file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.bootstrap import Interval
from forensia.evidence.elub import Bounds
from forensia.evidence.likelihood import NO_LINE, Calibration, Lines, Scores
from forensia.evidence.pairratios import PairCalibration, PairPerformance
from forensia.evidence.validation import Attributed, Pairwise, Rung, Validation
from forensia.profile import Effort

FORMAT = 2  # what another version of the program stored is made anew
ABSENT = -1e9  # files hold no NaN
Arrays = dict[str, NDArray[Any]]
KINDS = ("known", "known_outside", "unseen", "unseen_outside")


def to_arrays(validation: Validation) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the JSON part."""
    whole = validation.whole.scores
    arrays: Arrays = {
        "codes": whole.codes.astype(np.int64),
        "inside fold": whole.inside_fold,
        "outside fold": whole.outside_fold,
        "lazy": validation.attributed.lazy,
        "stacked": validation.attributed.stacked,
    }
    rungs = []
    for words, rung in validation.rungs.items():
        arrays[f"{words}/inside"] = _without_nan(rung.scores.inside)
        arrays[f"{words}/outside"] = _without_nan(rung.scores.outside)
        arrays[f"{words}/resampled"] = _without_nan(rung.calibration.resampled)
        lines, unlisted = rung.calibration.lines, rung.calibration.unlisted_bounds
        rungs.append(
            {
                "words": words,
                "listed": list(lines.listed),
                "unlisted": None if unlisted is None else list(lines.unlisted),
                "listed_bounds": rung.calibration.listed_bounds.to_dict(),
                "unlisted_bounds": None if unlisted is None else unlisted.to_dict(),
            }
        )
    pairs: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for kind, stored in pairs.items():
        for words, (calibration, measured) in getattr(validation.pairwise, kind).items():
            arrays[f"pairs/{kind}/{words}"] = calibration.resampled
            stored[str(words)] = {"calibration": calibration.to_dict(), "performance": _performance(measured)}
    arrays["pairs/log odds"] = validation.pairwise.log_odds
    header = {
        "format": FORMAT,
        "seed": validation.seed,
        "authors": list(validation.authors),
        "median_words": validation.median_words,
        "rungs": rungs,
        "pairs": pairs,
        "sources": list(validation.sources),
        "torn": list(validation.torn),
        **validation.effort.to_header(),
        "converged": validation.converged,
    }
    return arrays, header


def from_arrays(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Validation:
    """The validation as it was stored."""
    codes = arrays["codes"].astype(np.intp)
    effort = Effort.from_header(header)
    rungs: dict[int, Rung] = {}
    for each in header["rungs"]:
        words = int(each["words"])
        scores = Scores(
            _with_nan(arrays[f"{words}/inside"]), _with_nan(arrays[f"{words}/outside"]),
            codes, arrays["inside fold"], arrays["outside fold"],
        )  # fmt: skip
        unlisted = each["unlisted"]
        calibration = Calibration(
            Lines(_line(each["listed"]), NO_LINE if unlisted is None else _line(unlisted)),
            _with_nan(arrays[f"{words}/resampled"]),
            Bounds.from_dict(each["listed_bounds"]),
            None if unlisted is None else Bounds.from_dict(each["unlisted_bounds"]),
        )
        rungs[words] = Rung(words, scores, calibration, int(header["seed"]), effort)
    pairs = {
        kind: {
            int(words): (
                PairCalibration.from_dict(each["calibration"], arrays[f"pairs/{kind}/{words}"]),
                _measured(each["performance"]),
            )
            for words, each in header["pairs"][kind].items()
        }
        for kind in KINDS
    }
    return Validation(
        seed=int(header["seed"]),
        authors=tuple(header["authors"]),
        median_words=float(header["median_words"]),
        rungs=rungs,
        attributed=Attributed(arrays["lazy"], arrays["stacked"]),
        pairwise=Pairwise(**pairs, log_odds=arrays["pairs/log odds"]),
        sources=tuple(header["sources"]),
        torn=tuple(header["torn"]),
        effort=effort,
        converged=bool(header["converged"]),
    )


def _performance(measured: PairPerformance) -> dict[str, Any]:
    ends = measured.cllr_interval
    return {
        **{
            name: getattr(measured, name)
            for name in ("same", "different", "accuracy", "auc", "eer", "cllr", "cllr_min")
        },
        "cllr_interval": [
            *(end if isfinite(end) else None for end in (ends.low, ends.high)),
            ends.level,
            ends.resamples,
        ],
    }


def _measured(stored: Mapping[str, Any]) -> PairPerformance:
    low, high, level, count = stored["cllr_interval"]
    low, high = (float("nan") if end is None else float(end) for end in (low, high))
    return PairPerformance(**{**stored, "cllr_interval": Interval(low, high, float(level), int(count))})


def _line(stored: list[float]) -> tuple[float, float]:
    return float(stored[0]), float(stored[1])


def _without_nan(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), ABSENT, values)


def _with_nan(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(values == ABSENT, np.nan, values.astype(np.float64))

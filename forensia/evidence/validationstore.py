"""A validation as plain arrays and a header for the case file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.fused import FusedSystem
from forensia.attribution.fusion import Fusion
from forensia.evidence.bootstrap import Interval
from forensia.evidence.elub import Bounds
from forensia.evidence.likelihood import NO_LINE, Calibration, Scores
from forensia.evidence.pairratios import PairCalibration, PairPerformance
from forensia.evidence.validation import Attributed, Pairwise, Rung, Validation
from forensia.profile import Effort

FORMAT = 3  # what another version of the program stored is made anew
ABSENT = -1e9  # files hold no NaN
Arrays = dict[str, NDArray[Any]]
KINDS = ("known", "known_outside", "unseen", "unseen_outside")


def to_arrays(validation: Validation) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the JSON part."""
    arrays, system = validation.system.to_arrays()
    arrays |= {
        "fold": validation.pairwise.fold,
        "fused": validation.attributed.fused,
        "lazy": validation.attributed.lazy,
        "stacked": validation.attributed.stacked,
    }
    rungs = []
    for words, rung in validation.rungs.items():
        arrays[f"{words}/inside"] = _without_nan(rung.scores.inside).astype(np.float32)
        arrays[f"{words}/outside"] = _without_nan(rung.scores.outside).astype(np.float32)
        calibration = rung.calibration
        arrays[f"{words}/resampled"] = _without_nan(calibration.resampled)
        arrays[f"{words}/fusion"] = calibration.fusion.to_array()
        unlisted = calibration.unlisted_bounds
        rungs.append(
            {
                "words": words,
                "line": None if unlisted is None else list(calibration.line),
                "listed_bounds": calibration.listed_bounds.to_dict(),
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
        "system": system,
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
    system = FusedSystem.from_arrays(arrays, header["system"])
    effort = Effort.from_header(header)
    rungs: dict[int, Rung] = {}
    for each in header["rungs"]:
        words = int(each["words"])
        inside, outside = (_with_nan(arrays[f"{words}/{side}"]) for side in ("inside", "outside"))
        unlisted = each["unlisted_bounds"]
        calibration = Calibration(
            Fusion.from_array(arrays[f"{words}/fusion"]),
            NO_LINE if unlisted is None else (float(each["line"][0]), float(each["line"][1])),
            system.sizes,
            Bounds.from_dict(each["listed_bounds"]),
            None if unlisted is None else Bounds.from_dict(unlisted),
            _with_nan(arrays[f"{words}/resampled"]),
        )
        scores = Scores(inside, outside, system.codes, system.sizes)
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
        system=system,
        median_words=float(header["median_words"]),
        rungs=rungs,
        attributed=Attributed(arrays["fused"], arrays["lazy"], arrays["stacked"]),
        pairwise=Pairwise(**pairs, log_odds=arrays["pairs/log odds"], fold=arrays["fold"]),
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


def _without_nan(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), ABSENT, values)


def _with_nan(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(values == ABSENT, np.nan, values.astype(np.float64))

"""A validation as plain arrays and a header for the case file, and back: all that is read is checked, for a case may come from anybody.

The fused system with its validation is one group of arrays; what the diff-vector part was found to be worth is another, made later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia import codec
from forensia.errors import InputError
from forensia.evidence.bootstrap import Interval
from forensia.evidence.elub import Bounds
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import NO_LINE, Calibration, Scores
from forensia.evidence.pairratios import PairCalibration, PairPerformance
from forensia.evidence.pairwise import KINDS, Pairs, Pairwise
from forensia.evidence.result import COSINE, DV_BIN, FUSED, IMPOSTORS, Strangers
from forensia.evidence.validation import DiffVectors, Floats, Rung, Validation
from forensia.profile import Effort
from forensia.systems.fused import FusedSystem
from forensia.systems.fusion import Fusion

FORMAT = 5  # what another version of the program stored is made anew
ABSENT = -1e9  # files hold no NaN
Arrays = dict[str, NDArray[Any]]
FIGURES = ("accuracy", "auc", "eer", "cllr", "cllr_min")
MOST_RESAMPLES = 10_000  # the program itself asks for 400


def to_arrays(validation: Validation) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the JSON part of the fused system and its validation."""
    arrays, system = validation.system.to_arrays()
    learnt_arrays, learnt = validation.learnt.to_arrays()
    arrays |= learnt_arrays
    arrays["first"] = validation.first
    rungs = []
    for words, rung in validation.rungs.items():
        arrays[f"{words}/inside"] = _without_nan(rung.scores.inside).astype(np.float32)
        arrays[f"{words}/outside"] = _without_nan(rung.scores.outside).astype(np.float32)
        arrays[f"{words}/likeness"] = rung.likeness
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
    header = {
        **learnt,
        "format": FORMAT,
        "system": system,
        "rungs": rungs,
        "sources": list(validation.sources),
        "torn": list(validation.torn),
    }
    return arrays, header


def pairs_to_arrays(validation: Validation) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the JSON part of what the diff-vector part adds."""
    found, pairwise = validation.diff_vectors, validation.pairwise
    assert found is not None and pairwise is not None
    arrays: Arrays = {"lazy": found.lazy, "stacked": found.stacked, "log odds": found.log_odds}
    if pairwise.fusion is not None:
        arrays["fusion"] = pairwise.fusion.to_array()
    pairs: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for kind, stored in pairs.items():
        for words, (calibration, measured) in getattr(pairwise, kind).items():
            arrays[f"{kind}/{words}"] = calibration.resampled
            stored[str(words)] = {"calibration": calibration.to_dict(), "performance": _performance(measured)}
    header = {
        "format": FORMAT,
        "pairs": pairs,
        "strangers": codec.plain(pairwise.strangers),
        "converged": found.converged,
    }
    return arrays, header


def from_arrays(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Validation:
    """The validation as it was stored; anything that does not fit together is refused."""
    system = FusedSystem.from_arrays(arrays, _part(header, "system"))
    learnt = Learnt.from_arrays(arrays, header)
    if not np.array_equal(system.codes, learnt.codes):
        raise damaged()
    try:
        return _read(
            _Stored(arrays, len(system.codes), len(system.sizes), len(system.families)), header, system, learnt
        )
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise damaged() from error


def with_stored_pairs(
    validation: Validation, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]
) -> Validation:
    """The validation with what was stored of the diff-vector part; anything that does not fit together is refused."""
    learnt = validation.learnt
    try:
        stored = _Stored(arrays, len(learnt.documents), len(learnt.authors), len(validation.system.families))
        pairs = {kind: _pairs(stored, kind, header["pairs"][kind]) for kind in KINDS}
        most = stored.authors - 1
        diff_vectors = DiffVectors(
            stored.whole_numbers("lazy", 0, most),
            stored.whole_numbers("stacked", 0, most),
            stored.numbers("log odds", np.float32, stored.documents, stored.documents),
            bool(header["converged"]),
        )
        fusion, strangers = _fusion(stored, any(pairs.values())), _strangers(header["strangers"])
        pairwise = Pairwise(**pairs, fusion=fusion, strangers=strangers)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise damaged() from error
    return replace(validation, diff_vectors=diff_vectors, pairwise=pairwise)


def damaged() -> InputError:
    return InputError("The stored validation is damaged. Train the model again.")


def _part(header: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = header.get(name)
    if not isinstance(found, dict):
        raise damaged()
    return found


@dataclass(frozen=True)
class _Stored:
    """Arrays that are taken only in the shape that so many documents, authors and families give them."""

    arrays: Mapping[str, NDArray[Any]]
    documents: int
    authors: int
    families: int

    def numbers(self, name: str, dtype: type, *shape: int | None) -> NDArray[Any]:
        """Finite numbers of one type; an axis that is None has any length."""
        found = self.arrays[name]
        fits = found.ndim == len(shape) and all(
            wanted in (None, there) for wanted, there in zip(shape, found.shape, strict=True)
        )
        if not fits or found.dtype != dtype or not np.isfinite(found).all():
            raise damaged()
        return found

    def scores(self, name: str) -> Floats:
        """Documents x authors x families: a comparison is there for all families, or for none."""
        found = _with_nan(self.numbers(name, np.float32, self.documents, self.authors, self.families))
        absent = np.isnan(found)
        if not (absent == absent[:, :, :1]).all():
            raise damaged()
        return found

    def whole_numbers(self, name: str, least: int, most: float = np.inf) -> NDArray[np.int64]:
        """A whole number for each document, within a range."""
        found = self.numbers(name, np.int64, self.documents)
        if not ((found >= least) & (found <= most)).all():
            raise damaged()
        return found


def _read(stored: _Stored, header: Mapping[str, Any], system: FusedSystem, learnt: Learnt) -> Validation:
    seed, effort = learnt.options.seed, codec.typed(Effort, codec.plain(learnt.options.profile.effort))
    sources = tuple(map(bool, header["sources"]))
    if not 0 < effort.resamples <= MOST_RESAMPLES or seed < 0 or len(sources) != stored.authors:
        raise damaged()
    rungs: dict[int, Rung] = {}
    for each in header["rungs"]:
        words = int(each["words"])
        scores = Scores(stored.scores(f"{words}/inside"), stored.scores(f"{words}/outside"), system.codes, system.sizes)
        unlisted = each["unlisted_bounds"]
        calibration = Calibration(
            Fusion.from_array(stored.arrays[f"{words}/fusion"], stored.families),
            NO_LINE if unlisted is None else _line(each["line"]),
            system.sizes,
            _bounds(each["listed_bounds"]),
            None if unlisted is None else _bounds(unlisted),
            _with_nan(stored.numbers(f"{words}/resampled", np.float64, None, stored.families + 3)),
        )
        likeness = stored.numbers(f"{words}/likeness", np.float64, None)
        if len(likeness) not in (0, stored.documents):
            raise damaged()
        rungs[words] = Rung(words, scores, calibration, seed, effort, likeness)
    if WHOLE not in rungs or min(rungs) < WHOLE:
        raise damaged()
    first = stored.whole_numbers("first", -1, stored.authors - 1)
    return Validation(learnt, system, rungs, first, sources, tuple(map(str, header["torn"])))


def _pairs(stored: _Stored, kind: str, rungs: Mapping[str, Any]) -> Pairs:
    found = {}
    for words, each in rungs.items():
        resampled = stored.numbers(f"{kind}/{words}", np.float64, None, 2)
        calibration = PairCalibration.from_dict(each["calibration"], resampled)
        found[int(words)] = (
            replace(calibration, line=_line(calibration.line), bounds=_bounds(each["calibration"]["bounds"])),
            _measured(each["performance"]),
        )
    return found


def _fusion(stored: _Stored, needed: bool) -> Fusion | None:
    """The weights of pairs, without which none of their calibrations can be used."""
    if "fusion" not in stored.arrays and not needed:
        return None
    return Fusion.from_array(stored.arrays["fusion"], stored.families)


def _strangers(stored: Any) -> Strangers | None:
    if stored is None:
        return None
    found = codec.typed(Strangers, stored)
    shares = all(0 <= each <= 1 for each in found.auc.values())
    if min(found.same, found.different) < 0 or not shares or not found.auc.keys() <= {FUSED, DV_BIN, COSINE, IMPOSTORS}:
        raise damaged()
    return found


def _performance(measured: PairPerformance) -> dict[str, Any]:
    ends = measured.cllr_interval
    return {
        **{name: getattr(measured, name) for name in ("same", "different", *FIGURES)},
        "cllr_interval": [
            *(end if isfinite(end) else None for end in (ends.low, ends.high)),
            ends.level,
            ends.resamples,
        ],
    }


def _measured(stored: Mapping[str, Any]) -> PairPerformance:
    low, high, level, count = stored["cllr_interval"]
    low, high = (float("nan") if end is None else _finite(end) for end in (low, high))
    figures = {name: _finite(stored[name]) for name in FIGURES}
    ends = Interval(low, high, _finite(level), int(count))
    return PairPerformance(same=int(stored["same"]), different=int(stored["different"]), cllr_interval=ends, **figures)


def _line(stored: Any) -> tuple[float, float]:
    intercept, slope = stored
    return _finite(intercept), _finite(slope)


def _bounds(stored: Mapping[str, Any]) -> Bounds:
    found = Bounds.from_dict(stored)
    if not -np.inf < found.lower <= 0 <= found.upper < np.inf:
        raise damaged()
    return found


def _finite(stored: Any) -> float:
    value = float(stored)
    if not isfinite(value):
        raise damaged()
    return value


def _without_nan(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), ABSENT, values)


def _with_nan(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(values == ABSENT, np.nan, values.astype(np.float64))

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
from forensia.evidence.calibration import Bounds
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import NO_LINE, Calibration, Scores
from forensia.evidence.pairwise import KINDS, PairCalibration, PairPerformance, Pairs, Pairwise
from forensia.evidence.result import DV_BIN, FUSED, Condition, Source, Strangers
from forensia.evidence.rung import Halved, Rung
from forensia.evidence.validation import DiffVectors, Floats, Validation, means
from forensia.profile import Effort
from forensia.systems.against import MOST_THINNED, against
from forensia.systems.fused import FusedSystem
from forensia.systems.fusion import Fusion
from forensia.systems.others import COSINE, IMPOSTORS

FORMAT = 8  # what another version of the program stored is made anew
ABSENT = -1e9  # files hold no NaN
Arrays = dict[str, NDArray[Any]]
FIGURES = ("accuracy", "auc", "eer", "cllr", "cllr_min")
MOST_RESAMPLES = 10_000  # the program itself asks for 400


def to_arrays(validation: Validation) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the JSON part of the fused system and its validation."""
    arrays, system = validation.system.to_arrays()
    learnt_arrays, learnt = validation.learnt.to_arrays()
    arrays |= learnt_arrays
    rungs = []
    for rung in validation.rungs:
        condition, calibration = rung.condition, rung.calibration
        name = f"{condition.source}/{rung.words}"
        if rung.joined is None:
            arrays[f"{name}/inside"] = _without_nan(rung.scores.taught).astype(np.float32)
            if rung.stand_ins:
                arrays["stand-ins"] = rung.scores.sizes.astype(np.int64)
                arrays[f"{name}/moves"] = np.asarray(rung.scores.moves, np.float32)
            else:
                arrays[f"{rung.words}/outside"] = _without_nan(rung.scores.outside).astype(np.float32)
            arrays[f"{rung.words}/likeness"] = rung.likeness
        else:
            arrays[f"{name}/joined"] = rung.joined
        if rung.units is not None:
            arrays[f"{name}/units"] = rung.units.astype(np.int64)
        if rung.halved is not None:
            halved = rung.halved
            arrays[f"{condition.source}/halved"] = np.stack((halved.before, halved.right, halved.steps, halved.missing))
        arrays[f"{name}/resampled"] = _without_nan(calibration.resampled)
        arrays[f"{name}/fusion"] = calibration.fusion.to_array()
        unlisted = calibration.unlisted_bounds
        rungs.append(
            {
                "condition": codec.plain(condition),
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
        "told": validation.sources_known,
        "torn": list(validation.apart),
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
    if not 0 < effort.resamples <= MOST_RESAMPLES or seed < 0 or not isinstance(header["told"], bool):
        raise damaged()
    rungs: dict[tuple[Source, int], Rung] = {}
    sizes = against(system, learnt.candidates, seed).sizes if learnt.population else system.sizes
    for each in header["rungs"]:
        condition = codec.typed(Condition, each["condition"])
        source, words = condition.source, condition.words or WHOLE
        if source not in ("known", "new") or words < WHOLE or (condition.median or 0) < 0 or (source, words) in rungs:
            raise damaged()
        scores, likeness, joined = _scores(stored, condition, rungs, learnt)
        unlisted, name = each["unlisted_bounds"], f"{source}/{words}"
        calibration = Calibration(
            Fusion.from_array(stored.arrays[f"{name}/fusion"], stored.families),
            NO_LINE if unlisted is None else _line(each["line"]),
            sizes,
            _bounds(each["listed_bounds"]),
            None if unlisted is None else _bounds(unlisted),
            _with_nan(stored.numbers(f"{name}/resampled", np.float64, None, stored.families + 3)),
            bool(learnt.population),
        )
        units = _units(stored, name, scores.codes) if source == "new" else None
        halved = _stored_halves(stored, source) if joined is None else None
        rungs[source, words] = Rung(condition, scores, calibration, seed, effort, likeness, joined, units, halved)
    first = next(iter(rungs), None)
    if ("known", WHOLE) not in rungs or first not in (("new", WHOLE), ("known", WHOLE)):
        raise damaged()
    return Validation(learnt, system, tuple(rungs.values()), header["told"], tuple(map(str, header["torn"])))


def _scores(
    stored: _Stored, condition: Condition, before: Mapping[tuple[Source, int], Rung], learnt: Learnt
) -> tuple[Scores, Floats, NDArray[np.int64] | None]:
    """The scores of a rung, how like the others its texts are, and which documents were joined to them."""
    words, name = condition.words or WHOLE, f"{condition.source}/{condition.words or WHOLE}"
    codes, seed = learnt.codes.astype(np.intp), learnt.options.seed
    if condition.texts == 1:
        likeness = stored.numbers(f"{words}/likeness", np.float64, None)
        if len(likeness) not in (0, stored.documents):
            raise damaged()
        inside = stored.scores(f"{name}/inside")
        if not learnt.population:
            return Scores(inside, stored.scores(f"{words}/outside"), codes, learnt.sizes), likeness, None
        sizes = stored.numbers("stand-ins", np.int64, stored.authors).astype(np.intp)
        if (sizes < 1).any() or (sizes > learnt.sizes).any():
            raise damaged()
        moves = stored.numbers(f"{name}/moves", np.float32, None, stored.families, stored.families)
        if len(moves) > MOST_THINNED:
            raise damaged()
        return Scores.of_stand_ins(inside, codes, sizes, len(learnt.candidates), seed, moves), likeness, None
    whole = before[condition.source, WHOLE]
    joined = stored.whole_numbers(f"{name}/joined", -1, stored.documents - 1)
    counts = np.bincount(joined[joined >= 0])
    authors = np.unique(np.column_stack((joined, codes))[joined >= 0], axis=0)
    if not len(counts) or not (counts == condition.texts).all() or len(authors) != len(counts):
        raise damaged()
    return whole.scores.joined(joined, seed), means(whole.likeness, joined), joined


def _units(stored: _Stored, name: str, codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which texts are drawn together: each unit is of one author."""
    found = stored.numbers(f"{name}/units", np.int64, len(codes)).astype(np.intp)
    if len(np.unique(np.column_stack((found, codes)), axis=0)) != len(np.unique(found)):
        raise damaged()
    return found


def _stored_halves(stored: _Stored, source: Source) -> Halved | None:
    """What became of texts with half of what was left."""
    if f"{source}/halved" not in stored.arrays:
        return None
    found = stored.numbers(f"{source}/halved", np.float64, 4, stored.documents)
    if found.min() < 0 or found[:2].max() > 1:
        raise damaged()
    return Halved(*found)


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

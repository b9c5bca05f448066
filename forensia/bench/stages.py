"""Forensia against the reference recipe: the same work by both, each in a fresh process, ratios from one run.

Every stage is one row for each corpus. Vectors and models that a stage starts from are made before, once for a run, and are
the same for both sides.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench import enginestages as engine
from forensia.bench import featurestages as features
from forensia.bench.measuring import LIMIT, Measured, Task, in_child
from forensia.bench.samples import find_data, model_file, vectors_file
from forensia.errors import InputError
from forensia.experiments.units import machine
from forensia.features.space import KEEP
from forensia.jobs import Progress, part, silent

Row = dict[str, Any]


@dataclass(frozen=True)
class BenchSize:
    """How many authors, and how many documents of each (None is all); how many sparse features."""

    authors: int | None
    documents: int | None
    features: int = KEEP


QUICK = BenchSize(10, 20)
EVERYTHING = BenchSize(None, None)  # 25 closed authors x 50 training documents
FULL = BenchSize(20, 50)  # 49,000 pairs
REUTERS, IMDB = "reuters_c50", "imdb62_50x100"


@dataclass(frozen=True)
class Target:
    """What a stage must reach and what would be better: times faster than the reference, the share of its memory, agreement."""

    must: float
    goal: float
    memory_must: float | None = None
    memory_goal: float | None = None
    agreement: float = 0.999
    memory_from: int = 0  # documents: where fewer are measured the memory does not count

    def reached(self, ratio: float | None, memory: float | None, agreement: float | None, documents: int) -> str:
        """'goal', 'must' or 'no'; what could not be measured is not reached."""
        if ratio is None or agreement is None or agreement < self.agreement:
            return "no"
        for name, fast, small in (("goal", self.goal, self.memory_goal), ("must", self.must, self.memory_must)):
            lean = small is None or documents < self.memory_from or (memory is not None and memory <= small)
            if ratio >= fast and lean:
                return name
        return "no"


@dataclass(frozen=True)
class BenchStage:
    """The two sides (functions that take a task), how far their results agree (0 to 1, with details), and what they start from."""

    name: str
    target: Target
    forensia: Callable[[Task], Any]
    reference: Callable[[Task], Any]
    agreement: Callable[[Mapping[str, NDArray[Any]], Mapping[str, NDArray[Any]]], dict[str, float]]
    unit: str = ""  # what the times are for, if not for the whole
    vectors: bool = True
    model: bool = False
    full: BenchSize = FULL
    corpora: tuple[str, ...] = (REUTERS, IMDB)


STAGES: tuple[BenchStage, ...] = (
    BenchStage(
        "features",
        Target(2.5, 2.5, 0.5, 0.5, 0.99, memory_from=1000),
        features.forensia_features,
        features.reference_features,
        features.feature_agreement,
        vectors=False,
        full=EVERYTHING,
        corpora=(REUTERS,),
    ),
    BenchStage(
        "features_without_tags",
        Target(5, 5, 0.5, 0.5, 0.99, memory_from=1000),
        features.forensia_without_tags,
        features.reference_without_tags,
        features.feature_agreement,
        vectors=False,
        full=EVERYTHING,
        corpora=(REUTERS,),
    ),
    BenchStage(
        "train",
        Target(8, 20, 0.25, 0.1),
        engine.forensia_train,
        engine.reference_train,
        engine.exact_agreement,
    ),
    BenchStage(
        "train_reference_defaults",
        Target(2, 6, 0.25, 0.1, agreement=0.0),  # a reference that does not converge agrees with nothing
        engine.forensia_train_only,
        engine.reference_train_defaults,
        engine.default_agreement,
    ),
    BenchStage(
        "score_matrix",
        Target(100, 300),
        engine.forensia_matrix,
        engine.reference_matrix,
        engine.score_agreement,
        model=True,
    ),
    BenchStage(
        "score_one",
        Target(100, 300),
        engine.forensia_one,
        engine.reference_one,
        engine.score_agreement,
        unit="document",
        model=True,
    ),
    BenchStage(
        "std_aa",
        Target(50, 150, agreement=0.95),
        engine.forensia_std_aa,
        engine.reference_std_aa,
        engine.author_agreement,
    ),
    BenchStage(
        "impostors",
        Target(10, 30, agreement=0.95),
        engine.forensia_impostors,
        engine.reference_impostors,
        engine.decision_agreement,
        unit="pair",
    ),
)


def run(
    quick: bool = False,
    data: Path | None = None,
    stages: Sequence[str] | None = None,
    model: str = "embedded",
    *,
    size: BenchSize | None = None,
    limit: float = LIMIT,
    progress: Progress = silent,
    told: Callable[[Row], None] = lambda row: None,
) -> dict[str, Any]:
    """Measure the stages (all, or those named) and return what `forensia bench --json` writes; `told` gets each row as it is done.

    `size` replaces the usual ones, and `limit` is the processor time in seconds that one side may take.
    """
    unknown = sorted(set(stages or ()) - {stage.name for stage in STAGES})
    if unknown:
        known = ", ".join(stage.name for stage in STAGES)
        raise InputError(f"The benchmark has no stage '{unknown[0]}'. Choose from: {known}.")
    folder = find_data(data)
    wanted = [
        (stage, corpus)
        for stage in STAGES
        if stages is None or stage.name in stages
        for corpus in stage.corpora[: 1 if quick else None]
    ]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="forensia-bench-") as place:
        for number, (stage, corpus) in enumerate(wanted):
            own = size or (QUICK if quick else stage.full)
            task = Task("", corpus, own.authors, own.documents, own.features, str(folder), model, place, "")
            watched = _named(
                f"{stage.name}, {corpus}", part(progress, number / len(wanted), (number + 1) / len(wanted))
            )
            row = measure(stage, task, limit, watched)
            row["corpus"] += " (quick)" if quick else ""
            rows.append(row)
            told(row)
    return {"machine": machine(), "stages": rows}


def measure(stage: BenchStage, task: Task, limit: float = LIMIT, progress: Progress = silent) -> Row:
    """One row: what both sides start from, unless it is there already, and then one after the other."""
    if stage.vectors:
        _prepare("make_vectors", vectors_file(task.place, task.corpus), task, progress)
    if stage.model:
        _prepare("make_model", model_file(task.place, task.corpus), task, progress)
    ours, theirs = (
        _one_side(side, _answer(task, name), task, limit, progress)
        for name, side in (("forensia", stage.forensia), ("reference", stage.reference))
    )
    found: dict[str, float] = {}
    if ours.finished and _answer(task, "reference").exists():  # one that was stopped may have left a part
        with np.load(_answer(task, "forensia")) as own, np.load(_answer(task, "reference")) as other:
            found = {name: round(value, 6) for name, value in stage.agreement(own, other).items()}
    ratio = _short(theirs.cpu_s / max(ours.cpu_s, 1e-9)) if ours.finished else None
    memory = _share(ours.peak_mb, theirs.peak_mb)
    agreement = found.pop("agreement", None)
    return {
        "stage": stage.name,
        "corpus": task.corpus,
        "documents": ours.documents or theirs.documents,
        "forensia_cpu_s": _short(ours.cpu_s),
        "reference_cpu_s": _short(theirs.cpu_s),
        "ratio": ratio,
        "must": stage.target.must,
        "goal": stage.target.goal,
        "forensia_peak_mb": ours.peak_mb,
        "reference_peak_mb": theirs.peak_mb,
        "memory_ratio": memory,
        "memory_must": stage.target.memory_must,
        "memory_goal": stage.target.memory_goal,
        "reached": stage.target.reached(ratio, memory, agreement, ours.documents),
        "forensia_baseline_mb": ours.baseline_mb,
        "reference_baseline_mb": theirs.baseline_mb,
        "agreement": agreement,
        "details": found,
        "unit": stage.unit,
        "extrapolated": theirs.extrapolated,
        "note": _note(ours, theirs, limit, found),
    }


def _one_side(side: Callable[[Task], Any], out: Path, task: Task, limit: float, progress: Progress) -> Measured:
    out.unlink(missing_ok=True)
    return in_child(replace(task, function=f"{side.__module__}:{side.__name__}", out=str(out)), limit, progress)


def _share(ours: float | None, theirs: float | None) -> float | None:
    return None if ours is None or not theirs else _short(ours / theirs)


def _named(name: str, progress: Progress) -> Progress:
    """Progress that always says what is measured."""

    def inner(fraction: float, message: str = "") -> None:
        progress(fraction, name)

    return inner


def _answer(task: Task, side: str) -> Path:
    return Path(task.place) / f"{side}.npz"


def _prepare(function: str, made: Path, task: Task, progress: Progress) -> None:
    if not made.exists():
        task = replace(task, function=f"forensia.bench.samples:{function}", out=str(made))
        if not in_child(task, progress=progress).finished:
            raise InputError(f"The documents of {task.corpus} could not be prepared within {LIMIT:g} s.")


def _note(ours: Measured, theirs: Measured, limit: float, details: Mapping[str, float]) -> str:
    if not ours.finished:
        return f"Forensia not finished within {limit:g} s"
    notes = []
    if not theirs.finished:
        part = "a part of the reference" if theirs.extrapolated else "reference"
        notes.append(f"{part} not finished within {limit:g} s: the ratio is a lower bound")
    elif theirs.extrapolated:
        notes.append("reference measured on a part, and scaled")
    if details.get("reference_converged") == 0:
        notes.append("the reference did not converge")
    if details.get("c") != details.get("reference_c"):
        notes.append(f"C = {details['c']:g}, the reference's is {details['reference_c']:g}")
    return "; ".join(notes)


def _short(number: float) -> float:
    """Four digits: more would be noise."""
    return float(f"{number:.4g}")


# --- for people ------------------------------------------------------------------------------------------------------

_COLUMNS = (
    "stage",
    "corpus",
    "CPU s",
    "reference",
    "ratio",
    "must",
    "goal",
    "MB",
    "reference",
    "share",
    "agreement",
    "reached",
)
_WIDTHS = (25, 21, 9, 9, 8, 5, 5, 7, 9, 6, 9, 7)


def heading() -> str:
    """The head of the table whose lines `line` gives."""
    return _line(_COLUMNS)


def line(row: Mapping[str, Any]) -> str:
    """A row for a person to read."""
    name = row["stage"] + (f" (per {row['unit']})" if row["unit"] else "")
    bound = "not finished" in row["note"]
    scaled = ">" if bound else "~" if row["extrapolated"] else ""
    cells = (
        name,
        row["corpus"],
        _figure(row["forensia_cpu_s"]),
        scaled + _figure(row["reference_cpu_s"]),
        scaled + _figure(row["ratio"]),
        _figure(row["must"]),
        _figure(row["goal"]),
        _figure(row["forensia_peak_mb"]),
        _figure(row["reference_peak_mb"]),
        _figure(row["memory_ratio"]),
        "-" if row["agreement"] is None else f"{row['agreement']:.4f}",
        row["reached"],
    )
    return _line(cells) + (f"  {row['note']}" if row["note"] else "")


def _figure(number: float | None) -> str:
    if number is None:
        return "-"
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"


def _line(cells: Sequence[str]) -> str:
    left, right = zip(cells[:2], _WIDTHS[:2], strict=True), zip(cells[2:], _WIDTHS[2:], strict=True)
    return " ".join([*(f"{cell:<{width}}" for cell, width in left), *(f"{cell:>{width}}" for cell, width in right)])

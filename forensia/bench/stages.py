"""Forensia against the reference recipe: the same work by both, each in a fresh process, ratios from one run.

Every stage is one row for each corpus. A stage that the reference recipe does not have is measured by itself. Vectors and models that a
stage starts from are made before, once for a run, and are the same for both sides.
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
from forensia.bench.measuring import LIMIT, Measured, Task, find_data, in_child, model_file, vectors_file
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
class Allowed:
    """What a stage without a reference may take: processor seconds."""

    cpu_s: float

    def reached(self, measured: Measured) -> str:
        return "must" if measured.finished and measured.cpu_s <= self.cpu_s else "no"


@dataclass(frozen=True)
class Reference:
    """The other side, what Forensia must reach against it, and how far the results of both agree (0 to 1, with details)."""

    side: Callable[[Task], Any]
    target: Target
    agreement: Callable[[Mapping[str, NDArray[Any]], Mapping[str, NDArray[Any]]], dict[str, float]]


@dataclass(frozen=True)
class BenchStage:
    """Forensia's side (a function that takes a task), what it is held against, and what it starts from."""

    name: str
    forensia: Callable[[Task], Any]
    against: Reference | Allowed
    unit: str = ""  # what the times are for, if not for the whole
    vectors: bool = True
    model: bool = False
    full: BenchSize = FULL
    corpora: tuple[str, ...] = (REUTERS, IMDB)


_LEAN = Target(2.5, 2.5, 0.5, 0.5, 0.99, memory_from=1000)
STAGES: tuple[BenchStage, ...] = (
    BenchStage(
        "features", features.forensia_features,
        Reference(features.reference_features, _LEAN, features.feature_agreement),
        vectors=False, full=EVERYTHING, corpora=(REUTERS,),
    ),
    BenchStage(
        "features_without_tags", features.forensia_without_tags,
        Reference(features.reference_without_tags, replace(_LEAN, must=5, goal=5), features.feature_agreement),
        vectors=False, full=EVERYTHING, corpora=(REUTERS,),
    ),
    BenchStage(
        "train", engine.forensia_train,
        Reference(engine.reference_train, Target(8, 20, 0.25, 0.1), engine.exact_agreement),
    ),
    BenchStage(  # a reference that does not converge agrees with nothing
        "train_reference_defaults", engine.forensia_train_only,
        Reference(engine.reference_train_defaults, Target(2, 6, 0.25, 0.1, agreement=0.0), engine.default_agreement),
    ),
    BenchStage(
        "score_matrix", engine.forensia_matrix,
        Reference(engine.reference_matrix, Target(100, 300), engine.score_agreement), model=True,
    ),
    BenchStage(
        "score_one", engine.forensia_one,
        Reference(engine.reference_one, Target(100, 300), engine.score_agreement), unit="document", model=True,
    ),
    BenchStage(
        "std_aa", engine.forensia_std_aa,
        Reference(engine.reference_std_aa, Target(50, 150, agreement=0.95), engine.author_agreement),
    ),
    BenchStage(
        "impostors", engine.forensia_impostors,
        Reference(engine.reference_impostors, Target(10, 30, agreement=0.95), engine.decision_agreement), unit="pair",
    ),
    BenchStage("fused_train_validate", features.fused_train_validate, Allowed(15.0), vectors=False, full=EVERYTHING),
    BenchStage("fused_one", features.fused_one, Allowed(0.15), unit="document", vectors=False, full=EVERYTHING),
)  # fmt: skip


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
    ours = _one_side(stage.forensia, _answer(task, "forensia"), task, limit, progress)
    against = stage.against
    compared = (
        _alone(ours, against, limit)
        if isinstance(against, Allowed)
        else _compared(ours, against, task, limit, progress)
    )
    return {
        "stage": stage.name,
        "corpus": task.corpus,
        "documents": ours.documents,
        "forensia_cpu_s": _short(ours.cpu_s),
        "forensia_peak_mb": ours.peak_mb,
        "forensia_baseline_mb": ours.baseline_mb,
        "unit": stage.unit,
        **compared,
    }


def _compared(ours: Measured, against: Reference, task: Task, limit: float, progress: Progress) -> Row:
    """What the reference took, and how the two compare."""
    theirs = _one_side(against.side, _answer(task, "reference"), task, limit, progress)
    found: dict[str, float] = {}
    if ours.finished and _answer(task, "reference").exists():  # one that was stopped may have left a part
        with np.load(_answer(task, "forensia")) as own, np.load(_answer(task, "reference")) as other:
            found = {name: round(value, 6) for name, value in against.agreement(own, other).items()}
    ratio = _short(theirs.cpu_s / max(ours.cpu_s, 1e-9)) if ours.finished else None
    memory = _share(ours.peak_mb, theirs.peak_mb)
    agreement = found.pop("agreement", None)
    target = against.target
    return {
        "documents": ours.documents or theirs.documents,
        "reference_cpu_s": _short(theirs.cpu_s),
        "ratio": ratio,
        "must": target.must,
        "goal": target.goal,
        "reference_peak_mb": theirs.peak_mb,
        "memory_ratio": memory,
        "memory_must": target.memory_must,
        "memory_goal": target.memory_goal,
        "reached": target.reached(ratio, memory, agreement, ours.documents),
        "reference_baseline_mb": theirs.baseline_mb,
        "agreement": agreement,
        "details": found,
        "extrapolated": theirs.extrapolated,
        "note": _note(ours, theirs, limit, found),
    }


def _alone(ours: Measured, allowed: Allowed, limit: float) -> Row:
    """A stage that has no reference: everything that would be about one is empty."""
    empty = (
        "reference_cpu_s", "ratio", "must", "goal", "reference_peak_mb", "memory_ratio", "memory_must", "memory_goal",
        "reference_baseline_mb", "agreement",
    )  # fmt: skip
    note = f"no reference; at most {allowed.cpu_s:g} s"
    return {
        **dict.fromkeys(empty),
        "must_cpu_s": allowed.cpu_s,
        "reached": allowed.reached(ours),
        "details": {},
        "extrapolated": False,
        "note": note if ours.finished else f"Forensia not finished within {limit:g} s; {note}",
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
        task = replace(task, function=f"forensia.bench.measuring:{function}", out=str(made))
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
    ("stage", 25), ("corpus", 21), ("CPU s", 9), ("reference", 9), ("ratio", 8), ("must", 5), ("goal", 5), ("MB", 7), ("reference", 9),
    ("share", 6), ("agreement", 9), ("reached", 7),
)  # fmt: skip


def heading() -> str:
    """The head of the table whose lines `line` gives."""
    return _line([name for name, _ in _COLUMNS])


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
    """The cells below their columns: names begin on the left, figures end on the right."""
    both = zip(cells, (width for _, width in _COLUMNS), strict=True)
    return " ".join(cell.ljust(width) if at < 2 else cell.rjust(width) for at, (cell, width) in enumerate(both))

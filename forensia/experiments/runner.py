"""Running a plan: its units are worked out from the data, those that are not done yet are run, and each is kept as it ends.

Run again, it goes on where it stopped. The sample of a unit follows from its seed alone, so nothing depends on the order of the
runs, on how many processes there were, or on interruptions.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from forensia.errors import InputError
from forensia.experiments import datasets
from forensia.experiments.datasets import load_counts
from forensia.experiments.plans import ALL, Plan, PlanPart
from forensia.experiments.pool import LOST, Call, Pool
from forensia.experiments.resultsfile import DONE, FAILED, IMPOSSIBLE, WAITING, ResultsFile, RunState
from forensia.experiments.unitrun import run_unit
from forensia.experiments.units import (
    Draw,
    Estimate,
    PlanSize,
    Roster,
    Unit,
    UnitOutcome,
    estimate,
    largest,
    machine,
    resolved,
    unit_cost,
)
from forensia.features import EVERY_FAMILY, Counts
from forensia.jobs import Progress, part, silent

_log = logging.getLogger(__name__)
_WORKER_DIED = (
    "Its working process ended twice without an answer (stopped from outside, or out of memory). "
    "Run the plan again with fewer --jobs."
)
Told = Callable[[str], object]


@dataclass(frozen=True)
class Listed:
    """A unit of the plan, what it is expected to take, and why it cannot be run, if so."""

    unit: Unit
    cost: float
    impossible: str = ""


@dataclass(frozen=True)
class Summary:
    """How far a plan is after a run."""

    results: str
    plan: str
    done: int
    new: int
    failed: tuple[str, ...]
    impossible: tuple[str, ...]
    notes: tuple[str, ...]
    cpu_s: float

    @property
    def complete(self) -> bool:
        return not self.failed


def read_data(
    plan: Plan, folder: Path | None, progress: Progress = silent
) -> tuple[dict[str, datasets.Reading], list[str]]:
    """The data sets of a plan that are there, and a note for each that is not."""
    places = {name: datasets.find(name, folder) for name in plan.data}
    found = {name: place for name, place in places.items() if place is not None}
    where = f"'{folder}'" if folder is not None else "any known place"
    notes = [f"{name} is not in {where}: it is left out." for name, place in places.items() if place is None]
    if not found:
        raise InputError(
            f"None of the data sets of the plan ({', '.join(plan.data)}) is in {where}. Give their folder with --data, or "
            "choose a corpus of your own with --corpus."
        )
    readings = {}
    for number, (name, place) in enumerate(found.items()):
        stage = part(progress, number / len(found), (number + 1) / len(found))
        readings[name] = datasets.read_dataset(name, place, stage)
    if len({reading.name for reading in readings.values()}) < len(readings):
        raise InputError("Two data sets of the plan have the same name. Give one of the folders another name.")
    return readings, notes


def listed(plan: Plan, readings: dict[str, datasets.Reading]) -> list[Listed]:
    """All units of the plan, run after run, so that an interrupted plan has whole runs to show."""
    units = [
        unit
        for run in range(plan.runs)
        for each in plan.parts
        for name in each.data
        if name in readings
        for profile in plan.profiles
        for m in each.m
        for unit in _of_sample(plan, each, readings[name], profile, m, run)
    ]
    return _shared(units, readings)


def _shared(units: Sequence[Listed], readings: dict[str, datasets.Reading]) -> list[Listed]:
    """Units of several parts on one sample become one: what their tasks need is computed once.

    Natively binary verification has nothing in common with the other tasks and stays alone.
    """
    about = {reading.name: reading for reading in readings.values()}
    found: dict[tuple[Unit, bool], Listed] = {}
    for each in units:
        sample = replace(each.unit, tasks=(), methods=(), keep_scores=False), "native-av" in each.unit.tasks
        before = found.get(sample)
        if before is not None and before.unit != each.unit:
            unit = _joined(before.unit, each.unit)
            cost = 0.0 if each.impossible else unit_cost(unit, _size(about[unit.data], unit))
            each = Listed(unit, cost, each.impossible)
        found[sample] = each
    return list(found.values())


def _joined(first: Unit, second: Unit) -> Unit:
    """The tasks of both, each with the methods of both."""
    wanted: dict[str, tuple[str, ...]] = {}
    for unit in (first, second):
        for task, methods in zip(unit.tasks, unit.methods, strict=True):
            wanted[task] = tuple(dict.fromkeys(wanted.get(task, ()) + methods))
    tasks, keep = tuple(wanted), first.keep_scores or second.keep_scores
    return replace(first, tasks=tasks, methods=tuple(wanted.values()), keep_scores=keep)


def _of_sample(plan: Plan, each: PlanPart, reading: datasets.Reading, profile: str, m: int, run: int) -> list[Listed]:
    """The units of one m and run, for all q: they share authors, test documents and test pairs."""
    roster, seed = reading.roster, plan.seed + run
    methods = tuple(each.of(task, profile) for task in each.tasks)
    if not any(methods):
        return []
    authors = resolved(m, roster)
    most = largest(roster, authors, each.q, each.split, seed)
    found = []
    for q in each.q:
        draw = Draw(authors, q, most, seed, each.split, each.pairs, each.test_documents)
        unit = Unit(
            data=reading.name,
            fingerprint=reading.fingerprint,
            profile=profile,
            tasks=each.tasks,
            methods=methods,
            run=run,
            draw=draw,
            keep_scores=each.keep_scores,
            language=f"{plan.language} {plan.function_words}".strip(),
        )
        reason = ""
        if not most or q > most:
            what = f"{q} training documents each" if q != ALL else "training and test documents"
            reason = f"{reading.name} has fewer than {authors} authors with {what}."
        found.append(Listed(unit, 0.0 if reason else unit_cost(unit, _size(reading, unit)), reason))
    return found


def _size(reading: datasets.Reading, unit: Unit) -> PlanSize:
    roster: Roster = reading.roster
    mean = len(roster.codes) / max(roster.authors, 1)
    tested = mean * 0.3 if roster.train is None or unit.draw.split == "random" else float((~roster.train).mean()) * mean
    documents = unit.draw.q or mean - tested
    most = unit.draw.test_documents or tested
    return PlanSize(unit.draw.m, documents, min(tested, most), reading.words)


def run(
    plan: Plan,
    place: Path,
    *,
    data: Path | None = None,
    jobs: int = 1,
    dask: str = "",
    progress: Progress = silent,
    told: Told = lambda text: None,
) -> Summary:
    """Run what is not done yet of a plan, into a results file; `told` gets sentences for people, the cost before the start first."""
    with ResultsFile.write(place) as results:
        readings, notes = read_data(plan, datasets.data_folder(data), part(progress, 0.0, 0.02))
        units = listed(plan, readings)
        results.register(
            plan.plain(),
            [reading.about for reading in readings.values()],
            [(each.unit, each.cost, each.impossible) for each in units],
            notes,
        )
        for note in notes:
            told(note)
        states = {state.key: state for state in results.states}
        pending = [each for each in units if states[each.unit.key].state in (WAITING, FAILED)]
        told(str(expected(list(states.values()), pending, 1 if dask else jobs)))
        work = _work_folder(place)
        if pending:
            _Runner(plan, results, readings, work, jobs, dask, told).run(pending, part(progress, 0.02, 1.0))
        summary = _summary(results, len(pending))
        if summary.complete:
            shutil.rmtree(work, ignore_errors=True)  # an interrupted plan needs it again
        return summary


def cost(plan: Plan, place: Path, *, data: Path | None = None, jobs: int = 1, progress: Progress = silent) -> Estimate:
    """What is left of a plan will take so long; nothing is run, and nothing is written."""
    readings, _ = read_data(plan, datasets.data_folder(data), progress)
    states: list[RunState] = []
    if place.exists():
        with ResultsFile.open(place) as results:
            states = results.states
    done = {state.key for state in states if state.state == DONE}
    units = [each for each in listed(plan, readings) if not each.impossible and each.unit.key not in done]
    return expected(states, units, jobs)


def expected(states: Sequence[RunState], pending: Sequence[Listed], jobs: int) -> Estimate:
    """What the rest of a plan will take, reckoned from runs that are done where there are some."""
    done = [state for state in states if state.state == DONE]
    return estimate(
        [(each.unit.data, each.unit.profile, each.cost) for each in pending],
        [(state.data, state.profile, state.cost, state.cpu_s) for state in done],
        jobs,
        len(done),
    )


def _summary(results: ResultsFile, begun: int) -> Summary:
    states = results.states
    failed = [state for state in states if state.state in (FAILED, WAITING)]
    return Summary(
        results=str(results.path),
        plan=str((results.plan or {}).get("name", "")),
        done=sum(state.state == DONE for state in states),
        new=begun - len(failed),
        failed=tuple(f"{_name(state)}: {state.reason}" for state in failed),
        impossible=tuple(dict.fromkeys(state.reason for state in states if state.state == IMPOSSIBLE)),
        notes=tuple(results.notes),
        cpu_s=sum(state.cpu_s for state in states),
    )


def _name(state: RunState) -> str:
    return f"{state.data}, {state.profile}, m = {state.m}, q = {state.q or 'all'}, run {state.run}"


def _work_folder(place: Path) -> Path:
    return place.with_name(place.name + ".work")


class _Runner:
    """One go at the units that are not done."""

    def __init__(
        self,
        plan: Plan,
        results: ResultsFile,
        readings: dict[str, datasets.Reading],
        work: Path,
        jobs: int,
        dask: str,
        told: Told,
    ) -> None:
        self._plan = plan
        self._results = results
        self._readings = {reading.name: reading for reading in readings.values()}
        self._work = work
        self._jobs = jobs
        self._dask = dask
        self._told = told

    def run(self, pending: Sequence[Listed], progress: Progress) -> None:
        folders = self._counted([each.unit for each in pending], part(progress, 0.0, 0.05))
        progress = part(progress, 0.05, 1.0)
        whole: dict[str, datasets.Dataset] = {}
        if self._dask:  # its workers do not see our files
            rosters = {name: self._readings[name].roster for name in folders}
            whole = {name: datasets.in_memory(rosters[name], folder) for name, folder in folders.items()}
        pool = Pool(2 if self._dask else self._jobs, self._dask, list(whole.values()))
        total = sum(each.cost for each in pending) or 1.0
        done, ended, message = 0.0, 0, "Starting the working processes"
        with pool:
            calls = [self._call(each.unit, folders, whole) for each in pending]

            def check() -> None:
                progress(done / total, message)

            for number, result in pool.run(calls, check):
                each = pending[number]
                outcome = UnitOutcome(problem=_WORKER_DIED) if result is LOST else result
                self._results.save(each.unit, outcome)
                done, ended = done + each.cost, ended + 1
                message = f"{ended:,} of {len(pending):,} runs; last: {each.unit.name}"
                if outcome.problem:
                    _log.warning("run failed: %s: %s", each.unit.name, outcome.problem)
                    self._told(f"Failed: {each.unit.name}: {outcome.problem}")

    def _counted(self, units: Sequence[Unit], progress: Progress) -> dict[str, Path]:
        """The counts of the data sets, in files: once for all units, of every family that one of them needs."""
        from forensia.language import load_model

        words = Path(self._plan.function_words) if self._plan.function_words else None
        model = load_model(self._plan.language, words)
        families: dict[str, set[str]] = {}
        for unit in units:
            families.setdefault(unit.data, set()).update(unit.families)
        folders = {}
        for number, (name, needed) in enumerate(families.items()):
            stage = part(progress, number / len(families), (number + 1) / len(families))
            reading, every = self._readings[name], [family for family in EVERY_FAMILY if family in needed]
            folders[name] = datasets.counted(reading, model, self._work, every, jobs=self._jobs, progress=stage)
        return folders

    def _call(self, unit: Unit, folders: dict[str, Path], whole: dict[str, datasets.Dataset]) -> Call:
        if self._dask:
            return run_described, (unit, whole[unit.data])
        return run_stored, (unit, self._readings[unit.data].roster, str(folders[unit.data]))


def run_described(unit: Unit, data: datasets.Dataset, progress: Progress) -> UnitOutcome:
    """Run a unit, and say on which machine."""
    return replace(run_unit(unit, data, progress), machine=machine())


def run_stored(unit: Unit, roster: Roster, folder: str, progress: Progress) -> UnitOutcome:
    """Run a unit on counts that lie in files."""
    return run_described(unit, datasets.Dataset(roster, stored(folder)), progress)


@lru_cache(maxsize=8)
def stored(folder: str) -> Counts:
    """The mapped counts of a folder, opened once for each process."""
    return load_counts(Path(folder))

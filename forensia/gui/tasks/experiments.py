"""What child processes do for the Experiments page, each a task for `jobs.worker`; no Qt.

The results file is the only state: one child writes it, others read it while it grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia import codec
from forensia.errors import InputError
from forensia.experiments.resulttables import ResultTable
from forensia.experiments.runner import Summary
from forensia.experiments.units import Estimate
from forensia.jobs import Progress, part, tracked
from forensia.jobs.worker import News

if TYPE_CHECKING:
    from forensia.experiments.datasets import Reading
    from forensia.experiments.plans import Plan
    from forensia.figures import Drawing, Look

Json = Any
PICTURES = ("png", "svg", "pdf")
"""What results can be exported as."""


@dataclass(frozen=True)
class Pack:
    """A data set that is known by name, and where it is; nowhere: an empty place."""

    name: str
    place: str


@dataclass(frozen=True)
class Packs:
    """A folder of data sets."""

    folder: str
    packs: tuple[Pack, ...]


@dataclass(frozen=True)
class DataFacts:
    """How large a data set is: `words` of a document in the mean."""

    name: str
    place: str
    authors: int
    documents: int
    words: float


@dataclass(frozen=True)
class PlanCost:
    """What a plan will take, how large its data are, and what of it cannot be run."""

    estimate: Estimate
    notes: tuple[str, ...]
    impossible: tuple[str, ...]
    data: tuple[DataFacts, ...]


@dataclass(frozen=True)
class FigureName:
    """A figure that can be drawn."""

    name: str
    title: str


@dataclass(frozen=True)
class ExperimentResults:
    """What a results file holds: its plan as JSON, how far it is, its tables and the names of its figures.

    `data` is the folder of the data sets that the plan knows by name, if it is still there.
    """

    results: str
    plan: Mapping[str, Any]
    data: str
    done: int
    possible: int
    failed: tuple[str, ...]
    note: str
    figures: tuple[FigureName, ...]
    legend: str
    tables: tuple[ResultTable, ...]


def packs(progress: Progress, news: News, *, folder: str) -> Packs:
    """The data sets that are known by name, and where each is; with no folder, the one that the program finds by itself."""
    progress(0.0, "Looking for data sets")
    from forensia.experiments.datasets import KNOWN, data_folder, find

    place = data_folder(Path(folder) if folder else None)
    places = {name: find(name, place) for name in KNOWN}
    listed = tuple(Pack(name, str(there or "")) for name, there in places.items())
    return Packs(str(place or ""), listed)


def estimate(
    progress: Progress, news: News, *, plan: Mapping[str, Json], data: str, results: str, jobs: int
) -> PlanCost:
    """What a plan will take, how large its data are, and what of it cannot be run; nothing is run."""
    progress(0.0, "Looking at the data")
    from forensia.experiments import runner
    from forensia.experiments.resultsfile import DONE, ResultsFile

    wanted = plan_of(plan)
    readings, notes = _readings(wanted, data, part(progress, 0.0, 0.9))
    states = []
    if results and Path(results).exists():
        with ResultsFile.open(Path(results)) as file:
            states = file.states
    done = {state.key for state in states if state.state == DONE}
    units = runner.listed(wanted, readings)
    left = [each for each in units if not each.impossible and each.unit.key not in done]
    return PlanCost(
        runner.expected(states, left, jobs),
        tuple(notes),
        tuple(dict.fromkeys(each.impossible for each in units if each.impossible)),
        tuple(codec.typed(DataFacts, reading.about) for reading in readings.values()),
    )


def run(progress: Progress, news: News, *, plan: Mapping[str, Json], data: str, results: str, jobs: int) -> Summary:
    """Run what is not done yet of a plan; `news` are sentences for people."""
    progress(0.0, "Reading the data")
    _read.cache_clear()  # the estimate is over
    from forensia.experiments import runner

    return runner.run(
        plan_of(plan), Path(results), data=Path(data) if data else None, jobs=jobs, progress=progress, told=news
    )


def look(progress: Progress, news: News, *, results: str) -> ExperimentResults:
    """What a results file holds now: its plan, how far it is, its tables and the names of its figures."""
    progress(0.0, "Reading the results")
    from forensia.experiments.figures import sketches
    from forensia.experiments.resultsfile import DONE, FAILED, IMPOSSIBLE, ResultsFile
    from forensia.experiments.resulttables import LEGEND, progress_note, result_tables, run_tables

    with ResultsFile.open(Path(results)) as file:
        plan, states = file.plan, file.states
        if plan is None:
            raise InputError(f"'{results}' holds no results yet: its experiment was stopped before it began.")
        tables = result_tables(file) + run_tables(file)
        return ExperimentResults(
            results=results,
            plan=plan,
            data=_folder(plan, [codec.typed(DataFacts, about) for about in file.data]),
            done=sum(state.state == DONE for state in states),
            possible=sum(state.state != IMPOSSIBLE for state in states),
            failed=tuple(f"{state.data}, m = {state.m}: {state.reason}" for state in states if state.state == FAILED),
            note=" ".join((progress_note(states), *file.notes)).strip(),
            figures=tuple(FigureName(name, sketch.title) for name, sketch in sketches(file).items()),
            legend=LEGEND,
            tables=tuple(tables),
        )


def _folder(plan: Mapping[str, Json], data: Sequence[DataFacts]) -> str:
    """The folder in which the data sets lay that a plan knows by name."""
    named = {name for each in plan["parts"] for name in each["data"]}
    folders = [Path(about.place).parent for about in data if about.name in named]
    return str(folders[0]) if folders and folders[0].is_dir() else ""


def export(progress: Progress, news: News, *, results: str, folder: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """Write all tables and figures of a results file into a folder."""
    progress(0.0, "Writing the tables")
    from forensia.experiments.figures import sketches
    from forensia.experiments.resultsfile import ResultsFile
    from forensia.experiments.tablefiles import write_file, write_tables
    from forensia.figures import PRINT, WRITERS
    from forensia.files import slug

    target = Path(folder)
    files: list[Path] = []
    with ResultsFile.open(Path(results)) as file:
        if {"csv", "latex"} & set(kinds):
            files += write_tables(file, target, latex="latex" in kinds, as_csv="csv" in kinds)
        chosen = [kind for kind in PICTURES if kind in kinds]
        made = list(sketches(file).items()) if chosen else []
        for name, sketch in tracked(made, progress, "Drawing the figures"):
            drawn = sketch.draw(PRINT).figure
            files += [write_file(target / f"{slug(name)}.{kind}", WRITERS[kind](drawn)) for kind in chosen]
    return tuple(str(file) for file in files)


def tidy(progress: Progress, news: News, *, results: str) -> bool:
    """Take away what lies beside results that are not gone on with, and a file without any; whether one is left."""
    import shutil

    from forensia.experiments.resultsfile import DONE, ResultsFile

    place = Path(results)
    shutil.rmtree(place.with_name(place.name + ".work"), ignore_errors=True)
    if not place.exists():
        return False
    with ResultsFile.open(place) as file:
        kept = any(state.state == DONE for state in file.states)
    if not kept:
        for each in (place, place.with_name(place.name + "-lock")):
            each.unlink(missing_ok=True)
    return kept


@dataclass(frozen=True)
class ExperimentPlot:
    """A figure of a results file by its name; `stamp` changes when the file has grown."""

    results: str
    figure: str
    stamp: int

    def draw(self, look: Look) -> Drawing:
        from forensia.experiments.figures import sketches
        from forensia.experiments.resultsfile import ResultsFile

        with ResultsFile.open(Path(self.results)) as file:
            sketch = sketches(file).get(self.figure)
        if sketch is None:
            raise InputError("This figure has nothing to show any more: the results have changed.")
        return sketch.draw(look, look.height)  # so that the key below it is in sight


def plan_of(sent: Mapping[str, Json]) -> Plan:
    """A plan from the JSON of `Plan.plain`, checked as one from a file is."""
    from forensia.experiments.plans import parse_plan

    stated = {key: value for key, value in sent.items() if key != "parts"}
    return parse_plan({**stated, "part": sent["parts"]}, str(sent.get("name", "plan")))


def _readings(plan: Plan, data: str, progress: Progress) -> tuple[dict[str, Reading], list[str]]:
    """The data of a plan. What was read before is taken from memory: an estimate is made at every change of the plan."""
    from forensia.experiments import datasets, runner

    folder = datasets.data_folder(Path(data) if data else None)
    places = {name: datasets.find(name, folder) for name in plan.data}
    if not any(places.values()):
        return runner.read_data(plan, folder, progress)  # it says what is missing
    readings, notes = {}, []
    for number, (name, place) in enumerate(places.items()):
        progress(number / len(places), f"Reading {datasets.shown_name(name)}")
        if place is None:
            notes.append(f"{name} is not in '{folder}': it is left out." if folder else f"{name} was not found.")
        else:
            try:
                readings[name] = _read(name, str(place), place.stat().st_mtime_ns)
            except InputError as error:
                raise InputError(f"{datasets.shown_name(name)}: {error}") from error
    return readings, notes


@lru_cache(maxsize=4)
def _read(name: str, place: str, changed: int) -> Reading:
    from forensia.experiments.datasets import read_dataset

    return read_dataset(name, Path(place))

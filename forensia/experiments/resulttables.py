"""Results as tables: mean and deviation over the runs, what is as good as the best, the paper's own numbers beside ours, and times."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike

from forensia.experiments.plans import methods_of
from forensia.experiments.published import DEVIATIONS, printed, printed_seconds, printed_sizes
from forensia.experiments.resultsfile import DONE, IMPOSSIBLE, Record, Results, RunState, SizeRecord, TimeRecord
from forensia.profile import PROFILES

TITLES = {
    "sav-closed": "Same-author verification, closed set",
    "sav-open": "Same-author verification, open set",
    "aa": "Attribution, and verification of each author",
    "native-av": "Natively binary verification",
}
MEASURES = {
    "accuracy": "accuracy",
    "macro_f1": "macro-F1",
    "micro_f1": "micro-F1",
    "ranked_f1": "macro-F1 of the most probable author",  # STD-Bin as if it were attribution
    "auc": "AUC",
}
SHOWN = {
    "sav-closed": ("accuracy",),
    "sav-open": ("accuracy",),
    "aa": ("macro_f1", "micro_f1"),
    "native-av": ("macro_f1",),
}


@dataclass(frozen=True)
class Place:
    """What a number belongs to, apart from the method and the run."""

    task: str
    measure: str
    data: str
    profile: str
    m: int
    q: int


@dataclass(frozen=True)
class ResultLine:
    """A method in one place: over how many runs, how good, and against the best one there."""

    place: Place
    method: str
    runs: int
    mean: float
    sd: float | None
    best: bool
    compared: ComparedMethods
    paper: float | None
    paper_sd: float | None


@dataclass(frozen=True)
class ResultTable:
    """A table to be written as it is: `name` for its file, `note` below it; `marked` if it has marks, which need the legend."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str
    bold: frozenset[tuple[int, int]] = frozenset()  # row and column of what is best
    marked: bool = True


def lines(records: Iterable[Record]) -> list[ResultLine]:
    """Every method in every place, over the runs that all methods there have."""
    found: list[ResultLine] = []
    places: dict[Place, list[Record]] = {}
    for record in records:
        places.setdefault(_place(record), []).append(record)
    data = list(dict.fromkeys(place.data for place in places))
    for place in sorted(places, key=lambda place: _rank(place, data)):
        own = places[place]
        methods = [method for method in methods_of(place.task) if any(record.method == method for record in own)]
        by_run = {method: {record.run: record.value for record in own if record.method == method} for method in methods}
        runs = sorted(set.intersection(*(set(values) for values in by_run.values())))
        if not runs:
            continue
        values = [[by_run[method][run] for run in runs] for method in methods]
        ratio = float(np.mean([record.test / max(record.train, 1) for record in own]))
        best, compared = compare(methods, values, ratio)
        for method, each in zip(methods, values, strict=True):
            paper = printed(place.task, place.measure, place.data, place.m, place.q, method, place.profile)
            found.append(
                ResultLine(
                    place=place,
                    method=method,
                    runs=len(runs),
                    mean=float(np.mean(each)),
                    sd=float(np.std(each, ddof=1)) if len(each) > 1 else None,
                    best=method == best,
                    compared=compared.get(method, ComparedMethods(None, None)),
                    paper=paper.mean if paper else None,
                    paper_sd=paper.sd if paper else None,
                )
            )
    return found


def result_tables(results: Results) -> list[ResultTable]:
    """The tables of a results file: as in the paper where each data set has one m and q, otherwise a row for each of them."""
    every = lines(results.records)
    note = " ".join((progress_note(results.states), *results.notes)).strip()
    tables: list[ResultTable] = []
    for task, measures in SHOWN.items():
        for measure in measures:
            own = [line for line in every if (line.place.task, line.place.measure) == (task, measure)]
            if not own:
                continue
            sizes = {(line.place.data, line.place.m, line.place.q) for line in own}
            if len(sizes) == len({data for data, _, _ in sizes}):
                tables.append(_by_method(task, measure, own, note))
            elif measure == measures[0]:
                tables += _by_size(task, measure, own, note)
    return tables


def progress_note(states: Sequence[RunState]) -> str:
    """Whether anything is missing, in a sentence."""
    possible = [state for state in states if state.state != IMPOSSIBLE]
    done = sum(state.state == DONE for state in possible)
    missing = "" if done == len(possible) else f" Incomplete: {done} of {len(possible)} runs are there."
    reasons = dict.fromkeys(state.reason for state in states if state.state == IMPOSSIBLE)
    return (missing + "".join(f" {reason}" for reason in reasons)).strip()


def _by_method(task: str, measure: str, own: list[ResultLine], note: str) -> ResultTable:
    """Rows are methods; for each data set mean, deviation, marks, and the paper's mean and deviation where it prints them."""
    data = list(dict.fromkeys(line.place.data for line in own))
    profiles = list(dict.fromkeys(line.place.profile for line in own))
    cells = {(line.place.data, line.place.profile, line.method): line for line in own}
    head, bold = ["method"], set[tuple[int, int]]()
    rows: list[tuple[str, ...]] = []
    with_paper = {name for name in data if any(line.paper is not None for line in own if line.place.data == name)}
    for name in data:
        head += [f"{name}: mean", "sd", "t-test"] + (["paper: mean", "sd"] if name in with_paper else [])
    for profile in profiles:
        for method in methods_of(task):
            if not any((name, profile, method) in cells for name in data):
                continue
            row = [method if len(profiles) == 1 else f"{method} ({profile})"]
            for name in data:
                line = cells.get((name, profile, method))
                if line is not None and line.best:
                    bold.add((len(rows), len(row)))
                row += _shown(line, paper=name in with_paper)
            rows.append(tuple(row))
    sizes = dict.fromkeys(f"{line.place.data} m = {line.place.m}, q = {line.place.q or 'all'}" for line in own)
    runs = sorted({line.runs for line in own})
    about = f"{'; '.join(sizes)}; runs: {', '.join(map(str, runs))}."
    if with_paper and task in DEVIATIONS:
        about += f" {DEVIATIONS[task]}"
    title = f"{TITLES[task]}: {MEASURES[measure]}"
    return ResultTable(f"{task}-{measure}", title, tuple(head), tuple(rows), f"{about} {note}".strip(), frozenset(bold))


def _by_size(task: str, measure: str, own: list[ResultLine], note: str) -> list[ResultTable]:
    """For each data set and profile a table whose rows are m and q and whose columns are methods."""
    tables = []
    for data, profile in dict.fromkeys((line.place.data, line.place.profile) for line in own):
        here = [line for line in own if (line.place.data, line.place.profile) == (data, profile)]
        methods = [method for method in methods_of(task) if any(line.method == method for line in here)]
        cells = {(line.place.m, line.place.q, line.method): line for line in here}
        rows: list[tuple[str, ...]] = []
        bold: set[tuple[int, int]] = set()
        for m, q in dict.fromkeys((line.place.m, line.place.q) for line in here):
            row = [str(m), str(q or "all")]
            for method in methods:
                line = cells.get((m, q, method))
                if line is not None and line.best:
                    bold.add((len(rows), len(row)))
                row.append("" if line is None else " ".join(filter(None, _shown(line, paper=False))))
            rows.append((*row, str(max(line.runs for line in here if (line.place.m, line.place.q) == (m, q)))))
        title = f"{TITLES[task]}: {MEASURES[measure]}, {data}" + ("" if profile == "paper" else f", {profile} profile")
        name = f"{task}-{measure}-{data}-{profile}"
        head = ("m", "q", *methods, "runs")
        tables.append(
            ResultTable(name, title, head, tuple(rows), f"Mean, deviation, marks. {note}".strip(), frozenset(bold))
        )
    return tables


def _shown(line: ResultLine | None, *, paper: bool) -> list[str]:
    """Mean, deviation and marks of a method."""
    if line is None:
        return [""] * (5 if paper else 3)
    marks = (line.compared.mark, line.compared.corrected_mark)
    shown = "" if line.best or line.compared.p is None else "|".join(mark or "-" for mark in marks)
    own = [f"{line.mean:.3f}", _decimals(line.sd), shown]
    return [*own, _decimals(line.paper), _decimals(line.paper_sd)] if paper else own


def _decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def run_tables(results: Results) -> list[ResultTable]:
    """What the runs were: their sizes, and the time they took."""
    return [table for table in (size_table(results), timing_table(results)) if table is not None]


def size_table(results: Results) -> ResultTable | None:
    """The sizes of the runs as the paper has them, the mean over the runs: |L|, |L_P| and |U|."""
    records = results.sizes
    if not records:
        return None
    rows = []
    for (data, profile, m, q, tasks), group in groupby(sorted(records, key=_sized), key=_sized):
        own = list(group)
        pairs = [record.pairs for record in own if record.pairs is not None]
        counts = [[record.train for record in own], pairs, [record.test for record in own]]
        row = [data, profile, str(m), str(q or "all"), ", ".join(tasks)]
        row += [f"{np.mean(count):,.0f}" if count else "" for count in counts]
        paper = printed_sizes(data, m, q, tasks)
        row += [f"{count:,}" for count in paper] if paper else [""] * 3
        rows.append((*row, str(len({record.run for record in own}))))
    note = (
        "|L|: training documents; |L_P|: pairs of them that DV-Bin learnt from, where it did; |U|: test documents by the same authors. "
        "The mean over the runs."
    )
    names = ("|L|", "|L_P|", "|U|")
    head = ("data", "profile", "m", "q", "tasks", *names, *(f"paper: {name}" for name in names), "runs")
    return ResultTable("sizes", "Sizes of the runs", head, tuple(rows), note, marked=False)


def timing_table(results: Results) -> ResultTable | None:
    """Processor seconds of training and testing, the mean over the runs, with the machines they were measured on."""
    records = results.timings
    if not records:
        return None
    rows = []
    for (data, profile, m, q, method), group in groupby(sorted(records, key=_timed), key=_timed):
        own = list(group)
        row = [data, profile, str(m), str(q or "all"), method]
        for stage in ("train", "test"):
            spent = [record.cpu_s for record in own if record.stage == stage]
            row.append(f"{np.mean(spent):.2f}" if spent else "")
        paper = printed_seconds(data, m, q, method)
        row += [f"{value:g}" for value in paper] if paper else ["", ""]
        rows.append((*row, str(len({record.run for record in own}))))
    machines = "; ".join(dict.fromkeys(_machine(record) for record in records))
    note = (
        "Processor seconds of one thread, the mean over the runs; a method includes what it builds on, but not the features, which "
        f"have a row of their own. Measured on: {machines}. The paper's are wall time on 12 cores (Intel Core i7-4930K)."
    )
    head = ("data", "profile", "m", "q", "method", "train", "test", "paper: train", "paper: test", "runs")
    return ResultTable("timings", "Processor time in seconds", head, tuple(rows), note, marked=False)


def _machine(record: TimeRecord) -> str:
    about = json.loads(record.machine)
    words = (f"{about.get('cores', '?')} cores", about.get("processor", ""), about.get("system", ""))
    return ", ".join(str(word) for word in words if word)


def _rank(place: Place, data: Sequence[str]) -> tuple[int, ...]:
    """The order of the tables: tasks, measures and profiles as they are listed, data sets as in the plan, then sizes."""
    tasks, measures = list(TITLES), list(MEASURES)
    named = (tasks.index(place.task), measures.index(place.measure), data.index(place.data))
    return (*named, list(PROFILES).index(place.profile), place.m, place.q)


def _place(record: Record) -> Place:
    return Place(record.task, record.measure, record.data, record.profile, record.m, record.q)


def _timed(record: TimeRecord) -> tuple[str, str, int, int, str]:
    return record.data, record.profile, record.m, record.q, record.method


def _sized(record: SizeRecord) -> tuple[str, str, int, int, tuple[str, ...]]:
    return record.data, record.profile, record.m, record.q, record.tasks


LEVELS = (0.05, 0.001)
LEGEND = (
    "Best in bold. Two-tailed paired t-test against the best: ** not different at the level .05 (p > .05); * different at .05, "
    "not at .001. The marks after the bar are those of the Nadeau-Bengio corrected test."
)


@dataclass(frozen=True)
class ComparedMethods:
    """A method against the best one: p of both tests (None where there is nothing to test)."""

    p: float | None
    corrected: float | None

    @property
    def mark(self) -> str:
        return mark(self.p)

    @property
    def corrected_mark(self) -> str:
        return mark(self.corrected)


def mark(p: float | None) -> str:
    """A star for each level, .05 and .001, at which the difference is not significant: two, one, or none."""
    return "" if p is None else "*" * sum(p > level for level in LEVELS)


def paired(one: ArrayLike, other: ArrayLike) -> float | None:
    """p of the two-tailed paired t-test; None for fewer than two runs."""
    return _two_tailed(one, other, 0.0)


def corrected(one: ArrayLike, other: ArrayLike, ratio: float) -> float | None:
    """p of the corrected resampled t-test, `ratio` being test documents to training documents."""
    return _two_tailed(one, other, ratio)


def compare(
    methods: Sequence[str], values: Sequence[Sequence[float]], ratio: float
) -> tuple[str, dict[str, ComparedMethods]]:
    """The method with the highest mean (of equals the first), and each other one against it; runs are in the same order for all."""
    best = int(np.argmax([np.mean(each) for each in values]))
    found = {
        method: ComparedMethods(paired(values[best], own), corrected(values[best], own, ratio))
        for number, (method, own) in enumerate(zip(methods, values, strict=True))
        if number != best
    }
    return methods[best], found


def _two_tailed(one: ArrayLike, other: ArrayLike, ratio: float) -> float | None:
    from scipy.stats import t as student

    difference = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    runs = difference.size
    if runs < 2:
        return None
    mean, variance = float(difference.mean()), float(difference.var(ddof=1))
    if variance <= (1e-12 * max(abs(mean), 1e-12)) ** 2:  # always the same difference: none at all, or beyond doubt
        return 1.0 if abs(mean) < 1e-12 else 0.0
    statistic = mean / math.sqrt((1.0 / runs + ratio) * variance)
    return float(2.0 * student.sf(abs(statistic), runs - 1))

"""Results as tables: mean and deviation over the runs, what is as good as the best, the paper's own numbers beside ours, and times.

The numbers that the paper prints in its tables, to stand beside ours; its other results are figures.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from forensia.experiments.plans import TASKS, methods_of
from forensia.experiments.resultsfile import DONE, IMPOSSIBLE, Record, ResultsFile, RunState, SizeRecord, TimeRecord
from forensia.profile import PROFILES


class Published(NamedTuple):
    """A mean over the paper's ten runs, with its standard deviation."""

    mean: float
    sd: float


# (task, measure, data set) -> mean and deviation for each of the task's methods, in their order. For same-author verification the paper
# prints deviations in percentage points (.756, 1.689).
PRINTED: Mapping[tuple[str, str, str], tuple[tuple[float, float], ...]] = {
    ("sav-closed", "accuracy", "arXiv"): ((0.756, 0.01689), (0.803, 0.02545), (0.629, 0.02241), (0.646, 0.01430)),
    ("sav-open", "accuracy", "arXiv"): ((0.663, 0.01966), (0.661, 0.01891), (0.642, 0.02473)),
    ("aa", "macro_f1", "arXiv"): ((0.643, 0.244), (0.596, 0.237), (0.482, 0.214), (0.422, 0.211)),
    ("aa", "micro_f1", "arXiv"): ((0.679, 0.224), (0.629, 0.219), (0.508, 0.207)),
    ("native-av", "macro_f1", "IMDB62"): ((0.287, 0.044), (0.664, 0.062), (0.683, 0.045)),
    ("native-av", "macro_f1", "PAN2011"): ((0.166, 0.019), (0.278, 0.056), (0.285, 0.028)),
    ("native-av", "macro_f1", "Victorian"): ((0.205, 0.010), (0.619, 0.044), (0.639, 0.042)),
    ("native-av", "macro_f1", "arXiv"): ((0.234, 0.037), (0.365, 0.075), (0.432, 0.097)),
}

# What must be known about the paper's deviations, by task.
DEVIATIONS: Mapping[str, str] = {
    "aa": "The paper's deviations are too large to be over its runs, as ours are; it does not say over what they were taken."
}

# data set -> seconds of training and of testing for each of these methods, on 12 cores, m = 20, q = 50 (arXiv: the whole set).
_TIMED = ("DV-Bin", "STD-CosDist", "Impostors", "Lazy AA", "Stacked AA", "STD-AA")
_SECONDS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "IMDB62": ((438.3, 1.4), (6.7, 0.3), (271.9, 625.1), (460.2, 955.5), (480.3, 942.8), (156.0, 0.2)),
    "PAN2011": ((173.7, 0.7), (3.5, 0.8), (247.6, 455.7), (228.3, 61.8), (267.3, 61.2), (157.6, 0.1)),
    "Victorian": ((870.2, 2.5), (11.9, 0.3), (283.2, 651.3), (917.4, 1232.6), (955.4, 1235.9), (202.9, 0.5)),
    "arXiv": ((49.8, 0.3), (0.7, 0.2), (225.2, 224.6), (145.0, 66.1), (250.4, 66.5), (483.8, 0.1)),
}

# data set -> |L| training documents, |L_P| training pairs, |U| test documents of the runs whose seconds these are; whole sets by task.
SIZES: Mapping[str, tuple[int, int, int]] = {
    "IMDB62": (1000, 49_000, 6000),
    "PAN2011": (1000, 49_000, 463),
    "Victorian": (1000, 49_000, 7937),
    "arXiv-SAV": (518, 5784, 255),
    "arXiv-AA": (1028, 11_106, 441),
}

# The m and q of the printed tables, where our own results stand beside them (0: all); arXiv: any.
PLACES: Mapping[str, tuple[int, int]] = {"native-av": (10, 50)}


def printed(task: str, measure: str, data: str, m: int, q: int, method: str, profile: str) -> Published | None:
    """What the paper has in the same place, or None: only its whole-set tables are printed."""
    if profile != "paper" or (data == "arXiv" and q != 0):
        return None
    if data != "arXiv" and PLACES.get(task) != (m, q):
        return None
    found = dict(zip(TASKS[task], PRINTED.get((task, measure, data), ()), strict=False)).get(method)
    return None if found is None else Published(*found)


def printed_seconds(data: str, m: int, q: int, method: str) -> tuple[float, float] | None:
    """The paper's seconds of training and testing for runs of this size, or None."""
    return dict(zip(_TIMED, _SECONDS.get(data, ()), strict=False)).get(method) if _was_timed(data, m, q) else None


def printed_sizes(data: str, m: int, q: int, tasks: Collection[str]) -> tuple[int, int, int] | None:
    """The paper's |L|, |L_P| and |U| for runs of this size, or None."""
    if not _was_timed(data, m, q) or "native-av" in tasks:
        return None
    return SIZES.get(f"arXiv-{'AA' if 'aa' in tasks else 'SAV'}" if data == "arXiv" else data)


def _was_timed(data: str, m: int, q: int) -> bool:
    """Whether the paper timed runs of this size."""
    return (m, q) == (20, 50) or (data == "arXiv" and not q)


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


def result_tables(results: ResultsFile) -> list[ResultTable]:
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


def run_tables(results: ResultsFile) -> list[ResultTable]:
    """What the runs were: their sizes, and the time they took."""
    return [table for table in (size_table(results), timing_table(results)) if table is not None]


def size_table(results: ResultsFile) -> ResultTable | None:
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


def timing_table(results: ResultsFile) -> ResultTable | None:
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

"""What the attribution sweep of a results file took, and what the reference recipe would have taken on the same machine.

    python -m forensia.bench.sweepcost RESULTS.sqlite [--data DIR]

The reference is timed at three sizes, at its default tolerance (which does not converge, and is its cheapest), and every run of the sweep
is reckoned from them: training and STD-AA by the power of the size that the measurements show, scoring by the pair. STD-Bin and the
features, which the reference makes anew for each run, are left out: the reference would take more than is said here. Where a sweep did
same-author verification on the same samples, what only that needs does not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forensia.bench.measuring import Task, find_data
from forensia.bench.stages import STAGES, measure
from forensia.diffvectors.pairs import CAP
from forensia.errors import InputError
from forensia.experiments.datasets import KNOWN
from forensia.experiments.resultsfile import ResultsFile
from forensia.features.space import KEEP

SIZES = ((5, 20), (10, 20), (10, 50))
TRAINING, SCORING, STANDARD = "train_reference_defaults", "score_one", "std_aa"
NOT_ATTRIBUTION = ("Impostors", "STD-CosDist")  # they share nothing with the methods of attribution


@dataclass(frozen=True)
class SweepRun:
    """One run of the sweep: how large it was, and what it took."""

    data: str
    m: int
    q: int
    test: int
    cpu_s: float

    @property
    def documents(self) -> int:
        return self.m * self.q


@dataclass(frozen=True)
class Growth:
    """Seconds as a power of the size, through what was measured."""

    factor: float
    power: float

    @classmethod
    def through(cls, sizes: Sequence[float], seconds: Sequence[float]) -> Growth:
        power, factor = np.polyfit(np.log(sizes), np.log(seconds), 1)
        return cls(float(np.exp(factor)), float(power))

    def __call__(self, size: float) -> float:
        return float(self.factor * size**self.power)


@dataclass(frozen=True)
class ReferenceCost:
    """What the recipe takes on one data set."""

    training: Growth  # of the pairs
    standard: Growth  # of the documents
    score: float  # a pair

    def seconds(self, run: SweepRun) -> float:
        """Training, the posteriors of the known documents among themselves and of the test documents against them, and STD-AA."""
        scored = run.documents * (run.documents - 1) / 2 + run.test * run.documents
        return self.training(pairs(run.m, run.q)) + self.standard(run.documents) + self.score * scored


def pairs(m: int, q: int) -> int:
    """The pairs that train on q documents of each of m authors, as many Different as Same."""
    return 2 * min(CAP, m * q * (q - 1) // 2)


def runs_of(results: ResultsFile) -> list[SweepRun]:
    """The finished attribution runs of the profile `paper`."""
    spent = {
        (state.data, state.m, state.q, state.run): state.cpu_s
        for state in results.states
        if state.state == "done" and state.profile == "paper"
    }
    for each in results.timings:
        if each.profile == "paper" and each.method in NOT_ATTRIBUTION:
            spent[each.data, each.m, each.q, each.run] -= each.cpu_s
    found = {
        (record.data, record.m, record.q, record.run): record.test
        for record in results.records
        if record.task == "aa" and record.profile == "paper"
    }
    return [SweepRun(data, m, q, test, spent[data, m, q, run]) for (data, m, q, run), test in found.items()]


def measured(data: Path, name: str) -> tuple[ReferenceCost, list[dict[str, Any]]]:
    """The reference on one data set, and the rows of the benchmark from which it was reckoned."""
    corpus = next(
        (place for place in KNOWN.get(name, ()) if (data / place).is_dir() or (data / f"{place}.tar.xz").is_file()), ""
    )
    if not corpus:
        raise InputError(f"There is no corpus '{name}' in '{data}' on which the reference could be timed.")
    stages = {stage.name: stage for stage in STAGES}
    rows = []
    for authors, documents in SIZES:
        with tempfile.TemporaryDirectory(prefix="forensia-bench-") as place:
            task = Task("", corpus, authors, documents, KEEP, str(data), "embedded", place, "")
            for stage in (TRAINING, SCORING, STANDARD):
                rows.append({"m": authors, "q": documents, **measure(stages[stage], task)})
    return reckoned(rows), rows


def reckoned(rows: Sequence[Mapping[str, Any]]) -> ReferenceCost:
    """What the rows of the benchmark say about other sizes."""
    took = {
        stage: [(row["m"], row["q"], row["reference_cpu_s"]) for row in rows if row["stage"] == stage]
        for stage in (TRAINING, SCORING, STANDARD)
    }
    training = Growth.through([pairs(m, q) for m, q, _ in took[TRAINING]], [seconds for *_, seconds in took[TRAINING]])
    standard = Growth.through([m * q for m, q, _ in took[STANDARD]], [seconds for *_, seconds in took[STANDARD]])
    return ReferenceCost(training, standard, min(seconds / (m * q) for m, q, seconds in took[SCORING]))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args(arguments)
    with ResultsFile.open(options.results) as results:
        runs = runs_of(results)
    data = find_data(options.data)
    total = {"forensia_cpu_s": 0.0, "reference_cpu_s": 0.0}
    for name in sorted({run.data for run in runs}):
        own = [run for run in runs if run.data == name]
        reference, rows = measured(data, name)
        for row in rows:
            _say({key: row[key] for key in ("stage", "corpus", "m", "q", "forensia_cpu_s", "reference_cpu_s", "ratio")})
        spent = {
            "forensia_cpu_s": sum(run.cpu_s for run in own),
            "reference_cpu_s": sum(reference.seconds(run) for run in own),
        }
        total = {side: total[side] + spent[side] for side in total}
        _say({"data": name, "runs": len(own), **_compared(spent)})
    _say({"data": "all", "runs": len(runs), **_compared(total)})
    return 0


def _compared(spent: Mapping[str, float]) -> dict[str, float]:
    return {
        **{side: round(seconds, 1) for side, seconds in spent.items()},
        "ratio": round(spent["reference_cpu_s"] / max(spent["forensia_cpu_s"], 1e-9), 1),
    }


def _say(row: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())

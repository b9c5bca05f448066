"""One unit of work, from the rows of a sample to its numbers: closed and open same-author verification, attribution, native verification.

It knows nothing of processes and files; the same unit gives the same numbers wherever it runs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import DVBin, Pairs, native_pairs
from forensia.diffvectors.pairs import split_pairs
from forensia.errors import Cancelled, ForensiaError
from forensia.evidence.measures import auc, macro_f1
from forensia.experiments.datasets import Dataset
from forensia.experiments.learning import Asked, Learning, SampleSpace
from forensia.experiments.units import Clock, Floats, Sample, Spent, Timing, Unit, UnitOutcome, UnitScores, Value, draw
from forensia.features import Counts, Vectors
from forensia.jobs import Progress, silent, tracked
from forensia.systems import DistanceClassifier, Impostors
from forensia.systems.lazy_stacked import LazyVerifier, NativeVerifier, StackedVerifier, with_itself
from forensia.systems.others import RANKERS

_log = logging.getLogger(__name__)
Flags = NDArray[np.bool_]
T = TypeVar("T")

# What each method needs, in the words of the clock: for training, and for testing.
STAGES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "DV-Bin": (("DV-Bin",), ("DV-Bin test",)),
    "DV-2xAA": (("DV-Bin", "matrix", "Lazy AA"), ("posteriors", "Lazy AA test")),
    "STD-CosDist": (("STD-CosDist",), ("STD-CosDist test",)),
    "STD-2xAA": (("STD-AA",), ("STD-AA test",)),
    "STD-L1Dist": (("STD-L1Dist",), ("STD-L1Dist test",)),
    "STD-L2Dist": (("STD-L2Dist",), ("STD-L2Dist test",)),
    "Impostors": (("Impostors",), ("Impostors test",)),
    "Impostors-minmax": (("Impostors-minmax",), ("Impostors-minmax test",)),
    "Lazy AA": (("DV-Bin", "matrix", "Lazy AA"), ("posteriors", "Lazy AA test")),
    "Stacked AA": (("DV-Bin", "matrix", "Stacked AA"), ("posteriors", "Stacked AA test")),
    "STD-AA": (("STD-AA",), ("STD-AA test",)),
    "STD-Bin": (("STD-Bin",), ("STD-Bin test",)),
    "fused": (("fused",), ("fused test",)),
    "Lazy AV": (("DV-Bin", "Lazy AV"), ("posteriors", "Lazy AV test")),
    "Stacked AV": (("DV-Bin", "Stacked AV"), ("posteriors", "Stacked AV test")),
    **{name: ((name,), (f"{name} test",)) for name in RANKERS},
}


@dataclass(frozen=True)
class Answers:
    """What a method says of test pairs; scores where it has some."""

    same: Flags
    scores: Floats | None = None
    threshold: float = 0.5


class UnitRun:
    """One unit at work."""

    def __init__(self, unit: Unit, data: Dataset, progress: Progress) -> None:
        self.unit = unit
        self._data = data
        self._progress = progress
        self._clock = Clock()
        self._values: list[Value] = []
        self._scores: list[UnitScores] = []
        self._problems: dict[str, str] = {}
        self._learning: Learning | None = None

    def run(self) -> UnitOutcome:
        """All tasks of the unit."""
        begun = Clock()
        with begun("all"):
            sample = draw(self._data.roster, self.unit.draw)
            if set(self.unit.tasks) - {"native-av"}:
                self._shared(sample)
            if "native-av" in self.unit.tasks:
                codes = self._data.roster.codes
                flags = native_verification(
                    self._data.counts, codes, sample, self._methods("native-av"), self.unit, self._clock, self._progress
                )
                self._values += [Value("native-av", method, "macro_f1", f1) for method, f1 in flags.items()]
        whole = begun.of("all")
        return UnitOutcome(
            values=tuple(self._values),
            timings=tuple(self._timings()),
            scores=tuple(self._scores),
            details=self._details(sample),
            cpu_s=whole.cpu,
            wall_s=whole.wall,
        )

    def _shared(self, sample: Sample) -> None:
        codes, counts = self._data.roster.codes, self._data.counts
        labels = codes[sample.train].astype(np.int64)
        sources = self._data.roster.sources
        learning = Learning(
            counts.rows(sample.train), labels, self.unit.rules, self.unit.draw.seed, self._clock, self._progress,
            [sources[row] for row in sample.train] if sources else (),
        )  # fmt: skip
        self._learning = learning
        test, closed = sample.test, sample.closed_pairs
        if "aa" not in self.unit.tasks and closed is not None:
            test, closed = _only_needed(test, closed)
        if {"aa", "sav-closed"} & set(self.unit.tasks):
            asked = Asked(learning, counts.rows(test), self._clock, self._progress)
            if "aa" in self.unit.tasks:
                self._attribution(learning, asked, codes[test].astype(np.int64))
            if "sav-closed" in self.unit.tasks:
                self._verification("sav-closed", learning, asked, closed)
        if "sav-open" in self.unit.tasks and sample.open_pairs is not None:
            others, open_pairs = _only_needed(sample.others, sample.open_pairs)
            strangers = Asked(learning, counts.rows(others), self._clock, self._progress)
            self._verification("sav-open", learning, strangers, open_pairs)
        elif "sav-open" in self.unit.tasks:
            self._problems["sav-open"] = "There are not enough other authors with test documents."

    def _attribution(self, learning: Learning, asked: Asked, truth: NDArray[np.int64]) -> None:
        names = [str(code) for code in truth.tolist()]
        classes = sorted(set(names))

        def attributed(predicted: NDArray[np.int64]) -> dict[str, float]:
            given = [str(code) for code in predicted.tolist()]
            right = float(np.mean(predicted == truth))
            return {"macro_f1": macro_f1(names, given, classes=classes), "micro_f1": right}

        def other(name: str) -> dict[str, float]:
            learner = learning.other(name)
            with self._clock(f"{name} test"):
                predicted = np.asarray(learner.predict(asked.vectors))
            return attributed(predicted)

        def each() -> dict[str, float]:
            learner = learning.each
            with self._clock("STD-Bin test"):
                probabilities = learner.predict_proba(asked.vectors)
            truly = truth[:, None] == np.asarray(learner.authors_)[None, :]
            ranked = np.asarray(learner.authors_)[probabilities.argmax(axis=1)]
            return {"macro_f1": mean_f1(probabilities > 0.5, truly), "ranked_f1": attributed(ranked)["macro_f1"]}

        ways: dict[str, Callable[[], dict[str, float]]] = {
            "Lazy AA": lambda: attributed(asked.lazy),
            "Stacked AA": lambda: attributed(asked.stacked),
            "STD-AA": lambda: attributed(asked.standard),
            "STD-Bin": each,
            "fused": lambda: attributed(asked.fused),
            **{name: partial(other, name) for name in RANKERS},
        }
        for method in self._methods("aa"):
            found = self._tried(f"aa, {method}", ways[method])
            self._values += [Value("aa", method, measure, value) for measure, value in (found or {}).items()]

    def _verification(self, task: str, learning: Learning, asked: Asked, pairs: Pairs | None) -> None:
        if pairs is None:
            self._problems[task] = "The test documents do not give enough pairs by one author."
            return
        first, second = pairs.first, pairs.second

        def dv_bin() -> Answers:
            scores = asked.pair_scores(pairs)
            return Answers(scores > 0.5, scores)

        def by_distance(method: str, learner: DistanceClassifier) -> Answers:
            with self._clock(f"{method} test"):
                scores = learner.predict_proba(asked.vectors, first, second)
            return Answers(scores > 0.5, scores)

        def impostors(method: str, learner: Impostors) -> Answers:
            with self._clock(f"{method} test"):
                scores = learner.scores(asked.vectors, first, second, self._progress)
            return Answers(scores > learner.sigma_, scores, learner.sigma_)

        ways: dict[str, Callable[[], Answers]] = {
            "DV-Bin": dv_bin,
            "STD-CosDist": lambda: by_distance("STD-CosDist", learning.cosine),
            "STD-L1Dist": lambda: by_distance("STD-L1Dist", learning.l1),
            "STD-L2Dist": lambda: by_distance("STD-L2Dist", learning.l2),
            "Impostors": lambda: impostors("Impostors", learning.impostors),
            "Impostors-minmax": lambda: impostors("Impostors-minmax", learning.minmax),
            "DV-2xAA": lambda: Answers(asked.lazy[first] == asked.lazy[second]),
            "STD-2xAA": lambda: Answers(asked.standard[first] == asked.standard[second]),
        }
        for method in self._methods(task):
            answers = self._tried(f"{task}, {method}", ways[method])
            if answers is None:
                continue
            self._values.append(Value(task, method, "accuracy", float((answers.same == pairs.same).mean())))
            if answers.scores is not None:
                same, different = answers.scores[pairs.same], answers.scores[~pairs.same]
                self._values.append(Value(task, method, "auc", auc(same, different)))
                if self.unit.keep_scores:
                    self._scores.append(UnitScores(task, method, answers.threshold, same, different))

    def _tried(self, what: str, way: Callable[[], T]) -> T | None:
        """What a method gives, or None with the reason kept: one that cannot be used here does not stop the others."""
        try:
            return way()
        except Cancelled:
            raise
        except ForensiaError as problem:
            self._problems[what] = str(problem)
            return None

    def _methods(self, task: str) -> tuple[str, ...]:
        return self.unit.methods[self.unit.tasks.index(task)]

    def _timings(self) -> list[Timing]:
        found = [Timing("features", "train", *_seconds(self._clock.of("features", "factors")))]
        for method in dict.fromkeys(value.method for value in self._values):
            for name, stages in zip(("train", "test"), STAGES[method], strict=True):
                found.append(Timing(method, name, *_seconds(self._clock.of(*stages))))
        return found

    def _details(self, sample: Sample) -> dict[str, object]:
        details: dict[str, object] = {
            "train": len(sample.train),
            "test": len(sample.test),
            "closed_pairs": 0 if sample.closed_pairs is None else len(sample.closed_pairs),
            "open_pairs": 0 if sample.open_pairs is None else len(sample.open_pairs),
        }
        if self._problems:
            details["problems"] = self._problems
        learning = self._learning
        if learning is not None and "pairs" in learning.__dict__:
            training = learning.pairs.training_
            details |= {"pairs": training.pairs, "c": training.c, "converged": training.converged}
        if learning is not None and "lazy" in learning.__dict__:
            details["k"] = learning.lazy.k_
        if learning is not None and "impostors" in learning.__dict__:
            details["sigma"] = learning.impostors.sigma_
        return details


def run_unit(unit: Unit, data: Dataset, progress: Progress = silent) -> UnitOutcome:
    """Run a unit. What goes wrong is in the outcome; only a wish to stop is raised."""
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(limits=1):
            return UnitRun(unit, data, progress).run()
    except Cancelled:
        raise
    except ForensiaError as problem:
        return UnitOutcome(problem=str(problem))
    except MemoryError:
        return UnitOutcome(problem="There was not enough memory for it.")
    except Exception as error:
        _log.exception("run failed: %s", unit.name)
        return UnitOutcome(problem=f"Something unexpected happened ({type(error).__name__}).")


def mean_f1(accepted: Flags, truly: Flags) -> float:
    """F1 of each author (column) whose documents were to be accepted, and the mean of them; 0 for one of whom nothing was right."""
    right = (accepted & truly).sum(axis=0)
    whole = accepted.sum(axis=0) + truly.sum(axis=0)
    return float(np.mean(np.divide(2.0 * right, whole, out=np.zeros(len(right)), where=whole > 0)))


def _only_needed(rows: NDArray[np.int64], pairs: Pairs) -> tuple[NDArray[np.int64], Pairs]:
    """The documents that occur in pairs, and the pairs as places among those."""
    needed, at = np.unique(np.concatenate((pairs.first, pairs.second)), return_inverse=True)
    count = len(pairs)
    return rows[needed], Pairs(at[:count].astype(np.int32), at[count:].astype(np.int32), pairs.same)


def _seconds(spent: Spent) -> tuple[float, float]:
    return round(spent.cpu, 4), round(spent.wall, 4)


def native_verification(
    counts: Counts,
    codes: NDArray[np.int32],
    sample: Sample,
    methods: Sequence[str],
    unit: Unit,
    clock: Clock,
    progress: Progress,
) -> dict[str, float]:
    """F1 of A*, the mean over the authors, for each method."""
    known, asked = counts.rows(sample.train), counts.rows(sample.test)
    found: dict[str, list[float]] = {method: [] for method in methods}
    for author in tracked(np.unique(codes[sample.train]).tolist(), progress, "verifying each author"):
        own, truly = codes[sample.train] == author, codes[sample.test] == author
        space = SampleSpace(known, own.astype(np.int64), unit.rules, unit.draw.seed, clock)
        queries = space.vectors(asked)
        for method, accepted in _decisions(space.known, own, queries, methods, unit.draw.seed, clock, progress):
            found[method].append(_f1(accepted, truly))
    return {method: float(np.mean(values)) for method, values in found.items()}


def _decisions(
    known: Vectors, own: Flags, queries: Vectors, methods: Sequence[str], seed: int, clock: Clock, progress: Progress
) -> list[tuple[str, Flags]]:
    decided: list[tuple[str, Flags]] = []
    if {"Lazy AV", "Stacked AV"} & set(methods):
        with clock("DV-Bin"):
            pairs = native_pairs(own, seed)
            learner = DVBin(seed=seed).fit_pairs(known, pairs, split_pairs(pairs, seed), progress)
            matrix = learner.matrix(known, progress)
        with clock("posteriors"):
            posteriors = learner.scores(queries, known, progress)
        if "Lazy AV" in methods:
            with clock("Lazy AV"):
                lazy = LazyVerifier(True).fit(matrix, own)
            with clock("Lazy AV test"):
                decided.append(("Lazy AV", lazy.predict(posteriors)))
        if "Stacked AV" in methods:
            with clock("Stacked AV"):
                stacked = StackedVerifier(True, seed=seed).fit(with_itself(matrix, learner.model_), own, progress)
            with clock("Stacked AV test"):
                decided.append(("Stacked AV", stacked.predict(posteriors)))
    if "STD-Bin" in methods:
        with clock("STD-Bin"):
            standard = NativeVerifier("standard", seed=seed).fit(known, own, progress)
        with clock("STD-Bin test"):
            decided.append(("STD-Bin", standard.predict(queries)))
    return decided


def _f1(accepted: Flags, truly: Flags) -> float:
    whole = int(accepted.sum() + truly.sum())
    return 2.0 * int((accepted & truly).sum()) / whole if whole else 0.0

"""The unit of an experiment, one run on one sample: what it draws, what comes of it, and how long a plan of them will take.

A run draws authors, nested training documents, and test pairs that stay the same for each m, as in the paper. All of it follows from the
seed of the run and the numbers of documents, never from names or the order of files. For one data set, m and run the authors, the test
documents and the test pairs are the same for every q, and the documents of a smaller q are among those of a larger one.

What a plan will take is estimated from the sizes of its runs. The figures are processor seconds measured on one machine; a small piece of
work, timed at the start, tells how much faster or slower this one is. Where runs of the same data set and profile are done, what they
really took corrects the estimate.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import Pairs, TooFewPairs, sample_pairs
from forensia.diffvectors.pairs import CAP
from forensia.errors import ForensiaError
from forensia.experiments.plans import ALL, HALF
from forensia.features import EVERY_FAMILY, FAMILIES
from forensia.profile import QUICK, Profile, profile_named

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Unit:
    """Some tasks with some methods on one sample of one data set. Equal units give equal results, so the key names the result."""

    data: str
    fingerprint: str
    profile: str
    tasks: tuple[str, ...]
    methods: tuple[tuple[str, ...], ...]  # for each task
    run: int
    draw: Draw
    keep_scores: bool = False
    language: str = "embedded"

    @property
    def key(self) -> str:
        """What the result depends on, as a short hash."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:20]

    @property
    def rules(self) -> Profile:
        """The rules of the profile; models of fewer folds do for scores that are not validated.

        Texts are counted once for all profiles, as they were typed: so it was in the paper.
        """
        return replace(profile_named(self.profile, QUICK), typing="as typed")

    @property
    def families(self) -> tuple[str, ...]:
        """The families of features that its methods count; only the fused ranking needs all."""
        return EVERY_FAMILY if any("fused" in own for own in self.methods) else FAMILIES

    @property
    def name(self) -> str:
        """For people."""
        q = self.draw.q or "all"
        return f"{self.data}, {self.profile}, m = {self.draw.m}, q = {q}, run {self.run}"


@dataclass(frozen=True)
class Value:
    """One number of a result."""

    task: str
    method: str
    measure: str
    value: float


@dataclass(frozen=True)
class Timing:
    """What a method took, with all that it builds on but the features; the features are a row of their own."""

    method: str
    stage: str  # train, test
    cpu_s: float
    wall_s: float


@dataclass(frozen=True)
class UnitScores:
    """The scores of the test pairs, and the threshold above which the answer is Same."""

    task: str
    method: str
    threshold: float
    same: Floats
    different: Floats


@dataclass(frozen=True)
class UnitOutcome:
    """What came of a unit; `problem` is a sentence for people when it failed."""

    values: tuple[Value, ...] = ()
    timings: tuple[Timing, ...] = ()
    scores: tuple[UnitScores, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    cpu_s: float = 0.0
    wall_s: float = 0.0
    machine: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True)
class Spent:
    """Processor and wall time."""

    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.cpu + other.cpu, self.wall + other.wall)


class Clock:
    """Adds up what named stages take; stages do not overlap. Only the own thread counts: others may be at other runs."""

    def __init__(self) -> None:
        self.spent: dict[str, Spent] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        cpu, wall = thread_time(), perf_counter()
        try:
            yield
        finally:
            taken = Spent(thread_time() - cpu, perf_counter() - wall)
            self.spent[stage] = self.spent.get(stage, Spent()) + taken

    def of(self, *stages: str) -> Spent:
        """What some stages took together."""
        return sum((self.spent.get(stage, Spent()) for stage in stages), Spent())


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    from importlib.metadata import version

    return {
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }


TRAINING_SHARE = 0.7
Integers = NDArray[np.int64]
_AUTHORS, _DOCUMENTS, _PAIRS, _SPLIT, _OTHERS, _TESTED = range(11, 17)  # what a stream of random numbers is for


class NotFeasible(ForensiaError):
    """More authors or documents are asked for than the data set has."""


@dataclass(frozen=True)
class Roster:
    """The authors of the documents of a data set as numbers, which are for training (None: not marked), and their sources, if known."""

    codes: NDArray[np.int32]
    train: NDArray[np.bool_] | None = None
    sources: tuple[tuple[str, ...], ...] = ()

    @property
    def authors(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def training(self, split: str, seed: int) -> NDArray[np.bool_]:
        """Which documents are for training: as marked, or 70 % of each author's, drawn once ('given') or for each seed ('random')."""
        if split == "given" and self.train is not None:
            return self.train
        rng = np.random.default_rng([seed if split == "random" else 0, _SPLIT])
        chosen = np.zeros(len(self.codes), dtype=np.bool_)
        for author in range(self.authors):
            rows = rng.permutation(np.flatnonzero(self.codes == author))
            chosen[rows[: training_size(len(rows))]] = True
        return chosen


def training_size(documents: int) -> int:
    """How many of an author's documents are for training: 70 %, but one at least is left to test on where there are two."""
    return min(max(round(TRAINING_SHARE * documents), 1), max(documents - 1, 1))


@dataclass(frozen=True)
class Draw:
    """What is asked for: m authors, q training documents of each (ALL: all), for one seed.

    `most` is the largest q of the sweep: only authors with so many documents are drawn, so that q can grow with the same authors.
    """

    m: int
    q: int
    most: int
    seed: int
    split: str = "given"
    pairs: int = 500  # of each class
    test_documents: int = 0  # of each author; 0 is all


@dataclass(frozen=True)
class Sample:
    """Rows of the data set to train and test on; pairs are places in `test` and in `others` (documents by m other authors)."""

    train: Integers
    test: Integers
    others: Integers
    closed_pairs: Pairs | None
    open_pairs: Pairs | None


def resolved(m: int, roster: Roster) -> int:
    """m as a number of authors."""
    return {ALL: roster.authors, HALF: roster.authors // 2}.get(m, m)


def largest(roster: Roster, m: int, qs: tuple[int, ...], split: str, seed: int) -> int:
    """The largest q for which there are m authors with q training documents and a test document; 0 if there is none."""
    if qs == (ALL,):
        return 2 if len(_eligible(roster, roster.training(split, seed), 2)) >= m else 0
    training = roster.training(split, seed)
    feasible = [q for q in qs if q != ALL and len(_eligible(roster, training, q)) >= m]
    return max(feasible, default=0)


def draw(roster: Roster, wanted: Draw) -> Sample:
    """The documents and pairs of one run."""
    training = roster.training(wanted.split, wanted.seed)
    eligible = _eligible(roster, training, wanted.most)
    if len(eligible) < wanted.m or wanted.q > wanted.most:
        raise NotFeasible(
            f"{wanted.m} authors with {max(wanted.q, wanted.most)} training documents each are asked for, "
            f"and {len(eligible)} have so many."
        )
    authors = np.random.default_rng([wanted.seed, wanted.m, _AUTHORS]).permutation(eligible)[: wanted.m]
    train = [_documents(roster, training, author, wanted, _DOCUMENTS) for author in authors.tolist()]
    size = None if wanted.q == ALL else wanted.q
    test = _tested(roster, training, authors, wanted)
    rest = np.setdiff1d(np.arange(roster.authors), authors)
    rest = rest[np.bincount(roster.codes[~training], minlength=roster.authors)[rest] >= 2]
    strangers = np.random.default_rng([wanted.seed, wanted.m, _OTHERS]).permutation(rest)[: wanted.m]
    others = _tested(roster, training, strangers, wanted) if len(strangers) == wanted.m else np.zeros(0, np.int64)
    return Sample(
        train=np.sort(np.concatenate([rows[:size] for rows in train])),
        test=test,
        others=others,
        closed_pairs=_pairs(roster.codes[test], wanted, 0),
        open_pairs=_pairs(roster.codes[others], wanted, 1),
    )


def _eligible(roster: Roster, training: NDArray[np.bool_], documents: int) -> Integers:
    """The authors with so many training documents and something to test on."""
    known = np.bincount(roster.codes[training], minlength=roster.authors)
    tested = np.bincount(roster.codes[~training], minlength=roster.authors)
    return np.flatnonzero((known >= max(documents, 2)) & (tested >= 1))


def _documents(roster: Roster, chosen: NDArray[Any], author: int, wanted: Draw, purpose: int) -> Integers:
    """The documents of an author among the chosen ones, in the order in which they are drawn: the same for every m and q."""
    rows = np.flatnonzero((roster.codes == author) & chosen)
    return np.random.default_rng([wanted.seed, author, purpose]).permutation(rows)


def _tested(roster: Roster, training: NDArray[np.bool_], authors: Integers, wanted: Draw) -> Integers:
    most = wanted.test_documents or None
    rows = [_documents(roster, ~training, author, wanted, _TESTED)[:most] for author in authors.tolist()]
    return np.sort(np.concatenate(rows)) if rows else np.zeros(0, np.int64)


def _pairs(codes: NDArray[np.int32], wanted: Draw, number: int) -> Pairs | None:
    """Test pairs, half of them Same; None where the documents do not give enough."""
    seed = int(np.random.SeedSequence([wanted.seed, wanted.m, _PAIRS, number]).generate_state(1)[0])
    try:
        return sample_pairs(codes, seed, cap=wanted.pairs)
    except TooFewPairs:
        return None


# Seconds on the machine where they were measured; w is the mean number of words of a document.
_START = 0.3
_FEATURES = 1.5e-6  # a word
_PAIR = (3e-4, 4.8e-6)  # a training pair: at least, and for each word
_CROWD = 90_000  # pairs beyond which the solver needs more and more steps
_SCORE = 4e-9  # a test document x a training document x a word
_STANDARD = 2.5e-7  # a training document x a training document x an author
_FUSED = (0.06, 2e-6, 3.2e-6)  # at least, for each word, and for a training document x a training document
_IMPOSTORS = (3e-3, 0.9e-5)  # a pair: at least, and for each word
_L1 = 1.4e-7  # a training pair x a word
_VALIDATION = 500  # pairs on which Impostors tunes its threshold
_FACTORS = 2.5  # choosing the factors of the families
_PROBE = 0.0265  # what `_probe` took there
_SCORED = frozenset(("Lazy AA", "Stacked AA", "DV-2xAA"))  # methods that learn from the scores of DV-Bin
_PAIRED = _SCORED | {"DV-Bin"}


@dataclass(frozen=True)
class PlanSize:
    """How large the sample of a unit is."""

    m: int
    q: float
    tested: float  # test documents of each author
    words: float


@dataclass(frozen=True)
class Estimate:
    """What the runs that are left will take."""

    runs: int
    done: int
    cpu_s: float
    jobs: int
    learnt: bool  # from runs that are done

    def __str__(self) -> str:
        if not self.runs:
            return f"All {self.done} runs are done."
        before = f" ({self.done} are done)" if self.done else ""
        many = f", {spoken(self.cpu_s / self.jobs)} with {self.jobs} processes" if self.jobs > 1 else ""
        basis = "reckoned from the runs that are done" if self.learnt else "reckoned from the sizes of the runs"
        return (
            f"{self.runs} runs are to be made{before}. Estimate: {spoken(self.cpu_s)} of processor time{many}; {basis}."
        )


def unit_cost(unit: Unit, size: PlanSize) -> float:
    """Processor seconds that a unit will take, on the machine of the figures."""
    n, tested = size.m * size.q, size.m * size.tested
    if "native-av" in unit.tasks:
        pairs = min(2 * CAP, size.q * (size.q - 1))
        each = (
            _START
            + _FEATURES * (n + tested) * size.words
            + _learning(pairs, size.words)
            + _SCORE * (tested + n) * n * size.words
        )
        return size.m * (each + 2 * _STANDARD * n * n)
    methods = {method for own in unit.methods for method in own}
    asked = tested * (1 + ("sav-open" in unit.tasks))
    cost = _START + _FEATURES * (n + asked) * size.words + _STANDARD * n * n * size.m
    pairs = min(2 * CAP, n * (size.q - 1))
    learnt = _FEATURES * n * size.words + _learning(pairs, size.words)
    if methods & _PAIRED:
        cost += learnt + _SCORE * (tested + n / 2) * n * size.words
    if unit.rules.scaled:
        cost += _FACTORS
    if unit.rules.out_of_fold and methods & _SCORED:
        cost += unit.rules.effort.folds * (0.64 * learnt + _START)
    if "fused" in methods:
        cost += _FUSED[0] + _FUSED[1] * (n + tested) * size.words + _FUSED[2] * n * n
    if "STD-L1Dist" in methods:
        cost += _L1 * pairs * size.words
    each = (2 * unit.draw.pairs + _VALIDATION) * (_IMPOSTORS[0] + _IMPOSTORS[1] * size.words)
    cost += each * len(methods & {"Impostors", "Impostors-minmax"})
    return cost


def _learning(pairs: float, words: float) -> float:
    """What fitting DV-Bin takes."""
    return pairs * (_PAIR[0] + _PAIR[1] * words) * (1 + (pairs / _CROWD) ** 4)


def estimate(
    pending: Sequence[tuple[str, str, float]],
    done: Sequence[tuple[str, str, float, float]],
    jobs: int,
    finished: int,
) -> Estimate:
    """The cost of pending units (data, profile, cost), corrected by those that are done (data, profile, cost, seconds)."""
    if not pending:
        return Estimate(0, finished, 0.0, jobs, learnt=False)
    ratios: dict[tuple[str, str], tuple[float, float]] = {}
    for data, profile, cost, seconds in done:
        told, took = ratios.get((data, profile), (0.0, 0.0))
        ratios[data, profile] = told + cost, took + seconds
    known = {key: took / told for key, (told, took) in ratios.items() if told > 0 and took > 0}
    speed = slowness() if any((data, profile) not in known for data, profile, _ in pending) else 1.0
    total = sum(cost * known.get((data, profile), speed) for data, profile, cost in pending)
    return Estimate(len(pending), finished, total, jobs, learnt=bool(known))


@lru_cache(maxsize=1)
def slowness() -> float:
    """How much longer this machine takes than the one of the figures."""
    return max(min(_probe() for _ in range(3)) / _PROBE, 0.05)


def _probe() -> float:
    """Processor seconds of a fixed piece of work like that of the runs: sparse products, sorting, dense products."""
    from scipy.sparse import random_array
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(0)
    sparse = random_array((600, 20_000), density=0.01, format="csr", rng=rng, dtype=np.float32)
    dense = rng.random((300, 300))
    with threadpool_limits(limits=1):
        begun = process_time()
        (sparse @ sparse.T).toarray().sort(axis=1)
        for _ in range(5):
            dense = dense @ dense
            dense /= np.abs(dense).max()
        return process_time() - begun


def spoken(seconds: float) -> str:
    """A time as a person would say it."""
    if seconds < 90:
        return f"about {max(round(seconds), 1)} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"

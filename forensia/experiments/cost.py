"""What a plan will take, before it starts: an estimate from the sizes of its runs, and from how long earlier ones took.

The figures are processor seconds measured on one machine; a small piece of work, timed at the start, tells how much faster or slower
this one is. Where runs of the same data set and profile are done, what they really took corrects the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import process_time

import numpy as np

from forensia.diffvectors.pairs import CAP
from forensia.experiments.units import Unit

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

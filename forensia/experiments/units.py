"""The unit of an experiment, one run on one sample, and what comes of it: small, frozen, fit to travel between processes."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from time import perf_counter, thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.experiments.sampling import Draw
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

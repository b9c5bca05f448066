"""Natively binary verification: each author in turn against the others, of whom nothing is known but that they are not A*.

The features are chosen with that knowledge alone, Same pairs are within A*, Different ones across the border. Lazy and
Stacked share one DV-Bin for each author.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import DVBin, native_pairs
from forensia.diffvectors.folds import split_pairs
from forensia.experiments.learning import Space
from forensia.experiments.sampling import Sample
from forensia.experiments.units import Clock, Unit
from forensia.features import Counts, Vectors
from forensia.jobs import Progress, tracked
from forensia.systems.stacked import with_itself
from forensia.systems.verification import LazyVerifier, NativeVerifier, StackedVerifier

Flags = NDArray[np.bool_]


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
        space = Space(known, own.astype(np.int64), unit.rules, unit.draw.seed, clock)
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

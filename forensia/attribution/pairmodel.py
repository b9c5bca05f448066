"""h with everything it needs to score a text: the feature space, the scale of its families, and the trained pair model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from forensia.diffvectors import DVBin, PairModel, Training
from forensia.features import FAMILIES, Counts, FeatureSpace, Vectors
from forensia.jobs import Progress, part, silent

# Group 1 is standardised: each family is as long as the root of its width, where a family of group 2 has length one. The
# forensic profile brings all families to length one and then tries these factors on group 1.
DENSE_FACTORS = (0.1, 0.3, 1.0)
SCALING_PAIRS = 1_500  # of each class: enough to tell factors apart that differ threefold


@dataclass(frozen=True)
class TrainingOptions:
    """What the analyst chose. `paper` is the paper to the letter; `forensic` differs where evidence needs it to."""

    profile: str = "forensic"
    seed: int = 0
    families: tuple[str, ...] = FAMILIES
    mask: str = "none"
    language: str = "embedded"


@dataclass(frozen=True)
class FittedPairs:
    """Pr(Same) of documents given by their counts."""

    space: FeatureSpace
    factors: Mapping[str, float]
    model: PairModel
    training: Training = field(compare=False)

    def vectors(self, counts: Counts) -> Vectors:
        """The vectors on which the pair model works."""
        vectors = self.space.transform(counts)
        return vectors.scaled(self.factors) if self.factors else vectors


def fit_pairs(
    counts: Counts,
    labels: Sequence[str],
    options: TrainingOptions,
    *,
    factors: Mapping[str, float] | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> FittedPairs:
    """Fit features and h on documents; `factors` given are used as they are, otherwise the profile decides."""
    progress(0.0, "choosing the features")
    space = FeatureSpace(options.families).fit(counts, labels)
    vectors = space.transform(counts)
    if options.profile == "paper":
        factors = {}
    elif factors is None:
        factors = choose_factors(vectors, labels, options.seed, threads, part(progress, 0.05, 0.3))
    scaled = vectors.scaled(factors) if factors else vectors
    learner = DVBin(profile=options.profile, seed=options.seed, threads=threads)
    learner.fit(scaled, list(labels), part(progress, 0.3, 1.0))
    return FittedPairs(space, factors, learner.model_, learner.training_)


def choose_factors(
    vectors: Vectors, labels: Sequence[str], seed: int, threads: int = 1, progress: Progress = silent
) -> dict[str, float]:
    """The factor of each family: unit length, and for group 1 the share with the lowest log loss on held-out documents."""
    best: tuple[float, dict[str, float]] = (np.inf, {})
    for number, share in enumerate(DENSE_FACTORS):
        stage = part(progress, number / len(DENSE_FACTORS), (number + 1) / len(DENSE_FACTORS))
        stage(0.0, "weighing the families of features")
        factors = {
            block.family: share / float(np.sqrt(max(block.width, 1))) if block.dense else 1.0
            for block in vectors.blocks
        }
        learner = DVBin(profile="forensic", seed=seed, cap=SCALING_PAIRS, grid=(1.0, 10.0, 100.0), threads=threads)
        learner.fit(vectors.scaled(factors), list(labels), stage)
        loss = min(learner.training_.losses.values())
        if loss < best[0]:
            best = (loss, factors)
    return best[1]

"""What the methods of one run share: the feature space, DV-Bin, its posteriors, and the baselines, each computed once and timed.

The rules are those of the profile, as in training; the baselines see the scaled vectors too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import DVBin, Pairs, probability
from forensia.diffvectors.pairs import codes
from forensia.estimator import in_order
from forensia.evidence.crossfit import Crossfit, with_copies
from forensia.evidence.knowntexts import Texts
from forensia.experiments.units import Clock
from forensia.features import Counts, FeatureSpace, Vectors
from forensia.jobs import Progress, silent
from forensia.profile import Profile
from forensia.systems import DistanceClassifier, Impostors, LazyAttributor, StackedAttributor
from forensia.systems.baselines import SimilarityName, StandardAttributor
from forensia.systems.distances import DistanceName
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.lazy_stacked import described
from forensia.systems.leaving_out import rounds
from forensia.systems.others import RANKERS, Ranker
from forensia.systems.pairmodel import FittedPairs, ScaledSpace, TrainingOptions, choose_factors

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


class SampleSpace:
    """The features of some training documents, and the vectors of others in them."""

    def __init__(self, counts: Counts, labels: Labels, profile: Profile, seed: int, clock: Clock) -> None:
        self.options = TrainingOptions(profile=profile, seed=seed, families=counts.families).learnable(counts)
        with clock("features"):
            space = FeatureSpace(self.options.paired).fit(counts, labels.tolist())
            known = space.transform(counts)
        factors: Mapping[str, float] = {}
        if profile.scaled:
            with clock("factors"):
                factors = choose_factors(known, _names(labels), seed)
        self.scaled = ScaledSpace(space, factors)
        self.known = self.scaled.scaled(known)
        self._clock = clock

    def vectors(self, counts: Counts) -> Vectors:
        """The vectors of other documents."""
        with self._clock("features"):
            return self.scaled.vectors(counts)


def _names(labels: Labels) -> list[str]:
    return [str(label) for label in labels.tolist()]


class Learning:
    """The learners of one run; each is made when it is first asked for, after all that it needs."""

    def __init__(
        self,
        counts: Counts,
        labels: Labels,
        profile: Profile,
        seed: int,
        clock: Clock,
        progress: Progress = silent,
        sources: Sequence[tuple[str, ...]] = (),
    ) -> None:
        self._texts = Texts(counts, _names(labels), sources)
        self.labels = labels
        self.profile = profile
        self.seed = seed
        self._clock = clock
        self._progress = progress
        self.space = SampleSpace(counts, labels, profile, seed, clock)
        self.known = self.space.known

    @cached_property
    def pairs(self) -> DVBin:
        """DV-Bin."""
        with self._clock("DV-Bin"):
            return DVBin(profile=self.profile, seed=self.seed).fit(self.known, self.labels, self._progress)

    @cached_property
    def matrix(self) -> Floats:
        """Pr(Same) of the training documents against each other: of the final h, or out of fold."""
        learner = self.pairs
        with self._clock("matrix"):
            if not self.profile.out_of_fold:
                return learner.matrix(self.known, self._progress)
            scaled = self.space.scaled
            final = FittedPairs(scaled.space, scaled.factors, learner.model_, learner.training_)
            found = Crossfit(final, self.space.options).by_document(self._texts, self._progress)
            return probability(found.log_odds.astype(np.float64))

    @cached_property
    def lazy(self) -> LazyAttributor:
        matrix = self.matrix
        with self._clock("Lazy AA"):
            return LazyAttributor(profile=self.profile).fit(matrix, self.labels)

    @cached_property
    def stacked(self) -> StackedAttributor:
        matrix, learner = self.matrix, self.pairs
        with self._clock("Stacked AA"):
            phi = described(matrix, codes(self.labels), learner.model_, self.profile)
            return StackedAttributor(seed=self.seed, even=self.profile.even).fit(phi, self.labels, self._progress)

    @cached_property
    def fused(self) -> FusedSystem:
        """The fused ranking; sources are left out as in a validation."""
        texts, numbers = self._texts, codes(self.labels).astype(np.intp)
        with self._clock("fused"):
            together = with_copies(texts.labels, texts.sources, texts.counts)
            left_out = rounds(numbers, together, self.seed) or rounds(numbers, [()] * len(numbers), self.seed)
            return fit_fused(texts.counts, numbers, [left_out], self.space.options.fused, progress=self._progress)[0]

    @cached_property
    def standard(self) -> StandardAttributor:
        """STD-AA."""
        with self._clock("STD-AA"):
            return StandardAttributor(seed=self.seed).fit(self.known, self.labels, self._progress)

    @cached_property
    def each(self) -> StandardAttributor:
        """STD-Bin."""
        with self._clock("STD-Bin"):
            return StandardAttributor(each=True, seed=self.seed).fit(self.known, self.labels, self._progress)

    def other(self, name: str) -> Ranker:
        """A system of another kind; it is asked once in a run, so nothing is kept."""
        with self._clock(name):
            return RANKERS[name](self.seed).fit(self.known, self.labels, self._progress)

    @cached_property
    def cosine(self) -> DistanceClassifier:
        """STD-CosDist."""
        return self._by_distance("STD-CosDist", "cosine")

    @cached_property
    def l1(self) -> DistanceClassifier:
        """STD-L1Dist."""
        return self._by_distance("STD-L1Dist", "l1")

    @cached_property
    def l2(self) -> DistanceClassifier:
        """STD-L2Dist."""
        return self._by_distance("STD-L2Dist", "l2")

    @cached_property
    def impostors(self) -> Impostors:
        return self._impostors("Impostors", "cosine")

    @cached_property
    def minmax(self) -> Impostors:
        """Impostors-minmax."""
        return self._impostors("Impostors-minmax", "minmax")

    def _by_distance(self, method: str, distance: DistanceName) -> DistanceClassifier:
        with self._clock(method):
            made = DistanceClassifier(distance=distance, profile=self.profile, seed=self.seed)
            return made.fit(self.known, self.labels)

    def _impostors(self, method: str, similarity: SimilarityName) -> Impostors:
        with self._clock(method):
            return Impostors(similarity=similarity, seed=self.seed).fit(self.known, self.labels, self._progress)


class Asked:
    """Test documents of one run: their vectors, and their posteriors against the training documents, once for all methods."""

    def __init__(self, learning: Learning, counts: Counts, clock: Clock, progress: Progress = silent) -> None:
        self.vectors = learning.space.vectors(counts)
        self._counts = counts
        self._learning = learning
        self._clock = clock
        self._progress = progress

    @cached_property
    def posteriors(self) -> Floats:
        """Pr(Same), test documents x training documents."""
        learner = self._learning.pairs
        with self._clock("posteriors"):
            return learner.scores(self.vectors, self._learning.known, self._progress)

    @cached_property
    def lazy(self) -> NDArray[np.int64]:
        """The authors by Lazy AA."""
        learner, posteriors = self._learning.lazy, self.posteriors
        with self._clock("Lazy AA test"):
            return np.asarray(learner.predict(posteriors))

    @cached_property
    def stacked(self) -> NDArray[np.int64]:
        """The authors by Stacked AA."""
        learner, posteriors = self._learning.stacked, self.posteriors
        with self._clock("Stacked AA test"):
            return np.asarray(learner.predict(posteriors))

    @cached_property
    def fused(self) -> NDArray[np.int64]:
        """The authors by the fused ranking."""
        system, authors = self._learning.fused, in_order(self._learning.labels)
        with self._clock("fused test"):
            return np.asarray(authors[system.z(self._counts).argmax(axis=1)])

    @cached_property
    def standard(self) -> NDArray[np.int64]:
        """The authors by STD-AA."""
        learner = self._learning.standard
        with self._clock("STD-AA test"):
            return np.asarray(learner.predict(self.vectors))

    def pair_scores(self, pairs: Pairs) -> Floats:
        """Pr(Same) of test pairs by DV-Bin."""
        learner = self._learning.pairs
        with self._clock("DV-Bin test"):
            return learner.predict_proba(self.vectors, pairs.first, pairs.second)

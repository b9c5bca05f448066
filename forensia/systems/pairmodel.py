"""h with everything it needs to score a text: the feature space, the scale of its families, and the trained pair model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Corpus, at_most
from forensia.diffvectors import DVBin, PairModel, Training
from forensia.diffvectors.dvbin import GRID
from forensia.diffvectors.pairs import codes
from forensia.errors import SettingsError
from forensia.features import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES, Block, Counts, FeatureSpace, Vectors
from forensia.jobs import Progress, part, silent, tracked
from forensia.profile import FORENSIC, THOROUGH, Effort, Profile, profile_named
from forensia.systems.multinomial import RowLogistic

# Group 1 is standardised: each family is as long as the root of its width, where a family of group 2 has length one. A scaled
# profile brings all families to length one, group 1 to this share of it, and then tries factors for each.
DENSE_SHARE = 0.3
TRIED = (1 / 3, 3.0)
CLEARLY = 0.995  # a factor is taken when the loss falls below this share of what it was
SENTENCES = "sentence lengths"
FEWEST = 2  # texts of an author: one to try, one to know the author by
WEIGHED = 400  # documents, spread evenly over the authors: enough to tell factors apart that differ threefold


@dataclass(frozen=True)
class TrainingOptions:
    """What the analyst chose."""

    profile: Profile = FORENSIC
    seed: int = 0
    families: tuple[str, ...] = EVERY_FAMILY
    mask: str = "none"
    language: str = "embedded"
    function_words: str = ""  # a file of words, for a language model without a list of its own
    at_most: int = 0  # texts of each author that are used; 0 is all

    def to_dict(self) -> dict[str, Any]:
        """Plain values for headers and logs, the profile by its name; how much effort was asked for stands beside them."""
        stored = {**asdict(self), "profile": self.profile.name, "families": list(self.families)}
        if not self.at_most:  # so that a model of all texts is stored as it always was
            del stored["at_most"]
        return stored

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], effort: Effort = THOROUGH) -> TrainingOptions:
        """What `to_dict` wrote."""
        named = {"profile": profile_named(stored["profile"], effort)} if "profile" in stored else {}
        return cls(**{**stored, "families": tuple(stored.get("families", FAMILIES)), **named})

    @property
    def paired(self) -> tuple[str, ...]:
        """The families of diff-vectors."""
        return tuple(family for family in FAMILIES if family in self.families)

    @property
    def fused(self) -> tuple[str, ...]:
        """The families of the fused answer, which only a profile with a validation gives."""
        return tuple(family for family in FUSED_FAMILIES if family in self.families and self.profile.out_of_fold)

    @property
    def counted(self) -> tuple[str, ...]:
        """All families that texts are counted by."""
        return tuple(family for family in EVERY_FAMILY if family in (*self.paired, *self.fused))

    @property
    def enough(self) -> bool:
        """Whether there are families for everything that the profile trains."""
        return bool(self.paired) and bool(self.fused or not self.profile.out_of_fold)

    def refuse_too_few(self) -> None:
        """Some families are for pairs alone, some for the fused ranking alone: a profile that trains both needs both.

        An author of whom one text is used cannot be tried.
        """
        if not self.enough:
            both = [family for family in FUSED_FAMILIES if family in FAMILIES]
            raise SettingsError(
                f"The chosen families of features cannot rank authors. Choose one of these too: {', '.join(both)}."
            )
        if self.at_most and self.at_most < FEWEST:
            raise SettingsError(
                f"At most {self.at_most} of each author's texts is too few to learn from. Use {FEWEST} or more of each, or all."
            )

    def used(self, corpus: Corpus) -> Corpus:
        """The corpus as training uses it: what is beyond so many texts of an author is excluded."""
        return at_most(corpus, self.at_most, self.seed) if self.at_most else corpus

    def learnable(self, counts: Counts) -> TrainingOptions:
        """The options without sentence lengths if one text has no sentences: it would teach that long sentences are a habit."""
        if not counts.no_sentences.any():
            return self
        return replace(self, families=tuple(family for family in self.families if family != SENTENCES))


@dataclass(frozen=True)
class ScaledSpace:
    """A feature space whose families are brought to scale; without factors they stay as they are."""

    space: FeatureSpace
    factors: Mapping[str, float]

    def vectors(self, counts: Counts) -> Vectors:
        """The vectors on which the models work."""
        return self.scaled(self.space.transform(counts))

    def scaled(self, vectors: Vectors) -> Vectors:
        """Vectors of the space, brought to scale."""
        return vectors.scaled(self.factors) if self.factors else vectors


@dataclass(frozen=True)
class FittedPairs(ScaledSpace):
    """Pr(Same) of documents given by their counts."""

    model: PairModel
    training: Training = field(compare=False)

    def weights_in(self, space: FeatureSpace) -> PairModel:
        """Its weights for the features of another space, 0 for those that its own has not."""
        weights = np.concatenate((self.model.dense, self.model.sparse, np.zeros(1, np.float32)))
        theirs = weights[space.columns_in(self.space)]  # -1 is the zero at the end
        return PairModel(theirs[: space.dense_width_], theirs[space.dense_width_ :], self.model.intercept)


def fit_pairs(
    counts: Counts,
    labels: Sequence[str],
    options: TrainingOptions,
    *,
    near: FittedPairs | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> tuple[FittedPairs, Vectors]:
    """Features and h fitted on documents, and their vectors: the factors and C are chosen here, or those of a model nearby (`near`).

    The search for the weights then begins at those of that model, and ends by the same rule as from anywhere else.
    """
    progress(0.0, "choosing the features")
    space = FeatureSpace(options.paired).fit(counts, labels)
    vectors = space.transform(counts)
    factors: Mapping[str, float] = {}
    if near is not None:
        factors = near.factors
    elif options.profile.scaled:
        factors = choose_factors(vectors, labels, options.seed, part(progress, 0.05, 0.3))
    scaled = vectors.scaled(factors) if factors else vectors
    grid = GRID if near is None else (near.training.c,)
    learner = DVBin(profile=options.profile, seed=options.seed, grid=grid, threads=threads)
    start = None if near is None else near.weights_in(space)
    learner.fit(scaled, list(labels), part(progress, 0.3, 1.0), start)
    return FittedPairs(space, factors, learner.model_, learner.training_), scaled


def choose_factors(vectors: Vectors, labels: Sequence[str], seed: int, progress: Progress = silent) -> dict[str, float]:
    """The factor of each family: the one with the lowest log loss of authors on held-out documents.

    The loss is that of a multinomial logistic regression on the vectors themselves, cross-validated over documents. (The loss of h on
    held-out pairs would favour group 1 at full length, at which every method ranks authors worse: measured on abstracts.)
    The Gram matrix of scaled vectors is a sum over families, so each trial costs one small fit. Families are tried in turn, once.
    """
    rows = spread(labels, WEIGHED, seed)
    chosen = [labels[row] for row in rows]
    some = vectors.rows(rows)
    factors = {
        block.family: DENSE_SHARE / float(np.sqrt(max(block.width, 1))) if block.dense else 1.0
        for block in vectors.blocks
    }
    grams = {block.family: _gram(some, block) for block in vectors.blocks}
    best = _author_loss(grams, factors, chosen, seed)
    trials = [(family, factor) for family in factors for factor in TRIED]
    for family, factor in tracked(trials, progress, "weighing the families of features"):
        candidate = {**factors, family: factors[family] * factor}
        loss = _author_loss(grams, candidate, chosen, seed)
        if loss < CLEARLY * best:
            best, factors = loss, candidate
    return factors


def spread(labels: Sequence[str], most: int, seed: int) -> NDArray[np.intp]:
    """At most so many documents, about as many of each author, drawn at random."""
    authors = codes(list(labels))
    order = np.random.default_rng([seed, 4]).permutation(len(authors))
    place = np.empty(len(authors), dtype=np.int64)
    for author in range(int(authors.max(initial=-1)) + 1):
        mine = order[authors[order] == author]
        place[mine] = np.arange(len(mine))
    return np.sort(np.lexsort((np.argsort(order), place))[:most])


def _gram(vectors: Vectors, block: Block) -> NDArray[np.float64]:
    """The centred products of all documents with all, in one family."""
    if block.dense:
        columns = vectors.dense[:, block.start : block.stop].astype(np.float64)
        gram = columns @ columns.T
    else:
        sparse = vectors.sparse[:, block.start : block.stop]
        gram = (sparse @ sparse.T).toarray().astype(np.float64)
    means = gram.mean(axis=0)
    return np.asarray(gram - means - means[:, None] + means.mean())


def _author_loss(
    grams: Mapping[str, NDArray[np.float64]], factors: Mapping[str, float], labels: list[str], seed: int
) -> float:
    whole = sum(factors[family] ** 2 * gram for family, gram in grams.items())
    learner = RowLogistic(grid=(1.0, 10.0, 100.0), seed=seed)
    return float(learner.lowest_loss(np.asarray(whole, dtype=np.float32), labels)[0])

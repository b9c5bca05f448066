"""What the child process found about two texts, as it is sent: what speaks for an author and against, and where it stands in both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from forensia.evidence.contributions import FusedFamily, FusedFeature
from forensia.evidence.explanation import FamilySum, FeatureContribution
from forensia.evidence.result import PairResult

Span = tuple[int, int]
Family = TypeVar("Family", FamilySum, FusedFamily)
Feature = TypeVar("Feature", FeatureContribution, FusedFeature)


@dataclass(frozen=True)
class Located:
    """A text and the places of features in it, as offsets into it; `more` characters of it are not shown."""

    title: str
    author: str
    words: int
    text: str
    more: int = 0
    places: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedFeatures(Generic[Family, Feature]):
    """A total taken apart: baseline and families add up to it; the strongest features of all and of each family, by their columns."""

    total: float
    baseline: float
    families: tuple[Family, ...]
    features: Mapping[int, Feature]
    favourable: tuple[int, ...]
    adverse: tuple[int, ...]
    by_family: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]

    def listed(self, family: str = "") -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
        """The strongest features for and against: of all, or of one family."""
        sides = self.by_family.get(family, ((), ())) if family else (self.favourable, self.adverse)
        first, second = (tuple(self.features[column] for column in side) for side in sides)
        return first, second

    def rest(self, family: str = "") -> float:
        """What all features contribute that are not listed: of all, or of one family."""
        whole = sum(each.relative for each in self.families if family in ("", each.family))
        return whole - sum(feature.relative for side in self.listed(family) for feature in side)


PairListed = ListedFeatures[FamilySum, FeatureContribution]
FusedListed = ListedFeatures[FusedFamily, FusedFeature]
AnyListed = PairListed | FusedListed
AnyFeature = FeatureContribution | FusedFeature
Texts = tuple[Located, Located]


@dataclass(frozen=True)
class Contrast:
    """The fused score of an author less that of another (`against`), or less the mean of all others where that is empty; or the score
    itself (`population`), which is against everybody else."""

    author: str
    against: str
    found: FusedListed
    population: bool = False


@dataclass(frozen=True)
class ExplainedAuthor:
    """Why a text resembles an author or does not, beside the author's most similar text.

    `contrasts` take the fused score apart. A model without one has `pairs` instead: the Pr(Same) of the text with the author's most similar
    documents, `score` being that of the first.
    """

    author: str
    texts: Texts
    contrasts: tuple[Contrast, ...] = ()
    pairs: PairListed | None = None
    score: float | None = None


@dataclass(frozen=True)
class ExplainedPair:
    """One writer or two, and why."""

    result: PairResult
    found: PairListed
    texts: Texts

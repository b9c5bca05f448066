"""What the child process found about two texts, as it is sent: what speaks for one author and against, and where it stands in both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from forensia.evidence.explanation import FamilySum, FeatureContribution
from forensia.evidence.result import PairResult

Span = tuple[int, int]


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
class ExplainedTexts:
    """Everything about two texts: the sums of the families, and the strongest features of all and of each family, by their columns."""

    families: tuple[FamilySum, ...]
    features: Mapping[int, FeatureContribution]
    favourable: tuple[int, ...]
    adverse: tuple[int, ...]
    by_family: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]
    texts: tuple[Located, Located]

    def listed(self, family: str = "") -> tuple[tuple[FeatureContribution, ...], tuple[FeatureContribution, ...]]:
        """The strongest features for and against: of all, or of one family."""
        sides = self.by_family.get(family, ((), ())) if family else (self.favourable, self.adverse)
        first, second = (tuple(self.features[column] for column in side) for side in sides)
        return first, second


@dataclass(frozen=True)
class ExplainedAuthor:
    """Why a text resembles an author or does not, beside the author's nearest text; `score` is that of the model for both."""

    author: str
    score: float
    found: ExplainedTexts


@dataclass(frozen=True)
class ExplainedPair:
    """One writer or two, and why."""

    result: PairResult
    found: ExplainedTexts

"""What a feature says, in words."""

from __future__ import annotations

from forensia.evidence.contributions import FusedFeature
from forensia.evidence.explanation import FeatureContribution

SIGNS = {
    "character n-grams": "· stands for a space",
    "masked tokens": "[word] stands for any word that is no function word, and numbers and marks stand in brackets too",
    "layout": "a stands for small letters, A for a capital, AA for several, 0 for a number, · for a space, ↵ for a line break",
}
"""What stands for something else in the names of a family's features."""


def reading(feature: FeatureContribution) -> str:
    """One sentence on how a feature comes to speak for Same or against."""
    if feature.documents is None:
        return "The texts differ in this feature." if feature.difference else "The texts do not differ in this feature."
    how = "less" if feature.closer else "more"
    sentence = f"The texts differ {how} in this feature than is usual between different authors."
    if feature.weight > 0:
        sentence += " In training, texts by one author differed more in it than texts by two."
    return sentence


def fused_reading(feature: FusedFeature, author: str, against: str) -> str:
    """How a feature comes to speak for an author or against, held against another or, where none is named, against all others."""
    times = "once" if feature.count == 1 else f"{feature.count:,} times"
    more = "more" if feature.value > feature.average else "less"
    here = f"The disputed text has it {times}, {more} than the average known text."
    if feature.in_neither:
        here = f"Neither the disputed text nor any known text of {author} has it."
    elif not feature.count:
        here = "The disputed text does not have it."
    sides = [author, against or "the others"]
    speaks = f"That speaks for {sides[feature.relative < 0]} rather than {sides[feature.relative >= 0]}."
    own, others = (
        f"{each.texts:,} of {each.of:,} known texts of {name}"
        for each, name in zip((feature.own, feature.others), sides, strict=True)
    )
    return f"{here} {speaks} It occurs in {own} and in {others}."

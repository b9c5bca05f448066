"""What a feature says, in words."""

from __future__ import annotations

from forensia.evidence.explanation import FeatureContribution


def reading(feature: FeatureContribution) -> str:
    """One sentence on how a feature comes to speak for Same or against."""
    if feature.documents is None:
        return "The texts differ in this feature." if feature.difference else "The texts do not differ in this feature."
    how = "less" if feature.closer else "more"
    sentence = f"The texts differ {how} in this feature than is usual between different authors."
    if feature.weight > 0:
        sentence += " In training, texts by one author differed more in it than texts by two."
    return sentence

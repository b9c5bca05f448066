"""What a feature says, in words: for whom it speaks, and what is told of one that is absent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forensia.evidence.contributions import FusedFeature, Having
from forensia.wording.reasons import fused_reading

MORE = FusedFeature(1, "word 'sea'", "words", 0.3, 0.1, 2.0, 12, Having(3, 10), Having(0, 1_200))


@pytest.mark.parametrize(
    ("feature", "against", "said"),
    [
        (
            MORE,
            "Bo",
            "The disputed text has it 12 times, more than the average known text. That speaks for Ann rather than Bo.",
        ),
        (
            replace(MORE, weight=-2.0, count=1),
            "",
            "The disputed text has it once, more than the average known text. That speaks for the others rather than Ann.",
        ),
        (
            replace(MORE, value=0.05),
            "Bo",
            "The disputed text has it 12 times, less than the average known text. That speaks for Bo rather than Ann.",
        ),
        (
            replace(MORE, value=0.0, count=0),
            "Bo",
            "The disputed text does not have it. That speaks for Bo rather than Ann.",
        ),
        (
            replace(MORE, value=0.0, count=0, weight=-2.0, own=Having(0, 10)),
            "Bo",
            "Neither the disputed text nor any known text of Ann has it. That speaks for Ann rather than Bo.",
        ),
    ],
)
def test_for_whom_a_feature_speaks(feature: FusedFeature, against: str, said: str) -> None:
    found = fused_reading(feature, "Ann", against)
    assert found.startswith(f"{said} It occurs in {feature.own.texts} of 10 known texts of Ann")
    assert found.endswith(f"and in 0 of 1,200 known texts of {against or 'the others'}.")

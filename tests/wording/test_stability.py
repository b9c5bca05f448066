"""How an answer holds, in words: the same sentences for whatever shows them."""

from __future__ import annotations

import pytest

from forensia.evidence.calibration import Bounds
from forensia.evidence.result import Alternative, Candidate, LikelihoodRatio
from forensia.wording import numbers, opinion


@pytest.mark.parametrize(
    ("broken", "against", "said"),
    [
        (0, 0, "A stays first under every change of features, topic, known documents and half of the text. All methods put A first."),
        (2, 0, "A does not stay first under 2 of 9 changes. All methods put A first."),
        (1, 3, "A does not stay first under 1 of 9 changes. 3 of 5 methods put somebody else first."),
    ],
)  # fmt: skip
def test_the_first_of_several(broken: int, against: int, said: str) -> None:
    assert opinion.stays_first("A", broken, 9, against, 5) == said


@pytest.mark.parametrize(
    ("broken", "methods", "said"),
    [
        (0, 0, "The likelihood ratio for A stays on its side of 1 under every change."),
        (4, 0, "The likelihood ratio for A changes to the other side of 1 under 4 of 9 changes."),
        (0, 2, "The likelihood ratio for A stays on its side of 1 under every change. 1 of 2 other methods accept A."),
    ],
)
def test_somebody_who_is_asked_about(broken: int, methods: int, said: str) -> None:
    assert opinion.stays_on_its_side("A", broken, 9, 1, methods) == said


def test_each_kind_of_change_has_both_names() -> None:
    assert opinion.CHANGES.keys() == opinion.KINDS_OF_CHANGE.keys()
    assert all(text.count("{0}") == 1 for text in opinion.CHANGES.values())


def test_both_ratios_of_a_candidate() -> None:
    def ratio(log10: float, alternative: Alternative) -> LikelihoodRatio:
        return LikelihoodRatio(log10, (log10 - 0.5, log10 + 0.5), alternative, Bounds(-2.0, 3.0, 50, 500), None)

    listed, unlisted = ratio(2.0, Alternative.LISTED), ratio(1.2, Alternative.UNLISTED)
    both = Candidate("A", 5, 5, {}, listed=listed, unlisted=unlisted, headline=unlisted)
    assert numbers.both_ratios(both).splitlines() == [
        "log10 LR +1.2, likelihood ratio 16, 95 % interval 5.0 to 50", "moderate support",
        "against another listed author: log10 LR +2.0", "against somebody not in the corpus: log10 LR +1.2",
    ]  # fmt: skip
    few = Candidate("A", 5, 5, {}, listed=listed, headline=listed)
    assert numbers.both_ratios(few).endswith("against somebody not in the corpus: log10 LR not estimable")
    stood_for = ratio(1.2, Alternative.POPULATION)
    alone = Candidate("A", 5, 5, {}, unlisted=stood_for, headline=stood_for)
    assert numbers.both_ratios(alone).splitlines()[2:] == ["against somebody else, as in the population: log10 LR +1.2"]
    assert numbers.both_ratios(Candidate("A", 5, 5, {})) == "likelihood ratio not estimable"

"""Scoring by a fitted family: the same to the bit whatever is scored together, and what the kernel would give."""

from __future__ import annotations

import numpy as np
import pytest

from forensia.features import Counts, extract
from forensia.features.vectors import LAYOUT, MASKED
from forensia.features.weighting import products
from forensia.systems import fused
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.least_squares import scores
from forensia.systems.leaving_out import rounds

FAMILIES = ("character n-grams", "words", MASKED, LAYOUT)
WORDS = ("the", "of", "and", "a", "to", "upon", "whilst", "but")


def _texts(rng: np.random.Generator, number: int) -> list[str]:
    """By six authors in turn, each with a liking for some of the words."""
    liked = np.random.default_rng(1).dirichlet(np.ones(len(WORDS) + 4), size=6)
    return [
        " ".join(rng.choice([*WORDS, "Rain,", "house", "run.", "seven"], size=60, p=liked[row % 6]))
        for row in range(number)
    ]


@pytest.fixture(scope="module")
def fitted() -> tuple[FusedSystem, Counts]:
    rng = np.random.default_rng(2)
    texts = _texts(rng, 48)
    counts = extract(texts, None, FAMILIES, WORDS)
    known, codes = counts.rows(slice(0, 36)), np.arange(36) % 6
    return fit_fused(known, codes, [rounds(codes, [()] * 36, 0)], FAMILIES)[0], counts.rows(slice(36, None))


def test_a_text_gets_the_same_bits_alone_and_with_others(fitted: tuple[FusedSystem, Counts]) -> None:
    system, asked = fitted
    together = system.z(asked)
    for row in range(len(asked)):
        np.testing.assert_array_equal(system.z(asked.rows([row]))[0], together[row])


def test_authors_at_once_change_no_bit(fitted: tuple[FusedSystem, Counts], monkeypatch: pytest.MonkeyPatch) -> None:
    system, asked = fitted
    together = system.scores(asked)
    for at_once in (1, 4, 6):
        monkeypatch.setattr(fused, "AUTHORS", at_once)
        np.testing.assert_array_equal(system.scores(asked), together)


def test_scores_are_those_of_the_kernel(fitted: tuple[FusedSystem, Counts]) -> None:
    system, asked = fitted
    for family in system.families:
        kernel = products(family.weighted.vectors(asked.table(family.name)), family.known)
        np.testing.assert_allclose(family.scores(asked), scores(kernel, family.duals), rtol=0, atol=1e-12)


def test_a_text_without_any_known_feature_has_a_score(fitted: tuple[FusedSystem, Counts]) -> None:
    system, _ = fitted
    strange = extract(["ЖЖЖЖ"], None, FAMILIES, WORDS)
    for family in system.families[:1]:
        np.testing.assert_array_equal(family.scores(strange)[0], family.duals.sum(axis=0))

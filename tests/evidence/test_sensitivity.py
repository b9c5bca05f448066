"""Changes that should not matter: each is made as it says, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia import paths
from forensia.corpus import read_disputed
from forensia.corpus.characters import WORD
from forensia.evidence.calibration import Bounds
from forensia.evidence.contributions import equal_shares
from forensia.evidence.likelihood import NO_LINE, Calibration, calibrate
from forensia.evidence.result import Changed
from forensia.evidence.sensitivity import (
    TOPICAL,
    Variants,
    as_many_of_each,
    changed,
    halves_of,
    own_sources,
    usual_marks,
)
from forensia.evidence.validation import Validation
from forensia.features import EVERY_FAMILY, FUSED_FAMILIES, Counts, count_documents
from forensia.features.mask import with_marks
from forensia.language import LanguageModel
from forensia.systems.fusion import Fusion
from forensia.systems.least_squares import LeastSquares
from support.refit import refitted


@pytest.fixture(scope="module")
def counts(language: LanguageModel) -> Counts:
    """A disputed text, counted."""
    document = read_disputed(paths.sample_case() / "disputed" / "anonymous-1.txt")
    return count_documents([document], language, EVERY_FAMILY, typing="canonical")


@pytest.fixture(scope="module")
def scores(validation: Validation, counts: Counts) -> np.ndarray:
    return validation.system.scores(counts)


@pytest.fixture(scope="module")
def rows(validation: Validation, scores: np.ndarray) -> dict[tuple[str, str], Changed]:
    """The changes of families for the author who comes third without any."""
    third = int(np.argsort(-validation.whole.calibration.z(scores)[0])[2])
    found = Variants(validation.system, validation.whole).rows(scores, third, validation.authors)
    return {(row.kind, row.what): row for row in found}


def test_every_family_is_off_once_and_all_that_know_the_topic_together(
    rows: dict[tuple[str, str], Changed],
) -> None:
    assert list(rows) == [*(("family off", family) for family in FUSED_FAMILIES), ("mask", "topic masked")]
    assert set(TOPICAL) < set(FUSED_FAMILIES)


@pytest.mark.parametrize(
    ("kind", "what", "off"),
    [
        ("family off", "function words", ("function words",)),
        ("family off", "words", ("words",)),
        ("mask", "topic masked", TOPICAL),
    ],
)
def test_what_is_off_is_neither_weighed_nor_scored(
    kind: str,
    what: str,
    off: tuple[str, ...],
    rows: dict[tuple[str, str], Changed],
    validation: Validation,
    scores: np.ndarray,
) -> None:
    """The fusion and the calibration are those of a validation that never had these families."""
    whole = validation.whole.scores
    kept = [number for number, family in enumerate(validation.system.families) if family.name not in off]
    fusion = Fusion.fit(whole.inside[:, :, kept], whole.codes, whole.sizes)
    z = fusion.z(scores[:, :, kept], whole.sizes)[0]
    third = int(np.argsort(-validation.whole.calibration.z(scores)[0])[2])
    row = rows[kind, what]
    assert row.first == validation.authors[int(z.argmax())] and row.rank == 1 + (z > z[third]).sum()
    without = whole.without(*(number for number in range(len(FUSED_FAMILIES)) if number not in kept))
    calibration = calibrate(without, validation.seed, 0)[0]
    expected = calibration.headline(*calibration.log10_lr(scores[:, :, kept]))[0, third]
    assert row.log10 == pytest.approx(expected)


def test_one_family_cannot_be_off(validation: Validation, scores: np.ndarray) -> None:
    words = FUSED_FAMILIES.index("words")
    alone = replace(validation.system, families=validation.system.families[words : words + 1])
    rung = replace(validation.whole, scores=validation.whole.scores.without(0, 2, 3, 4, 5))
    assert Variants(alone, rung).rows(scores[:, :, [words]], 0, validation.authors) == []


def test_leaving_a_known_text_out_is_a_fit_without_it(validation: Validation, counts: Counts) -> None:
    system = validation.system
    found = system.without_each(counts)
    assert found.shape == (50, 10, len(FUSED_FAMILIES))
    for number in (1, 4):
        for text in (0, 31):
            left = np.delete(np.arange(50), text)
            expected = refitted(system.families[number], system.codes, left, counts)[0]
            assert found[text, :, number] == pytest.approx(expected, abs=1e-5)
            assert np.abs(found[text, :, number] - system.scores(counts)[0, :, number]).max() > 1e-4


def test_leaving_a_source_out_is_a_fit_without_its_texts(validation: Validation, counts: Counts) -> None:
    system = validation.system
    groups = [np.array([3]), np.array([3, 11, 40])]
    found = system.without(counts, groups)
    assert [each.shape for each in found] == [(1, 10, len(FUSED_FAMILIES))] * 2
    for number in (1, 4):
        for group, scores in zip(groups, found, strict=True):
            expected = refitted(system.families[number], system.codes, np.delete(np.arange(50), group), counts)
            assert scores[:, :, number] == pytest.approx(expected, abs=1e-5)
    assert found[0][0] == pytest.approx(system.without_each(counts)[3], abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 2), st.sets(st.sampled_from("abcd"), max_size=3)), max_size=20))
def test_the_sources_of_an_author(texts: list[tuple[int, set[str]]]) -> None:
    """Each with all of the author's texts that have it, but none without which nothing would be left."""
    codes = np.array([author for author, _ in texts], np.int32)
    sources = [tuple(sorted(names)) for _, names in texts]
    found = dict(own_sources(codes, sources, 1))
    own = [row for row in range(len(texts)) if codes[row] == 1]
    for name in "abcd":
        rows = [row for row in own if name in sources[row]]
        assert (name in found) is (0 < len(rows) < len(own))
        assert name not in found or found[name].tolist() == rows
    assert [len(each) for each in found.values()] == sorted(map(len, found.values()), reverse=True)
    assert own_sources(codes, (), 1) == []


def test_first_and_rank() -> None:
    fusion = Fusion(np.ones(1), np.ones(1), 0.0, 1.0)
    calibration = Calibration(fusion, NO_LINE, np.ones(4, np.intp), Bounds(-2.0, 0.25, 9, 9), None, np.empty((0, 4)))
    scores = np.array([0.5, -1.0, 2.0, 0.5])[None, :, None]
    names = ("A", "B", "C", "D")
    found = [changed("half", "first half", calibration, scores, author, names) for author in range(4)]
    assert [row.first for row in found] == ["C"] * 4 and [row.rank for row in found] == [2, 4, 1, 2]
    others = np.log10(np.exp(0.5) / np.mean(np.exp([-1.0, 2.0, 0.5])))
    assert found[0].log10 == pytest.approx(others) and found[2].log10 == 0.25, "within the bounds"


@given(st.text("ab .,'\n", max_size=80))
def test_halves_are_the_text(text: str) -> None:
    first, second = halves_of(text)
    assert first + second == text
    counts = [len(WORD.findall(half)) for half in (first, second)]
    assert sum(counts) == len(WORD.findall(text)) and 0 <= counts[1] - counts[0] <= 1


def test_usual_punctuation_is_that_of_the_average_text(
    validation: Validation, counts: Counts, scores: np.ndarray
) -> None:
    """The vector of the text with the average of every feature that has a mark, put to the same fit; the others stay."""
    system = validation.system
    found = usual_marks(system, counts, scores)
    shares = equal_shares(system.codes)
    for place, family in enumerate(system.families):
        vector = family.weighted.vectors(counts.table(family.name)).toarray()[0].astype(float)
        marked = with_marks(family.name, family.weighted.keys)
        vector[marked] = (shares @ family.known)[marked]
        expected = vector @ (family.known.T @ family.duals) + family.duals.sum(axis=0)
        assert found[0, :, place] == pytest.approx(expected, abs=1e-9)
        assert np.allclose(found[:, :, place], scores[:, :, place]) == (not marked.any())


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.integers(0, 5))
def test_as_many_texts_of_each_author(sizes: list[int], seed: int) -> None:
    codes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    rows = as_many_of_each(codes, seed)
    fewest = max(min(sizes), 2)
    assert np.bincount(codes[rows]).tolist() == [min(size, fewest) for size in sizes]
    assert (np.diff(rows) > 0).all()


def test_a_system_of_some_texts_is_a_fit_of_these(validation: Validation, counts: Counts) -> None:
    system = validation.system
    everything = system.thinned(np.arange(len(system.codes)))
    assert everything.scores(counts) == pytest.approx(system.scores(counts), abs=1e-8)
    rows = as_many_of_each(system.codes, 0)[::2]
    kept, family = system.thinned(rows), system.families[0]
    known = family.known[rows].toarray().astype(float)
    fit = LeastSquares.fit(known @ known.T, system.codes[rows], family.ridge)
    near = family.near(counts).astype(float)[:, rows]
    assert kept.scores(counts)[:, :, 0] == pytest.approx(near @ fit.duals + fit.duals.sum(axis=0), abs=1e-4)

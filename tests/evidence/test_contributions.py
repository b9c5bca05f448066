"""The contributions to a fused score add up to it, by features and by families; what is said of a feature can be counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from forensia.evidence.calibration import Bounds
from forensia.evidence.contributions import Contributions, contributions
from forensia.evidence.likelihood import NO_LINE, Calibration
from forensia.features import Counts
from forensia.language.model import function_words
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.fusion import Fusion
from forensia.systems.leaving_out import rounds
from tests.systems.conftest import FAMILIES, Written, written

SIZES = (14, 9, 6, 5)
CORPUS = written(1, SIZES)
ASKED = written(1, (3, 3, 3, 3)).counts
WORDS = tuple(sorted(function_words())[:40])


def fitted(corpus: Written = CORPUS, **limits: int) -> FusedSystem:
    return fit_fused(corpus.counts, corpus.codes, [rounds(corpus.codes, corpus.sources, 0)], FAMILIES, **limits)[0]


@pytest.fixture(scope="module")
def system() -> FusedSystem:
    return fitted()


def calibration(system: FusedSystem, fusion: Fusion | None = None) -> Calibration:
    bounds = Bounds(-2.0, 2.0, 10, 10)
    return Calibration(fusion or system.fusion, NO_LINE, system.sizes, bounds, None, np.zeros((0, 0)))


def told(system: FusedSystem, counts: Counts, author: int) -> tuple[Contributions, ...]:
    return contributions(system, calibration(system), counts, author, function_words())


def written_out(system: FusedSystem, fusion: Fusion, counts: Counts, vectors: list[np.ndarray]) -> np.ndarray:
    """The fused scores of one text by its vectors, as the formula has it."""
    z = fusion.size * (np.log(system.sizes) - np.log(system.sizes).mean())
    for number, (family, x) in enumerate(zip(system.families, vectors, strict=True)):
        weights = family.known.toarray().astype(np.float64).T @ family.duals
        z = z + fusion.weights[number] / fusion.spread[number] * (x @ weights + family.duals.sum(axis=0))
    return z


@pytest.mark.parametrize("limits", [{}, {"whole": 10, "most": 20}])
def test_they_add_up_to_the_score(limits: dict[str, int]) -> None:
    """For every author of several texts, with weights that are those of another length, and by landmarks too."""
    system = fitted(**limits)
    other = replace(
        system.fusion, weights=system.fusion.weights[::-1] + 0.3, spread=system.fusion.spread * 1.7, size=-0.9
    )
    for fusion in (system.fusion, other):
        for row in range(4):
            counts = ASKED.rows([row])
            z = fusion.z(system.scores(counts), system.sizes)[0]
            for author in range(len(SIZES)):
                found = contributions(system, calibration(system, fusion), counts, author, WORDS)
                others = [code for code in range(len(SIZES)) if code != author]
                highest = max(others, key=lambda code: z[code])
                assert [each.others for each in found] == [(highest,), tuple(others)]
                for each, rivals in zip(found, ([highest], others), strict=True):
                    expected = z[author] - z[rivals].mean()
                    features = each.features(range(sum(len(part.values) for part in each.parts)))
                    assert each.score == pytest.approx(expected, rel=1e-12)
                    scale = 1e-9 * max(1.0, np.abs(z).max())
                    assert abs(each.baseline + sum(family.relative for family in each.families) - expected) < scale
                    assert abs(each.baseline + sum(feature.relative for feature in features) - expected) < scale
                    for family in each.families:
                        own = sum(feature.relative for feature in features if feature.family == family.family)
                        assert abs(own - family.relative) < scale


def test_the_baseline_is_the_score_of_the_average_text(system: FusedSystem) -> None:
    """In which authors count equally, however many texts they have."""
    averages = []
    for family in system.families:
        known = family.known.toarray().astype(np.float64)
        averages.append(np.mean([known[system.codes == author].mean(axis=0) for author in range(len(SIZES))], axis=0))
    z = written_out(system, system.fusion, ASKED, averages)
    one, everybody = told(system, ASKED.rows([0]), 2)
    assert one.baseline == pytest.approx(z[2] - z[one.others[0]], rel=1e-9)
    assert everybody.baseline == pytest.approx(z[2] - z[[0, 1, 3]].mean(), rel=1e-9)


def test_a_feature_taken_away_changes_the_score_by_what_it_contributes(system: FusedSystem) -> None:
    """The contribution is what the score would lose if the text were average in the feature."""
    counts = ASKED.rows([1])
    vectors = [
        family.weighted.vectors(counts.table(family.name)).toarray()[0].astype(np.float64) for family in system.families
    ]
    (found, _) = told(system, counts, 0)
    before = written_out(system, system.fusion, counts, vectors)
    for each in found.features([*found.strongest(3)[0], *found.strongest(3)[1]]):
        weighted, number = found.place(each.column)
        changed = [vector.copy() for vector in vectors]
        changed[[family.weighted for family in system.families].index(weighted)][number] = each.average
        after = written_out(system, system.fusion, counts, changed)
        lost = (before - after)[0] - (before - after)[found.others[0]]
        assert lost == pytest.approx(each.relative, rel=1e-9)


def test_the_strongest_are_the_greatest_of_all(system: FusedSystem) -> None:
    (found, _) = told(system, ASKED.rows([2]), 1)
    every = found.features(range(sum(len(part.values) for part in found.parts)))
    for family in ("", *FAMILIES):
        some = [each for each in every if family in ("", each.family)]
        for_it = sorted((each for each in some if each.relative > 0), key=lambda each: (-each.relative, each.column))
        against = sorted((each for each in some if each.relative < 0), key=lambda each: (each.relative, each.column))
        expected = tuple(tuple(each.column for each in side[:7]) for side in (for_it, against))
        assert found.strongest(7, family) == expected
    assert found.strongest(0) == ((), ())


def test_what_is_said_of_a_feature_can_be_counted(system: FusedSystem) -> None:
    counts = ASKED.rows([3])
    for found in told(system, counts, 1):
        own, others = CORPUS.codes == 1, np.isin(CORPUS.codes, found.others)
        neither = 0
        for each in found.features(range(sum(len(part.values) for part in found.parts))):
            family, number = found.place(each.column)
            here = _times(counts, family.family, family.keys.take(np.array([number])))
            there = _times(CORPUS.counts, family.family, family.keys.take(np.array([number])))
            assert each.count == here.sum()
            assert (each.own.texts, each.own.of) == ((there[own] > 0).sum(), own.sum())
            assert (each.others.texts, each.others.of) == ((there[others] > 0).sum(), others.sum())
            assert each.in_neither is (not here.sum() and not there[own].sum())
            assert set(found.having(each.column)) == set(np.flatnonzero(own & (there > 0)))
            assert (each.value > 0) is (each.count > 0)
            neither += each.in_neither
        assert neither > 3, "the test must see such features"


def _times(counts: Counts, family: str, keys: object) -> np.ndarray:
    """How often each text has one feature."""
    table = counts.table(family)
    (place,) = table.keys.find(keys)  # type: ignore[arg-type]
    return table.counts[:, [place]].toarray()[:, 0] if place >= 0 else np.zeros(len(counts), int)


def test_the_nearest_text_is_the_text_itself(system: FusedSystem) -> None:
    """Of a known text asked about again; the others follow by their weighted products."""
    scales = system.fusion.weights / system.fusion.spread
    for row in (0, 7, 20):
        (found, _) = told(system, CORPUS.counts.rows([row]), int(CORPUS.codes[row]))
        assert found.nearest[0] == row
        rows = np.flatnonzero(CORPUS.codes == CORPUS.codes[row])
        like = np.zeros(len(rows))
        for scale, family in zip(scales, system.families, strict=True):
            like += scale * family.known[rows].toarray() @ family.known[row].toarray()[0]
        np.testing.assert_array_equal(found.nearest, rows[np.argsort(-like, kind="stable")])


def test_of_two_authors_one_is_all_others() -> None:
    corpus = written(3, (9, 8))
    system = fitted(corpus)
    (found,) = told(system, corpus.counts.rows([0]), 1)
    z = system.z(corpus.counts.rows([0]))[0]
    assert found.rival == 0 and found.score == pytest.approx(z[1] - z[0])
    assert [each.rival for each in told(fitted(), ASKED.rows([0]), 1)][1] is None


def test_landmarks_are_counted_where_they_are_kept() -> None:
    system = fitted(whole=10, most=12)
    assert len(system.kept) == 12
    (found, everybody) = told(system, ASKED.rows([0]), 0)
    (feature, *_) = found.features(found.strongest()[0])
    assert feature.own.of == (system.codes[system.kept] == 0).sum() and feature.own.texts <= feature.own.of
    assert feature.own.of + everybody.features(everybody.strongest()[0])[0].others.of == 12
    assert set(found.having(feature.column)) <= set(system.kept[system.codes[system.kept] == 0])

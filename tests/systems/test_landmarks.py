"""Many texts: with all texts as landmarks it is that of the whole kernel, with fewer each leave-out is still that of a real refit."""

from __future__ import annotations

import numpy as np
import pytest

from forensia.errors import InputError
from forensia.systems.fused import LANDMARKS, WHOLE, FusedSystem, authors_left_out, fit_fused
from forensia.systems.least_squares import LeastSquares, LowRank, landmarks, scores
from forensia.systems.leaving_out import Round, rounds
from tests.systems.conftest import FAMILIES, written
from tests.systems.plain import equal_weights

CORPUS = written(9, (40, 25, 15, 10))
CODES, N = CORPUS.codes, len(CORPUS.codes)
ROUNDS = rounds(CODES, CORPUS.sources, 0)
WAYS = {
    "one of every author": ROUNDS,
    "authors": authors_left_out(CODES.astype(np.intp)),
    "more texts than landmarks": [Round(np.arange(60), np.arange(0, 60, 2))],
    "one text": [Round(np.array([7]), np.array([7]))],
}


def vectors(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    found = rng.random((N, 300)) * (rng.random((N, 300)) < 0.3) + 0.3 * (CODES[:, None] == np.arange(300) % 9)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ridge", [0.03, 1.0])
def test_all_texts_as_landmarks_are_the_whole_kernel(way: str, ridge: float) -> None:
    kernel, versions = vectors() @ vectors().T, vectors(1) @ vectors().T
    whole, few = (LeastSquares.fit(each, CODES, ridge) for each in (kernel, LowRank.of(kernel, np.arange(N))))
    for asked in (None, versions):
        np.testing.assert_allclose(few.left_out(WAYS[way], asked), whole.left_out(WAYS[way], asked), rtol=0, atol=1e-8)
    assert np.abs(scores(versions, few.coefficients) - scores(versions, whole.coefficients)).max() < 1e-8


@pytest.mark.parametrize("way", WAYS)
def test_left_out_scores_are_those_of_a_fit_without(way: str) -> None:
    """Plain ridge regression on the coordinates that the landmarks span, one real fit for each round."""
    chosen, ridge = landmarks(CODES, ROUNDS, 30), 0.1
    near, versions = vectors() @ vectors()[chosen].T, vectors(1) @ vectors()[chosen].T
    values, axes = np.linalg.eigh(near[chosen] + 1)
    spanned = axes / np.sqrt(values)
    targets = (CODES[:, None] == np.arange(4)) - 1 / 4
    fit = LeastSquares.fit(LowRank.of(near, chosen), CODES, ridge)
    assert fit.coefficients.shape == (30, 4)
    for asked, found in ((near, fit.left_out(WAYS[way])), (versions, fit.left_out(WAYS[way], versions))):
        total, times = np.zeros((N, 4)), np.zeros((N, 1))
        for each in WAYS[way]:
            left = np.setdiff1d(np.arange(N), each.away)
            features, weights = (near[left] + 1) @ spanned, equal_weights(CODES)[left, None]
            w = np.linalg.solve(
                features.T @ (weights * features) + ridge * np.eye(30), features.T @ (weights * targets[left])
            )
            said = (asked[each.tried] + 1) @ spanned @ w
            said[:, [author for author in range(4) if author not in CODES[left]]] = np.nan
            total[each.tried] += said
            times[each.tried] += 1
        expected = total / np.where(times > 0, times, np.nan)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def test_equal_texts_do_no_harm() -> None:
    """Landmarks that are the same text, or no text at all, span less and break nothing."""
    rows = vectors()
    rows[1:20] = rows[0]
    rows[30:33] = 0.0
    kernel = rows @ rows.T
    few, whole = (
        LeastSquares.fit(each, CODES, 0.1).left_out(ROUNDS) for each in (LowRank.of(kernel, np.arange(N)), kernel)
    )
    np.testing.assert_allclose(few, whole, rtol=0, atol=1e-7)


@pytest.mark.parametrize("number", [1, 4, 5, 12, 30, N, 2 * N])
def test_landmarks_are_spread_evenly(number: int) -> None:
    chosen = landmarks(CODES, ROUNDS, number)
    assert len(chosen) == min(number, N) and np.array_equal(chosen, np.unique(chosen))
    sizes, taken = np.bincount(CODES), np.bincount(CODES[chosen], minlength=4)
    assert all(taken[author] in (sizes[author], taken.max(), taken.max() - 1) for author in range(4))
    if number == 12:
        for author in range(4):
            own = [CORPUS.sources[row] for row in chosen if CODES[row] == author]
            assert len({name for names in own for name in names}) == 3, "one text of each source"


def test_landmarks_do_not_depend_on_how_authors_are_numbered() -> None:
    other = np.array([2, 0, 3, 1])[CODES]
    assert set(landmarks(other, ROUNDS, 12)) == set(landmarks(CODES, ROUNDS, 12))


def test_the_fused_system_at_the_border() -> None:
    """One text more than the border, all of them landmarks: the same answers; a quarter of them: nearly the same."""
    assert LANDMARKS < WHOLE
    whole, below = fit_fused(CORPUS.counts, CODES, [ROUNDS], FAMILIES, [CORPUS.counts], whole=N)
    same, above = fit_fused(CORPUS.counts, CODES, [ROUNDS], FAMILIES, [CORPUS.counts], whole=N - 1, most=N)
    few, fewer = fit_fused(CORPUS.counts, CODES, [ROUNDS], FAMILIES, [CORPUS.counts], whole=N - 1, most=N // 2)
    for one, other in zip(below, above, strict=True):
        np.testing.assert_allclose(other.inside[0], one.inside[0], rtol=0, atol=1e-7)
        np.testing.assert_allclose(other.outside, one.outside, rtol=0, atol=1e-7)
    disputed = written(9, (3, 3, 3, 3)).counts
    np.testing.assert_allclose(same.z(disputed), whole.z(disputed), rtol=0, atol=1e-5)
    assert [len(family.duals) for family in few.families] == [N // 2] * len(FAMILIES)
    first = [
        each.fusion.z(left[0].inside[0], each.sizes).argmax(axis=1) for each, left in ((whole, below), (few, fewer))
    ]
    assert (first[0] == first[1]).mean() > 0.8


def test_which_texts_are_landmarks_is_stored() -> None:
    few, _ = fit_fused(CORPUS.counts, CODES, [ROUNDS], FAMILIES, whole=N - 1, most=12)
    arrays, header = few.to_arrays()
    again = FusedSystem.from_arrays(arrays, header)
    np.testing.assert_array_equal(again.kept, landmarks(CODES, ROUNDS, 12))
    for number, family in enumerate(again.families):
        rows = few.families[number].weighted.vectors(CORPUS.counts.table(family.name))[again.kept]
        assert (rows != family.known).nnz == 0
    for wrong in (again.kept[::-1], again.kept + N, again.kept - N, again.kept[:5], again.kept[None], again.kept * 1.0):
        with pytest.raises(InputError):
            FusedSystem.from_arrays({**arrays, "kept": wrong}, header)
    with pytest.raises(InputError):
        FusedSystem.from_arrays({name: array for name, array in arrays.items() if name != "kept"}, header)

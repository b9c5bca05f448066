"""What more texts are worth: each round twice over with half of what it leaves, and a rate carried on by what that half had lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.systems.leaving_out import FARTHEST, ONE_SOURCE, halving, rate_of_all, rounds, together


def corpus(texts: list[tuple[int, str]]) -> tuple[np.ndarray, list[tuple[str, ...]]]:
    place = {code: number for number, code in enumerate(dict.fromkeys(code for code, _ in texts))}
    return np.array([place[code] for code, _ in texts], int), [(name,) for _, name in texts]


corpora = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), max_size=40).map(corpus)


@given(corpora, st.integers(0, 3))
def test_the_halves_of_a_round_share_out_what_it_leaves(
    made: tuple[np.ndarray, list[tuple[str, ...]]], seed: int
) -> None:
    """Of every author who has two texts left, each half has some; by whole sources where there are two."""
    codes, sources = made
    before = rounds(codes, sources, seed)
    found = halving(before, codes, sources, seed)
    if found is None:
        return
    assert len(found.halves[0]) == len(found.halves[1]) == len(before)
    for whole, first, second in zip(before, *found.halves, strict=True):
        every = np.arange(len(codes))
        rest, one, other = (set(np.setdiff1d(every, each.away).tolist()) for each in (whole, first, second))
        assert whole.tried.tolist() == first.tried.tolist() == second.tried.tolist()
        assert one | other == rest, "nothing that was left out comes back"
        for code in np.unique(codes):
            mine = {row for row in rest if codes[row] == code}
            halves = (mine & one, mine & other)
            if len(mine) < 2:
                assert halves == (mine, mine), "an only text is kept"
                continue
            assert not halves[0] & halves[1] and all(halves)
            names = [{sources[row] for row in half} for half in halves]
            if len({sources[row] for row in mine}) > 1:
                assert not names[0] & names[1]
            else:
                assert abs(len(halves[0]) - len(halves[1])) <= 1
    assert ((found.missing >= 0) & (found.missing <= FARTHEST)).all() and (found.steps >= 0).all()


def test_how_much_is_halved_and_how_much_is_missing() -> None:
    """Three sources of two texts: one is away, of two one stays. Two sources of four: of the one that is left half of the texts stay."""
    codes = np.repeat([0, 1], [6, 8])
    sources = [(name,) for name in "aabbccaaaabbbb"]
    found = halving(rounds(codes, sources, 0), codes, sources, 0)
    assert found is not None
    assert found.steps == pytest.approx(np.repeat([1.0, ONE_SOURCE], [6, 8]))
    assert found.missing == pytest.approx(np.repeat([np.log2(6 / 4), 1.0], [6, 8]))


def test_where_hardly_anything_is_missing_nothing_is_halved() -> None:
    codes = np.repeat(np.arange(3), 40)
    sources = [(f"{row}",) for row in range(120)]
    assert halving(rounds(codes, sources, 0), codes, sources, 0) is None
    assert halving(rounds(codes[::10], sources[::10], 0), codes[::10], sources[::10], 0) is not None


@pytest.mark.parametrize(
    ("rates", "steps", "missing", "expected"),
    [
        ((0.8, 0.8, 0.6), 1.0, 0.0, 0.8),  # nothing is missing
        ((0.8, 0.6, 0.6), 1.0, 1.0, 0.8),  # nothing was lost
        ((0.8, 0.6, 0.8), 1.0, 1.0, 0.8),  # nor is more ever worth less
        ((0.8, 0.8, 0.6), 1.0, 1.0, 32 / 35),  # odds of 4 go up as 1.5 went up to 4
        ((0.5, 0.8, 0.6), 1.0, 1.0, 8 / 11),
        ((0.5, 0.8, 0.6), 2.0, 1.0, (8 / 3) ** 0.5 / (1 + (8 / 3) ** 0.5)),
    ],
)
def test_a_rate_is_carried_on_by_what_was_lost(
    rates: tuple[float, float, float], steps: float, missing: float, expected: float
) -> None:
    assert rate_of_all(*rates, steps, missing) == pytest.approx(expected)


@given(corpora)
def test_texts_that_are_connected_by_sources_belong_together(made: tuple[np.ndarray, list[tuple[str, ...]]]) -> None:
    codes, sources = made
    units = together(codes, sources)
    for one in range(len(codes)):
        for other in range(len(codes)):
            assert (units[one] == units[other]) == ((codes[one], sources[one]) == (codes[other], sources[other]))


def test_a_text_of_two_sources_connects_them() -> None:
    codes = np.array([0, 0, 0, 0, 1, 1])
    sources = [("a",), ("b",), ("a", "b"), (), ("a",), ("b",)]
    units = together(codes, sources).tolist()
    assert units[0] == units[1] == units[2] and len({*units}) == 4 and units[4] != units[5]

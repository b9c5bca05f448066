"""Candidates against a population: every score is that of a plain computation, and stand-ins never hold what is tried."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from forensia.systems.against import RIDGE, PopulationSystem, StandIns, against, tried, usable
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.leaving_out import Round, rounds
from tests.systems.conftest import FAMILIES, Written, written

SIZES = (9, 4, 6, 5, 7, 3)
CANDIDATES = np.array([1, 3])
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def corpus() -> Written:
    return written(1, SIZES)


@pytest.fixture(scope="module")
def system(corpus: Written) -> FusedSystem:
    return fit_fused(corpus.counts, corpus.codes, [rounds(corpus.codes, corpus.sources, 0)], FAMILIES)[0]


@pytest.fixture(scope="module")
def asked(system: FusedSystem) -> PopulationSystem:
    return against(system, CANDIDATES, 0)


def plain(vectors: Floats, codes: NDArray[np.intp], known: NDArray[np.intp], text: Floats, without: set[int]) -> float:
    """The score of a text with some known ones, the mean of all authors but some taken from each."""
    means = [vectors[codes == code].mean(axis=0) for code in np.unique(codes) if code not in without]
    mean = np.mean(means, axis=0)
    own = vectors[known] - mean
    own = own / np.linalg.norm(own, axis=1, keepdims=True)
    disputed = (text - mean) / np.linalg.norm(text - mean)
    fitted = np.linalg.inv(own @ own.T + RIDGE * np.eye(len(own))).sum(axis=1)
    return float(fitted @ own @ disputed / np.sqrt(fitted.sum()))


def test_a_text_is_scored_with_what_a_candidates_texts_have_in_common(asked: PopulationSystem) -> None:
    new = written(2, (1, 1, 1, 1, 1, 1)).counts
    scores = asked.scores(new)
    for place, family in enumerate(asked.families):
        vectors, texts = family.known.toarray(), family.weighted.vectors(new.table(family.name)).toarray()
        for code in CANDIDATES:
            expected = [plain(vectors, asked.codes, asked.used[code], text, {int(code)}) for text in texts]
            assert scores[:, code, place] == pytest.approx(expected, abs=1e-6)
    others = np.setdiff1d(np.arange(len(SIZES)), CANDIDATES)
    assert np.isnan(scores[:, others]).all(), "the population has no scores"


def test_one_candidate_has_the_score_that_several_have(system: FusedSystem, asked: PopulationSystem) -> None:
    new = written(3, (2, 2, 2, 2, 2, 2)).counts
    for code in CANDIDATES:
        alone = against(system, np.array([code]), 0)
        assert alone.scores(new)[:, code] == pytest.approx(asked.scores(new)[:, code])


def test_texts_that_are_left_out_have_no_part(asked: PopulationSystem) -> None:
    new = written(4, (1, 0, 0, 0, 0, 0)).counts
    rows = asked.left_out_rows
    assert set(rows) == set(np.concatenate([asked.used[code] for code in CANDIDATES]))
    found = asked.without_each(new)
    for number, row in enumerate(rows):
        owner = asked.codes[row]
        for place, family in enumerate(asked.families):
            vectors, text = family.known.toarray(), family.weighted.vectors(new.table(family.name)).toarray()[0]
            left = np.setdiff1d(asked.used[owner], [row])
            assert found[number, owner, place] == pytest.approx(
                plain(vectors, asked.codes, left, text, {int(owner)}), abs=1e-6
            )
    whole = asked.scores(new)[0]
    assert found[0][CANDIDATES[1]] == pytest.approx(whole[CANDIDATES[1]]), "another candidate's score stays"


def test_nothing_is_left_of_a_candidate_without_texts(asked: PopulationSystem) -> None:
    new = written(4, (1, 0, 0, 0, 0, 0)).counts
    (found,) = asked.without(new, [asked.used[1]])
    assert np.isnan(found[0, 1]).all() and not np.isnan(found[0, 3]).any()


def test_stand_ins_are_scored_as_candidates_are(corpus: Written, system: FusedSystem) -> None:
    way = rounds(corpus.codes, corpus.sources, 0)
    players = StandIns.of(system.codes, np.array([4, 5]), [way], 0)
    other = written(5, SIZES).counts
    whole, version = tried(system, players, [corpus.counts, other])
    for counts, scores in ((corpus.counts, whole[0].scores), (other, version[0].scores)):
        for place, family in enumerate(system.families):
            vectors, texts = family.known.toarray(), family.weighted.vectors(counts.table(family.name)).toarray()
            for row, text in enumerate(texts):
                writer = int(system.codes[row])
                for code in range(len(SIZES)):
                    found = scores[row, code, place]
                    known = players.own[0].get(row) if code == writer else players.known[code]
                    if known is None or not len(known):
                        assert np.isnan(found)
                    else:
                        expected = plain(vectors, system.codes, known, text, {code, writer})
                        assert found == pytest.approx(expected, abs=1e-6)


def test_stand_ins_without_each_of_their_texts(corpus: Written, system: FusedSystem) -> None:
    """As a candidate without each known text: the score with the author's other texts, for some texts that have several."""
    way = rounds(corpus.codes, corpus.sources, 0)
    players = StandIns.of(system.codes, np.array([4, 5]), [way], 0)
    ((trial,),) = tried(system, players, [corpus.counts])
    (rows,) = players.thinned
    assert len(rows) and trial.without_each.shape == (len(rows), players.sizes.max(), len(system.families))
    for place, family in enumerate(system.families):
        vectors, texts = family.known.toarray(), family.weighted.vectors(corpus.counts.table(family.name)).toarray()
        for row, without in zip(rows.tolist(), trial.without_each[:, :, place], strict=True):
            writer, known = int(system.codes[row]), players.own[0][row]
            assert np.isnan(without[len(known) :]).all()
            for number in range(len(known)):
                expected = plain(vectors, system.codes, np.delete(known, number), texts[row], {writer})
                assert without[number] == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.integers(1, 9), min_size=3, max_size=9), st.integers(0, 99), st.data())
def test_no_stand_in_holds_what_it_is_tried_with(sizes: list[int], seed: int, data: st.DataObject) -> None:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    sources = [
        (f"source {number}",)
        for number in data.draw(st.lists(st.integers(0, 3), min_size=len(codes), max_size=len(codes)))
    ]
    wanted = np.array(sorted(data.draw(st.sets(st.integers(1, 9), min_size=1, max_size=3))))
    ways = [rounds(codes, sources, seed), rounds(codes, [()] * len(codes), seed)]
    players = StandIns.of(codes, wanted, ways, seed)
    for code, (size, known) in enumerate(zip(players.sizes, players.known, strict=True)):
        assert len(known) == size <= sizes[code] and set(codes[known]) <= {code}
        assert size in wanted or (size == 0 and sizes[code] < wanted.min()), "as many texts as a candidate has"
    for way, own in zip(ways, players.own, strict=True):
        for each in way:
            for row in each.tried.tolist():
                if row in own:
                    assert not np.isin(own[row], each.away).any() and row not in own[row]
                    assert set(codes[own[row]]) == {codes[row]}
                    assert players.sizes[codes[row]] / 2 <= len(own[row]) <= players.sizes[codes[row]]


def test_a_candidate_with_more_texts_than_stand_ins_have_is_thinned() -> None:
    """Of eleven authors with five texts ten can stand in with four and one more to be tried."""
    assert usable(np.array([30, *(5,) * 10])) == 4
    assert usable(np.array([30, 20])) == 19, "of fewer authors the one with fewest decides"
    assert usable(np.array([1, 1, 1])) == 1


def test_rounds_can_be_held_for_some_texts_alone() -> None:
    found = Round(np.array([1, 4, 6]), np.array([4])).among(np.array([0, 4, 5, 6]))
    assert found.away.tolist() == [1, 3] and found.tried.tolist() == [1]

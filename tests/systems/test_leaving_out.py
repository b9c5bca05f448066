"""Rounds of leaving out: what is tried has nothing in common with what is left, and everything that can be tried is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.systems.leaving_out import MOST, Round, authors_left_out, is_shared, rounds

Corpus = tuple[np.ndarray, list[tuple[str, ...]]]


OWN, SHARED = "abcd", ("shared:x", "Shared: thread y", "SHARED:z")


@st.composite
def corpora(draw: st.DrawFn, most: int = 2, shared: bool = True) -> Corpus:
    """Authors in any order, with texts of none, one or two sources each, some of them shared between authors."""
    codes = draw(st.lists(st.integers(0, 4), max_size=30))
    place = {code: number for number, code in enumerate(dict.fromkeys(codes))}
    named = st.lists(st.sampled_from((*OWN, *SHARED) if shared else OWN), max_size=most, unique=True).map(tuple)
    return np.array([place[code] for code in codes], int), [draw(named) for _ in codes]


def own(corpus: Corpus, row: int) -> set[object]:
    """The sources of a text; a source is its author's own unless it is said to be shared."""
    codes, sources = corpus
    return {name if name in SHARED else (codes[row], name) for name in sources[row] or (row,)}


def together(corpus: Corpus, row: int) -> set[int]:
    """All texts, by anybody, that share a source with a text."""
    return {other for other in range(len(corpus[0])) if own(corpus, row) & own(corpus, other)}


def elsewhere(corpus: Corpus, row: int) -> list[int]:
    """The texts of the author that share no source with a text."""
    codes, _ = corpus
    return [other for other in np.flatnonzero(codes == codes[row]).tolist() if other not in together(corpus, row)]


def shown(found: list[Round]) -> list[tuple[list[int], list[int]]]:
    return [(each.away.tolist(), each.tried.tolist()) for each in found]


@given(corpora(), st.integers(0, 3))
def test_no_source_of_a_tried_text_is_among_what_is_left(corpus: Corpus, seed: int) -> None:
    """Neither of its author's nor, where it is shared, of anybody's; and something by its author is left."""
    codes, sources = corpus
    for each in rounds(codes, sources, seed):
        left = set(range(len(codes))) - set(each.away.tolist())
        known = set().union(*(own(corpus, row) for row in left))
        assert set(each.tried.tolist()) <= set(each.away.tolist())
        for row in each.tried:
            assert not own(corpus, row) & known
            assert any(codes[other] == codes[row] for other in left)
        assert np.array_equal(each.away, np.unique(each.away)) and np.array_equal(each.tried, np.unique(each.tried))


@given(corpora(), st.integers(0, 3))
def test_each_text_is_tried_whose_author_keeps_another(corpus: Corpus, seed: int) -> None:
    codes, sources = corpus
    tried = {row for each in rounds(codes, sources, seed) for row in each.tried.tolist()}
    assert tried == {row for row in range(len(codes)) if elsewhere(corpus, row)}


@given(corpora(shared=False), st.integers(0, 3))
def test_one_source_of_every_author_is_away_in_each_round(corpus: Corpus, seed: int) -> None:
    """Of each author of whom anything can be tried, exactly what shares a source with some text."""
    codes, sources = corpus
    able = {codes[row] for row in range(len(codes)) if elsewhere(corpus, row)}
    for each in rounds(codes, sources, seed):
        assert set(codes[each.away]) == able
        for author in able:
            mine = set(np.flatnonzero(codes == author).tolist())
            lost = mine & set(each.away.tolist())
            assert any(lost == mine - set(elsewhere(corpus, row)) for row in mine)


@given(corpora(), st.integers(0, 3))
def test_every_author_loses_a_source_in_each_round_where_some_are_shared(corpus: Corpus, seed: int) -> None:
    """All of it and everybody's texts that have it; an author keeps all texts only if each source would take somebody's last with it."""
    codes, sources = corpus
    everybody = [set(np.flatnonzero(codes == author).tolist()) for author in range(max(codes, default=-1) + 1)]
    for each in rounds(codes, sources, seed):
        away = set(each.away.tolist())
        whole = [together(corpus, row) for row in away if together(corpus, row) <= away]
        assert away == set().union(*whole), "nothing but whole sources is away"
        left = [mine for mine in everybody if not mine <= away]
        for mine in everybody:
            if not mine & away:
                parts = [together(corpus, row) for row in mine if elsewhere(corpus, row)]
                assert all(any(other <= away | part for other in left) for part in parts)


@given(corpora())
def test_an_outsider_is_met_by_nothing_of_theirs_and_nothing_they_share(corpus: Corpus) -> None:
    codes, sources = corpus
    found = authors_left_out(codes, sources)
    assert sorted(row for each in found for row in each.tried.tolist()) == list(range(len(codes))), "each text once"
    for each in found:
        (author,) = set(codes[each.tried].tolist())
        assert set(np.flatnonzero(codes == author).tolist()) <= set(each.away.tolist())
        for row in each.tried:
            shared = {other for other in together(corpus, row) if {*sources[other]} & {*sources[row]} & {*SHARED}}
            assert set(each.away.tolist()) == shared | set(np.flatnonzero(codes == author).tolist())
    if not any({*SHARED} & {*each} for each in sources):
        assert shown(found) == shown(authors_left_out(codes)), "sources of their own change nothing"


def test_a_shared_source_goes_for_everybody() -> None:
    """Two threads that three authors write in, and a diary of each; the diary of the last is all in a thread too."""
    codes = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    sources = [("shared:s",), ("shared:t",), ("diary",)] * 2 + [("shared:s", "diary"), ("shared:s",)]
    found = rounds(codes, sources, 0)
    s, t = [0, 3, 6, 7], [1, 4]
    assert all(set(each.away) >= set(some) or not set(each.away) & set(some) for each in found for some in (s, t))
    assert {row for each in found for row in each.tried.tolist()} == {0, 1, 2, 3, 4, 5}
    assert shown(authors_left_out(codes, sources)) == [
        ([0, 1, 2, 3, 6, 7], [0]), ([0, 1, 2, 4], [1]), ([0, 1, 2], [2]),
        ([0, 3, 4, 5, 6, 7], [3]), ([1, 3, 4, 5], [4]), ([3, 4, 5], [5]),
        ([0, 3, 6, 7], [6, 7]),
    ]  # fmt: skip


def test_an_author_may_lose_nothing_so_that_another_can_be_tried() -> None:
    """Whatever the second author loses takes the first one's other text along."""
    codes, sources = np.array([0, 0, 1, 1]), [("a",), ("shared:x", "shared:z"), ("shared:x",), ("shared:z",)]
    found = rounds(codes, sources, 0)
    assert ([0], [0]) in shown(found) and {row for each in found for row in each.tried.tolist()} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("name", "shared"),
    [("shared:x", True), ("Shared: x", True), ("SHARED:", True), ("shared", False), ("a shared:x", False), ("", False)],
)
def test_a_name_says_whether_a_source_is_shared(name: str, shared: bool) -> None:
    assert is_shared(name) is shared


@given(corpora(most=1, shared=False))
def test_sources_are_left_out_in_turn(corpus: Corpus) -> None:
    """As many rounds as the author with most sources needs; each text is tried once."""
    codes, sources = corpus
    found = rounds(codes, sources, 0)
    times: dict[object, int] = {}
    for row in range(len(codes)):
        if elsewhere(corpus, row):
            (source,) = own(corpus, row)
            times[codes[row], source] = sum(row in each.tried for each in found)
    assert set(times.values()) <= {1}
    assert len(found) == max((sum(author == other for other, _ in times) for author, _ in times), default=0)


@given(corpora(), st.permutations(range(5)), st.permutations(OWN))
def test_names_do_not_matter(corpus: Corpus, authors: list[int], names: list[str]) -> None:
    """Neither those of authors, and so their numbers, nor those of sources."""
    codes, sources = corpus
    new = dict(zip((*OWN, *SHARED), (*names, *reversed(SHARED)), strict=True))
    renamed = [tuple(new[name] for name in each) for each in sources]
    assert shown(rounds(np.array(authors)[codes], renamed, 1)) == shown(rounds(codes, sources, 1))


@pytest.mark.parametrize("seed", range(6))
def test_known_rounds(seed: int) -> None:
    """Two authors: one with two books, one with a book, a letter, and a text cut across both that is away with either."""
    codes = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    books = [("b",), ("b",), ("c",), ("c",), ("b",), ("b",), ("l",), ("l",), ("b", "l"), ()]
    found = rounds(codes, books, seed)
    assert {tuple(np.intersect1d(each.away, [0, 1, 2, 3])) for each in found} == {(0, 1), (2, 3)}
    assert {(tuple(each.away[each.away > 3]), tuple(each.tried[each.tried > 3])) for each in found} == {
        ((4, 5, 8), (4, 5)),
        ((6, 7, 8), (6, 7)),
        ((4, 5, 6, 7, 8), (8,)),
        ((9,), (9,)),
    }


@pytest.mark.parametrize(("texts", "source"), [(1, ()), (50, ("one",))])
def test_nothing_can_be_tried(texts: int, source: tuple[str, ...]) -> None:
    assert rounds(np.repeat([0, 1], texts), [source] * (2 * texts), 0) == []
    assert rounds(np.zeros(0, int), [], 0) == []


@pytest.mark.parametrize("texts", [MOST - 1, MOST, MOST + 1, 3 * MOST + 7])
def test_more_sources_than_rounds(texts: int) -> None:
    """A fiftieth of them at once, rounded up; an author with few goes round several times meanwhile."""
    codes = np.repeat([0, 1], [texts, 5])
    found = rounds(codes, [()] * len(codes), 0)
    at_once = -(-texts // MOST)
    away = [int((each.away < texts).sum()) for each in found]
    assert away == [at_once] * (texts // at_once) + [texts % at_once] * bool(texts % at_once) and len(found) <= MOST
    assert all((each.away >= texts).sum() == 1 for each in found)
    assert sorted(row for each in found for row in each.tried if row < texts) == list(range(texts))


@settings(max_examples=20)
@given(st.integers(0, 1_000))
def test_draws_depend_on_the_seed_and_on_nothing_else(seed: int) -> None:
    codes = np.tile(np.arange(6), 7)
    first, again, other = (shown(rounds(codes, [()] * 42, each)) for each in (seed, seed, seed + 1))
    assert first == again != other


def test_many_texts_of_one_source_are_no_burden() -> None:
    """Every text with a source of its own and one that half of the author's share."""
    codes = np.zeros(4_000, int)
    sources = [(f"text {row}", f"half {row % 2}") for row in range(4_000)]
    found = rounds(codes, sources, 0)
    assert [len(each.tried) for each in found] == [2_000, 2_000]

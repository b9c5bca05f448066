"""At most so many texts of each author: how many, from which sources, and on what the draw does not depend."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import Corpus, Document, Exclusion
from forensia.corpus.document import BEYOND, at_most, text_hash
from forensia.wording.problems import left_out_because

SOURCES = ("", "diary", "letters", "mails")
listed = st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from(SOURCES)), min_size=1, max_size=40)


def document(number: int, author: str, *sources: str, **more: object) -> Document:
    text = f"text {number}"
    return Document(author, text, text, sources, path=f"{number}.txt", sha256_text=text_hash(text), **more)  # type: ignore[arg-type]


def corpus_of(authors: list[tuple[str, str]]) -> Corpus:
    return Corpus.of(document(number, author, source) for number, (author, source) in enumerate(authors))


def used(corpus: Corpus, most: int, seed: int = 0) -> set[str]:
    return {each.title for each in at_most(corpus, most, seed).active.documents}


def test_a_known_draw() -> None:
    """The texts go by SHA-256 of the seed and their own hash: 5, 0, 2, 4, 1, 3 with seed 0, and 0, 4, 5, 1, 2, 3 with seed 1."""
    diary = [document(number, "Ann", "diary") for number in range(4)]
    letters = [document(number, "Ann", "letters") for number in (4, 5)]
    corpus = Corpus.of([*diary, *letters, document(6, "Bob")])
    for seed, turns in ((0, (5, 0, 2, 4, 1, 3)), (1, (0, 4, 5, 1, 2, 3))):
        for most in range(1, 7):
            assert used(corpus, most, seed) == {"text 6", *(f"text {number}" for number in turns[:most])}


def test_what_is_not_used_stays_and_says_why() -> None:
    corpus = Corpus.of(document(number, "Ann") for number in range(5))
    fewer = at_most(corpus, 3, 0)
    assert len(fewer) == 5 and len(fewer.active) == 3
    assert set(fewer.excluded.values()) == {Exclusion(BEYOND, {"most": 3})}
    assert {left_out_because(reason) for reason in fewer.excluded.values()} == {
        "Not drawn: at most 3 texts of each author are used."
    }


def test_what_the_analyst_left_out_is_not_drawn() -> None:
    corpus = Corpus.of(document(number, "Ann", excluded="no letter" if number < 3 else None) for number in range(5))
    fewer = at_most(corpus, 2, 0)
    assert used(corpus, 2) == {"text 3", "text 4"} and set(fewer.excluded.values()) == {"no letter"}


def test_a_text_of_several_sources_waits_for_all_of_them() -> None:
    both = document(0, "Ann", "diary", "letters")
    alone = [document(number, "Ann", source) for number, source in enumerate(("diary", "letters", "mails"), 1)]
    for seed in range(20):
        assert len(used(Corpus.of([both, *alone]), 1, seed)) == 1
        two = used(Corpus.of([both, *alone]), 2, seed)
        assert "text 0" not in two or two == {"text 0", "text 3"}, "nothing else is from other sources"


@given(listed, st.integers(1, 12), st.integers(0, 5))
def test_never_more_and_never_fewer_than_there_are(authors: list[tuple[str, str]], most: int, seed: int) -> None:
    corpus = corpus_of(authors)
    counts = at_most(corpus, most, seed).active.counts
    assert counts == {author: min(most, count) for author, count in corpus.counts.items()}


@given(listed, st.integers(1, 12), st.integers(0, 5))
def test_sources_give_evenly(authors: list[tuple[str, str]], most: int, seed: int) -> None:
    """A source that gives less than another by more than one has nothing left."""
    corpus = corpus_of(authors)
    there = Counter((each.author, each.source or each.id) for each in corpus.documents)
    taken = Counter((each.author, each.source or each.id) for each in at_most(corpus, most, seed).active.documents)
    for author in corpus.authors:
        given = {key: taken[key] for key in there if key[0] == author}
        for key, count in given.items():
            assert count == there[key] or count >= max(given.values()) - 1


@given(listed, st.integers(1, 12), st.integers(0, 5), st.randoms())
def test_neither_order_nor_names_matter(
    authors: list[tuple[str, str]], most: int, seed: int, chance: random.Random
) -> None:
    corpus = corpus_of(authors)
    shuffled = list(corpus.documents)
    chance.shuffle(shuffled)
    assert used(replace(corpus, documents=tuple(shuffled)), most, seed) == used(corpus, most, seed)
    renamed = corpus.changed(
        lambda each: replace(each, author={"A": "Zoe", "B": "Bob", "C": "Ann"}[each.author], path=f"{each.author}.txt")
    )
    assert used(renamed, most, seed) == used(corpus, most, seed)


@given(listed, st.integers(1, 11), st.integers(0, 5))
def test_fewer_are_some_of_more(authors: list[tuple[str, str]], most: int, seed: int) -> None:
    corpus = corpus_of(authors)
    assert used(corpus, most, seed) <= used(corpus, most + 1, seed)


@pytest.mark.parametrize("most", [40, 1000])
def test_as_many_as_there_are_changes_nothing(most: int) -> None:
    corpus = corpus_of([("A", "diary")] * 40)
    assert at_most(corpus, most, 0) == corpus and not at_most(corpus, most, 0).excluded

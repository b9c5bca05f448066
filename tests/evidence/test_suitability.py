"""A population that does not suit a text is said not to, and one that does is rarely doubted."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from forensia.corpus.document import Document
from forensia.evidence.opinion import ALPHA
from forensia.evidence.population import Population
from forensia.evidence.suitability import FEWEST_TEXTS, KIND, LENGTH, TYPING, Suitability
from forensia.language import LanguageModel
from forensia.wording.populations import described, suiting
from support.populations import document

LETTERS = "i you we and so but the my your it that me to of was not will have be if".split()
REPORTS = "the of in by which was were from at its their with for this these than as an is are".split()
OTHERS = "boat harbour rope morning paper house water window year garden street winter".split()


def written(
    author: int, number: int, words: int, function_words: list[str] = LETTERS, typed: str = "straight"
) -> Document:
    """A text in which an author has a liking of their own for each of some function words."""
    liking = random.Random(f"author {author}")
    weights = [1 + liking.random() for _ in function_words] + [0.6] * len(OTHERS)
    chosen = random.Random(f"text {author} {number} {words}").choices([*function_words, *OTHERS], weights, k=words)
    text = "".join(f"{word}{'. ' if place % 12 == 11 else ' '}" for place, word in enumerate(chosen))
    mark = {"straight": "'", "curly": "’"}[typed]
    return document(f"author {author:02}", text.replace("that me", f"that{mark}s me").replace("to of", f"to{mark} of"))


@pytest.fixture(scope="module")
def texts() -> list[Document]:
    return [written(author, number, 180 + 12 * number) for author in range(24) for number in range(6)]


@pytest.fixture(scope="module")
def population(language: LanguageModel, texts: list[Document]) -> Population:
    return Population.of(texts, language, "letters", "Letters, one hand each")


@pytest.fixture(scope="module")
def suitability(population: Population) -> Suitability:
    return Suitability(population)


def codes(suitability: Suitability, text: Document) -> set[str]:
    return {reason.code for reason in suitability.of(text).reasons}


def test_the_limits_add_up_to_one_in_twenty() -> None:
    assert pytest.approx(ALPHA) == KIND + LENGTH + TYPING


def test_texts_of_the_same_kind_by_strangers_are_rarely_doubted(suitability: Suitability) -> None:
    strangers = [written(author, number, 190 + 9 * number) for author in range(100, 150) for number in range(4)]
    found = [suitability.of(text) for text in strangers]
    assert np.mean([bool(each.reasons) for each in found]) <= 2 * ALPHA
    shares = [each.kind for each in found if each.kind is not None]
    assert len(shares) == len(found) and 0.3 < np.median(shares) < 0.7, "as far off as the population's own"


def test_another_kind_of_writing_is_said(suitability: Suitability) -> None:
    for number in range(10):
        text = written(200 + number, number, 240, REPORTS)
        assert codes(suitability, text) == {"population-another-kind"}


def test_a_long_text_of_another_kind_is_seen_by_shorter_pieces_too(suitability: Suitability) -> None:
    """The authors' texts are put together to some 1,000 words; of 40,000 there is nothing, so it is looked at in pieces."""
    for words in (1_000, 40_000):
        assert codes(suitability, written(300, 1, words, REPORTS)) == {"population-another-kind", "population-shorter"}
        assert codes(suitability, written(301, 1, words)) == {"population-shorter"}


def test_longer_texts_are_said_and_shorter_ones_are_not(suitability: Suitability, population: Population) -> None:
    longest = int(population.words.max())
    assert codes(suitability, written(302, 1, longest + 40)) == {"population-shorter"}
    assert codes(suitability, written(302, 1, 180)) == set()


def test_typing_is_said_where_it_is_rare(
    suitability: Suitability, language: LanguageModel, texts: list[Document]
) -> None:
    curly = document("X", written(400, 1, 240).text + " it’s" * 9)
    assert "population-typing" in codes(suitability, curly)
    mixed = [
        replace(each, body=each.text + " it’s" * 9) if place % 8 == 0 else each for place, each in enumerate(texts)
    ]
    usual = Suitability(Population.of(mixed, language, "mixed"))
    assert "population-typing" not in codes(usual, curly), "every eighth text of the population is typed so"


def test_a_text_that_is_in_it_is_said(suitability: Suitability, texts: list[Document]) -> None:
    assert "population-has-text" in codes(suitability, texts[0])


def test_short_texts_of_one_writer_tell_their_kind_together(suitability: Suitability) -> None:
    for function_words, said in ((REPORTS, {"population-another-kind"}), (LETTERS, set[str]())):
        short = [written(700, number, 30, function_words) for number in range(20)]
        assert codes(suitability, short[0]) == {"population-kind-not-known"}
        together = suitability.of(*short)
        assert {reason.code for reason in together.reasons} == said
        assert together.words == 30 and together.length > 0.9, "of each of them"


def test_what_cannot_be_told_is_said(suitability: Suitability, language: LanguageModel, texts: list[Document]) -> None:
    assert codes(suitability, written(1, 99, 30)) == {"population-kind-not-known"}
    few = Suitability(Population.of(texts[: FEWEST_TEXTS - 1], language, "few"))
    assert "population-few-texts" in codes(few, written(500, 1, 5_000, REPORTS))
    alone = Suitability(Population.of([each for each in texts if each.author == "author 01"], language, "one"))
    assert alone.of(written(500, 1, 240)).kind is None


def test_in_words(population: Population, suitability: Suitability) -> None:
    said = " ".join(described(population))
    assert "Letters, one hand each" in said and "144 texts by 24 authors" in said and "put together again" in said
    assert "straight apostrophes" in said and "median is 210" in said
    fits, other = (suitability.of(text) for text in (written(600, 1, 220), written(601, 2, 220, REPORTS)))
    assert suiting([("a", fits)]) == ["Nothing in length, kind or typing speaks against the population."]
    assert suiting([("b", other)])[0].startswith("'b': The population is of another kind of writing")
    several = suiting([("a", fits), ("b", other)])
    assert several[0].startswith("There is something to say of 1 of 2") and several[1:] == suiting([("b", other)])

"""What will be possible with known texts: from authors, roles, numbers and sources alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.document import Corpus, Document, Role
from forensia.evidence.knowntexts import rungs
from forensia.evidence.population import PopulationText
from forensia.evidence.possible import Possible, possible
from forensia.evidence.validation import Validation
from forensia.profile import Profile
from forensia.wording.reasons import POSSIBLE, sentence


def corpus(
    candidates: dict[str, int], population: dict[str, int], sources: int = 0, words: tuple[int, ...] = (500,)
) -> Corpus:
    """So many texts of each author, from so many sources of each in turn (0: nobody said which), and of these lengths in turn."""
    documents = []
    for role, authors in ((Role.CANDIDATE, candidates), (Role.POPULATION, population)):
        for author, number in authors.items():
            for place in range(number):
                name = f"{author}-{place}"
                own = (f"{author} {place % sources}",) if sources else ()
                long = words[len(documents) % len(words)]
                documents.append(Document(author, name, name, own, path=name, sha256_text=name, role=role, words=long))
    return Corpus(tuple(documents))


def codes(found: tuple[Possible, ...]) -> dict[str, str]:
    return {each.what: each.reason.code for each in found}


MANY = {f"p{number}": 6 for number in range(12)}


def test_three_candidates_alone_can_be_ranked_and_nothing_else() -> None:
    found = codes(possible(corpus({"a": 5, "b": 5, "c": 5}, {})))
    assert found == {
        "rank": "possible-rank",
        "somebody else": "missing-authors",
        "new source": "missing-sources",
        "none of these": "missing-none-authors",
        "length": "possible-length",
    }


def test_a_population_makes_one_candidate_enough_for_all_but_a_ranking() -> None:
    found = codes(possible(corpus({"a": 5}, MANY, sources=2)))
    assert found == {
        "rank": "missing-rank",
        "somebody else": "possible-population",
        "new source": "possible-new-population",
        "none of these": "possible-none-population",
        "length": "possible-length",
    }


def test_a_population_of_single_texts_cannot_stand_in_for_anybody() -> None:
    found = codes(possible(corpus({"a": 5}, dict.fromkeys(MANY, 1), sources=2)))
    assert found["somebody else"] == "missing-trials" and found["none of these"] == "missing-none-trials"
    assert found["new source"] == "missing-second-source"


def test_many_candidates_stand_for_others_and_need_twenty_texts_each_to_be_ruled_out() -> None:
    some = codes(possible(corpus({**MANY, "a": 25}, {}, sources=2)))
    assert some["somebody else"] == "possible-authors" and some["none of these"] == "missing-none-texts"
    assert codes(possible(corpus(dict.fromkeys(MANY, 20), {})))["none of these"] == "possible-none"
    (new,) = (each for each in possible(corpus({**MANY, "a": 1}, {}, sources=3)) if each.what == "new source")
    assert new.possible and new.reason.values == {"tried": 12, "candidates": 13}


def test_nothing_is_said_without_a_candidate_or_anybody_to_hold_one_against() -> None:
    assert possible(corpus({}, MANY)) == possible(corpus({"a": 5}, {})) == ()


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 30), min_size=1),
    st.dictionaries(st.sampled_from([f"p{n}" for n in range(14)]), st.integers(1, 30)),
    st.integers(0, 3),
)
def test_each_is_said_once_and_in_words(candidates: dict[str, int], population: dict[str, int], sources: int) -> None:
    found = possible(corpus(candidates, population, sources))
    assert [each.what for each in found] == (list(POSSIBLE) if len(candidates) + len(population) > 1 else [])
    assert all(
        sentence(each.reason) and each.reason.code.startswith(("missing", "possible")[each.possible]) for each in found
    )


def test_a_population_that_came_as_counts_is_there_besides() -> None:
    """One candidate with five texts: alone nothing is possible, and with twelve others an LR is."""
    known = corpus({"Ann": 5}, {})
    others = [PopulationText(f"author {number % 12}", (), f"{number:064x}", 500, 5, {}) for number in range(72)]
    assert possible(known) == ()
    found = {each.what: each.possible for each in possible(known, others)}
    assert found == {
        "rank": False, "somebody else": True, "new source": False, "none of these": True, "length": True,
    }  # fmt: skip


def test_long_texts_that_came_as_counts_are_cut() -> None:
    """Each of 1,000 words is two of 500; but whoever has a single one is not tried with its own pieces."""
    known = corpus({"Ann": 5}, {})
    others = [PopulationText(f"author {number % 12}", (), f"{number:064x}", 1_000, 10, {}) for number in range(72)]
    single = [PopulationText(f"single {number}", (), f"{number:064x}", 9_000, 90, {}) for number in range(20)]
    (found,) = (each for each in possible(known, [*others, *single]) if each.what == "somebody else")
    assert found.reason.values == {"tried": 5 + 144, "authors": 13, "population": 32}


def _length(found: tuple[Possible, ...]) -> Possible:
    return next(each for each in found if each.what == "length")


def test_from_how_many_words_on_a_text_can_be_judged() -> None:
    """As short as known texts are cut to be tried; and what a population of blocks cannot make is not tried."""
    known = corpus({"Ann": 5, "Ben": 4}, {}, words=(300, 400, 500))
    assert _length(possible(known)).reason.values == {"shortest": min(rungs([400], 50)), "median": 400}
    assert "from 59 words on" in sentence(_length(possible(known)).reason)
    counts = [PopulationText(f"author {number}", (), f"{number:064x}", 500, 5, {}) for number in range(12)]
    assert _length(possible(known, counts)).reason.values["shortest"] == 118
    found = [_length(possible(corpus({"Ann": 5, "Ben": 4}, {}, words=(words,)))) for words in (9, 20, 49, 50)]
    assert [(each.possible, each.reason.code) for each in found] == [
        (False, "missing-length"), (True, "possible-short"), (True, "possible-short"), (True, "possible-length"),
    ]  # fmt: skip


def test_the_length_is_that_of_the_validation(
    validation: Validation, hasty: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forensia.evidence.possible.THOROUGH", hasty.effort)
    words = int(validation.learnt.median_words)
    found = _length(possible(corpus({"Ann": 5, "Ben": 4}, {}, words=(words,))))
    assert found.reason.values["shortest"] == int(validation.shortest) < words

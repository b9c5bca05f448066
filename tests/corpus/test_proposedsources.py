"""Texts that look like one source are proposed with the reason, and only where that says something."""

from __future__ import annotations

import random
import re
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import Corpus, Document, ReadOptions, read_corpus
from forensia.corpus.document import text_hash
from forensia.corpus.sources import PATTERN, common_name, proposals, proposed

WORDS = "the of and to in that was for with on at by had not harbour letter morning garden river stone winter candle".split()


def prose(seed: int, words: int = 120) -> list[str]:
    chance = random.Random(seed)
    return [chance.choice(WORDS) for _ in range(words)]


def document(path: str, text: str = "", **more: object) -> Document:
    text = text or " ".join(prose(zlib.crc32(path.encode())))
    author, _, name = path.partition("/")
    return Document(author, name.removesuffix(".txt"), text, path=path, sha256_text=text_hash(text), **more)  # type: ignore[arg-type]


def named(*documents: Document) -> dict[str, str]:
    """The proposed source of each text, by its path."""
    corpus = Corpus.of(documents)
    found = [proposed(each) for each in proposals(corpus)]
    assert sum(map(len, found)) == len(set().union(*found)), "a text is proposed once"
    return {corpus.by_id[name].path: source for each in found for name, (source,) in each.items()}


def by_number(names: str, author: str = "Ann") -> list[Document]:
    return [document(f"{author}/{name}.txt") for name in names.split(", ")]


@pytest.mark.parametrize(
    ("names", "stems"),
    [
        ("Emma_01, Emma_02, Persuasion_1, Persuasion_2", ["Emma", "Emma", "Persuasion", "Persuasion"]),
        ("Emma 1, Emma 2, Other", ["Emma", "Emma"]),
        ("Emma (1), Emma (2), Other", ["Emma", "Emma"]),
        ("Emma1, Emma2, Other", ["Emma", "Emma"]),
        ("Emma1815_1, Emma1815_2, Other", ["Emma1815", "Emma1815"]),
        ("Emma chapter 3, Emma chapter 4, Other", ["Emma", "Emma"]),
        ("chapter 3 of Emma, Chapter 4 of Emma, Other", ["Emma", "Emma"]),
    ],
)
def test_numbered_names(names: str, stems: list[str]) -> None:
    texts = by_number(names)
    assert list(named(*texts, document("Bob/x.txt")).values()) == stems
    assert all(each.values["why"] == "numbers" for each in proposals(Corpus.of(texts)))


@pytest.mark.parametrize(
    "names",
    [
        "1, 2, 3, 4",  # nothing but numbers
        "ann_01, ann_02, ann_03",  # it would not divide the texts of the author
        "a_1, b_1, c_1, d_1",  # single texts
        "Emma_1, Emma_2, c, d, e, f",  # less than half of the texts
        "Emma_1, Emma_900, Other",  # numbers far apart
        "",
    ],
)
def test_numbers_that_say_nothing(names: str) -> None:
    assert not named(*(by_number(names) if names else ()), document("Bob/x.txt"))


def test_what_every_author_has_is_a_way_of_naming_files() -> None:
    assert not named(
        *(each for author in ("Ann", "Bob") for each in by_number("train_1, train_2, test_1, test_2", author))
    )


def test_texts_with_a_source_and_excluded_ones_are_left_alone() -> None:
    one, two, three = by_number("Emma_1, Emma_2, Other")
    assert not named(one, document(two.path, sources=("letters",)), three)
    assert not named(one, document(two.path, excluded="torn"), three)


def test_the_pattern_does_what_is_proposed(tmp_path: Path) -> None:
    for place in ("Ann/Emma_1", "Ann/Emma_2", "Ann/To Town 1", "Ann/To Town 2", "Bob/003", "Bob/004"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / f"{place}.txt").write_text(" ".join(prose(len(place) + ord(place[-1]))))
    read = read_corpus(tmp_path, thorough=True)
    (problem,) = [each for each in read.problems if each.code == "one-source"]
    assert problem.values["how"] == PATTERN
    again = read_corpus(tmp_path, ReadOptions(sources=PATTERN))
    assert {each.id: each.sources for each in again.documents if each.sources} == proposed(problem)
    assert not [each for each in again.problems if each.code == "one-source"]


def test_overlapping_segments() -> None:
    whole, other = prose(1, 300), prose(2, 120)
    pieces = [" ".join(whole[start : start + 120]) for start in (0, 60, 120, 180)]
    texts = [document(f"Ann/{place}.txt", text) for place, text in enumerate((*pieces, " ".join(other)))]
    found = named(*texts, document("Bob/x.txt", " ".join(prose(3))))
    assert list(found) == [f"Ann/{place}.txt" for place in range(4)] and len(set(found.values())) == 1


def test_a_common_beginning_is_no_overlap() -> None:
    head = " ".join(prose(1, 40))
    texts = [document(f"Ann/{place}.txt", f"{head} {' '.join(prose(place + 2))}") for place in range(4)]
    assert not named(*texts, document("Ann/5.txt"), document("Bob/x.txt"))


def with_names(seed: int, *names: str, times: int = 3) -> str:
    words = prose(seed)
    for place, name in enumerate(names * times):
        words.insert(5 + 4 * place, name)
    return " ".join(words)


def test_names_that_nobody_else_has() -> None:
    one = [document(f"Ann/{place}.txt", with_names(place, "Elinor", "Willoughby")) for place in range(3)]
    two = [document(f"Ann/{place}.txt", with_names(place, "Emma", "Knightley")) for place in range(3, 6)]
    bob = document("Bob/x.txt", with_names(9, "London"))
    found = named(*one, *two, bob)
    assert len(found) == 6 and len({found[each.path] for each in one}) == len({found[each.path] for each in two}) == 1
    assert not {"Elinor", "Emma"} & set(re.findall(r"\w+", " ".join(found.values()))), (
        "no word of a text goes into the log"
    )
    spoken = document("Bob/x.txt", with_names(9, "Elinor", "Emma", times=1))
    assert not named(*one, *two, spoken), "one name is not enough"
    assert not named(*one, bob), "all texts of an author"


@given(st.lists(st.text("ab1_ ", max_size=6), max_size=8, unique=True))
def test_whatever_texts_are_called(names: list[str]) -> None:
    texts = [document(f"Ann/{name}.txt", f"{place} text") for place, name in enumerate(names)]
    found = named(*texts, document("Bob/x.txt"))
    assert len(found) < max(1, len(names)) and not any("Bob" in path for path in found)


def test_a_stored_proposal_that_does_not_hold_together_gives_nothing() -> None:
    (problem,) = proposals(Corpus.of(by_number("Emma_1, Emma_2, Other")))
    assert len(proposed(problem)) == 2
    for values in (
        {},
        {"names": ("a",), "counts": ()},
        {"names": "a", "counts": (2,)},
        {"names": ("a", "b"), "counts": ("2", -1)},
    ):
        assert proposed(type(problem)(problem.code, problem.severity, values, "", problem.documents)) == {}


def test_a_common_name() -> None:
    assert common_name(by_number("Emma_1, Emma_2")) == "Emma"
    assert common_name([document("Ann/letters/a.txt"), document("Ann/letters/b.txt")]) == "letters"
    assert common_name([document("Ann/a.txt"), document("Ann/b.txt")]) == "", "the folder of an author is no source"
    assert common_name([document("Ann/x/a.txt"), document("Ann/y/b.txt")]) == common_name([]) == ""

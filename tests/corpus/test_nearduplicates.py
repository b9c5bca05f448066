"""Near-duplicates: found whatever the order, the length or the typography; unrelated texts are left alone."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

from forensia.corpus import nearduplicates
from forensia.corpus.nearduplicates import ShingleIndex, Shingler, same_words
from forensia.errors import Cancelled


def edited(text: str, share: float, seed: int = 0) -> str:
    chance = random.Random(seed)
    return " ".join("altered" if chance.random() < share else word for word in text.split())


def found(documents) -> set[tuple[int, int]]:
    return {(match.first, match.second) for match in ShingleIndex(documents).pairs()}


def test_unrelated_texts_do_not_match(prose, document) -> None:
    assert found([document("a", prose(seed, 300)) for seed in range(30)]) == set()


def test_an_edited_copy_is_found(prose, document) -> None:
    documents = [document("a", prose(seed, 300)) for seed in range(20)]
    documents.append(document("b", edited(documents[3].text, 0.05)))
    (match,) = ShingleIndex(documents).pairs()
    assert (match.first, match.second) == (3, 20)
    assert 0.6 < match.share < 0.95


def test_a_text_inside_a_longer_one_is_found(prose, document) -> None:
    short = prose(1, 60)
    long = prose(2, 3000) + short + prose(3, 3000)
    assert found([document("a", short), document("b", long)]) == {(0, 1)}


def test_typography_and_case_do_not_hide_a_copy(prose, document) -> None:
    text = "Don't say 'no' - " + prose(1, 100)
    other = text.upper().replace("'", "’").replace("-", "—").replace(" ", "\u00a0")
    (match,) = ShingleIndex([document("a", text), document("b", other)]).pairs()
    assert match.share == 1.0


def test_very_short_texts_are_compared_as_words(prose, document) -> None:
    assert found([document("a", "Meet me at nine."), document("b", "Meet me at nine.")]) == set()
    assert same_words("Meet me at nine.", "meet me, at NINE")
    assert not same_words("Meet me at nine.", "meet me at ten")
    assert not same_words("...", "!!!")
    assert not same_words(prose(1, 200), prose(1, 200))


def test_a_crowd_of_copies_hangs_together(prose, document) -> None:
    text = prose(1, 200)
    documents = [document("a", edited(text, 0.01, seed)) for seed in range(40)]
    pairs = found(documents)
    linked = {0}
    while more := {b for a, b in pairs if a in linked} | {a for a, b in pairs if b in linked} - linked:
        if more <= linked:
            break
        linked |= more
    assert linked == set(range(40))


@pytest.mark.parametrize("most", [400, 1_000, 2_000])
def test_a_thinned_index_finds_the_same_copies(prose, document, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    documents = [document("a", prose(seed, 400)) for seed in range(20)]
    documents += [document("b", edited(documents[seed].text, 0.03, seed)) for seed in range(10)]
    expected = found(documents)
    assert len(expected) == 10
    monkeypatch.setattr(nearduplicates, "MOST_SHINGLES", most)
    index = ShingleIndex(documents)
    assert index._thinning > 1
    assert {(match.first, match.second) for match in index.pairs()} == expected


def test_order_changes_nothing(prose, document) -> None:
    documents = [document("a", prose(seed, 200), path=str(seed)) for seed in range(10)]
    documents += [document("b", edited(documents[2].text, 0.04), path="copy")]
    shuffled = random.Random(1).sample(documents, len(documents))

    def by_path(order) -> set[tuple[frozenset[str], float]]:
        return {
            (frozenset((order[match.first].path, order[match.second].path)), match.share)
            for match in ShingleIndex(order).pairs()
        }

    assert by_path(documents) == by_path(shuffled) != set()


def test_hashes_are_the_same_in_every_process(prose) -> None:
    code = (
        "from forensia.corpus.nearduplicates import Shingler; print(Shingler()('one two three four five six').tolist())"
    )
    out = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert out == {str(Shingler()("One two three, four five six!").tolist()) + "\n"}


def test_shingles_match_a_plain_count(prose) -> None:
    text = prose(7, 250)
    words = text.lower().replace(".", "").split()
    plain = {tuple(words[start : start + 5]) for start in range(len(words) - 4)}
    shingles = Shingler()(text)
    assert len(shingles) == len(plain)
    assert (np.diff(shingles.astype(object)) > 0).all()


def test_like_finds_the_questioned_text(prose, document) -> None:
    documents = [document("a", prose(seed, 150)) for seed in range(12)]
    index = ShingleIndex(documents)
    assert index.like(prose(99, 150)) == ()
    assert index.like("far too short") == ()
    assert index.like(documents[4].text) == ((4, 1.0),)
    ((position, share),) = index.like(edited(documents[5].text, 0.05))
    assert position == 5
    assert 0.5 <= share < 1.0


def test_an_empty_corpus_has_none() -> None:
    assert ShingleIndex([]).pairs() == ()
    assert ShingleIndex([]).like("one two three four five six seven eight nine ten eleven twelve") == ()


def test_it_can_be_stopped(prose, document) -> None:
    def stop(fraction: float, message: str = "") -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        ShingleIndex([document("a", prose(seed)) for seed in range(10)], stop)

"""The quick count is the count of WORD's matches, for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.characters import WORD, beyond_ascii, count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("don't", 1),
        ("rock'n'roll", 1),
        ("the dogs' bone", 3),
        ("'tis ''quoted'' text", 3),
        ("a''b a'''b", 4),
        ("well-known", 2),
        ("it’s naïve", 2),
        ("snake_case", 2),
        ("3.14 and 15", 4),
        ("слово и дело", 3),
    ],
)
def test_examples(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(st.sampled_from("ab1 '’_-.\n\0é—ж½") | st.characters()))
def test_same_as_the_pattern(text: str) -> None:
    assert count_words(text) == len(WORD.findall(text))


def test_same_as_the_pattern_with_many_different_characters() -> None:
    text = " ".join(chr(code) * 2 for code in range(0xA0, 0x600))
    assert count_words(text) == len(WORD.findall(text))


@given(st.text())
def test_characters_beyond_ascii(text: str) -> None:
    assert beyond_ascii(text) == {character for character in text if not character.isascii()}


@pytest.mark.parametrize("piece", ["don't stop ", "''quoted'' ", "x''y rock'n'roll, ", "a_b 3.5 – “naïve” ", "word"])
def test_long_texts_count_like_short_ones(piece: str) -> None:
    """Above a thousand characters the count takes another way."""
    text = piece * 400
    assert count_words(text) == len(WORD.findall(text))

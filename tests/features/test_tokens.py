"""Tokens with the topic hidden, and layout: known answers, plain versions, and texts that were made to do harm."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.features.counts import TOKEN_SIZES, extract
from forensia.features.mask import FOREIGN, HIDDEN, LISTED, NUMBER, TokenSymbols, laid_out, layout
from forensia.features.names import token_name
from forensia.features.vectors import LAYOUT, MASKED, symbols
from forensia.language.model import function_words

WORDS = ("the", "and", "don't", "of")  # not in alphabetical order
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
TYPED = st.text("aB7 \n.,'", max_size=80)


def named(text: str) -> list[str]:
    return [token_name(symbol, WORDS) for symbol in TokenSymbols(WORDS).masked(text).tolist()]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("The cat, and the dog.", ["the", "[word]", "[comma]", "and", "the", "[word]", "[full stop]"]),
        (
            "Don't; DON’T",
            ["don't", "[semicolon]", "[word]", "[curly apostrophe]", "[word]"],
        ),  # one word after canonical typing only
        ("won't 'tis", ["[word]", "[apostrophe]", "[word]"]),
        ("7th of 1984, ²", ["[number]", "of", "[number]", "[comma]", "[number]"]),
        ("a_b __", ["[word]", "[underscore]", "[word]", "[underscore]", "[underscore]"]),
        ("naïve Straße 猫", ["[word]", "[word]", "[word]"]),
        ("¿—…", ["[inverted question mark]", "[long dash]", "[ellipsis]"]),
        (" \t\n\u2003", []),
    ],
)
def test_known_tokens(text: str, tokens: list[str]) -> None:
    assert named(text) == tokens


def test_words_of_the_topic_are_all_alike() -> None:
    one, other = (TokenSymbols(function_words()).masked(f"She saw the {word}, and left.") for word in ("Duke", "gun"))
    assert one.tolist() == other.tolist()


def test_symbols_do_not_depend_on_the_order_of_the_list() -> None:
    text = "Of the cat and of the dog"
    assert TokenSymbols(WORDS).masked(text).tolist() == TokenSymbols(WORDS[::-1] * 2).masked(text).tolist()


@pytest.mark.parametrize("sign", [HIDDEN, NUMBER, LISTED, LISTED + 3, LISTED + 60_000, 0x100000, 0x10FFFD])
def test_a_sign_of_the_text_is_not_taken_for_a_symbol_of_ours(sign: int) -> None:
    assert TokenSymbols(WORDS).masked(chr(sign)).tolist() == [FOREIGN]
    assert named(f"the {chr(sign)}") == ["the", "[replacement character]"]


@given(ANY_TEXT | TYPED)
def test_tokens_of_any_text(text: str) -> None:
    """Each sign that is neither space nor part of a word is a token; so is each run of letters and digits, joined by apostrophes."""
    expected, place = [], 0
    while place < len(text):
        end = place
        while end < len(text) and (
            text[end].isalnum() or (text[end] == "'" and end > place and text[end + 1 : end + 2].isalnum())
        ):
            end += 1
        token = text[place : max(end, place + 1)]
        place += len(token)
        if not token[0].isalnum():
            foreign = unicodedata.category(token) == "Co"
            expected += [] if token.isspace() else [FOREIGN if foreign else ord(token)]
        elif token[0].isdigit():
            expected.append(NUMBER)
        else:
            listed = sorted(WORDS)
            lower = token.lower().replace("’", "'")
            expected.append(LISTED + listed.index(lower) if lower in listed else HIDDEN)
    assert TokenSymbols(WORDS).masked(text).tolist() == expected


def test_counts_of_masked_tokens() -> None:
    texts = ["The cat and the dog.", ""]
    table = extract(texts, None, [MASKED], WORDS).table(MASKED)
    keys = [tuple(symbol - 1 for symbol in row if symbol) for row in symbols(table.keys.array).tolist()]
    masked = TokenSymbols(WORDS).masked(texts[0]).tolist()
    expected = Counter(tuple(masked[start : start + n]) for n in TOKEN_SIZES for start in range(len(masked) - n + 1))
    assert dict(zip(keys, table.counts.toarray()[0].tolist(), strict=True)) == expected
    assert table.counts[1].nnz == 0


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", ""),
        ("I said: HELLO to Bob.", "A a: AA a Aa."),
        ("Room 101, USA", "Aa 0, AA"),
        ("one  two", "a  a"),
        ("line  \nnext\n\n\n\nlast ", "a\na\n\na "),
        ("tab\there\r\n", "a a\n"),
        ("ÉCOLE été 猫 ٣٤", "AA a a 0"),
        ("e-mail: <x>!!", "a-a: <a>!!"),
    ],
)
def test_known_layout(text: str, shape: str) -> None:
    assert layout(text) == shape


@given(ANY_TEXT | TYPED)
def test_layout_of_any_text(text: str) -> None:
    shape = layout(text)
    assert layout(shape) == shape, "nothing is left to reduce"
    assert len(shape) <= len(text)
    assert not re.search("aa|AAA|00| \n|\n\n\n", shape)
    marks = [sign for sign in text if not (sign.isalpha() or sign.isdigit() or sign.isspace() or sign.isupper())]
    assert [sign for sign in shape if sign not in "aA0 \n"] == marks


@given(ANY_TEXT | TYPED)
def test_each_character_of_a_layout_has_its_place(text: str) -> None:
    made = laid_out(text)
    assert made.text == layout(text)
    for place, shape in enumerate(made.text):
        start, end = made.span(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert shape in layout(text[start:end])


def test_counts_of_layout_hide_the_words() -> None:
    table = extract(["Dear Bob,\n\nI am OK.", "Dear Ann,\n\nI do PR."], None, [LAYOUT], WORDS).table(LAYOUT)
    first, second = table.counts.toarray()
    assert first.tolist() == second.tolist() and first.sum() > 0


HOSTILE = """
from forensia.features.mask import TokenSymbols, layout
from forensia.language.model import function_words
masked = TokenSymbols(function_words()).masked
for piece in (" ", "a", "A", "0", "'", "a'", "_", ".", "\\n", " \\n", "\\u0301", "\\ue000", "\\ud800", "\\t a", "aA0"):
    text = piece * (1_000_000 // len(piece))
    for whole in (text, text + "!", "x" + text + "\\n"):
        masked(whole)
        layout(whole)
"""


def test_hostile_texts_take_no_longer_than_others() -> None:
    """What takes the square of the length of a million would not end in an hour; what is linear takes seconds on any machine."""
    subprocess.run([sys.executable, "-c", HOSTILE], check=True, timeout=250)

"""One form for every text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.characters import normalise

_AWKWARD = st.text(
    st.sampled_from("\r\n\x85\u2028\u2029\ufeff\0e\u0301Åa\ud800\udfff한ᄒ\u1161\u11ab\u0323\u0307") | st.characters()
)


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n", "\x85", "\u2028", "\u2029"])
def test_every_line_end_becomes_lf(line_end: str) -> None:
    assert normalise(f"one{line_end}two é{line_end}") == "one\ntwo é\n"


def test_blank_lines_stay() -> None:
    assert normalise("a\r\n\r\nb\r\rc") == "a\n\nb\n\nc"


def test_nfd_becomes_nfc() -> None:
    assert normalise(unicodedata.normalize("NFD", "Où est Zoë?")) == "Où est Zoë?"


def test_compatibility_forms_stay() -> None:
    assert normalise("ﬁnd ½ “it”…") == "ﬁnd ½ “it”…"


def test_byte_order_mark_in_front_is_dropped_and_inside_kept() -> None:
    assert normalise("\ufeff\ufeffab\ufeffc") == "ab\ufeffc"


def test_nul_is_made_visible_and_the_text_goes_on() -> None:
    assert normalise("before\0after") == "before␀after"


def test_half_characters_are_replaced() -> None:
    assert normalise("a\ud800b") == "a\ufffdb"


@given(_AWKWARD)
def test_twice_is_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not {"\r", "\0", "\x85", "\u2028", "\u2029"} & set(once)
    once.encode("utf-8")


@given(st.text())
def test_both_forms_of_a_text_become_one(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))

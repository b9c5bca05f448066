"""Canonical typing: one text, typed in many ways, is read as one; and every character of it can be found in the original."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.typing import WIDEST, Canonical, canonical, typed

ODD = "'‘’‚`´ʼ\"“”«»″-–—−… .. .\u00a0\u2009\u3000\u200b\ufeff\u00ad\u202eﬁﬃＡ｀．－ \t\n\n\nab.é\x0c\ud800"
WORDS = st.text("abcdefghé", min_size=1, max_size=9)
MARKED = st.builds(
    "{}{}".format,
    WORDS,
    st.sampled_from(["", "", "", "", ",", ".", "'s", "...", ' "so"', " - and", "-like", " . . . but"]),
)
PARAGRAPHS = st.lists(st.lists(MARKED, min_size=1, max_size=60).map(" ".join), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("typed_so", "read"),
    [
        ("don’t ‘do’ ‚it‛ 5′ `so´ donʼt ‹a›", "don't 'do' 'it' 5' 'so' don't 'a'"),
        ("“a” „b‟ «c» 6″ ``d'' ‘‘e’’", '"a" "b" "c" 6" "d" "e"'),
        ("well‐known non‑stop 5‒6 7–8 a—b a ― b −1", "well-known non-stop 5-6 7-8 a–b a – b -1"),
        ("one -- two--three --- four ---- five - 1914--18", "one – two–three – four ---- five – 1914-18"),
        ("a -\tb -", "a –\tb –"),
        ("-\t\n. . .", "– ..."),
        ("so… or . . . or . . . . yes. No . .", "so... or ... or .... yes. No . ."),
        ("a\u00a0b\u2009c\u202fd\u3000e", "a b c d e"),
        ("oﬃce ﬁt ﬂow Ｆｕｌｌ－ｗｉｄｔｈ！｀", "office fit flow Full-width!'"),
        ("\ufeffex\u00adam\u200bple \u202eabc\u202c'\u200b'", 'example abc"'),
        ("É e\u0301 ä ½ ™ ² ﾊ", "É e\u0301 ä ½ ™ ² ﾊ"),
        (
            "in  mid   sentence,\u00a0 so.  Then  two.    Or 'two.'   One",
            "in mid sentence, so.  Then two.  Or 'two.'   One",
        ),
        ("one .     . . two", "one .  . . two"),
        ("blanks  \n  around  a  line  ", "blanks  \n  around a line  "),
        ("", ""),
    ],
)
def test_known_forms(typed_so: str, read: str) -> None:
    assert canonical(typed_so).text == read


WRAPPED = "The ferry was late again and nobody\nat the pier could say why it had\nstopped.\nWe waited.\n\nThen it came."


def test_hard_wraps_are_undone() -> None:
    """35 characters are the longest line: 'stopped. We' would have fitted, so that break was meant."""
    long = "He wrote of it to everyone he could think of and then once more to all of them. " * 2
    read = "The ferry was late again and nobody at the pier could say why it had stopped.\nWe waited.\n\nThen it came."
    assert canonical(f"{WRAPPED} {long}".replace(". He", ".\n\nHe")).text.startswith(
        "The ferry was late again and nobody\n"
    )
    assert canonical(WRAPPED + "\n\n" + textwrap.fill(long, 35)).text == f"{read}\n\n{long.strip()}"


def test_what_is_no_wrap() -> None:
    verse = "short\nlines of a list\nthat never\nfill a line\nto its end"
    assert canonical(verse).text == verse  # undoing its 'wraps' would only lead to the next
    indented = "a first line that is full\n  and an indented one\n\n\n\nand more"
    assert canonical(indented).text == indented
    wide = "x" * WIDEST + "\nand so on\n"
    assert canonical(wide).text == "x" * WIDEST + " and so on\n"
    assert canonical("x" + wide).text == "x" + wide


def test_lines_are_measured_as_they_were_typed() -> None:
    """Wrapped at 24: with one hyphen for two the first line, with three dots for one the second would have had room for a word."""
    dash = "It was late -- so late\nin the year that no one\ncame to the old harbour."
    ellipsis = "Nobody came… not one of\nthem as it was so very\nold."
    assert "\n" not in canonical(dash).text + canonical(ellipsis).text
    assert "\n" not in canonical("\u200b".join("Nobody came to the old harbour at " * 2 + "\nall.")).text


def test_blanks_before_a_wrap_go_with_it() -> None:
    read = canonical("a line that always flows \nwith a blank before each \t\nbreak")
    assert read.text == "a line that always flows with a blank before each break"
    assert read.span(24, 25) == (24, 26) and read.span(49, 50) == (50, 53)


def test_each_character_knows_its_place() -> None:
    text = "\ufeff“So…”—\u00adsaid she, ex\u00adact\u200bly  \nﬁne. . . ."
    read = canonical(text)
    assert read.text == '"So..."–said she, exactly fine....'
    assert read.origins.dtype == np.int64 and len(read.origins) == len(read.text) + 1
    assert read.origins[-1] == len(text) and (np.diff(read.origins) >= 0).all()
    places = {
        '"': "“", "...": "…", "..": "…", "–": "—", "said": "said", "exactly": "ex\u00adact\u200bly", "exact": "ex\u00adact",
        "ly ": "ly  \n", "f": "ﬁ", "fine": "ﬁne", "e...": "e. . . .",
    }  # fmt: skip
    for part, there in places.items():
        at = read.text.index(part)
        assert text[slice(*read.span(at, at + len(part)))] == there


@given(st.text(st.sampled_from(ODD)) | st.text())
def test_twice_is_once_and_places_hold(text: str) -> None:
    read = canonical(text)
    again = canonical(read.text)
    assert again.text == read.text and again.origins.tolist() == list(range(len(read.text) + 1))
    assert len(read.origins) == len(read.ends) + 1 == len(read.text) + 1 and read.origins[-1] == len(text)
    assert (np.diff(read.origins) >= 0).all() and (np.diff(read.ends) >= 0).all()
    assert (read.origins[:-1] < read.ends).all() and (read.ends <= len(text)).all()
    for place, sign in enumerate(read.text):
        start, end = read.span(place, place + 1)
        assert sign in canonical(text[start:end]).text or sign in "\" '.-"


@given(st.text(st.sampled_from(ODD)))
def test_as_typed_is_untouched(text: str) -> None:
    read = typed(text, "as typed")
    assert read.text == text and all(read.span(place, place + 1) == (place, place + 1) for place in range(len(text)))
    assert typed(text, "canonical").text == canonical(text).text


def _wrapped(paragraphs: list[str]) -> str:
    fills = (textwrap.fill(each, 72, break_on_hyphens=False, break_long_words=False) for each in paragraphs)
    return "\n\n".join(fills)


@given(PARAGRAPHS)
def test_one_text_typed_in_many_ways(paragraphs: list[str]) -> None:
    text = "\n\n".join(paragraphs)
    right = canonical(text).text
    curly = text.replace("'", "’").replace(' "', " “").replace('"', "”").replace("...", "…")
    for other in (
        curly,
        text.replace(" - ", " — "),
        text.replace(" - ", " – "),
        text.replace(" - ", " -- "),
        text.replace('"', "''"),
        text.replace(" ", "\u00a0"),
        text.replace("...", ". . ."),
        _wrapped(paragraphs),
        _wrapped(paragraphs).replace("\n", " \n").replace(" \n \n", "\n\n"),
        _wrapped(curly.replace(" - ", " — ").split("\n\n")),
        _wrapped(text.replace(" - ", " -- ").split("\n\n")),
        "\u200b".join(curly),
    ):
        assert canonical(other).text == right


@pytest.mark.parametrize(
    "hostile",
    [
        "-",
        "'",
        ".",
        " .",
        ". ",
        ".\n",
        ".  \n",
        ". \t",
        "\n",
        " \n",
        " ",
        "\u00ad",
        "…",
        "—",
        "\u00a0\n",
        "a\n",
        "ﬁ\n",
        ".\u200b ",
    ],
)
def test_hostile_runs_take_a_time_that_grows_with_their_length(hostile: str) -> None:
    """Half a million characters: with a square in it this would not end."""
    text = hostile * (500_000 // len(hostile))
    read = canonical(text)
    assert canonical(read.text).text == read.text and read.origins[-1] == len(text)


def test_nothing_changes_for_plain_text() -> None:
    text = "Plain text, typed with 'straight' quotes, well-typed: nothing to fold.\n\nAnd a paragraph."
    read = canonical(text)
    assert isinstance(read, Canonical) and read.text is text


def test_a_wrap_after_a_sentence_is_read_as_the_writer_types_there() -> None:
    """Two spaces between sentences are a habit, which a wrap must not thin out."""
    text = "He came in late.  She sat there and read.  Nobody spoke.  At last he went out again.  The door closed behind him."
    for said in (text, text.replace("  ", " ")):
        for width in range(24, 40):
            assert canonical("\n".join(textwrap.wrap(said, width))).text == said


def test_several_spaces_within_a_sentence_are_one_wherever_the_lines_break() -> None:
    text = "The ferry  was late again,  and nobody at   the pier could say why.  It had stopped  in the middle of the harbour."
    read = (
        "The ferry was late again, and nobody at the pier could say why.  It had stopped in the middle of the harbour."
    )
    assert canonical(text).text == read
    once = canonical(
        "The ferry  was late again,  and nobody\nat   the pier could say why. It had\nstopped  in the harbour."
    )
    assert once.text == "The ferry was late again, and nobody at the pier could say why. It had stopped in the harbour."
    assert once.span(9, 10) == (9, 11)


SENTENCES = (
    "The ferry was late again.",
    "Nobody at the pier could say why it had stopped in the middle of the harbour.",
)


@pytest.mark.parametrize("width", range(28, 60))
def test_paragraphs_of_one_sentence_stay_apart_when_their_last_line_is_full(width: int) -> None:
    """Where most sentences end a line that had room for more, one that ends a full line ends a paragraph too."""
    text = "\n".join((*SENTENCES, "It was cold.", *SENTENCES[::-1], "We left the U.S. coast behind us."))
    assert canonical("\n".join(textwrap.fill(each, width) for each in text.split("\n"))).text == text


def test_a_full_line_within_a_paragraph_of_sentences_is_a_wrap() -> None:
    paragraph = " ".join(SENTENCES * 4)
    for width in range(26, 60):
        assert canonical(textwrap.fill(paragraph, width)).text == paragraph

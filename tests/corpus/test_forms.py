"""How a text was typed, in counts: what canonical typing changes, and what it leaves."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.typing import CANONICAL, FORM_OF, WIDEST, Forms, canonical, forms_of

ODD = "'‘’‚`´ʼ\"“”«»″-–—−… .. .\u00a0\u2009\u3000\u200b\ufeff\u00ad\u202eﬁﬃＡ｀．－ \t\n\n\nab.é5\x0c\ud800"
TEXTS = st.text(st.sampled_from(ODD), max_size=200) | st.text()


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("don't, ‘so’, don´t", {"apostrophe": {"curly": 2, "other": 1, "straight": 1}}),
        (
            "\"a\" “b” «c» ''d'' ``e'' 6″",
            {"quote": {"curly": 2, "guillemets": 2, "other": 1, "pairs": 4, "straight": 2}},
        ),
        (
            "a—b – c -- d--e - f ---- well-known",
            {"dash": {"hyphens": 2, "long": 1, "short": 1, "spaced": 1}, "hyphen": {"plain": 1}},
        ),
        ("a -\tb", {"dash": {"spaced": 1}}),
        ("1914–18 and 5−3 and co‐op", {"hyphen": {"other": 3}}),
        ("so… or . . . or ... or .... .", {"ellipsis": {"dots": 2, "sign": 1, "spaced": 1}}),
        (
            "oﬃce fit flow Ａ\u00a0b\u2009c",
            {"full-width": {"other": 1}, "ligature": {"letters": 2, "other": 1}, "space": {"other": 2}},
        ),
        ("ex\u00adam\u00adple\u200b", {"hidden": {"other": 1}, "soft-hyphen": {"other": 2}}),
        ("two  words,\u00a0 more.  And   more.   So  ", {"gap": {"wide": 3}, "space": {"other": 1}}),
        ("Plain words.\n\nAnd more.", {}),
        ("", {}),
    ],
)
def test_known_counts(text: str, counts: dict[str, dict[str, int]]) -> None:
    assert forms_of(text).counts == counts


def test_lines_are_wrapped_or_whole_or_neither() -> None:
    whole = "He wrote to everyone he could think of and then once more to all of them. " * 8
    wrapped = textwrap.fill(whole, 60)
    assert forms_of(whole).counts["line"] == {"whole": (len(whole) - 1) // WIDEST}
    assert forms_of(wrapped).counts["line"] == {"wrapped": wrapped.count("\n")}
    assert forms_of("\u200b".join(wrapped)).counts["line"] == {"wrapped": wrapped.count("\n")}
    assert "line" not in forms_of("A list:\n\n  one\n  two\n").counts


def test_shares_and_what_is_folded() -> None:
    found = forms_of("don’t, can’t, won’t, it's – so—…")
    assert found.total("apostrophe") == 4 and found.share("apostrophe", "curly") == 0.75
    assert found.folded == {"apostrophe": 3, "dash": 1, "ellipsis": 1}
    assert found.total("quote") == 0 and found.share("quote", "curly") == 0
    assert Forms({}).folded == {}


@given(TEXTS)
def test_what_is_counted_as_folded_is_what_is_folded(text: str) -> None:
    read = canonical(text).text
    assert bool(forms_of(text).folded) == (read != text)
    assert forms_of(read).folded == {}


@given(TEXTS, TEXTS)
def test_two_texts_have_together_what_each_has(one: str, other: str) -> None:
    """Lines are measured against the longest of a text, so they alone depend on what stands beside them."""
    apart, together = (forms_of(one), forms_of(other)), forms_of(f"{one}\n\n{other}")
    for kind in {*apart[0].counts, *apart[1].counts, *together.counts} - {"line"}:
        for form in {form for each in (*apart, together) for form in each.counts.get(kind, {})}:
            counted = [each.counts.get(kind, {}).get(form, 0) for each in (*apart, together)]
            assert counted[0] + counted[1] == counted[2]


def test_every_folded_character_has_a_form_that_is_not_the_canonical_one() -> None:
    for character, (kind, form) in FORM_OF.items():
        assert canonical(character).text != character
        assert form != CANONICAL.get(kind)


@pytest.mark.parametrize("hostile", ["-", "'", ".", " .", ".\n", "\n", "…", "\u00a0\n", "a\n", "ﬁ", "5–", "?", ". . "])
def test_hostile_runs_take_a_time_that_grows_with_their_length(hostile: str) -> None:
    forms = forms_of(hostile * (300_000 // len(hostile)))
    assert all(forms.total(kind) <= 300_000 for kind in forms.counts)

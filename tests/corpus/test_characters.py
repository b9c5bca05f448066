"""Hidden characters and letters that pretend."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.characters import (
    _LOOK_ALIKES,
    MAX_OFFSETS,
    has_ink,
    inspect,
    plain_letter,
    script_of,
    visible,
)

_TRICKY = st.text(
    st.sampled_from("ab \n\u200b\u200d\u202e\u00ad\ufe0f\0␀\x07\ufffdаж😀\U0001f3f4\U000e0067\U000e0100")
    | st.characters()
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Plain text,\twith a tab\nand a form feed\f.",
        "“Typographic” – naïve façade… £5 œuvre",
        "Ω in physics, α and β as symbols, 5 µm",
        "日本語とLatinとカタカナ",
        "Tシャツ",
        "👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽",
        "می‌خواهم",
        "क्‍ष",
        "Русский текст с English словами",
        "葛󠄀城市",
    ],
)
def test_ordinary_writing_is_clean(text: str) -> None:
    assert inspect(text) == {}
    assert visible(text).text == text


@pytest.mark.parametrize(
    ("kind", "character", "example"),
    [
        ("zero-width", "\u200b", "U+200B ZERO WIDTH SPACE"),
        ("zero-width", "\u200d", "U+200D ZERO WIDTH JOINER"),
        ("zero-width", "\ufeff", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("bidi", "\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("bidi", "\u2067", "U+2067 RIGHT-TO-LEFT ISOLATE"),
        ("soft-hyphen", "\u00ad", "U+00AD SOFT HYPHEN"),
        ("invisible", "\u2063", "U+2063 INVISIBLE SEPARATOR"),
        ("invisible", "\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
        ("invisible", "\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A"),
        ("invisible", "\U000e0110", "U+E0110 VARIATION SELECTOR-33"),
        ("control", "\x07", "U+0007 CONTROL CHARACTER"),
        ("control", "\x93", "U+0093 CONTROL CHARACTER"),
        ("nul-bytes", "\0", "U+0000 CONTROL CHARACTER"),
        ("nul-bytes", "␀", "U+0000 CONTROL CHARACTER"),
        ("lost-characters", "\ufffd", "U+FFFD REPLACEMENT CHARACTER"),
    ],
)
def test_hidden_characters_are_counted_located_and_named(kind: str, character: str, example: str) -> None:
    for text in (f"wo{character}rd and wo{character}rd", f"wö{character}rd and wo{character}rd"):
        finding = inspect(text)[kind]
        assert (finding.count, finding.offsets, finding.examples) == (2, [2, 12], [example])
        assert inspect(text) == {kind: finding}, "and nothing else is found"


def test_count_is_full_where_places_are_not() -> None:
    finding = inspect("a\u200b" * 5_000)["zero-width"]
    assert finding.count == 5_000
    assert len(finding.offsets) == MAX_OFFSETS


@pytest.mark.parametrize(
    "word",
    ["pаypal", "Соmpany", "ехаmple", "Ηello", "nаïve", "scоре", "ｐassword", "𝐛old", "hellօ"],
)
def test_look_alikes_in_a_word(word: str) -> None:
    findings = inspect(f"The word {word} is odd.")
    assert findings["look-alikes"].count == findings["mixed-script"].count == 1
    assert findings["look-alikes"].offsets == [9]
    assert findings["look-alikes"].examples[0].startswith(f"{word} (U+")


def test_word_spelled_wholly_in_look_alikes() -> None:
    findings = inspect("We met at the рорсоосе yesterday.")
    assert findings["look-alikes"].offsets == [14]
    assert inspect("She said «соса и сок», a Russian phrase: он там.") == {}


def test_mixed_words_that_resemble_nothing_are_no_look_alikes() -> None:
    findings = inspect("the λphage and the Жuk")
    assert (findings["mixed-script"].count, findings["look-alikes"].count) == (2, 0)


def test_latin_letter_in_a_russian_word() -> None:
    assert inspect("Это простоe слово и ещё одно.")["mixed-script"].offsets == [4]


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latin"), ("ß", "Latin"), ("ﬁ", "Latin"), ("ж", "Cyrillic"), ("ω", "Greek"), ("א", "Hebrew"), ("ع", "Arabic"),
        ("字", "Cjk"), ("か", "Hiragana"), ("ｶ", "Katakana"), ("한", "Hangul"), ("ａ", "Styled"), ("𝒳", "Styled"),
        ("1", ""), (" ", ""), ("µ", ""), ("—", ""), ("\ue000", ""), ("\ud800", ""),
    ],
)  # fmt: skip
def test_script_of(character: str, script: str) -> None:
    assert script_of(character) == script


def test_table_of_look_alikes() -> None:
    for foreign, latin in _LOOK_ALIKES.items():
        assert script_of(foreign) in {"Cyrillic", "Greek", "Armenian", "Cherokee"}, foreign
        assert plain_letter(foreign) == latin
        assert latin.isascii()
        assert unicodedata.is_normalized("NFC", foreign)


def test_ink() -> None:
    assert not has_ink("")
    assert not has_ink(" \n\t\ufeff\u200b\u2028\u00ad\u202e\u3164")
    assert has_ink(" . ")


def test_visible_escapes_and_maps_offsets() -> None:
    shown = visible("a\u202eb\0c")
    assert shown.text == "a⟨U+202E⟩b⟨U+0000⟩c"
    assert [shown.to_shown(i) for i in range(6)] == [0, 1, 9, 10, 18, 19]


@given(_TRICKY)
def test_visible_hides_nothing(text: str) -> None:
    shown = visible(text)
    assert (
        inspect(shown.text)["bidi"].count
        == inspect(shown.text)["nul-bytes"].count
        == inspect(shown.text)["control"].count
        == 0
    )
    for offset, character in enumerate(text):
        place = shown.to_shown(offset)
        assert shown.text[place] in (character, "⟨")
    assert shown.to_shown(len(text)) == len(shown.text)


@given(_TRICKY)
def test_counts_agree_with_places(text: str) -> None:
    findings = inspect(text)
    for kind in (
        "zero-width",
        "bidi",
        "soft-hyphen",
        "invisible",
        "control",
        "nul-bytes",
        "lost-characters",
        "mixed-script",
        "look-alikes",
    ):
        finding = findings[kind]
        assert len(finding.offsets) == min(finding.count, MAX_OFFSETS)
        assert list(finding.offsets) == sorted(set(finding.offsets))
        assert bool(finding.examples) == bool(finding.count)
    assert findings["bidi"].count == sum(
        text.count(character)
        for character in "\u202e\u202d\u2066\u200e\u200f\u061c\u202a\u202b\u202c\u2067\u2068\u2069"
    )
    assert findings["nul-bytes"].count == text.count("\0") + text.count("␀")

"""Faults 1 to 19: bad or odd text, at the level of the functions that decode, normalise and check one text."""

from __future__ import annotations

import codecs
import math
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.corpus.characters import count_words, normalise, visible
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.decoding import MAX_TEXT_BYTES, Decoded, NotText, TextTooLong, UndecodableText, decode
from forensia.corpus.document import Document, Problem, Severity
from forensia.corpus.segmenting import segment
from forensia.corpus.textchecks import EXCLUDING, check_text, guess
from forensia.errors import InputError
from forensia.wording.problems import message, next_step, said, worded

PROSE = (
    "“We had planned to leave early,” said Zoë, “but the rain kept us in the house until noon, and by then it was clear that "
    "the bus wouldn’t come.” My brother was not worried about it, so we waited for the others at the café by the mill.\n"
) * 4


def _read(data: bytes, encoding: str | None = None) -> tuple[str, dict[str, Problem]]:
    decoded = decode(data, encoding)
    text = normalise(decoded.text)
    return text, {problem.code: problem for problem in (*decoded.problems, *check_text(text))}


def test_ordinary_text_has_no_problem() -> None:
    assert _read(PROSE.encode()) == (PROSE, {})


def test_01_empty_file() -> None:
    text, problems = _read(b"")
    assert text == ""
    assert set(problems) == {"empty"} <= EXCLUDING
    assert "left out" in message(problems["empty"])


@pytest.mark.parametrize(
    "data", [b" \r\n\t ", codecs.BOM_UTF8, codecs.BOM_UTF8 + b"\n\n", codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE, "\u200b\u00a0".encode()]
)  # fmt: skip
def test_02_white_space_or_mark_only(data: bytes) -> None:
    _, problems = _read(data)
    assert set(problems) == {"empty"}


def test_03_too_short() -> None:
    _, problems = _read(PROSE[:200].encode())
    assert set(problems) == {"too-short"}
    assert problems["too-short"].severity is Severity.WARNING
    assert "sole basis of an opinion" in message(problems["too-short"])


def test_04_utf8_with_mark() -> None:
    assert _read(codecs.BOM_UTF8 + PROSE.encode()) == _read(PROSE.encode())


@pytest.mark.parametrize("mark_and_codec", [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")])
def test_05_utf16_with_mark(mark_and_codec: tuple[bytes, str]) -> None:
    mark, codec = mark_and_codec
    assert _read(mark + PROSE.encode(codec)) == (PROSE, {})


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_06_utf16_without_mark(codec: str) -> None:
    data = PROSE.encode(codec)
    text, problems = _read(data)
    assert text == PROSE
    assert set(problems) == {"encoding-proposed"}
    assert next_step(problems["encoding-proposed"]) == "Confirm or choose another encoding."
    assert _read(data, codec) == (PROSE, {}), "confirmed, there is no problem left"


def test_07_windows_1252_quotes() -> None:
    data = ("Où est-il? " + PROSE).encode("cp1252")
    decoded = decode(data)
    assert decoded.text.startswith("Où"), "not the 'Oů' of cp1250"
    assert (decoded.encoding, decoded.proposed) == ("cp1252", True)
    assert decoded.problems[0].severity is Severity.WARNING
    assert decode(data, "cp1252") == Decoded(decoded.text, "cp1252"), "confirmed, it is no proposal any more"
    assert decode(data, "cp1250").text.startswith("Oů"), "another choice is the analyst's"


def test_08_mixed_encodings() -> None:
    good = PROSE.encode()
    data = good + "naïve".encode("cp1252") + good
    with pytest.raises(UndecodableText) as caught:
        decode(data)
    assert caught.value.problem.offsets == (len(good) + 2,)
    assert f"offset {len(good) + 2:,}" in said(caught.value)
    problem = caught.value.about("a.txt")
    assert (
        problem.offsets == (len(good) + 2,) and problem.file == "a.txt" and "Choose the encoding" in next_step(problem)
    )


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.4\n1 0 obj",
        b"PK\x03\x04\x14\0\x06\0",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe1\0\x10",
        b"\x7fELF\x02",
        b"MZ\x90\0\x03\0",
        b"\x1f\x8b\x08\0",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        bytes(range(256)) * 8,
    ],
)
def test_09_binary_named_txt(data: bytes) -> None:
    with pytest.raises(NotText) as caught:
        decode(data)
    assert caught.value.about("a.txt").code == "not-text"


def test_10_nul_bytes() -> None:
    raw = PROSE.encode()
    text, problems = _read(raw[:100] + b"\0" + raw[100:500] + b"\0\0" + raw[500:])
    assert text.replace("␀", "") == PROSE, "the text is not cut there"
    assert set(problems) == {"nul-bytes"}
    assert problems["nul-bytes"].offsets == tuple(place for place, sign in enumerate(text) if sign == "␀")
    assert len(problems["nul-bytes"].offsets) == 3


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n"])
def test_11_line_ends(line_end: str) -> None:
    assert _read(PROSE.replace("\n", line_end).encode()) == (PROSE, {})


def test_12_one_very_long_line() -> None:
    with pytest.raises(TextTooLong, match="the limit for one text is 20 million"), worded():
        decode(b"word " * 10_000_000)
    line = ("a word, then " * (MAX_TEXT_BYTES // 10 // 13)).encode()
    started = time.process_time()
    text, problems = _read(line)
    guess(text)
    propose_cuts(text, Step)
    segment(Document("a", "t", text), 10_000)
    assert time.process_time() - started < 60
    assert set(problems) == {"language"}
    assert set(_read(b"x" * 1_000_000)[1]) == {"too-short"}


def test_12_text_beyond_the_limit_from_a_table() -> None:
    (problem,) = check_text("x" * (MAX_TEXT_BYTES + 1))
    assert problem.code == "very-long"
    assert problem.code in EXCLUDING


def test_13_nfd_and_nfc() -> None:
    decomposed = unicodedata.normalize("NFD", PROSE)
    assert decomposed != PROSE
    assert _read(decomposed.encode()) == (PROSE, {})


def test_14_zero_width_characters() -> None:
    text, problems = _read(PROSE.replace("rain", "ra\u200bin").encode())
    assert set(problems) == {"zero-width"}
    assert problems["zero-width"].offsets == tuple(place for place, sign in enumerate(text) if sign == "\u200b")
    assert ": 4, such as U+200B ZERO WIDTH SPACE" in message(problems["zero-width"])


def test_15_homoglyphs() -> None:
    text, problems = _read(PROSE.replace("rain", "rаin").encode())
    assert set(problems) == {"mixed-script"}
    warned = problems["mixed-script"]
    assert warned.severity is Severity.WARNING
    assert "rаin (U+0430 CYRILLIC SMALL LETTER A)" in message(warned)
    assert [text[offset : offset + 4] for offset in warned.offsets] == ["rаin"] * 4


@pytest.mark.parametrize(("character", "code"), [("\u202e", "bidi"), ("\u2066", "bidi"), ("\u00ad", "soft-hyphen")])
def test_16_bidi_controls_and_soft_hyphens(character: str, code: str) -> None:
    text, problems = _read(PROSE.replace("rain", f"ra{character}in").encode())
    assert set(problems) == {code}
    shown = visible(text)
    assert f"ra⟨U+{ord(character):04X}⟩in" in shown.text
    assert character not in shown.text
    offset = problems[code].offsets[0]
    assert shown.text[shown.to_shown(offset)] == "⟨"


@pytest.mark.parametrize(
    "text",
    [
        "Wir wollten früh aufbrechen, aber der Regen hielt uns im Haus fest, und dann war klar, dass er nicht kommen würde. "
        * 8,
        "Было тихое утро, и никто в деревне ещё не видел почтальона. " * 20,
        "今天早上很安静，村里没有人看见邮递员。" * 40,
    ],
)
def test_17_wrong_language_or_script(text: str) -> None:
    _, problems = _read(text.encode())
    assert "language" in problems
    assert problems["language"].severity is Severity.WARNING


@pytest.mark.parametrize("text", ["... !!! ??? --- ;;; " * 50, "1234 567 89, " * 60, "12", "—", "😀😀"])
def test_18_only_punctuation_or_digits(text: str) -> None:
    read, problems = _read(text.encode())
    assert "no-words" in problems
    assert "empty" not in problems, "it stays in the corpus"
    assert math.isfinite(guess(read).share)
    assert count_words(read) >= 0
    assert "".join(piece.text for piece in segment(Document("a", "t", read), 10)) == read


@pytest.mark.parametrize(
    "mail",
    [
        "\n> Did you hear the rain?\n> It was loud.\n",
        "\nOn Mon, May 3, 2004 at 10:15 AM, Jo Hill <jo@example.org> wrote:\n\nDid you hear the rain?\n",
        "\n-----Original Message-----\nFrom: Jo Hill\nSent: Monday\nTo: Al\nSubject: rain\n\nDid you hear the rain?\n",
        "\nFrom: Jo Hill\nSent: Monday\nTo: Al\nSubject: rain\n\nDid you hear the rain?\n",
        "\nBegin forwarded message:\n\nFrom: Jo Hill\nSubject: rain\n\nDid you hear the rain?\n",
        "\n---------- Forwarded message ---------\nFrom: Jo Hill\n\nDid you hear the rain?\n",
    ],
)
def test_19_quoted_or_forwarded_mail(mail: str) -> None:
    text, problems = _read((PROSE + mail).encode())
    assert set(problems) == {"quoted-text"}
    assert "another author's text" in message(problems["quoted-text"])
    assert all(offset >= len(PROSE) for offset in problems["quoted-text"].offsets)
    cuts = propose_cuts(text, (Step.QUOTED_REPLIES, Step.FORWARDED))
    assert Document("a", "t", text, cuts=cuts).text.strip() == PROSE.strip()


_PIECES = st.sampled_from(
    [PROSE.encode(), PROSE.encode("cp1252"), PROSE.encode("utf-16-le"),
     codecs.BOM_UTF8, codecs.BOM_UTF16_BE, b"\0", b"\r", b"\xe9", b"> a\n"]
)  # fmt: skip


@settings(max_examples=500)
@given(st.lists(st.binary(max_size=40) | _PIECES, max_size=6).map(b"".join))
def test_any_bytes_are_read_or_refused_with_a_sentence(data: bytes) -> None:
    try:
        decoded = decode(data)
    except InputError as error:
        assert said(error).endswith(".")
        return
    text = normalise(decoded.text)
    check_text(text)
    visible(text)
    cuts = propose_cuts(text, Step)
    document = Document("a", "t", text, cuts=cuts)
    assert "".join(piece.text for piece in segment(document, 20)) == document.text

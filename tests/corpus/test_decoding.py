"""Bytes into text, and what is refused."""

from __future__ import annotations

import codecs
import gzip
import io
import random
import zipfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensia.corpus.decoding import (
    ENCODINGS,
    MAX_TEXT_BYTES,
    Decoded,
    NotText,
    TextRefused,
    TextTooLong,
    UndecodableText,
    decode,
)
from forensia.corpus.document import Severity
from forensia.errors import InputError
from forensia.wording.problems import next_step, said, worded

ENGLISH = "It was a quiet morning, and nobody in the village had seen the postman yet.\n" * 4
FRENCH = "Où étaient-ils ? Le garçon répondit « à côté » sans hésiter, puis il se tut.\n" * 4
RUSSIAN = "Было тихое утро, и никто в деревне ещё не видел почтальона.\n" * 4


@pytest.mark.parametrize("text", ["", "a", ENGLISH, FRENCH, RUSSIAN, "日本語の文。", "😀 — “fine”"])
def test_utf8_is_read_and_not_proposed(text: str) -> None:
    assert decode(text.encode()) == Decoded(text, "utf-8")


@pytest.mark.parametrize(
    ("bom", "codec", "name"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    ],
)
@pytest.mark.parametrize("text", ["", "x", FRENCH, RUSSIAN])
def test_byte_order_marks(bom: bytes, codec: str, name: str, text: str) -> None:
    assert decode(bom + text.encode(codec)) == Decoded(text, name)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Yes", ENGLISH, FRENCH, RUSSIAN, "“Fine” – he said…"])
def test_utf16_without_mark_is_proposed(codec: str, text: str) -> None:
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.proposed) == (text, codec, True)
    (problem,) = decoded.problems
    assert (problem.code, problem.severity) == ("encoding-proposed", Severity.WARNING)
    assert next_step(problem) == "Confirm or choose another encoding."


def test_windows_1252_is_proposed_with_the_places() -> None:
    text = "“Où est-il ?” – l’été…"
    decoded = decode(text.encode("cp1252"))
    assert (decoded.text, decoded.encoding, decoded.proposed) == (text, "cp1252", True)
    (problem,) = decoded.problems
    assert problem.code == "encoding-proposed"
    assert problem.offsets == tuple(i for i, character in enumerate(text) if not character.isascii())


@pytest.mark.parametrize(
    "text",
    [
        FRENCH.replace(" »", "\xa0»").replace("té\xa0»", "é\xa0»"),
        "Der Fuß“ über Äcker für größere Öfen: möglich, schön, böse, jäh, früh, süß, kühl.",
    ],
)
def test_windows_1252_that_is_utf8_by_chance_in_places(text: str) -> None:
    raw = text.encode("cp1252")
    assert any(pair in raw for pair in (b"\xe9\xa0\xbb", b"\xdf\x93"))
    assert decode(raw).text == text


def test_choice_of_the_analyst_is_strict_and_no_proposal() -> None:
    assert decode("Jiří".encode("cp1250"), "cp1250") == Decoded("Jiří", "cp1250")
    assert decode("привет".encode("koi8-r"), "KOI8-R") == Decoded("привет", "koi8-r")
    assert decode(codecs.BOM_UTF8 + b"x", "utf-8") == Decoded("x", "utf-8")
    with pytest.raises(UndecodableText) as caught:
        decode(b"abc\xe9", "utf-8")
    assert caught.value.problem.offsets == (3,)


@pytest.mark.parametrize(
    "encoding", ["no-such-thing", "hex", "unicode_escape", "punycode", "idna", "rot13", "", "a\0b"]
)
def test_other_codecs_are_no_choice(encoding: str) -> None:
    with pytest.raises(InputError, match="choose one of"):
        decode(b"abc", encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_offered_encoding_works(encoding: str) -> None:
    assert decode(ENGLISH.encode(encoding), encoding).text == ENGLISH


@pytest.mark.parametrize("encoding", ["koi8-r", "cp1251", "shift_jis", "euc_kr", "big5", "cp1253"])
def test_other_alphabets_are_never_guessed(encoding: str) -> None:
    sample = {
        "shift_jis": "日本語の文章です。",
        "euc_kr": "한국어 문장입니다",
        "big5": "這是一個句子",
        "cp1253": "Ήταν ένα ήσυχο πρωί",
    }
    with pytest.raises(UndecodableText, match="offset"), worded():
        decode((sample.get(encoding, RUSSIAN) * 5).encode(encoding))


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (FRENCH.encode() + b"na\xefve", len(FRENCH.encode()) + 2),
        (b"na\xefve " + "l’été à Nîmes".encode(), 2),
        ("café ".encode("cp1252") + "café".encode(), 3),
        (FRENCH.encode()[:3], None),
        ("été".encode()[:-1], 3),
        (codecs.BOM_UTF8 + b"caf\xe9", 6),
        (codecs.BOM_UTF16_LE + b"a\0b", 4),
    ],
)
def test_mixed_or_broken_encodings_are_refused_with_the_offset(data: bytes, offset: int | None) -> None:
    if offset is None:
        assert decode(data).text == FRENCH[:2]
        return
    with pytest.raises(UndecodableText, match=f"offset {offset:,}") as caught, worded():
        decode(data)
    assert caught.value.problem.offsets == (offset,)
    problem = caught.value.about("letters/one.txt")
    assert (problem.code, problem.file, problem.offsets) == ("undecodable", "letters/one.txt", (offset,))


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    return buffer.getvalue()


BINARY = {
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "zip": _zip(),
    "gzip": gzip.compress(ENGLISH.encode()),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "elf": b"\x7fELF\x02\x01\x01",
    "exe": b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff",
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64),
    "sqlite": b"SQLite format 3\0" + bytes(50),
    "zeros": bytes(1000),
    "random": random.Random(5).randbytes(4000),
    "int16": b"".join(i.to_bytes(2, "little") for i in range(1, 31)) * 20,
    "doubles": bytes.fromhex("3ff0000000000000") * 50,
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_data_are_refused(name: str) -> None:
    with pytest.raises(TextRefused) as caught:
        decode(BINARY[name])
    assert caught.value.code == "not-text"


def test_text_that_begins_like_a_program_is_text() -> None:
    assert decode(b"MZ: who wrote this? - I did.").text.startswith("MZ")


def test_binary_stays_binary_whatever_encoding_is_chosen() -> None:
    for encoding in ("cp1252", "utf-16-le", "cp437"):
        with pytest.raises(TextRefused):
            decode(BINARY["zeros"], encoding)


def test_nul_bytes_do_not_cut_the_text() -> None:
    data = b"The first part" + b"\0" + b" and the second part\0 and so on"
    assert decode(data) == Decoded(data.decode(), "utf-8")


def test_limit() -> None:
    with pytest.raises(TextTooLong, match="20 million"), worded():
        decode(b"a" * (MAX_TEXT_BYTES + 1))
    assert len(decode(b"a" * 101).text) == 101


def test_messages_hold_no_text() -> None:
    with pytest.raises(UndecodableText) as caught:
        decode("Secret été ".encode() + b"\xe9")
    assert "Secret" not in said(caught.value)


@given(st.binary(), st.sampled_from([None, *ENCODINGS]))
@example(b"\xff\xfe\0\0", None)
@example(b"\xff\xfe\0\xd8", None)
@example(b"\xed\xa0\x80", None)
def test_any_bytes_are_read_or_refused(data: bytes, encoding: str | None) -> None:
    try:
        decoded = decode(data, encoding)
    except InputError as error:
        assert said(error)
        return
    decoded.text.encode("utf-8")
    assert decoded.proposed == any(problem.code == "encoding-proposed" for problem in decoded.problems)
    assert decode(data, decoded.encoding).text == decoded.text, "confirming a proposal must give the same text"


@given(st.text())
def test_utf8_comes_back_unchanged_or_is_called_binary(text: str) -> None:
    try:
        decoded = decode(text.encode())
    except TextRefused as error:
        assert isinstance(error, NotText) or text.startswith("\ufeff")
        return
    if not decoded.proposed:
        assert decoded.text == text.removeprefix("\ufeff")

"""Random bytes and mutated documents at every reader: a text or a refusal, never anything else, and never for long."""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections import Counter
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forensia.corpus.filetypes import FORMATS, Extraction, Limits, Reader, extract
from forensia.errors import InputError
from forensia.wording.problems import said

MUTANTS = 260  # of each document
RANDOM = 40  # inputs of pure noise for each ending
SLOWEST = 10.0  # seconds; a hang is longer, a loaded machine is not
LIMITS = Limits(characters=1_000_000, unpacked=5_000_000)
SUFFIXES = sorted(FORMATS)

TOKENS = [
    b"<", b">", b"</", b"<!--", b"]]>", b"<![CDATA[", b"<!DOCTYPE x [", b"&#x110000;", b"&#0;", b"&amp", b"<?xml",
    b"<a:b>", b"xmlns:w=''", b"<w:p>", b"</w:p>", b"<w:del>", b"<w:txbxContent>", b"</w:txbxContent>",
    b"<w:fldChar w:fldCharType='end'/>", b"</text:note>", b"<w:footnote w:id='1'>", b"<text:note>", b"<body>",
    b"</body>", b"<TEI>", b"</TEI>", b"<script>", b"<pre>", b"</pre>", b"<title>", b"{", b"}", b"\\", b"\\'",
    b"\\'e9", b"\\u-1", b"\\u65536 ", b"\\bin99999999 ", b"\\bin-1 ", b"\\uc99999 ", b"\\*", b"{\\footnote",
    b"\\f999999999", b"\\ansicpg0", b"\\ansicpg99999", b"{\\upr", b"\\ud", b"\\v", b"\\fcharset2", b"From ",
    b"\nFrom - 10:00\n", b"Content-Type: multipart/mixed; boundary=", b"--outer", b"--inner--", b"\n\n",
    b"=?utf-8?b?", b"charset=utf-7", b"charset=idna", b"Content-Transfer-Encoding: x-uuencode", b"\r", b"\n", b"\0",
    b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x81", b"obj", b"endobj", b"stream", b"endstream", b"1 0 R",
    b"99 0 R", b"<<", b">>", b"[", b"]", b"(", b")", b"/Length 99999999", b"/Kids", b"/Count -1",
    b"/Filter/ASCIIHexDecode", b"/Filter[/FlateDecode/FlateDecode]", b"/Prev 9", b"startxref\n0\n", b"%%EOF",
    b"/Encrypt", b"-1", b"4294967296", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"\xff" * 8, b"9" * 40,
]  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A document with a few things wrong."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place = chance.randrange(len(changed) + 1)
        length = chance.choice((1, 2, 8, 64, 500))
        kind = chance.randrange(7)
        if kind == 0 and place < len(changed):
            changed[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = changed[place : place + length] * chance.choice((1, 2, 50))
        elif kind == 3:
            changed[place : place + length] = chance.randbytes(length)
        elif kind == 4 and chance.random() < 0.3:
            del changed[place:]
        else:
            changed[place:place] = chance.choice(TOKENS)
    return bytes(changed)


def mutated_inside(data: bytes, chance: random.Random) -> bytes:
    """An archive with something wrong in one of its parts, packed properly again, so that the parsers get to see it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    weights = [4 if name in ("word/document.xml", "content.xml") else 1 for name in entries]
    (name,) = chance.choices(list(entries), weights)
    entries[name] = mutated(entries[name], chance)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    return buffer.getvalue()


def mutants(samples: ModuleType, name: str, count: int, seed: int) -> list[bytes]:
    chance = random.Random(f"{name} {seed}")
    data = samples.all_types()[name]
    return [
        mutated_inside(data, chance) if data.startswith(b"PK") and number % 4 else mutated(data, chance)
        for number in range(count)
    ]


def outcome(data: bytes, name: str) -> str:
    """'read' or 'refused'; any other exception is a failure of the test, and so is a text that cannot be written."""
    started = time.perf_counter()
    try:
        found = extract(data, name, limits=LIMITS)
    except InputError as refusal:
        assert said(refusal)
        return "refused"
    else:
        assert isinstance(found, Extraction)
        for part in found.parts:
            part.text.encode()
        return "read"
    finally:
        assert time.perf_counter() - started < SLOWEST, name


NAMES = ["a.docx", "a.odt", "a.rtf", "a.html", "a.xml", "a.eml", "a.mbox", "a.pdf", "a.txt", "a.md"]


@pytest.mark.parametrize("name", NAMES)
def test_mutated_documents(samples: ModuleType, name: str) -> None:
    assert set(samples.all_types()) == set(NAMES)
    assert len(NAMES) * MUTANTS >= 2_000
    outcomes = Counter(outcome(data, name) for data in mutants(samples, name, MUTANTS, seed=1))
    assert outcomes["read"] > 0, "the mutations are too wild to reach the readers"
    assert outcomes["refused"] > 0 or name in ("a.html", "a.mbox", "a.md"), "the mutations are too tame"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_noise(suffix: str) -> None:
    chance = random.Random(suffix)
    for _ in range(RANDOM):
        outcome(chance.randbytes(chance.choice((0, 1, 10, 1_000, 20_000))), f"noise{suffix}")


def test_documents_under_a_false_name(samples: ModuleType) -> None:
    for data in samples.all_types().values():
        for suffix in SUFFIXES:
            outcome(data, f"false{suffix}")


@settings(max_examples=300, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(SUFFIXES), st.lists(st.sampled_from(TOKENS) | st.binary(max_size=30), max_size=40))
def test_sequences_of_tokens(suffix: str, pieces: list[bytes]) -> None:
    starts = {
        ".rtf": b"{\\rtf1 ",
        ".pdf": b"%PDF-1.4\n",
        ".eml": b"From: a@b\n",
        ".mbox": b"From a 10:00\n",
        ".xml": b"<a>",
        ".tei": b"<TEI>",
    }
    outcome(starts.get(suffix, b"") + b"".join(pieces), f"tokens{suffix}")


def test_through_the_child(samples: ModuleType) -> None:
    """The child gives the same answers, and none of these inputs ends it."""
    with Reader(LIMITS) as reader:
        reader.extract(samples.RTF, "a.rtf")
        pid = reader._worker.pid
        for name in NAMES:
            for data in mutants(samples, name, 12, seed=2):
                try:
                    expected: object = extract(data, name, limits=LIMITS)
                except InputError as refusal:
                    expected = said(refusal)
                try:
                    found: object = reader.extract(data, name)
                except InputError as refusal:
                    found = said(refusal)
                assert found == expected
        assert reader._worker.pid == pid

"""Faults 20 to 28: documents that attack, mislead or break the program that reads them."""

from __future__ import annotations

import functools
import io
import socket
import struct
import sys
import threading
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from forensia.corpus.filetypes import Limits, Reader, Refusal, extract
from forensia.wording.problems import message, next_step, said, worded
from support import documentsamples as samples

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as shared:
        yield shared


def refused(reader: Reader, data: bytes, name: str) -> Refusal:
    """The refusal, the same from the child as from here."""
    with pytest.raises(Refusal) as here:
        extract(data, name)
    with pytest.raises(Refusal) as there:
        reader.extract(data, name)
    assert said(here.value) == said(there.value)
    assert name in said(there.value)
    assert next_step(there.value.problem)
    return there.value


# ---------------------------------------------------------------- 20: DTD

XXE = '<!DOCTYPE x [<!ENTITY e SYSTEM "{}">]>'


@pytest.mark.parametrize("part", ["document", "styles", "footnotes", "core"])
def test_20_a_word_document_with_a_dtd_is_rejected(reader: Reader, tmp_path: Path, part: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    bad = XXE.format(secret.as_uri())
    bad += f'<w:document xmlns:w="{samples.W}"><w:body><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:body></w:document>'
    refusal = refused(reader, samples.docx(**{part: bad}), "a.docx")
    assert refusal.code == "dtd"
    assert "secret" not in said(refusal)


@pytest.mark.parametrize(
    "dtd",
    [
        XXE.format("file:///etc/passwd"),
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY % p SYSTEM "http://127.0.0.1:9/">%p;]>',
        '<!DOCTYPE x [<!ENTITY e "inner">]>',
        "<!DOCTYPE x []>",
    ],
)
@pytest.mark.parametrize("name", ["a.odt", "a.xml"])
def test_20_other_xml_with_a_dtd_is_rejected(reader: Reader, name: str, dtd: str) -> None:
    data = f"{dtd}<x>&e;</x>".encode()
    assert refused(reader, samples.zipped({"content.xml": data}) if name == "a.odt" else data, name).code == "dtd"


# ---------------------------------------------------------------- 21: zip bombs


@functools.cache
def _bomb(megabytes: int, entry: str = "word/document.xml") -> bytes:
    """A small file that unpacks to a large one, written in pieces so that the test itself stays small."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(entry, "w") as stream:
            stream.write(f'<w:document xmlns:w="{samples.W}"><w:body>'.encode())
            paragraph = b"<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 29_412
            for _ in range(megabytes):
                stream.write(paragraph)
            stream.write(b"</w:body></w:document>")
        if entry != "word/document.xml":
            archive.writestr("word/document.xml", "<a/>")
    return buffer.getvalue()


def _lying_bomb() -> bytes:
    """The same with a table of contents that says it is small."""
    data = bytearray(_bomb(200))
    for signature, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = data.find(signature)
        struct.pack_into("<L", data, start + place, 1_000)
    return bytes(data)


def _many_entries() -> bytes:
    """A table of contents with a million entries."""
    entry = b"PK\x01\x02" + struct.pack("<HHHHHHLLLHHHHHLL", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    table = entry * 1_000_000
    return table + b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 65_535, 65_535, len(table), 0, 0)


WORD_ONLY = "in another part"
BOMBS = {
    "large": (lambda: _bomb(300), "zip-bomb"),
    WORD_ONLY: (lambda: _bomb(300, "_rels/.rels"), "zip-bomb"),
    "lying": (_lying_bomb, "damaged"),
    "many entries": (_many_entries, "too-large"),
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in ("a.docx", "a.odt") for kind in BOMBS if name == "a.docx" or kind != WORD_ONLY],
)
def test_21_a_zip_bomb_is_rejected_before_parsing(reader: Reader, name: str, kind: str) -> None:
    make, code = BOMBS[kind]
    data = make()
    if name == "a.odt":
        data = data.replace(b"word/document.xml", b"//////content.xml")
    before = _peak(reader)
    tracemalloc.start()
    try:
        with pytest.raises(Refusal) as caught:
            extract(data, name)
        grown = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.code == code
    assert grown < 10 * MEGABYTE
    tracemalloc.start()
    try:
        with pytest.raises(Refusal):
            reader.extract(data, name)
        grown = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert grown < 10 * MEGABYTE, "the parent"
    assert _peak(reader) - before < 100 * MEGABYTE, "the child"


def _peak(reader: Reader) -> int:
    """The largest memory the child has used, in bytes; starts it if need be."""
    reader.extract(samples.RTF, "a.rtf")
    status = Path(f"/proc/{reader._worker.pid}/status")
    if not status.exists():
        return 0
    (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def test_21_a_document_within_the_ratio_but_beyond_the_size(reader: Reader) -> None:
    with pytest.raises(Refusal) as caught:
        extract(_bomb(3), "a.docx", limits=Limits(unpacked=2 * MEGABYTE))
    assert caught.value.code == "zip-bomb"
    assert len(extract(_bomb(2), "a.docx").parts[0].text) > 100_000, "a repetitive but small document is none"


# ---------------------------------------------------------------- 22: entity bombs

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
ENTITY_BOMBS = {
    "exponential": f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]><x>&l11;</x>',
    "quadratic": f'<!DOCTYPE x [<!ENTITY l "{"l" * 50_000}">]><x>{"&l;" * 50_000}</x>',
    "parameter": '<!DOCTYPE x [<!ENTITY % a "x"><!ENTITY % b "%a;%a;%a;">%b;]><x/>',
}


@pytest.mark.parametrize("kind", ENTITY_BOMBS)
@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.xml"])
def test_22_an_entity_bomb_is_rejected_in_a_second(reader: Reader, name: str, kind: str) -> None:
    bomb = ENTITY_BOMBS[kind]
    data = {
        "a.docx": lambda: samples.docx(document=bomb),
        "a.odt": lambda: samples.zipped({"content.xml": bomb}),
        "a.xml": bomb.encode,
    }[name]()
    started = time.process_time()
    with pytest.raises(Refusal) as caught:
        extract(data, name)
    assert time.process_time() - started < 1
    assert caught.value.code == "dtd"
    assert refused(reader, data, name).code == "dtd"


def test_22_characters_by_number_do_not_multiply(reader: Reader) -> None:
    assert refused(reader, b"<a>&#x110000;</a>", "a.xml").code == "damaged"


# ---------------------------------------------------------------- 23: truncated, encrypted


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9, 0.97])
@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf", "a.xml", "a.pdf"])
def test_23_a_truncated_document_is_refused(reader: Reader, name: str, share: float) -> None:
    data = samples.all_types()[name].rstrip(b"\0\r\n")
    refusal = refused(reader, data[: int(len(data) * share)], name)
    assert refusal.code in ("damaged", "wrong-type")


def test_23_empty_files_of_every_type(reader: Reader) -> None:
    for name in samples.all_types():
        if name in ("a.txt", "a.md", "a.html"):
            assert extract(b"", name).parts[0].text == "", "an empty text is for the checks of the corpus"
        else:
            assert refused(reader, b"", name).code in ("damaged", "wrong-type")


def test_23_a_message_cut_off_is_told() -> None:
    cut = samples.EML[: samples.EML.index(b"JVBERi0")]
    assert "cut-off" in {note.code for note in extract(cut, "a.eml").notes}


def _flagged_encrypted(data: bytes) -> bytes:
    changed = bytearray(data)
    for signature, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        start = 0
        while (start := changed.find(signature, start)) >= 0:
            changed[start + place] |= 1
            start += 4
    return bytes(changed)


ENCRYPTED = {
    "office.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000,
    "zip.docx": _flagged_encrypted(samples.docx()),
    "zip.odt": _flagged_encrypted(samples.odt()),
    "office.odt": samples.odt(manifest="<manifest:encryption-data><manifest:algorithm/></manifest:encryption-data>"),
    "locked.pdf": samples.pdf(
        samples.PDF_PAGES,
        b"/Encrypt<</Filter/Standard/V 1/R 2/O(" + b"o" * 32 + b")/U(" + b"u" * 32 + b")/P -4>>/ID[(a)(a)]",
    ),
}


@pytest.mark.parametrize("name", ENCRYPTED)
def test_23_an_encrypted_document_is_refused(reader: Reader, name: str) -> None:
    refusal = refused(reader, ENCRYPTED[name], name)
    assert refusal.code == "encrypted"
    assert "password" in said(refusal)


# ---------------------------------------------------------------- 24: tracked changes, hidden text, comments


def test_24_changes_hidden_text_and_comments_are_listed(reader: Reader) -> None:
    word = (
        "<w:p><w:r><w:t>kept</w:t></w:r><w:ins w:author='A'><w:r><w:t>-new</w:t></w:r></w:ins>"
        "<w:del w:author='A'><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:commentReference w:id='1'/></w:r></w:p>"
    )
    open_document = (
        "<text:tracked-changes><text:changed-region><text:insertion/></text:changed-region><text:changed-region><text:deletion>"
        "<text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>kept-new"
        "<text:span text:style-name='T1'>hidden</text:span><office:annotation><text:p>remark</text:p></office:annotation></text:p>"
    )
    rich = rb"{\rtf1 kept{\revised -new}{\deleted gone}{\v hidden}{\*\annotation remark}}"
    documents = {"a.docx": samples.docx(word), "a.odt": samples.odt(open_document), "a.rtf": rich}
    for name, data in documents.items():
        found = reader.extract(data, name)
        assert found.parts[0].text == "kept-new", name
        listed = {note.code: note for note in found.notes}
        assert {"tracked-insertions", "tracked-deletions", "hidden-text", "comments"} <= set(listed), name
        assert "kept" in message(listed["tracked-insertions"])
        for code in ("tracked-deletions", "hidden-text", "comments"):
            assert "left out" in message(listed[code])


# ---------------------------------------------------------------- 25: remote content


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port that notes who connects to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        visitors: list[object] = []
        stop = threading.Event()

        def listen() -> None:
            while not stop.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                visitors.append(address)
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], visitors
        stop.set()
        thread.join()


def test_25_remote_content_is_not_fetched(
    reader: Reader, listener: tuple[int, list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, visitors = listener
    here = f"http://127.0.0.1:{port}/x"
    page = (
        f"<html><head><base href='{here}'><meta http-equiv=refresh content='0;url={here}'><link rel=stylesheet href='{here}'>"
        f"<style>@import url({here});</style><script src='{here}'></script></head>"
        f"<body background='{here}'><p>Text only.</p><img src='{here}'>"
        f"<iframe src='{here}'></iframe><object data='{here}'></object><video src='{here}'></video></body></html>"
    )
    mail = f"From: a@b\nContent-Type: text/html\n\n{page}".encode()
    word = f"<w:p><w:r><w:t>Text only.</w:t></w:r></w:p><w:altChunk xmlns:r='r' r:id='{here}'/>"
    tei = f'<!DOCTYPE TEI SYSTEM "{here}"><TEI><text><body><p>Text only.</p>'
    tei += f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{here}"/></body></text></TEI>'
    link = f"/Annots[<</Type/Annot/Subtype/Link/A<</S/URI/URI({here})>>>>]".encode()
    documents = {
        "a.html": page.encode(),
        "a.eml": mail,
        "a.docx": samples.docx(word),
        "a.xml": tei.encode(),
        "a.pdf": samples.pdf([["Text only."]]).replace(b"/Type/Page/Parent", b"/Type/Page" + link + b"/Parent"),
        "a.rtf": rb'{\rtf1 Text only.{\field{\*\fldinst INCLUDEPICTURE "' + here.encode() + rb'"}{\fldrslt}}}',
    }

    def no_connection(*_: object) -> None:
        raise AssertionError("a connection was tried")

    for name, data in documents.items():
        assert reader.extract(data, name).parts[0].text == "Text only.", name
    with monkeypatch.context() as patched:
        patched.setattr(socket.socket, "connect", no_connection)
        patched.setattr(socket, "getaddrinfo", no_connection)
        for name, data in documents.items():
            assert extract(data, name).parts[0].text == "Text only.", name
    notes = {note.code: message(note) for note in extract(page.encode(), "a.html").notes}
    assert notes["remote-content"].endswith(": 7.")
    with socket.create_connection(
        ("127.0.0.1", port)
    ) as own:  # the last in the queue: whoever came before is noted by then
        while not visitors or visitors[-1] != own.getsockname():
            time.sleep(0.01)
        assert visitors == [own.getsockname()]


# ---------------------------------------------------------------- 26: nested mail


def _nested(depth: int, multipart: bool) -> bytes:
    if not multipart:
        return b"From: a@b\nContent-Type: message/rfc822\n\n" * depth + b"From: a@b\n\nInnermost.\n"
    lines = [b"From: a@b\n"]
    for level in range(depth):
        lines.append(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level))
    lines.append(b"Content-Type: text/plain\n\nInnermost.\n")
    lines += [b"--b%d--\n" % level for level in reversed(range(depth))]
    return b"".join(lines)


@pytest.mark.parametrize("multipart", [False, True])
@pytest.mark.parametrize("depth", [30, 500, 5_000])
def test_26_deeply_nested_mail_is_refused_at_its_limit(reader: Reader, depth: int, multipart: bool) -> None:
    refusal = refused(reader, _nested(depth, multipart), "a.eml")
    assert refusal.code == "too-large"
    assert "20 deep" in said(refusal)


def test_26_mail_nested_as_people_do_it_is_read() -> None:
    assert extract(_nested(5, True), "a.eml").parts[0].text == "Innermost."


# ---------------------------------------------------------------- 27: nested RTF


@pytest.mark.parametrize("depth", [300, 100_000, 3_000_000])
def test_27_deeply_nested_rtf_is_refused_at_its_limit(reader: Reader, depth: int) -> None:
    refusal = refused(reader, b"{\\rtf1 " + b"{" * depth + b"x" + b"}" * depth + b"}", "a.rtf")
    assert refusal.code == "too-large"
    assert "256 deep" in said(refusal)


def test_27_so_is_deeply_nested_xml(reader: Reader) -> None:
    assert refused(reader, b"<a>" * 100_000 + b"</a>" * 100_000, "a.xml").code == "too-large"
    deep = "<w:tbl><w:tr><w:tc>" * 200 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 200
    assert refused(reader, samples.docx(deep), "a.docx").code == "too-large"


def test_27_rtf_nested_as_programs_do_it_is_read() -> None:
    assert extract(b"{\\rtf1 " + b"{\\b " * 200 + b"x" + b"}" * 200 + b"}", "a.rtf").parts[0].text == "x"


# ---------------------------------------------------------------- 28: hostile PDF


def _busy_pdf(megabytes: int) -> bytes:
    """A page that shows one letter after the other, for as long as you like; it packs well."""
    content = zlib.compress(b"BT /F1 9 Tf " + b"(a) Tj 1 0 Td " * (megabytes * 70_000) + b"ET", 9)
    return samples.assembled(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[5 0 R]/Count 1>>",
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            b"<</Length %d/Filter/FlateDecode>>stream\n" % len(content) + content + b"\nendstream",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>",
        ]
    )


def test_28_a_hostile_pdf_is_stopped_at_the_time_limit_and_the_program_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = r"'hostile\.pdf' was given up: reading it takes more than 2 seconds"
    with Reader() as reader:
        assert reader.extract(samples.pdf(samples.PDF_PAGES), "good.pdf").parts[0].text == samples.PDF_TEXT
        with monkeypatch.context() as hasty:  # a good file has its time, however busy the machine is
            hasty.setattr(reader, "_limits", Limits(seconds=2))
            hasty.setattr(reader._worker, "_limits", replace(reader._worker._limits, seconds=2))
            with pytest.raises(Refusal, match=given_up) as caught, worded():
                reader.extract(_busy_pdf(60), "hostile.pdf")
        assert caught.value.code == "limit"
        assert reader._worker.pid is None, "the process is gone"
        assert reader.extract(samples.pdf(samples.PDF_PAGES), "good.pdf").parts[0].text == samples.PDF_TEXT


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
def test_28_a_hostile_pdf_is_stopped_at_the_memory_limit_and_the_program_lives() -> None:
    with Reader(Limits(memory=160 << 20)) as reader:
        with pytest.raises(Refusal) as caught, worded():
            reader.extract(_busy_pdf(60), "hostile.pdf")
        assert caught.value.code == "limit"
        assert reader.extract(samples.pdf(samples.PDF_PAGES), "good.pdf").parts[0].text == samples.PDF_TEXT


@functools.cache
def _looping_pdfs() -> dict[str, bytes]:
    catalogue = b"<</Type/Catalog/Pages 2 0 R>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R>>"
    return {
        "page tree": samples.assembled([catalogue, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"]),
        "parents": samples.assembled(
            [catalogue, b"<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>", b"<</Type/Page/Parent 2 0 R>>"]
        ),
        "own length": samples.assembled(
            [catalogue, b"<</Type/Pages/Kids[4 0 R]/Count 1>>", b"<</Length 3 0 R>>stream\nx\nendstream", page]
        ),
        "deep array": samples.assembled(
            [catalogue, b"<</Type/Pages/Kids" + b"[" * 50_000 + b"]" * 50_000 + b"/Count 1>>"]
        ),
        "many pages": samples.assembled(
            [catalogue, b"<</Type/Pages/Kids[" + b"4 0 R " * 100_000 + b"]/Count 100000>>", b"null", page]
        ),
        "flate bomb": samples.assembled(
            [
                catalogue,
                b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
                (lambda packed: b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed) + packed + b"\nendstream")(
                    zlib.compress(b"\0" * 150 * MEGABYTE, 9)
                ),
                page,
            ]
        ),
        "previous table": samples.pdf(samples.PDF_PAGES, b"/Prev 20"),
    }


@pytest.mark.parametrize("kind", _looping_pdfs())
def test_28_loops_in_a_pdf_end(reader: Reader, kind: str) -> None:
    try:
        found = reader.extract(_looping_pdfs()[kind], "loop.pdf")
        assert kind == "previous table" and found.parts[0].text == samples.PDF_TEXT
    except Refusal as refusal:
        assert "loop.pdf" in said(refusal) and "seconds" not in said(refusal), "it ended by itself"
    assert reader.extract(samples.RTF, "a.rtf").parts[0].text == samples.RTF_TEXT

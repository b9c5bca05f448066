"""Reading a corpus: what a document carries, that one bad file stops nothing, and that order changes nothing."""

from __future__ import annotations

import hashlib
import shutil
import time
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from forensia.corpus import Corpus, ReadOptions, read_corpus, read_disputed
from forensia.corpus.cleaning import Step
from forensia.corpus.document import text_hash
from forensia.errors import Cancelled, InputError
from forensia.wording.problems import message, next_step, worded


def codes(corpus: Corpus) -> set[tuple[str, str]]:
    return {(problem.file, problem.code) for problem in corpus.problems}


def only(corpus: Corpus, path: str):
    (document,) = [document for document in corpus.documents if document.path == path]
    return document


def test_a_document_knows_where_it_comes_from(folder, prose) -> None:
    text = prose(1)
    corpus = read_corpus(folder({"Ann/book/one.txt": text, "Bob/two.md": prose(2).replace("\n", "\r\n")}))
    one, two = only(corpus, "Ann/book/one.txt"), only(corpus, "Bob/two.md")
    assert (one.author, one.title, one.source, one.part) == ("Ann", "one", "book", 0)
    assert (one.encoding, one.language, one.words) == ("utf-8", "en", 120)
    assert one.original == one.text == text
    assert one.sha256_bytes == one.sha256_text == hashlib.sha256(text.encode()).hexdigest()
    assert "\r" not in two.original
    assert two.sha256_bytes == hashlib.sha256(prose(2).replace("\n", "\r\n").encode()).hexdigest()
    assert two.sha256_text == text_hash(prose(2))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_hashes_of_bytes_and_of_text(folder, prose, encoding: str) -> None:
    text = "Café “quoted” – naïve. " + prose(1)
    corpus = read_corpus(folder({"Ann/one.txt": text.encode(encoding), "Bob/two.txt": prose(2)}))
    one = only(corpus, "Ann/one.txt")
    assert one.original == text
    assert one.sha256_bytes == hashlib.sha256(text.encode(encoding)).hexdigest()
    assert one.sha256_text == text_hash(text)


def test_one_bad_file_never_stops_the_rest(folder, prose) -> None:
    root = folder(
        {
            "Ann/good.txt": prose(1),
            "Ann/binary.txt": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
            "Ann/mixed.txt": "naïve “quotes”".encode() + b" caf\xe9 " + prose(7).encode(),
            "Ann/empty.txt": "",
            "Ann/photo.jpg": b"\xff\xd8\xff",
            "Ann/broken.docx": b"PK\x03\x04 no zip",
            "Ann/table.xlsx": b"PK\x03\x04",
            "Bob/good.txt": prose(2),
        }
    )
    corpus = read_corpus(root)
    assert {document.path for document in corpus.active.documents} == {"Ann/good.txt", "Bob/good.txt"}
    assert {
        ("Ann/binary.txt", "not-text"),
        ("Ann/mixed.txt", "undecodable"),
        ("Ann/photo.jpg", "unknown-type"),
        ("Ann/broken.docx", "damaged"),
        ("Ann/table.xlsx", "unknown-type"),
    } <= codes(corpus)
    assert all(message(problem) and next_step(problem) for problem in corpus.problems)
    assert list(corpus.excluded) == [only(corpus, "Ann/empty.txt").id]


def test_text_problems_name_their_file(folder, prose) -> None:
    corpus = read_corpus(
        folder({"Ann/short.txt": "Too short.", "Bob/quoted.txt": prose(1) + "\n> quoted line here\n> and another\n"})
    )
    assert [(problem.code, problem.file) for problem in only(corpus, "Ann/short.txt").problems] == [
        ("too-short", "Ann/short.txt")
    ]
    assert "quoted-text" in {problem.code for problem in only(corpus, "Bob/quoted.txt").problems}


def test_cleaning_and_segmenting(folder, prose) -> None:
    mail = prose(1, 300) + "\n> quoted line here\n> and another\n"
    root = folder({"Ann/mail.txt": mail, "Bob/note.txt": prose(2, 90)})
    cleaned = only(read_corpus(root, ReadOptions(steps=(Step.QUOTED_REPLIES,))), "Ann/mail.txt")
    assert cleaned.original == mail
    assert "quoted" not in cleaned.text
    assert cleaned.words == 300
    pieces = read_corpus(root, ReadOptions(segment_words=100))
    assert [document.source for document in pieces.documents if document.author == "Ann"] == ["Ann/mail.txt"] * 3
    assert len(pieces.by_id) == len(pieces) == 4


def test_the_chosen_encoding_is_used_strictly(folder, prose) -> None:
    root = folder({"Ann/one.txt": b"caf\x8e " + prose(1).encode(), "Bob/two.txt": prose(2)})
    assert only(
        read_corpus(root, ReadOptions(encodings={"Ann/one.txt": "mac-roman"})), "Ann/one.txt"
    ).original.startswith("café")
    wrong = read_corpus(root, ReadOptions(encodings={"Ann/one.txt": "utf-8"}))
    assert ("Ann/one.txt", "undecodable") in codes(wrong)


def docx(*paragraphs: str) -> bytes:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join(f"<w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p>" for paragraph in paragraphs)
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.'
        'openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", rels)
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
    return out.getvalue()


def mail(subject: str, body: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Subject"], message["Date"] = "a@example.org", subject, "Mon, 6 Jan 2020 10:00:00 +0000"
    message.set_content(body)
    return message


def test_other_types_are_read_through_their_own_readers(folder, prose) -> None:
    mbox = b"".join(
        b"From a@example.org Mon Jan  6 10:00:00 2020\n" + bytes(mail(f"s{n}", prose(n))) + b"\n" for n in (3, 4)
    )
    root = folder(
        {
            "Ann/letter.docx": docx(prose(1).strip(), "End."),
            "Ann/page.html": f"<html><head><title>P</title></head><body><p>{prose(2)}</p></body></html>",
            "Bob/box.mbox": mbox,
        }
    )
    corpus = read_corpus(root)
    assert not {problem.code for problem in corpus.problems} - {"unequal-counts", "single-document"}
    letter = only(corpus, "Ann/letter.docx")
    assert prose(1).strip() in letter.text
    assert letter.sha256_bytes == hashlib.sha256((root / "Ann/letter.docx").read_bytes()).hexdigest()
    box = [document for document in corpus.documents if document.path == "Bob/box.mbox"]
    assert {document.part for document in box} == {1, 2}
    assert len(corpus.by_id) == len(corpus)
    with pytest.raises(InputError, match="holds 2 texts"):
        read_disputed(root / "Bob/box.mbox")


def test_reading_order_changes_nothing(folder, prose, tmp_path: Path) -> None:
    files = {f"{author}/{number}.txt": prose(number + 10 * ord(author)) for author in "AB" for number in range(4)}
    here = read_corpus(folder(files))
    other = tmp_path / "other"
    for name in reversed(files):
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(files[name])
    there = read_corpus(other)
    assert here.documents == there.documents
    assert here.fingerprint == there.fingerprint


def test_progress_goes_up_and_ends(folder, prose) -> None:
    seen: list[float] = []
    root = folder({f"{author}/{number}.txt": prose(number) for author in "AB" for number in range(3)})
    read_corpus(root, progress=lambda fraction, message="": seen.append(fraction))
    assert seen == sorted(seen)
    assert 0.9 < seen[-1] <= 1.0


def test_a_corpus_in_which_nothing_can_be_read(folder) -> None:
    root = folder({"Ann/a.txt": b"\x7fELF\0\0", "Bob/b.txt": b"\x7fELF\0\0"})
    with pytest.raises(InputError, match="No text could be read"), worded():
        read_corpus(root)


def test_an_author_lost_to_bad_files_is_a_blocking_problem_and_not_a_crash(folder, prose) -> None:
    corpus = read_corpus(folder({"Ann/a.txt": prose(1), "Bob/b.txt": b"\x7fELF\0\0"}))
    assert {problem.code for problem in corpus.blocking} == {"one-author"}
    assert ("Bob/b.txt", "not-text") in codes(corpus)


# --- the disputed text


def test_a_disputed_text_has_no_author(folder, prose) -> None:
    root = folder({"question.txt": prose(5)})
    document = read_disputed(root / "question.txt")
    assert (document.author, document.title, document.path, document.words) == ("", "question", "question.txt", 120)
    assert read_disputed(prose(5).encode(), name="question.txt") == document
    assert read_disputed(prose(5).encode()).text == document.text


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("empty.txt", b" \n", r"empty\.txt.*empty"),
        ("binary.txt", b"\x7fELF\0\0", r"binary\.txt.*program"),
        ("photo.jpg", b"\xff\xd8\xff", r"photo\.jpg.*picture"),
        ("broken.docx", b"PK\x03\x04", r"broken\.docx"),
    ],
)
def test_a_disputed_text_that_cannot_be_read_is_refused_by_name(folder, name: str, content: bytes, match: str) -> None:
    root = folder({name: content})
    with pytest.raises(InputError, match=match), worded():
        read_disputed(root / name)
    with pytest.raises(InputError, match="is a folder"):
        read_disputed(root)


# --- many files


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Twenty thousand small files by a hundred authors."""
    root = tmp_path_factory.mktemp("many")
    for author in range(100):
        (root / f"author{author}").mkdir()
    for number in range(20_000):
        (root / f"author{number % 100}" / f"{number}.txt").write_bytes(
            b"A small text about nothing, number %d." % number
        )
    yield root
    shutil.rmtree(root)


@pytest.mark.parametrize("reports", [1, 20, 5_000])
def test_twenty_thousand_files_stop_when_asked(many: Path, reports: int) -> None:
    """Cancelled in the walk, between walk and reading, and in the reading."""
    seen = 0

    def progress(fraction: float, message: str = "") -> None:
        nonlocal seen
        seen += 1
        if seen >= reports:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_corpus(many, progress=progress)
    assert seen == reports, "stopped at once"


def test_reports_come_often_enough_to_stop_anywhere(many: Path) -> None:
    """Work stops at the next report, so the longest silence bounds how long it takes; other programs' time does not count."""
    times = [time.process_time()]
    corpus = read_corpus(many, progress=lambda fraction, message="": times.append(time.process_time()))
    times.append(time.process_time())
    assert len(corpus) == 20_000
    assert max(later - earlier for earlier, later in pairwise(times)) < 2

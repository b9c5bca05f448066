"""FAULTS 29 to 44, and those of 1 to 19 that show in a corpus: each test carries its number."""

from __future__ import annotations

import os
import random
import socket
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from forensia.case.verify import changed_files
from forensia.corpus import (
    Corpus,
    ReadOptions,
    Severity,
    check_corpus,
    check_disputed,
    checked,
    read_corpus,
    read_disputed,
)
from forensia.errors import Cancelled
from forensia.wording.problems import left_out_because, message, next_step

Make = Callable[[Mapping[str, str | bytes]], Path]
WORDS = (
    "the of and to a in that is was for it with as on be at by this had not are but from or have an they harbour letter "
    "morning garden captain window river silence market stone kitchen evening promise winter journey shoulder question "
    "village answer carriage station summer lantern orchard sermon quarrel neighbour parcel ladder meadow pocket candle"
).split()


def text(seed: int, words: int = 150) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) for _ in range(words)) + ".\n"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A corpus with two sound authors and these files besides."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "corpus"
        sound = {f"Ann/{n}.txt": text(n) for n in range(3)} | {f"Bob/{n}.txt": text(10 + n) for n in range(3)}
        for name, content in {**sound, **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


def codes(corpus: Corpus, path: str) -> set[str]:
    """What is said about a file: in the list of the corpus, or with the document."""
    found = {problem.code for problem in corpus.problems if problem.file == path}
    return found | {
        problem.code for document in corpus.documents if document.path == path for problem in document.problems
    }


def by_path(corpus: Corpus, path: str):
    (document,) = [document for document in corpus.documents if document.path == path]
    return document


def problem(corpus: Corpus, code: str):
    (found,) = [problem for problem in corpus.problems if problem.code == code]
    assert message(found)
    assert next_step(found)
    return found


# --- text, as it shows in a corpus


@pytest.mark.parametrize(
    "content", ["", " \n\t\r\n", "\ufeff", "\ufeff \n"], ids=["01", "02-space", "02-bom", "02-both"]
)
def test_fault_01_02_empty_is_excluded_with_the_reason(make: Make, content: str) -> None:
    corpus = read_corpus(make({"Ann/empty.txt": content}))
    empty = by_path(corpus, "Ann/empty.txt")
    assert "empty" in left_out_because(corpus.excluded[empty.id])
    assert empty not in corpus.active.documents
    assert len(corpus.active) == 6


def test_fault_03_too_short_is_warned(make: Make) -> None:
    assert "too-short" in codes(read_corpus(make({"Ann/short.txt": "Come at nine."})), "Ann/short.txt")


def test_fault_04_05_11_13_the_same_text_in_other_bytes_is_the_same(make: Make) -> None:
    base = "Café à la crème.\nSecond line.\n" + text(50)
    forms = {
        "Ann/plain.txt": base.encode(),
        "Ann/bom.txt": base.encode("utf-8-sig"),
        "Ann/utf16.txt": base.encode("utf-16"),
        "Ann/crlf.txt": base.replace("\n", "\r\n").encode(),
        "Ann/cr.txt": base.replace("\n", "\r").encode(),
        "Ann/nfd.txt": unicodedata.normalize("NFD", base).encode(),
    }
    corpus = read_corpus(make(forms))
    assert len({by_path(corpus, path).sha256_text for path in forms}) == 1
    assert len({by_path(corpus, path).sha256_bytes for path in forms}) == len(forms)
    assert len(corpus.active) == 7


def test_fault_06_07_other_encodings_are_proposed_and_recorded(make: Make) -> None:
    quoted = "“Où est-ce ?” he asked – naïvely. " + text(51)
    corpus = read_corpus(
        make({"Ann/wide.txt": quoted.encode("utf-16-le"), "Bob/old.txt": quoted.replace("ù", "û").encode("cp1252")})
    )
    for path, encoding in (("Ann/wide.txt", "utf-16-le"), ("Bob/old.txt", "cp1252")):
        assert by_path(corpus, path).encoding == encoding
        assert "encoding-proposed" in codes(corpus, path)
    assert by_path(corpus, "Ann/wide.txt").original == quoted


def test_fault_08_mixed_encodings_are_quarantined_with_the_offset(make: Make) -> None:
    start = "A naïve “quotation” first. ".encode()
    corpus = read_corpus(make({"Ann/mixed.txt": start + b"caf\xe9 " + text(1).encode()}))
    found = problem(corpus, "undecodable")
    assert (found.file, found.offsets) == ("Ann/mixed.txt", (len(start) + 3,))
    assert not [document for document in corpus.documents if document.path == "Ann/mixed.txt"]


def test_fault_09_a_binary_named_txt_is_refused(make: Make) -> None:
    corpus = read_corpus(
        make({"Ann/photo.txt": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "Ann/noise.txt": bytes(range(256)) * 8})
    )
    assert codes(corpus, "Ann/photo.txt") == codes(corpus, "Ann/noise.txt") == {"not-text"}
    assert len(corpus) == 6


def test_fault_10_nul_does_not_cut_the_text(make: Make) -> None:
    corpus = read_corpus(make({"Ann/nul.txt": text(60).encode() + b"\0" + text(61).encode()}))
    assert "nul-bytes" in codes(corpus, "Ann/nul.txt")
    assert by_path(corpus, "Ann/nul.txt").original.endswith(text(61))


def test_fault_12_a_text_beyond_the_limit_is_refused(make: Make) -> None:
    root = make({})
    with (root / "Ann" / "huge.txt").open("wb") as file:
        file.truncate(50_000_000)
    corpus = read_corpus(root)
    assert codes(corpus, "Ann/huge.txt") == {"too-large"}
    assert len(corpus) == 6


def test_fault_14_to_19_findings_reach_the_document(make: Make) -> None:
    corpus = read_corpus(
        make(
            {
                "Ann/zero.txt": text(1) + "in\u200bvisible",
                "Ann/alike.txt": text(2) + "p\u0430ypal",
                "Ann/bidi.txt": text(3) + "\u202eabc\u202c",
                "Ann/french.txt": "Il est pour les dans qui avec une mais ce que nous sont par elle. " * 10,
                "Ann/digits.txt": "1 2 3 ... " * 60,
                "Ann/mail.txt": text(4) + "\n> what you said\n> before\n",
            }
        )
    )
    for name, code in (
        ("zero", "zero-width"),
        ("alike", "mixed-script"),
        ("bidi", "bidi"),
        ("french", "language"),
        ("digits", "no-words"),
        ("mail", "quoted-text"),
    ):
        assert code in codes(corpus, f"Ann/{name}.txt"), name


# --- corpus


def test_fault_29_same_text_under_two_authors_blocks_until_resolved(make: Make) -> None:
    corpus = read_corpus(make({"Bob/stolen.txt": text(0)}))
    found = problem(corpus, "same-text-two-authors")
    assert found.severity is Severity.BLOCKING
    assert found in corpus.blocking
    assert {by_path(corpus, path).id for path in ("Ann/0.txt", "Bob/stolen.txt")} == set(found.documents)
    assert "Ann" in message(found)
    assert "Bob/stolen.txt" in message(found)
    resolved = checked(corpus.without([by_path(corpus, "Bob/stolen.txt").id], "copied from Ann"), thorough=False)
    assert resolved.blocking == ()


def test_fault_30_of_duplicates_within_an_author_one_is_kept(make: Make) -> None:
    corpus = read_corpus(make({"Ann/book/copy.txt": text(0), "Ann/copy2.txt": text(0).replace("\n", "\r\n")}))
    found = problem(corpus, "duplicate")
    assert len(found.documents) == 3
    assert "3 times" in message(found)
    assert len(corpus.excluded) == 2
    assert all("the same text as 'Ann/0.txt'" in left_out_because(reason) for reason in corpus.excluded.values())
    assert corpus.active.counts == {"Ann": 3, "Bob": 3}


def test_fault_31_a_near_duplicate_across_authors_is_warned(make: Make) -> None:
    altered = text(0).split()
    altered[20], altered[90] = "changed", "altered"
    corpus = checked(read_corpus(make({"Bob/near.txt": "PREFACE\n" + " ".join(altered)})))
    found = problem(corpus, "near-duplicate")
    assert found.severity is Severity.WARNING
    assert {by_path(corpus, path).id for path in ("Ann/0.txt", "Bob/near.txt")} == set(found.documents)
    assert not corpus.blocking


@pytest.mark.parametrize(
    "disputed",
    [
        pytest.param(lambda: text(0), id="the text itself"),
        pytest.param(lambda: text(0).upper().replace(" ", "  "), id="another case and spacing"),
        pytest.param(
            lambda: " ".join("x" if n % 20 == 0 else w for n, w in enumerate(text(0).split())), id="a near-copy"
        ),
        pytest.param(lambda: " ".join(text(0).split()[30:90]), id="a passage of it"),
        pytest.param(lambda: text(80, 400) + text(0) + text(81, 400), id="it, inside something longer"),
    ],
)
def test_fault_32_the_disputed_text_in_the_corpus_is_blocked(make: Make, disputed: Callable[[], str]) -> None:
    corpus = read_corpus(make({}))
    document = read_disputed(disputed().encode(), name="disputed.txt")
    (found,) = check_disputed(corpus, document)
    assert (found.code, found.severity, found.file) == ("leakage", Severity.BLOCKING, "disputed.txt")
    assert found.documents == (by_path(corpus, "Ann/0.txt").id,)
    assert "Ann/0.txt" in message(found)
    assert check_disputed(corpus.without(found.documents, "disputed"), document) == ()


def test_fault_32_another_text_is_no_leak(make: Make) -> None:
    assert check_disputed(read_corpus(make({})), read_disputed(text(999).encode())) == ()


def test_fault_33_shared_boilerplate_is_flagged(make: Make) -> None:
    notice = (
        "\nThis message is meant for its addressee only; if it came to you by mistake, please destroy it at once.\n"
    )
    corpus = checked(
        read_corpus(make({f"{author}/mail.txt": text(seed) + notice for seed, author in enumerate("XYZ", 70)}))
    )
    found = problem(corpus, "shared-closing")
    assert found.severity is Severity.WARNING
    assert {by_path(corpus, f"{author}/mail.txt").id for author in "XYZ"} == set(found.documents)
    assert [
        corpus.by_id[key].text[offset:].strip() for key, offset in zip(found.documents, found.offsets, strict=True)
    ] == [notice.strip()] * 3


def test_fault_34_one_author_blocks_with_the_reason(tmp_path: Path, make: Make) -> None:
    (tmp_path / "Ann").mkdir()
    (tmp_path / "Ann" / "1.txt").write_text(text(1))
    for options in (ReadOptions(), ReadOptions(layout="authors")):
        (found,) = read_corpus(tmp_path, options).blocking
        assert "one author only" in message(found) and "population, or choose another layout" in next_step(found)
    corpus = read_corpus(make({}))
    alone = corpus.without([document.id for document in corpus.documents if document.author == "Bob"], "set aside")
    assert problem(checked(alone), "one-author").severity is Severity.BLOCKING


def test_fault_35_an_author_with_one_document_is_listed(make: Make) -> None:
    found = problem(read_corpus(make({"Cid/1.txt": text(90)})), "single-document")
    assert "'Cid'" in message(found)
    assert "not estimable" in message(found)
    assert len(found.documents) == 1


def test_fault_36_unequal_counts_are_warned(make: Make) -> None:
    found = problem(read_corpus(make({f"Ann/more{n}.txt": text(200 + n) for n in range(10)})), "unequal-counts")
    assert found.severity is Severity.WARNING
    assert "from 3 (Bob) to 13 (Ann)" in message(found)


@pytest.mark.timeout(120)
def test_fault_37_a_symlink_loop_ends(make: Make) -> None:
    root = make({})
    (root / "Ann" / "loop").symlink_to("..")
    (root / "Bob" / "self").symlink_to("self")
    (root / "Bob" / "up").symlink_to(root, target_is_directory=True)
    corpus = read_corpus(root)
    assert len(corpus) == 6
    assert codes(corpus, "Ann/loop") == codes(corpus, "Bob/up") == {"symlink-folder"}
    assert codes(corpus, "Bob/self") == {"symlink-broken"}


def test_fault_38_a_symlink_out_of_the_folder_is_listed_and_not_followed(make: Make, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(text(5) + "SECRET")
    root = make({})
    (root / "Ann" / "secret.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "Mallory").symlink_to(tmp_path / "outside", target_is_directory=True)
    corpus = read_corpus(root)
    assert codes(corpus, "Ann/secret.txt") == codes(corpus, "Mallory") == {"symlink-outside"}
    assert not [document for document in corpus.documents if "SECRET" in document.original]
    assert corpus.authors == ("Ann", "Bob")


@pytest.mark.timeout(120)
def test_fault_39_pipes_and_sockets_are_skipped_unopened(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make({})
    os.mkfifo(root / "Ann" / "pipe.txt")
    monkeypatch.chdir(root / "Bob")  # the address of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.txt")
        opened = []
        real = os.open
        monkeypatch.setattr(
            os, "open", lambda path, *more, **named: opened.append(str(path)) or real(path, *more, **named)
        )
        corpus = read_corpus(root)
    assert codes(corpus, "Ann/pipe.txt") == codes(corpus, "Bob/s.txt") == {"not-a-file"}
    assert opened
    assert not [path for path in opened if path.endswith(("pipe.txt", "s.txt"))]
    assert len(corpus) == 6


def test_fault_40_an_unreadable_file_is_listed_and_the_rest_goes_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make({"Ann/closed.txt": text(6)})
    if os.geteuid() == 0:  # root may read everything, so the system's answer is put in its place
        real = os.open

        def refusing(path: str, *more: int) -> int:
            if str(path).endswith("closed.txt"):
                raise PermissionError(13, "Permission denied")
            return real(path, *more)

        monkeypatch.setattr(os, "open", refusing)
    else:
        (root / "Ann" / "closed.txt").chmod(0)
    corpus = read_corpus(root)
    assert codes(corpus, "Ann/closed.txt") == {"unreadable"}
    assert "Permission denied" in message(problem(corpus, "unreadable"))
    assert len(corpus) == 6


def test_fault_41_many_files_show_progress_and_stop_when_asked(make: Make) -> None:
    root = make({})
    for number in range(3_000):
        (root / "Ann" / f"many{number}.txt").write_bytes(b"Number %d." % number)
    messages = []

    def progress(fraction: float, message: str = "") -> None:
        messages.append((fraction, message))
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_corpus(root, progress=progress)
    assert messages[-1][0] < 1, "stopped at once"
    assert any("3,006" in message for _, message in messages)


def test_fault_42_odd_names_are_kept_distinct(make: Make) -> None:
    root = make({"Ærøskøbing/брат\n2.txt": text(301), "Ann/a b\t.txt": text(302)})
    raw = [b"x\xff.txt", b"x\xfe.txt", b"x\\xff.txt", b"caf\xe9.txt", "café.txt".encode()]
    for number, name in enumerate(raw):
        Path(os.fsdecode(os.fsencode(root / "Ann") + b"/" + name)).write_text(text(310 + number))
    author = Path(os.fsdecode(os.fsencode(root) + b"/Jos\xe9"))
    author.mkdir()
    (author / "1.txt").write_text(text(320))
    corpus = read_corpus(root)
    assert (
        len({document.path for document in corpus.documents})
        == len(corpus)
        == len(corpus.by_id)
        == 6 + 2 + len(raw) + 1
    )
    assert "Ann/x\\xff.txt" in {document.path for document in corpus.documents}
    assert "Jos\\xe9" in corpus.authors
    for document in corpus.documents:
        (document.author + document.title + document.path).encode("utf-8")
        assert "\n" not in document.path
    assert changed_files(corpus) == ()


def test_fault_43_names_that_look_the_same_are_not_merged_in_silence(make: Make) -> None:
    composed, decomposed = unicodedata.normalize("NFC", "Zoë"), unicodedata.normalize("NFD", "Zoë")
    root = make({})
    for seed, name in enumerate(("bob", composed, decomposed), 330):
        if (root / name).exists():
            pytest.skip("this file system merges such names itself")
        (root / name).mkdir()
        (root / name / "1.txt").write_text(text(seed))
    (root / "Ann" / "LETTER.txt").write_text(text(340))
    (root / "Ann" / "letter.txt").write_text(text(341))
    corpus = read_corpus(root)
    assert set(corpus.authors) == {"Ann", "Bob", "bob", composed, decomposed}
    alike = [problem for problem in corpus.problems if problem.code == "similar-authors"]
    assert len(alike) == 2
    assert {problem.severity for problem in alike} == {Severity.WARNING}
    assert "Ann/LETTER.txt" in {problem.file for problem in corpus.problems if problem.code == "similar-names"}


def test_fault_44_a_file_changed_after_import_is_found(make: Make) -> None:
    root = make({})
    corpus = read_corpus(root)
    assert changed_files(corpus) == ()
    (root / "Ann" / "0.txt").write_text(text(0) + " ")
    (root / "Bob" / "1.txt").unlink()
    changed, missing = changed_files(corpus)
    assert (changed.code, changed.file, changed.documents) == (
        "source-changed",
        "Ann/0.txt",
        (by_path(corpus, "Ann/0.txt").id,),
    )
    assert "stale" in message(changed)
    assert (missing.code, missing.file) == ("source-missing", "Bob/1.txt")


def test_fault_44_a_changed_table_marks_all_its_texts(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(f"author,text\nAnn,{text(1)}Bob,{text(2)}")
    corpus = read_corpus(table)
    assert changed_files(corpus) == ()
    table.write_text(table.read_text() + "Cid,more\n")
    (found,) = changed_files(corpus)
    assert len(found.documents) == 2


def test_check_corpus_gives_the_same_as_checked(make: Make) -> None:
    corpus = read_corpus(make({"Cid/1.txt": text(90)}))
    assert set(check_corpus(corpus)) == set(checked(corpus).problems)

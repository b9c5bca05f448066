"""Each layout: recognised by itself, read, overridable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forensia.corpus import LAYOUTS, Corpus, ReadOptions, read_corpus
from forensia.corpus.layouts import matches, records
from forensia.corpus.reading import listed
from forensia.errors import InputError, SettingsError
from forensia.wording.problems import message, worded
from tests.corpus.damage import read_or_refused


def summary(corpus: Corpus) -> set[tuple[str, str, str]]:
    return {(document.author, document.title, document.source) for document in corpus.documents}


def codes(corpus: Corpus) -> list[tuple[str, str]]:
    return sorted((problem.file, problem.code) for problem in corpus.problems if problem.code != "single-document")


def best(path: Path) -> str:
    return matches(listed(path))[0][0]


def test_every_layout_says_what_it_is() -> None:
    assert {layout.name for layout in LAYOUTS} == {"authors", "flat", "table", "pan-verification", "manifest"}
    assert all(layout.sentence.endswith(".") for layout in LAYOUTS)


# --- folders


def test_a_folder_for_each_author(folder, prose) -> None:
    root = folder(
        {
            "Ann/letter.txt": prose(1),
            "Ann/Book One/1901/chapter.txt": prose(2),
            "Bob/note.txt": prose(3),
            "readme.txt": prose(4),
        }
    )
    assert best(root) == "authors"
    corpus = read_corpus(root)
    assert corpus.layout == "authors"
    assert summary(corpus) == {("Ann", "letter", ""), ("Ann", "chapter", "Book One/1901"), ("Bob", "note", "")}
    assert ("readme.txt", "no-author") in codes(corpus)


def test_flat_files(folder, prose) -> None:
    root = folder(
        {"Ann_Letter to X.txt": prose(1), "Ann_Note_2.txt": prose(2), "Bob_Reply.txt": prose(3), "odd.txt": prose(4)}
    )
    assert best(root) == "flat"
    corpus = read_corpus(root)
    assert summary(corpus) == {("Ann", "Letter to X", ""), ("Ann", "Note_2", ""), ("Bob", "Reply", "")}
    assert codes(corpus) == [("odd.txt", "no-author")]


def test_the_layout_can_be_chosen_against_the_guess(folder, prose) -> None:
    root = folder({"a/Ann_x.txt": prose(1), "b/Bob_y.txt": prose(2), "Cid_z.txt": prose(3), "Dan_z.txt": prose(4)})
    assert best(root) == "authors"
    assert read_corpus(root, ReadOptions(layout="flat")).authors == ("Cid", "Dan")
    with pytest.raises(InputError, match="no layout 'shelves'"):
        read_corpus(root, ReadOptions(layout="shelves"))


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"one.txt": "a", "two.txt": "b"},
        {"Ann/2019/one.txt": "a", "Ann/2020/two.txt": "b"},
        {"Ann/one.txt": "a", "two.txt": "b"},
        {"Ann_one.txt": "a", "Ann_two.txt": "b"},
        {"picture.jpg": b"\xff\xd8\xff"},
    ],
)
def test_what_is_not_recognised_is_refused_with_the_layouts(folder, files: dict[str, str]) -> None:
    root = folder(files)
    assert matches(listed(root)) == []
    with pytest.raises(InputError) as caught:
        read_corpus(root)
    for layout in LAYOUTS:
        assert layout.name in str(caught.value)


def test_one_author_alone_is_recognised_by_a_folder_of_texts(folder, prose) -> None:
    corpus = read_corpus(folder({"Ann/one.txt": prose(1), "Ann/two.txt": prose(2)}))
    assert (corpus.layout, corpus.authors) == ("authors", ("Ann",))
    assert [problem.code for problem in corpus.blocking] == ["one-author"]


def test_one_file_that_is_no_table_is_refused(folder, prose) -> None:
    with pytest.raises(InputError, match=r"'letter\.txt' is one file"):
        read_corpus(folder({"letter.txt": prose(1)}) / "letter.txt")


def test_pan_verification_keeps_the_unknown_apart(folder, prose) -> None:
    root = folder(
        {
            "EN01/known01.txt": prose(1),
            "EN01/known02.txt": prose(2),
            "EN01/unknown.txt": prose(3),
            "EN02/known01.txt": prose(4),
            "EN02/unknown.txt": prose(5),
            "truth.txt": "EN01 Y\nEN02 N\n",
            "contents.json": "{}",
        }
    )
    assert best(root) == "pan-verification"
    corpus = read_corpus(root)
    assert summary(corpus) == {("EN01", "known01", ""), ("EN01", "known02", ""), ("EN02", "known01", "")}
    assert codes(corpus) == [
        ("EN01/unknown.txt", "disputed-text"),
        ("EN02/unknown.txt", "disputed-text"),
        ("contents.json", "not-a-text"),
        ("truth.txt", "not-a-text"),
    ]


# --- manifest

MANIFEST = """author,file,split,role,words,source
Ann,Ann/a.txt,train,closed,9,book 1
Ann,Ann/b.txt,test,closed,9,book 2
Bob,./Bob/c.txt,train,closed,9,
Cid,Cid/d.txt,train,open,9,
"""


@pytest.fixture
def packed(folder, prose) -> Path:
    return folder(
        {"manifest.csv": MANIFEST}
        | {name: prose(seed) for seed, name in enumerate(("Ann/a.txt", "Ann/b.txt", "Bob/c.txt", "Cid/d.txt"))}
    )


@pytest.mark.parametrize(
    ("split", "role", "files"),
    [
        ("train", "closed", {"Ann/a.txt", "Bob/c.txt"}),
        ("all", "closed", {"Ann/a.txt", "Ann/b.txt", "Bob/c.txt"}),
        ("train", "all", {"Ann/a.txt", "Bob/c.txt", "Cid/d.txt"}),
        ("all", "all", {"Ann/a.txt", "Ann/b.txt", "Bob/c.txt", "Cid/d.txt"}),
    ],
)
def test_a_manifest_chooses_by_split_and_role(packed: Path, split: str, role: str, files: set[str]) -> None:
    assert best(packed) == "manifest"
    corpus = read_corpus(packed, ReadOptions(split=split, role=role))
    assert {document.path for document in corpus.documents} == files


def test_a_manifest_stands_for_its_folder(packed: Path) -> None:
    assert read_corpus(packed / "manifest.csv") == read_corpus(packed)
    assert best(packed / "manifest.csv") == "manifest"
    assert {document.source for document in read_corpus(packed).documents} == {"book 1", ""}


def test_a_manifest_leads_nowhere_else(folder, prose, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(prose(9))
    rows = ["../secret.txt", str(tmp_path / "secret.txt"), "gone.txt", "x/../b.txt"]
    manifest = "author,file\nAnn,a.txt\nBob,b.txt\n" + "".join(f"Cid,{row}\n" for row in rows) + ",a.txt\n"
    corpus = read_corpus(folder({"manifest.csv": manifest, "a.txt": prose(1), "b.txt": prose(2)}))
    assert corpus.authors == ("Ann", "Bob")
    assert [problem.code for problem in corpus.problems].count("bad-row") == len(rows) + 1


def test_a_file_named_twice_stays_two_documents(folder, prose) -> None:
    manifest = "author,file\nAnn,a.txt\nBob,a.txt\nBob,b.txt\n"
    corpus = read_corpus(folder({"manifest.csv": manifest, "a.txt": prose(1), "b.txt": prose(2)}))
    assert len(corpus.by_id) == 3
    assert [problem.code for problem in corpus.blocking] == ["same-text-two-authors"]


def test_a_split_that_is_not_there_is_not_ignored(folder, prose) -> None:
    root = folder({"manifest.csv": "author,file\nAnn,a.txt\nBob,b.txt\n", "a.txt": prose(1), "b.txt": prose(2)})
    assert len(read_corpus(root)) == 2
    with pytest.raises(InputError, match="no column 'split'"):
        read_corpus(root, ReadOptions(split="test"))
    with pytest.raises(SettingsError, match="no split 'dev'"):
        ReadOptions(split="dev")


# --- tables

ROWS = [("Ann", 'He said "no", twice.\nThen he left.'), ("Bob", "One; two\tthree"), ("Ann", "Où est le café ? Naïve.")]


def separated(delimiter: str, quote: bool = True) -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if quote else text.replace("\t", " ").replace("\n", " ")

    lines = [delimiter.join(("Title", "Author", "Text"))]
    lines += [delimiter.join((f"t{number}", author, cell(text))) for number, (author, text) in enumerate(ROWS)]
    return "\r\n".join(lines) + "\r\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", separated(",")),
        ("t.csv", separated(";")),
        ("t.csv", "sep=;\r\n" + separated(";")),
        ("t.csv", "\ufeff" + separated(",")),
        ("t.tsv", separated("\t")),
        ("t.csv", separated(",").encode("utf-16")),
        (
            "t.jsonl",
            "\n\n".join(json.dumps({"title": f"t{n}", "author": a, "text": t}) for n, (a, t) in enumerate(ROWS)),
        ),
        (
            "t.json",
            json.dumps([{"id": f"t{n}", "user_id": a, "Content": t} for n, (a, t) in enumerate(ROWS)], indent=2),
        ),
    ],
)
def test_tables(folder, name: str, content: str | bytes) -> None:
    root = folder({name: content})
    assert best(root) == best(root / name) == "table"
    for corpus in (read_corpus(root), read_corpus(root / name)):
        assert {(document.author, document.title, document.original) for document in corpus.documents} == {
            (author, f"t{number}", text) for number, (author, text) in enumerate(ROWS)
        }
        assert {document.path for document in corpus.documents} == {name}
        assert {document.part for document in corpus.documents} <= {1, 2, 3, 5}
        assert not [problem for problem in corpus.problems if problem.code == "bad-row"]


def test_a_tsv_without_quoting_keeps_its_quotation_marks(folder) -> None:
    content = 'author\ttext\nAnn\t"No," he said\nBob\tplain\nAnn\t"Never" again\nBob\t"open\n'
    corpus = read_corpus(folder({"t.tsv": content}))
    assert sorted(document.original for document in corpus.documents) == [
        '"Never" again',
        '"No," he said',
        '"open',
        "plain",
    ]


def test_cp1252_tables_are_proposed_and_the_choice_is_taken(folder) -> None:
    content = separated(",").encode("cp1252")
    root = folder({"t.csv": content})
    corpus = read_corpus(root)
    assert ("t.csv", "encoding-proposed") in codes(corpus)
    assert {document.encoding for document in corpus.documents} == {"cp1252"}
    assert "Où est le café ? Naïve." in {document.original for document in corpus.documents}
    chosen = read_corpus(root, ReadOptions(encodings={"t.csv": "mac-roman"}))
    assert ("t.csv", "encoding-proposed") not in codes(chosen)
    with pytest.raises(InputError, match="klingon"):
        read_corpus(root, ReadOptions(encodings={"t.csv": "klingon"}))


def test_bad_rows_are_listed_and_the_rest_is_read(folder) -> None:
    content = (
        "author,text\nAnn,good one\n,nobody\nBob,too,many,cells\nCid\nBob,good two\n"
        'Ann,"closed"x\nBob,good three\nAnn,"never closed\n'
    )
    corpus = read_corpus(folder({"t.csv": content}))
    assert sorted(document.original for document in corpus.documents) == ["good one", "good three", "good two"]
    assert [problem.code for problem in corpus.problems].count("bad-row") == 5
    rows = [message(problem) for problem in corpus.problems if problem.code == "bad-row"]
    assert any("row 3" in message and "4 columns" in message for message in rows)


def test_many_bad_rows_do_not_flood_the_list(folder) -> None:
    content = "author,text\nAnn,one\nBob,two\n" + ",nobody\n" * 5000
    corpus = read_corpus(folder({"t.csv": content}))
    bad = [problem for problem in corpus.problems if problem.code == "bad-row"]
    assert len(bad) == records.MAX_BAD_ROWS + 1
    assert f"{5000 - records.MAX_BAD_ROWS:,} further" in message(bad[-1])


def test_mixed_bytes_spoil_their_own_row_only(folder) -> None:
    content = "author,text\nAnn,café\nBob,".encode() + b"caf\xe9 \xe2\x80\x9cx\xe2\x80\x9d\nBob,plain\n"
    corpus = read_corpus(folder({"t.csv": content}))
    assert sorted(document.original for document in corpus.documents) == ["café", "plain"]
    assert any("row 2" in message(problem) for problem in corpus.problems if problem.code == "bad-row")


@pytest.mark.parametrize(
    "lines",
    [
        [
            '{"author": "Ann", "text": "one"}',
            '{"author": "Bob", "text": "two"}',
            '{"author": "Ann", "text": 3}',
            "[1]",
            "{bad",
        ],
        [
            '{"author": "Ann", "text": "one"}',
            '{"author": "Bob", "text": "two"}',
            '{"author": {}, "text": "x"}',
            "[" * 100_000,
            "7",
        ],
        [
            '{"author": "Ann", "text": "one"}',
            '{"author": "Bob", "text": "two"}',
            '{"author": "A", "text": "\\ud800"}',
            "9" * 5000,
            '""',
        ],
    ],
)
def test_bad_json_lines(folder, lines: list[str]) -> None:
    corpus = read_corpus(folder({"t.jsonl": "\n".join(lines)}))
    assert corpus.authors == ("Ann", "Bob")
    assert [problem.code for problem in corpus.problems].count("bad-row") == 3


def test_a_broken_json_array_is_refused(folder) -> None:
    root = folder({"t.json": '[{"author": "Ann", "text": "one"}, {"author": '})
    with pytest.raises(InputError, match="no complete JSON"):
        read_corpus(root)


def test_a_long_field_is_read_and_an_endless_line_is_refused(folder, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "word " * 60_000  # beyond the limit that the csv module has by itself
    corpus = read_corpus(folder({"t.csv": f"author,text\nAnn,{long}\nBob,short\n"}))
    assert max(document.words for document in corpus.documents) == 60_000
    monkeypatch.setattr(records, "MAX_LINE", 1_000)
    with pytest.raises(InputError, match="line of more than 1,000"), worded():
        read_corpus(folder({"t.csv": f"author,text\nAnn,{long}\nBob,short\n"}))


def test_too_large_a_table_is_refused_unread(folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_BYTES", 10)
    with pytest.raises(InputError, match="the limit is 10"), worded():
        read_corpus(folder({"t.csv": "author,text\nAnn,one\nBob,two\n"}))


# --- damage

SAMPLES = {
    "t.csv": separated(",").encode(),
    "t.tsv": separated("\t").encode(),
    "t.jsonl": "\n".join(json.dumps({"author": author, "text": text}) for author, text in ROWS).encode(),
    "t.json": json.dumps([{"author": author, "text": text} for author, text in ROWS]).encode("utf-16"),
    "manifest.csv": MANIFEST.encode(),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused_and_nothing_else(folder, prose, name: str) -> None:
    root = folder({"Ann/a.txt": prose(1), "Bob/c.txt": prose(2)})
    read_or_refused(root, name, SAMPLES[name], LAYOUTS)


# --- the packs of real text

DATA = Path(__file__).parents[2] / "../shared/data"


def test_the_packs_read_as_their_manifests_say(tmp_path: Path) -> None:
    import tarfile

    pack = DATA / "pan2011_large.tar.xz"
    if not pack.exists():
        pytest.skip("the real corpora in ../shared/data are not here")
    with tarfile.open(pack) as archive:
        archive.extractall(tmp_path, filter="data")
    root = tmp_path / "pan2011_large"
    assert best(root) == "manifest"
    corpus = read_corpus(root, ReadOptions(split="all", role="all"))
    assert len(corpus) == 4275
    assert len(read_corpus(root)) == 1250


def test_a_thread_or_an_item_is_shared_and_a_book_is_its_authors_own(tmp_path: Path) -> None:
    for column, name in (
        ("thread", "shared: boats"),
        ("Item-ID", "shared: boats"),
        ("book", "boats"),
        ("source", "boats"),
    ):
        table = tmp_path / f"{column}.csv"
        table.write_text(f"author,text,{column}\nAnn,Some words here,boats\nBob,Other words there,boats\n", "utf-8")
        found = read_corpus(table).documents
        assert {each.sources for each in found} == {(name,)}, column

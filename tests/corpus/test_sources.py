"""The sources of a text: found with it, given in a table or by a pattern; a bad table is refused with its line."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import Corpus, Document, ReadOptions, read_corpus, sources
from forensia.corpus.layouts.records import several
from forensia.corpus.walking import Listing
from forensia.errors import ForensiaError
from forensia.wording.problems import message, worded

PATTERN = r"([^/]+)_\d+\.txt$"


def by_path(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    return {each.path: each.sources for each in corpus.documents}


def by_title(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    return {each.title: each.sources for each in corpus.documents}


@pytest.fixture
def known(folder, prose) -> Path:
    names = ("Ann/Emma_1.txt", "Ann/Emma_2.txt", "Ann/notes/day.txt", "Bob/day.txt", "Bob/work_1.txt")
    return folder({name: prose(seed) for seed, name in enumerate(names)})


@pytest.fixture
def table(tmp_path: Path):
    """A table of sources, which lies beside the known texts."""

    def write(content: str | bytes, name: str = "sources.csv") -> str:
        place = tmp_path / name
        place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return str(place)

    return write


def read(root: Path, given: str, **more: object) -> Corpus:
    with worded():
        return read_corpus(root, ReadOptions(sources=given, **more))


def refusal(root: Path, given: str) -> str:
    with pytest.raises(ForensiaError) as caught:
        read(root, given)
    return str(caught.value)


# --- read with the texts


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("1; 2", ("1", "2")),
        ("1|2", ("1", "2")),
        ("1_2", ("1_2",)),
        (" War  and Peace ;", ("War and Peace",)),
        (7, ("7",)),
        (["a; b", 3, "", None], ("a; b", "3")),
        ("", ()),
        (" ; | ", ()),
        (None, ()),
        ({"a": 1}, ()),
        (True, ()),
    ],
)
def test_the_names_in_a_cell(cell: object, names: tuple[str, ...]) -> None:
    assert several(cell) == names


def test_a_column_and_a_list_may_name_several(folder) -> None:
    rows = "title,author,text,sources\na,Ann,one,1; 2\nb,Ann,two,2|3\nc,Bob,three,1_2\nd,Bob,four,\n"
    expected = {"a": ("1", "2"), "b": ("2", "3"), "c": ("1_2",), "d": ()}
    assert by_title(read_corpus(folder({"t.csv": rows}) / "t.csv")) == expected
    listed = [
        {"title": title, "author": "AB"[title > "b"], "text": title * 3, "source": list(names)}
        for title, names in expected.items()
    ]
    assert by_title(read_corpus(folder({"t.json": json.dumps(listed)}) / "t.json")) == expected


def test_a_manifest_may_name_several(folder, prose) -> None:
    manifest = "author,file,source\nAnn,a.txt,1;2\nBob,b.txt,2\n"
    root = folder({"manifest.csv": manifest, "a.txt": prose(1), "b.txt": prose(2)})
    assert by_path(read_corpus(root)) == {"a.txt": ("1", "2"), "b.txt": ("2",)}


def test_a_document_has_a_set() -> None:
    assert Document("Ann", "a", "", sources=("2", "", "1", "2")).sources == ("1", "2")


@given(st.lists(st.frozensets(st.sampled_from("abcd"), max_size=3), max_size=6), st.permutations("abcd"))
def test_other_names_for_the_sources_are_the_same_corpus(sets: list[frozenset[str]], names: list[str]) -> None:
    renamed = dict(zip("abcd", names, strict=True))

    def corpus(of: dict[str, str]) -> Corpus:
        return Corpus.of(
            Document("Ann", str(row), str(row), sources=tuple(of[each] for each in each_set), sha256_text=f"{row:064}")
            for row, each_set in enumerate(sets)
        )

    assert corpus(renamed).fingerprint == corpus({name: name for name in "abcd"}).fingerprint


def test_another_set_is_another_corpus() -> None:
    def print_of(*names: tuple[str, ...]) -> str:
        return Corpus.of(
            Document("Ann", str(row), str(row), sources=each) for row, each in enumerate(names)
        ).fingerprint

    prints = [
        print_of(("1",), ("2",), ("1", "2")),
        print_of(("1",), ("1",), ("1", "2")),
        print_of(("1",), ("2",), ("1",)),
        print_of((), ("2",), ("1", "2")),
    ]
    assert len(set(prints)) == len(prints)


# --- a table of sources


def test_a_table_names_texts_by_path_by_file_and_by_title(known: Path, table) -> None:
    given = table(
        "words,Source,File\n9,Emma,Ann/Emma_1.txt\n9,Emma;1815,./Ann\\Emma_2.txt\n9,again,Emma_2\n9,office,work_1.txt\n"
    )
    corpus = read(known, given)
    assert by_path(corpus) == {
        "Ann/Emma_1.txt": ("Emma",),
        "Ann/Emma_2.txt": ("1815", "Emma", "again"),
        "Ann/notes/day.txt": ("notes",),
        "Bob/day.txt": (),
        "Bob/work_1.txt": ("office",),
    }
    (told,) = (each for each in corpus.problems if each.code == "sources-silent")
    assert "says nothing of 2 of 5 texts" in message(told)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.tsv", "path\tsource\nAnn/Emma_1.txt\t1\nAnn/Emma_1.txt\t2\n"),
        ("s.csv", "title;sources\nEmma_1;1|2\n"),
        ("s.csv", 'text;source\nEmma_1;"1;2"\n'),
        ("s.csv", "\ufefffile,source\r\n\r\nEmma_1.txt,1|2\r\n,\r\n"),
        ("s", "file,source\nEmma_1.txt,1\nAnn/Emma_1.txt,2\n"),
    ],
)
def test_tables_of_every_make(known: Path, table, name: str, content: str) -> None:
    assert by_path(read(known, table(content, name)))["Ann/Emma_1.txt"] == ("1", "2")


def test_a_table_of_texts_in_a_table(folder, table) -> None:
    root = folder({"t.csv": "title,author,text\na,Ann,one\nb,Ann,two\nc,Bob,three\n"})
    assert by_title(read(root, table("title,source\na,x\nc,x;y\n"))) == {"a": ("x",), "b": (), "c": ("x", "y")}
    twice = folder({"t.csv": "title,author,text\na,Ann,one\na,Bob,two\n"})
    assert "Line 2 of" in refusal(twice, table("title,source\na,x\n"))


def test_the_pieces_of_a_text_have_its_sources(known: Path, table, prose) -> None:
    (known / "Ann" / "Emma_1.txt").write_text(prose(9) * 10)
    corpus = read(known, table("file,source\nEmma_1.txt,1;2\n"), segment_words=100)
    pieces = [each for each in corpus.documents if each.path == "Ann/Emma_1.txt"]
    assert len(pieces) > 1 and {each.sources for each in pieces} == {("1", "2")}


def test_a_text_that_is_not_meant_may_be_named(folder, prose, table) -> None:
    manifest = "author,file,split\nAnn,a.txt,train\nBob,b.txt,train\nBob,c.txt,test\n"
    root = folder({"manifest.csv": manifest} | {f"{name}.txt": prose(seed) for seed, name in enumerate("abc")})
    assert by_path(read(root, table("file,source\na.txt,1\nc.txt,2\n"))) == {"a.txt": ("1",), "b.txt": ()}
    assert by_path(read(root, table("title,source\na,1\nc,2\n")))["a.txt"] == ("1",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            "file,source\nEmma_1.txt,1\n\nnobody.txt,1\n",
            "Line 4 of '{0}' names 'nobody.txt', and no text is called so.",
        ),
        ("file,source\nday.txt,1\n", "Line 2 of '{0}' names 'day.txt', and several texts are called so."),
        ("title,source\nday,1\n", "Line 2 of '{0}' names 'day', and several texts are called so."),
        ("file,source\nEmma_1.txt,1\nEmma_2.txt, ; \n", "On line 3 of '{0}' the text or its source has no name."),
        ("file,source\n,1\n", "On line 2 of '{0}' the text or its source has no name."),
        ("file,source\nEmma_1.txt,1,2\n", "The number of columns on line 2 of '{0}' is 3, not 2 as on the first line."),
        ("file,source\nEmma_1.txt\n", "The number of columns on line 2 of '{0}' is 1, not 2 as on the first line."),
        ("file,author\nEmma_1.txt,Ann\n", "'{0}' has on line 1 no column for the text"),
        ("", "'{0}' has on line 1 no column for the text"),
        ("file,source\n", "'{0}' names none of the texts that were read."),
        ('file,source\nEmma_1.txt,"1"2\n', "Line 2 of '{0}' cannot be taken apart into columns"),
        ('file,source\nEmma_1.txt,1\n"Emma\n_2.txt,1\n', "Line 3 of '{0}' cannot be taken apart into columns"),
        (b"file,source\nEmma_1.txt,1\nEmma_2.txt,caf\xe9\n", "Line 3 of '{0}' is not in UTF-8."),
        ("file,source\nEmma_1.txt,1\n".encode("utf-16"), "Line 1 of '{0}' is not in UTF-8."),
        (f"file,source\nEmma_1.txt,{'x' * 1_001}\n", "Line 2 of '{0}' has a name of more than 1,000 characters."),
        ("file,source\n../../secret.txt,1\n", "Line 2 of '{0}' names '../../secret.txt', and no text is called so."),
    ],
)
def test_a_bad_table_is_refused_with_its_line(known: Path, table, content: str | bytes, words: str) -> None:
    given = table(content)
    assert refusal(known, given).startswith(words.format(given))


def test_a_large_table_is_refused_unread(known: Path, table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 20)
    given = table("file,source\nEmma_1.txt,1\n")
    assert f"'{given}'" in (said := refusal(known, given)) and "the limit is 20" in said


def test_too_many_lines_are_refused(known: Path, table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_LINES", 3)
    given = table("file,source\nEmma_1.txt,1\nEmma_2.txt,1\nwork_1.txt,1\n")
    assert f"'{given}' has more than 3 lines." in refusal(known, given)


def test_damaged_tables_are_read_or_refused_and_nothing_else(known: Path, table) -> None:
    good = b'file,source\nAnn/Emma_1.txt,"1; 2"\nEmma_2.txt,2|3\n'
    chance, listing = random.Random(5), Listing("", ())
    for _ in range(300):
        damaged = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            sources.assigned(table(bytes(damaged)), listing)
        except ForensiaError as error:
            with pytest.raises(ForensiaError, match=r"sources\.csv"), worded():
                raise error


# --- a pattern


def test_a_pattern_finds_the_source_in_the_path(known: Path) -> None:
    found = by_path(read(known, PATTERN))
    assert found["Ann/Emma_1.txt"] == found["Ann/Emma_2.txt"] == ("Emma",) and found["Bob/work_1.txt"] == ("work",)
    assert found["Ann/notes/day.txt"] == ("notes",) and found["Bob/day.txt"] == (), "the others are as they were found"
    assert by_path(read(known, r"^(\w+)/(?P<source>\w)")) == {path: (path[4],) for path in found}
    assert by_path(read(known, r"day(x?)|(?P<source>work)"))["Ann/notes/day.txt"] == ("notes",)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("gone/sources.csv", "'gone/sources.csv' is no file that is there, and as a pattern it has 0 groups"),
        (r"(\w+)/(\w+)", "and as a pattern it has 2 groups, of which none is called source."),
        ("([^/+", "and as a pattern it cannot be read (unterminated character set at position 1)."),
        ("(a){99999999999999999999}", "and as a pattern it cannot be read ("),
        ("sources (1).csv", "and as a pattern it finds nothing."),
        ("(" + "a" * 200 + ")", "and as a pattern it has more than 200 characters."),
        ("(a\0)", "and as a pattern it finds nothing."),
    ],
)
def test_a_bad_pattern_is_refused(known: Path, given: str, words: str) -> None:
    assert words in refusal(known, given)


def test_a_long_path_is_not_searched() -> None:
    found = sources.assigned(r"(a)", Listing("", ()))
    assert found is not None
    assert found.sources("a" * sources.MAX_PATH, "") == ("a",) and found.sources("a" * (sources.MAX_PATH + 1), "") == ()


def test_a_table_is_found_again_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sources.csv").touch()
    monkeypatch.chdir(tmp_path)
    assert sources.settled("sources.csv") == str(tmp_path / "sources.csv")
    assert sources.settled(PATTERN) == PATTERN and sources.settled("") == ""
    assert sources.settled("x" * 10_000) == "x" * 10_000


# --- every text its own


def test_every_text_its_own(folder, known: Path) -> None:
    corpus = read(known, "", segment_words=40)
    own = sources.each_its_own(corpus.documents)
    assert len(own) == len(corpus.documents) > len({each.path for each in corpus.documents})
    assert {own[each.id] for each in corpus.documents} == {(each.path,) for each in corpus.documents}, (
        "pieces stay together"
    )
    rows = read_corpus(folder({"t.csv": "author,text\nAnn,one\nAnn,two\nBob,three\n"}) / "t.csv")
    assert len(set(sources.each_its_own(rows.documents).values())) == 3, "a file may hold many texts"


# --- shared between authors


def test_a_source_is_shared_or_each_authors_own() -> None:
    """All who have it have it so; the other sources of a text, and texts without it, are left alone; and back."""
    texts = [
        Document(author, title, "words", sources=names, path=title)
        for author, title, names in (
            ("Ann", "1", ("The Times", "1887")),
            ("Bob", "2", ("The Times",)),
            ("Bob", "3", ("letters",)),
            ("Eve", "4", ("SHARED:Notes",)),
            ("Eve", "5", ()),
        )
    ]
    ids = [each.id for each in texts]
    every = {name for each in texts for name in each.sources}
    assert sources.shared(texts, {"The Times"}, True) == {
        ids[0]: ("1887", "shared: The Times"),
        ids[1]: ("shared: The Times",),
    }
    assert sources.shared(texts, every, False) == {ids[3]: ("Notes",)}
    assert sources.shared(texts, {"SHARED:Notes"}, True) == {}, "it is shared already"
    now = sources.shared(texts, every, True)
    assert len(now) == 3 and ids[3] not in now and ids[4] not in now
    moved = [replace(each, sources=now.get(each.id, each.sources)) for each in texts]
    back = sources.shared(moved, {name for names in now.values() for name in names}, False)
    assert back == {each.id: each.sources for each in texts[:3]}

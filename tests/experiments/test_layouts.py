"""The paper's data sets in small files of the format in which they are published: recognised and read by the experiments alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forensia.corpus import LAYOUTS as GENERAL
from forensia.corpus import Corpus, ReadOptions
from forensia.corpus import read_corpus as read_any
from forensia.corpus.layouts import matches
from forensia.corpus.reading import listed
from forensia.errors import InputError
from forensia.experiments.datasets import read_dataset
from forensia.experiments.layouts import LAYOUTS
from forensia.wording.problems import message
from tests.corpus.damage import read_or_refused


def read_corpus(path: Path, options: ReadOptions | None = None) -> Corpus:
    return read_any(path, options or ReadOptions(), layouts=LAYOUTS)


def codes(corpus: Corpus) -> list[tuple[str, str]]:
    return sorted((problem.file, problem.code) for problem in corpus.problems if problem.code != "single-document")


def best(path: Path) -> str:
    return matches(listed(path), LAYOUTS)[0][0]


def test_every_layout_says_what_it_is() -> None:
    assert {layout.name for layout in LAYOUTS} - {layout.name for layout in GENERAL} == {
        "imdb62", "pan2011", "victorian", "arxiv",
    }  # fmt: skip
    assert all(layout.sentence.endswith(".") for layout in LAYOUTS)


def test_the_general_layouts_come_in_the_same_order() -> None:
    names = [layout.name for layout in GENERAL]
    assert [layout.name for layout in LAYOUTS if layout.name in names] == names


def test_imdb62(folder) -> None:
    line = '{0}\t{1}\t444584\t8\tA title {0}\tThe film is " good " , isn \' t it ?\n'
    root = folder(
        {"imdb62.txt": "".join(line.format(number, 33913 + number % 2) for number in range(6)) + "broken\tline\n"}
    )
    assert best(root) == best(root / "imdb62.txt") == "imdb62"
    corpus = read_corpus(root / "imdb62.txt")
    assert corpus.authors == ("33913", "33914")
    assert {document.source for document in corpus.documents} == {"444584"}
    assert {document.title for document in corpus.documents} == {f"A title {number}" for number in range(6)}
    assert {document.original for document in corpus.documents} == {'The film is " good " , isn \' t it ?'}
    assert any(problem.code == "bad-row" and "line 7" in message(problem) for problem in corpus.problems)


PAN2011 = """<training>
<text file="Large/1.txt">
<author id="x1234"/>
<body>
<NAME/>,
  R&D costs < 5 & rising. See <http://a.b/c> or </body>

Bye
</body>
</text>
<text file="Large/2.txt">
<author id="887"/>
<body>Short mail, </text> in it</body>
</text>
</training>
"""


def test_pan2011(folder) -> None:
    root = folder({"LargeTrain.xml": PAN2011})
    assert best(root) == best(root / "LargeTrain.xml") == "pan2011"
    corpus = read_corpus(root)
    assert {(document.author, document.title, document.original) for document in corpus.documents} == {
        ("x1234", "Large/1.txt", "<NAME/>,\n  R&D costs < 5 & rising. See <http://a.b/c> or </body>\n\nBye"),
        ("887", "Large/2.txt", "Short mail, </text> in it"),
    }


def test_pan2011_test_mails_take_their_authors_from_the_key(folder) -> None:
    test = (
        PAN2011.replace("training>", "testing>")
        .replace('<author id="x1234"/>\n', "")
        .replace('<author id="887"/>\n', "")
    )
    key = '<results>\n<text file="Large/1.txt">\n<author id="x9"/>\n</text>\n<text file="Large/2.txt"><author id="x8"/></text>\n</results>'
    root = folder(
        {"LargeTrain.xml": PAN2011, "SmallTrain.xml": PAN2011, "LargeTest.xml": test, "GroundTruthLargeTest.xml": key}
    )
    assert read_corpus(root).authors == ("887", "x1234")
    assert ("SmallTrain.xml", "other-set") in codes(read_corpus(root))
    assert read_corpus(root, ReadOptions(split="test")).authors == ("x8", "x9")
    assert len(read_corpus(root, ReadOptions(split="all"))) == 4


def test_pan2011_cut_off_in_a_mail(folder) -> None:
    cut = PAN2011.replace("</training>\n", '<text file="Large/3.txt">\n<author id="9"/>\n<body>\nThe end is')
    corpus = read_corpus(folder({"LargeTrain.xml": cut}))
    assert len(corpus) == 2
    assert ("LargeTrain.xml", "truncated") in codes(corpus)


def test_victorian(folder, prose) -> None:
    rows = [f"{prose(number, 1000).strip()} caf\xe9 {number},{number % 3 + 1}\n" for number in range(6)]
    content = "text,author\n" + "".join(rows) + "a piece without a number,Dickens\n"
    root = folder({"Gungor_2018_VictorianAuthorAttribution_data-train.csv": content.encode("latin-1")})
    assert best(root) == "victorian"
    corpus = read_corpus(root)
    assert corpus.authors == ("1", "2", "3")
    assert {document.encoding for document in corpus.documents} == {"latin-1"}
    assert all("café" in document.original for document in corpus.documents)
    assert {document.words for document in corpus.documents} == {1002}
    assert any("row 7" in message(problem) for problem in corpus.problems if problem.code == "bad-row")


def test_a_table_with_names_is_not_taken_for_the_victorian_set(folder) -> None:
    root = folder({"t.csv": "text,author\none,Ann\ntwo,Bob\n"})
    assert best(root) == "table"
    assert read_corpus(root).authors == ("Ann", "Bob")


ARXIV = [
    {"id": "1", "authors": "Jane Doe", "title": "On\n  Cats", "abstract": "  We study cats.\n"},
    {"id": "2", "authors": "Jane Doe, John Roe", "title": "Two", "abstract": "We two."},
    {
        "id": "3",
        "authors": "John Roe",
        "title": "Three",
        "abstract": "I study dogs.",
        "authors_parsed": [["Roe", "John", ""]],
    },
    {
        "id": "4",
        "authors": "Jane Doe",
        "title": "Four",
        "abstract": "More.",
        "authors_parsed": [["Doe", "J"], ["Roe", "J"]],
    },
]


@pytest.mark.parametrize("name", ["arxiv.json", "arxiv.jsonl", "arxiv.csv"])
def test_arxiv(folder, name: str) -> None:
    if name.endswith(".csv"):
        used = [ARXIV[0], ARXIV[1], ARXIV[2]]
        content = "id,title,abstract,authors\n" + "".join(
            f'{row["id"]},"{row["title"]}","{row["abstract"]}","{row["authors"]}"\n' for row in used
        )
    elif name.endswith(".json"):
        content = json.dumps(ARXIV)
    else:
        content = "\n".join(json.dumps(row) for row in ARXIV)
    root = folder({name: content})
    assert best(root) == best(root / name) == "arxiv"
    corpus = read_corpus(root / name)
    assert {(document.author, document.title, document.original) for document in corpus.documents} == {
        ("Jane Doe", "On Cats", "On Cats\nWe study cats."),
        ("John Roe", "Three", "Three\nI study dogs."),
    }
    assert (name, "several-authors") in codes(corpus)


def test_arxiv_with_one_author_a_row(folder) -> None:
    content = 'id,title,abstract,author\n1,T,Some words,"Doe, Jane"\n2,U,Other words,"Roe, John"\n'
    assert read_corpus(folder({"a.csv": content})).authors == ("Doe, Jane", "Roe, John")


def test_a_data_set_is_read_as_it_is_published_and_a_corpus_is_not(folder) -> None:
    root = folder({"LargeTrain.xml": PAN2011})
    assert len(read_dataset("mails", root).documents) == 2
    with pytest.raises(InputError, match="not clear who wrote"):
        read_any(root)


SAMPLES = {
    "a.json": json.dumps(ARXIV).encode(),
    "LargeTrain.xml": PAN2011.encode(),
    "imdb62.txt": b"".join(b"%d\t%d\t7\t8\tTitle\tSome \xc3\xa9 text\n" % (number, number % 2) for number in range(4)),
    "v.csv": b"text,author\none piece,1\nanother piece,2\n",
    "t.csv": b'title,author,text\none,Ann,"He said ""no"", twice."\ntwo,Bob,One; two\n',
}


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused_and_nothing_else(folder, prose, name: str) -> None:
    root = folder({"Ann/a.txt": prose(1), "Bob/c.txt": prose(2)})
    read_or_refused(root, name, SAMPLES[name], LAYOUTS)

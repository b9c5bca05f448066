"""Pieces of about N words that put together are the document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.corpus.characters import count_words
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.document import Cut, Document, Problem, text_hash
from forensia.corpus.segmenting import segment, sentence_ends

SENTENCE = "The quick brown fox met Mr. Smith at 5 p.m. near the old mill. "  # 15 words


def _document(text: str, **fields: object) -> Document:
    plain = Document("Ann", "Letter", text, path="ann/letter.txt", sha256_text=text_hash(text), words=count_words(text))
    return replace(plain, **fields)


def _sentences(text: str) -> list[str]:
    ends = list(sentence_ends(text))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_sentences() -> None:
    text = 'He came. "Did he?" she asked. Dr. J. Smith, i.e. the vet, left... He ran!\n\nNo end here\n\nThe end'
    assert _sentences(text) == [
        "He came. ",
        '"Did he?" ',
        "she asked. ",
        "Dr. J. Smith, i.e. the vet, left... ",
        "He ran!\n\n",
        "No end here\n\n",
        "The end",
    ]


def test_pieces_end_at_sentence_ends() -> None:
    document = _document(SENTENCE * 20)
    pieces = segment(document, 100)
    assert [piece.words for piece in pieces] == [105, 105, 90]
    assert all(piece.original.endswith("mill. ") for piece in pieces)


def test_fields_of_a_piece() -> None:
    document = _document(SENTENCE * 20, encoding="cp1252", language="en", sha256_bytes="ab", part=0)
    first, second, *_ = segment(document, 100)
    assert (first.title, second.title) == ("Letter (1)", "Letter (2)")
    assert (first.part, second.part) == (1, 2)
    assert (first.author, first.path, first.encoding, first.language, first.sha256_bytes) == (
        "Ann", "ann/letter.txt", "cp1252", "en", "ab",
    )  # fmt: skip
    assert first.sha256_text == text_hash(first.original)
    assert first.id != second.id


@pytest.mark.parametrize(
    ("fields", "group"),
    [
        ({"sources": ("thread 7",)}, "thread 7"),
        ({}, "ann/letter.txt"),
        ({"path": ""}, "Letter"),
        ({"part": 3}, "ann/letter.txt 3"),
    ],
)
def test_the_whole_is_the_group(fields: dict[str, str], group: str) -> None:
    assert {piece.source for piece in segment(_document(SENTENCE * 20, **fields), 100)} == {group}


def test_parts_of_parts_stay_apart() -> None:
    one, two = (segment(_document(SENTENCE * 20, part=part), 100) for part in (1, 2))
    assert not {piece.id for piece in one} & {piece.id for piece in two}


def test_short_document_stays_whole() -> None:
    document = _document(SENTENCE * 5)
    assert segment(document, 100) == (document,)
    assert segment(document, 0) == (document,)
    assert segment(_document(""), 100) == (_document(""),)


def test_short_remainder_joins_the_last_piece() -> None:
    assert [piece.words for piece in segment(_document(SENTENCE * 16), 100)] == [105, 135]
    assert [piece.words for piece in segment(_document(SENTENCE * 18), 100)] == [105, 105, 60]
    assert len(segment(_document(SENTENCE * 9), 100)) == 1


def test_text_without_sentence_ends_is_cut_between_words() -> None:
    pieces = segment(_document("word (again) " * 500), 100)
    assert [piece.words for piece in pieces] == [100] * 10
    assert all(piece.original.startswith("word") for piece in pieces)


def test_problems_go_with_their_places() -> None:
    everywhere = Problem.of("language", why="unlike", expected="en")
    placed = Problem.of("zero-width", offsets=(5, 600))
    document = _document(SENTENCE * 20, problems=(everywhere, placed))
    first, second, third = segment(document, 100)
    assert first.problems == (everywhere, replace(placed, offsets=(5,)))
    assert second.problems == (everywhere, replace(placed, offsets=(600 - len(first.original),)))
    assert [problem.code for problem in third.problems] == ["language", "too-short"]
    assert third.words == 90


def test_cuts_go_with_their_piece() -> None:
    text = SENTENCE * 8 + "> quoted line one here\n> quoted line two here\n" + SENTENCE * 8
    document = _document(text.replace(". > ", ".\n> "), cuts=())
    document = replace(document, cuts=propose_cuts(document.original, (Step.QUOTED_REPLIES,)))
    assert len(document.cuts) == 1
    pieces = segment(document, 100)
    assert "".join(piece.text for piece in pieces) == document.text
    assert "".join(piece.original for piece in pieces) == document.original
    assert sum(len(piece.cuts) for piece in pieces) == 1
    assert not any("quoted" in piece.text for piece in pieces)


_TEXTS = (
    st.lists(
        st.sampled_from(
            ["word", "Word", "Dr", "a-b", ". ", "! ", "… ", " ", " ", "\n", "\n\n", "“", "’s", ".", "é", "。", "12"]
        )
    ).map("".join)
    | st.text()
)


@settings(max_examples=300)
@given(_TEXTS, st.integers(1, 8), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=4))
def test_pieces_make_the_document(text: str, words: int, spans: list[tuple[int, int]]) -> None:
    cuts = tuple(Cut(start, min(start + length, len(text)), "r") for start, length in spans if start < len(text))
    document = _document(text, cuts=cuts)
    pieces = segment(document, words)
    assert "".join(piece.text for piece in pieces) == document.text
    assert "".join(piece.original for piece in pieces) == document.original
    if len(pieces) > 1:
        assert sum(piece.words for piece in pieces) == count_words(document.text)
        assert all(piece.words >= words for piece in pieces[:-1])
        assert 2 * pieces[-1].words >= words
        assert [piece.part for piece in pieces] == list(range(1, len(pieces) + 1))

"""An analysis keeps its form in the cache, and nothing else is taken for one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.errors import InputError
from forensia.language import Analysis, MemoryCache
from forensia.language.analysis import PIECE, RUN, has_sentences, pieces


def an_analysis() -> Analysis:
    return Analysis(
        length=12,
        starts=np.array([0, 4, 9], np.uint32),
        lengths=np.array([3, 5, 1], np.uint16),
        tags=np.array([5, 7, 12], np.uint8),
        sentence_starts=np.array([0, 4], np.uint32),
        sentence_words=np.array([1, 1], np.uint32),
        has_sentences=True,
    )


def test_round_trip() -> None:
    analysis = an_analysis()
    again = Analysis.from_bytes(analysis.to_bytes())
    assert again == analysis
    assert hash(again) == hash(analysis)
    assert again.ends.tolist() == [3, 9, 10]
    assert again.sentence_ends.tolist() == [4, 12]


@given(st.binary(max_size=200))
def test_foreign_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        Analysis.from_bytes(data)


def test_damage_is_refused() -> None:
    good = an_analysis().to_bytes()
    header = 17
    for bad in (
        good[:-1],
        good + b"\0",
        b"XXXX" + good[4:],
        good[:header] + b"\xff" + good[header + 1 :],  # a token beyond the end
        good[: header + 18] + b"\x55" + good[header + 19 :],  # a tag that does not exist
        good[:13] + b"\x09\0\0\0" + good[17:],  # more sentences than there are
    ):
        with pytest.raises(InputError):
            Analysis.from_bytes(bad)


@given(st.text(alphabet="ab.\n \u00e9", max_size=60), st.integers(1, 700))
def test_pieces_are_the_whole_text(text: str, times: int) -> None:
    long = text * times
    spans = pieces(long)
    assert "".join(long[start:end] for start, end in spans) == long
    assert all(0 < end - start <= PIECE for start, end in spans)


def test_pieces_are_cut_at_the_best_place() -> None:
    first, second = "word " * 1_000 + "end.", "word " * 1_500
    assert pieces(f"{first}\n\n{second}")[0] == (0, len(first) + 2)
    assert pieces(f"{first}\n{second}")[0] == (0, len(first) + 1)
    assert pieces(f"{first} {second}")[0] == (0, len(first) + 1)
    assert pieces("word " * 10 + "x" * (2 * RUN + 1) + " end") == [
        (0, 50),
        (50, 50 + RUN),
        (50 + RUN, 50 + 2 * RUN),
        (50 + 2 * RUN, 51 + 2 * RUN),
        (51 + 2 * RUN, 55 + 2 * RUN),
    ]
    assert pieces("") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no mark at all " * 20, False),
        ("no mark at all " * 20 + ".", True),
        ("short and unmarked", True),
        ("hi there\nhow are you\n" * 40, True),
        ("", True),
    ],
)
def test_whether_sentences_can_be_found(text: str, expected: bool) -> None:
    assert has_sentences(text, len(text.split())) is expected


def test_memory_cache() -> None:
    cache = MemoryCache()
    cache.put("text", "model", b"1")
    assert cache.get("text", "model") == b"1"
    assert cache.get("text", "other") is None
    assert len(cache) == 1

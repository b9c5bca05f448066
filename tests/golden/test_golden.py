"""The comparison itself: it lets through what a machine may change, and names what a person has changed."""

from __future__ import annotations

from support.golden import json_differences, masked, shortened, text_differences

RIGHT = {
    "documents": [{"file": "a.txt", "lazy": [{"score": 0.5}, {"score": 0.25}], "k": 3, "notes": []}],
    "given": True,
}


def test_equal_and_nearly_equal_numbers_pass() -> None:
    near = {
        "documents": [{"file": "a.txt", "lazy": [{"score": 0.5000002}, {"score": 0.25}], "k": 3.0, "notes": []}],
        "given": True,
    }
    assert json_differences(RIGHT, near) == []


def test_what_was_renamed_is_told_as_moved() -> None:
    renamed = {"documents": [{"file": "a.txt", "systems": {"lazy": [0.5, 0.25]}, "k": 3, "notes": []}], "given": True}
    (line,) = json_differences(RIGHT, renamed)
    assert line == "moved: documents[].lazy[].score is now documents[].systems.lazy[] (2 values, all the same)"


def test_what_went_came_or_changed_is_named() -> None:
    other = {"documents": [{"file": "b.txt", "lazy": [{"score": 0.5}, {"score": 0.26}], "k": 3, "new": 9}], "given": 1}
    assert json_differences(RIGHT, other) == [
        "gone: documents[].notes (1 values, the first was [])",
        "new: documents[].new (1 values, the first is 9)",
        "changed: documents[0].file was 'a.txt', is 'b.txt'",
        "changed: documents[0].lazy[1].score was 0.25, is 0.26",
        "changed: given was True, is 1",
    ]


def test_text_is_a_stream_of_words() -> None:
    right = "The findings are about 48 (24 to\n1.20) times more\nprobable."
    assert text_differences(right, "The findings are about 48 (24 to 1.21) times more probable.") == []
    assert text_differences(right, right.replace("48", "49"))[0].startswith(
        "first at line 1: was 'The findings are about 48"
    )
    assert text_differences(right, right.replace("more", "less"))[1] == "line 2: 'more' -> 'less'"
    assert text_differences(right, right + " Not.") and text_differences(right, "The findings are about 48")


def test_masks() -> None:
    kept = "ab" * 32
    text = f"Forensia 0.1.0 made /x/y.pdf on 2026-11-18 03:34:22 UTC, {kept[:40]} and {'c1' * 10}."
    assert (
        masked(text, [kept], {"/x": "<folder>"})
        == f"Forensia <version> made <folder>/y.pdf on <time>, {kept[:40]} and <hash>."
    )
    assert shortened({"a": list(range(20))}, 2) == {"a": [0, 1, "... 20 in all"]}

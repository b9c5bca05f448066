"""One reader for all types: what goes to the child, what comes back, what is refused and with which advice."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from forensia import codec
from forensia.corpus import Problem
from forensia.corpus.filetypes import (
    FORMATS,
    REFUSED,
    ExtractedPart,
    Extraction,
    Limits,
    Reader,
    Refusal,
    extract,
    needs_child,
)
from forensia.corpus.filetypes import registry as reading
from forensia.errors import Cancelled, InputError
from forensia.wording.problems import message, next_step, said, worded


def test_the_child_says_what_we_would_say(samples: ModuleType) -> None:
    with Reader() as reader:
        for name, data in samples.all_types().items():
            assert reader.extract(data, name) == extract(data, name), name


def test_a_refusal_comes_back_whole_and_names_the_file() -> None:
    name = "fold\udce9r name é.pdf"  # a name that is no UTF-8, as Python carries it
    with Reader() as reader, pytest.raises(Refusal) as caught:
        reader.extract(b"plain text", name)
    assert caught.value.code == "wrong-type"
    assert name in said(caught.value)
    problem = caught.value.about("a/b.pdf")
    assert (problem.file, next_step(problem)) == ("a/b.pdf", "Save it again as .pdf or .txt.")
    assert "a/b.pdf" in message(problem)


def test_plain_text_starts_no_process() -> None:
    with Reader() as reader:
        assert reader.extract(b"text", "a.txt").parts[0].text == "text"
        assert reader._worker.pid is None


def test_everything_with_a_parser_goes_to_the_child() -> None:
    assert {suffix for suffix in FORMATS if not needs_child(f"x{suffix}")} == {".txt", ".text", ".md", ".markdown"}
    assert needs_child("X.PDF") and needs_child("x.doc")
    assert not needs_child("x.zip") and not needs_child("x")


@pytest.mark.parametrize("suffix", sorted(REFUSED))
def test_what_is_not_read_gets_advice(suffix: str) -> None:
    with pytest.raises(Refusal) as caught:
        extract(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, f"thing{suffix}")
    assert caught.value.code == "unknown-type"
    assert f"thing{suffix}" in said(caught.value)
    assert next_step(caught.value.problem).endswith(".")


def test_an_unknown_type_lists_the_known_ones() -> None:
    with pytest.raises(Refusal, match=r"\.docx, .*\.txt"), worded():
        extract(b"x", "thing.xyz")
    with pytest.raises(Refusal):
        extract(b"x", "no suffix")


def test_a_doc_that_is_something_else_is_read_as_that(samples: ModuleType) -> None:
    assert extract(samples.RTF, "a.doc").parts[0].text == samples.RTF_TEXT
    assert extract(samples.docx(), "a.DOC").parts[0].text == samples.BODY_TEXT
    assert extract(samples.HTML, "a.doc").parts[0].text == samples.HTML_TEXT
    with pytest.raises(Refusal, match=r"save it as \.docx"), worded():
        extract(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.doc")


def test_too_large_is_told_before_anything_is_sent() -> None:
    with Reader(Limits(size=10)) as reader:
        with pytest.raises(Refusal, match="the limit is"), worded():
            reader.extract(b"x" * 11, "a.pdf")
        assert reader._worker.pid is None


def test_cancelled_while_the_child_works(samples: ModuleType) -> None:
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) > 1:
            raise Cancelled

    with Reader() as reader:
        with pytest.raises(Cancelled):
            reader.extract(b"<a " * 200_000, "a.html", check)
        assert reader.extract(samples.HTML, "a.html").parts[0].text == samples.HTML_TEXT


def test_plain_data_and_back() -> None:
    extraction = Extraction(
        (ExtractedPart("text", "title", "author", "source", "utf-8"),), (Problem.of("comments", count=3),)
    )
    assert codec.typed(Extraction, codec.plain(extraction)) == extraction


@pytest.mark.parametrize(
    "value",
    [
        None, 3, [], {}, "x", {"parts": 1, "notes": []}, {"parts": [[1, 2, 3, 4, 5]], "notes": []}, {"parts": [["a"]], "notes": []},
        {"parts": [], "notes": [["a", "b", "nonsense", "d"]]}, {"refusal": 3}, {"refusal": ["a"]}, {"refusal": {"a": 1}},
        {"refusal": {**codec.plain(Problem.of("dtd")), "values": {"why": {}}}},
        {"parts": [], "notes": [{"code": "comments", "values": {}}]},
    ],
)  # fmt: skip
def test_a_senseless_answer_is_a_refusal(value: Any) -> None:
    with pytest.raises(Refusal) as caught:
        reading._unpacked(value, "a.pdf")
    assert caught.value.code == "unreadable"


def test_a_reader_that_fails_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of a foreign exception may quote the document, so it must not come back."""
    from forensia.jobs.child import CallFailed

    def call(*_: object) -> None:
        raise CallFailed("KeyError")

    with Reader() as reader:
        monkeypatch.setattr(reader._worker, "call", call)
        with pytest.raises(InputError, match="damaged or hostile"), worded():
            reader.extract(b"%PDF-1.4", "a.pdf")


def test_half_characters_are_replaced_and_told() -> None:
    found = extract(rb"{\rtf1\uc0 a\u55357 b}", "a.rtf")
    assert found.parts[0].text == "a\ufffdb"
    assert [note.code for note in found.notes] == ["lone-surrogate"]


def test_adding_a_type_is_one_line() -> None:
    """Every module with a `read` function is in the registry, which reads plain text itself."""
    folder = Path(reading.__file__).parent
    readers = {path.stem for path in folder.glob("*.py") if "\ndef read(data" in path.read_text(encoding="utf-8")}
    assert {*readers, "registry"} == {form.read.__module__.rpartition(".")[2] for form in FORMATS.values()}

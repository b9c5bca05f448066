"""One folder, imported by the window and by the command line: the cases must say the same of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from forensia import cli
from forensia.case import Case
from forensia.corpus import ReadOptions
from forensia.corpus.cleaning import Step
from forensia.gui import tasks
from forensia.jobs import silent
from forensia.jobs.worker import Worker, nothing
from support.samplerun import small_corpus

PATTERN = r"^[^/]+/(?:(?P<source>letters)|\w+)/"
WAYS = {
    "as they are": (ReadOptions(), ()),
    "by a pattern": (ReadOptions(sources=PATTERN), ("--sources", PATTERN)),
    "in pieces": (ReadOptions(layout="authors", segment_words=150), ("--layout", "authors", "--segment", "150")),
}


@dataclass(frozen=True)
class Both:
    """The same folder in two cases, and the options that both were given."""

    window: Case
    command: Case
    options: ReadOptions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of five authors, with an empty file, a short one, a copy, a near-copy, another encoding and a file that is no text."""
    place = small_corpus(tmp_path_factory.mktemp("parity") / "known")
    letters = place / "Adela Marsh" / "letters"
    text = (letters / "storm.txt").read_text("utf-8")
    (letters / "storm again.txt").write_text(text.replace("the", "that", 2), "utf-8")
    (place / "Bram Oakley" / "note.txt").write_bytes("Où est le café? Déjà vu, né à Wrackham.\n".encode("cp1252") * 30)
    (place / "Bram Oakley" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    return place


def _read(engine: Worker, folder: Path, target: Path, options: ReadOptions) -> Case:
    """A new case as the window makes it."""
    case = Case.create(target)
    engine.do(tasks.read, silent, nothing, case=str(target), source=str(folder), options=options)
    return case


@pytest.fixture(scope="module")
def imported(folder: Path, engine: Worker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Both]]:
    """The folder, read in every way. The paper's profile is trained because that is the quickest; there is no import without training."""
    place = tmp_path_factory.mktemp("cases")
    with pytest.MonkeyPatch.context() as patched, ExitStack() as open_cases:
        patched.setenv("FORENSIA_HOME", str(place / "home"))
        found = {}
        for number, (name, (options, arguments)) in enumerate(WAYS.items()):
            target, other = place / f"command-{number}.forensia", place / f"window-{number}.forensia"
            assert cli.run(["train", str(folder), "-o", str(target), "--profile", "paper", *arguments]) == 0
            window = _read(engine, folder, other, options)
            found[name] = Both(open_cases.enter_context(window), open_cases.enter_context(Case.open(target)), options)
        yield found


@pytest.fixture(params=WAYS)
def both(request: pytest.FixtureRequest, imported: dict[str, Both]) -> Both:
    return imported[request.param]


def test_the_documents_are_the_same(both: Both) -> None:
    first, second = (
        {each.id: (replace(each, added=""), each.original) for each in case.documents.known()}
        for case in (both.window, both.command)
    )
    assert first == second and len(first) > 25


def test_the_corpora_are_the_same(both: Both) -> None:
    def said(case: Case) -> Any:
        corpus = case.documents.corpus()
        assert corpus is not None
        return (
            corpus.layout,
            corpus.root,
            corpus.fingerprint,
            dict(corpus.excluded),
            [each.id for each in corpus.active.documents],
        )

    assert said(both.window) == said(both.command) and both.window.documents.basis() == both.command.documents.basis()


def test_the_problems_are_the_same(both: Both) -> None:
    first, second = both.window.documents.corpus(), both.command.documents.corpus()
    assert first is not None and second is not None and first.every_problem == second.every_problem
    assert both.window.documents.problems() == both.command.documents.problems()
    assert len({each.code for each in first.every_problem}) >= 4, "there is something to compare"


def test_the_case_keeps_how_the_texts_were_read(both: Both) -> None:
    """A case made with --segment shows in the window that its texts were cut, and how."""
    assert both.window.documents.reading() == both.command.documents.reading() == both.options


def test_what_the_window_can_read_the_command_line_can_too(
    folder: Path, engine: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cleaning, encodings and a table of sources."""
    note = "Bram Oakley/note.txt"
    steps = (Step.SIGNATURES, Step.LINE_END_HYPHENS)
    table = tmp_path / "sources.csv"
    table.write_text(f"file,source\n{note},notes; a drawer\nstorm again.txt,letters\n", "utf-8")
    options = ReadOptions(steps=steps, encodings={note: "cp1252"}, sources=str(table))
    arguments = ["--clean", *(step.name.lower().replace("_", "-") for step in steps), "--encoding", f"{note}=cp1252"]
    arguments += ["--sources", str(table)]
    target = tmp_path / "command.forensia"
    assert cli.run(["train", str(folder), "-o", str(target), "--profile", "paper", *arguments]) == 0
    window = _read(engine, folder, tmp_path / "window.forensia", options)
    with window, Case.open(target) as command:
        assert window.documents.reading() == command.documents.reading() == options
        assert window.documents.basis() == command.documents.basis()
        (read,) = (each for each in command.documents.known() if each.path == note)
        assert read.encoding == "cp1252" and read.sources == ("a drawer", "notes")

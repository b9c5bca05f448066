"""Known texts come into a case in one way, for the window and for the command line, and the case keeps how they were read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from forensia import cli
from forensia.case import Case
from forensia.case.documents import READ
from forensia.corpus import ReadOptions
from forensia.corpus.cleaning import Step
from forensia.corpus.sources import PATTERN
from forensia.errors import Cancelled
from forensia.gui import tasks
from forensia.jobs import silent
from forensia.service import training
from forensia.service.importing import import_corpus

OPTIONS = ReadOptions(
    layout="authors",
    encodings={"Ann/1.txt": "cp1252"},
    steps=(Step.SIGNATURES, Step.QUOTED_REPLIES),
    segment_words=200,
    sources=r"(\d)\.txt$",
)
PLAIN = [
    "--layout",
    "authors",
    "--encoding",
    "Ann/1.txt=cp1252",
    "--clean",
    "signatures",
    "quoted-replies",
    "--segment",
    "200",
    "--sources",
    OPTIONS.sources,
]


@pytest.fixture
def folder(tmp_path: Path, samples: ModuleType) -> Path:
    place = tmp_path / "known"
    for number in range(6):
        author = place / ("Ann", "Bob")[number % 2]
        author.mkdir(parents=True, exist_ok=True)
        (author / f"{number // 2}.txt").write_bytes(
            samples.prose(number, 700).encode() + b"\nCaf\xe9.\n\n-- \nJ. Smith\n"
        )
    return place


def test_options_and_back() -> None:
    assert ReadOptions.from_json(OPTIONS.to_json()) == OPTIONS
    assert ReadOptions.from_json(ReadOptions().to_json()) == ReadOptions()


def test_the_case_keeps_how_it_was_read(tmp_path: Path, folder: Path) -> None:
    with Case.create(tmp_path / "a.forensia") as case:
        assert case.documents.reading() == ReadOptions()
        import_corpus(case, folder, OPTIONS)
        assert case.documents.reading() == OPTIONS
        assert [entry.data for entry in case.log.entries() if entry.event == READ] == [OPTIONS.to_json()]
        assert {each.segment for each in case.documents.known()} >= {1, 2, 3}


def test_version_0_1_kept_it_in_the_log(tmp_path: Path, folder: Path) -> None:
    with Case.create(tmp_path / "a.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        with case.database.step():
            head = case.database.get("corpus", "known")
            case.database.put("corpus", "known", {key: value for key, value in head.items() if key != "reading"})
            noted = {key: value for key, value in OPTIONS.to_json().items() if key not in ("split", "role", "sources")}
            case.log.note(READ, noted)
        assert case.documents.reading() == replace(OPTIONS, sources="")
        case.log.note(READ, {"layout": 3})
        assert case.documents.reading() == ReadOptions(), "what cannot be read says nothing"


def test_window_and_command_line_read_alike(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = tmp_path / "window.forensia"
    with Case.create(shown):
        tasks.read(silent, lambda _: None, case=str(shown), source=str(folder), options=OPTIONS)
    found: list[object] = []

    def stop(case: Case, *_: object, **__: object) -> None:
        found.append(
            (case.documents.corpus(), case.documents.problems(), case.documents.reading(), case.documents.known())
        )
        raise Cancelled

    monkeypatch.setattr(training, "train_case", stop)
    assert cli.run(["train", str(folder), "-o", str(tmp_path / "line.forensia"), *PLAIN]) == 130
    with Case.open(shown) as case:
        assert found == [
            (case.documents.corpus(), case.documents.problems(), case.documents.reading(), case.documents.known())
        ]
        assert case.documents.reading() == OPTIONS and any(each.cuts for each in case.documents.known())
        assert {(each.path, each.sources) for each in case.documents.known()} == {
            (f"{author}/{number}.txt", (str(number),)) for author in ("Ann", "Bob") for number in range(3)
        }


def test_a_table_of_sources_is_kept_by_its_whole_path(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "sources.csv"
    table.write_text("file,source\nAnn/0.txt,diary; 1887\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    with Case.create(tmp_path / "a.forensia") as case:
        import_corpus(case, folder, ReadOptions(sources="sources.csv"))
        assert case.documents.reading().sources == str(table)
        assert {each.path: each.sources for each in case.documents.known() if each.sources} == {
            "Ann/0.txt": ("1887", "diary")
        }
        before = case.documents.basis()
        import_corpus(case, folder, ReadOptions(sources=OPTIONS.sources))
        assert case.documents.basis() == before and all(len(each.sources) == 1 for each in case.documents.known())


def test_every_text_its_own(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", str(folder), "-o", str(tmp_path / "a.forensia")]
    assert cli.run([*command, "--sources", "each"]) == cli.run([*command, "--sources", "each", "--because", " "]) == 1
    assert "Say with --because" in capsys.readouterr().err
    assert cli.run([*command, "--because", "they say so"]) == 1
    assert "the reason of --sources each" in capsys.readouterr().err and not (tmp_path / "a.forensia").exists()
    found = []

    def stop(case: Case, *_: object, **__: object) -> None:
        found.append(
            (
                case.documents.known(),
                case.documents.chosen_sources(),
                case.documents.reading().sources,
                case.log.entries(),
            )
        )
        raise Cancelled

    monkeypatch.setattr(training, "train_case", stop)
    assert cli.run([*command, "--sources", "each", "--because", "letters of six years"]) == 130
    ((known, chosen, given, log),) = found
    assert {each.sources for each in known} == {(each.path,) for each in known} and given == ""
    assert {each.because for each in chosen.values()} == {"letters of six years"}
    assert any("letters of six years" in entry.details for entry in log)


def test_proposed_sources_are_told_with_the_pattern_and_not_used(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, stem in enumerate(("Emma_1", "Emma_2", "Town")):
        (folder / "Ann" / f"{number}.txt").rename(folder / "Ann" / f"{stem}.txt")
    found = []

    def stop(case: Case, *_: object, **__: object) -> None:
        found.append({each.sources for each in case.documents.known()})
        raise Cancelled

    monkeypatch.setattr(training, "train_case", stop)
    assert cli.run(["train", str(folder), "-o", str(tmp_path / "a.forensia")]) == 130
    (line,) = [each for each in capsys.readouterr().err.splitlines() if "look as if they came from" in each]
    assert "2 texts" in line and "'Emma'" in line and f"--sources '{PATTERN}'" in line and found == [{()}]


def test_chosen_sources_hold_on_unless_they_are_given_anew(tmp_path: Path, folder: Path) -> None:
    with Case.create(tmp_path / "a.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        first, second = [each.id for each in case.documents.known()][:2]
        case.choices.set_sources({first: ["letters"]}, "as he said")
        case.choices.set_sources({second: ["diary"]})
        import_corpus(case, folder, ReadOptions(language="de"))
        assert {name: (each.sources, each.because) for name, each in case.documents.chosen_sources().items()} == {
            first: (("letters",), "as he said"),
            second: (("diary",), ""),
        }
        import_corpus(case, folder, ReadOptions(sources=OPTIONS.sources))
        assert not case.documents.chosen_sources() and all(len(each.sources) == 1 for each in case.documents.known())


def test_choices_hold_on_where_a_document_is_the_same(tmp_path: Path, folder: Path) -> None:
    (folder / "Ann" / "copy.txt").write_bytes((folder / "Ann" / "0.txt").read_bytes())
    with Case.create(tmp_path / "a.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        first, second, third = [each.id for each in case.documents.known() if each.excluded is None][:3]
        (copy,) = [each.path for each in case.documents.known() if each.excluded is not None]
        case.choices.exclude([first], "wrong genre")
        case.choices.reassign([second, third], "Zoe")
        (folder / ("Ann/0.txt" if copy == "Ann/copy.txt" else "Ann/copy.txt")).unlink()
        corpus = import_corpus(case, folder, ReadOptions(steps=(Step.SIGNATURES,)))
        now = {each.id: each for each in case.documents.known()}
        assert {name: each.excluded for name, each in now.items() if each.excluded is not None} == {
            name: "wrong genre" for name in (first,) if name in now
        }, "a copy of which nothing else is left is used again"
        assert {name for name, each in now.items() if each.author == "Zoe"} == {second, third} & now.keys()
        assert corpus.excluded.keys() <= {first}


def test_the_steps_of_the_command_line_are_those_of_the_window() -> None:
    assert [name.upper().replace("-", "_") for name in cli.CLEANING] == [step.name for step in Step]


def test_slips_of_the_pen(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", str(folder), "-o", str(tmp_path / "a.forensia")]
    for wrong in (["--encoding", "Ann/1.txt"], ["--encoding", "=cp1252"], ["--clean", "everything"]):
        with pytest.raises(SystemExit) as exit_:
            cli.run([*command, *wrong])
        assert exit_.value.code == 2
    capsys.readouterr()
    assert cli.run([*command, "--encoding", "Ann/nine.txt=cp1252"]) == 1
    assert "no file 'Ann/nine.txt' among the known texts" in capsys.readouterr().err
    (tmp_path / "sources.csv").write_text("file,source\nAnn/nine.txt,diary\n", "utf-8")
    assert cli.run([*command, "--sources", str(tmp_path / "sources.csv")]) == 1
    assert "names 'Ann/nine.txt', and no text is called so" in capsys.readouterr().err
    assert not (tmp_path / "a.forensia").exists()

"""The command line's promises that hold for every command."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from forensia import cli
from forensia.errors import InputError, StorageError
from forensia.jobs import TerminalBar

COMMANDS = [
    ["demo"], ["train"], ["add"], ["analyse"], ["compare"], ["validate"], ["report"], ["verify"], ["bench"], ["window"],
    ["population", "make"], ["population", "show"], ["experiment", "run"], ["experiment", "tables"], ["experiment", "figures"],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        cli.run([*command, "--help"])
    assert exit_.value.code == 0
    assert "usage: forensia" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong", [["nonsense"], ["train"], ["compare", "one"], ["train", "x", "-o", "y", "--profile", "z"]]
)
def test_usage_errors_exit_2(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        cli.run(wrong)
    assert exit_.value.code == 2


def test_problems_are_one_sentence_and_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def problem(*_: object) -> None:
        raise InputError("x.txt is empty. Choose another file.")

    monkeypatch.setattr(cli, "_window", problem)
    assert cli.run(["window"]) == 1
    assert capsys.readouterr().err == "forensia: x.txt is empty. Choose another file.\n"


def test_unexpected_errors_are_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bug(*_: object) -> None:
        raise ZeroDivisionError("secret words of a document")

    monkeypatch.setattr(cli, "_window", bug)
    assert cli.run(["window"]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told and "secret" not in told and "forensia.log" in told


def test_no_arguments_and_case_files_open_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path | None] = []
    monkeypatch.setattr(cli, "_window", lambda options, bar: opened.append(options.case))
    assert cli.run([]) == 0 and cli.run(["harbour letters.forensia"]) == 0
    assert opened == [None, Path("harbour letters.forensia")]


def test_json_goes_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.write_json({"é": [1, 2]}, str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == {"é": [1, 2]}
    cli.write_json({"a": 1}, "-")
    assert json.loads(capsys.readouterr().out) == {"a": 1}
    with pytest.raises(StorageError):
        cli.write_json({}, str(tmp_path / "no" / "such" / "folder.json"))
    with pytest.raises(ValueError, match="Out of range"):
        cli.write_json({"a": float("nan")}, "-")


def test_bar_is_silent_unless_on_a_terminal() -> None:
    stream = io.StringIO()
    bar = TerminalBar(stream)
    bar(0.5, "half")
    bar.clear()
    assert stream.getvalue() == ""
    stream.isatty = lambda: True  # type: ignore[method-assign]
    bar = TerminalBar(stream)
    bar(1.0, "whole")
    assert "100%" in stream.getvalue() and "whole" in stream.getvalue()


def test_version_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "forensia", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Forensia ")

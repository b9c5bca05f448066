"""`forensia --self-test`: its quick parts for real, and what it says when something is missing. The whole runs in packaging/smoke.py."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from forensia import cli, licences, paths, selftest
from forensia.errors import InputError
from forensia.jobs import TerminalBar

Step = Callable[[Path, TerminalBar], str]


def works(folder: Path, bar: TerminalBar) -> str:
    return "works"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the parts that take long."""
    for step in ("_sample", "_report", "_verification", "_worker", "_experiment", "_window"):
        monkeypatch.setattr(selftest, step, works)


def test_resources_and_child_process_work(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--self-test"]) == 0
    told = capsys.readouterr().err
    assert "1/8" in told and "8/8" in told and told.endswith("Everything works.\n")


def test_a_part_that_does_not_work_is_named(
    quick: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(folder: Path, bar: TerminalBar) -> str:
        raise InputError("The language model is gone.")

    monkeypatch.setattr(selftest, "_sample", broken)
    assert cli.run(["--self-test"]) == 1
    told = capsys.readouterr().err
    assert "the sample case: does not work" in told and "The language model is gone." in told
    assert "Everything works" not in told


def test_missing_resources_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    with pytest.raises(selftest.Broken, match=r"meta\.json"):
        selftest._resources(tmp_path, TerminalBar())


def test_every_catalogue_of_sentences_is_looked_for() -> None:
    there = {file.stem for file in (paths.resources() / "wording").glob("*.toml")}
    assert there == set(selftest._CATALOGUES)


def test_missing_licences_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(licences, "parts", lambda: (licences.LicencePart("Python", "3", "PSF-2.0"),))
    with pytest.raises(selftest.Broken, match="licences"):
        selftest._resources(tmp_path, TerminalBar())


def test_the_users_own_folders_are_left_alone(
    quick: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = os.environ.get("FORENSIA_HOME")
    seen: list[Path] = []

    def step(folder: Path, bar: TerminalBar) -> str:
        seen.append(folder)
        assert paths.config_dir().is_relative_to(folder)
        return "works"

    monkeypatch.setattr(selftest, "_window", step)
    assert cli.run(["--self-test"]) == 0
    assert os.environ.get("FORENSIA_HOME") == home
    assert seen and not seen[0].exists()


def test_what_was_made_can_be_kept(quick: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def step(folder: Path, bar: TerminalBar) -> str:
        (folder / "demo").mkdir()
        (folder / "demo" / "report.pdf").write_bytes(b"%PDF")
        return "works"

    monkeypatch.setattr(selftest, "_sample", step)
    assert cli.run(["--self-test", "--keep", str(tmp_path / "kept"), "--json", str(tmp_path / "found.json")]) == 0
    assert (tmp_path / "kept" / "report.pdf").read_bytes() == b"%PDF"
    assert '"bundle": false' in (tmp_path / "found.json").read_text("utf-8")

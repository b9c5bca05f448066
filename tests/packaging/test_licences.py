"""`forensia --licenses`: complete, and asked of the libraries themselves."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from forensia import cli, licences

ROOT = Path(__file__).parents[2]


def test_every_dependency_is_listed_with_a_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    direct = {re.split(r"[<>=!~ ]", text)[0].lower().replace("_", "-") for text in project["dependencies"]}
    found = {part.name.lower().replace("_", "-"): part for part in licences.libraries()}
    assert direct <= set(found)
    assert {"shiboken6", "thinc", "pillow", "contourpy"} <= set(found), "what the libraries need counts too"
    assert not {"pytest", "ruff", "mypy"} & set(found), "what only the tests need is not in the program"
    assert [part.name for part in found.values() if part.licence == licences.UNKNOWN] == []
    assert all(len(part.licence) <= 80 and "\n" not in part.licence for part in found.values())


def test_python_and_the_language_model_are_named() -> None:
    names = {part.name.split()[0]: part for part in licences.parts()}
    assert names["Python"].licence == "PSF-2.0"
    assert names["English"].licence == "CC-BY-SA-4.0" and names["English"].texts


def test_the_licence_of_the_program_is_stated_everywhere_alike() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["license"] == "BSD-3-Clause AND CC-BY-SA-4.0", "the language model keeps its own"
    assert all((ROOT / name).is_file() for name in project["project"]["license-files"])
    assert {"LICENSE", "CONTRIBUTING.md"} <= set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("BSD 3-Clause License")
    assert "BSD-3-Clause" in licences.listing() and "BSD-3-Clause" in (ROOT / "README.md").read_text("utf-8")


def test_texts_come_with_the_list() -> None:
    text = "".join(licences.full_text())
    assert text.startswith(licences.listing())
    assert "NumPy Developers" in text and text.count("Permission is hereby granted") > 5


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--licenses"]) == 0
    assert capsys.readouterr().out == licences.listing()
    assert cli.run(["--licenses", "--texts"]) == 0
    assert len(capsys.readouterr().out) > 100_000
    with pytest.raises(SystemExit) as exit_:
        cli.run(["--help"])
    told = capsys.readouterr().out
    assert exit_.value.code == 0 and "--licenses" in told and "--self-test" in told


def test_unknown_library_is_no_error() -> None:
    assert licences.libraries("there-is-no-such-library") == ()

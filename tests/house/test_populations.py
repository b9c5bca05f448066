"""`forensia population`: from a folder to a file, and from a file to what is said of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from forensia import cli, paths
from support.pdf import pages_of


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory, ten_authors: Path) -> Path:
    target = tmp_path_factory.mktemp("made") / "sample.population"
    assert cli.run(["population", "make", str(ten_authors), "-o", str(target), "--describe", "Letters, 2020s"]) == 0
    return target


def test_making_says_what_was_made(
    tmp_path: Path, ten_authors: Path, population: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, found = tmp_path / "hidden.population", tmp_path / "found.json"
    words = ["population", "make", str(ten_authors), "-o", str(target), "--pseudonyms", "--json", str(found)]
    assert cli.run(words) == 0
    said = capsys.readouterr().err
    assert "50 texts by 10 authors under pseudonyms" in said and "put together again" in said
    made = json.loads(found.read_text("utf-8"))
    assert made["authors"] == 10 and len(made["texts"]) == 50 and made["against"] == []
    assert {text["author"] for text in made["texts"]} == {f"author {number}" for number in range(1, 11)}
    assert cli.run(words) == 1
    assert "already" in capsys.readouterr().err


def test_each_text_an_occasion_of_its_own_needs_a_reason(
    tmp_path: Path, ten_authors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, found = tmp_path / "a.population", tmp_path / "found.json"
    words = ["population", "make", str(ten_authors), "-o", str(target), "--sources", "each"]
    assert cli.run(words) == 1 and "--because" in capsys.readouterr().err
    assert cli.run([*words, "--because", "letters over six years", "--json", str(found)]) == 0
    assert "letters over six years" in capsys.readouterr().err
    assert len({tuple(text["sources"]) for text in json.loads(found.read_text("utf-8"))["texts"]}) == 50


def test_showing_one_against_a_text(tmp_path: Path, population: Path, capsys: pytest.CaptureFixture[str]) -> None:
    disputed = next((paths.sample_case() / "disputed").glob("*.txt"))
    found = tmp_path / "found.json"
    assert cli.run(["population", "show", str(population), "--against", str(disputed), "--json", str(found)]) == 0
    assert "Letters, 2020s" in capsys.readouterr().err
    (one,) = json.loads(found.read_text("utf-8"))["against"]
    assert one["codes"] == ["population-few-texts"] and one["words"] > 100, "fifty texts are too few to tell"


def test_showing_one_against_a_case(
    tmp_path: Path, population: Path, validated_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.json"
    assert cli.run(["population", "show", str(population), "--against", str(validated_case), "--json", str(found)]) == 0
    against = json.loads(found.read_text("utf-8"))["against"]
    assert sum("population-has-text" in each["codes"] for each in against) == 10, "its authors have the same texts"
    assert f"of {len(against)} (disputed texts, and authors" in capsys.readouterr().err


def test_what_is_no_population(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.population").write_bytes(b"PK")
    assert cli.run(["population", "show", str(tmp_path / "a.population")]) == 1
    assert "not a Forensia population" in capsys.readouterr().err
    assert cli.run(["population", "show", str(tmp_path / "none.population")]) == 1


def test_training_with_one(tmp_path: Path, population: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One candidate and a population of counts: trained, asked, verified; a text of the population cannot be in dispute."""
    sample, found, case = paths.sample_case(), tmp_path / "found.json", tmp_path / "one.forensia"
    candidate = sorted(each.name for each in (sample / "known").iterdir() if each.is_dir())[-1]
    known = tmp_path / "known"
    shutil.copytree(sample / "known" / candidate, known / candidate)
    words = ["train", str(known), "--layout", "authors", "--population", str(population), "--quick", "-o", str(case)]
    assert cli.run([*words, "--json", str(found)]) == 0
    said = capsys.readouterr().err
    assert "Letters, 2020s" in said, "what the population is"
    disputed = sorted((sample / "disputed").glob("*.txt"))[0]
    assert cli.run(["analyse", str(case), str(disputed), "--json", str(found)]) == 0
    (text,) = json.loads(found.read_text("utf-8"))["documents"]
    assert [each["author"] for each in text["ranking"]] == [candidate], "nobody of the population is ranked"
    assert any("came as counts" in each for each in text["warnings"])
    assert cli.run(["verify", str(case)]) == 0
    assert cli.run(["report", str(case), "--json", str(found)]) == 0
    pages = " ".join(" ".join(pages_of(case.with_suffix(".pdf").read_bytes())).split())
    assert "known texts by 1 author," in pages and "the reference population came as counts" in pages
    assert "'sample': Letters, 2020s. 50 texts by 10 authors who are no candidates" in pages
    assert "there is nobody to compare with" not in pages and "relative ranking" not in pages

"""What is claimed against what is found: the command runs, goes on where it stopped, and its figures are those of the parts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from forensia import paths
from forensia.bench import honesty
from forensia.bench.comparedsets import ComparedSet, ComparedTexts, read_set

SET = "arxiv_single_author"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample case as a pack: ten authors of whom seven texts are known, and two whom nobody listed."""
    folder = tmp_path_factory.mktemp("packs") / SET
    rows = []
    for place, author in enumerate(sorted((paths.sample_case() / "known").iterdir())):
        for number, text in enumerate(sorted(author.rglob("*.txt"))):
            file = folder / author.name / f"{number}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.read_bytes())
            split = "train" if number < 7 else "test"
            rows.append([author.name, f"{author.name}/{number}.txt", split, "open" if place >= 10 else "closed"])
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["author", "file", "split", "role"], *rows])
    return folder.parent


@pytest.fixture(scope="module")
def texts(data: Path, tmp_path_factory: pytest.TempPathFactory) -> ComparedTexts:
    return read_set(data / SET, ComparedSet(SET, SET), tmp_path_factory.mktemp("place"))


def test_claimed_and_found(data: Path, texts: ComparedTexts) -> None:
    done = honesty.Validated.of(texts, texts.codes)
    row = honesty.held_out(data / SET, texts)
    first = done.rung.calibration.z(done.system.scores(texts.disputed)).argmax(axis=1)
    assert row["first"] == {"claimed": done.claimed, "found": np.mean(first == texts.truth)}
    assert min(row["first"].values()) > 0.7 and row["cllr_listed"]["found"] < 0.5
    assert row["outsiders_supported"]["found"] is not None and row["cllr_unlisted"]["found"] < 1
    given, right = row["opinions"]["found"]
    assert 0 <= given <= 1 and (right is None) == (given == 0)


def test_nothing_is_found_where_there_is_nothing(data: Path, texts: ComparedTexts) -> None:
    row = honesty.shuffled(data / SET, texts)
    assert row["chance"] == pytest.approx(0.1)
    assert row["first"] < 0.3 and row["cllr_listed"] > 0.9 and row["opinions"] < 0.1


def test_what_is_missed_without_a_family(data: Path, texts: ComparedTexts) -> None:
    row = honesty.families(data / SET, texts)
    scores = honesty.Validated.of(texts, texts.codes).rung.scores
    loss, first = honesty._told(scores.without(1))
    assert list(row["without"])[1] == "words"
    assert row["without"]["words"] == {"loss": loss - row["loss"], "first": first - row["first"]}
    assert 0 < row["loss"] < np.log(10) and row["first"] > 0.7


def test_rows_are_kept_and_not_computed_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert honesty.main([str(data), str(out), "--set", SET, "--check", "held-out"]) == 0
    (row,) = json.loads(out.read_text("utf-8"))
    monkeypatch.setattr(honesty, "read_set", None)  # nothing is left to be read
    assert honesty.main([str(data), str(out), "--set", SET, "--check", "held-out"]) == 0
    capsys.readouterr()
    assert honesty.main([str(data), str(out), "--table"]) == 0
    told = capsys.readouterr().out
    assert f"{row['first']['claimed']:.3f} / {row['first']['found']:.3f}" in told and SET in told

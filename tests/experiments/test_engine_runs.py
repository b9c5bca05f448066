"""Whole experiments: resumed, stopped, in several processes or one, on the command line; what they give is always the same."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from forensia import cli
from forensia.errors import Cancelled, InputError, StorageError
from forensia.experiments import figures, runner, unitrun
from forensia.experiments.plans import EXTRA_METHODS, Plan, parse_plan
from forensia.experiments.resultsfile import DONE, FAILED, WAITING, ResultsFile
from forensia.experiments.resulttables import lines
from forensia.experiments.tablefiles import results_csv, runs_csv
from forensia.experiments.units import UnitOutcome

TOML = """
name = "small"
title = "Small"
runs = 2
data = ["{data}"]
[[part]]
tasks = ["aa", "sav-closed"]
methods = ["Lazy AA", "STD-AA", "DV-Bin", "STD-CosDist"]
m = [3]
q = [3, 5]
pairs = 15
keep_scores = true
"""


HELD = """
import sys, time
from forensia.experiments.resultsfile import ResultsFile
save = ResultsFile.save

def save_one(self, unit, outcome):
    save(self, unit, outcome)
    while True:
        time.sleep(1)

ResultsFile.save = save_one
from forensia.__main__ import main
sys.exit(main())
"""


def tables(place: Path) -> tuple[str, str]:
    """The final tables of a results file, to be compared to the last byte."""
    with ResultsFile.open(place) as results:
        return results_csv(lines(results.records)), runs_csv(results.records)


def finished(place: Path) -> int:
    """How many runs have ended, as another program sees it."""
    try:
        with sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM units WHERE state = 'done'").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.fixture(scope="module")
def whole(small_plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plan run in one go, in one process."""
    place = tmp_path_factory.mktemp("whole") / "results.sqlite"
    told: list[str] = []
    summary = runner.run(small_plan, place, jobs=1, told=told.append)
    assert (summary.done, summary.new, summary.failed) == (4, 4, ())
    assert "4 runs are to be made" in told[0] and "Estimate" in told[0]
    return place


def test_everything_is_there_and_nothing_else_is_left(whole: Path) -> None:
    assert [file.name for file in whole.parent.iterdir()] == ["results.sqlite"]
    assert whole.stat().st_mode & 0o077 == 0
    with ResultsFile.open(whole) as results:
        records, scores, timings = results.records, results.scores, results.timings
        assert all(state.state == DONE and state.cpu_s > 0 for state in results.states)
    assert {(record.task, record.method) for record in records if record.measure in ("macro_f1", "accuracy")} == {
        ("aa", "Lazy AA"), ("aa", "STD-AA"), ("sav-closed", "DV-Bin"), ("sav-closed", "STD-CosDist"),
    }  # fmt: skip
    assert {record.scores.method for record in scores} == {"DV-Bin", "STD-CosDist"}
    assert {len(record.scores.same) for record in scores} == {9}  # 3 authors, 3 test documents each
    assert {each.method for each in timings} >= {"features", "Lazy AA", "DV-Bin"}
    assert all(0 <= record.value <= 1 for record in records)
    assert sum(record.value for record in records if record.method == "Lazy AA") / 8 > 0.7


def test_the_variants_of_the_baselines_run_when_a_plan_names_them(made_up: Path, tmp_path: Path) -> None:
    part = {"tasks": ["sav-closed", "sav-open"], "methods": list(EXTRA_METHODS["sav-open"]), "m": 3, "q": 5, "pairs": 9}
    plan = parse_plan({"name": "variants", "data": [str(made_up)], "runs": 1, "part": [{**part, "keep_scores": True}]})
    place = tmp_path / "variants.sqlite"
    assert runner.run(plan, place, jobs=1).failed == ()
    with ResultsFile.open(place) as results:
        records, timings, drawn = results.records, results.timings, figures.drawings(results)
        (size,) = results.sizes
    asked = {(task, method) for task in part["tasks"] for method in EXTRA_METHODS[task]}
    assert {(record.task, record.method) for record in records if record.measure == "accuracy"} == asked
    assert {each.method for each in timings} == {"features", *EXTRA_METHODS["sav-open"]}
    assert (size.train, size.pairs, size.test) == (15, None, 9), "no DV-Bin was needed"
    assert {"scores-sav-closed", "scores-sav-open"} <= set(drawn)


def test_two_processes_give_the_same_numbers_as_one(whole: Path, small_plan: Plan, tmp_path: Path) -> None:
    place = tmp_path / "two.sqlite"
    runner.run(small_plan, place, jobs=2)
    assert tables(place) == tables(whole)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_and_run_again_the_tables_are_the_same(whole: Path, made_up: Path, tmp_path: Path) -> None:
    place, plan = tmp_path / "killed.sqlite", tmp_path / "small.toml"
    plan.write_text(TOML.format(data=made_up.as_posix()), "utf-8")
    words = ["experiment", "run", str(plan), "--jobs", "1", "-o", str(place)]
    held, command = [sys.executable, "-c", HELD, *words], [sys.executable, "-m", "forensia", *words]
    with subprocess.Popen(held, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2]) as running:
        while not finished(place):
            assert running.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        os.kill(running.pid, signal.SIGKILL)
    assert finished(place) == 1
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]).stderr
    assert "3 runs are to be made (1 are done)" in told
    assert tables(place) == tables(whole)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["killed.sqlite", "small.toml"]


def test_cancelled_keeps_what_has_ended_and_goes_on_from_there(whole: Path, small_plan: Plan, tmp_path: Path) -> None:
    place = tmp_path / "cancelled.sqlite"

    def progress(fraction: float, message: str = "") -> None:
        if message.startswith("2 of"):
            raise Cancelled

    with pytest.raises(Cancelled):
        runner.run(small_plan, place, jobs=1, progress=progress)
    with ResultsFile.open(place) as results:
        states = [state.state for state in results.states]
    assert states.count(DONE) == 2 and states.count(WAITING) == 2
    assert (tmp_path / "cancelled.sqlite.work").is_dir()  # the counts are not made again
    summary = runner.run(small_plan, place, jobs=1)
    assert (summary.done, summary.new) == (4, 2)
    assert tables(place) == tables(whole)
    assert not (tmp_path / "cancelled.sqlite.work").exists()


def test_more_runs_are_added_to_what_is_there(whole: Path, small_plan: Plan, tmp_path: Path) -> None:
    place = tmp_path / "more.sqlite"
    shutil.copy(whole, place)
    summary = runner.run(replace(small_plan, runs=1), place)
    assert (summary.done, summary.new) == (2, 0)
    summary = runner.run(small_plan, place)
    assert (summary.done, summary.new) == (4, 0)
    assert tables(place) == tables(whole)


def test_parts_on_the_same_samples_share_their_runs(whole: Path, small_plan: Plan, tmp_path: Path) -> None:
    part = small_plan.parts[0]
    first = replace(part, tasks=("aa",), methods=("Lazy AA", "STD-AA"))
    second = replace(part, tasks=("sav-closed",), methods=("DV-Bin", "STD-CosDist"))
    place = tmp_path / "shared.sqlite"
    summary = runner.run(replace(small_plan, parts=(first, second)), place)
    assert (summary.done, summary.new, summary.failed) == (4, 4, ())
    assert tables(place) == tables(whole)
    readings, _ = runner.read_data(small_plan, None)

    def asked(q: int) -> list[tuple[int, tuple[str, ...]]]:
        plan = replace(small_plan, parts=(first, replace(second, q=(q,))), runs=1)
        return sorted((each.unit.draw.q, each.unit.tasks) for each in runner.listed(plan, readings))

    assert asked(5) == [(3, ("aa",)), (5, ("aa", "sav-closed"))]
    assert asked(3) == [(3, ("aa",)), (3, ("sav-closed",)), (5, ("aa",))], "another largest q draws other authors"
    native = replace(part, tasks=("native-av",), methods=())
    assert len(runner.listed(replace(small_plan, parts=(part, native)), readings)) == 8


def test_a_run_that_fails_is_told_and_tried_again(
    small_plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "failed.sqlite"
    plan = replace(small_plan, runs=1)
    told: list[str] = []
    monkeypatch.setattr(
        sys, "frozen", True, raising=False
    )  # threads, so that the patch below holds where the work is done
    work = unitrun.UnitRun.run

    def out_of_memory(run: unitrun.UnitRun) -> UnitOutcome:
        if run.unit.draw.q == 3:
            raise MemoryError
        return work(run)

    monkeypatch.setattr(unitrun.UnitRun, "run", out_of_memory)
    summary = runner.run(plan, place, told=told.append)
    assert summary.done == 1 and len(summary.failed) == 1 and "memory" in summary.failed[0]
    assert [text for text in told if text.startswith("Failed: letters, paper, m = 3, q = 3, run 0")]
    with ResultsFile.open(place) as results:
        assert [state.state for state in results.states] == [FAILED, DONE]
    monkeypatch.setattr(unitrun.UnitRun, "run", work)
    assert runner.run(plan, place).done == 2


def test_what_is_not_feasible_is_said(small_plan: Plan, tmp_path: Path) -> None:
    part = replace(small_plan.parts[0], m=(3, 8), q=(5, 50))
    readings, _ = runner.read_data(small_plan, None)
    units = runner.listed(replace(small_plan, parts=(part,), runs=1), readings)
    assert [(each.unit.draw.m, each.unit.draw.q, bool(each.impossible)) for each in units] == [
        (3, 5, False), (3, 50, True), (8, 5, True), (8, 50, True),
    ]  # fmt: skip
    assert "fewer than 8 authors" in units[2].impossible
    with ResultsFile.write(tmp_path / "impossible.sqlite") as results:
        results.register(small_plan.plain(), [], [(each.unit, each.cost, each.impossible) for each in units])
        assert [state.state for state in results.states].count(WAITING) == 1


def test_a_results_file_is_not_mixed_up_with_another(whole: Path, small_plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="of the plan 'small'"):
        runner.run(replace(small_plan, name="other"), whole)
    (tmp_path / "text.sqlite").write_text("not a database", "utf-8")
    with pytest.raises(InputError, match="not a results file"):
        ResultsFile.open(tmp_path / "text.sqlite")
    sqlite3.connect(tmp_path / "foreign.sqlite").executescript("CREATE TABLE units (x)").connection.close()
    with pytest.raises(InputError, match="not a results file"):
        runner.run(small_plan, tmp_path / "foreign.sqlite")
    with ResultsFile.write(tmp_path / "busy.sqlite"), pytest.raises(StorageError, match="Another experiment"):
        ResultsFile.write(tmp_path / "busy.sqlite")
    with pytest.raises(StorageError, match="folder is missing"):
        ResultsFile.write(tmp_path / "no" / "such" / "folder.sqlite")


def test_missing_data_are_named(small_plan: Plan, tmp_path: Path) -> None:
    part = replace(small_plan.parts[0], data=("IMDB62",))
    with pytest.raises(InputError, match=r"IMDB62.*--data.*--corpus"):
        runner.run(replace(small_plan, parts=(part,)), tmp_path / "x.sqlite", data=tmp_path)
    both = replace(small_plan.parts[0], data=("IMDB62", *small_plan.data))
    readings, notes = runner.read_data(replace(small_plan, parts=(both,)), tmp_path)
    assert len(readings) == 1 and "IMDB62 is not in" in notes[0]


def test_the_command_line_from_start_to_end(made_up: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, place, out = tmp_path / "tiny.toml", tmp_path / "tiny.sqlite", tmp_path / "out"
    plan.write_text(
        'name = "tiny"\ndata = ["IMDB62"]\nruns = 1\nprofiles = ["paper", "forensic"]\n[[part]]\ntasks = ["aa", "sav-closed", "sav-open"]\n'
        'm = 3\nq = 5\npairs = 12\nkeep_scores = true\n[[part]]\ntasks = ["native-av"]\nm = [3]\nq = [4]\n',
        "utf-8",
    )
    run = ["experiment", "run", str(plan), "--corpus", str(made_up), "--jobs", "2", "-o", str(place)]
    assert cli.run([*run, "--json", str(tmp_path / "run.json")]) == 0
    found = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert found["done"] == 4 and found["failed"] == []
    assert "Estimate" in capsys.readouterr().err
    assert cli.run(["experiment", "tables", str(place), "-o", str(out), "--json", str(tmp_path / "tables.json")]) == 0
    shown = capsys.readouterr().err
    assert "Natively binary verification: macro-F1" in shown and "Impostors (forensic)" in shown
    with (out / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stored = json.loads((tmp_path / "tables.json").read_text("utf-8"))["lines"]
    assert [float(row["mean"]) for row in rows] == pytest.approx([line["mean"] for line in stored], abs=1e-6)
    assert {row["data"] for row in rows} == {"letters"} and {row["profile"] for row in rows} == {"paper", "forensic"}
    assert (out / "aa-macro_f1.tex").read_text("utf-8").startswith("\\begin{table}")
    assert "Processor seconds" in (out / "timings.tex").read_text("utf-8")
    assert cli.run(["experiment", "figures", str(place), "--png", "--svg", "--pdf", "-o", str(out)]) == 0
    heads = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    drawn = [file for file in out.iterdir() if file.suffix in heads]
    assert all(file.read_bytes().startswith(heads[file.suffix]) for file in drawn)
    names = {file.name for file in drawn}
    assert {"aa-macro_f1.png", "native-av-macro_f1.svg", "scores-sav-open.pdf", "scores-sav-closed.png"} <= names
    assert cli.run(["experiment", "tables", str(tmp_path / "none.sqlite"), "-o", str(out)]) == 1
    assert "There is no results file" in capsys.readouterr().err

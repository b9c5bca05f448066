"""What the reference would take for a sweep, reckoned from a few sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forensia.bench import sweepcost
from forensia.bench.sweepcost import SCORING, STANDARD, TRAINING, SweepRun, pairs, reckoned, runs_of
from forensia.experiments import runner
from forensia.experiments.plans import Plan
from forensia.experiments.resultsfile import ResultsFile


def rows() -> list[dict[str, Any]]:
    """A reference whose training grows linearly with the pairs, whose STD-AA as the square of the documents."""
    return [
        {
            "stage": stage,
            "corpus": "letters",
            "m": m,
            "q": q,
            "forensia_cpu_s": 1.0,
            "reference_cpu_s": seconds,
            "ratio": 1,
        }
        for m, q in sweepcost.SIZES
        for stage, seconds in (
            (TRAINING, 0.01 * pairs(m, q)),
            (SCORING, 0.002 * m * q),
            (STANDARD, 1e-5 * (m * q) ** 2),
        )
    ]


def test_pairs_are_those_of_the_paper() -> None:
    assert pairs(20, 50) == 49_000
    assert pairs(25, 100) == 100_000, "capped"


def test_other_sizes_are_reckoned_by_the_growth_that_was_measured() -> None:
    found = reckoned(rows()).seconds(SweepRun("letters", 20, 50, 300, 1.0))
    assert found == pytest.approx(0.01 * 49_000 + 1e-5 * 1000**2 + 0.002 * (1000 * 999 / 2 + 300 * 1000))


def test_every_run_of_a_sweep_counts(
    small_plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "small.sqlite"
    runner.run(small_plan, place)
    with ResultsFile.open(place) as results:
        runs = runs_of(results)
        whole = sum(state.cpu_s for state in results.states)
        cosine = sum(each.cpu_s for each in results.timings if each.method == "STD-CosDist")
    assert sorted((run.m, run.q) for run in runs) == [(3, 3), (3, 3), (3, 5), (3, 5)]
    assert all(run.test > 0 and run.cpu_s > 0 for run in runs)
    monkeypatch.setitem(sweepcost.KNOWN, runs[0].data, ("letters",))  # type: ignore[arg-type]
    (tmp_path / "letters").mkdir()
    answers = iter(rows())
    monkeypatch.setattr(sweepcost, "measure", lambda stage, task: next(answers))
    assert sweepcost.main([str(place), "--data", str(tmp_path)]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    total = sum(reckoned(rows()).seconds(run) for run in runs)
    assert said[-1]["runs"] == 4
    assert cosine > 0, "verification on the same samples, which is no part of attribution"
    assert sum(run.cpu_s for run in runs) == pytest.approx(whole - cosine)
    assert said[-1]["forensia_cpu_s"] == pytest.approx(whole - cosine, abs=0.1)
    assert said[-1]["reference_cpu_s"] == pytest.approx(total, abs=0.1)

"""The fused ranking beside the paper's methods: a table says of it what a direct computation says, and it runs where it is trained."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest

from forensia import cli
from forensia.errors import SettingsError
from forensia.evidence.crossfit import with_copies
from forensia.evidence.measures import macro_f1
from forensia.experiments import datasets, figures, runner
from forensia.experiments.learning import Learning
from forensia.experiments.plans import Plan, load_plan, methods_of, parse_plan
from forensia.experiments.resultsfile import ResultsFile
from forensia.experiments.resulttables import result_tables
from forensia.experiments.units import Clock, Draw, Unit, draw
from forensia.features import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES, Counts, count_documents
from forensia.language import load_model
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.leaving_out import rounds

SEED, RUNS, M, Q = 4, 2, 3, 6
METHODS = ("Lazy AA", "STD-AA", "fused")


@pytest.fixture(scope="module")
def sourced(made_up: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up authors, whose texts are from three sources each."""
    place = tmp_path_factory.mktemp("sourced") / "letters"
    for file in made_up.rglob("*.txt"):
        source = place / file.parent.name / f"book {int(file.stem) % 3}"
        source.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, source)
    return place


@pytest.fixture(scope="module")
def reading(sourced: Path) -> datasets.Reading:
    return datasets.read_dataset(str(sourced), sourced)


@pytest.fixture(scope="module")
def counts(reading: datasets.Reading) -> Counts:
    return count_documents(reading.documents, load_model(), EVERY_FAMILY)


def stated(data: Path, **more: Any) -> dict[str, Any]:
    part = {"tasks": ["aa"], "methods": list(METHODS), "m": M, "q": Q}
    whole = {"name": "both", "data": [str(data)], "runs": RUNS, "seed": SEED, "profiles": ["paper", "forensic"]}
    return {**whole, "part": [part], **more}


@pytest.fixture(scope="module")
def place(sourced: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan in both profiles; the texts are counted once for all runs, in all families."""
    asked: list[Sequence[str]] = []

    def counting(documents: Any, model: Any, families: Sequence[str], **more: Any) -> Counts:
        asked.append(tuple(families))
        return count_documents(documents, model, families, **more)

    target = tmp_path_factory.mktemp("results") / "both.sqlite"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(datasets, "count_documents", counting)
        assert runner.run(parse_plan(stated(sourced)), target, jobs=1).failed == ()
    assert asked == [EVERY_FAMILY]
    return target


def directly(reading: datasets.Reading, counts: Counts, rows: Any, seed: int, *, by_source: bool) -> FusedSystem:
    """The system of some training texts, by the functions of the room of systems alone."""
    authors = [reading.documents[row].author for row in rows]
    numbers = np.array([list(dict.fromkeys(authors)).index(author) for author in authors])
    sources = [reading.documents[row].sources if by_source else () for row in rows]
    together = with_copies(authors, sources, counts.rows(rows))
    return fit_fused(counts.rows(rows), numbers, [rounds(numbers, together, seed)], FUSED_FAMILIES)[0]


def test_a_cell_of_the_table_is_what_a_direct_computation_says(
    place: Path, reading: datasets.Reading, counts: Counts, tmp_path: Path
) -> None:
    found = []
    for run in range(RUNS):
        sample = draw(reading.roster, Draw(M, Q, Q, SEED + run))
        authors = [reading.documents[row].author for row in sample.train]
        ranked = directly(reading, counts, sample.train, SEED + run, by_source=True).z(counts.rows(sample.test))
        given = [list(dict.fromkeys(authors))[column] for column in ranked.argmax(axis=1)]
        truth = [reading.documents[row].author for row in sample.test]
        found.append(macro_f1(truth, given, classes=sorted(set(truth))))
    with ResultsFile.open(place) as results:
        table = next(each for each in result_tables(results) if each.name == "aa-macro_f1")
    cells = {row[0]: row[1:3] for row in table.rows}
    assert cells["fused (forensic)"] == (f"{mean(found):.3f}", f"{stdev(found):.3f}")
    assert list(cells) == ["Lazy AA (paper)", "STD-AA (paper)", *(f"{method} (forensic)" for method in METHODS)]
    out = tmp_path / "tables"
    assert cli.run(["experiment", "tables", str(place), "-o", str(out), "--csv", "--latex"]) == 0
    with (out / "results.csv").open(encoding="utf-8") as file:
        (row,) = (row for row in csv.DictReader(file) if row["method"] == "fused" and row["measure"] == "macro_f1")
    assert float(row["mean"]) == pytest.approx(mean(found)) and row["profile"] == "forensic"
    assert "fused (forensic)" in (out / "aa-macro_f1.tex").read_text("utf-8")
    assert ",fused," in (out / "timings.csv").read_text("utf-8")


def test_sources_are_left_out_together(reading: datasets.Reading, counts: Counts) -> None:
    """As in a validation; a model that is tried with the help of the same book would be weighed another way."""
    rows = draw(reading.roster, Draw(M, Q, Q, SEED)).train
    unit = Unit("letters", "f", "forensic", ("aa",), (("fused",),), 0, Draw(M, Q, Q, SEED))
    labels = reading.roster.codes[rows].astype(np.int64)
    for sources in ([reading.roster.sources[row] for row in rows], ()):
        learning = Learning(counts.rows(rows), labels, unit.rules, SEED, Clock(), sources=sources)
        same = [
            np.array_equal(
                learning.fused.fusion.to_array(),
                directly(reading, counts, rows, SEED, by_source=by_source).fusion.to_array(),
            )
            for by_source in (True, False)
        ]
        assert same == [bool(sources), not sources]


def test_the_legend_names_it(place: Path) -> None:
    with ResultsFile.open(place) as results:
        drawn = figures.drawings(results)["aa-macro_f1"]
    assert "fused (forensic)" in {label.get_text() for axes in drawn.figure.axes for label in axes.get_yticklabels()}


def test_it_runs_in_the_profile_that_trains_it(sourced: Path) -> None:
    """Without `methods` it stands beside those of the paper; the paper's profile does not know it, and counts as before."""
    plan = parse_plan({**stated(sourced), "part": [{"tasks": ["aa", "sav-closed"], "m": M, "q": Q}]})
    (part,) = plan.parts
    assert part.of("aa", "forensic") == (*part.of("aa", "paper"), "fused")
    assert part.of("sav-closed", "forensic") == part.of("sav-closed", "paper")
    for profile, families in (("paper", FAMILIES), ("forensic", EVERY_FAMILY)):
        methods = tuple(part.of(task, profile) for task in part.tasks)
        assert Unit("d", "f", profile, part.tasks, methods, 0, Draw(M, Q, Q, 0)).families == families
    assert methods_of("aa").index("fused") == 4, "after the paper's, before those that a plan must name"
    for name in ("quick-aa", "paper-aa"):
        own = load_plan(name)
        assert ("fused" in {each for profile in own.profiles for each in own.parts[0].of("aa", profile)}) == (
            "forensic" in own.profiles
        )


def test_alone_it_makes_no_runs_in_the_papers_profile(sourced: Path, reading: datasets.Reading) -> None:
    alone = {"tasks": ["aa"], "methods": ["fused"], "m": M, "q": Q}
    plan: Plan = parse_plan(stated(sourced, part=[alone]))
    units = runner.listed(plan, {str(sourced): reading})
    assert [each.unit.profile for each in units] == ["forensic"] * RUNS
    with pytest.raises(SettingsError, match=r'fused is not for its profiles\. Add "forensic" to profiles'):
        parse_plan(stated(sourced, part=[alone], profiles=["paper"]))

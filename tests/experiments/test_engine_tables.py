"""What is made of results: tests of significance, marks, tables as CSV and LaTeX, figures, and the cost."""

from __future__ import annotations

import csv
import io
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forensia.errors import SettingsError
from forensia.experiments import figures, resulttables
from forensia.experiments.plans import ALL, EXTRA_METHODS, HALF, TASKS, built_in, load_plan, parse_plan
from forensia.experiments.resultsfile import Record, ResultsFile, ScoreRecord
from forensia.experiments.resulttables import ResultTable, lines, printed, printed_sizes, result_tables, size_table
from forensia.experiments.tablefiles import (
    inert,
    results_csv,
    runs_csv,
    to_csv,
    to_latex,
    to_text,
    write_tables,
)
from forensia.experiments.units import (
    Draw,
    Estimate,
    PlanSize,
    Timing,
    Unit,
    UnitOutcome,
    UnitScores,
    Value,
    estimate,
    spoken,
    unit_cost,
)

values = st.lists(st.floats(0, 1).map(lambda value: round(value, 3)), min_size=3, max_size=12)


# --- significance ---------------------------------------------------------------------------------------------------


@given(values, st.integers(0, 1000))
def test_the_paired_test_is_that_of_scipy(one: list[float], seed: int) -> None:
    other = np.array(one) + np.random.default_rng(seed).normal(0, 0.1, len(one))
    assert resulttables.paired(one, other) == pytest.approx(float(stats.ttest_rel(one, other).pvalue), abs=1e-9)


def test_the_corrected_test_is_that_of_nadeau_and_bengio() -> None:
    one, other = [0.81, 0.79, 0.84, 0.80, 0.77], [0.78, 0.78, 0.80, 0.79, 0.77]
    d = np.array(one) - np.array(other)
    t = d.mean() / math.sqrt((1 / 5 + 0.3 / 0.7) * d.var(ddof=1))
    assert resulttables.corrected(one, other, 0.3 / 0.7) == pytest.approx(2 * stats.t.sf(abs(t), 4))
    assert resulttables.corrected(one, other, 0.0) == pytest.approx(float(stats.ttest_rel(one, other).pvalue))


def test_equal_and_always_different_runs_and_a_single_one() -> None:
    assert resulttables.paired([0.5, 0.6], [0.5, 0.6]) == 1.0
    assert resulttables.paired([0.5, 0.6], [0.4, 0.5]) == 0.0
    assert resulttables.paired([0.5], [0.4]) is None


@pytest.mark.parametrize(("p", "stars"), [(0.5, "**"), (0.05, "*"), (0.01, "*"), (0.001, ""), (1e-9, ""), (None, "")])
def test_marks(p: float | None, stars: str) -> None:
    assert resulttables.mark(p) == stars


@given(st.lists(values.map(lambda each: each[:3]), min_size=2, max_size=5))
def test_the_best_has_the_highest_mean_and_the_others_are_compared_with_it(runs: list[list[float]]) -> None:
    names = [f"method {number}" for number in range(len(runs))]
    best, compared = resulttables.compare(names, runs, 0.4)
    means = [np.mean(each) for each in runs]
    assert means[names.index(best)] == max(means)
    assert set(compared) == set(names) - {best}
    for name, found in compared.items():
        assert found.p is not None and found.corrected is not None
        assert found.corrected >= found.p - 1e-12, name  # the correction sees fewer differences, never more


# --- tables ----------------------------------------------------------------------------------------------------------


def records(data: str = "arXiv", q: int = 0) -> list[Record]:
    """Three runs of closed verification; DV-2xAA is best, DV-Bin close, the others far."""
    runs = {
        "DV-Bin": (0.80, 0.82, 0.81),
        "DV-2xAA": (0.81, 0.82, 0.83),
        "STD-CosDist": (0.611, 0.622, 0.633),
        "STD-2xAA": (0.65, 0.66, 0.67),
    }
    return [
        Record("sav-closed", "accuracy", data, "paper", 50, q, run, method, value, 700, 300)
        for method, own in runs.items()
        for run, value in enumerate(own)
    ]


def test_lines_have_means_deviations_marks_and_the_paper_beside_them() -> None:
    found = {line.method: line for line in lines(records())}
    assert list(found) == list(TASKS["sav-closed"])
    best = found["DV-2xAA"]
    assert best.best and best.runs == 3 and best.mean == pytest.approx(0.82) and best.sd == pytest.approx(0.01)
    assert found["DV-Bin"].compared.mark == "**" and found["STD-CosDist"].compared.mark == ""
    assert found["STD-2xAA"].compared.p == 0.0
    assert (found["DV-Bin"].paper, found["DV-Bin"].paper_sd) == (0.756, 0.01689)
    assert printed("aa", "micro_f1", "arXiv", 100, 0, "Lazy AA", "paper") == (0.679, 0.224)
    assert printed("aa", "micro_f1", "arXiv", 100, 0, "Lazy AA", "forensic") is None
    assert [(line.paper, line.paper_sd) for line in lines(records(q=10))] == [(None, None)] * 4
    assert printed("native-av", "macro_f1", "PAN2011", 10, 50, "STD-Bin", "paper") == (0.285, 0.028)
    assert printed("native-av", "macro_f1", "PAN2011", 5, 10, "STD-Bin", "paper") is None


def test_only_runs_that_all_methods_have_are_compared() -> None:
    some = [record for record in records() if not (record.method == "DV-Bin" and record.run == 1)]
    assert {line.runs for line in lines(some)} == {2}
    assert lines(record for record in some if record.run == 0)[0].sd is None


def test_the_order_of_records_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    shuffled = [records()[number] for number in rng.permutation(12)]
    assert results_csv(lines(shuffled)) == results_csv(lines(records()))


@pytest.mark.parametrize("name", ["=HYPERLINK(0)", "@SUM(A1)", "+1+cmd", "-2+3", "\tx", "\rx", " =1", "＝1"])
def test_no_cell_of_text_is_a_formula(name: str) -> None:
    (row,) = csv.reader(io.StringIO(to_csv([(name, -1.5, "-1.5", None, 3)]), newline=""))
    assert row[0] == f"'{name}" and row[1:] == ["-1.5", "-1.5", "", "3"]
    assert inert("plain") == "plain"
    assert f"'{name}" in results_csv(lines(records(name))).replace('"', "") or "\r" in name
    assert runs_csv(records(name)).count(f"'{name}") == 12


def test_latex_is_literal() -> None:
    table = ResultTable(
        "x", "100 % of $A_1$ & {B}", ("method", "a_b"), (("C#", r"\input{x}"),), "~^", frozenset({(0, 1)})
    )
    text = to_latex(table)
    assert r"100 \% of \$A\_1\$ \& \{B\}" in text and r"C\#" in text
    assert r"\textbf{\textbackslash{}input\{x\}}" in text and r"\input{" not in text.replace(
        r"\textbackslash{}input", ""
    )
    assert text.count("\\begin{") == text.count("\\end{") == 2
    assert "›" in to_text(table)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A results file with two data sets in a sweep, one unit of which is missing."""
    place = tmp_path / "results.sqlite"
    plan = parse_plan(
        {"name": "made", "data": ["a"], "part": [{"tasks": ["sav-closed", "sav-open"], "m": 5, "q": [5, 10]}]}
    )
    units = [
        Unit(
            data,
            "f",
            "paper",
            ("sav-closed", "sav-open"),
            (TASKS["sav-closed"], TASKS["sav-open"]),
            run,
            Draw(m, q, 10, run),
        )
        for run in range(3)
        for data in ("A $x$", "_B")
        for m in (5, 10)
        for q in (5, 10)
    ]
    rng = np.random.default_rng(0)
    with ResultsFile.write(place) as results:
        results.register(plan.plain(), [], [(unit, 1.0, "") for unit in units], ["C is not there: it is left out."])
        for unit in units[:-1]:
            found = [
                Value(task, method, "accuracy", 0.5 + 0.4 * float(rng.random()))
                for task, methods in zip(unit.tasks, unit.methods, strict=True)
                for method in methods
            ]
            scores = [
                UnitScores(task, method, threshold, rng.beta(5, 2, 40), rng.beta(2, 5, 40))
                for task, method, threshold in (("sav-closed", "DV-Bin", 0.5), ("sav-open", "Impostors", 0.05))
            ]
            timings = (Timing("DV-Bin", "train", 1.0, 2.0), Timing("DV-Bin", "test", 0.1, 0.1))
            machine = {"cores": 2, "processor": "x86_64", "system": "Linux"}
            details = {"train": 50 + unit.run, "test": 20, "pairs": 1000 * (unit.run + 1)}
            results.save(unit, UnitOutcome(tuple(found), timings, tuple(scores), details, 1.0, 1.0, machine))
    return place


def test_tables_of_a_sweep_say_what_is_missing(stored: Path, tmp_path: Path) -> None:
    with ResultsFile.open(stored) as results:
        tables = result_tables(results)
        files = write_tables(results, tmp_path / "out")
    assert [len(table.rows) for table in tables] == [4, 4, 4, 4]
    assert all("Incomplete: 23 of 24 runs" in table.note and "C is not there" in table.note for table in tables)
    assert [row[-1] for row in tables[1].rows] == ["3", "3", "3", "2"]
    timing = next(file for file in files if file.name == "timings.tex").read_text("utf-8")
    assert "2 cores, x86\\_64, Linux" in timing and "1.00 & 0.10" in timing
    assert len({file.name for file in files}) == len(files)


def test_the_sizes_are_means_over_the_runs(stored: Path, tmp_path: Path) -> None:
    with ResultsFile.open(stored) as results:
        table = size_table(results)
        files = {file.name: file.read_text("utf-8") for file in write_tables(results, tmp_path / "out")}
    assert table is not None and len(table.rows) == 8
    empty = ("", "", "")
    assert table.rows[0] == (
        "A $x$", "paper", "5", "5", "sav-closed, sav-open", "51", "2,000", "20", *empty, "3",
    )  # fmt: skip
    assert table.rows[-1] == ("_B", "paper", "10", "10", "sav-closed, sav-open", "50", "1,500", "20", *empty, "2")
    assert r"\textbar{}L\_P\textbar{}" in files["sizes.tex"] and files["sizes.csv"].startswith("data,profile,m,q,tasks")


@pytest.mark.parametrize(
    ("data", "m", "q", "tasks", "sizes"),
    [
        ("PAN2011", 20, 50, ("aa",), (1000, 49_000, 463)),
        ("PAN2011", 20, 40, ("aa",), None),
        ("arXiv", 50, 0, ("sav-closed", "sav-open"), (518, 5784, 255)),
        ("arXiv", 100, 0, ("aa",), (1028, 11_106, 441)),
        ("arXiv", 10, 0, ("native-av",), None),
        ("mine", 20, 50, ("aa",), None),
    ],
)
def test_the_sizes_of_the_paper(data: str, m: int, q: int, tasks: tuple[str, ...], sizes: object) -> None:
    assert printed_sizes(data, m, q, tasks) == sizes


def test_the_paper_stands_beside_ours_with_its_deviations(tmp_path: Path) -> None:
    place = tmp_path / "results.sqlite"
    unit = Unit("arXiv", "f", "paper", ("aa",), (TASKS["aa"],), 0, Draw(100, ALL, 2, 0))
    values = tuple(Value("aa", method, "macro_f1", 0.5) for method in TASKS["aa"])
    with ResultsFile.write(place) as results:
        results.register({"name": "x"}, [], [(unit, 1.0, "")])
        results.save(unit, UnitOutcome(values, details={"train": 1106, "test": 475, "pairs": 12_000}))
    with ResultsFile.open(place) as results:
        (table,), sizes = result_tables(results), size_table(results)
    assert table.head == ("method", "arXiv: mean", "sd", "t-test", "paper: mean", "sd")
    assert table.rows[0] == ("Lazy AA", "0.500", "", "", "0.643", "0.244")
    assert "too large to be over its runs" in table.note
    assert sizes is not None and sizes.rows[0][5:11] == ("1,106", "12,000", "475", "1,028", "11,106", "441")


def test_figures_are_literal_and_complete(stored: Path) -> None:
    with ResultsFile.open(stored) as results:
        drawn = figures.drawings(results)
    assert set(drawn) == {"sav-closed-accuracy", "sav-open-accuracy", "scores-sav-closed", "scores-sav-open"}
    sweep = drawn["sav-closed-accuracy"].figure
    assert len(sweep.axes) == 4  # two m in rows, two data sets in columns
    assert [axes.get_title() for axes in sweep.axes[:2]] == ["A $x$", "_B"]
    assert {text.get_text() for text in sweep.legends[0].get_texts()} == set(TASKS["sav-closed"])
    assert all(len(axes.lines) == 4 and len(axes.collections) == 4 for axes in sweep.axes)
    assert [list(axes.get_xticks()) for axes in sweep.axes] == [list(sweep.axes[0].get_xticks())] * 4
    assert "no results" not in {text.get_text() for axes in sweep.axes for text in axes.texts}
    opened = drawn["scores-sav-open"].figure.axes[0]
    marks = [line for line in opened.lines if len(line.get_xdata()) == 2]
    assert marks[0].get_xdata()[0] == pytest.approx(math.log10(0.05))
    assert "on the right side" in drawn["scores-sav-open"].alt


def test_the_key_stands_below_the_title_and_above_all_panes(stored: Path) -> None:
    with ResultsFile.open(stored) as results:
        drawn = figures.drawings(results)
    for drawing in drawn.values():
        figure = drawing.figure
        key = figure.legends[0].get_window_extent()
        headings = [axes.title.get_window_extent() for axes in figure.axes if axes.get_title()]
        assert headings and key.y0 > max(heading.y1 for heading in headings)
        title = figure._suptitle  # type: ignore[attr-defined]
        line = title.get_window_extent().height / (title.get_text().count("\n") + 1)
        assert key.y1 < title.get_window_extent().y1 - 0.9 * line * len(title.get_text().rstrip().splitlines())
        assert key.x0 >= 0 and key.x1 <= figure.bbox.width


def test_one_size_is_drawn_with_the_printed_numbers_of_the_paper() -> None:
    drawn = figures.methods(lines(records()))
    assert [text.get_text() for text in drawn.figure.legends[0].get_texts()] == ["printed in the paper"]
    titles = [axes._left_title.get_window_extent() for axes in drawn.figure.axes]  # type: ignore[attr-defined]
    assert all(one.x1 < other.x0 for one, other in pairwise(titles))
    assert any(line.get_marker() == "d" for line in drawn.figure.axes[0].lines)


def test_scores_that_are_all_equal_can_be_drawn() -> None:
    flat = ScoreRecord("A", "paper", 5, 5, 0, UnitScores("sav-closed", "DV-Bin", 0.5, np.ones(5), np.zeros(5)))
    assert figures.distributions([flat]).figure.axes


# --- plans and cost --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", built_in())
def test_the_built_in_plans_can_be_read(name: str) -> None:
    plan = load_plan(name)
    assert plan.name == name and plan.seed == 0 and plan.data and set(plan.profiles) <= {"paper", "forensic"}
    assert name.startswith("quick-") or name in ("paper-scores", "paper-timings") or plan.runs == 10


def test_the_plans_of_the_paper_are_complete() -> None:
    assert {"paper-sav", "paper-aa", "paper-native-av", "paper-scores", "paper-timings", "paper-arxiv"} <= set(
        built_in()
    )
    sav, aa, arxiv = load_plan("paper-sav"), load_plan("paper-aa"), load_plan("paper-arxiv")
    assert sav.parts[0].q == (10, 20, 30, 40, 50) and sav.parts[0].m == aa.parts[0].m == (5, 10, 15, 20, 25)
    assert aa.parts[0].q == tuple(range(5, 55, 5)) and sav.parts[0].pairs == 500
    assert [(part.m, part.q, part.split) for part in arxiv.parts] == [
        ((HALF,), (ALL,), "random"),
        ((ALL,), (ALL,), "random"),
    ]


def test_own_corpora_take_the_place_of_the_data() -> None:
    plan = load_plan("paper-native-av", ["mine"])
    assert plan.data == ("mine",)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"m": 5, "q": 5}, "tasks"),
        ({"tasks": ["aa"], "m": 1, "q": 5}, "'m'"),
        ({"tasks": ["aa"], "m": 5, "q": "half"}, "'q'"),
        ({"tasks": ["aa"], "m": 5, "q": 5, "methods": ["Impostors"]}, "methods"),
        ({"tasks": ["aa"], "m": 5, "q": 5, "author": 3}, "'author'"),
        ({"tasks": ["aa"], "m": [], "q": 5}, "'m'"),
        ({"tasks": ["aa"], "m": True, "q": 5}, "'m'"),
    ],
)
def test_a_slip_in_a_plan_is_named(wrong: dict[str, object], word: str) -> None:
    with pytest.raises(SettingsError, match=word):
        parse_plan({"data": ["x"], "part": [wrong]}, "mine")


def test_a_plan_that_is_no_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("runs = ", "utf-8")
    with pytest.raises(SettingsError, match="no TOML"):
        load_plan(tmp_path / "bad.toml")
    with pytest.raises(SettingsError, match="quick-aa"):
        load_plan("no-such-plan")
    with pytest.raises(SettingsError, match=r"\[\[part\]\]"):
        parse_plan({"data": ["x"]})


def test_cost_grows_with_the_work_and_learns_from_what_was_done() -> None:
    def cost(m: int, q: int, profile: str = "paper", tasks: tuple[str, ...] = ("aa",)) -> float:
        unit = Unit("d", "f", profile, tasks, tuple(TASKS[task] for task in tasks), 0, Draw(m, q, q, 0))
        return unit_cost(unit, PlanSize(m, q, 30, 300))

    assert cost(5, 5) < cost(5, 50) < cost(25, 50) < cost(25, 50, "forensic")
    assert cost(5, 5) < cost(5, 5, tasks=("aa", "sav-open"))
    variants = Unit("d", "f", "paper", ("sav-open",), (EXTRA_METHODS["sav-open"],), 0, Draw(20, 50, 50, 0))
    assert unit_cost(variants, PlanSize(20, 50, 30, 300)) < cost(20, 50) / 2  # none of them needs DV-Bin
    whole, alone = (
        unit_cost(Unit("d", "f", "forensic", ("aa",), (methods,), 0, Draw(20, 50, 50, 0)), PlanSize(20, 50, 30, 300))
        for methods in ((*TASKS["aa"], "fused"), ("fused",))
    )
    assert cost(20, 50, "forensic") < whole < 1.05 * cost(20, 50, "forensic") and alone < whole / 10
    assert 100 < cost(20, 50) < 250  # measured: about 150 s on the machine of the figures
    told = estimate([("d", "paper", 10.0)] * 4, [("d", "paper", 10.0, 30.0)], 2, 1)
    assert told.cpu_s == pytest.approx(120) and told.learnt
    assert str(told) == (
        "4 runs are to be made (1 are done). Estimate: about 2 min of processor time, about 60 s with 2 processes; "
        "reckoned from the runs that are done."
    )
    assert str(Estimate(0, 7, 0.0, 1, learnt=False)) == "All 7 runs are done."
    assert [spoken(seconds) for seconds in (0.2, 89, 600, 7200)] == [
        "about 1 s",
        "about 89 s",
        "about 10 min",
        "about 2.0 h",
    ]

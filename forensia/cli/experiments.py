"""What `forensia experiment` and `forensia bench` do, in words for the terminal."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from forensia.cli import jobs as as_many
from forensia.cli import tell
from forensia.jobs import TerminalBar

_LISTED = 10  # problems on the terminal; --json has them all


def run(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia experiment run`: run a plan, or go on with it."""
    from forensia.experiments import runner
    from forensia.experiments.plans import load_plan

    corpora = [str(Path(corpus).resolve()) if Path(corpus).exists() else corpus for corpus in options.corpus or ()]
    plan = load_plan(options.plan, corpora)
    jobs = as_many(options.jobs)

    def told(text: str) -> None:
        bar.clear()
        tell(text)

    told(f"{plan.title} ({plan.name}).")
    if options.cost:
        estimate = runner.cost(plan, options.output, data=options.data, jobs=jobs, progress=bar)
        told(str(estimate))
        return asdict(estimate)
    summary = runner.run(
        plan, options.output, data=options.data, jobs=jobs, dask=options.dask or "", progress=bar, told=told
    )
    bar.clear()
    tell(f"{summary.done} runs are done, {summary.new} of them now. The results: {summary.results}")
    for reason in summary.impossible:
        tell(f"Not feasible: {reason}")
    if summary.failed:
        tell(f"{len(summary.failed)} runs failed; give the command again to try them once more.")
        for failure in summary.failed[:_LISTED]:
            tell(f"  {failure}")
    return asdict(summary)


def tables(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia experiment tables`: print the tables, and write them as LaTeX and CSV (both, if none is chosen)."""
    from forensia.experiments.resultsfile import ResultsFile
    from forensia.experiments.resulttables import LEGEND, lines, result_tables, size_table
    from forensia.experiments.tablefiles import to_text, write_tables

    both = not (options.latex or options.csv)
    with ResultsFile.open(options.results) as results:
        files = write_tables(results, options.output, latex=options.latex or both, as_csv=options.csv or both)
        shown, sizes = result_tables(results), size_table(results)
        found = [asdict(line) for line in lines(results.records)]
    for table in shown:
        tell(to_text(table))
    tell(LEGEND.replace("in bold", "after ›") + "\n")
    if sizes is not None:
        tell(to_text(sizes))
    tell("\n".join(f"Written: {file}" for file in files))
    return {"files": [str(file) for file in files], "lines": found}


def figures(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia experiment figures`: write the figures as PNG, SVG and PDF (PNG, if none is chosen)."""
    from forensia.experiments.figures import drawings
    from forensia.experiments.resultsfile import ResultsFile
    from forensia.experiments.tablefiles import write_file
    from forensia.figures import PRINT, WRITERS
    from forensia.files import slug

    chosen = [kind for kind in WRITERS if getattr(options, kind)] or ["png"]
    files = []
    with ResultsFile.open(options.results) as results:
        for name, drawing in drawings(results, PRINT).items():
            for kind in chosen:
                place = options.output / f"{slug(name)}.{kind}"
                files.append(write_file(place, WRITERS[kind](drawing.figure)))
    tell("\n".join(f"Written: {file}" for file in files) or "There is nothing to draw yet: no run has ended.")
    return {"files": [str(file) for file in files]}


def bench(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia bench`: a table that grows as rows are done, on stdout unless that is for the JSON."""
    from forensia.bench import lag, stages

    stream = sys.stderr if options.json == "-" else sys.stdout
    if options.gui:
        stream.write(lag.heading() + "\n")
        found = lag.run(options.quick, options.data, lambda stage: _written(stream, lag.line(stage)))
        _written(stream, lag.memory_line(found))
        return found

    def told(row: stages.Row) -> None:
        bar.clear()
        _written(stream, stages.line(row))

    stream.write(stages.heading() + "\n")
    return stages.run(options.quick, options.data, options.stage, progress=bar, told=told)


def _written(stream: TextIO, line: str) -> None:
    stream.write(line + "\n")
    stream.flush()

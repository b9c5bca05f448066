"""Tables as files: CSV in which nothing can be taken for a formula, LaTeX in which nothing can be taken for a command, plain text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from forensia.errors import StorageError
from forensia.experiments.resultsfile import Record, ResultsFile
from forensia.experiments.resulttables import LEGEND, ResultLine, ResultTable, lines, result_tables, run_tables
from forensia.files import slug, write

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def write_tables(results: ResultsFile, folder: Path, *, latex: bool = True, as_csv: bool = True) -> list[Path]:
    """All tables of a results file, in a folder."""
    about = run_tables(results)
    tables = result_tables(results) + about
    files: list[tuple[str, str]] = []
    if latex:
        names = distinct([slug(table.name) for table in tables])
        files += [(f"{name}.tex", to_latex(table)) for name, table in zip(names, tables, strict=True)]
    if as_csv:
        files.append(("results.csv", results_csv(lines(results.records))))
        files.append(("runs.csv", runs_csv(results.records)))
        files += [(f"{table.name}.csv", to_csv([table.head, *table.rows])) for table in about]
    return [write_file(folder / name, text.encode("utf-8")) for name, text in files]


def results_csv(found: Iterable[ResultLine]) -> str:
    """A row for each method in each place, with both p."""
    head = (
        "task", "measure", "data", "profile", "m", "q", "method", "runs", "mean", "sd", "best", "p_paired_t", "mark",
        "p_nadeau_bengio", "mark_nadeau_bengio", "paper_mean", "paper_sd",
    )  # fmt: skip
    rows = [
        (
            line.place.task, line.place.measure, line.place.data, line.place.profile, line.place.m, line.place.q or "all",
            line.method, line.runs, line.mean, line.sd, int(line.best), line.compared.p, line.compared.mark,
            line.compared.corrected, line.compared.corrected_mark, line.paper, line.paper_sd,
        )
        for line in found
    ]  # fmt: skip
    return to_csv([head, *rows])


def runs_csv(records: Sequence[Record]) -> str:
    """Every value of every run."""
    names = [field.name for field in fields(Record)]
    return to_csv([names, *([getattr(record, name) for name in names] for record in records)])


def to_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV; numbers stay numbers, and text that a spreadsheet would run is made text."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows([inert(value) for value in row] for row in rows)
    return stream.getvalue()


def inert(value: Any) -> Any:
    """A cell that no spreadsheet runs: an apostrophe goes before what would begin a formula."""
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(round(value, 6))
    if not isinstance(value, str):
        return value
    dangerous = value.startswith(_FORMULA) or value.lstrip().startswith(_FORMULA)
    return f"'{value}" if dangerous and not re.fullmatch(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", value) else value


def to_latex(table: ResultTable) -> str:
    """A table environment, for a document of one's own."""
    columns = "l" + "r" * (len(table.head) - 1)
    body = [" & ".join(_latex(word) for word in table.head)]
    for number, row in enumerate(table.rows):
        cells = [_latex(cell) for cell in row]
        cells = [rf"\textbf{{{cell}}}" if (number, at) in table.bold else cell for at, cell in enumerate(cells)]
        body.append(" & ".join(cells))
    rows = " \\\\\n".join(body[1:])
    caption = _latex(" ".join(filter(None, (table.title + ".", table.note, LEGEND if table.marked else ""))))
    return (
        "\\begin{table}[t]\n\\centering\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{body[0]} \\\\\n\\hline\n{rows} \\\\\n\\hline\n\\end{{tabular}}\n"
        f"\\caption{{{caption}}}\n\\label{{tab:{slug(table.name)}}}\n\\end{{table}}\n"
    )


def to_text(table: ResultTable) -> str:
    """A table for the terminal; the best is marked by an arrow, because not every terminal has bold letters."""
    rows = [
        [f"›{cell}" if (number, at) in table.bold else cell for at, cell in enumerate(row)]
        for number, row in enumerate(table.rows)
    ]
    widths = [max(len(row[at]) for row in [list(table.head), *rows]) for at in range(len(table.head))]
    shown = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in [list(table.head), *rows]
    ]
    return "\n".join((table.title, shown[0], "-" * len(shown[0]), *shown[1:], table.note, ""))


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number after those that stand there already."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found


def write_file(path: Path, data: bytes) -> Path:
    """Write a file whole, in a folder that is made if need be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"'{path.parent}' cannot be made ({error.strerror}). Choose another folder.") from error
    write(path, data)
    return path


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)

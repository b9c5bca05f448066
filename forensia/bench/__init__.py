"""Measurements of the program itself, against the reference recipe, the clock and its own claims; the command line alone uses them.

Here is what its commands share: rows in a JSON file that are computed once, and Markdown for people.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from forensia import files

Row = dict[str, Any]
Texts = TypeVar("Texts")


def arguments_of(description: str, sets: Sequence[str]) -> argparse.ArgumentParser:
    """The arguments of a command that measures something on some sets and keeps it."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--set", nargs="+", default=list(sets), dest="sets")
    parser.add_argument("--table", action="store_true", help="print what OUT holds as a table, and run nothing")
    return parser


def kept(out: Path) -> list[Row]:
    """What has been found so far."""
    rows: list[Row] = json.loads(out.read_text("utf-8")) if out.exists() else []
    return rows


def keep(rows: list[Row], row: Row, out: Path) -> None:
    """Add a row, and write and print it at once: a run that is stopped goes on after it."""
    rows.append(row)
    files.write(out, json.dumps(rows, indent=1) + "\n")
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *body)]


def run(
    options: argparse.Namespace,
    table: Callable[[list[Row]], str],
    keys: Sequence[str],
    wanted: Callable[[str], Iterable[tuple[Any, ...]]],
    read: Callable[[Path, str, Path], Texts],
    measure: Callable[..., Row],
) -> int:
    """Print the table of what OUT holds, or measure what it lacks: all that is `wanted` of each set, by the `keys` of its row.

    `read` makes a set ready, given a folder for what is unpacked, and `measure` takes it with what is wanted.
    """
    rows = kept(options.out)
    if options.table:
        sys.stdout.write(table(rows))
        return 0
    done = {tuple(row[key] for key in ("set", *keys)) for row in rows}
    with tempfile.TemporaryDirectory(prefix="forensia-bench-") as place:
        for name in options.sets:
            missing = [each for each in wanted(name) if (name, *each) not in done]
            if missing:
                texts = read(options.data, name, Path(place))
                for each in missing:
                    keep(rows, {"set": name, **measure(texts, *each)}, options.out)
    return 0


def digits(value: float | None) -> str:
    """A figure for a table."""
    return "–" if value is None else f"{value:.3f}"


def percent(share: float | None, places: int = 0) -> str:
    """A share for a table."""
    return "–" if share is None else f"{share:.{places}%}"

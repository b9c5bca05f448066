"""Measurements of the program itself, against the reference recipe, the clock and its own claims; the command line alone uses them.

Here is what its commands share: rows in a JSON file that are computed once, and Markdown for people.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forensia import files

Row = dict[str, Any]


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

"""The records of CSV, TSV, JSON and JSON Lines files, one by one, and a reason for each one that cannot be used."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from forensia.corpus.layouts.base import Bad, Container
from forensia.corpus.layouts.columns import find_columns
from forensia.corpus.layouts.containers import MAX_LINE, head, lines
from forensia.corpus.walking import Entry, TooLarge
from forensia.errors import InputError
from forensia.jobs import Progress, silent

SEPARATED = frozenset({".csv", ".tsv", ".tab"})
JSON = frozenset({".jsonl", ".ndjson", ".json"})
MAX_JSON_BYTES = 256 << 20  # a JSON array is read as a whole; JSON Lines has no such limit
_HEAD = 1 << 20

Finder = Callable[[list[str]], object]  # whatever it finds in the names of the columns, or None


@dataclass(frozen=True)
class Dialect:
    """How the columns of a table are separated, and whether quotation marks hold cells together."""

    delimiter: str
    quoted: bool = True


Record = Mapping[str, object]


def names(entry: Entry, find: Finder = find_columns) -> list[str]:
    """The names of a table's columns as far as its beginning shows them; empty when there are none."""
    text = head(entry, _HEAD)
    if entry.suffix in JSON:
        return _json_names(text)
    return next(_rows(text, dialect_of(text, find)), []) if entry.suffix in SEPARATED else []


def first_row(entry: Entry, find: Finder = find_columns) -> Record:
    """The first record of a CSV or TSV file, as far as its beginning shows it."""
    text = head(entry, _HEAD)
    rows = _rows(text, dialect_of(text, find))
    return dict(zip(next(rows, []), next(rows, []), strict=False))


def records(
    container: Container, progress: Progress = silent, find: Finder = find_columns
) -> Iterator[tuple[int, Record | Bad]]:
    """The records of a table with their numbers, counted from 1 without the header."""
    entry = container.entry
    if entry.suffix in SEPARATED:
        return _separated(container, dialect_of(head(entry, _HEAD), find), progress)
    beginning = head(entry, 1 << 12).lstrip()
    return _array(container, progress) if beginning.startswith("[") else _json_lines(container, progress)


def dialect_of(text: str, find: Finder) -> Dialect:
    """The separator with which the header names an author and a text, and whether the cells are quoted."""
    for delimiter in (",", "\t", ";", "|"):
        dialect = Dialect(delimiter)
        if find(next(_rows(text, dialect), [])) is not None:
            return Dialect(delimiter, delimiter != "\t" or _well_quoted(text, dialect))
    return Dialect("\t" if "\t" in text.partition("\n")[0] else ",")


def _rows(text: str, dialect: Dialect) -> Iterator[list[str]]:
    """The rows of the beginning of a file, up to one that is broken or cut off."""
    with contextlib.suppress(csv.Error):
        yield from _reader(_skip_separator_line(io.StringIO(text, newline="")), dialect)


def _reader(source: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    # The limit belongs to the whole process: it is only ever raised, since setting it back would break a reading in another thread.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE))
    # Strict: a quotation mark that is never closed must not swallow the rest of the file in silence.
    if dialect.quoted:
        return csv.reader(source, delimiter=dialect.delimiter, strict=True)
    return csv.reader(source, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)


def _skip_separator_line(source: Iterable[str]) -> Iterator[str]:
    """The lines without the `sep=;` with which spreadsheets begin a file."""
    iterator = iter(source)
    first = next(iterator, "")
    return iterator if first[:4].lower() == "sep=" and len(first.strip()) == 5 else chain((first,), iterator)


def _well_quoted(text: str, dialect: Dialect) -> bool:
    """Whether the beginning of a tab-separated file makes sense with quotation marks: many programs write such files without quoting."""
    reader, width = _reader(io.StringIO(text, newline=""), dialect), 0
    try:
        for row in reader:
            width = width or len(row)
            if len(row) > width:
                return False
    except csv.Error as error:
        return "end of data" in str(error) and len(text) >= _HEAD
    return True


def _separated(container: Container, dialect: Dialect, progress: Progress) -> Iterator[tuple[int, Record | Bad]]:
    reader = _reader(_skip_separator_line(lines(container, progress)), dialect)
    try:
        header = next(reader, [])
    except csv.Error:
        header = []
    number = 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, Bad("quotes", {"error": str(error)})
            continue
        if not any(row):
            continue
        if len(row) < len(header) or any(row[len(header) :]):
            yield number, Bad("columns", {"columns": len(row), "header": len(header)})
        else:
            yield number, dict(zip(header, row, strict=False))


def _json_lines(container: Container, progress: Progress) -> Iterator[tuple[int, Record | Bad]]:
    for number, line in enumerate(lines(container, progress), start=1):
        if line.strip():
            yield number, _record(line)


def _record(line: str) -> Record | Bad:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Bad("no json")
    return value if isinstance(value, dict) else Bad("no object")


def _array(container: Container, progress: Progress) -> Iterator[tuple[int, Record | Bad]]:
    if container.size > MAX_JSON_BYTES:
        raise TooLarge("array", container.entry.relative, size=container.size, limit=MAX_JSON_BYTES)
    try:
        values = json.loads("".join(lines(container, progress)))
    except (ValueError, RecursionError) as error:
        raise InputError(f"'{container.entry.relative}' is no complete JSON. Save it again as JSON Lines.") from error
    for number, value in enumerate(values, start=1):
        yield number, value if isinstance(value, dict) else Bad("no object")


def _json_names(text: str) -> list[str]:
    beginning = text.lstrip()
    if beginning.startswith("["):
        beginning = beginning[1:].lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(beginning)
    except (ValueError, RecursionError):
        return []
    return list(value) if isinstance(value, dict) else []

"""Files that hold many texts: hashed, decoded, and read record by record, with the columns that name authors and texts.

CSV, TSV, JSON and JSON Lines are read line by line, so that size costs time and not memory, and there is a reason for each record that
cannot be used.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from forensia.corpus import decoding
from forensia.corpus.document import Problem, Severity
from forensia.corpus.layouts.base import Bad, Container, Row, left_out
from forensia.corpus.walking import Entry, TooLarge, Unreadable, open_file, shown
from forensia.errors import InputError
from forensia.jobs import Progress, part, silent

# Earlier names win, so a table with both 'author' and 'user' takes 'author'.
AUTHOR = ("author", "authors", "authorname", "authorid", "writer", "username", "userid", "user", "speaker", "sender",
          "from", "autor", "auteur", "verfasser", "label", "by")  # fmt: skip
TEXT = ("text", "fulltext", "content", "contents", "body", "document", "message", "abstract", "review", "post", "comment",
        "letter", "tweet", "texto", "texte", "inhalt")  # fmt: skip
TITLE = ("title", "subject", "headline", "filename", "file", "docid", "documentid", "id", "titel", "titre")
SOURCE = (
    "source",
    "sources",
    "book",
    "work",
    "thread",
    "threadid",
    "topic",
    "genre",
    "category",
    "group",
    "year",
    "itemid",
)
SHARED_SOURCE = ("thread", "threadid", "topic", "itemid")  # several authors may write in one, or about one

_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_BETWEEN_NAMES = re.compile(r"[;|]")


@dataclass(frozen=True)
class TableColumns:
    """The names of the columns in this table; title and source may be missing."""

    author: str
    text: str
    title: str | None = None
    source: str | None = None

    @property
    def is_shared(self) -> bool:
        """Whether what the column of sources names is shared between authors."""
        return self.source is not None and _NOT_ALPHANUMERIC.sub("", self.source).lower() in SHARED_SOURCE


def find_columns(names: Sequence[str]) -> TableColumns | None:
    """The columns of a table, or None when author or text cannot be told."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(_NOT_ALPHANUMERIC.sub("", name).lower(), name)

    def first(synonyms: Sequence[str]) -> str | None:
        return next((known[synonym] for synonym in synonyms if synonym in known), None)

    author, text = first(AUTHOR), first(TEXT)
    if author is None or text is None:
        return None
    return TableColumns(author, text, first(TITLE), first(SOURCE))


def one_line(value: object) -> str:
    """A cell as one line that can be shown: white space collapsed, control characters escaped."""
    if value is None or isinstance(value, (Mapping, bool)):
        return ""
    if isinstance(value, list):
        return one_line(value[0]) if len(value) == 1 else ""
    line = " ".join(str(value).split())
    return line if line.isprintable() else shown(line)


def several(value: object) -> tuple[str, ...]:
    """The names in a cell, between which stand ; or |, or in a list of JSON, each of which is one name as it is written."""
    cells = value if isinstance(value, list) else _BETWEEN_NAMES.split(one_line(value))
    return tuple(name for cell in cells if (name := one_line(cell)))


MAX_BYTES = 4 << 30
MAX_LINE = 16 << 20
MAX_BAD_ROWS = 20
_CHUNK = 1 << 20
_FIRST_BYTES = 1 << 16


def head(entry: Entry, size: int = _FIRST_BYTES) -> str:
    """The first lines of a file, to recognise it by; empty when it cannot be read as text."""
    try:
        with _opened(entry)[0] as file:
            data = file.read(size)
    except (OSError, InputError):
        return ""
    (encoding,) = _unicode_encodings(data) or ("utf-8",)
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(data)
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # good enough for the names of columns
    return "" if "\0" in text else text


def examine(
    entry: Entry, chosen: str | None, progress: Progress = silent, fallback: str | None = None
) -> tuple[Container, tuple[Problem, ...]]:
    """Hash a file and find its encoding: the analyst's choice, a BOM, strict UTF-8, then a proposal that is told.

    `fallback` is the encoding in which a known distribution is published, tried before any proposal.
    """
    digest = hashlib.sha256()
    utf8 = codecs.getincrementaldecoder("utf-8")("strict")
    done, first, wrong = 0, b"", None
    try:
        file, size = _opened(entry)
        with file:
            if size > MAX_BYTES:
                raise TooLarge("table", entry.relative, size=size, limit=MAX_BYTES)
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                first = first or chunk
                if wrong is None:
                    wrong = _utf8_fault(utf8, chunk)
                done += len(chunk)
                progress(done / size if size else 1.0, f"Checking {entry.name}")
    except OSError as error:
        raise Unreadable("table", entry.relative, reason=str(error.strerror)) from error
    if wrong is None:
        wrong = _utf8_fault(utf8, b"", final=True)
    encoding, problems = _encoding(entry, first, wrong, chosen, fallback)
    return Container(entry, digest.hexdigest(), encoding, done), problems


def lines(container: Container, progress: Progress = silent) -> Iterator[str]:
    """The lines with their ends as they are; bytes that do not fit the encoding stay in as marks that `Row` texts are checked for."""
    with (
        _opened(container.entry)[0] as file,
        io.TextIOWrapper(file, container.encoding, errors="surrogateescape", newline="") as text,
    ):
        count = 0
        try:
            while line := text.readline(MAX_LINE):
                if len(line) >= MAX_LINE:
                    raise TooLarge("line", container.entry.relative, limit=MAX_LINE)
                count += 1
                if count % 64 == 1:
                    share = file.tell() / container.size if container.size else 1.0
                    progress(share, f"Reading {container.entry.name}")
                yield line
        except UnicodeError as error:
            raise InputError(
                f"'{container.entry.relative}' is not all in {container.encoding} (after line {count:,}). "
                "Choose its encoding, or save it as UTF-8."
            ) from error
        except OSError as error:
            raise Unreadable("to its end", container.entry.relative, reason=str(error.strerror)) from error


def stages(progress: Progress) -> tuple[Progress, Progress]:
    """Progress for `examine` and for `lines`: the first is much the faster."""
    return part(progress, 0.0, 0.2), part(progress, 0.2, 1.0)


class BadRows:
    """Rows that cannot be used: each of the first is told with its number, the rest by their count, so that a bad file stays readable."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._more = 0
        self._shown = 0

    def add(self, number: int, bad: Bad, unit: str = "row") -> Iterator[Problem]:
        self._shown += 1
        if self._shown > MAX_BAD_ROWS:
            self._more += 1
            return
        values = {"why": bad.why, "unit": unit, "number": number, **bad.values}
        yield Problem("bad-row", Severity.WARNING, values, self._entry.relative)

    def rest(self) -> Iterator[Problem]:
        if self._more:
            yield left_out("bad-row", self._entry, why="further", rows=self._more)


def usable(row: Row) -> Bad | None:
    """Why a row cannot be used, or None."""
    if not row.author:
        return Bad("no author")
    try:
        row.text.encode("utf-8")
    except UnicodeEncodeError:
        return Bad("encoding", {"encoding": row.container.encoding})
    return None


def _opened(entry: Entry) -> tuple[io.BufferedReader, int]:
    try:
        handle, size = open_file(entry.place)
        return os.fdopen(handle, "rb"), size
    except OSError as error:
        raise Unreadable("table", entry.relative, reason=str(error.strerror)) from error


def _utf8_fault(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bytes | None:
    """The bytes around the first one that is no UTF-8."""
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError as error:
        return bytes(error.object[max(0, error.start - _FIRST_BYTES) : error.start + _FIRST_BYTES])
    return None


def _unicode_encodings(data: bytes) -> tuple[str, ...]:
    """What a BOM, or the zero bytes of UTF-16 English, say about the encoding."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return (encoding,)
    zeros = data[1:200:2].count(0), data[0:200:2].count(0)
    if max(zeros) > len(data[:200]) // 4:
        return ("utf-16-le",) if zeros[0] > zeros[1] else ("utf-16-be",)
    return ()


def _encoding(
    entry: Entry, first: bytes, wrong: bytes | None, chosen: str | None, fallback: str | None
) -> tuple[str, tuple[Problem, ...]]:
    if chosen is not None:
        return decoding.decode(b"", chosen).encoding, ()
    marked = _unicode_encodings(first)
    if marked and marked[0] in ("utf-16-le", "utf-16-be"):
        return marked[0], (_proposal(entry, marked[0]),)
    if marked:
        return marked[0], ()
    if wrong is None:
        return "utf-8", ()
    if fallback is not None:
        return fallback, (_proposal(entry, fallback, Severity.NOTE),)
    try:
        encoding = decoding.decode(wrong).encoding
    except InputError:
        encoding = "utf-8"  # mixed: the rows that do not fit are told one by one
    return encoding, (_proposal(entry, encoding),)


def _proposal(entry: Entry, encoding: str, severity: Severity = Severity.WARNING) -> Problem:
    return Problem.of("encoding-proposed", severity, file=entry.relative, why="table", encoding=encoding)


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

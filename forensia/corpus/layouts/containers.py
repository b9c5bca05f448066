"""Files that hold many texts: hashed, their encoding found, and read line by line, so that size costs time and not memory."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
from collections.abc import Iterator

from forensia.corpus import decoding
from forensia.corpus.document import Problem, Severity
from forensia.corpus.layouts.base import Bad, Container, Row, left_out
from forensia.corpus.walking import Entry, TooLarge, Unreadable, open_file
from forensia.errors import InputError
from forensia.jobs import Progress, part, silent

MAX_BYTES = 4 << 30
MAX_LINE = 16 << 20
MAX_BAD_ROWS = 20
_CHUNK = 1 << 20
_HEAD = 1 << 16


def head(entry: Entry, size: int = _HEAD) -> str:
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
        self._told = 0

    def add(self, number: int, bad: Bad, unit: str = "row") -> Iterator[Problem]:
        self._told += 1
        if self._told > MAX_BAD_ROWS:
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
        return bytes(error.object[max(0, error.start - _HEAD) : error.start + _HEAD])
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

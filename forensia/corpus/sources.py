"""Which sources the analyst gives to the texts: in a table that names them, by a pattern of the texts' paths, or each its own.

A text of which neither table nor pattern says anything keeps the sources that it was found with.
"""

from __future__ import annotations

import csv
import io
import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from forensia.corpus.document import SHARED, Document, FileProblem, Problem, Severity, is_shared
from forensia.corpus.layouts.records import dialect_of, plain, several
from forensia.corpus.segmenting import occasion
from forensia.corpus.walking import FileRefused, Listing, read_bytes, shown

EACH = "each"
"""Said in place of a table or a pattern: every text is of an occasion of its own."""

MAX_BYTES = 16 << 20
MAX_LINES = 500_000
MAX_NAME = 1_000
MAX_PATTERN = 200  # what a pattern costs grows with its length and with that of the path
MAX_PATH = 500
_TEXT = ("file", "path", "title", "text")
_SOURCE = ("source", "sources")


class SourcesRefused(FileRefused):
    """A table or a pattern of sources that is not used; `why` is one of the kinds of its problem."""

    kind = "bad-sources"


def each_its_own(documents: Iterable[Document]) -> dict[str, tuple[str, ...]]:
    """The sources of documents, by their ids, where every text is of an occasion of its own; the pieces of a text stay together."""
    return {each.id: (occasion(each),) for each in documents}


def shared(documents: Iterable[Document], names: Collection[str], between: bool) -> dict[str, tuple[str, ...]]:
    """The sources of the documents that have one of these, by their ids, once these are shared between authors, or each author's own."""
    renamed = {
        name: f"{SHARED} {name}" if between else name[len(SHARED) :].strip()
        for name in names
        if is_shared(name) != between
    }
    return {
        each.id: tuple(renamed.get(source, source) for source in each.sources)
        for each in documents
        if not renamed.keys().isdisjoint(each.sources)
    }


def settled(given: str) -> str:
    """A table by its whole path, so that it is found again from anywhere; a pattern as it is."""
    return os.path.abspath(given) if _is_file(given) else given  # noqa: PTH100


def assigned(given: str, listing: Listing) -> Assigned | None:
    """What a table or a pattern says of these files, if one is given: what is a file is a table."""
    if not given:
        return None
    return _Table(given, listing) if _is_file(given) else _Pattern(given)


class Assigned(ABC):
    """Sources by the analyst, and of how many texts they were asked for."""

    def __init__(self, given: str) -> None:
        self._given = shown(given[:MAX_NAME])
        self._asked = self._silent = 0

    def sources(self, path: str, title: str) -> tuple[str, ...]:
        """The sources of a text; none where nothing is said of it."""
        found = self._sources(path, title)
        self._asked += 1
        self._silent += not found
        return found

    def problems(self) -> Iterator[Problem]:
        """What is told when all texts are read."""
        if self._asked == self._silent:
            raise self._useless()
        if self._silent:
            count, total = self._silent, self._asked
            yield Problem.of("sources-silent", Severity.NOTE, file=self._given, count=count, total=total)

    @abstractmethod
    def _sources(self, path: str, title: str) -> tuple[str, ...]: ...

    @abstractmethod
    def _useless(self) -> SourcesRefused: ...


class _Table(Assigned):
    """A CSV or TSV file with a column for the text, by its path, its file name or its title, and one for its sources."""

    def __init__(self, given: str, listing: Listing) -> None:
        super().__init__(given)
        self._by_path: dict[str, list[str]] = {}
        self._by_title: dict[str, list[str]] = {}
        self._line: dict[str, int] = {}
        self._titles: Counter[str] = Counter()
        self._stems = {entry.stem for entry in listing.entries}
        places: dict[str, list[str]] = {}
        for entry in listing.entries:
            places.setdefault(entry.name, []).append(entry.relative)
        paths = {entry.relative for entry in listing.entries}
        for line, name, sources in _rows(given, self._given):
            found = [name] if name in paths else places.get(name, [])
            if len(found) > 1:
                raise SourcesRefused("several texts", self._given, line=line, name=name)
            named, key = (self._by_path, found[0]) if found else (self._by_title, name)
            named.setdefault(key, []).extend(sources)
            self._line.setdefault(name, line)

    def problems(self) -> Iterator[Problem]:
        for title in self._by_title:
            # A text that is there but not meant, as those of another split, may be named all the same.
            if not self._titles[title] and title not in self._stems:
                raise SourcesRefused("unknown text", self._given, line=self._line[title], name=title)
            if self._titles[title] > 1:
                raise SourcesRefused("several texts", self._given, line=self._line[title], name=title)
        yield from super().problems()

    def _sources(self, path: str, title: str) -> tuple[str, ...]:
        if title in self._by_title:
            self._titles[title] += 1
        return (*self._by_path.get(path, ()), *self._by_title.get(title, ()))

    def _useless(self) -> SourcesRefused:
        return SourcesRefused("no text", self._given)


class _Pattern(Assigned):
    """A regular expression that finds the name of the source in the path of a text."""

    def __init__(self, given: str) -> None:
        super().__init__(given)
        if len(given) > MAX_PATTERN:
            raise SourcesRefused("long pattern", self._given, limit=MAX_PATTERN)
        try:
            self._pattern = re.compile(given)
        except (re.error, OverflowError, RecursionError) as error:
            raise SourcesRefused("no pattern", self._given, error=str(error)) from error
        self._group = self._pattern.groupindex.get("source", 1)
        if "source" not in self._pattern.groupindex and self._pattern.groups != 1:
            raise SourcesRefused("groups", self._given, groups=self._pattern.groups)

    def _sources(self, path: str, title: str) -> tuple[str, ...]:
        found = self._pattern.search(path) if len(path) <= MAX_PATH else None
        name = plain(found[self._group]) if found else ""
        return (name,) if name else ()

    def _useless(self) -> SourcesRefused:
        return SourcesRefused("no match", self._given)


def _rows(file: str, named: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The texts of a table with the line on which each stands and its sources."""
    text = _text(file, named)
    dialect = dialect_of(text, _columns)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.delimiter,
        quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
        strict=True,
    )
    line, header, columns = 1, 0, None
    try:
        for row in reader:
            if columns is None:
                columns, header = _columns(row), len(row)
                if columns is None:
                    break
            elif any(cell.strip() for cell in row):
                if len(row) < header or any(row[header:]):
                    raise SourcesRefused("columns", named, line=line, columns=len(row), header=header)
                name = shown(row[columns[0]].strip().replace("\\", "/").removeprefix("./"))
                sources = several(row[columns[1]])
                if not (name and sources):
                    raise SourcesRefused("empty name", named, line=line)
                if max(map(len, (name, *sources))) > MAX_NAME:
                    raise SourcesRefused("long name", named, line=line, limit=MAX_NAME)
                yield line, name, sources
            line = reader.line_num + 1
            if line > MAX_LINES:
                raise SourcesRefused("lines", named, limit=MAX_LINES)
    except csv.Error as error:
        raise SourcesRefused("quotes", named, line=line, error=str(error)) from error
    if columns is None:
        raise SourcesRefused("header", named)


def _columns(header: list[str]) -> tuple[int, int] | None:
    """Where the names of the texts and of their sources stand."""
    names = [name.strip().lower() for name in header]
    text, source = (next((names.index(each) for each in known if each in names), -1) for known in (_TEXT, _SOURCE))
    return None if min(text, source) < 0 else (text, source)


def _text(file: str, named: str) -> str:
    try:
        data = read_bytes(os.path.realpath(file), MAX_BYTES)
    except FileProblem as error:
        raise FileProblem(error.about(named)) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourcesRefused("encoding", named, line=data.count(b"\n", 0, error.start) + 1) from error


def _is_file(given: str) -> bool:
    return os.path.isfile(given)  # noqa: PTH113

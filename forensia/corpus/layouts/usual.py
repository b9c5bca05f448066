"""The usual layouts: a folder for each author, names that begin with one, a manifest, a table, and PAN verification problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from forensia.corpus.document import SHARED, Problem, Severity
from forensia.corpus.layouts.base import Bad, Container, FileText, Item, ReadOptions, Row, is_document, left_out
from forensia.corpus.layouts.records import (
    JSON,
    SEPARATED,
    BadRows,
    Finder,
    Record,
    TableColumns,
    examine,
    find_columns,
    names,
    one_line,
    records,
    several,
    stages,
    usable,
)
from forensia.corpus.walking import Entry, Listing, shown
from forensia.errors import InputError
from forensia.jobs import Progress, part


class Flat:
    name = "flat"
    sentence = "Files in one folder, named Author_Title.txt: what stands before the first underscore is the author."

    def recognise(self, listing: Listing) -> str | None:
        files = [entry for entry in listing.top if is_document(entry)]
        named = [author for entry in files if (author := _author(entry))]
        if listing.single or len(set(named)) < 2 or 2 * len(named) < len(files):
            return None
        return f"the names of {len(named):,} files begin with one of {len(set(named)):,} authors"

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            author = _author(entry)
            if "/" in entry.relative:
                found.append(left_out("no-author", entry, why="inside"))
            elif not author:
                found.append(left_out("no-author", entry, why="unnamed"))
            else:
                found.append(FileText(entry, author, entry.stem.partition("_")[2].strip() or entry.stem))
        return found


def _author(entry: Entry) -> str:
    author, mark, _ = entry.stem.partition("_")
    return author.strip() if mark else ""


class Authors:
    name = "authors"
    sentence = "A folder for each author; folders inside it are sources such as a book, a thread or a year."

    def recognise(self, listing: Listing) -> str | None:
        folders: set[str] = set()
        inside = not listing.top
        for entry in listing.entries:
            folder, below, name = entry.relative.partition("/")
            inside = inside and "/" not in name
            if below and folder not in folders and is_document(entry):
                folders.add(folder)
        if len(folders) == 1 and inside:  # with further folders in it, these could as well be the authors
            return "it holds one folder with texts"
        return f"it holds {len(folders):,} folders with texts" if len(folders) > 1 else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            *folders, _name = entry.relative.split("/")
            if not folders:
                found.append(left_out("no-author", entry, Severity.NOTE, why="beside"))
            else:
                found.append(FileText(entry, folders[0], entry.stem, ("/".join(folders[1:]),)))
        return found


_KNOWN = re.compile(r"known[ _-]?\d*\.txt", re.IGNORECASE)
_UNKNOWN = re.compile(r"unknown[ _-]?\d*\.txt", re.IGNORECASE)


class PanVerification:
    name = "pan-verification"
    sentence = (
        "PAN verification problems: folders with known*.txt by one author and an unknown.txt; truth.txt is kept apart."
    )

    def recognise(self, listing: Listing) -> str | None:
        candidates = [entry for entry in listing.entries if "known" in entry.relative.lower()]
        known = {_folder_of(entry) for entry in candidates if _KNOWN.fullmatch(entry.name)}
        unknown = {_folder_of(entry) for entry in candidates if _UNKNOWN.fullmatch(entry.name)}
        both = known & unknown - {""}
        return f"{len(both):,} folders hold known texts and an unknown one" if both else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            problem = _folder_of(entry)
            if problem and _KNOWN.fullmatch(entry.name):
                found.append(FileText(entry, problem, entry.stem))
            elif problem and _UNKNOWN.fullmatch(entry.name):
                found.append(left_out("disputed-text", entry, Severity.NOTE))
            else:
                found.append(left_out("not-a-text", entry, Severity.NOTE))
        return found


def _folder_of(entry: Entry) -> str:
    """The folder of a problem, which stands for its author."""
    return entry.relative.rpartition("/")[0]


_MANIFEST = "manifest.csv"


class Manifest:
    name = "manifest"
    sentence = "A manifest.csv with the columns author and file, and perhaps split, role and source, beside the texts it names."

    def recognise(self, listing: Listing) -> str | None:
        entry = _manifest(listing)
        if entry is None or _columns(names(entry, _columns)) is None:
            return None
        return f"'{entry.name}' names the author of each file"

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> list[Item]:
        entry = _manifest(listing)
        if entry is None:
            raise InputError(f"There is no manifest.csv here. {self.sentence}")
        if listing.single:
            raise InputError("Choose the folder in which manifest.csv lies, so that its texts can be found.")
        header = names(entry, _columns)
        if _columns(header) is None:
            raise InputError(f"'{entry.name}' has no columns 'author' and 'file'. {self.sentence}")
        for column, wanted, default in (("split", options.split, "train"), ("role", options.role, "closed")):
            if column not in header and wanted not in (default, "all"):
                raise InputError(
                    f"'{entry.name}' has no column '{column}', so '{wanted}' cannot be chosen. Choose 'all'."
                )
        return list(_texts(entry, listing, options))


def _texts(entry: Entry, listing: Listing, options: ReadOptions) -> Iterator[Item]:
    container, problems = examine(entry, options.encodings.get(entry.relative))
    yield from problems
    files = {found.relative: found for found in listing.entries}
    uses: Counter[str] = Counter()
    bad = BadRows(entry)
    for number, record in records(container, find=_columns):
        if isinstance(record, Bad):
            yield from bad.add(number, record)
            continue
        if not (_meant(record, "split", options.split) and _meant(record, "role", options.role)):
            continue
        author = one_line(record.get("author"))
        # Only names from the walk are opened, so a name that leads out of the folder finds nothing.
        name = shown(str(record.get("file", "")).strip().replace("\\", "/").removeprefix("./"))
        file = files.get(name)
        if file is None:
            yield from bad.add(number, Bad("no such file", {"name": name}))
        elif not author:
            yield from bad.add(number, Bad("no author"))
        else:
            yield FileText(file, author, file.stem, several(record.get("source")), uses[name])
            uses[name] += 1
    yield from bad.rest()


def _meant(record: Record, column: str, wanted: str) -> bool:
    value = str(record.get(column) or "").strip().lower()
    return wanted == "all" or value in ("", wanted)


def _manifest(listing: Listing) -> Entry | None:
    return next((entry for entry in listing.top if entry.name.lower() == _MANIFEST), None)


def _columns(header: list[str]) -> TableColumns | None:
    return TableColumns("author", "file") if {"author", "file"} <= set(header) else None


class TableLayout:
    name = "table"
    sentence = "A table (CSV, TSV, JSON or JSON Lines) with a column for the author and a column for the text."
    fallback: str | None = None  # the encoding of a known distribution

    def recognise(self, listing: Listing) -> str | None:
        found = [entry for entry in tables(listing) if self._columns(entry)]
        return f"'{found[0].name}' has columns for author and text" if found else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterator[Item]:
        found = [(entry, columns) for entry in tables(listing) if (columns := self._columns(entry))]
        if not found:
            raise InputError(f"There is no table here of the layout '{self.name}'. {self.sentence}")
        others = {entry.relative for entry in listing.entries} - {entry.relative for entry, _ in found}
        for other in sorted(others):
            yield left_out("not-a-table", other)
        for index, (entry, columns) in enumerate(found):
            stage = part(progress, index / len(found), (index + 1) / len(found))
            yield from self._read(entry, columns, options, stage)

    def find(self, header: list[str]) -> TableColumns | None:
        """The columns this layout reads, if the header has them."""
        return find_columns(header)

    def row(self, container: Container, columns: TableColumns, record: Record, number: int) -> Row | Bad | None:
        """One record as a text with its author, a reason why it cannot be, or None for one that is not meant."""
        text = record.get(columns.text)
        if not isinstance(text, str):
            return Bad("no text")
        title = one_line(record.get(columns.title)) if columns.title else ""
        sources = several(record.get(columns.source)) if columns.source else ()
        if columns.is_shared:
            sources = tuple(f"{SHARED} {each}" for each in sources)
        author = one_line(record.get(columns.author))
        return Row(container, text, author, title or f"{container.entry.stem} {number}", sources, number)

    def unmeant(self, entry: Entry, count: int) -> Problem:
        """What is told about records that are not meant."""
        return left_out("not-meant", entry, Severity.NOTE, rows=count)

    def _columns(self, entry: Entry) -> TableColumns | None:
        finder: Finder = self.find
        header = names(entry, finder)
        return self.find(header) if header else None

    def _read(self, entry: Entry, columns: TableColumns, options: ReadOptions, progress: Progress) -> Iterator[Item]:
        checking, reading = stages(progress)
        container, problems = examine(entry, options.encodings.get(entry.relative), checking, self.fallback)
        yield from problems
        bad, unmeant = BadRows(entry), 0
        for number, record in records(container, reading, self.find):
            row = record if isinstance(record, Bad) else self.row(container, columns, record, number)
            if isinstance(row, Row):
                reason = usable(row)
                if reason is None:
                    yield row
                else:
                    yield from bad.add(number, reason)
            elif row is not None:
                yield from bad.add(number, row)
            else:
                unmeant += 1
        yield from bad.rest()
        if unmeant:
            yield self.unmeant(entry, unmeant)


def tables(listing: Listing) -> list[Entry]:
    """The files directly in the folder that could be tables."""
    return [entry for entry in listing.top if entry.suffix in SEPARATED or entry.suffix in JSON]

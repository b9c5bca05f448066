"""A table with a column for the author and one for the text: CSV, TSV, JSON or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator

from forensia.corpus.document import SHARED, Problem, Severity
from forensia.corpus.layouts.base import Bad, Container, Item, ReadOptions, Row, left_out
from forensia.corpus.layouts.columns import TableColumns, find_columns, plain, several
from forensia.corpus.layouts.containers import BadRows, examine, stages, usable
from forensia.corpus.layouts.records import JSON, SEPARATED, Finder, Record, names, records
from forensia.corpus.walking import Entry, Listing
from forensia.errors import InputError
from forensia.jobs import Progress, part


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
        title = plain(record.get(columns.title)) if columns.title else ""
        sources = several(record.get(columns.source)) if columns.source else ()
        if columns.is_shared:
            sources = tuple(f"{SHARED} {each}" for each in sources)
        author = plain(record.get(columns.author))
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

"""The Victorian novels of Gungor (2018): a CSV of 1,000-word pieces, its authors numbered, published in Latin-1."""

from __future__ import annotations

from forensia.corpus.layouts.base import Bad, Container, Row
from forensia.corpus.layouts.columns import TableColumns, plain
from forensia.corpus.layouts.records import Record, first_row
from forensia.corpus.layouts.table import TableLayout, tables
from forensia.corpus.walking import Listing


class Victorian(TableLayout):
    name = "victorian"
    sentence = "The Victorian set: a CSV file with the columns text and author, one row for each piece of 1,000 words."
    fallback = "latin-1"

    def recognise(self, listing: Listing) -> str | None:
        for entry in tables(listing):
            if (
                entry.suffix == ".csv"
                and self._columns(entry)
                and plain(first_row(entry, self.find).get("author")).isdigit()
            ):
                return f"'{entry.name}' has the columns text and author, and its authors are numbers"
        return None

    def find(self, header: list[str]) -> TableColumns | None:
        return TableColumns("author", "text") if header == ["text", "author"] else None

    def row(self, container: Container, columns: TableColumns, record: Record, number: int) -> Row | Bad | None:
        author = plain(record.get("author"))
        if not author.isdigit():
            return Bad("no number")
        return Row(container, str(record.get("text", "")), author, f"piece {number}", part=number)

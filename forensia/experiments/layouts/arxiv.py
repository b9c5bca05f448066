"""arXiv abstracts as the paper uses them: title and abstract of the papers that have one author."""

from __future__ import annotations

import re

from forensia.corpus.document import Problem, Severity
from forensia.corpus.layouts.base import Bad, Container, Row, left_out
from forensia.corpus.layouts.columns import TableColumns, plain
from forensia.corpus.layouts.records import Record
from forensia.corpus.layouts.table import TableLayout
from forensia.corpus.walking import Entry

_JOINED = re.compile(r";|\band\b|&")
_SEVERAL = re.compile(rf",|{_JOINED.pattern}")


class Arxiv(TableLayout):
    name = "arxiv"
    sentence = (
        "arXiv abstracts (JSON or CSV) with title, abstract and author; papers with several authors are left out."
    )

    def find(self, header: list[str]) -> TableColumns | None:
        known = {name.strip().lower(): name for name in header}
        author = next((known[name] for name in ("authors", "author") if name in known), None)
        text = next((known[name] for name in ("abstract", "summary") if name in known), None)
        if author is None or text is None or "title" not in known:
            return None
        return TableColumns(author, text, known["title"], known.get("id"))

    def row(self, container: Container, columns: TableColumns, record: Record, number: int) -> Row | Bad | None:
        author = _single_author(record, columns)
        if author is None:
            return None
        row = super().row(container, columns, record, number)
        if not isinstance(row, Row):
            return row
        # Title and abstract together are the document in the paper's own code.
        return row._replace(author=author, text=f"{row.title}\n{row.text.strip()}")

    def unmeant(self, entry: Entry, count: int) -> Problem:
        return left_out("several-authors", entry, Severity.NOTE, papers=count)


def _single_author(record: Record, columns: TableColumns) -> str | None:
    """The author of a paper by one author: '' when nobody is named, None when there are several."""
    parsed = record.get("authors_parsed")
    if isinstance(parsed, list) and len(parsed) != 1:
        return None
    value = record.get(columns.author)
    if isinstance(value, list):
        if len(value) != 1:
            return None if value else ""
        value = value[0].get("name", "") if isinstance(value[0], dict) else value[0]
    author = plain(value)
    if isinstance(parsed, list):
        return author
    # A comma separates authors in 'authors', but may stand inside the one name of 'author'.
    several = _SEVERAL if columns.author.strip().lower() == "authors" else _JOINED
    return None if several.search(author) else author

"""The layouts in which PAN 2011, IMDB62, arXiv and the Victorian novels are published, among those in which people keep texts.

The PAN 2011 mails look like XML, but the mails inside are not escaped, so no parser takes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from forensia.corpus.document import Problem, Severity
from forensia.corpus.layouts import Layout
from forensia.corpus.layouts.base import Bad, Container, Item, ReadOptions, Row, left_out
from forensia.corpus.layouts.records import (
    BadRows,
    Record,
    TableColumns,
    examine,
    first_row,
    head,
    lines,
    one_line,
    stages,
    usable,
)
from forensia.corpus.layouts.usual import Authors, Flat, Manifest, PanVerification, TableLayout, tables
from forensia.corpus.walking import Entry, Listing
from forensia.errors import InputError
from forensia.jobs import Progress, part, silent

_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(training|testing|results)>")
_TEXT = re.compile(r'<text file="([^"]*)"')
_AUTHOR = re.compile(r'<author id="([^"]*)"')


class Pan2011:
    name = "pan2011"
    sentence = "The PAN 2011 mails: files such as LargeTrain.xml with the author and the body of each mail."

    def recognise(self, listing: Listing) -> str | None:
        found = [entry for entry, root in _files(listing) if root == "training"]
        return f"'{found[0].name}' begins like the training mails of PAN 2011" if found else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterator[Item]:
        files = _files(listing)
        wanted = {"train": ("training",), "test": ("testing",), "all": ("training", "testing")}[options.split]
        chosen = [entry for entry, root in files if root in wanted]
        if not chosen:
            raise InputError(f"There is no '{options.split}' file here of the layout '{self.name}'. {self.sentence}")
        # The sets overlap and name their authors each in its own way; the paper uses the large one.
        large = [entry for entry in chosen if entry.name.lower() in ("largetrain.xml", "largetest.xml")]
        used = chosen if listing.single else large or chosen[:1]
        for entry, _root in files:
            if entry not in used:
                yield left_out("other-set", entry, Severity.NOTE)
        truth = dict(pair for entry, root in files if root == "results" for pair in _truth(entry))
        for index, entry in enumerate(used):
            yield from _mails(entry, options, truth, part(progress, index / len(used), (index + 1) / len(used)))


def _files(listing: Listing) -> list[tuple[Entry, str]]:
    """The files of the distribution with the name of their root element; the keys to the test mails have the root 'results'."""
    xml = [entry for entry in listing.top if entry.suffix == ".xml"]
    roots = ((entry, _ROOT.match(head(entry))) for entry in xml[:64])
    return [(entry, root[1]) for entry, root in roots if root]


def _mails(entry: Entry, options: ReadOptions, truth: dict[str, str], progress: Progress) -> Iterator[Item]:
    checking, reading = stages(progress)
    container, problems = examine(entry, options.encodings.get(entry.relative), checking)
    yield from problems
    bad = BadRows(entry)
    for row in _parsed(container, reading):
        if isinstance(row, Problem):
            yield row
            continue
        named = row if row.author else row._replace(author=one_line(truth.get(row.title, "")))
        reason = usable(named)
        if reason is None:
            yield named
        else:
            yield from bad.add(row.part, reason, "mail")
    yield from bad.rest()


def _parsed(container: Container, progress: Progress) -> Iterator[Row | Problem]:
    """The mails: all between `<body>` and the `</body>` that comes right before `</text>`, untouched."""
    number, title, author = 0, "", ""
    body: list[str] | None = None
    for line in lines(container, progress):
        if body is not None:
            body.append(line)
            if line.rstrip().endswith("</text>") and (text := _whole("".join(body))) is not None:
                yield Row(container, text, one_line(author), one_line(title), part=number)
                body = None
        elif found := _TEXT.search(line):
            number, title, author = number + 1, found[1], ""
        elif found := _AUTHOR.search(line):
            author = found[1]
        elif "<body>" in line:
            body = [line.partition("<body>")[2]]
    if body is not None:
        yield left_out("truncated", container.entry, mail=number)


def _whole(raw: str) -> str | None:
    """The mail of a body that has ended; a mail may itself hold `</text>`, then it goes on."""
    inside = raw.rstrip().removesuffix("</text>").rstrip()
    return inside.removesuffix("</body>").strip("\r\n") if inside.endswith("</body>") else None


def _truth(entry: Entry) -> Iterator[tuple[str, str]]:
    container, _ = examine(entry, None)
    name = ""
    for line in lines(container, silent):
        if found := _TEXT.search(line):
            name = found[1]
        if found := _AUTHOR.search(line):
            yield name, found[1]


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
    author = one_line(value)
    if isinstance(parsed, list):
        return author
    # A comma separates authors in 'authors', but may stand inside the one name of 'author'.
    several = _SEVERAL if columns.author.strip().lower() == "authors" else _JOINED
    return None if several.search(author) else author


_FIRST_LINE = re.compile(r"\d+\t\d+\t\d+\t\d*\.?\d*\t[^\t\n]*\t[^\t\n]")


class Imdb62:
    name = "imdb62"
    sentence = "The IMDB62 reviews: a tab-separated file with review, user, film, rating, title and text on each line."

    def recognise(self, listing: Listing) -> str | None:
        found = _file(listing)
        return f"the lines of '{found.name}' hold three numbers, a rating, a title and a text" if found else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterator[Item]:
        entry = _file(listing)
        if entry is None:
            raise InputError(f"There is no file here of the layout '{self.name}'. {self.sentence}")
        checking, reading = stages(progress)
        container, problems = examine(entry, options.encodings.get(entry.relative), checking)
        yield from problems
        bad = BadRows(entry)
        for number, line in enumerate(lines(container, reading), start=1):
            cells = line.rstrip("\r\n").split("\t", 5)
            if len(cells) < 6:
                if line.strip():
                    yield from bad.add(number, Bad("six columns", {"columns": len(cells)}), "line")
                continue
            _review, user, film, _rating, title, text = cells
            row = Row(container, text, one_line(user), one_line(title) or f"review {number}", (one_line(film),), number)
            reason = usable(row)
            if reason is None:
                yield row
            else:
                yield from bad.add(number, reason, "line")
        yield from bad.rest()


def _file(listing: Listing) -> Entry | None:
    candidates = (entry for entry in listing.top if entry.suffix in (".txt", ".tsv", ".tab", ".csv"))
    # A folder of many short texts need not be opened file by file: the distribution is a file or two.
    few = [entry for entry in candidates if listing.single or len(listing.top) <= 16]
    return next((entry for entry in few if _FIRST_LINE.match(head(entry))), None)


class Victorian(TableLayout):
    name = "victorian"
    sentence = "The Victorian set: a CSV file with the columns text and author, one row for each piece of 1,000 words."
    fallback = "latin-1"

    def recognise(self, listing: Listing) -> str | None:
        for entry in tables(listing):
            if (
                entry.suffix == ".csv"
                and self._columns(entry)
                and one_line(first_row(entry, self.find).get("author")).isdigit()
            ):
                return f"'{entry.name}' has the columns text and author, and its authors are numbers"
        return None

    def find(self, header: list[str]) -> TableColumns | None:
        return TableColumns("author", "text") if header == ["text", "author"] else None

    def row(self, container: Container, columns: TableColumns, record: Record, number: int) -> Row | Bad | None:
        author = one_line(record.get("author"))
        if not author.isdigit():
            return Bad("no number")
        return Row(container, str(record.get("text", "")), author, f"piece {number}", part=number)


LAYOUTS: tuple[Layout, ...] = (
    Manifest(),
    PanVerification(),
    Pan2011(),
    Imdb62(),
    Authors(),
    Flat(),
    Victorian(),
    Arxiv(),
    TableLayout(),
)
"""All layouts that an experiment reads, the most telling first."""

"""IMDB62: one review on each line, tab-separated: review, user, film, rating, title, text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forensia.corpus.layouts.base import Bad, Item, ReadOptions, Row
from forensia.corpus.layouts.columns import plain
from forensia.corpus.layouts.containers import BadRows, examine, head, lines, stages, usable
from forensia.corpus.walking import Entry, Listing
from forensia.errors import InputError
from forensia.jobs import Progress

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
            row = Row(container, text, plain(user), plain(title) or f"review {number}", (plain(film),), number)
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

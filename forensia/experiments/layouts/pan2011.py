"""The PAN 2011 mails (LargeTrain.xml and kin): they look like XML, but the mails inside are not escaped, so no parser takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forensia.corpus.document import Problem, Severity
from forensia.corpus.layouts.base import Container, Item, ReadOptions, Row, left_out
from forensia.corpus.layouts.columns import plain
from forensia.corpus.layouts.containers import BadRows, examine, head, lines, stages, usable
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
        named = row if row.author else row._replace(author=plain(truth.get(row.title, "")))
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
                yield Row(container, text, plain(author), plain(title), part=number)
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

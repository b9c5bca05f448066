"""The materials: every file with its hash, so that anybody can tell whether they hold the same one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forensia.report import figures
from forensia.report.document import Document
from forensia.report.grid import Column, Group, Row, table
from forensia.report.paper import Style
from forensia.report.writing import Report

_FULL = 200  # known texts up to which each has its whole hash in print
_TINY = Style(7.0, 8.8)
_SHORT = 16
_MOST_DRAWN = 60


def write(report: Report) -> None:
    """Materials."""
    doc, say, found = report.doc, report.say, report.found["materials"]
    doc.heading("Materials")
    doc.paragraph(
        f"{say.count(len(found['disputed']))} disputed and {say.count(found['documents'])} known texts by "
        f"{say.count(report.found['model']['authors'])} authors, with {say.count(found['words'])} words in the known texts, were examined. "
        "SHA-256 is a fingerprint of the bytes of a file: another file practically never has the same."
    )
    _disputed(report)
    if len(found["authors"]) <= _MOST_DRAWN:
        authors = found["authors"]
        doc.figures(
            [
                figures.by_author(
                    [row["author"] for row in authors], [row["documents"] for row in authors],
                    [row["words"] for row in authors], report.look(3.0),
                )
            ],
            floating=True,
        )  # fmt: skip
    active = [row for row in found["known"] if row["excluded"] is None]
    doc.heading("Known texts", 1)
    if len(active) <= _FULL:
        _full(report, active)
    else:
        doc.paragraph(
            f"Each of the {say.count(len(active))} files is listed with its number of words and the first 16 digits of its SHA-256; the "
            "embedded results have all digits, the encoding and the size of each. The SHA-256 over all analysed texts and who "
            f"wrote which is {found['fingerprint']}."
        )
        _short(report, active)
    excluded = [row for row in found["known"] if row["excluded"] is not None]
    if excluded:
        table(
            doc,
            [Column("File", lines=2), Column("Author", 90, lines=2), Column("Why it was left out", 200, lines=3)],
            [(row["file"], row["author"], row["excluded"]) for row in excluded[:_FULL]],
            caption="Known texts that were left out of the model.",
        )
    moved = [row for row in found["known"] if row["read_as"]]
    if moved:
        table(
            doc,
            [
                Column("File", lines=2),
                Column("Author as read", 120, lines=2),
                Column("Author as assigned", 120, lines=2),
            ],
            [(row["file"], row["read_as"], row["author"]) for row in moved[:_FULL]],
            caption="Texts that the analyst assigned to another author than the files said.",
        )


def _disputed(report: Report) -> None:
    doc, say = report.doc, report.say
    rows = report.found["materials"]["disputed"]
    labelled = any(row["exhibit"] for row in rows)
    columns = [
        Column("File", lines=2),
        Column("Words", 36, "right"),
        Column("Bytes", 44, "right"),
        Column("Encoding", 48, lines=1),
    ]
    columns = ([Column("Exhibit", 48, lines=2)] if labelled else []) + columns
    table(
        doc,
        [*columns, Column("SHA-256 of the file", 148, lines=2, mono=True)],
        [
            (
                *((row["exhibit"],) if labelled else ()),
                row["file"], say.count(row["words"]), say.count(row["bytes"]), row["encoding"], _halved(row["sha256"]),
            )
            for row in rows
        ],
        caption="The disputed texts. Bytes are those of the text in UTF-8.",
    )  # fmt: skip


def _halved(digest: str) -> str:
    """A hash in two halves, which break into two lines."""
    return f"{digest[:32]} {digest[32:]}"


def _full(report: Report, known: Sequence[Mapping[str, Any]]) -> None:
    """One line for each file, under its author, with the whole hash."""
    say = report.say
    rows: list[Row] = []
    for author in report.found["materials"]["authors"]:
        own = [row for row in known if row["author"] == author["author"]]
        if own:
            rows.append(Group(_heading(report, author)))
        for row in own:
            part = f" (part {say.count(row['part'])})" if row["part"] else ""
            rows.append((f"{row['file']}{part}", say.count(row["words"]), row["encoding"], row["sha256"]))
    columns = [
        Column("File", lines=1), Column("Words", 28, "right", 1), Column("Encoding", 34, lines=1),
        Column("SHA-256 of the file", 232, lines=1, mono=True),
    ]  # fmt: skip
    table(report.doc, columns, rows, caption="The known texts, by author.", style=_TINY, lines=False)


def _heading(report: Report, author: Mapping[str, Any]) -> str:
    say = report.say
    return f"{author['author']}: {say.count(author['documents'])} texts, {say.count(author['words'])} words"


def _short(report: Report, known: Sequence[Mapping[str, Any]]) -> None:
    """Two columns of files under their authors: for corpora whose full list would fill the report."""
    doc, say = report.doc, report.say
    entries: list[tuple[str, str, str]] = []
    for author in report.found["materials"]["authors"]:
        own = [row for row in known if row["author"] == author["author"]]
        if own:
            entries.append((_heading(report, author), "", ""))
        for row in own:
            part = f" ({say.count(row['part'])})" if row["part"] else ""
            entries.append((f"{row['file']}{part}", say.count(row["words"]), row["sha256"][:_SHORT]))
    at, columns, gap = 0, 2, 18.0
    wide = (doc.width - gap * (columns - 1)) / columns
    doc.need(_TINY.leading * 12)
    while at < len(entries):
        if doc.room < _TINY.leading * 4:
            doc.new_page()
        lines = int(doc.room // _TINY.leading)
        taken = entries[at : at + lines * columns]
        tall = min(lines, -(-len(taken) // columns))
        for column in range(columns):
            _column(doc, taken[column * tall : (column + 1) * tall], doc.left + column * (wide + gap), wide)
        at += len(taken)
        doc.y += tall * _TINY.leading
    doc.y += 12


def _column(doc: Document, entries: Sequence[tuple[str, str, str]], x: float, width: float) -> None:
    """Files under each other: name, words, beginning of the hash."""
    digits = doc.letters.width("0" * _SHORT, _TINY.mono)
    for number, (name, words, digest) in enumerate(entries):
        y = doc.y + number * _TINY.leading
        if not digest:
            doc.write(x, y, doc.letters.fitted(name, _TINY.strong, width), _TINY.strong)
            continue
        doc.write(x + width, y, digest, _TINY.mono, "right")
        count = doc.write(x + width - digits - 8, y, words, _TINY, "right")
        doc.write(x, y, doc.letters.fitted(name, _TINY, width - digits - 16 - max(count, 22)), _TINY)

"""What the likeness rests on: families of features, the strongest single ones, and passages from both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from forensia import figures
from forensia.report.grid import Column, table
from forensia.report.letters import Piece
from forensia.report.paper import SMALL
from forensia.report.printing import NONE
from forensia.report.writing import Report

_LISTED, _FEW = 8, 4  # features for and against, and of each text when there are many
HOW_TO_READ = (
    "A feature speaks for the same author when the texts differ less in it than is usual between different authors, and against when "
    "they differ more. Contributions are to the log-odds of Pr(Same), compared with what is usual; they add up exactly."
)
_QUOTE = replace(SMALL, size=8.8, leading=11.4)
_SOURCE = replace(_QUOTE, grey=80)


def write(report: Report, document: Mapping[str, Any]) -> None:
    """Features and passages of one disputed text."""
    doc, found = report.doc, document["strongest"]
    if found is None:
        doc.paragraph("Features and passages are not shown here. " + document["no_passages"])
        return
    name = doc.letters.shown(found["author"])
    doc.heading(f"What the likeness to {name[:70]} rests on", 2, follow=150)
    compared = f"The disputed text is compared with {_listed(found['compared'])}."
    doc.paragraph(compared if report.many else f"{compared} {HOW_TO_READ}")
    used = [row for row in found["families"] if row["features"]]
    if report.many:
        told = ", ".join(f"{row['family']} {report.say.signed(row['relative'])}" for row in used)
        doc.paragraph(f"By family, compared with what is usual: {told}.")
    else:
        _families(report, used)
    _table(report, found)
    _passages(report, found)


def _families(report: Report, used: Sequence[Mapping[str, Any]]) -> None:
    """What each family speaks for, as a figure."""
    drawing = figures.families(
        [row["family"] for row in used], [max(0.0, row["relative"]) for row in used], [min(0.0, row["relative"]) for row in used],
        report.look(2.2), unit="contribution, compared with what is usual",
    )  # fmt: skip
    report.doc.figures([drawing])


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:4])
    return shown + (" and others" if len(names) > 4 else "")


def _table(report: Report, found: Mapping[str, Any]) -> None:
    """The strongest features in numbers that can be counted again."""
    say, total = report.say, report.found["materials"]["documents"]
    most = _FEW if report.many else _LISTED
    rows = []
    for side, word in (("for", "for"), ("against", "against")):
        for row in found[side][:most]:
            rows.append(
                (
                    row["feature"], word, _usage(report, row["usage_a"]), _usage(report, row["usage_b"]),
                    NONE if row["documents"] is None else say.count(row["documents"]), say.signed(row["relative"]),
                )
            )  # fmt: skip
    table(
        report.doc,
        [
            Column("Feature", lines=2), Column("Speaks", 40), Column("Disputed text", 78, "right"),
            Column("Author's texts", 78, "right"), Column("Known texts with it", 54, "right"), Column("Contribution", 58, "right"),
        ],
        rows,
        caption="The strongest features: how often each occurs, with its rate (per 1,000 words, 100 sentences or 100 punctuation marks), "
        f"in how many of the {say.count(total)} known texts, and its contribution compared with what is usual.",
    )  # fmt: skip


def _usage(report: Report, usage: Mapping[str, Any] | None) -> str:
    if usage is None:
        return NONE
    rate = "" if usage["rate"] is None else f" ({report.say.rate(usage['rate'])})"
    return f"{report.say.count(usage['count'])}{rate}"


def _passages(report: Report, found: Mapping[str, Any]) -> None:
    """Short quotations from both sides, the feature itself shaded."""
    doc = report.doc
    quoted = [
        (word, row)
        for side, word in (("for", "for"), ("against", "against"))
        for row in found[side]
        if row.get("quoted") or row.get("known")
    ]
    if report.many:
        quoted = quoted[:_FEW]
    if not quoted:
        return
    doc.paragraph("Passages with the strongest features, from the disputed text and from the author's own:", keep=75)
    for word, row in quoted:
        entries = [("disputed text", each) for each in row["quoted"]]
        entries += [(known["document"], each) for known in row["known"] for each in known["quoted"]]
        blocks = [
            doc.letters.compose(_quotation(doc.letters.fitted(name, _SOURCE, 190), each), doc.width - 14)
            for name, each in entries
        ]
        doc.need(min(sum(map(len, blocks)), 4) * _QUOTE.leading + SMALL.leading + 4)
        head = doc.letters.fitted(row["feature"], SMALL.strong, doc.width - 120)
        wide = doc.write(doc.left, doc.y, head, SMALL.strong)
        doc.write(doc.left + wide + 6, doc.y, f"({row['family']}; speaks {word})", SMALL)
        doc.y += SMALL.leading + 1
        with doc.inset(14):
            for lines in blocks:
                doc.set_lines(lines, _QUOTE.leading, _QUOTE)
        doc.y += 4
    doc.y += 6


def _quotation(name: str, each: Mapping[str, str]) -> list[Piece]:
    return [
        Piece(f"“{each['before']}", _QUOTE),
        Piece(each["there"], replace(_QUOTE, shade=True, bold=True)),
        Piece(f"{each['after']}”", _QUOTE),
        Piece(f" {name}", _SOURCE),
    ]

"""Does the first place survive when something that should not matter is changed?"""

from __future__ import annotations

from forensia.evidence.result import Changed
from forensia.report.contents import JudgedText
from forensia.report.grid import Column, table
from forensia.report.printing import NONE
from forensia.report.writing import SectionWriter

_KINDS = {
    "seed": "another sample of training pairs",
    "family off": "features left out",
    "mask": "words of the topic",
    "half": "half of the disputed text",
}


def write(report: SectionWriter) -> None:
    """Sensitivity."""
    doc = report.doc
    doc.heading("Sensitivity")
    doc.paragraph(
        "Something that should not matter is changed, one thing at a time: each family of features is left out, all families that know the "
        "words of a topic, each known text, each half of the disputed text. A first place that survives all of it does not hang on a "
        "single choice. Fusion and calibration are learnt anew for each change of the families."
    )
    if report.many:
        _together(report)
        return
    for document in report.found.documents:
        _document(report, document)


def _together(report: SectionWriter) -> None:
    """A line for each of many texts: the embedded results have every change by itself."""
    doc, say = report.doc, report.say
    rows = []
    for document in report.found.documents:
        found = document.result.sensitivity
        if found is None:
            rows.append((report.name(document), NONE, "not tried", NONE, NONE))
            continue
        lost = [_told(each) for each in found.variants if each.first != found.author]
        left = found.left_out
        rows.append(
            (
                report.name(document),
                found.author,
                "; ".join(lost) if lost else "none",
                f"{say.count(left.first_changes)} of {say.count(left.documents)}",
                NONE if not left.log10 else " to ".join(dict.fromkeys(say.short_ratio(end) for end in left.log10)),
            )
        )
    table(
        doc,
        [
            Column("Disputed text", 80, lines=2), Column("First", 84, lines=2), Column("Changes that put another author first", lines=5),
            Column("Known texts whose absence does", 56, "right"), Column("LR without one of them", 58, "right", 2),
        ],
        rows,
        caption="What becomes of the first place of each text. The embedded results have each change with its first author and its LR.",
    )  # fmt: skip


def _told(row: Changed) -> str:
    return f"{_KINDS[row.kind]}: {row.what}"


def _document(report: SectionWriter, document: JudgedText) -> None:
    doc, say = report.doc, report.say
    found = document.result.sensitivity
    doc.heading(report.name(document), 1, follow=90)
    if found is None:
        doc.paragraph("Not tried: the case holds no other models to try it with.")
        return
    left = found.left_out
    table(
        doc,
        [
            Column("Change", lines=1), Column("First then", 130, lines=1), Column("Rank", 34, "right", 1),
            Column("LR", 50, "right", 1),
        ],
        [
            (
                _told(row),
                row.first,
                say.count(row.rank),
                say.short_ratio(row.log10),
            )
            for row in found.variants
        ],
        caption=f"What becomes of the first place of {doc.letters.shown(found.author)[:60]}.",
        after=7,
    )  # fmt: skip
    spread = (
        f"; its LR then lies between {say.ratio(left.log10[0])} and {say.ratio(left.log10[1])}" if left.log10 else ""
    )
    doc.paragraph(
        f"Each of {say.count(left.documents)} known texts left out in turn: the first place changes {say.count(left.first_changes)} "
        f"times{spread}. "
        + (
            "The first place survives every change."
            if found.survives
            else "The first place does not survive every change."
        )
    )

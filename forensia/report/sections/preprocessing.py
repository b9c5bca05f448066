"""What was done to the texts before they were compared, and what was found in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from forensia.corpus.document import Severity
from forensia.report.grid import Column, table
from forensia.report.materials import FoundProblem
from forensia.report.writing import SectionWriter
from forensia.wording.problems import message
from forensia.wording.reasons import FORMS

_LISTED, _OF_A_KIND = 40, 5
_GRAVEST = (Severity.BLOCKING, Severity.WARNING, Severity.NOTE)
_TYPING = {
    "canonical": "These forms are brought to one before features are counted, so they play no part in the comparison of texts. Where a "
    "disputed text differs in them from the known ones, that is evidence about a keyboard, a program or an edition, not about a writer.",
    "as typed": "Features are counted in the texts as they were typed, so these forms play a part in the comparison, though they are "
    "evidence about a keyboard, a program or an edition, not about a writer.",
}
_WHERE = {"corpus": "known texts", "known": "known texts", "disputed": "disputed text"}


def _first_of_each(rows: Sequence[FoundProblem]) -> list[FoundProblem]:
    """The first few of each kind of problem: a large corpus has the same one for every author."""
    counts: Counter[str] = Counter()
    kept = []
    for row in rows:
        counts[row.problem.code] += 1
        if counts[row.problem.code] <= _OF_A_KIND:
            kept.append(row)
    return kept


def _typing(report: SectionWriter) -> None:
    """How the texts were typed, and that it plays no part in the comparison, or does."""
    doc, say, found = report.doc, report.say, report.found
    forms = found.preprocessing.typing
    if not forms:
        return
    table(
        doc,
        [
            Column("How it is typed"),
            Column("Known texts", 70, "right"),
            Column("Disputed texts", 76, "right"),
            Column("Times in these", 78, "right"),
        ],
        [
            (FORMS[each.kind, each.form], say.count(each.known), say.count(each.disputed), say.count(each.times))
            for each in forms
        ],
        caption="How the texts were typed: in how many each form stands.",
    )
    doc.paragraph(_TYPING[found.model.typing])


def write(report: SectionWriter) -> None:
    """Pre-processing and what was found."""
    doc, say, found = report.doc, report.say, report.found.preprocessing
    doc.heading("Pre-processing and what was found")
    doc.paragraph(
        "Each file is decoded, its line ends and accents are brought to one form (Unicode NFC), and its words are counted. Nothing else is "
        "changed: capital letters, spelling and punctuation are evidence. Hidden characters are counted and reported, not "
        "removed from the texts. Passages that are not the author's own are left out only where the table below says so."
    )
    if found.problems:
        rows = _first_of_each(sorted(found.problems, key=lambda row: _GRAVEST.index(row.problem.severity)))
        table(
            doc,
            [
                Column("Kind", 42),
                Column("Where", 60),
                Column("What was found", lines=6),
                Column("Documents", 52, "right"),
            ],
            [
                (row.problem.severity.value, _WHERE[row.where], message(row.problem), say.count(row.documents))
                for row in rows[:_LISTED]
            ],
            caption="What was found in the texts.",
        )
        if min(len(rows), _LISTED) < len(found.problems):
            doc.paragraph(
                f"Of what was found often only the first are listed; the embedded results have all {say.count(len(found.problems))}."
            )
    else:
        doc.paragraph("Nothing unusual was found in any text: no hidden characters, no copies, no quoted mail.")
    if found.cuts:
        table(
            doc,
            [
                Column("File", lines=2),
                Column("Passages", 54, "right"),
                Column("Characters", 62, "right"),
                Column("Reason", 190, lines=3),
            ],
            [
                (cut.file, say.count(cut.passages), say.count(cut.characters), "; ".join(cut.reasons))
                for cut in found.cuts[:_LISTED]
            ],
            caption="Passages that were left out of the analysis.",
        )
        if len(found.cuts) > _LISTED:
            doc.paragraph(f"The embedded results have all {say.count(len(found.cuts))}.")
    else:
        doc.paragraph("No passage was left out of any text.")
    _typing(report)
    if found.set_aside:
        table(
            doc,
            [Column("Problem", lines=5), Column("Why it was set aside", 200, lines=5)],
            [(each.message, each.reason) for each in found.set_aside[:_LISTED]],
            caption="Problems that the analyst set aside.",
        )

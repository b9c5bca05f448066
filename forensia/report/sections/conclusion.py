"""The conclusion in the words of the findings, the declaration, and lines to sign."""

from __future__ import annotations

from forensia.report.letters import Piece
from forensia.report.paper import BODY, NOTE
from forensia.report.writing import SectionWriter
from forensia.wording import conditions, opinion, writers

_SIGN = 210.0


def write(report: SectionWriter) -> None:
    """Conclusion, declaration and signatures."""
    doc, details = report.doc, report.details
    doc.heading("Conclusion")
    for document in report.found.documents:
        name = doc.letters.fitted(report.name(document), BODY.strong, doc.width * 0.8)
        result = document.result
        said = " ".join(
            [
                *report.no_new_source(result),
                opinion.statement(result),
                *opinion.reasons(result),
                conditions.holds(result),
            ]
        )
        doc.paragraph([Piece(f"{name}. ", BODY.strong), Piece(said, BODY)])
    for each in report.found.comparisons:
        names = report.compared(each)
        said = " ".join(writers.answer(each.found, names))
        doc.paragraph([Piece(f"{writers.question(names)} ", BODY.strong), Piece(said, BODY)])
    if details.conclusion:
        doc.paragraph(details.conclusion)
    doc.paragraph(
        "Verbal expressions follow the scale that the statements name; 'first' and 'second' proposition are those of the section on "
        "propositions. These findings are one part of the evidence and must be weighed together with the rest."
    )
    doc.heading("Declaration", 1, follow=170)
    doc.paragraph(
        "The numbers in this report were computed by the program from the texts listed in it, with the settings listed in it, and can be "
        "computed again from the case file. I have read the limits. I have stated what I was told and by whom, and have left out "
        "nothing that would qualify what is said here. My duty is to the court and not to those who instructed me."
    )
    doc.y += 14
    doc.need(90)
    for column, (role, name) in enumerate((("Analyst", details.analyst), ("Reviewer", details.reviewer))):
        x = doc.left + column * (_SIGN + 36)
        doc.stroke(x, doc.y + 40, x + _SIGN, doc.y + 40, 0.6)
        shown = f"{role}: {name}" if name else role
        doc.write(x, doc.y + 44, doc.letters.fitted(shown, NOTE, _SIGN), NOTE)
        doc.write(x, doc.y + 56, "Date and signature", NOTE)
    doc.y += 80

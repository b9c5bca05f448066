"""What was asked, by whom, and what the analyst was told: none of it entered the computation."""

from __future__ import annotations

from forensia.report.paper import BODY
from forensia.report.writing import SectionWriter


def write(report: SectionWriter) -> None:
    """Instructions and facts supplied."""
    doc, details = report.doc, report.details
    doc.heading("Instructions and facts supplied")
    if details.client:
        doc.paragraph(f"Instructed by {details.client}.")
    if details.question:
        doc.paragraph(f"The question put to the analyst: {details.question}")
    else:
        doc.paragraph(
            f"No question was recorded in the words of whoever asked it. This report answers: {report.question}"
        )
    if details.received:
        doc.paragraph(f"Materials received: {details.received}.")
    if details.facts:
        doc.paragraph("The analyst was told the following:", keep=BODY.leading)
        doc.bullets(list(details.facts))
    else:
        doc.paragraph("No facts about the case were recorded.")
    doc.paragraph(
        "The computation saw the texts, the names of the authors of the known ones, what each of these comes from, what the analyst "
        "states of the source of a disputed text, and which question is asked of it; nothing else. The names have "
        "no influence on it: with others the numbers are the same."
    )

"""The propositions between which the findings are weighed, and whom the alternatives stand for."""

from __future__ import annotations

from forensia.report.paper import BODY
from forensia.report.writing import SectionWriter
from forensia.wording.ratios import another_listed, unlisted


def write(report: SectionWriter) -> None:
    """Propositions and relevant population."""
    doc, say, found, details = report.doc, report.say, report.found, report.details
    closed = found.closed
    doc.heading("Propositions and relevant population")
    doc.paragraph(
        "For each listed author and each disputed text the findings are weighed between two propositions:",
        keep=BODY.leading * 2,
    )
    doc.bullets(
        [
            "the first: this author wrote the disputed text;",
            f"the second: {another_listed()}."
            if closed
            else f"the second, in two forms: {another_listed()}; or {unlisted()}.",
        ]
    )
    validated = found.validation is not None or bool(found.older_validation)
    if not validated:
        doc.paragraph("Without a validation no likelihood ratio is calculated against either form of the second.")
    elif closed:
        doc.paragraph(
            "A likelihood ratio is calculated on the condition that one of the listed authors wrote the disputed text. They are too few to "
            "say anything of somebody else."
        )
    else:
        doc.paragraph(
            "A likelihood ratio is calculated against either form of the second proposition. "
            + (
                "The weaker of the two is the one that is reported, so that no more is claimed than both support."
                if found.older_validation
                else "The lower of the two is the one that is reported: the one that is less favourable to the first proposition."
            )
        )
    if details.propositions:
        doc.paragraph(f"As instructed: {details.propositions}")
    doc.paragraph(
        f"The listed authors are the {say.count(found.model.authors)} whose texts were supplied."
        + (
            " They also stand for 'somebody who is not in the corpus': what such a person's text looks like to the model is learnt from "
            "each of them in turn, as if nothing by that author were known. So the second form holds for people who write as "
            "differently from each other as the listed authors do, in texts of this kind."
            if validated and not closed
            else ""
        )
    )
    if details.population:
        doc.paragraph(f"Relevant population, as stated by the analyst: {details.population}")
    else:
        doc.paragraph(
            "The analyst has recorded no relevant population. Whether the listed authors represent those who could have written the "
            "disputed text must be argued from the circumstances of the case."
        )
    unused = [each.author for each in found.materials.authors if not each.documents]
    if unused:
        doc.paragraph(
            f"All texts of {say.count(len(unused))} further authors were excluded; nothing is said about them."
        )

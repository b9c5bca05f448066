"""The propositions between which the findings are weighed, and whom the alternatives stand for."""

from __future__ import annotations

from forensia.report.paper import BODY
from forensia.report.writing import SectionWriter
from forensia.wording.ratios import ONE_WRITER, TWO_WRITERS, another_listed, author_wrote, somebody_else, unlisted
from forensia.wording.templates import named


def write(report: SectionWriter) -> None:
    """Propositions and relevant population."""
    doc, found, details = report.doc, report.found, report.details
    doc.heading("Propositions and relevant population")
    if found.documents:
        _candidates(report)
    if found.comparisons:
        doc.paragraph(
            f"For texts compared with each other the propositions are, for each pair: the first, {ONE_WRITER}; the second, {TWO_WRITERS}. "
            "Whoever wrote them is taken to write as differently from others as the authors of the known texts do."
        )
    if details.propositions:
        doc.paragraph(f"As instructed: {details.propositions}")
    if found.documents:
        _stand_ins(report)
    stands = "the reference population represents" if found.population else "the listed authors represent"
    if details.population:
        doc.paragraph(f"Relevant population, as stated by the analyst: {details.population}")
    else:
        doc.paragraph(
            f"The analyst has recorded no relevant population. Whether {stands} "
            "those who could have written the disputed text must be argued from the circumstances of the case."
        )
    unused = [each.author for each in found.materials.authors if not each.documents]
    if unused:
        doc.paragraph(
            f"All texts of {report.say.count(len(unused))} further authors were excluded; nothing is said about them."
        )


def _candidates(report: SectionWriter) -> None:
    """The propositions about candidates."""
    doc, found = report.doc, report.found
    closed = found.closed
    population, alone = found.population, found.candidates == 1
    doc.paragraph(
        "For each disputed text the findings are weighed between two propositions:"
        if alone
        else "For each listed author and each disputed text the findings are weighed between two propositions:",
        keep=BODY.leading * 2,
    )
    doc.bullets(
        [
            f"the first: {author_wrote(found.documents[0].result.candidates[0].author)};"
            if alone
            else "the first: this author wrote the disputed text;",
            f"the second: {another_listed()}."
            if closed
            else f"the second: {somebody_else()}."
            if alone
            else f"the second, in two forms: {another_listed()}; or {somebody_else() if population else unlisted()}.",
        ]
    )
    validated = found.validation is not None or bool(found.older_validation)
    if not validated:
        doc.paragraph("Without a validation no likelihood ratio is calculated against either form of the second.")
    elif found.agreed:
        doc.paragraph(
            "A likelihood ratio is calculated on the condition that one of the listed authors wrote the disputed text, which is agreed, as "
            "the analyst states. It was not examined, and nothing here speaks for or against it."
        )
    elif alone:
        doc.paragraph("One likelihood ratio is calculated, for the first proposition against the second.")
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
    some = [report.name(each) for each in found.documents if each.result.question.kind == "one of these"]
    if some and not found.agreed:
        doc.paragraph(
            f"For {named(some)} it is agreed that one of the listed authors wrote the text, as the analyst states: the LR is that against "
            "another of them, and nobody else is considered."
        )


def _stand_ins(report: SectionWriter) -> None:
    """Whom the listed authors, or the population, stand for."""
    doc, say, found = report.doc, report.say, report.found
    validated = found.validation is not None or bool(found.older_validation)
    if found.population:
        doc.paragraph(_population(report))
    else:
        doc.paragraph(
            f"The listed authors are the {say.count(found.model.authors)} whose texts were supplied."
            + (
                " They also stand for 'somebody who is not in the corpus': what such a person's text looks like to the model is learnt "
                "from each of them in turn, as if nothing by that author were known. So the second form holds for people who write as "
                "differently from each other as the listed authors do, in texts of this kind."
                if validated and not found.closed
                else ""
            )
        )


def _population(report: SectionWriter) -> str:
    """Who is a candidate, and whom the reference population stands for."""
    say, found = report.say, report.found
    listed = (
        f"The only candidate is {found.documents[0].result.candidates[0].author}."
        if found.candidates == 1
        else f"The listed authors are the {say.count(found.candidates)} candidates."
    )
    return (
        f"{listed} The {say.count(found.population)} authors of the reference population are no candidates, and nothing is said about "
        "any of them. They stand for 'somebody else': what a text by somebody else looks like beside a candidate's is learnt from them, "
        "and from the candidates' texts held against them. So the second proposition holds for people who write as the population does, in "
        "texts of this kind."
    )

"""From a case to a PDF: collect, set, embed the numbers, write, and note in the case that it was done."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from forensia import files
from forensia.case.store import Case
from forensia.jobs import Progress, part, silent
from forensia.report.blocks import TableOfContents
from forensia.report.contents import DATE, NAME, Contents, as_json, canonical, collect
from forensia.report.details import CaseDetails
from forensia.report.pdfpages import Imprint, ReportPages
from forensia.report.pdfwriter import PdfWriter
from forensia.report.sections import Report, Section, closing, front, materials, method, results, validation
from forensia.report.typesetting import paper_named
from forensia.wording.numbers import Printed

__all__ = ["Made", "draw", "make_report"]

FRONT: tuple[Section, ...] = (front.cover, front.summary)
BODY: tuple[Section, ...] = (
    materials.instructions, materials.materials, materials.preprocessing, method.method, method.propositions, validation.validation,
    results.results, results.sensitivity, results.comparisons, closing.limits, closing.conclusion, closing.parameters, closing.versions,
    closing.audit_log, closing.glossary, closing.verifying,
)  # fmt: skip
_ENTRIES = 24  # of the table of contents, beside those of each disputed text


@dataclass(frozen=True)
class Made:
    """A report that was made: its bytes and their hash, all its numbers, and each of them as it was printed."""

    pdf: bytes
    contents: Contents
    printed: tuple[Printed, ...]
    pages: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.pdf).hexdigest()


def make_report(
    case: Case,
    target: Path,
    details: CaseDetails | None = None,
    documents: Sequence[str] | None = None,
    date: datetime | None = None,
    paper: str | None = None,
    progress: Progress = silent,
) -> Made:
    """Write the report of a case to a file. The same case, details and date give the same bytes.

    The details (those that the case keeps, if None) are kept in the case, and the report is noted there, unless it is read-only.
    """
    given = details or CaseDetails.of_case(case)
    if paper is not None:
        given = replace(given, paper=paper)
    given.keep(case)
    date = (date or datetime.now(UTC)).replace(microsecond=0)
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    contents = collect(case, given, documents=documents, date=date, progress=part(progress, 0.0, 0.6))
    made = draw(contents, part(progress, 0.6, 0.98))
    files.write(target, made.pdf, private=True)
    if not case.read_only:
        about = {
            "id": contents.id,
            "documents": [document.id for document in contents.documents],
            "comparisons": [each.number for each in contents.comparisons],
        }
        case.results.report_made(target.name, made.sha256, about)
    progress(1.0, "The report is written")
    return made


def draw(contents: Contents, progress: Progress = silent) -> Made:
    """The pages of a report; everything in them comes from the contents."""
    date = datetime.strptime(contents.date, DATE).replace(tzinfo=UTC)
    pages, report = ReportPages(paper_named(contents.paper), _imprint(contents), date), Report(contents)
    writer = PdfWriter(pages)
    sections = (*FRONT, *BODY)
    try:
        for number, section in enumerate(sections):
            progress(number / len(sections), "Setting the pages")
            writer.write_all(section(report))
            if number + 1 == len(FRONT):
                texts = (1 if report.many else 2) * len(contents.documents) + len(contents.comparisons)
                writer.write(TableOfContents(_ENTRIES + texts))
        pages.embed(NAME, canonical(as_json(contents)), "Every number of this report")
        return Made(pages.finish(), contents, tuple(report.say.printed), pages.page)
    finally:
        pages.close()


def _imprint(contents: Contents) -> Imprint:
    details = contents.details
    number = details.case_number
    return Imprint(
        title=details.title or "Forensic authorship analysis: report",
        author=details.analyst,
        subject=f"Case {number}" if number else "Forensic authorship analysis",
        identifier=contents.id,
        program=f"Forensia {contents.program}",
        case=f"Case {number}" if number else f"Case file {contents.case.file}",
        status=contents.status,
    )

"""From a case to a PDF: collect, set, embed the numbers, write, and note in the case that it was done."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from forensia import files
from forensia.case.store import Case
from forensia.jobs import Progress, part, silent
from forensia.report.contents import DATE, NAME, Contents, canonical, collect, told
from forensia.report.details import CaseDetails
from forensia.report.document import PdfDocument, RunningHead
from forensia.report.metadata import Metadata
from forensia.report.paper import paper_named
from forensia.report.printing import Printed
from forensia.report.sections import (
    appendices,
    comparisons,
    conclusion,
    cover,
    glossary,
    instructions,
    limits,
    log,
    materials,
    method,
    preprocessing,
    propositions,
    results,
    sensitivity,
    summary,
    validation,
)
from forensia.report.writing import SectionWriter

__all__ = ["Made", "draw", "make_report"]

FRONT: tuple[Callable[[SectionWriter], None], ...] = (cover.write, summary.write)
BODY: tuple[Callable[[SectionWriter], None], ...] = (
    instructions.write, materials.write, preprocessing.write, method.write, propositions.write, validation.write, results.write,
    sensitivity.write, comparisons.write, limits.write, conclusion.write, appendices.write_parameters, appendices.write_versions, log.write,
    glossary.write, appendices.write_verifying,
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
        case.report_made(target.name, made.sha256, about)
    progress(1.0, "The report is written")
    return made


def draw(contents: Contents, progress: Progress = silent) -> Made:
    """The pages of a report; everything in them comes from the contents."""
    doc = PdfDocument(paper_named(contents.paper), _head(contents), _metadata(contents), _date(contents))
    report = SectionWriter(doc, contents)
    sections = (*FRONT, *BODY)
    try:
        for number, section in enumerate(sections):
            progress(number / len(sections), "Setting the pages")
            section(report)
            if number + 1 == len(FRONT):
                doc.contents(_ENTRIES + (1 if report.many else 2) * len(contents.documents) + len(contents.comparisons))
        doc.embed(NAME, canonical(told(contents)), "Every number of this report")
        return Made(doc.finish(), contents, tuple(report.say.printed), doc.page)
    finally:
        doc.close()


def _head(contents: Contents) -> RunningHead:
    number = contents.details.case_number
    left = f"Case {number}" if number else f"Case file {contents.case.file}"
    return RunningHead(left, contents.status, f"Forensia {contents.program} · report {contents.id}")


def _metadata(contents: Contents) -> Metadata:
    details = contents.details
    return Metadata(
        title=details.title or "Forensic authorship analysis: report",
        author=details.analyst,
        subject=f"Case {details.case_number}" if details.case_number else "Forensic authorship analysis",
        identifier=contents.id,
        program=f"Forensia {contents.program}",
    )


def _date(contents: Contents) -> datetime:
    return datetime.strptime(contents.date, DATE).replace(tzinfo=UTC)

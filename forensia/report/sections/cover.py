"""The cover: which case, which texts, who, when, and whether this is a draft."""

from __future__ import annotations

from itertools import pairwise

from forensia.report.paper import BODY, LABEL, NOTE, Style
from forensia.report.writing import SectionWriter, days

_TITLE = Style(24.0, 30.0, bold=True)
_STATUS = Style(12.0, 16.0, bold=True)
_NOT_STATED = "not stated"
_LISTED = 8


def write(report: SectionWriter) -> None:
    """The first page."""
    doc, found, details = report.doc, report.found, report.details
    doc.new_page()
    doc.y = doc.paper.top + 60
    doc.write(doc.left, doc.y, "Forensic authorship analysis", LABEL)
    doc.y += 20
    count = len(found.materials.disputed)
    title = details.title or ("Report on a disputed text" if count == 1 else "Report on disputed texts")
    for line in doc.letters.lines(doc.letters.fitted(title, _TITLE, doc.width, 3), _TITLE, doc.width):
        doc.draw(line, doc.left, doc.y, _TITLE)
        doc.y += _TITLE.leading
    doc.y += 14
    _status(report)
    doc.y += 40
    doc.rule(width=0.8, after=14)
    doc.facts(_rows(report), label=130.0, style=BODY)
    doc.rule(width=0.8, after=10)
    doc.y = max(doc.y, doc.paper.foot - 92)
    doc.paragraph(
        "This report says how much more probable the findings are if one proposition is true than if another is. It does not say how "
        "probable it is that anybody wrote a text: that depends on other evidence too, and is for the court to judge.",
        NOTE,
    )


def _status(report: SectionWriter) -> None:
    """DRAFT or FINAL in a frame."""
    doc, words = report.doc, report.found.status
    wide = doc.letters.width(words, _STATUS) + 24
    corners = ((0, 0), (wide, 0), (wide, 24), (0, 24), (0, 0))
    for (x0, y0), (x1, y1) in pairwise(corners):
        doc.stroke(doc.left + x0, doc.y + y0, doc.left + x1, doc.y + y1, 1.0)
    doc.write(doc.left + 12, doc.y + 4, words, _STATUS)


def _rows(report: SectionWriter) -> list[tuple[str, str]]:
    found, details, letters, doc = report.found, report.details, report.doc.letters, report.doc
    names = [details.named(each.file) for each in found.materials.disputed]
    listed = ", ".join(names[:_LISTED])
    if len(names) > _LISTED:
        listed = f"{report.say.count(len(names))} texts: {listed}, …"

    def fitted(text: str, lines: int = 2) -> str:
        return letters.fitted(text, BODY, doc.width - 130, lines)

    rows = [
        ("Case number", fitted(details.case_number) or _NOT_STATED),
        ("Instructed by", fitted(details.client) or _NOT_STATED),
        ("Disputed texts", fitted(listed, 4)),
        ("Analyst", fitted(details.analyst) or _NOT_STATED),
        ("Qualifications", fitted(details.qualifications, 3)),
        ("Reviewer", fitted(details.reviewer) or _NOT_STATED),
        ("Materials received", fitted(details.received)),
        ("Date of this report", days(found.date)),
        ("Report id", found.id),
        ("Case file", fitted(f"{found.case.file} (id {found.case.id})")),
        ("Made with", f"Forensia {found.program}"),
    ]
    return [(name, value) for name, value in rows if value]

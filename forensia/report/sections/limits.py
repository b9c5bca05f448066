"""The limits, as they follow from what was found in this case."""

from __future__ import annotations

from forensia.report.letters import Piece
from forensia.report.paper import BODY
from forensia.report.writing import SectionWriter
from forensia.wording import limits


def write(report: SectionWriter) -> None:
    """Limits."""
    doc = report.doc
    doc.heading("Limits")
    doc.paragraph("These follow from what was found in this case; the gravest come first.", keep=BODY.leading)
    doc.bullets(
        [
            [Piece(f"{limits.title(each)}. ", BODY.strong), Piece(limits.text(each), BODY)]
            for each in report.found.limits
        ]
    )

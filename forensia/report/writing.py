"""What every section of a report is given: the pages, the numbers, the texts, and the one way to print a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forensia.evidence.elub import Bounds
from forensia.figures import PRINT, Look
from forensia.report.document import Document
from forensia.report.printing import Printer
from forensia.report.trust import as_bounds

__all__ = ["Report", "band", "bounds_for", "days", "trimmed"]

_GAP = 14.0


@dataclass
class Report:
    """A report in the making."""

    doc: Document
    found: Mapping[str, Any]
    texts: Mapping[str, str]
    say: Printer = field(default_factory=Printer)

    @property
    def details(self) -> Mapping[str, Any]:
        return dict(self.found["details"])

    @property
    def many(self) -> bool:
        """Whether there are so many disputed texts that each gets less room."""
        return len(self.found["documents"]) > 6

    def look(self, height: float, columns: int = 1) -> Look:
        """How figures look on this paper: as wide as the text, or as their share of it."""
        width = (self.doc.width - _GAP * (columns - 1)) / columns
        return PRINT.sized(width / 72, height)

    def name(self, document: Mapping[str, Any]) -> str:
        """A disputed text as the report calls it: by its exhibit, if it has one, and its file."""
        file = str(document["result"]["file"])
        label = next((row["exhibit"] for row in self.found["materials"]["disputed"] if row["id"] == document["id"]), "")
        return f"{label} ({file})" if label else file


def bounds_for(document: Mapping[str, Any], row: Mapping[str, Any]) -> Bounds | None:
    """The limits of an author's LR: those of the alternative that it comes from."""
    stored = document["bounds"]
    if stored is None:
        return None
    unlisted = row["log10_lr_unlisted"] is not None and row["log10_lr"] == row["log10_lr_unlisted"]
    return as_bounds(stored["unlisted" if unlisted else "listed"])


def band(verbal: str | None) -> str:
    """The words of the scale, short enough for a table."""
    if not verbal:
        return "–"
    return verbal.replace(" support for the first proposition", " for").replace(
        " support for the second proposition", " against"
    )


def days(stamp: str) -> str:
    """A time of the case without its fractions of a second."""
    date, _, time = stamp.partition("T")
    return f"{date} {time[:8]} UTC" if time else date


def trimmed(text: str) -> str:
    """The first sentence of a text."""
    head, stop, _ = text.partition(". ")
    return head + ("." if stop else "")

"""PAN's verification problems: a folder for each, with known texts of one author and one unknown text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from forensia.corpus.document import Severity
from forensia.corpus.layouts.base import FileText, Item, ReadOptions, left_out
from forensia.corpus.walking import Entry, Listing
from forensia.jobs import Progress

_KNOWN = re.compile(r"known[ _-]?\d*\.txt", re.IGNORECASE)
_UNKNOWN = re.compile(r"unknown[ _-]?\d*\.txt", re.IGNORECASE)


class PanVerification:
    name = "pan-verification"
    sentence = (
        "PAN verification problems: folders with known*.txt by one author and an unknown.txt; truth.txt is kept apart."
    )

    def recognise(self, listing: Listing) -> str | None:
        candidates = [entry for entry in listing.entries if "known" in entry.relative.lower()]
        known = {_problem(entry) for entry in candidates if _KNOWN.fullmatch(entry.name)}
        unknown = {_problem(entry) for entry in candidates if _UNKNOWN.fullmatch(entry.name)}
        both = known & unknown - {""}
        return f"{len(both):,} folders hold known texts and an unknown one" if both else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            problem = _problem(entry)
            if problem and _KNOWN.fullmatch(entry.name):
                found.append(FileText(entry, problem, entry.stem))
            elif problem and _UNKNOWN.fullmatch(entry.name):
                found.append(left_out("disputed-text", entry, Severity.NOTE))
            else:
                found.append(left_out("not-a-text", entry, Severity.NOTE))
        return found


def _problem(entry: Entry) -> str:
    """The folder of a problem, which stands for its author."""
    return entry.relative.rpartition("/")[0]

"""The audit log of the case: what was done and when, each entry with the hash of the one before."""

from __future__ import annotations

from forensia.report.grid import Column, table
from forensia.report.paper import Style
from forensia.report.writing import SectionWriter, days

_TINY = Style(7.6, 9.6)
_FIRST, _LAST = 20, 60
_INTERIM = ("arrays stored", "arrays removed")


def write(report: SectionWriter) -> None:
    """Audit log."""
    doc, say, found = report.doc, report.say, report.found.case
    doc.heading("Audit log")
    log, events = found.log, found.events
    doc.paragraph(
        f"The log has {say.count(log.entries)} entries; its head is {log.head}. Each entry carries the hash of the one before, so an "
        "entry that is changed or taken out breaks the chain. "
        + ("The chain is unbroken." if log.sound else "THE CHAIN IS BROKEN: the log is not as it was written.")
    )
    shown = [each for each in events if not (each.event in _INTERIM and "kind fold" in each.details)]
    if len(shown) > _FIRST + _LAST:
        shown = [*shown[:_FIRST], *shown[-_LAST:]]
    if len(shown) < len(events):
        doc.paragraph(
            "Left out here are entries about interim stores of the validation"
            + (", and the middle of a long log" if len(shown) == _FIRST + _LAST else "")
            + "; the embedded results have all entries."
        )
    table(
        doc,
        [
            Column("No.", 22, "right", 1), Column("Time", 88, lines=1), Column("Event", 82, lines=1), Column("Details", lines=2),
            Column("SHA-256, beginning", 70, lines=1, mono=True),
        ],
        [
            (say.count(each.number), days(each.time), each.event, each.details, each.sha256[:16])
            for each in shown
        ],
        caption="The audit log.",
        style=_TINY,
    )  # fmt: skip

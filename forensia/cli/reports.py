"""`forensia report`: what the command says, against what the case keeps."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.cli.commands import tell
from forensia.errors import InputError
from forensia.jobs import Progress, TerminalBar

if TYPE_CHECKING:
    from forensia.case.store import Case
    from forensia.report.details import CaseDetails


def report(options: argparse.Namespace, bar: TerminalBar, *, analyst: str = "", paper: str = "A4") -> Any:
    """`forensia report`: the PDF of a case. `analyst` and `paper` stand where neither the case nor the command says anything."""
    from forensia.case.store import Case

    date = None if options.date is None else parsed_date(options.date)
    target = options.output or options.case.with_suffix(".pdf")
    with Case.open(options.case) as case:
        details = _details(case, options, analyst, paper)
        found = write_report(case, target, details, options.documents, date, bar)
    return found


def write_report(
    case: Case,
    target: Path,
    details: CaseDetails | None = None,
    documents: Sequence[str] | None = None,
    date: datetime | None = None,
    progress: TerminalBar | None = None,
) -> dict[str, Any]:
    """Make a report and say where it is."""
    from forensia.jobs import silent
    from forensia.report import contents
    from forensia.report.make import make_report

    bar: Progress = progress or silent
    made = make_report(case, target, details, documents, date, progress=bar)
    if progress is not None:
        progress.clear()
    tell(f"The report:  {target} ({made.pages} pages, SHA-256 {made.sha256})")
    return contents.told(made.contents)


def parsed_date(text: str) -> datetime:
    """A date as people type it in commands: 2026-11-16, or with a time of day; UTC unless it says otherwise."""
    try:
        date = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"'{text}' is no date. Give one as 2026-11-16 or 2026-11-16T12:00:00Z.") from error
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _details(case: Case, options: argparse.Namespace, analyst: str, paper: str) -> CaseDetails:
    """What the case keeps, changed by what the command says."""
    from forensia.report.details import CaseDetails

    kept = CaseDetails.of_case(case)
    if kept == CaseDetails():
        kept = replace(kept, paper=paper)
    if options.details is not None:
        kept = CaseDetails.from_file(options.details, kept)
    if not kept.analyst:
        kept = replace(kept, analyst=analyst)
    if options.paper is not None:
        kept = replace(kept, paper=options.paper)
    if options.status is not None:
        kept = replace(kept, status=options.status)
    if kept.missing:
        raise InputError("A final report needs a case number and the name of the analyst. Give them with --details.")
    return kept

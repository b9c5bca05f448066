"""Commands that ask a case: about disputed texts, several texts, its report, and whether all of it holds; in words for the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.cli import jobs, tell
from forensia.errors import ForensiaError, InputError
from forensia.jobs import Progress, TerminalBar

if TYPE_CHECKING:
    from forensia.case.session import Session
    from forensia.case.store import Case
    from forensia.evidence.result import Question
    from forensia.evidence.writers import Grouping
    from forensia.report.details import CaseDetails
    from forensia.service.analysing import Batch
    from forensia.settings import Settings


@dataclass(frozen=True)
class Outcome:
    """What a command found, and what is wrong all the same: the JSON is written, the problem is said, the exit code is not 0."""

    found: Any
    problem: ForensiaError | None = None


def analyse(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia analyse`: rank and verify the candidate authors of disputed files."""
    from forensia.case.session import Session
    from forensia.case.store import Case
    from forensia.case.verify import stale_warnings
    from forensia.cli import contract, terminal
    from forensia.evidence.result import Stated
    from forensia.report.details import CaseDetails
    from forensia.service.analysing import analyse_files

    if options.exhibit is not None and len(options.files) > 1:
        raise InputError("--exhibit names one text. Analyse the texts one by one to name them.")
    if options.because and options.source is None:
        raise InputError("--because gives the reason of --source known, and is of no use without it.")
    stated = None if options.source is None else Stated(options.source, options.because.strip())
    with Case.open(options.case) as case:
        stale = stale_warnings(case)
        session = Session.of(case)
        batch = analyse_files(
            case, options.files, stated=stated, question=_question(options), progress=bar, session=session
        )
        bar.clear()
        details = CaseDetails.of_case(case)
        if options.exhibit is not None:
            for result in batch.results:
                details = details.with_exhibit(result.file, options.exhibit.strip())
            details.keep(case)
        for result in batch.results:
            tell(terminal.document_lines(result, details.exhibit(result.file)))
        if options.pdf and batch.results:
            write_report(case, options.pdf, documents=[result.document for result in batch.results], progress=bar)
    for warning in stale:
        tell(f"Note: {warning}")
    found = contract.analysed(session.judge.record, batch, stale, details.exhibit)
    return Outcome(found, _not_all(len(options.files), batch))


def _question(options: argparse.Namespace) -> Question | None:
    """What is asked; None: what was asked of a text before."""
    from forensia.evidence.result import WHO, Question

    if options.did is not None:
        return Question("did", options.did)
    if options.agreed is not None:
        return Question("one of these", because=options.agreed.strip())
    return WHO if options.who else None


def _not_all(files: int, batch: Batch) -> InputError | None:
    """What did not work, where one bad file must not hide what did."""
    if not batch.refused:
        return None
    if files == 1:
        return InputError(batch.refused[0].reason)
    reasons = "".join(f"\n  {each.file}: {each.reason}" for each in batch.refused)
    return InputError(f"{len(batch.refused)} of {files} files could not be analysed; the others were.{reasons}")


def compare(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia compare`: same author or not, for two texts, several, or many problems."""
    from forensia.case.session import Session
    from forensia.case.store import Case
    from forensia.cli import paircontract, terminal
    from forensia.report.details import CaseDetails
    from forensia.service.comparing import compare_documents, compare_kept, compare_many, read_texts
    from forensia.wording import writers

    files = options.files
    if (len(files) < 2) if options.problems is None else (files or options.keep):
        options.usage("give two files or more, or --problems and no file")
    if options.figure is not None and len(files) < 3:
        options.usage("--figure is for more than two files")
    if options.exhibit and not (options.keep and len(options.exhibit) == len(files)):
        options.usage("--exhibit is for texts that are kept (--keep), and is given once for each, in their order")
    found: Grouping | None = None
    with Case.open(options.case) as case:
        session = Session.of(case)
        if options.problems is not None:
            return _answered(case, session, options, bar)
        texts = read_texts(files)
        compared = compare_documents(session, texts[0], texts[1], bar) if len(texts) == 2 else None
        if options.keep:
            found = compare_kept(case, session, texts, bar)
            details = CaseDetails.of_case(case)
            for text, label in zip(found.texts, options.exhibit, strict=False):
                details = details.with_exhibit(text.file, label.strip())
            details.keep(case)
        elif compared is None:
            found = compare_many(case, session, texts, bar)
        details = CaseDetails.of_case(case)
    bar.clear()
    if compared is not None:
        tell(terminal.pair_lines(compared.result, compared.explanation))
        tell("\n".join(writers.error(found)) if found else "")
        return paircontract.compared(compared.result, compared.explanation, found)
    assert found is not None
    tell(terminal.grouping_lines(found, [details.named(text.file) for text in found.texts]))
    if options.figure is not None:
        _draw(found, options.figure)
    return paircontract.grouped(found, details.exhibit)


def _draw(found: Grouping, target: Path) -> None:
    """The pairs of several texts as a figure."""
    from forensia import files
    from forensia.figures import WRITERS, pair_map

    writer = WRITERS.get(target.suffix.lower()[1:])
    if writer is None:
        raise InputError(f"'{target.name}' has no ending that a figure can have: .svg, .pdf or .png.")
    drawing = pair_map(found.log10, [text.file for text in found.texts], found.groups)
    files.write(target, writer(drawing.figure))
    tell(f"The figure is {target}.")


def _answered(case: Case, session: Session, options: argparse.Namespace, bar: TerminalBar) -> Outcome:
    """Many verification problems, with their answers in the format of PAN beside the JSON."""
    from forensia import files
    from forensia.cli import paircontract, terminal
    from forensia.service.comparing import ANSWERS, answer_problems

    found = answer_problems(case, session, options.problems, bar)
    bar.clear()
    tell(terminal.answer_lines(found))
    target = Path(options.json).parent / ANSWERS if options.json not in (None, "-") else None
    if target is not None:
        files.write(target, found.lines)
        tell(f"The answers are {target}.")
    problem, refused = None, found.refused
    if refused:
        reasons = "".join(f"\n  {each.file}: {each.reason}" for each in refused)
        number = len(refused) + len(found.answers)
        problem = InputError(f"{len(refused)} of {number} problems could not be answered; the others were.{reasons}")
    return Outcome(paircontract.answered(session.judge.record, found, target), problem)


def verify(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia verify`: rehash a case or a report, run again what it holds, and name every difference."""
    from forensia.case.errors import CaseDiffers
    from forensia.cli import contract, terminal

    if options.target.suffix.lower() == ".pdf":
        from forensia.service.verifying import confirm

        confirmed = confirm(options.target, options.case, quick=options.quick, jobs=jobs(0), progress=bar)
        bar.clear()
        tell(terminal.difference_lines(confirmed.differences, confirmed.notes))
        tell(terminal.agreement_lines(confirmed))
        found, differences = contract.confirmed(confirmed), confirmed.differences
    else:
        from forensia.case.store import Case
        from forensia.service.verifying import verify as verified

        with Case.open(options.target, read_only=True) as case:
            checked = verified(case, quick=options.quick, jobs=jobs(0), progress=bar)
        bar.clear()
        tell(terminal.difference_lines(checked.differences, checked.notes))
        if not checked.differences:
            tell(terminal.verified_line(options.target, checked))
        found, differences = contract.verified(options.target, checked), checked.differences
    return Outcome(found, CaseDiffers(options.target, len(differences)) if differences else None)


def report(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia report`: the PDF of a case."""
    from forensia import settings
    from forensia.case.store import Case

    date = None if options.date is None else parsed_date(options.date)
    target = options.output or options.case.with_suffix(".pdf")
    with Case.open(options.case) as case:
        details = _details(case, options, settings.load())
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
    return contents.as_json(made.contents)


def parsed_date(text: str) -> datetime:
    """A date as people type it in commands: 2026-11-16, or with a time of day; UTC unless it says otherwise."""
    try:
        date = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"'{text}' is no date. Give one as 2026-11-16 or 2026-11-16T12:00:00Z.") from error
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _details(case: Case, options: argparse.Namespace, usual: Settings) -> CaseDetails:
    """What the case keeps, changed by what the command says; what is `usual` stands where neither says anything."""
    from forensia.report.details import CaseDetails

    kept = CaseDetails.of_case(case)
    if kept == CaseDetails():
        kept = replace(kept, paper=usual.paper_size)
    if options.details is not None:
        kept = CaseDetails.from_file(options.details, kept)
    if not kept.analyst:
        kept = replace(kept, analyst=usual.analyst)
    if options.paper is not None:
        kept = replace(kept, paper=options.paper)
    if options.status is not None:
        kept = replace(kept, status=options.status)
    if kept.missing:
        raise InputError("A final report needs a case number and the name of the analyst. Give them with --details.")
    return kept

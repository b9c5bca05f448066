"""What the commands do, in words for the terminal; the work itself is in the rooms, and the parser in `cli`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.errors import ForensiaError, InputError
from forensia.jobs import TerminalBar, part

if TYPE_CHECKING:
    from forensia.case.store import Case
    from forensia.corpus import Corpus
    from forensia.service.analysing import Batch


@dataclass(frozen=True)
class Outcome:
    """What a command found, and what is wrong all the same: the JSON is written, the problem is said, the exit code is not 0."""

    found: Any
    problem: ForensiaError | None = None


def train(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia train`: read, check, train, validate, keep."""
    from forensia.case.session import is_validated, open_record, open_summary
    from forensia.cli import contract, terminal
    from forensia.corpus import ReadOptions
    from forensia.corpus.cleaning import Step
    from forensia.corpus.sources import EACH, each_its_own
    from forensia.profile import QUICK, THOROUGH, profile_named
    from forensia.service.importing import import_corpus
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions

    training = TrainingOptions(
        profile=profile_named(options.profile, QUICK if options.quick else THOROUGH),
        seed=options.seed,
        mask=options.mask,
        language=options.language,
        function_words=str(options.function_words.resolve()) if options.function_words else "",
        at_most=options.at_most,
    )
    training.refuse_too_few()  # before anything is read
    each = options.sources == EACH
    if each != bool(options.because.strip()):
        raise InputError(
            'Say with --because "…" how you know that every text is of an occasion of its own: the case keeps it, and the report tells it.'
            if each
            else "--because gives the reason of --sources each, and is of no use without it."
        )
    read = ReadOptions(
        layout=options.layout,
        encodings=dict(options.encoding),
        steps=tuple(Step[name.upper().replace("-", "_")] for name in options.clean),
        segment_words=options.segment,
        sources="" if each else options.sources,
    )
    with _new_case(options.output) as case:
        corpus = import_corpus(case, options.corpus, read, part(bar, 0.0, 0.05))
        _refuse_unknown(read.encodings, corpus)
        if each:
            case.set_sources(each_its_own(corpus.documents), options.because)
        bar.clear()
        tell(terminal.corpus_lines(corpus))
        stage = part(bar, 0.05, 1.0)
        learnt = train_case(case, training, fused_only=options.fused_only, jobs=jobs(options.jobs), progress=stage)
        bar.clear()
        if len(learnt.options.families) < len(training.families):
            tell("In some known texts no sentences can be found, so sentence lengths were left out.")
        validation = open_summary(case) if is_validated(case) else None
        record = open_record(case)
        assert record is not None
        tell(terminal.used_line(record.used))
    if validation is not None:
        tell(terminal.trust_lines(validation))
    chosen = "" if record.pairs is None else f": C = {record.pairs.c:g}, k = {record.pairs.k}"
    tell(f"Trained{chosen}. The case is {options.output}.")
    return {
        "case": str(options.output),
        "model": contract.about(record),
        "validation": None if validation is None else contract.validated(validation, record.used),
        "problems": [contract.problem(each) for each in corpus.every_problem],
    }


def _refuse_unknown(encodings: Mapping[str, str], corpus: Corpus) -> None:
    """An encoding for a file that is not there is a slip of the pen."""
    files = {document.path for document in corpus.documents} | {problem.file for problem in corpus.every_problem}
    unknown = sorted(encodings.keys() - files)
    if unknown:
        raise InputError(
            f"There is no file '{unknown[0]}' among the known texts, so its encoding cannot be chosen. Name it as below the folder."
        )


def validate(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia validate`: how far the model of a case can be trusted; what an interrupted validation lacks is done first."""
    from forensia.case.session import open_learnt
    from forensia.case.store import Case
    from forensia.cli import contract, terminal
    from forensia.service.training import validate_case

    with Case.open(options.case) as case:
        summary = validate_case(case, jobs=jobs(options.jobs), progress=bar)
        used = open_learnt(case).used
    bar.clear()
    tell(terminal.used_line(used))
    tell(terminal.trust_lines(summary))
    return contract.validated(summary, used)


def analyse(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia analyse`: rank and verify the candidate authors of disputed files."""
    from forensia.case.session import Session
    from forensia.case.stale import stale_warnings
    from forensia.case.store import Case
    from forensia.cli import contract, terminal
    from forensia.evidence.result import Stated
    from forensia.service.analysing import analyse_files

    if options.because and options.source is None:
        raise InputError("--because gives the reason of --source known, and is of no use without it.")
    stated = None if options.source is None else Stated(options.source, options.because.strip())
    with Case.open(options.case) as case:
        stale = stale_warnings(case)
        session = Session.of(case)
        batch = analyse_files(case, options.files, stated=stated, progress=bar, session=session)
        bar.clear()
        for result in batch.results:
            tell(terminal.document_lines(result))
        if options.pdf and batch.results:
            from forensia.cli.reports import write_report

            write_report(case, options.pdf, documents=[result.document for result in batch.results], progress=bar)
    for warning in stale:
        tell(f"Note: {warning}")
    found = contract.analysed(session.judge.record, batch, stale)
    return Outcome(found, _not_all(len(options.files), batch))


def _not_all(files: int, batch: Batch) -> InputError | None:
    """What did not work, where one bad file must not hide what did."""
    if not batch.refused:
        return None
    if files == 1:
        return InputError(batch.refused[0].reason)
    reasons = "".join(f"\n  {each.file}: {each.reason}" for each in batch.refused)
    return InputError(f"{len(batch.refused)} of {files} files could not be analysed; the others were.{reasons}")


def compare(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia compare`: same author or not, for any two texts."""
    from forensia.case.session import Session
    from forensia.case.store import Case
    from forensia.cli import contract, terminal
    from forensia.service.comparing import compare_files

    with Case.open(options.case) as case:
        compared = compare_files(Session.of(case), options.a, options.b, bar)
    bar.clear()
    tell(terminal.pair_lines(compared.result, compared.explanation))
    return contract.compared(compared.result, compared.explanation)


def demo(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia demo`: the sample case from start to end."""
    from forensia import paths
    from forensia.case.session import Session
    from forensia.cli import contract, terminal, write_json
    from forensia.cli.reports import write_report
    from forensia.corpus import ReadOptions
    from forensia.service.analysing import analyse_files
    from forensia.service.importing import import_corpus
    from forensia.service.training import train_case, validate_case
    from forensia.systems.pairmodel import TrainingOptions

    folder = (options.out or Path("forensia-demo")).resolve()
    paths.private_folder(folder)
    place, results = folder / "sample.forensia", folder / "results.json"
    place.unlink(missing_ok=True)  # an earlier demo made it, and it is made again below
    sample = paths.sample_case()
    with _new_case(place) as case:
        corpus = import_corpus(case, sample / "known", ReadOptions(), part(bar, 0.0, 0.05))
        bar.clear()
        tell(terminal.corpus_lines(corpus))
        train_case(case, TrainingOptions(), jobs=jobs(0), progress=part(bar, 0.05, 0.9))
        bar.clear()
        tell(terminal.trust_lines(validate_case(case)))
        files = sorted((sample / "disputed").glob("*.txt"))
        session = Session.of(case)
        batch = analyse_files(case, files, progress=part(bar, 0.9, 1.0), session=session)
        bar.clear()
        for result in batch.results:
            tell(terminal.document_lines(result))
        found = contract.analysed(session.judge.record, batch)
        write_json(found, str(results))
        tell(f"\nThe case:    {place}\nThe numbers: {results}")
        write_report(case, folder / "report.pdf", progress=bar)
    return found


def verify(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia verify`: rehash a case or a report, run again what it holds, and name every difference."""
    from forensia.case.errors import CaseDiffers
    from forensia.cli import contract, terminal

    if options.target.suffix.lower() == ".pdf":
        from forensia.service.confirming import confirm

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
    """`forensia report`: the PDF report of a case."""
    from forensia import settings
    from forensia.cli import reports

    usual = settings.load()
    return reports.report(options, bar, analyst=usual.analyst, paper=usual.paper_size)


@contextmanager
def _new_case(place: Path) -> Iterator[Case]:
    """A new case. When the command does not end well the case stays only if a model is in it; so the command can be given again."""
    from forensia.case.session import MODEL
    from forensia.case.store import Case

    case = Case.create(place)
    kept = False
    try:
        with case:
            try:
                yield case
            finally:
                kept = MODEL in case.array_kinds()
    except BaseException:
        if kept:
            tell(f"The model is kept: `forensia validate {place}` goes on where this stopped.")
        else:
            place.unlink(missing_ok=True)
        raise


def jobs(wanted: int) -> int:
    """How many processes or threads: as wanted, or one for each core."""
    return wanted if wanted > 0 else os.cpu_count() or 1


def tell(text: str) -> None:
    """Lines for the person at the terminal, if there are any; on stderr, so that `--json -` stays clean."""
    if text:
        sys.stderr.write(text + "\n")

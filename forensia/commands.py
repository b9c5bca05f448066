"""What the commands do, in words for the terminal; the work itself is in the rooms, and the parser in `cli`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.errors import InputError
from forensia.jobs import TerminalBar, part
from forensia.terminal import LISTED, corpus_lines, document_lines, pair_lines, trust_lines

if TYPE_CHECKING:
    from forensia.case.store import Case
    from forensia.corpus import Corpus, Problem


def train(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia train`: read, check, train, validate, keep."""
    from forensia.attribution.pairmodel import TrainingOptions
    from forensia.case import work
    from forensia.corpus import ReadOptions
    from forensia.corpus.cleaning import Step

    training = TrainingOptions(
        profile=options.profile,
        seed=options.seed,
        mask=options.mask,
        language=options.language,
        function_words=str(options.function_words.resolve()) if options.function_words else "",
    )
    read = ReadOptions(
        layout=options.layout,
        encodings=dict(options.encoding),
        steps=tuple(Step[name.upper().replace("-", "_")] for name in options.clean),
        segment_words=options.segment,
    )
    with _new_case(options.output) as case:
        corpus = work.import_corpus(case, options.corpus, read, part(bar, 0.0, 0.05))
        bar.clear()
        _refuse_unknown(read.encodings, corpus)
        tell(corpus_lines(corpus))
        model = work.train_case(
            case, training, jobs=jobs(options.jobs), quick=options.quick, progress=part(bar, 0.05, 1.0)
        )
        bar.clear()
        if len(model.options.families) < len(training.families):
            tell("In some known texts no sentences can be found, so sentence lengths were left out.")
        validation = work.validate_case(case) if model.options.profile == "forensic" else None
    if validation is not None:
        tell(trust_lines(validation))
    tell(f"Trained: C = {model.fitted.training.c:g}, k = {model.k}. The case is {options.output}.")
    return {
        "case": str(options.output),
        "model": work.about(model),
        "validation": validation,
        "problems": [_plain(each) for each in corpus.every_problem],
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
    from forensia.case import work
    from forensia.case.store import Case

    with Case.open(options.case) as case:
        found = work.validate_case(case, jobs=jobs(options.jobs), progress=bar)
    bar.clear()
    tell(trust_lines(found))
    return found


def analyse(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia analyse`: rank and verify the candidate authors of disputed files."""
    from forensia.case.analysing import analyse_files
    from forensia.case.sources import stale_warnings
    from forensia.case.store import Case

    with Case.open(options.case) as case:
        stale = stale_warnings(case)
        found = analyse_files(case, options.files, progress=bar)
        bar.clear()
        for document in found["documents"]:
            tell(document_lines(document))
        if options.pdf:
            from forensia.report.commands import write_report

            write_report(case, options.pdf, documents=[row["file"] for row in found["documents"]], progress=bar)
    for warning in stale:
        tell(f"Note: {warning}")
    return {**found, "warnings": stale}


def compare(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia compare`: same author or not, for any two texts."""
    from forensia.case.analysing import Bench
    from forensia.case.pairing import compare_files
    from forensia.case.store import Case

    with Case.open(options.case) as case:
        found = compare_files(Bench.of(case), options.a, options.b, bar).found
    bar.clear()
    tell(pair_lines(found))
    return found


def demo(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia demo`: the sample case from start to end."""
    from forensia import paths
    from forensia.attribution.pairmodel import TrainingOptions
    from forensia.case import work
    from forensia.case.analysing import analyse_files
    from forensia.cli import write_json
    from forensia.corpus import ReadOptions
    from forensia.report.commands import write_report

    folder = (options.out or Path("forensia-demo")).resolve()
    paths.private_folder(folder)
    place, results = folder / "sample.forensia", folder / "results.json"
    place.unlink(missing_ok=True)  # an earlier demo made it, and it is made again below
    sample = paths.sample_case()
    with _new_case(place) as case:
        corpus = work.import_corpus(case, sample / "known", ReadOptions(), part(bar, 0.0, 0.05))
        bar.clear()
        tell(corpus_lines(corpus))
        work.train_case(case, TrainingOptions(), jobs=jobs(0), progress=part(bar, 0.05, 0.9))
        bar.clear()
        tell(trust_lines(work.validate_case(case)))
        files = sorted((sample / "disputed").glob("*.txt"))
        found = analyse_files(case, files, progress=part(bar, 0.9, 1.0))
        bar.clear()
        for document in found["documents"]:
            tell(document_lines(document))
        write_json(found, str(results))
        tell(f"\nThe case:    {place}\nThe numbers: {results}")
        write_report(case, folder / "report.pdf", progress=bar)
    return found


def verify(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia verify`: rehash a case, run again what it holds, and name every difference."""
    from forensia.case import rerun
    from forensia.case.errors import CaseDiffers
    from forensia.case.store import Case
    from forensia.cli import write_json

    if options.target.suffix.lower() == ".pdf":
        return _verify_report(options, bar)
    with Case.open(options.target, read_only=True) as case:
        found = rerun.verify(case, quick=options.quick, jobs=jobs(0), progress=bar)
    bar.clear()
    told = {
        "case": str(options.target),
        "agrees": not found.differences,
        "run_again": {"arrays": list(found.arrays), "results": list(found.results)},
        "differences": [asdict(each) for each in found.differences],
        "notes": list(found.notes),
    }
    for each in found.differences[:LISTED]:
        tell(f"  {each.message}")
    if len(found.differences) > LISTED:
        tell(f"  ... and {len(found.differences) - LISTED} more; --json lists them all.")
    for note in found.notes:
        tell(note)
    if found.differences:
        if options.json:
            write_json(told, options.json)
        raise CaseDiffers(options.target, len(found.differences))
    again = f", and {_counted(len(found.arrays), len(found.results))} came out again" if found.arrays else ""
    tell(f"Everything in {options.target} is as it was stored{again}.")
    return told


def _verify_report(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia verify REPORT.pdf`: hold the numbers embedded in a report against its case, and run it again."""
    from forensia.case.errors import CaseDiffers
    from forensia.cli import write_json
    from forensia.report import commands, confirm

    found = confirm.confirm(options.target, options.case, quick=options.quick, jobs=jobs(0), progress=bar)
    bar.clear()
    told = commands.told(found)
    if found.differences:
        if options.json:
            write_json(told, options.json)
        raise CaseDiffers(options.target, len(found.differences))
    again = ", and they came out again" if found.again else ""
    tell(f"All {found.total:,} numbers in {options.target} are those of {found.case.name}{again}.")
    return told


def report(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia report`: the PDF report of a case."""
    from forensia import settings
    from forensia.report import commands

    usual = settings.load()
    return commands.report(options, bar, analyst=usual.analyst, paper=usual.paper_size)


def _counted(groups: int, results: int) -> str:
    """What was made again, in numbers."""
    counts = ((groups, "group of arrays", "groups of arrays"), (results, "result", "results"))
    return " and ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count)


@contextmanager
def _new_case(place: Path) -> Iterator[Case]:
    """A new case. When the command does not end well the case stays only if a model is in it; so the command can be given again."""
    from forensia.case.store import Case
    from forensia.case.work import MODEL

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


def tell(text: str = "") -> None:
    """A line for the person at the terminal; on stderr, so that `--json -` stays clean."""
    sys.stderr.write(text + "\n")


def _plain(problem: Problem) -> dict[str, str]:
    from forensia.wording.problems import message, next_step

    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": message(problem),
        "next_step": next_step(problem),
        "file": problem.file,
    }

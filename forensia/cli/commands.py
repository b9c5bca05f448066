"""What the commands do, in words for the terminal; the work itself is in the rooms, and the parser in `cli`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.errors import ForensiaError, InputError
from forensia.jobs import TerminalBar, part

if TYPE_CHECKING:
    from forensia.case.session import Session
    from forensia.case.store import Case
    from forensia.corpus import Corpus, ReadOptions
    from forensia.evidence.result import Question
    from forensia.evidence.writers import Grouping
    from forensia.service.analysing import Batch


@dataclass(frozen=True)
class Outcome:
    """What a command found, and what is wrong all the same: the JSON is written, the problem is said, the exit code is not 0."""

    found: Any
    problem: ForensiaError | None = None


def train(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia train`: read, check, train, validate, keep."""
    from forensia.case.populationfile import ENDING
    from forensia.case.session import is_validated, open_record, open_summary
    from forensia.cli import contract, terminal
    from forensia.corpus import Role
    from forensia.corpus.sources import each_its_own
    from forensia.profile import QUICK, THOROUGH, profile_named
    from forensia.service.importing import add_texts, import_corpus, use_population
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions
    from forensia.wording import populations

    training = TrainingOptions(
        profile=profile_named(options.profile, QUICK if options.quick else THOROUGH),
        seed=options.seed,
        mask=options.mask,
        language=options.language,
        function_words=str(options.function_words.resolve()) if options.function_words else "",
        at_most=options.at_most,
    )
    training.refuse_too_few()  # before anything is read
    read, each = reading(options)
    with _new_case(options.output) as case:
        corpus = import_corpus(case, options.corpus, read, part(bar, 0.0, 0.05))
        refuse_unknown(read.encodings, corpus)
        if each:
            case.set_sources(each_its_own(corpus.documents), options.because)
        addition = taken = None
        if options.population and options.population.suffix.lower() == ENDING:
            taken = use_population(case, options.population)
        elif options.population:
            others = replace(read, layout=None, encodings={}, sources="")
            addition = add_texts(case, options.population, others, Role.POPULATION, part(bar, 0.05, 0.1))
            corpus = addition.corpus
        bar.clear()
        counted = () if taken is None else taken.record.texts
        tell(terminal.added_lines(addition, Role.POPULATION) if addition else terminal.corpus_lines(corpus, counted))
        if taken is not None:
            tell("\n".join(populations.described(taken)))
        stage = part(bar, 0.1, 1.0)
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
        "possible": contract.possible(corpus, counted),
    }


def add(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia add`: further known texts for a case."""
    from forensia.case.session import is_outdated, population_texts
    from forensia.case.store import Case
    from forensia.cli import contract, terminal
    from forensia.corpus import Role
    from forensia.corpus.sources import each_its_own
    from forensia.service.importing import add_texts

    each = _each_its_own(options)
    role = Role.POPULATION if options.population else Role.CANDIDATE
    with Case.open(options.case) as case:
        read = replace(case.reading(), layout=options.layout, encodings={}, sources="" if each else options.sources)
        addition = add_texts(case, options.corpus, read, role, bar)
        if each:
            case.set_sources(each_its_own(addition.documents), options.because)
        outdated, counted = is_outdated(case), population_texts(case)
    bar.clear()
    tell(terminal.added_lines(addition, role, counted))
    if outdated:
        tell(f"The model and its results are outdated: `forensia validate {options.case}` trains it anew.")
    return contract.added(options.case, addition, role, counted, outdated=outdated)


def _each_its_own(options: argparse.Namespace) -> bool:
    """Whether every text is said to be of an occasion of its own, for which a reason is asked."""
    from forensia.corpus.sources import EACH

    each = bool(options.sources == EACH)
    if each != bool(options.because.strip()):
        raise InputError(
            'Say with --because "…" how you know that every text is of an occasion of its own: it is kept, and told in reports.'
            if each
            else "--because gives the reason of --sources each, and is of no use without it."
        )
    return each


def reading(options: argparse.Namespace) -> tuple[ReadOptions, bool]:
    """How texts are to be read, and whether each of them is of an occasion of its own."""
    from forensia.corpus import ReadOptions
    from forensia.corpus.cleaning import Step

    each = _each_its_own(options)
    read = ReadOptions(
        layout=options.layout,
        encodings=dict(options.encoding),
        steps=tuple(Step[name.upper().replace("-", "_")] for name in options.clean),
        segment_words=getattr(options, "segment", None),
        sources="" if each else options.sources,
    )
    return read, each


def refuse_unknown(encodings: Mapping[str, str], corpus: Corpus) -> None:
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
            from forensia.cli.reports import write_report

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
    from forensia.figures import pair_map, to_pdf, to_png, to_svg

    writer = {".svg": to_svg, ".pdf": to_pdf, ".png": to_png}.get(target.suffix.lower())
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

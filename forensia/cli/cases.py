"""Commands that make a case, or a population, of known texts, and the sample case from start to end; in words for the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.cli import jobs, tell, write_json
from forensia.errors import InputError
from forensia.jobs import TerminalBar, part

if TYPE_CHECKING:
    from forensia.case.store import Case
    from forensia.corpus import Corpus, ReadOptions
    from forensia.evidence.population import PopulationText


def train(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia train`: read, check, train, validate, keep."""
    from forensia.case.session import is_validated, open_record, open_summary
    from forensia.cli import contract, terminal
    from forensia.profile import QUICK, THOROUGH, profile_named
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
    read, each = reading(options)
    with _new_case(options.output) as case:
        corpus, counted = _read_texts(case, options, read, each, bar)
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


def _read_texts(
    case: Case, options: argparse.Namespace, read: ReadOptions, each: bool, bar: TerminalBar
) -> tuple[Corpus, Sequence[PopulationText]]:
    """Read the known texts and the population, if there is one; also what came as counts."""
    from forensia.case.populationfile import ENDING
    from forensia.cli import terminal
    from forensia.corpus import Role
    from forensia.corpus.sources import each_its_own
    from forensia.service.importing import add_texts, import_corpus, use_population
    from forensia.wording import populations

    corpus = import_corpus(case, options.corpus, read, part(bar, 0.0, 0.05))
    refuse_unknown(read.encodings, corpus)
    if each:
        case.choices.set_sources(each_its_own(corpus.documents), options.because)
    if not options.population:
        bar.clear()
        tell(terminal.corpus_lines(corpus))
        return corpus, ()
    if options.population.suffix.lower() != ENDING:
        others = replace(read, layout=None, encodings={}, sources="")
        addition = add_texts(case, options.population, others, Role.POPULATION, part(bar, 0.05, 0.1))
        bar.clear()
        tell(terminal.added_lines(addition, Role.POPULATION))
        return addition.corpus, ()
    taken = use_population(case, options.population)
    bar.clear()
    tell(terminal.corpus_lines(corpus, taken.record.texts))
    tell("\n".join(populations.described(taken)))
    return corpus, taken.record.texts


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
        read = replace(
            case.documents.reading(), layout=options.layout, encodings={}, sources="" if each else options.sources
        )
        addition = add_texts(case, options.corpus, read, role, bar)
        if each:
            case.choices.set_sources(each_its_own(addition.documents), options.because)
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
                kept = MODEL in case.models.hashes()
    except BaseException:
        if kept:
            tell(f"The model is kept: `forensia validate {place}` goes on where this stopped.")
        else:
            place.unlink(missing_ok=True)
        raise


def make_population(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia population make`: count texts, and keep the counts in a file."""
    from forensia.case.populationfile import refuse_existing
    from forensia.cli import contract, terminal
    from forensia.language import load_model
    from forensia.service import importing
    from forensia.wording import populations

    refuse_existing(options.output)  # before anything is read
    read, each = reading(options)
    corpus = importing.made_of(options.corpus, read, each=each, progress=part(bar, 0.0, 0.1))
    refuse_unknown(read.encodings, corpus)
    bar.clear()
    tell(terminal.corpus_lines(corpus))
    population = importing.make_population(
        corpus,
        options.output,
        load_model(options.language, options.function_words),
        options.describe,
        mask=options.mask,
        pseudonyms=options.pseudonyms,
        because=options.because,
        jobs=jobs(options.jobs),
        progress=part(bar, 0.1, 1.0),
    )
    bar.clear()
    tell("\n".join(populations.described(population)))
    tell(f"The population is {options.output}.")
    problems = [contract.problem(each) for each in corpus.every_problem]
    return {**contract.population(population), "problems": problems}


def show_population(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia population show`: what a population is, and whether it suits a text or a case."""
    from forensia.case.populationfile import open_population
    from forensia.cli import contract
    from forensia.service.importing import suited
    from forensia.wording import populations

    population = open_population(options.file)
    tell("\n".join(populations.described(population)))
    if options.against is None:
        return contract.population(population)
    found = suited(population, options.against, bar)
    bar.clear()
    tell("\n" + "\n".join(populations.suiting(found)))
    return contract.population(population, found)


def demo(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia demo`: the sample case from start to end."""
    from forensia import paths
    from forensia.case.session import Session
    from forensia.cli import contract, terminal
    from forensia.cli.answers import write_report
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

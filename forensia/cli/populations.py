"""What `forensia population` does, in words for the terminal."""

from __future__ import annotations

import argparse
from typing import Any

from forensia.cli.commands import jobs, reading, refuse_unknown, tell
from forensia.jobs import TerminalBar, part


def make(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia population make`: count texts, and keep the counts in a file."""
    from forensia.case.populationfile import refuse_existing
    from forensia.cli import contract, terminal
    from forensia.language import load_model
    from forensia.service.importing import made_of, make_population
    from forensia.wording import populations

    refuse_existing(options.output)  # before anything is read
    read, each = reading(options)
    corpus = made_of(options.corpus, read, each=each, progress=part(bar, 0.0, 0.1))
    refuse_unknown(read.encodings, corpus)
    bar.clear()
    tell(terminal.corpus_lines(corpus))
    population = make_population(
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


def show(options: argparse.Namespace, bar: TerminalBar) -> Any:
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

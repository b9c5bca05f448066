"""Reference populations: made of texts, and held against a disputed text or the texts of a case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from forensia.case.populationfile import open_population, write_population
from forensia.case.session import POPULATION, TRAINED
from forensia.case.store import Case
from forensia.corpus import Corpus, ReadOptions, read_corpus, read_disputed
from forensia.corpus.sources import each_its_own, settled
from forensia.evidence.population import Population
from forensia.evidence.suitability import Suitability, Suited
from forensia.jobs import Progress, part, silent, tracked
from forensia.language import LanguageModel
from forensia.service.training import refuse_blocked

CASE = ".forensia"
TAKEN = "population taken into the case"


def made_of(folder: Path, options: ReadOptions, *, each: bool = False, progress: Progress = silent) -> Corpus:
    """The texts that a population is made of; `each` of them may be of an occasion of its own."""
    corpus = read_corpus(folder, replace(options, sources=settled(options.sources)), progress, thorough=True)
    if each:
        own = each_its_own(corpus.documents)
        corpus = corpus.changed(lambda document: replace(document, sources=own[document.id]))
    refuse_blocked(corpus)
    return corpus.active


def make_population(
    corpus: Corpus,
    target: Path,
    language: LanguageModel,
    description: str = "",
    *,
    mask: str = "none",
    pseudonyms: bool = False,
    because: str = "",
    jobs: int = 1,
    progress: Progress = silent,
) -> Population:
    """Count the texts of a corpus, and keep the counts in a file; the population is called as the file is."""
    population = Population.of(
        corpus.documents, language, target.stem, description, mask=mask, pseudonyms=pseudonyms, because=because, jobs=jobs,
        progress=part(progress, 0.0, 0.9),
    )  # fmt: skip
    write_population(population, target)
    progress(1.0, "The population is written")
    return population


def use_population(case: Case, path: Path) -> Population:
    """Take a population file into a case, in place of an earlier one; what was trained without it goes."""
    population = open_population(path)
    arrays, header = population.to_arrays()
    with case.step():
        for kind in (*TRAINED, POPULATION):
            if case.arrays(kind) is not None:
                case.remove_arrays(kind)
        case.store_arrays(POPULATION, header, arrays)
        record = population.record
        case.log(TAKEN, {"name": record.name, "description": record.description, "texts": len(population)})
    return population


def suited(population: Population, against: Path, progress: Progress = silent) -> list[tuple[str, Suited]]:
    """How a population suits a disputed text, or a case: each of its disputed texts, and the known texts of each author together."""
    suitability = Suitability(population)
    if against.suffix.lower() != CASE:
        document = read_disputed(against)
        return [(document.title, suitability.of(document))]
    with Case.open(against, read_only=True) as case:
        together = {f"{each.title} (disputed)": [each] for each in case.disputed()}
        for document in case.documents():
            if document.excluded is None:
                together.setdefault(document.author, []).append(document)
        steps = tracked(list(together), progress, "Comparing the texts with the population")
        return [(name, suitability.of(*together[name])) for name in steps]

"""Known texts into a case: the one way in, whoever asks.

Reference populations: made of texts, and held against a disputed text or the texts of a case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forensia.case.documents import ADDED, READ, Decisions, Import
from forensia.case.errors import CaseRefused
from forensia.case.populationfile import open_population, write_population
from forensia.case.session import POPULATION, TRAINED
from forensia.case.store import Case
from forensia.corpus import (
    Corpus,
    Document,
    Problem,
    ProblemError,
    ReadOptions,
    Role,
    Severity,
    checked,
    read_corpus,
    read_disputed,
    read_unchecked,
)
from forensia.corpus.document import Reason
from forensia.corpus.sources import each_its_own, settled
from forensia.corpus.walking import shown
from forensia.evidence.population import Population
from forensia.evidence.suitability import Suitability, Suited
from forensia.jobs import Progress, part, silent, tracked
from forensia.language import LanguageModel
from forensia.service.training import refuse_blocked


@dataclass(frozen=True)
class Addition:
    """The corpus of a case after texts were added, and the ids of those that are new."""

    corpus: Corpus
    new: tuple[str, ...]

    @property
    def documents(self) -> tuple[Document, ...]:
        """The texts that are new."""
        return tuple(self.corpus.by_id[name] for name in self.new)


def import_corpus(case: Case, path: Path, options: ReadOptions, progress: Progress = silent) -> Corpus:
    """Read known texts into the case in place of those there are, with what is wrong with them and how they were read.

    What the analyst decided about a document before holds on where it is still the same, but for its sources where these are given
    anew; the program's own reasons to leave one out are found anew. Where the folder is the one that the case began with, what was
    added from others stays.
    """
    read, fresh = _read(path, options, part(progress, 0.0, 0.55))
    imports = case.documents.imports()
    if imports and imports[0].place == fresh.place:
        fresh = replace(fresh, role=imports[0].role)
    else:
        imports = ()
    return _taken(case, read, fresh, imports, part(progress, 0.55, 1.0)).corpus


def add_texts(
    case: Case, path: Path, options: ReadOptions, role: Role = Role.CANDIDATE, progress: Progress = silent
) -> Addition:
    """Read further known texts into the case, by authors of this role; what is there stays, with what was decided about it.

    A folder that was read before is read again in place of what it had then.
    """
    imports = case.documents.imports()
    if not imports:
        raise CaseRefused("The case holds no known texts yet. Import some first.")
    read, fresh = _read(path, options, part(progress, 0.0, 0.55))
    return _taken(case, read, replace(fresh, role=role), imports, part(progress, 0.55, 1.0), adding=True)


def _read(path: Path, options: ReadOptions, progress: Progress) -> tuple[Corpus, Import]:
    options = replace(options, sources=settled(options.sources))
    read = read_unchecked(path, options, progress)
    alone = {each.path for each in read.documents} == {name := shown(path.name)} and path.is_file()
    return read, Import(read.root, read.layout, options, problems=read.problems, file=name if alone else "")


def _taken(
    case: Case, read: Corpus, fresh: Import, imports: Sequence[Import], progress: Progress, *, adding: bool = False
) -> Addition:
    """Store what was read, beside earlier imports and in place of the one from the same folder, all checked as one corpus."""
    before = next((each for each in imports if each.place == fresh.place), None)
    after = [fresh if each is before else each for each in imports] + ([] if before else [fresh])
    first = after[0]
    stays = _staying(case, imports, before) if imports else {}
    root = "" if fresh.root == first.root else fresh.root
    came = [replace(each, role=fresh.role, read_role=fresh.role, root=root) for each in read.documents]
    _refuse_two_meanings(came, stays)
    new = [each for each in came if each.id not in stays]
    held = _holding(case, [*stays.values(), *new], {each.id for each in new}, fresh, before)
    problems = [problem for each in after for problem in each.problems]
    joined = Corpus.of(map(held.of, [*stays.values(), *new]), problems, first.layout, first.root)
    corpus = checked(joined, part(progress, 0.0, 0.9))
    for problem in corpus.problems:
        if adding and problem.code == "two-roles":
            raise ProblemError(problem)
    progress(0.92, "Keeping the texts in the case")
    known = {each.id for each in case.documents.known()}
    added = tuple(each.id for each in corpus.documents if each.id not in known)
    with case.step():
        case.documents.store(corpus, after)
        for because, wanted in _reasons(held, corpus).items():
            case.choices.set_sources(wanted, because)
        if adding:
            authors = sorted({corpus.by_id[name].author for name in added})
            what = {"documents": list(added), "authors": authors, "role": fresh.role.value, "layout": fresh.layout}
            case.log.note(ADDED, {**what, "reading": fresh.reading.to_json()})
        else:
            case.log.note(READ, fresh.reading.to_json())
    return Addition(corpus, added)


def _staying(case: Case, imports: Sequence[Import], before: Import | None) -> dict[str, Document]:
    """The documents of all imports but one, with their texts."""
    places = {each.place: each for each in imports}
    found = {}
    for each in case.documents.known():
        root = each.root or imports[0].root
        if before is None or places.get((root, each.path), places.get((root, ""))) is not before:
            found[each.id] = each.loaded()
    return found


def _refuse_two_meanings(came: Iterable[Document], stays: Mapping[str, Document]) -> None:
    """The same text at the same place is one document: it cannot be by two authors, or of two roles."""
    for each in came:
        old = stays.get(each.id)
        if old is not None and old.read_as != each.author:
            authors, texts = tuple(sorted((old.read_as, each.author))), (old.path, each.path)
            raise ProblemError(Problem.of("same-text-two-authors", Severity.BLOCKING, authors=authors, texts=texts))
        if old is not None and old.role is not each.role:
            raise ProblemError(Problem.of("two-roles", Severity.BLOCKING, authors=(old.author,)))


def _holding(
    case: Case, documents: Iterable[Document], read: set[str], fresh: Import, before: Import | None
) -> Decisions:
    """What was decided about documents and still holds, with the program's reasons to leave some of them out."""
    held = case.documents.decided()
    excluded: dict[str, Reason] = {name: reason for name, reason in held.excluded.items() if isinstance(reason, str)}
    excluded |= {each.id: each.excluded for each in documents if each.excluded is not None}
    other_sources = fresh.reading.sources != (before.reading if before else case.documents.reading()).sources
    other_role = before is not None and before.role is not fresh.role
    sources = {name: each for name, each in held.sources.items() if not (other_sources and name in read)}
    roles = {name: each for name, each in held.roles.items() if not (other_role and name in read)}
    return Decisions(excluded, held.authors, sources, roles)


def _reasons(held: Decisions, corpus: Corpus) -> dict[str, dict[str, tuple[str, ...]]]:
    """The sources that were given with a reason, by the reason."""
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for name, chosen in held.sources.items():
        if chosen.because and name in corpus.by_id:
            found[chosen.because][name] = chosen.sources
    return found


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
            if case.models.get(kind) is not None:
                case.models.remove(kind)
        case.models.store(POPULATION, header, arrays)
        record = population.record
        case.log.note(TAKEN, {"name": record.name, "description": record.description, "texts": len(population)})
    return population


def suited(population: Population, against: Path, progress: Progress = silent) -> list[tuple[str, Suited]]:
    """How a population suits a disputed text, or a case: each of its disputed texts, and the known texts of each author together."""
    suitability = Suitability(population)
    if against.suffix.lower() != CASE:
        document = read_disputed(against)
        return [(document.title, suitability.of(document))]
    with Case.open(against, read_only=True) as case:
        together = {f"{each.title} (disputed)": [each] for each in case.documents.disputed()}
        for document in case.documents.known():
            if document.excluded is None:
                together.setdefault(document.author, []).append(document)
        steps = tracked(list(together), progress, "Comparing the texts with the population")
        return [(name, suitability.of(*together[name])) for name in steps]

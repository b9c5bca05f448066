"""Everything that a case was made to say, made once more in another case, from the texts, the choices and the options alone.

The audit log tells which run made what, and which choices held then; the functions that made it first make it again. Nothing else is
taken over: models, results and language analyses are all new.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from forensia import codec
from forensia.case.choices import BESIDE, logged
from forensia.case.documents import ChosenSources, Decisions
from forensia.case.errors import CaseDamaged, CaseRefused
from forensia.case.results import COMPARISON, StoredComparison, StoredResult
from forensia.case.runs import FIRST, History, PastChoices, PastRun, differing, machine, same_engine
from forensia.case.session import POPULATION, Session
from forensia.case.storage import Json
from forensia.case.store import Case
from forensia.corpus.document import Corpus, Role
from forensia.errors import Cancelled, ForensiaError
from forensia.evidence.result import FROM_NEW_SOURCE, WHO, Question, Stated
from forensia.jobs import Progress, part, silent
from forensia.profile import Effort
from forensia.service.analysing import Said, analyse_documents
from forensia.service.comparing import compare_many
from forensia.service.training import ADDING, FOLDS, TRAINING, train_case, validate_case
from forensia.systems.pairmodel import FEWEST, TrainingOptions
from forensia.wording.problems import said

ANALYSIS = "analysis"
_CHANGED = "the texts, authors or settings that it was made of are no longer in the case"


@dataclass
class Replayed:
    """What was made again: groups of arrays, which are in the scratch case, and results and comparisons by the names of the stored ones.

    `missing` says of each part that could not be made again why; `earlier` counts results of models that were replaced since,
    `unfinished` the groups that an interrupted run has left to go on from; `apart` tells what is another than it was when the case
    was made (the machine, a library).
    """

    arrays: list[str] = field(default_factory=list)
    results: dict[str, Json] = field(default_factory=dict)
    comparisons: dict[str, Json] = field(default_factory=dict)
    missing: list[tuple[str, str]] = field(default_factory=list)
    earlier: int = 0
    unfinished: int = 0
    apart: dict[str, None] = field(default_factory=dict)  # in order, each once
    older: dict[str, None] = field(
        default_factory=dict
    )  # versions of the program whose numbers cannot be expected here


def train(scratch: Case, details: Mapping[str, Json], jobs: int, progress: Progress) -> None:
    """Train again with the options that stand in the audit log."""
    given = details.get("options")
    usual = TrainingOptions(at_most=FEWEST).to_dict()  # every key is there
    options: dict[str, Json] = dict(given) if isinstance(given, dict) else {}
    if not options or any(type(each) is not type(usual.get(key)) for key, each in options.items()):
        raise CaseRefused("it was trained with options that this version of Forensia does not know")
    wanted = TrainingOptions.from_dict(options, Effort.from_header(details))
    train_case(scratch, wanted, fused_only=wanted.profile.out_of_fold, jobs=jobs, progress=progress)


def add_pairs(scratch: Case, details: Mapping[str, Json], jobs: int, progress: Progress) -> None:
    """Train the diff-vector part again."""
    validate_case(scratch, jobs=jobs, progress=progress)


STEPS: Mapping[str, Callable[[Case, Mapping[str, Json], int, Progress], None]] = {TRAINING: train, ADDING: add_pairs}
"""How each kind of run that stores arrays is done again, from the details that its beginning has in the audit log."""


def replay(case: Case, scratch: Case, *, jobs: int = 1, progress: Progress = silent) -> Replayed:
    """Make the arrays and the results of a case again in an empty one."""
    if case.log.faults():
        raise CaseDamaged(case.path, "the audit log", "it no longer tells how the case came about")
    corpus = case.documents.corpus()
    if corpus is None:
        return Replayed()
    if (population := case.models.get(POPULATION)) is not None:  # it was given, as the texts were
        scratch.models.store(POPULATION, population.header, population.load())
    going = _Replay(case, scratch, corpus, jobs)
    going.arrays(part(progress, 0.0, 0.8))
    going.results(part(progress, 0.8, 0.95))
    going.comparisons(part(progress, 0.95, 1.0))
    return going.done


def _said(result: Json) -> Said:
    """What a stored result was told of its text, by the analyst."""
    try:
        return Said(
            codec.typed(Stated, result["stated"]) if "stated" in result else FROM_NEW_SOURCE,
            codec.typed(Question, result["question"]) if "question" in result else WHO,
        )
    except (codec.WrongShape, TypeError) as error:  # whatever a case of strangers holds
        raise CaseRefused(_CHANGED) from error


def named(case: Case, result: StoredResult[Json]) -> str:
    """What a result is called in a sentence."""
    about = next(
        (each.path or each.title for each in case.documents.disputed() if each.id == result.document), result.document
    )
    return f"the result {result.number} of '{about}'"


def named_comparison(comparison: StoredComparison[Json]) -> str:
    """What a comparison is called in a sentence."""
    return f"the comparison {comparison.number} of {len(comparison.documents):,} texts"


def _alike(batch: tuple[PastRun, list[StoredResult[Json]]], run: PastRun, result: StoredResult[Json]) -> bool:
    """Whether a result was made under the same choices and of the same groups of arrays as others, and no other statement of its text."""
    first, results = batch
    before = (_told(each.result) for each in results if each.document == result.document)
    return (
        first.choices == run.choices
        and results[0].rests.models.keys() == result.rests.models.keys()
        and all(told == _told(result.result) for told in before)
    )


def _told(result: Json) -> list[Json]:
    return [result.get(key) for key in ("stated", "question")]


class _Replay:
    """A replay that is going on."""

    def __init__(self, case: Case, scratch: Case, corpus: Corpus, jobs: int) -> None:
        self.done = Replayed()
        self._case = case
        self._scratch = scratch
        self._corpus = corpus
        self._jobs = jobs
        self._history = History(case.log.entries())
        self._hashes = case.models.hashes()
        self._held: PastChoices | None = None

    def arrays(self, progress: Progress) -> None:
        """Do the runs again that made the groups of arrays, in their order."""
        makers: dict[int, tuple[PastRun, list[str]]] = {}
        for kind, digest in self._hashes.items():
            if kind.startswith(FOLDS):
                self.done.unfinished += 1
                continue
            if kind == POPULATION:
                continue
            run = self._history.that_stored_arrays(kind, digest)
            if run is not None and self._is_older(run):
                continue
            if run is None or run.what not in STEPS:
                self._miss(f"the arrays {kind}", "the audit log has no run that made them")
            else:
                makers.setdefault(run.number, (run, []))[1].append(kind)
                self._note_machine(run)
        for place, number in enumerate(sorted(makers)):
            run, kinds = makers[number]
            stage = part(progress, place / len(makers), (place + 1) / len(makers))
            why = "the run that made them does not make them any more"
            try:
                self._put(
                    run, {(kind, group.basis) for kind in kinds if (group := self._case.models.get(kind)) is not None}
                )
                STEPS[run.what](self._scratch, run.details, self._jobs, stage)
            except Cancelled:
                raise
            except ForensiaError as error:  # what it stored before is there all the same
                why = said(error)
            made = self._scratch.models.hashes()
            for kind in kinds:
                if kind in made:
                    self.done.arrays.append(kind)
                else:
                    self._miss(f"the arrays {kind}", why)

    def results(self, progress: Progress) -> None:
        """Analyse the disputed documents again, those together that were analysed under the same choices."""
        together: list[tuple[PastRun, list[StoredResult[Json]]]] = []
        for result in self._standing():
            run = self._history.that_stored_result(result.document, result.number)
            lost = result.rests.models.keys() - set(self.done.arrays)
            if run is None or run.what != ANALYSIS:
                self._miss(named(self._case, result), "the audit log has no analysis that made it")
                continue
            if self._is_older(run):
                continue
            self._note_machine(run)
            if lost:
                self._miss(named(self._case, result), f"it rests on the arrays {sorted(lost)[0]}")
            elif together and _alike(together[-1], run, result):
                together[-1][1].append(result)
            else:
                together.append((run, [result]))
        for place, (run, results) in enumerate(together):
            stage = part(progress, place / len(together), (place + 1) / len(together))
            try:
                self._put(run, {("", result.rests.case) for result in results})
                self._analyse(results, stage)
            except Cancelled:
                raise
            except ForensiaError as error:
                for result in results:
                    self._miss(named(self._case, result), said(error))

    def _standing(self) -> list[StoredResult[Json]]:
        """The results whose text and model are still those that the case holds; the others are counted."""
        texts = {each.id: each.analysed_sha256 for each in self._case.documents.disputed()}
        standing = []
        for each in self._case.results.raw():
            models = each.rests.models.items()
            if each.rests.text == texts.get(each.document) and all(self._hashes.get(k) == old for k, old in models):
                standing.append(each)
            else:
                self.done.earlier += 1
        return standing

    def _analyse(self, results: Sequence[StoredResult[Json]], progress: Progress) -> None:
        wanted = {result.document for result in results}
        texts = [each.loaded() for each in self._case.documents.disputed() if each.id in wanted]
        with self._with_only(results[0].rests.models.keys()) as scratch:
            told = {each.document: _said(each.result) for each in results}
            analyse_documents(scratch, texts, progress, told)
            for result in results:
                self.done.results[result.name] = scratch.results.raw(result.document)[-1].result

    def comparisons(self, progress: Progress) -> None:
        """Compare texts again that were compared."""
        for place, each in enumerate(kept := self._case.results.raw_comparisons()):
            run = self._history.that_stored_comparison(each.number)
            if any(self._hashes.get(kind) != digest for kind, digest in each.rests.models.items()):
                self.done.earlier += 1
            elif run is None or run.what != COMPARISON:
                self._miss(named_comparison(each), "the audit log has no comparison that made it")
            elif not self._is_older(run):
                self._note_machine(run)
                try:
                    self._compare(each, run, part(progress, place / len(kept), (place + 1) / len(kept)))
                except Cancelled:
                    raise
                except ForensiaError as error:
                    self._miss(named_comparison(each), said(error))

    def _compare(self, comparison: StoredComparison[Json], run: PastRun, progress: Progress) -> None:
        texts = {each.id: each for each in (*self._case.documents.known(), *self._case.documents.disputed())}
        if lost := comparison.rests.models.keys() - set(self.done.arrays):
            raise CaseRefused(f"it rests on the arrays {min(lost)}")
        if not texts.keys() >= set(comparison.documents):
            raise CaseRefused(_CHANGED)
        self._put(run, {("", comparison.rests.case)})
        with self._with_only(comparison.rests.models.keys()) as scratch:
            documents = [texts[name].loaded() for name in comparison.documents]
            found = compare_many(scratch, Session.of(scratch), documents, progress)
        self.done.comparisons[comparison.name] = codec.plain(found)

    @contextmanager
    def _with_only(self, kinds: Collection[str]) -> Iterator[Case]:
        """The scratch case with no other groups of arrays than there were at the time: a result made before validation, say."""
        more = self._scratch.models.hashes().keys() - {*kinds, POPULATION}
        if not more:
            yield self._scratch
            return
        place = self._scratch.path.with_name("less.forensia")
        self._scratch.save_copy(place)
        with Case.open(place) as less:
            for kind in more:
                less.models.remove(kind)
            yield less

    def _put(self, run: PastRun, expected: set[tuple[str, str]]) -> None:
        """Bring the scratch case to the texts and choices that a run saw; refuse when that cannot be done any more."""
        if run.choices != self._held:
            try:
                sources = {name: codec.typed(ChosenSources, each) for name, each in run.choices.sources.items()}
                roles = {name: Role(each) for name, each in run.choices.roles.items()}
            except (KeyError, TypeError, ValueError) as error:  # whatever a log of strangers holds
                raise CaseRefused(_CHANGED) from error
            held = Decisions(dict.fromkeys(run.choices.excluded, "excluded"), run.choices.authors, sources, roles)
            there = (each for each in self._corpus.documents if each.id not in run.choices.added)
            corpus = Corpus.of(map(held.of, there), self._corpus.problems, self._corpus.layout, self._corpus.root)
            self._scratch.documents.store(corpus)
            now = self._case.choices.settings()
            self._scratch.choices.set_settings(
                {
                    key: now[key] if key in now and logged(key, now[key]) == value else value
                    for key, value in run.choices.settings.items()
                    if key != BESIDE
                }
            )
            self._held = run.choices
        if not expected or not all(self._scratch.models.rests_on(kind, basis) for kind, basis in expected):
            raise CaseRefused(_CHANGED)

    def _is_older(self, run: PastRun) -> bool:
        """Whether another version of the program made something, whose numbers need not come out here; it is noted."""
        program = str(run.details.get("program", FIRST))
        if same_engine(program):
            return False
        self.done.older[program] = None
        return True

    def _note_machine(self, run: PastRun) -> None:
        self.done.apart.update(dict.fromkeys(differing(run.details.get("machine"), machine())))

    def _miss(self, what: str, why: str) -> None:
        self.done.missing.append((what, why))

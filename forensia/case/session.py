"""A case made ready to judge texts: its model, its validation, its known texts and its language, each opened once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from forensia import __version__, codec
from forensia.case.arrays import KIND, StoredArrays
from forensia.case.database import label
from forensia.case.errors import CaseDamaged, CaseRefused
from forensia.case.runs import maker, same_engine
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, ProblemError, check_disputed
from forensia.corpus.document import Role, Severity
from forensia.corpus.nearduplicates import ShingleIndex
from forensia.corpus.segmenting import segment
from forensia.corpus.typing import Forms, forms_of, typed
from forensia.errors import InputError
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.knowntexts import pieces_of
from forensia.evidence.learnt import Learnt, ModelRecord
from forensia.evidence.population import WORD_COUNTS, Population, PopulationRecord, PopulationText
from forensia.evidence.result import FROM_NEW_SOURCE, WHO, Question, Result, Stated
from forensia.evidence.sensitivity import Baselines, halves_of
from forensia.evidence.suitability import Suitability, typing_warnings
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.training import TrainedModel, pair_record
from forensia.evidence.validation import Validation
from forensia.evidence.validationstore import FORMAT, from_arrays, with_stored_pairs
from forensia.features import Counts, count_documents
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel, MemoryCache, load_model
from forensia.systems.pairmodel import TrainingOptions

FUSED, MODEL, VALIDATION, BASELINES = "fused", "model", "validation", "baselines"
TRAINED = (FUSED, MODEL, VALIDATION, BASELINES)
"""The groups of arrays: the fused system with its validation comes first, the diff-vector part with its own later."""

POPULATION = "population"
"""The group of arrays of a population that came as a file: a case has one at most."""

FEWEST_FOR_HALVES = 100  # words


@dataclass(frozen=True)
class Session:
    """All that is needed to judge texts, opened once for as many as come: from a case, or straight from training."""

    judge: Judge
    corpus: Corpus
    population: Population | None = None  # that came as a file

    @classmethod
    def of(cls, case: Case) -> Session:
        return cls(open_judge(case), open_corpus(case), open_population_of(case))

    @cached_property
    def suitability(self) -> Suitability | None:
        """The population, made ready to be held against texts; None where there is none."""
        known = [each for each in self.seen.active.documents if each.role is Role.POPULATION]
        if self.population is not None or not known:
            return None if self.population is None else Suitability(self.population)
        return Suitability(Population.of(known, self.language, "", families=[WORD_COUNTS]))

    @cached_property
    def language(self) -> LanguageModel:
        return language_learnt_with(self.judge.learnt)

    @cached_property
    def shown(self) -> list[str]:
        """The known documents as people call them."""
        by_id = self.corpus.by_id
        return [_shown(by_id.get(name), name) for name in self.judge.learnt.documents]

    @cached_property
    def _sources(self) -> list[tuple[str, ...]]:
        """The sources of the known documents; of one that is no longer in the corpus none is known."""
        by_id = self.corpus.by_id
        return [by_id[name].sources if name in by_id else () for name in self.judge.learnt.documents]

    @cached_property
    def forms(self) -> list[Forms]:
        """How the known documents were typed; nothing is known of one that is no longer in the corpus."""
        by_id = self.corpus.by_id
        return [forms_of(by_id[name].text if name in by_id else "") for name in self.judge.learnt.documents]

    @cached_property
    def seen(self) -> Corpus:
        """The known texts, with those that the model has learnt from though they have been excluded since."""
        learnt = set(self.judge.learnt.documents)
        excluded = {name: why for name, why in self.corpus.excluded.items() if name not in learnt}
        return self.corpus.excluding(excluded)

    @cached_property
    def used(self) -> Corpus:
        """The known texts as the model's training uses them: what is beyond so many of an author is excluded."""
        return self.judge.learnt.options.used(self.corpus)

    @cached_property
    def _shingles(self) -> ShingleIndex:
        return ShingleIndex(self.seen.active.documents)

    def refuse_known(self, document: Document) -> None:
        """A text that is among the known ones cannot be in dispute: the model has seen it."""
        counted = () if self.population is None else self.population.record.texts
        if any(each.sha256 == document.sha256_text for each in counted):
            raise InputError("The text is one of the population's, which has learnt from it. Take another population.")
        for problem in check_disputed(self.seen, document, self._shingles):
            if problem.severity is Severity.BLOCKING:
                raise ProblemError(problem)

    def count(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counts:
        """A text counted as the model needs it."""
        return self.count_all([document], cache, progress)

    def count_all(self, documents: Sequence[Document], cache: AnalysisCache, progress: Progress = silent) -> Counts:
        """Texts counted as the model needs them."""
        learnt = self.judge.learnt
        return count_documents(
            documents, self.language, learnt.options.counted, learnt.mask, 1, cache, progress, typing=learnt.typing
        )

    def counted(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counted:
        """A text counted in every way that its judgement needs."""
        whole = self.count(document, cache, part(progress, 0.0, 0.5))
        pieces = self._pieces(document)
        parts = self.parts(document, cache, part(progress, 0.5, 0.8))
        halves: tuple[Counts, ...] = ()
        if len(pieces) > 1:
            halves = parts.rows(slice(0, len(pieces) // 2)), parts.rows(slice(len(pieces) // 2, None))
        elif document.words >= FEWEST_FOR_HALVES:
            texts = halves_of(typed(document.text, self.judge.learnt.typing).text)
            # Halves are no documents: their analyses are not kept.
            halves = tuple(self.count(replace(document, body=text, cuts=()), MemoryCache()) for text in texts)
        progress(1.0, document.title)
        return Counted(document, whole, parts, halves, self._as_typed(document, pieces))

    def parts(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counts:
        """A text counted as the fused system reads it: one much longer than known texts are in pieces of their length."""
        pieces = self._pieces(document)
        if len(pieces) == 1:
            return self.count(document, cache, progress)
        return self.count_all(pieces, MemoryCache(), progress)

    def _pieces(self, document: Document) -> tuple[Document, ...]:
        return pieces_of(document, self.judge.learnt.median_words, self.judge.learnt.typing)

    def _as_typed(self, document: Document, pieces: Sequence[Document]) -> Counts | None:
        """A text counted as it was typed, where the model reads it in another form."""
        learnt = self.judge.learnt
        if typed(document.text, learnt.typing).text == document.text:
            return None
        texts = [document] if len(pieces) == 1 else segment(document, -(-document.words // len(pieces)))
        return count_documents(
            texts, self.language, learnt.options.fused, learnt.mask, cache=MemoryCache(), typing="as typed"
        )

    def judged(
        self,
        document: Document,
        cache: AnalysisCache,
        progress: Progress = silent,
        stated: Stated = FROM_NEW_SOURCE,
        question: Question = WHO,
    ) -> Result:
        """What is found about a text; nothing is kept of it but its analysis."""
        counted = self.counted(document, cache, part(progress, 0.0, 0.5))
        result = self.judge.judge(counted, self.shown, self._sources, stated, question)
        learnt, forms = self.judge.learnt, forms_of(document.text)
        typing = typing_warnings(
            forms, document.problems, self.forms, result.known.authors, result.opinion.about, learnt.typing
        )
        suited = () if self.suitability is None else self.suitability.of(document).reasons
        return replace(result, warnings=(*result.warnings, *typing, *suited))


def open_model(case: Case) -> TrainedModel:
    """The diff-vector part that the case holds."""
    stored = case.models.get(MODEL)
    if stored is None:
        raise CaseRefused("The case holds no model yet. Train one first.")
    return TrainedModel.from_arrays(stored.load(), stored.header)


def open_validation(case: Case) -> Validation:
    """The fused system and all that the case holds of a validation."""
    stored = readable(case, FUSED)
    if stored is None:
        raise CaseRefused("The case has not been validated yet. Validate it first.")
    found = from_arrays(stored.load(), stored.header)
    if tuple(family.name for family in found.system.families) != found.learnt.options.fused:
        raise CaseDamaged(case.path, label(KIND, FUSED), "it is not that of its options")
    later = readable(case, VALIDATION)
    return found if later is None else with_stored_pairs(found, later.load(), later.header)


def readable(case: Case, kind: str) -> StoredArrays | None:
    """A group of arrays, if this version of the program can read it and the sources that it rests on are still the same."""
    stored = _of_this_format(case, kind)
    if stored is None:
        return None
    other_sources = stored.header.get("without_sources") == case.documents.basis() and not case.models.is_current(kind)
    return None if other_sources else stored


def _of_this_format(case: Case, kind: str) -> StoredArrays | None:
    stored = case.models.get(kind)
    other = stored is not None and kind in (FUSED, VALIDATION) and stored.header.get("format") != FORMAT
    return None if other else stored


def is_current(case: Case) -> bool:
    """Whether the case would still learn from the same texts, by the same authors."""
    fused = _of_this_format(case, FUSED)
    return (
        case.models.is_current(MODEL)
        if fused is None
        else fused.header.get("without_sources") == case.documents.basis()
    )


def is_outdated(case: Case) -> bool:
    """Whether the case holds a model that rests on other texts, authors or roles than it has now."""
    return not case.models.hashes().keys().isdisjoint((FUSED, MODEL)) and not is_current(case)


def is_validated(case: Case) -> bool:
    """Whether the case holds a validation that can be opened."""
    return readable(case, FUSED) is not None


def open_learnt(case: Case) -> Learnt:
    """What the case has learnt from."""
    stored = _of_this_format(case, FUSED)
    return open_model(case).learnt if stored is None else Learnt.from_arrays(stored, stored.header)


def open_record(case: Case) -> ModelRecord | None:
    """How what the case judges with came about; None where it holds nothing. Only headers are read."""
    fused, model = _of_this_format(case, FUSED), case.models.get(MODEL)
    pairs = None
    if model is not None:
        pairs = pair_record(model.header, model["k/accuracy"].tolist() if "k/accuracy" in model else ())
    if fused is not None:
        return ModelRecord.stored(fused.header, fused.header["typing"], pairs)
    if model is None:
        return None
    return ModelRecord.stored(model.header, model.header["space"].get("typing", "as typed"), pairs)


def open_summary(case: Case, *, alone: bool = False) -> ValidationSummary:
    """The validation that the case holds in numbers, or that of the fused system `alone`.

    What another version of the program put together is put together anew.
    """
    kind = FUSED if alone or readable(case, VALIDATION) is None else VALIDATION
    stored = readable(case, kind)
    kept = None if stored is None else stored.header.get("summary")
    if isinstance(kept, dict) and kept.get("program") == __version__:
        try:
            return codec.typed(ValidationSummary, kept.get("figures"))
        except codec.WrongShape as error:
            raise CaseDamaged(case.path, label(KIND, kind), "its figures are not what was stored") from error
    found = open_validation(case)
    return summarise(replace(found, diff_vectors=None, pairwise=None) if alone else found)


def open_judge(case: Case) -> Judge:
    """Everything the case has to judge a text with."""
    validation = open_validation(case) if is_validated(case) else None
    model = open_model(case) if validation is None or case.models.get(MODEL) is not None else None
    if validation is not None and model is not None and not validation.learnt.same(model.learnt):
        raise CaseDamaged(case.path, label(KIND, FUSED), "it is not that of the model")
    baselines = case.models.get(BASELINES)
    if baselines is None:
        return Judge(model, validation)
    return Judge(model, validation, Baselines.from_arrays(baselines.load(), int(baselines.header["seed"])))


def language_learnt_with(learnt: Learnt) -> LanguageModel:
    """The language model the case was trained with; another one, or another version of it, is refused."""
    language = language_of(learnt.options)
    if language.record() != dict(learnt.language):
        raise CaseRefused(
            "The language model on this machine is not the one this case was trained with. Install that one, or train again."
        )
    return language


def open_population_of(case: Case) -> Population | None:
    """The population of the case that came as a file, if there is one."""
    stored = case.models.get(POPULATION)
    return None if stored is None else Population.from_arrays(stored.load(), stored.header)


def population_texts(case: Case) -> tuple[PopulationText, ...]:
    """What is kept of the texts of that population beside their counts, which are not read."""
    stored = case.models.get(POPULATION)
    return () if stored is None else codec.typed(PopulationRecord, stored.header["record"]).texts


def open_corpus(case: Case) -> Corpus:
    """The known texts of the case."""
    corpus = case.documents.corpus()
    if corpus is None:
        raise CaseRefused("The case holds no known texts yet. Import some first.")
    return corpus


def language_of(options: TrainingOptions) -> LanguageModel:
    return load_model(options.language, Path(options.function_words) if options.function_words else None)


def refuse_older(case: Case) -> None:
    """Further texts are judged by this version's own models only."""
    stored = case.models.get(FUSED) or case.models.get(MODEL)
    if stored is not None and not same_engine(program := maker(stored.header)):
        raise CaseRefused(
            f"The model of this case was made by version {program} of Forensia. Train it again with this version, then analyse."
        )


def _shown(document: Document | None, name: str) -> str:
    return (document.path or document.title) if document else name

"""A case made ready to judge texts: its model, its validation, its known texts and its language, each opened once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from forensia import __version__, codec
from forensia.case.arrays import KIND, StoredArrays
from forensia.case.database import label
from forensia.case.errors import CaseDamaged, CaseRefused
from forensia.case.store import Case
from forensia.case.versions import maker, same_engine
from forensia.corpus import Corpus, Document, ProblemError, check_disputed
from forensia.corpus.document import Severity
from forensia.corpus.forms import Forms, forms_of
from forensia.corpus.nearduplicates import ShingleIndex
from forensia.corpus.typing import typed
from forensia.evidence.agreement import Baselines
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.result import Result
from forensia.evidence.sensitivity import halves_of
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.training import TrainedModel
from forensia.evidence.typeforms import typing_warnings
from forensia.evidence.validation import Validation
from forensia.evidence.validationstore import FORMAT, from_arrays
from forensia.features import Counts, count_documents
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel, MemoryCache, load_model
from forensia.systems.pairmodel import TrainingOptions

MODEL, VALIDATION, BASELINES = "model", "validation", "baselines"
TRAINED = (MODEL, VALIDATION, BASELINES)
FEWEST_FOR_HALVES = 100  # words


@dataclass(frozen=True)
class Session:
    """All that is needed to judge texts, opened once for as many as come: from a case, or straight from training."""

    judge: Judge
    corpus: Corpus

    @classmethod
    def of(cls, case: Case) -> Session:
        return cls(open_judge(case), open_corpus(case))

    @cached_property
    def language(self) -> LanguageModel:
        return model_language(self.judge.model)

    @cached_property
    def shown(self) -> list[str]:
        """The known documents as people call them."""
        by_id = self.corpus.by_id
        return [_shown(by_id.get(name), name) for name in self.judge.model.documents]

    @cached_property
    def forms(self) -> list[Forms]:
        """How the known documents were typed; nothing is known of one that is no longer in the corpus."""
        by_id = self.corpus.by_id
        return [forms_of(by_id[name].text if name in by_id else "") for name in self.judge.model.documents]

    @cached_property
    def seen(self) -> Corpus:
        """The known texts, with those that the model has learnt from though they have been excluded since."""
        learnt = set(self.judge.model.documents)
        excluded = {name: why for name, why in self.corpus.excluded.items() if name not in learnt}
        return self.corpus.excluding(excluded)

    @cached_property
    def _shingles(self) -> ShingleIndex:
        return ShingleIndex(self.seen.active.documents)

    def refuse_known(self, document: Document) -> None:
        """A text that is among the known ones cannot be in dispute: the model has seen it."""
        for problem in check_disputed(self.seen, document, self._shingles):
            if problem.severity is Severity.BLOCKING:
                raise ProblemError(problem)

    def count(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counts:
        """A text counted as the model needs it."""
        return self.count_all([document], cache, progress)

    def count_all(self, documents: Sequence[Document], cache: AnalysisCache, progress: Progress = silent) -> Counts:
        """Texts counted as the model needs them."""
        families, space = self.judge.model.options.counted, self.judge.model.fitted.space
        return count_documents(
            documents, self.language, families, space.mask_, 1, cache, progress, typing=space.typing_
        )

    def counted(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counted:
        """A text counted in every way that its judgement needs."""
        whole = self.count(document, cache, part(progress, 0.0, 0.7))
        halves: tuple[Counts, ...] = ()
        if document.words >= FEWEST_FOR_HALVES:
            read = MemoryCache()  # halves are no documents: their analyses are not kept
            texts = halves_of(typed(document.text, self.judge.model.fitted.space.typing_).text)
            halves = tuple(self.count(replace(document, body=text, cuts=()), read) for text in texts)
        progress(1.0, document.title)
        return Counted(document, whole, halves)

    def judged(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Result:
        """What is found about a text; nothing is kept of it but its analysis."""
        counted = self.counted(document, cache, part(progress, 0.0, 0.5))
        result = self.judge.judge(counted, self.shown)
        model, forms = self.judge.model, forms_of(document.text)
        authors = [model.authors[code] for code in model.codes]
        typing = typing_warnings(
            forms, document.problems, self.forms, authors, result.opinion.about, model.fitted.space.typing_
        )
        return replace(result, warnings=(*result.warnings, *typing))


def open_model(case: Case) -> TrainedModel:
    """The model that the case holds."""
    stored = case.arrays(MODEL)
    if stored is None:
        raise CaseRefused("The case holds no model yet. Train one first.")
    return TrainedModel.from_arrays(stored.load(), stored.header)


def open_validation(case: Case) -> Validation:
    """The validation that the case holds."""
    stored = stored_validation(case)
    if stored is None:
        raise CaseRefused("The case has not been validated yet. Validate it first.")
    return from_arrays(stored.load(), stored.header)


def stored_validation(case: Case) -> StoredArrays | None:
    """What the case holds of a validation, if this version of the program can read it and the sources are still the same."""
    stored = case.arrays(VALIDATION)
    if stored is None or stored.header.get("format") != FORMAT:
        return None
    other_sources = case.is_current(MODEL) and not case.is_current(VALIDATION)
    return None if other_sources else stored


def is_validated(case: Case) -> bool:
    """Whether the case holds a validation that can be opened."""
    return stored_validation(case) is not None


def open_summary(case: Case) -> ValidationSummary:
    """The validation that the case holds in numbers; what another version of the program put together is put together anew."""
    stored = stored_validation(case)
    kept = None if stored is None else stored.header.get("summary")
    if isinstance(kept, dict) and kept.get("program") == __version__:
        try:
            return codec.typed(ValidationSummary, kept.get("figures"))
        except codec.WrongShape as error:
            raise CaseDamaged(case.path, label(KIND, VALIDATION), "its figures are not what was stored") from error
    return summarise(open_validation(case))


def open_judge(case: Case) -> Judge:
    """Everything the case has to judge a text with."""
    found = Judge(open_model(case))
    baselines = case.arrays(BASELINES)
    if stored_validation(case) is not None:
        found = replace(found, validation=_fitting(case, found.model, open_validation(case)))
    if baselines is not None:
        found = replace(found, baselines=Baselines.from_arrays(baselines.load(), int(baselines.header["seed"])))
    return found


def _fitting(case: Case, model: TrainedModel, validation: Validation) -> Validation:
    """A validation whose authors, texts and families are those of the model; another one was never stored with it."""
    families = tuple(family.name for family in validation.system.families)
    same_texts = np.array_equal(validation.codes, model.codes)
    if not same_texts or validation.authors != model.authors or families != model.options.fused:
        raise CaseDamaged(case.path, label(KIND, VALIDATION), "it is not that of the model")
    return validation


def model_language(model: TrainedModel) -> LanguageModel:
    """The language model the case was trained with; another one, or another version of it, is refused."""
    language = language_of(model.options)
    if language.record() != dict(model.language):
        raise CaseRefused(
            "The language model on this machine is not the one this case was trained with. Install that one, or train again."
        )
    return language


def open_corpus(case: Case) -> Corpus:
    """The known texts of the case."""
    corpus = case.corpus()
    if corpus is None:
        raise CaseRefused("The case holds no known texts yet. Import some first.")
    return corpus


def language_of(options: TrainingOptions) -> LanguageModel:
    return load_model(options.language, Path(options.function_words) if options.function_words else None)


def refuse_older(case: Case) -> None:
    """Further texts are judged by this version's own models only."""
    stored = case.arrays(MODEL)
    if stored is not None and not same_engine(program := maker(stored.header)):
        raise CaseRefused(
            f"The model of this case was made by version {program} of Forensia. Train it again with this version, then analyse."
        )


def _shown(document: Document | None, name: str) -> str:
    return (document.path or document.title) if document else name

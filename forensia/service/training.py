"""A model from the known texts of a case, and its validation: trained, tried on texts it has not seen, and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia import __version__, codec
from forensia.case.errors import CaseRefused
from forensia.case.history import History
from forensia.case.plain import pack
from forensia.case.session import (
    BASELINES,
    MODEL,
    TRAINED,
    VALIDATION,
    language_of,
    model_language,
    open_corpus,
    open_model,
    open_summary,
    stored_validation,
)
from forensia.case.store import Case
from forensia.corpus import Corpus, ProblemError, checked
from forensia.evidence.agreement import Baselines
from forensia.evidence.crossfit import Crossfit
from forensia.evidence.judge import Judge
from forensia.evidence.knowntexts import read_texts
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.training import Trained, TrainedModel, train
from forensia.evidence.validation import validate
from forensia.evidence.validationstore import to_arrays
from forensia.jobs import Progress, part, silent
from forensia.language import LanguageModel
from forensia.profile import Effort
from forensia.systems.pairmodel import TrainingOptions

FOLDS = "fold "  # groups with such names hold what an interrupted validation has done so far


def train_case(
    case: Case,
    options: TrainingOptions,
    *,
    jobs: int = 1,
    progress: Progress = silent,
    language: LanguageModel | None = None,
) -> TrainedModel:
    """Train on the corpus of the case, validate, and keep both in it; what is stored before a stop is not done again."""
    options.refuse_too_few()
    corpus = open_corpus(case)
    refuse_blocked(checked(corpus, thorough=False))  # as the choices now are, not as they were at the import
    language = language or language_of(options)
    validated = options.profile.out_of_fold
    details = {"options": options.to_dict(), "corpus": corpus.fingerprint, **options.profile.effort.to_header()}
    with case.run("training", details) as run, case.analyses() as cache:
        store = CaseFolds(case, options, corpus)
        stage = part(progress, 0.0, 0.5 if validated else 1.0)
        trained = train(corpus, options, language, jobs=jobs, cache=cache, store=store, progress=stage)
        arrays, header = trained.model.to_arrays()
        header["program"] = __version__
        used = {} if trained.model.used is None else codec.plain(trained.model.used)
        with run.finish({"c": trained.model.fitted.training.c, "k": trained.model.k, **used}):
            for kind in TRAINED[1:]:  # they belong to an earlier model
                if case.arrays(kind) is not None:
                    case.remove_arrays(kind)
            case.store_arrays(MODEL, header, arrays)
            if not validated:
                _forget_folds(case)
    if validated:
        _validate(case, trained, corpus, jobs, part(progress, 0.5, 1.0))
    return trained.model


def validate_case(case: Case, *, jobs: int = 1, progress: Progress = silent) -> ValidationSummary:
    """How far the model of the case can be trusted; what is missing of the validation is done first."""
    model = open_model(case)
    if not model.options.profile.out_of_fold:
        raise CaseRefused(
            "A model of the paper's profile has no validation: the paper's protocol scores documents with a model that has seen them. "
            "Train with the forensic profile, or use `forensia experiment`."
        )
    if stored_validation(case) is None or any(case.arrays(kind) is None for kind in TRAINED):
        corpus = open_corpus(case)
        used = model.options.used(corpus)
        _refuse_changed(model, used)
        language = model_language(model)
        with case.analyses() as cache:
            texts = read_texts(
                used.active.documents, model.options, language,
                jobs=jobs, cache=cache, progress=part(progress, 0.0, 0.1),
            )  # fmt: skip
        crossfit = _crossfit(case, model, corpus, jobs)
        out_of_fold = crossfit.by_document(texts, part(progress, 0.1, 0.5))
        _validate(case, Trained(model, texts, out_of_fold), corpus, jobs, part(progress, 0.5, 1.0))
    return open_summary(case)


def judge_of(trained: Trained, corpus: Corpus, crossfit: Crossfit, progress: Progress) -> Judge:
    """The other half of the work: scores without an author's texts, the fused system, calibration and baselines."""
    model = trained.model
    by_author = crossfit.by_author(trained.texts, part(progress, 0.0, 0.65))
    median = float(np.median([corpus.by_id[name].words for name in model.documents]))
    validation = validate(trained, by_author, median, part(progress, 0.65, 0.9))
    return Judge(
        model, validation, Baselines.fit(model.known, model.codes, model.options.seed, part(progress, 0.9, 1.0))
    )


def _validate(case: Case, trained: Trained, corpus: Corpus, jobs: int, progress: Progress) -> None:
    """Validate a model and keep all that came of it."""
    model = trained.model
    with case.run("validation", model.options.profile.effort.to_header()) as run:
        judge = judge_of(trained, corpus, _crossfit(case, model, corpus, jobs), progress)
        assert judge.validation is not None and judge.baselines is not None
        arrays, header = to_arrays(judge.validation)
        # It takes long for large corpora, so it is kept.
        header["summary"] = {"program": __version__, "figures": codec.plain(summarise(judge.validation))}
        with run.finish({"documents": len(model.documents)}):
            case.store_arrays(VALIDATION, header, arrays)
            case.store_arrays(BASELINES, {"seed": model.options.seed}, judge.baselines.to_arrays())
            _forget_folds(case)


def _forget_folds(case: Case) -> None:
    """What an interrupted validation had done is of no more use."""
    for kind in case.array_kinds():
        if kind.startswith(FOLDS):
            case.remove_arrays(kind)


class CaseFolds:
    """The finished folds of a validation that goes on, in the case: only those of the same documents and options are taken up."""

    def __init__(self, case: Case, options: TrainingOptions, corpus: Corpus) -> None:
        self._case = case
        # The fingerprint knows the sources, which decide what stays together in a fold.
        effort = options.profile.effort.to_header()
        what = {"program": __version__, "options": options.to_dict(), "corpus": corpus.fingerprint, **effort}
        self._key = hashlib.sha256(pack(what, "options").encode()).hexdigest()

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        stored = self._case.arrays(FOLDS + name)
        if stored is None or stored.header.get("key") != self._key:
            return None
        return stored.load()

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._case.store_arrays(FOLDS + name, {"key": self._key}, arrays)


def _crossfit(case: Case, model: TrainedModel, corpus: Corpus, jobs: int) -> Crossfit:
    options = _asked(case, model)
    return Crossfit(model.fitted, model.options, jobs, CaseFolds(case, options, corpus))


def _asked(case: Case, model: TrainedModel) -> TrainingOptions:
    """The options as the run that made the model was asked for: training may have left sentence lengths out."""
    run = History(case.log_entries()).that_stored_arrays(MODEL, case.array_kinds()[MODEL])
    if run is None or not isinstance(run.details.get("options"), dict):
        return model.options
    return TrainingOptions.from_dict(run.details["options"], Effort.from_header(run.details))


def _refuse_changed(model: TrainedModel, corpus: Corpus) -> None:
    """A model can only be validated with the texts that it was trained on."""
    active = corpus.active.documents
    now = [(document.id, document.author) for document in active]
    if now != [(name, model.authors[code]) for name, code in zip(model.documents, model.codes, strict=True)]:
        raise CaseRefused(
            "The known texts, or their authors, have changed since the model was trained. Train it again."
        )


def refuse_blocked(corpus: Corpus) -> None:
    """Training waits until every blocking problem is solved."""
    blocking = corpus.blocking
    if blocking:
        raise ProblemError(blocking[0], blocking[1:])

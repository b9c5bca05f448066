"""What is done with a case: import, train and validate. The window and the command line both come through here."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia import __version__
from forensia.attribution.pairmodel import TrainingOptions
from forensia.case.arrays import StoredArrays
from forensia.case.errors import CaseRefused
from forensia.case.history import History
from forensia.case.plain import pack
from forensia.case.store import Case
from forensia.corpus import Corpus, ProblemError, ReadOptions, checked, read_corpus
from forensia.evidence.agreement import Baselines
from forensia.evidence.crossfit import Crossfit
from forensia.evidence.findings import Means
from forensia.evidence.knowntexts import read_texts
from forensia.evidence.sensitivity import OtherModels, other_models
from forensia.evidence.training import Trained, TrainedModel, train
from forensia.evidence.validation import Validation, validate
from forensia.evidence.validationstore import FORMAT, from_arrays, to_arrays
from forensia.evidence.validationsummary import summary
from forensia.features import count_documents
from forensia.jobs import Progress, part, silent
from forensia.language import LanguageModel, load_model

MODEL, VALIDATION, BASELINES, OTHERS = "model", "validation", "baselines", "other models"
FOLDS = "fold "  # groups with such names hold what an interrupted validation has done so far
TRAINED = (MODEL, VALIDATION, BASELINES, OTHERS)


def import_corpus(case: Case, path: Path, options: ReadOptions, progress: Progress = silent) -> Corpus:
    """Read known texts into the case, with what is wrong with them and how they were read.

    What the analyst decided about a document before holds on where it is still the same; the program's own reasons to leave one
    out are found anew.
    """
    corpus = read_corpus(path, options, part(progress, 0.0, 0.9), thorough=True)
    progress(0.92, "Keeping the texts in the case")
    authors: dict[str, list[str]] = defaultdict(list)
    for document in case.documents():
        if document.id in corpus.by_id:
            if isinstance(document.excluded, str) and document.id not in corpus.excluded:
                corpus = corpus.without([document.id], document.excluded)
            if document.author != document.read_as:
                authors[document.author].append(document.id)
    with case.step():
        case.store_corpus(corpus, options)
        for author, names in authors.items():
            case.reassign(names, author)
    return corpus


def train_case(
    case: Case,
    options: TrainingOptions,
    *,
    jobs: int = 1,
    quick: bool = False,
    progress: Progress = silent,
    language: LanguageModel | None = None,
) -> TrainedModel:
    """Train on the corpus of the case, validate, and keep both in it; what is stored before a stop is not done again."""
    corpus = open_corpus(case)
    refuse_blocked(checked(corpus, thorough=False))  # as the choices now are, not as they were at the import
    language = language or _language(options)
    forensic = options.profile == "forensic"
    details = {"options": _plain(options), "corpus": corpus.fingerprint, "quick": quick}
    with case.run("training", details) as run, case.analyses() as cache:
        store = CaseFolds(case, options, corpus, quick)
        stage = part(progress, 0.0, 0.5 if forensic else 1.0)
        trained = train(corpus, options, language, jobs=jobs, cache=cache, store=store, quick=quick, progress=stage)
        arrays, header = trained.model.to_arrays()
        with run.finish({"c": trained.model.fitted.training.c, "k": trained.model.k}):
            for kind in TRAINED[1:]:  # they belong to an earlier model
                if case.arrays(kind) is not None:
                    case.remove_arrays(kind)
            case.store_arrays(MODEL, header, arrays)
            if not forensic:
                _forget_folds(case)
    if forensic:
        _validate(case, trained, corpus, language, jobs, part(progress, 0.5, 1.0))
    return trained.model


def validate_case(case: Case, *, jobs: int = 1, progress: Progress = silent) -> dict[str, Any]:
    """How far the model of the case can be trusted; what is missing of the validation is done first."""
    model = open_model(case)
    if model.options.profile != "forensic":
        raise CaseRefused(
            "A model of the paper's profile has no validation: the paper's protocol scores documents with a model that has seen them. "
            "Train with the forensic profile, or use `forensia experiment`."
        )
    if _validation(case) is None or any(case.arrays(kind) is None for kind in TRAINED):
        corpus = open_corpus(case)
        _refuse_changed(model, corpus)
        language = model_language(model)
        with case.analyses() as cache:
            texts = read_texts(
                corpus.active.documents, model.options, language,
                jobs=jobs, cache=cache, progress=part(progress, 0.0, 0.1),
            )  # fmt: skip
        crossfit = _crossfit(case, model, corpus, jobs)
        out_of_fold = crossfit.by_document(texts, part(progress, 0.1, 0.5))
        _validate(case, Trained(model, texts, out_of_fold), corpus, language, jobs, part(progress, 0.5, 1.0))
    return open_summary(case)


def _validate(
    case: Case, trained: Trained, corpus: Corpus, language: LanguageModel, jobs: int, progress: Progress
) -> None:
    """The other half of the work: scores without an author's texts, calibration, baselines and other models."""
    model = trained.model
    documents = corpus.active.documents
    with case.run("validation", {"quick": model.quick}) as run, case.analyses() as cache:
        crossfit = _crossfit(case, model, corpus, jobs)
        by_author = crossfit.by_author(trained.texts, part(progress, 0.0, 0.65))
        median = float(np.median([document.words for document in documents]))
        validation = validate(trained, by_author, median, part(progress, 0.65, 0.8))
        baselines = Baselines.fit(model.known, model.codes, model.options.seed, part(progress, 0.8, 0.88))
        masked = count_documents(
            documents,
            language,
            model.options.families,
            other_mask(model.options),
            jobs,
            cache,
            part(progress, 0.88, 0.92),
        )
        others = other_models(model, masked, jobs, part(progress, 0.92, 1.0))
        arrays, header = to_arrays(validation)
        header["summary"] = {"program": __version__, **summary(validation)}  # it takes long for large corpora
        other_arrays, other_header = others.to_arrays()
        with run.finish({"documents": len(documents)}):
            case.store_arrays(VALIDATION, header, arrays)
            case.store_arrays(BASELINES, {"seed": model.options.seed}, baselines.to_arrays())
            case.store_arrays(OTHERS, other_header, other_arrays)
            _forget_folds(case)


def _forget_folds(case: Case) -> None:
    """What an interrupted validation had done is of no more use."""
    for kind in case.array_kinds():
        if kind.startswith(FOLDS):
            case.remove_arrays(kind)


def other_mask(options: TrainingOptions) -> str:
    """The mask that the sensitivity tries: posnoise for a case without one, none for a case with one."""
    return "posnoise" if options.mask == "none" else "none"


class CaseFolds:
    """The finished folds of a validation that goes on, in the case: only those of the same documents and options are taken up."""

    def __init__(self, case: Case, options: TrainingOptions, corpus: Corpus, quick: bool) -> None:
        self._case = case
        # The fingerprint knows the sources, which decide what stays together in a fold.
        what = {"program": __version__, "options": _plain(options), "corpus": corpus.fingerprint, "quick": quick}
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
    store = CaseFolds(case, options, corpus, model.quick)
    return Crossfit(model.fitted, model.options, jobs, store, model.quick)


def _asked(case: Case, model: TrainedModel) -> TrainingOptions:
    """The options as the run that made the model was asked for: training may have left sentence lengths out."""
    run = History(case.log_entries()).that_stored_arrays(MODEL, case.array_kinds()[MODEL])
    if run is None or not isinstance(run.details.get("options"), dict):
        return model.options
    asked = run.details["options"]
    return TrainingOptions(**{**asked, "families": tuple(asked["families"])})


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


def open_model(case: Case) -> TrainedModel:
    """The model that the case holds."""
    stored = case.arrays(MODEL)
    if stored is None:
        raise CaseRefused("The case holds no model yet. Train one first.")
    return TrainedModel.from_arrays(stored.load(), stored.header)


def open_validation(case: Case) -> Validation:
    """The validation that the case holds."""
    stored = _validation(case)
    if stored is None:
        raise CaseRefused("The case has not been validated yet. Validate it first.")
    return from_arrays(stored.load(), stored.header)


def _validation(case: Case) -> StoredArrays | None:
    """What the case holds of a validation, if this version of the program can read it and the sources are still the same."""
    stored = case.arrays(VALIDATION)
    if stored is None or stored.header.get("format") != FORMAT:
        return None
    other_sources = case.is_current(MODEL) and not case.is_current(VALIDATION)
    return None if other_sources else stored


def open_summary(case: Case) -> dict[str, Any]:
    """The validation that the case holds in numbers; what another version of the program put together is put together anew."""
    stored = _validation(case)
    kept = None if stored is None else stored.header.get("summary")
    if isinstance(kept, dict) and kept.get("program") == __version__:
        return {key: value for key, value in kept.items() if key != "program"}
    return summary(open_validation(case))


def open_means(case: Case) -> Means:
    """Everything the case has to judge a text with."""
    found = Means(open_model(case))
    baselines, others = case.arrays(BASELINES), case.arrays(OTHERS)
    if _validation(case) is not None:
        found = replace(found, validation=open_validation(case))
    if baselines is not None:
        found = replace(found, baselines=Baselines.from_arrays(baselines.load(), int(baselines.header["seed"])))
    if others is not None:
        found = replace(found, others=OtherModels.from_arrays(others.load(), others.header))
    return found


def model_language(model: TrainedModel) -> LanguageModel:
    """The language model the case was trained with; another one, or another version of it, is refused."""
    language = _language(model.options)
    if language.record() != dict(model.language):
        raise CaseRefused(
            "The language model on this machine is not the one this case was trained with. Install that one, or train again."
        )
    return language


def about(model: TrainedModel) -> dict[str, Any]:
    """How the model came about, in numbers."""
    training = model.fitted.training
    return {
        "profile": model.options.profile,
        "seed": model.options.seed,
        "authors": len(model.authors),
        "documents": len(model.documents),
        "features": model.fitted.space.width,
        "families": list(model.options.families),
        "mask": model.options.mask,
        "factors": dict(model.fitted.factors),
        "pairs": training.pairs,
        "pairs_sha256": training.pairs_sha256,
        "c": training.c,
        "c_losses": {f"{c:g}": loss for c, loss in training.losses.items()},
        "converged": training.converged,
        "k": model.k,
        "k_accuracy": float(model.k_accuracy[model.k - 1]),
        "quick": model.quick,
        "language": dict(model.language),
    }


def open_corpus(case: Case) -> Corpus:
    """The known texts of the case."""
    corpus = case.corpus()
    if corpus is None:
        raise CaseRefused("The case holds no known texts yet. Import some first.")
    return corpus


def _language(options: TrainingOptions) -> LanguageModel:
    return load_model(options.language, Path(options.function_words) if options.function_words else None)


def _plain(options: TrainingOptions) -> dict[str, Any]:
    return {**asdict(options), "families": list(options.families)}

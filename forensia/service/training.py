"""A model from the known texts of a case, and its validation: trained, tried on texts it has not seen, and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from typing import Any

from numpy.typing import NDArray

from forensia import __version__, codec
from forensia.case.errors import CaseRefused
from forensia.case.runs import History, Run
from forensia.case.session import (
    BASELINES,
    FUSED,
    MODEL,
    TRAINED,
    VALIDATION,
    Session,
    is_current,
    language_learnt_with,
    language_of,
    open_corpus,
    open_learnt,
    open_population_of,
    open_summary,
    open_validation,
    readable,
    refuse_older,
)
from forensia.case.storage import pack
from forensia.case.store import Case
from forensia.corpus import Corpus, ProblemError, checked
from forensia.errors import SettingsError
from forensia.evidence.crossfit import Crossfit, FoldStore
from forensia.evidence.judge import Judge
from forensia.evidence.knowntexts import Texts
from forensia.evidence.learnt import Learnt, read_known
from forensia.evidence.sensitivity import Baselines
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.training import Trained, TrainedModel, train_pairs
from forensia.evidence.validation import Validation, validate, with_pairs
from forensia.evidence.validationstore import pairs_to_arrays, to_arrays
from forensia.jobs import Progress, part, silent
from forensia.language import LanguageModel
from forensia.profile import Effort
from forensia.systems.pairmodel import TrainingOptions

TRAINING, ADDING = "training", "diff-vectors"
"""What the runs are called in the log: the fused system (in the paper's profile the model), and the diff-vector part."""

FOLDS = "fold "  # groups with such names hold what an interrupted validation has done so far


def train_case(
    case: Case,
    options: TrainingOptions,
    *,
    fused_only: bool = False,
    jobs: int = 1,
    progress: Progress = silent,
    language: LanguageModel | None = None,
    ready: Callable[[], None] = lambda: None,
) -> Learnt:
    """Train on the corpus of the case, validate, and keep both in it; what is stored before a stop is not done again.

    The fused system comes first, with all its figures, and can judge texts from then on: `ready` hears of it. The diff-vector part
    follows, or is left to the next validation. The paper's profile has nothing else.
    """
    options.refuse_too_few()
    corpus = open_corpus(case)
    known = checked(corpus, thorough=False)  # as the choices now are, not as they were at the import
    refuse_blocked(known, alone=open_population_of(case) is not None)
    language = language or language_of(options)
    validated = options.profile.out_of_fold
    if fused_only and not validated:
        raise SettingsError("The paper's profile has no fused ranking. Train with the forensic profile.")
    later = part(progress, 0.2 if validated else 0.1, 1.0)
    with case.log.run(TRAINING, _details(options, corpus)) as run:
        learnt, texts = _read(case, corpus, options, language, jobs, part(progress, 0.0, 0.1))
        if validated:
            _store_fused(case, run, validate(learnt, texts, part(progress, 0.1, 0.2)))
        else:
            model = train_pairs(learnt, texts, jobs=jobs, progress=later).model
            used = {} if learnt.used is None else codec.plain(learnt.used)
            with run.finish({**_chosen(model), **used}):
                _forget(case, TRAINED)
                _store_model(case, model)
                _forget_folds(case)
    if validated:
        ready()
    if validated and not fused_only and not learnt.counted:
        _add_pairs(case, learnt, texts, CaseFolds(case, options, corpus), jobs, later)
    return learnt


def validate_case(case: Case, *, jobs: int = 1, progress: Progress = silent) -> ValidationSummary:
    """How far the model of the case can be trusted; what is missing of it is made first: all of it where known texts were added or
    left out, or their authors, roles or sources have changed.
    """
    refuse_older(case)
    learnt = open_learnt(case)
    if not learnt.options.profile.out_of_fold:
        raise CaseRefused(
            "A model of the paper's profile has no validation: the paper's protocol scores documents with a model that has seen them. "
            "Train with the forensic profile, or use `forensia experiment`."
        )
    missing = [kind for kind in (TRAINED[:1] if learnt.counted else TRAINED) if readable(case, kind) is None]
    options = _asked(case, learnt)
    if FUSED in missing or not is_current(case):
        train_case(case, options, jobs=jobs, progress=progress)
    elif missing:
        corpus = open_corpus(case)
        known = _read(case, corpus, options, language_learnt_with(learnt), jobs, part(progress, 0.0, 0.1))
        _add_pairs(case, *known, CaseFolds(case, options, corpus), jobs, part(progress, 0.1, 1.0))
    return open_summary(case)


def _read(
    case: Case, corpus: Corpus, options: TrainingOptions, language: LanguageModel, jobs: int, progress: Progress
) -> tuple[Learnt, Texts]:
    with case.models.analyses() as cache:
        return read_known(
            corpus, options, language, jobs=jobs, cache=cache, progress=progress, population=open_population_of(case)
        )


def known_texts(case: Case, session: Session, progress: Progress = silent) -> Texts:
    """The counts of the texts that the case has learnt from: not kept in it, but made again from analyses that are."""
    learnt = session.judge.learnt
    again, texts = _read(case, session.corpus, learnt.options, session.language, 1, progress)
    if not again.same(learnt):
        raise CaseRefused(
            "The known texts have changed since the case was trained. Validate it first: that trains it anew."
        )
    return texts


def _details(options: TrainingOptions, corpus: Corpus) -> dict[str, Any]:
    return {"options": options.to_dict(), "corpus": corpus.fingerprint, **options.profile.effort.to_header()}


def _chosen(model: TrainedModel) -> dict[str, Any]:
    """What the log says of a diff-vector part."""
    return {"c": model.fitted.training.c, "k": model.k}


def _store_fused(case: Case, run: Run, validation: Validation) -> None:
    """Keep the fused system with its figures; what belonged to an earlier one goes."""
    arrays, header = to_arrays(validation)
    header |= {
        "program": __version__,
        "without_sources": case.documents.basis(),
        "summary": _kept(summarise(validation)),
    }
    used = validation.learnt.used
    with run.finish({"documents": len(validation.codes), **({} if used is None else codec.plain(used))}):
        _forget(case, TRAINED)
        case.models.store(FUSED, header, arrays)


def _kept(summary: ValidationSummary) -> dict[str, Any]:
    """A summary as it is kept, because it takes long for large corpora."""
    return {"program": __version__, "figures": codec.plain(summary)}


def _add_pairs(case: Case, learnt: Learnt, texts: Texts, folds: CaseFolds, jobs: int, progress: Progress) -> None:
    """The second step: the diff-vector part, with its own figures and a record of its own; no stored result changes."""
    before = open_summary(case)
    with case.log.run(ADDING) as run:
        trained = train_pairs(learnt, texts, jobs=jobs, store=folds, progress=part(progress, 0.0, 0.5))
        judge = judge_with(open_validation(case), trained, folds, jobs, part(progress, 0.5, 1.0))
        assert judge.validation is not None and judge.baselines is not None
        arrays, header = pairs_to_arrays(judge.validation)
        header |= {"without_sources": case.documents.basis(), "summary": _kept(summarise(judge.validation, before))}
        with run.finish(_chosen(trained.model)):
            _store_model(case, trained.model)
            case.models.store(VALIDATION, header, arrays)
            case.models.store(BASELINES, {"seed": learnt.options.seed}, judge.baselines.to_arrays())
            _forget_folds(case)


def judge_with(validation: Validation, trained: Trained, folds: FoldStore, jobs: int, progress: Progress) -> Judge:
    """Everything together: scores without an author's texts, calibration of pairs, and baselines are added."""
    model = trained.model
    crossfit = Crossfit(model.fitted, model.options, jobs, folds)
    by_author = crossfit.by_author(trained.texts, part(progress, 0.0, 0.65))
    whole = with_pairs(validation, trained, by_author, part(progress, 0.65, 0.9))
    baselines = Baselines.fit(model.known, model.codes, model.options.seed, part(progress, 0.9, 1.0))
    return Judge(model, whole, baselines)


def _store_model(case: Case, model: TrainedModel) -> None:
    arrays, header = model.to_arrays()
    case.models.store(MODEL, {**header, "program": __version__}, arrays)


def _forget(case: Case, kinds: Collection[str]) -> None:
    """Take groups of arrays out, as far as they are there."""
    for kind in kinds:
        if case.models.get(kind) is not None:
            case.models.remove(kind)


def _forget_folds(case: Case) -> None:
    """What an interrupted validation had done is of no more use."""
    for kind in case.models.hashes():
        if kind.startswith(FOLDS):
            case.models.remove(kind)


class CaseFolds:
    """The finished folds of a validation that goes on, in the case: only those of the same documents and options are taken up."""

    def __init__(self, case: Case, options: TrainingOptions, corpus: Corpus) -> None:
        self._case = case
        # The fingerprint knows the sources, which decide what stays together in a fold.
        effort = options.profile.effort.to_header()
        what = {"program": __version__, "options": options.to_dict(), "corpus": corpus.fingerprint, **effort}
        self._key = hashlib.sha256(pack(what, "options").encode()).hexdigest()

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        stored = self._case.models.get(FOLDS + name)
        if stored is None or stored.header.get("key") != self._key:
            return None
        return stored.load()

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._case.models.store(FOLDS + name, {"key": self._key}, arrays)


def _asked(case: Case, learnt: Learnt) -> TrainingOptions:
    """The options as the run that made the model was asked for: training may have left sentence lengths out."""
    history, kinds = History(case.log.entries()), case.models.hashes()
    for kind in (FUSED, MODEL):
        run = history.that_stored_arrays(kind, kinds[kind]) if kind in kinds else None
        if run is not None and isinstance(run.details.get("options"), dict):
            return TrainingOptions.from_dict(run.details["options"], Effort.from_header(run.details))
    return learnt.options


def refuse_blocked(corpus: Corpus, *, alone: bool = False) -> None:
    """Training waits until every blocking problem is solved; one author may be `alone` where there is a population besides."""
    blocking = [each for each in corpus.blocking if not (alone and each.values.get("why") == "one")]
    if blocking:
        raise ProblemError(blocking[0], blocking[1:])

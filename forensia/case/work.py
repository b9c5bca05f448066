"""What is done with a case: import and train, analyse. The window and the command line both come through here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from forensia.attribution.pairmodel import TrainingOptions
from forensia.case.errors import CaseRefused
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, ReadOptions, check_disputed, checked, read_corpus, read_disputed
from forensia.corpus.document import Problem, Severity
from forensia.errors import InputError
from forensia.evidence.training import Ranking, TrainedModel, train
from forensia.features import count_documents
from forensia.jobs import Progress, part, silent
from forensia.language import LanguageModel, load_model

MODEL = "model"
NO_SENTENCES = (
    "No sentences can be found in this text (hardly any end marks), so sentence lengths were left out of its analysis."
)


def import_corpus(case: Case, path: Path, options: ReadOptions, progress: Progress = silent) -> Corpus:
    """Read known texts into the case, with what is wrong with them."""
    corpus = checked(read_corpus(path, options, part(progress, 0.0, 0.6)), part(progress, 0.6, 1.0))
    case.store_corpus(corpus)
    return corpus


def train_case(
    case: Case,
    options: TrainingOptions,
    *,
    jobs: int = 1,
    progress: Progress = silent,
    language: LanguageModel | None = None,
) -> TrainedModel:
    """Train on the corpus of the case and keep the model in it."""
    corpus = case.corpus()
    if corpus is None:
        raise CaseRefused("The case holds no known texts yet. Import some first.")
    refuse_blocked(checked(corpus, thorough=False))  # as the choices now are, not as they were at the import
    language = language or _language(options)
    with (
        case.run("training", {"options": _plain(options), "corpus": corpus.fingerprint}) as run,
        case.analyses() as cache,
    ):
        model = train(corpus, options, language, jobs=jobs, cache=cache, progress=progress)
        arrays, header = model.to_arrays()
        with run.finish({"c": model.fitted.training.c, "k": model.k}):
            case.store_arrays(MODEL, header, arrays)
    return model


def refuse_blocked(corpus: Corpus) -> None:
    """Training waits until every blocking problem is solved."""
    blocking = corpus.blocking
    if blocking:
        first = blocking[0]
        more = f" ({len(blocking) - 1} more must be solved too.)" if len(blocking) > 1 else ""
        raise InputError(f"{first.message} {first.next_step}{more}")


def open_model(case: Case) -> TrainedModel:
    """The model that the case holds."""
    stored = case.arrays(MODEL)
    if stored is None:
        raise CaseRefused("The case holds no model yet. Train one first.")
    return TrainedModel.from_arrays(stored.load(), stored.header)


def analyse_files(case: Case, files: Sequence[Path], *, jobs: int = 1, progress: Progress = silent) -> dict[str, Any]:
    """Take disputed files into the case, rank the authors of each, and keep the results; the JSON of the contract."""
    model = open_model(case)
    language = model_language(model)
    corpus = case.corpus()
    if corpus is None:
        raise CaseRefused("The case holds no known texts.")
    found = []
    for number, file in enumerate(files):
        stage = part(progress, number / len(files), (number + 1) / len(files))
        stage(0.0, file.name)
        document = read_disputed(file)
        leaks = [
            problem for problem in check_disputed(corpus.active, document) if problem.severity is Severity.BLOCKING
        ]
        if leaks:
            raise InputError(f"{leaks[0].message} {leaks[0].next_step}")
        with (
            case.run("analysis", {"file": file.name, "sha256": document.sha256_bytes}) as run,
            case.analyses() as cache,
        ):
            mask = model.fitted.space.mask_
            counts = count_documents(
                [document], language, model.options.families, mask, 1, cache, part(stage, 0.1, 0.6)
            )
            (ranking,) = model.rank(counts, part(stage, 0.6, 1.0))
            result = describe(model, document, ranking, corpus)
            if counts.no_sentences[0]:
                result["warnings"].append(NO_SENTENCES)
            with run.finish():
                name = case.add_disputed(document, str(file.resolve().parent))
                case.store_result(name, result, [MODEL])
        found.append(result)
    return {"model": about(model), "documents": found}


def model_language(model: TrainedModel) -> LanguageModel:
    """The language model the case was trained with; another one, or another version of it, is refused."""
    language = _language(model.options)
    if language.record() != dict(model.language):
        raise CaseRefused(
            "The language model on this machine is not the one this case was trained with. Install that one, or train again."
        )
    return language


def _language(options: TrainingOptions) -> LanguageModel:
    return load_model(options.language, Path(options.function_words) if options.function_words else None)


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
        "factors": dict(model.fitted.factors),
        "pairs": training.pairs,
        "pairs_sha256": training.pairs_sha256,
        "c": training.c,
        "c_losses": {f"{c:g}": loss for c, loss in training.losses.items()},
        "converged": training.converged,
        "k": model.k,
        "k_accuracy": float(model.k_accuracy[model.k - 1]),
        "language": dict(model.language),
    }


def describe(model: TrainedModel, document: Document, ranking: Ranking, corpus: Corpus) -> dict[str, Any]:
    """One analysed document as the contract has it."""
    by_id: Mapping[str, Document] = corpus.by_id
    first = model.authors[int(ranking.lazy.argmax())]
    pairs = [
        {"document": _shown(by_id, name), "author": model.authors[code], "score": float(score)}
        for name, code, score in zip(model.documents, model.codes, ranking.pr_same, strict=True)
    ]
    return {
        "file": document.path or document.title,
        "sha256": document.sha256_bytes,
        "words": document.words,
        "lazy": _ranked(model, ranking.lazy),
        "stacked": _ranked(model, ranking.stacked),
        "verification": [
            {"author": row["author"], "accepted": row["author"] == first} for row in _ranked(model, ranking.lazy)
        ],
        "pairs": pairs,
        "opinion": {
            "given": False,
            "statement": "No opinion.",
            "reasons": ["Likelihood ratios are not built yet in this version; a ranking alone is no evidence."],
        },
        "warnings": [_sentence(problem) for problem in document.problems],
    }


def _shown(by_id: Mapping[str, Document], name: str) -> str:
    document = by_id.get(name)
    return (document.path or document.title) if document else name


def _ranked(model: TrainedModel, scores: Any) -> list[dict[str, Any]]:
    """Best first; equal scores share the order of the documents, never that of the names."""
    order = sorted(range(len(scores)), key=lambda code: (-scores[code], code))
    return [
        {"author": model.authors[code], "score": float(scores[code]), "rank": rank}
        for rank, code in enumerate(order, start=1)
    ]


def _sentence(problem: Problem) -> str:
    return f"{problem.message} {problem.next_step}".strip()


def _plain(options: TrainingOptions) -> dict[str, Any]:
    return {**asdict(options), "families": list(options.families)}


__all__ = [
    "MODEL",
    "about",
    "analyse_files",
    "describe",
    "import_corpus",
    "model_language",
    "open_model",
    "refuse_blocked",
    "train_case",
]

"""From a corpus to a model that ranks authors: h, the k of Lazy AA, the classifier of Stacked AA.

In the paper's profile k and the stacked classifier come from the scores of the training documents under the final h, as the paper
has it. In the forensic one they come from out-of-fold scores: a score from a model that has seen the document says
nothing about how it treats one that it has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Corpus
from forensia.diffvectors import PairModel, Scorer, Training, matrix_log_odds, one_blas_thread, probability
from forensia.diffvectors.pairs import codes
from forensia.evidence.crossfit import Crossfit, FoldStore, MemoryStore, OutOfFold
from forensia.evidence.knowntexts import Texts, read_texts
from forensia.features import Block, Counts, FeatureSpace, Vectors
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel
from forensia.profile import Effort, Typing
from forensia.systems.lazy import author_scores, choose_k, reach
from forensia.systems.pairmodel import SENTENCES, FittedPairs, TrainingOptions, fit_pairs
from forensia.systems.stacked import StackedAttributor, described

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Ranking:
    """What the model says of one text: Pr(Same) with each known document, and a score for each author by both methods."""

    pr_same: Floats
    lazy: Floats
    stacked: Floats


@dataclass(frozen=True)
class ModelRecord:
    """How a model came about, in numbers; `k_accuracy` is the leave-one-out accuracy for k = 1, 2, ..."""

    profile: str
    seed: int
    authors: int
    documents: int
    features: int
    families: tuple[str, ...]
    mask: str
    factors: Mapping[str, float]
    pairs: int
    pairs_sha256: str
    c: float
    losses: Mapping[str, float]
    converged: bool
    k: int
    k_accuracy: tuple[float, ...]
    quick: bool
    language: Mapping[str, str | int]
    typing: Typing = "as typed"

    @staticmethod
    def stored(header: Mapping[str, Any], k_accuracy: Sequence[float]) -> ModelRecord:
        """The record of a stored model, from what the case keeps beside its arrays: the model itself is not loaded."""
        options, training = header["options"], header["training"]
        return ModelRecord(
            profile=options["profile"],
            seed=options["seed"],
            authors=len(header["authors"]),
            documents=len(header["documents"]),
            features=sum(block["stop"] - block["start"] for block in header["blocks"]),
            families=TrainingOptions.from_dict(options).counted,
            mask=options["mask"],
            factors=header["factors"],
            pairs=training["pairs"],
            pairs_sha256=training["pairs_sha256"],
            c=training["c"],
            losses=training["losses"],
            converged=training["converged"],
            k=int(header["k"]),
            k_accuracy=tuple(float(share) for share in k_accuracy),
            quick=bool(header["quick"]),
            language=header["language"],
            typing=header["space"].get("typing", "as typed"),
        )


@dataclass(frozen=True)
class UsedTexts:
    """How many known texts a model was trained on of how many, where at most so many of each author were to be used."""

    at_most: int
    documents: int
    known: int

    @staticmethod
    def stored(header: Mapping[str, Any]) -> UsedTexts | None:
        """Those of a stored model; None where all were used."""
        at_most = int(header["options"].get("at_most", 0))
        return UsedTexts(at_most, len(header["documents"]), int(header["known"])) if at_most else None


def learnt_from(header: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the documents that a stored model has learnt from."""
    return tuple(header["documents"])


@dataclass(frozen=True)
class TrainedModel:
    """Everything needed to rank the authors of a new text, and to say how it came about."""

    options: TrainingOptions
    language: Mapping[str, Any]
    fitted: FittedPairs
    known: Vectors
    documents: tuple[str, ...]
    authors: tuple[str, ...]  # in the order of their codes
    codes: NDArray[np.int32]
    k: int
    k_accuracy: Floats  # leave-one-out accuracy for k = 1, 2, ...
    stacked: StackedAttributor
    used: UsedTexts | None = None  # None: all

    def rank(self, counts: Counts, progress: Progress = silent) -> list[Ranking]:
        """Rank the authors for each of some texts; without sentence lengths for one in which no sentences can be found."""
        vectors = self.fitted.vectors(counts)
        if not counts.no_sentences.any():
            return self.rank_vectors(vectors, progress)
        without = self.without(SENTENCES)
        models = [without if lacking else self for lacking in counts.no_sentences]
        return [model.rank_vectors(vectors.rows(np.array([row])))[0] for row, model in enumerate(models)]

    def without(self, family: str) -> TrainedModel:
        """The same model with one family left out: its differences count for nothing."""
        dense, sparse = self.fitted.model.dense.copy(), self.fitted.model.sparse.copy()
        for block in self.known.blocks:
            if block.family == family:
                (dense if block.dense else sparse)[block.start : block.stop] = 0.0
        return replace(self, fitted=replace(self.fitted, model=replace(self.fitted.model, dense=dense, sparse=sparse)))

    def rank_vectors(self, vectors: Vectors, progress: Progress = silent) -> list[Ranking]:
        """Rank the authors for texts that are vectors of this model already."""
        with one_blas_thread():
            pr_same = probability(Scorer(self.fitted.model, self.known).log_odds(vectors, progress))
        lazy = self.lazy(pr_same)
        stacked = self.stacked.predict_proba(pr_same)
        return [Ranking(*row) for row in zip(pr_same, lazy, stacked, strict=True)]

    @property
    def even(self) -> bool:
        """Whether the numbers of documents must not count (see `lazy.reach`)."""
        return self.options.profile.even

    @property
    def quick(self) -> bool:
        """Whether it was tested with fewer folds."""
        return self.options.profile.effort.quick

    def lazy(self, pr_same: Floats) -> Floats:
        """The Lazy scores of texts (rows) for all authors, from their Pr(Same) with each known document."""
        return author_scores(pr_same, self.codes, self.k, even=self.even)

    @property
    def reach(self) -> NDArray[np.int64]:
        """How many of each author's documents the Lazy score looks at."""
        return reach(self.codes, self.k, even=self.even)

    @property
    def record(self) -> ModelRecord:
        """How the model came about."""
        training = self.fitted.training
        return ModelRecord(
            profile=self.options.profile.name,
            seed=self.options.seed,
            authors=len(self.authors),
            documents=len(self.documents),
            features=self.fitted.space.width,
            families=self.options.counted,
            mask=self.options.mask,
            factors=dict(self.fitted.factors),
            pairs=training.pairs,
            pairs_sha256=training.pairs_sha256,
            c=training.c,
            losses={f"{c:g}": loss for c, loss in training.losses.items()},
            converged=training.converged,
            k=self.k,
            k_accuracy=tuple(self.k_accuracy.tolist()),
            quick=self.quick,
            language=dict(self.language),
            typing=self.fitted.space.typing_,
        )

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file."""
        arrays, header = pack_pairs(self.fitted, self.known)
        stacked_arrays, stacked = self.stacked.to_arrays()
        arrays |= {f"stacked/{name}": array for name, array in stacked_arrays.items()}
        arrays |= {"codes": self.codes, "k/accuracy": self.k_accuracy}
        header |= {
            "options": self.options.to_dict(),
            "language": dict(self.language),
            "stacked": stacked,
            "documents": list(self.documents),
            "authors": list(self.authors),
            "k": self.k,
            **self.options.profile.effort.to_header(),
            **({"known": self.used.known} if self.used else {}),
        }
        return arrays, header

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> TrainedModel:
        """The model as it was stored."""
        fitted, known = load_pairs(arrays, header)
        options = TrainingOptions.from_dict(header["options"], Effort.from_header(header))
        # What is still to be done for it must read texts as it did: an older version read them as they were typed.
        profile = replace(options.profile, typing=fitted.space.typing_)
        return TrainedModel(
            options=replace(options, profile=profile),
            language=header["language"],
            fitted=fitted,
            known=known,
            documents=tuple(header["documents"]),
            authors=tuple(header["authors"]),
            codes=arrays["codes"],
            k=int(header["k"]),
            k_accuracy=arrays["k/accuracy"],
            stacked=StackedAttributor.from_arrays(
                _below(arrays, "stacked/"), header["stacked"], np.array(header["authors"])
            ),
            used=UsedTexts.stored(header),
        )


def pack_pairs(fitted: FittedPairs, known: Vectors) -> tuple[Arrays, dict[str, Any]]:
    """A feature space, h and the vectors of the known documents, as plain arrays and a JSON header."""
    space_arrays, space = fitted.space.to_arrays()
    sparse = known.sparse
    arrays: Arrays = {f"space/{name}": array for name, array in space_arrays.items()}
    arrays |= {
        "h/dense": fitted.model.dense,
        "h/sparse": fitted.model.sparse,
        "h/intercept": np.array([fitted.model.intercept]),
        "known/dense": known.dense,
        "known/data": sparse.data,
        "known/indices": sparse.indices,
        "known/indptr": sparse.indptr,
    }
    training = asdict(fitted.training)
    training["losses"] = {f"{c:g}": loss for c, loss in fitted.training.losses.items()}
    header = {
        "factors": dict(fitted.factors),
        "training": training,
        "space": space,
        "blocks": [asdict(block) for block in known.blocks],
        "columns": int(sparse.shape[1]),
    }
    return arrays, header


def load_pairs(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> tuple[FittedPairs, Vectors]:
    """What `pack_pairs` packed."""
    from scipy.sparse import csr_matrix

    shape = (len(arrays["known/dense"]), int(header["columns"]))
    sparse = csr_matrix((arrays["known/data"], arrays["known/indices"], arrays["known/indptr"]), shape=shape)
    training = dict(header["training"])
    training["losses"] = {float(c): loss for c, loss in training["losses"].items()}
    fitted = FittedPairs(
        FeatureSpace.from_arrays(_below(arrays, "space/"), header["space"]),
        header["factors"],
        PairModel(arrays["h/dense"], arrays["h/sparse"], float(arrays["h/intercept"][0])),
        Training(**training),
    )
    return fitted, Vectors(arrays["known/dense"], sparse, tuple(Block(**block) for block in header["blocks"]))


def _below(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Arrays:
    return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}


@dataclass(frozen=True)
class Trained:
    """A model with the scores it was made from: those of documents that the scoring model had not seen (None in the paper's profile)."""

    model: TrainedModel
    texts: Texts
    out_of_fold: OutOfFold | None


def train(
    corpus: Corpus,
    options: TrainingOptions,
    language: LanguageModel,
    *,
    jobs: int = 1,
    cache: AnalysisCache | None = None,
    store: FoldStore | None = None,
    progress: Progress = silent,
) -> Trained:
    """Train on the active documents of a corpus, as many as are to be used."""
    profile = options.profile
    options.refuse_too_few()
    documents = options.used(corpus).active.documents
    used = UsedTexts(options.at_most, len(documents), len(corpus.active)) if options.at_most else None
    texts = read_texts(documents, options, language, jobs=jobs, cache=cache, progress=part(progress, 0.0, 0.15))
    options = options.learnable(texts.counts)
    labels = list(texts.labels)
    fitted, known = fit_pairs(texts.counts, labels, options, threads=jobs, progress=part(progress, 0.15, 0.4))
    out_of_fold: OutOfFold | None = None
    if profile.out_of_fold:
        crossfit = Crossfit(fitted, options, jobs, store or MemoryStore())
        out_of_fold = crossfit.by_document(texts, part(progress, 0.4, 0.9))
        log_odds = out_of_fold.log_odds.astype(np.float64)
    else:
        with one_blas_thread():
            log_odds = matrix_log_odds(fitted.model, known, part(progress, 0.4, 0.9))
    numbers = codes(labels)
    pr_same = probability(log_odds)
    choice = choose_k(pr_same, numbers, profile)
    progress(0.9, "learning to combine the comparisons")
    phi = described(pr_same, numbers, fitted.model, profile)
    stacked = StackedAttributor(seed=options.seed, even=profile.even).fit(phi, list(numbers))
    progress(1.0, "trained")
    model = TrainedModel(
        options, language.record(), fitted, known, tuple(document.id for document in documents),
        _names(labels, numbers), numbers, choice.k, np.array(choice.curve), stacked, used,
    )  # fmt: skip
    return Trained(model, texts, out_of_fold)


def _names(labels: Sequence[str], numbers: NDArray[np.int32]) -> tuple[str, ...]:
    first = np.unique(numbers, return_index=True)[1]
    return tuple(labels[row] for row in first)

"""From known texts to the diff-vector part of a model: h, the k of Lazy AA, the classifier of Stacked AA.

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
from forensia.evidence.crossfit import Crossfit, FoldStore, MemoryStore, OutOfFold
from forensia.evidence.knowntexts import Texts
from forensia.evidence.learnt import Learnt, PairRecord, read_known
from forensia.features import Block, Counts, FeatureSpace, Vectors
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel
from forensia.profile import Effort
from forensia.systems.lazy_stacked import StackedAttributor, author_scores, choose_k, described, reach
from forensia.systems.pairmodel import SENTENCES, FittedPairs, TrainingOptions, fit_pairs

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Ranking:
    """What the model says of one text: Pr(Same) with each known document, and a score for each author by both methods."""

    pr_same: Floats
    lazy: Floats
    stacked: Floats


def pair_record(header: Mapping[str, Any], k_accuracy: Sequence[float]) -> PairRecord:
    """The record of a stored classifier of pairs, from what the case keeps beside its arrays: the model itself is not loaded."""
    training = header["training"]
    return PairRecord(
        features=sum(block["stop"] - block["start"] for block in header["blocks"]),
        factors=header["factors"],
        pairs=training["pairs"],
        pairs_sha256=training["pairs_sha256"],
        c=training["c"],
        losses=training["losses"],
        converged=training["converged"],
        k=int(header["k"]),
        k_accuracy=tuple(float(share) for share in k_accuracy),
    )


@dataclass(frozen=True)
class TrainedModel:
    """The diff-vector part: everything needed to rank the authors of a new text by Pr(Same), and to say how it came about."""

    learnt: Learnt
    fitted: FittedPairs
    known: Vectors
    k: int
    k_accuracy: Floats  # leave-one-out accuracy for k = 1, 2, ...
    stacked: StackedAttributor

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
    def options(self) -> TrainingOptions:
        return self.learnt.options

    @property
    def authors(self) -> tuple[str, ...]:
        return self.learnt.authors

    @property
    def codes(self) -> NDArray[np.int32]:
        return self.learnt.codes

    @property
    def even(self) -> bool:
        """Whether the numbers of documents must not count (see `lazy.reach`)."""
        return self.options.profile.even

    def lazy(self, pr_same: Floats) -> Floats:
        """The Lazy scores of texts (rows) for all authors, from their Pr(Same) with each known document."""
        return author_scores(pr_same, self.codes, self.k, even=self.even)

    @property
    def reach(self) -> NDArray[np.int64]:
        """How many of each author's documents the Lazy score looks at."""
        return reach(self.codes, self.k, even=self.even)

    @property
    def record(self) -> PairRecord:
        """How the classifier of pairs came about."""
        return pair_record(self.to_arrays()[1], self.k_accuracy.tolist())

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file."""
        arrays, header = pack_pairs(self.fitted, self.known)
        stacked_arrays, stacked = self.stacked.to_arrays()
        arrays |= {f"stacked/{name}": array for name, array in stacked_arrays.items()}
        arrays |= {"codes": self.codes, "k/accuracy": self.k_accuracy}
        header |= {
            **self.learnt.header(),
            "median_words": self.learnt.median_words,
            "stacked": stacked,
            "k": self.k,
        }
        return arrays, header

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> TrainedModel:
        """The model as it was stored."""
        fitted, known = load_pairs(arrays, header)
        options = TrainingOptions.from_dict(header["options"], Effort.from_header(header))
        # What is still to be done for it must read texts as it did: an older version read them as they were typed.
        profile = replace(options.profile, typing=fitted.space.typing_)
        learnt = Learnt(
            replace(options, profile=profile),
            header["language"],
            tuple(header["documents"]),
            tuple(header["authors"]),
            arrays["codes"],
            float(header.get("median_words", 0.0)),  # version 0.1 kept it elsewhere
            fitted.space.mask_,
            int(header.get("known", 0)),
            tuple(map(str, header.get("population", ()))),
        )
        stacked = _below(arrays, "stacked/"), header["stacked"], np.array(learnt.authors)
        return TrainedModel(
            learnt,
            fitted,
            known,
            k=int(header["k"]),
            k_accuracy=arrays["k/accuracy"],
            stacked=StackedAttributor.from_arrays(*stacked),
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
    progress: Progress = silent,
) -> Trained:
    """Read the active documents of a corpus, and train the diff-vector part on them."""
    learnt, texts = read_known(corpus, options, language, jobs=jobs, cache=cache, progress=part(progress, 0.0, 0.15))
    return train_pairs(learnt, texts, jobs=jobs, progress=part(progress, 0.15, 1.0))


def train_pairs(
    learnt: Learnt, texts: Texts, *, jobs: int = 1, store: FoldStore | None = None, progress: Progress = silent
) -> Trained:
    """Train the diff-vector part: h, k and Stacked AA."""
    options, profile = learnt.options, learnt.options.profile
    labels = list(texts.labels)
    fitted, known = fit_pairs(texts.counts, labels, options, threads=jobs, progress=part(progress, 0.0, 0.3))
    out_of_fold: OutOfFold | None = None
    if profile.out_of_fold:
        crossfit = Crossfit(fitted, options, jobs, store or MemoryStore())
        out_of_fold = crossfit.by_document(texts, part(progress, 0.3, 0.9))
        log_odds = out_of_fold.log_odds.astype(np.float64)
    else:
        with one_blas_thread():
            log_odds = matrix_log_odds(fitted.model, known, part(progress, 0.3, 0.9))
    pr_same = probability(log_odds)
    choice = choose_k(pr_same, learnt.codes, profile)
    progress(0.9, "learning to combine the comparisons")
    phi = described(pr_same, learnt.codes, fitted.model, profile)
    stacked = StackedAttributor(seed=options.seed, even=profile.even).fit(phi, list(learnt.codes))
    progress(1.0, "trained")
    return Trained(TrainedModel(learnt, fitted, known, choice.k, np.array(choice.curve), stacked), texts, out_of_fold)

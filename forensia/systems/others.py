"""The systems of another kind, which are asked whether they agree: a new one is a module of its own and one entry in this table.

They share nothing with Fused, Lazy and Stacked but the vectors: the cosine with each author's most similar documents, a linear support
vector machine, and the impostors method with each author's most similar document. What has `scores` is shown beside every answer; what
has a `ranker` can be named in a plan of experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.features.vectors import Vectors
from forensia.jobs import Progress
from forensia.systems.baselines import Impostors, LinearSVM
from forensia.systems.distances import cosines
from forensia.systems.lazy_stacked import author_scores

COSINE, SVM, IMPOSTORS = "cosine", "SVM", "impostors"
FEWEST_FOR_IMPOSTORS = 3  # authors
Floats = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]


class Ranker(Protocol):
    """What experiments ask of a system: to learn from documents and their authors, and to name the author of others."""

    def fit(self, vectors: Vectors, labels: Any, progress: Progress = ..., /) -> Ranker: ...

    def predict(self, vectors: Vectors, /) -> NDArray[Any]: ...


@dataclass(frozen=True)
class KnownVectors:
    """The known documents of a case with the numbers of their authors, the k of Lazy, and the seed."""

    vectors: Vectors
    codes: NDArray[np.integer[Any]]
    k: int
    seed: int


@dataclass(frozen=True)
class SystemScores:
    """What one system says of each author, and above which score it accepts one, where it has a threshold."""

    system: str
    scores: Floats
    threshold: float | None = None


Scores = tuple[Floats, float | None]


def _learn_nothing(vectors: Vectors, codes: NDArray[np.integer[Any]], seed: int, progress: Progress) -> Arrays:
    """What a system keeps that has nothing to learn."""
    return {}


@dataclass(frozen=True)
class OtherSystem:
    """One system: its name in a table and in a sentence, what it says of a text, what it keeps for that, and how experiments make it.

    `scores` gives the score of each author, in the order of their codes, with the threshold if there is one, or None where the system
    cannot be asked: there are too few authors, or it did not exist when the case was trained. Without it the system is for experiments
    alone. `learn` gives arrays under names that no other system uses; they are kept in the case.
    """

    title: str
    spoken: str
    scores: Callable[[KnownVectors, Arrays, Vectors], Scores | None] | None = None
    learn: Callable[[Vectors, NDArray[np.integer[Any]], int, Progress], Arrays] = _learn_nothing
    ranker: Callable[[int], Ranker] | None = None  # takes a seed


def _cosine(known: KnownVectors, learnt: Arrays, query: Vectors) -> Scores:
    return author_scores(cosines(query, known.vectors), known.codes, known.k, even=True)[0], None


def _learn_svm(vectors: Vectors, codes: NDArray[np.integer[Any]], seed: int, progress: Progress) -> Arrays:
    duals = LinearSVM(seed=seed).fit(vectors, codes.tolist(), progress).solution_.duals.astype(np.float64)
    if len(duals) == 1:
        duals = np.vstack((-duals, duals))  # two authors, one machine: that of the second
    return {"svm": duals}  # authors x documents


def _svm(known: KnownVectors, learnt: Arrays, query: Vectors) -> Scores:
    vectors = known.vectors
    product = query.dense[0].astype(np.float64) @ vectors.dense.T + (query.sparse @ vectors.sparse.T).toarray()[0]
    return learnt["svm"] @ (product + 1), None


_IMPOSTORS = "impostors/"


def _learn_impostors(vectors: Vectors, codes: NDArray[np.integer[Any]], seed: int, progress: Progress) -> Arrays:
    if len(np.unique(codes)) < FEWEST_FOR_IMPOSTORS:
        return {}
    kept = Impostors(seed=seed).fit(vectors, codes.tolist(), progress).kept()
    return {_IMPOSTORS + name: array for name, array in kept.items()}


def _impostors(known: KnownVectors, learnt: Arrays, query: Vectors) -> Scores | None:
    kept = {name.removeprefix(_IMPOSTORS): learnt[name] for name in learnt if name.startswith(_IMPOSTORS)}
    if not kept:
        return None
    method = Impostors(seed=known.seed).restore(known.vectors, kept)
    similar = cosines(query, known.vectors)[0]
    return impostor_scores(method, known.vectors, known.codes, query, similar), float(method.sigma_)


def impostor_scores(
    method: Impostors, known: Vectors, codes: NDArray[np.integer[Any]], query: Vectors, similar: Floats
) -> Floats:
    """The score of one text with each author's most similar document, given its cosines with all; nobody is their own impostor."""
    nearest = np.array(
        [int(np.where(codes == author, similar, -np.inf).argmax()) for author in range(int(codes.max()) + 1)]
    )
    barred = np.asarray(codes[None, :] == codes[nearest][:, None])
    count = len(nearest)
    pool = _stacked(query, known.rows(nearest))
    return method.scores(pool, np.zeros(count, np.intp), np.arange(1, count + 1), barred=barred)


def _stacked(first: Vectors, second: Vectors) -> Vectors:
    from scipy.sparse import csr_matrix, vstack

    return Vectors(
        np.vstack((first.dense, second.dense)),
        csr_matrix(vstack((first.sparse, second.sparse), format="csr")),
        first.blocks,
    )


OTHERS: Mapping[str, OtherSystem] = {
    COSINE: OtherSystem("Cosine similarity", "cosine", _cosine),
    SVM: OtherSystem("Support vector machine", "SVM", _svm, _learn_svm, lambda seed: LinearSVM(seed=seed)),
    IMPOSTORS: OtherSystem("Impostors", "impostors", _impostors, _learn_impostors),
}
"""By the names under which results, exports and plans know them, in the order in which they are shown."""

ASKED = tuple(name for name, system in OTHERS.items() if system.scores is not None)
"""Those that are shown beside every answer."""

RANKERS: Mapping[str, Callable[[int], Ranker]] = {
    name: system.ranker for name, system in OTHERS.items() if system.ranker is not None
}
"""How experiments make those that they can run."""

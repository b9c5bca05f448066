"""Do methods of another kind come to the same author? A conclusion that only one method reaches deserves a flag.

Three that share nothing with h but the vectors: the cosine with each author's most similar documents, a linear support vector machine,
and the impostors method with each author's most similar document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.result import COSINE, IMPOSTORS, SVM
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems import Impostors, LinearSVM
from forensia.systems.distances import cosines
from forensia.systems.lazy import author_scores

FEWEST_FOR_IMPOSTORS = 3  # authors
Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class SystemScores:
    """What one system says of each author, and above which score it accepts one, where it has a threshold."""

    system: str
    scores: Floats
    threshold: float | None = None


@dataclass(frozen=True)
class Baselines:
    """The methods, fitted on the known documents."""

    svm: Floats  # authors x documents
    impostors: Mapping[str, NDArray[Any]] | None
    seed: int

    @classmethod
    def fit(cls, known: Vectors, codes: NDArray[Any], seed: int, progress: Progress = silent) -> Baselines:
        labels = list(codes.tolist())
        machine = LinearSVM(seed=seed).fit(known, labels, part(progress, 0.0, 0.7))
        kept = None
        if len(set(labels)) >= FEWEST_FOR_IMPOSTORS:
            kept = Impostors(seed=seed).fit(known, labels, part(progress, 0.7, 1.0)).kept()
        duals = machine.solution_.duals.astype(np.float64)
        if len(duals) == 1:
            duals = np.vstack((-duals, duals))  # two authors, one machine: that of the second
        return cls(duals, kept, seed)

    def scores(self, known: Vectors, codes: NDArray[np.integer[Any]], k: int, query: Vectors) -> list[SystemScores]:
        """The scores of each system for one text."""
        similar = cosines(query, known)
        found = [SystemScores(COSINE, author_scores(similar, codes, k, even=True)[0])]
        product = query.dense[0].astype(np.float64) @ known.dense.T + (query.sparse @ known.sparse.T).toarray()[0]
        found.append(SystemScores(SVM, self.svm @ (product + 1)))
        if self.impostors is not None:
            method = Impostors(seed=self.seed).restore(known, self.impostors)
            scores = impostor_scores(method, known, codes, query, similar[0])
            found.append(SystemScores(IMPOSTORS, scores, float(method.sigma_)))
        return found

    def to_arrays(self) -> Arrays:
        arrays: Arrays = {"svm": self.svm}
        for name, array in (self.impostors or {}).items():
            arrays[f"impostors/{name}"] = array
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], seed: int) -> Baselines:
        kept = {name.removeprefix("impostors/"): arrays[name] for name in arrays if name.startswith("impostors/")}
        return cls(arrays["svm"], kept or None, seed)


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

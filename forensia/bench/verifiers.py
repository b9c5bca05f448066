"""Did the writer of some known texts write another? Published methods that learn from a population in which neither of the two is.

DV-Bin is that of the forensic profile; cosine and Impostors see its vectors. Each compares the disputed text with every known one, and the
mean decides. Cosine Delta (Evert et al. 2017) takes the mean of the known texts' z-scores of the most frequent words. DV-Bin says yes above
even odds and Impostors above its sigma*; the others have the threshold that is best for problems of as many known texts by the population.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forensia.bench.packs import countable
from forensia.corpus import Document
from forensia.diffvectors.pairs import codes
from forensia.evidence.result import COSINE, DV_BIN, IMPOSTORS
from forensia.features import FAMILIES, Counts, Vectors, count_documents
from forensia.language import AnalysisCache, LanguageModel
from forensia.profile import FORENSIC
from forensia.systems import Impostors
from forensia.systems.baselines import tune_sigma
from forensia.systems.distances import cosines
from forensia.systems.pairmodel import FittedPairs, TrainingOptions, fit_pairs

SEED = 0
DELTA = "cosine Delta"
FREQUENT = 500  # words of which Delta takes the z-scores
PROBLEMS = 8  # of each population author with each answer, for a threshold
Rows = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Verifiers:
    """The methods as a population has taught them, and the vectors of all documents, which the rows of a problem refer to."""

    fitted: FittedPairs
    impostors: Impostors
    vectors: Vectors
    deltas: Floats
    population: Rows
    authors: NDArray[np.int32]  # of the population

    @classmethod
    def taught(
        cls, documents: Sequence[Document], population: Rows, language: LanguageModel, cache: AnalysisCache
    ) -> Verifiers:
        """Learn from some of the documents."""
        families = countable(FAMILIES, language)
        counts = count_documents(documents, language, families, cache=cache, typing=FORENSIC.typing)
        known, labels = counts.rows(population), [documents[row].author for row in population]
        options = TrainingOptions(profile=FORENSIC, seed=SEED, families=families).learnable(known)
        fitted, vectors = fit_pairs(known, labels, options)
        return cls(
            fitted,
            Impostors(seed=SEED).fit(vectors, labels),
            fitted.vectors(counts),
            deltas(counts, population),
            population,
            codes(labels),
        )

    def scores(self, known: Rows, asked: Rows) -> dict[str, Floats]:
        """What each method says of documents, each held against all known ones of a problem."""
        first, second = np.repeat(asked, len(known)), np.tile(known, len(asked))
        pairs = {
            DV_BIN: self.fitted.model.pair_log_odds(self.vectors, first, second),
            IMPOSTORS: self.impostors.scores(self.vectors, first, second),
        }
        means = {name: each.reshape(len(asked), -1).mean(axis=1) for name, each in pairs.items()}
        return {**means, **self._untaught(known, asked)}

    def thresholds(self, texts: int) -> dict[str, float]:
        """Above which score each method says yes, when so many texts are known."""
        rng, scores, same = np.random.default_rng([SEED, texts]), [], []
        for author in np.unique(self.authors):
            own, others = self.population[self.authors == author], self.population[self.authors != author]
            for yes in np.repeat((True, False), PROBLEMS).tolist():
                drawn = rng.permutation(own)[: texts + 1]
                asked = drawn[-1:] if yes else rng.choice(others, 1)
                scores.append(self._untaught(drawn[:-1], asked))
                same.append(yes)
        tuned = {
            name: tune_sigma(np.concatenate([each[name] for each in scores]), np.array(same))[0] for name in scores[0]
        }
        return {DV_BIN: 0.0, IMPOSTORS: self.impostors.sigma_, **tuned}

    def _untaught(self, known: Rows, asked: Rows) -> Mapping[str, Floats]:
        """The scores of the methods that only measure."""
        near = cosines(self.vectors.rows(asked), self.vectors.rows(known)).mean(axis=1)
        mean, others = self.deltas[known].mean(axis=0), self.deltas[asked]
        lengths = np.linalg.norm(mean) * np.linalg.norm(others, axis=1)
        return {COSINE: near, DELTA: others @ mean / np.maximum(lengths, np.finfo(np.float64).tiny)}


def deltas(counts: Counts, population: Rows) -> Floats:
    """The z-scores of the shares of the population's most frequent words, by its means and spreads."""
    table = counts.table("words").counts.astype(np.float64)
    frequent = np.argsort(-np.asarray(table[population].sum(axis=0)).ravel(), kind="stable")[:FREQUENT]
    words = np.asarray(table.sum(axis=1)).reshape(-1, 1)
    shares = table[:, frequent].toarray() / np.maximum(words, 1)
    theirs = shares[population]
    return np.asarray((shares - theirs.mean(axis=0)) / np.maximum(theirs.std(axis=0), np.finfo(np.float64).eps))

"""Two texts by people of whom nothing is known: the AUC of the fused score, DV-Bin, cosine and impostors, and Cllr claimed and found.

    python -m forensia.bench.strangers DATA OUT.json [--set NAME ...] [--table]

DATA holds the packs (archives or folders with a manifest). Everything is learnt from the known texts of the closed authors, and tried on
pairs of texts by the open ones; in packs without open authors, by half of the authors. Same pairs share no source. All methods are tried on
the same pairs; DV-Bin is that of the forensic profile, and cosine and impostors see its vectors. What is claimed comes from the closed
authors alone.

Did the writer of some known texts write another? Published methods that learn from a population in which neither of the two is.

DV-Bin is that of the forensic profile; cosine and Impostors see its vectors. Each compares the disputed text with every known one, and the
mean decides. Cosine Delta (Evert et al. 2017) takes the mean of the known texts' z-scores of the most frequent words. DV-Bin says yes above
even odds and Impostors above its sigma*; the others have the threshold that is best for problems of as many known texts by the population.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench import Row, arguments_of, markdown, run
from forensia.bench.packs import CORPORA, NEW_SOURCE, ComparedSet, ComparedTexts, countable, read_set, unpacked
from forensia.corpus import Document
from forensia.diffvectors import one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.evidence.bootstrap import resamples
from forensia.evidence.crossfit import OutOfFold, with_copies
from forensia.evidence.knowntexts import WHOLE, Texts
from forensia.evidence.likelihood import LN10
from forensia.evidence.measures import auc, cllr
from forensia.evidence.pairwise import PairTexts, compared, log_odds
from forensia.evidence.result import DV_BIN, FUSED
from forensia.features import FAMILIES, FUSED_FAMILIES, Counts, Vectors, count_documents
from forensia.features.weighting import products
from forensia.language import AnalysisCache, LanguageModel
from forensia.profile import FORENSIC
from forensia.systems import Impostors
from forensia.systems.baselines import tune_sigma
from forensia.systems.centred import NOBODY
from forensia.systems.distances import cosines, pair_cosines
from forensia.systems.fused import fit_fused
from forensia.systems.leaving_out import rounds
from forensia.systems.others import COSINE, IMPOSTORS
from forensia.systems.pairmodel import FittedPairs, TrainingOptions, fit_pairs

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


SEED = 0
PAIRS = 1_000  # of each class
RESAMPLES = 200
SETS = [*CORPORA, *(name for name in NEW_SOURCE if name != "novels_english")]  # three authors are no half to learn from
METHODS = (FUSED, DV_BIN, COSINE, IMPOSTORS)


def of_authors(texts: ComparedTexts, chosen: NDArray[Any]) -> Texts:
    """The known texts of some authors."""
    rows = np.flatnonzero(np.isin(texts.codes, chosen))
    labels = [texts.documents[row].author for row in rows]
    return Texts(texts.known.rows(rows), labels, [texts.documents[row].sources for row in rows])


def measured(known: Texts, strange: Texts) -> Row:
    """Learn from known texts, and compare texts by others."""
    begun = time.process_time()
    numbers = codes(list(known.labels)).astype(np.intp)
    sources = with_copies(known.labels, known.sources, known.counts)
    left_out = rounds(numbers, sources, SEED) or rounds(numbers, [()] * len(numbers), SEED)
    families = [family for family in FUSED_FAMILIES if family in known.counts.families]
    system, _ = fit_fused(known.counts, numbers, [left_out], families)
    paired = tuple(family for family in FAMILIES if family in known.counts.families)
    options = TrainingOptions(profile=FORENSIC, seed=SEED, families=paired).learnable(known.counts)
    fitted, vectors = fit_pairs(known.counts, list(known.labels), options)
    nothing = np.full((len(numbers), len(numbers)), np.nan, np.float32)
    unscored = OutOfFold(nothing, nothing, np.zeros(len(numbers), np.int64), (), True)
    pairwise = compared(known, system, vectors, unscored, SEED, FORENSIC.effort)
    assert pairwise.fusion is not None
    claim, claimed = pairwise.unseen_outside[WHOLE]

    first, second, same = pairs_of(strange)
    columns = []
    with one_blas_thread():
        for family, means in zip(system.families, system.means, strict=True):
            rows = family.weighted.vectors(strange.counts.table(family.name))
            columns.append(
                means.cosines(rows, rows, products(rows, rows), first, second, np.full((len(first), 2), NOBODY))
            )
        fused = log_odds(pairwise.fusion, np.column_stack(columns))
    texts = fitted.vectors(strange.counts)
    impostors = Impostors(seed=SEED).fit(vectors, list(known.labels))
    scores = {
        FUSED: fused,
        DV_BIN: fitted.model.pair_log_odds(texts, first, second),
        COSINE: pair_cosines(texts, first, second),
        IMPOSTORS: impostors.scores(texts, first, second),
    }
    llr = claim.bounds.apply((claim.line[0] + claim.line[1] * fused) / LN10)
    found = {name: auc(each[same], each[~same]) for name, each in scores.items()}
    return {
        "known": [len(system.sizes), len(numbers)],
        "strangers": [len(set(strange.labels)), len(strange.labels)],
        "pairs": [int(same.sum()), int((~same).sum())],
        "auc": found,
        "before_best_other": _before(scores, found, same, codes(list(strange.labels)), first, second),
        "claimed_auc": claimed.auc,
        "cllr": {"claimed": claimed.cllr, "found": cllr(llr[same], llr[~same])},
        "weights": dict(zip(families, pairwise.fusion.weights.tolist(), strict=True)),
        "cpu_s": round(time.process_time() - begun, 1),
    }


def pairs_of(texts: Texts) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Pairs of texts with whether one author wrote both, as many of each class."""
    numbers = codes(list(texts.labels)).astype(np.intp)
    drawn = PairTexts.of(texts, numbers, SEED).kinds(SEED)["unseen_outside"]
    same = numbers[drawn.first] == numbers[drawn.second]
    rng = np.random.default_rng(SEED)
    rows = np.concatenate([rng.permutation(np.flatnonzero(same == label))[:PAIRS] for label in (True, False)])
    return drawn.first[rows], drawn.second[rows], same[rows]


def _before(
    scores: dict[str, NDArray[np.float64]],
    found: dict[str, float],
    same: NDArray[np.bool_],
    numbers: NDArray[np.int32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> list[float]:
    """How far the fused AUC is above that of the best other method, with its 95 % interval: strangers are drawn anew."""
    best = max((name for name in found if name != FUSED), key=found.__getitem__)
    draws = []
    for draw in resamples(numbers.astype(np.intp), RESAMPLES, SEED, "authors"):
        one, other = draw.authors[numbers[first]], draw.authors[numbers[second]]
        times = np.where(same, one, one * other).astype(np.intp)
        again, both = np.repeat(np.arange(len(same)), times), np.repeat(same, times)
        if both.any() and not both.all():
            values = (scores[name][again] for name in (FUSED, best))
            ours, theirs = (auc(each[both], each[~both]) for each in values)
            draws.append(ours - theirs)
    low, high = np.quantile(draws, (0.025, 0.975))
    return [found[FUSED] - found[best], float(low), float(high)]


def read_sides(data: Path, name: str, place: Path) -> tuple[Texts, Texts]:
    """The texts to learn from, and those of strangers."""
    folder = unpacked(data, name, place)
    closed = read_set(folder, ComparedSet(name, name), place)
    authors = np.unique(closed.codes)
    if name in CORPORA:
        others = read_set(folder, ComparedSet(name, name, role="open"), place)
        return of_authors(closed, authors), of_authors(others, np.unique(others.codes))
    shuffled = np.random.default_rng(SEED).permutation(authors)
    half = len(authors) // 2
    return of_authors(closed, shuffled[:half]), of_authors(closed, shuffled[half:])


def table(rows: Sequence[Row]) -> str:
    """The rows for the README."""
    head = ["set", *METHODS, "fused − best other (95 %)", "AUC claimed", "Cllr claimed / found"]
    body = []
    for row in rows:
        gain, low, high = row["before_best_other"]
        cost = row["cllr"]
        body.append(
            [
                row["set"],
                *(f"{row['auc'][name]:.3f}" for name in METHODS),
                f"{gain:+.3f} ({low:+.3f} to {high:+.3f})",
                f"{row['claimed_auc']:.3f}",
                f"{cost['claimed']:.2f} / {cost['found']:.2f}",
            ]
        )
    return "\n".join(markdown(head, body)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    options = arguments_of(__doc__ or "", SETS).parse_args(arguments)
    return run(options, table, [], lambda name: [()], read_sides, lambda sides: measured(*sides))


if __name__ == "__main__":
    raise SystemExit(main())

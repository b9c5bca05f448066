"""Scores from models that have not seen the document: the only ones from which anything may be claimed.

Documents are split into folds. For each fold, features and h are fitted on the other documents, and the fold's documents are
scored against those. Split by document (stratified by author), that is what a new text by a listed author would get; split by
author, what a text by somebody outside the corpus would get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.pairmodel import TrainingOptions, fit_pairs
from forensia.diffvectors import Scorer, TooFewPairs, document_folds
from forensia.diffvectors.pairs import codes
from forensia.features import Counts
from forensia.jobs import Progress, part, silent

FOLDS = 5
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OutOfFold:
    """Log-odds of Same, queries x known documents; NaN where the pair was in one fold and so could not be scored."""

    log_odds: Floats
    fold: NDArray[np.int64]
    c: tuple[float, ...]
    converged: bool


class FoldStore(Protocol):
    """Keeps the finished folds, so that an interrupted validation goes on where it stopped."""

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None: ...

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None: ...


class NoStore:
    """Keeps nothing."""

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        return None

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        return None


@dataclass(frozen=True)
class Texts:
    """The known documents as counts. `recount` counts some documents anew with a mask learnt from some others.

    Only the mask that hides all but the most frequent words learns from documents; for the others one count serves all.
    """

    counts: Counts
    labels: Sequence[str]
    recount: Callable[[NDArray[np.intp], NDArray[np.intp]], tuple[Counts, Counts]] | None = None

    def split(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> tuple[Counts, Counts]:
        if self.recount is not None:
            return self.recount(train, test)
        return self.counts.rows(train), self.counts.rows(test)


def crossfit_documents(
    texts: Texts,
    options: TrainingOptions,
    factors: Mapping[str, float],
    *,
    threads: int = 1,
    store: FoldStore | None = None,
    progress: Progress = silent,
) -> OutOfFold:
    """Every document scored by a model that has not seen it; its author's other documents were there."""
    fold = document_folds(list(texts.labels), FOLDS, options.seed)
    return _crossfit(texts, fold, "documents", options, factors, threads, store or NoStore(), progress)


def crossfit_authors(
    texts: Texts,
    options: TrainingOptions,
    factors: Mapping[str, float],
    *,
    threads: int = 1,
    store: FoldStore | None = None,
    progress: Progress = silent,
) -> OutOfFold:
    """Every document scored by a model that has seen nothing by its author, against the authors that model knows."""
    fold = author_folds(list(texts.labels), FOLDS, options.seed)
    return _crossfit(texts, fold, "authors", options, factors, threads, store or NoStore(), progress)


def author_folds(labels: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """A fold for each document that depends on its author alone; folds of about equal numbers of authors."""
    numbers = codes(list(labels))
    authors = int(numbers.max(initial=-1)) + 1
    of_author = np.arange(authors) % min(folds, max(authors // 2, 1))
    return np.random.default_rng([seed, 3]).permutation(of_author)[numbers]


def _crossfit(
    texts: Texts,
    fold: NDArray[np.int64],
    kind: str,
    options: TrainingOptions,
    factors: Mapping[str, float],
    threads: int,
    store: FoldStore,
    progress: Progress,
) -> OutOfFold:
    count = len(texts.labels)
    out = np.full((count, count), np.nan)
    cs: list[float] = []
    converged = True
    for number, train, test, stage in _folds(fold, progress):
        name = f"{kind} {number}"
        kept = store.get(name)
        if kept is None:
            kept = _score_fold(texts, train, test, options, factors, threads, stage)
            store.put(name, kept)
        out[np.ix_(test, train)] = kept["log_odds"]
        cs.append(float(kept["c"][0]))
        converged &= bool(kept["converged"][0])
    return OutOfFold(out, fold, tuple(cs), converged)


def _score_fold(
    texts: Texts,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    options: TrainingOptions,
    factors: Mapping[str, float],
    threads: int,
    progress: Progress,
) -> dict[str, NDArray[Any]]:
    known, queries = texts.split(train, test)
    labels = [texts.labels[row] for row in train]
    try:
        fitted = fit_pairs(known, labels, options, factors=factors, threads=threads, progress=part(progress, 0.0, 0.9))
    except TooFewPairs as error:
        raise TooFewPairs(
            "There are too few texts to test the model on texts it has not seen: with every fifth one set aside, too few pairs "
            "are left to learn from. Add texts by the same authors, or cut the texts into segments (--segment 500)."
        ) from error
    log_odds = Scorer(fitted.model, fitted.vectors(known)).log_odds(fitted.vectors(queries), part(progress, 0.9, 1.0))
    return {
        "log_odds": log_odds,
        "c": np.array([fitted.training.c]),
        "converged": np.array([int(fitted.training.converged)]),
    }


def _folds(
    fold: NDArray[np.int64], progress: Progress
) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp], Progress]]:
    numbers = range(int(fold.max(initial=-1)) + 1)
    for number in numbers:
        stage = part(progress, number / len(numbers), (number + 1) / len(numbers))
        yield number, np.flatnonzero(fold != number), np.flatnonzero(fold == number), stage

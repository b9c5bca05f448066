"""Scores from models that have not seen the document: the only ones from which anything may be claimed.

Documents are split into folds. For each fold, features and h are fitted on the other documents, and the fold's documents are
scored against those. Split by document (stratified by author), that is what a new text by a listed author would get; split by
author, what a text by somebody outside the corpus would get. Documents that belong together (see `units`) stay together: a text in
dispute seldom comes from a source, or is a version of a text, that is in the corpus.

Documents that share a source (a book, an account), directly or through others, belong together where the author has three such groups;
so do documents that share most of their words, such as versions of one news story. A source is its author's own: another author's of
the same name is another source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import Scorer, TooFewPairs, matrix_log_odds, one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.evidence.knowntexts import Texts
from forensia.features import Counts
from forensia.jobs import Progress, part, silent
from forensia.systems.pairmodel import FittedPairs, TrainingOptions, fit_pairs

FEWEST_AUTHORS = 4  # with one of three left out there are hardly any to tell apart
Floats = NDArray[np.floating[Any]]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class OutOfFold:
    """Log-odds of Same, tried documents x known ones; NaN where two documents were in one fold, and so unseen both.

    `unseen` has the log-odds of just those pairs, neither document known to the model.
    """

    log_odds: Floats
    unseen: Floats
    fold: NDArray[np.int64]
    c: tuple[float, ...]
    converged: bool


class FoldStore(Protocol):
    """Keeps the finished folds, so that an interrupted validation goes on where it stopped."""

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None: ...

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None: ...


@dataclass
class MemoryStore:
    """Keeps them as long as the program runs."""

    kept: dict[str, Mapping[str, NDArray[Any]]] = field(default_factory=dict)

    def get(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        return self.kept.get(name)

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.kept[name] = arrays


@dataclass(frozen=True)
class Crossfit:
    """How models are fitted for the folds: features and weights anew, with the C and the factors of the final model.

    Those two are settings, chosen among a few values by all documents. If each fold chose its own, folds of one corpus would end at
    values ten times apart, and their scores, those of outsiders above all, would not be on the scale of the final model.

    The search for the weights begins at those of the final model, which has seen the fold's documents. The objective has one minimum, so
    all that could remain of them is what the stopping rule leaves open: `converged` tells that it was kept.
    """

    final: FittedPairs
    options: TrainingOptions
    threads: int = 1
    store: FoldStore = field(default_factory=MemoryStore)

    @property
    def folds(self) -> int:
        return self.options.profile.effort.folds

    def by_document(self, texts: Texts, progress: Progress = silent) -> OutOfFold:
        """Every document scored by a model that has not seen it, nor its source; its author's other documents were there."""
        together = units(texts.labels, texts.sources, texts.counts)
        fold = document_folds(texts.labels, together, self.folds, self.options.seed)
        return self._run(texts, fold, "documents", progress)

    def by_author(self, texts: Texts, progress: Progress = silent) -> OutOfFold:
        """Every document scored by a model that has seen nothing by its author, against the authors that model knows.

        At least two authors are left out together, so that there are pairs by two strangers. Where too little is left to learn from
        without some authors, there are no scores, and what rests on them is not estimable.
        """
        fold = author_folds(texts.labels, min(self.folds, len(set(texts.labels)) // 2), self.options.seed)
        if not fold.any():
            return _nothing(fold)
        try:
            return self._run(texts, fold, "authors", progress)
        except TooFewPairs:
            return _nothing(fold)

    def _run(self, texts: Texts, fold: NDArray[np.int64], kind: str, progress: Progress) -> OutOfFold:
        found = _nothing(fold)
        cs: list[float] = []
        converged = True
        for number, train, test, stage in _folds(fold, progress):
            name = f"{kind} {number}"
            kept = self.store.get(name)
            if kept is None:
                kept = self._fold(texts, train, test, stage)
                self.store.put(name, kept)
            found.log_odds[np.ix_(test, train)] = kept["log_odds"]
            found.unseen[np.ix_(test, test)] = kept["unseen"]
            cs.append(float(kept["c"][0]))
            converged &= bool(kept["converged"][0])
        np.fill_diagonal(found.unseen, np.nan)
        return replace(found, c=tuple(cs), converged=converged)

    def _fold(self, texts: Texts, train: Rows, test: Rows, progress: Progress) -> dict[str, NDArray[Any]]:
        known, queries = texts.split(train, test, progress=part(progress, 0.0, 0.05))
        labels = [texts.labels[row] for row in train]
        try:
            fitted, learnt = fit_pairs(
                known, labels, self.options, near=self.final, threads=self.threads, progress=part(progress, 0.05, 0.85)
            )
        except TooFewPairs as error:
            raise TooFewPairs(
                "There are too few texts to test the model on texts it has not seen: with every tenth one set aside, too few pairs "
                "are left to learn from. Add texts by the same authors, or cut the texts into segments (--segment 500)."
            ) from error
        with one_blas_thread():
            vectors = fitted.vectors(queries)
            log_odds = Scorer(fitted.model, learnt).log_odds(vectors, part(progress, 0.85, 1.0))
            among = matrix_log_odds(fitted.model, vectors)
        np.fill_diagonal(among, 0.0)  # files hold no NaN
        return {
            "c": np.array([fitted.training.c]),
            "converged": np.array([int(fitted.training.converged)]),
            "log_odds": np.clip(log_odds, -1e4, 1e4).astype(np.float32),
            "unseen": np.clip(among, -1e4, 1e4).astype(np.float32),
        }


def _nothing(fold: NDArray[np.int64]) -> OutOfFold:
    """Room for the scores, with none in it yet."""
    log_odds, unseen = np.full((2, len(fold), len(fold)), np.nan, np.float32)
    return OutOfFold(log_odds, unseen, fold, (), True)


def author_folds(labels: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """A fold for each document that depends on its author alone; folds of about equal numbers of authors."""
    numbers = codes(list(labels))
    authors = int(numbers.max(initial=-1)) + 1
    of_author = np.arange(authors) % (min(folds, authors) if authors >= FEWEST_AUTHORS else 1)
    return np.random.default_rng([seed, 3]).permutation(of_author)[numbers]


def document_folds(labels: Sequence[str], units: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """A fold for each document, the units of each author spread evenly over the folds; a unit is never split."""
    rng = np.random.default_rng([seed, 2])
    authors = codes(list(labels))
    fold = np.empty(len(authors), dtype=np.int64)
    next_fold = 0
    for author in range(int(authors.max(initial=-1)) + 1):
        rows = np.flatnonzero(authors == author)
        own, sizes = np.unique(units[rows], return_counts=True)
        shuffled = rng.permutation(len(own))
        load = np.zeros(folds)
        place = {}
        for at in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:  # the largest first, each where least is
            least = (next_fold + int(np.roll(load, -next_fold).argmin())) % folds
            load[least] += sizes[at]
            place[int(own[at])] = least
        fold[rows] = [place[unit] for unit in units[rows].tolist()]
        next_fold = (next_fold + len(own)) % folds
    return fold


def _folds(fold: NDArray[np.int64], progress: Progress) -> Iterator[tuple[int, Rows, Rows, Progress]]:
    numbers = range(int(fold.max(initial=-1)) + 1)
    for number in numbers:
        stage = part(progress, number / len(numbers), (number + 1) / len(numbers))
        yield number, np.flatnonzero(fold != number), np.flatnonzero(fold == number), stage


FEWEST_UNITS = 3
ALIKE = 0.5  # cosine of the words' log counts times their rarity
Units = NDArray[np.int64]
Sources = Sequence[tuple[str, ...]]  # of each document


def with_copies(labels: Sequence[str], sources: Sources, counts: Counts) -> list[tuple[str, ...]]:
    """The sources of each document; those that share most of their words have one more between them, unless all of an author's do."""
    names = sources or [()] * len(labels)
    if "words" not in counts.families:
        return list(names)
    group = _separable(labels, _alike(np.asarray(labels), np.arange(len(labels), dtype=np.int64), counts), fewest=2)
    sizes = np.bincount(group, minlength=len(labels))
    return [(*own, f"copies {at}") if sizes[at] > 1 else own for own, at in zip(names, group, strict=True)]


def units(labels: Sequence[str], sources: Sources, counts: Counts | None = None) -> Units:
    """A number for each document, shared by those that belong together; an author whose documents all do keeps them apart."""
    apart = _separable(labels, by_source(labels, sources))
    if counts is None or "words" not in counts.families:
        return apart
    return _separable(labels, _alike(np.asarray(labels), apart, counts), apart)


def not_kept_together(labels: Sequence[str], sources: Sources, counts: Counts | None = None) -> tuple[str, ...]:
    """The authors whose documents belong together and could not be kept so: fewer than three units would be left."""
    together = by_source(labels, sources)
    if counts is not None and "words" in counts.families:
        together = _alike(np.asarray(labels), together, counts)
    names, kept = np.asarray(labels), units(labels, sources, counts)
    found = []
    for name in dict.fromkeys(labels):
        mine = names == name
        if len(np.unique(kept[mine])) > len(np.unique(together[mine])):
            found.append(name)
    return tuple(found)


def by_source(labels: Sequence[str], sources: Sources) -> Units:
    """For each document the first that it is connected with by sources of its author; no sources at all: each stands alone."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    numbers: dict[tuple[str, str], int] = {}
    edges = [
        (row, numbers.setdefault((label, name), len(labels) + len(numbers)))
        for row, (label, names) in enumerate(zip(labels, sources, strict=bool(sources)))
        for name in names
    ]
    size = len(labels) + len(numbers)
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = csr_matrix((np.ones(len(edges), dtype=bool), (ends[0], ends[1])), shape=(size, size))
    group = connected_components(graph, directed=False)[1][: len(labels)]
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    return first[group].astype(np.int64)


def _separable(
    labels: Sequence[str], joined: Units, otherwise: Units | None = None, fewest: int = FEWEST_UNITS
) -> Units:
    """The units, except for authors who would be left with too few."""
    names = np.asarray(labels)
    apart = np.arange(len(joined), dtype=np.int64) if otherwise is None else otherwise
    out = joined.copy()
    for name in np.unique(names):
        mine = np.flatnonzero(names == name)
        if len(np.unique(joined[mine])) < fewest:
            out[mine] = apart[mine]
    return out


def _alike(names: NDArray[np.str_], joined: Units, counts: Counts) -> Units:
    """Join the documents of an author that share most of their words, directly or through a third."""
    from scipy.sparse import csr_matrix, diags
    from scipy.sparse.csgraph import connected_components

    table = counts.table("words").counts.tocsr().astype(np.float64)
    table.data = 1.0 + np.log(table.data)
    documents = np.bincount(table.indices, minlength=table.shape[1])
    weighted = csr_matrix(table @ diags(np.log((1.0 + len(names)) / (1.0 + documents)) + 1.0))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted = csr_matrix(diags(1.0 / np.maximum(length, 1e-12)) @ weighted)
    out = joined.copy()
    for name in np.unique(names):
        mine = np.flatnonzero(names == name)
        near = (weighted[mine] @ weighted[mine].T).toarray() >= ALIKE
        near |= joined[mine][:, None] == joined[mine]
        group = connected_components(csr_matrix(near), directed=False)[1]
        out[mine] = mine[np.unique(group, return_index=True)[1]][group]
    return out

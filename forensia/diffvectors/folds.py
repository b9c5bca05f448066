"""How pairs are split for choosing C: over pairs, as the paper has it, or by document, so that none stands on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors.pairs import CAP, FEWEST_SAME, Pairs, codes, sample_pairs
from forensia.profile import Profile

FOLDS = 5


@dataclass(frozen=True)
class Split:
    """For each pair (row) and fold (column), whether it trains that fold's model and whether it tests it."""

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    grouped: bool


def drawn_pairs(labels: NDArray[Any] | list[str], profile: Profile, seed: int, cap: int = CAP) -> tuple[Pairs, Split]:
    """The pairs to learn from, and how they are split for choosing C, as a profile has it."""
    pairs = sample_pairs(labels, seed, cap=cap, matched=profile.pairs == "matched")
    return pairs, split_documents(pairs, labels, seed) if profile.c_by == "documents" else split_pairs(pairs, seed)


def split_pairs(pairs: Pairs, seed: int, folds: int = FOLDS) -> Split:
    """Stratified folds over the pairs: the paper's way, in which the two sides share documents."""
    rng = np.random.default_rng([seed, 1])
    fold = np.empty(len(pairs), dtype=np.int64)
    for label in (False, True):
        rows = rng.permutation(np.flatnonzero(pairs.same == label))
        fold[rows] = np.arange(len(rows)) % folds
    test = fold[:, None] == np.arange(folds)
    return Split(~test, test, grouped=False)


def split_documents(pairs: Pairs, labels: NDArray[Any] | list[str], seed: int) -> Split:
    """Folds of documents, stratified by author: a pair trains where neither end is held out and tests where both are.

    With few documents an author, five folds hold no Same pair out; then fewer folds are used, and in the last resort those
    over pairs (`grouped` tells).
    """
    for folds in range(FOLDS, 1, -1):
        fold = document_folds(labels, folds, seed)
        a, b = fold[pairs.first][:, None], fold[pairs.second][:, None]
        numbers = np.arange(folds)
        test = (a == numbers) & (b == numbers)
        train = (a != numbers) & (b != numbers)
        enough = [
            (side & (pairs.same == label)[:, None]).sum(axis=0).min()
            for side in (train, test)
            for label in (True, False)
        ]
        if min(enough) >= 1 and (test & pairs.same[:, None]).sum() >= FEWEST_SAME:
            return Split(train, test, grouped=True)
    return split_pairs(pairs, seed)


def document_folds(labels: NDArray[Any] | list[str], folds: int, seed: int) -> NDArray[np.int64]:
    """A fold for each document; every author is spread as evenly as can be, and so are the folds over all."""
    rng = np.random.default_rng([seed, 2])
    authors = codes(labels)
    fold = np.empty(len(authors), dtype=np.int64)
    next_fold = 0
    for author in range(authors.max(initial=-1) + 1):
        rows = rng.permutation(np.flatnonzero(authors == author))
        fold[rows] = (next_fold + np.arange(len(rows))) % folds
        next_fold = (next_fold + len(rows)) % folds
    return fold

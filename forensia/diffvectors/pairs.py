"""Which pairs of documents the classifier learns from, drawn without listing them all, and how they are split for choosing C."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.errors import ForensiaError
from forensia.profile import Profile

CAP = 50_000  # pairs of each class, as in the paper
FEWEST_SAME = 5
Integers = NDArray[np.int64]


class TooFewPairs(ForensiaError):
    """The corpus does not hold enough pairs to learn from."""


@dataclass(frozen=True)
class Pairs:
    """Unordered pairs of row numbers, `first` < `second`, with whether one author wrote both."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    same: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first)

    def take(self, index: NDArray[Any]) -> Pairs:
        return Pairs(self.first[index], self.second[index], self.same[index])

    @property
    def sha256(self) -> str:
        """The hash of the list, which a report states so that the list can be checked."""
        digest = hashlib.sha256()
        for array in (self.first, self.second, self.same):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def codes(labels: NDArray[Any] | list[str]) -> NDArray[np.int32]:
    """Authors as numbers in the order of their first document, so that renaming an author changes nothing."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int32)


def count_pairs(labels: NDArray[Any] | list[str]) -> tuple[int, int]:
    """How many Same and how many Different pairs there are in all."""
    sizes = np.bincount(codes(labels)).astype(np.int64) if len(labels) else np.zeros(0, np.int64)
    total = int(sizes.sum())
    same = int((sizes * (sizes - 1) // 2).sum())
    return same, total * (total - 1) // 2 - same


def sample_pairs(labels: NDArray[Any] | list[str], seed: int, *, cap: int = CAP, matched: bool = False) -> Pairs:
    """All Same pairs (or `cap` of them) and as many Different ones.

    `matched` draws the ends of the Different pairs from those of the Same pairs, so that each document appears equally
    often in both classes and the classifier cannot learn which documents (or authors) are merely frequent.
    """
    authors = codes(labels)
    possible_same, possible_different = count_pairs(labels)
    if possible_different == 0:
        raise TooFewPairs("All documents are by one author: add texts by at least one other author.")
    if possible_same < FEWEST_SAME:
        raise TooFewPairs(
            f"Only {possible_same} pairs of documents share an author, and at least {FEWEST_SAME} are needed: "
            "add documents by the same authors, or cut the texts into segments."
        )
    rng = np.random.default_rng(seed)
    same = _same_pairs(authors, min(cap, possible_same), rng)
    if matched:
        different = _matched_different(authors, same, rng)
    else:
        different = _different_pairs(authors, min(len(same), possible_different), rng)
    return _pairs(same, different)


def native_pairs(is_author: NDArray[np.bool_], seed: int, *, cap: int = CAP) -> Pairs:
    """Pairs for verifying one author against all others pooled: Same from the author alone, Different across the border."""
    inside, outside = np.flatnonzero(is_author), np.flatnonzero(~is_author)
    possible_same = len(inside) * (len(inside) - 1) // 2
    possible_different = len(inside) * len(outside)
    if possible_different == 0 or possible_same < 1:
        raise TooFewPairs("Verifying an author needs two documents of theirs and one by somebody else.")
    rng = np.random.default_rng(seed)
    ranks = _choose(possible_same, min(cap, possible_same), rng)
    low, high = _unrank(ranks)
    same = np.sort(np.column_stack((inside[low], inside[high])), axis=1)
    ranks = _choose(possible_different, min(len(same), possible_different), rng)
    across = np.column_stack((inside[ranks // len(outside)], outside[ranks % len(outside)]))
    return _pairs(same, np.sort(across, axis=1))


def _pairs(same: Integers, different: Integers) -> Pairs:
    """Both classes in one list, in the order of the documents."""
    both = np.concatenate((same, different))
    label = np.zeros(len(both), dtype=np.bool_)
    label[: len(same)] = True
    order = np.lexsort((both[:, 1], both[:, 0]))
    first, second = (both[order, side].astype(np.int32) for side in (0, 1))
    return Pairs(first, second, label[order])


def _choose(population: int, size: int, rng: np.random.Generator) -> Integers:
    """`size` different numbers below `population`, uniformly, with memory in proportion to `size`."""
    if 2 * size >= population:  # then the whole population is at most twice as large as the answer
        return np.sort(rng.permutation(population)[:size])
    drawn = np.zeros(0, dtype=np.int64)
    while len(drawn) < size:
        more = np.concatenate((drawn, rng.integers(population, size=size - len(drawn) + 16)))
        _, at = np.unique(more, return_index=True)
        drawn = more[np.sort(at)]
    return np.sort(drawn[:size])


def _unrank(ranks: Integers) -> tuple[Integers, Integers]:
    """The pairs low < high that stand at these places of the list (0,1) (0,2) (1,2) (0,3) ..."""
    high = ((1 + np.sqrt(1 + 8 * ranks.astype(np.float64))) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > ranks
    high += (high + 1) * high // 2 <= ranks
    return ranks - high * (high - 1) // 2, high


def _same_pairs(authors: NDArray[np.int32], size: int, rng: np.random.Generator) -> Integers:
    sizes = np.bincount(authors).astype(np.int64)
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    ranks = _choose(int(ends[-1]), size, rng)
    author = np.searchsorted(ends, ranks, side="right")
    low, high = _unrank(ranks - np.concatenate(([0], ends))[author])
    rows = np.argsort(authors, kind="stable")
    start = (np.cumsum(sizes) - sizes)[author]
    return np.column_stack((rows[start + low], rows[start + high])).astype(np.int64)


def _different_pairs(authors: NDArray[np.int32], size: int, rng: np.random.Generator) -> Integers:
    """Uniform over all Different pairs: uniform over all pairs, the Same ones thrown away."""
    total = len(authors) * (len(authors) - 1) // 2
    possible = count_pairs(list(authors))[1]
    # Few Different pairs: list them author by author, without the Same ones.
    if 2 * size >= possible or 4 * possible < total:
        return _few_different(authors, possible, size, rng)
    drawn = np.zeros(0, dtype=np.int64)
    while len(drawn) < size:
        more = rng.integers(total, size=2 * (size - len(drawn)) + 16)
        low, high = _unrank(more)
        more = np.concatenate((drawn, more[authors[low] != authors[high]]))
        _, at = np.unique(more, return_index=True)
        drawn = more[np.sort(at)]
    return np.column_stack(_unrank(drawn[:size]))


def _few_different(authors: NDArray[np.int32], possible: int, size: int, rng: np.random.Generator) -> Integers:
    """As above where the Different pairs are few: ranks over the documents that stand later and have another author."""
    rows = np.argsort(authors, kind="stable")
    sizes = np.bincount(authors).astype(np.int64)
    after = len(authors) - np.cumsum(sizes)[authors[rows]]  # documents of the authors behind this one's
    ends = np.cumsum(after)
    ranks = _choose(possible, size, rng)
    at = np.searchsorted(ends, ranks, side="right")
    offset = ranks - np.concatenate(([0], ends))[at]
    partner = len(authors) - after[at] + offset
    return np.sort(np.column_stack((rows[at], rows[partner])), axis=1)


def _matched_different(authors: NDArray[np.int32], same: Integers, rng: np.random.Generator) -> Integers:
    """Pair the ends of the Same pairs anew, across authors, without repeats; what cannot be paired is left out."""
    ends = rng.permutation(same.ravel())
    left, right = ends[0::2].copy(), ends[1::2].copy()
    for _ in range(200):
        bad = _unusable(authors, left, right)
        if not bad.any():
            break
        mixed = np.flatnonzero(bad)
        others = rng.integers(len(left), size=max(len(mixed), 8))
        chosen = np.unique(np.concatenate((mixed, others)))
        right[chosen] = right[rng.permutation(chosen)]
    good = ~_unusable(authors, left, right)
    return np.sort(np.column_stack((left[good], right[good])), axis=1)


def _unusable(authors: NDArray[np.int32], left: Integers, right: Integers) -> NDArray[np.bool_]:
    keys = np.minimum(left, right) * np.int64(len(authors)) + np.maximum(left, right)
    repeated = np.ones(len(keys), dtype=np.bool_)
    repeated[np.unique(keys, return_index=True)[1]] = False
    return np.asarray(repeated | (authors[left] == authors[right]))


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


def split_pairs(pairs: Pairs, seed: int) -> Split:
    """Stratified folds over the pairs: the paper's way, in which the two sides share documents."""
    rng = np.random.default_rng([seed, 1])
    fold = np.empty(len(pairs), dtype=np.int64)
    for label in (False, True):
        rows = rng.permutation(np.flatnonzero(pairs.same == label))
        fold[rows] = np.arange(len(rows)) % FOLDS
    test = fold[:, None] == np.arange(FOLDS)
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

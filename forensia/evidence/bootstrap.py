"""Intervals by resampling authors and their documents. Never pairs: those that share a document are no new evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forensia.evidence.measures import Array

__all__ = [
    "MISSING",
    "Interval",
    "Over",
    "Resample",
    "interval",
    "pair_weights",
    "resamples",
    "share_interval",
    "wilson",
]

Over = Literal["both", "documents", "authors"]

# When more resamples than this have no value, those that have one are a selection, and no interval is given.
MISSING = 0.1


@dataclass(frozen=True)
class Resample:
    """How often each document and each author was drawn; a document's count includes the draws of its author."""

    documents: Array
    authors: Array

    def index(self) -> NDArray[np.intp]:
        """The drawn documents one by one, for code that takes rows instead of weights."""
        return np.repeat(np.arange(self.documents.size), self.documents.astype(np.intp))


@dataclass(frozen=True)
class Interval:
    """A percentile interval and how many resamples it rests on; both ends are NaN where it is not estimable."""

    low: float
    high: float
    level: float
    resamples: int

    def spans(self, value: float) -> bool:
        """Whether the value lies inside or on an end; an interval that is not estimable excludes nothing."""
        return not (value < self.low or value > self.high)


def resamples(
    author_of: Sequence[int] | NDArray[np.intp],
    count: int,
    seed: int,
    over: Over = "both",
    authors: int = 0,
    units: NDArray[np.intp] | None = None,
) -> Iterator[Resample]:
    """Draw `count` resamples of documents, given the author number (0, 1, ...) of each.

    'documents' keeps every author and draws as many documents as each has: for listed authors who are all that matters.
    'authors' draws authors with all their documents, 'both' draws authors and then documents of each draw: for authors who
    stand for others. Documents of an author with one number in `units` come from one source, and are drawn together: chapters of one book
    are no new evidence. Of so many `authors` some may have no document.
    """
    place = np.arange(len(author_of)) if units is None else np.unique(units, return_inverse=True)[1]
    owner = np.asarray(author_of, dtype=np.intp)[np.unique(place, return_index=True)[1]]
    sizes = np.bincount(owner, minlength=authors)
    if not authors and (sizes == 0).any():
        raise ValueError("author numbers must run from 0 without gaps")
    if over != "documents" and sizes.size < 2:
        raise ValueError("drawing authors needs at least two of them")
    by_author = np.argsort(owner, kind="stable")
    rng = np.random.default_rng(seed)
    for _ in range(count):
        times = np.ones(sizes.size) if over == "documents" else _draw_authors(rng, sizes.size)
        if over == "authors":
            yield Resample(times[owner][place], times)
            continue
        slots = np.repeat(np.arange(sizes.size), sizes * times.astype(np.intp))
        drawn = by_author[(np.cumsum(sizes) - sizes)[slots] + rng.integers(sizes[slots])]
        yield Resample(np.bincount(drawn, minlength=owner.size).astype(np.float64)[place], times)


def _draw_authors(rng: np.random.Generator, n: int) -> Array:
    """How often each of n authors is drawn; one author alone leaves nothing to compare, so such a draw is made again."""
    while True:
        times = np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)
        if np.count_nonzero(times) > 1:
            return times


def pair_weights(resample: Resample, first: ArrayLike, second: ArrayLike) -> Array:
    """Weights of comparisons of two documents: the product of how often each was drawn."""
    a, b = np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp)
    return np.asarray(resample.documents[a] * resample.documents[b], dtype=np.float64)


def interval(values: ArrayLike, level: float = 0.95) -> Interval:
    """Percentile interval, each end the outer one of the two nearest values: infinities need no arithmetic that way."""
    if not 0 < level < 1:
        raise ValueError("the level of an interval lies between 0 and 1")
    all_values = np.asarray(values, dtype=np.float64).ravel()
    known = np.sort(all_values[~np.isnan(all_values)])
    if not known.size or all_values.size - known.size > MISSING * all_values.size:
        return Interval(float("nan"), float("nan"), level, int(known.size))
    tail = (1 - level) / 2 * (known.size - 1)
    outer = int(np.floor(tail + 1e-9))
    return Interval(float(known[outer]), float(known[known.size - 1 - outer]), level, int(known.size))


def wilson(share: float, size: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share of so many independent trials."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z**2 / (2 * size)) / (1 + z**2 / size)
    half = z / (1 + z**2 / size) * float(np.sqrt(share * (1 - share) / size + z**2 / (4 * size**2)))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def share_interval(
    hits: NDArray[np.bool_],
    author_of: NDArray[np.intp],
    count: int,
    seed: int,
    units: NDArray[np.intp] | None = None,
    level: float = 0.95,
) -> Interval:
    """Of the share of documents for which something holds: over authors and their documents, and no narrower than Wilson's.

    Where it holds for all or for none, resampling alone would be sure of it. Documents with one number in `units` are drawn together.
    """
    if not hits.size:
        return Interval(float("nan"), float("nan"), level, 0)
    (low, high), drawn = wilson(float(hits.mean()), hits.size, level), 0
    owner = np.unique(author_of, return_inverse=True)[1].astype(np.intp)
    if owner.max() > 0:
        shares = [np.average(hits, weights=draw.documents) for draw in resamples(owner, count, seed, units=units)]
        found = interval(shares, level)
        low, high, drawn = min(low, found.low), max(high, found.high), found.resamples
    return Interval(low, high, level, drawn)

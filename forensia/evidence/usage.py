"""How often a feature occurs in texts, in numbers that a reader can check by counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forensia.features import Counts, FeatureSpace

WORDS, SENTENCES, MARKS = "per 1,000 words", "per 100 sentences", "per 100 punctuation marks"
_OF_WORDS = ("function words", "word lengths", "words")


@dataclass(frozen=True)
class Usage:
    """A count, and the count in relation to the length of the text; no rate where the words were not counted."""

    count: int
    rate: float | None
    unit: str


def usages(space: FeatureSpace, counts: Counts, columns: Sequence[int]) -> list[Usage]:
    """The use of some features in texts taken together, one for each column.

    Rates of group 1 are shares of what the model too divides by: words, sentences, or punctuation marks. Those of group 2 are
    by words, although the model weights them otherwise.
    """
    places: dict[str, list[tuple[int, int]]] = {}
    for place, column in enumerate(columns):
        part, number = space.place(column)
        places.setdefault(part.family, []).append((place, number))
    words = next((int(counts.table(family).totals.sum()) for family in _OF_WORDS if family in counts.families), None)
    found: list[Usage] = [Usage(0, None, "")] * len(columns)
    for family, wanted in places.items():
        table = counts.table(family)
        keys = space.place(columns[wanted[0][0]])[0].keys.take(np.array([number for _, number in wanted]))
        at = table.keys.find(keys)  # type: ignore[arg-type]  # keys of one family are of one kind
        times = np.zeros(len(at), np.int64)
        times[at >= 0] = np.asarray(table.counts[:, at[at >= 0]].sum(axis=0, dtype=np.int64)).ravel()
        total = int(table.totals.sum())
        for (place, _), count in zip(wanted, times.tolist(), strict=True):
            found[place] = _usage(family, count, total, words)
    return found


def _usage(family: str, count: int, total: int, words: int | None) -> Usage:
    if family == "sentence lengths":
        return Usage(count, 100 * count / max(total, 1), SENTENCES)
    if family == "punctuation":
        return Usage(count, 100 * count / max(total, 1), MARKS)
    return Usage(count, None if words is None else 1000 * count / max(words, 1), WORDS if words is not None else "")

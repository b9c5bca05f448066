"""Which texts are left out together, so that the rest can be tried on them.

One source of *every* author is left out at a time. If it were the text's own alone, only its author would lose texts, and would look weaker
than they are. Nothing of a text's own sources is ever among what it is tried with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 50
"""Rounds: with more sources several of an author's are left out at once, a fiftieth of them."""

FEWEST_LEFT = 1  # texts of an author, so that there is something to recognise them by
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Round:
    """Texts that are left out, and those of them that are tried: none of their sources is among what is left."""

    away: Rows
    tried: Rows


def rounds(codes: NDArray[Any], sources: Sequence[Sequence[str]], seed: int) -> list[Round]:
    """Rounds in which each text is tried at least once, if its author has enough texts from elsewhere.

    A text without a source is one of its own. An author who would be left with nothing keeps all of them.
    """
    rng = np.random.default_rng([seed, 17])
    authors = [_numbered(np.flatnonzero(codes == code), sources) for code in range(int(codes.max(initial=-1)) + 1)]
    orders = [rng.permutation(count) for _, count in authors]
    number_of = min(max((count for _, count in authors), default=0), MOST)
    found = []
    for number in range(number_of):
        away: list[int] = []
        tried: list[int] = []
        for (own, count), order in zip(authors, orders, strict=True):
            if not count:
                continue
            left = set((order[number::number_of] if count > number_of else order[[number % count]]).tolist())
            lost = [row for row, at in own.items() if at & left]
            if len(own) - len(lost) >= FEWEST_LEFT:
                away += lost
                there = set().union(*(own[row] for row in own.keys() - set(lost)))
                tried += [row for row in lost if not own[row] & there]
        if tried:
            found.append(Round(np.array(sorted(away), np.intp), np.array(sorted(tried), np.intp)))
    return found


def _numbered(rows: Rows, sources: Sequence[Sequence[str]]) -> tuple[dict[int, set[int]], int]:
    """The sources of an author's texts by number, and how many there are."""
    names: dict[str | int, int] = {}
    own = {int(row): {names.setdefault(name, len(names)) for name in sources[row] or (int(row),)} for row in rows}
    return own, len(names)

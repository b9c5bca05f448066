"""Which texts are left out together, so that the rest can be tried on them.

One source of *every* author is left out at a time. If it were the text's own alone, only its author would lose texts, and would look weaker
than they are. Nothing of a text's own sources is ever among what it is tried with. A source is its author's own.
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
    """Rounds in which each text is tried at least once, if its author has a text from elsewhere.

    A text without a source is one of its own; with a text of several sources all texts go that have one of them. An author who would be
    left with nothing keeps all of them.
    """
    rng = np.random.default_rng([seed, 17])
    authors = [_sharing(np.flatnonzero(codes == code), sources) for code in dict.fromkeys(codes.tolist())]
    orders = []
    for sharing in authors:
        parts = [part for part in dict.fromkeys(sharing.values()) if len(sharing) - len(part) >= FEWEST_LEFT]
        orders.append([parts[place] for place in rng.permutation(len(parts))])
    number_of = min(max(map(len, orders), default=0), MOST)
    found = []
    for number in range(number_of):
        away: list[int] = []
        tried: list[int] = []
        for sharing, parts in zip(authors, orders, strict=True):
            if not parts:
                continue
            chosen = parts[number::number_of] if len(parts) > number_of else [parts[number % len(parts)]]
            lost = frozenset[int]().union(*chosen)
            if len(sharing) - len(lost) >= FEWEST_LEFT:
                away += lost
                tried += [row for row in lost if sharing[row] <= lost]
        if tried:
            found.append(Round(np.array(sorted(away), np.intp), np.array(sorted(tried), np.intp)))
    return found


def _sharing(rows: Rows, sources: Sequence[Sequence[str]]) -> dict[int, frozenset[int]]:
    """For each text of an author those that share a source with it, itself among them."""
    own = {int(row): frozenset[str | int](sources[row] or (int(row),)) for row in rows}
    holds: dict[str | int, set[int]] = {}
    for row, names in own.items():
        for name in names:
            holds.setdefault(name, set()).add(row)
    parts = {names: frozenset[int]().union(*(holds[name] for name in names)) for names in dict.fromkeys(own.values())}
    return {row: parts[names] for row, names in own.items()}

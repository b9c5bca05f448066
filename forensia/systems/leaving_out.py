"""Which texts are left out together, so that the rest can be tried on them.

One source of *every* author is left out at a time. If it were the text's own alone, only its author would lose texts, and would look weaker
than they are. Nothing of a text's own sources is ever among what it is tried with. A source is its author's own, and another author's of
the same name is another source, unless it is said to be shared: then the texts of all authors that have it go together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import is_shared

MOST = 50
"""Rounds: with more sources several of an author's are left out at once, a fiftieth of them. Shared sources may need some more."""

Rows = NDArray[np.intp]
Sources = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Round:
    """Texts that are left out, and those of them that are tried: none of their sources is among what is left."""

    away: Rows
    tried: Rows

    def among(self, rows: Rows) -> Round:
        """The same for some of the texts alone, numbered anew."""
        away, tried = (np.flatnonzero(np.isin(rows, each)) for each in (self.away, self.tried))
        return Round(away, tried)


def rounds(codes: NDArray[Any], sources: Sources, seed: int) -> list[Round]:
    """Rounds in which each text is tried once, if its author has a text from elsewhere.

    A text without a source is one of its own; with a text of several sources all texts go that have one of them. An author who would be
    left with nothing keeps all of them, unless all of them have a shared source that is left out.
    """
    rng = np.random.default_rng([seed, 17])
    sharing = _sharing(codes, sources)
    authors = [np.flatnonzero(codes == code).tolist() for code in dict.fromkeys(codes.tolist())]
    orders = []
    for rows in authors:
        some = [part for part in dict.fromkeys(sharing[row] for row in rows) if not part.issuperset(rows)]
        orders.append([some[place] for place in rng.permutation(len(some))])
    number_of = min(max(map(len, orders), default=0), MOST)
    waiting = [list(order) for order in orders]
    owner = {row: place for place, rows in enumerate(authors) for row in rows}
    found: list[Round] = []
    seen: set[int] = set()
    while any(waiting) and len(found) < 2 * MOST:
        away: set[int] = set()
        chosen: set[frozenset[int]] = set()
        kept: set[int] = set()  # authors who have lost some texts, and keep the others
        for place in sorted(range(len(authors)), key=lambda place: -len(waiting[place])):
            if not away.isdisjoint(authors[place]):  # a shared source has taken some of them already
                continue
            parts = waiting[place][: -(-len(orders[place]) // number_of)]
            turn = len(found) % max(len(orders[place]), 1)
            in_turn = ([each] for each in (*waiting[place], *orders[place][turn:], *orders[place][:turn]))
            for some in (parts, *in_turn) if parts else in_turn:
                lost = frozenset[int]().union(*some)
                losing = {owner[row] for row in lost}
                emptied = {each for each in losing if all(row in lost or row in away for row in authors[each])}
                if place not in emptied and kept.isdisjoint(emptied):
                    away |= lost
                    chosen.update(some)
                    kept |= losing - emptied
                    break
        able = [
            row for rows in authors if not away.issuperset(rows) for row in rows if row in away and sharing[row] <= away
        ]
        # A source that only went along with another is still to be left out alone; and a text is tried once, as a disputed one is.
        turns = [row for row in able if sharing[row] in chosen]
        tried = [row for row in turns if row not in seen]
        if not turns:
            break
        if tried:
            found.append(Round(np.array(sorted(away), np.intp), np.array(sorted(tried), np.intp)))
            seen.update(tried)
        done = {(int(codes[row]), sharing[row]) for row in turns}
        waiting = [
            [part for part in parts if (int(codes[rows[0]]), part) not in done]
            for rows, parts in zip(authors, waiting, strict=True)
        ]
    return found


def authors_left_out(codes: NDArray[np.intp], sources: Sources = ()) -> list[Round]:
    """Each author with all texts, one after the other; with texts that have shared sources everybody's go that have them."""
    found = []
    for code in range(int(codes.max(initial=-1)) + 1):
        rows = np.flatnonzero(codes == code)
        by_shared: dict[frozenset[str], list[int]] = {}
        for row in rows.tolist():
            by_shared.setdefault(_shared(sources[row] if sources else ()), []).append(row)
        for names, tried in by_shared.items():
            others = [row for row, each in enumerate(sources) if names & set(each)] if names else []
            found.append(Round(np.union1d(rows, np.array(others, np.intp)), np.array(tried, np.intp)))
    return found


def together(codes: NDArray[Any], sources: Sources) -> Rows:
    """A number for each text, the same for those of an author that are connected by sources, directly or through others."""
    units = np.full(len(codes), -1, np.intp)
    for row, part in enumerate(_sharing(codes, sources)):
        own = np.array([other for other in part if codes[other] == codes[row]], np.intp)
        for other in np.unique(units[own][units[own] >= 0]):
            units[units == other] = row
        units[own] = row
    return np.unique(units, return_inverse=True)[1].astype(np.intp)


def _shared(names: Sequence[str]) -> frozenset[str]:
    return frozenset(name for name in names if is_shared(name))


def _sharing(codes: NDArray[Any], sources: Sources) -> list[frozenset[int]]:
    """For each text those that share a source with it, itself among them."""
    own: list[frozenset[object]] = [
        frozenset(name if is_shared(name) else (code, name) for name in sources[row]) or frozenset((row,))
        for row, code in enumerate(codes.tolist())
    ]
    holds: dict[object, set[int]] = {}
    for row, names in enumerate(own):
        for name in names:
            holds.setdefault(name, set()).add(row)
    parts = {names: frozenset[int]().union(*(holds[name] for name in names)) for names in dict.fromkeys(own)}
    return [parts[names] for names in own]

"""Which texts are left out together, so that the rest can be tried on them, and what more known texts would be worth.

One source of *every* author is left out at a time. If it were the text's own alone, only its author would lose texts, and would look weaker
than they are. Nothing of a text's own sources is ever among what it is tried with. A source is its author's own, and another author's of
the same name is another source, unless it is said to be shared: then the texts of all authors that have it go together.

The rounds are done once more with half of what they leave of every author. A model that is tried without a source of every author has fewer
texts than the one that will be used. How much it loses when it is given half as many again tells what the whole one gains.
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


FARTHEST = 1.0  # doublings: nothing is extrapolated farther than it was measured
ONE_SOURCE = 2 / 3
"""What halving the texts of one source counts against halving the sources, for more of one book teach less than another book. Chosen where
known texts of four corpora were cut into pseudo-sources by topic (198 problems): the claim was .011 too low in the mean, with 1 .032."""

NEGLIGIBLE = 0.1  # doublings: below, nothing is to be gained
LARGEST = 3e10  # rounds times the cube of the texts: beyond, it would take minutes, and what was found with fewer texts stands
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Halving:
    """Both halves of each round, and for each text how much was halved and how much is missing, in doublings of its author's texts."""

    halves: tuple[list[Round], list[Round]]
    steps: Floats
    missing: Floats


def halving(rounds: Sequence[Round], codes: NDArray[Any], sources: Sources, seed: int) -> Halving | None:
    """The halves are of whole sources where two are left, else of the texts of the one; None where it is not worth while."""
    missing = _missing(rounds, codes)
    tried = missing[missing >= 0]
    if not len(tried) or tried.mean() < NEGLIGIBLE or len(rounds) * float(len(codes)) ** 3 > LARGEST:
        return None
    rng = np.random.default_rng([seed, 43])
    units = together(codes, sources)
    halves: tuple[list[Round], list[Round]] = ([], [])
    steps, times = np.zeros(len(codes)), np.zeros(len(codes))
    for each in rounds:
        away = np.isin(np.arange(len(codes)), each.away)
        more, step = (away.copy(), away.copy()), np.zeros(int(codes.max()) + 1)
        for code in range(len(step)):
            rest = np.flatnonzero((codes == code) & ~away)
            if len(rest) < 2:
                continue
            several = len(np.unique(units[rest])) > 1
            parts = (
                [rest[units[rest] == unit] for unit in np.unique(units[rest])]
                if several
                else [rest[[at]] for at in range(len(rest))]
            )
            sizes = [0, 0]
            for place in rng.permutation(len(parts)):
                side = int(sizes[0] > sizes[1])
                more[side][parts[place]] = True
                sizes[side] += len(parts[place])
            step[code] = (1.0 if several else ONE_SOURCE) * (np.log2(len(rest)) - np.log2(sizes).mean())
        for found, gone in zip(halves, more, strict=True):
            found.append(Round(np.flatnonzero(gone), each.tried))
        steps[each.tried] += step[codes[each.tried]]
        times[each.tried] += 1
    return Halving(halves, steps / np.maximum(times, 1), np.maximum(missing, 0.0))


def _missing(rounds: Sequence[Round], codes: NDArray[Any]) -> Floats:
    """The log2 of how many times more texts of its author the whole model has, at most FARTHEST; -1 for a text that is never tried."""
    left, times, sizes = np.zeros(len(codes)), np.zeros(len(codes)), np.bincount(codes)
    for each in rounds:
        lost = np.bincount(codes[each.away], minlength=len(sizes)) / sizes
        left[each.tried] += 1.0 - lost[codes[each.tried]]
        times[each.tried] += 1
    share = np.where(times > 0, left / np.maximum(times, 1), 1.0)
    return np.where(times > 0, np.minimum(-np.log2(share), FARTHEST), -1.0)


def rate_of_all(rate: float, before: float, halved: float, steps: float, missing: float) -> float:
    """What a rate of left-out texts would be with all known texts, on the scale of log odds.

    `before` and `halved` are the rates, by one fusion, with what was left and with half of it; `steps` and `missing` are mean doublings.
    """
    slope = max(0.0, (_logit(before) - _logit(halved)) / max(steps, NEGLIGIBLE))
    return float(1.0 / (1.0 + np.exp(-(_logit(rate) + slope * missing))))


def _logit(share: float) -> float:
    return float(np.log(share) - np.log1p(-share))

"""What more known texts are worth: the rounds of leaving out once more with half of what they leave of every author.

A model that is tried without a source of every author has fewer texts than the one that will be used. How much it loses when it is given
half as many again tells what the whole one gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.systems.leaving_out import Round, Sources, together

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

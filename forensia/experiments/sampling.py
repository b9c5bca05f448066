"""Who and what an experiment draws, as in the paper: authors, nested training documents, test pairs that stay the same for each m.

All of it follows from the seed of the run and the numbers of documents, never from names or the order of files. For one data set, m
and run the authors, the test documents and the test pairs are the same for every q, and the documents of a smaller q are among those
of a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.diffvectors import Pairs, TooFewPairs, sample_pairs
from forensia.errors import ForensiaError
from forensia.experiments.plans import ALL, HALF

TRAINING_SHARE = 0.7
Integers = NDArray[np.int64]
_AUTHORS, _DOCUMENTS, _PAIRS, _SPLIT, _OTHERS, _TESTED = range(11, 17)  # what a stream of random numbers is for


class NotFeasible(ForensiaError):
    """More authors or documents are asked for than the data set has."""


@dataclass(frozen=True)
class Roster:
    """The authors of the documents of a data set as numbers, which are for training (None: not marked), and their sources, if known."""

    codes: NDArray[np.int32]
    train: NDArray[np.bool_] | None = None
    sources: tuple[tuple[str, ...], ...] = ()

    @property
    def authors(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def training(self, split: str, seed: int) -> NDArray[np.bool_]:
        """Which documents are for training: as marked, or 70 % of each author's, drawn once ('given') or for each seed ('random')."""
        if split == "given" and self.train is not None:
            return self.train
        rng = np.random.default_rng([seed if split == "random" else 0, _SPLIT])
        chosen = np.zeros(len(self.codes), dtype=np.bool_)
        for author in range(self.authors):
            rows = rng.permutation(np.flatnonzero(self.codes == author))
            chosen[rows[: training_size(len(rows))]] = True
        return chosen


def training_size(documents: int) -> int:
    """How many of an author's documents are for training: 70 %, but one at least is left to test on where there are two."""
    return min(max(round(TRAINING_SHARE * documents), 1), max(documents - 1, 1))


@dataclass(frozen=True)
class Draw:
    """What is asked for: m authors, q training documents of each (ALL: all), for one seed.

    `most` is the largest q of the sweep: only authors with so many documents are drawn, so that q can grow with the same authors.
    """

    m: int
    q: int
    most: int
    seed: int
    split: str = "given"
    pairs: int = 500  # of each class
    test_documents: int = 0  # of each author; 0 is all


@dataclass(frozen=True)
class Sample:
    """Rows of the data set to train and test on; pairs are places in `test` and in `others` (documents by m other authors)."""

    train: Integers
    test: Integers
    others: Integers
    closed_pairs: Pairs | None
    open_pairs: Pairs | None


def resolved(m: int, roster: Roster) -> int:
    """m as a number of authors."""
    return {ALL: roster.authors, HALF: roster.authors // 2}.get(m, m)


def largest(roster: Roster, m: int, qs: tuple[int, ...], split: str, seed: int) -> int:
    """The largest q for which there are m authors with q training documents and a test document; 0 if there is none."""
    if qs == (ALL,):
        return 2 if len(_eligible(roster, roster.training(split, seed), 2)) >= m else 0
    training = roster.training(split, seed)
    feasible = [q for q in qs if q != ALL and len(_eligible(roster, training, q)) >= m]
    return max(feasible, default=0)


def draw(roster: Roster, wanted: Draw) -> Sample:
    """The documents and pairs of one run."""
    training = roster.training(wanted.split, wanted.seed)
    eligible = _eligible(roster, training, wanted.most)
    if len(eligible) < wanted.m or wanted.q > wanted.most:
        raise NotFeasible(
            f"{wanted.m} authors with {max(wanted.q, wanted.most)} training documents each are asked for, "
            f"and {len(eligible)} have so many."
        )
    authors = np.random.default_rng([wanted.seed, wanted.m, _AUTHORS]).permutation(eligible)[: wanted.m]
    train = [_documents(roster, training, author, wanted, _DOCUMENTS) for author in authors.tolist()]
    size = None if wanted.q == ALL else wanted.q
    test = _tested(roster, training, authors, wanted)
    rest = np.setdiff1d(np.arange(roster.authors), authors)
    rest = rest[np.bincount(roster.codes[~training], minlength=roster.authors)[rest] >= 2]
    strangers = np.random.default_rng([wanted.seed, wanted.m, _OTHERS]).permutation(rest)[: wanted.m]
    others = _tested(roster, training, strangers, wanted) if len(strangers) == wanted.m else np.zeros(0, np.int64)
    return Sample(
        train=np.sort(np.concatenate([rows[:size] for rows in train])),
        test=test,
        others=others,
        closed_pairs=_pairs(roster.codes[test], wanted, 0),
        open_pairs=_pairs(roster.codes[others], wanted, 1),
    )


def _eligible(roster: Roster, training: NDArray[np.bool_], documents: int) -> Integers:
    """The authors with so many training documents and something to test on."""
    known = np.bincount(roster.codes[training], minlength=roster.authors)
    tested = np.bincount(roster.codes[~training], minlength=roster.authors)
    return np.flatnonzero((known >= max(documents, 2)) & (tested >= 1))


def _documents(roster: Roster, chosen: NDArray[Any], author: int, wanted: Draw, purpose: int) -> Integers:
    """The documents of an author among the chosen ones, in the order in which they are drawn: the same for every m and q."""
    rows = np.flatnonzero((roster.codes == author) & chosen)
    return np.random.default_rng([wanted.seed, author, purpose]).permutation(rows)


def _tested(roster: Roster, training: NDArray[np.bool_], authors: Integers, wanted: Draw) -> Integers:
    most = wanted.test_documents or None
    rows = [_documents(roster, ~training, author, wanted, _TESTED)[:most] for author in authors.tolist()]
    return np.sort(np.concatenate(rows)) if rows else np.zeros(0, np.int64)


def _pairs(codes: NDArray[np.int32], wanted: Draw, number: int) -> Pairs | None:
    """Test pairs, half of them Same; None where the documents do not give enough."""
    seed = int(np.random.SeedSequence([wanted.seed, wanted.m, _PAIRS, number]).generate_state(1)[0])
    try:
        return sample_pairs(codes, seed, cap=wanted.pairs)
    except TooFewPairs:
        return None

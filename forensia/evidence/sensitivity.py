"""Does the conclusion survive when something that should not matter is changed, and do methods of another kind come to the same author?

Each family of features off, everything off that knows words of the topic, punctuation as it is on average, each half of the disputed text,
the text as it was typed, as many known documents of each author, and each known document and each source of the author left out. The fusion
is learnt anew from the left-out scores without a family, and the scores without known documents follow from the fit with them.

A conclusion that only one method reaches deserves a flag. The other methods stand in one table,
`OTHERS` of `systems/others.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.contributions import equal_shares
from forensia.evidence.likelihood import Calibration, calibrate
from forensia.evidence.result import Changed
from forensia.evidence.rung import Rung
from forensia.features import Counts
from forensia.features.mask import with_marks
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems.fused import FusedSystem
from forensia.systems.others import OTHERS, KnownVectors, SystemScores

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Baselines:
    """The systems of another kind, with what each has learnt from the known documents."""

    learnt: Mapping[str, NDArray[Any]]
    seed: int

    @classmethod
    def fit(cls, known: Vectors, codes: NDArray[Any], seed: int, progress: Progress = silent) -> Baselines:
        learnt: Arrays = {}
        for place, system in enumerate(OTHERS.values()):
            stage = part(progress, place / len(OTHERS), (place + 1) / len(OTHERS))
            learnt |= system.learn(known, codes, seed, stage)
        return cls(learnt, seed)

    def scores(self, known: Vectors, codes: NDArray[np.integer[Any]], k: int, query: Vectors) -> list[SystemScores]:
        """The scores of each system for one text."""
        training = KnownVectors(known, codes, k, self.seed)
        found = []
        for name, system in OTHERS.items():
            said = None if system.scores is None else system.scores(training, self.learnt, query)
            if said is not None:
                found.append(SystemScores(name, *said))
        return found

    def to_arrays(self) -> Arrays:
        return dict(self.learnt)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], seed: int) -> Baselines:
        return cls(arrays, seed)


TOPICAL = ("character n-grams", "words")
"""The families that know the words of a topic."""

MOST_SOURCES = 12  # of an author, the largest: with more, single texts tell as much
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Variants:
    """The calibrations of one length when families are off: made once for all texts of that length."""

    system: FusedSystem
    rung: Rung

    @cached_property
    def _off(self) -> list[tuple[str, str, list[int], Calibration]]:
        names, sizes = [family.name for family in self.system.families], self.rung.calibration.sizes
        choices = [("family off", name, [number]) for number, name in enumerate(names)] if len(names) > 1 else []
        topical = [number for number, name in enumerate(names) if name in TOPICAL]
        if 0 < len(topical) < len(names):
            choices.append(("mask", "topic masked", topical))
        found = []
        for kind, what, off in choices:
            calibration = replace(calibrate(self.rung.scores.without(*off), self.rung.seed, 0)[0], sizes=sizes)
            found.append((kind, what, off, calibration.closed if self.rung.closed else calibration))
        return found

    def rows(self, scores: Floats, author: int, authors: Sequence[str]) -> list[Changed]:
        """Each change of the families, for one text (1 x authors x families)."""
        found = []
        for kind, what, off, calibration in self._off:
            kept = [number for number in range(scores.shape[2]) if number not in off]
            found.append(changed(kind, what, calibration, scores[:, :, kept], author, authors))
        return found


def changed(
    kind: str, what: str, calibration: Calibration, scores: Floats, author: int, authors: Sequence[str]
) -> Changed:
    """A row of the table: who is first then, and what becomes of the author of the conclusion."""
    z = calibration.z(scores)[0]
    headline = float(calibration.headline(*calibration.log10_lr(scores))[0, author])
    return Changed(
        kind=kind,  # type: ignore[arg-type]  # one of its literals
        what=what,
        first=authors[int(np.nanargmax(z))],
        rank=1 + int((z > z[author]).sum()),
        log10=headline if np.isfinite(headline) else None,
    )


def usual_marks(system: FusedSystem, parts: Counts, scores: Floats) -> Floats:
    """The scores of a text (1 x authors x families) whose punctuation is that of the average known text, authors counting equally."""
    found, shares = scores.copy(), equal_shares(system.codes[system.kept])
    for place, family in enumerate(system.families):
        columns = np.flatnonzero(with_marks(family.name, family.weighted.keys))
        values = np.asarray(family.weighted.vectors(parts.table(family.name)).mean(axis=0), np.float64).ravel()
        known = family.known[:, columns]
        found[0, :, place] -= (known @ (values[columns] - shares @ known)) @ family.duals * family.scale(parts)
    return found


def as_many_of_each(codes: NDArray[Any], seed: int) -> NDArray[np.intp]:
    """Some of the known documents: of each author as many as the one with fewest has, but two where anybody has them."""
    sizes, rng = np.bincount(codes), np.random.default_rng([seed, 23])
    fewest = max(int(sizes.min()), 2)
    drawn = [rng.permutation(np.flatnonzero(codes == code))[:fewest] for code in range(len(sizes))]
    return np.sort(np.concatenate(drawn))


def own_sources(
    codes: NDArray[np.int32], sources: Sequence[tuple[str, ...]], author: int
) -> list[tuple[str, NDArray[np.intp]]]:
    """The sources of an author, largest first, each with the author's texts that go with it; none that would leave no text."""
    rows = np.flatnonzero(codes == author)
    texts: dict[str, list[int]] = {}
    for row in rows.tolist() if sources else ():
        for name in sources[row]:
            texts.setdefault(name, []).append(row)
    some = [(name, np.array(each, np.intp)) for name, each in texts.items() if len(each) < len(rows)]
    return sorted(some, key=lambda each: -len(each[1]))[:MOST_SOURCES]


def halves_of(text: str) -> tuple[str, str]:
    """The two halves of a text by words, cut between words."""
    from forensia.corpus.characters import WORD

    found = [match.start() for match in WORD.finditer(text)]
    middle = found[len(found) // 2] if found else 0
    return text[:middle], text[middle:]

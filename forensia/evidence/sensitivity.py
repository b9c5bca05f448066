"""Does the conclusion survive when something that should not matter is changed?

Each family of features off, everything off that knows words of the topic, punctuation as it is on average, each half of the disputed text,
the text as it was typed, as many known documents of each author, and each known document and each source of the author left out. The fusion
is learnt anew from the left-out scores without a family, and the scores without known documents follow from the fit with them.

Do methods of another kind come to the same author? A conclusion that only one method reaches deserves a flag.

Three that share nothing with h but the vectors: the cosine with each author's most similar documents, a linear support vector machine,
and the impostors method with each author's most similar document.
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
from forensia.evidence.result import COSINE, IMPOSTORS, SVM, Changed
from forensia.evidence.rung import Rung
from forensia.features import Counts
from forensia.features.mask import with_marks
from forensia.features.vectors import Vectors
from forensia.jobs import Progress, part, silent
from forensia.systems import Impostors, LinearSVM
from forensia.systems.distances import cosines
from forensia.systems.fused import FusedSystem
from forensia.systems.lazy_stacked import author_scores

FEWEST_FOR_IMPOSTORS = 3  # authors
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class SystemScores:
    """What one system says of each author, and above which score it accepts one, where it has a threshold."""

    system: str
    scores: Floats
    threshold: float | None = None


@dataclass(frozen=True)
class Baselines:
    """The methods, fitted on the known documents."""

    svm: Floats  # authors x documents
    impostors: Mapping[str, NDArray[Any]] | None
    seed: int

    @classmethod
    def fit(cls, known: Vectors, codes: NDArray[Any], seed: int, progress: Progress = silent) -> Baselines:
        labels = list(codes.tolist())
        machine = LinearSVM(seed=seed).fit(known, labels, part(progress, 0.0, 0.7))
        kept = None
        if len(set(labels)) >= FEWEST_FOR_IMPOSTORS:
            kept = Impostors(seed=seed).fit(known, labels, part(progress, 0.7, 1.0)).kept()
        duals = machine.solution_.duals.astype(np.float64)
        if len(duals) == 1:
            duals = np.vstack((-duals, duals))  # two authors, one machine: that of the second
        return cls(duals, kept, seed)

    def scores(self, known: Vectors, codes: NDArray[np.integer[Any]], k: int, query: Vectors) -> list[SystemScores]:
        """The scores of each system for one text."""
        similar = cosines(query, known)
        found = [SystemScores(COSINE, author_scores(similar, codes, k, even=True)[0])]
        product = query.dense[0].astype(np.float64) @ known.dense.T + (query.sparse @ known.sparse.T).toarray()[0]
        found.append(SystemScores(SVM, self.svm @ (product + 1)))
        if self.impostors is not None:
            method = Impostors(seed=self.seed).restore(known, self.impostors)
            scores = impostor_scores(method, known, codes, query, similar[0])
            found.append(SystemScores(IMPOSTORS, scores, float(method.sigma_)))
        return found

    def to_arrays(self) -> Arrays:
        arrays: Arrays = {"svm": self.svm}
        for name, array in (self.impostors or {}).items():
            arrays[f"impostors/{name}"] = array
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], seed: int) -> Baselines:
        kept = {name.removeprefix("impostors/"): arrays[name] for name in arrays if name.startswith("impostors/")}
        return cls(arrays["svm"], kept or None, seed)


def impostor_scores(
    method: Impostors, known: Vectors, codes: NDArray[np.integer[Any]], query: Vectors, similar: Floats
) -> Floats:
    """The score of one text with each author's most similar document, given its cosines with all; nobody is their own impostor."""
    nearest = np.array(
        [int(np.where(codes == author, similar, -np.inf).argmax()) for author in range(int(codes.max()) + 1)]
    )
    barred = np.asarray(codes[None, :] == codes[nearest][:, None])
    count = len(nearest)
    pool = _stacked(query, known.rows(nearest))
    return method.scores(pool, np.zeros(count, np.intp), np.arange(1, count + 1), barred=barred)


def _stacked(first: Vectors, second: Vectors) -> Vectors:
    from scipy.sparse import csr_matrix, vstack

    return Vectors(
        np.vstack((first.dense, second.dense)),
        csr_matrix(vstack((first.sparse, second.sparse), format="csr")),
        first.blocks,
    )


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

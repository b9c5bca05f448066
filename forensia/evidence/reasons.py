"""The opinion on one text or why there is none, and the warnings that go with it: codes and numbers, which `wording` puts in sentences.

What limits a validation itself, as codes; and the reference population that it rests on, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.learnt import Learnt
from forensia.evidence.likelihood import FEWEST_AUTHORS, Ratios
from forensia.evidence.opinion import (
    ABSTAIN,
    ALPHA,
    FEW_AUTHORS,
    FEW_WORDS,
    FEWEST_COMPARISONS,
    NONE,
    Doubts,
    decide,
    ruled_out,
    smallest_p,
)
from forensia.evidence.result import (
    FEWEST_TO_RULE_OUT,
    FROM_NEW_SOURCE,
    FUSED,
    LAZY,
    WHO,
    Alternative,
    Opinion,
    Placed,
    Question,
    Reason,
    Sensitivity,
    Stated,
)
from forensia.evidence.rung import Backing, Rung
from forensia.evidence.validation import Validation

CARRIED = 0.5  # of the lead over the second author, from which on one family is named
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """A text with all that its opinion rests on; what a validation gives is there when there is one."""

    learnt: Learnt
    words: int
    systems: Mapping[str, Mapping[int, Placed]]
    validation: Validation | None = None
    rung: Rung | None = None
    ratios: Ratios | None = None
    standings: Floats | None = None  # 1 x authors
    p: Floats | None = None  # the conformal p of each author
    doubts: Doubts | None = None
    pieces: int = 1  # that the text was read in
    stated: Stated = FROM_NEW_SOURCE
    question: Question = WHO
    sensitivity: Sensitivity | None = None
    carried: tuple[str, float, int] | None = None  # which family makes what share of the lead over whom
    no_sentences: bool = False
    converged: bool = True

    @property
    def headline(self) -> Mapping[int, Placed]:
        """What the headline system says: the fused one, or Lazy where there is no other."""
        return self.systems[FUSED if FUSED in self.systems else LAZY]

    @cached_property
    def first(self) -> int:
        """The author whom it puts first."""
        return next(code for code, placed in self.headline.items() if placed.rank == 1)

    @property
    def verifies(self) -> bool:
        """Whether one author is asked about, or is the only candidate."""
        return self.question.kind == "did" or len(self.learnt.candidates) == 1

    @cached_property
    def about(self) -> int:
        """The author for whom the findings are stated: whoever is asked about, or first."""
        return self.learnt.authors.index(self.question.author) if self.question.kind == "did" else self.first

    @property
    def author(self) -> str:
        return self.learnt.authors[self.about]

    @cached_property
    def family_p(self) -> float:
        """How often an outsider's text stands as high with one of the authors; NaN where not estimable."""
        return float("nan") if self.doubts is None else float(self.doubts.outsiders[0])


def opinion(judged: Judged) -> Opinion:
    """The opinion: about an author, 'none of these', or none with the reasons. Whoever is asked about may be ruled out alone."""
    rung, ratios, p, here = judged.rung, judged.ratios, judged.p, judged.standings
    about = judged.author
    if rung is None or ratios is None or p is None or here is None or judged.doubts is None:
        validated = judged.learnt.options.profile.out_of_fold
        return Opinion("none given", about, (Reason("not-validated") if validated else Reason("paper-profile"),))
    family_p = None if np.isnan(judged.family_p) else judged.family_p
    decision = int(decide(here, ratios.headline, ratios.low, p[None], judged.doubts, rung.most_doubt, rung.backed)[0])
    always = tuple(_always(judged, rung))
    if judged.verifies:
        decision = decision if decision == judged.about else ABSTAIN
        if not always and bool(ruled_out(p[None], ratios.high, judged.doubts.unlike, rung.closed)[0, judged.about]):
            return Opinion("not the author", about, (), family_p)
    if decision == NONE and not always:
        return Opinion("none of these", about, (), family_p)
    reasons = (*always, *_weak(judged, ratios, decision))
    if decision >= 0 and not reasons:
        return Opinion("author", about, (), family_p)
    return Opinion("none given", about, reasons, family_p)


def warnings(judged: Judged) -> Iterator[Reason]:
    """What the reader must keep in mind, whatever the opinion is."""
    rung, authors = judged.rung, len(judged.learnt.authors)
    first = judged.learnt.authors[judged.first]
    if rung is not None and judged.question.kind == "one of these":
        given = rung.on_listed[rung.on_listed >= 0]
        right = int((rung.on_listed == rung.scores.codes[rung.scores.tried]).sum())
        yield Reason("agreed", {"texts": len(rung.on_listed), "given": len(given), "right": right})
    if judged.words < FEW_WORDS:
        yield Reason("short", {"words": judged.words, "few": FEW_WORDS})
    if judged.no_sentences:
        yield Reason("no-sentences")
    if rung is not None and rung.stand_ins:
        yield from _stood_in_for(judged, rung)
    if rung is not None and rung.joined is not None:
        yield Reason("validated-by-joining", {"words": rung.words, "texts": rung.condition.texts})
    elif judged.pieces > 1:
        yield Reason("read-in-pieces", {"pieces": judged.pieces})
    elif rung is not None and rung.words:
        yield Reason("validated-at-words", {"words": rung.words})
    if rung is not None and not rung.closed and FEWEST_AUTHORS <= authors < FEW_AUTHORS:
        few_authors = {"authors": authors, "few": FEW_AUTHORS}
        population = judged.learnt.population
        yield Reason("population-few-authors" if population else "outside-few-authors", few_authors)
    if rung is not None and not rung.closed:
        yield from _never_ruled_out(judged, rung)
    firsts = {
        system: next(code for code, each in placed.items() if each.rank == 1)
        for system, placed in judged.systems.items()
    }
    others = {system: judged.learnt.authors[code] for system, code in firsts.items() if code != judged.first}
    if others:
        yield Reason("methods-disagree", {"author": first, "systems": tuple(others), "firsts": tuple(others.values())})
    if LAZY not in judged.systems:
        yield Reason("population-of-counts" if judged.learnt.counted else "fused-only")
    if judged.carried is not None:
        family, share, second = judged.carried
        if share >= CARRIED:
            rival = judged.learnt.authors[second]
            yield Reason("carried-by", {"family": family, "share": round(share, 2), "author": first, "second": rival})
    if judged.sensitivity is not None and not judged.sensitivity.survives:
        yield Reason("sensitive")
    if not judged.converged:
        yield Reason("not-converged")
    if judged.learnt.quick and judged.validation is not None and LAZY in judged.systems:
        yield Reason("quick")


def _never_ruled_out(judged: Judged, rung: Rung) -> Iterator[Reason]:
    """Whom too few texts stand behind to be ruled out."""
    few = sum(1 for code in judged.learnt.candidates if smallest_p(len(rung.own[code])) >= ALPHA)
    if judged.verifies and smallest_p(len(rung.own[judged.about])) >= ALPHA:
        yield Reason("never-ruled-out", {"author": judged.author, "fewest": FEWEST_TO_RULE_OUT})
    elif few and not judged.verifies:
        listed = len(judged.learnt.candidates)
        yield Reason("never-none", {"few": few, "authors": listed, "fewest": FEWEST_TO_RULE_OUT})


def _stood_in_for(judged: Judged, rung: Rung) -> Iterator[Reason]:
    """What stand-ins cannot tell of the author whom the findings are about."""
    if judged.learnt.sizes[judged.about] == 1:
        yield Reason("one-known-text", {"author": judged.author})
    elif rung.condition.source == "new" and not rung.scores.own[:, judged.about].any():
        yield Reason("one-source-candidate", {"author": judged.author})
    if judged.learnt.cut_to:
        yield Reason("population-cut", {"words": judged.learnt.cut_to})


def _always(judged: Judged, rung: Rung) -> Iterator[Reason]:
    """Why nothing may be said at all, whatever the numbers are."""
    validation = judged.validation
    if validation is not None and rung.condition.source != judged.stated.source:
        yield Reason("nobody-has-two-sources" if validation.sources_known else "sources-not-known")
    if validation is not None and judged.words < validation.shortest:
        yield Reason("too-short", {"words": judged.words, "shortest": int(validation.shortest)})
    outside = Alternative.POPULATION if judged.learnt.population else Alternative.UNLISTED
    costs = {Alternative.LISTED: rung.cllr_listed, outside: rung.cllr_unlisted}
    for alternative, cost in costs.items():
        if cost >= 1:
            yield Reason("costly", {"alternative": alternative.value, "cllr": cost})


def _backing(judged: Judged, backing: Backing) -> Iterator[Reason]:
    """Why too little stands behind opinions about the author."""
    known = judged.stated.source == "known"
    if judged.learnt.population and backing.comparisons < FEWEST_COMPARISONS:
        yield Reason("few-stand-ins", {"comparisons": backing.comparisons, "fewest": FEWEST_COMPARISONS})
    elif not backing.tried:
        yield Reason("one-text" if known else "one-source-author", {"author": judged.author})
    elif backing.comparisons < FEWEST_COMPARISONS:
        texts = int(judged.learnt.sizes[judged.about])
        yield Reason(
            "few-comparisons",
            {
                "author": judged.author,
                "texts": texts,
                "most": 2 * texts,
                "comparisons": backing.comparisons,
                "fewest": FEWEST_COMPARISONS,
            },
        )
    elif not backing.given:
        yield Reason("never-given", {"comparisons": backing.comparisons})
    elif not backing.enough:
        yield Reason("often-wrong", {"given": backing.given, "wrong": backing.given - backing.right})


def _weak(judged: Judged, ratios: Ratios, decision: int) -> Iterator[Reason]:
    """Why the numbers themselves support nobody; the first reason that applies says it."""
    if decision >= 0 or judged.rung is None or judged.doubts is None:
        return
    unlike, doubt = float(judged.doubts.unlike[0]), float(judged.doubts.doubt[0])
    most = min(judged.rung.most_doubt, ALPHA) if judged.rung.closed else judged.rung.most_doubt
    author = {"author": judged.author}
    headline, low = float(ratios.headline[0, judged.about]), float(ratios.low[0, judged.about])
    if not np.isfinite(headline):
        yield Reason("ratio-not-estimable", author)
    elif headline <= 0:
        yield Reason("not-supported", author) if judged.verifies else Reason("nobody-supported")
    elif judged.about != judged.first:
        yield Reason("another-first", {"author": judged.author, "first": judged.learnt.authors[judged.first]})
    elif np.isnan(low):
        yield Reason("interval-not-estimable", author)
    elif low <= 0:
        yield Reason("interval-includes-1", author)
    elif unlike < ALPHA:
        yield Reason("another-kind", {"share": unlike, "alpha": ALPHA})
    elif doubt > most:
        yield Reason("too-close", {"share": doubt, "most": max(most, 0.0), "author": judged.author})
    elif judged.family_p > ALPHA and judged.learnt.population:
        yield Reason(
            "stand-ins-score-as-high",
            {
                "share": judged.family_p,
                "author": judged.author,
                "candidates": len(judged.learnt.candidates),
                "alpha": ALPHA,
            },
        )
    elif judged.family_p > ALPHA:
        yield Reason(
            "outsiders-score-as-high",
            {"share": judged.family_p, "authors": len(judged.learnt.authors), "alpha": ALPHA},
        )
    else:
        yield from _backing(judged, judged.rung.backing[judged.about])


@dataclass(frozen=True)
class ReferenceGroup:
    """The reference population of a case: its authors and texts, how many `candidates` there are, and the authors who stood in for one.

    `used` has for each candidate how many texts are used: of more than stand-ins can be tried with, not all.
    """

    candidates: int
    authors: int
    texts: int
    stand_ins: int
    used: Mapping[str, int]

    @property
    def alone(self) -> bool:
        """Whether there is one candidate, so that nobody is ranked."""
        return self.candidates == 1


def reference(validation: Validation) -> ReferenceGroup | None:
    """The population of a validation; None where all authors are candidates."""
    learnt = validation.learnt
    if not learnt.population:
        return None
    candidates = learnt.candidates
    return ReferenceGroup(
        candidates=len(candidates),
        authors=len(learnt.population),
        texts=int(learnt.sizes.sum() - learnt.sizes[candidates].sum()),
        stand_ins=int(validation.whole.scores.own.any(axis=0).sum()),
        used={learnt.authors[code]: int(validation.asked.sizes[code]) for code in candidates.tolist()},
    )


def _new_source(validation: Validation) -> list[Reason]:
    """What is not known of texts from a new source."""
    if not validation.sources_known:
        return [Reason("sources-not-known")]
    rungs, authors = validation.of("new"), validation.authors
    if not rungs:
        return [Reason("nobody-has-two-sources")]
    if rungs[0].stand_ins:
        return []
    alone = tuple(name for code, name in enumerate(authors) if not rungs[0].scores.own[:, code].any())
    return [Reason("one-source", {"untried": len(alone), "total": len(authors), "authors": alone})] if alone else []


def notes(validation: Validation) -> list[Reason]:
    """What limits the validation itself."""
    found = []
    authors = len(validation.authors)
    if validation.effort.quick and validation.diff_vectors is not None:
        found.append(Reason("quick-validation"))
    if authors < FEWEST_AUTHORS:
        found.append(Reason("unlisted-not-estimable", {"authors": authors, "fewest": FEWEST_AUTHORS}))
    elif authors < FEW_AUTHORS and validation.learnt.population:
        found.append(Reason("population-few-authors", {"authors": authors, "few": FEW_AUTHORS}))
    elif authors < FEW_AUTHORS:
        found.append(Reason("unlisted-few-authors", {"authors": authors, "few": FEW_AUTHORS}))
    found += _new_source(validation)
    if validation.apart:
        found.append(Reason("texts-not-kept-together", {"authors": validation.apart}))
    lonely = [row for row, scores in enumerate(validation.of("known")[0].own) if len(scores) < 1]
    if lonely:
        found.append(Reason("single-documents", {"authors": tuple(validation.authors[code] for code in lonely)}))
    if validation.diff_vectors is None:
        found.append(Reason("population-of-counts" if validation.learnt.counted else "pairs-to-come"))
    elif not validation.diff_vectors.converged:
        found.append(Reason("validation-not-converged"))
    return found

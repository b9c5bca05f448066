"""What limits a validation itself, as codes; and the reference population that it rests on, where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.opinion import FEW_AUTHORS
from forensia.evidence.result import Reason
from forensia.evidence.validation import Validation


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
    if not validation.told:
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
    if validation.effort.quick:
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

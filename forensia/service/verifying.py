"""`forensia verify`: is the case what it was, and do its numbers come out again? Rehash, run again, compare."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from forensia.case.differences import Comparison, Difference
from forensia.case.errors import CaseError
from forensia.case.scratch import Scratch
from forensia.case.stale import stale_warnings
from forensia.case.store import Case
from forensia.case.verify import verify_case
from forensia.errors import Cancelled, ForensiaError
from forensia.jobs import Progress, part, silent
from forensia.service.replaying import Replayed, named, named_comparison, replay

TOLERANCE = 1e-6
"""How far numbers may lie apart (as a share of those above one) that were made elsewhere, or with other libraries."""


@dataclass(frozen=True)
class Verification:
    """Every difference, what a reader must know besides, and what was made again: groups of arrays, results and comparisons by name."""

    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    comparisons: tuple[str, ...] = ()


def verify(case: Case, *, quick: bool = False, jobs: int = 1, progress: Progress = silent) -> Verification:
    """Rehash all that the case holds; unless `quick`, train and analyse again from what is stored, and compare."""
    damage = tuple(verify_case(case, part(progress, 0.0, 0.9 if quick else 0.1)))
    if quick:
        found = Verification((), ("Nothing was run again.",))
    elif case.without_texts:
        found = Verification((), ("This is a copy without texts: it can be rehashed, but not run again.",))
    else:
        found = _run_again(case, jobs, part(progress, 0.1, 0.9))
    stale: list[str] = []
    with suppress(CaseError):  # a damaged list of documents is told above
        stale = stale_warnings(case, part(progress, 0.9, 1.0))
    return replace(found, differences=(*damage, *found.differences), notes=(*found.notes, *stale))


def _run_again(case: Case, jobs: int, progress: Progress) -> Verification:
    try:
        with Scratch() as folder, Case.create(folder.path / "again.forensia") as scratch:
            return compared(case, scratch, replay(case, scratch, jobs=jobs, progress=progress))
    except Cancelled:
        raise
    except ForensiaError as error:
        return Verification((_missing("what is stored", str(error)),))


def compared(case: Case, scratch: Case, again: Replayed) -> Verification:
    """What is stored in the case against what is in the scratch case."""
    found = Comparison(TOLERANCE if again.apart else 0.0)
    for kind in again.arrays:
        stored, made = case.arrays(kind), scratch.arrays(kind)
        if stored is not None and made is not None:
            found.groups(stored, made)
    for result in case.raw_results():
        if result.name in again.results:
            found.values(named(case, result), result.result, again.results[result.name])
    for comparison in case.raw_comparisons():
        if comparison.name in again.comparisons:
            found.values(named_comparison(comparison), comparison.found, again.comparisons[comparison.name])
    missing = tuple(_missing(what, why) for what, why in again.missing)
    more = sorted(scratch.array_kinds().keys() - case.array_kinds().keys())
    notes = tuple(_notes(again, more, found.close))
    return Verification(
        (*missing, *found.differences), notes, tuple(again.arrays), tuple(again.results), tuple(again.comparisons)
    )


def _notes(again: Replayed, more: list[str], close: int) -> list[str]:
    notes = []
    notes += [f"Made by version {program}: re-run it with that version." for program in again.older]
    if not (again.arrays or again.results or again.comparisons or again.missing or again.older):
        notes.append("The case holds no model and no results, so there was nothing to run again.")
    if more:
        notes.append(f"Came out again but is not stored, so it was not compared: {', '.join(more)}.")
    if again.unfinished:
        notes.append(f"An interrupted run has left {again.unfinished:,} groups of arrays: rehashed, not run again.")
    if again.earlier:
        notes.append(
            f"{again.earlier:,} earlier results or comparisons rest on a model or text that was replaced since: rehashed, not run again."
        )
    if again.apart:
        only = f" {close:,} of them agree only so far." if close else ""
        notes.append(
            f"The case was made elsewhere or with other libraries ({'; '.join(again.apart)}), so numbers were compared "
            f"to within {TOLERANCE:g}.{only}"
        )
    return notes


def _missing(what: str, why: str) -> Difference:
    return Difference(
        what, "stored", "not run again", f"{what[:1].upper()}{what[1:]} could not be run again: {why.rstrip('.')}."
    )

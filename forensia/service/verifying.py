"""`forensia verify`: is a case what it was, are the numbers of a report those of its case, and do they come out again?

Rehash, run again, compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forensia import codec
from forensia.case.errors import CaseError
from forensia.case.locking import Scratch
from forensia.case.session import open_record, open_summary
from forensia.case.storage import Json
from forensia.case.store import Case
from forensia.case.verify import Comparison, Difference, stale_warnings, verify_case
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.jobs import Progress, part, silent
from forensia.report.contents import DATE, Contents, as_json, collect
from forensia.report.details import CaseDetails
from forensia.report.embedded import Embedded, read_embedded
from forensia.report.make import draw
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
        found = _run_case_again(case, jobs, part(progress, 0.1, 0.9))
    stale: list[str] = []
    with suppress(CaseError):  # a damaged list of documents is told above
        stale = stale_warnings(case, part(progress, 0.9, 1.0))
    return replace(found, differences=(*damage, *found.differences), notes=(*found.notes, *stale))


def _run_case_again(case: Case, jobs: int, progress: Progress) -> Verification:
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
        stored, made = case.models.get(kind), scratch.models.get(kind)
        if stored is not None and made is not None:
            found.groups(stored, made)
    for result in case.results.raw():
        if result.name in again.results:
            found.values(named(case, result), result.result, again.results[result.name])
    for comparison in case.results.raw_comparisons():
        if comparison.name in again.comparisons:
            found.values(named_comparison(comparison), comparison.found, again.comparisons[comparison.name])
    missing = tuple(_missing(what, why) for what, why in again.missing)
    more = sorted(scratch.models.hashes().keys() - case.models.hashes().keys())
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


# What a report says that the case does not decide: who made it, on which machine, and when.
_BESIDE = ("id", "date", "status", "paper", "details", "environment", "program")


@dataclass(frozen=True)
class Confirmation:
    """What was compared: the numbers of each part of the report, how many agree, and every difference."""

    report: Path
    case: Path
    numbers: Mapping[str, tuple[int, int]]  # part -> numbers in the report, of which agree
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    again: bool

    @property
    def total(self) -> int:
        return sum(count for count, _ in self.numbers.values())


def confirm(
    file: Path, case: Path | None = None, *, quick: bool = False, jobs: int = 1, progress: Progress = silent
) -> Confirmation:
    """Hold the numbers in a PDF against its case, and against what comes out when everything is run again (unless `quick`).

    A report of version 0.1 is held against the hashes of its case alone.
    """
    embedded = read_embedded(file)
    found = embedded.found
    place = _find(file, found.case.file, case)
    with Case.open(place, read_only=True) as opened:
        _same_case(opened, found.case.id, place)
        notes: list[str] = []
        numbers: dict[str, tuple[int, int]] = {}
        contents: Contents | None = None
        again = False
        differences = [*_log(opened, found.case.log.head), *verify_case(opened, part(progress, 0.0, 0.1))]
        if isinstance(found, Contents):
            numbers, contents = _with_stored(opened, found, differences, notes, part(progress, 0.1, 0.2))
        differences += _file(opened, embedded, contents, notes)
        if not isinstance(found, Contents):
            notes.append(f"Made by version {found.program}: re-run it with that version.")
        elif quick:
            notes.append("Nothing was run again.")
        elif opened.without_texts:
            notes.append("The case is a copy without texts: it can be rehashed, but not run again.")
        else:
            more, again = _run_again(opened, found, jobs, notes, part(progress, 0.2, 1.0))
            differences += more
    return Confirmation(file, place, numbers, tuple(differences), tuple(notes), again)


def _find(file: Path, name: str, given: Path | None) -> Path:
    """The case as given, or beside the PDF under the name that the report has for it."""
    if given is not None:
        return given
    beside = file.resolve().parent / Path(name).name
    if not name or Path(name).name != name or not beside.is_file():
        raise InputError(f"The case of '{file.name}' ('{name[:200]}') is not beside it. Say where it is with --case.")
    return beside


def _same_case(case: Case, name: str, place: Path) -> None:
    if case.about["id"] != name:
        raise InputError(
            f"'{place.name}' is not the case that the report was made from, whatever its name says. Give the right one with --case."
        )


def _file(case: Case, embedded: Embedded, contents: Contents | None, notes: list[str]) -> Iterator[Difference]:
    """Whether this very file was made from the case: what is printed could differ from the numbers that are embedded."""
    known = case.results.reports()
    if any(report.sha256 == embedded.sha256 for report in known):
        return
    same = [report for report in known if _id(report.details) == embedded.found.id]
    if same:
        message = "The PDF is not the file that was made: what is printed may differ from the numbers embedded in it."
        yield Difference("the file itself", same[-1].sha256, embedded.sha256, message)
    elif contents is not None and draw(contents).sha256 == embedded.sha256:
        notes.append("The case has not noted that this report was made, but the same file comes out of it again.")
    else:
        message = "The case has not noted that this report was made, and the same file does not come out of it again."
        yield Difference("the file itself", "nothing", embedded.sha256, message)


def _log(case: Case, head: str) -> Iterator[Difference]:
    """Whether the case still has the log that the report rests on."""
    if not any(entry.sha256 == head for entry in case.log.entries()):
        message = "The audit log of the case does not contain the entry at which the report was made."
        yield Difference("audit log", head, "nothing", message)


def _id(details: Any) -> str:
    return str(details.get("id", "")) if isinstance(details, dict) else ""


def _with_stored(
    case: Case, found: Contents, differences: list[Difference], notes: list[str], progress: Progress
) -> tuple[dict[str, tuple[int, int]], Contents | None]:
    """The numbers of the report against those that the case holds; its contents as they are now, if they are the same."""
    try:
        contents = _collected(case, found, progress)
    except CaseError as error:
        message = f"The case has changed since the report was made: {error}"
        differences.append(Difference("what is stored", "as in the report", "changed", message))
        return {}, None
    here, there = as_json(found), as_json(contents)
    numbers = _compared(here, there, differences, _tolerance(found, notes))
    return numbers, contents if here == there else None


def _collected(case: Case, found: Contents, progress: Progress) -> Contents:
    """The numbers of the report as the case gives them now."""
    try:
        date = datetime.strptime(found.date, DATE).replace(tzinfo=UTC)
    except ValueError as error:
        raise InputError("The report has no date that can be read. It was changed.") from error
    documents = [document.id for document in found.documents]
    comparisons = [each.number for each in found.comparisons]
    details = CaseDetails.from_json(found.details.to_json())  # strangers may have written them
    return collect(case, details, documents=documents, comparisons=comparisons, date=date, progress=progress)


def _compared(
    here: Mapping[str, Any], there: Mapping[str, Any], differences: list[Difference], tolerance: float
) -> dict[str, tuple[int, int]]:
    """Part by part: how many numbers there are, and how many agree; what differs is added to the list."""
    numbers = {}
    for key in sorted({*here, *there} - set(_BESIDE)):
        comparison = Comparison(tolerance)
        comparison.values(f"{key} of the report", _fixed(key, here.get(key)), _fixed(key, there.get(key)))
        count = sum(1 for _ in _numbers(here.get(key)))
        wrong = len(comparison.differences)
        differences += comparison.differences
        if count:
            numbers[key] = (count, max(0, count - wrong))
    return numbers


def _fixed(key: str, value: Any) -> Any:
    """What of a part cannot change afterwards: the log of a case grows, and its file may have another name."""
    if key != "case" or not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name not in ("log", "events", "file")}


def _tolerance(found: Contents, notes: list[str]) -> float:
    """None between the same versions; a little where the report was made with others."""
    from forensia.case.runs import differing, machine

    then = {key: value for key, value in found.environment.items() if key in machine()}
    apart = differing(then, machine())
    if apart:
        notes.append(f"The report was made elsewhere or with other libraries ({'; '.join(apart)[:300]}).")
    return TOLERANCE if apart else 0.0


def _run_again(
    case: Case, found: Contents, jobs: int, notes: list[str], progress: Progress
) -> tuple[list[Difference], bool]:
    """Train and analyse again from the texts, and compare the results with those in the report, number by number.

    Also whether that could be done: what another version found only that version finds again, and the notes say so.
    """
    differences: list[Difference] = []
    try:
        with Scratch() as folder, Case.create(folder.path / "again.forensia") as scratch:
            made = replay(case, scratch, jobs=jobs, progress=progress)
            verified = compared(case, scratch, made)
            differences += verified.differences
            notes += verified.notes
            if made.older:
                return differences, False
            comparison = Comparison(TOLERANCE if made.apart else 0.0)
            for what, here, again in _again(found, scratch, made):
                comparison.values(f"{what}, run again", here, again)
            differences += comparison.differences
    except Cancelled:
        raise
    except (CaseError, ForensiaError) as error:
        differences.append(
            Difference("what is stored", "stored", "not run again", f"It could not be run again: {error}")
        )
    return differences, True


def _again(found: Contents, scratch: Case, made: Replayed) -> Iterator[tuple[str, Json, Json]]:
    """What stands in the report, and what came out again."""
    record = open_record(scratch)
    alone = found.model.pairs is None and record is not None  # made before the diff-vector part was trained
    yield "model", codec.plain(found.model), codec.plain(replace(record, pairs=None) if record and alone else record)
    if found.validation is not None:
        yield "validation", codec.plain(found.validation), codec.plain(open_summary(scratch, alone=alone))
    for document in found.documents:
        name = f"{document.id}-{document.number:06d}"
        yield f"result of '{document.result.file}'", codec.plain(document.result), made.results.get(name)
    for each in found.comparisons:
        yield f"comparison {each.number}", codec.plain(each.found), made.comparisons.get(f"{each.number:06d}")


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value

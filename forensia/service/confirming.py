"""`forensia verify REPORT.pdf`: are the numbers of a report those of its case, and do they come out again?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forensia import codec
from forensia.case.comparing import Comparison, Difference
from forensia.case.errors import CaseError
from forensia.case.scratch import Scratch
from forensia.case.session import open_model
from forensia.case.store import Case
from forensia.case.verify import verify_case
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.jobs import Progress, part, silent
from forensia.report.contents import Contents, canonical, collect
from forensia.report.details import CaseDetails
from forensia.report.embedded import Embedded, read_embedded
from forensia.report.make import draw
from forensia.service import verifying
from forensia.service.replaying import replay
from forensia.service.training import validate_case

__all__ = ["Confirmation", "confirm"]

# What a report says that the case does not decide: who made it, on which machine, and when.
_BESIDE = ("report", "details", "environment", "program")


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
    """Hold the numbers in a PDF against its case, and against what comes out when everything is run again (unless `quick`)."""
    embedded = read_embedded(file)
    place = _find(file, embedded, case)
    with Case.open(place, read_only=True) as opened:
        _same_case(opened, embedded, place)
        notes: list[str] = []
        differences = [*_log(opened, embedded), *verify_case(opened, part(progress, 0.0, 0.1))]
        numbers, contents = _with_stored(opened, embedded, differences, notes, part(progress, 0.1, 0.2))
        differences += _file(opened, embedded, contents, notes)
        if quick:
            notes.append("Nothing was run again.")
        elif opened.without_texts:
            notes.append("The case is a copy without texts: it can be rehashed, but not run again.")
        else:
            differences += _run_again(opened, embedded, jobs, notes, part(progress, 0.2, 1.0))
    return Confirmation(file, place, numbers, tuple(differences), tuple(notes), again=not quick)


def _find(file: Path, embedded: Embedded, given: Path | None) -> Path:
    """The case as given, or beside the PDF under the name that the report has for it."""
    if given is not None:
        return given
    name = str(embedded.found["case"]["file"])
    beside = file.resolve().parent / Path(name).name
    if not name or Path(name).name != name or not beside.is_file():
        raise InputError(f"The case of '{file.name}' ('{name[:200]}') is not beside it. Say where it is with --case.")
    return beside


def _same_case(case: Case, embedded: Embedded, place: Path) -> None:
    if case.about["id"] != embedded.found["case"]["id"]:
        raise InputError(
            f"'{place.name}' is not the case that the report was made from, whatever its name says. Give the right one with --case."
        )


def _file(case: Case, embedded: Embedded, contents: Contents | None, notes: list[str]) -> Iterator[Difference]:
    """Whether this very file was made from the case: what is printed could differ from the numbers that are embedded."""
    known = case.reports()
    if any(report.sha256 == embedded.sha256 for report in known):
        return
    same = [report for report in known if _id(report.details) == embedded.found["report"]["id"]]
    if same:
        message = "The PDF is not the file that was made: what is printed may differ from the numbers embedded in it."
        yield Difference("the file itself", same[-1].sha256, embedded.sha256, message)
    elif contents is not None and draw(contents).sha256 == embedded.sha256:
        notes.append("The case has not noted that this report was made, but the same file comes out of it again.")
    else:
        message = "The case has not noted that this report was made, and the same file does not come out of it again."
        yield Difference("the file itself", "nothing", embedded.sha256, message)


def _log(case: Case, embedded: Embedded) -> Iterator[Difference]:
    """Whether the case still has the log that the report rests on."""
    log = embedded.found["case"].get("log")
    head = log.get("head") if isinstance(log, dict) else None
    if not any(entry.sha256 == head for entry in case.log_entries()):
        message = "The audit log of the case does not contain the entry at which the report was made."
        yield Difference("audit log", str(head), "nothing", message)


def _id(details: Any) -> str:
    return str(details.get("id", "")) if isinstance(details, dict) else ""


def _with_stored(
    case: Case, embedded: Embedded, differences: list[Difference], notes: list[str], progress: Progress
) -> tuple[dict[str, tuple[int, int]], Contents | None]:
    """The numbers of the report against those that the case holds; its contents as they are now, if they are the same."""
    try:
        contents = _collected(case, embedded, progress)
    except CaseError as error:
        message = f"The case has changed since the report was made: {error}"
        differences.append(Difference("what is stored", "as in the report", "changed", message))
        return {}, None
    stored = dict(json.loads(canonical(contents.found)))
    numbers = _compared(embedded.found, stored, differences, _tolerance(embedded, notes))
    return numbers, contents if stored == embedded.found else None


def _collected(case: Case, embedded: Embedded, progress: Progress) -> Contents:
    """The numbers of the report as the case gives them now."""
    found = embedded.found
    try:
        date = datetime.strptime(found["report"]["date"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise InputError("The report has no date that can be read. It was changed.") from error
    documents = [str(row.get("id", "")) for row in found["documents"]]
    details = CaseDetails.from_json(found["details"])
    return collect(case, details, documents=documents, date=date, progress=progress)


def _compared(
    told: Mapping[str, Any], found: Mapping[str, Any], differences: list[Difference], tolerance: float
) -> dict[str, tuple[int, int]]:
    """Part by part: how many numbers there are, and how many agree; what differs is added to the list."""
    numbers = {}
    for key in sorted({*told, *found} - set(_BESIDE)):
        comparison = Comparison(tolerance)
        comparison.values(f"{key} of the report", _fixed(key, told.get(key)), _fixed(key, found.get(key)))
        count = sum(1 for _ in _numbers(told.get(key)))
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


def _tolerance(embedded: Embedded, notes: list[str]) -> float:
    """None between the same versions; a little where the report was made with others."""
    from forensia.case.machine import machine, told_apart

    then = {key: value for key, value in dict(embedded.found.get("environment") or {}).items() if key in machine()}
    apart = told_apart(then, machine())
    if apart:
        notes.append(f"The report was made elsewhere or with other libraries ({'; '.join(apart)[:300]}).")
    return verifying.TOLERANCE if apart else 0.0


def _run_again(case: Case, embedded: Embedded, jobs: int, notes: list[str], progress: Progress) -> list[Difference]:
    """Train and analyse again from the texts, and compare the results with those in the report, number by number."""
    found = embedded.found
    differences: list[Difference] = []
    try:
        with Scratch() as folder, Case.create(folder.path / "again.forensia") as scratch:
            made = replay(case, scratch, jobs=jobs, progress=progress)
            verified = verifying.compared(case, scratch, made)
            differences += verified.differences
            notes += verified.notes
            tolerance = verifying.TOLERANCE if made.apart else 0.0
            again: dict[str, Any] = {"model": codec.plain(open_model(scratch).record)}
            told: dict[str, Any] = {"model": found["model"]}
            if found.get("validation") is not None:
                again["validation"] = codec.plain(validate_case(scratch))
                told["validation"] = found["validation"]
            for row in found["documents"]:
                name = f"{row.get('id')}-{row.get('number', 0):06d}"
                told[f"result of '{row['result'].get('file')}'"] = row["result"]
                again[f"result of '{row['result'].get('file')}'"] = made.results.get(name)
            for key, value in told.items():
                comparison = Comparison(tolerance)
                comparison.values(f"{key}, run again", value, again[key])
                differences += comparison.differences
    except Cancelled:
        raise
    except (CaseError, ForensiaError) as error:
        differences.append(
            Difference("what is stored", "stored", "not run again", f"It could not be run again: {error}")
        )
    return differences


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value

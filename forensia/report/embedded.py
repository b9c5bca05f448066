"""The numbers in a report that came from anybody: read in a confined child process, and taken for nothing but data."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forensia import codec
from forensia.errors import ForensiaError, InputError, WorkerDied
from forensia.jobs.child import CallFailed, NotStarted
from forensia.jobs.confined import ChildLimits, Confined
from forensia.report.attachment import attached
from forensia.report.contents import FORMAT, NAME, Contents, as_json, identity

__all__ = ["Embedded", "OldReport", "checked", "read_embedded"]

_OLD_FORMAT = 1  # of version 0.1
_SIZE = 200 << 20
_LIMITS = ChildLimits(seconds=60.0, cpu_seconds=60.0, memory=2 << 30, reply=256 << 20)


@dataclass(frozen=True)
class OldLog:
    """The audit log at the time of the report."""

    head: str


@dataclass(frozen=True)
class OldCase:
    """The case that the report was made from."""

    file: str
    id: str
    log: OldLog


@dataclass(frozen=True)
class OldReportId:
    """The report itself."""

    id: str


@dataclass(frozen=True)
class OldReport:
    """What can be held against the case."""

    program: str
    report: OldReportId
    case: OldCase

    @property
    def id(self) -> str:
        return self.report.id


@dataclass(frozen=True)
class Embedded:
    """What a PDF says in numbers, or what is known of one of version 0.1, and the hash of its bytes."""

    found: Contents | OldReport
    sha256: str


def read_embedded(file: Path) -> Embedded:
    """The results.json of a report; whatever is wrong with the file is said in a sentence."""
    shown = file.name
    try:
        if file.stat().st_size > _SIZE:
            raise InputError(f"'{shown}' is too large for a report of Forensia. Choose another file.")
        data = file.read_bytes()
    except OSError as error:
        raise InputError(
            f"'{file}' cannot be read ({error.strerror or 'unknown reason'}). Choose another file."
        ) from error
    if b"%PDF-" not in data[:1_024]:
        raise InputError(f"'{shown}' is no PDF, whatever its name says. Choose a report that Forensia made.")
    with Confined(attached, _LIMITS) as worker:
        try:
            text = worker.call(data, {"name": NAME})
        except NotStarted:
            raise
        except (WorkerDied, CallFailed) as error:
            raise InputError(f"'{shown}' cannot be read: it is damaged, or was made to do harm.") from error
    if not isinstance(text, str):
        raise InputError(f"'{shown}' has no {NAME} in it: Forensia did not make it, or it was taken out.")
    return Embedded(checked(text, shown), hashlib.sha256(data).hexdigest())


def checked(text: str, shown: str) -> Contents | OldReport:
    """The numbers, if the JSON has the shape of ours and nothing more; their id must be that of their content."""
    wrong = InputError(f"The numbers in '{shown}' are not those of a report of Forensia, or were changed.")
    try:
        found = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise wrong from error
    number = found.get("format") if isinstance(found, dict) else None
    if type(number) is not int:
        raise wrong
    if number > FORMAT:
        raise InputError(f"'{shown}' was made by a newer Forensia. Verify it with that version.")
    try:
        return _read_old(found) if number == _OLD_FORMAT else _read(found)
    except (ForensiaError, ValueError) as error:
        raise wrong from error


def _read(found: dict[str, Any]) -> Contents:
    """Raises ValueError where the numbers are not ours."""
    contents = codec.typed(Contents, found)
    if as_json(contents) != found or contents.id != identity(found):
        raise ValueError("not as it was written")
    return contents


def _read_old(found: dict[str, Any]) -> OldReport:
    """What a report of version 0.1 says of itself; ValueError where it is none, or its id is not that of its content."""
    report = codec.typed(OldReport, found)
    about = {key: value for key, value in found["report"].items() if key != "id"}
    if identity({**found, "report": about}) != report.id:
        raise ValueError("not as it was written")
    return report


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return value

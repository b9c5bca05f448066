"""The numbers in a report that came from anybody: read in a confined child process, and taken for nothing but data."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forensia.errors import InputError, WorkerDied
from forensia.jobs.child import CallFailed, ChildLimits, NotStarted, Worker
from forensia.report.attachment import attached
from forensia.report.contents import FORMAT, NAME, identity

__all__ = ["Embedded", "checked", "read_embedded"]

_SIZE = 200 << 20
_LIMITS = ChildLimits(seconds=60.0, cpu_seconds=60.0, memory=2 << 30, reply=256 << 20)
_PARTS = {
    "format": int, "program": str, "report": dict, "details": dict, "case": dict, "materials": dict, "model": dict, "documents": list,
}  # fmt: skip


@dataclass(frozen=True)
class Embedded:
    """What a PDF says in numbers, and the hash of its bytes."""

    found: dict[str, Any]
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
    with Worker(attached, _LIMITS) as worker:
        try:
            text = worker.call(data, {"name": NAME})
        except NotStarted:
            raise
        except (WorkerDied, CallFailed) as error:
            raise InputError(f"'{shown}' cannot be read: it is damaged, or was made to do harm.") from error
    if not isinstance(text, str):
        raise InputError(f"'{shown}' has no {NAME} in it: Forensia did not make it, or it was taken out.")
    return Embedded(checked(text, shown), hashlib.sha256(data).hexdigest())


def checked(text: str, shown: str) -> dict[str, Any]:
    """The JSON, if it has the shape of ours; its id must be that of its content."""
    wrong = InputError(f"The numbers in '{shown}' are not those of a report of Forensia, or were changed.")
    try:
        found = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise wrong from error
    if not isinstance(found, dict) or any(type(found.get(key)) is not kind for key, kind in _PARTS.items()):
        raise wrong
    if found["format"] > FORMAT:
        raise InputError(f"'{shown}' was made by a newer Forensia. Verify it with that version.")
    names = [found["case"].get(key) for key in ("id", "file")] + [found["report"].get(key) for key in ("date", "id")]
    rows = all(isinstance(row, dict) and isinstance(row.get("result"), dict) for row in found["documents"])
    if not rows or not all(isinstance(name, str) for name in names) or found["report"]["id"] != identity(found):
        raise wrong
    return found


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return value

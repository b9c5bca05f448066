"""Reports of version 0.1: what they say of themselves and of their case. Their other numbers only that version can compare."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from forensia import codec
from forensia.report.contents import canonical

FORMAT = 1


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
class About:
    """The report itself."""

    id: str


@dataclass(frozen=True)
class OldReport:
    """What can be held against the case."""

    program: str
    report: About
    case: OldCase

    @property
    def id(self) -> str:
        return self.report.id


def read(found: dict[str, Any]) -> OldReport:
    """What a report of version 0.1 says of itself; ValueError where it is none, or its id is not that of its content."""
    report = codec.typed(OldReport, found)
    about = {key: value for key, value in found["report"].items() if key != "id"}
    if sha256(canonical({**found, "report": about})).hexdigest()[:16] != report.id:
        raise ValueError("not as it was written")
    return report

"""The audit log: what was done to a case and when, each entry with the hash of the one before.

Entries hold names, hashes and numbers, never text of a document. They stand in the order of their numbers, whatever the clock
said; each also carries the hash of all records after its step, so that the head of the log vouches for the whole case.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from forensia.case.errors import CaseRefused
from forensia.case.storage import Json, pack, sha256, unpack

Clock = Callable[[], datetime]
_LONGEST_STRING = 4_096
_LONGEST_DETAILS = 32_000_000  # a choice about 30,000 documents, each with a name and a reason
_LONGEST_EVENT = 80
_SELECT = "SELECT sequence, time, event, details, state, previous, sha256 FROM log"


def now() -> datetime:
    """The time as the computer has it."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """A time as it is written in a case: UTC, to the microsecond."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True)
class LogEntry:
    """One line of the log; `details` is the JSON as it was written, because the hash is over its letters."""

    sequence: int
    time: str
    event: str
    details: str
    state: str
    previous: str
    sha256: str

    @property
    def data(self) -> Json:
        """The details as they were given."""
        return unpack(self.details)

    @property
    def seal(self) -> str:
        """The hash that the entry should have."""
        return _seal(self.sequence, self.time, self.event, self.details, self.state, self.previous)


@dataclass(frozen=True)
class LogFault:
    """An entry that was changed, is missing, or does not follow the one before."""

    sequence: int
    message: str


def prepared(event: str, details: Json) -> tuple[str, str]:
    """An event and its details, ready to be written; what is too long to be a name, a hash or a number is refused."""
    if not event or len(event) > _LONGEST_EVENT or not event.isascii() or not event.isprintable():
        raise CaseRefused("An event of the audit log needs a short name in plain letters. Nothing was changed.")
    if not isinstance(details, dict):
        raise CaseRefused("The details of an event are named values. Nothing was changed.")
    text = pack(details, "entry of the audit log")
    if len(text) > _LONGEST_DETAILS or any(len(string) > _LONGEST_STRING for string in _strings(details)):
        raise CaseRefused(
            "An entry of the audit log holds names, hashes and numbers only, no long text. Nothing was changed."
        )
    return event, text


def append(connection: sqlite3.Connection, events: Iterable[tuple[str, str]], state: str, time: str) -> tuple[int, str]:
    """Write events at the end of the log; return the number and the hash of the last one."""
    newest = last(connection)
    sequence, previous = (newest.sequence, newest.sha256) if newest else (0, "")
    for event, details in events:
        sequence += 1
        seal = _seal(sequence, time, event, details, state, previous)
        connection.execute(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", (sequence, time, event, details, state, previous, seal)
        )
        previous = seal
    return sequence, previous


def last(connection: sqlite3.Connection) -> LogEntry | None:
    """The newest entry."""
    row = connection.execute(f"{_SELECT} ORDER BY sequence DESC LIMIT 1").fetchone()
    return _entry(*row) if row else None


def entries(connection: sqlite3.Connection) -> Iterator[LogEntry]:
    """The log, in the order of its numbers."""
    for row in connection.execute(f"{_SELECT} ORDER BY sequence"):
        yield _entry(*row)


def faults(log: Iterable[LogEntry]) -> Iterator[LogFault]:
    """Every entry that is not as it was written, or does not follow the one before."""
    last, previous = 0, ""
    for entry in log:
        if entry.sequence != last + 1:
            yield LogFault(entry.sequence, f"entries {last + 1} to {entry.sequence - 1} of the audit log are missing")
        if entry.seal != entry.sha256:
            yield LogFault(entry.sequence, f"entry {entry.sequence} of the audit log is not as it was written")
        elif entry.previous != previous and entry.sequence == last + 1:
            yield LogFault(entry.sequence, f"entry {entry.sequence} of the audit log does not follow the one before it")
        last, previous = entry.sequence, entry.sha256


def _entry(sequence: object, *rest: object) -> LogEntry:
    """A row as an entry; a value of another type than was written gives an entry whose hash does not fit."""
    return LogEntry(sequence if isinstance(sequence, int) else -1, *(str(value) for value in rest))


def _seal(sequence: int, time: str, event: str, details: str, state: str, previous: str) -> str:
    return sha256(pack([sequence, time, event, details, state, previous], "entry"))


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)

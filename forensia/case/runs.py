"""Runs in the audit log: what each rests on besides the texts, how it ended, and which choices held when it began."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from forensia import __version__, codec
from forensia.case import audit
from forensia.case.audit import LogEntry, LogFault
from forensia.case.choices import AUTHORS, EXCLUDED, ROLES, SETTINGS, SOURCES
from forensia.case.database import Database
from forensia.case.documents import ADDED
from forensia.case.storage import Json, unpack
from forensia.errors import ForensiaError

FIRST = "0.1.0"
"""The version that did not yet write its name beside a model."""


def maker(header: Mapping[str, Any]) -> str:
    """The version that made a model, by the header it is stored with."""
    return str(header.get("program", FIRST))


def same_engine(program: str) -> bool:
    """Whether what that version found can be expected to come out again here."""
    return program.split(".")[:2] == __version__.split(".")[:2]


_LIBRARIES = ("numpy", "scipy", "scikit-learn", "spacy", "thinc")


@cache
def machine() -> Mapping[str, str]:
    """Versions and kinds by name, without anything that tells one computer from another of its kind."""
    from threadpoolctl import threadpool_info

    kernels = {str(each.get("architecture", "")) for each in threadpool_info() if each["internal_api"] == "openblas"}
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "kernels": " ".join(sorted(kernels - {""})),
        "python": platform.python_version(),
        **{name: _version(name) for name in _LIBRARIES},
    }


def differing(then: object, now: Mapping[str, str]) -> list[str]:
    """Where a run was made on something else than there is now, in words; a run that does not say may have been made anywhere."""
    if not isinstance(then, dict):
        return ["it does not say where it was made"]
    return [
        f"{name} {then.get(name, 'unknown') or 'unknown'} then, {now.get(name, 'unknown') or 'unknown'} now"
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a frozen bundle need not know
        return ""


_STARTED, _FINISHED, _DISCARDED, _INTERRUPTED = "run started", "run finished", "run discarded", "run interrupted"
_ENDS = (_FINISHED, _DISCARDED, _INTERRUPTED)


class Run:
    """A run that is going on. What it found is stored inside `finish`, in one step with the entry that it ended."""

    def __init__(self, database: Database, number: int) -> None:
        self.number = number
        self.finished = False
        self._database = database

    @contextmanager
    def finish(self, details: Json = None) -> Iterator[None]:
        """The step that stores what the run found."""
        with self._database.step():
            yield
            self._database.note(_FINISHED, {"run": self.number, **(details or {})})
        self.finished = True


@dataclass(frozen=True)
class PastChoices:
    """The choices that held at one moment, and the documents that were `added` after it.

    A setting that the log has by its hash alone stands here as the log has it.
    """

    excluded: Mapping[str, Json] = field(default_factory=dict)
    authors: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Json] = field(default_factory=dict)
    roles: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, Json] = field(default_factory=dict)
    added: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PastRun:
    """A run that was finished: what it was, what its beginning says of it, and the choices that held then."""

    number: int
    what: str
    details: Mapping[str, Json]
    choices: PastChoices


class History:
    """The audit log, read for what it tells; only of use when it is as it was written."""

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self._log = log
        self._data: list[Mapping[str, Json]] = [_named(each.data) for each in log]
        self._started = {
            data.get("run"): place
            for place, (entry, data) in enumerate(zip(log, self._data, strict=True))
            if entry.event == "run started" and type(data.get("run")) is int
        }

    def that_stored_arrays(self, kind: str, model: str) -> PastRun | None:
        """The run that stored a group of arrays; None when it was stored outside a run."""
        return self._run("arrays stored", {"kind": kind, "model": model})

    def that_stored_result(self, document: str, number: int) -> PastRun | None:
        """The run that stored a result; None when it was stored outside a run."""
        return self._run("result stored", {"document": document, "number": number})

    def that_stored_comparison(self, number: int) -> PastRun | None:
        """The run that stored a comparison; None when it was stored outside a run."""
        return self._run("comparison stored", {"number": number})

    def _run(self, event: str, wanted: Mapping[str, Json]) -> PastRun | None:
        """What a run found is written in one step with its end: the entries of a step share time and state."""
        for place in reversed(range(len(self._log))):
            entry, data = self._log[place], self._data[place]
            if entry.event != event or any(data.get(key) != value for key, value in wanted.items()):
                continue
            for later in range(place + 1, len(self._log)):
                other = self._log[later]
                if (other.time, other.state) != (entry.time, entry.state):
                    return None
                if other.event == "run finished":
                    return self._past(self._data[later].get("run"))
            return None
        return None

    def _past(self, number: Json) -> PastRun | None:
        if type(number) is not int or number not in self._started:
            return None
        place = self._started[number]
        details = self._data[place]
        return PastRun(number, str(details.get("what")), details, self._choices(place))

    def _choices(self, place: int) -> PastChoices:
        """The choices as they were before an entry."""
        held: dict[str, dict[str, Json]] = {EXCLUDED: {}, AUTHORS: {}, SOURCES: {}, ROLES: {}, SETTINGS: {}}
        for entry, data in zip(self._log[:place], self._data[:place], strict=True):
            if entry.event == "corpus stored":
                held[EXCLUDED] = dict.fromkeys(_names(data.get("excluded")), "excluded")
                held[AUTHORS] = dict(_named(data.get("reassigned")))
                held[SOURCES] = dict(_named(data.get("sources")))
                held[ROLES] = dict(_named(data.get("roles")))
            elif str(data.get("which")) in held and {"set", "removed"} <= data.keys():
                which, gone = str(data["which"]), _names(data["removed"])
                kept = {key: value for key, value in held[which].items() if key not in gone}
                held[which] = {**kept, **_named(data["set"])}
        later = zip(self._log[place:], self._data[place:], strict=True)
        added = frozenset(
            name for entry, data in later if entry.event == ADDED for name in _names(data.get("documents"))
        )
        return PastChoices(held[EXCLUDED], held[AUTHORS], held[SOURCES], held[ROLES], held[SETTINGS], added)


def _named(value: Json) -> dict[str, Json]:
    """Named values; nothing for what a foreign log may hold in their place."""
    return value if isinstance(value, dict) else {}


def _names(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


class Log:
    """The audit log of a case, and the runs that are noted in it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, event: str, details: Json = None) -> None:
        """An entry in the audit log: names, hashes and numbers, never text of a document."""
        self._database.note(event, details or {})

    def entries(self) -> tuple[LogEntry, ...]:
        """The audit log, in the order of its numbers; `faults` says whether it is as it was written."""
        with self._database.reading("the audit log") as connection:
            return tuple(audit.entries(connection))

    def faults(self) -> tuple[LogFault, ...]:
        """Every entry that was changed, is missing, or does not follow the one before; empty when all is well."""
        log = self.entries()
        found = list(audit.faults(log))
        head = self._database.log_head()
        if head and (not log or head[:2] != (log[-1].sequence, log[-1].sha256)):
            found.append(LogFault(head[0], f"the audit log does not end with entry {head[0]}, as it was written"))
        return tuple(found)

    @contextmanager
    def run(self, what: str, details: Json = None) -> Iterator[Run]:
        """Something long: its beginning is noted, and its end whatever it is; store what it found inside `finish` of the run.

        Unless `finish` was reached, it is noted as discarded, with the kind of reason.
        """
        database = self._database
        number = 1 + max(self._numbers(_STARTED), default=0)
        about = {"run": number, "what": what, "program": __version__, "machine": dict(machine())}
        database.note(_STARTED, {**about, **(details or {})})
        going = Run(database, number)
        try:
            yield going
        except BaseException as error:
            if not going.finished:
                # The first error is the one to tell; the next opening notes the end of the run. Never its words: they may quote a text.
                with suppress(ForensiaError):
                    database.note(_DISCARDED, {"run": number, "reason": type(error).__name__})
            raise
        if not going.finished:
            database.note(_DISCARDED, {"run": number, "reason": "given up"})

    def close_interrupted(self) -> tuple[int, ...]:
        """Note for each run that has no end that it was interrupted: the program was killed, or the power failed."""
        open_runs = sorted(self._numbers(_STARTED) - self._numbers(*_ENDS))
        if open_runs:
            with self._database.step():
                for number in open_runs:
                    self._database.note(_INTERRUPTED, {"run": number})
        return tuple(open_runs)

    def _numbers(self, *events: str) -> set[int]:
        marks = ", ".join("?" * len(events))
        with self._database.reading("the audit log") as connection:
            rows = connection.execute(f"SELECT details FROM log WHERE event IN ({marks})", events).fetchall()
        found = set()
        for (details,) in rows:
            # Verification names an entry that was changed; a run without a number has no end to look for.
            with suppress(ValueError, KeyError, TypeError):
                found.add(codec.typed(int, unpack(str(details))["run"]))
        return found

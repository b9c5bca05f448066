"""What the audit log tells of the past: which run made something, and which choices held at that moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forensia.case.audit import LogEntry
from forensia.case.choices import AUTHORS, EXCLUDED, ROLES, SETTINGS, SOURCES
from forensia.case.documents import ADDED
from forensia.case.strictjson import Json


@dataclass(frozen=True)
class Choices:
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
    choices: Choices


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

    def _choices(self, place: int) -> Choices:
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
        return Choices(held[EXCLUDED], held[AUTHORS], held[SOURCES], held[ROLES], held[SETTINGS], added)


def _named(value: Json) -> dict[str, Json]:
    """Named values; nothing for what a foreign log may hold in their place."""
    return value if isinstance(value, dict) else {}


def _names(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []

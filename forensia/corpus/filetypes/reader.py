"""Reading a file of any type: plain text here, everything that has a parser to attack in a child process with limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import TracebackType
from typing import Any

from forensia.corpus.document import Problem
from forensia.corpus.filetypes.extraction import DEFAULT, Extraction, Limits, Refusal, from_json, to_json, too_large
from forensia.corpus.filetypes.registry import format_of, needs_child
from forensia.errors import WorkerDied
from forensia.jobs.child import CallFailed, NotStarted
from forensia.jobs.confined import ChildLimits, Confined, Overrun, never


def extract(data: bytes, name: str, *, limits: Limits = DEFAULT) -> Extraction:
    """The texts of a file, read in this very process; `Reader` is for files of strangers."""
    if len(data) > limits.size:
        raise too_large(name, "size", size=len(data) / 1e6, limit=limits.size / 1e6)
    return format_of(data, name).read(data, name, limits)


def extract_for_parent(data: bytes, name: str, limits: Mapping[str, Any]) -> dict[str, Any]:
    """What the child process runs: an extraction or a refusal, as plain data."""
    try:
        return to_json(extract(data, name, limits=Limits(**limits)))
    except Refusal as refusal:
        return {"refusal": refusal.problem.to_json()}


class Reader:
    """Reads many files. Close it, or use it as a context, so that its child process ends."""

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self._worker = Confined(extract_for_parent, ChildLimits(limits.seconds, limits.seconds, limits.memory))

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._worker.close()

    def extract(self, data: bytes, name: str, check: Callable[[], object] = never) -> Extraction:
        """The texts of a file; `check` is called several times a second while the child works, and may raise `Cancelled`."""
        limits = self._limits
        if not needs_child(name) or len(data) > limits.size:
            return extract(data, name, limits=limits)
        try:
            value = self._worker.call(data, {"name": name, "limits": asdict(limits)}, check)
        except Overrun as error:
            if error.reason == "time":
                raise Refusal("limit", name, "time", seconds=limits.seconds) from error
            raise Refusal("limit", name, "memory", megabytes=limits.memory >> 20) from error
        except NotStarted:
            raise
        except (WorkerDied, CallFailed) as error:
            raise Refusal("unreadable", name, "failed") from error
        return _unpacked(value, name)


def _unpacked(value: Any, name: str) -> Extraction:
    """The child's answer, trusted for nothing but its shape."""
    try:
        refusal = value.get("refusal")
        if refusal is None:
            return from_json(value)
        problem = Problem.from_json(refusal)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Refusal("unreadable", name, "no answer") from error
    raise Refusal.told(problem, name)

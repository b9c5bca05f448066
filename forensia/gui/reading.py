"""How the known texts of a case were read: kept in its audit log, and as JSON on the way to the child process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forensia.case.store import Case
from forensia.corpus import ReadOptions
from forensia.corpus.cleaning import Step

READ = "corpus read"
"""The entry of the audit log that keeps how a corpus was read."""


def plain(wanted: ReadOptions) -> dict[str, Any]:
    """Options as JSON."""
    return {
        "layout": wanted.layout,
        "steps": [step.name for step in wanted.steps],
        "segment": wanted.segment_words,
        "encodings": dict(wanted.encodings),
        "language": wanted.language,
    }


def options(data: Mapping[str, Any]) -> ReadOptions:
    """Options from JSON; raises KeyError, TypeError or ValueError when it is not what `plain` makes."""
    return ReadOptions(
        layout=data["layout"],
        encodings=dict(data["encodings"]),
        steps=tuple(Step[name] for name in data["steps"]),
        segment_words=data["segment"],
        language=data["language"],
    )


def keep(case: Case, wanted: ReadOptions) -> None:
    """Note in the audit log how the corpus was read."""
    case.log(READ, plain(wanted))


def kept(case: Case) -> ReadOptions:
    """How the corpus was read last, as the log has it."""
    for entry in reversed(case.log_entries()):
        if entry.event == READ:
            try:
                return options(entry.data)
            except (KeyError, TypeError, ValueError):
                break
    return ReadOptions()

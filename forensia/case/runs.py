"""Runs in the audit log: each one that was started also has an end there, if only that it was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from forensia import __version__
from forensia.case.database import Database
from forensia.case.machine import machine
from forensia.case.strictjson import Json, unpack
from forensia.errors import ForensiaError

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


@contextmanager
def run(database: Database, what: str, details: Json = None) -> Iterator[Run]:
    """Note that something long begins. Unless `finish` of the run was reached, it is noted as discarded, with the kind of reason."""
    number = 1 + max(_numbers(database, (_STARTED,)), default=0)
    about = {"run": number, "what": what, "program": __version__, "machine": dict(machine())}
    database.note(_STARTED, {**about, **(details or {})})
    going = Run(database, number)
    try:
        yield going
    except BaseException as error:
        if not going.finished:
            with suppress(
                ForensiaError
            ):  # the first error is the one to tell; the next opening notes the end of the run
                # Never its words: they may quote a text.
                database.note(_DISCARDED, {"run": number, "reason": type(error).__name__})
        raise
    if not going.finished:
        database.note(_DISCARDED, {"run": number, "reason": "given up"})


def close_interrupted(database: Database) -> tuple[int, ...]:
    """Note for each run that has no end that it was interrupted: the program was killed, or the power failed."""
    open_runs = sorted(_numbers(database, (_STARTED,)) - _numbers(database, _ENDS))
    if open_runs:
        with database.step():
            for number in open_runs:
                database.note(_INTERRUPTED, {"run": number})
    return tuple(open_runs)


def _numbers(database: Database, events: tuple[str, ...]) -> set[int]:
    marks = ", ".join("?" * len(events))
    with database.reading("the audit log") as connection:
        rows = connection.execute(f"SELECT details FROM log WHERE event IN ({marks})", events).fetchall()
    found = set()
    for (details,) in rows:
        try:
            number = unpack(str(details))["run"]
        except (ValueError, KeyError, TypeError):
            continue  # verification names an entry that was changed; a run without a number has no end to look for
        if type(number) is int:
            found.add(number)
    return found

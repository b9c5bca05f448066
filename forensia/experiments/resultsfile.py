"""The results of an experiment: an SQLite file that grows by one transaction for each run that has ended.

Killed at any moment, it holds the runs that had ended, whole. What is in it depends on the plan and the data alone, but for times.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np

from forensia import __version__
from forensia.case.locking import FileLock, Locked, lock_beside
from forensia.errors import InputError, StorageError
from forensia.experiments.units import Unit, UnitOutcome, UnitScores

APPLICATION = 0x46726573  # 'Fres'
FORMAT = 1
WAITING, DONE, FAILED, IMPOSSIBLE = "waiting", "done", "failed", "impossible"
_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE data (name TEXT PRIMARY KEY, about TEXT NOT NULL) STRICT;
CREATE TABLE units (
    key TEXT PRIMARY KEY, place INTEGER NOT NULL, listed INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
    data TEXT NOT NULL, profile TEXT NOT NULL, tasks TEXT NOT NULL, m INTEGER NOT NULL, q INTEGER NOT NULL,
    run INTEGER NOT NULL, split TEXT NOT NULL, cost REAL NOT NULL, cpu_s REAL NOT NULL, wall_s REAL NOT NULL,
    train INTEGER NOT NULL, test INTEGER NOT NULL, machine TEXT NOT NULL, details TEXT NOT NULL
) STRICT;
CREATE TABLE "values" (
    unit TEXT NOT NULL REFERENCES units (key), task TEXT NOT NULL, method TEXT NOT NULL, measure TEXT NOT NULL,
    value REAL NOT NULL, PRIMARY KEY (unit, task, method, measure)
) STRICT;
CREATE TABLE timings (
    unit TEXT NOT NULL REFERENCES units (key), method TEXT NOT NULL, stage TEXT NOT NULL, cpu_s REAL NOT NULL,
    wall_s REAL NOT NULL, PRIMARY KEY (unit, method, stage)
) STRICT;
CREATE TABLE scores (
    unit TEXT NOT NULL REFERENCES units (key), task TEXT NOT NULL, method TEXT NOT NULL, threshold REAL NOT NULL,
    same BLOB NOT NULL, different BLOB NOT NULL, PRIMARY KEY (unit, task, method)
) STRICT;
"""


@dataclass(frozen=True)
class Record:
    """One value with what it belongs to."""

    task: str
    measure: str
    data: str
    profile: str
    m: int
    q: int
    run: int
    method: str
    value: float
    train: int
    test: int


@dataclass(frozen=True)
class TimeRecord:
    """What a method took in one run."""

    data: str
    profile: str
    m: int
    q: int
    run: int
    method: str
    stage: str
    cpu_s: float
    wall_s: float
    machine: str


@dataclass(frozen=True)
class SizeRecord:
    """How large one run was; `pairs` is None where DV-Bin was not trained."""

    data: str
    profile: str
    m: int
    q: int
    run: int
    tasks: tuple[str, ...]
    train: int
    pairs: int | None
    test: int


@dataclass(frozen=True)
class ScoreRecord:
    """The scores of one run."""

    data: str
    profile: str
    m: int
    q: int
    run: int
    scores: UnitScores


@dataclass(frozen=True)
class RunState:
    """How far a unit of the plan is."""

    key: str
    state: str
    reason: str
    data: str
    profile: str
    tasks: tuple[str, ...]
    m: int
    q: int
    run: int
    cost: float
    cpu_s: float


class ResultsFile:
    """An open results file. `ResultsFile.open` reads; `ResultsFile.write` makes it if need be, and locks it against a second writer."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: FileLock | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> Self:
        """A file that is there."""
        if not path.is_file():
            raise InputError(f"There is no results file '{path}'. Run an experiment first, or choose another file.")
        return cls(path, _connect(path))

    @classmethod
    def write(cls, path: Path) -> Self:
        """The file to write to, for this user alone; one that is there is gone on with."""
        lock = lock_beside(path)
        taken = lock.take()
        if taken is Locked.BUSY:
            raise StorageError(f"Another experiment is writing to '{path}'. Wait for it, or choose another file.")
        if taken is Locked.IMPOSSIBLE:
            raise StorageError(f"'{path}' cannot be written: its folder is missing or read-only. Choose another place.")
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            connection = _connect(path, make=True)
        except OSError as error:
            lock.release()
            raise StorageError(f"'{path}' cannot be written ({error.strerror}). Choose another place.") from error
        except BaseException:
            lock.release()
            raise
        return cls(path, connection, lock)

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing -----------------------------------------------------------------------------------------------------

    def register(
        self,
        plan: Mapping[str, Any],
        data: Sequence[Mapping[str, Any]],
        units: Sequence[tuple[Unit, float, str]],
        notes: Sequence[str] = (),
    ) -> None:
        """State what is to be run: units with their expected cost, and why some cannot be. What was done before stays done."""
        known = self.plan
        if known is not None and known["name"] != plan["name"]:
            raise InputError(
                f"'{self.path}' holds the results of the plan '{known['name']}', not of '{plan['name']}'. Choose another file."
            )
        with self._transaction() as connection:
            about = {"plan": plan, "version": __version__, "notes": list(notes)}
            connection.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)", [(key, json.dumps(value)) for key, value in about.items()]
            )
            connection.executemany(
                "INSERT OR REPLACE INTO data VALUES (?, ?)", [(each["name"], json.dumps(dict(each))) for each in data]
            )
            connection.execute("UPDATE units SET listed = 0")
            connection.executemany(
                "INSERT INTO units VALUES (:key, :place, 1, :state, :reason, :data, :profile, :tasks, :m, :q, :run, :split, "
                ":cost, 0, 0, 0, 0, '{}', '{}') ON CONFLICT (key) DO UPDATE SET listed = 1, place = :place, cost = :cost",
                [_row(place, *unit) for place, unit in enumerate(units)],
            )

    def save(self, unit: Unit, outcome: UnitOutcome) -> None:
        """Keep what came of a unit, in one transaction."""
        key, state = unit.key, FAILED if outcome.problem else DONE
        with self._transaction() as connection:
            connection.execute(
                "UPDATE units SET state = ?, reason = ?, cpu_s = ?, wall_s = ?, train = ?, test = ?, machine = ?, details = ? "
                "WHERE key = ?",
                (
                    state,
                    outcome.problem,
                    outcome.cpu_s,
                    outcome.wall_s,
                    int(outcome.details.get("train", 0)),
                    int(outcome.details.get("test", 0)),
                    json.dumps(dict(outcome.machine)),
                    json.dumps(dict(outcome.details)),
                    key,
                ),
            )
            for table in ("values", "timings", "scores"):
                connection.execute(f'DELETE FROM "{table}" WHERE unit = ?', (key,))
            connection.executemany(
                'INSERT INTO "values" VALUES (?, ?, ?, ?, ?)',
                [(key, each.task, each.method, each.measure, each.value) for each in outcome.values],
            )
            connection.executemany(
                "INSERT INTO timings VALUES (?, ?, ?, ?, ?)",
                [(key, each.method, each.stage, each.cpu_s, each.wall_s) for each in outcome.timings],
            )
            connection.executemany(
                "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (key, each.task, each.method, each.threshold, _packed(each.same), _packed(each.different))
                    for each in outcome.scores
                ],
            )

    # --- reading -----------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> dict[str, Any] | None:
        """The plan whose results these are; None before the first run."""
        return self._about("plan", None)  # type: ignore[no-any-return]

    @property
    def notes(self) -> list[str]:
        """What the run had to leave out of the plan."""
        return list(self._about("notes", []))

    @property
    def data(self) -> list[dict[str, Any]]:
        """About the data sets."""
        return [json.loads(row[0]) for row in self._rows("SELECT about FROM data ORDER BY name")]

    @property
    def states(self) -> list[RunState]:
        """All units of the plan, in its order."""
        names = ", ".join(field.name for field in fields(RunState))
        rows = self._rows(f"SELECT {names} FROM units WHERE listed ORDER BY place")
        named = [dict(zip((field.name for field in fields(RunState)), row, strict=True)) for row in rows]
        return [RunState(**{**row, "tasks": tuple(json.loads(row["tasks"]))}) for row in named]

    @property
    def records(self) -> list[Record]:
        """All values of the units that are done, in an order that does not depend on when they were."""
        return [
            Record(*row)
            for row in self._rows(
                "SELECT v.task, v.measure, u.data, u.profile, u.m, u.q, u.run, v.method, v.value, u.train, u.test "
                "FROM \"values\" v JOIN units u ON u.key = v.unit WHERE u.listed AND u.state = 'done' "
                "ORDER BY u.place, v.task, v.method, v.measure"
            )
        ]

    @property
    def timings(self) -> list[TimeRecord]:
        """All times of the units that are done."""
        return [
            TimeRecord(*row)
            for row in self._rows(
                "SELECT u.data, u.profile, u.m, u.q, u.run, t.method, t.stage, t.cpu_s, t.wall_s, u.machine "
                "FROM timings t JOIN units u ON u.key = t.unit WHERE u.listed AND u.state = 'done' "
                "ORDER BY u.place, t.method, t.stage DESC"
            )
        ]

    @property
    def sizes(self) -> list[SizeRecord]:
        """How large the units are that are done."""
        return [
            SizeRecord(
                data, profile, m, q, run, tuple(json.loads(tasks)), train, json.loads(details).get("pairs"), test
            )
            for data, profile, m, q, run, tasks, train, details, test in self._rows(
                "SELECT data, profile, m, q, run, tasks, train, details, test FROM units "
                "WHERE listed AND state = 'done' ORDER BY place"
            )
        ]

    @property
    def scores(self) -> list[ScoreRecord]:
        """All distributions of scores that were kept."""
        return [
            ScoreRecord(
                data, profile, m, q, run,
                UnitScores(task, method, threshold, self._unpacked(same), self._unpacked(different)),
            )
            for data, profile, m, q, run, task, method, threshold, same, different in self._rows(
                "SELECT u.data, u.profile, u.m, u.q, u.run, s.task, s.method, s.threshold, s.same, s.different "
                "FROM scores s JOIN units u ON u.key = s.unit WHERE u.listed AND u.state = 'done' "
                "ORDER BY u.place, s.task, s.method"
            )
        ]  # fmt: skip

    def _about(self, key: str, default: Any) -> Any:
        rows = self._rows("SELECT value FROM about WHERE key = ?", (key,))
        return json.loads(rows[0][0]) if rows else default

    def _rows(self, query: str, arguments: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, arguments).fetchall()
        except sqlite3.Error as error:
            raise InputError(
                f"'{self.path}' cannot be read ({error}). It may be damaged; run the plan into a new file."
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StorageError(
                f"The results could not be written to '{self.path}' ({error}). What was there before is intact."
            ) from error

    def _unpacked(self, data: bytes) -> Any:
        try:
            return np.load(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise InputError(f"Scores in '{self.path}' are damaged. Run the plan into a new file.") from error


def _row(place: int, unit: Unit, cost: float, impossible: str) -> dict[str, Any]:
    return {
        "key": unit.key,
        "place": place,
        "state": IMPOSSIBLE if impossible else WAITING,
        "reason": impossible,
        "data": unit.data,
        "profile": unit.profile,
        "tasks": json.dumps(unit.tasks),
        "m": unit.draw.m,
        "q": unit.draw.q,
        "run": unit.run,
        "split": unit.draw.split,
        "cost": cost,
    }


def _packed(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array, dtype=np.float64), allow_pickle=False)
    return stream.getvalue()


def _connect(path: Path, *, make: bool = False) -> sqlite3.Connection:
    """Open the database after making sure that it is one of ours."""
    refused = f"'{path}' is not a results file of Forensia. Choose another file."
    try:
        connection = sqlite3.connect(path, timeout=10.0, isolation_level=None)
    except sqlite3.Error as error:
        raise InputError(refused) from error
    try:
        if make and not path.stat().st_size:
            connection.executescript(
                f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; {_TABLES} COMMIT;"
            )
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute("SELECT count(*) FROM units").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise InputError(refused) from error
    if application != APPLICATION or version != FORMAT:
        connection.close()
        if application == APPLICATION:
            raise InputError(f"'{path}' was made by another version of Forensia (format {version}). Use that one.")
        raise InputError(refused)
    return connection

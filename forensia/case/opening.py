"""From a path to a database that can be used: made new, looked at, recovered, brought to this version, locked."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import sqlite3
from pathlib import Path

from forensia import __version__
from forensia.case import copying, inspection, schema
from forensia.case.audit import Clock, stamp
from forensia.case.database import Database
from forensia.case.errors import CaseDamaged, CaseNewer, named, translated
from forensia.case.locking import FileLock, Locked, lock_beside
from forensia.errors import StorageError

_log = logging.getLogger(__name__)
ABOUT = ("case", "about")
WITHHELD = ("case", "withheld")


def create(path: Path, clock: Clock) -> None:
    """Make a new, empty case; it appears at its place only when it is whole."""
    with copying.replacing(path, new=True) as part:
        connection = copying.fresh(part)
        database = Database(part, connection, None, clock)
        try:
            with translated(path, "the new case", writing=True):
                connection.execute("BEGIN")
                schema.create(connection)
                connection.execute("COMMIT")
            with database.step():
                about = {"id": secrets.token_hex(16), "created": stamp(clock()), "program": __version__}
                database.put(*ABOUT, about)
                database.note("case created", {"id": about["id"], "program": __version__, "format": schema.VERSION})
        finally:
            database.close()


def open_database(path: Path, *, read_only: bool, clock: Clock, lent: bool = False) -> Database:
    """Open a case after looking at it. Whatever keeps it from being changed is told in `read_only` of the database.

    `lent`: the process that holds the lock has asked us to write, and writes nothing itself until we are done.
    """
    lock = lock_beside(path)
    try:
        path.stat()
    except OSError as error:
        raise inspection.unreadable(path, error) from error
    if lent:
        inspection.look_at(path)
        return _checked(path, "", None, clock)
    got = lock.take()
    try:
        if (
            got is not Locked.BUSY
        ):  # who has the lock has looked at it; and reading it beside SQLite would drop SQLite's locks
            inspection.look_at(path)
        reason = "it was opened for reading only" if read_only else _reason(path, got)
        if got is Locked.HELD and _can_write(path):
            _recover(path)
        database = _checked(path, reason, lock, clock)
    except BaseException as error:
        lock.release()
        if isinstance(error, OSError):
            raise inspection.unreadable(path, error) from error
        raise
    if database.read_only:
        lock.release()
    return database


def _checked(path: Path, reason: str, lock: FileLock | None, clock: Clock) -> Database:
    connection = inspection.connect(path, writable=not reason)
    try:
        version = inspection.check_declared(connection, path)
        if version > schema.VERSION and not reason:
            connection.close()
            return _checked(path, f"it was made by a newer Forensia (format {version})", lock, clock)
        if version < schema.VERSION:
            connection = _brought_up(connection, path, version, in_memory=bool(reason), clock=clock)
        database = Database(path, connection, lock, clock, reason)
        damage = database.damage()
        if damage and version > schema.VERSION:  # it may only be written in another way
            raise CaseNewer(path, version)
        if damage:
            _log.warning("A case is damaged in %d parts", len(damage))
            database.read_only = f"it is damaged in {'; '.join(damage[:3])}"
        database.found = tuple(damage)
        database.version = version
        database.withheld = not damage and database.get(*WITHHELD) is not None
        if database.withheld:
            database.read_only = database.read_only or "it is a copy without texts"
        return database
    except BaseException:
        connection.close()
        raise


def _reason(path: Path, got: Locked) -> str:
    if got is Locked.BUSY:
        return "it is open in another window or by another person"
    if not _can_write(path):
        return "the file is write-protected"
    if got is Locked.IMPOSSIBLE:
        return "nothing can be written in its folder"
    return ""


def _can_write(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _recover(path: Path) -> None:
    """Let SQLite take back a step that a kill or a power cut interrupted, and remove what a copy left unfinished."""
    with contextlib.suppress(OSError):
        copying.part_of(path).unlink(missing_ok=True)
    if inspection.journal_of(path).exists():
        connection = inspection.connect(path, writable=True)
        try:
            with translated(path, "its journal"):
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
        inspection.look_at(path)


def _brought_up(
    connection: sqlite3.Connection, path: Path, version: int, *, in_memory: bool, clock: Clock
) -> sqlite3.Connection:
    """A case of an older version in the form of this one: after a backup beside it, or in memory where it is read-only."""
    if inspection.structure(connection, path):
        raise CaseDamaged(path, "its structure", "an older case must be whole to be brought to this version")
    with translated(path, "its tables", writing=True):
        if in_memory:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            try:
                connection.backup(memory)
                inspection.harden(memory)
                schema.migrate(memory, version)
                memory.execute("PRAGMA query_only = ON")
            except BaseException:
                memory.close()
                raise
            connection.close()
            return memory
        backup = _free_name(path, version)
        copying.copy(connection, path, backup)
    database = Database(path, connection, None, clock)
    with database.step():
        schema.migrate(connection, version)
        details = {"from": version, "to": schema.VERSION, "backup": backup.name[:200], "program": __version__}
        database.note("case brought to a newer format", details)
    _log.info("A case was brought from format %d to %d", version, schema.VERSION)
    return connection


def _free_name(path: Path, version: int) -> Path:
    """A name for the backup that is not taken."""
    for number in range(1, 1000):
        more = f"-{number}" if number > 1 else ""
        name = path.with_name(f"{path.stem}.format{version}{more}{path.suffix}")
        if not name.exists():
            return name
    raise StorageError(f"There are too many backups beside '{named(path)}'. Move some of them away.")

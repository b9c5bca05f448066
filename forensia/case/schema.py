"""The tables of a case, in every version that was ever written, and the way from each version to the next.

`records` holds all that is small, as sealed JSON; `content` the texts and arrays that belong to a record; `analyses` what can
be made again from a text; `log` the audit log. Few tables, because every one must be checked before a foreign file is used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping

APPLICATION_ID = 0x46524E53
"""'FRNS': stands in the header of every case and of no other program's files."""

VERSION = 2

_RECORDS = """CREATE TABLE records (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID"""

_CONTENT = """CREATE TABLE content (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    part TEXT NOT NULL,
    coding TEXT NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (kind, name, part)
)"""

_ANALYSES = """CREATE TABLE analyses (
    text TEXT NOT NULL,
    model TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    coding TEXT NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (text, model)
)"""

_LOG = """CREATE TABLE log (
    sequence INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    event TEXT NOT NULL,
    details TEXT NOT NULL,
    state TEXT NOT NULL,
    previous TEXT NOT NULL,
    sha256 TEXT NOT NULL
)"""

_LOG_TRIGGERS = (
    """CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is never changed');
END""",
    """CREATE TRIGGER log_is_not_shortened BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'nothing is ever taken out of the audit log');
END""",
    """CREATE TRIGGER log_goes_on BEFORE INSERT ON log
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM log)
    OR NEW.previous IS NOT coalesce((SELECT sha256 FROM log ORDER BY sequence DESC LIMIT 1), '')
BEGIN
    SELECT RAISE(ABORT, 'an entry of the audit log follows the one before');
END""",
)

SCHEMAS: Mapping[int, tuple[str, ...]] = {
    0: (_RECORDS, _CONTENT, _LOG, *_LOG_TRIGGERS),  # the first trials: no place for analyses
    1: (_RECORDS, _CONTENT, _ANALYSES, _LOG, *_LOG_TRIGGERS),
    2: (_RECORDS, _CONTENT, _ANALYSES, _LOG, *_LOG_TRIGGERS),  # other records: see `version1`
}


def _from_0(connection: sqlite3.Connection) -> None:
    connection.execute(_ANALYSES)


def _from_1(connection: sqlite3.Connection) -> None:
    """The records that version 0.1 wrote stay as they are, for the log vouches for them; `version1` reads them."""


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {0: _from_0, 1: _from_1}
"""From a version to the next one. A migration never touches an entry of the log."""


def create(connection: sqlite3.Connection, version: int = VERSION) -> None:
    """Make the tables of a new case, inside the transaction of the caller."""
    for statement in SCHEMAS[version]:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring the tables of an older version to this one, inside the transaction of the caller."""
    for step in range(version, VERSION):
        MIGRATIONS[step](connection)
        connection.execute(f"PRAGMA user_version = {step + 1}")


Objects = frozenset[tuple[str, str, str, str]]


def objects(connection: sqlite3.Connection) -> Objects:
    """Everything a database declares: type, name, table and SQL of each."""
    rows = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    return frozenset((str(kind), str(name), str(table), str(sql)) for kind, name, table, sql in rows)


def expected(version: int) -> Objects:
    """What a case of a version declares, nothing more and nothing less."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        create(connection, version)
        return objects(connection)
    finally:
        connection.close()

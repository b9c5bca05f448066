"""What a case file declares, in every version that was ever written, and looking at a file before anything of it is used.

Whoever sent a file may have made it to hurt. First the header is read as plain bytes, then SQLite opens it with everything off that a
hostile schema could use, and only the tables that Forensia itself declares are accepted, to the letter.
"""

from __future__ import annotations

import sqlite3
import stat
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from forensia.case.errors import CaseDamaged, CaseForeign, CaseNewer, named, translated
from forensia.errors import StorageError

# The tables. `records` holds all that is small, as sealed JSON; `content` the texts and arrays that belong to a record; `analyses` what
# can be made again from a text; `log` the audit log. Few tables, because every one must be checked before a foreign file is used.

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


_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 5,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",  # damage under a memory map is a crash, not an error
    "PRAGMA temp_store = MEMORY",  # nothing of a document in temporary files
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA journal_size_limit = 0",
    # A rollback journal that is deleted after each commit: one file, nothing beside it between two steps; EXTRA also
    # makes the deletion itself durable, so that a power cut after a step does not undo it.
    "PRAGMA journal_mode = DELETE",
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",
)
BUSY_SECONDS = 10.0


class Header(NamedTuple):
    """The fields of the first hundred bytes that matter here."""

    page_size: int
    write_version: int
    read_version: int
    reserved: int
    pages: int
    encoding: int
    version: int
    application: int


def look_at(path: Path) -> None:
    """Refuse what cannot be a case by its kind, its size and its first bytes, before SQLite sees it."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise CaseForeign(path, "it is no ordinary file")
        with path.open("rb") as stream:
            first = stream.read(_HEADER)
    except OSError as error:
        raise unreadable(path, error) from error
    if not first:
        raise CaseForeign(path, "it is empty")
    if not first.startswith(_MAGIC):
        raise CaseForeign(path, "it does not begin as one")
    if len(first) < _HEADER:
        raise CaseDamaged(path, "its header", "the file is cut short")
    header = _header(first)
    if header.application != APPLICATION_ID:
        raise CaseForeign(path, "it is a database of another program")
    if header.write_version != 1 or header.read_version != 1 or header.encoding not in (0, 1) or header.reserved:
        raise CaseDamaged(path, "its header", "another program has changed it")
    journal = journal_of(path)
    if journal.is_file():
        _look_at_journal(path, journal)
    elif (
        header.page_size < 512 or status.st_size % header.page_size or header.pages * header.page_size > status.st_size
    ):
        raise CaseDamaged(path, "its pages", "the file is cut short")


def spare_newer(path: Path) -> None:
    """Refuse to go on when a case of a newer version lies at a place that is to be written to."""
    if not path.is_file():
        return
    try:
        with path.open("rb") as stream:
            first = stream.read(_HEADER)
    except OSError:
        return
    if len(first) == _HEADER and first.startswith(_MAGIC):
        header = _header(first)
        if header.application == APPLICATION_ID and header.version > VERSION:
            raise CaseNewer(path, header.version)


def _header(first: bytes) -> Header:
    (page_size,) = struct.unpack_from(">H", first, 16)
    write_version, read_version, reserved = first[18], first[19], first[20]
    (pages,) = struct.unpack_from(">I", first, 28)
    encoding, version = struct.unpack_from(">II", first, 56)
    (application,) = struct.unpack_from(">I", first, 68)
    if page_size == 1:
        page_size = 65_536
    return Header(page_size, write_version, read_version, reserved, pages, encoding, version, application)


def journal_of(path: Path) -> Path:
    """Where SQLite keeps what it needs to take an interrupted step back."""
    return path.with_name(path.name + "-journal")


def _look_at_journal(path: Path, journal: Path) -> None:
    """A journal that names a second one is never ours, and SQLite would delete the file that it names."""
    try:
        with journal.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - len(_SUPER_JOURNAL)))
            end = stream.read(len(_SUPER_JOURNAL))
    except OSError as error:
        raise unreadable(journal, error) from error
    if journal.is_symlink() or end == _SUPER_JOURNAL:
        raise CaseForeign(path, f"the file '{named(journal)}' beside it was not made by Forensia")


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """A connection that trusts nothing the file declares; `writable` False never changes a byte of it."""
    address = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro'}"
    with translated(path, "its header"):
        connection = sqlite3.connect(
            address, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            harden(connection)
            if not writable:
                connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def harden(connection: sqlite3.Connection) -> None:
    """Limits, and everything off that a case does not need."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    configure = getattr(connection, "setconfig", None)  # Python 3.12
    if configure is not None:
        for name, on in (("DEFENSIVE", True), ("ENABLE_VIEW", False), ("DQS_DML", False), ("DQS_DDL", False)):
            configure(getattr(sqlite3, f"SQLITE_DBCONFIG_{name}"), on)
    for statement in _SETTINGS:
        connection.execute(statement).fetchall()


def check_declared(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a case whose tables are exactly ours; a newer one must at least have all of ours as they are."""
    with translated(path, "its table of contents"):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (encoding,) = connection.execute("PRAGMA encoding").fetchone()
        declared = objects(connection)
    if application != APPLICATION_ID:
        raise CaseForeign(path, "it is a database of another program")
    if version > VERSION:
        if not expected(VERSION) <= declared or any(
            kind not in ("table", "index") for kind, *_ in declared - expected(VERSION)
        ):
            raise CaseNewer(path, version)
        if any("VIRTUAL" in sql.upper() for _, _, _, sql in declared - expected(VERSION)):
            raise CaseNewer(path, version)
    elif version not in SCHEMAS or declared != expected(version) or encoding != "UTF-8":
        raise CaseDamaged(path, "its table of contents", "it declares other things than a case does")
    return int(version)


def structure(connection: sqlite3.Connection, path: Path, table: str | None = None) -> list[str]:
    """What SQLite finds wrong in one table, or in the whole file with its indices; empty when all is well."""
    try:
        with translated(path, "its structure"):
            rows = connection.execute(f"PRAGMA quick_check({table})" if table else "PRAGMA integrity_check").fetchall()
    except CaseDamaged as damage:
        return [damage.reason]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def unreadable(path: Path, error: OSError) -> StorageError:
    """What to say when a file cannot be opened or read."""
    if isinstance(error, FileNotFoundError):
        return StorageError(f"'{named(path)}' is not there. Choose another case.")
    return StorageError(f"'{named(path)}' cannot be read ({error.strerror or 'unknown reason'}). Choose another case.")

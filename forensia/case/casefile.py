"""The file of a case: made new, opened after a look at it, brought to this version, copied, and copied without the texts.

New files are made whole under another name beside their place, then put there at once, so that the old one stays until then.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forensia import __version__
from forensia.case import inspection
from forensia.case.arrays import KIND
from forensia.case.audit import Clock, stamp
from forensia.case.database import Database
from forensia.case.documents import DISPUTED, KNOWN, Documents
from forensia.case.errors import CaseDamaged, CaseNewer, cannot_write, named, translated
from forensia.case.locking import FileLock, Locked, lock_beside
from forensia.case.results import COMPARISON
from forensia.case.storage import Json, pack, sha256
from forensia.corpus.characters import WORD
from forensia.errors import StorageError
from forensia.files import flush

_log = logging.getLogger(__name__)
ABOUT = ("case", "about")
WITHHELD = ("case", "withheld")


@contextlib.contextmanager
def replacing(target: Path, *, new: bool = False) -> Iterator[Path]:
    """A private file to write to, which takes the place of `target` when all went well; `new` refuses to replace one.

    The target is locked meanwhile: a case that is open elsewhere is never replaced under the hands of its user.
    """
    lock = lock_beside(target)
    got = lock.take()
    part = part_of(target)
    try:
        if new and target.exists():
            raise StorageError(f"'{named(target)}' is there already. Open it, or choose another name.")
        if got is Locked.BUSY:
            raise StorageError(f"'{named(target)}' is open elsewhere and was left as it is. Choose another name.")
        if target.is_dir():
            raise StorageError(f"'{named(target)}' is a folder. Choose another name.")
        inspection.spare_newer(target)
        part.unlink(missing_ok=True)  # what a kill left behind
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        flush(part)
        part.replace(target)
        flush(target.parent)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        if got is not Locked.BUSY:  # else the part is somebody else's
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        lock.release()


def part_of(target: Path) -> Path:
    """Where a file is made before it takes the place of `target`."""
    return target.with_name(f".{target.name}.part")


def copy(source: sqlite3.Connection, source_path: Path, target: Path) -> None:
    """Copy an open database to a file, page by page, and look at the copy before it replaces anything."""
    with replacing(target) as part:
        connection = fresh(part)
        try:
            with translated(target, "the copy", writing=True):
                source.backup(connection)
            if inspection.structure(connection, part) and not inspection.structure(source, source_path):
                raise StorageError(f"The copy '{named(target)}' could not be read back. Choose another place.")
        finally:
            connection.close()


def fresh(part: Path) -> sqlite3.Connection:
    """A connection to a file in the making; it needs no journal, because nobody misses it if it is never finished."""
    with translated(part, "the new file", writing=True):
        connection = sqlite3.connect(part.absolute().as_uri() + "?mode=rw", isolation_level=None, uri=True)
        inspection.harden(connection)
        connection.execute("PRAGMA journal_mode = MEMORY").fetchall()
        connection.execute("PRAGMA synchronous = OFF")  # `replacing` flushes the whole file once
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    return connection


@contextlib.contextmanager
def _new_case(
    path: Path, part: Path, what: str, clock: Clock, log: Iterable[tuple[object, ...]] = ()
) -> Iterator[Database]:
    """The first step of a case in the making, which begins with a log."""
    connection = fresh(part)
    database = Database(part, connection, None, clock)
    try:
        with translated(path, what, writing=True):
            connection.execute("BEGIN")
            inspection.create(connection)
            connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", log)
            connection.execute("COMMIT")
        with database.step():
            yield database
    finally:
        database.close()


def create(path: Path, clock: Clock) -> None:
    """Make a new, empty case; it appears at its place only when it is whole."""
    with replacing(path, new=True) as part, _new_case(path, part, "the new case", clock) as database:
        about = {"id": secrets.token_hex(16), "created": stamp(clock()), "program": __version__}
        database.put(*ABOUT, about)
        database.note("case created", {"id": about["id"], "program": __version__, "format": inspection.VERSION})


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
        # Who has the lock has looked at it; and reading it beside SQLite would drop SQLite's locks.
        if got is not Locked.BUSY:
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
        if version > inspection.VERSION and not reason:
            connection.close()
            return _checked(path, f"it was made by a newer Forensia (format {version})", lock, clock)
        if version < inspection.VERSION:
            connection = _brought_up(connection, path, version, in_memory=bool(reason), clock=clock)
        database = Database(path, connection, lock, clock, reason)
        damage = database.damage()
        if damage and version > inspection.VERSION:  # it may only be written in another way
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
        part_of(path).unlink(missing_ok=True)
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
                inspection.migrate(memory, version)
                memory.execute("PRAGMA query_only = ON")
            except BaseException:
                memory.close()
                raise
            connection.close()
            return memory
        backup = _free_name(path, version)
        copy(connection, path, backup)
    database = Database(path, connection, None, clock)
    with database.step():
        inspection.migrate(connection, version)
        details = {"from": version, "to": inspection.VERSION, "backup": backup.name[:200], "program": __version__}
        database.note("case brought to a newer format", details)
    _log.info("A case was brought from format %d to %d", version, inspection.VERSION)
    return connection


def _free_name(path: Path, version: int) -> Path:
    """A name for the backup that is not taken."""
    for number in range(1, 1000):
        more = f"-{number}" if number > 1 else ""
        name = path.with_name(f"{path.stem}.format{version}{more}{path.suffix}")
        if not name.exists():
            return name
    raise StorageError(f"There are too many backups beside '{named(path)}'. Move some of them away.")


RUN = 6
"""Words in a row that, when a document has them too, are taken for a quotation of it."""

LEFT_OUT = "[left out: words of a document]"
QUOTING = frozenset({"passage", "passages", "excerpt", "excerpts", "context", "examples", "quotation"})
"""Names under which a result quotes a text, however briefly."""

_KEPT = ("case", "corpus", KNOWN, DISPUTED, "choice", KIND, "result", COMPARISON, "note", "report")


def export(database: Database, target: Path) -> None:
    """Write a copy without the texts: hashes, results and the log, for somebody who must not see what the documents say.

    It is made from nothing rather than by taking out, so that no trace of a text can be left in it. Models are left out too, because a
    vocabulary tells much about the texts it was learnt from; their hashes stay. The case notes in its log that it was made.
    """
    with database.reading("the case"), replacing(target) as part:
        stored = Documents(database)
        said = _Said(each.original for each in (*stored.known(), *stored.disputed()))
        log = database.connection.execute("SELECT * FROM log ORDER BY sequence")
        with _new_case(target, part, "the copy", database.clock, log) as copy:
            for kind in _KEPT:
                for name, body in database.all(kind).items():
                    copy.put(kind, name, _redacted(kind, body, said))
            copy.put(*WITHHELD, {"run": RUN, "strings": said.count})
            copy.note("texts left out", {"strings": said.count})
    if not database.read_only:
        digest = sha256(target.read_bytes())
        database.note("exported without texts", {"name": target.name[:200], "sha256": digest})


class _Said:
    """Knows which runs of words the documents have."""

    def __init__(self, texts: Iterable[str]) -> None:
        parts = [_runs(text) for text in texts]
        self._known = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.uint64)
        self.count = 0

    def cleaned(self, value: Json) -> Json:
        """The value without strings that quote a document."""
        if isinstance(value, str):
            return self._redacted(value)
        if isinstance(value, list):
            return [self.cleaned(each) for each in value]
        if isinstance(value, dict):
            return {self._redacted(key): self._field(key, each) for key, each in value.items()}
        return value

    def _field(self, key: str, value: Json) -> Json:
        if key in QUOTING and value:
            self.count += 1
            return LEFT_OUT
        return self.cleaned(value)

    def _redacted(self, text: str) -> str:
        runs = _runs(text)
        place = np.minimum(np.searchsorted(self._known, runs), max(0, len(self._known) - 1))
        if not len(self._known) or not bool((self._known[place] == runs).any()):
            return text
        self.count += 1
        return LEFT_OUT


def _runs(text: str) -> NDArray[np.uint64]:
    """A number for each run of words; the numbers hold for this process only."""
    words = np.fromiter((hash(word) for word in WORD.findall(text.lower())), np.int64).view(np.uint64)
    count = len(words) - RUN + 1
    if count < 1:
        return np.zeros(0, np.uint64)
    found = np.zeros(count, np.uint64)
    for place in range(RUN):
        found = found * np.uint64(0x9E3779B97F4A7C15) + words[place : place + count]
    return found


def _redacted(kind: str, body: Json, said: _Said) -> Json:
    """A record as the copy has it."""
    if kind in ("choice", "result", COMPARISON, "note"):
        return said.cleaned(body)
    if kind == KIND:
        return {**body, "header": {"withheld": sha256(pack(body["header"], "header"))}}
    if kind in ("corpus", KNOWN, DISPUTED):
        return {**body, "problems": said.cleaned(body["problems"])}
    return body

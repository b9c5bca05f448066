"""The database under a case: sealed records, the content that belongs to them, and steps that happen wholly or not at all.

It knows nothing of documents and models. Whatever is read is compared with its hash first; whatever is changed is changed
inside a step, which ends in one commit together with its entries in the audit log.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from forensia.case import audit, inspection
from forensia.case.audit import Clock, stamp
from forensia.case.errors import CaseDamaged, CaseReadOnly, CaseRefused, CaseWithheld, explained, named, translated
from forensia.case.inspection import VERSION
from forensia.case.locking import FileLock
from forensia.case.storage import LARGEST, Json, decoded, encoded, pack, sha256, unpack
from forensia.errors import StorageError

_log = logging.getLogger(__name__)
_LOG = "log"
_HEAD = "head"
_LABEL = {"known": "the document", "disputed": "the disputed document", "arrays": "the arrays"}


class Database:
    """A connection with its lock on the file; all access goes through one thread at a time."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: FileLock | None, clock: Clock, read_only: str = ""
    ) -> None:
        self.path = path
        self.connection = connection
        self.clock = clock
        self.read_only = read_only  # why it cannot be changed; empty when it can
        self.withheld = False  # a copy without texts
        self.found: tuple[str, ...] = ()  # the parts that were damaged when it was opened
        self.version = VERSION
        self._file = lock
        self._identity = path.stat()
        self._mutex = threading.RLock()
        self._depth = 0
        self._events: list[tuple[str, str]] = []
        self._dirty = False
        self._sound = False
        self._doubtful: set[str] | None = set()  # the kinds of record that may be incomplete; None is all
        self._closed = False

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        with self._mutex:
            self._closed = True
            self.connection.close()
            if self._file is not None:
                self._file.release()

    # Reading

    @contextlib.contextmanager
    def reading(self, part: str) -> Iterator[sqlite3.Connection]:
        """Several reads of one state of the file, while another program may be writing to it."""
        with self._mutex, translated(self.path, part):
            self._check_open()
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def get(self, kind: str, name: str) -> dict[str, Json] | None:
        """A record, or None when there is none; its seal is checked."""
        with self.reading(label(kind, name)) as connection:
            row = connection.execute(
                "SELECT sha256, body FROM records WHERE kind = ? AND name = ?", (kind, name)
            ).fetchone()
        if row is None:
            self._check_complete(kind)
            return None
        return self._opened(kind, name, *row)

    def all(self, kind: str) -> dict[str, dict[str, Json]]:
        """All records of a kind by name, in the order of their names."""
        self._check_complete(kind)
        with self.reading(label(kind)) as connection:
            rows = connection.execute(
                "SELECT name, sha256, body FROM records WHERE kind = ? ORDER BY name", (kind,)
            ).fetchall()
        return {name: self._opened(kind, name, seal, body) for name, seal, body in rows}

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of the records of a kind, in order."""
        self._check_complete(kind)
        with self.reading(label(kind)) as connection:
            rows = connection.execute("SELECT name FROM records WHERE kind = ? ORDER BY name", (kind,)).fetchall()
        return tuple(str(name) for (name,) in rows)

    def _check_complete(self, kind: str) -> None:
        if self._doubtful is None or kind in self._doubtful:
            raise CaseDamaged(self.path, label(kind), "something is missing or comes from elsewhere")

    def _opened(self, kind: str, name: object, seal: object, body: object) -> dict[str, Json]:
        part = label(kind, str(name))
        if not isinstance(name, str) or not isinstance(body, str) or seal != _seal(kind, name, body):
            raise CaseDamaged(self.path, part)
        try:
            value = unpack(body)
        except ValueError as error:
            raise CaseDamaged(self.path, part) from error
        if not isinstance(value, dict):
            raise CaseDamaged(self.path, part)
        return value

    def content(self, kind: str, name: str, part: str, digest: str) -> bytes:
        """The bytes that belong to a record, compared with the hash that the record has of them."""
        what = label(kind, name, part)
        with self.reading(what) as connection:
            row = connection.execute(
                "SELECT coding, size, data FROM content WHERE kind = ? AND name = ? AND part = ?", (kind, name, part)
            ).fetchone()
        if row is None:
            if self.withheld:
                raise CaseWithheld(self.path, what)
            raise CaseDamaged(self.path, what, "it is missing")
        try:
            data = decoded(*row)
        except ValueError as error:
            raise CaseDamaged(self.path, what) from error
        if sha256(data) != digest:
            raise CaseDamaged(self.path, what)
        return data

    def digests(self) -> dict[str, str]:
        """A hash for each kind of record over the names and seals of all there are."""
        lines: dict[str, list[str]] = {}
        before = ("", "")
        for kind, name, seal in self.connection.execute("SELECT kind, name, sha256 FROM records ORDER BY kind, name"):
            if not isinstance(kind, str) or not isinstance(name, str) or (kind, name) <= before:
                raise CaseDamaged(self.path, "the table of records")  # out of order, so that others are no longer found
            before = (kind, name)
            if kind != _LOG:
                lines.setdefault(kind, []).append(f"{name} {seal}\n")
        return {kind: sha256("".join(each)) for kind, each in lines.items()}

    def log_head(self) -> tuple[int, str, dict[str, str]] | None:
        """The number and the hash of the last entry and the hashes of all kinds, as they were kept beside the log."""
        record = self.get(_LOG, _HEAD)
        try:
            return None if record is None else (record["sequence"], record["sha256"], dict(record["digests"]))
        except (KeyError, TypeError, ValueError) as error:
            raise CaseDamaged(self.path, "the end of the audit log") from error

    def damage(self) -> list[str]:
        """The parts that are found damaged without reading texts and arrays; empty when all is well.

        The last entry of the log vouches for all records. Where it does not, the kinds that have changed cannot be listed any
        more: a list with something missing would be another result.
        """
        unsound = [each for each in ("records", "log") if inspection.structure(self.connection, self.path, each)]
        found = [f"the table of {table}" for table in unsound]
        last, now, head = None, None, None
        with contextlib.suppress(CaseDamaged), self.reading("the records"):
            last = audit.last(self.connection)
            head = self.log_head()
            now = self.digests()
        if last is None or last.seal != last.sha256 or head is None or head[:2] != (last.sequence, last.sha256):
            found.append("the end of the audit log")
        elif now is not None and _state(now) == last.state and "records" not in unsound:
            return found
        if now is None or head is None or "records" in unsound:
            self._doubtful = None
        else:  # the head is kept twice, so that a damaged end of the log does not put everything in doubt
            self._doubtful = {kind for kind in {*now, *head[2]} if now.get(kind) != head[2].get(kind)}
        lost = [f"{label(kind)}: something is missing or comes from elsewhere" for kind in sorted(self._doubtful or ())]
        return [*found, *(self.broken_records() or lost)] or ["the records"]

    def broken_records(self) -> list[str]:
        """The records whose seal is broken, by name."""
        broken = []
        try:
            with self.reading("the records") as connection:
                for kind, name, seal, body in connection.execute("SELECT kind, name, sha256, body FROM records"):
                    try:
                        self._opened(str(kind), name, seal, body)
                    except CaseDamaged as damage:
                        broken.append(damage.part)
        except CaseDamaged as damage:
            broken.append(damage.part)
        return broken

    # Changing

    @contextlib.contextmanager
    def step(self) -> Iterator[None]:
        """A change that happens wholly or not at all. Steps inside a step are part of it; keep long work outside."""
        with self._mutex:
            outer = self._depth == 0
            if outer:
                self._begin()
            point = f"step_{self._depth}"
            noted = len(self._events)
            if not outer:
                self._run(f"SAVEPOINT {point}")
            self._depth += 1
            try:
                yield
                if outer:
                    self._commit()
                else:
                    self._run(f"RELEASE {point}")
            except BaseException as error:
                del self._events[noted:]
                self._take_back(None if outer else point)
                if isinstance(error, sqlite3.Error):
                    raise explained(error, self.path, "its tables", writing=True) from error
                raise
            finally:
                self._depth -= 1
                if outer:
                    self._events.clear()
                    self._dirty = False

    def note(self, event: str, details: Json) -> None:
        """An entry of the audit log, written with the step it belongs to."""
        prepared = audit.prepared(event, details)
        with self.step():
            self._events.append(prepared)

    def put(self, kind: str, name: str, body: dict[str, Json]) -> None:
        """Store a record in place of the one of that name."""
        text = pack(body, label(kind, name).removeprefix("the "))
        self._changed()
        self._run("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", (kind, name, _seal(kind, name, text), text))

    def delete(self, kind: str, name: str) -> None:
        """Take out a record and all content that belongs to it."""
        self._changed()
        self._run("DELETE FROM content WHERE kind = ? AND name = ?", (kind, name))
        self._run("DELETE FROM records WHERE kind = ? AND name = ?", (kind, name))

    def put_content(self, kind: str, name: str, part: str, data: bytes, *, deflate: bool) -> None:
        """Store bytes that belong to a record; the record holds their hash."""
        if len(data) > LARGEST:
            raise CaseRefused(
                f"{label(kind, name, part)} is too large for a case ({len(data):,} bytes). Nothing was changed."
            )
        self._changed()
        self._run(
            "INSERT OR REPLACE INTO content VALUES (?, ?, ?, ?, ?, ?)",
            (kind, name, part, *_row(encoded(data, deflate=deflate), len(data))),
        )

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> None:
        self.connection.execute(statement, values)

    def _changed(self) -> None:
        if not self._depth:
            raise RuntimeError("a case is changed inside a step only")
        self._dirty = True

    def _check_open(self) -> None:
        if self._closed:
            raise CaseRefused(f"'{named(self.path)}' was closed. Open it again.")

    def _begin(self) -> None:
        self._check_open()
        if self.read_only:
            raise CaseReadOnly(self.path, self.read_only)
        try:
            there = os.path.samestat(self.path.stat(), self._identity)
        except OSError:
            there = False
        if not there:  # SQLite would go on writing to a file that nobody can find any more
            raise StorageError(
                f"'{named(self.path)}' is no longer where it was: it was moved, removed or replaced while it was open. "
                "Save a copy in another place to keep the work."
            )
        with translated(self.path, "its tables", writing=True):
            self._run("BEGIN IMMEDIATE")
        if not self._sound:
            # What is damaged must not be written to: a page that is both free and in use would take a text with it.
            findings = inspection.structure(self.connection, self.path)
            if findings:
                self._take_back(None)
                _log.warning("%d findings in the structure of a case", len(findings))
                self.read_only = "its structure is damaged"
                raise CaseDamaged(self.path, "its structure")
            self._sound = True

    def _commit(self) -> None:
        if not self.connection.in_transaction:  # SQLite took everything back at an error that somebody caught
            raise StorageError(f"'{named(self.path)}' could not be written. The case is as it was before; try again.")
        if self._dirty and not self._events:
            raise RuntimeError("a change of a case needs an entry in its log")
        if self._events:
            digests = self.digests()
            sequence, seal = audit.append(self.connection, self._events, _state(digests), stamp(self.clock()))
            self.put(_LOG, _HEAD, {"sequence": sequence, "sha256": seal, "digests": digests})
        (pages,) = self.connection.execute("PRAGMA page_count").fetchone()
        (free,) = self.connection.execute("PRAGMA freelist_count").fetchone()
        if free > 64 and free > pages // 5:
            for _ in range(free):  # Python's sqlite3 takes one step of this pragma, which is one page
                self._run("PRAGMA incremental_vacuum(1)")
        self._run("COMMIT")

    def _take_back(self, point: str | None) -> None:
        with contextlib.suppress(sqlite3.Error):
            if point is None:
                if self.connection.in_transaction:
                    self._run("ROLLBACK")
            else:
                self._run(f"ROLLBACK TO {point}")
                self._run(f"RELEASE {point}")


def label(kind: str, name: str = "", part: str = "") -> str:
    """What a part of a case is called in a sentence."""
    what = f"{_LABEL.get(kind, 'the ' + kind)} {name}".strip()
    return f"{part} of {what}" if part else what


def _row(coded: tuple[str, bytes], size: int) -> tuple[str, int, bytes]:
    return coded[0], size, coded[1]


def _state(digests: Mapping[str, str]) -> str:
    """One hash over all records."""
    return sha256("".join(f"{kind} {digest}\n" for kind, digest in sorted(digests.items())))


def _seal(kind: str, name: str, body: str) -> str:
    return sha256(f"{kind}\0{name}\0{body}")

"""New files: made whole under another name beside their place, then put there at once, so that the old one stays until then."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from forensia.case import inspection
from forensia.case.errors import cannot_write, named, translated
from forensia.case.locking import Locked, lock_beside
from forensia.errors import StorageError
from forensia.files import flush


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

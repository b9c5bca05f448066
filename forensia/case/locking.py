"""What one process alone may use: a case, by a lock of the operating system on an empty file beside it, and a folder for temporary files.

The system drops a lock when the process ends, however it ends, so a kill leaves no case locked. It is not on the case itself, because
closing any handle of a file drops the locks that SQLite holds on it.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import logging
import os
import secrets
import shutil
import sys
from enum import Enum
from pathlib import Path
from typing import Self

from forensia import paths
from forensia.errors import StorageError

_TRIES = 20


class Locked(Enum):
    """What came of asking for a lock."""

    HELD = "held"
    BUSY = "busy"  # somebody else has it
    IMPOSSIBLE = "impossible"  # the folder is read-only, or cannot lock


class FileLock:
    """An exclusive lock on a file that is made for it and taken away after it; `take` never waits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = -1

    def take(self) -> Locked:
        """Ask for the lock; a file that was taken away between opening and locking is no lock, so look again."""
        if self._handle >= 0:
            return Locked.HELD
        for _ in range(_TRIES):
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            except OSError:
                return Locked.IMPOSSIBLE
            got = _lock(handle)
            if got is Locked.HELD and self._is_at_path(handle):
                self._handle = handle
                return got
            os.close(handle)
            if got is not Locked.HELD:
                return got
        return Locked.BUSY

    def release(self) -> None:
        """Give the lock back and take its file away; safe to call twice."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if sys.platform == "win32":  # an open file cannot be taken away there
            os.close(handle)
            with contextlib.suppress(OSError):
                self.path.unlink()
        else:
            if self._is_at_path(handle):
                with contextlib.suppress(OSError):
                    self.path.unlink()
            os.close(handle)

    def _is_at_path(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), self.path.stat())
        except OSError:
            return False


def lock_beside(case: Path) -> FileLock:
    """The lock of a case, named as SQLite names its own files beside a database."""
    return FileLock(case.with_name(case.name + "-lock"))


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> Locked:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return Locked.BUSY if error.errno in (errno.EACCES, errno.EDEADLK) else Locked.IMPOSSIBLE
        return Locked.HELD

else:
    import fcntl

    def _lock(handle: int) -> Locked:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return Locked.BUSY
        except OSError:
            return Locked.IMPOSSIBLE
        return Locked.HELD


_log = logging.getLogger(__name__)
_OWNER = "owner.lock"
_TRIES_OF_FOLDERS = 5


class Scratch:
    """A folder of this process. It holds a lock as long as it lives, so that another start knows whether its owner is gone."""

    def __init__(self, base: Path | None = None) -> None:
        place = _base(base)
        for _ in range(_TRIES_OF_FOLDERS):  # another start may sweep the folder away between making and locking it
            self.path = paths.private_folder(place / secrets.token_hex(8))
            self._lock = FileLock(self.path / _OWNER)
            if self._lock.take() is Locked.HELD:
                atexit.register(self.close)
                return
        raise StorageError(
            f"The folder {place} cannot be used for temporary files. Set FORENSIA_HOME to another place."
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder with all that is in it; safe to call twice."""
        atexit.unregister(self.close)
        _remove(self.path, self._lock)


def sweep(base: Path | None = None) -> int:
    """Remove the folders whose owner is gone; return how many. To be called at each start."""
    removed = 0
    for folder in sorted(_base(base).iterdir()):
        if folder.is_symlink() or not folder.is_dir():
            continue
        lock = FileLock(folder / _OWNER)
        if lock.take() is Locked.HELD:
            _remove(folder, lock)
            removed += 1
    if removed:
        _log.info("%d folders of temporary files were left by an earlier start and are removed", removed)
    return removed


def _remove(folder: Path, lock: FileLock) -> None:
    """Empty the folder while its lock is held, then let the lock go and remove the rest."""
    with contextlib.suppress(OSError):
        for each in folder.iterdir():
            if each.name == _OWNER:
                continue
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    each.unlink()
    lock.release()
    with contextlib.suppress(OSError):
        folder.rmdir()


def _base(base: Path | None) -> Path:
    return paths.private_folder((base or paths.cache_dir()) / "scratch")

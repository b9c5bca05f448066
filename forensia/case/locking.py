"""Who may write: a lock of the operating system on an empty file beside the case.

The system drops it when the process ends, however it ends, so a kill leaves no case locked. It is not on the case itself, because
closing any handle of a file drops the locks that SQLite holds on it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from enum import Enum
from pathlib import Path

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

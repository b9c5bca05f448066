"""A private folder for temporary files: for this user alone, removed at exit, and swept at the next start after a crash."""

from __future__ import annotations

import atexit
import contextlib
import logging
import secrets
import shutil
from pathlib import Path
from typing import Self

from forensia import paths
from forensia.case.locking import FileLock, Locked
from forensia.errors import StorageError

_log = logging.getLogger(__name__)
_OWNER = "owner.lock"
_TRIES = 5


class Scratch:
    """A folder of this process. It holds a lock as long as it lives, so that another start knows whether its owner is gone."""

    def __init__(self, base: Path | None = None) -> None:
        place = _base(base)
        for _ in range(_TRIES):  # another start may sweep the folder away between making and locking it
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

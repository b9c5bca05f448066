"""Something costly, made once in a test run and shared by all its workers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` has filled; the first worker that asks makes it, the others wait. To be read only."""
    from forensia.case.locking import FileLock, Locked

    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, done = base / f"once-{name}", base / f"once-{name}.done"
    lock = FileLock(base / f"once-{name}.lock")
    while (taken := lock.take()) is Locked.BUSY:
        time.sleep(0.2)
    assert taken is Locked.HELD
    try:
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    finally:
        lock.release()
    return folder

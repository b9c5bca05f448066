"""Processes that tests start and end."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path


def gone(pid: int, seconds: float = 60.0) -> bool:
    """Whether a process ends; one that was never waited for counts as ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False

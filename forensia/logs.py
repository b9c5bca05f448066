"""The log: one rotating file for each user, and a note of a crash that the next start shows. Never document text.

An exception's message may quote what it choked on, so of foreign exceptions only the type and the places are written; the
sentences of `ForensiaError` are ours and hold no document text.
"""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import os
import platform
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

from forensia import __version__, paths
from forensia.errors import ForensiaError

_MEGABYTE = 1_000_000
_log = logging.getLogger(__name__)
_crash_stream: TextIO | None = None


class _SilentAboutText(logging.Formatter):
    """Formats exceptions without the words of foreign exceptions and without source lines."""

    def formatException(self, ei: object) -> str:
        if isinstance(ei, tuple) and len(ei) == 3 and isinstance(ei[1], BaseException):
            return describe(ei[1], ei[2])
        return "(no exception)"


def describe(error: BaseException, trace: TracebackType | None = None) -> str:
    """Where an exception came from, innermost last, without anything it quotes."""
    lines = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < 8:
        seen.add(id(current))
        words = f": {current}" if isinstance(current, ForensiaError) else ""
        lines.append(f"{type(current).__module__}.{type(current).__name__}{words}")
        for frame in traceback.extract_tb(trace if current is error and trace else current.__traceback__):
            lines.append(f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}")
        current = current.__cause__ or current.__context__
    return "\n".join(lines)


def start(level: int = logging.INFO) -> Path:
    """Log to the user's log folder from now on; return the file. Safe to call twice."""
    file = log_file()
    root = logging.getLogger("forensia")
    root.setLevel(level)
    root.propagate = True
    for handler in list(root.handlers):
        if isinstance(handler, logging.handlers.RotatingFileHandler):
            if Path(handler.baseFilename) == file:
                return file
            root.removeHandler(handler)
            handler.close()
    try:
        handler = logging.handlers.RotatingFileHandler(
            file, maxBytes=2 * _MEGABYTE, backupCount=3, encoding="utf-8", errors="backslashreplace", delay=True
        )
    except OSError:  # a log that cannot be written must not keep anybody from working
        return file
    handler.setFormatter(_SilentAboutText("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root.addHandler(handler)
    _log.info("Forensia %s, Python %s, %s", __version__, platform.python_version(), platform.platform())
    return file


def log_file() -> Path:
    return paths.log_dir() / "forensia.log"


def crash_file() -> Path:
    return paths.log_dir() / "crash.txt"


def watch_for_crashes() -> str:
    """Let a hard crash (a fault in a library) leave its stack in a file; return what the last crash left, if any."""
    global _crash_stream
    left = ""
    file = crash_file()
    try:
        if file.exists() and file.stat().st_size:
            left = file.read_text(encoding="utf-8", errors="replace")[:20_000]
            file.replace(file.with_name("crash-previous.txt"))
        stop_watching()
        _crash_stream = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8")
        faulthandler.enable(_crash_stream)
    except OSError:
        _log.warning("No crash file can be written in %s", file.parent)
    return left


def stop_watching() -> None:
    """Close the crash file; called at a clean exit."""
    global _crash_stream
    if _crash_stream is not None:
        faulthandler.disable()
        _crash_stream.close()
        _crash_stream = None

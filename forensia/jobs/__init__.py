"""Long work: child processes, and progress that doubles as cancellation; knows no Qt.

Long functions call their progress, and it raises `Cancelled` when somebody wants them to stop.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TextIO, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """Called with the share of the work that is done (0 to 1) and what is being done; may raise `Cancelled`."""

    def __call__(self, fraction: float, message: str = "") -> None: ...


def silent(fraction: float, message: str = "") -> None:
    """For work that nobody watches."""


def part(progress: Progress, start: float, end: float) -> Progress:
    """The progress of one stage, as a share of the whole from `start` to `end`."""

    def inner(fraction: float, message: str = "") -> None:
        progress(start + (end - start) * min(max(fraction, 0.0), 1.0), message)

    return inner


def tracked(items: Iterable[T], progress: Progress, message: str = "", total: int | None = None) -> Iterator[T]:
    """Iterate over `items`, reporting before each one; a cancelled job stops there."""
    if total is None:
        total = len(items) if isinstance(items, Sized) else 0
    for done, item in enumerate(items):
        progress(done / total if total else 0.0, message)
        yield item
    progress(1.0, message)


class TerminalBar:
    """A progress bar on a terminal; on anything else it stays silent, so that logs and pipes remain clean."""

    WIDTH = 28

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._shown = self._stream.isatty()
        self._last = 0.0
        self._drawn = 0

    def __call__(self, fraction: float, message: str = "") -> None:
        now = time.monotonic()
        if not self._shown or (now - self._last < 0.08 and fraction < 1.0):
            return
        self._last = now
        full = round(self.WIDTH * min(max(fraction, 0.0), 1.0))
        line = f"{'█' * full}{'░' * (self.WIDTH - full)} {fraction:4.0%}  {message[:60]}"
        self._stream.write("\r" + line + " " * max(0, self._drawn - len(line)))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0

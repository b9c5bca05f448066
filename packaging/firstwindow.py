#!/usr/bin/env python3
"""How long it takes until a program's first window is there, beside a bare PySide6 window (Linux, needs Xvfb).

    python3 packaging/firstwindow.py [--times N] [--smallest PIXELS] NAME=COMMAND ...

Each command is started N times on an X server of its own, in turn, so that a busy moment of the machine meets all of them; the time
runs from the start of the process until the server shows a window of it. The first command is what the others are compared with.
The time of the processor is told too: it is the same on a busy machine.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

VIEWABLE = 2
PATIENCE = 180.0


class NoWindow(Exception):
    """A program ended, or time did, before a window of it was seen."""


class Start(NamedTuple):
    """Seconds until the first window: by the clock, and of the processor."""

    clock: float
    processor: float


class Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib, as far as it is used here."""

    _fields_ = (
        ("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int), ("border", ctypes.c_int),
        ("depth", ctypes.c_int), ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong), ("kind", ctypes.c_int),
        ("bit_gravity", ctypes.c_int), ("win_gravity", ctypes.c_int), ("backing_store", ctypes.c_int),
        ("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong), ("save_under", ctypes.c_int), ("colormap", ctypes.c_ulong),
        ("installed", ctypes.c_int), ("map_state", ctypes.c_int), ("rest", ctypes.c_char * 64),
    )  # fmt: skip


class TextProperty(ctypes.Structure):
    """XTextProperty of Xlib."""

    _fields_ = (
        ("value", ctypes.c_char_p), ("encoding", ctypes.c_ulong), ("format", ctypes.c_int), ("items", ctypes.c_ulong),
    )  # fmt: skip


class Screen:
    """Looks at the windows on a display."""

    def __init__(self, display: str, smallest: int) -> None:
        self._smallest = smallest
        self._x = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(display.encode()))
        self._root = self._x.XDefaultRootWindow(self._display)
        self._x.XInternAtom.restype = ctypes.c_ulong
        self._title = ctypes.c_ulong(self._x.XInternAtom(self._display, b"_NET_WM_NAME", 0))
        # A window that goes away while it is looked at is no error of ours.
        self._quiet = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)
        self._x.XSetErrorHandler(self._quiet)

    def shows_window(self) -> bool:
        return any(self._is_shown(window) for window in self._windows())

    def titles(self) -> list[str]:
        """The titles of the windows that are shown; WM_NAME, the older property, cannot hold a dash."""
        found, title = [], TextProperty()
        for window in self._windows():
            asked = self._display, ctypes.c_ulong(window), ctypes.byref(title), self._title
            if self._is_shown(window) and self._x.XGetTextProperty(*asked):
                found.append((title.value or b"").decode("utf-8", "replace"))
        return found

    def _windows(self) -> list[int]:
        """Without a window manager, the windows of programs are the children of the root."""
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        self._x.XQueryTree(
            self._display, ctypes.c_ulong(self._root), ctypes.byref(root), ctypes.byref(parent),
            ctypes.byref(children), ctypes.byref(count),
        )  # fmt: skip
        windows = [children[number] for number in range(count.value)]
        if children:
            self._x.XFree(children)
        return windows

    def _is_shown(self, window: int) -> bool:
        about = Attributes()
        if not self._x.XGetWindowAttributes(self._display, ctypes.c_ulong(window), ctypes.byref(about)):
            return False
        return about.map_state == VIEWABLE and min(about.width, about.height) >= self._smallest


@contextmanager
def server() -> Iterator[str]:
    """An X server in memory; yields the name of its display."""
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        yield f":{process.stdout.readline().decode().strip()}"
    finally:
        process.terminate()
        process.wait()


def seconds(command: list[str], display: str, home: str, smallest: int) -> Start:
    """Start a command, wait for its window, end it with all it has started."""
    environment = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment |= {"DISPLAY": display, "FORENSIA_HOME": home, "XDG_RUNTIME_DIR": home}
    screen = Screen(display, smallest)
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while not screen.shows_window():
            if process.poll() is not None or time.perf_counter() - begun > PATIENCE:
                raise NoWindow(f"{command[0]} showed no window.")
            time.sleep(0.004)
        return Start(time.perf_counter() - begun, worked(process.pid))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while screen.shows_window():
            time.sleep(0.01)


def worked(process: int) -> float:
    """The time of the processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(commands: dict[str, list[str]], times: int, smallest: int) -> dict[str, Start]:
    """The median of every start but the first of each command, which reads from the disk."""
    took: dict[str, list[Start]] = {name: [] for name in commands}
    with server() as display, tempfile.TemporaryDirectory() as home:
        for _ in range(times + 1):
            for name, command in commands.items():
                took[name].append(seconds(command, display, home, smallest))
    return {name: Start(*map(statistics.median, zip(*each[1:], strict=True))) for name, each in took.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument(
        "--smallest", type=int, default=100, help="what has fewer pixels on a side is no window (500: not the notice)"
    )
    parser.add_argument("commands", nargs="+", metavar="NAME=COMMAND")
    options = parser.parse_args()
    commands = {name: shlex.split(words) for name, _, words in (text.partition("=") for text in options.commands)}
    try:
        took = measured(commands, options.times, options.smallest)
    except NoWindow as problem:
        raise SystemExit(str(problem)) from None
    first = took[next(iter(commands))]
    for name, each in took.items():
        sys.stdout.write(
            f"{name:<16} median {each.clock:6.2f} s, ratio {each.clock / first.clock:4.2f};"
            f"  processor {each.processor:5.2f} s, ratio {each.processor / first.processor:4.2f}\n"
        )


if __name__ == "__main__":
    main()

"""Finding the files of a folder without trusting it: no link is followed out of it, no device is opened, every name stays distinct."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from forensia.corpus.document import FileRefused, Problem, Severity, Value
from forensia.errors import InputError
from forensia.jobs import Progress, silent

MAX_FILES = 500_000
MAX_DEPTH = 64
_REPORT_EVERY = 256

_DROPPINGS = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", "__macosx", "$recycle.bin"})
_UNSHOWABLE = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:\\|x([0-9a-f]{2})|u([0-9a-f]{4}))")


class Unreadable(FileRefused):
    """A file that is there but cannot be opened, or is not a file at all."""


class TooLarge(FileRefused):
    """A file beyond a stated limit of size."""

    kind = "too-large"


class Entry(NamedTuple):
    """A file found in a folder: `relative` is shown and stored, `place` is what the system opens."""

    relative: str
    place: str

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.relative.split("/"))

    @property
    def name(self) -> str:
        return self.relative.rpartition("/")[2]

    @property
    def stem(self) -> str:
        name = self.name
        return name.rpartition(".")[0] or name

    @property
    def suffix(self) -> str:
        """The ending in lower case with its dot, or nothing."""
        start, dot, ending = self.relative.rpartition(".")
        return (dot + ending).lower() if start and start[-1] != "/" and "/" not in ending else ""


@dataclass(frozen=True)
class Listing:
    """What was found below `root`, in the order of the names; `single` when the user chose one file instead of a folder."""

    root: str
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    single: bool = False

    @cached_property
    def top(self) -> tuple[Entry, ...]:
        """The files that lie in the folder itself."""
        return tuple(entry for entry in self.entries if "/" not in entry.relative)


def shown(name: str) -> str:
    r"""A name as it may be shown and stored: bytes that are no UTF-8 and control characters become `\xNN`, a backslash doubles.

    No two names become the same, and `place_of` finds the way back.
    """
    if name.isprintable() and "\\" not in name:
        return name
    return _UNSHOWABLE.sub(_escaped, name)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character == "\\":
        return "\\\\"
    if 0xDC80 <= code <= 0xDCFF:  # how Python carries a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}"


def place_of(root: str, relative: str) -> str:
    """Where the system finds a file, from the folder and the name as it is shown."""

    def character(match: re.Match[str]) -> str:
        byte, code = match[1], match[2]
        if byte:
            return chr(0xDC00 + int(byte, 16))
        return chr(int(code, 16)) if code else "\\"

    return os.path.join(root, *(_ESCAPE.sub(character, part) for part in relative.split("/")))  # noqa: PTH118


def walk(path: Path, progress: Progress = silent) -> Listing:
    """Every file below a folder that can be opened safely, and a problem for every one that cannot."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise Unreadable("place", shown(str(path)), reason=_reason(error)) from error
    except ValueError as error:  # a NUL in the name
        raise Unreadable("no name") from error
    if stat.S_ISREG(mode):
        place = os.path.realpath(path)
        return Listing(os.path.dirname(place), (Entry(shown(path.name), place),), single=True)  # noqa: PTH120
    if not stat.S_ISDIR(mode):
        raise Unreadable("neither", shown(str(path)))
    return _Walk(os.path.realpath(path), progress).listing()


class _Walk:
    """One walk: the files and problems found so far."""

    def __init__(self, root: str, progress: Progress) -> None:
        self.root = root
        self.inside = os.path.join(root, "")  # noqa: PTH118
        self.progress = progress
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.seen = 0

    def listing(self) -> Listing:
        folders = [(self.root, "", 0)]
        while folders:
            place, prefix, depth = folders.pop()
            found = self._scan(place, prefix)
            below = []
            for item in found:
                relative = prefix + shown(item.name)
                if self._is_folder(item, relative):
                    if depth >= MAX_DEPTH:
                        self._tell("too-deep", relative)
                    else:
                        below.append((item.path, relative + "/", depth + 1))
            folders += reversed(below)
        entries = sorted(self.entries, key=lambda entry: entry.relative)
        return Listing(self.root, tuple(entries), tuple(self.problems))

    def _scan(self, place: str, prefix: str) -> list[os.DirEntry[str]]:
        found = []
        try:
            with os.scandir(place) as items:
                for item in items:
                    self.seen += 1
                    if self.seen % _REPORT_EVERY == 1:
                        self.progress(0.0, f"Looking for files: {len(self.entries):,} found")
                    if not _ignored(item.name):
                        found.append(item)
        except OSError as error:
            name = prefix.rstrip("/") or "."
            self._tell("unreadable", name, why="folder", reason=_reason(error))
        if len(self.entries) + len(found) > MAX_FILES:
            raise InputError(
                f"'{shown(self.root)}' holds more than {MAX_FILES:,} files. Choose a folder further down, or a table."
            )
        found.sort(key=lambda item: item.name)
        for group in similar(item.name for item in found):
            names = tuple(map(shown, group))
            self.problems.append(Problem.of("similar-names", file=prefix + names[0], names=names))
        return found

    def _is_folder(self, item: os.DirEntry[str], relative: str) -> bool:
        """True for a folder to look into; a file is added to the entries, and anything else is told."""
        try:
            if item.is_symlink():
                self._link(item, relative)
            elif item.is_dir(follow_symlinks=False):
                return not self._junction(item, relative)
            elif item.is_file(follow_symlinks=False):
                self.entries.append(Entry(relative, item.path))
            else:
                self._tell("not-a-file", relative)
        except OSError as error:
            self._tell("unreadable", relative, why="entry", reason=_reason(error))
        return False

    def _junction(self, item: os.DirEntry[str], relative: str) -> bool:
        """Windows' links between folders, which do not count as symlinks there."""
        is_junction: Callable[[], bool] | None = getattr(item, "is_junction", None)
        if is_junction is None or not is_junction():
            return False
        self._link(item, relative)
        return True

    def _link(self, item: os.DirEntry[str], relative: str) -> None:
        target = os.path.realpath(item.path)
        try:
            mode = os.stat(target).st_mode  # noqa: PTH116
        except OSError as error:
            self._tell("symlink-broken", relative, reason=_reason(error))
            return
        if not (target == self.root or target.startswith(self.inside)):
            self._tell("symlink-outside", relative)
        elif stat.S_ISDIR(mode):
            # Everything inside is read in its own place; following links between folders could go on for ever.
            self._tell("symlink-folder", relative, Severity.NOTE)
        elif stat.S_ISREG(mode):
            self.entries.append(Entry(relative, target))
        else:
            self._tell("not-a-file", relative)

    def _tell(self, code: str, relative: str, severity: Severity = Severity.WARNING, **values: Value) -> None:
        self.problems.append(Problem(code, severity, values, relative))


def similar(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Groups of names that a person, or another computer, would take for the same: they differ in case or in NFC/NFD only."""
    listed = list(names)
    keys = [_alike(name) for name in listed]
    if len(set(keys)) == len(listed):
        return
    groups: dict[str, list[str]] = {}
    for key, name in zip(keys, listed, strict=True):
        groups.setdefault(key, []).append(name)
    yield from (tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _alike(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def read_bytes(place: str, limit: int) -> bytes:
    """The bytes of an ordinary file of at most `limit` bytes; a pipe put in its place since the walk is not waited for."""
    try:
        handle, size = open_file(place)
        try:
            if size > limit:
                raise TooLarge("bytes", size=size, limit=limit)
            data = os.read(handle, size + 1)
            if len(data) != size:  # it grows, or comes in pieces
                data = _read_on(handle, data, limit)
        finally:
            os.close(handle)
    except OSError as error:
        raise Unreadable("bytes", reason=_reason(error)) from error
    return data


def _read_on(handle: int, data: bytes, limit: int) -> bytes:
    pieces, total = [data], len(data)
    while piece := os.read(handle, 1 << 20):
        pieces.append(piece)
        total += len(piece)
        if total > limit:
            raise TooLarge("growing", limit=limit)
    return b"".join(pieces)


# A link or a pipe that appeared after the walk is neither followed nor waited for.
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN |= getattr(os, "O_BINARY", 0)


def open_file(place: str) -> tuple[int, int]:
    """A descriptor for an ordinary file, and for nothing else, with the size of the file."""
    try:
        handle = os.open(place, _OPEN)
    except ValueError as error:  # a NUL in the name
        raise Unreadable("its name") from error
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise Unreadable("no file")
    return handle, status.st_size


def _ignored(name: str) -> bool:
    """Hidden files and what operating systems and word processors leave behind."""
    return name.startswith((".", "~$")) or name.lower() in _DROPPINGS


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__

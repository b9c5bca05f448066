"""Files that are written for the user: whole or not at all, under names that are safe anywhere."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys
from pathlib import Path

from forensia.errors import StorageError

_UNSAFE = frozenset('/\\:*?"<>|')
_DEVICES = frozenset({"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))})


def write(target: Path, content: bytes | str, *, private: bool = False) -> None:
    """Put a file in its place at once: a crash or a full disk leaves the old one as it was. `private`: for this user alone."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced, only written to
            target.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(target)), data, private)  # a link stays, what it leads to is replaced
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise StorageError(f"'{target}' could not be written ({reason}). Choose another place.") from error


def _replace(target: Path, data: bytes, private: bool) -> None:
    mode = 0o600 if private else 0o666
    part = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists() and not private:
            shutil.copymode(target, part)
        part.replace(target)
        flush(target.parent)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def flush(place: Path) -> None:
    """Make a file, or the entry of a file in its folder, survive a power cut, where the system can."""
    if place.is_dir() and sys.platform == "win32":
        return
    handle = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError:
        if not place.is_dir():  # some network folders cannot be flushed; the file itself must be
            raise
    finally:
        os.close(handle)


def safe_name(text: str) -> str:
    """A name that is safe as the name of a file anywhere: no separators, no device of Windows, not hidden, not too long."""
    kept = "".join(" " if letter in _UNSAFE or not letter.isprintable() else letter for letter in text)
    short = " ".join(kept.split())[:80].strip(" .") or "table"
    return f"_{short}" if short.split(".")[0].upper() in _DEVICES else short


def slug(text: str) -> str:
    """The same in small letters, digits and hyphens, for names that scripts and LaTeX use."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-") or "table"

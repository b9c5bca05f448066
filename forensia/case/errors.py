"""What can be wrong with a case file, each in a sentence that names the file and the next step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forensia.corpus.walking import shown
from forensia.errors import ForensiaError, StorageError

_LONGEST_PART = 200


class CaseError(ForensiaError):
    """A case that cannot be used as asked."""


class CaseForeign(CaseError):
    """A file that is not a case: nothing of it was used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"'{named(path)}' is not a Forensia case: {reason}. Choose a file that Forensia made.")


class CaseDamaged(CaseError):
    """A part of a case that is not what was stored; `part` says which."""

    def __init__(self, path: Path, part: str, reason: str = "it is not what was stored") -> None:
        part = shown(part[:_LONGEST_PART])  # what is damaged may have any name
        super().__init__(
            f"'{named(path)}' is damaged in {part}: {reason}. Nothing of that part was used; "
            "open an earlier copy of the case, or make that part again in a new case."
        )
        self.part = part
        self.reason = reason


class CaseNewer(CaseError):
    """A case of a later version of Forensia that this one cannot show."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            f"'{named(path)}' was made by a newer Forensia (format {version}). It was left as it is; "
            "open it with that version, or a later one."
        )


class CaseReadOnly(CaseError):
    """A change to a case that can only be looked at."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"'{named(path)}' can be read but not changed: {reason}. Save a copy under another name to go on working."
        )


class CaseRefused(CaseError):
    """Content that a case does not take, or no longer has; nothing was changed."""


class CaseWithheld(CaseError):
    """Something that was left out of this copy on purpose."""

    def __init__(self, path: Path, part: str) -> None:
        super().__init__(
            f"'{named(path)}' is a copy without texts: {part} is not in it. Open the case it was made from."
        )


class CaseDiffers(CaseError):
    """A verification that found differences. They are told apart from this sentence, which also goes to the log."""

    def __init__(self, path: Path, count: int) -> None:
        what = "1 difference, named above" if count == 1 else f"{count:,} differences, each named above"
        super().__init__(f"'{named(path)}' is not confirmed: {what}. Do not rely on it until that is explained.")


def named(path: Path) -> str:
    """A path as it can be shown, whatever bytes its name has."""
    return shown(path.as_posix())


def cannot_write(path: Path, error: OSError) -> StorageError:
    """What to say when a file cannot be written beside `path`."""
    return StorageError(
        f"'{named(path)}' could not be written ({error.strerror or 'unknown reason'}). "
        "What was there before is unchanged; choose another place."
    )


@contextmanager
def translated(path: Path, part: str, *, writing: bool = False) -> Iterator[None]:
    """Turn what SQLite raises into a sentence; what it says itself may quote content, so it is never passed on."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise explained(error, path, part, writing=writing) from error
    except (MemoryError, OverflowError, UnicodeDecodeError) as error:
        if writing:
            raise
        raise CaseDamaged(path, part) from error


def explained(error: sqlite3.Error | sqlite3.Warning, path: Path, part: str, *, writing: bool = False) -> ForensiaError:
    """The sentence for an error of SQLite."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    file = named(path)
    if code == sqlite3.SQLITE_FULL:
        return StorageError(
            f"The disk with '{file}' is full. The case is as it was before; make room, or save a copy elsewhere."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StorageError(f"'{file}' is in use by another program. Nothing was changed; try again in a moment.")
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        what = "written: its folder is full, read-only or gone" if writing else "read: its folder is read-only or gone"
        return StorageError(f"'{file}' cannot be {what}. The case is as it was before; save a copy in another place.")
    return CaseDamaged(path, part)

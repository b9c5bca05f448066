"""Problems we expect, each with a sentence a person understands: what happened, to which file, what to do next."""

from __future__ import annotations


class ForensiaError(Exception):
    """An expected problem. Its text is shown to the user as it is, so it never holds document text."""

    exit_code = 1


class Cancelled(ForensiaError):
    """The user asked to stop; whoever catches it leaves everything as it was before."""

    def __init__(self) -> None:
        super().__init__("Stopped at your request; nothing was changed.")


class InputError(ForensiaError):
    """A file or folder that cannot be used as it is."""


class SettingsError(ForensiaError):
    """A setting that makes no sense, or a settings file that cannot be read or written."""


class StorageError(ForensiaError):
    """A place on disk that cannot be written: full, read-only or gone."""


class WorkerDied(ForensiaError):
    """A background process ended without an answer (out of memory, killed): the run failed, the program lives."""

"""Which ending is read by what, in one place: a new type is one module with a `read` function and one line here.

Plain text is read here; everything that has a parser to attack is read in a child process with limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from forensia import codec
from forensia.corpus.decoding import decode
from forensia.corpus.document import Problem
from forensia.corpus.filetypes import docx, mail, odt, pdf, rtf, tei, webpage
from forensia.corpus.filetypes.extraction import (
    DEFAULT,
    ExtractedPart,
    Extraction,
    Limits,
    Refusal,
    finished,
    too_large,
)
from forensia.errors import WorkerDied
from forensia.jobs.child import CallFailed, NotStarted
from forensia.jobs.confined import ChildLimits, Confined, Overrun, never


def _read_plain(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of a file that is nothing but text."""
    decoded = decode(data)
    return finished([ExtractedPart(decoded.text, encoding=decoded.encoding)], decoded.problems, file, limits)


@dataclass(frozen=True)
class Format:
    """How files of a type are read, and whether a child process does it: everything but plain text has a parser to attack."""

    read: Callable[[bytes, str, Limits], Extraction]
    in_child: bool = True


_PLAIN = Format(_read_plain, in_child=False)

FORMATS: dict[str, Format] = {
    ".txt": _PLAIN,
    ".text": _PLAIN,
    ".md": _PLAIN,
    ".markdown": _PLAIN,
    ".docx": Format(docx.read),
    ".docm": Format(docx.read),  # its macros are not looked at
    ".dotx": Format(docx.read),
    ".odt": Format(odt.read),
    ".ott": Format(odt.read),
    ".rtf": Format(rtf.read),
    ".html": Format(webpage.read),
    ".htm": Format(webpage.read),
    ".xhtml": Format(webpage.read),
    ".xml": Format(tei.read),
    ".tei": Format(tei.read),
    ".eml": Format(mail.read),
    ".mbox": Format(mail.read_mailbox),
    ".pdf": Format(pdf.read),
}

# What people will try, by the kind of it.
REFUSED: dict[str, str] = {
    **dict.fromkeys((".doc", ".dot"), "word"),
    **dict.fromkeys((".epub", ".mobi", ".azw", ".azw3", ".fb2", ".lit"), "book"),
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".heic"), "picture"),
    **dict.fromkeys((".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"), "archive"),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), "table"),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".key"), "slides"),
    **dict.fromkeys((".pages", ".wpd", ".wps", ".sxw", ".fodt", ".abw"), "other"),
    **dict.fromkeys((".msg", ".pst", ".ost"), "outlook"),
    **dict.fromkeys((".mht", ".mhtml"), "web archive"),
}


def suffix_of(name: str) -> str:
    """The ending of a file name, in lower case with its dot, or nothing."""
    return PurePosixPath(name.replace("\\", "/")).suffix.lower()


def needs_child(name: str) -> bool:
    """Whether a file of this name is parsed in the child process; also a .doc, which may be RTF or HTML in disguise."""
    suffix = suffix_of(name)
    return suffix == ".doc" or (suffix in FORMATS and FORMATS[suffix].in_child)


def format_of(data: bytes, name: str) -> Format:
    """How to read a file, or a refusal that names what to do."""
    suffix = suffix_of(name)
    if suffix in FORMATS:
        return FORMATS[suffix]
    if suffix == ".doc":
        disguised = _disguised(data)
        if disguised:
            return FORMATS[disguised]
    if suffix in REFUSED:
        raise Refusal("unknown-type", name, REFUSED[suffix])
    raise Refusal("unknown-type", name, "unknown")


def _disguised(data: bytes) -> str:
    """What a .doc really is: many programs gave that name to RTF, HTML and new Word files, and Word opens them all."""
    start = data[:1_024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"{\\rtf"):
        return ".rtf"
    if start.startswith(b"pk\x03\x04"):
        return ".docx"
    return ".html" if start.startswith((b"<html", b"<!doctype html")) else ""


def extract(data: bytes, name: str, *, limits: Limits = DEFAULT) -> Extraction:
    """The texts of a file, read in this very process; `Reader` is for files of strangers."""
    if len(data) > limits.size:
        raise too_large(name, "size", size=len(data) / 1e6, limit=limits.size / 1e6)
    return format_of(data, name).read(data, name, limits)


def extract_for_parent(data: bytes, name: str, limits: Mapping[str, Any]) -> dict[str, Any]:
    """What the child process runs: an extraction or a refusal, as plain data."""
    try:
        return dict(codec.plain(extract(data, name, limits=Limits(**limits))))
    except Refusal as refusal:
        return {"refusal": codec.plain(refusal.problem)}


class Reader:
    """Reads many files. Close it, or use it as a context, so that its child process ends."""

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self._worker = Confined(extract_for_parent, ChildLimits(limits.seconds, limits.seconds, limits.memory))

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._worker.close()

    def extract(self, data: bytes, name: str, check: Callable[[], object] = never) -> Extraction:
        """The texts of a file; `check` is called several times a second while the child works, and may raise `Cancelled`."""
        limits = self._limits
        if not needs_child(name) or len(data) > limits.size:
            return extract(data, name, limits=limits)
        try:
            value = self._worker.call(data, {"name": name, "limits": asdict(limits)}, check)
        except Overrun as error:
            if error.reason == "time":
                raise Refusal("limit", name, "time", seconds=limits.seconds) from error
            raise Refusal("limit", name, "memory", megabytes=limits.memory >> 20) from error
        except NotStarted:
            raise
        except (WorkerDied, CallFailed) as error:
            raise Refusal("unreadable", name, "failed") from error
        return _unpacked(value, name)


def _unpacked(value: Any, name: str) -> Extraction:
    """The child's answer, trusted for nothing but its shape."""
    try:
        if "refusal" not in value:
            return codec.typed(Extraction, value)
        problem = codec.typed(Problem, value["refusal"])
    except (TypeError, ValueError) as error:
        raise Refusal("unreadable", name, "no answer") from error
    raise Refusal.of(problem, name)

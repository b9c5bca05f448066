"""Which ending is read by what, in one place: a new type is one module with a `read` function and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from forensia.corpus.filetypes import docx, mail, odt, pdf, plaintext, rtf, tei, webpage
from forensia.corpus.filetypes.extraction import Extraction, Limits, Refusal


@dataclass(frozen=True)
class Format:
    """How files of a type are read, and whether a child process does it: everything but plain text has a parser to attack."""

    read: Callable[[bytes, str, Limits], Extraction]
    in_child: bool = True


_PLAIN = Format(plaintext.read, in_child=False)

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

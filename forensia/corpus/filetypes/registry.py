"""Which ending is read by what, in one place: a new type is one module with a `read` function and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from forensia.corpus.filetypes import docx, mail, odt, pdf, plain, rtf, tei, webpage
from forensia.corpus.filetypes.model import Extraction, Limits, Refusal


@dataclass(frozen=True)
class Format:
    """How files of a type are read, and whether a child process does it: everything but plain text has a parser to attack."""

    read: Callable[[bytes, str, Limits], Extraction]
    in_child: bool = True


_PLAIN = Format(plain.read, in_child=False)

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

_WORD = ("is in the old Word format", "Open it in Word or LibreOffice and save it as .docx.")
_BOOK = ("is an electronic book", "Convert it to .html or .txt, for instance with Calibre.")
_PICTURE = ("is a picture", "Run OCR on it (text recognition) and save the text as .txt.")
_ARCHIVE = ("is an archive", "Unpack it and choose the folder.")
_TABLE = ("is a spreadsheet", "Save it as .csv, with a column for the author and one for the text.")
_SLIDES = ("is a presentation", "Save its text as .txt.")
_OTHER = ("is in a format of one program only", "Save it there as .docx, .odt or .txt.")
_MAILS = ("is in a format of Outlook only", "Save or export the messages as .eml or .mbox.")

# What people will try, with what they can do instead.
REFUSED: dict[str, tuple[str, str]] = {
    **dict.fromkeys((".doc", ".dot"), _WORD),
    **dict.fromkeys((".epub", ".mobi", ".azw", ".azw3", ".fb2", ".lit"), _BOOK),
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".heic"), _PICTURE),
    **dict.fromkeys((".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"), _ARCHIVE),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), _TABLE),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".key"), _SLIDES),
    **dict.fromkeys((".pages", ".wpd", ".wps", ".sxw", ".fodt", ".abw"), _OTHER),
    **dict.fromkeys((".msg", ".pst", ".ost"), _MAILS),
    ".mht": ("is a web archive", "Save the page as .html."),
    ".mhtml": ("is a web archive", "Save the page as .html."),
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
        raise Refusal("unknown-type", name, *REFUSED[suffix])
    kinds = ", ".join(sorted(FORMATS))
    raise Refusal("unknown-type", name, "is of a type that is not read", f"Save it as one of these: {kinds}.")


def _disguised(data: bytes) -> str:
    """What a .doc really is: many programs gave that name to RTF, HTML and new Word files, and Word opens them all."""
    start = data[:1_024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"{\\rtf"):
        return ".rtf"
    if start.startswith(b"pk\x03\x04"):
        return ".docx"
    return ".html" if start.startswith((b"<html", b"<!doctype html")) else ""

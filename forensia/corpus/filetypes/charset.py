"""Bytes with a declared encoding into text: the declaration is followed strictly; what is done instead is always said."""

from __future__ import annotations

import codecs

from forensia.corpus.document import Problem, Severity, Value
from forensia.corpus.filetypes.extraction import Refusal

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Text by Python's book, but escapes, labels of domains or a door for scripts by everybody else's.
_NOT_TEXT = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf_7", "mbcs", "oem", "undefined"}
_NARROW = {"iso8859-1", "ascii"}


def decode(data: bytes, declared: str, file: str) -> tuple[str, str, tuple[Problem, ...]]:
    """The text, the encoding it was read in, and a note wherever that is not what was declared."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(name), name, ()
            except UnicodeDecodeError:
                break
    wanted = _known(declared)
    if wanted:
        text = _strictly(data, wanted)
        if wanted in _NARROW and (text is None or any("\x80" <= character <= "\x9f" for character in text)):
            # What says Latin-1 or ASCII and is neither comes from Windows: every browser and mail program reads it so.
            windows = _strictly(data, "cp1252")
            if windows is not None and _strictly(data, "utf-8") is None:
                return windows, "cp1252", (_note("windows", declared=wanted),)
        if text is not None:
            return text, wanted, ()
    text = _strictly(data, "utf-8")
    if text is not None:
        return text, "utf-8", (_note("utf-8", declared=declared[:40]),) if declared else ()
    text = _strictly(data, "cp1252")
    if text is not None:
        return text, "cp1252", (_note("misfit", declared=declared[:40]) if declared else _note("undeclared"),)
    raise Refusal("encoding", file)


def _note(why: str, **values: Value) -> Problem:
    return Problem("encoding-proposed", Severity.WARNING, {"why": why, **values})


def _known(declared: str) -> str:
    """Python's name of an encoding of text, or nothing."""
    try:
        found = codecs.lookup(declared.strip().strip("\"'"))
    except (LookupError, ValueError):  # a name with a NUL in it is a ValueError
        return ""
    # The attribute tells encodings of text from "zlib" and "rot13"; it has been there since Python 3.4.
    if not getattr(found, "_is_text_encoding", False) or found.name.replace("-", "_") in _NOT_TEXT:
        return ""
    return found.name


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, ValueError):
        return None

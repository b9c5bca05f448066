"""Bytes into text: what the file says about its encoding, then strict UTF-8, then a proposal that is recorded and shown.

There is no charset guessing: the popular guessers read Latin-1 'Où' as 'Oů' and say nothing. What cannot be decided here
is refused with the offset of the byte, and the analyst chooses.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from forensia.corpus.characters import MAX_OFFSETS
from forensia.corpus.document import FileRefused, Problem, Severity, Value
from forensia.errors import InputError

MAX_TEXT_BYTES = 20_000_000
"""The longest single text that is read: some 3.5 million words, six times War and Peace."""

ENCODINGS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "ascii",
    "cp1252", "iso8859-1", "iso8859-15", "mac-roman", "cp437", "cp850",
    "cp1250", "iso8859-2", "cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp1253", "iso8859-7", "cp1254", "iso8859-9",
    "cp1255", "iso8859-8", "cp1256", "iso8859-6", "cp1257", "cp1258",
    "shift_jis", "euc_jp", "iso2022_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
"""The encodings an analyst can choose."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BOM_STARTS = tuple(bom for bom, _ in _BOMS)
MAGIC = {
    b"%PDF-": "pdf",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "empty zip",
    b"\x89PNG\r\n": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF87a": "gif",
    b"GIF89a": "gif",
    b"\x7fELF": "program",
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "old office",
    b"SQLite format 3\x00": "database",
}
_MAGIC_STARTS = tuple(MAGIC)
_CONTROLS = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F])  # tab, line ends and form feed are text
_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
# As Windows-1252 these would be Â, Ã or â€ with a sign after it, which nobody writes.
_UTF8_ON_PURPOSE = re.compile(rb"[\xc2\xc3][\x80-\xbf]|\xe2\x80[\x80-\xbf]")
_HIGH = re.compile(rb"[\x80-\xff]")
_ASCII_LETTER = re.compile(rb"[A-Za-z]")
_LONG_RUN = re.compile(rb"[\xc0-\xff]{4,}")  # whole words in the letters of another alphabet

_MOST_CONTROLS = 0.10
_MOST_CONTROLS_UNKNOWN = 0.02
_MOST_IN_RUNS = 0.5
_SEQUENCES_BY_CHANCE = 0.25


class TextRefused(FileRefused):
    """Bytes that are not taken as text: a warning, because the rest of the corpus goes on without the file."""


class UndecodableText(TextRefused):
    """Bytes that fit no single encoding we may propose, with the first that does not fit."""

    kind = "undecodable"


class NotText(TextRefused):
    """Binary data under the name of a text."""

    kind = "not-text"


class TextTooLong(TextRefused):
    """More bytes than the stated limit for one text."""

    kind = "very-long"


@dataclass(frozen=True)
class Decoded:
    """A text as decoded, not yet normalised. `proposed` says that the encoding waits for the analyst's word.

    `ascii` says that it is ASCII without control characters, so that nothing hidden can be in it.
    """

    text: str
    encoding: str
    proposed: bool = False
    problems: tuple[Problem, ...] = ()
    ascii: bool = field(default=False, compare=False)


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode the bytes of a text file; `encoding` is the analyst's choice and is then used strictly.

    NUL characters stay in the text: `normalise` makes them visible and `check_text` reports them.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise TextTooLong("bytes", size=len(data) / 1e6, limit=MAX_TEXT_BYTES / 1e6)
    _refuse_known_formats(data)
    if encoding is not None:
        return _decode_as(data, encoding)
    if data.startswith(_BOM_STARTS):
        name = next(name for bom, name in _BOMS if data.startswith(bom))
        return Decoded(_strict(data, name), name)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls:
        wide = _wide_proposal(data)
        if wide is not None:
            return wide
        if controls > _MOST_CONTROLS * len(data):
            raise NotText("binary")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _narrow_proposal(data, error.start, controls)
    return Decoded(text, "utf-8", ascii=not controls and text.isascii())


def _refuse_known_formats(data: bytes) -> None:
    if data.startswith(_MAGIC_STARTS):
        kind = next(kind for start, kind in MAGIC.items() if data.startswith(start))
        raise NotText(kind)
    # Two letters may begin a text as well; a program has zero bytes in its header.
    if data.startswith(b"MZ") and b"\0" in data[:64]:
        raise NotText("program")


def _decode_as(data: bytes, encoding: str) -> Decoded:
    """Decode with the encoding the analyst chose."""
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        name = ""
    if name not in {codecs.lookup(known).name for known in ENCODINGS}:
        raise InputError(f"'{encoding}' is not an encoding Forensia can use; choose one of: {', '.join(ENCODINGS)}.")
    return Decoded(_strict(data, name).removeprefix("\ufeff"), name)


def _strict(data: bytes, encoding: str) -> str:
    try:
        # The codec of UTF-8 with a mark counts its offsets from behind the mark.
        text = data.decode("utf-8").removeprefix("\ufeff") if encoding == "utf-8-sig" else data.decode(encoding)
        raw = text.encode("utf-8")
    except UnicodeDecodeError as error:
        raise UndecodableText("byte", at=error.start, encoding=encoding, offset=error.start) from None
    except UnicodeEncodeError:
        raise UndecodableText("half characters", encoding=encoding) from None
    if len(raw) - len(raw.translate(None, _CONTROLS)) > _MOST_CONTROLS * max(len(text), 1):
        raise NotText("binary")
    return text


def _wide_proposal(data: bytes) -> Decoded | None:
    """UTF-16 without its mark, told by where the zero bytes stand.

    In an alphabetic script the high byte of a unit is 0 or the number of a low block (04 for Cyrillic), or 20 for general
    punctuation, and spaces make some of them 0; in a plain text with stray NULs the same places hold letters.
    """
    if len(data) < 4 or len(data) % 2 or b"\0" not in data:
        return None
    units = len(data) // 2
    for name, high, low in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
        blocks = units - len(high.translate(None, _CONTROLS)) + high.count(0x20)
        if high.count(0) >= 0.1 * units and blocks >= 0.9 * units and low.count(0) <= 0.05 * units:
            try:
                text = _strict(data, name)
            except (UndecodableText, NotText):
                return None
            return _proposed(text, name, why="utf-16")
    return None


def _narrow_proposal(data: bytes, offset: int, controls: int) -> Decoded:
    """Windows-1252 for bytes that are not UTF-8, unless they look like anything else."""
    if controls > _MOST_CONTROLS_UNKNOWN * len(data):
        raise NotText("binary")
    high = len(_HIGH.findall(data))
    sequences = _UTF8_SEQUENCE.findall(data)
    invalid = high - sum(map(len, sequences))
    # 'ß”' and French 'é' before a hard space and '»' are UTF-8 by chance now and then, in a text full of bytes that are not.
    if _UTF8_ON_PURPOSE.search(data) or len(sequences) > _SEQUENCES_BY_CHANCE * invalid:
        raise UndecodableText("mixed", at=offset, offset=offset)
    in_runs = sum(map(len, _LONG_RUN.findall(data)))
    if high > len(_ASCII_LETTER.findall(data)) or in_runs > _MOST_IN_RUNS * high:
        raise UndecodableText("unlikely", at=offset, offset=offset)
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise UndecodableText("neither", at=error.start, offset=offset, other=error.start) from None
    places = tuple(match.start() for match, _ in zip(_HIGH.finditer(data), range(MAX_OFFSETS), strict=False))
    return _proposed(text, "cp1252", places, why="cp1252", characters=high)


def _proposed(text: str, encoding: str, offsets: tuple[int, ...] = (), **values: Value) -> Decoded:
    problem = Problem("encoding-proposed", Severity.WARNING, values, offsets=offsets)
    return Decoded(text, encoding, proposed=True, problems=(problem,))

"""What a file gives: its texts, and notes on what was left out or is doubtful; or a refusal that says what to do.

All of it can be written as JSON, because it comes from a child process and nothing that comes from there is unpickled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from forensia.corpus.document import Problem, Severity
from forensia.errors import InputError

_LONE_SURROGATE = "lone-surrogate"


@dataclass(frozen=True)
class Limits:
    """How much a file may ask of us; real documents stay far below."""

    size: int = 100_000_000  # bytes of a file
    characters: int = 20_000_000  # of text in a file: thirty long novels
    entries: int = 5_000  # files in an archive
    unpacked: int = 64_000_000  # bytes of one entry that is read
    ratio: int = 150  # unpacked to packed; what a word processor writes stays below 50
    depth: int = 256  # XML elements or RTF groups inside each other
    messages: int = 20_000  # in a mailbox
    mime_depth: int = 20  # parts of a message inside each other
    pages: int = 5_000
    seconds: float = 120.0  # for one file, in the child process; a PDF of 1,000 pages takes most of it
    memory: int = 1 << 30  # bytes of address space of the child process


DEFAULT = Limits()


@dataclass(frozen=True)
class Note:
    """Something an analyst should know about how a file was read."""

    code: str
    message: str
    severity: Severity = Severity.NOTE
    next_step: str = ""

    def problem(self, file: str) -> Problem:
        """The note as a problem of a file."""
        return Problem(self.code, self.severity, self.message, self.next_step, file)


@dataclass(frozen=True)
class Part:
    """One text of a file, with what the file says about it; `encoding` is empty where the format leaves no choice."""

    text: str
    title: str = ""
    author: str = ""
    source: str = ""
    encoding: str = ""


@dataclass(frozen=True)
class Extraction:
    """Everything that was read from one file."""

    parts: tuple[Part, ...]
    notes: tuple[Note, ...] = ()


class Refusal(InputError):
    """A file that is not read: which, why, and what to do next."""

    def __init__(self, code: str, file: str, reason: str, next_step: str) -> None:
        super().__init__(f"'{file}' {reason}. {next_step}")
        self.code = code
        self.file = file
        self.reason = reason
        self.next_step = next_step

    def problem(self, file: str = "") -> Problem:
        """The refusal as a problem of a file that is left out."""
        file = file or self.file
        return Problem(self.code, Severity.WARNING, f"'{file}' {self.reason}.", self.next_step, file)


def damaged(file: str, what: str = "is damaged or cut off") -> Refusal:
    """The refusal of a file that does not hold together."""
    return Refusal("damaged", file, what, "Open it in the program that made it and save it again.")


def too_large(file: str, what: str) -> Refusal:
    """The refusal of a file beyond a limit."""
    return Refusal("too-large", file, what, "Split it, or save its text as .txt.")


def finished(parts: Iterable[Part], notes: Iterable[Note], file: str, limits: Limits) -> Extraction:
    """An extraction within the limits, in which every text can be written as UTF-8."""
    parts, notes = tuple(parts), tuple(notes)
    if sum(len(part.text) for part in parts) > limits.characters:
        raise too_large(file, f"holds more than {limits.characters:,} characters of text")
    sound = tuple(Part(*(_sound(value) for value in asdict(part).values())) for part in parts)
    if any(old.text != new.text for old, new in zip(parts, sound, strict=True)):
        message = "Half characters (lone surrogates) in the text were replaced by U+FFFD."
        notes += (Note(_LONE_SURROGATE, message, Severity.WARNING, "Compare the text with the original."),)
    return Extraction(sound, notes)


def _sound(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        # Through UTF-16, two halves that belong together become one character.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def to_json(extraction: Extraction) -> dict[str, Any]:
    """An extraction as plain data."""
    notes = [[note.code, note.message, note.severity.value, note.next_step] for note in extraction.notes]
    return {"parts": [list(asdict(part).values()) for part in extraction.parts], "notes": notes}


def from_json(value: dict[str, Any]) -> Extraction:
    """An extraction from plain data; anything that has not exactly its shape is a ValueError, for it comes from a child."""
    try:
        parts = tuple(Part(*_strings(row, 5)) for row in value["parts"])
        rows = [_strings(row, 4) for row in value["notes"]]
        notes = tuple(Note(code, message, Severity(severity), step) for code, message, severity, step in rows)
    except (TypeError, KeyError) as error:
        raise ValueError("not an extraction") from error
    return Extraction(parts, notes)


def _strings(row: Any, count: int) -> list[str]:
    if not isinstance(row, list) or len(row) != count or not all(isinstance(item, str) for item in row):
        raise ValueError("not a row of text")
    return row

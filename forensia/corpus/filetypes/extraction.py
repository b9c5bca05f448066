"""What a file gives: its texts, and notes on what was left out or is doubtful; or a refusal that says what to do.

All of it can be written as JSON, because it comes from a child process and nothing that comes from there is unpickled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from forensia.corpus.document import FileProblem, Problem, Severity, Value


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
class ExtractedPart:
    """One text of a file, with what the file says about it; `encoding` is empty where the format leaves no choice."""

    text: str
    title: str = ""
    author: str = ""
    source: str = ""
    encoding: str = ""


@dataclass(frozen=True)
class Extraction:
    """Everything that was read from one file."""

    parts: tuple[ExtractedPart, ...]
    notes: tuple[Problem, ...] = ()


class Refusal(FileProblem):
    """A file that is not read; `why` is one of the kinds of its problem."""

    def __init__(self, code: str, file: str, why: str = "", **values: Value) -> None:
        kind: dict[str, Value] = {"why": why} if why else {}
        super().__init__(Problem(code, Severity.WARNING, {**kind, **values}, file))

    @classmethod
    def told(cls, problem: Problem, file: str) -> Refusal:
        """The refusal that another process has told."""
        made = cls(problem.code, file)
        made.problem = replace(made.problem, values=problem.values)
        return made


def damaged(file: str, why: str = "broken", **values: Value) -> Refusal:
    """The refusal of a file that does not hold together."""
    return Refusal("damaged", file, why, **values)


def too_large(file: str, why: str, **values: Value) -> Refusal:
    """The refusal of a file beyond a limit."""
    return Refusal("too-large", file, why, **values)


def finished(parts: Iterable[ExtractedPart], notes: Iterable[Problem], file: str, limits: Limits) -> Extraction:
    """An extraction within the limits, in which every text can be written as UTF-8."""
    parts, notes = tuple(parts), tuple(notes)
    if sum(len(part.text) for part in parts) > limits.characters:
        raise too_large(file, "characters", limit=limits.characters)
    sound = tuple(ExtractedPart(*(_sound(value) for value in asdict(part).values())) for part in parts)
    if any(old.text != new.text for old, new in zip(parts, sound, strict=True)):
        notes += (Problem.of("lone-surrogate"),)
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
    notes = [note.to_json() for note in extraction.notes]
    return {"parts": [list(asdict(part).values()) for part in extraction.parts], "notes": notes}


def from_json(value: dict[str, Any]) -> Extraction:
    """An extraction from plain data; anything that has not exactly its shape is a ValueError, for it comes from a child."""
    try:
        parts = tuple(ExtractedPart(*_strings(row, 5)) for row in value["parts"])
        notes = tuple(Problem.from_json(note) for note in value["notes"])
    except (TypeError, KeyError) as error:
        raise ValueError("not an extraction") from error
    return Extraction(parts, notes)


def _strings(row: Any, count: int) -> list[str]:
    if not isinstance(row, list) or len(row) != count or not all(isinstance(item, str) for item in row):
        raise ValueError("not a row of text")
    return row


POLICY: dict[str, Severity] = {
    "tracked-insertions": Severity.WARNING,
    "tracked-deletions": Severity.WARNING,
    "revisers": Severity.WARNING,
    "comments": Severity.WARNING,
    "hidden-text": Severity.WARNING,
    "footnotes": Severity.NOTE,
    "headers-footers": Severity.NOTE,
    "text-boxes": Severity.NOTE,
    "formulas": Severity.NOTE,
    "symbols": Severity.WARNING,
    "embedded": Severity.WARNING,
    "open-fields": Severity.WARNING,
    "unknown-code-page": Severity.WARNING,
    "undecodable": Severity.WARNING,
    "invisible-elements": Severity.NOTE,
    "remote-content": Severity.NOTE,
    "tei-notes": Severity.NOTE,
    "tei-deletions": Severity.NOTE,
    "tei-speakers": Severity.NOTE,
    "tei-editorial": Severity.NOTE,
    "entities": Severity.WARNING,
    "attachments": Severity.WARNING,
    "attached-messages": Severity.WARNING,
    "cut-off": Severity.WARNING,
    "html-only": Severity.NOTE,
    "empty-messages": Severity.NOTE,
    "unread-messages": Severity.WARNING,
    "pages-without-text": Severity.WARNING,
    "ligatures": Severity.NOTE,
}
"""What is counted, in the order in which it is told, and how much it matters."""


def notes_on(counts: Mapping[str, int]) -> tuple[Problem, ...]:
    """A note for everything that was found at least once, in the order of the table."""
    return tuple(
        Problem.of(code, severity, count=counts[code]) for code, severity in POLICY.items() if counts.get(code, 0) > 0
    )

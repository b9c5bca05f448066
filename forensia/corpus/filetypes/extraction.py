"""What a file gives: its texts, put together from bytes and paragraphs, and notes on what was left out or is doubtful; or a refusal.

All of it can be written as JSON, because it comes from a child process and nothing that comes from there is unpickled.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

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
    def of(cls, problem: Problem, file: str) -> Refusal:
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


_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Text by Python's book, but escapes, labels of domains or a door for scripts by everybody else's.
_NOT_TEXT = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf_7", "mbcs", "oem", "undefined"}
_NARROW = {"iso8859-1", "ascii"}


def decoded(data: bytes, declared: str, file: str) -> tuple[str, str, tuple[Problem, ...]]:
    """The text of bytes, the encoding it was read in, and a note wherever that is not what was declared, which is followed strictly."""
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
                return windows, "cp1252", (_encoding_note("windows", declared=wanted),)
        if text is not None:
            return text, wanted, ()
    text = _strictly(data, "utf-8")
    if text is not None:
        return text, "utf-8", (_encoding_note("utf-8", declared=declared[:40]),) if declared else ()
    text = _strictly(data, "cp1252")
    if text is not None:
        return (
            text,
            "cp1252",
            (_encoding_note("misfit", declared=declared[:40]) if declared else _encoding_note("undeclared"),),
        )
    raise Refusal("encoding", file)


def _encoding_note(why: str, **values: Value) -> Problem:
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


PARAGRAPH = "\n\n"  # a single line end is a line break inside a paragraph, as in verse and addresses

_SPACES = re.compile(r"[ \t\r\n\f]+")


class Prose:
    """A text under construction: paragraphs in reading order, notes after the one that calls them, endnotes at the end.

    Collects pieces of text; `collapse` makes one space of each run of white space, as HTML, ODF and TEI want it."""

    def __init__(self, collapse: bool = False) -> None:
        self._collapse = collapse
        self._paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._after: list[str] = []
        self._end: list[str] = []

    def write(self, text: str) -> None:
        """Text as the format has it."""
        if self._collapse:
            text = _SPACES.sub(" ", text)
            if text.startswith(" ") and (not self._pieces or self._pieces[-1][-1] in " \n"):
                text = text[1:]
        if text:
            self._pieces.append(text)

    def exactly(self, text: str) -> None:
        """Text in which white space means something: a tab, a line break, preformatted lines."""
        if not text:
            return
        if self._collapse and text[0] == "\n" and self._pieces and self._pieces[-1][-1] == " ":
            self._pieces[-1] = self._pieces[-1][:-1]
            if not self._pieces[-1]:
                self._pieces.pop()
        self._pieces.append(text)

    def after(self, text: str) -> None:
        """Text that follows the present paragraph."""
        self._after.append(text)

    def at_end(self, text: str) -> None:
        """Text that follows everything else."""
        self._end.append(text)

    def line(self) -> None:
        """End the present line, if it holds anything: a verse line."""
        if self._pieces and self._pieces[-1][-1] != "\n":
            self.exactly("\n")

    def paragraph(self) -> None:
        """End the present paragraph."""
        text = "".join(self._pieces)
        if self._collapse:
            text = text.strip(" \n")
        self._pieces = []
        for candidate in (text, *self._after):
            if candidate.strip():
                self._paragraphs.append(candidate)
        self._after = []

    def text(self) -> str:
        """Everything; the text is finished."""
        self.paragraph()
        return PARAGRAPH.join(self._paragraphs + [note for note in self._end if note.strip()])

"""What a layout is: it looks at the files found, says whether it knows them, and names the author of each text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from forensia.corpus.cleaning import Step
from forensia.corpus.document import Problem, Severity, Value
from forensia.corpus.filetypes import FORMATS
from forensia.corpus.walking import Entry, Listing
from forensia.errors import SettingsError
from forensia.jobs import Progress

SPLITS = ("train", "test", "all")
ROLES = ("closed", "open", "all")


@dataclass(frozen=True)
class ReadOptions:
    """The analyst's choices about reading. `layout` None: recognise it; `encodings`: file (as shown) -> encoding.

    `split` and `role` choose among the documents of a distribution that marks them; other layouts do not look at them. `sources`
    names a table of sources, or is a pattern of the texts' paths (`corpus.sources`); empty: as the layout has them.
    """

    layout: str | None = None
    encodings: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    segment_words: int | None = None
    split: str = "train"
    role: str = "closed"
    language: str = "en"
    sources: str = ""

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise SettingsError(f"There is no split '{self.split}'. Choose one of: {', '.join(SPLITS)}.")
        if self.role not in ROLES:
            raise SettingsError(f"There is no role '{self.role}'. Choose one of: {', '.join(ROLES)}.")
        if self.segment_words is not None and self.segment_words < 1:
            raise SettingsError("A segment needs at least one word. Leave the length out to keep texts whole.")

    def to_json(self) -> dict[str, Any]:
        """The options as plain data."""
        return {
            "layout": self.layout,
            "steps": [step.name for step in self.steps],
            "segment": self.segment_words,
            "encodings": dict(self.encodings),
            "split": self.split,
            "role": self.role,
            "language": self.language,
            "sources": self.sources,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadOptions:
        """The options of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        return cls(
            layout=data["layout"],
            encodings=dict(data["encodings"]),
            steps=tuple(Step[name] for name in data["steps"]),
            segment_words=data["segment"],
            split=data.get("split", "train"),  # version 0.1 noted neither this nor the role
            role=data.get("role", "closed"),
            language=data["language"],
            sources=str(data.get("sources", "")),
        )


class FileText(NamedTuple):
    """A text that is a file of its own, and who wrote it. `part` tells repeated uses of one file apart."""

    entry: Entry
    author: str
    title: str
    sources: tuple[str, ...] = ()
    part: int = 0


@dataclass(frozen=True, slots=True)
class Container:
    """A file that holds many texts, with what is known of its bytes."""

    entry: Entry
    sha256: str
    encoding: str
    size: int = 0


class Row(NamedTuple):
    """A text that is one of many in a file; `part` is its number there."""

    container: Container
    text: str
    author: str
    title: str
    sources: tuple[str, ...] = ()
    part: int = 0


@dataclass(frozen=True)
class Bad:
    """A row that cannot be used, and why."""

    why: str
    values: Mapping[str, Value] = field(default_factory=dict)


Item = FileText | Row | Problem  # a problem is something that was left out


class Layout(Protocol):
    """One way in which people keep texts and their authors.

    `items` gives a list when the number of texts is known beforehand; otherwise it reports its progress itself.
    """

    name: str
    sentence: str

    def recognise(self, listing: Listing) -> str | None:
        """Why these files look like this layout, or None."""

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        """The texts with their authors, and problems for what is left out."""


def is_document(entry: Entry) -> bool:
    """Whether the ending of its name says that a file holds one text that can be read."""
    return not entry.suffix or entry.suffix in FORMATS


def left_out(code: str, entry: Entry | str, severity: Severity = Severity.WARNING, **values: Value) -> Problem:
    """The problem that says why a file, or a row of it, is not read."""
    return Problem(code, severity, values, entry if isinstance(entry, str) else entry.relative)

"""What a report consists of, whoever writes it: headings, paragraphs, lists, tables, figures.

Sections yield these and know nothing of pages; `pdfwriter` sets them in a PDF. A block says what something is (its level, its heads, what
stands for a picture to those who cannot see it), never where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from forensia.evidence.result import LikelihoodRatio
    from forensia.figures import Drawing

__all__ = [
    "Block", "Bullets", "Cell", "Column", "Cover", "FactList", "FirstThatFits", "Group", "Heading", "Illustration", "Mark", "OnScale",
    "PageBreak", "Paragraph", "Piece", "Quotations", "Row", "Signatures", "Size", "Table", "TableOfContents", "TableSize", "Text", "strong",
]  # fmt: skip

Mark = Literal["", "strong", "code", "quiet", "passage", "for", "against"]
Size = Literal["lead", "body", "brief", "small", "note", "caption", "quote", "disputed"]
TableSize = Literal["small", "narrow", "fine", "finest"]


@dataclass(frozen=True)
class Piece:
    """Words in a text that are marked: they are strong, a passage that is quoted, or a feature that speaks for or against somebody."""

    text: str
    mark: Mark = ""


Text = str | Sequence[str | Piece]


def strong(text: str) -> Piece:
    """Words that stand out."""
    return Piece(text, "strong")


@dataclass(frozen=True)
class Heading:
    """A heading of level 0 to 2, which is numbered and stands in the outline, or of level 3, a few words above what follows.

    Of an `appendix` the number is a letter. Figures are placed before a heading that stands `apart` if they belong to what is above it,
    and a good piece of what follows stands under it.
    """

    text: str
    level: int = 0
    appendix: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Paragraph:
    """Some text, of so many lines at `most` (0: as many as it takes), and with a `bar` beside it if it is an answer.

    It goes with what follows if it is to `keep` with it, and there is little white below it if it is `close` to it.
    """

    text: Text
    size: Size = "body"
    most: int = 0
    bar: bool = False
    keep: bool = False
    close: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list."""

    items: Sequence[Text]
    size: Size = "body"


@dataclass(frozen=True)
class FactList:
    """Labels with what belongs to each."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its width in points (0: what the others leave), and how many lines a cell may take."""

    head: str
    width: float = 0.0
    align: Literal["left", "right"] = "left"
    lines: int = 3
    mono: bool = False


@dataclass(frozen=True)
class Group:
    """A row that is a heading for those below it; `again` is what it is called where they go on in another column."""

    text: str
    again: str = ""


@dataclass(frozen=True)
class OnScale:
    """A cell with a likelihood ratio and its interval on a scale of powers of ten; empty where it is not estimable."""

    ratio: LikelihoodRatio | None


Cell = str | Piece | OnScale
Row = Sequence[Cell] | Group


@dataclass(frozen=True)
class Table:
    """A table with its heads and a caption, with or without hair `lines`; one that is a `list` stands in two columns and has no number."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    caption: str = ""
    size: TableSize = "small"
    lines: bool = True
    close: bool = False
    two_columns: bool = False


@dataclass(frozen=True)
class Illustration:
    """A figure, or several side by side, with a caption that says how to read it (that of the first, if empty).

    One that is `floating` may stand on the next page, and what follows goes on before it.
    """

    drawings: Sequence[Drawing]
    caption: str = ""
    floating: bool = False


@dataclass(frozen=True)
class Quotations:
    """Passages under a few words that say what they show."""

    head: Text
    quoted: Sequence[Text]


@dataclass(frozen=True)
class Cover:
    """The first page: what this is, its title, whether it is a draft, who and when, and what a reader must know before all.

    A row is a label, its text, and the most lines that the text may take: the cover is one page.
    """

    kind: str
    title: str
    status: str
    rows: Sequence[tuple[str, str, int]]
    note: str


@dataclass(frozen=True)
class TableOfContents:
    """The contents, of about so many entries."""

    entries: int


@dataclass(frozen=True)
class Signatures:
    """Lines to sign, each with who signs."""

    names: Sequence[str]


@dataclass(frozen=True)
class PageBreak:
    """What follows begins a page."""


@dataclass(frozen=True)
class FirstThatFits:
    """The first of several versions that fits on the page, else the last."""

    versions: Iterable[Sequence[Block]]


Block = (
    Heading | Paragraph | Bullets | FactList | Table | Illustration | Quotations | Cover | TableOfContents | Signatures | PageBreak
    | FirstThatFits
)  # fmt: skip

"""Which column of a table holds what, found by the names people give them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forensia.corpus.walking import shown

# Earlier names win, so a table with both 'author' and 'user' takes 'author'.
AUTHOR = ("author", "authors", "authorname", "authorid", "writer", "username", "userid", "user", "speaker", "sender",
          "from", "autor", "auteur", "verfasser", "label", "by")  # fmt: skip
TEXT = ("text", "fulltext", "content", "contents", "body", "document", "message", "abstract", "review", "post", "comment",
        "letter", "tweet", "texto", "texte", "inhalt")  # fmt: skip
TITLE = ("title", "subject", "headline", "filename", "file", "docid", "documentid", "id", "titel", "titre")
SOURCE = (
    "source",
    "sources",
    "book",
    "work",
    "thread",
    "threadid",
    "topic",
    "genre",
    "category",
    "group",
    "year",
    "itemid",
)

SHARED_SOURCE = ("thread", "threadid", "topic", "itemid")  # several authors may write in one, or about one

_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_BETWEEN_NAMES = re.compile(r"[;|]")


@dataclass(frozen=True)
class TableColumns:
    """The names of the columns in this table; title and source may be missing."""

    author: str
    text: str
    title: str | None = None
    source: str | None = None

    @property
    def is_shared(self) -> bool:
        """Whether what the column of sources names is shared between authors."""
        return self.source is not None and _NOT_ALPHANUMERIC.sub("", self.source).lower() in SHARED_SOURCE


def find_columns(names: Sequence[str]) -> TableColumns | None:
    """The columns of a table, or None when author or text cannot be told."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(_NOT_ALPHANUMERIC.sub("", name).lower(), name)

    def first(synonyms: Sequence[str]) -> str | None:
        return next((known[synonym] for synonym in synonyms if synonym in known), None)

    author, text = first(AUTHOR), first(TEXT)
    if author is None or text is None:
        return None
    return TableColumns(author, text, first(TITLE), first(SOURCE))


def plain(value: object) -> str:
    """A cell as one line that can be shown: white space collapsed, control characters escaped."""
    if value is None or isinstance(value, (Mapping, bool)):
        return ""
    if isinstance(value, list):
        return plain(value[0]) if len(value) == 1 else ""
    line = " ".join(str(value).split())
    return line if line.isprintable() else shown(line)


def several(value: object) -> tuple[str, ...]:
    """The names in a cell, between which stand ; or |, or in a list of JSON, each of which is one name as it is written."""
    cells = value if isinstance(value, list) else _BETWEEN_NAMES.split(plain(value))
    return tuple(name for cell in cells if (name := plain(cell)))

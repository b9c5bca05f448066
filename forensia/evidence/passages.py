"""Where a feature stands in a text: places for highlighting on screen, and quotations for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forensia.corpus.characters import visible
from forensia.corpus.typing import Canonical
from forensia.features import locate
from forensia.features.names import FeatureColumns, Span
from forensia.language import Analysis

LIMIT = 200
"""The most places of one feature in one text."""

WIDTH = 60
QUOTED = 5
_LONG = 4  # a place longer than so many widths is quoted by its two ends


@dataclass(frozen=True)
class Passages:
    """The places of a feature, as offsets into the text as it was typed (`Document.text`), in order; there may be `more`."""

    column: int
    spans: tuple[Span, ...]
    more: bool = False


@dataclass(frozen=True)
class Mark:
    """A stretch of text to highlight, and the column of the feature that stands there; marks never overlap."""

    start: int
    end: int
    column: int


@dataclass(frozen=True)
class Quotation:
    """A place in its context, on one line, with hidden characters escaped; '…' where the text goes on."""

    start: int
    end: int
    before: str
    there: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}[{self.there}]{self.after}"


def passages(
    space: FeatureColumns,
    column: int,
    read: Canonical,
    analysis: Analysis,
    limit: int = LIMIT,
    function_words: Sequence[str] = (),
) -> Passages:
    """Where the feature of a column stands in a text. An empty tuple for a feature that the text does not have."""
    spans = locate(read, analysis, space, column, limit + 1, function_words)
    return Passages(column, tuple(spans[:limit]), len(spans) > limit)


def marks(found: Sequence[Passages], strengths: Mapping[int, float]) -> tuple[Mark, ...]:
    """The places of several features in one text as marks, in order; where they overlap, the strongest feature is shown."""
    edges = np.unique(np.array([edge for each in found for span in each.spans for edge in span], np.int64))
    if not len(edges):
        return ()
    owner = np.full(len(edges), -1, np.int64)  # the feature from each edge to the next
    for each in sorted(found, key=lambda each: (abs(strengths[each.column]), -each.column)):
        for start, end in np.searchsorted(edges, np.array(each.spans, np.int64).reshape(-1, 2)).tolist():
            owner[start:end] = each.column
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    ends = np.append(begins[1:], len(edges) - 1)
    return tuple(
        Mark(int(edges[begin]), int(edges[end]), int(owner[begin]))
        for begin, end in zip(begins, ends, strict=True)
        if owner[begin] >= 0
    )


def quotations(text: str, spans: Sequence[Span], width: int = WIDTH, most: int = QUOTED) -> tuple[Quotation, ...]:
    """The first places in context, each with at most `width` characters before and after."""
    return tuple(_quotation(text, start, end, width) for start, end in spans[:most])


def _quotation(text: str, start: int, end: int, width: int) -> Quotation:
    there = text[start:end]
    if len(there) > _LONG * width:
        half = _LONG * width // 2
        there = f"{there[:half]} … {there[-half:]}"
    return Quotation(start, end, _before(text, start, width), _line(there), _after(text, end, width))


def _before(text: str, start: int, width: int) -> str:
    first = max(start - width, 0)
    context = text[first:start]
    if first and not text[first - 1].isspace() and any(map(str.isspace, context)):  # the word it begins in is left out
        context = context[next(place for place, sign in enumerate(context) if sign.isspace()) :]
    return ("…" if first else "") + _line(context)


def _after(text: str, end: int, width: int) -> str:
    context = text[end : end + width]
    cut = end + width < len(text)
    if cut and not text[end + width].isspace() and any(map(str.isspace, context)):
        context = context[: max(place for place, sign in enumerate(context) if sign.isspace()) + 1]
    return _line(context) + ("…" if cut else "")


def _line(text: str) -> str:
    """On one line, with nothing in it that hides or turns the text around."""
    return visible("".join(" " if sign.isspace() else sign for sign in text)).text

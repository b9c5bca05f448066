"""Passages with which several documents begin or end in the same words: headings, signatures, licences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from forensia.corpus.document import Document
from forensia.corpus.words import WORD
from forensia.jobs import Progress, part, silent, tracked

FEWEST_WORDS = 12
FEWEST_DOCUMENTS = 3
_MOST_WORDS = 400  # a shared passage is measured up to this length
_WINDOW = 480  # characters in which the last words are looked for first


@dataclass(frozen=True)
class Passage:
    """The same words at the beginning or end of several documents; `offsets`: where they end (or start) in each analysed text."""

    documents: tuple[Document, ...]
    opening: bool
    words: int
    offsets: tuple[int, ...]


def shared_passages(documents: Sequence[Document], progress: Progress = silent) -> tuple[Passage, ...]:
    """The openings and closings of at least twelve words that at least three documents share."""
    return tuple(
        passage
        for opening, stage in ((True, part(progress, 0.0, 0.5)), (False, part(progress, 0.5, 1.0)))
        for group in _groups(documents, opening, stage)
        if (passage := _measured(group, opening)) is not None
    )


def _groups(documents: Sequence[Document], opening: bool, progress: Progress) -> list[list[Document]]:
    groups: dict[tuple[str, ...], list[Document]] = defaultdict(list)
    for document in tracked(documents, progress, "Looking for shared passages", len(documents)):
        words = _edge(document.text, FEWEST_WORDS, opening)
        if len(words) == FEWEST_WORDS:
            groups[tuple(word[0].lower() for word in words)].append(document)
    return [group for group in groups.values() if len(group) >= FEWEST_DOCUMENTS]


def _measured(group: Sequence[Document], opening: bool) -> Passage | None:
    """How far the documents agree. Copies of one text have no passage in common, they are one text, and count once."""
    if len({document.sha256_text or document.text for document in group}) < FEWEST_DOCUMENTS:
        return None
    edges = [_edge(document.text, _MOST_WORDS, opening) for document in group]
    length = 0
    for words in zip(*edges, strict=False):
        if len({word[0].lower() for word in words}) > 1:
            break
        length += 1
    offsets = tuple(edge[length - 1].end() if opening else edge[length - 1].start() for edge in edges)
    return Passage(tuple(group), opening, length, offsets)


def _edge(text: str, count: int, opening: bool) -> list[re.Match[str]]:
    """The first words of a text in order, or its last ones from the end backwards."""
    if opening:
        return list(islice(WORD.finditer(text), count))
    window = _WINDOW * (1 + count // FEWEST_WORDS // 2)
    while True:
        start = max(0, len(text) - window)
        words = list(WORD.finditer(text, start))
        if start > 0:
            words = words[1:]  # the window may cut the first one
        if len(words) >= count or start == 0:
            return words[: -count - 1 : -1]
        window *= 4

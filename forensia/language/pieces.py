"""Long texts are analysed in pieces, cut by a rule that looks at nothing but the text: the same text, the same pieces."""

from __future__ import annotations

import re

PIECE = 8_192
"""The most characters of a piece; it bounds the memory, and the time for a text without any space."""

_SHORTEST = PIECE // 2
_SPACES = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]{0,2}\Z")


def pieces(text: str) -> list[tuple[int, int]]:
    """Start and end of each piece, in order, together the whole text; most texts are one piece."""
    found: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > PIECE:
        end = _cut(text, start)
        found.append((start, end))
        start = end
    if start < len(text):
        found.append((start, len(text)))
    return found


def _cut(text: str, start: int) -> int:
    """The last of the best breaks in the second half of the longest piece that fits; without a space anywhere, its end."""
    first = start + _SHORTEST
    window = text[first : start + PIECE + 1]
    best, end = 0, start + PIECE
    for gap in _SPACES.finditer(window):
        if gap.end() < len(window) and (worth := _worth(window, gap)) >= best:
            best, end = worth, first + gap.end()
    return end


def _worth(window: str, gap: re.Match[str]) -> int:
    """How good a place white space is for a cut: an empty line, a line's end, a sentence's end, or none of them."""
    lines = gap[0].count("\n")
    if lines:
        return 3 if lines > 1 else 2
    return int(_SENTENCE_END.search(window, max(0, gap.start() - 3), gap.start()) is not None)

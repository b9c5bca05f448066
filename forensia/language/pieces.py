"""Long texts are analysed in pieces, cut by a rule that looks at nothing but the text: the same text, the same pieces."""

from __future__ import annotations

import re

PIECE = 8_192
"""The most characters of a piece; it bounds the memory."""

RUN = 128
"""The most characters of a piece without white space: tokenizers take a time that grows with its square."""

_SHORTEST = PIECE // 2
_LONG_RUN = re.compile(rf"\S{{{2 * RUN},}}")
_SPACES = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]{0,2}\Z")


def pieces(text: str) -> list[tuple[int, int]]:
    """Start and end of each piece, in order, together the whole text; most texts are one piece."""
    found: list[tuple[int, int]] = []
    done = 0
    for run in _LONG_RUN.finditer(text):
        found += _spans(text, done, run.start())
        found += [(start, min(start + RUN, run.end())) for start in range(run.start(), run.end(), RUN)]
        done = run.end()
    return found + _spans(text, done, len(text))


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a stretch of ordinary text."""
    found: list[tuple[int, int]] = []
    while end - start > PIECE:
        cut = _cut(text, start)
        found.append((start, cut))
        start = cut
    if start < end:
        found.append((start, end))
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

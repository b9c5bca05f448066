"""Passages that are not the author's own words, proposed as cuts: quoted mail, signatures, headers, licences, quotations.

Nothing is removed here. Each step looks for one kind of passage and proposes cuts with a reason; the analyst reviews them,
and the document keeps both the whole text and the cuts. In doubt a passage stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from forensia.corpus.characters import count_words
from forensia.corpus.document import Cut
from forensia.corpus.mailparts import Span, forwarded, line_end, mail_headers, quote_runs, quoted_replies, signatures


class Step(Enum):
    """The kinds of passages that can be cut; the value is the reason that every cut of the kind carries."""

    QUOTED_REPLIES = "quoted reply: words of another author"
    FORWARDED = "forwarded mail: words of another author"
    SIGNATURES = "signature"
    MAIL_HEADERS = "mail headers"
    BOILERPLATE = "boilerplate: licence, notice or disclaimer"
    BLOCK_QUOTATIONS = "block quotation"
    LINE_END_HYPHENS = "hyphen at a line end"


def propose_cuts(text: str, steps: Iterable[Step]) -> tuple[Cut, ...]:
    """Cuts of the normalised text for the steps chosen: sorted, without overlap, each with the reason of its step.

    Where two steps want the same passage, the one listed first in `Step` has it.
    """
    chosen = set(steps)
    taken: list[tuple[int, int, str]] = []
    for step in Step:
        if step in chosen:
            free = [span for span in _merged(_FINDERS[step](text)) if span[0] < span[1]]
            taken += [(start, end, step.value) for start, end in _outside(free, sorted(taken))]
    return tuple(Cut(*cut) for cut in sorted(taken))


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """The union of spans of one kind, in order."""
    start, end = 0, 0
    for next_start, next_end in sorted(spans):
        if next_start > end:
            if start < end:
                yield start, end
            start, end = next_start, next_end
        else:
            end = max(end, next_end)
    if start < end:
        yield start, end


def _outside(spans: Iterable[Span], taken: list[tuple[int, int, str]]) -> Iterator[Span]:
    """What is left of `spans` beside the sorted, disjoint spans already taken."""
    index = 0
    for start, end in spans:
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        ahead = index
        while ahead < len(taken) and taken[ahead][0] < end:
            if taken[ahead][0] > start:
                yield start, taken[ahead][0]
            start = max(start, taken[ahead][1])
            ahead += 1
        if start < end:
            yield start, end


# Boilerplate

_BOOK_START = re.compile(
    r"^[ \t]*(?:\*{2,}[ \t]*START[^\n]{0,40}\bPROJECT GUTENBERG[^\n]*(?:\n[^\n]+){0,2}?\*{2,}[ \t]*$|"
    r"\*END[* ][ \t]*THE SMALL PRINT[^\n]*$)",
    re.M | re.I,
)
_BOOK_END = re.compile(
    r"^[ \t]*(?:\*{2,}[ \t]*END[^\n]{0,40}\bPROJECT GUTENBERG|End of (?:the |this )?Project Gutenberg)", re.M | re.I
)
_BOOK_CREDITS = re.compile(r"\s*(?:Produced|E-?text prepared|Transcribed|Scanned) by [^\n]+(?:\n[^\n]+){0,5}\n", re.I)
_DISCLAIMER_START = re.compile(
    r"[\s*_=#-]*(?:(?:confidentiality|privacy|legal|important)[ \t]+(?:notice|note|disclaimer|warning)|disclaimer|"
    r"notice[ \t]*:|this[ \t]+(?:information|e-?mail|message|communication|transmission|electronic|document)|"
    r"the[ \t]+(?:information|contents?|materials?)[ \t]+(?:contained|transmitted|of this|in this)|"
    r"if you (?:are not|have received)|diese (?:e-?mail|nachricht)|ce (?:message|courriel)|este (?:mensaje|correo)|"
    r"quest[oa] (?:messaggio|e-?mail)|(?:dit|deze) (?:bericht|e-?mail)|esta mensagem)",
    re.I,
)
_DISCLAIMER_WORDS = re.compile(
    r"\b(confiden[tc]i|privileged|intended|recipient|addressee|unauthori[sz]ed|in error|disclos|distribut|attachment|virus|"
    r"delet|vertraulich|empfänger|irrtümlich|löschen|destinat[aá]|riservat|vertrouwelijk|ontvanger|bestemd)",
    re.I,
)
_FEWEST_DISCLAIMER_WORDS = 3
_RIGHTS = re.compile(
    r"^[^\n]{0,160}\ball rights reserved\b[^\n]{0,160}$|"
    r"^[ \t]*(?:copyright[ \t]*(?:\(c\)|©)?|©|\(c\))[ \t]*(?:1[5-9]|20)\d\d\b[^\n]{0,100}$",
    re.M | re.I,
)
_EDGE = 1_000


def _boilerplate(text: str) -> Iterator[Span]:
    """The licence around a Gutenberg book, a line on rights at either end, and disclaimers of companies' mail."""
    begin = _BOOK_START.search(text)
    if begin:
        credits_ = _BOOK_CREDITS.match(text, begin.end())
        yield 0, credits_.end() if credits_ else line_end(text, begin.end())
    end = _BOOK_END.search(text, begin.end() if begin else len(text) // 2)
    if end:
        yield end.start(), len(text)
    for match in _RIGHTS.finditer(text):
        if match.start() < _EDGE or match.end() > len(text) - _EDGE:
            yield match.start(), line_end(text, match.start())
    if _DISCLAIMER_WORDS.search(text):
        for start, stop in _paragraphs(text):
            if _DISCLAIMER_START.match(text, start, stop):
                words = {word.lower() for word in _DISCLAIMER_WORDS.findall(text, start, stop)}
                if len(words) >= _FEWEST_DISCLAIMER_WORDS:
                    yield start, stop


_BLANK = re.compile(r"\n[^\S\n]*\n")


def _paragraphs(text: str) -> Iterator[Span]:
    """Stretches between blank lines, with their last line end."""
    start = 0
    for match in (*_BLANK.finditer(text), None):
        end = match.start() + 1 if match else len(text)
        while start < end and text[start] == "\n":
            start += 1
        if start < end:
            yield start, end
        start = match.end() if match else end


# Quotations and line ends

_INDENTED_LINE = re.compile(r"^(?: {4}|\t)[ \t]*\S", re.M)
_FILLED_LINE = re.compile(r"^[ \t]*\S", re.M)
_COLUMNS = re.compile(r"\S(?:\t|   )[ \t]*\S")  # a table is indented too
_SHORTEST_QUOTATION = 8
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][ \t]*\n[ \t]*(?=[^\W\d_])")
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,40}-[^\W\d_]{1,40}(?![^\W\d_])")
_LAST_LETTERS = re.compile(r"[^\W\d_]+\Z")
_FIRST_LETTERS = re.compile(r"[^\W\d_]{1,40}")
_SUSPENDED = frozenset(("and", "or", "to", "nor", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of"))


def _block_quotations(text: str) -> Iterator[Span]:
    """Indented paragraphs of two lines or more in a text that is not indented as a rule, and lines marked with '>'."""
    yield from quote_runs(text)
    indented = len(_INDENTED_LINE.findall(text))
    if indented < 2 or 2 * indented > len(_FILLED_LINE.findall(text)):
        return
    for start, end in _paragraphs(text):
        paragraph = text[start:end]
        lines = paragraph.count("\n") + (not paragraph.endswith("\n"))
        if lines < 2 or len(_INDENTED_LINE.findall(paragraph)) < lines or _COLUMNS.search(paragraph):
            continue
        if count_words(paragraph) >= _SHORTEST_QUOTATION:
            yield start, end


def _line_end_hyphens(text: str) -> Iterator[Span]:
    """Hyphens that a line end made, with the line end; only the line end where the text has the word with a hyphen elsewhere."""
    breaks = list(_HYPHEN.finditer(text))
    compounds = set(_COMPOUND.findall(text)) if breaks else set()
    for match in breaks:
        start, end = match.span()
        before = _LAST_LETTERS.search(text[max(0, start - 40) : start])
        after = _FIRST_LETTERS.match(text, end)
        if before and after and before[0][-1].islower() and after[0][0].islower() and after[0] not in _SUSPENDED:
            yield (start + 1 if f"{before[0]}-{after[0]}" in compounds else start), end


_FINDERS: dict[Step, Callable[[str], Iterator[Span]]] = {
    Step.QUOTED_REPLIES: quoted_replies,
    Step.FORWARDED: forwarded,
    Step.SIGNATURES: signatures,
    Step.MAIL_HEADERS: mail_headers,
    Step.BOILERPLATE: _boilerplate,
    Step.BLOCK_QUOTATIONS: _block_quotations,
    Step.LINE_END_HYPHENS: _line_end_hyphens,
}

"""Long documents cut into pieces of about N words, each ending where a sentence ends.

The rule, stated because results depend on it: a piece ends at the first sentence end at or after N words; where none comes
before one and a half times N, it ends after N words. A remainder of less than half N joins the last piece, so no word is
dropped. The pieces put together are the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from forensia.corpus.characters import MAX_OFFSETS, WORD, count_words
from forensia.corpus.document import Cut, Document, Problem, text_hash
from forensia.corpus.textchecks import TOO_SHORT, too_short

# The marks must begin their run: trying again at each dot of a long row would take quadratic time.
_SENTENCE_END = re.compile(
    r"(?:(?<![.!?…])(?P<mark>[.!?…]+)[\"'”’»)\]]*(?=\s)|[。！？]+[」』）]*|\n[^\S\n]*\n)\s*",
)
_ABBREVIATIONS = frozenset(
    (
        "mr", "mrs", "ms", "dr", "prof", "rev", "hon", "st", "sr", "jr", "messrs", "mme", "mlle", "capt", "col", "gen", "lt",
        "sgt", "gov", "sen", "rep", "vs", "cf", "etc", "fig", "no", "nos", "vol", "pp", "ch", "ed", "eds", "al", "co", "corp",
        "inc", "ltd", "dept", "est", "approx", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
        "dec", "bzw", "usw", "ca", "nr", "abs", "hr", "fr", "mons",
    )
)  # fmt: skip
_PARTS_OF_A_PART = 10_000


def segment(document: Document, words: int) -> tuple[Document, ...]:
    """The pieces of a document, with the document as their group; the document itself when it is too short to cut."""
    if words < 1:
        return (document,)
    ends = _piece_ends(document.text, words)
    if len(ends) < 2:
        return (document,)
    pieces = []
    start = 0
    for number, end in enumerate(_in_original(document, ends), 1):
        pieces.append(_piece(document, number, start, end))
        start = end
    return tuple(pieces)


def _piece(document: Document, number: int, start: int, end: int) -> Document:
    original = document.original[start:end]
    piece = replace(
        document,
        title=f"{document.title} ({number})",
        body=original,
        sources=document.sources or (occasion(document),),
        read_sources=None,
        part=document.part * _PARTS_OF_A_PART + number,
        sha256_text=text_hash(original),
        segment=number,
        whole=document.id,
        cuts=tuple(
            Cut(max(cut.start, start) - start, min(cut.end, end) - start, cut.reason)
            for cut in document.cuts
            if cut.start < end and cut.end > start
        ),
    )
    count = count_words(piece.text)
    problems = tuple(_carried(document.problems, start, end))
    if count < TOO_SHORT and not any(problem.code == "too-short" for problem in problems):
        problems += (too_short(count),)
    return replace(piece, words=count, problems=problems)


def occasion(document: Document) -> str:
    """The name of a text as a source of its own: a file may hold many texts, and the pieces of a text have that of the whole."""
    place = document.path or document.title
    part = document.part if document.segment is None else document.part // _PARTS_OF_A_PART
    return f"{place} {part}" if part else place


def _carried(problems: tuple[Problem, ...], start: int, end: int) -> Iterator[Problem]:
    """The problems of the whole that concern a piece: those of no place, and those with a place in it."""
    for problem in problems:
        if not problem.offsets:
            yield problem
            continue
        inside = tuple(offset - start for offset in problem.offsets if start <= offset < end)
        if inside or len(problem.offsets) >= MAX_OFFSETS:
            yield replace(problem, offsets=inside)


def _piece_ends(text: str, words: int) -> list[int]:
    """Where the pieces end in the analysed text; the last end is that of the text."""
    ends: list[int] = []
    count = start = 0
    for end in sentence_ends(text):
        in_sentence = count_words(text[start:end])
        if 2 * (count + in_sentence) > 3 * words and in_sentence > 1:
            for place in _word_starts(text, start, end):
                if count == words:
                    ends.append(place)
                    count = 0
                count += 1
        else:
            count += in_sentence
        if count >= words:
            ends.append(end)
            count = 0
        start = end
    if ends and 2 * count < words:
        ends.pop()
    ends.append(len(text))
    return ends


def _word_starts(text: str, start: int, end: int) -> Iterator[int]:
    """Where each word begins, with the opening quotation mark or bracket before it."""
    last = start
    for match in WORD.finditer(text, start, end):
        gap = text[last : match.start()]
        blank = max(gap.rfind(" "), gap.rfind("\n"), gap.rfind("\t"))
        yield last + blank + 1 if blank >= 0 else match.start()
        last = match.end()


def sentence_ends(text: str) -> Iterator[int]:
    """Offsets after each sentence and the white space behind it: a light rule that needs no language model."""
    for match in _SENTENCE_END.finditer(text):
        if match.end() < len(text) and not (match["mark"] == "." and _is_abbreviation(text, match)):
            yield match.end()
    yield len(text)


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if text[match.end()].islower():
        return True
    if "\n\n" in match[0]:
        return False
    before = text[max(0, match.start() - 16) : match.start()].split()
    token = before[-1].lstrip("(\"'“‘[").lower() if before else ""
    return token in _ABBREVIATIONS or "." in token or (len(token) == 1 and token.isalpha() and token != "i")


def _in_original(document: Document, ends: list[int]) -> Iterator[int]:
    """Offsets of the analysed text as offsets of the original; what is cut between two pieces goes with the second."""
    stretches = document.kept()
    begin, stop = next(stretches, (0, 0))
    passed = 0
    for end in ends[:-1]:
        while passed + stop - begin < end:
            passed += stop - begin
            begin, stop = next(stretches)
        yield begin + end - passed
    yield len(document.original)

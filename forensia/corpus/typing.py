"""One typing for every text, and how a text was typed: what a keyboard or a mail program decides is not the style of the writer.

Quotes, dashes, ellipses and spaces have one form each, words are one space apart, ligatures and full-width forms are written out,
what has no ink is dropped, and hard wraps are undone. The text itself stays as it is, for display and for its hash. This takes the
differences of typing out of the comparison of texts, so they are counted here too, to be told beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import NO_INK, beyond_ascii
from forensia.profile import Typing

DASH = "–"
"""Every dash: long or short, two or three hyphens, a hyphen between spaces. Between digits it is a hyphen, as most people type it."""

WIDEST = 100
"""The most characters of the longest line of a text that is hard-wrapped."""

Edit = tuple[int, int, str]
"""Start and end of a stretch that is not empty, and what stands there instead."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """A text in canonical typing, and where each of its characters began and ended in the text as it was typed.

    `origins` has one more entry, the length of the original text.
    """

    text: str
    origins: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def same(cls, text: str) -> Self:
        """A text that stays as it was typed."""
        places = np.arange(len(text) + 1, dtype=np.int64)
        return cls(text, places, places[1:])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the canonical text, which must not be empty, stands in the original."""
        return int(self.origins[start]), int(self.ends[end - 1])

    def edited(self, edits: Iterable[Edit]) -> Canonical:
        """The text with further edits, which are in order and do not overlap."""
        made = list(edits)
        if not made:
            return self
        pieces: list[str] = []
        done = 0
        for start, end, instead in made:
            pieces += (self.text[done:start], instead)
            done = end
        pieces.append(self.text[done:])
        starts, ends = np.array([(start, end) for start, end, _instead in made], np.int64).T
        # What is kept moves by what the edits before it took or gave; what is put in stands where the edit stood.
        sizes = np.array([len(piece) for piece in pieces], np.int64)
        moved = np.zeros(len(pieces), np.int64)
        moved[2::2] = np.cumsum(ends - starts - sizes[1::2])
        origins = np.arange(sizes.sum() + 1) + np.append(np.repeat(moved, sizes), moved[-1])
        until = origins[:-1] + 1
        put_in = np.repeat(np.arange(len(pieces)) % 2 == 1, sizes)
        origins[:-1][put_in] = np.repeat(starts, sizes[1::2])
        until[put_in] = np.repeat(ends, sizes[1::2])
        return Canonical("".join(pieces), self.origins[origins], self.ends[until - 1])


def typed(text: str, typing: Typing) -> Canonical:
    """A text as a profile reads it."""
    return canonical(text) if typing == "canonical" else Canonical.same(text)


def canonical(text: str) -> Canonical:
    """The text in canonical typing. Doing it twice changes nothing.

    A text was wrapped as it was typed, where a dash may be two characters and an ellipsis one, so lines are measured before they are
    folded. Where lines are left that would be taken for wrapped in their turn, they are measured folded; and where that leads no
    further, the breaks are those of a list or of verse, and stay.
    """
    seen = _seen(text)
    read = _folded(seen.edited(_wraps(seen.text)))
    if not _wraps(read.text):
        return read
    folded = _folded(seen)
    unwrapped = folded.edited(_wraps(folded.text))
    return folded if _wraps(unwrapped.text) else unwrapped


def _folded(read: Canonical) -> Canonical:
    """The text with every character and every run of them in one form."""
    read = _runs(_characters(read))
    return read.edited(_wide(read.text))


# Single characters

_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_KINDS = (  # kind, form, its characters, what they are read as
    ("apostrophe", "curly", "‘’‚‛❛❜", "'"),
    ("apostrophe", "other", "`´ʹʻʼʽˊˋ′‵‹›ꞌ", "'"),
    ("quote", "curly", "“”„‟❝❞〝〞〟", '"'),
    ("quote", "guillemets", "«»", '"'),
    ("quote", "other", "ˮ″‶", '"'),
    ("hyphen", "other", "˗‐‑‒−﹣", "-"),
    ("dash", "long", "—―⸺⸻﹘", DASH),
    ("space", "other", _SPACES, " "),
    ("ellipsis", "sign", "…", "..."),
)
_FORMS = {character: read for _kind, _form, characters, read in _KINDS for character in characters}
FORM_OF = {character: (kind, form) for kind, form, characters, _read in _KINDS for character in characters}
"""The kind and the form of every character that is folded."""

for _kind, _codes in (
    ("ligature", range(0xFB00, 0xFB07)),
    ("full-width", (*range(0xFF01, 0xFF5F), *range(0xFFE0, 0xFFE7))),
):
    for _character in map(chr, _codes):
        _read = unicodedata.normalize("NFKC", _character)
        _FORMS[_character] = _FORMS.get(_read, _read)  # the full-width grave accent is a quote too
        FORM_OF[_character] = (_kind, "other")
_LONGER = re.compile(f"[{''.join(character for character, form in _FORMS.items() if len(form) > 1)}]")
_NOT_SEEN = re.compile(f"[{NO_INK}]+")
_ONE_FOR_ONE = {character: form for character, form in _FORMS.items() if len(form) == 1}
_TABLE = str.maketrans(_ONE_FOR_ONE)
_MANY = 16


def _seen(text: str) -> Canonical:
    """The text without what has no ink."""
    read = Canonical.same(text)
    if text.isascii() or not _NOT_SEEN.search("".join(beyond_ascii(text))):
        return read
    return read.edited((*match.span(), "") for match in _NOT_SEEN.finditer(text))


def _characters(read: Canonical) -> Canonical:
    """Every character in its canonical form."""
    text = read.text
    if text.isascii():
        return replace(read, text=text.replace("`", "'"))
    beyond = beyond_ascii(text)
    forms = {character: form for character in (*beyond, "`") if (form := _ONE_FOR_ONE.get(character))}
    if len(forms) > _MANY:
        text = text.translate(_TABLE)
    else:  # ten times faster for the few that a text has
        for character, form in forms.items():
            text = text.replace(character, form)
    return replace(read, text=text).edited((*match.span(), _FORMS[match[0]]) for match in _LONGER.finditer(text))


# Several characters that stand for one

# A gap between the dots of '. . .' may be a line break, which could be a wrap.
_GAP = r"(?: |[ \t]*+\n)"
_TWO_DOTS = re.compile(rf"\.{_GAP}\.")
_RUNS = re.compile(
    rf"''|(?P<range>(?<=\d)(?:--|{DASH})(?=\d))|-(?<!--)-{{1,2}}(?!-)|(?<![^ \t\n])-(?![^ \t\n])|\.(?:{_GAP}\.){{2,}}"
)


def _runs(read: Canonical) -> Canonical:
    """Two apostrophes as a quote, two or three hyphens or one between spaces as a dash, dots with gaps between them as an ellipsis."""
    text = read.text
    if "''" not in text and "-" not in text and DASH not in text and not _TWO_DOTS.search(text):
        return read
    return read.edited((*match.span(), _run(match)) for match in _RUNS.finditer(text))


def _run(found: re.Match[str]) -> str:
    first = found[0][0]
    if first in ("-", DASH):
        return "-" if found["range"] else DASH
    return '"' if first == "'" else first * found[0].count(".")


# Gaps between words

_SENTENCE_END = r"[.!?][\"'”’»)\]]*+"
_SEVERAL = re.compile(rf"{_SENTENCE_END}(?: {{1,3}}+(?! )|(?P<after> {{4,}}+)(?=\S))|(?<=\S)(?P<within> {{2,}}+)(?=\S)")


def wide_gaps(text: str) -> int:
    """How many gaps between the words of a line are wider than they are read."""
    return sum(1 for _ in _wide(_characters(_seen(text)).text))


def _wide(text: str) -> Iterator[Edit]:
    """Several spaces between words as one; after a sentence two or three stay, a habit of some writers, and more are two."""
    for match in _SEVERAL.finditer(text) if "  " in text else ():
        if match.lastgroup:
            yield *match.span(match.lastgroup), " " if match["within"] else "  "


# Hard wraps

_GAPS = re.compile(rf"{_SENTENCE_END}( +)(?=\S)")
_ENDS = re.compile(rf"{_SENTENCE_END}$")


def _wraps(text: str) -> list[Edit]:
    """The line breaks at which the next word would not have fitted in the longest line; empty lines and indents are meant.

    They are read as a space; after a sentence as two, where most sentences within lines are followed by two. Where more sentences end
    a line that has room for the next word than end within lines, every line that a sentence ends is the last of a paragraph.
    """
    lines = text.split("\n")
    kept = [line.rstrip(" \t") for line in lines]
    longest = max(map(len, kept))
    if longest > WIDEST:
        return []
    gaps = [len(gap) for gap in _GAPS.findall(text)]
    between = "  " if 2 * sum(gap == 2 for gap in gaps) > len(gaps) else " "
    within: list[Edit] = []
    after: list[Edit] = []
    meant = begin = 0
    for line, shown, following in zip(lines, kept, kept[1:], strict=False):
        end = begin + len(line)
        if shown and following and not following[0].isspace():
            ends = not following[0].islower() and _ENDS.search(shown) is not None
            word, gap = following.split(None, 1)[0], between if ends else " "
            if len(shown) + len(gap) + len(word) > longest:
                (after if ends else within).append((begin + len(shown), end + 1, gap))
            else:
                meant += ends
        begin = end + 1
    return within if meant > len(gaps) else sorted(within + after)


CANONICAL = {
    "apostrophe": "straight",
    "quote": "straight",
    "dash": "short",
    "hyphen": "plain",
    "ellipsis": "dots",
    "ligature": "letters",
    "line": "whole",
}
"""The form of each kind that is not folded. A kind that is not here, such as soft hyphens, has no form that could be counted beside it."""

_SOFT_HYPHEN = "\u00ad"
_ANY_HIDDEN = re.compile(f"[{NO_INK}]")
_LETTERS = ("ff", "fi", "fl")
_RANGE = re.compile(rf"(?<=\d){DASH}(?=\d)")
_HYPHEN_ROWS = re.compile("-+")
_DOTS = re.compile(r"\.{3,}")
_SPACED_DOTS = re.compile(r"\.(?:(?: |[ \t]*+\n)\.){2,}")
_BLANK = frozenset(("", " ", "\t", "\n"))


@dataclass(frozen=True)
class Forms:
    """How often each form of each kind stands in a text: no kind and no form is there that the text does not have.

    Lines count by the places where they were broken to fit a width, or by those where they would have been at the widest.
    """

    counts: Mapping[str, Mapping[str, int]]

    def total(self, kind: str) -> int:
        """How often a text has a kind at all."""
        return sum(self.counts.get(kind, {}).values())

    def share(self, kind: str, form: str) -> float:
        """How much of a kind that a text has is in one form."""
        return self.counts.get(kind, {}).get(form, 0) / max(1, self.total(kind))

    @property
    def folded(self) -> Mapping[str, int]:
        """How often canonical typing changes the text, by kind."""
        found = {
            kind: sum(count for form, count in forms.items() if form != CANONICAL.get(kind))
            for kind, forms in self.counts.items()
        }
        return {kind: count for kind, count in found.items() if count}


def forms_of(text: str) -> Forms:
    """What is counted in a text."""
    found: dict[str, dict[str, int]] = {}

    def add(kind: str, form: str, count: int) -> None:
        if count:
            forms = found.setdefault(kind, {})
            forms[form] = forms.get(form, 0) + count

    beyond = () if text.isascii() else sorted(beyond_ascii(text))
    for character in beyond:
        if character in FORM_OF:
            add(*FORM_OF[character], text.count(character))
        elif character == _SOFT_HYPHEN:
            add("soft-hyphen", "other", text.count(character))
        elif _ANY_HIDDEN.match(character):
            add("hidden", "other", text.count(character))
        elif character == DASH:
            ranges = _times(_RANGE, text)
            add("hyphen", "other", ranges)
            add("dash", "short", text.count(DASH) - ranges)
    grave, straight = text.count("``"), text.count("''")
    add("quote", "pairs", grave + straight)
    add("quote", "straight", text.count('"'))
    add("apostrophe", "straight", text.count("'") - 2 * straight)
    add("apostrophe", "other", text.count("`") - 2 * grave)
    add("ligature", "letters", sum(map(text.count, _LETTERS)))
    if "-" in text:
        for kind, form in _hyphens(text):
            add(kind, form, 1)
    if ".." in text:
        add("ellipsis", "dots", _times(_DOTS, text))
    add("ellipsis", "spaced", _times(_SPACED_DOTS, text))
    add("gap", "wide", wide_gaps(text))
    add("line", *_lines(text, hidden="hidden" in found or "soft-hyphen" in found))
    return Forms({kind: dict(sorted(found[kind].items())) for kind in sorted(found)})


def _times(sign: re.Pattern[str], text: str) -> int:
    """How often something stands in a text; nothing is kept of it, for a hostile text may have millions."""
    return sum(1 for _ in sign.finditer(text))


def _hyphens(text: str) -> Iterator[tuple[str, str]]:
    """What each row of hyphens is: a dash, or a hyphen within a word."""
    for match in _HYPHEN_ROWS.finditer(text):
        start, end = match.span()
        before, behind = text[max(0, start - 1) : start], text[end : end + 1]
        if end - start in (2, 3):
            yield "dash", "hyphens"
        elif end - start == 1 and before in _BLANK and behind in _BLANK:
            yield "dash", "spaced"
        elif end - start == 1 and before.isalnum() and behind.isalnum():
            yield "hyphen", "plain"


def _lines(text: str, *, hidden: bool) -> tuple[str, int]:
    """Whether the lines were wrapped, and how often; a text of short lines alone is neither. What is hidden takes no room in a line."""
    lines = text.split("\n")
    if len(lines) > 1 and (hidden or max(len(line.rstrip(" \t")) for line in lines) <= WIDEST):
        wraps = text.count("\n") - canonical(text).text.count("\n")
        if wraps:
            return "wrapped", wraps
    return "whole", sum((len(line) - 1) // WIDEST for line in lines if line)

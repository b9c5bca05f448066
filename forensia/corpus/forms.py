"""How a text was typed: how often it has each form of what `typing` reads as one, such as curly and straight apostrophes.

Canonical typing takes these differences out of the comparison of texts, so they are counted here, to be told beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from forensia.corpus.characters import NO_INK
from forensia.corpus.typing import DASH, FORM_OF, WIDEST, canonical, wide_gaps
from forensia.corpus.words import beyond_ascii

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
_HIDDEN = re.compile(f"[{NO_INK}]")
_LETTERS = ("ff", "fi", "fl")
_RANGE = re.compile(rf"(?<=\d){DASH}(?=\d)")
_HYPHENS = re.compile("-+")
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
        elif _HIDDEN.match(character):
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
    for match in _HYPHENS.finditer(text):
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

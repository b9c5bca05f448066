"""Whether a disputed text is typed as the known texts are: counts beside the comparison, which does not see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forensia.corpus.document import Problem
from forensia.corpus.forms import CANONICAL, Forms
from forensia.evidence.result import Reason
from forensia.profile import Typing

FEWEST = 5
"""Occurrences in the disputed text; fewer may be slips, or stand in something that it quotes."""

FEWEST_TEXTS = 3
"""Known texts that have a kind at all; of fewer nobody can say how they are usually typed."""

MOSTLY = 0.75
"""How much of a kind a disputed text must have in one form to be typed so; more than half is enough for a known one, so that a text
which is nearly typed alike does not differ."""

RARE = 0.1
"""The greatest share of the known texts that may be typed so all the same: a corpus has a few texts from elsewhere."""


@dataclass(frozen=True)
class Usual:
    """How many of some texts that have a kind are typed in one form."""

    texts: int
    of: int

    @property
    def enough(self) -> bool:
        """Whether it can be said at all how they are usually typed."""
        return self.of >= FEWEST_TEXTS

    @property
    def rare(self) -> bool:
        return self.enough and self.texts <= RARE * self.of

    @property
    def share(self) -> float:
        return self.texts / self.of

    @property
    def share_of_others(self) -> float:
        """The share without one of the texts that are typed so."""
        return (self.texts - 1) / (self.of - 1)


def typing_warnings(
    text: Forms, problems: Sequence[Problem], known: Sequence[Forms], authors: Sequence[str], about: str, typing: Typing
) -> Iterator[Reason]:
    """What of the typing of a disputed text is rare among the known texts, or among those of the author whom the answer is about.

    `authors` are those of the known texts; what is wrong with the disputed text tells whether it lacks apostrophes.
    """
    own = [forms for forms, author in zip(known, authors, strict=True) if author == about]
    found = []
    for kind in text.counts:
        form = form_of(text, kind)
        if form is not None:
            everybody, theirs = usual(known, kind, form), usual(own, kind, form)
            if everybody.rare or theirs.rare:
                found.append((kind, form, everybody, theirs))
    if found:
        yield Reason(
            "typing-differs" if typing == "canonical" else "typing-differs-and-counts",
            {
                "author": about,
                "kinds": tuple(kind for kind, *_ in found),
                "forms": tuple(form for _, form, *_ in found),
                "counts": tuple(text.counts[kind][form] for kind, form, *_ in found),
                "totals": tuple(text.total(kind) for kind, *_ in found),
                "texts": tuple(each.texts for *_, each, _ in found),
                "known": tuple(each.of for *_, each, _ in found),
                "own_texts": tuple(each.texts for *_, each in found),
                "own": tuple(each.of for *_, each in found),
            },
        )
    having = sum(1 for forms in known if forms.total("apostrophe"))
    lacking = any(problem.code == "no-apostrophes" for problem in problems)
    if lacking and Usual(len(known) - having, len(known)).rare:
        yield Reason("apostrophes-missing", {"texts": having, "known": len(known)})


def form_of(text: Forms, kind: str) -> str | None:
    """The form in which a disputed text is typed, if it has a kind often enough and nearly always in that form."""
    form = max(text.counts[kind], key=text.counts[kind].__getitem__)
    return form if text.total(kind) >= FEWEST and text.share(kind, form) >= MOSTLY else None


def usual(texts: Sequence[Forms], kind: str, form: str) -> Usual:
    """A kind that has no other form to be counted, such as soft hyphens, could stand in every text."""
    having = [forms for forms in texts if forms.total(kind) or kind not in CANONICAL]
    return Usual(sum(1 for forms in having if forms.share(kind, form) > 1 / 2), len(having))

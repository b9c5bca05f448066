"""What is said of several texts by perhaps one hand, and of verification problems."""

from __future__ import annotations

from collections.abc import Sequence

from forensia.evidence.result import Reason
from forensia.evidence.writers import UNSURE, Grouping, WrongPairs
from forensia.wording.opinion import pair_statement
from forensia.wording.ratios import share
from forensia.wording.reasons import sentences
from forensia.wording.templates import listed

ANSWERS = {True: "one writer", False: "two writers", None: "no answer"}
"""Of a verification problem."""


ALTERNATIVES_OF_PAIRS = (
    "Of the two writers of the second proposition both may be authors of known texts, or people of whom nothing is known; both were "
    "tried where they could be, and the LR is that of the one that claims less."
)
SECOND_WRITER = {True: "listed authors", False: "not in the corpus"}
"""Who the writers are taken to be, whose LR is given: whether both are listed."""

GROUPED = (
    "Of several texts, the two groups with the highest mean log LR between their texts are joined, as long as that mean is above 0: as "
    "long as one writer is more probable than two, if both were equally so before. The LRs of pairs must not be multiplied: pairs "
    "share texts."
)


def known(found: Grouping, names: Sequence[str]) -> list[str]:
    """Whose the known texts among those compared are."""
    return [
        f"{name} is one of the known texts, by {text.known_author}."
        for name, text in zip(names, found.texts, strict=True)
        if text.known_author is not None
    ]


def question(names: Sequence[str]) -> str:
    """What is asked of some texts."""
    if len(names) == 2:
        return f"Are {listed(names)} by one writer?"
    return f"Are these {len(names)} texts by one writer: {listed(names)}?"


def answer(found: Grouping, names: Sequence[str]) -> list[str]:
    """What may be said: of two texts the opinion with its reasons, of more their groups; and how often such an answer is wrong."""
    if len(found.texts) == 2:
        (pair,) = found.pairs
        return [pair_statement(pair), *sentences(pair.reasons), *error(found)]
    members = [
        f"Group {number}: {listed([names[text] for text in group])}." for number, group in enumerate(found.groups, 1)
    ]
    lines = members if len(members) > 1 else why_none(found)
    return [groups(found), *lines, *_without_opinion(found), *error(found)]


def _without_opinion(found: Grouping) -> list[str]:
    silent = sum(not pair.given for pair in found.pairs)
    return (
        [f"Of {len(found.pairs):,} pairs {silent:,} by themselves support no opinion."]
        if found.groups and silent
        else []
    )


def groups(found: Grouping) -> str:
    """How many groups there are."""
    texts = len(found.texts)
    if not found.groups:
        return (
            f"The {texts} texts are not put into groups: the likelihood ratio of a pair is missing, or worth nothing."
        )
    if len(found.groups) == 1:
        return f"The {texts} texts are put into one group: by the likelihood ratios of their pairs, one writer."
    return f"The {texts} texts are put into {len(found.groups)} groups: by the likelihood ratios of their pairs, as many writers."


def why_none(found: Grouping) -> list[str]:
    """Why there are no groups: what is wrong with the likelihood ratios of pairs, of each kind the worst."""
    if found.groups:
        return []
    wrong = [reason for pair in found.pairs for reason in pair.reasons if reason.code != UNSURE]
    worst = {reason.code: reason for reason in sorted(wrong, key=_words, reverse=True)}
    return sentences(worst.values())


def _words(reason: Reason) -> int:
    found = reason.values.get("words")
    return found if isinstance(found, int) else 0


def error(found: Grouping) -> list[str]:
    """How often such groupings are wrong, as far as they were tried."""
    tried = found.error
    if not found.groups:
        return []
    if tried is None:
        return ["How often such an answer is wrong is not estimable with the known texts of this case."]
    fewest, most = tried.writers
    by = f"{fewest} to {most} writers" if fewest < most else f"{most} {'writer' if most == 1 else 'writers'}"
    said = [
        f"Tried on {tried.draws} draws of {len(found.texts)} known texts by {by}, cut to these lengths, as if nothing by their authors "
        "were known:"
    ]
    if tried.together is not None:
        said.append(f"of two texts by two writers, {_wrong(tried.together)} were put together;")
    if tried.split is not None:
        said.append(f"of two texts by one writer, {_wrong(tried.split)} were kept apart.")
    return [*said[:-1], said[-1].rstrip(";.:") + "."]


def _wrong(found: WrongPairs) -> str:
    ends = "" if found.interval is None else f"; 95 % interval {share(found.interval[0])} to {share(found.interval[1])}"
    return f"{share(found.share)} ({found.wrong:,} of {found.pairs:,} pairs{ends})"

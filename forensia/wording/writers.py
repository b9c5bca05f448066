"""What is said of several texts by perhaps one hand, and of verification problems."""

from __future__ import annotations

from forensia.evidence.writers import Grouping, WrongPairs
from forensia.wording.ratios import share

ANSWERS = {True: "one writer", False: "two writers", None: "no answer"}
"""Of a verification problem."""


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


def error(found: Grouping) -> list[str]:
    """How often such groupings are wrong, as far as they were tried."""
    tried = found.error
    if not found.groups:
        return []
    if tried is None:
        return ["How often such a grouping is wrong is not estimable with the known texts of this case."]
    fewest, most = tried.writers
    by = f"{fewest} to {most} writers" if fewest < most else f"{most} {'writer' if most == 1 else 'writers'}"
    said = [
        f"Tried on {tried.draws} draws of {len(found.texts)} known texts by {by}, cut to these lengths, as if nothing by their authors "
        "were known:"
    ]
    if tried.together is not None:
        said.append(f"  of two texts by two writers {_wrong(tried.together)} were put into one group,")
    if tried.split is not None:
        said.append(f"  of two texts by one writer {_wrong(tried.split)} were put into two.")
    return said


def _wrong(found: WrongPairs) -> str:
    ends = (
        "" if found.interval is None else f" (95 % interval {share(found.interval[0])} to {share(found.interval[1])})"
    )
    return f"{share(found.share)}{ends}"

"""The limits of a report in words: a title and a text for each code. `report.limits` decides which of them apply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forensia.corpus.document import Problem
from forensia.evidence.result import Reason, Value
from forensia.wording import problems
from forensia.wording.conditions import no_new_source
from forensia.wording.ratios import share
from forensia.wording.reasons import ALTERNATIVES, sentences
from forensia.wording.templates import catalogue, filled, named

_QUOTED = 3


@dataclass(frozen=True)
class Limit:
    """What limits a report: a code with the numbers and names in its text, and what is quoted there. The gravest weigh most."""

    code: str
    weight: int
    values: Mapping[str, Value] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    problems: tuple[Problem, ...] = ()


def title(limit: Limit) -> str:
    """What the limit is called."""
    return "Likelihood ratios that may be worth nothing" if "bound" in limit.values else str(_words(limit)["title"])


def text(limit: Limit) -> str:
    """What it says."""
    made = _MADE.get(limit.code)
    return filled(_words(limit)["text"], limit.values) if made is None else made(limit, limit.values)


def _words(limit: Limit) -> Mapping[str, str]:
    found: Mapping[str, str] = catalogue("limits")[limit.code]
    return found


def _no_opinion(limit: Limit, at: Values) -> str:
    why = list(dict.fromkeys(sentences(limit.reasons)))[:_QUOTED]
    return (
        f"No opinion is given on {named(at['files'])}. {' '.join(why)} "
        "That no opinion is given speaks neither for nor against anybody."
    )


def _cost(limit: Limit, at: Values) -> str:
    against = f"Against '{ALTERNATIVES[at['alternative']]}' the"
    if "bound" in at:
        return (
            f"{against} upper bound of the cost of the likelihood ratios (Cllr) is {at['bound']:.2f}; at 1 they are no better than "
            "none."
        )
    return f"{against} cost of the likelihood ratios (Cllr) is {at['cllr']:.2f}, nearer to 1 (useless) than to 0 (perfect)."


def _open_set(limit: Limit, at: Values) -> str:
    said = (
        f"The rankings compare the {at['authors']:,} authors supplied and assume that one of them wrote the text. Nothing here excludes "
        "that somebody else did, whose texts were not supplied."
    )
    if at["wrongly"] is None:
        return said
    return (
        f"{said} In the validation {share(at['wrongly'])} of the texts by people who were not listed led to support for somebody who "
        "was."
    )


def _population(limit: Limit, at: Values) -> str:
    said = (
        f"'Somebody else' is whoever writes as the {at['authors']:,} authors of the reference population do. If those who could have "
        "written the text write otherwise (another genre, period or medium, or all of them more like a candidate), the likelihood ratio "
        "says too much or too little, and nothing in these numbers shows it. That the population is relevant must be argued from the case."
    )
    if at["wrongly"] is None:
        return said
    whom = (
        "the author who stood in for the candidate"
        if at["candidates"] == 1
        else "an author who stood in for a candidate"
    )
    return f"{said} In the validation {share(at['wrongly'])} of texts by others led to support for {whom}."


def _weak_test(limit: Limit, at: Values) -> str:
    smallest = "below 0.01" if at["smallest"] < 0.01 else f"{at['smallest']:.2f}"
    return (
        f"For {at['count']:,} of {at['authors']:,} authors there are too few known texts for a p below 0.05 (the smallest that can occur "
        f"in this case is {smallest}); 'none of these' can then never be the answer."
    )


def _found(limit: Limit, at: Values) -> str:
    return " ".join(dict.fromkeys(problems.message(each) for each in limit.problems))


Values = Mapping[str, Any]
_MADE: Mapping[str, Callable[[Limit, Values], str]] = {
    "no-opinion": _no_opinion,
    "cost-listed": _cost,
    "cost-unlisted": _cost,
    "open-set": _open_set,
    "population": _population,
    "no-new-source": lambda _, at: (
        f"{no_new_source(at['told'])} All figures are those for texts from the sources of known texts, and are too good for others."
    ),
    "weak-test": _weak_test,
    "compared": lambda _, at: (
        f"Whether texts are by one writer was tried on texts by the {at['authors']:,} authors of the known ones, as if nothing by "
        "them were known. It holds for people who write as differently from each other as these do."
        + (
            ""
            if at["sources"]
            else " Nobody said what the known texts come from, so those of one writer may share an occasion, which makes them alike."
        )
    ),
    "several": lambda _, at: (
        f"Each of the {at['count']:,} disputed texts is judged by itself. Their likelihood ratios must not be multiplied: they share "
        "the known texts and the model"
        + ("." if at.get("compared") else ", and that one person wrote them all is an assumption that was not tested.")
    ),
    "doubtful-text": _found,
    "no-passages": lambda _, at: f"Passages could not be shown. {' '.join(at['why'])}",
}
"""The texts that are made of parts."""

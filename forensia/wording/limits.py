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
from forensia.wording.templates import filled, named

_QUOTED = 3
_TYPED = (
    "not typed as most known texts are, or not as most of those by the author put first; the results have the counts."
)
_OUTSIDE = "The alternative 'somebody who is not in the corpus'"


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
    return "Likelihood ratios that may be worth nothing" if "bound" in limit.values else _WORDS[limit.code][0]


def text(limit: Limit) -> str:
    """What it says."""
    said = _WORDS[limit.code][1]
    return filled(said, limit.values) if isinstance(said, str) else said(limit, limit.values)


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
_WORDS: Mapping[str, tuple[str, str | Callable[[Limit, Values], str]]] = {
    "no-opinion": ("No opinion", _no_opinion),
    "short": (
        "A short text",
        "{files:named}: below {few:,} words results are less certain (the shortest has {words:,}).",
    ),
    "not-validated": (
        "No validation",
        "How far these numbers can be trusted was not measured. A ranking alone is no evidence.",
    ),
    "older-validation": (
        "A validation that cannot be read",
        "The likelihood ratios were made by version {program} of the program, with a validation that this version cannot read. "
        "How good they are is not stated here; train the case again to have them tested.",
    ),
    "quick": (
        "A quick validation",
        "For Lazy AA, Stacked AA and pairs of texts the models of the validation were fitted in 5 folds instead of 10: they know fewer "
        "texts and authors than the final one, and the performance that is stated for them is less certain.",
    ),
    "validation-not-converged": (
        "No convergence in the validation",
        "Some diff-vector classifiers of the validation did not converge; the figures for Lazy AA, Stacked AA and pairs of texts are "
        "less certain than they look.",
    ),
    "cost-listed": ("Likelihood ratios of low quality", _cost),
    "cost-unlisted": ("Likelihood ratios of low quality", _cost),
    "open-set": ("Only the authors supplied", _open_set),
    "agreed": (
        "That one of them wrote it is agreed",
        "For {files:named} it is agreed that one of the listed authors wrote the text, as the analyst states; it was not "
        "examined. If somebody else wrote it, what is said of these texts is worth nothing. The reason: "
        "{because:reasons}.",
    ),
    "population": ("Only as good as the reference population", _population),
    "few-in-population": (
        "Few authors",
        "The alternative 'somebody else' rests on {authors:,} authors, candidates and population together; {few} or more "
        "would represent other writers better.",
    ),
    "turns": (
        "A likelihood ratio that turns",
        "For {files:named} the likelihood ratio comes to the other side of 1 under some of the changes in the section on "
        "sensitivity.",
    ),
    "unlisted-not-estimable": (
        "Somebody else cannot be weighed",
        "With {authors:,} authors the alternative 'somebody who is not in the corpus' is not estimable; it needs "
        "{fewest}. All that is said holds on the condition that one of the listed authors wrote the text; of anybody else "
        "nothing is known, and 'none of these' cannot be the answer.",
    ),
    "few-authors": (
        "Few authors",
        f"{_OUTSIDE} rests on {{authors:,}} authors; {{few}} or more would represent other writers better.",
    ),
    "no-new-source": (
        "Nothing is known of new sources",
        lambda _, at: (
            f"{no_new_source(at['told'])} All figures are those for texts from the sources of known texts, and are too good for others."
        ),
    ),
    "stated-known": (
        "A known source, as stated",
        "For {files:named} the analyst states that the text is from the source of known texts. All figures hold on that "
        "condition alone; for a text from a new source they would be worse. The reason: "
        "{because:reasons}.",
    ),
    "few-sources": (
        "Texts from few sources",
        "For {names:count} of {authors:,} authors the known texts come from one source (a book, an account, files of one "
        "kind), or nobody said from which: {names:named}. How well they are recognised in a text from a new source is not "
        "known, and no opinion on such a text is given about them. Texts from a second source, or a statement of what the texts "
        "come from (on the Corpus page or with --sources), would change that.",
    ),
    "unequal-counts": (
        "Unequal numbers of texts",
        "The authors have between {fewest:,} and {most:,} known texts. Those with few are recognised less often, and are "
        "put behind others more often.",
    ),
    "disagreement": (
        "Methods disagree",
        "For {files:named} methods of different kinds put different authors first. A conclusion that only some methods reach "
        "deserves less weight.",
    ),
    "sensitive": (
        "A first place that does not survive every change",
        "For {files:named} another author comes first under some of the changes in the section on sensitivity.",
    ),
    "topic": (
        "Topic may play a part",
        "For {files:named} the first place changes when words of the topic are hidden (or shown): the likeness may be one of "
        "subject and not of style.",
    ),
    "wide-interval": (
        "A wide interval",
        "For {files:named} the interval of the likelihood ratio is wide: another selection of known texts could have given a "
        "very different one.",
    ),
    "at-bound": (
        "A likelihood ratio at its limit",
        "For {files:named} the likelihood ratio stands at the limit that the validation supports; how much stronger the "
        "findings are cannot be said from so few comparisons.",
    ),
    "weak-test": ("Nobody can be excluded by the test of usualness", _weak_test),
    "other-length": (
        "Texts of another length",
        "{files:named}: the disputed text is more than three times as long, or as short, as the known texts on which its "
        "figures were measured, cut or joined as far as there are enough of them.",
    ),
    "other-language": (
        "Texts in another language",
        "{files:named}: the language of the disputed text is not that of the known texts.",
    ),
    "compared": (
        "Texts by strangers",
        lambda _, at: (
            f"Whether texts are by one writer was tried on texts by the {at['authors']:,} authors of the known ones, as if nothing by "
            "them were known. It holds for people who write as differently from each other as these do."
            + (
                ""
                if at["sources"]
                else " Nobody said what the known texts come from, so those of one writer may share an occasion, which makes them alike."
            )
        ),
    ),
    "genre": (
        "Genre, time and circumstances",
        "The likelihood ratios hold for texts that came about as the known ones did. Whether the disputed text differs from them in kind, "
        "addressee, date or manner of writing is for the reader of both to judge; such differences make every author less like themselves.",
    ),
    "disguise": (
        "Disguise and imitation",
        "The program sees only in part whether a writer disguises their own style or imitates that of another. It gives no opinion for an "
        "author on a text whose function words are unlike those of the known texts, but a good imitation passes; how many passages of "
        "either kind led to support for somebody is told in the documentation of the program. That the text was written without either "
        "is an assumption.",
    ),
    "several": (
        "Several disputed texts",
        lambda _, at: (
            f"Each of the {at['count']:,} disputed texts is judged by itself. Their likelihood ratios must not be multiplied: they share "
            "the known texts and the model"
            + (
                "."
                if at.get("compared")
                else ", and that one person wrote them all is an assumption that was not tested."
            )
        ),
    ),
    "doubtful-text": ("What was found in the disputed text", _found),
    "no-sentences": (
        "No sentences",
        "In {files:named} no sentences can be found, so diff-vectors were made without sentence lengths.",
    ),
    "typing-differs": (
        "Typed in another way",
        f"{{files:named}}: {_TYPED} This was taken out before the texts were compared. "
        "It may mean that the text was written with another program, or was copied or printed since; it "
        "neither speaks for nor against an author.",
    ),
    "typing-differs-and-counts": (
        "Typed in another way",
        f"{{files:named}}: {_TYPED} The texts were compared "
        "as they were typed, so a likeness or a difference may be one of programs and not of writers.",
    ),
    "set-aside": (
        "Problems set aside",
        "The analyst set {count:,} of the problems found in the texts aside; the section on pre-processing has the reasons.",
    ),
    "fused-only": (
        "The fused ranking alone",
        "{files:named}: judged before the diff-vector part had been trained. Lazy AA, Stacked AA, Pr(Same) and the methods of "
        "other kinds were not asked.",
    ),
    "not-converged": (
        "No convergence",
        "The diff-vector classifier did not converge; Pr(Same), Lazy AA and Stacked AA are less certain than they look.",
    ),
    "paper-profile": (
        "A model for experiments",
        "The model was trained with the protocol of the paper, which scores documents with a model that has seen them. It has no "
        "likelihood ratios and is no basis for an opinion.",
    ),
    "no-passages": ("No passages", lambda _, at: f"Passages could not be shown. {' '.join(at['why'])}"),
}

"""Why there is no opinion, what must be kept in mind, and what limits a validation: a sentence for each code.

The codes and their values come from `evidence`; a code without a sentence is a fault, and a test looks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from forensia.evidence.result import Alternative, Reason, Result
from forensia.wording import problems
from forensia.wording.ratios import percent

ALTERNATIVES = {
    Alternative.LISTED.value: "another listed author",
    Alternative.UNLISTED.value: "somebody not in the corpus",
    Alternative.CLOSED.value: "another of the listed authors",
}
"""What an alternative is called beside a number; `ratios` has it as a clause."""

SYSTEMS = {"lazy": "Lazy AA", "stacked": "Stacked AA", "cosine": "cosine", "SVM": "SVM", "impostors": "impostors"}

_OUTSIDE = "the alternative 'somebody who is not in the corpus'"


def sentence(reason: Reason) -> str:
    """The sentence of a reason, a warning or a note."""
    words = _SENTENCES[reason.code]
    return words if isinstance(words, str) else words(reason.values)


def sentences(reasons: Iterable[Reason]) -> list[str]:
    return [sentence(reason) for reason in reasons]


def warnings(result: Result) -> list[str]:
    """Everything that a reader of a result must keep in mind, what was found in the text itself last."""
    return [*sentences(result.warnings), *(problems.sentence(each) for each in result.problems)]


def few(names: Sequence[str]) -> str:
    """The first of many names."""
    return f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}"


def listed(names: Sequence[str]) -> str:
    """All of some names, with 'and' before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _two(share: float) -> float:
    return float(f"{share:.1e}")


Values = Mapping[str, Any]
_SENTENCES: Mapping[str, str | Callable[[Values], str]] = {
    # No opinion
    "paper-profile": (
        "The model was trained with the paper's profile, which replays the paper's experiments; it has no likelihood ratios. "
        "Train with the forensic profile."
    ),
    "not-validated": "The case has not been validated yet, and a ranking alone is no evidence. Validate it first.",
    "few-words": lambda at: (
        f"The text has {at['words']:,} words; fewer than {at['fewest']} are no basis for an opinion."
    ),
    "no-sentence-lengths": (
        "The likelihood ratios were validated with sentence lengths, and those of this text cannot be found."
    ),
    "few-texts": lambda at: (
        f"The known texts by {at['author']} are too few: {at['texts']}, where {at['fewest']} are needed."
    ),
    "few-authors": lambda at: f"With {at['authors']} authors {_OUTSIDE} is not estimable; {at['fewest']} are needed.",
    "costly": lambda at: (
        f"In this corpus the likelihood ratios against '{ALTERNATIVES[at['alternative']]}' may be no better than none: the upper "
        f"bound of their cost (Cllr) is {at['cllr']:.2g}."
    ),
    "ratio-not-estimable": lambda at: f"The likelihood ratio for {at['author']} is not estimable.",
    "nobody-supported": "The findings support none of the listed authors against both alternatives.",
    "interval-not-estimable": lambda at: f"The interval of the likelihood ratio for {at['author']} is not estimable.",
    "interval-includes-1": lambda at: f"The interval of the likelihood ratio for {at['author']} includes 1.",
    "outsiders-not-estimable": "How often somebody who is not in the corpus would score as high is not estimable.",
    "outsiders-score-as-high": lambda at: (
        f"Of texts by people who are not in the corpus, about {percent(_two(at['share']))} score as high with at least one of "
        f"the {at['authors']} listed authors; more than {percent(at['alpha'])} is too many."
    ),
    # Warnings
    "short": lambda at: (
        f"The text is short: {at['words']:,} words. Below {at['few']:,} words results are less certain."
    ),
    "no-sentences": (
        "No sentences can be found in this text (hardly any end marks), so sentence lengths were left out of its analysis."
    ),
    "validated-at-words": lambda at: f"The validation for this text used known texts cut to {at['words']:,} words.",
    "outside-few-authors": lambda at: (
        f"The alternative 'somebody who is not in the corpus' rests on {at['authors']} authors only; {at['few']} or more "
        "would be better."
    ),
    "methods-disagree": lambda at: (
        f"Methods disagree: {at['author']} is not first by "
        + listed([f"{SYSTEMS[system]} ({first})" for system, first in zip(at["systems"], at["firsts"], strict=True)])
        + "."
    ),
    "sensitive": (
        "The first place does not survive every change of seed, features, masking, known documents or half of the text: "
        "see the sensitivity table."
    ),
    "not-converged": "The model did not converge; its scores are less certain than they look.",
    "quick": "The validation is a quick one, of fewer and smaller models; its figures are less certain.",
    # Two texts
    "pair-few-words": lambda at: (
        f"One of the texts has {at['words']:,} words; fewer than {at['fewest']} are no basis for an opinion."
    ),
    "pair-short": lambda at: (
        f"One of the texts is short: {at['words']:,} words. Below {at['few']:,} words results are less certain."
    ),
    "pair-no-sentence-lengths": (
        "The likelihood ratios were validated with sentence lengths, and those of one text cannot be found."
    ),
    "pair-costly": lambda at: (
        "In this corpus the likelihood ratios of two texts may be no better than none: the upper bound of their "
        f"cost (Cllr) is {at['cllr']:.2g}."
    ),
    "pair-not-estimable": (
        "The likelihood ratio of two texts is not estimable: the case is not validated, or has too few texts."
    ),
    "pair-interval-includes-1": "The interval of the likelihood ratio includes 1.",
    "pair-both-known": (
        "Both texts are known ones. The score is that of a model which had not seen both; the contributions are those of the "
        "final model, which has, and add up to its own score."
    ),
    # What limits a validation
    "quick-validation": (
        "Quick validation: 5 folds instead of 10. Its models know fewer texts and authors than the final one, and claim less for it."
    ),
    "unlisted-not-estimable": lambda at: (
        f"With {at['authors']} authors {_OUTSIDE} is not estimable; it needs {at['fewest']}."
    ),
    "unlisted-few-authors": lambda at: (
        f"The alternative 'somebody who is not in the corpus' rests on {at['authors']} authors; {at['few']} or more would be better."
    ),
    "no-cohort": "With fewer than four authors scores are not compared with those of a cohort of other authors.",
    "new-source-not-estimable": lambda at: (
        f"Performance on texts from a new source is not estimable for {at['untried']} of {at['authors']} authors: "
        "they have fewer than three sources."
    ),
    "texts-not-kept-together": lambda at: (
        f"Texts of one source, or texts that share most of their words, could not be kept together for {few(at['authors'])}: too few "
        "others would be left. What is measured on such texts may be better than it will be on a new one."
    ),
    "single-documents": lambda at: f"Not estimable for authors with a single document or source: {few(at['authors'])}.",
    "validation-not-converged": "Some models did not converge; their scores are less certain than they look.",
    # What version 0.1 wrote, which kept sentences
    "as-written": lambda at: str(at["sentence"]),
}

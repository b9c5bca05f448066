"""Why there is no opinion, what must be kept in mind, and what limits a validation: a sentence for each code.

The codes and their values come from `evidence`; a code without a sentence is a fault, and a test looks for one.
What features say for an author or against is put in words here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from forensia.corpus.typing import CANONICAL
from forensia.evidence.contributions import FusedFeature
from forensia.evidence.explanation import FeatureContribution, Usage
from forensia.evidence.result import Alternative, Reason, Result
from forensia.systems.others import OTHERS
from forensia.wording import problems
from forensia.wording.templates import catalogue, filled

_SHOWN = 4  # forms; the report has all of them in a table

ALTERNATIVES = {
    Alternative.LISTED.value: "another listed author",
    Alternative.UNLISTED.value: "somebody not in the corpus",
    Alternative.POPULATION.value: "somebody else (population)",
    Alternative.CLOSED.value: "another of the listed authors",
}
"""What an alternative is called beside a number; `ratios` has it as a clause."""

FAMILIES = {
    "character n-grams": "letters in a row",
    "words": "the choice of words",
    "function words": "function words",
    "masked tokens": "how function words and marks follow one another",
    "POS n-grams": "how word classes follow one another",
    "layout": "layout (line breaks, spaces, capitals, digits)",
}
"""What the families of features look at, in a sentence."""

HEADS = {"fused": "Fused", "lazy": "Lazy AA", "stacked": "Stacked AA"}
"""The systems at the head of a column."""

SYSTEMS = {
    "fused": "the fused ranking",
    "lazy": "Lazy AA",
    "stacked": "Stacked AA",
    **{name: system.spoken for name, system in OTHERS.items()},
}
"""What ranks authors, in a sentence."""

METHODS = {
    "fused": "Fused",
    "lazy": "Lazy",
    "stacked": "Stacked",
    **{name: system.title for name, system in OTHERS.items()},
}
"""What ranks authors, in a table."""

PAIR_METHODS = {"fused": "the fused score", "DV-Bin": "DV-Bin", "cosine": "cosine", "impostors": "impostors"}
"""What compares two texts."""


FORMS = {
    ("apostrophe", "straight"): "straight apostrophes or single quotes (')",
    ("apostrophe", "curly"): "curly apostrophes or single quotes (’)",
    ("apostrophe", "other"): "accents or primes for apostrophes (´)",
    ("quote", "straight"): 'straight quotation marks (")',
    ("quote", "curly"): "curly quotation marks (“)",
    ("quote", "guillemets"): "angle quotation marks («)",
    ("quote", "pairs"): "two apostrophes for a quotation mark ('')",
    ("quote", "other"): "double primes for quotation marks (″)",
    ("dash", "short"): "short dashes (–)",
    ("dash", "long"): "long dashes (—)",
    ("dash", "hyphens"): "two hyphens for a dash (--)",
    ("dash", "spaced"): "a hyphen between blanks for a dash",
    ("hyphen", "plain"): "plain hyphens (-)",
    ("hyphen", "other"): "typographic hyphens, or dashes between numbers",
    ("ellipsis", "dots"): "three dots (...)",
    ("ellipsis", "sign"): "the ellipsis sign (…)",
    ("ellipsis", "spaced"): "dots with blanks between them (. . .)",
    ("ligature", "letters"): "letters without ligatures (fi)",
    ("ligature", "other"): "ligatures (fi as one character)",
    ("space", "other"): "no-break or other unusual spaces",
    ("gap", "wide"): "several spaces between words",
    ("full-width", "other"): "full-width characters",
    ("soft-hyphen", "other"): "soft hyphens",
    ("hidden", "other"): "hidden characters",
    ("line", "wrapped"): "hard-wrapped lines",
    ("line", "whole"): "lines that are not wrapped",
}
"""What the forms are called in which a text is typed, by kind and form."""


def sentence(reason: Reason) -> str:
    """The sentence of a reason, a warning or a note."""
    values = {**reason.values, "counts_less": COUNTS_LESS}
    if reason.code == "methods-disagree":
        pairs = zip(values["systems"], values["firsts"], strict=True)  # type: ignore[arg-type]
        values["others"] = tuple(f"{SYSTEMS[str(system)]} ({first})" for system, first in pairs)
    if "forms" in values:
        typed = tuple(_typed(values))
        more = (f"and {len(typed) - _SHOWN:,} more",) if len(typed) > _SHOWN else ()
        values["typed"] = typed[:_SHOWN] + more
    return filled(_SENTENCES[reason.code], values, {"alternative": ALTERNATIVES, "family": FAMILIES})


def _typed(values: Mapping[str, Any]) -> Iterator[str]:
    """Each form in which a text is typed, with how often, and how many known texts are typed so."""
    names = ("kinds", "forms", "counts", "totals", "texts", "known")
    of = "known texts" if "own" in values else "texts of the population"
    nobody = (0,) * len(values["kinds"])
    whose = (values.get("own_texts", nobody), values.get("own", nobody))
    for kind, form, count, total, texts, known, own_texts, own in zip(
        *map(values.__getitem__, names), *whose, strict=True
    ):
        often = f"{count:,}" if count == total else f"{count:,} of {total:,}"
        usual, show = ("usual", " that show it") if kind in CANONICAL else ("found", "")
        there = f"{usual} in {texts:,} of {known:,} {of}{show}"
        theirs = f", {own_texts:,} of {own:,} by {values['author']}" if own else ""
        yield f"{FORMS.get((kind, form), form)} ({often}; {there}{theirs})"


def sentences(reasons: Iterable[Reason]) -> list[str]:
    return [sentence(reason) for reason in reasons]


def warnings(result: Result) -> list[str]:
    """Everything that a reader of a result must keep in mind, what was found in the text itself last."""
    return [*sentences(result.warnings), *(problems.sentence(each) for each in result.problems)]


POSSIBLE = {
    "rank": "A ranking of candidates",
    "somebody else": "A likelihood ratio against somebody else",
    "new source": "Opinions on a text from a new source",
    "none of these": "'None of these', or ruling a candidate out",
    "length": "Texts that are long enough",
}
"""What may be possible with known texts."""

COUNTS_LESS = "where the score of an author with whom others' texts stand now high, now low counts less"
_SENTENCES: Mapping[str, str] = catalogue("reasons")

SIGNS = {
    "character n-grams": "· stands for a space",
    "masked tokens": "[word] stands for any word that is no function word, and numbers and marks stand in brackets too",
    "layout": "a stands for small letters, A for a capital, AA for several, 0 for a number, · for a space, ↵ for a line break",
}
"""What stands for something else in the names of a family's features."""


def reading(feature: FeatureContribution) -> str:
    """One sentence on how a feature comes to speak for Same or against."""
    if feature.documents is None:
        return "The texts differ in this feature." if feature.difference else "The texts do not differ in this feature."
    how = "less" if feature.closer else "more"
    sentence = f"The texts differ {how} in this feature than is usual between different authors."
    if feature.weight > 0:
        sentence += " In training, texts by one author differed more in it than texts by two."
    return sentence


def fused_reading(feature: FusedFeature, author: str, against: str) -> str:
    """How a feature comes to speak for an author or against, held against another or, where none is named, against all others."""
    times = "once" if feature.count == 1 else f"{feature.count:,} times"
    more = "more" if feature.value > feature.average else "less"
    here = f"The disputed text has it {times}, {more} than the average known text."
    if feature.in_neither:
        here = f"Neither the disputed text nor any known text of {author} has it."
    elif not feature.count:
        here = "The disputed text does not have it."
    sides = [author, against or "the others"]
    speaks = f"That speaks for {sides[feature.relative < 0]} rather than {sides[feature.relative >= 0]}."
    own, others = (
        f"{each.texts:,} of {each.of:,} known texts of {name}"
        for each, name in zip((feature.own, feature.others), sides, strict=True)
    )
    return f"{here} {speaks} It occurs in {own} and in {others}."


def meaning(feature: FeatureContribution | FusedFeature, author: str, against: str) -> str:
    """All that is said of a feature beside the texts; the names as `fused_reading` takes them."""
    if isinstance(feature, FusedFeature):
        return fused_reading(feature, author, against)
    parts = [reading(feature)]
    if unit(feature):
        left, right = uses(feature)
        parts.append(f"Left {left}, right {right} {unit(feature)}.")
    if feature.documents is not None and feature.authors is not None:
        texts = "known text" if feature.documents == 1 else "known texts"
        authors = "author" if feature.authors == 1 else "authors"
        parts.append(f"It occurs in {feature.documents:,} {texts} by {feature.authors:,} {authors}.")
    return " ".join(parts)


def uses(feature: FeatureContribution | FusedFeature) -> tuple[str, ...]:
    """How often both texts have a feature; or the disputed one, and how many of the author's texts and of the others'."""
    if isinstance(feature, FusedFeature):
        return f"{feature.count:,}", *(f"{some.texts:,} of {some.of:,}" for some in (feature.own, feature.others))
    return _use(feature.usage_a), _use(feature.usage_b)


def unit(feature: FeatureContribution | FusedFeature) -> str:
    """What the use of a feature is counted in."""
    if isinstance(feature, FusedFeature):
        return ""
    usage = feature.usage_a or feature.usage_b
    return usage.unit if usage is not None else ""


def _use(usage: Usage | None) -> str:
    """How often a text has a feature: a rate with two significant figures, or the count where there is no rate."""
    if usage is None:
        return "–"
    rate = usage.rate
    if rate is None:
        return f"{usage.count:,}"
    if not usage.count:
        return "0"
    return f"{rate:,.0f}" if rate >= 9.95 else f"{rate:.1f}" if rate >= 0.95 else f"{rate:.2g}"

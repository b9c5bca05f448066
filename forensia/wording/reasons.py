"""Why there is no opinion, what must be kept in mind, and what limits a validation: a sentence for each code.

The codes and their values come from `evidence`; a code without a sentence is a fault, and a test looks for one.

What a feature says, in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from forensia.corpus.typing import CANONICAL
from forensia.evidence.contributions import FusedFeature
from forensia.evidence.explanation import FeatureContribution
from forensia.evidence.result import Alternative, Reason, Result
from forensia.wording import problems
from forensia.wording.templates import filled

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
    "cosine": "cosine",
    "SVM": "SVM",
    "impostors": "impostors",
}

METHODS = {
    "fused": "Fused",
    "lazy": "Lazy",
    "stacked": "Stacked",
    "cosine": "Cosine similarity",
    "SVM": "Support vector machine",
    "impostors": "Impostors",
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
    values = dict(reason.values)
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
_TYPED = "The text is not typed as most known texts are, or not as most of those by {author}: {typed:;}."
_SENTENCES: Mapping[str, str] = {
    # No opinion
    "paper-profile": (
        "The model was trained with the paper's profile, which replays the paper's experiments; it has no likelihood ratios. "
        "Train with the forensic profile."
    ),
    "not-validated": "The case has not been validated yet, and a ranking alone is no evidence. Validate it first.",
    "sources-not-known": (
        "Nobody has said what the known texts come from, so nothing is known of how well authors are recognised in a text from a new "
        "source; there are figures for known sources only. Give the sources on the Corpus page or with --sources (or say there that every "
        "text is of an occasion of its own, and why), or state why the disputed text is from the source of known texts."
    ),
    "nobody-has-two-sources": (
        "No author has known texts from two sources, so nothing is known of how well authors are recognised in a text from a new source; "
        "there are figures for known sources only. Add texts from other sources, or state why the disputed text is from the source of "
        "known texts."
    ),
    "one-source-author": (
        "All known texts by {author} are from one source: how well {author} is recognised in a text from another is not known."
    ),
    "one-text": "There is a single known text by {author}, so nothing is known of how well {author} is recognised.",
    "too-short": (
        "The text has {words:,} words. The shortest texts that were tried have {shortest:,}: nothing is known of shorter ones."
    ),
    "few-comparisons": (
        "Too few left-out texts stand behind an opinion about {author}, who has {texts:,} known texts: {comparisons:,} by authors with no "
        "more than {most:,}, where {fewest} are needed."
    ),
    "often-wrong": (
        "Of {given:,} opinions on left-out texts of this length, by authors with as few known texts, {wrong:,} were wrong. That is more "
        "than one in twenty."
    ),
    "never-given": (
        "None of {comparisons:,} left-out texts of this length, by authors with as few known texts, got an opinion: nothing stands behind "
        "one on this text."
    ),
    "too-close": (
        "The listed authors are too close to one another: the ranking leaves {share:about} to others than {author}, where {most:about} is "
        "the most. With more, opinions on left-out texts were wrong too often, or nothing is known of people who are not listed."
    ),
    "costly": (
        "In this corpus the likelihood ratios against '{alternative:alternative}' are no better than none: their cost (Cllr) is {cllr:.2g}."
    ),
    "ratio-not-estimable": "The likelihood ratio for {author} is not estimable.",
    "nobody-supported": "The findings support none of the listed authors against every alternative.",
    "not-supported": "The findings do not support that {author} wrote the text.",
    "another-first": "{first}, and not {author}, has the highest score among the candidates.",
    "interval-not-estimable": "The interval of the likelihood ratio for {author} is not estimable.",
    "interval-includes-1": "The interval of the likelihood ratio for {author} includes 1.",
    "another-kind": (
        "In its function words the text is less like the known texts of other authors than these are like one another: only {share:about} "
        "of them are as far off. Below {alpha:percent} that is taken for another kind of writing, or for a disguise, and no author is "
        "supported."
    ),
    "few-stand-ins": (
        "Too few texts stand behind an opinion: {comparisons:,} could be tried with their own author in the place of a candidate, where "
        "{fewest} are needed. More authors in the population who have as many texts as the candidates, and one more, would change that."
    ),
    "stand-ins-score-as-high": (
        "Of texts by others, about {share:about} score as high with an author who stands in for a candidate ({candidates} at a time) as "
        "this one does with {author}; more than {alpha:percent} is too many."
    ),
    "outsiders-score-as-high": (
        "Of texts by people who are not in the corpus, about {share:about} score as high with the one of the {authors} listed authors who "
        f"comes first for them, {COUNTS_LESS}; more than {{alpha:percent}} is too many."
    ),
    # Warnings
    "agreed": (
        "That one of the candidates wrote the text is agreed, and was not examined. On that condition {given:,} of {texts:,} left-out "
        "texts of this kind got an opinion, and {right:,} of these were right; the figures of the validation are for the open question."
    ),
    "short": ("The text is short: {words:,} words. Below {few:,} words results are less certain."),
    "no-sentences": (
        "No sentences can be found in this text (hardly any end marks), so sentence lengths were left out of its analysis by "
        "diff-vectors."
    ),
    "validated-at-words": "The validation for this text used known texts cut to {words:,} words.",
    "read-in-pieces": (
        "The text is longer than known texts are. It was read in {pieces} pieces of their length, whose scores were averaged; the figures "
        "are those of single texts."
    ),
    "validated-by-joining": (
        "The text is longer than known texts are. It was read in pieces of their length, whose scores were averaged; the validation for it "
        "joined {texts} texts of one author each, to {words:,} words."
    ),
    "outside-few-authors": (
        "The alternative 'somebody who is not in the corpus' rests on {authors} authors only; {few} or more "
        "would be better."
    ),
    "population-few-authors": (
        "The alternative 'somebody else' rests on {authors} authors, candidates and population together; {few} or more would be better."
    ),
    "never-ruled-out": (
        "The answer cannot be that {author} did not write it: fewer than {fewest} texts could be tried for that."
    ),
    "never-none": (
        "The answer cannot be 'none of these': {few:,} of {authors:,} listed authors have fewer than {fewest} known texts that could "
        "be tried, too few to rule them out."
    ),
    "methods-disagree": "Methods disagree: {author} is not first by {others:and}.",
    "fused-only": (
        "This is the fused ranking alone: Lazy AA, Stacked AA, Pr(Same) and the methods of other kinds were not asked, because the "
        "diff-vector part had not been trained yet."
    ),
    "one-known-text": (
        "{author} has one known text. How much depends on the choice of that text is not known, and the interval does not cover it; in "
        "trials 13 % of such writers' own texts were ruled out (news of a later time) and 4 % (reviews), where 5 % was stated."
    ),
    "one-source-candidate": (
        "The known texts of {author} are from one source, or nobody said from which. The figures for a new source are those of stand-ins, "
        "most of whom have several: how far texts of {author} differ from source to source is not known."
    ),
    "population-cut": (
        "The texts of the population are much longer than those of the candidates. Passages of {words:,} words were used, one of each, so "
        "that authors who stood in for a candidate had texts of that length."
    ),
    "population-of-counts": (
        "This is the fused answer alone: Lazy AA, Stacked AA, Pr(Same) and the methods of other kinds need the texts of the population, "
        "which came as counts."
    ),
    "carried-by": (
        "{share:percent} of what speaks for {author} against {second} is {family:family}. What else those features can come from should be "
        "asked: a kind of text, an editor, a device."
    ),
    "sensitive": (
        "The first place does not survive every change of features, sources, known documents or half of the text: see the sensitivity "
        "table."
    ),
    "not-converged": (
        "The diff-vector classifier did not converge; Pr(Same), Lazy AA and Stacked AA are less certain than they look."
    ),
    "quick": (
        "The validation is a quick one: its figures for Lazy AA, Stacked AA and pairs of texts come from fewer and smaller models, "
        "and are less certain."
    ),
    "typing-differs": (
        f"{_TYPED} All this is brought to one form before texts are compared and plays no part in the comparison. "
        "It is evidence about a keyboard, a program or an edition, not about a writer."
    ),
    "typing-differs-and-counts": (
        f"{_TYPED} The paper's profile compares texts as they were typed, so this plays a part in the comparison, "
        "though it is evidence about a keyboard, a program or an edition, not about a writer."
    ),
    "apostrophes-missing": (
        "The text lacks apostrophes, which {texts:,} of {known:,} known texts have. They are compared as if the writer had left them out, "
        "and may have been lost on the way."
    ),
    # A population
    "population-has-text": (
        "What is compared is in the population itself. A population must be by other people than those who may have written the text."
    ),
    "population-few-texts": (
        "The population has {texts:,} texts. With fewer than {fewest} it cannot be told what would be unusual in it."
    ),
    "population-shorter": (
        "Of the {texts:,} texts of the population {longer:,} have {words:,} words or more: what is measured on it holds for shorter texts."
    ),
    "population-kind-not-known": (
        "Whether the population is of the same kind of writing cannot be told: it has fewer than {fewest} pieces of {words:,} words, and "
        "shorter ones cannot be compared."
    ),
    "population-another-kind": (
        "The population is of another kind of writing: only {share:about} of its own pieces are as far from the others in their function "
        "words, where less than {limit:percent} is few. Choose a population of the same genre, period and medium."
    ),
    "population-typing": (
        "The population is typed otherwise: there are {typed:;}. That plays no part in the comparison of texts, but may tell that they "
        "come from another medium."
    ),
    # What will be possible with known texts
    "possible-rank": "{candidates:,} candidates will be ranked.",
    "missing-rank": "{author} is the only candidate: what will be asked is whether {author} wrote a text. To rank, add texts of others.",
    "possible-authors": (
        "Each author will be held against somebody not in the corpus, for whom the {authors:,} authors stand in turn: {tried:,} texts can "
        "be tried with their own author."
    ),
    "possible-population": (
        "Each candidate will be held against somebody else, for whom the {population:,} authors of the population stand; {tried:,} texts "
        "can be tried with their own author, as {authors:,} authors stand in for a candidate in turn."
    ),
    "missing-authors": (
        "{authors:,} authors are too few to say anything of somebody else; {fewest} are needed. Add texts of other candidates, or of "
        "other people as a reference population (--population, or 'population' in the window). Until then all holds on the condition that "
        "one of the listed authors wrote a text."
    ),
    "missing-trials": (
        "{tried:,} texts can be tried with their own author, where {fewest} are needed. Add authors who have as many texts as the "
        "candidates, and one more, or further texts of those who have fewer."
    ),
    "possible-new": (
        "Opinions on a text from a new source can be given about {tried:,} of {candidates:,} candidates, who have texts from two sources."
    ),
    "possible-new-population": (
        "Opinions on a text from a new source can be given: {authors:,} authors have texts from two sources, and {tried:,} of their texts "
        "can be tried so."
    ),
    "missing-sources": (
        "Nobody has said what the texts come from. Give the sources on the Corpus page or with --sources; until then a text must be stated "
        "to be from the source of known texts."
    ),
    "missing-second-source": (
        "{tried:,} texts by authors who have texts from two sources can be tried, where {fewest} are needed. Add texts from a second "
        "source; until then a text must be stated to be from the source of known texts."
    ),
    "possible-none": "All {candidates:,} candidates have {fewest} texts or more, so that each can be ruled out.",
    "possible-none-population": "Candidates can be ruled out, by {tried:,} texts that are tried with their own author.",
    "missing-none-authors": "It needs {fewest} authors, candidates or population.",
    "missing-none-trials": (
        "{tried:,} texts can be tried with their own author, where {fewest} are needed. Add authors who have as many texts as the "
        "candidates, and one more."
    ),
    "missing-none-texts": (
        "{few:,} of {candidates:,} candidates have fewer than {fewest} texts and can never be ruled out. Add texts of theirs, or a "
        "reference population."
    ),
    "possible-length": (
        "A disputed text can be judged from {shortest:,} words on: known texts, which have {median:,} words in the median, are tried cut "
        "to no less. Of a shorter one nothing is known, and no opinion is given."
    ),
    "possible-short": (
        "A disputed text can be judged from {shortest:,} words on, but opinions will be few: the known texts have {median:,} words in the "
        "median. Of pieces of reviews of 27 words 13 % got an opinion. Add longer texts, or put texts of one source together."
    ),
    "missing-length": (
        "The known texts have {median:,} words in the median; with fewer than {fewest} no opinion can be expected on any text. Add longer "
        "ones, or put texts of one source together."
    ),
    # Two texts
    "pair-few-words": (
        "One of the texts has {words:,} words. The shortest that were tried have {fewest:,}: nothing is known of shorter ones."
    ),
    "pair-short": ("One of the texts is short: {words:,} words. Below {few:,} words results are less certain."),
    "pair-no-sentence-lengths": (
        "No sentences can be found in one of the texts: Pr(Same) and its contributions are those without sentence lengths."
    ),
    "pair-costly": (
        "In this corpus the likelihood ratios of two texts may be no better than none: the upper bound of their "
        "cost (Cllr) is {cllr:.2g}."
    ),
    "pair-not-estimable": (
        "The likelihood ratio of two texts is not estimable: the case is not validated, or has too few texts or authors."
    ),
    "pair-interval-includes-1": "The interval of the likelihood ratio includes 1.",
    "pair-both-known": (
        "Both texts are known ones. Pr(Same) is that of a model which had not seen both; the contributions are those of the "
        "final model, which has, and add up to its own score."
    ),
    # What limits a validation
    "quick-validation": (
        "Quick validation: Lazy AA, Stacked AA and pairs of texts were tried in 5 folds instead of 10. Their models know fewer texts "
        "and authors than the final one, and claim less for it."
    ),
    "unlisted-not-estimable": (
        "With {authors} authors the alternative 'somebody who is not in the corpus' is not estimable; it needs {fewest}."
    ),
    "unlisted-few-authors": (
        "The alternative 'somebody who is not in the corpus' rests on {authors} authors; {few} or more would be better."
    ),
    "one-source": (
        "Performance on texts from a new source is not known for {untried} of {total} authors, whose texts are from one source, or nobody "
        "said from which: {authors:few}. No opinion on a text from a new source is given about them. Say more on the Corpus page or with "
        "--sources, or add texts from another source."
    ),
    "texts-not-kept-together": (
        "For Lazy AA, Stacked AA and pairs of texts, those of one source, or that share most of their words, could not be kept "
        "together for {authors:few}: too few others would be left. What is measured on such texts may be better than it will be on a "
        "new one."
    ),
    "pairs-to-come": (
        "The diff-vector part has not been trained yet: there are no figures for Lazy AA, Stacked AA and pairs of texts. "
        "Validate the case, which trains it."
    ),
    "single-documents": "Not estimable for authors with a single document or source: {authors:few}.",
    "validation-not-converged": (
        "Some diff-vector classifiers did not converge; the figures for Lazy AA, Stacked AA and pairs of texts are less certain than "
        "they look."
    ),
    # What version 0.1 wrote, which kept sentences
    "as-written": "{sentence}",
}

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

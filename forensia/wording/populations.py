"""What a population is, and whether it suits a text, in sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from forensia.corpus.typing import CANONICAL
from forensia.evidence.opinion import ALPHA
from forensia.evidence.population import Population
from forensia.evidence.suitability import Suited, Usual, usual
from forensia.wording.reasons import FORMS, sentences

HANDED_ON = (
    "The texts are not in the file, but much of them can be put together again from the n-grams of each 100 words: hand it on only to "
    "those who could be given the texts."
)
_LISTED = 10  # texts or authors


def described(population: Population) -> list[str]:
    """A population in a few sentences."""
    record, words = population.record, population.words
    low, median, high = np.quantile(words, (0.25, 0.5, 0.75))
    own = defaultdict[str, set[str]](set)
    for text in record.texts:
        own[text.author] |= set(text.sources)
    several = sum(len(sources) > 1 for sources in own.values())
    unknown = sum(not text.sources for text in record.texts)
    mask = "" if population.blocks.mask.kind == "none" else f" The topic is hidden ({population.blocks.mask.kind})."
    return [
        f"'{record.name}': {record.description or 'whoever made it did not say what it is'}.".replace("..", "."),
        f"{len(population):,} texts by {len(own):,} authors{' under pseudonyms' if record.pseudonyms else ''}, {words.sum():,} words in "
        f"all. Half of the texts have {low:,.0f} to {high:,.0f} words, the median is {median:,.0f}.",
        f"{several:,} of the authors have texts from two sources or more"
        + (f"; of {unknown:,} texts the source is not known." if unknown else ".")
        + (f" Each text is of an occasion of its own: {record.because}." if record.because else ""),
        f"Read with the language model {record.language.get('name', '')} {record.language.get('version', '')}.{mask}",
        *_typing(population),
        HANDED_ON,
    ]


def _typing(population: Population) -> Iterator[str]:
    """How its texts are usually typed, for each kind that some of them show."""
    forms = [text.forms for text in population.record.texts]
    found: list[tuple[str, Usual]] = []
    for kind in CANONICAL:
        counted = Counter(
            form for each in forms for form in each.counts.get(kind, ()) if each.share(kind, form) > 1 / 2
        )
        for form, _ in counted.most_common(1):
            found.append((FORMS.get((kind, form), form), usual(forms, kind, form)))
    shown = [f"{name} in {each.texts:,} of {each.of:,} texts that show it" for name, each in found if each.enough]
    if shown:
        yield f"Typed with {'; '.join(shown)}."


def suiting(results: Sequence[tuple[str, Suited]]) -> list[str]:
    """What speaks against a population for some texts, and, where there are several, for how many of them something does."""
    doubted = [(name, each) for name, each in results if each.reasons]
    lines = [f"'{name}': {sentence}" for name, each in doubted[:_LISTED] for sentence in sentences(each.reasons)]
    if len(doubted) > _LISTED:
        lines.append(f"So for {len(doubted) - _LISTED:,} more; --json has all.")
    if not doubted:
        return ["Nothing in length, kind or typing speaks against the population."]
    if len(results) > 1:
        lines.insert(
            0,
            f"There is something to say of {len(doubted):,} of {len(results):,} (disputed texts, and authors with all their known texts); "
            f"where a population suits it would be about one in {1 / ALPHA:.0f}.",
        )
    return lines

"""What will be possible with known texts, before anything is trained: from their authors, roles, numbers, sources and lengths alone.

What the texts say is not looked at: that an LR is possible does not mean that it will be a good one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from forensia.corpus.document import Corpus, Document
from forensia.evidence.knowntexts import rungs
from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.opinion import FEWEST_COMPARISONS
from forensia.evidence.population import PopulationText, blocks_of
from forensia.evidence.result import FEWEST_TO_RULE_OUT, Reason
from forensia.profile import THOROUGH
from forensia.systems.against import usable

FEWEST_WORDS = 10
"""Of known texts in the median. Of 371 pieces of reviews of 5 words none got an opinion; of 11, 27 and 40 words 3.5, 13 and 15 % did."""

What = Literal["rank", "somebody else", "new source", "none of these", "length"]


@dataclass(frozen=True)
class Possible:
    """Whether something will be possible with some texts; the reason says with which, or what is missing and how to add it."""

    what: What
    possible: bool
    reason: Reason


def possible(corpus: Corpus, population: Sequence[PopulationText] = ()) -> tuple[Possible, ...]:
    """What will be possible with the active documents of a corpus; nothing where there is no candidate, or nobody to hold one against.

    A `population` that came as counts is there besides.
    """
    texts = _Texts(corpus.active, population)
    if not texts.candidates or len(texts.numbers) < 2:
        return ()
    return tuple(Possible(what, yes, reason) for what, yes, reason in _found(texts))


class _Texts:
    """How many texts each author has, from how many sources, and how many of them can be tried with their author.

    Texts that came as counts are cut to the length of the others; the pieces of one text are not tried with each other.
    """

    def __init__(self, active: Corpus, population: Sequence[PopulationText]) -> None:
        self.candidates = active.candidates
        self.words = [each.words for each in active.documents]
        self.median = int(np.median(self.words)) if self.words else 0
        self.counted = bool(population)
        others = [each for each in population if each.author not in active.authors]
        every: list[Document | PopulationText] = [*active.documents, *others]
        whole = Counter(each.author for each in every)
        self.numbers = Counter(each.author for each in active.documents)
        for each in others:
            self.numbers[each.author] += each.pieces(max(self.median, 1))
        self.population = len(self.numbers) - len(active.candidates)
        sources: dict[str, set[tuple[str, ...]]] = {}
        for text in every:
            sources.setdefault(text.author, set()).add(text.sources)
        self.sources_known = any(each.sources for each in every)
        self.several = {author for author, own in sources.items() if self.sources_known and len(own) > 1}
        most = usable(np.array(list(self.numbers.values())))
        fewest = min((min(self.numbers[each], most) for each in self.candidates), default=0)
        least = max(fewest, 2) if self.population else 2
        self.tried = {author for author, number in self.numbers.items() if number >= least and whole[author] > 1}

    def trials(self, authors: set[str]) -> int:
        return sum(self.numbers[each] for each in authors)


def _found(texts: _Texts) -> Iterator[tuple[What, bool, Reason]]:
    listed, authors, tried = len(texts.candidates), len(texts.numbers), texts.trials(texts.tried)
    if listed > 1:
        yield "rank", True, Reason("possible-rank", {"candidates": listed})
    else:
        yield "rank", False, Reason("missing-rank", {"author": texts.candidates[0]})
    enough = {"tried": tried, "authors": len(texts.tried), "population": texts.population}
    if authors < FEWEST_AUTHORS:
        yield "somebody else", False, Reason("missing-authors", {"authors": authors, "fewest": FEWEST_AUTHORS})
    elif tried < FEWEST_COMPARISONS:
        yield "somebody else", False, Reason("missing-trials", {"tried": tried, "fewest": FEWEST_COMPARISONS})
    elif texts.population:
        yield "somebody else", True, Reason("possible-population", enough)
    else:
        yield "somebody else", True, Reason("possible-authors", {"tried": tried, "authors": authors})
    yield _new_source(texts)
    few = [each for each in texts.candidates if texts.numbers[each] < FEWEST_TO_RULE_OUT]
    if authors < FEWEST_AUTHORS:
        yield "none of these", False, Reason("missing-none-authors", {"fewest": FEWEST_AUTHORS})
    elif texts.population and tried >= FEWEST_TO_RULE_OUT:
        yield "none of these", True, Reason("possible-none-population", {"tried": tried})
    elif texts.population:
        yield "none of these", False, Reason("missing-none-trials", {"tried": tried, "fewest": FEWEST_TO_RULE_OUT})
    elif few:
        lacking = {"few": len(few), "candidates": listed, "fewest": FEWEST_TO_RULE_OUT}
        yield "none of these", False, Reason("missing-none-texts", lacking)
    else:
        yield "none of these", True, Reason("possible-none", {"candidates": listed, "fewest": FEWEST_TO_RULE_OUT})
    yield _length(texts)


def _new_source(texts: _Texts) -> tuple[What, bool, Reason]:
    """Opinions on texts from a new source: about candidates who have two, or about all where others can stand in for them."""
    if not texts.sources_known:
        return "new source", False, Reason("missing-sources")
    tried = texts.trials(texts.several & texts.tried)
    if tried < FEWEST_COMPARISONS:
        return "new source", False, Reason("missing-second-source", {"tried": tried, "fewest": FEWEST_COMPARISONS})
    if texts.population:
        several = len(texts.several & texts.tried)
        return "new source", True, Reason("possible-new-population", {"tried": tried, "authors": several})
    own = [each for each in texts.candidates if each in texts.several]
    return "new source", True, Reason("possible-new", {"tried": len(own), "candidates": len(texts.candidates)})


def _length(texts: _Texts) -> tuple[What, bool, Reason]:
    """How long a disputed text must be: as long as the shortest passages in which the known texts are tried.

    Those of a population that came as counts are made of blocks, which makes no short ones.
    """
    median = texts.median
    tried = [length for length in rungs(texts.words, THOROUGH.shortest) if not texts.counted or blocks_of(length)]
    values = {"shortest": min(tried, default=median), "median": median}
    if median < FEWEST_WORDS:
        return "length", False, Reason("missing-length", {"median": median, "fewest": FEWEST_WORDS})
    return "length", True, Reason("possible-length" if median >= THOROUGH.shortest else "possible-short", values)

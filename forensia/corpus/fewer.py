"""No more than so many texts of each author, where unequal numbers would mislead."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict

from forensia.corpus.document import Corpus, Document, Exclusion

BEYOND = "beyond-at-most"


def at_most(corpus: Corpus, most: int, seed: int) -> Corpus:
    """The corpus with no more than `most` active documents of each author; the others stay in it, excluded for this reason.

    An author's sources give a text in turn. Which text, and in which order, follows from the seed and the texts alone: one more or
    one fewer shuffles no others, and a smaller number takes some of what a larger one does.
    """
    by_author: dict[str, list[Document]] = defaultdict(list)
    for document in corpus.active.documents:
        by_author[document.author].append(document)
    beyond = (each.id for own in by_author.values() for each in _in_turn(own, seed)[most:])
    return corpus.without(beyond, Exclusion(BEYOND, {"most": most}))


def _in_turn(documents: list[Document], seed: int) -> list[Document]:
    """The documents of one author as they are drawn; one without a source is a source of its own."""
    drawn = sorted(documents, key=lambda each: hashlib.sha256(f"{seed} {each.sha256_text}".encode()).digest())
    given: Counter[str] = Counter()
    turns: dict[str, int] = {}
    for each in drawn:  # of several sources the one that has given most counts
        turns[each.id] = max((given[source] for source in each.sources), default=0)
        given.update(each.sources)
    return sorted(drawn, key=lambda each: turns[each.id])

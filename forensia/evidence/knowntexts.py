"""The known documents as counts, whole and cut to shorter lengths, for models that are fitted on some of them and tried on the others.

A model does worse on short texts. So what is claimed for a disputed text of some length must come from known texts of about
that length: each is tried whole, and cut to each length of a ladder (`rungs`). A disputed text stands on the highest rung that is not
longer than it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Document
from forensia.corpus.segmenting import segment
from forensia.corpus.typing import typed
from forensia.corpus.words import WORD
from forensia.features import Counts, count_documents
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel, MemoryCache
from forensia.profile import Typing
from forensia.systems.pairmodel import TrainingOptions

STEP = 2**-0.5
FIRST = 2**-0.25
WHOLE = 0  # the rung of texts that are not cut
LONG = 2  # times the median of the known texts, from which on a text is read in pieces
Rows = NDArray[np.intp]
Recount = Callable[[Rows, Rows, Progress], tuple[Counts, Counts]]


@dataclass(frozen=True)
class Texts:
    """Counts of the known documents, by rung; `sources` are the set of each (books, accounts), empty where none is known.

    `recount` counts some documents with a mask learnt from some others: only the mask that keeps the most frequent words needs it.
    """

    counts: Counts
    labels: Sequence[str]
    sources: Sequence[tuple[str, ...]] = ()
    cut: Mapping[int, Counts] = field(default_factory=dict)
    recount: Recount | None = None

    @property
    def rungs(self) -> tuple[int, ...]:
        """The lengths at which documents are tried: whole first, then from long to short."""
        return (WHOLE, *self.cut)

    def split(self, train: Rows, test: Rows, progress: Progress = silent) -> tuple[Counts, Counts]:
        """The counts to learn from and those to try, whole."""
        if self.recount is not None:
            return self.recount(train, test, progress)
        return self.counts.rows(train), self.counts.rows(test)


def read_texts(
    documents: Sequence[Document],
    options: TrainingOptions,
    language: LanguageModel,
    *,
    jobs: int = 1,
    cache: AnalysisCache | None = None,
    progress: Progress = silent,
) -> Texts:
    """Read and count the documents, and their cut versions if they are to be tried."""
    profile = options.profile
    lengths = rungs([document.words for document in documents], profile.effort.shortest) if profile.out_of_fold else ()
    distorted = options.mask == "distortion"
    share = 1 / (1 + 2 * len(lengths[:4]) / 4) if lengths else 1.0
    count = partial(count_documents, model=language, families=options.counted, typing=profile.typing)
    whole = count(documents, mask=options.mask, jobs=jobs, cache=cache, progress=part(progress, 0.0, share))
    cut: dict[int, Counts] = {}
    read = cache or MemoryCache()
    for number, rung in enumerate(lengths):
        stage = part(
            progress,
            share + (1 - share) * number / len(lengths),
            share + (1 - share) * (number + 1) / len(lengths),
        )
        shorter = [shortened(document, rung, profile.typing) for document in documents]
        cut[rung] = count(shorter, mask=whole.mask, jobs=jobs, progress=stage)

    def recount(train: Rows, test: Rows, progress: Progress) -> tuple[Counts, Counts]:
        learnt, tried = [documents[row] for row in train], [documents[row] for row in test]
        known = count(learnt, mask=options.mask, cache=read, progress=part(progress, 0.0, 0.8))
        return known, count(tried, mask=known.mask, cache=read, progress=part(progress, 0.8, 1.0))

    return Texts(
        whole,
        [document.author for document in documents],
        [document.sources for document in documents],
        cut,
        recount if distorted else None,
    )


def rungs(words: Sequence[int], shortest: int) -> tuple[int, ...]:
    """The ladder of lengths below the median, each shorter by the square root of 2, down to `shortest` or half the median."""
    if not words:
        return ()
    median = float(np.median(np.asarray(words)))
    length = median * FIRST
    found = []
    while length >= max(min(shortest, median / 2), 1):
        found.append(int(length))
        length *= STEP
    return tuple(found)


def shortened(document: Document, words: int, typing: Typing = "as typed") -> Document:
    """A passage of so many words; where it begins depends on the text's hash alone. A text that is not longer stays whole.

    It is cut from the text as it is read, because the lines of a passage no longer tell whether they were wrapped.
    """
    if document.words <= words:
        return document
    text = typed(document.text, typing).text
    found = [match.span() for match in WORD.finditer(text)]
    if len(found) <= words:
        return document
    first = int(document.sha256_text[:12] or "0", 16) % (len(found) - words + 1)
    passage = text[found[first][0] : found[first + words - 1][1]]
    return replace(document, body=passage, cuts=(), words=words)


def pieces_of(document: Document, median: float, typing: Typing) -> tuple[Document, ...]:
    """The document, or, where it is much longer than the median of the known ones, its pieces of about that length."""
    if not median or document.words < LONG * median:
        return (document,)
    text = typed(document.text, typing).text
    return segment(replace(document, body=text, cuts=()), -(-document.words // math.floor(document.words / median)))

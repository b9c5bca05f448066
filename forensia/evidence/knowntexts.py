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

from forensia.corpus.characters import WORD
from forensia.corpus.document import Document, Role
from forensia.corpus.segmenting import segment
from forensia.corpus.typing import typed
from forensia.features import Counts, Mask, count_documents, extract
from forensia.jobs import Progress, part, silent
from forensia.language import Analysis, AnalysisCache, LanguageModel, MemoryCache, analyse, passage
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
    `pieces` names the text of which each is a piece, where some are: no piece is tried with the others.
    """

    counts: Counts
    labels: Sequence[str]
    sources: Sequence[tuple[str, ...]] = ()
    cut: Mapping[int, Counts] = field(default_factory=dict)
    recount: Recount | None = None
    pieces: Sequence[tuple[str, ...]] = ()

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
    """Read each document once and count it, whole and, if it is to be tried, cut."""
    profile = options.profile
    lengths = rungs([document.words for document in documents], profile.effort.shortest) if profile.out_of_fold else ()
    texts = [typed(document.text, profile.typing).text for document in documents]
    analyses = analyse(texts, language, jobs, cache, part(progress, 0.0, 0.6))
    mask = Mask.fit(options.mask, texts, language.function_words)
    hashes = [document.sha256_text for document in documents]

    def counted(place: int, texts: Sequence[str], analyses: Sequence[Analysis]) -> Counts:
        stage = part(progress, 0.6 + 0.4 * place / (1 + len(lengths)), 0.6 + 0.4 * (place + 1) / (1 + len(lengths)))
        counts = extract(texts, analyses, options.counted, language.function_words, mask, stage)
        return replace(counts, typing=profile.typing)

    whole, cut = counted(0, texts, analyses), {}
    for place, rung in enumerate(lengths, start=1):
        passages = [shortened(*read, rung) for read in zip(texts, analyses, hashes, strict=True)]
        cut[rung] = counted(place, [text for text, _ in passages], [analysis for _, analysis in passages])
    count = partial(
        count_documents,
        model=language,
        families=options.counted,
        cache=cache or MemoryCache(),
        typing=profile.typing,
    )

    def recount(train: Rows, test: Rows, progress: Progress) -> tuple[Counts, Counts]:
        learnt, tried = [documents[row] for row in train], [documents[row] for row in test]
        known = count(learnt, mask=options.mask, progress=part(progress, 0.0, 0.8))
        return known, count(tried, mask=known.mask, progress=part(progress, 0.8, 1.0))

    return Texts(
        whole,
        [document.author for document in documents],
        [document.sources for document in documents],
        cut,
        recount if options.mask == "distortion" else None,
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


def shortened(text: str, analysis: Analysis, digest: str, words: int) -> tuple[str, Analysis]:
    """A passage of so many words. A text that is not longer stays whole.

    It is cut from the text as it is read, because the lines of a passage no longer tell whether they were wrapped.
    """
    start, end = _passage(text, digest, words)
    if (start, end) == (0, len(text)):
        return text, analysis
    return text[start:end], passage(analysis, text[start:end], start)


def _passage(text: str, digest: str, words: int) -> tuple[int, int]:
    """Where a passage of so many words begins and ends; it depends on the hash of the document alone. A text not longer is all of it."""
    found = [match.span() for match in WORD.finditer(text)]
    if len(found) <= words:
        return 0, len(text)
    first = int(digest[:12] or "0", 16) % (len(found) - words + 1)
    return found[first][0], found[first + words - 1][1]


def much_longer(documents: Sequence[Document]) -> int:
    """The median length of the candidates' texts, if those of the population are much longer than that; otherwise 0."""
    candidates, population = (
        [document.words for document in documents if (document.role is Role.POPULATION) == wanted]
        for wanted in (False, True)
    )
    if not candidates or not population or np.median(population) < LONG * np.median(candidates):
        return 0
    return int(np.median(candidates))


def population_cut(documents: Sequence[Document], words: int, typing: Typing) -> tuple[Document, ...]:
    """The documents, each text of the population cut to so many words."""

    def cut(document: Document) -> Document:
        if document.role is not Role.POPULATION or document.words <= words:
            return document
        text = typed(document.text, typing).text
        start, end = _passage(text, document.sha256_text, words)
        return replace(document, body=text[start:end], cuts=(), words=min(document.words, words))

    return tuple(map(cut, documents))


def pieces_of(document: Document, median: float, typing: Typing) -> tuple[Document, ...]:
    """The document, or, where it is much longer than the median of the known ones, its pieces of about that length."""
    if not median or document.words < LONG * median:
        return (document,)
    text = typed(document.text, typing).text
    return segment(replace(document, body=text, cuts=()), -(-document.words // math.floor(document.words / median)))

"""From documents to counts in one step: the language model reads them, then everything is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forensia.corpus.document import Document
from forensia.corpus.typing import typed
from forensia.features.blocks import block_starts
from forensia.features.counts import Counts, extract
from forensia.features.mask import NO_MASK, Mask
from forensia.features.vectors import FAMILIES
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel, analyse
from forensia.profile import Typing


def count_documents(
    documents: Sequence[Document],
    model: LanguageModel,
    families: Sequence[str] = FAMILIES,
    mask: Mask | str = NO_MASK,
    jobs: int = 1,
    cache: AnalysisCache | None = None,
    progress: Progress = silent,
    *,
    typing: Typing = "as typed",
    blocks: bool = False,
) -> Counts:
    """The counts of documents. A mask given by its name alone is fitted on them: right for training documents only.

    With `blocks` there is a row for each block of each document, as `block_starts` finds them in the text as it is read.
    """
    texts = [typed(document.text, typing).text for document in documents]
    if isinstance(mask, str):
        mask = Mask.fit(mask, texts, model.function_words)
    analyses = analyse(texts, model, jobs, cache, part(progress, 0.0, 0.7))
    starts = [block_starts(text) for text in texts] if blocks else None
    counts = extract(texts, analyses, families, model.function_words, mask, part(progress, 0.7, 1.0), starts)
    return replace(counts, typing=typing)

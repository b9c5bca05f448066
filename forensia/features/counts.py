"""Raw counts of all families in all documents: extracted once, then features are fitted on any part of them.

Counting looks at one document at a time, so nothing learnt from a corpus is in here; fitting on some rows and
transforming others cannot leak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Document
from forensia.corpus.typing import typed
from forensia.features.mask import NO_MASK, Mask, TokenSymbols, laid_out, layout
from forensia.features.texts import (
    Places,
    WordCounts,
    block_starts,
    code_points,
    count_beginning,
    count_ngrams,
    count_numbers,
    count_punctuation,
    folded,
    in_blocks,
    narrow,
    unfolded,
)
from forensia.features.vectors import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES, LAYOUT, MASKED, Keys, merged
from forensia.jobs import Progress, part, silent, tracked
from forensia.language import AnalysisCache, LanguageModel, analyse
from forensia.language.analysis import EMPTY, Analysis
from forensia.language.model import function_words as function_words_of
from forensia.profile import Typing

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

POS_SIZES = (3, 4)
CHARACTER_SIZES = (2, 3, 4, 5)
TOKEN_SIZES = (1, 2, 3, 4)


@dataclass(frozen=True, eq=False)
class CountTable:
    """The counts of one family: a row for each document, a column for each key; `totals` is what group 1 divides by."""

    family: str
    keys: Keys
    counts: csr_matrix
    totals: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counts:
    """The tables of the families, in the order of EVERY_FAMILY; `no_sentences` marks documents whose sentences cannot be found.

    `mask` and `typing` say how the texts were read: only counts of texts that were read alike can be compared.
    """

    tables: tuple[CountTable, ...]
    no_sentences: NDArray[np.bool_]
    mask: Mask = NO_MASK
    typing: Typing = "as typed"

    def __len__(self) -> int:
        return len(self.no_sentences)

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(table.family for table in self.tables)

    def table(self, family: str) -> CountTable:
        for table in self.tables:
            if table.family == family:
                return table
        raise ValueError(f"the documents were counted without {family}")

    def rows(self, index: NDArray[Any] | slice | Sequence[int]) -> Counts:
        """Some of the documents."""
        if not isinstance(index, slice):
            index = np.asarray(index)
            index = np.flatnonzero(index) if index.dtype == bool else index.astype(np.int64)
        tables = tuple(replace(table, counts=table.counts[index], totals=table.totals[index]) for table in self.tables)
        return replace(self, tables=tables, no_sentences=self.no_sentences[index])

    def summed(self, starts: Places, ends: Places) -> Counts:
        """The counts of runs of rows, each from a start up to an end: what the blocks between them are together."""
        from scipy.sparse import csr_matrix

        sizes = ends - starts
        pointers = np.concatenate(([0], np.cumsum(sizes)))
        rows = np.arange(pointers[-1]) + np.repeat(starts - pointers[:-1], sizes)
        runs = csr_matrix((np.ones(len(rows), np.uint32), rows, pointers), shape=(len(starts), len(self)))

        def added(table: CountTable) -> CountTable:
            counts = csr_matrix(runs @ table.counts)
            counts.sort_indices()
            counts.data = narrow(counts.data)
            return replace(table, counts=counts, totals=runs @ table.totals)

        return replace(
            self, tables=tuple(map(added, self.tables)), no_sentences=runs @ self.no_sentences.astype(np.uint32) > 0
        )

    def stacked(self, other: Counts) -> Counts:
        """These documents and then those, with the features that either have, in the families that both were counted by."""
        from scipy.sparse import csr_matrix, vstack

        if (self.mask, self.typing) != (other.mask, other.typing):
            raise ValueError("only counts of texts that were read alike can be put together")

        def both(one: CountTable, two: CountTable) -> CountTable:
            keys = merged(one.keys, two.keys)
            parts = []
            for table in (one, two):
                # The order of the features stays, so those of a row are still in order.
                columns = keys.find(table.keys).astype(np.int32)[table.counts.indices]  # type: ignore[arg-type]  # of one kind
                shape = (table.counts.shape[0], len(keys))
                parts.append(csr_matrix((table.counts.data, columns, table.counts.indptr), shape=shape))
            return CountTable(one.family, keys, vstack(parts, "csr"), np.concatenate((one.totals, two.totals)))

        tables = tuple(both(each, other.table(each.family)) for each in self.tables if each.family in other.families)
        return replace(self, tables=tables, no_sentences=np.concatenate((self.no_sentences, other.no_sentences)))


def extract(
    texts: Sequence[str],
    analyses: Sequence[Analysis] | None,
    families: Sequence[str] = FAMILIES,
    function_words: Sequence[str] | None = None,
    mask: Mask = NO_MASK,
    progress: Progress = silent,
    blocks: Sequence[Places] | None = None,
) -> Counts:
    """Count the features of each text; `function_words` is the model's list (None: the English one).

    Without analyses the families that need none can be counted. With `blocks`, where the blocks of each text begin, there is a row for
    each of these, and the families are those of the fused answer.
    A mask hides the topic from words and character n-grams; the other families hold no words of the topic and are counted
    in the text as it is.
    """
    wanted = [family for family in EVERY_FAMILY if family in families]
    if analyses is None and ({"sentence lengths", "POS n-grams"} & set(wanted) or mask.kind == "posnoise"):
        raise ValueError("tags and sentences need analyses")
    read = [EMPTY] * len(texts) if analyses is None else analyses
    if len(texts) != len(read):
        raise ValueError("each text needs its analysis")
    if blocks is not None and not set(wanted) <= set(FUSED_FAMILIES):
        raise ValueError("only the families of the fused answer are counted in blocks")
    masked = [mask.text(*pair) for pair in zip(texts, read, strict=True)] if mask.kind != "none" else texts
    progress(0.0, "Counting words")
    tables: dict[str, CountTable] = {}

    def unmasked(row: int) -> Places:
        return mask.origins(texts[row], read[row])

    def add(family: str, counted: tuple[Keys, csr_matrix], totals: NDArray[np.int64] | None = None) -> None:
        keys, counts = counted
        counts.data = narrow(counts.data)
        if totals is None:
            totals = np.asarray(counts.sum(axis=1, dtype=np.int64)).ravel()
        tables[family] = CountTable(family, keys, counts, totals)

    def add_ngrams(
        family: str, symbols: Iterable[NDArray[np.uint32]], sizes: tuple[int, ...], places: Callable[[int], Places]
    ) -> None:
        """The n-grams of symbols, of which `places` says where in a text they stand."""
        if blocks is None:
            add(family, count_ngrams(symbols, sizes, len(texts)))
        else:
            each = (in_blocks(those, places(row), blocks[row]) for row, those in enumerate(symbols))
            add(family, count_beginning(chain.from_iterable(each), sizes, sum(map(len, blocks))))

    if {"function words", "word lengths", "words"} & set(wanted):
        words = WordCounts(texts, blocks)
        if "function words" in wanted:
            listed = function_words_of() if function_words is None else function_words
            add("function words", words.listed(listed), words.totals)
        if "word lengths" in wanted:
            add("word lengths", words.lengths(), words.totals)
        if "words" in wanted:
            if masked is not texts:
                moved = (
                    None
                    if blocks is None
                    else [np.searchsorted(unmasked(row), starts) for row, starts in enumerate(blocks)]
                )
                words = WordCounts(masked, moved)
            add("words", words.lower_case())
        del words
    if "sentence lengths" in wanted:
        spoken = [analysis.sentence_words[analysis.sentence_words > 0] for analysis in read]
        add("sentence lengths", count_numbers(spoken))
    if "punctuation" in wanted:
        add("punctuation", count_punctuation(texts))
    if "POS n-grams" in wanted:
        progress(0.15, "Counting tags")
        tags = (analysis.tagged.astype(np.uint32) for analysis in read)
        add_ngrams("POS n-grams", tags, POS_SIZES, lambda row: read[row].tagged_starts)
    if "character n-grams" in wanted:
        steps = tracked(masked, part(progress, 0.25, 1.0), "Counting character n-grams")
        characters = (code_points(folded(text)) for text in steps)
        add_ngrams("character n-grams", characters, CHARACTER_SIZES, lambda row: unmasked(row)[unfolded(masked[row])])
    if MASKED in wanted:
        symbols = TokenSymbols(function_words_of() if function_words is None else function_words)
        add_ngrams(MASKED, map(symbols.masked, texts), TOKEN_SIZES, lambda row: symbols.starts(texts[row]))
    if LAYOUT in wanted:
        shapes = (code_points(layout(text)) for text in texts)
        add_ngrams(LAYOUT, shapes, CHARACTER_SIZES, lambda row: laid_out(texts[row]).origins[:-1])
    no_sentences = np.array([not analysis.has_sentences for analysis in read], bool)
    if blocks is not None:
        no_sentences = np.repeat(no_sentences, [len(starts) for starts in blocks])
    progress(1.0, "Counting done")
    return Counts(tuple(tables[family] for family in wanted), no_sentences, mask)


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

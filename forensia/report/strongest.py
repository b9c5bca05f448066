"""The features that speak most for an author and against, each with its places in the disputed text and in the author's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from forensia.attribution.pairmodel import SENTENCES
from forensia.case.analysing import Bench
from forensia.corpus.document import Document, text_hash
from forensia.evidence.explanation import AuthorExplanation, FeatureContribution, explain_author, nearest
from forensia.evidence.passages import Passages, marks, passages, quotations
from forensia.features import Counts
from forensia.features.counts import extract
from forensia.language import Analysis, analyse
from forensia.language.functionwords import function_words, words_hash
from forensia.language.model import analysis_key

__all__ = ["Reader", "strongest"]

QUOTED = 5  # features for, and as many against, whose places are quoted
QUOTATIONS = 2
_WIDTH = 42  # letters of context on each side
_MOST_PLACES = 60  # a feature that stands everywhere would cover the text with marks
_NOT_MARKED = ("word lengths", "sentence lengths")


class Reader:
    """Texts of the case as the model reads them. They were read before, so the language model is only loaded if need be."""

    def __init__(self, bench: Bench) -> None:
        model = bench.means.model
        options, record = model.options, model.language
        self._bench = bench
        self._cache = bench.case.analyses()
        self._key = analysis_key(str(record["sha256"]))
        self._words = function_words(
            str(record["language"]), Path(options.function_words) if options.function_words else None
        )
        if words_hash(self._words) != record["function_words_sha256"]:
            self._words = bench.language.function_words  # says so when they are not those of the case

    def analysis(self, document: Document) -> Analysis:
        """What the language model found in a text."""
        text = document.text
        kept = self._cache.get(text_hash(text), self._key)
        if kept is not None:
            return Analysis.from_bytes(kept)
        return analyse([text], self._bench.language, 1, self._cache)[0]

    def counts(self, documents: Sequence[Document]) -> Counts:
        """The features of texts, counted as the model needs them."""
        model = self._bench.means.model
        analyses = [self.analysis(document) for document in documents]
        texts = [document.text for document in documents]
        return extract(texts, analyses, model.options.families, self._words, model.fitted.space.mask_)


def strongest(bench: Bench, reader: Reader, document: Document, result: dict[str, Any], author: str) -> dict[str, Any]:
    """Why a disputed text resembles an author's most similar texts, or does not: in numbers, places and quotations."""
    model = bench.means.model
    if result["no_sentences"]:
        model = model.without(SENTENCES)
    code = model.authors.index(author)
    scores = np.array([pair["score"] for pair in result["pairs"]], dtype=np.float64)
    rows = nearest(scores, model.codes, code, int(model.reach[code]))
    known = [bench.corpus.by_id[model.documents[row]] for row in rows]
    counted = reader.counts([document])
    found = explain_author(
        model.fitted,
        model.fitted.vectors(counted),
        bench.means.background,
        rows,
        counts=(counted, reader.counts(known)),
    )
    favourable, adverse = found.strongest()
    told = {
        "author": author,
        "compared": [each.path or each.title for each in known],
        "log_odds": found.log_odds,
        "intercept": found.intercept,
        "baseline": found.baseline,
        "families": [each.to_json() for each in found.families],
    }
    quoting = _Quoting(reader, found, document, known)
    for side, features in (("for", favourable), ("against", adverse)):
        told[side] = [
            each.to_json() | (quoting.feature(each) if number < QUOTED else {}) for number, each in enumerate(features)
        ]
    told["marks"] = quoting.marks(favourable, adverse)
    return told


class _Quoting:
    """Finds the places of features in the texts that were compared."""

    def __init__(self, reader: Reader, found: AuthorExplanation, document: Document, known: Sequence[Document]) -> None:
        self._space = found.space
        self._text, self._analysis = document.text, reader.analysis(document)
        self._known = [(each.path or each.title, each.text, reader.analysis(each)) for each in known]

    def _places(self, column: int, text: str, analysis: Analysis) -> Passages:
        return passages(self._space, column, text, analysis)

    def feature(self, feature: FeatureContribution) -> dict[str, Any]:
        """Where a feature stands, in short quotations from both sides."""
        here = self._places(feature.column, self._text, self._analysis)
        there: list[dict[str, Any]] = []
        for name, text, analysis in self._known:
            places = self._places(feature.column, text, analysis)
            if places.spans and len(there) < QUOTATIONS:
                there.append({"document": name, "quoted": _quoted(text, places, 1)})
        return {"quoted": _quoted(self._text, here, QUOTATIONS), "known": there}

    def marks(
        self, favourable: Sequence[FeatureContribution], adverse: Sequence[FeatureContribution]
    ) -> list[list[int]]:
        """Stretches of the disputed text with a strong feature: start, end, and 1 for the author or -1 against."""
        strengths = {each.column: each.relative for each in (*favourable, *adverse)}
        places = [
            self._places(each.column, self._text, self._analysis)
            for each in (*favourable, *adverse)
            if each.family not in _NOT_MARKED
        ]
        kept = [each for each in places if not each.more and len(each.spans) <= _MOST_PLACES]
        return [[mark.start, mark.end, 1 if strengths[mark.column] > 0 else -1] for mark in marks(kept, strengths)]


def _quoted(text: str, places: Passages, most: int) -> list[dict[str, str]]:
    return [
        {"before": each.before, "there": each.there, "after": each.after}
        for each in quotations(text, places.spans, _WIDTH, most)
    ]

"""The features that speak most for an author and against, each with its places in the disputed text and in the author's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from forensia.case.session import Session
from forensia.corpus.document import Document, text_hash
from forensia.corpus.typing import Canonical, typed
from forensia.evidence.explanation import FamilySum, FeatureContribution, explain_author, nearest
from forensia.evidence.passages import Passages, marks, passages, quotations
from forensia.evidence.result import Result
from forensia.evidence.usage import Usage
from forensia.features import Counts, FeatureSpace
from forensia.features.counts import extract
from forensia.language import Analysis, AnalysisCache, analyse
from forensia.language.functionwords import function_words, words_hash
from forensia.language.model import analysis_key
from forensia.systems.pairmodel import SENTENCES

__all__ = ["Family", "Feature", "InKnown", "Marked", "ModelReader", "Quoted", "Strongest", "strongest"]

QUOTED = 5  # features for, and as many against, whose places are quoted
QUOTATIONS = 2
_WIDTH = 42  # letters of context on each side
_MOST_PLACES = 60  # a feature that stands everywhere would cover the text with marks
_NOT_MARKED = ("word lengths", "sentence lengths")


@dataclass(frozen=True)
class Quoted:
    """A place of a feature in its context."""

    before: str
    there: str
    after: str


@dataclass(frozen=True)
class InKnown:
    """Places of a feature in a known text."""

    document: str
    quoted: tuple[Quoted, ...]


@dataclass(frozen=True)
class Feature:
    """A feature with what it contributes, how often it occurs on both sides, and quotations if it is one of the strongest."""

    column: int
    feature: str
    family: str
    group: str
    a: float
    b: float
    difference: float
    usual_difference: float
    weight: float
    contribution: float
    relative: float
    documents: int | None
    authors: int | None
    usage_a: Usage | None
    usage_b: Usage | None
    quoted: tuple[Quoted, ...] = ()
    known: tuple[InKnown, ...] = ()

    @classmethod
    def of(cls, found: FeatureContribution) -> Feature:
        return cls(
            found.column, found.feature, found.family, found.group, found.a, found.b, found.difference, found.usual_difference,
            found.weight, found.contribution, found.relative, found.documents, found.authors, found.usage_a, found.usage_b,
        )  # fmt: skip


@dataclass(frozen=True)
class Family:
    """What a family of features contributes; `relative` is compared with what is usual."""

    family: str
    group: str
    features: int
    differing: int
    contribution: float
    usual: float
    relative: float

    @classmethod
    def of(cls, found: FamilySum) -> Family:
        return cls(
            found.family, found.group, found.features, found.differing, found.contribution, found.usual, found.relative
        )


@dataclass(frozen=True)
class Marked:
    """A stretch of the disputed text with a strong feature; `sign` is 1 for the author, -1 against."""

    start: int
    end: int
    sign: int


@dataclass(frozen=True)
class Strongest:
    """Why a disputed text resembles an author's most similar texts, or does not."""

    author: str
    compared: tuple[str, ...]
    log_odds: float
    intercept: float
    baseline: float
    families: tuple[Family, ...]
    favourable: tuple[Feature, ...]
    adverse: tuple[Feature, ...]
    marks: tuple[Marked, ...]


@dataclass(frozen=True, eq=False)
class ReadText:
    """A text of the case as the model reads it."""

    document: Document
    read: Canonical
    analysis: Analysis


class ModelReader:
    """Texts of the case as the model reads them. They were read before, so the language model is only loaded if need be."""

    def __init__(self, session: Session, cache: AnalysisCache) -> None:
        learnt = session.judge.learnt
        options, record = learnt.options, learnt.language
        self._session = session
        self._space = session.judge.pairs.fitted.space
        self._cache = cache
        self._key = analysis_key(str(record["sha256"]))
        self._words = function_words(
            str(record["language"]), Path(options.function_words) if options.function_words else None
        )
        if words_hash(self._words) != record["function_words_sha256"]:
            self._words = session.language.function_words  # says so when they are not those of the case

    def reading(self, document: Document) -> ReadText:
        """A text in the typing of the model, and what the language model found in it."""
        read = typed(document.text, self._space.typing_)
        kept = self._cache.get(text_hash(read.text), self._key)
        if kept is not None:
            return ReadText(document, read, Analysis.from_bytes(kept))
        return ReadText(document, read, analyse([read.text], self._session.language, 1, self._cache)[0])

    def counts(self, texts: Sequence[ReadText]) -> Counts:
        """The features of texts, counted as the model needs them."""
        families, space = self._session.judge.learnt.options.paired, self._space
        analyses = [each.analysis for each in texts]
        counts = extract([each.read.text for each in texts], analyses, families, self._words, space.mask_)
        return replace(counts, typing=space.typing_)


def strongest(session: Session, reader: ModelReader, document: Document, result: Result) -> Strongest:
    """What the findings about a disputed text rest on: in numbers, places and quotations."""
    model = session.judge.pairs
    if result.no_sentences:
        model = model.without(SENTENCES)
    author = result.subject.author
    code = model.authors.index(author)
    scores = np.array(result.pair_scores, dtype=np.float64)
    rows = nearest(scores, model.codes, code, int(model.reach[code]))
    known = [session.corpus.by_id[model.learnt.documents[row]] for row in rows]
    disputed, nearest_known = reader.reading(document), [reader.reading(each) for each in known]
    counted = reader.counts([disputed])
    found = explain_author(
        model.fitted,
        model.fitted.vectors(counted),
        session.judge.background,
        rows,
        counts=(counted, reader.counts(nearest_known)),
    )
    favourable, adverse = found.strongest()
    quoting = _Quoting(found.space, disputed, nearest_known)
    return Strongest(
        author=author,
        compared=tuple(each.path or each.title for each in known),
        log_odds=found.log_odds,
        intercept=found.intercept,
        baseline=found.baseline,
        families=tuple(Family.of(each) for each in found.families),
        favourable=quoting.features(favourable),
        adverse=quoting.features(adverse),
        marks=quoting.marks(favourable, adverse),
    )


class _Quoting:
    """Finds the places of features in the texts that were compared."""

    def __init__(self, space: FeatureSpace, disputed: ReadText, known: Sequence[ReadText]) -> None:
        self._space = space
        self._disputed = disputed
        self._known = known

    def _places(self, column: int, text: ReadText) -> Passages:
        return passages(self._space, column, text.read, text.analysis)

    def features(self, found: Sequence[FeatureContribution]) -> tuple[Feature, ...]:
        """The features of one side, the first of them with quotations."""
        told = [Feature.of(each) for each in found]
        return (*map(self._feature, told[:QUOTED]), *told[QUOTED:])

    def _feature(self, feature: Feature) -> Feature:
        """Where a feature stands, in short quotations from both sides."""
        here = self._places(feature.column, self._disputed)
        there: list[InKnown] = []
        for each in self._known:
            places = self._places(feature.column, each)
            if places.spans and len(there) < QUOTATIONS:
                document = each.document
                there.append(InKnown(document.path or document.title, _quoted(document.text, places, 1)))
        return replace(feature, quoted=_quoted(self._disputed.document.text, here, QUOTATIONS), known=tuple(there))

    def marks(
        self, favourable: Sequence[FeatureContribution], adverse: Sequence[FeatureContribution]
    ) -> tuple[Marked, ...]:
        """Stretches of the disputed text with a strong feature."""
        strengths = {each.column: each.relative for each in (*favourable, *adverse)}
        places = [
            self._places(each.column, self._disputed)
            for each in (*favourable, *adverse)
            if each.family not in _NOT_MARKED
        ]
        kept = [each for each in places if not each.more and len(each.spans) <= _MOST_PLACES]
        return tuple(
            Marked(mark.start, mark.end, 1 if strengths[mark.column] > 0 else -1) for mark in marks(kept, strengths)
        )


def _quoted(text: str, places: Passages, most: int) -> tuple[Quoted, ...]:
    return tuple(Quoted(each.before, each.there, each.after) for each in quotations(text, places.spans, _WIDTH, most))

"""The features that speak most for an author and against, each with its places in the disputed text and in the author's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from forensia.case.session import Session
from forensia.corpus.document import Document, text_hash
from forensia.corpus.typing import Canonical, typed
from forensia.evidence.contributions import MOST, Contributions, FusedFamily, Having
from forensia.evidence.explanation import (
    Passages,
    Usage,
    explain_author,
    marks,
    nearest,
    passages,
    quotations,
)
from forensia.evidence.result import Result
from forensia.features import Counts
from forensia.features.counts import extract
from forensia.features.names import FeatureColumns, Span
from forensia.language import Analysis, AnalysisCache, analyse
from forensia.language.model import analysis_key, function_words, words_hash
from forensia.systems.pairmodel import SENTENCES

__all__ = [
    "ExplainedFeature", "ExplainedFused", "ExplainedScore", "Family", "Feature", "InKnown", "Marked", "ModelReader", "Quoted", "Strongest",
    "explained", "strongest",
]  # fmt: skip

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


@dataclass(frozen=True)
class ExplainedFeature:
    """A feature with what it contributes to a fused score, how often it occurs, and quotations if it is one of the strongest."""

    column: int
    feature: str
    family: str
    value: float
    average: float
    weight: float
    relative: float
    count: int
    own: Having
    others: Having
    in_neither: bool
    quoted: tuple[Quoted, ...] = ()
    known: tuple[InKnown, ...] = ()


@dataclass(frozen=True)
class ExplainedScore:
    """The fused score of an author less that of another (`against`), or less the mean of all others where that is empty.

    Baseline and families add up to it; so do baseline, the features that are listed, and the `rest`.
    """

    against: str
    score: float
    baseline: float
    families: tuple[FusedFamily, ...]
    favourable: tuple[ExplainedFeature, ...]
    adverse: tuple[ExplainedFeature, ...]
    rest: float


@dataclass(frozen=True)
class ExplainedFused:
    """What the fused score of an author rests on: against the highest of the others, and against all."""

    author: str
    scores: tuple[ExplainedScore, ...]
    marks: tuple[Marked, ...]

    @property
    def alone(self) -> bool:
        """Whether there is nobody else to hold the author against but the average known text."""
        return not self.scores[0].against


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
        self._learnt = learnt
        self.cache = cache
        self._key = analysis_key(str(record["sha256"]))
        self.function_words = function_words(
            str(record["language"]), Path(options.function_words) if options.function_words else None
        )
        if words_hash(self.function_words) != record["function_words_sha256"]:
            self.function_words = session.language.function_words  # says so when they are not those of the case

    def reading(self, document: Document) -> ReadText:
        """A text in the typing of the model, and what the language model found in it."""
        read = typed(document.text, self._learnt.typing)
        kept = self.cache.get(text_hash(read.text), self._key)
        if kept is not None:
            return ReadText(document, read, Analysis.from_bytes(kept))
        return ReadText(document, read, analyse([read.text], self._session.language, 1, self.cache)[0])

    def counts(self, texts: Sequence[ReadText], families: Sequence[str]) -> Counts:
        """The features of texts, counted as the model needs them."""
        analyses = [each.analysis for each in texts]
        counts = extract([each.read.text for each in texts], analyses, families, self.function_words, self._learnt.mask)
        return replace(counts, typing=self._learnt.typing)


def explained(
    session: Session, reader: ModelReader, document: Document, result: Result, most: int = MOST
) -> ExplainedFused | None:
    """What the fused score of the author in question rests on: in numbers, places and quotations; None without a fused system.

    At most so many features are listed for the author, and as many against.
    """
    learnt = session.judge.learnt
    author = result.subject.author
    disputed = reader.reading(document)
    parts, code = session.parts(document, reader.cache), learnt.authors.index(author)
    found = session.judge.explain(parts, document.words, code, reader.function_words, result.stated.source)
    if not found:
        return None
    quoting = _Quoting(found[0], disputed, reader.function_words)

    def known(column: int) -> Iterable[ReadText]:
        """The author's texts that have a feature, the most similar first."""
        rows = found[0].having(column).tolist()
        return (reader.reading(session.corpus.by_id[learnt.documents[row]]) for row in found[0].nearest if row in rows)

    first, *others = (_score(each, learnt.authors, most) for each in found)
    first = replace(
        first, favourable=quoting.chosen(first.favourable, known), adverse=quoting.chosen(first.adverse, known)
    )
    return ExplainedFused(author, (first, *others), quoting.marks((*first.favourable, *first.adverse)))


def _score(found: Contributions, authors: Sequence[str], most: int) -> ExplainedScore:
    favourable, adverse = (_stored(ExplainedFeature, found.features(side)) for side in found.strongest(most))
    return ExplainedScore(
        against="" if found.rival is None else authors[found.rival],
        score=found.score,
        baseline=found.baseline,
        families=found.families,
        favourable=favourable,
        adverse=adverse,
        rest=sum(each.relative for each in found.families) - sum(each.relative for each in (*favourable, *adverse)),
    )


def strongest(session: Session, reader: ModelReader, document: Document, result: Result) -> Strongest:
    """What Pr(Same) of a disputed text with an author's most similar ones rests on: in numbers, places and quotations."""
    model = session.judge.pairs
    if result.no_sentences:
        model = model.without(SENTENCES)
    author = result.subject.author
    code = model.authors.index(author)
    scores = np.array(result.pair_scores, dtype=np.float64)
    rows = nearest(scores, model.codes, code, int(model.reach[code]))
    known = [session.corpus.by_id[model.learnt.documents[row]] for row in rows]
    disputed, nearest_known = reader.reading(document), [reader.reading(each) for each in known]
    paired = model.options.paired
    counted = reader.counts([disputed], paired)
    found = explain_author(
        model.fitted,
        model.fitted.vectors(counted),
        session.judge.background,
        rows,
        counts=(counted, reader.counts(nearest_known, paired)),
    )
    quoting = _Quoting(found.space, disputed)
    favourable, adverse = (
        quoting.chosen(_stored(Feature, side), lambda _: nearest_known) for side in found.strongest()
    )
    return Strongest(
        author=author,
        compared=tuple(each.path or each.title for each in known),
        log_odds=found.log_odds,
        intercept=found.intercept,
        baseline=found.baseline,
        families=_stored(Family, found.families),
        favourable=favourable,
        adverse=adverse,
        marks=quoting.marks((*favourable, *adverse)),
    )


Listed = TypeVar("Listed", Feature, ExplainedFeature)
Stored = TypeVar("Stored", Feature, Family, ExplainedFeature)


def _stored(kind: type[Stored], found: Iterable[object]) -> tuple[Stored, ...]:
    """What the engine found, in the fields that are kept, without quotations."""
    names = [each.name for each in fields(kind) if each.name not in ("quoted", "known")]
    return tuple(kind(**{name: getattr(each, name) for name in names}) for each in found)


class _Quoting:
    """Finds the places of features in the texts that were compared."""

    def __init__(self, space: FeatureColumns, disputed: ReadText, function_words: Sequence[str] = ()) -> None:
        self._space = space
        self._disputed = disputed
        self._function_words = function_words

    def _places(self, column: int, text: ReadText) -> Passages:
        return passages(self._space, column, text.read, text.analysis, function_words=self._function_words)

    def chosen(self, features: Sequence[Listed], known: Callable[[int], Iterable[ReadText]]) -> tuple[Listed, ...]:
        """The features of one side; the first of them with quotations, but for what stands where one before was quoted."""
        listed: list[Listed] = []
        left, seen = QUOTED, list[Span]()
        for feature in features:
            here = self._places(feature.column, self._disputed)
            quoted = here.spans[:QUOTATIONS]
            if left and not any(one[0] < end and start < one[1] for one in quoted for start, end in seen):
                feature = self._quoted(feature, here, known(feature.column))
                seen += quoted
                left -= bool(feature.quoted or feature.known)
            listed.append(feature)
        return tuple(listed)

    def _quoted(self, feature: Listed, here: Passages, known: Iterable[ReadText]) -> Listed:
        """Where a feature stands, in short quotations from both sides."""
        places = ((each.document, self._places(feature.column, each)) for each in known)
        there = (InKnown(at.path or at.title, _quoted(at.text, found, 1)) for at, found in places if found.spans)
        return replace(
            feature,
            quoted=_quoted(self._disputed.document.text, here, QUOTATIONS),
            known=tuple(islice(there, QUOTATIONS)),
        )

    def marks(self, features: Sequence[Feature] | Sequence[ExplainedFeature]) -> tuple[Marked, ...]:
        """Stretches of the disputed text with a strong feature."""
        strengths: Mapping[int, float] = {each.column: each.relative for each in features}
        places = [self._places(each.column, self._disputed) for each in features if each.family not in _NOT_MARKED]
        kept = [each for each in places if not each.more and len(each.spans) <= _MOST_PLACES]
        return tuple(
            Marked(mark.start, mark.end, 1 if strengths[mark.column] > 0 else -1) for mark in marks(kept, strengths)
        )


def _quoted(text: str, places: Passages, most: int) -> tuple[Quoted, ...]:
    return tuple(Quoted(each.before, each.there, each.after) for each in quotations(text, places.spans, _WIDTH, most))

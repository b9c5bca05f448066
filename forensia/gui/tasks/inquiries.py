"""What the child process finds out for the views, each a task for `jobs.worker`, and what it sends; the case is only read.

A model made ready to judge texts takes seconds to open, so the last one is kept by the child for the next question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from forensia.case.store import Case
from forensia.corpus import Document, read_disputed
from forensia.errors import InputError
from forensia.evidence.contributions import Contributions, FusedFamily, FusedFeature
from forensia.evidence.explanation import Explanation, FamilySum, FeatureContribution
from forensia.evidence.result import Condition, PairResult, Source
from forensia.evidence.summary import ValidationSummary
from forensia.evidence.writers import Grouping
from forensia.gui.tasks.plots import NamedScores, ScoreGroup
from forensia.jobs import Progress, part
from forensia.jobs.worker import News
from forensia.report.curves import Curves, curves
from forensia.wording.problems import worded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forensia.case.session import Session
    from forensia.evidence.rung import Rung
    from forensia.features import Counts
    from forensia.features.names import FeatureColumns
    from forensia.language import AnalysisCache

    Floats = NDArray[np.float64]


Span = tuple[int, int]
Family = TypeVar("Family", FamilySum, FusedFamily)
Feature = TypeVar("Feature", FeatureContribution, FusedFeature)


@dataclass(frozen=True)
class Located:
    """A text and the places of features in it, as offsets into it; `more` characters of it are not shown."""

    title: str
    author: str
    words: int
    text: str
    more: int = 0
    places: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedFeatures(Generic[Family, Feature]):
    """A total taken apart: baseline and families add up to it; the strongest features of all and of each family, by their columns."""

    total: float
    baseline: float
    families: tuple[Family, ...]
    features: Mapping[int, Feature]
    favourable: tuple[int, ...]
    adverse: tuple[int, ...]
    by_family: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]

    def listed(self, family: str = "") -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
        """The strongest features for and against: of all, or of one family."""
        sides = self.by_family.get(family, ((), ())) if family else (self.favourable, self.adverse)
        first, second = (tuple(self.features[column] for column in side) for side in sides)
        return first, second

    def rest(self, family: str = "") -> float:
        """What all features contribute that are not listed: of all, or of one family."""
        whole = sum(each.relative for each in self.families if family in ("", each.family))
        return whole - sum(feature.relative for side in self.listed(family) for feature in side)


PairListed = ListedFeatures[FamilySum, FeatureContribution]
FusedListed = ListedFeatures[FusedFamily, FusedFeature]
AnyListed = PairListed | FusedListed
AnyFeature = FeatureContribution | FusedFeature
Texts = tuple[Located, Located]


@dataclass(frozen=True)
class Contrast:
    """The fused score of an author less that of another (`against`), or less the mean of all others where that is empty; or the score
    itself (`population`), which is against everybody else."""

    author: str
    against: str
    listed: FusedListed
    population: bool = False


@dataclass(frozen=True)
class ExplainedAuthor:
    """Why a text resembles an author or does not, beside the author's most similar text.

    `contrasts` take the fused score apart. A model without one has `pairs` instead: the Pr(Same) of the text with the author's most similar
    documents, `score` being that of the first.
    """

    author: str
    texts: Texts
    contrasts: tuple[Contrast, ...] = ()
    pairs: PairListed | None = None
    score: float | None = None


@dataclass(frozen=True)
class ExplainedPair:
    """One writer or two, and why."""

    result: PairResult
    listed: PairListed
    texts: Texts


Asked = Mapping[str, str]
"""A text that the case holds (`id`), that lies in a file (`path`), or that was pasted (`pasted`)."""

SHOWN = 120_000
"""Characters of a text that are shown; a longer one would make the window wait."""

MOST_SCORES = 4_000
"""Scores of a kind that are sent; of more, a selection that is spread evenly over their order."""

_PLACES = 200  # of one feature in one text
_OF_FAMILY = 8  # features for and against that are listed for one family
_PASTED = "pasted"


@worded()
def peek(progress: Progress, news: News, *, case: str, text: Asked) -> Located:
    """A text by what it is called and the beginning of what it says, before it is compared with another."""
    progress(0.0, "Reading the text")
    with Case.open(case, read_only=True) as read:
        return _located(asked_text(read, text))


def explain(progress: Progress, news: News, *, case: str, document: str, author: str) -> ExplainedAuthor:
    """Why a disputed text resembles an author or does not, with the places in it and in the author's most similar text.

    By the fused score, or by Pr(Same) with the author's most similar documents where the model has no fused system.
    """
    progress(0.0, "Loading the model")
    session = _ready(case)
    learnt = session.judge.learnt
    if author not in learnt.authors:
        raise InputError(f"'{author}' is not among the authors of the model. Train the model again.")
    code = learnt.authors.index(author)
    with Case.open(case, read_only=True) as read, read.models.analyses() as cache:
        text = read.documents.get(document)
        parts = session.parts(text, cache, part(progress, 0.2, 0.5))
        before = read.results.all(document)
        source = before[-1].result.stated.source if before else "new"
        fused = session.judge.explain(parts, text.words, code, session.language.function_words, source)
        if not fused:
            counts = session.count(text, cache)
            return _by_pairs(session, read, cache, text, counts, code, part(progress, 0.5, 1.0))
        progress(0.6, "Finding the passages")
        nearest = read.documents.get(learnt.documents[int(fused[0].nearest[0])])
        contrasts = tuple(
            Contrast(
                author,
                "" if each.rival is None else learnt.authors[each.rival],
                _fused_listed(each),
                population=not each.others,
            )
            for each in fused
        )
        columns = sorted({column for each in contrasts for column in each.listed.features})
        places = _Places(fused[0], columns, session, cache)
        return ExplainedAuthor(author, (places.located(text), places.located(nearest)), contrasts)


def _by_pairs(
    session: Session, case: Case, cache: AnalysisCache, text: Document, counts: Counts, author: int, progress: Progress
) -> ExplainedAuthor:
    """By the Pr(Same) of a text with the author's most similar documents."""
    from forensia.evidence.explanation import explain_author, nearest
    from forensia.systems.pairmodel import SENTENCES

    model = session.judge.pairs
    if bool(counts.no_sentences[0]) and SENTENCES in model.options.families:
        model = model.without(SENTENCES)
    query = model.fitted.vectors(counts)
    (ranking,) = model.rank_vectors(query)
    rows = nearest(ranking.pr_same, model.codes, author, int(model.reach[author]))
    known = [case.documents.get(model.learnt.documents[int(row)]) for row in rows]
    others = session.count_all(known, cache, part(progress, 0.0, 0.5))
    explained = explain_author(model.fitted, query, session.judge.background, rows, counts=(counts, others))
    progress(0.6, "Finding the passages")
    listed = _pair_listed(explained)
    places = _Places(explained.space, sorted(listed.features), session, cache)
    score = float(ranking.pr_same[int(rows[0])])
    return ExplainedAuthor(
        model.authors[author], (places.located(text), places.located(known[0])), pairs=listed, score=score
    )


@worded()
def compare(progress: Progress, news: News, *, case: str, a: Asked, b: Asked) -> ExplainedPair:
    """Two texts: one writer or two, why, and the places in both."""
    progress(0.0, "Loading the model")
    from forensia.language import MemoryCache
    from forensia.service.comparing import compare_documents

    session = _ready(case)
    with Case.open(case, read_only=True) as read:
        first, second = asked_text(read, a), asked_text(read, b)
    progress(0.2, "Comparing the texts")
    compared = compare_documents(session, first, second, part(progress, 0.2, 0.8))
    progress(0.85, "Finding the passages")
    listed = _pair_listed(compared.explanation)
    places = _Places(compared.explanation.space, sorted(listed.features), session, MemoryCache())
    return ExplainedPair(compared.result, listed, (places.located(first), places.located(second)))


@worded()
def compare_several(progress: Progress, news: News, *, case: str, texts: Sequence[Asked]) -> Grouping:
    """Several texts: the likelihood ratios of all pairs, groups by one writer, and how often such groups are wrong."""
    progress(0.0, "Loading the model")
    from forensia.service.comparing import compare_many, refuse_too_many

    refuse_too_many(texts)
    session = _ready(case)
    with Case.open(case, read_only=True) as read:
        documents = [asked_text(read, text) for text in texts]
        return compare_many(read, session, documents, part(progress, 0.1, 1.0))


@lru_cache(maxsize=1)
def _session(case: str, state: tuple[str, ...]) -> Session:
    from forensia.case.session import Session

    with Case.open(case, read_only=True) as read:
        made = Session.of(read)
        made.language  # noqa: B018  # loaded now, so that the next question is answered at once
    return made


def _ready(case: str) -> Session:
    """The case made ready to judge texts; opened anew when anything it rests on has changed."""
    with Case.open(case, read_only=True) as read:
        state = (
            read.documents.basis(sources=True),
            *(f"{kind} {digest}" for kind, digest in sorted(read.models.hashes().items())),
        )
    return _session(case, state)


def asked_text(case: Case, text: Asked) -> Document:
    """The text that is meant."""
    if "id" in text:
        return case.documents.get(text["id"])
    if "path" in text:
        return read_disputed(Path(text["path"]))
    return read_disputed(text[_PASTED].encode("utf-8", "replace"), name=f"{_PASTED}.txt")


def _located(document: Document, places: Mapping[int, tuple[Span, ...]] | None = None) -> Located:
    whole = document.text
    more = max(0, len(whole) - SHOWN)
    return Located(document.title, document.author, document.words, whole[:SHOWN], more, places or {})


def _pair_listed(explanation: Explanation) -> PairListed:
    """The log-odds of Same with the features that speak most for it and against."""
    favourable, adverse = explanation.strongest()
    used = tuple(each for each in explanation.families if each.features)
    by_family = {each.family: explanation.strongest(_OF_FAMILY, each.family) for each in used}
    sides = [favourable, adverse, *(side for both in by_family.values() for side in both)]
    return ListedFeatures(
        explanation.log_odds,
        explanation.baseline,
        used,
        {each.column: each for side in sides for each in side},
        _columns(favourable),
        _columns(adverse),
        {family: (_columns(one), _columns(other)) for family, (one, other) in by_family.items()},
    )


def _fused_listed(made: Contributions) -> FusedListed:
    """A fused score with the features that speak most for the author and against."""
    favourable, adverse = made.strongest()
    by_family = {each.family: made.strongest(_OF_FAMILY, each.family) for each in made.families}
    columns = {
        column
        for side in (favourable, adverse, *(each for both in by_family.values() for each in both))
        for column in side
    }
    features = {each.column: each for each in made.features(sorted(columns))}
    return ListedFeatures(made.score, made.baseline, made.families, features, favourable, adverse, by_family)


class _Places:
    """Where features stand in texts."""

    def __init__(self, space: FeatureColumns, columns: Sequence[int], session: Session, cache: AnalysisCache) -> None:
        self._space, self._columns, self._session, self._cache = space, columns, session, cache

    def located(self, document: Document) -> Located:
        """A text with the places as offsets into it; those beyond what is shown are left out."""
        from forensia.corpus.typing import typed
        from forensia.evidence.explanation import passages
        from forensia.language import analyse

        language = self._session.language
        read = typed(document.text, self._session.judge.learnt.typing)
        (analysis,) = analyse([read.text], language, cache=self._cache)
        places = {}
        for column in self._columns:
            spans = passages(self._space, column, read, analysis, _PLACES, language.function_words).spans
            kept = tuple((start, end) for start, end in spans if end <= SHOWN)
            if kept:
                places[column] = kept
        return _located(document, places)


def _columns(features: Sequence[FeatureContribution]) -> tuple[int, ...]:
    return tuple(each.column for each in features)


@dataclass(frozen=True)
class ValidationScores:
    """The scores of texts with their own author, with other listed authors, and of outsiders with listed authors.

    Where authors stood in for candidates they are the fused scores themselves.
    """

    own: ScoreGroup
    other: ScoreGroup
    outsiders: ScoreGroup
    stand_ins: bool = False

    @property
    def rows(self) -> tuple[NamedScores, ...]:
        """As rows of a plot."""
        return (
            NamedScores("own author", True, self.own),
            NamedScores("another listed author", False, self.other),
            NamedScores("somebody else" if self.stand_ins else "not in the corpus", False, self.outsiders),
        )


@dataclass(frozen=True)
class TrustCurves:
    """What the plots of the trust page show: the curves of the report, and the scores themselves."""

    ratios: Curves
    scores: ValidationScores


@dataclass(frozen=True)
class Typical:
    """The scores of the validation for texts as long as one and from such a source, and the score of that text for each author.

    Scores are standings: how far an author stands above all authors of the text. `own_of` has the scores of each author's own texts; with
    stand-ins nothing is known of each alone.
    """

    scores: ValidationScores
    condition: Condition
    own_of: Mapping[str, tuple[float, ...]]
    here: Mapping[str, float]


def trust(progress: Progress, news: News, *, case: str) -> ValidationSummary:
    """The validation in numbers; what the plots show comes first, as news, because it takes no time."""
    progress(0.0, "Reading the validation")
    from forensia.case.session import open_summary, open_validation

    with Case.open(case, read_only=True) as read:
        whole = open_validation(read).whole
        news(TrustCurves(curves(whole), _scores(whole)))
        progress(0.3, "Putting the validation into words")
        return open_summary(read)


def typical(
    progress: Progress, news: News, *, case: str, fused: Mapping[str, float], words: int, source: Source
) -> Typical:
    """The scores of the validation for texts of this length and source, and the score of this text for each author, on the same scale."""
    progress(0.0, "Reading the validation")
    import numpy as np

    from forensia.case.session import open_validation

    with Case.open(case, read_only=True) as read:
        validation = open_validation(read)
    rung = validation.rung(words, source)
    here = rung.calibration.placed(np.array([[fused.get(author, math.nan) for author in validation.authors]]))[0]
    own_of = {} if rung.stand_ins else {author: _thin(rung.own[code]) for code, author in enumerate(validation.authors)}
    return Typical(
        _scores(rung),
        rung.condition,
        own_of,
        {author: float(here[code]) for code, author in enumerate(validation.authors) if author in fused},
    )


def _scores(rung: Rung) -> ValidationScores:
    scores, (inside, outside) = rung.scores, rung.standings
    own, other, outsiders = (
        _group(some) for some in (inside[scores.own], inside[scores.other], outside[scores.strange])
    )
    return ValidationScores(own, other, outsiders, rung.stand_ins)


def _group(values: Floats) -> ScoreGroup:
    return ScoreGroup(_thin(values), int(values.size))


def _thin(values: Floats) -> tuple[float, ...]:
    """Values in their order, at most so many, evenly chosen so that their distribution stays."""
    import numpy as np

    kept = np.sort(values[np.isfinite(values)])
    if kept.size > MOST_SCORES:
        kept = kept[np.linspace(0, kept.size - 1, MOST_SCORES).round().astype(np.intp)]
    return tuple(round(float(value), 4) for value in kept)

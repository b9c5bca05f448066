"""Why h says what it says: the contribution of each feature to the log-odds of Same, exactly.

h is linear in the differences, so its log-odds are the intercept plus, for each feature, weight x difference. Nearly all that
weighs much speaks against Same, for it answers 'what if the texts were identical?'. A reader asks instead whether a difference
is small or large for texts by different authors. So each contribution is also given relative to the usual one, and the
log-odds are taken apart a second time, as exactly:

    log-odds = intercept + sum of contributions
             = baseline + sum of (contribution - usual contribution), where baseline = intercept + sum of usual contributions.

The usual difference in a feature is the mean of two: how far either text lies from the known texts by other authors. So a rare
feature that both texts have speaks strongly for Same, and one that everybody has hardly does.

Where a feature stands in a text: places for highlighting on screen, and quotations for the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import visible
from forensia.corpus.typing import Canonical
from forensia.evidence.contributions import Background
from forensia.features import FAMILIES, GROUP_1, Counts, FeatureSpace, Vectors, locate
from forensia.features.names import FeatureColumns, Span
from forensia.language import Analysis
from forensia.systems.pairmodel import FittedPairs

MOST = 15
"""How many features are listed for Same, and how many against."""

Floats = NDArray[np.float64]
BothCounts = tuple[Counts, Counts]


@dataclass(frozen=True)
class FamilySum:
    """The contributions of one family: `features` columns of the model, in `differing` of which the texts differ."""

    family: str
    group: str
    features: int
    differing: int
    contribution: float
    usual: float

    @property
    def relative(self) -> float:
        """Above zero: compared with what is usual, the family as a whole speaks for Same."""
        return self.contribution - self.usual


@dataclass(frozen=True)
class FeatureContribution:
    """What one feature contributes, with all that a reader needs to judge it.

    `a` and `b` are values of the model; `usage_a` and `usage_b` are counts and rates, where the counts of the texts were given.
    For an author `b` and `difference` are means over the compared documents, and `usage_b` is that of all of them together.
    `documents` and `authors` say in how many known texts, and by how many authors, the feature occurs; None without known
    texts. The weight is below zero as a rule. Where it is not, texts by one author differed more in the feature in training.
    """

    column: int
    feature: str
    family: str
    group: str
    a: float
    b: float
    difference: float
    usual_difference: float
    weight: float
    documents: int | None = None
    authors: int | None = None
    usage_a: Usage | None = None
    usage_b: Usage | None = None

    @property
    def contribution(self) -> float:
        return self.weight * self.difference + 0.0  # never -0

    @property
    def usual(self) -> float:
        """The contribution that is usual between different authors."""
        return self.weight * self.usual_difference

    @property
    def relative(self) -> float:
        """Above zero: compared with what is usual, the feature speaks for Same."""
        return self.contribution - self.usual

    @property
    def closer(self) -> bool:
        """Whether the texts differ less in the feature than is usual between different authors."""
        return self.difference < self.usual_difference


@dataclass(frozen=True, eq=False)
class Explanation:
    """The log-odds of Same taken apart; every array has one value for each column of the feature space."""

    intercept: float
    weights: Floats
    a: Floats
    b: Floats
    differences: Floats
    usual_differences: Floats
    space: FeatureSpace = field(repr=False)
    background: Background | None = field(default=None, repr=False)
    counts: BothCounts | None = field(default=None, repr=False)

    @cached_property
    def contributions(self) -> Floats:
        """With the intercept they sum to the log-odds."""
        return self.weights * self.differences + 0.0  # never -0

    @cached_property
    def usual(self) -> Floats:
        """The contributions that are usual between different authors; zero where no known texts were given."""
        return self.weights * self.usual_differences

    @cached_property
    def relative(self) -> Floats:
        """With the baseline they sum to the log-odds; above zero speaks for Same."""
        return self.contributions - self.usual

    @cached_property
    def log_odds(self) -> float:
        return self.intercept + float(self.contributions.sum())

    @cached_property
    def baseline(self) -> float:
        """What the log-odds would be if all differences were the usual ones."""
        return self.intercept + float(self.usual.sum())

    @cached_property
    def families(self) -> tuple[FamilySum, ...]:
        """The sums of all seven families; one that the model does not use has no features."""
        return tuple(self._family(family) for family in FAMILIES)

    def strongest(
        self, most: int = MOST, family: str = ""
    ) -> tuple[tuple[FeatureContribution, ...], tuple[FeatureContribution, ...]]:
        """The features that speak most for Same and most against, compared with what is usual: of all families or of one."""
        relative = self.relative
        if family:
            relative = np.zeros_like(relative)
            span = self._span(family)
            relative[span] = self.relative[span]
        order = np.argsort(-np.abs(relative), kind="stable")
        favourable = order[relative[order] > 0][:most]
        adverse = order[relative[order] < 0][:most]
        found = self.features([*favourable.tolist(), *adverse.tolist()])
        return tuple(found[: len(favourable)]), tuple(found[len(favourable) :])

    def features(self, columns: Sequence[int]) -> list[FeatureContribution]:
        """All about some columns."""
        first: Sequence[Usage | None] = [None] * len(columns)
        second = first
        if self.counts is not None:
            first, second = (usages(self.space, counts, columns) for counts in self.counts)
        return [self._feature(*each) for each in zip(columns, first, second, strict=True)]

    def every(self) -> list[FeatureContribution]:
        """Every contribution that is not zero, the largest first, so that anybody can add them up."""
        some = np.flatnonzero(self.contributions)
        order = some[np.argsort(-np.abs(self.contributions[some]), kind="stable")]
        return [self._feature(column, None, None) for column in order.tolist()]

    def _span(self, family: str) -> slice:
        for block in self.space.blocks_:
            if block.family == family:
                shift = 0 if block.dense else self.space.dense_width_
                return slice(block.start + shift, block.stop + shift)
        return slice(0, 0)

    def _family(self, family: str) -> FamilySum:
        span = self._span(family)
        return FamilySum(
            family=family,
            group=group_of(family),
            features=span.stop - span.start,
            differing=int(np.count_nonzero(self.differences[span])),
            contribution=float(self.contributions[span].sum()),
            usual=float(self.usual[span].sum()),
        )

    def _feature(self, column: int, usage_a: Usage | None, usage_b: Usage | None) -> FeatureContribution:
        family = self.space.family(column)
        known = self.background
        return FeatureContribution(
            column=column,
            feature=self.space.feature_name(column),
            family=family,
            group=group_of(family),
            a=float(self.a[column]),
            b=float(self.b[column]),
            difference=float(self.differences[column]),
            usual_difference=float(self.usual_differences[column]),
            weight=float(self.weights[column]),
            documents=None if known is None else int(known.frequency[column]),
            authors=None if known is None else known.authors_with(column),
            usage_a=usage_a,
            usage_b=usage_b,
        )


@dataclass(frozen=True, eq=False)
class PairExplanation(Explanation):
    """The log-odds of two texts; the same whichever comes first, but for `a` and `b`."""


@dataclass(frozen=True, eq=False)
class AuthorExplanation(Explanation):
    """The mean log-odds of a text with some documents of one author: `rows` are theirs among the known texts."""

    author: int = -1
    rows: tuple[int, ...] = ()


def explain_pair(
    fitted: FittedPairs,
    a: Vectors,
    b: Vectors,
    background: Background | None = None,
    *,
    counts: BothCounts | None = None,
) -> PairExplanation:
    """Explain the log-odds of two texts, each given as one row of vectors of the model.

    `background` should be without the authors of the two texts where they are known. Without any, nothing is usual, and
    features are ordered by what they contribute.
    """
    if len(a) != 1 or len(b) != 1:
        raise ValueError("a pair is one text and one other")
    return PairExplanation(**_taken_apart(fitted, a, b, background), background=background, counts=counts)


def explain_author(
    fitted: FittedPairs,
    query: Vectors,
    background: Background,
    rows: NDArray[np.integer],
    *,
    counts: BothCounts | None = None,
) -> AuthorExplanation:
    """Explain a text's similarity to an author: the mean of the log-odds of Same over some of their documents, exactly.

    `rows` are those documents among the known texts, as `nearest` gives them. The score of Lazy AA is the mean of the
    probabilities of the same pairs, which is no sum over features; its order of authors can differ where scores are close.
    The author's own texts do not count in what is usual. `counts` are those of the text and of the documents in `rows`.
    """
    authors = np.unique(background.codes[rows])
    if len(query) != 1 or len(authors) != 1:
        raise ValueError("one text is compared with documents of one author")
    author = int(authors[0])
    others = background.without(author)
    parts = _taken_apart(fitted, query, background.known.rows(np.asarray(rows)), others)
    return AuthorExplanation(
        **parts, background=others, counts=counts, author=author, rows=tuple(int(row) for row in rows)
    )


def nearest(pr_same: Floats, codes: NDArray[np.integer], author: int, k: int) -> NDArray[np.intp]:
    """The rows of the k documents of an author over which Lazy AA takes the mean, the most similar first."""
    own = np.flatnonzero((codes == author) & ~np.isnan(pr_same))
    return own[np.argsort(-pr_same[own], kind="stable")[:k]]


def group_of(family: str) -> str:
    """The group of the paper that a family belongs to."""
    return "group 1" if family in GROUP_1 else "group 2"


def _taken_apart(fitted: FittedPairs, text: Vectors, others: Vectors, background: Background | None) -> dict[str, Any]:
    """The fields of an explanation: one text against the mean over some others."""
    a = _row(text, 0)
    b, differences, usual = np.zeros_like(a), np.zeros_like(a), np.zeros_like(a)
    for number in range(len(others)):
        value = _row(others, number)
        b += value
        differences += np.abs(a - value)
    b /= len(others)
    differences /= len(others)
    if background is not None:
        usual = 0.5 * (background.differences(text) + background.differences(others))
    return {
        "intercept": float(fitted.model.intercept),
        "weights": np.concatenate((fitted.model.dense, fitted.model.sparse)).astype(np.float64),
        "a": a,
        "b": b,
        "differences": differences,
        "usual_differences": usual,
        "space": fitted.space,
    }


def _row(vectors: Vectors, number: int) -> Floats:
    return np.concatenate((vectors.dense[number], vectors.sparse[number].toarray().ravel())).astype(np.float64)


WORDS, SENTENCES, MARKS = "per 1,000 words", "per 100 sentences", "per 100 punctuation marks"
_OF_WORDS = ("function words", "word lengths", "words")


@dataclass(frozen=True)
class Usage:
    """A count, and the count in relation to the length of the text; no rate where the words were not counted."""

    count: int
    rate: float | None
    unit: str


def usages(space: FeatureSpace, counts: Counts, columns: Sequence[int]) -> list[Usage]:
    """The use of some features in texts taken together, one for each column.

    Rates of group 1 are shares of what the model too divides by: words, sentences, or punctuation marks. Those of group 2 are
    by words, although the model weights them otherwise.
    """
    places: dict[str, list[tuple[int, int]]] = {}
    for place, column in enumerate(columns):
        part, number = space.place(column)
        places.setdefault(part.family, []).append((place, number))
    words = next((int(counts.table(family).totals.sum()) for family in _OF_WORDS if family in counts.families), None)
    found: list[Usage] = [Usage(0, None, "")] * len(columns)
    for family, wanted in places.items():
        table = counts.table(family)
        keys = space.place(columns[wanted[0][0]])[0].keys.take(np.array([number for _, number in wanted]))
        at = table.keys.find(keys)  # type: ignore[arg-type]  # keys of one family are of one kind
        times = np.zeros(len(at), np.int64)
        times[at >= 0] = np.asarray(table.counts[:, at[at >= 0]].sum(axis=0, dtype=np.int64)).ravel()
        total = int(table.totals.sum())
        for (place, _), count in zip(wanted, times.tolist(), strict=True):
            found[place] = _usage(family, count, total, words)
    return found


def _usage(family: str, count: int, total: int, words: int | None) -> Usage:
    if family == "sentence lengths":
        return Usage(count, 100 * count / max(total, 1), SENTENCES)
    if family == "punctuation":
        return Usage(count, 100 * count / max(total, 1), MARKS)
    return Usage(count, None if words is None else 1000 * count / max(words, 1), WORDS if words is not None else "")


LIMIT = 200
"""The most places of one feature in one text."""

WIDTH = 60
QUOTED = 5
_LONG = 4  # a place longer than so many widths is quoted by its two ends


@dataclass(frozen=True)
class Passages:
    """The places of a feature, as offsets into the text as it was typed (`Document.text`), in order; there may be `more`."""

    column: int
    spans: tuple[Span, ...]
    more: bool = False


@dataclass(frozen=True)
class Mark:
    """A stretch of text to highlight, and the column of the feature that stands there; marks never overlap."""

    start: int
    end: int
    column: int


@dataclass(frozen=True)
class Quotation:
    """A place in its context, on one line, with hidden characters escaped; '…' where the text goes on."""

    start: int
    end: int
    before: str
    there: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}[{self.there}]{self.after}"


def passages(
    space: FeatureColumns,
    column: int,
    read: Canonical,
    analysis: Analysis,
    limit: int = LIMIT,
    function_words: Sequence[str] = (),
) -> Passages:
    """Where the feature of a column stands in a text. An empty tuple for a feature that the text does not have."""
    spans = locate(read, analysis, space, column, limit + 1, function_words)
    return Passages(column, tuple(spans[:limit]), len(spans) > limit)


def marks(found: Sequence[Passages], strengths: Mapping[int, float]) -> tuple[Mark, ...]:
    """The places of several features in one text as marks, in order; where they overlap, the strongest feature is shown."""
    edges = np.unique(np.array([edge for each in found for span in each.spans for edge in span], np.int64))
    if not len(edges):
        return ()
    owner = np.full(len(edges), -1, np.int64)  # the feature from each edge to the next
    for each in sorted(found, key=lambda each: (abs(strengths[each.column]), -each.column)):
        for start, end in np.searchsorted(edges, np.array(each.spans, np.int64).reshape(-1, 2)).tolist():
            owner[start:end] = each.column
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    ends = np.append(begins[1:], len(edges) - 1)
    return tuple(
        Mark(int(edges[begin]), int(edges[end]), int(owner[begin]))
        for begin, end in zip(begins, ends, strict=True)
        if owner[begin] >= 0
    )


def quotations(text: str, spans: Sequence[Span], width: int = WIDTH, most: int = QUOTED) -> tuple[Quotation, ...]:
    """The first places in context, each with at most `width` characters before and after."""
    return tuple(_quotation(text, start, end, width) for start, end in spans[:most])


def _quotation(text: str, start: int, end: int, width: int) -> Quotation:
    there = text[start:end]
    if len(there) > _LONG * width:
        half = _LONG * width // 2
        there = f"{there[:half]} … {there[-half:]}"
    return Quotation(start, end, _before(text, start, width), _line(there), _after(text, end, width))


def _before(text: str, start: int, width: int) -> str:
    first = max(start - width, 0)
    context = text[first:start]
    if first and not text[first - 1].isspace() and any(map(str.isspace, context)):  # the word it begins in is left out
        context = context[next(place for place, sign in enumerate(context) if sign.isspace()) :]
    return ("…" if first else "") + _line(context)


def _after(text: str, end: int, width: int) -> str:
    context = text[end : end + width]
    cut = end + width < len(text)
    if cut and not text[end + width].isspace() and any(map(str.isspace, context)):
        context = context[: max(place for place, sign in enumerate(context) if sign.isspace()) + 1]
    return _line(context) + ("…" if cut else "")


def _line(text: str) -> str:
    """On one line, with nothing in it that hides or turns the text around."""
    return visible("".join(" " if sign.isspace() else sign for sign in text)).text

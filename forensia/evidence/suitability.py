"""Whether known texts suit a disputed one: is a population as long, of the same kind, and typed alike?

The limits come from the population itself: each of its texts is held against those of the others, and what fewer than a small share of them
reach is said. The shares add up to one in twenty, so that of texts which do belong to it no more are doubted.

The kind of writing is told by function words: the square roots of their shares, and how far these lie from the mean of the authors in
units of how they vary (a Mahalanobis distance). Texts are compared with pieces of the same length, which are put together from the texts
of an author where these are shorter. Unlike the mean cosine of `FusedSystem.likeness` it sees what hardly varies in a population: of pieces
of novels of 1,000 words 78 % are seen not to be mails, 15 % by the cosine.

Whether a disputed text is typed as the known texts are: counts beside the comparison, which does not see it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Document, Problem
from forensia.corpus.typing import CANONICAL, Forms, forms_of, typed
from forensia.diffvectors.pairs import codes
from forensia.evidence.opinion import ALPHA, conformal_p
from forensia.evidence.population import WORD_COUNTS, Population
from forensia.evidence.result import Reason
from forensia.features import extract
from forensia.features.counts import CountTable
from forensia.features.texts import block_starts
from forensia.features.vectors import WordKeys
from forensia.profile import Typing

FEWEST = 5
"""Occurrences in the disputed text; fewer may be slips, or stand in something that it quotes."""

FEWEST_TYPED = 3
"""Known texts that have a kind at all; of fewer nobody can say how they are usually typed."""

MOSTLY = 0.75
"""How much of a kind a disputed text must have in one form to be typed so; more than half is enough for a known one, so that a text
which is nearly typed alike does not differ."""

RARE = 0.1
"""The greatest share of the known texts that may be typed so all the same: a corpus has a few texts from elsewhere."""


@dataclass(frozen=True)
class Usual:
    """How many of some texts that have a kind are typed in one form."""

    texts: int
    of: int

    @property
    def enough(self) -> bool:
        """Whether it can be said at all how they are usually typed."""
        return self.of >= FEWEST_TYPED

    @property
    def rare(self) -> bool:
        return self.enough and self.texts <= RARE * self.of

    @property
    def share(self) -> float:
        return self.texts / self.of

    @property
    def share_of_others(self) -> float:
        """The share without one of the texts that are typed so."""
        return (self.texts - 1) / (self.of - 1)


def typing_warnings(
    text: Forms, problems: Sequence[Problem], known: Sequence[Forms], authors: Sequence[str], about: str, typing: Typing
) -> Iterator[Reason]:
    """What of the typing of a disputed text is rare among the known texts, or among those of the author whom the answer is about.

    `authors` are those of the known texts; what is wrong with the disputed text tells whether it lacks apostrophes.
    """
    own = [forms for forms, author in zip(known, authors, strict=True) if author == about]
    found = []
    for kind in text.counts:
        form = form_of(text, kind)
        if form is not None:
            everybody, theirs = usual(known, kind, form), usual(own, kind, form)
            if everybody.rare or theirs.rare:
                found.append((kind, form, everybody, theirs))
    if found:
        yield Reason(
            "typing-differs" if typing == "canonical" else "typing-differs-and-counts",
            {
                "author": about,
                "kinds": tuple(kind for kind, *_ in found),
                "forms": tuple(form for _, form, *_ in found),
                "counts": tuple(text.counts[kind][form] for kind, form, *_ in found),
                "totals": tuple(text.total(kind) for kind, *_ in found),
                "texts": tuple(each.texts for *_, each, _ in found),
                "known": tuple(each.of for *_, each, _ in found),
                "own_texts": tuple(each.texts for *_, each in found),
                "own": tuple(each.of for *_, each in found),
            },
        )
    having = sum(1 for forms in known if forms.total("apostrophe"))
    lacking = any(problem.code == "no-apostrophes" for problem in problems)
    if lacking and Usual(len(known) - having, len(known)).rare:
        yield Reason("apostrophes-missing", {"texts": having, "known": len(known)})


def form_of(text: Forms, kind: str) -> str | None:
    """The form in which a disputed text is typed, if it has a kind often enough and nearly always in that form."""
    form = max(text.counts[kind], key=text.counts[kind].__getitem__)
    return form if text.total(kind) >= FEWEST and text.share(kind, form) >= MOSTLY else None


def usual(texts: Sequence[Forms], kind: str, form: str) -> Usual:
    """A kind that has no other form to be counted, such as soft hyphens, could stand in every text."""
    having = [forms for forms in texts if forms.total(kind) or kind not in CANONICAL]
    return Usual(sum(1 for forms in having if forms.share(kind, form) > 1 / 2), len(having))


KIND, LENGTH, TYPING = ALPHA / 2, ALPHA / 4, ALPHA / 4
FEWEST_PIECES, FEWEST_TEXTS = (
    round(1 / KIND),
    round(1 / LENGTH),
)  # with fewer not even what is farthest off is rare enough
SHRUNK = 4.0  # times the mean variance, which is added to all: there are hardly more texts than function words
STEPS = 4  # lengths of pieces from one to its double
ABOUT = 1.25  # times its length, or less by as much, a piece may have
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Suited:
    """How usual a text is among those of a population in length, kind and typing, and what is to be said of it.

    Shares of the population's texts that are as long, as far off, or typed as rarely; None where it cannot be told.
    """

    words: int
    length: float
    kind: float | None
    typing: float
    reasons: tuple[Reason, ...]


class Suitability:
    """A population made ready to be held against texts; what that takes for a length or a form is reckoned once."""

    def __init__(self, population: Population) -> None:
        listed = population.blocks.table(WORD_COUNTS).keys
        assert isinstance(listed, WordKeys)
        self._population, self._function_words = population, listed.words
        forms = [text.forms for text in population.record.texts]
        self._usual = cache(lambda kind, form: usual(forms, kind, form))
        self._kinds = cache(lambda step: _Kinds.of(population, 2 ** (step / STEPS)))
        self._typing = np.array([min([1.0, *(each.share_of_others for *_, each in self._typed(one))]) for one in forms])

    def of(self, *documents: Document) -> Suited:
        """How the population suits a text, or several texts by one writer: as most of them are long and typed, and their kind together.

        Many short texts tell together what none of them tells alone.
        """
        texts = len(self._population)
        read = [typed(each.text, self._population.blocks.typing).text for each in documents]
        starts = [block_starts(text) for text in read]
        blocks = extract(read, None, [WORD_COUNTS], self._function_words, blocks=starts).table(WORD_COUNTS)
        firsts = np.cumsum([0, *map(len, starts)])[:-1]
        words = int(np.median(np.add.reduceat(blocks.totals, firsts)))
        length = float(conformal_p(-self._population.words, [-words])[0])
        kind = self._kind(blocks)
        every = [forms_of(each.text) for each in documents]
        rare = [{(sort, form): self._rarity(each.share) for sort, form, each in self._typed(forms)} for forms in every]
        typing = float(np.median([min([1.0, *shares.values()]) for shares in rare]))
        reasons = []
        if {each.sha256_text for each in documents} & {each.sha256 for each in self._population.record.texts}:
            reasons.append(Reason("population-has-text"))
        if texts < FEWEST_TEXTS:
            reasons.append(Reason("population-few-texts", {"texts": texts, "fewest": FEWEST_TEXTS}))
        if length < LENGTH:
            longer = int((self._population.words >= words).sum())
            reasons.append(Reason("population-shorter", {"words": words, "longer": longer, "texts": texts}))
        if kind is None:
            reasons.append(
                Reason("population-kind-not-known", {"words": int(blocks.totals.sum()), "fewest": FEWEST_PIECES})
            )
        elif kind < KIND:
            reasons.append(Reason("population-another-kind", {"share": kind, "limit": KIND}))
        if typing < TYPING:
            forms = _together(every)
            kinds = dict.fromkeys(named for shares in rare for named, share in shares.items() if share < TYPING)
            found = [(sort, form, self._usual(sort, form)) for sort, form in kinds]
            reasons.append(
                Reason(
                    "population-typing",
                    {
                        "kinds": tuple(sort for sort, *_ in found),
                        "forms": tuple(form for _, form, _ in found),
                        "counts": tuple(forms.counts[sort][form] for sort, form, _ in found),
                        "totals": tuple(forms.total(sort) for sort, *_ in found),
                        "texts": tuple(each.texts for *_, each in found),
                        "known": tuple(each.of for *_, each in found),
                    },
                )
            )
        return Suited(words, length, kind, typing, tuple(reasons))

    def _typed(self, forms: Forms) -> Iterator[tuple[str, str, Usual]]:
        """The forms in which a text is typed, as far as enough texts of the population show what is usual, and how usual each is."""
        for kind in forms.counts:
            form = form_of(forms, kind)
            if form is not None and (among := self._usual(kind, form)).enough:
                yield kind, form, among

    def _rarity(self, share: float) -> float:
        """The share of the population's texts that are typed as rarely as so."""
        return float(conformal_p(self._typing, [share])[0])

    def _kind(self, blocks: CountTable) -> float | None:
        """By the longest pieces, of the length of all blocks or shorter, of which the population has enough."""
        step = round(STEPS * math.log2(max(int(blocks.totals.sum()), 1)))
        while step >= 0:
            kinds: _Kinds = self._kinds(step)
            if len(kinds.own) >= FEWEST_PIECES:
                return kinds.p(blocks)
            step -= STEPS
        return None


@dataclass(frozen=True, eq=False)
class _Kinds:
    """How the function words of a population's pieces of some length vary, and how far each is from those of other authors."""

    words: float
    own: Floats
    mean: Floats
    inverse: Floats

    @classmethod
    def of(cls, population: Population, words: float) -> _Kinds:
        blocks = population.blocks.table(WORD_COUNTS)
        vectors, authors = _joined(population, blocks, words)
        if len(vectors) < FEWEST_PIECES or len(set(authors)) < 2:
            return cls(words, np.zeros(0), np.zeros(0), np.zeros((0, 0)))
        numbers = codes(authors)
        shares = 1 / (np.bincount(numbers)[numbers] * (numbers.max() + 1))  # every author counts the same
        weighted = vectors * shares[:, None]
        first, second = weighted.sum(axis=0), weighted.T @ vectors
        own = np.empty(len(vectors))
        for author in range(numbers.max() + 1):
            rows = numbers == author
            left = 1 - shares[rows].sum()
            mean = (first - weighted[rows].sum(axis=0)) / left
            inverse = _inverse((second - weighted[rows].T @ vectors[rows]) / left - np.outer(mean, mean))
            own[rows] = _distances(vectors[rows], mean, inverse)
        return cls(words, own, first, _inverse(second - np.outer(first, first)))

    def p(self, blocks: CountTable) -> float:
        """The share of the population's pieces that are as far off as those of some blocks are on average."""
        number = max(1, min(len(blocks.totals), round(blocks.totals.sum() / self.words)))
        starts = np.arange(number) * len(blocks.totals) // number
        far = _distances(_vectors(blocks, starts), self.mean, self.inverse).mean()
        return float(conformal_p(-self.own, [-far])[0])


def _together(texts: Sequence[Forms]) -> Forms:
    """The forms of several texts as if they were one."""
    kinds = {kind: Counter[str]() for forms in texts for kind in forms.counts}
    for forms in texts:
        for kind, counts in forms.counts.items():
            kinds[kind].update(counts)
    return Forms(kinds)


def _joined(population: Population, blocks: CountTable, words: float) -> tuple[Floats, list[str]]:
    """Pieces of about so many words, from one text of an author into the next where these are shorter, and who wrote each."""
    texts = population.record.texts
    order: list[int] = []
    starts: list[int] = []
    authors: list[str] = []
    size = math.inf
    for row in sorted(range(len(texts)), key=lambda row: texts[row].author):
        for block in range(population.begins[row], population.begins[row + 1]):
            more = int(blocks.totals[block])
            if size + more / 2 > words or authors[-1] != texts[row].author:
                starts.append(len(order))
                authors.append(texts[row].author)
                size = 0
            order.append(block)
            size += more
    ordered = CountTable(blocks.family, blocks.keys, blocks.counts[order], blocks.totals[order])
    sizes = np.add.reduceat(ordered.totals, starts)
    kept = np.flatnonzero((sizes >= words / ABOUT) & (sizes <= words * ABOUT))
    return _vectors(ordered, np.array(starts))[kept], [authors[piece] for piece in kept]


def _vectors(blocks: CountTable, starts: NDArray[np.integer]) -> Floats:
    """The square roots of the shares of function words and of all other words in pieces that begin with some blocks."""
    words = np.maximum(np.add.reduceat(blocks.totals, starts), 1)[:, None]
    counts = np.add.reduceat(blocks.counts.toarray().astype(np.float64), starts, axis=0)
    return np.sqrt(np.hstack((counts, words - counts.sum(axis=1, keepdims=True))) / words)


def _inverse(covariance: Floats) -> Floats:
    return np.linalg.inv(covariance + np.eye(len(covariance)) * SHRUNK * np.trace(covariance) / len(covariance))


def _distances(vectors: Floats, mean: Floats, inverse: Floats) -> Floats:
    """The squares of the distances."""
    off = vectors - mean
    return np.asarray(((off @ inverse) * off).sum(axis=1))

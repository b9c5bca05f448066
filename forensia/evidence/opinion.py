"""What may be said of a text: an opinion about one author, 'none of these', or no opinion and why; and the shares on which that rests.

One rule serves both the case at hand and the validation, which applies it to documents whose author is known and to documents whose
author the model did not know; so the rates that the validation states are those of the rule itself.

The shares are how usual a score is for an author's own texts, and how often an outsider finds support by chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forensia.evidence.likelihood import Floats
from forensia.evidence.measures import Array


def conformal_p(own_scores: ArrayLike, scores: ArrayLike) -> Array:
    """(1 + number of the author's own cross-fitted scores that are at most s) / (n + 1), for each s.

    Small means: hardly any text known to be by the author scores so low. It is exact only if the text at hand came about as
    the author's known texts did, and it cannot fall below 1 / (n + 1).
    """
    own = np.sort(np.asarray(own_scores, dtype=np.float64).ravel())
    s = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    if np.isnan(own).any() or np.isnan(s).any():
        raise ValueError("a score is not a number")
    return np.asarray((1.0 + np.searchsorted(own, s, side="right")) / (own.size + 1.0), dtype=np.float64)


def smallest_p(n: int) -> float:
    """The lowest p that n own scores can give; at or above alpha, the author can never be ruled out."""
    return 1.0 / (n + 1)


@dataclass(frozen=True)
class SupportRate:
    """How often an LR exceeds the threshold for texts by somebody else: for one author, and for at least one of several."""

    threshold: float
    single: float
    candidates: int
    family: float


def false_support(
    log10_lr: ArrayLike, threshold: float = 10.0, candidates: int | None = None, weights: ArrayLike | None = None
) -> SupportRate:
    """False-support rates from LRs of texts (rows) against authors who did not write them (columns, NaN = no candidate).

    With `candidates` = m the family is any m of a text's authors, all choices counted: an exact mean, not a simulation, and
    unlike 1 - (1 - p)^m it keeps the dependence between authors who resemble the same text.
    """
    llr = np.atleast_2d(np.asarray(log10_lr, dtype=np.float64))
    w = _row_weights(llr, weights)
    available = (~np.isnan(llr)).sum(axis=1)
    with np.errstate(invalid="ignore"):
        above = (llr > np.log10(threshold)).sum(axis=1)
    size = int(available.max(initial=0)) if candidates is None else int(candidates)
    usable = (available > 0) & (w > 0)
    if candidates is not None:
        usable &= available >= size
    if not usable.any():
        return SupportRate(float(threshold), float("nan"), size, float("nan"))
    n, r, w = available[usable].astype(np.float64), above[usable].astype(np.float64), w[usable]
    drawn = n if candidates is None else np.full(n.shape, float(size))
    clear = np.ones(n.shape)  # chance that none of the drawn authors is among the r above the threshold
    for i in range(size):
        clear *= np.where(i < drawn, np.maximum(n - r - i, 0.0) / np.maximum(n - i, 1.0), 1.0)
    return SupportRate(
        threshold=float(threshold),
        single=float(np.average(r, weights=w) / np.average(n, weights=w)),
        candidates=size,
        family=float(np.average(1.0 - clear, weights=w)),
    )


def _row_weights(rows: Array, weights: ArrayLike | None) -> Array:
    w = np.ones(rows.shape[0]) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if w.size != rows.shape[0]:
        raise ValueError(f"{rows.shape[0]} texts have {w.size} weights")
    return w


ALPHA = 0.05
FEWEST_COMPARISONS = 20  # left-out texts that must stand behind an opinion
FEWEST_RIGHT = 0.95  # of the opinions on them
FEW_WORDS = 2_500
FEW_AUTHORS = 40
NONE, ABSTAIN = -1, -2


@dataclass(frozen=True)
class Outsiders:
    """The best score of each text by somebody whom the model did not know, and among how many authors it is the best.

    Scores, because likelihood ratios stop at their bounds, where outsiders and authors could not be told apart any more.
    """

    best: Floats
    candidates: float
    authors: NDArray[np.intp]  # who wrote each

    def family_p(self, score: Floats, authors: float, without: NDArray[np.intp] | None = None) -> Floats:
        """How often a text by an outsider gets a score as high as this, or higher, for at least one of the authors.

        The outsiders met fewer authors than a disputed text does, since whole authors were left out; more candidates give
        chance more room, and the share is raised accordingly. `without`, for each score, one author's texts.
        """
        out = np.full(np.shape(score), np.nan)
        nobody = np.full(np.shape(score), -1)
        for author in np.unique(nobody if without is None else without):
            rows = (nobody if without is None else without) == author
            others = np.sort(self.best[self.authors != author])
            above = others.size - np.searchsorted(others, score[rows], side="left")
            share = np.minimum((1.0 + above) / (others.size + 1.0), 1.0)
            if others.size:
                out[rows] = 1.0 - (1.0 - share) ** (authors / self.candidates)
        return out


def own_scores(normalised: Floats, own: NDArray[np.bool_]) -> list[Floats]:
    """For each author the normalised scores of their own documents."""
    return [normalised[own[:, author], author] for author in range(normalised.shape[1])]


def conformal(own: list[Floats], normalised: Floats, among: NDArray[np.bool_] | None = None) -> Floats:
    """The conformal p of texts (rows) for authors (columns); NaN for an author without a score.

    It is 1 for an author none of whose own texts could be scored: nothing rules them out. `among` marks scores that are
    themselves among the author's own; those do not count for themselves.
    """
    out = np.full(normalised.shape, np.nan)
    for author, scores in enumerate(own):
        known = scores[~np.isnan(scores)]
        given = ~np.isnan(normalised[:, author])
        out[given, author] = conformal_p(known, normalised[given, author])
        if among is not None and known.size:
            itself = among[:, author]
            out[itself, author] = (out[itself, author] * (known.size + 1.0) - 1.0) / known.size
    return out


@dataclass(frozen=True)
class Doubts:
    """What may keep an opinion back, for each text: `outsiders` is how often an outsider's text scores as high with one of the authors (NaN
    where that is not estimable), `doubt` what the fusion leaves to the other listed authors, and `unlike` the share of known texts that are
    no more like those of others than the text is.
    """

    outsiders: Floats
    doubt: Floats
    unlike: Floats


def doubt(listed: Floats) -> Floats:
    """What the fusion leaves to all others than the first author, of 1, from log10 LRs against another listed author; 0 if alone."""
    others = np.maximum((~np.isnan(listed)).sum(axis=1) - 1.0, 0.0)
    first = np.nan_to_num(np.fmax.reduce(listed, axis=1))
    return np.asarray(others / (others + 10.0**first))


def decide(
    scores: Floats,
    headline: Floats,
    low: Floats,
    p: Floats,
    doubts: Doubts,
    most: float | Floats,
    backed: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """For each text the author whom the findings support, or NONE, or ABSTAIN.

    The author with the highest score is supported when the LR and its interval are above 1, few outsiders would get so high a score with
    any of the authors, at `most` so much doubt is left, the text is not of another kind than the known ones, and enough left-out texts
    stand behind opinions about the author. Where nothing is known of outsiders, the opinion holds among the listed authors alone, so that
    'none of these' is no answer, and no more doubt is left than of outsiders otherwise. (LRs rise with scores, but are equal at their
    bounds.)
    """
    best = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)
    row = np.arange(len(best))
    closed = np.isnan(doubts.outsiders)
    rare = np.where(closed, doubts.doubt, doubts.outsiders) <= ALPHA
    usual = (doubts.doubt <= most) & (doubts.unlike >= ALPHA) & backed[best]
    supported = (headline[row, best] > 0) & (low[row, best] > 0) & rare & usual
    unusual = np.where(np.isnan(p), True, p < ALPHA).all(axis=1) & ~np.isnan(p).all(axis=1) & ~closed
    return np.where(supported, best, np.where(unusual, NONE, ABSTAIN))


def ruled_out(p: Floats, high: Floats, unlike: Floats, closed: bool) -> NDArray[np.bool_]:
    """Where the findings say that an author did not write a text: few of the author's own stand as low, and the LR and its interval are
    below 1. A text of another kind than the known ones rules nobody out: the author may write so elsewhere. Where nothing is known of
    outsiders that is no answer, as 'none of these' is none."""
    return np.asarray((p < ALPHA) & (high < 0) & (unlike[..., None] >= ALPHA) & (not closed))


def most_doubt(doubts: Floats, right: NDArray[np.bool_]) -> float:
    """The most doubt with which opinions are right often enough, counting all that leave as little or less; 1 if no limit is needed."""
    order = np.argsort(doubts, kind="stable")
    share = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero((share >= FEWEST_RIGHT) & (np.append(np.diff(doubts[order]), 1.0) > 0))
    if not len(order) or (len(enough) and enough[-1] == len(order) - 1):
        return 1.0
    return float(doubts[order[enough[-1]]]) if len(enough) else -1.0

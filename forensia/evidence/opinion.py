"""What may be said of a text: an opinion about one author, 'none of these', or no opinion and why.

One rule serves both the case at hand and the validation, which applies it to documents whose author is known and to documents whose
author the model did not know; so the rates that the validation states are those of the rule itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.conformal import conformal_p
from forensia.evidence.likelihood import Floats

ALPHA = 0.05
FEWEST_WORDS = 500
FEW_WORDS = 2_500
FEWEST_DOCUMENTS = 3
FEW_AUTHORS = 40
NONE, ABSTAIN = -1, -2


@dataclass(frozen=True)
class Outsiders:
    """The best score of each text by somebody whom the model did not know, and among how many authors it is the best.

    Scores, because likelihood ratios stop at their bounds, where outsiders and authors could not be told apart any more.
    """

    best: Floats
    candidates: float

    def family_p(self, score: Floats, authors: float, among: bool = False) -> Floats:
        """How often a text by an outsider gets a score as high as this, or higher, for at least one of the authors.

        The outsiders met fewer authors than a disputed text does, since whole authors were left out; more candidates give
        chance more room, and the share is raised accordingly. `among` the outsiders themselves, none counts for its own share.
        """
        size = self.best.size - among
        if size < 1:
            return np.full(np.shape(score), np.nan)
        above = size - np.searchsorted(np.sort(self.best), score, side="left")
        share = (1.0 + above) / (size + 1.0)
        return np.asarray(1.0 - (1.0 - np.minimum(share, 1.0)) ** (authors / self.candidates))


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


def decide(
    scores: Floats, headline: Floats, low: Floats, p: Floats, family: Floats, unlike: Floats
) -> NDArray[np.int64]:
    """For each text the author whom the findings support, or NONE, or ABSTAIN.

    The author with the highest score is supported when the LR and its interval are above 1, few outsiders would get so high a score
    with any of the authors, and the text is not of another kind than the known ones; where it is not known how many would, nobody is.
    (LRs rise with scores, but are equal at their bounds.)
    """
    best = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)
    row = np.arange(len(best))
    supported = (headline[row, best] > 0) & (low[row, best] > 0) & (family <= ALPHA) & (unlike >= ALPHA)
    unusual = np.where(np.isnan(p), True, p < ALPHA).all(axis=1) & ~np.isnan(p).all(axis=1)
    return np.where(supported, best, np.where(unusual, NONE, ABSTAIN))

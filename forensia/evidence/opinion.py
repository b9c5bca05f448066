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

    def family_p(self, score: Floats, authors: float) -> Floats:
        """How often a text by an outsider gets a score as high as this, or higher, for at least one of the authors.

        The outsiders met fewer authors than a disputed text does, since whole authors were left out; more candidates give
        chance more room, and the share is raised accordingly.
        """
        if not self.best.size:
            return np.full(np.shape(score), np.nan)
        above = self.best.size - np.searchsorted(np.sort(self.best), score, side="left")
        share = (1.0 + above) / (self.best.size + 1.0)
        return np.asarray(1.0 - (1.0 - np.minimum(share, 1.0)) ** (authors / self.candidates))


def own_scores(normalised: Floats, own: NDArray[np.bool_]) -> list[Floats]:
    """For each author the normalised scores of their own documents."""
    return [normalised[own[:, author], author] for author in range(normalised.shape[1])]


def conformal(own: list[Floats], normalised: Floats) -> Floats:
    """The conformal p of texts (rows) for authors (columns); NaN for an author without a score."""
    out = np.full(normalised.shape, np.nan)
    for author, scores in enumerate(own):
        known = scores[~np.isnan(scores)]
        given = ~np.isnan(normalised[:, author])
        if known.size and given.any():
            out[given, author] = conformal_p(known, normalised[given, author])
    return out


def decide(headline: Floats, low: Floats, p: Floats, family: Floats) -> NDArray[np.int64]:
    """For each text the author whom the findings support, or NONE, or ABSTAIN.

    An author is supported when the LR and its interval are above 1 and few outsiders would get so high a score with any of the authors.
    """
    filled = np.where(np.isnan(headline), -np.inf, headline)
    best = filled.argmax(axis=1)
    row = np.arange(len(best))
    supported = (filled[row, best] > 0) & (low[row, best] > 0) & ~(family > ALPHA)
    unusual = np.where(np.isnan(p), True, p < ALPHA).all(axis=1) & ~np.isnan(p).all(axis=1)
    return np.where(supported, best, np.where(unusual, NONE, ABSTAIN))

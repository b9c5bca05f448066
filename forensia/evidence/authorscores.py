"""What the fused scores of a text say of each author, on the two scales that likelihood ratios are read from.

Against the other listed authors it is the odds that the fusion itself gives. Against somebody not listed it is how far an author stands
above all authors of the text, in units of their spread: some texts resemble everybody and some nobody, and a raw score would take that
for evidence. Of the raw score, its odds, its distance to the best three others and its standing, the last had the lowest Cllr for
left-out texts on six of seven corpora, and was level on the seventh.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_odds(z: Floats) -> Floats:
    """The natural log of an author's odds against all others together, over even prior odds; NaN marks who is no candidate."""
    known = ~np.isnan(z)
    top = np.where(known, z, -np.inf).max(axis=-1, keepdims=True)
    share = np.where(known, np.exp(np.where(known, z, 0.0) - top), 0.0)
    first = share.argmax(axis=-1, keepdims=True)
    others = share.sum(axis=-1, keepdims=True) - share
    rest = share.copy()
    np.put_along_axis(rest, first, 0.0, axis=-1)  # of the first the sum less itself would be rounding
    np.put_along_axis(others, first, rest.sum(axis=-1, keepdims=True), axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # an only candidate has no odds
        return np.asarray(z - top - np.log(others) + np.log(known.sum(axis=-1, keepdims=True) - 1.0))


def standing(z: Floats) -> Floats:
    """How far each author stands above the mean of a text's authors, in standard deviations of their scores."""
    known = ~np.isnan(z)
    count = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    centred = z - np.where(known, z, 0.0).sum(axis=-1, keepdims=True) / count
    spread = np.sqrt(np.where(known, centred, 0.0) ** 2 @ np.ones((z.shape[-1], 1)) / count)
    return np.asarray(centred / np.maximum(spread, 1e-12))

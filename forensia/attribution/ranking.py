"""Authors in order: who comes first, without their names having a say in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ranked:
    """An author's place among those supplied; equal scores share a rank, and None is a score that cannot be estimated."""

    author: Any
    score: float | None
    rank: int


def in_order(labels: NDArray[Any] | list[str]) -> NDArray[Any]:
    """The authors in the order of their first document: the order of the codes."""
    return np.array(list(dict.fromkeys(labels)))


def rank(scores: Floats, authors: NDArray[Any]) -> tuple[Ranked, ...]:
    """The authors by falling score; among equals, those whose documents come first. What cannot be estimated comes last."""
    known = np.where(np.isnan(scores), -np.inf, scores)
    order = np.argsort(-known, kind="stable")
    return tuple(
        Ranked(
            authors[at],
            float(scores[at]) if np.isfinite(known[at]) else None,
            1 + int((known > known[at]).sum()),
        )
        for at in order
    )

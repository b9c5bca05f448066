"""What closed forms are held against: a real fit on fewer texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.features import Counts
from forensia.systems.fused import FittedFamily

Floats = NDArray[np.float64]


def refitted(family: FittedFamily, codes: NDArray[Any], left: NDArray[Any], asked: Counts) -> Floats:
    """The scores (texts x authors) by least squares on the known texts that are left, which weigh what they weigh among all."""
    known = family.known.toarray().astype(np.float64)
    texts = family.weighted.vectors(asked.table(family.name)).toarray().astype(np.float64)
    sizes = np.bincount(codes)
    penalty = family.ridge * len(sizes) * sizes[codes] / len(codes)
    targets = np.eye(len(sizes))[codes] - 1 / len(sizes)
    duals = np.linalg.solve(known[left] @ known[left].T + 1 + np.diag(penalty[left]), targets[left])
    return np.asarray((texts @ known[left].T + 1) @ duals)

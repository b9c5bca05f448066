"""Authors in an order in which their names have no say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def in_order(labels: NDArray[Any] | list[str]) -> NDArray[Any]:
    """The authors in the order of their first document: the order of the codes."""
    return np.array(list(dict.fromkeys(labels)))

"""The vectors of documents: a dense block (group 1) and a sparse one (group 2), with the columns of each family known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# The families of the paper, in the order of the columns. Group 1 is dense, group 2 sparse.
GROUP_1 = ("function words", "word lengths", "sentence lengths", "punctuation")
GROUP_2 = ("POS n-grams", "words", "character n-grams")
FAMILIES = GROUP_1 + GROUP_2

# The families of the fused answer, each with a least-squares fit of its own; most are the paper's, weighed in another way.
MASKED, LAYOUT = "masked tokens", "layout"
FUSED_FAMILIES = ("character n-grams", "words", "function words", MASKED, "POS n-grams", LAYOUT)
EVERY_FAMILY = (*FAMILIES, MASKED, LAYOUT)


@dataclass(frozen=True)
class Block:
    """The columns `start` to `stop` of the dense or the sparse part belong to one family."""

    family: str
    dense: bool
    start: int
    stop: int

    @property
    def width(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Vectors:
    """n documents as vectors: `dense` n x d1, `sparse` n x d2 (CSR, sorted indices, no negative values), both float32."""

    dense: NDArray[np.float32]
    sparse: csr_matrix
    blocks: tuple[Block, ...]

    def __len__(self) -> int:
        return int(self.dense.shape[0])

    def rows(self, index: NDArray[Any] | slice) -> Vectors:
        """Some of the documents."""
        return replace(self, dense=self.dense[index], sparse=self.sparse[index])

    def scaled(self, factors: Mapping[str, float]) -> Vectors:
        """The same documents with every family multiplied by its factor (1 where none is given)."""
        dense_factor = np.ones(self.dense.shape[1], dtype=np.float32)
        sparse_factor = np.ones(self.sparse.shape[1], dtype=np.float32)
        for block in self.blocks:
            (dense_factor if block.dense else sparse_factor)[block.start : block.stop] = factors.get(block.family, 1.0)
        sparse = self.sparse.copy()
        sparse.data *= sparse_factor[sparse.indices]
        return replace(self, dense=self.dense * dense_factor, sparse=sparse)

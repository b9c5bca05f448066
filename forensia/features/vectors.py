"""The vectors of documents, dense for group 1 and sparse for group 2, and what their columns stand for: families and sorted keys.

The keys are the same whatever the order of the documents. A vocabulary of n-grams is an array of fixed-width strings: the symbols of an
n-gram (characters or tags, each plus one) stand at the right end and zeros before them, so that plain sorting puts the shorter n-grams
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from forensia.errors import InputError

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


WIDTH = 5
"""The longest n-gram."""

_GRAM = f"<U{WIDTH}"
MOST_SYMBOL = 0x10FFFF


@dataclass(frozen=True, eq=False)
class ArrayKeys:
    """Numbers (lengths, code points) or n-grams, in ascending order."""

    kind: ClassVar[str] = "array"
    array: NDArray[Any]

    def __len__(self) -> int:
        return len(self.array)

    def take(self, index: NDArray[Any]) -> ArrayKeys:
        return ArrayKeys(self.array[index])

    def find(self, other: ArrayKeys) -> NDArray[np.int64]:
        """Where each key of `other` stands in these, -1 for one that does not."""
        if not len(self) or not len(other):
            return np.full(len(other), -1, np.int64)
        place = np.searchsorted(self.array, other.array)
        place[place == len(self)] = 0
        return np.where(self.array[place] == other.array, place, -1)

    def pack(self) -> NDArray[Any]:
        """The keys as a plain array of numbers, for storing."""
        return symbols(self.array) if self.array.dtype.kind == "U" else self.array

    @classmethod
    def unpack(cls, stored: NDArray[Any]) -> ArrayKeys:
        """The keys that `pack` gave; anything that is not in ascending order is refused."""
        if stored.ndim == 2 and stored.dtype == np.uint32 and stored.shape[1] == WIDTH:
            empty = not len(stored)
            if not empty and int(stored.max()) > MOST_SYMBOL + 1:
                raise damaged()
            array = np.zeros(0, _GRAM) if empty else grams(stored)
        elif stored.ndim == 1 and stored.dtype == np.int64:
            array = stored
        else:
            raise damaged()
        if not bool((array[1:] > array[:-1]).all()):
            raise damaged()
        return cls(array)


@dataclass(frozen=True, eq=False)
class WordKeys:
    """Words, in ascending order."""

    kind: ClassVar[str] = "words"
    words: tuple[str, ...]

    @cached_property
    def places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def take(self, index: NDArray[Any]) -> WordKeys:
        numbers = np.flatnonzero(index) if index.dtype == bool else index
        return WordKeys(tuple(self.words[number] for number in numbers.tolist()))

    def find(self, other: WordKeys) -> NDArray[np.int64]:
        """Where each word of `other` stands in these, -1 for one that does not."""
        if other is self:
            return np.arange(len(self))
        places = self.places
        return np.fromiter((places.get(word, -1) for word in other.words), np.int64, len(other))

    def pack(self) -> NDArray[Any]:
        """The words as bytes, one on each line, for storing."""
        return np.frombuffer("\n".join(self.words).encode("utf-8", "surrogatepass"), np.uint8)

    @classmethod
    def unpack(cls, stored: NDArray[Any]) -> WordKeys:
        """The words that `pack` gave; anything that is not in ascending order is refused."""
        if stored.ndim != 1 or stored.dtype != np.uint8:
            raise damaged()
        try:
            text = stored.tobytes().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise damaged() from error
        words = tuple(text.split("\n")) if text else ()
        if any(after <= before for before, after in pairwise(words)):
            raise damaged()
        return cls(words)


Keys = ArrayKeys | WordKeys
_OF_WORDS = ("function words", "words")


def unpacked(family: str, stored: NDArray[Any]) -> Keys:
    """The keys of a family as they were packed."""
    return WordKeys.unpack(stored) if family in _OF_WORDS else ArrayKeys.unpack(stored)


def merged(one: Keys, two: Keys) -> Keys:
    """The keys of a family that either have."""
    if isinstance(one, WordKeys) and isinstance(two, WordKeys):
        return one if one.words == two.words else WordKeys(tuple(sorted({*one.words, *two.words})))
    assert isinstance(one, ArrayKeys) and isinstance(two, ArrayKeys), "keys of one family are of one kind"
    return ArrayKeys(united([one.array, two.array]))


def united(vocabularies: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """What is in any of some arrays of keys, in order."""
    if not vocabularies:
        return np.zeros(0, _GRAM)
    if len(vocabularies) == 1:
        return vocabularies[0]
    whole = np.sort(np.concatenate(vocabularies), kind="stable")  # sorted runs are merged, not sorted again
    return whole[firsts(whole)]


def firsts(ordered: NDArray[Any]) -> NDArray[np.int64]:
    """The places of the first of each run of equal values."""
    return np.flatnonzero(np.concatenate((np.ones(min(len(ordered), 1), bool), ordered[1:] != ordered[:-1])))


def grams(rows: NDArray[np.uint32]) -> NDArray[Any]:
    """Rows of WIDTH symbols as strings that numpy can sort and find."""
    return np.ascontiguousarray(rows, np.uint32).view(_GRAM)[:, 0]


def symbols(array: NDArray[Any]) -> NDArray[np.uint32]:
    """The rows of symbols that `grams` was given."""
    return np.ascontiguousarray(array, _GRAM).view(np.uint32).reshape(-1, WIDTH)


def damaged() -> InputError:
    return InputError("The stored features are damaged. Train the model again.")

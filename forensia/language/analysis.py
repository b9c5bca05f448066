"""What the language model says about one text: tokens, tags and sentences, as a few small arrays.

Offsets are those of the analysed text, so that every finding can be shown where it stands.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.errors import InputError

TAGS = tuple(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SPACE SYM VERB X".split()
)  # the universal tags, and spaCy's own for white space; the number of a tag never changes, for analyses are kept
SPACE = TAGS.index("SPACE")
NO_TAG = 255
"""The tag of a token when the model has no tagger."""

_MAGIC = b"FAN1"
_HEADER = struct.Struct("<4sBIII")


@dataclass(frozen=True, eq=False)
class Analysis:
    """Tokens (start, length, tag) and sentences (start, words in it) of a text of `length` characters.

    `has_sentences` is False where sentences cannot be found: then their lengths say nothing about the author.
    """

    length: int
    starts: NDArray[np.uint32]
    lengths: NDArray[np.uint16]
    tags: NDArray[np.uint8]
    sentence_starts: NDArray[np.uint32]
    sentence_words: NDArray[np.uint32]
    has_sentences: bool

    def __len__(self) -> int:
        """The number of tokens, white space included."""
        return len(self.starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Analysis) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    @property
    def ends(self) -> NDArray[np.uint32]:
        return self.starts + self.lengths

    @property
    def tagged(self) -> NDArray[np.uint8]:
        """The tags in order, without white space and without tokens that have none: what POS n-grams are made of."""
        kept: NDArray[np.uint8] = self.tags[self._are_tagged]
        return kept

    @property
    def tagged_starts(self) -> NDArray[np.int64]:
        """Where the tokens of these tags begin."""
        return self.starts[self._are_tagged].astype(np.int64)

    @property
    def _are_tagged(self) -> NDArray[np.bool_]:
        return np.asarray((self.tags != SPACE) & (self.tags != NO_TAG))

    @property
    def sentence_ends(self) -> NDArray[np.uint32]:
        """A sentence ends where the next one starts."""
        return np.append(self.sentence_starts[1:], np.uint32(self.length)).astype(np.uint32)

    def to_bytes(self) -> bytes:
        """A compact form for the cache: a header and the raw arrays, little-endian."""
        header = _HEADER.pack(_MAGIC, self.has_sentences, self.length, len(self.starts), len(self.sentence_starts))
        return header + b"".join(np.ascontiguousarray(array, kind).tobytes() for kind, array in self._arrays())

    def _arrays(self) -> tuple[tuple[str, NDArray[Any]], ...]:
        return (
            ("<u4", self.starts),
            ("<u2", self.lengths),
            ("u1", self.tags),
            ("<u4", self.sentence_starts),
            ("<u4", self.sentence_words),
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Analysis:
        """The analysis that `to_bytes` wrote; anything else is refused."""
        if len(data) < _HEADER.size:
            raise _damaged()
        magic, flag, length, tokens, sentences = _HEADER.unpack_from(data)
        if magic != _MAGIC or flag > 1 or len(data) != _HEADER.size + 7 * tokens + 8 * sentences:
            raise _damaged()
        position = _HEADER.size
        arrays: list[NDArray[Any]] = []
        for kind, count in (("<u4", tokens), ("<u2", tokens), ("u1", tokens), ("<u4", sentences), ("<u4", sentences)):
            arrays.append(np.frombuffer(data, kind, count, position))
            position += arrays[-1].nbytes
        starts, lengths, tags, sentence_starts, sentence_words = arrays
        ends = starts.astype(np.int64) + lengths
        sound = (
            (tokens == 0 or (ends.max() <= length and bool((starts[1:] >= ends[:-1]).all())))
            and bool(((tags < len(TAGS)) | (tags == NO_TAG)).all())
            and (
                sentences == 0
                or (sentence_starts[-1] <= length and bool((np.diff(sentence_starts.astype(np.int64)) > 0).all()))
            )
        )
        if not sound:
            raise _damaged()
        return cls(length, starts, lengths, tags, sentence_starts, sentence_words, bool(flag))


EMPTY = Analysis.from_bytes(_HEADER.pack(_MAGIC, True, 0, 0, 0))
"""The analysis of an empty text."""


def _damaged() -> InputError:
    return InputError("A stored analysis of a text is damaged. Analyse the texts again.")

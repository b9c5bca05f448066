"""Texts that share most of their wording, found among thousands without comparing each with each.

A text is the set of its runs of five words (shingles), each hashed to 64 bits. In a large corpus only a sketch of it is kept:
the hashes below a limit that is the same for all texts, so that the sketch of a passage is part of the sketch of any text that
holds it, and a short text inside a long one is found as well as two of the same length. Texts that share enough of their
sketches are then compared exactly.

What it cannot see: texts of fewer than twelve words (only equal ones are found, by their hash), a copy in which more than
about every eighth word was changed, a translation. Up to four million words nothing is left to chance; beyond that, near the
limit of one half, a few pairs of short texts are missed. Where more than 16 texts share a passage, each is compared with its
neighbour only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from forensia.corpus.document import Document
from forensia.jobs import Progress, part, silent, tracked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

K = TypeVar("K", int, str)
SHINGLE = 5
LIMIT = 0.5
"""Two texts are near-duplicates when this share of the shingles of the shorter one is in the other."""

MIN_SHINGLES = 8
MOST_SHINGLES = 4_000_000  # kept in an index, which then takes some 200 MB while it is made
_CROWD = 16
_SHORT = 400  # characters, more than the words below the limit of shingles have
_FEWEST_SHARED = 2
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)

# Typographic variants that an editor or a mail program changes by itself must not hide a copy.
_PUNCTUATION = "“”„‟«»‹›–—―‐‑…·•\u00a0\u2009\u202f"
_APOSTROPHES = "’‘‛ʼ"
# The bytes of other letters in UTF-8 are from 128 on.
_WORD_BYTES = bytes(code if code >= 128 or chr(code).isalnum() else 0x20 for code in range(256))


@dataclass(frozen=True)
class Match:
    """Two texts by their positions and the share of the shorter one's wording that is also in the other."""

    first: int
    second: int
    share: float


class Joined(Generic[K]):
    """What hangs together, directly or through others: each group by the least that is in it."""

    def __init__(self) -> None:
        self._leader: dict[K, K] = {}

    def join(self, one: K, other: K) -> None:
        first, second = sorted((self.leader(one), self.leader(other)))
        self._leader[second] = first

    def leader(self, each: K) -> K:
        while self._leader.setdefault(each, each) != each:
            self._leader[each] = each = self._leader[self._leader[each]]
        return each


class Shingler:
    """Turns texts into sets of shingle hashes, the same on every machine and in every process."""

    def __init__(self) -> None:
        self._words = _WordHashes()

    def __call__(self, text: str) -> Hashes:
        """The distinct shingles of a text, in increasing order."""
        import numpy as np

        words = _words(text)
        count = len(words) - SHINGLE + 1
        if count < 1:
            return np.empty(0, np.uint64)
        hashes = np.fromiter(map(self._words.__getitem__, words), np.uint64, len(words))
        mixed = hashes[:count] * np.uint64(_FACTORS[0])
        for offset in range(1, SHINGLE):
            mixed += hashes[offset : offset + count] * np.uint64(_FACTORS[offset])
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(_FACTORS[1])
        mixed ^= mixed >> np.uint64(29)
        return np.unique(mixed)


class _WordHashes(dict[bytes, int]):
    """The hash of each word, made when the word is first met."""

    def __missing__(self, word: bytes) -> int:
        value = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
        self[word] = value
        return value


def _words(text: str) -> list[bytes]:
    lowered = text.lower()
    if not lowered.isascii():
        for character in _PUNCTUATION:
            lowered = lowered.replace(character, " ")
        for character in _APOSTROPHES:
            lowered = lowered.replace(character, "'")
    return lowered.encode("utf-8", "replace").translate(_WORD_BYTES, b"'").split()


def same_words(one: str, other: str) -> bool:
    """Whether two texts too short for shingles are the same but for case and punctuation."""
    if min(len(one), len(other)) > _SHORT:
        return False
    words = _words(one)
    return 0 < len(words) < SHINGLE + MIN_SHINGLES and words == _words(other)


class ShingleIndex:
    """The sketches of many texts, to find near-duplicates among them and near-copies of another text."""

    def __init__(self, documents: Sequence[Document], progress: Progress = silent) -> None:
        import numpy as np

        self._documents = documents
        self._shingler = Shingler()
        self._full = lru_cache(maxsize=1024)(self._shingles)
        self._thinning = 1 + sum(len(document.original) for document in documents) // (6 * MOST_SHINGLES)
        sketches = []
        for position in tracked(range(len(documents)), progress, "Comparing texts", len(documents)):
            shingles = self._shingles(position)
            sketches.append(self._sketch(shingles) if len(shingles) >= MIN_SHINGLES else shingles[:0])
        lengths = np.array([len(sketch) for sketch in sketches], np.int64)
        hashes = np.concatenate(sketches) if sketches else np.empty(0, np.uint64)
        owners = np.repeat(np.arange(len(documents), dtype=np.int64), lengths)
        order = np.argsort(hashes, kind="stable")
        self._lengths = lengths
        self._hashes = hashes[order]
        self._owners = owners[order]

    def pairs(self, progress: Progress = silent) -> tuple[Match, ...]:
        """All near-duplicates among the texts, in the order of their positions."""
        import numpy as np

        keys = [keys for keys in self._meetings(part(progress, 0.0, 0.5)) if len(keys)]
        if not keys:
            return ()
        met, shared = np.unique(np.concatenate(keys), return_counts=True)
        first, second = np.divmod(met, len(self._documents))
        shorter = np.minimum(self._lengths[first], self._lengths[second])
        likely = (shared >= _FEWEST_SHARED) & (shared >= 0.5 * LIMIT * shorter)
        candidates = list(zip(first[likely].tolist(), second[likely].tolist(), strict=True))
        found = []
        for one, other in tracked(candidates, part(progress, 0.5, 1.0), "Comparing texts", len(candidates)):
            share = _share(self._full(one), self._full(other))
            if share >= LIMIT:
                found.append(Match(one, other, share))
        return tuple(found)

    def like(self, text: str) -> tuple[tuple[int, float], ...]:
        """The texts that share most of their wording with `text`, as (position, share), the most alike first.

        A questioned text may be very short, so here even one shared shingle of the sketch leads to an exact comparison.
        """
        import numpy as np

        shingles = self._shingler(text)
        if len(shingles) < MIN_SHINGLES:
            return ()
        sketch = self._sketch(shingles)
        starts = np.searchsorted(self._hashes, sketch, "left")
        ends = np.searchsorted(self._hashes, sketch, "right")
        owners = [
            self._owners[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True) if end > start
        ]
        if not owners:
            return ()
        positions = np.unique(np.concatenate(owners)).tolist()
        shares = [(position, _share(shingles, self._full(position))) for position in positions]
        return tuple(sorted((pair for pair in shares if pair[1] >= LIMIT), key=lambda pair: (-pair[1], pair[0])))

    def _shingles(self, position: int) -> Hashes:
        return self._shingler(self._documents[position].text)

    def _sketch(self, shingles: Hashes) -> Hashes:
        import numpy as np

        highest = np.uint64(((1 << 64) - 1) // self._thinning)
        return shingles[: int(np.searchsorted(shingles, highest, "right"))]

    def _meetings(self, progress: Progress) -> list[NDArray[np.int64]]:
        """For each shingle of the sketches, the pairs of texts that meet in it, as one number a pair."""
        import numpy as np

        count = len(self._documents)
        if not len(self._hashes):
            return []
        starts = np.flatnonzero(np.concatenate(([True], self._hashes[1:] != self._hashes[:-1])))
        sizes = np.diff(np.append(starts, len(self._hashes)))
        keys = []
        for size in range(2, _CROWD + 1):
            progress(size / _CROWD, "Comparing texts")
            groups = self._owners[starts[sizes == size][:, None] + np.arange(size)]
            first, second = np.triu_indices(size, 1)
            keys.append((groups[:, first] * count + groups[:, second]).ravel())
        crowded = np.repeat(sizes > _CROWD, sizes)
        neighbours = crowded[1:] & (self._hashes[1:] == self._hashes[:-1])
        keys.append(self._owners[:-1][neighbours] * count + self._owners[1:][neighbours])
        return keys


def _share(one: Hashes, other: Hashes) -> float:
    import numpy as np

    shorter = min(len(one), len(other))
    return len(np.intersect1d(one, other, assume_unique=True)) / shorter if shorter >= MIN_SHINGLES else 0.0

"""Texts into analyses: tokens, tags and sentences as a few small arrays, by one pass of the language model over each text.

Offsets are those of the analysed text, so that every finding can be shown where it stands.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.corpus.document import text_hash
from forensia.errors import InputError
from forensia.jobs import Progress, silent
from forensia.language.model import LanguageModel, Pipeline, load_pipeline
from forensia.language.network import TAGS

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


_PAYS = 1_500_000
"""Characters for each process from which starting it costs less than it saves."""

_CHUNK = 200_000
_LONG_LINE = 40
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_END_MARK = re.compile(r"[.!?…‽。！？؟۔।։]")


def analyse(
    texts: Sequence[str],
    model: LanguageModel,
    jobs: int = 1,
    cache: AnalysisCache | None = None,
    progress: Progress = silent,
    processes: bool | None = None,
) -> list[Analysis]:
    """The analysis of each text. It depends on the text and the model alone: not on the other texts, nor on `jobs`.

    `processes` False keeps all work in this process, as a frozen bundle must; None decides by the amount of work.
    """
    hashes = [text_hash(text) for text in texts]
    found: dict[str, Analysis] = {}
    if cache is not None:
        for key in dict.fromkeys(hashes):
            kept = cache.get(key, model.key)
            if kept is not None:
                found[key] = Analysis.from_bytes(kept)
    missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in found}
    total = sum(map(len, missing.values())) or 1
    done = 0
    message = "Finding words, tags and sentences"
    progress(0.0, message)
    for key, analysis in zip(missing, _analyses(list(missing.values()), model, jobs, processes), strict=True):
        found[key] = analysis
        if cache is not None:
            cache.put(key, model.key, analysis.to_bytes())
        done += len(missing[key])
        progress(done / total, message)
    return [found[key] for key in hashes]


def _analyses(texts: list[str], model: LanguageModel, jobs: int, processes: bool | None) -> Iterator[Analysis]:
    size = sum(map(len, texts))
    if processes is None:
        processes = not getattr(sys, "frozen", False) and size >= 2 * _PAYS
        jobs = min(jobs, max(1, size // _PAYS))
    if not processes or jobs < 2:
        with _one_thread():
            for text in texts:
                with model.pipeline.lock:
                    analysis = _analysis(text, model.pipeline)
                yield analysis
        return
    from joblib import Parallel, delayed

    # Nothing of a text may reach a temporary folder: joblib puts only arrays there, and is told not to.
    parallel = Parallel(n_jobs=jobs, backend="loky", return_as="generator", max_nbytes=None, batch_size=1)
    for answer in parallel(delayed(_in_worker)(model.folder, chunk) for chunk in _chunks(texts)):
        yield from map(Analysis.from_bytes, answer)


def _chunks(texts: list[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


@lru_cache(maxsize=1)
def _worker_pipeline(folder: Path) -> Pipeline:
    """The model of a worker process, loaded at its first call."""
    return load_pipeline(folder)


def _in_worker(folder: Path, texts: list[str]) -> list[bytes]:
    pipeline = _worker_pipeline(folder)
    with _one_thread():
        return [_analysis(text, pipeline).to_bytes() for text in texts]


def _one_thread() -> Any:
    """Sums of many threads differ in their last digits from those of one, and small matrices gain nothing from them."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def _analysis(text: str, pipeline: Pipeline) -> Analysis:
    """One text at a time: in a batch with others its last digits, and once in a while a tag, would depend on them."""
    if not text.isascii():
        # spaCy cannot read them; no text that came through a reader has any.
        text = _HALF_CHARACTERS.sub("\ufffd", text)
    spans = pieces(text)
    docs = (pipeline.nlp.tokenizer(text[start:end]) for start, end in spans)
    read = _read_fast if pipeline.network else _read
    starts, lengths, tags, begins = read(docs, [start for start, _end in spans], pipeline)
    sentence_starts = starts[begins]
    word_starts = np.fromiter((match.start() for match in WORD.finditer(text)), np.int64)
    return Analysis(
        length=len(text),
        starts=starts.astype(np.uint32),
        lengths=lengths.astype(np.uint16),
        tags=tags,
        sentence_starts=sentence_starts.astype(np.uint32),
        sentence_words=words_in(sentence_starts, word_starts),
        has_sentences=has_sentences(text, len(word_starts)),
    )


def passage(whole: Analysis, text: str, start: int) -> Analysis:
    """The analysis of the passage `text` of a text that was analysed: tokens and sentences as they are in their context.

    Read by itself, only tags next to its ends could be others, and reading is what takes longest.
    """
    end, ends = start + len(text), whole.ends
    first, last = np.searchsorted(ends, start, "right"), np.searchsorted(whole.starts, end, "left")
    starts = np.maximum(whole.starts[first:last].astype(np.int64), start) - start
    later = whole.sentence_starts[(whole.sentence_starts > start) & (whole.sentence_starts < end)].astype(np.int64)
    sentence_starts = np.append(0, later - start)
    word_starts = np.fromiter((match.start() for match in WORD.finditer(text)), np.int64)
    return Analysis(
        length=len(text),
        starts=starts.astype(np.uint32),
        lengths=(np.minimum(ends[first:last], end) - start - starts).astype(np.uint16),
        tags=whole.tags[first:last],
        sentence_starts=sentence_starts.astype(np.uint32),
        sentence_words=words_in(sentence_starts, word_starts),
        has_sentences=has_sentences(text, len(word_starts)),
    )


_Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]


def _read_fast(docs: Iterable[Any], offsets: list[int], pipeline: Pipeline) -> _Columns:
    """Start, length, tag and 'begins a sentence' of all tokens; the network sees the pieces as the one text that they are."""
    network = pipeline.network
    assert network is not None
    names = ["IDX", "LENGTH", "IS_SPACE", *network.attributes]
    columns = [np.zeros((0, len(names)), np.uint64)]
    for doc, offset in zip(docs, offsets, strict=True):
        columns.append(doc.to_array(names))
        columns[-1][:, 0] += np.uint64(offset)
    joined = np.concatenate(columns)
    tags, begins = network.read(joined[:, 3:])
    tags[joined[:, 2] == 1] = SPACE
    return joined[:, 0].astype(np.int64), joined[:, 1].astype(np.int64), tags, begins


def _read(docs: Iterable[Any], offsets: list[int], pipeline: Pipeline) -> _Columns:
    """The same with any spaCy model: each piece by itself."""
    columns = [np.zeros((0, 5), np.uint64)]
    for doc, offset in zip(docs, offsets, strict=True):
        columns.append(pipeline.nlp(doc).to_array(["IDX", "LENGTH", "IS_SPACE", "POS", "SENT_START"]))
        columns[-1][:, 0] += np.uint64(offset)
        columns[-1][:1, 4] = 1
    joined = np.concatenate(columns)
    tags = _tag_table()[joined[:, 3]]
    tags[(joined[:, 2] == 1) & (tags != NO_TAG)] = SPACE
    return joined[:, 0].astype(np.int64), joined[:, 1].astype(np.int64), tags, joined[:, 4] == 1


@lru_cache(maxsize=1)
def _tag_table() -> NDArray[np.uint8]:
    """spaCy's number of a universal tag -> ours. Its two names for conjunctions are one in the universal tags of today."""
    from spacy.parts_of_speech import IDS

    table = np.full(max(IDS.values()) + 1, NO_TAG, np.uint8)
    for name, number in IDS.items():
        if name in TAGS:
            table[number] = TAGS.index(name)
    table[IDS["CONJ"]] = TAGS.index("CCONJ")
    return table


def words_in(sentence_starts: NDArray[Any], word_starts: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The number of words that begin in each sentence."""
    if not len(sentence_starts):
        return np.zeros(0, np.uint32)
    sentences = np.maximum(np.searchsorted(sentence_starts, word_starts, side="right") - 1, 0)
    return np.bincount(sentences, minlength=len(sentence_starts)).astype(np.uint32)


def has_sentences(text: str, words: int) -> bool:
    """Whether sentences can be found: there is an end mark, or the lines are short enough to be sentences themselves."""
    if _END_MARK.search(text):
        return True
    lines = sum(1 for line in text.split("\n") if line.strip())
    return words <= _LONG_LINE * max(lines, 1)


class AnalysisCache(Protocol):
    """Keeps the bytes of analyses; `get` gives None for what it does not have."""

    def get(self, text_hash: str, model_hash: str) -> bytes | None: ...

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None: ...


class MemoryCache:
    """A cache for as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, text_hash: str, model_hash: str) -> bytes | None:
        return self._kept.get((text_hash, model_hash))

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None:
        self._kept[text_hash, model_hash] = data


PIECE = 8_192
"""The most characters of a piece; it bounds the memory."""

RUN = 128
"""The most characters of a piece without white space: tokenizers take a time that grows with its square."""

_SHORTEST = PIECE // 2
_LONG_RUN = re.compile(rf"\S{{{2 * RUN},}}")
_SPACES = re.compile(r"\s+")
_SENTENCE_CLOSED = re.compile(r"[.!?…][\"'”’)\]]{0,2}\Z")


def pieces(text: str) -> list[tuple[int, int]]:
    """Start and end of each piece, in order, together the whole text; most texts are one piece."""
    found: list[tuple[int, int]] = []
    done = 0
    for run in _LONG_RUN.finditer(text):
        found += _spans(text, done, run.start())
        found += [(start, min(start + RUN, run.end())) for start in range(run.start(), run.end(), RUN)]
        done = run.end()
    return found + _spans(text, done, len(text))


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a stretch of ordinary text."""
    found: list[tuple[int, int]] = []
    while end - start > PIECE:
        cut = _cut(text, start)
        found.append((start, cut))
        start = cut
    if start < end:
        found.append((start, end))
    return found


def _cut(text: str, start: int) -> int:
    """The last of the best breaks in the second half of the longest piece that fits; without a space anywhere, its end."""
    first = start + _SHORTEST
    window = text[first : start + PIECE + 1]
    best, end = 0, start + PIECE
    for gap in _SPACES.finditer(window):
        if gap.end() < len(window) and (worth := _worth(window, gap)) >= best:
            best, end = worth, first + gap.end()
    return end


def _worth(window: str, gap: re.Match[str]) -> int:
    """How good a place white space is for a cut: an empty line, a line's end, a sentence's end, or none of them."""
    lines = gap[0].count("\n")
    if lines:
        return 3 if lines > 1 else 2
    return int(_SENTENCE_CLOSED.search(window, max(0, gap.start() - 3), gap.start()) is not None)

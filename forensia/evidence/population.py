"""A reference population as counts of blocks, without its texts: texts of any length are put together from their blocks.

No text can be read in it, but much of a text can be put together again from the n-grams of its blocks: of four letters in a row 94 % have
one continuation alone in a block (essays). Whoever hands a population on must know that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from forensia import codec
from forensia.corpus.document import SHARED, Document, is_shared
from forensia.corpus.typing import Forms, forms_of, typed
from forensia.errors import SettingsError
from forensia.evidence.knowntexts import FIRST, Texts
from forensia.features import FUSED_FAMILIES, Counts, Mask, count_documents
from forensia.features.counts import CountTable
from forensia.features.mask import LISTED
from forensia.features.texts import BLOCK, block_starts, narrow
from forensia.features.vectors import EVERY_FAMILY, MASKED, Keys, WordKeys, damaged, symbols, unpacked
from forensia.jobs import Progress, silent
from forensia.language import AnalysisCache, LanguageModel
from forensia.language.network import TAGS
from forensia.profile import FORENSIC, Typing

LONGEST_NAME, LONGEST_DESCRIPTION = 300, 3_000  # characters
MASKS = ("none", "posnoise")  # the mask that keeps the most frequent words is learnt from the texts of a case
WORD_COUNTS = "function words"  # the family whose totals are the words of a block
Arrays = dict[str, NDArray[Any]]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class PopulationText:
    """What is kept of a text beside its counts."""

    author: str
    sources: tuple[str, ...]
    sha256: str
    words: int
    blocks: int
    typed: Mapping[str, Mapping[str, int]]  # how often each form of each kind stands in it

    @property
    def forms(self) -> Forms:
        return Forms(self.typed)

    def pieces(self, words: int) -> int:
        """How many texts of about so many words it is cut into."""
        return min(self.blocks, max(1, round(self.words / words)))


@dataclass(frozen=True)
class PopulationRecord:
    """What a population is, as its maker has it, and whose texts it was made of; `because`: why each text is of an occasion of its own."""

    name: str
    description: str
    language: Mapping[str, str | int]
    texts: tuple[PopulationText, ...]
    pseudonyms: bool = False
    because: str = ""


@dataclass(frozen=True, eq=False)
class Population:
    """A population: its record, and the counts of the blocks of its texts, one text after the other."""

    record: PopulationRecord
    blocks: Counts

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        language: LanguageModel,
        name: str,
        description: str = "",
        *,
        mask: str = "none",
        pseudonyms: bool = False,
        because: str = "",
        jobs: int = 1,
        cache: AnalysisCache | None = None,
        progress: Progress = silent,
        families: Sequence[str] = FUSED_FAMILIES,
    ) -> Population:
        """The population of some documents, read as the forensic profile reads them."""
        if mask not in MASKS:
            raise SettingsError(f"A population cannot be masked by '{mask}'. Choose one of: {', '.join(MASKS)}.")
        typing = FORENSIC.typing
        counts = count_documents(documents, language, families, mask, jobs, cache, progress, typing=typing, blocks=True)
        words = counts.table(WORD_COUNTS).totals
        texts, done = [], 0
        for document in documents:
            number = len(block_starts(typed(document.text, typing).text))
            texts.append(
                PopulationText(
                    _printable(document.author),
                    tuple(map(_printable, document.sources)),
                    document.sha256_text,
                    int(words[done : done + number].sum()),
                    number,
                    forms_of(document.text).counts,
                )
            )
            done += number
        record = PopulationRecord(
            _printable(name),
            _printable(description, LONGEST_DESCRIPTION),
            language.record(),
            tuple(_pseudonymous(texts) if pseudonyms else texts),
            pseudonyms,
            _printable(because, LONGEST_DESCRIPTION),
        )
        return cls(record, counts)

    def __len__(self) -> int:
        return len(self.record.texts)

    @property
    def authors(self) -> tuple[str, ...]:
        """Who wrote its texts, in alphabetical order."""
        return tuple(sorted({text.author for text in self.record.texts}))

    @property
    def words(self) -> Rows:
        """The number of words of each text."""
        return np.array([text.words for text in self.record.texts], np.int64)

    @cached_property
    def block_words(self) -> Rows:
        """The number of words of each block."""
        return self.blocks.table(WORD_COUNTS).totals

    @cached_property
    def begins(self) -> Rows:
        """Where the blocks of each text begin, and where those of the last end."""
        return np.cumsum([0, *(text.blocks for text in self.record.texts)], dtype=np.int64)

    def without(self, authors: Collection[str] = (), texts: Collection[str] = ()) -> Population:
        """The population without some authors, and without some texts, which are given by their hashes."""
        kept = [
            row for row, text in enumerate(self.record.texts) if text.author not in authors and text.sha256 not in texts
        ]
        if len(kept) == len(self):
            return self
        rows = [np.arange(self.begins[row], self.begins[row + 1]) for row in kept]
        record = replace(self.record, texts=tuple(self.record.texts[row] for row in kept))
        return Population(record, self.blocks.rows(np.concatenate([np.zeros(0, np.int64), *rows])))

    def texts(self, words: int | None = None, lengths: Sequence[int] = ()) -> Texts:
        """Its texts in pieces of about so many words (None: whole), and passages of these of some `lengths` that blocks can make.

        A text that is not longer stays whole. The pieces of a text share its sources.
        """
        pieces = [piece for row in range(len(self)) for piece in self._pieces(row, words)]
        owners = [self.record.texts[piece.text] for piece in pieces]
        return Texts(
            self._counts(pieces),
            [owner.author for owner in owners],
            [owner.sources for owner in owners],
            {
                length: self._counts([self._passage(piece, blocks) for piece in pieces])
                for length in lengths
                if (blocks := blocks_of(length))
            },
            pieces=[(owner.sha256,) for owner in owners],
        )

    def _pieces(self, row: int, words: int | None) -> list[_Piece]:
        text, begin = self.record.texts[row], int(self.begins[row])
        number = 1 if words is None else text.pieces(words)
        cuts = [begin + text.blocks * each // number for each in range(number + 1)]
        return [_Piece(row, start, end) for start, end in pairwise(cuts)]

    def _passage(self, piece: _Piece, blocks: int) -> _Piece:
        """So many blocks of a piece; where they begin depends on the text's hash alone."""
        more = piece.end - piece.start - blocks
        if more <= 0:
            return piece
        start = piece.start + int(self.record.texts[piece.text].sha256[:12], 16) % (more + 1)
        return _Piece(piece.text, start, start + blocks)

    def _counts(self, pieces: Sequence[_Piece]) -> Counts:
        starts, ends = np.array([(piece.start, piece.end) for piece in pieces], np.int64).reshape(-1, 2).T
        return self.blocks.summed(starts, ends)

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Plain arrays and a JSON header, for a file."""
        arrays: Arrays = {f"{WORD_COUNTS}/totals": self.block_words}
        for table in self.blocks.tables:
            counts = table.counts
            arrays[f"{table.family}/keys"] = table.keys.pack()
            arrays[f"{table.family}/entries"] = _planes(np.diff(counts.indptr))
            arrays[f"{table.family}/gaps"] = _planes(_gaps(counts.indices, counts.indptr))
            arrays[f"{table.family}/counts"] = _planes(counts.data)
        arrays["no sentences"] = self.blocks.no_sentences[self.begins[:-1]]  # all blocks of a text are alike in this
        header = {"record": codec.plain(self.record), "mask": self.blocks.mask.kind, "typing": self.blocks.typing}
        return arrays, header

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Population:
        """The population as it was stored; what does not fit together is refused."""
        try:
            record = codec.typed(PopulationRecord, header["record"])
            mask, typing = header["mask"], header["typing"]
            if mask not in MASKS or typing not in get_args(Typing) or not _is_sound(record):
                raise damaged()
            sizes = [text.blocks for text in record.texts]
            tables = tuple(
                _table(family, arrays, sum(sizes), record.language)
                for family in EVERY_FAMILY
                if family in FUSED_FAMILIES
            )
            words = arrays[f"{WORD_COUNTS}/totals"]
            no_sentences = arrays["no sentences"]
            if no_sentences.dtype != np.bool_ or no_sentences.shape != (len(sizes),):
                raise damaged()
            listed = tables[0].keys
            assert tables[0].family == WORD_COUNTS and isinstance(listed, WordKeys)
            if words.dtype != np.int64 or words.shape != (sum(sizes),) or bool((words < tables[0].totals).any()):
                raise damaged()
            tables = (replace(tables[0], totals=words), *tables[1:])
            counts = Counts(tables, np.repeat(no_sentences, sizes), Mask.fit(mask, (), listed.words), typing)
            found = cls(record, counts)
            if np.add.reduceat(words, found.begins[:-1]).tolist() != found.words.tolist():
                raise damaged()
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise damaged() from error
        return found


@dataclass(frozen=True)
class _Piece:
    """The blocks of a text from one to another."""

    text: int
    start: int
    end: int


def with_population(
    texts: Texts, population: Population, language: Mapping[str, Any], words: int | None = None
) -> Texts:
    """The texts of a case and behind them those of a population, in pieces of about so many words (None: whole).

    `language` is the record of the model that the case is read with. Of the ladder those lengths stay that blocks can make: a length of
    less than 84 words is dropped. An author of the population who has texts in the case is left out. Only the families that both were
    counted by are there, which are those of the fused answer. A population that was read otherwise is refused.
    """
    refuse_read_otherwise(texts.counts, population, language)
    others = population.without(authors=set(texts.labels))
    if not len(others):
        raise SettingsError(
            f"All authors of the population '{population.record.name}' have texts in the case. Choose a population of other people."
        )
    theirs = others.texts(words, tuple(texts.cut))
    return Texts(
        texts.counts.stacked(theirs.counts),
        [*texts.labels, *theirs.labels],
        [*(texts.sources or [()] * len(texts.labels)), *theirs.sources],
        {length: texts.cut[length].stacked(counts) for length, counts in theirs.cut.items()},
        pieces=[*([()] * len(texts.labels)), *theirs.pieces],
    )


def refuse_read_otherwise(counts: Counts, population: Population, language: Mapping[str, Any]) -> None:
    """Counts can be put together only where texts were read alike: by one language model, typing and mask."""
    name = population.record.name
    files = ("sha256", "function_words_sha256")
    if any(language.get(key) != population.record.language.get(key) for key in files):
        other = population.record.language.get("name", "")
        raise SettingsError(
            f"The population '{name}' was read with another language model or other function words ({other}). Choose a population "
            "that was made with those of the case, or make it again."
        )
    if (counts.mask, counts.typing) != (population.blocks.mask, population.blocks.typing):
        raise SettingsError(
            f"The texts of the population '{name}' were read in another way (mask: {population.blocks.mask.kind}; "
            f"{population.blocks.typing}). Make it again with the mask of the case, or train with the forensic profile."
        )


def blocks_of(words: int) -> int:
    """How many blocks make a passage of so many words that is not longer by more than half a step of the ladder; 0: none can."""
    return int(words / (FIRST * BLOCK))


def _pseudonymous(texts: Sequence[PopulationText]) -> list[PopulationText]:
    """The texts with numbers for the names of authors and sources; what is shared between authors stays so."""
    authors: dict[str, str] = {}
    sources: dict[tuple[str, str], str] = {}
    found = []
    for text in texts:
        author = authors.setdefault(text.author, f"author {len(authors) + 1}")
        named = []
        for source in text.sources:
            shared = is_shared(source)
            whose = "" if shared else text.author
            number = len(sources) + 1
            named.append(
                sources.setdefault((whose, source), f"{SHARED} source {number}" if shared else f"source {number}")
            )
        found.append(replace(text, author=author, sources=tuple(sorted(named))))
    return found


def _printable(text: str, longest: int = LONGEST_NAME) -> str:
    """A name as it can be shown anywhere."""
    return "".join(sign if sign.isprintable() else " " for sign in text)[:longest].strip()


def _is_sound(record: PopulationRecord) -> bool:
    """Whether a record that may come from anybody holds nothing that a population never does."""
    long = (record.description, record.because)
    names = {
        record.name,
        *(text.author for text in record.texts),
        *(each for text in record.texts for each in text.sources),
    }
    hashes = [text.sha256 for text in record.texts]
    return (
        bool(record.texts)
        and all(_printable(name) == name for name in names)
        and all(_printable(each, LONGEST_DESCRIPTION) == each for each in long)
        and all(len(each) == 64 and set(each) <= set("0123456789abcdef") for each in hashes)
        and all(text.blocks > 0 and text.words >= 0 for text in record.texts)
        and all(
            _printable(name) == name and 0 < count < 1 << 31
            for text in record.texts
            for kind, forms in text.typed.items()
            for name, count in ((kind, len(forms)), *forms.items())
        )
        and all(_printable(str(value)) == str(value) for pair in record.language.items() for value in pair)
    )


def _table(family: str, arrays: Mapping[str, NDArray[Any]], rows: int, language: Mapping[str, str | int]) -> CountTable:
    """The counts of a family as they were stored."""
    from scipy.sparse import csr_matrix

    keys = unpacked(family, arrays[f"{family}/keys"])
    entries, gaps, counts = (_joined(arrays[f"{family}/{name}"]) for name in ("entries", "gaps", "counts"))
    listed = int(language["function_words"])
    sound = (
        len(entries) == rows
        and int(entries.sum(dtype=np.int64)) == len(gaps) == len(counts)
        and (not len(gaps) or (gaps.min() > 0 and counts.min() > 0))
        and _are_symbols(family, keys, listed)
        and (family != WORD_COUNTS or len(keys) == listed)
    )
    if not sound:
        raise damaged()
    pointers = np.concatenate(([0], np.cumsum(entries, dtype=np.int64)))
    columns = _columns(gaps, pointers)
    if len(columns) and int(columns.max()) >= len(keys):
        raise damaged()
    matrix = csr_matrix((narrow(counts), columns.astype(np.int32), pointers), shape=(rows, len(keys)))
    if not matrix.has_canonical_format:  # gaps so wide that their sum began anew
        raise damaged()
    return CountTable(family, keys, matrix, np.asarray(matrix.sum(axis=1, dtype=np.int64)).ravel())


def _are_symbols(family: str, keys: Keys, listed: int) -> bool:
    """Whether every symbol of the n-grams of a family stands for something: a tag, a token, a character."""
    most = {"POS n-grams": len(TAGS), MASKED: LISTED + listed}.get(family)
    if isinstance(keys, WordKeys):
        return True
    return keys.array.dtype.kind == "U" and (most is None or int(symbols(keys.array).max(initial=0)) <= most)


def _gaps(columns: NDArray[Any], pointers: NDArray[Any]) -> NDArray[np.uint32]:
    """How far each column of a row lies behind the one before it; the first behind one before all."""
    gaps = np.diff(columns, prepend=0)
    firsts = pointers[:-1][np.diff(pointers) > 0]
    gaps[firsts] = columns[firsts] + 1
    return gaps.astype(np.uint32)


def _columns(gaps: NDArray[np.uint32], pointers: Rows) -> NDArray[np.uint32]:
    """The columns of which `_gaps` found the gaps."""
    reached = np.concatenate(
        (np.zeros(1, np.uint32), np.cumsum(gaps, dtype=np.uint32))
    )  # the sum may begin anew: differences are right
    return np.asarray(reached[1:] - np.repeat(reached[pointers[:-1]] + np.uint32(1), np.diff(pointers)))


def _planes(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """Numbers as rows of bytes, the lowest first, as many as the greatest needs: most are small, and the rows pack well."""
    width = max(1, (int(numbers.max(initial=0)).bit_length() + 7) // 8)
    return np.stack([(numbers >> (8 * place)).astype(np.uint8) for place in range(width)])


def _joined(planes: NDArray[Any]) -> NDArray[np.uint32]:
    """The numbers of such rows."""
    if planes.ndim != 2 or planes.dtype != np.uint8 or not 1 <= len(planes) <= 4:
        raise damaged()
    numbers: NDArray[np.uint32] = planes[0].astype(np.uint32)
    for place, plane in enumerate(planes[1:], 1):
        numbers |= plane.astype(np.uint32) << np.uint32(8 * place)
    return numbers

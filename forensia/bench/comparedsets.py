"""The sets on which methods are compared: whose texts are known, and which are disputed.

Four packs with a split of their own; four with sources, where the disputed texts come from a source that nobody knows; and small draws.
"""

from __future__ import annotations

import csv
import tarfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus import Document, ReadOptions, read_corpus
from forensia.features import Counts, count_documents
from forensia.features.vectors import EVERY_FAMILY
from forensia.language import LanguageModel, MemoryCache, load_model
from forensia.profile import FORENSIC

CORPORA = ("arxiv_single_author", "pan2011_large", "imdb62_50x100", "reuters_c50")
ESSAYS = "essays_english"
FOREIGN = {"novels_german": "de", "novels_french": "fr"}
NEW_SOURCE = (ESSAYS, "novels_english", *FOREIGN)
DRAWN = ("imdb62_50x100", "reuters_c50")
SIZES = ((5, 10), (10, 5), (10, 10), (10, 20))
DRAWS = 10
EVERYBODY = "reuters_c50 all"
REMAINING = 5  # essays that an author must have from other sources
TAGS = "POS n-grams"


@dataclass(frozen=True)
class ComparedSet:
    """A pack, or draws from it: of so many authors so many known texts each."""

    name: str
    pack: str
    size: tuple[int, int] | None = None
    role: str = "closed"

    @property
    def draws(self) -> int:
        return 1 if self.size is None else DRAWS


SETS = (
    *(ComparedSet(name, name) for name in (*CORPORA, *NEW_SOURCE)),
    *(ComparedSet(f"{pack} {m}x{q}", pack, (m, q)) for pack in DRAWN for m, q in SIZES),
    ComparedSet(EVERYBODY, "reuters_c50", role="all"),
)


@dataclass(frozen=True, eq=False)
class ComparedTexts:
    """Known and disputed texts with their counts and the numbers of their authors."""

    documents: tuple[Document, ...]  # the known ones
    known: Counts
    codes: NDArray[np.intp]
    disputed: Counts
    truth: NDArray[np.intp]
    language: LanguageModel
    cache: MemoryCache

    @property
    def sources(self) -> list[tuple[str, ...]]:
        return [document.sources for document in self.documents]

    def families(self, wanted: Sequence[str]) -> list[str]:
        """Those of some families that the language can give."""
        return [family for family in wanted if family in self.known.families]

    def drawn(self, size: tuple[int, int], number: int) -> ComparedTexts:
        """Some authors with some of their known texts each, and all their disputed texts; the same for every method."""
        rng = np.random.default_rng([*size, number])
        enough = np.flatnonzero(np.bincount(self.codes) >= size[1])
        authors = np.sort(rng.choice(enough, size[0], replace=False))
        rows = np.sort(
            np.concatenate([rng.choice(np.flatnonzero(self.codes == a), size[1], replace=False) for a in authors])
        )
        asked = np.flatnonzero(np.isin(self.truth, authors))
        return replace(
            self,
            documents=tuple(self.documents[row] for row in rows),
            known=self.known.rows(rows),
            codes=np.searchsorted(authors, self.codes[rows]),
            disputed=self.disputed.rows(asked),
            truth=np.searchsorted(authors, self.truth[asked]),
        )


def read_set(folder: Path, wanted: ComparedSet, place: Path, jobs: int = 1) -> ComparedTexts:
    """The texts of the whole pack, typed alike and counted; `place` is a folder for what a language needs."""
    language = language_of(wanted.pack, place)
    known, disputed = documents_of(folder, wanted)
    authors = sorted({document.author for document in known})
    numbers = {author: number for number, author in enumerate(authors)}
    disputed = [document for document in disputed if document.author in numbers]
    cache = MemoryCache()
    families = countable(EVERY_FAMILY, language)
    counts = count_documents([*known, *disputed], language, families, jobs=jobs, cache=cache, typing=FORENSIC.typing)
    return ComparedTexts(
        tuple(known),
        counts.rows(slice(0, len(known))),
        np.array([numbers[document.author] for document in known]),
        counts.rows(slice(len(known), None)),
        np.array([numbers[document.author] for document in disputed]),
        language,
        cache,
    )


def documents_of(folder: Path, wanted: ComparedSet) -> tuple[list[Document], list[Document]]:
    """The known and the disputed texts of a pack."""
    if wanted.pack == ESSAYS:
        return _essays(folder)
    return _split(folder, wanted.role, FOREIGN.get(wanted.pack, "en"))


def language_of(pack: str, place: Path) -> LanguageModel:
    """What the texts of a pack are analysed with."""
    return _untagged(FOREIGN[pack], place) if pack in FOREIGN else load_model()


def countable(families: Sequence[str], language: LanguageModel) -> tuple[str, ...]:
    """Those of some families that a language can give."""
    return tuple(family for family in families if language.has_tags or family != TAGS)


def _split(folder: Path, role: str, language: str) -> tuple[list[Document], list[Document]]:
    def read(split: str) -> list[Document]:
        options = ReadOptions(split=split, role=role, language=language)
        return list(read_corpus(folder, options).active.documents)

    return read("train"), read("test")


def _essays(folder: Path) -> tuple[list[Document], list[Document]]:
    """One source of each author is disputed: the one with most texts of its own that leaves enough others.

    A piece of two sources has both, and is neither known nor disputed if one of them is the disputed one.
    """
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        essays = {row["file"]: row["source"].split("_") for row in csv.DictReader(file) if row["kind"] == "essay"}
    own: defaultdict[str, list[Document]] = defaultdict(list)
    for document in read_corpus(folder, ReadOptions(split="all", role="all")).active.documents:
        if document.path in essays:
            own[document.author].append(replace(document, sources=tuple(essays[document.path])))
    known: list[Document] = []
    disputed: list[Document] = []
    for author in sorted(own):
        away = _disputed_source(own[author])
        if away is not None:
            known += [each for each in own[author] if away not in each.sources]
            disputed += [each for each in own[author] if each.sources == (away,)]
    return known, disputed


def _disputed_source(documents: Sequence[Document]) -> str | None:
    alone = Counter(each.sources[0] for each in documents if len(each.sources) == 1)
    for source, _ in sorted(alone.items(), key=lambda pair: (-pair[1], pair[0])):
        if sum(source not in each.sources for each in documents) >= REMAINING:
            return source
    return None


def _untagged(code: str, place: Path) -> LanguageModel:
    """A language with a tokenizer, sentences and the stop words that spaCy has for it, but without tags."""
    import spacy

    nlp: Any = spacy.blank(code)
    nlp.add_pipe("sentencizer")
    folder, words = place / code, place / f"{code}.txt"
    nlp.to_disk(folder)
    words.write_text("\n".join(sorted(nlp.Defaults.stop_words)), "utf-8")
    return load_model(str(folder), words=words)


def unpacked(data: Path, corpus: str, place: Path) -> Path:
    if (data / corpus).is_dir():
        return data / corpus
    if not (place / corpus).is_dir():
        with tarfile.open(data / f"{corpus}.tar.xz") as packed:
            packed.extractall(place, filter="data")
    return place / corpus

"""The sets that are measured on, as the program reads them, and texts judged as it judges them: what it claims against what happens.

Known texts are counted whole and cut to shorter lengths, a validation is made of them, and each disputed text is judged by the figures for
its length and its source; much longer ones are read in pieces. What the diff-vector part adds plays no part in the answer and is left out.

A set says whose texts are known, and which are disputed. There are four packs with a split of their own; four with sources, where the
disputed texts come from a source that nobody knows; and small draws.
"""

from __future__ import annotations

import csv
import tarfile
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus import Corpus, Document, ReadOptions, read_corpus
from forensia.corpus.document import Role
from forensia.diffvectors.pairs import codes
from forensia.evidence.knowntexts import STEP, Texts, pieces_of
from forensia.evidence.learnt import Learnt, read_known
from forensia.evidence.opinion import ABSTAIN, decide
from forensia.evidence.result import Source
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Validation, validate
from forensia.features import FUSED_FAMILIES, Counts, count_documents
from forensia.features.vectors import EVERY_FAMILY
from forensia.language import LanguageModel, MemoryCache, load_model
from forensia.profile import FORENSIC, THOROUGH
from forensia.systems.pairmodel import TrainingOptions

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


OUTSIDERS = (*CORPORA, "novels_english")  # packs with texts by authors of whom nothing is known
SEED = 0
Rows = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AskedTexts:
    """What is said of texts (rows) and authors (columns), each text by the rung for its length."""

    documents: tuple[Document, ...]
    rungs: tuple[Rung, ...]  # that any of them stands on
    on: Rows  # the number of each text's
    parts: Counts  # the texts, or their pieces
    begins: Rows  # where the pieces of each text begin among these
    scores: Floats
    z: Floats
    listed: Floats
    unlisted: Floats
    headline: Floats
    decided: NDArray[np.int64]
    ends: Floats  # of the interval of each opinion about an author; NaN for the other texts
    could: NDArray[np.bool_]  # whether an opinion on the author who is put first was possible at all

    @property
    def first(self) -> Rows:
        return np.asarray(np.nanargmax(self.z, axis=1))

    @property
    def given(self) -> NDArray[np.bool_]:
        """The texts with an opinion about an author."""
        return np.asarray(self.decided >= 0)

    @property
    def sizes(self) -> Rows:
        """How many pieces each text was read in."""
        return np.diff(np.append(self.begins, len(self.parts)))

    def pieces(self, text: int) -> Counts:
        """One text as it was read."""
        begin = int(self.begins[text])
        return self.parts.rows(slice(begin, begin + int(self.sizes[text])))


@dataclass(frozen=True, eq=False)
class Program:
    """Everything that judges texts: a validation, and the language that they are read in."""

    validation: Validation
    language: LanguageModel
    cache: MemoryCache

    def truth(self, documents: Sequence[Document]) -> Rows:
        """The numbers of the authors of texts; -1 for one who is not listed."""
        numbers = {author: number for number, author in enumerate(self.validation.authors)}
        return np.array([numbers.get(document.author, -1) for document in documents], np.intp)

    def asked(self, documents: Sequence[Document], source: Source) -> AskedTexts:
        """Texts judged as if from a known or a new source: what `evidence.judge` does with one, for many at once."""
        learnt, system = self.validation.learnt, self.validation.asked
        pieces = [pieces_of(document, learnt.median_words, learnt.typing) for document in documents]
        sizes = np.array([len(each) for each in pieces])
        begins = np.cumsum(sizes) - sizes
        every = [piece for each in pieces for piece in each]
        parts = count_documents(every, self.language, learnt.options.fused, cache=self.cache, typing=learnt.typing)
        scores = np.add.reduceat(system.scores(parts), begins, axis=0) / sizes[:, None, None]
        rungs = [self.validation.rung(document.words, source) for document in documents]
        used = tuple({id(rung): rung for rung in rungs}.values())
        on = np.array([next(n for n, each in enumerate(used) if each is rung) for rung in rungs], np.intp)
        z, listed, unlisted, headline = (np.full(scores.shape[:2], np.nan) for _ in range(4))
        answers = AskedTexts(
            tuple(documents), used, on, parts, begins, scores, z, listed, unlisted, headline,
            decided=np.full(len(scores), ABSTAIN),
            ends=np.full((len(scores), 2), np.nan),
            could=np.zeros(len(scores), bool),
        )  # fmt: skip
        for number in range(len(used)):
            self._answer(answers, number, source)
        return answers

    def _answer(self, answers: AskedTexts, number: int, source: Source) -> None:
        """Fill in what is said of the texts on one rung."""
        system, rung, rows = self.validation.asked, answers.rungs[number], np.flatnonzero(answers.on == number)
        calibration, scores, sizes = rung.calibration, answers.scores[rows], answers.sizes
        ratios, z = calibration.ratios(scores), calibration.z(scores)
        answers.z[rows], answers.listed[rows], answers.unlisted[rows], answers.headline[rows] = (
            z,
            ratios.listed,
            ratios.unlisted,
            ratios.headline,
        )
        here, first = calibration.placed(z), np.nanargmax(z, axis=1)
        like = system.likeness(
            answers.parts.rows(np.repeat(answers.on == number, sizes)), np.repeat(first, sizes[rows])
        )
        if len(like):
            like = np.add.reduceat(like, np.cumsum(sizes[rows]) - sizes[rows]) / sizes[rows]
        rule = partial(
            decide, here, ratios.headline, p=rung.conformal_p(here), doubts=rung.doubts(calibration.log10_lr(scores)[0], here, like),
            most=rung.most_doubt, backed=rung.backed,
        )  # fmt: skip
        # What `evidence.reasons` withholds whatever the numbers are: nothing is said of texts that are too short, or at too high a cost.
        short = [answers.documents[row].words < self.validation.shortest for row in rows]
        silent = np.array(short) | rung.costly | (rung.condition.source != source)
        answers.could[rows] = ~silent & rung.backed[first]
        # An interval only grows by covering the choice of known texts, so that this is needed for opinions alone.
        low = ratios.low.copy()
        for place in np.flatnonzero((rule(low=low) >= 0) & ~silent).tolist():
            text, one = int(rows[place]), calibration.ratios(scores[place][None])
            without = system.without_each(answers.pieces(text))
            if len(without):
                one = calibration.widened(one, scores[place][None], without, system.codes[system.left_out_rows])
            low[place] = one.low[0]
            answers.ends[text] = one.low[0, first[place]], one.high[0, first[place]]
        answers.decided[rows] = np.where(silent, ABSTAIN, rule(low=low))
        answers.ends[rows[answers.decided[rows] < 0]] = np.nan


@dataclass(frozen=True, eq=False)
class KnownPart:
    """Known texts with their counts, whole and cut."""

    documents: tuple[Document, ...]
    texts: Texts
    options: TrainingOptions
    language: LanguageModel
    cache: MemoryCache

    @classmethod
    def read(cls, documents: Sequence[Document], language: LanguageModel, least: int) -> KnownPart:
        """Count texts, cut as far down as texts of at `least` so many words need."""
        effort = replace(THOROUGH, shortest=max(THOROUGH.shortest, int(least * STEP)))
        options = TrainingOptions(replace(FORENSIC, effort=effort), SEED, families=countable(FUSED_FAMILIES, language))
        cache, corpus = MemoryCache(), Corpus.of(documents)
        learnt, texts = read_known(corpus, options, language, cache=cache)
        return cls(corpus.active.documents, texts, learnt.options, language, cache)

    @property
    def codes(self) -> Rows:
        """The number of each text's author, in the order in which the validation has the authors."""
        return codes([document.author for document in self.documents]).astype(np.intp)

    def rows(self, rows: Rows) -> KnownPart:
        """Some of the texts."""
        cut = {words: counts.rows(rows) for words, counts in self.texts.cut.items()}
        return replace(
            self,
            documents=tuple(self.documents[row] for row in rows),
            texts=replace(self.texts, counts=self.texts.counts.rows(rows), cut=cut),
        )

    def by(self, authors: Sequence[str]) -> KnownPart:
        """The same texts with other names on them."""
        named = zip(self.documents, authors, strict=True)
        return replace(self, documents=tuple(replace(document, author=author) for document, author in named))

    def of_candidates(self, candidates: Collection[str]) -> KnownPart:
        """The same texts, with some authors as candidates and the others as the population."""
        roles = {True: Role.CANDIDATE, False: Role.POPULATION}
        documents = (replace(document, role=roles[document.author in candidates]) for document in self.documents)
        return replace(self, documents=tuple(documents))

    def whole(self) -> KnownPart:
        """Without the shorter versions, for what whole texts are enough for."""
        return replace(self, texts=replace(self.texts, cut={}))

    def validated(self) -> Program:
        """What the program makes of them."""
        labels = [document.author for document in self.documents]
        learnt = Learnt(
            self.options,
            self.language.record(),
            tuple(document.id for document in self.documents),
            tuple(dict.fromkeys(labels)),
            self.codes.astype(np.int32),
            float(np.median([document.words for document in self.documents])),
            population=tuple(sorted({each.author for each in self.documents if each.role is Role.POPULATION})),
        )
        texts = replace(self.texts, labels=labels, sources=[document.sources for document in self.documents])
        return Program(validate(learnt, texts), self.language, self.cache)


@dataclass(frozen=True, eq=False)
class TriedPack:
    """The known texts of a pack, its disputed ones, and texts by people whom nobody listed, where it has such."""

    name: str
    folder: Path
    known: KnownPart
    disputed: tuple[Document, ...]
    outsiders: tuple[Document, ...]

    @classmethod
    def read(cls, folder: Path, name: str, place: Path) -> TriedPack:
        """Read and count it; `place` is a folder for what a language needs.

        Where every text has a source of its own nothing is known of sources: such texts are like any from a known one.
        """
        known, disputed = documents_of(folder, ComparedSet(name, name))
        listed = {document.author for document in known}
        disputed = [document for document in disputed if document.author in listed]
        outsiders: Sequence[Document] = ()
        if name in OUTSIDERS:
            options = ReadOptions(split="test", role="open", language=FOREIGN.get(name, "en"))
            outsiders = read_corpus(folder, options).active.documents
        if name in CORPORA:
            known = [replace(document, sources=()) for document in known]
        least = min(document.words for document in (*disputed, *outsiders))
        texts = KnownPart.read(known, language_of(name, place), least)
        return cls(name, folder, texts, tuple(disputed), tuple(outsiders))

    @property
    def source(self) -> Source:
        """Where its disputed texts come from."""
        return "new" if self.name in NEW_SOURCE else "known"

    @cached_property
    def program(self) -> Program:
        """What the program makes of all its known texts."""
        return self.known.validated()

    def kind(self, kind: str) -> list[Document]:
        """The texts of a kind that the manifest names."""
        with (self.folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
            kinds = {row["file"]: row.get("kind", "") for row in csv.DictReader(file)}
        every = read_corpus(self.folder, ReadOptions(split="all", role="all")).active.documents
        return [document for document in every if kinds.get(document.path) == kind]

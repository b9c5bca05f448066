"""Packs as the program reads them, and texts judged as it judges them: for comparing what it claims with what happens.

Known texts are counted whole and cut to shorter lengths, a validation is made of them, and each disputed text is judged by the figures for
its length and its source; much longer ones are read in pieces. What the diff-vector part adds plays no part in the answer and is left out.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forensia.bench.comparedsets import (
    CORPORA,
    FOREIGN,
    NEW_SOURCE,
    ComparedSet,
    countable,
    documents_of,
    language_of,
)
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
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, THOROUGH
from forensia.systems.pairmodel import TrainingOptions

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

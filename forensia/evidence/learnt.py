"""What the systems of a case have learnt from: the known texts, their authors, and how they were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Corpus, Document, Role
from forensia.diffvectors.pairs import codes
from forensia.evidence.knowntexts import Texts, much_longer, population_cut, read_texts
from forensia.evidence.population import Population, with_population
from forensia.features.mask import NO_MASK, Mask
from forensia.features.vectors import WordKeys, damaged
from forensia.jobs import Progress, silent
from forensia.language import AnalysisCache, LanguageModel
from forensia.profile import Effort, Typing
from forensia.systems.pairmodel import TrainingOptions

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class PairRecord:
    """How the classifier of pairs came about, in numbers; `k_accuracy` is the leave-one-out accuracy for k = 1, 2, ..."""

    features: int
    factors: Mapping[str, float]
    pairs: int
    pairs_sha256: str
    c: float
    losses: Mapping[str, float]
    converged: bool
    k: int
    k_accuracy: tuple[float, ...]


@dataclass(frozen=True)
class UsedTexts:
    """How many known texts were learnt from of how many, where at most so many of each author were to be used."""

    at_most: int
    documents: int
    known: int

    @classmethod
    def stored(cls, header: Mapping[str, Any]) -> UsedTexts | None:
        """Those of a stored group of arrays; None where all were used."""
        at_most = int(header["options"].get("at_most", 0))
        return cls(at_most, len(header["documents"]), int(header["known"])) if at_most else None


@dataclass(frozen=True)
class ModelRecord:
    """How a model came about, in numbers; `pairs` is None as long as the diff-vector part is not trained."""

    profile: str
    seed: int
    authors: int
    documents: int
    families: tuple[str, ...]
    mask: str
    quick: bool
    language: Mapping[str, str | int]
    typing: Typing = "as typed"
    pairs: PairRecord | None = None
    used: UsedTexts | None = None  # None: all known texts
    population: int = 0  # of the authors, those who are no candidates
    counted: int = 0  # of the documents, those of a population that came as counts

    @classmethod
    def stored(cls, header: Mapping[str, Any], typing: Typing, pairs: PairRecord | None = None) -> ModelRecord:
        """The record that the header of a stored group of arrays gives."""
        options = TrainingOptions.from_dict(header["options"], Effort.from_header(header))
        return cls(
            profile=options.profile.name,
            seed=options.seed,
            authors=len(header["authors"]),
            documents=len(header["documents"]),
            families=options.counted,
            mask=options.mask,
            quick=options.profile.effort.quick,
            language=header["language"],
            typing=typing,
            pairs=pairs,
            used=UsedTexts.stored(header),
            population=len(header.get("population", ())),
            counted=int(header.get("counted", 0)),
        )


@dataclass(frozen=True, eq=False)
class Learnt:
    """The texts that were learnt from (`documents` are their ids), each with the code of its author, and how they were read."""

    options: TrainingOptions
    language: Mapping[str, Any]
    documents: tuple[str, ...]
    authors: tuple[str, ...]  # in the order of their codes
    codes: NDArray[np.int32]
    median_words: float
    mask: Mask = NO_MASK
    known: int = 0  # how many texts there were to learn from; 0 where all were used
    population: tuple[str, ...] = ()  # authors who are no candidates
    counted: int = 0  # texts of a population that came as counts: they are the last ones, and cannot be read
    cut_to: int = 0  # words to which the texts of a population were cut, because the candidates' are much shorter; 0: they were not

    @cached_property
    def candidates(self) -> NDArray[np.intp]:
        """The codes of the authors who may have written the disputed texts."""
        return np.array([code for code, name in enumerate(self.authors) if name not in self.population], np.intp)

    @property
    def used(self) -> UsedTexts | None:
        return UsedTexts.stored(self.header())

    @property
    def typing(self) -> Typing:
        """How texts are read, which an older version did otherwise than this one."""
        return self.options.profile.typing

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many texts each author has."""
        return np.bincount(self.codes, minlength=len(self.authors))

    @property
    def quick(self) -> bool:
        """Whether it is tested with fewer folds."""
        return self.options.profile.effort.quick

    def same(self, other: Learnt) -> bool:
        """Whether another part of a case has learnt from the same texts in the same way."""
        return (
            (self.options, self.documents, self.authors, self.mask, self.population)
            == (other.options, other.documents, other.authors, other.mask, other.population)
            and dict(self.language) == dict(other.language)
            and np.array_equal(self.codes, other.codes)
        )

    def record(self, pairs: PairRecord | None = None) -> ModelRecord:
        """How what was learnt came about, in numbers."""
        return ModelRecord.stored(self.header(), self.typing, pairs)

    def header(self) -> dict[str, Any]:
        """The JSON part for the case file."""
        return {
            "options": self.options.to_dict(),
            "language": dict(self.language),
            "documents": list(self.documents),
            "authors": list(self.authors),
            **({"known": self.known} if self.known else {}),
            **({"population": list(self.population)} if self.population else {}),
            **({"counted": self.counted} if self.counted else {}),
            **({"cut_to": self.cut_to} if self.cut_to else {}),
            **self.options.profile.effort.to_header(),
        }

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Plain arrays and a JSON header, for the case file."""
        arrays: Arrays = {
            "learnt/codes": self.codes.astype(np.int32),
            "learnt/mask": WordKeys(tuple(sorted(self.mask.words))).pack(),
        }
        header = {
            **self.header(),
            "mask": self.mask.kind,
            "typing": self.typing,
            "median_words": self.median_words,
        }
        return arrays, header

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Learnt:
        """What was stored; anything that does not fit together is refused."""
        try:
            codes, documents = arrays["learnt/codes"], tuple(map(str, header["documents"]))
            authors, typing = tuple(map(str, header["authors"])), header["typing"]
            median, known = float(header["median_words"]), int(header.get("known", 0))
            population = tuple(map(str, header.get("population", ())))
            counted, cut_to = (int(header.get(name, 0)) for name in ("counted", "cut_to"))
            sound = (
                codes.dtype == np.int32
                and codes.shape == (len(documents),)
                and np.array_equal(np.unique(codes), np.arange(len(authors)))
                and typing in get_args(Typing)
                and 0 <= median < np.inf
                and isinstance(header["language"], dict)
                and set(population) < set(authors)
                and 0 <= counted < len(documents)
                and cut_to >= 0
            )
            if not sound:
                raise damaged()
            options = TrainingOptions.from_dict(header["options"], Effort.from_header(header))
            options = replace(options, profile=replace(options.profile, typing=typing))
            mask = Mask(str(header["mask"]), frozenset(WordKeys.unpack(arrays["learnt/mask"]).words))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise damaged() from error
        numbers = known, population, counted, cut_to
        return cls(options, header["language"], documents, authors, codes, median, mask, *numbers)


def read_known(
    corpus: Corpus,
    options: TrainingOptions,
    language: LanguageModel,
    *,
    jobs: int = 1,
    cache: AnalysisCache | None = None,
    progress: Progress = silent,
    population: Population | None = None,
) -> tuple[Learnt, Texts]:
    """Read and count the active documents of a corpus, as many as are to be used, for all that is to learn from them.

    The texts of a `population` that came as counts are put together in pieces of their length; texts of authors who are no candidates are
    cut to the length of the candidates', where they are much longer.
    """
    options.refuse_too_few()
    documents: Sequence[Document] = options.used(corpus).active.documents
    if cut_to := much_longer(documents):
        documents = population_cut(documents, cut_to, options.profile.typing)
    texts = read_texts(documents, options, language, jobs=jobs, cache=cache, progress=progress)
    median = float(np.median([document.words for document in documents]))
    others = {document.author for document in documents if document.role is Role.POPULATION}
    if population is not None:
        texts = with_population(texts, population, language.record(), int(median))
        others.update(texts.labels[len(documents) :])
    counted = len(texts.labels) - len(documents)
    numbers = codes(list(texts.labels))
    first = np.unique(numbers, return_index=True)[1]
    learnt = Learnt(
        options.learnable(texts.counts),
        language.record(),
        (*(document.id for document in documents), *(f"population {number}" for number in range(1, counted + 1))),
        tuple(texts.labels[row] for row in first),
        numbers,
        median,
        texts.counts.mask,
        len(corpus.active.documents) if options.at_most else 0,
        tuple(sorted(others)),
        counted,
        cut_to,
    )
    return learnt, texts

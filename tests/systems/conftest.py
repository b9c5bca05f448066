"""Vectors of real text, the scores of a trained classifier on them, and small made-up ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random

from forensia import paths
from forensia.corpus import read_corpus
from forensia.diffvectors import DVBin
from forensia.features import Block, FeatureSpace, Vectors, count_documents
from forensia.features.counts import Counts, extract
from forensia.language import load_model
from forensia.language.model import function_words


@dataclass(frozen=True)
class Sample:
    """Half of the sample case to learn from, half to ask about."""

    known: Vectors
    labels: np.ndarray
    queries: Vectors
    truth: np.ndarray


@pytest.fixture(scope="session")
def sample() -> Sample:
    """The known texts of the sample case with their 3000 strongest sparse features: scikit-learn must finish too."""
    corpus = read_corpus(Path(paths.sample_case() / "known"))
    labels = np.array([document.author for document in corpus.documents])
    counts = count_documents(corpus.documents, load_model())
    whole = FeatureSpace(keep=3000).fit(counts, labels.tolist()).transform(counts)
    seen: dict[str, int] = {}
    turn = np.array([seen.update({label: seen.get(label, -1) + 1}) or seen[label] for label in labels])
    known, queries = np.flatnonzero(turn % 3 < 2), np.flatnonzero(turn % 3 == 2)
    return Sample(whole.rows(known), labels[known], whole.rows(queries), labels[queries])


@dataclass(frozen=True)
class Scored:
    """A trained DV-Bin, its scores among the known documents, and of the queries against them."""

    pairs: DVBin
    matrix: np.ndarray
    scores: np.ndarray


@pytest.fixture(scope="session")
def scored(sample: Sample) -> Scored:
    pairs = DVBin().fit(sample.known, sample.labels)
    return Scored(pairs, pairs.matrix(sample.known), pairs.scores(sample.queries, sample.known))


def made_up(seed: int, authors: int = 4, each: int = 8, dense: int = 5, sparse: int = 40) -> tuple[Vectors, np.ndarray]:
    """Small vectors in which the authors differ a little; documents of the authors in turn."""
    rng = np.random.default_rng(seed)
    labels = np.tile([f"author {number}" for number in range(authors)], each)
    numbers = np.tile(np.arange(authors), each)
    values = random(len(labels), sparse, 0.3, format="lil", dtype=np.float32, random_state=rng)
    values[np.arange(len(labels)), numbers] = 0.7
    matrix = csr_matrix(values)
    matrix.sort_indices()
    centre = rng.normal(size=(authors, dense))
    blocks = (Block("function words", True, 0, dense), Block("words", False, 0, sparse))
    return Vectors((centre[numbers] + rng.normal(size=(len(labels), dense))).astype(np.float32), matrix, blocks), labels


def equal_documents(count: int) -> Vectors:
    """The same document many times."""
    vectors, _ = made_up(0)
    return vectors.rows(np.zeros(count, dtype=int))


def with_nan(vectors: Vectors) -> Vectors:
    dense = vectors.dense.copy()
    dense[0, 0] = np.nan
    return Vectors(dense, vectors.sparse, vectors.blocks)


FAMILIES = ("words", "masked tokens", "layout")


@dataclass(frozen=True)
class Written:
    """Made-up texts, counted, with their authors and sources."""

    counts: Counts
    codes: np.ndarray
    sources: list[tuple[str, ...]]


def written(seed: int, sizes: tuple[int, ...], sources: int = 3, words: int = 80, style: float = 0.6) -> Written:
    """Authors differ in how often they use function words and commas, their sources in the words of the topic.

    Each seventh text is cut across two sources; with `sources` of 0 none is known.
    """
    rng = np.random.default_rng([seed, 5])
    listed = sorted(function_words())[:40]
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    codes = np.array([list(dict.fromkeys(codes.tolist())).index(code) for code in codes])
    taste = np.exp(style * rng.normal(size=(len(sizes), len(listed))))
    commas = rng.uniform(0.02, 0.2, len(sizes))
    texts, named = [], []
    seen = np.zeros(len(sizes), int)
    for code in codes:
        place = int(seen[code])
        at = [place % max(sources, 1), (place + (place % 7 == 6)) % max(sources, 1)]
        seen[code] += 1
        own = rng.choice(listed, words, p=taste[code] / taste[code].sum())
        topic = rng.integers(0, 60, words) + 60 * (int(code) * 10 + rng.choice(at, words))
        names = [f"topic{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in topic.tolist()]
        text = np.where(rng.random(words) < 0.6, own, names).tolist()
        marks = rng.random(words) < commas[code]
        texts.append(
            " ".join(word + "," * mark for word, mark in zip(text, marks.tolist(), strict=True)).capitalize() + "."
        )
        named.append(tuple(sorted({f"source {number}" for number in at})) if sources else ())
    return Written(extract(texts, None, FAMILIES), codes, named)

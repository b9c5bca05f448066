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
from forensia.language import load_model


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

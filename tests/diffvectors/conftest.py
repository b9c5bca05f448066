"""Vectors of real text for the tests of the engine: the sample case, counted once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from forensia import paths
from forensia.corpus import read_corpus
from forensia.features import Block, FeatureSpace, Vectors, count_documents
from forensia.language import load_model


@pytest.fixture(scope="session")
def sample() -> tuple[Vectors, list[str]]:
    """The 120 known texts of the sample case and their authors."""
    corpus = read_corpus(Path(paths.sample_case() / "known"))
    labels = [document.author for document in corpus.documents]
    counts = count_documents(corpus.documents, load_model())
    return FeatureSpace().fit(counts, labels).transform(counts), labels


def random_vectors(seed: int, documents: int, dense: int = 4, sparse: int = 30, density: float = 0.3) -> Vectors:
    """Small made-up vectors."""
    from scipy.sparse import random

    rng = np.random.default_rng(seed)
    matrix = random(documents, sparse, density, format="csr", dtype=np.float32, random_state=rng)
    matrix.sort_indices()
    blocks = (Block("function words", True, 0, dense), Block("words", False, 0, sparse))
    return Vectors(rng.normal(size=(documents, dense)).astype(np.float32), matrix, blocks)


def explicit(vectors: Vectors, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Diff-vectors written out, the straightforward way."""
    whole = np.hstack((vectors.dense, vectors.sparse.toarray())).astype(np.float64)
    return np.abs(whole[first] - whole[second])

"""The operator does what the written-out matrix of diff-vectors would do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.diffvectors import operator as module
from forensia.diffvectors.operator import DiffOperator
from forensia.diffvectors.pairs import sample_pairs
from forensia.features import Vectors
from tests.diffvectors.conftest import explicit, random_vectors


@given(st.integers(0, 10_000), st.integers(0, 5), st.integers(0, 30))
def test_products_equal_the_explicit_matrix(seed: int, dense: int, sparse: int) -> None:
    vectors = random_vectors(seed, 12, dense, sparse)
    pairs = sample_pairs([0, 1, 2] * 4, seed)
    operator = DiffOperator(vectors, pairs)
    matrix = np.hstack((explicit(vectors, pairs.first, pairs.second), np.ones((len(pairs), 1))))
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(operator.shape[1], 3)).astype(np.float32)
    residuals = rng.normal(size=(operator.shape[0], 3)).astype(np.float32)
    assert np.allclose(operator.forward(weights), matrix @ weights, atol=1e-4)
    assert np.allclose(operator.backward(residuals), matrix.T @ residuals, atol=1e-4)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_and_pieces_do_not_change_a_bit(
    sample: tuple[Vectors, list[str]], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors, labels = sample
    monkeypatch.setattr(module, "PIECE", 300)
    pairs = sample_pairs(labels, 0)
    one = DiffOperator(vectors, pairs)
    monkeypatch.setattr(module, "PART", 70)
    many = DiffOperator(vectors, pairs, threads=threads)
    weights = np.random.default_rng(0).normal(size=(one.shape[1], 5)).astype(np.float32)
    forward = one.forward(weights)
    assert (forward == many.forward(weights)).all()
    assert (one.backward(forward) == many.backward(forward)).all()


def test_preconditioner_is_symmetric_and_positive() -> None:
    """Conjugate gradients need that."""
    vectors = random_vectors(3, 20, 3, 40)
    pairs = sample_pairs([0, 1, 2, 3] * 5, 0)
    operator = DiffOperator(vectors, pairs)
    operator.preconditioner.update(np.random.default_rng(0).uniform(0, 0.25, (len(pairs), 1)).astype(np.float32), 10.0)
    unit = np.eye(operator.shape[1], dtype=np.float32)
    inverse = np.hstack(
        [operator.preconditioner.apply(unit[:, [column]], np.array([0])) for column in range(len(unit))]
    )
    assert np.allclose(inverse, inverse.T, atol=1e-5)
    assert np.linalg.eigvalsh((inverse + inverse.T) / 2).min() > 0


@pytest.mark.parametrize(("pieces", "most"), [(4096, 8000), (7, 8000), (7, 20)])
def test_how_sums_explain_differences_is_that_of_written_out_pairs(
    pieces: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over all pairs, and over every few of them."""
    monkeypatch.setattr(module, "PIECE", pieces)
    monkeypatch.setattr(module, "EXPLAINED", most)
    vectors = random_vectors(3, 20, 0, 40)
    pairs = sample_pairs([0, 1, 2, 3] * 5, 0)
    shared = [piece.shared for piece in DiffOperator(vectors, pairs)._pieces]
    factor, left = module._explain(vectors.sparse, module.incidence(pairs, 20), shared)
    every = -(-len(pairs) // most)
    first, second = pairs.first[::every], pairs.second[::every]
    whole = vectors.sparse.toarray().astype(np.float64)
    total, apart = whole[first] + whole[second], explicit(vectors, first, second)
    expected = (total * apart).sum(axis=0) / (total**2).sum(axis=0)
    assert np.allclose(factor, expected, atol=1e-6)
    assert np.allclose(left, ((apart - expected * total) ** 2).mean(axis=0), atol=1e-6)

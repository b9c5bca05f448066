"""Centred cosines against plain arithmetic, and who counts for the mean that is taken from two texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from forensia.features.weighting import products
from forensia.systems.centred import NOBODY, AuthorMeans

CODES = np.array([0, 0, 0, 1, 2, 2, 3, 3, 3, 3])
AUTHORS = 4


def unit_rows(seed: int, texts: int) -> NDArray[np.float64]:
    found = np.random.default_rng(seed).random((texts, 12)) * (
        np.random.default_rng(seed + 1).random((texts, 12)) < 0.6
    )
    found[:, 0] += 0.1  # no text is empty
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def plainly(x: NDArray[np.float64], y: NDArray[np.float64], known: NDArray[np.float64], without: set[int]) -> float:
    """The definition: the mean of the means of those who count is taken from both vectors."""
    means = [known[code == CODES].mean(axis=0) for code in sorted(set(CODES.tolist()) - without)]
    mean = np.mean(means, axis=0) if means else np.zeros(len(x))
    x, y = x - mean, y - mean
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def cosines(first: NDArray[np.float64], second: NDArray[np.float64], without: list[list[int]]) -> NDArray[np.float64]:
    means = AuthorMeans.of(csr_matrix(unit_rows(0, len(CODES))), CODES, AUTHORS)
    rows = np.arange(len(first))
    return means.cosines(csr_matrix(first), csr_matrix(second), first @ second.T, rows, rows, np.array(without))


WITHOUT = [[NOBODY, NOBODY], [2, NOBODY], [NOBODY, 1], [0, 3], [3, 3], [1, 2]]


@pytest.mark.parametrize("without", WITHOUT)
def test_the_cosine_of_two_vectors_less_the_mean_of_those_who_count(without: list[int]) -> None:
    known, first, second = unit_rows(0, len(CODES)), unit_rows(5, 6), unit_rows(9, 6)
    expected = [plainly(x, y, known, set(without)) for x, y in zip(first, second, strict=True)]
    assert cosines(first, second, [without] * 6) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 1000), st.sampled_from(WITHOUT))
def test_neither_text_comes_first(seed: int, without: list[int]) -> None:
    first, second = unit_rows(seed, 3), unit_rows(seed + 50, 3)
    forth = cosines(first, second, [without] * 3)
    assert forth == pytest.approx(cosines(second, first, [without[::-1]] * 3), abs=1e-12)
    assert (np.abs(forth) <= 1 + 1e-9).all()
    assert cosines(first, first, [without] * 3) == pytest.approx(1.0)


def test_every_author_counts_the_same_however_many_texts_there_are() -> None:
    known = unit_rows(0, len(CODES))
    twice = AuthorMeans.of(csr_matrix(np.vstack((known, known[6:]))), np.append(CODES, CODES[6:]), AUTHORS)
    texts, rows, nobody = csr_matrix(unit_rows(5, 4)), np.arange(3), np.full((3, 2), NOBODY)
    once = AuthorMeans.of(csr_matrix(known), CODES, AUTHORS)
    found = [means.cosines(texts, texts, products(texts, texts), rows, rows + 1, nobody) for means in (once, twice)]
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_an_author_without_texts_changes_nothing() -> None:
    known, texts = csr_matrix(unit_rows(0, len(CODES))), csr_matrix(unit_rows(5, 2))
    one, nobody = np.zeros(1, np.intp), np.full((1, 2), NOBODY)
    more = AuthorMeans.of(known, CODES, AUTHORS + 2)
    expected = AuthorMeans.of(known, CODES, AUTHORS).cosines(texts, texts, products(texts, texts), one, one + 1, nobody)
    for without in (nobody, np.array([[4, NOBODY]]), np.array([[5, 4]])):
        assert more.cosines(texts, texts, products(texts, texts), one, one + 1, without) == pytest.approx(
            expected, abs=1e-12
        )


def test_what_is_left_of_nothing_is_nothing() -> None:
    """An empty text where nobody counts, and no texts at all: a plain cosine, or none."""
    texts = csr_matrix(np.array([[0.0, 0.0], [1.0, 0.0], [0.6, 0.8]]))
    means = AuthorMeans.of(csr_matrix(np.eye(2)), np.array([0, 1]), 2)
    i, j, both = np.array([0, 1, 1]), np.array([1, 2, 1]), np.array([[0, 1]] * 3)
    assert means.cosines(texts, texts, products(texts, texts), i, j, both) == pytest.approx([0.0, 0.6, 1.0])

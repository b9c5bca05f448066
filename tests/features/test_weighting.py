"""Weights of features against the formula written down plainly, and products of sparse rows against those of dense ones."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random

from forensia.features import weighting
from forensia.features.counts import CountTable, extract
from forensia.features.vectors import LAYOUT, MASKED
from forensia.features.weighting import WeightedFamily, products

TEXT = st.lists(st.sampled_from(["cat", "dog", "the", "a", "of", "rare", "owl"]), max_size=12).map(" ".join)


def words(texts: list[str]) -> CountTable:
    return extract(texts, None, ["words"]).table("words")


def plain_vectors(known: list[str], texts: list[str]) -> list[dict[str, float]]:
    """(1 + ln tf)(ln((1 + N)/(1 + df)) + 1) of what three known texts have, divided by its length."""
    frequency = Counter(word for text in known for word in set(text.split()))
    found = []
    for text in texts:
        weights = {
            word: (1 + log(count)) * (log((1 + len(known)) / (1 + frequency[word])) + 1)
            for word, count in Counter(text.split()).items()
            if frequency[word] >= min(3, len(known))
        }
        length = sqrt(sum(weight**2 for weight in weights.values()))
        found.append({word: weight / length for word, weight in weights.items()})
    return found


@given(st.lists(TEXT, min_size=1, max_size=8), st.lists(TEXT, max_size=4))
def test_formula(known: list[str], texts: list[str]) -> None:
    family = WeightedFamily.fit(words(known))
    vectors = family.vectors(words(texts))
    for row, expected in zip(vectors, plain_vectors(known, texts), strict=True):
        found = {family.keys.words[column]: value for column, value in zip(row.indices, row.data, strict=True)}
        assert found == pytest.approx(expected, rel=1e-6)
    assert np.isin(np.round(vectors.multiply(vectors).sum(axis=1), 5), (0.0, 1.0)).all(), "length one, or nothing known"


def test_what_occurs_in_every_text_counts_and_what_two_texts_have_does_not() -> None:
    family = WeightedFamily.fit(words(["the cat", "the cat", "the dog", "the dog", "the dog"]))
    assert family.keys.words == ("dog", "the")
    assert family.rarity == pytest.approx([log(6 / 4) + 1, 1.0])


def test_a_text_is_weighed_by_the_known_texts_alone() -> None:
    family = WeightedFamily.fit(words(["the cat", "the cat", "dog dog the"]))
    alone = family.vectors(words(["the cat sat"]))
    among = family.vectors(words(["the cat sat", "a new word", "sat sat", "cat"]))
    assert (alone != among[:1]).nnz == 0
    assert family.vectors(words(["nothing known here"])).nnz == 0


@pytest.mark.parametrize("name", [MASKED, LAYOUT, "character n-grams", "function words"])
def test_each_family_is_weighed_by_its_keys_whatever_else_is_in_the_table(name: str) -> None:
    known = ["Dear Bob,\n\nI am well, and so is the cat.", "Dear Ann, I am not well.\nAnd you?", "THE CAT IS OK"] * 2
    other = "ZZ!! dear ann: i am the cat; and\tso is 4,711"
    family = WeightedFamily.fit(extract(known, None, [name]).table(name))
    alone = family.vectors(extract([other], None, [name]).table(name))
    among = family.vectors(extract([*known, other], None, [name]).table(name))[6:]
    assert alone.nnz and (alone != among).nnz == 0


def table(rows: int, common: int, rare: int, seed: int) -> csr_matrix:
    """Columns that nearly every row has, columns that few have, and some that none has."""
    rng = np.random.default_rng(seed)
    parts = [
        np.ones((rows, 1)) * 0.3,
        random(rows, common, 0.9, random_state=rng),
        random(rows, rare, 0.01, random_state=rng),
    ]
    return csr_matrix(
        np.hstack([part if isinstance(part, np.ndarray) else part.toarray() for part in parts]), dtype=np.float32
    )


@pytest.mark.parametrize(("common", "rare"), [(0, 0), (40, 0), (0, 400), (40, 400)])
@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize("block", [1, 7, 4_096])
def test_products(monkeypatch: pytest.MonkeyPatch, common: int, rare: int, rows: int, block: int) -> None:
    monkeypatch.setattr(weighting, "COLUMNS", block)
    known = table(100, common, rare, 1)
    texts = known if rows == 100 else table(rows, common, rare, 2)
    before = known.copy()
    for first, second in ((texts, known), (known, texts), (known, known)):
        expected = first.toarray().astype(np.float64) @ second.toarray().astype(np.float64).T
        found = products(first, second)
        assert found.dtype == np.float64 and np.abs(found - expected).max() < 1e-12
    assert np.array_equal(products(known, known), products(known, known).T), "symmetric to the last bit"
    assert (known != before).nnz == 0, "as they were"


def test_products_of_nothing() -> None:
    empty = csr_matrix((3, 5), dtype=np.float32)
    assert np.array_equal(products(empty, empty), np.zeros((3, 3)))
    assert products(csr_matrix((0, 5), dtype=np.float32), empty).shape == (0, 3)

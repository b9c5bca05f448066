"""The counter of n-grams gives what a plain loop and scikit-learn give, for any text at all."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from forensia.features import texts as counting
from forensia.features.counts import CHARACTER_SIZES
from forensia.features.texts import code_points, count_ngrams, folded
from forensia.features.vectors import symbols

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
FEW_LETTERS = st.text("ab \n", max_size=80)


def _counted(texts: list[str]) -> list[dict[str, int]]:
    """The counts of each text, read back from the matrix."""
    keys, matrix = count_ngrams((code_points(text) for text in texts), CHARACTER_SIZES, len(texts))
    assert matrix.shape == (len(texts), len(keys))
    names = ["".join(chr(code - 1) for code in row if code) for row in symbols(keys.array).tolist()]
    assert names == sorted(set(names), key=lambda name: (len(name), name))
    assert matrix.has_canonical_format
    return [{names[column]: int(count) for column, count in zip(row.indices, row.data, strict=True)} for row in matrix]


def _plain(text: str) -> dict[str, int]:
    return dict(Counter(text[start : start + n] for n in CHARACTER_SIZES for start in range(len(text) - n + 1)))


@given(st.lists(ANY_TEXT | FEW_LETTERS, max_size=6))
def test_any_texts(texts: list[str]) -> None:
    assert _counted(texts) == [_plain(text) for text in texts]


@pytest.mark.parametrize(("batch", "table"), [(7, 1 << 24), (1, 1 << 24), (50, 0), (1 << 19, 0)])
def test_any_size_of_batch_and_table(monkeypatch: pytest.MonkeyPatch, batch: int, table: int) -> None:
    monkeypatch.setattr(counting, "BATCH", batch)
    monkeypatch.setattr(counting, "_TABLE", table)

    @settings(max_examples=60)
    @given(st.lists(ANY_TEXT | FEW_LETTERS, max_size=6))
    def check(texts: list[str]) -> None:
        assert _counted(texts) == [_plain(text) for text in texts]

    check()


def test_an_alphabet_of_thousands() -> None:
    generator = np.random.default_rng(5)
    texts = ["".join(map(chr, generator.integers(0x4E00, 0x9FFF, 3_000))) for _ in range(3)]
    assert len(set("".join(texts))) > 4_096
    assert _counted(texts) == [_plain(text) for text in texts]


def test_counts_beyond_two_bytes() -> None:
    assert _counted(["a" * 70_000])[0] == _plain("a" * 70_000)


@given(ANY_TEXT)
def test_folding(text: str) -> None:
    plain = []
    for sign in text:
        if not sign.isspace():
            plain.append(sign)
        elif plain[-1:] != [" "]:
            plain.append(" ")
    assert folded(text) == "".join(plain)


def test_real_text_as_scikit_learn_counts_it(texts: list[str]) -> None:
    plain = [folded(text) for text in texts]
    vectorizer = CountVectorizer(analyzer="char", ngram_range=(2, 5), lowercase=False)
    expected = vectorizer.fit_transform(plain)
    names = vectorizer.get_feature_names_out()
    order = sorted(range(len(names)), key=lambda column: (len(names[column]), names[column]))
    _keys, matrix = count_ngrams(map(code_points, plain), CHARACTER_SIZES, len(plain))
    assert (matrix.astype(np.int64) != expected[:, order]).nnz == 0

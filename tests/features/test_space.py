"""The feature space: equal to the plain recipe on real text, blind to test documents, to order and to names."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.feature_selection import chi2

from forensia.bench import reference
from forensia.corpus.document import Corpus, Document, text_hash
from forensia.errors import InputError, SettingsError
from forensia.features import FAMILIES, GROUP_1, GROUP_2, Counts, FeatureSpace, Vectors, extract
from forensia.features.weighting import (
    Weights,
    chi_square,
    classes,
    document_frequency,
    fingerprints,
    inverse_frequency,
)
from forensia.language import Analysis, LanguageModel, analyse
from forensia.paths import sample_case

KEEP = 3_000


@pytest.fixture(scope="module")
def analyses(texts: list[str], model: LanguageModel) -> list[Analysis]:
    return analyse(texts, model)


@pytest.fixture(scope="module")
def counts(texts: list[str], analyses: list[Analysis]) -> Counts:
    return extract(texts, analyses)


@pytest.fixture(scope="module")
def authors() -> list[str]:
    """Who wrote each of `texts`; the disputed ones are an author of their own here."""
    files = sorted(sample_case().rglob("*.txt"))
    return [file.parent.parent.name if "known" in file.parts else "disputed" for file in files]


@pytest.fixture(scope="module")
def space(counts: Counts, authors: list[str]) -> FeatureSpace:
    return FeatureSpace(keep=KEEP).fit(counts, authors)


def _same(one: Vectors, other: Vectors) -> bool:
    """Equal to the last bit."""
    return (
        one.blocks == other.blocks
        and np.array_equal(one.dense, other.dense)
        and np.array_equal(one.sparse.indptr, other.sparse.indptr)
        and np.array_equal(one.sparse.indices, other.sparse.indices)
        and np.array_equal(one.sparse.data, other.sparse.data)
    )


def _state(space: FeatureSpace) -> str:
    arrays, rest = space.to_arrays()
    return repr(
        sorted((name, array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.items())
    ) + json.dumps(rest)


def test_equal_to_the_plain_recipe(
    texts: list[str], authors: list[str], model: LanguageModel, counts: Counts, space: FeatureSpace
) -> None:
    tagged = reference.tag(texts, model.pipeline.nlp)
    plain = reference.features(texts, authors, model.function_words, tagged, keep=KEEP)
    vectors = space.transform(counts)
    names = space.names()
    assert vectors.dense.dtype == vectors.sparse.dtype == np.float32
    assert vectors.sparse.copy().has_canonical_format
    assert vectors.sparse.data.min() > 0
    place = {name: column for column, name in enumerate(reference.names(plain))}
    width = vectors.dense.shape[1]
    order = [place[name] for name in names[:width]]
    assert sorted(order) == list(range(plain.dense.shape[1]))
    np.testing.assert_allclose(vectors.dense, plain.dense[:, order], rtol=1e-4, atol=1e-5)
    # Of features with the very same chi-square at the threshold either may be kept.
    common = [(column, place[name] - width) for column, name in enumerate(names[width:]) if name in place]
    assert len(common) > 0.95 * KEEP
    left, right = zip(*common, strict=True)
    np.testing.assert_allclose(
        vectors.sparse[:, list(left)].toarray(), plain.sparse[:, list(right)].toarray(), rtol=1e-5, atol=1e-7
    )


def test_chi_square_is_that_of_scikit_learn(counts: Counts, authors: list[str]) -> None:
    for family in GROUP_2:
        table = counts.table(family).counts
        idf = inverse_frequency(document_frequency(table), len(counts))
        weights = Weights.of(table, idf)
        plain = reference.ltc(table.astype(np.float64))
        plain.data[np.abs(plain.data) < 1e-12] = 0
        with np.errstate(all="ignore"):
            expected, _p = chi2(plain, authors)
        own = chi_square(weights, classes(authors, fingerprints([table])))
        known = np.asarray(plain.sum(axis=0)).ravel() > 0
        assert np.isnan(own[~known]).all()
        np.testing.assert_allclose(own[known], expected[known], rtol=1e-9, atol=1e-12)


def test_no_other_feature_is_better(counts: Counts, authors: list[str], space: FeatureSpace) -> None:
    scores = []
    kept = []
    for part in space.sparse_:
        table = counts.table(part.family).counts
        weights = Weights.of(table, inverse_frequency(document_frequency(table), len(counts)))
        scores.append(chi_square(weights, classes(authors, fingerprints([t.counts for t in counts.tables]))))
        kept.append(np.isin(np.arange(len(part.keys)), part.kept))
    joined, chosen = np.concatenate(scores), np.concatenate(kept)
    assert chosen.sum() == KEEP
    assert joined[chosen].min() >= np.nanmax(joined[~chosen])


def test_ltc_by_hand(model: LanguageModel) -> None:
    documents = ["alpha beta beta", "alpha gamma", "delta"]
    counts = extract(documents, None, ["words"])
    space = FeatureSpace(["words"]).fit(counts, ["a", "b", "c"])
    row = dict(zip(space.names(), space.transform(counts).sparse.toarray()[0].tolist(), strict=True))
    alpha, beta = math.log(3 / 2), (1 + math.log(2)) * math.log(3)
    norm = math.hypot(alpha, beta)
    assert row["word 'alpha'"] == pytest.approx(alpha / norm, rel=1e-6)
    assert row["word 'beta'"] == pytest.approx(beta / norm, rel=1e-6)
    assert row["word 'gamma'"] == 0


def test_group_1_by_hand() -> None:
    documents = ["The the cat; sat.", "A dog, a DOG."]
    counts = extract(documents, None, ["function words", "word lengths", "punctuation"])
    space = FeatureSpace(counts.families).fit(counts, ["a", "b"])
    names = space.names()
    assert "function word 'the'" in names
    assert "word length 3" in names
    assert "word length 1" in names
    assert "punctuation: full stop" not in names, "half of the marks in both documents: constant"
    assert "punctuation: semicolon" in names
    dense = space.transform(counts).dense
    assert np.allclose(np.abs(dense), 1)  # two documents: one deviation from the mean on either side


def test_only_training_documents_are_learnt_from(
    texts: list[str], analyses: list[Analysis], authors: list[str], model: LanguageModel, counts: Counts
) -> None:
    training = np.arange(len(texts)) % 3 != 0
    labels = [author for author, kept in zip(authors, training, strict=True) if kept]
    space = FeatureSpace(keep=KEEP).fit(counts.rows(training), labels)
    canary = "Zyzzogeton quuxbar; ʘʘʘ "
    changed = [text if kept else canary * 40 + text[::-1] for text, kept in zip(texts, training, strict=True)]
    other_counts = extract(changed, analyse(changed, model))
    other = FeatureSpace(keep=KEEP).fit(other_counts.rows(training), labels)
    assert _state(other) == _state(space)
    assert not any("zyzz" in name.lower() or "ʘ" in name for name in other.names())
    alone = FeatureSpace(keep=KEEP).fit(
        extract(
            [t for t, k in zip(texts, training, strict=True) if k],
            [a for a, k in zip(analyses, training, strict=True) if k],
        ),
        labels,
    )
    assert _state(alone) == _state(space)
    # The vector of a document is the same whatever it was counted with.
    held_out = np.flatnonzero(~training)[:3]
    single = [extract([texts[row]], [analyses[row]]) for row in held_out]
    for row, one in zip(held_out, single, strict=True):
        assert _same(space.transform(one), space.transform(counts.rows([row])))


def test_order_and_names_do_not_matter(
    texts: list[str], analyses: list[Analysis], authors: list[str], space: FeatureSpace, counts: Counts
) -> None:
    order = list(range(len(texts)))
    random.Random(3).shuffle(order)
    renamed = {name: f"{number:03}" for number, name in enumerate(sorted(set(authors), reverse=True))}
    shuffled = extract([texts[row] for row in order], [analyses[row] for row in order])
    other = FeatureSpace(keep=KEEP).fit(shuffled, [renamed[authors[row]] for row in order])
    assert _state(other) == _state(space)
    assert _same(other.transform(shuffled), space.transform(counts.rows(order)))


@pytest.mark.parametrize("text", ["", "   \n", "?!;; ...", "12 34 5678", "\u200b\u200b", "日本", "a", "x" * 5_000])
def test_odd_documents_are_finite(model: LanguageModel, space: FeatureSpace, text: str) -> None:
    vectors = space.transform(extract([text], analyse([text], model)))
    assert np.isfinite(vectors.dense).all()
    assert np.isfinite(vectors.sparse.data).all()


@pytest.mark.parametrize("odd", [["", "", ""], ["!", "?", "!?"], ["1 2", "3", ""], ["same text"] * 3])
def test_training_on_odd_documents_is_finite(model: LanguageModel, odd: list[str]) -> None:
    counts = extract(odd, analyse(odd, model))
    vectors = FeatureSpace().fit_transform(counts, ["a", "b", "a"])
    assert np.isfinite(vectors.dense).all()
    assert np.isfinite(vectors.sparse.data).all()
    assert len(vectors) == 3


def test_families_can_be_left_out(counts: Counts, authors: list[str]) -> None:
    space = FeatureSpace(keep=KEEP).without("sentence lengths", "POS n-grams").fit(counts, authors)
    vectors = space.transform(counts)
    assert [block.family for block in vectors.blocks] == [
        family for family in FAMILIES if family not in ("sentence lengths", "POS n-grams")
    ]
    for family in FAMILIES:
        alone = FeatureSpace([family]).fit_transform(counts, authors)
        assert len(alone.blocks) == 1
        assert bool(alone.dense.shape[1]) is (family in GROUP_1)
    with pytest.raises(SettingsError):
        FeatureSpace(["colours"])
    with pytest.raises(ValueError, match="counted without"):
        space.transform(extract(["a"], None, ["punctuation"]))
    with pytest.raises(ValueError, match="need analyses"):
        extract(["a"], None)


def test_documents_without_sentences_are_marked(model: LanguageModel) -> None:
    odd = ["One sentence. Another one.", "words and words without an end " * 30]
    assert extract(odd, analyse(odd, model)).no_sentences.tolist() == [False, True]


def test_columns_know_their_family(space: FeatureSpace, counts: Counts) -> None:
    vectors = space.transform(counts)
    assert space.width == vectors.dense.shape[1] + vectors.sparse.shape[1]
    families = [space.family(column) for column in range(space.width)]
    for block in vectors.blocks:
        offset = 0 if block.dense else vectors.dense.shape[1]
        assert set(families[offset + block.start : offset + block.stop]) <= {block.family}
    names = space.names()
    assert len(set(names)) == space.width
    for expected in ("function word 'the'", "word length 7", "sentence of 12 words", "punctuation: comma"):
        assert expected in names
    assert any(name.startswith("characters '·") for name in names)
    assert any(name.startswith("POS 'DET ") for name in names)
    with pytest.raises(IndexError):
        space.feature_name(space.width)


def test_columns_are_found_in_another_space(space: FeatureSpace, counts: Counts, authors: list[str]) -> None:
    """By their names, with features that only one of them has, and whole families."""
    some = np.arange(0, len(counts), 2)
    other = FeatureSpace(keep=KEEP).without("POS n-grams", "punctuation").fit(counts.rows(some), authors[::2])
    for mine, theirs in ((space, other), (other, space), (space, space)):
        place = {name: column for column, name in enumerate(theirs.names())}
        assert mine.columns_in(theirs).tolist() == [place.get(name, -1) for name in mine.names()]
    assert set(other.names()) - set(space.names()), "they do differ"


def test_stored_and_read_back(space: FeatureSpace, counts: Counts) -> None:
    arrays, rest = space.to_arrays()
    assert not any(array.dtype.hasobject for array in arrays.values())
    again = FeatureSpace.from_arrays(arrays, json.loads(json.dumps(rest)))
    assert again.names() == space.names()
    assert _same(again.transform(counts), space.transform(counts))


def _forged(name: str, array: NDArray[np.generic]) -> list[NDArray[np.generic]]:
    if name.endswith("keys"):
        return [array[::-1].copy(), array.astype(np.float64)]
    if name.endswith(("mean", "deviation")):
        return [array[:-1], array * np.nan, array.astype(np.float32)]
    if name.endswith("frequency"):
        return [array[:-1], array * 0, array + 1_000]
    return [array[::-1].copy(), array + 10**9, array.astype(np.int32)] if name.endswith("kept") else []


def test_forged_arrays_are_refused(space: FeatureSpace) -> None:
    arrays, rest = space.to_arrays()
    tried = 0
    for name, array in arrays.items():
        for bad in _forged(name, array):
            with pytest.raises(InputError):
                FeatureSpace.from_arrays({**arrays, name: bad}, rest)
            tried += 1
        with pytest.raises(InputError):
            FeatureSpace.from_arrays({key: kept for key, kept in arrays.items() if key != name}, rest)
    assert tried > 20
    for change in ({"format": 2}, {"mask": "paint"}, {"families": ["colours"]}, {"documents": None}):
        with pytest.raises(InputError):
            FeatureSpace.from_arrays(arrays, {**rest, **change})


def test_a_corpus_is_read_and_learnt(texts: list[str], authors: list[str], model: LanguageModel) -> None:
    some = range(0, len(texts), 4)
    corpus = Corpus.of(
        Document(author=authors[row], title=str(row), body=texts[row], sha256_text=text_hash(texts[row]))
        for row in some
    )
    space = FeatureSpace(keep=KEEP).fit(corpus, model=model)
    vectors = space.transform(corpus.documents, model=model)
    own = [document.text for document in corpus.documents]
    counts = extract(own, analyse(own, model), function_words=model.function_words)
    assert _same(vectors, FeatureSpace(keep=KEEP).fit_transform(counts, [d.author for d in corpus.documents]))
    with pytest.raises(InputError):
        FeatureSpace().fit(Corpus.of([]), model=model)

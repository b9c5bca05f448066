"""From a corpus to rankings: both profiles, the promises about what a model may have seen, and storage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from forensia import paths
from forensia.attribution.lazy import author_scores, choose_k
from forensia.attribution.pairmodel import TrainingOptions, fit_pairs
from forensia.corpus import Corpus, read_corpus
from forensia.diffvectors import Scorer
from forensia.evidence.crossfit import Texts, author_folds, crossfit_documents
from forensia.evidence.training import TrainedModel, train
from forensia.features import Counts, count_documents
from forensia.language import LanguageModel, MemoryCache, load_model


@pytest.fixture(scope="module")
def language() -> LanguageModel:
    return load_model()


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    whole = read_corpus(Path(paths.sample_case() / "known"))
    wanted = whole.authors[:5]
    return Corpus.of(document for document in whole.documents if document.author in wanted)


@pytest.fixture(scope="module")
def cache() -> MemoryCache:
    return MemoryCache()


@pytest.fixture(scope="module")
def counts(corpus: Corpus, language: LanguageModel, cache: MemoryCache) -> Counts:
    return count_documents(corpus.documents, language, cache=cache)


@pytest.fixture(scope="module")
def model(corpus: Corpus, language: LanguageModel, cache: MemoryCache) -> TrainedModel:
    return train(corpus, TrainingOptions(), language, cache=cache)


def test_out_of_fold_scores_come_from_models_without_the_document(corpus: Corpus, counts: Counts) -> None:
    """One fold, done again by hand: fit on the others, score against the others."""
    labels = [document.author for document in corpus.documents]
    options = TrainingOptions(seed=4)
    factors = {"words": 1.0}
    found = crossfit_documents(Texts(counts, labels), options, factors)
    train_rows, test_rows = np.flatnonzero(found.fold != 2), np.flatnonzero(found.fold == 2)
    fitted = fit_pairs(counts.rows(train_rows), [labels[row] for row in train_rows], options, factors=factors)
    known, queries = fitted.vectors(counts.rows(train_rows)), fitted.vectors(counts.rows(test_rows))
    assert np.array_equal(found.log_odds[np.ix_(test_rows, train_rows)], Scorer(fitted.model, known).log_odds(queries))
    same_fold = found.fold[:, None] == found.fold
    assert np.isnan(found.log_odds[same_fold]).all() and not np.isnan(found.log_odds[~same_fold]).any()


def test_author_folds_never_split_an_author() -> None:
    labels = list(np.repeat(list("abcdefg"), 4))
    folds = author_folds(labels, 5, 0)
    assert all(len(set(folds[np.array(labels) == author])) == 1 for author in "abcdefg")
    assert len(set(folds)) > 1


def test_both_profiles_rank_and_give_probabilities(
    corpus: Corpus, counts: Counts, language: LanguageModel, model: TrainedModel, cache: MemoryCache
) -> None:
    paper = train(corpus, TrainingOptions(profile="paper"), language, cache=cache)
    for trained in (model, paper):
        ranking = trained.rank(counts.rows([0, 7]))[1]
        assert ranking.pr_same.shape == (len(corpus),) and ranking.lazy.shape == ranking.stacked.shape == (5,)
        assert ((ranking.pr_same >= 0) & (ranking.pr_same <= 1)).all()
        assert ranking.stacked.sum() == pytest.approx(1)
        assert trained.authors[int(ranking.lazy.argmax())] == corpus.documents[7].author
    assert not paper.fitted.factors and model.fitted.factors


def test_a_text_without_sentences_is_ranked_without_their_lengths(
    corpus: Corpus, language: LanguageModel, model: TrainedModel
) -> None:
    from dataclasses import replace

    whole = corpus.documents[3]
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in whole.text)
    counts = count_documents([whole, replace(whole, original=bare)], language)
    assert list(counts.no_sentences) == [False, True]
    normal, stripped = model.rank(counts)
    expected = model.without("sentence lengths").rank_vectors(model.fitted.vectors(counts))
    assert (stripped.pr_same == expected[1].pr_same).all() and (normal.pr_same != expected[0].pr_same).any()


def test_stored_and_read_again_it_says_the_same(model: TrainedModel, counts: Counts) -> None:
    arrays, header = model.to_arrays()
    again = TrainedModel.from_arrays(arrays, header)
    for ours, theirs in zip(model.rank(counts), again.rank(counts), strict=True):
        assert (ours.pr_same == theirs.pr_same).all() and (ours.stacked == theirs.stacked).all()
    assert again.options == model.options and again.k == model.k and again.fitted.training == model.fitted.training


def test_same_seed_same_model(corpus: Corpus, language: LanguageModel, model: TrainedModel, cache: MemoryCache) -> None:
    """Trained again with two threads, renamed authors and other file names: the same numbers to the bit."""
    from dataclasses import replace

    renamed = corpus.changed(
        lambda document: replace(document, author=f"z{document.author[::-1]}", path=f"{document.sha256_text[-6:]}")
    )
    again = train(renamed, TrainingOptions(), language, jobs=2, cache=cache)
    first, second = model.to_arrays()[0], again.to_arrays()[0]
    assert first.keys() == second.keys()
    assert [name for name in first if not np.array_equal(first[name], second[name])] == []


def test_lazy_against_a_plain_implementation() -> None:
    rng = np.random.default_rng(0)
    codes = np.array([0, 1, 0, 2, 1, 0, 2, 2, 1, 0])
    h = rng.uniform(size=(10, 10))
    for k in (1, 2, 3, 9):
        plain = [[np.mean(sorted(row[codes == a], reverse=True)[:k]) for a in range(3)] for row in h]
        assert np.allclose(author_scores(h, codes, k), plain)
    choice = choose_k(h, codes)
    k, curve = choice.k, choice.curve
    expected = []
    for candidate in range(1, 5):
        right = 0
        for row in range(10):
            others = np.arange(10) != row
            scores = [np.mean(sorted(h[row, others & (codes == a)], reverse=True)[:candidate]) for a in range(3)]
            right += int(np.argmax(scores) == codes[row])
        expected.append(right / 10)
    assert np.allclose(curve, expected) and k == int(np.argmax(expected)) + 1
    np.fill_diagonal(h, 99.0)
    assert choose_k(h, codes).curve == curve, "the document itself never counts"

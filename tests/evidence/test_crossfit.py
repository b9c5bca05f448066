"""Scores from models that have not seen the document: the folds, one of them done again by hand, and going on after a stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import Corpus
from forensia.diffvectors import PairModel, Scorer, TooFewPairs, matrix_log_odds
from forensia.diffvectors.logistic import TOLERANCE
from forensia.evidence import crossfit
from forensia.evidence.crossfit import (
    FEWEST_AUTHORS,
    Crossfit,
    MemoryStore,
    OutOfFold,
    author_folds,
    document_folds,
    units,
)
from forensia.evidence.knowntexts import Texts
from forensia.features import FeatureSpace, count_documents
from forensia.language import LanguageModel
from forensia.profile import FORENSIC, QUICK
from forensia.systems.pairmodel import FittedPairs, TrainingOptions, fit_pairs

OPTIONS = TrainingOptions(seed=4, families=("function words", "words"))
FOLDS = OPTIONS.profile.effort.folds

# An author, and which of the author's units a document belongs to.
grouped = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), min_size=1, max_size=60)


@given(grouped, st.integers(0, 3))
def test_document_folds_split_no_unit_and_spread_each_author(documents: list[tuple[int, int]], seed: int) -> None:
    labels = [f"author {author}" for author, _ in documents]
    first: dict[tuple[int, int], int] = {}
    together = np.array([first.setdefault(document, row) for row, document in enumerate(documents)])
    fold = document_folds(labels, together, FOLDS, seed)
    for unit in np.unique(together):
        assert len(set(fold[together == unit])) == 1
    assert set(fold) == set(range(fold.max() + 1)), "no fold is empty"
    for author in set(labels):
        mine = np.array([label == author for label in labels])
        sizes = np.unique(together[mine], return_counts=True)[1]
        load = np.bincount(fold[mine], minlength=FOLDS)
        assert len(set(fold[mine])) == min(FOLDS, len(sizes)), "as many folds as there can be"
        assert load.max() - load.min() <= sizes.max()
    renamed = [f"{label}!"[::-1] for label in labels]
    assert (document_folds(renamed, together, FOLDS, seed) == fold).all()


@given(st.lists(st.integers(0, 8), min_size=1, max_size=80), st.integers(0, 3))
def test_documents_without_units_are_spread_evenly(authors: list[int], seed: int) -> None:
    fold = document_folds([str(author) for author in authors], np.arange(len(authors)), FOLDS, seed)
    mine = np.array(authors)
    assert all(np.ptp(np.bincount(fold[mine == author], minlength=FOLDS)) <= 1 for author in set(authors))
    assert np.ptp(np.bincount(fold, minlength=FOLDS)) <= 1


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.integers(0, 3))
def test_author_folds_split_no_author(authors: list[int], seed: int) -> None:
    fold = author_folds([str(author) for author in authors], FOLDS, seed)
    of_author = {author: set(fold[np.array(authors) == author]) for author in set(authors)}
    assert all(len(folds) == 1 for folds in of_author.values())
    sizes = np.bincount([next(iter(folds)) for folds in of_author.values()])
    assert len(sizes) == (min(FOLDS, len(of_author)) if len(of_author) >= FEWEST_AUTHORS else 1) and np.ptp(sizes) <= 1


@pytest.fixture(scope="module")
def texts(few: Corpus, language: LanguageModel) -> Texts:
    counts = count_documents(few.documents, language, OPTIONS.families)
    labels, sources = ([getattr(each, name) for each in few.documents] for name in ("author", "sources"))
    return Texts(counts, labels, sources)


@pytest.fixture(scope="module")
def final(texts: Texts) -> FittedPairs:
    return fit_pairs(texts.counts, list(texts.labels), OPTIONS)[0]


@pytest.fixture(scope="module")
def found(texts: Texts, final: FittedPairs) -> OutOfFold:
    return Crossfit(final, OPTIONS).by_document(texts)


@pytest.fixture(scope="module")
def apart(texts: Texts, final: FittedPairs) -> OutOfFold:
    return Crossfit(final, OPTIONS).by_author(texts)


def by_hand(texts: Texts, final: FittedPairs, out: OutOfFold, number: int) -> None:
    """One fold done again: fit on the others, score against the others."""
    train, test = np.flatnonzero(out.fold != number), np.flatnonzero(out.fold == number)
    counts = texts.counts
    fitted, known = fit_pairs(counts.rows(train), [texts.labels[row] for row in train], OPTIONS, near=final)
    again = fitted.vectors(counts.rows(train))
    assert np.array_equal(known.dense, again.dense) and not (known.sparse != again.sparse).nnz
    whole = Scorer(fitted.model, known).log_odds(fitted.vectors(counts.rows(test)))
    assert np.array_equal(out.log_odds[np.ix_(test, train)], whole.astype(np.float32))
    unseen = matrix_log_odds(fitted.model, fitted.vectors(counts.rows(test))).astype(np.float32)
    assert np.array_equal(out.unseen[np.ix_(test, test)], unseen, equal_nan=True)
    assert out.c[number] == fitted.training.c == final.training.c and fitted.factors == final.factors


def test_scores_come_from_models_without_the_document_and_its_source(
    texts: Texts, final: FittedPairs, found: OutOfFold
) -> None:
    by_hand(texts, final, found, 2)
    together = units(texts.labels, texts.sources, texts.counts)
    assert any((together == unit).sum() > 1 for unit in together), "the sources of these texts do hold two"
    assert (found.fold == document_folds(texts.labels, together, FOLDS, OPTIONS.seed)).all()
    of_source: dict[tuple[str, tuple[str, ...]], set[int]] = {}
    for label, source, fold in zip(texts.labels, texts.sources, found.fold, strict=True):
        of_source.setdefault((label, source), set()).add(int(fold))
    assert all(len(folds) == 1 for folds in of_source.values())


def test_scores_by_author_come_from_models_without_the_author(
    texts: Texts, final: FittedPairs, apart: OutOfFold
) -> None:
    by_hand(texts, final, apart, 1)
    codes = np.unique(texts.labels, return_inverse=True)[1]
    assert np.isnan(apart.log_odds[codes[:, None] == codes]).all(), "nobody meets their own texts"
    for number in range(int(apart.fold.max()) + 1):
        assert len(set(codes[apart.fold == number])) >= 2, "there are pairs by two strangers in every fold"


@pytest.mark.parametrize("kind", ["found", "apart"])
def test_every_pair_has_one_kind_of_score(kind: str, request: pytest.FixtureRequest) -> None:
    out: OutOfFold = request.getfixturevalue(kind)
    same_fold = out.fold[:, None] == out.fold
    assert np.array_equal(np.isnan(out.log_odds), same_fold)
    diagonal = np.eye(len(out.fold), dtype=bool)
    assert np.array_equal(np.isnan(out.unseen), ~same_fold | diagonal)
    assert np.array_equal(out.unseen, out.unseen.T, equal_nan=True)
    assert out.converged


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """The fits that are made."""
    made: list[dict[str, Any]] = []

    def counted(*given: Any, **named: Any) -> Any:
        made.append(named)
        return fit_pairs(*given, **named)

    monkeypatch.setattr(crossfit, "fit_pairs", counted)
    yield made


def test_what_a_store_holds_is_not_fitted_again(
    texts: Texts, final: FittedPairs, found: OutOfFold, fits: list[dict[str, Any]]
) -> None:
    store = MemoryStore()
    first = Crossfit(final, OPTIONS, store=store).by_document(texts)
    assert len(fits) == first.fold.max() + 1 == len(store.kept)
    del store.kept["documents 1"]
    again = Crossfit(final, OPTIONS, store=store).by_document(texts)
    assert len(fits) == first.fold.max() + 2, "only the fold that was missing"
    for out in (first, again):
        assert np.array_equal(out.log_odds, found.log_odds, equal_nan=True)
        assert np.array_equal(out.unseen, found.unseen, equal_nan=True)
        assert out.c == found.c
    assert all(np.isfinite(array).all() for kept in store.kept.values() for array in kept.values()), "files hold no NaN"


def test_the_settings_of_the_final_model_are_used_and_quick_means_fewer_folds(
    texts: Texts, final: FittedPairs, fits: list[dict[str, Any]]
) -> None:
    out = Crossfit(final, replace(OPTIONS, profile=replace(FORENSIC, effort=QUICK))).by_document(texts)
    assert out.fold.max() + 1 == QUICK.folds < FOLDS and len(fits) == QUICK.folds
    assert set(out.c) == {final.training.c} and all(fit["near"] is final for fit in fits)


def test_a_search_from_the_final_weights_is_shorter_and_ends_where_one_from_zero_does(
    texts: Texts, final: FittedPairs, found: OutOfFold
) -> None:
    zero = PairModel(np.zeros_like(final.model.dense), np.zeros_like(final.model.sparse), 0.0)
    steps = {}
    for number in range(3):
        train, test = np.flatnonzero(found.fold != number), np.flatnonzero(found.fold == number)
        labels = [texts.labels[row] for row in train]
        for name, near in (("final", final), ("zero", replace(final, model=zero))):
            fitted, known = fit_pairs(texts.counts.rows(train), labels, OPTIONS, near=near)
            scores = Scorer(fitted.model, known).log_odds(fitted.vectors(texts.counts.rows(test)))
            assert np.abs(scores - found.log_odds[np.ix_(test, train)]).max() <= TOLERANCE
            assert fitted.training.converged
            steps[name] = fitted.training.steps
        assert steps["final"] < steps["zero"]


def test_weights_go_to_the_same_features_of_another_space(texts: Texts, final: FittedPairs, found: OutOfFold) -> None:
    rows = np.flatnonzero(found.fold != 0)
    space = FeatureSpace(OPTIONS.families).fit(texts.counts.rows(rows), [texts.labels[row] for row in rows])
    moved = final.weights_in(space)
    old = dict(zip(final.space.names(), [*final.model.dense, *final.model.sparse], strict=True))
    new = dict(zip(space.names(), [*moved.dense, *moved.sparse], strict=True))
    assert new == {name: old.get(name, 0.0) for name in new} and set(new) != set(old)
    assert moved.intercept == final.model.intercept


def some(texts: Texts, rows: Any) -> Texts:
    rows = np.asarray(rows)
    return Texts(texts.counts.rows(rows), [texts.labels[row] for row in rows])


def test_with_two_or_three_authors_leaving_one_out_is_not_tried(
    texts: Texts, final: FittedPairs, fits: list[dict[str, Any]]
) -> None:
    for authors in (2, 3):
        wanted = list(dict.fromkeys(texts.labels))[:authors]
        rows = [row for row, label in enumerate(texts.labels) if label in wanted]
        out = Crossfit(final, OPTIONS).by_author(some(texts, rows))
        assert np.isnan(out.log_odds).all() and np.isnan(out.unseen).all()
        assert out.log_odds.shape == out.unseen.shape == (len(rows),) * 2 and out.converged
    assert not fits


def test_too_few_texts_are_told_or_not_estimable(texts: Texts, final: FittedPairs) -> None:
    """One author with all the pairs: without a fold of theirs, or without them, none are left."""
    labels = np.array(texts.labels)
    rows = [*np.flatnonzero(labels == labels[0])[:4], *(np.flatnonzero(labels == name)[0] for name in set(labels))]
    small = some(texts, list(dict.fromkeys(int(row) for row in rows)))
    with pytest.raises(TooFewPairs, match=r"too few texts to test the model.*--segment"):
        Crossfit(final, OPTIONS).by_document(small)
    assert np.isnan(Crossfit(final, OPTIONS).by_author(small).log_odds).all()

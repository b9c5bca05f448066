"""DV-Bin against scikit-learn on written-out diff-vectors, and the properties that a court may rely on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from forensia.diffvectors import DVBin, TooFewPairs, UnusableVectors, sample_pairs
from forensia.diffvectors.dvbin import Scorer, probability
from forensia.diffvectors.logistic import TOLERANCE
from forensia.diffvectors.pairs import document_folds, split_documents, split_pairs
from forensia.features import Block, Vectors
from forensia.profile import FORENSIC
from tests.diffvectors.conftest import explicit, random_vectors

GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)


def few(sample: tuple[Vectors, list[str]], authors: int) -> tuple[Vectors, list[str]]:
    vectors, labels = sample
    wanted = sorted(set(labels))[:authors]
    rows = np.array([row for row, label in enumerate(labels) if label in wanted])
    return vectors.rows(rows), [labels[row] for row in rows]


@pytest.mark.timeout(900)
def test_equals_scikit_learn_solved_to_convergence(sample: tuple[Vectors, list[str]]) -> None:
    """Probabilities, the cross-validated loss at every C, and the C chosen, on real text."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    vectors, labels = few(sample, 6)
    strongest = np.sort(np.argsort(-vectors.sparse.sum(axis=0).A1, kind="stable")[:1200])
    blocks = (Block("function words", True, 0, vectors.dense.shape[1]), Block("words", False, 0, 1200))
    vectors = Vectors(
        vectors.dense, vectors.sparse[:, strongest], blocks
    )  # fewer columns: scikit-learn must finish too
    pairs = sample_pairs(labels, 0)
    split = split_pairs(pairs, 0)
    ours = DVBin(whole_path=True).fit_pairs(vectors, pairs, split)
    matrix = csr_matrix(explicit(vectors, pairs.first, pairs.second))

    def theirs(c: float, rows: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=c, solver="newton-cg", tol=1e-10, max_iter=1000).fit(matrix[rows], pairs.same[rows])

    losses = {}
    for c in GRID:
        folds = range(split.test.shape[1])
        losses[c] = np.mean(
            [
                log_loss(
                    pairs.same[split.test[:, fold]],
                    theirs(c, split.train[:, fold]).predict_proba(matrix[split.test[:, fold]])[:, 1],
                )
                for fold in folds
            ]
        )
        assert ours.training_.losses[c] == pytest.approx(losses[c], abs=1e-3), c
    assert ours.training_.c == min(losses, key=losses.get)  # type: ignore[arg-type]
    model = theirs(ours.training_.c, np.ones(len(pairs), dtype=bool))
    first, second = np.triu_indices(len(vectors), 1)
    expected = model.predict_proba(explicit(vectors, first, second))[:, 1]
    assert np.abs(ours.predict_proba(vectors, first, second) - expected).max() <= 1e-3


def test_symmetric_to_the_bit_and_all_ways_of_scoring_agree(sample: tuple[Vectors, list[str]]) -> None:
    vectors, labels = few(sample, 4)
    model = DVBin(profile=FORENSIC).fit(vectors, labels)
    first, second = np.triu_indices(len(vectors), 1)
    forth, back = model.predict_proba(vectors, first, second), model.predict_proba(vectors, second, first)
    assert (forth == back).all()
    matrix = model.matrix(vectors)
    assert (matrix[first, second] == matrix[second, first]).all() and np.isnan(np.diag(matrix)).all()
    assert np.allclose(matrix[first, second], forth, atol=1e-6)
    scores = probability(Scorer(model.model_, vectors).log_odds(vectors.rows(slice(3, 7))))
    kept = ~np.isnan(matrix[3:7])
    assert np.allclose(scores[kept], matrix[3:7][kept], atol=1e-6)


def test_a_start_changes_the_way_and_not_the_end(sample: tuple[Vectors, list[str]]) -> None:
    vectors, labels = few(sample, 4)
    learner = DVBin(profile=FORENSIC, grid=(10.0,))
    cold = learner.fit(vectors, labels)
    expected, steps = Scorer(cold.model_, vectors).all_log_odds(), cold.training_.steps
    another = DVBin(profile=FORENSIC, seed=1, grid=(10.0,)).fit(vectors, labels).model_
    for start, most in ((cold.model_, 1), (another, steps - 1)):
        warm = DVBin(profile=FORENSIC, grid=(10.0,)).fit(vectors, labels, start=start)
        found = Scorer(warm.model_, vectors).all_log_odds()
        assert warm.training_.converged and warm.training_.steps <= most
        assert np.nanmax(np.abs(found - expected)) <= TOLERANCE


def test_threads_do_not_change_the_model(sample: tuple[Vectors, list[str]]) -> None:
    vectors, labels = few(sample, 4)
    one, two = (DVBin(threads=threads).fit(vectors, labels) for threads in (1, 2))
    assert (one.model_.sparse == two.model_.sparse).all() and (one.model_.dense == two.model_.dense).all()
    assert one.model_.intercept == two.model_.intercept


def test_names_do_not_change_the_model(sample: tuple[Vectors, list[str]]) -> None:
    vectors, labels = few(sample, 4)
    names = dict(zip(sorted(set(labels)), "DCBA", strict=True))
    one, other = DVBin().fit(vectors, labels), DVBin().fit(vectors, [names[label] for label in labels])
    assert (one.model_.sparse == other.model_.sparse).all()


def test_the_forensic_profile_chooses_c_without_shared_documents() -> None:
    labels = list(np.repeat(np.arange(6), 10))
    pairs = sample_pairs(labels, 0, matched=True)
    split = split_documents(pairs, labels, 0)
    assert split.grouped
    for fold in range(split.test.shape[1]):
        sides = [
            set(pairs.first[rows]) | set(pairs.second[rows]) for rows in (split.train[:, fold], split.test[:, fold])
        ]
        assert not sides[0] & sides[1] and sides[1]


def test_with_two_documents_an_author_the_split_says_that_it_is_not_grouped() -> None:
    labels = list(np.repeat(np.arange(10), 2))
    pairs = sample_pairs(labels, 0)
    assert not split_documents(pairs, labels, 0).grouped


def test_folds_spread_each_author_evenly() -> None:
    labels = ["a"] * 13 + ["b"] * 7 + ["c"] * 5
    folds = document_folds(labels, 5, 0)
    for author in "abc":
        counts = np.bincount(folds[np.array(labels) == author], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.ptp(np.bincount(folds)) <= 1


def test_convergence_is_reported(sample: tuple[Vectors, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    from forensia.diffvectors import logistic

    vectors, labels = few(sample, 3)
    assert DVBin().fit(vectors, labels).training_.converged
    monkeypatch.setattr(logistic, "MOST_STEPS", 1)
    assert not DVBin().fit(vectors, labels).training_.converged


def test_bad_input_gets_a_sentence() -> None:
    vectors = random_vectors(0, 12)
    with pytest.raises(TooFewPairs, match="one author"):
        DVBin().fit(vectors, ["a"] * 12)
    with pytest.raises(TooFewPairs, match="at least 5"):
        DVBin().fit(vectors, ["a", "a", *map(str, range(10))])
    with pytest.raises(UnusableVectors, match="labels"):
        DVBin().fit(vectors, ["a", "b"])
    bad = Vectors(vectors.dense.copy(), vectors.sparse, vectors.blocks)
    bad.dense[3, 1] = np.nan
    with pytest.raises(UnusableVectors, match="finite"):
        DVBin().fit(bad, list("ab") * 6)
    empty = Vectors(np.zeros((12, 0), np.float32), csr_matrix((12, 0), dtype=np.float32), ())
    with pytest.raises(UnusableVectors, match="all equal"):
        DVBin().fit(empty, list("ab") * 6)


def test_equal_documents_give_a_finite_undecided_model() -> None:
    one = random_vectors(0, 1)
    same = Vectors(np.repeat(one.dense, 12, axis=0), one.sparse[np.zeros(12, dtype=int)], one.blocks)
    model = DVBin().fit(same, list("ab") * 6)
    assert np.allclose(model.predict_proba(same, np.array([0, 1]), np.array([1, 2])), 0.5, atol=0.01)


def test_only_dense_or_only_sparse_families() -> None:
    both = random_vectors(1, 30, 5, 40)
    labels = list("abc") * 10
    dense = Vectors(both.dense, csr_matrix((30, 0), dtype=np.float32), (Block("function words", True, 0, 5),))
    sparse = Vectors(np.zeros((30, 0), np.float32), both.sparse, (Block("words", False, 0, 40),))
    for vectors in (dense, sparse):
        scores = DVBin().fit(vectors, labels).matrix(vectors)
        assert np.isfinite(scores[~np.eye(30, dtype=bool)]).all()

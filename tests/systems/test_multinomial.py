"""Logistic regression in the row space: equal to scikit-learn solved to convergence, on real text."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from forensia.diffvectors.pairs import codes
from forensia.errors import Cancelled
from forensia.jobs import silent
from forensia.systems import LinearSVM, NotLearnable, RowLogistic, RowSpace, StandardAttributor
from forensia.systems.descent import Softmax, descend, nothing
from forensia.systems.multinomial import EXACT, FIRST_LOOK, FOLDS, GRID, _Path, held_out
from tests.systems.conftest import Sample, equal_documents, made_up, with_nan
from tests.systems.plain import joined


def theirs(matrix: object, target: np.ndarray, c: float) -> LogisticRegression:
    return LogisticRegression(C=c, solver="newton-cg", tol=1e-10, max_iter=1000).fit(matrix, target)


def turned(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """The known documents and the queries in the span of the former: a rotation, so scikit-learn finds the same, only sooner."""
    matrix = joined(sample.known).toarray()
    _, _, axes = np.linalg.svd(matrix, full_matrices=False)
    return matrix @ axes.T, joined(sample.queries) @ axes.T


def test_std_aa_equals_scikit_learn(sample: Sample) -> None:
    """The loss at every C, the C chosen, and the probabilities of documents it never saw."""
    ours = StandardAttributor(whole_path=True).fit(sample.known, sample.labels)
    matrix, queries = turned(sample)
    authors = codes(sample.labels)
    fold = held_out(authors, 5, 0)
    losses = {}
    for c in GRID:
        parts = [(fold != number, fold == number) for number in range(5)]
        losses[c] = np.mean(
            [
                log_loss(
                    authors[test],
                    theirs(matrix[train], authors[train], c).predict_proba(matrix[test]),
                    labels=np.arange(12),
                )
                for train, test in parts
            ]
        )
        assert ours.model_.losses_[c][0] == pytest.approx(losses[c], abs=1e-3), c
    assert ours.model_.c_ == (min(losses, key=lambda c: losses[c]),)
    assert ours.model_.converged_
    model = theirs(matrix, authors, ours.model_.c_[0])
    assert np.abs(model.predict_proba(queries) - ours.predict_proba(sample.queries)).max() < 1e-4


@pytest.mark.parametrize("c", [1.0, 100.0, 10000.0])
def test_probabilities_on_the_vectors_themselves(sample: Sample, c: float) -> None:
    ours = StandardAttributor(grid=(c,)).fit(sample.known, sample.labels)
    model = theirs(joined(sample.known), codes(sample.labels), c)
    assert np.abs(model.predict_proba(joined(sample.queries)) - ours.predict_proba(sample.queries)).max() < 1e-4


def test_std_bin_is_a_binary_model_for_each_author(sample: Sample) -> None:
    ours = StandardAttributor(each=True).fit(sample.known, sample.labels)
    found = ours.predict_proba(sample.queries)
    matrix, queries = joined(sample.known), joined(sample.queries)
    for column in (0, 5, 11):
        model = theirs(matrix, sample.labels == ours.authors_[column], ours.model_.c_[column])
        assert np.abs(model.predict_proba(queries)[:, 1] - found[:, column]).max() < 1e-4
    assert (ours.predict(sample.queries) == ours.authors_[found.argmax(axis=1)]).all()


def test_two_authors_are_one_binary_model_as_in_scikit_learn(sample: Sample) -> None:
    two = np.isin(sample.labels, np.unique(sample.labels)[:2])
    known, labels = sample.known.rows(np.flatnonzero(two)), sample.labels[two]
    ours = StandardAttributor().fit(known, labels)
    model = theirs(joined(known), codes(labels), ours.model_.c_[0])
    assert np.abs(model.predict_proba(joined(sample.queries)) - ours.predict_proba(sample.queries)).max() < 1e-4
    likely = ours.predict_proba(sample.queries).argmax(axis=1)
    assert (ours.predict(sample.queries) == ours.authors_[likely]).all()


@pytest.mark.parametrize("each", [False, True])
def test_ending_the_path_early_changes_nothing(sample: Sample, each: bool) -> None:
    space = RowSpace(sample.known)
    short = RowLogistic(each=each).fit(space.gram, sample.labels)
    whole = RowLogistic(each=each, whole_path=True).fit(space.gram, sample.labels)
    assert short.c_ == whole.c_
    assert set(whole.losses_) == set(GRID)
    for c, losses in short.losses_.items():
        solved = ~np.isnan(losses)
        assert np.abs(losses[solved] - whole.losses_[c][solved]).max() < 1e-3
    cross = space.against(sample.queries)
    assert np.abs(short.predict_proba(cross) - whole.predict_proba(cross)).max() < 1e-4


@pytest.mark.parametrize("each", [False, True])
def test_a_first_look_is_no_more_wrong_than_its_doubt(sample: Sample, each: bool) -> None:
    """C is chosen by looks alone where they are further apart than their doubts, so these must hold."""
    gram, authors = RowSpace(sample.known).gram, codes(sample.labels)
    model = RowLogistic(each=each, whole_path=True)
    path, _ = model._choose(gram, sample.labels, silent)
    seen = _Path(gram, model._loss(authors), path._blank, held_out(authors, FOLDS, 0))._looks(GRID, True, silent)
    doubt = FIRST_LOOK["each" if each else "joint"].doubt
    for c in GRID:
        assert np.abs(seen[c] / path.losses[c] - 1).max() < doubt, c


@pytest.mark.parametrize("each", [False, True])
def test_the_lowest_loss_is_exact_though_c_was_chosen_by_looks(sample: Sample, each: bool) -> None:
    gram = RowSpace(sample.known).gram
    whole = RowLogistic(each=each, whole_path=True).fit(gram, sample.labels)
    lowest = np.min(list(whole.losses_.values()), axis=0)
    assert RowLogistic(each=each).lowest_loss(gram, sample.labels) == pytest.approx(lowest, abs=1e-3)


def test_names_and_threads_change_nothing(sample: Sample) -> None:
    other_names = {name: f"{number:02d}" for number, name in enumerate(sorted(set(sample.labels), reverse=True))}
    with threadpool_limits(limits=1):
        one = StandardAttributor().fit(sample.known, sample.labels)
        first = one.predict_proba(sample.queries)
    with threadpool_limits(limits=2):
        renamed = StandardAttributor().fit(sample.known, [other_names[label] for label in sample.labels])
        second = renamed.predict_proba(sample.queries)
    assert (first == second).all()
    assert [other_names[name] for name in one.predict(sample.queries)] == renamed.predict(sample.queries).tolist()


def test_the_order_of_documents_does_not_matter_to_the_model() -> None:
    vectors, labels = made_up(3)
    order = np.random.default_rng(0).permutation(len(labels))
    one = StandardAttributor(grid=(10.0,)).fit(vectors, labels)
    other = StandardAttributor(grid=(10.0,)).fit(vectors.rows(order), labels[order])
    columns = [list(other.authors_).index(author) for author in one.authors_]
    assert np.allclose(one.predict_proba(vectors), other.predict_proba(vectors)[:, columns], atol=1e-5)


@pytest.mark.parametrize("intercept", [False, True])
def test_the_gap_bounds_the_distance_from_the_optimum(intercept: bool) -> None:
    """No solution is further above the lowest objective than its gap; with intercepts, which unbalance it, than a few of them."""
    vectors, labels = made_up(4)
    gram, loss, start = RowSpace(vectors).gram, Softmax(codes(labels)), nothing(4, len(labels), joint=True)
    exact = descend(gram, loss, 10.0, start, EXACT, intercept=intercept)
    rounding = 1e-6 * exact.objective[0]
    for tolerance in (0.3, 1e-2, 1e-4):
        rough = descend(gram, loss, 10.0, start, tolerance, intercept=intercept)
        assert rough.converged.all()
        assert rough.gap[0] <= tolerance * rough.objective[0]
        bound = (5 if intercept else 1) * rough.gap[0]
        assert -rounding <= rough.objective[0] - exact.objective[0] <= bound + rounding


def test_margins_beyond_single_precision_overflow_nothing() -> None:
    loss = Softmax(np.array([0, 1, 2]))
    logits = np.array([[0, 500, -500], [300, 0, 0], [-900, 1, 0]], dtype=np.float32)
    margins = loss.margins(logits)
    assert np.isfinite(loss.force(margins)).all()
    assert loss.value(margins)[0] == pytest.approx([300.0, 500.0, np.log(2)])
    assert np.abs(loss.force(margins).sum(axis=0)).max() < 1e-6


def test_an_author_with_one_document_is_never_held_out() -> None:
    vectors, labels = made_up(5)
    labels = labels.astype(object)
    labels[0] = "a stranger"
    ours = StandardAttributor().fit(vectors, labels)
    assert ours.authors_[0] == "a stranger"
    assert all(np.isfinite(losses).all() for losses in ours.model_.losses_.values())
    assert ours.predict(vectors.rows(np.array([0])))[0] == "a stranger"


def test_what_cannot_be_learnt_is_said() -> None:
    vectors, labels = made_up(6)
    with pytest.raises(NotLearnable, match="one author"):
        StandardAttributor().fit(vectors, ["same"] * len(labels))
    with pytest.raises(NotLearnable, match="two documents"):
        StandardAttributor().fit(vectors, [f"author {row}" for row in range(len(labels))])
    with pytest.raises(NotLearnable, match="finite"):
        StandardAttributor().fit(with_nan(vectors), labels)
    with pytest.raises(NotLearnable, match="labels"):
        StandardAttributor().fit(vectors, labels[:-1])
    with pytest.raises(NotLearnable, match="no documents"):
        RowSpace(vectors.rows(np.array([], dtype=int)))
    fitted = StandardAttributor().fit(vectors, labels)
    with pytest.raises(NotLearnable, match="finite"):
        fitted.predict_proba(with_nan(vectors))


@pytest.mark.parametrize("each", [False, True])
def test_equal_documents_say_nothing_about_their_author(each: bool) -> None:
    vectors = equal_documents(12)
    labels = ["one", "two", "three"] * 4
    found = StandardAttributor(each=each).fit(vectors, labels).predict_proba(vectors)
    assert np.allclose(found, 1 / 3, atol=1e-3)


@pytest.mark.parametrize("learner", [StandardAttributor(), StandardAttributor(each=True), LinearSVM()])
def test_can_be_cancelled_while_it_solves(sample: Sample, learner: StandardAttributor | LinearSVM) -> None:
    calls = 0

    def stop(fraction: float, message: str = "") -> None:
        nonlocal calls
        calls += 1
        if calls == 40:
            raise Cancelled
        assert 0 <= fraction <= 1

    with pytest.raises(Cancelled):
        learner.fit(sample.known, sample.labels, progress=stop)

"""Lazy AA against its plain form, and that a document is never its own neighbour."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from forensia.diffvectors.pairs import codes
from forensia.profile import FORENSIC, PAPER
from forensia.systems import KChoice, LazyAttributor, NotLearnable, author_scores, choose_k
from forensia.systems import lazy_stacked as lazy_module
from forensia.systems.lazy_stacked import _best, attributed_out_of_fold, reach
from tests.systems import plain
from tests.systems.conftest import Sample, Scored


def random_scores(seed: int, documents: int, authors: int, rounded: bool) -> tuple[np.ndarray, np.ndarray]:
    """A symmetric matrix of scores and labels; rounding makes ties."""
    rng = np.random.default_rng(seed)
    values = np.triu(rng.random((documents, documents)), 1)
    values = np.round(values, 1) if rounded else values
    labels = np.array([f"author {number}" for number in rng.integers(authors, size=documents)])
    return values + values.T, labels


@given(st.integers(0, 10_000), st.integers(2, 25), st.integers(2, 5), st.booleans())
def test_equals_the_plain_form(seed: int, documents: int, authors: int, rounded: bool) -> None:
    matrix, labels = random_scores(seed, documents, authors, rounded)
    numbers = codes(labels)
    choice = choose_k(matrix, numbers)
    curve = [plain.lazy_accuracy(matrix, labels, k) for k in range(1, np.bincount(numbers).max() + 1)]
    if not rounded:  # sums in another order may break a tie
        assert choice.curve == pytest.approx(curve)
        assert choice.k == 1 + int(np.argmax(curve))
    found = author_scores(matrix, numbers, 3)
    for row in range(documents):
        assert found[row] == pytest.approx(list(plain.lazy_scores(matrix[row], labels, 3).values()))


@given(st.integers(0, 10_000), st.floats(0, 1) | st.just(float("nan")) | st.just(float("inf")))
def test_k_never_sees_the_document_itself(seed: int, value: float) -> None:
    matrix, labels = random_scores(seed, 15, 3, False)
    other = matrix.copy()
    np.fill_diagonal(other, value)
    assert choose_k(matrix, codes(labels)) == choose_k(other, codes(labels))


def test_on_real_text(sample: Sample, scored: Scored) -> None:
    fitted = LazyAttributor().fit(scored.matrix, sample.labels)
    assert fitted.choice_ is not None
    curve = [plain.lazy_accuracy(scored.matrix, sample.labels, k) for k in range(1, len(fitted.choice_.curve) + 1)]
    assert fitted.choice_.curve == pytest.approx(curve)
    assert fitted.k_ == 1 + int(np.argmax(curve))
    for row, author in zip(scored.scores, fitted.predict(scored.scores), strict=True):
        scores = plain.lazy_scores(row, sample.labels, fitted.k_)
        assert author == max(scores, key=lambda name: scores[name])


def test_a_known_answer() -> None:
    labels = np.array(["a", "b", "a", "b", "a"])
    h = np.array([[0.9, 0.8, 0.1, 0.6, 0.5]])
    numbers = codes(labels)
    assert author_scores(h, numbers, 1) == pytest.approx(np.array([[0.9, 0.8]]))
    assert author_scores(h, numbers, 2) == pytest.approx(np.array([[0.7, 0.7]]))
    assert author_scores(h, numbers, 3) == pytest.approx(np.array([[0.5, 0.7]]))
    assert author_scores(h, numbers, 99) == pytest.approx(np.array([[0.5, 0.7]]))


def test_ties_go_to_the_smallest_k() -> None:
    matrix = np.array([[0, 0.9, 0.1, 0.1], [0.9, 0, 0.1, 0.1], [0.1, 0.1, 0, 0.9], [0.1, 0.1, 0.9, 0.0]])
    assert choose_k(matrix, np.array([0, 0, 1, 1])) == KChoice(1, (1.0, 1.0), True)


def test_names_and_order_change_nothing(sample: Sample, scored: Scored) -> None:
    one = LazyAttributor().fit(scored.matrix, sample.labels)
    order = np.random.default_rng(1).permutation(len(sample.labels))
    names = {name: f"{number}" for number, name in enumerate(sorted(set(sample.labels), reverse=True))}
    renamed = [names[label] for label in sample.labels[order]]
    other = LazyAttributor().fit(scored.matrix[np.ix_(order, order)], renamed)
    assert other.choice_ == one.choice_
    assert [names[name] for name in one.predict(scored.scores)] == other.predict(scored.scores[:, order]).tolist()


def test_work_in_pieces_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, labels = random_scores(3, 20, 4, False)
    numbers = codes(labels)
    whole, scores = choose_k(matrix, numbers), author_scores(matrix, numbers, 2)
    monkeypatch.setattr(lazy_module, "CELLS", 1)
    assert choose_k(matrix, numbers) == whole
    assert (author_scores(matrix, numbers, 2) == scores).all()


def test_pairs_that_were_not_compared_do_not_count() -> None:
    labels = ["a", "a", "b", "b", "b"]
    matrix, _ = random_scores(8, 5, 2, False)
    matrix[0, 1] = matrix[1, 0] = np.nan
    found = author_scores(matrix, codes(labels), 1)
    assert found[0, 0] == matrix[0, 0]
    fitted = LazyAttributor().fit(matrix, labels)
    assert fitted.choice_ is not None and fitted.choice_.curve[0] <= 0.6  # nothing is left to find the first two by


def test_one_document_an_author_is_not_estimable() -> None:
    matrix, _ = random_scores(9, 4, 2, False)
    fitted = LazyAttributor().fit(matrix, list("abcd"))
    assert fitted.choice_ is not None
    assert (fitted.k_, fitted.choice_.estimable, fitted.choice_.accuracy) == (1, False, None)
    assert fitted.predict(np.eye(4)).tolist() == list("abcd")


def test_what_cannot_be_learnt_is_said() -> None:
    matrix, labels = random_scores(10, 8, 3, False)
    with pytest.raises(NotLearnable, match="one author"):
        LazyAttributor().fit(matrix, ["a"] * 8)
    with pytest.raises(NotLearnable, match="compared"):
        LazyAttributor().fit(np.full((8, 8), np.nan), labels)
    with pytest.raises(NotLearnable, match="shape"):
        LazyAttributor().fit(matrix[:, :5], labels)
    with pytest.raises(NotLearnable, match="finite"):
        LazyAttributor().fit(matrix, labels).scores(np.full((1, 8), np.nan))
    with pytest.raises(NotLearnable, match="at least 1"):
        author_scores(matrix, codes(labels), 0)


def test_with_even_reach_an_author_with_few_documents_is_not_at_a_disadvantage() -> None:
    codes = np.repeat([0, 1], [4, 16])
    assert reach(codes, 8).tolist() == [8, 8]
    assert reach(codes, 8, even=True).tolist() == [2, 8]
    assert reach(codes, 1, even=True).tolist() == [1, 1]
    rng = np.random.default_rng(1)
    scores = rng.random((4_000, 20))  # nobody resembles anybody: each should come first about half of the time
    shares = [(author_scores(scores, codes, 4, even=even).argmax(axis=1) == 0).mean() for even in (False, True)]
    assert shares[0] < 0.1 and 0.3 < shares[1] < 0.7


def test_equal_numbers_of_documents_make_even_reach_the_papers_own() -> None:
    rng = np.random.default_rng(2)
    codes, matrix = np.repeat(np.arange(3), 5), rng.random((15, 15))
    assert choose_k(matrix, codes, FORENSIC).curve == choose_k(matrix, codes).curve
    assert np.array_equal(author_scores(matrix, codes, 3, even=True), author_scores(matrix, codes, 3))


def test_a_fold_has_no_say_in_the_k_by_which_it_is_ascribed() -> None:
    rng = np.random.default_rng(3)
    codes, fold = np.repeat(np.arange(4), 6), np.arange(24) % 3
    matrix = rng.random((24, 24)) + 0.4 * (codes[:, None] == codes)
    right = np.array([k_right(matrix, codes, k) for k in range(1, 7)])
    others = matrix.copy()
    np.fill_diagonal(others, np.nan)
    for number in range(3):
        k = 1 + int(right[:, fold != number].sum(axis=1).argmax())
        expected = author_scores(others[fold == number], codes, k).argmax(axis=1)
        assert np.array_equal(attributed_out_of_fold(matrix, codes, fold)[fold == number], expected)


def k_right(matrix: NDArray[np.float64], codes: NDArray[np.intp], k: int) -> NDArray[np.bool_]:
    others = matrix.copy()
    np.fill_diagonal(others, np.nan)
    return np.asarray(author_scores(others, codes, k).argmax(axis=1) == codes)


def test_on_a_flat_curve_the_middle_k_is_chosen_by_the_forensic_profile() -> None:
    """By the paper's rule one lucky document decides."""
    right = np.zeros((100, 9), dtype=bool)
    right[:90, 2:8] = True
    right[90, 7] = True
    assert _best(right, PAPER) == 7
    assert _best(right, FORENSIC) == 4, "of 2 to 7, which are equal to within half a standard error"
    right[:, 5] = True
    assert _best(right, FORENSIC) == _best(right, PAPER) == 5, "a clear winner is taken"


def test_the_attributor_follows_its_profile() -> None:
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(3), [2, 5, 9])
    matrix = rng.random((16, 16)) + 0.2 * (labels[:, None] == labels)
    query = rng.random((30, 16))
    for profile in (PAPER, FORENSIC):
        fitted = LazyAttributor(profile=profile).fit(matrix, labels)
        assert fitted.choice_ == choose_k(matrix, labels, profile)
        assert np.array_equal(
            LazyAttributor(k=6, profile=profile).fit(matrix, labels).scores(query),
            author_scores(query, labels, 6, even=profile.even),
        )
    assert choose_k(matrix, labels, PAPER) != choose_k(matrix, labels, FORENSIC)
    assert not np.array_equal(author_scores(query, labels, 6), author_scores(query, labels, 6, even=True))

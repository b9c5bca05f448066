"""The impostors method against its plain form, pair by pair and round by round, with the same draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from forensia.systems import Impostors, NotLearnable
from forensia.systems.baselines import tune_sigma
from tests.systems import plain
from tests.systems.conftest import Sample, made_up, with_nan

PARAMETERS: dict[str, Any] = {"candidates": 12, "impostors": 4, "rounds": 20, "validation": 30}


@pytest.fixture(scope="module")
def fitted(sample: Sample) -> Impostors:
    return Impostors(**PARAMETERS).fit(sample.known, sample.labels)


@pytest.fixture(scope="module")
def by_minmax(sample: Sample) -> Impostors:
    return Impostors(**PARAMETERS, similarity="minmax").fit(sample.known, sample.labels)


@pytest.mark.parametrize("made", ["fitted", "by_minmax"])
def test_equals_the_plain_form(sample: Sample, made: str, request: pytest.FixtureRequest) -> None:
    fitted: Impostors = request.getfixturevalue(made)
    rng = np.random.default_rng(0)
    first, second = rng.permutation(len(sample.truth))[:8], rng.permutation(len(sample.truth))[:8]
    second = np.where(first == second, (second + 1) % len(sample.truth), second)
    queries, known = plain.joined(sample.queries), plain.joined(sample.known)
    draws = fitted.draws_
    expected = [
        plain.impostors_score(
            queries, known, x, y, draws.halves, draws.urn, fitted.impostors, plain.SIMILARITIES[fitted.similarity]
        )
        for x, y in zip(first, second, strict=True)
    ]
    found = fitted.scores(sample.queries, first, second)
    assert found == pytest.approx(expected, abs=1e-12)
    assert len(set(expected)) > 1
    assert (fitted.predict(sample.queries, first, second) == (found > fitted.sigma_)).all()


def test_minmax_is_another_method_with_the_same_draws(sample: Sample, fitted: Impostors, by_minmax: Impostors) -> None:
    assert (fitted.draws_.halves == by_minmax.draws_.halves).all()
    first, second = np.arange(10), np.arange(10, 20)
    scores = [each.scores(sample.queries, first, second) for each in (fitted, by_minmax)]
    assert (scores[0] != scores[1]).any()


def test_a_method_that_was_kept_is_the_same_again(sample: Sample, by_minmax: Impostors) -> None:
    again = Impostors(**PARAMETERS, similarity="minmax").restore(sample.known, by_minmax.kept())
    first, second = np.array([0, 3]), np.array([7, 4])
    assert again.sigma_ == by_minmax.sigma_
    assert (again.scores(sample.queries, first, second) == by_minmax.scores(sample.queries, first, second)).all()


@pytest.mark.parametrize("made", ["fitted", "by_minmax"])
def test_a_score_depends_on_its_pair_alone(sample: Sample, made: str, request: pytest.FixtureRequest) -> None:
    fitted: Impostors = request.getfixturevalue(made)
    first, second = np.array([0, 3, 5, 9]), np.array([7, 4, 8, 2])
    whole = fitted.scores(sample.queries, first, second)
    assert (fitted.scores(sample.queries, second, first) == whole).all()
    assert (fitted.scores(sample.queries, first[::-1], second[::-1])[::-1] == whole).all()
    assert fitted.scores(sample.queries, first[2:3], second[2:3])[0] == whole[2]


def test_draws_are_halves_and_impostors_without_repeats(fitted: Impostors, sample: Sample) -> None:
    width = sample.known.dense.shape[1] + sample.known.sparse.shape[1]
    assert (fitted.draws_.halves.sum(axis=0) == width // 2).all()
    for count in (2, 4, 12):
        drawn = fitted.draws_.impostors(count, 4)
        assert drawn.shape == (20, min(count, 4))
        assert drawn.max() < count
        assert all(len(set(row)) == len(row) for row in drawn)


def test_names_change_nothing_and_seeds_do(sample: Sample, fitted: Impostors) -> None:
    names = {name: f"{number}" for number, name in enumerate(sorted(set(sample.labels), reverse=True))}
    renamed = Impostors(**PARAMETERS).fit(sample.known, [names[label] for label in sample.labels])
    assert (renamed.sigma_, renamed.accuracy_) == (fitted.sigma_, fitted.accuracy_)
    other = Impostors(**PARAMETERS, seed=1).fit(sample.known, sample.labels)
    assert not (other.draws_.halves == fitted.draws_.halves).all()


def test_sigma_is_where_the_decisions_are_most_often_right() -> None:
    scores = np.array([0.0, 0.005, 0.005, 0.01, 0.2, 0.4])
    same = np.array([False, False, False, True, False, True])
    assert tune_sigma(scores, same) == (0.005, pytest.approx(5 / 6))
    assert tune_sigma(np.zeros(4), np.array([True, False, True, False])) == (0.0, 0.5)


def test_authors_of_a_validation_pair_are_no_impostors(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watch(self: Impostors, vectors: object, first: np.ndarray, second: np.ndarray, chosen: list, progress: object):  # type: ignore[no-untyped-def]
        seen.append((first, second, chosen))
        return np.zeros(len(first))

    monkeypatch.setattr(Impostors, "_scores", watch)
    Impostors(validation=20).fit(sample.known, sample.labels)
    ((first, second, chosen),) = seen
    for x, y, both in zip(first, second, chosen, strict=True):
        for candidates in both:
            assert len(candidates) == 50
            assert not {sample.labels[x], sample.labels[y]} & set(sample.labels[candidates])


def test_what_cannot_be_learnt_is_said() -> None:
    vectors, labels = made_up(2)
    two = np.where(labels == "author 0", "a", "b")
    with pytest.raises(NotLearnable, match="three authors"):
        Impostors().fit(vectors, two)
    with pytest.raises(NotLearnable, match="finite"):
        Impostors().fit(with_nan(vectors), labels)
    with pytest.raises(NotLearnable, match="one author"):
        Impostors().fit(vectors, ["a"] * len(labels))


def test_fewer_known_documents_than_candidates() -> None:
    vectors, labels = made_up(3, authors=3, each=3)
    fitted = Impostors(rounds=10).fit(vectors, labels)
    found = fitted.scores(vectors, np.array([0, 1]), np.array([3, 5]))
    assert ((found >= 0) & (found <= 1)).all()

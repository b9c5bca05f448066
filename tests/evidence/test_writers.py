"""Several texts by perhaps one hand: groups with a known answer, and how often they are wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.errors import InputError
from forensia.evidence import writers
from forensia.evidence.calibration import Bounds
from forensia.evidence.judge import Judge
from forensia.evidence.knowntexts import Texts
from forensia.evidence.pairwise import PairTexts, weakest
from forensia.evidence.result import Alternative, ComparedText, LikelihoodRatio, Reason
from forensia.evidence.validation import Validation
from forensia.evidence.writers import Grouping, TextPair, grouped, grouping_error
from forensia.wording.writers import error, groups, why_none

TWO_WRITERS = np.array([[0.0, 1.2, -0.9, -1.1], [1.2, 0.0, -0.4, 0.1], [-0.9, -0.4, 0.0, 0.8], [-1.1, 0.1, 0.8, 0.0]])
"""Four texts by two writers; one pair across is a little misleading."""


def pairs_of(log10: np.ndarray, reasons: tuple[Reason, ...] = ()) -> list[TextPair]:
    bounds = Bounds(-2.0, 2.0, 100, 100)
    return [
        TextPair(i, j, 0.0, LikelihoodRatio(float(log10[i, j]), None, Alternative.UNLISTED, bounds, None), reasons)
        for i in range(len(log10))
        for j in range(i + 1, len(log10))
    ]


def texts_of(number: int) -> tuple[ComparedText, ...]:
    return tuple(ComparedText(f"{place}.txt", "", 500, None, None) for place in range(number))


def test_four_texts_by_two_writers() -> None:
    assert grouped(TWO_WRITERS).tolist() == [0, 0, 1, 1]
    found = Grouping.of(texts_of(4), pairs_of(TWO_WRITERS))
    assert found.groups == ((0, 1), (2, 3)) and np.array_equal(found.log10, TWO_WRITERS)
    assert groups(found).startswith("The 4 texts are put into 2 groups")


def test_nothing_speaks_for_anybody_or_everything_for_one() -> None:
    away = np.ones((3, 3)) - np.eye(3)
    assert grouped(0.5 * away).tolist() == [0, 0, 0]
    assert grouped(0 * away).tolist() == [0, 1, 2], "an LR of 1 puts nobody together"
    assert groups(Grouping.of(texts_of(3), pairs_of(0.5 * away))).startswith("The 3 texts are put into one group")


def test_one_misleading_pair_does_not_chain_two_groups() -> None:
    """By single link the pair of 1 and 2 would join all; on average it does not."""
    log10 = np.array([[0.0, 1.0, -1.0, -1.0], [1.0, 0.0, 0.6, -1.0], [-1.0, 0.6, 0.0, 1.0], [-1.0, -1.0, 1.0, 0.0]])
    assert grouped(log10).tolist() == [0, 0, 1, 1]


@given(st.integers(2, 7), st.integers(0, 1000))
def test_the_order_of_texts_does_not_matter(number: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    log10 = rng.normal(size=(number, number))
    log10 = np.triu(log10, 1) + np.triu(log10, 1).T
    order = rng.permutation(number)
    one, other = grouped(log10)[order], grouped(log10[np.ix_(order, order)])
    assert np.array_equal(one[:, None] == one, other[:, None] == other)
    first = [int(np.flatnonzero(other == label)[0]) for label in range(other.max() + 1)]
    assert first == sorted(first), "groups are numbered by their first text"


def test_no_groups_where_ratios_are_missing_or_worth_nothing() -> None:
    unsure, costly = Reason("pair-interval-includes-1"), Reason("pair-costly", {"cllr": 1.2})
    assert Grouping.of(texts_of(4), pairs_of(TWO_WRITERS, (unsure,))).groups == ((0, 1), (2, 3))
    found = Grouping.of(texts_of(4), pairs_of(TWO_WRITERS, (unsure, costly)))
    assert found.groups == () and error(found) == [] and "not put into groups" in groups(found)
    assert why_none(found) == ["In this corpus the likelihood ratios of two texts may be no better than none: the upper bound of their "
                               "cost (Cllr) is 1.2."], "each kind once"  # fmt: skip
    short = [
        replace(each, reasons=(Reason("pair-few-words", {"words": 90 - 10 * each.b, "fewest": 100}), unsure))
        for each in pairs_of(TWO_WRITERS)
    ]
    (told,) = why_none(Grouping.of(texts_of(4), short))
    assert "has 60 words" in told, "the worst"
    missing = [replace(each, ratio=None) if each.a == 0 else each for each in pairs_of(TWO_WRITERS)]
    assert Grouping.of(texts_of(4), missing).groups == ()


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1))
def test_the_weakest_ratio(values: list[tuple[float, float]]) -> None:
    log10 = np.array(values).T
    found = log10[weakest(log10), np.arange(len(values))]
    for (one, other), kept in zip(values, found, strict=True):
        agree = (one > 0) == (other > 0)
        assert kept == (min(one, other, key=abs) if agree else min(one, other))


@pytest.fixture(scope="module")
def made_up() -> PairTexts:
    """Four authors with six texts, of which any two may be compared but those that share a source: the first two of each."""
    codes = np.repeat(np.arange(4), 6)
    number = np.arange(24) % 6
    together = (codes[:, None] == codes) & (number[:, None] < 2) & (number < 2)
    return PairTexts(np.arange(24), np.triu(~together, 1), codes, np.zeros(24, np.int64))


@given(st.integers(2, 8))
def test_draws_have_every_number_of_writers_and_keep_sources_apart(made_up: PairTexts, number: int) -> None:
    drawn = writers._draws(made_up, number, np.random.default_rng(0))
    numbers = {len(np.unique(made_up.codes[rows])) for rows in drawn}
    assert numbers == set(range(1 if number <= 5 else 2, min(number, 4) + 1)), "an author has five sources"
    for rows in drawn:
        assert len(rows) == len(set(rows.tolist())) == number
        once = np.triu(np.ones((number, number), bool), 1)
        assert (made_up.allowed | made_up.allowed.T)[np.ix_(rows, rows)][once].all()


def test_the_error_is_that_of_the_groups(validation: Validation, known: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all texts in one group every pair by two writers is wrong and none by one is split, and the other way round."""
    words = [400, 250, 400, 300]
    for labels, together, split in ((np.zeros(4, np.intp), 1.0, 0.0), (np.arange(4), 0.0, 1.0)):
        monkeypatch.setattr(writers, "grouped", lambda log10, labels=labels: labels)
        found = grouping_error(validation, known, words)
        assert found is not None and found.together is not None and found.split is not None
        assert (found.together.share, found.split.share) == (together, split)
        assert found.together.interval == (together, together) and found.split.interval == (split, split)
        assert found.together.pairs + found.split.pairs == 6 * found.draws


def test_groups_are_better_than_chance(validation: Validation, known: Texts) -> None:
    found = grouping_error(validation, known, [400, 250, 400, 300])
    assert found is not None and found.together is not None and found.split is not None
    assert found.together.share + found.split.share < 0.8, "1 is what groups by lot would have"
    assert found == grouping_error(validation, known, [400, 250, 400, 300]), "the same draws each time"
    told = " ".join(error(replace(Grouping.of(texts_of(4), pairs_of(TWO_WRITERS)), error=found)))
    assert "draws of 4 known texts by" in told and "were put together" in told
    assert f"({found.split.wrong:,} of {found.split.pairs:,} pairs" in told, "counts"


@pytest.fixture(scope="module")
def known(validated_case: object) -> Texts:
    from pathlib import Path

    from forensia.case import Case
    from forensia.case.session import Session
    from forensia.service.training import known_texts

    with Case.open(Path(str(validated_case)), read_only=True) as case:
        return known_texts(case, Session.of(case))


def test_why_texts_cannot_be_compared_with_each_other(judge: Judge) -> None:
    """The diff-vector part can be trained, unless the texts of the population are not there."""
    assert judge.validation is not None
    fused = replace(judge, model=None)
    with pytest.raises(InputError, match="Validate the case"):
        _ = fused.pairs
    learnt = replace(judge.validation.learnt, counted=3)
    with pytest.raises(InputError, match="came as counts"):
        _ = replace(fused, validation=replace(judge.validation, learnt=learnt)).pairs

"""The measures against lir, scikit-learn and worked examples, and the laws they must keep."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, roc_auc_score

from forensia.evidence import measures as m
from forensia.evidence.calibration import class_balance

FIXTURES = json.loads((Path(__file__).parents[1] / "data" / "lir" / "lir-1.3.3.json").read_text(encoding="utf-8"))
SETS: dict[str, dict[str, Any]] = FIXTURES["sets"]

log10_lrs = st.lists(st.floats(-8, 8, allow_nan=False), min_size=1, max_size=30)
# Few different values, so that ties and infinities are common.
coarse = st.lists(st.sampled_from([-math.inf, -2.0, -0.5, 0.0, 0.5, 2.0, math.inf]), min_size=1, max_size=20)


def numbers(values: Any) -> np.ndarray:
    return np.array([float(value) for value in np.atleast_1d(np.array(values, dtype=object))])


def both(name: str) -> tuple[np.ndarray, np.ndarray]:
    return numbers(SETS[name]["same"]), numbers(SETS[name]["different"])


def test_fixtures_name_their_source() -> None:
    assert FIXTURES["made_with"]["lir"] == "1.3.3"
    assert set(FIXTURES["functions"]) <= set(SETS["tiny"])


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("measure", ["cllr", "cllr_min", "cllr_cal", "auc", "eer"])
def test_equals_lir(name: str, measure: str) -> None:
    assert getattr(m, measure)(*both(name)) == pytest.approx(float(SETS[name][measure]), abs=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_ece_equals_lir(name: str) -> None:
    curve = m.ece_curve(*both(name), prior_log10_odds=FIXTURES["prior_log10_odds"])
    assert curve.pav == pytest.approx(numbers(SETS[name]["ece_pav"]), abs=1e-9)
    if name == "large":
        # lir rounds the posterior of LR 10^60 to 1 and calls its cost infinite; on the log scale it is finite.
        assert np.isinf(numbers(SETS[name]["ece"])).any()
        assert np.isfinite(curve.lr).all()
    else:
        assert curve.lr == pytest.approx(numbers(SETS[name]["ece"]), abs=1e-9)


def test_cllr_worked_by_hand() -> None:
    assert m.cllr([math.log10(3)], [math.log10(1 / 7)]) == pytest.approx(
        0.5 * (math.log2(4 / 3) + math.log2(8 / 7)), abs=1e-15
    )
    assert m.cllr(np.zeros(5), np.zeros(3)) == 1.0


def test_cllr_of_extremes() -> None:
    assert m.cllr([math.inf], [-math.inf]) == 0.0
    assert m.cllr([-math.inf], [0.0]) == math.inf
    assert m.cllr([-400.0], [0.0]) == pytest.approx(0.5 * (400 * math.log2(10) + 1))  # LR itself would overflow
    assert m.cllr([-1e308], [1e308]) == math.inf
    assert m.cllr([300.0], [-300.0]) == pytest.approx(10.0**-300 / math.log(2), rel=1e-9)


@pytest.mark.parametrize("measure", [m.cllr, m.cllr_min, m.cllr_cal, m.eer, m.auc])
def test_without_a_class_nothing_is_estimable(measure: Any) -> None:
    assert math.isnan(measure([], [1.0]))
    assert math.isnan(measure([1.0], []))
    assert math.isnan(measure([1.0], [2.0], ([0.0], [1.0])))


@pytest.mark.parametrize("measure", [m.cllr, m.cllr_min, m.eer, m.auc])
def test_refuses_what_is_no_number(measure: Any) -> None:
    with pytest.raises(ValueError, match="not a number"):
        measure([math.nan, 1.0], [2.0])
    with pytest.raises(ValueError, match="weights"):
        measure([1.0, 1.0], [2.0], ([1.0], [1.0]))


@given(log10_lrs, log10_lrs)
def test_calibration_can_only_help(same: list[float], different: list[float]) -> None:
    least = m.cllr_min(same, different)
    assert 0 <= least <= 1 + 1e-12
    assert m.cllr(same, different) >= least - 1e-12
    assert m.cllr_cal(same, different) >= 0


@given(log10_lrs, log10_lrs)
def test_ranks_alone_decide_discrimination(same: list[float], different: list[float]) -> None:
    def rising(x: list[float]) -> np.ndarray:
        return np.array(x) ** 3 * 5 - 2

    assume(len(np.unique(rising(same + different))) == len(np.unique(same + different)))  # underflow merges the tiniest
    for measure in (m.cllr_min, m.auc, m.eer):
        assert measure(rising(same), rising(different)) == pytest.approx(measure(same, different), abs=1e-12)


@given(coarse, coarse)
def test_swapping_the_classes_turns_everything_round(same: list[float], different: list[float]) -> None:
    turned = -np.array(different), -np.array(same)
    assert m.cllr(*turned) == pytest.approx(m.cllr(same, different))
    assert m.cllr_min(*turned) == pytest.approx(m.cllr_min(same, different), abs=1e-12)
    assert m.eer(*turned) == pytest.approx(m.eer(same, different), abs=1e-12)
    assert m.auc(*turned) == pytest.approx(m.auc(same, different), abs=1e-12)
    assert m.auc(different, same) == pytest.approx(1 - m.auc(same, different), abs=1e-12)
    ours, theirs = m.misleading_rates(same, different), m.misleading_rates(*turned)
    assert [(r.same, r.different) for r in ours] == [(r.different, r.same) for r in theirs]


@given(st.data(), coarse, coarse)
def test_a_weight_is_a_repetition(data: st.DataObject, same: list[float], different: list[float]) -> None:
    times = [data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x))) for x in (same, different)]
    assume(sum(times[0]) and sum(times[1]))
    repeated = [np.repeat(x, n) for x, n in zip((same, different), times, strict=True)]
    for measure in (m.cllr, m.cllr_min, m.eer, m.auc):
        assert measure(same, different, tuple(times)) == pytest.approx(measure(*repeated), abs=1e-12)
    assert m.misleading_rates(same, different, tuple(times)) == m.misleading_rates(*repeated)


@given(coarse, coarse)
def test_auc_and_eer_agree_with_counting(same: list[float], different: list[float]) -> None:
    s, d = np.array(same)[:, None], np.array(different)[None, :]
    assert m.auc(same, different) == pytest.approx(np.mean((s > d) + 0.5 * (s == d)), abs=1e-12)
    labels = [1] * len(same) + [0] * len(different)
    assert m.auc(same, different) == pytest.approx(roc_auc_score(labels, np.clip(same + different, -9, 9)), abs=1e-12)
    assert 0 <= m.eer(same, different) <= 0.5 + 1e-12


def test_misleading_rates_at_and_beyond_the_threshold() -> None:
    same = [-2.0, -2.1, -0.5, 0.0, 3.0]
    different = [2.0, 2.1, 1.0, 1.1, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0]
    at_1, at_10, at_100 = m.misleading_rates(same, different)
    assert (at_1.same, at_1.different) == (0.6, 0.4)  # LR = 1 misleads nobody
    assert (at_10.same, at_10.different) == (0.4, 0.3)
    assert (at_100.same, at_100.different) == (0.2, 0.1)  # LR = 100 is not above 100
    assert math.isnan(m.misleading_rates([], different)[0].same)


def test_ece_at_even_odds_is_cllr() -> None:
    same, different = both("overlapping")
    curve = m.ece_curve(same, different)
    middle = int(np.flatnonzero(curve.prior_log10_odds == 0)[0])
    assert curve.lr[middle] == pytest.approx(m.cllr(same, different), abs=1e-12)
    assert curve.pav[middle] == pytest.approx(m.cllr_min(same, different), abs=1e-12)
    assert curve.neutral[middle] == pytest.approx(1.0)
    assert (curve.pav <= curve.neutral + 1e-12).all()
    assert (curve.pav <= curve.lr + 1e-12).all()
    assert np.isnan(m.ece_curve([], [1.0]).lr).all()


def test_tippett_counts_what_reaches_each_lr() -> None:
    curves = m.tippett_curves([1.0, 2.0, math.inf], [-1.0, 1.0, -math.inf, 0.0], log10_lr=[-2, -1, 1, 1.5, 9])
    assert curves.same == pytest.approx([1, 1, 1, 2 / 3, 1 / 3])
    assert curves.different == pytest.approx([3 / 4, 3 / 4, 1 / 4, 0, 0])
    even = m.tippett_curves([1.0, 2.0, math.inf], [-1.0, -math.inf])
    assert (even.log10_lr[0], even.log10_lr[-1], even.log10_lr.size) == (-1.0, 2.0, 201)
    assert (np.diff(even.same) <= 0).all()
    assert (np.diff(even.different) <= 0).all()
    assert np.isfinite(m.tippett_curves([math.inf], [-math.inf]).log10_lr).all()


def test_posterior_of_extremes() -> None:
    assert m.posterior([0.0, math.inf, -math.inf, 1e308]).tolist() == [0.5, 1.0, 0.0, 1.0]
    assert m.posterior(math.log10(4), -math.log10(2)) == pytest.approx(2 / 3)


def test_c_at_1_worked_by_hand() -> None:
    p = [0.9, 0.8, 0.5, 0.5, 0.1, 0.6, 0.2, 0.3]
    y = [True, True, True, False, False, False, True, False]
    # right: 0.9, 0.8, 0.1, 0.3 = 4 of 8; two unanswered earn the rate of right answers
    assert m.c_at_1(p, y) == pytest.approx((4 + 2 * 4 / 8) / 8)
    assert math.isnan(m.c_at_1([], []))
    with pytest.raises(ValueError, match="outside"):
        m.c_at_1([1.2], [True])


def test_answering_everything_c_at_1_is_accuracy() -> None:
    rng = np.random.default_rng(5)
    p, y = rng.random(80), rng.random(80) < 0.5
    assert m.c_at_1(p, y) == pytest.approx(accuracy_score(y, p > 0.5))
    assert m.c_at_1(np.append(p, 0.5), np.append(y, True)) > m.c_at_1(np.append(p, 0.4), np.append(y, True))


def test_reliability_bins() -> None:
    curve = m.reliability_curve([0.0, 0.05, 0.95, 1.0], [False, True, True, True])
    assert curve.count.tolist() == [2, 2]
    assert curve.stated == pytest.approx([0.025, 0.975])
    assert curve.observed == pytest.approx([0.5, 1.0])


def test_reliability_of_calibrated_lrs_lies_on_the_diagonal_at_even_odds() -> None:
    rng = np.random.default_rng(7)
    same, different = rng.normal(1, 1, 20_000), rng.normal(-1, 1, 60_000)
    llr = np.concatenate([same, different]) * 2 / math.log(10)
    labels = np.repeat([True, False], [20_000, 60_000])
    curve = m.reliability_curve(m.posterior(llr), labels, class_balance(labels))
    assert curve.observed == pytest.approx(curve.stated, abs=0.03)


names = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1, max_size=40)


@given(names)
def test_decisions_equal_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    true, predicted = [a for a, _ in pairs], [b for _, b in pairs]
    assume(len({*true, *predicted}) > 1)  # scikit-learn warns of a table with one cell
    table = m.confusion(true, predicted)
    assert (table.counts == confusion_matrix(true, predicted, labels=list(table.classes))).all()
    assert m.accuracy(true, predicted) == pytest.approx(accuracy_score(true, predicted))
    expected = f1_score(true, predicted, average=None, labels=list(table.classes), zero_division=0)
    assert table.f1 == pytest.approx(expected, abs=1e-12)
    assert m.macro_f1(true, predicted) == pytest.approx(expected.mean(), abs=1e-12)


def test_decisions_with_weights_and_fixed_classes() -> None:
    true, predicted = ["a", "a", "b"], ["a", "b", "b"]
    assert m.accuracy(true, predicted, [1, 0, 1]) == 1.0
    assert m.confusion(true, predicted, classes=["b", "a", "c"]).counts.tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert m.macro_f1(true, predicted, classes=["b", "a", "c"]) == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert math.isnan(m.accuracy([], []))
    assert math.isnan(m.macro_f1([], []))

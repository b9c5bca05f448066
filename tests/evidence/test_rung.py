"""The rule of the opinion, tried on left-out texts: it is the rule in use, and nothing that it needs was learnt from the text's author."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.evidence.bootstrap import share_interval
from forensia.evidence.likelihood import LN10, Scores, author_folds, calibrate, log_odds, standing
from forensia.evidence.opinion import ABSTAIN, ALPHA, FEWEST_COMPARISONS, FEWEST_RIGHT, NONE
from forensia.evidence.result import Condition
from forensia.evidence.rung import Backing, Halved, Rung
from forensia.evidence.summary import open_set
from forensia.profile import THOROUGH
from forensia.systems.leaving_out import rate_of_all

SIGNALS = (0.8, 0.6)  # as in the simulated scores
Simulate = Callable[..., Scores]
EFFORT = replace(THOROUGH, resamples=60)


def rung_of(scores: Scores, likeness: np.ndarray | None = None) -> Rung:
    calibration = calibrate(scores, 0, count=30)[0]
    return Rung(Condition("new"), scores, calibration, 0, EFFORT, np.zeros(0) if likeness is None else likeness)


def uneven(simulate: Simulate, sizes: tuple[int, ...], apart: float = 4.0, seed: int = 0) -> Scores:
    """Simulated scores of authors with so many texts each."""
    made = simulate(authors=len(sizes), each=max(sizes), apart=apart, seed=seed)
    kept = np.concatenate([np.flatnonzero(made.codes == code)[:size] for code, size in enumerate(sizes)])
    return Scores(made.inside[kept], made.outside[kept], made.codes[kept], np.array(sizes))


# --- the rule --------------------------------------------------------------------------------------------------------


def plain_decision(rung: Rung, row: int, side: int, most: float, backed: np.ndarray) -> int:
    """The rule in words for one left-out text, its author listed (0) or not (1), from the LRs of a calibration without the author."""
    scores, code = rung.scores, int(rung.scores.codes[row])
    here = rung.judged.standings[side][row]
    first = int(np.nanargmax(here))
    listed, unlisted = ((rung.judged.inside, rung.judged.outside)[side][place][row] for place in (0, 1))
    bounds = (rung.calibration.listed_bounds, rung.calibration.unlisted_bounds)
    both = [
        value if each is None else np.clip(value, each.lower, each.upper)
        for value, each in zip((listed, unlisted), bounds, strict=True)
    ]
    headline = np.fmin(*both)[first]
    ratios = rung.calibration.ratios((scores.inside, scores.outside)[side][[row]])
    low = headline - (ratios.headline - ratios.low)[0, first]
    others = (~np.isnan(listed)).sum() - 1
    left = others / (others + 10 ** np.nanmax(listed))
    if rung.closed:
        chance = left
    else:
        theirs = scores.strange.any(axis=1) & (scores.codes != code)
        best = np.array(
            [
                np.nanmax(rung.standings[1][at]) * rung.evenness[scores.codes[at], np.nanargmax(rung.standings[1][at])]
                for at in np.flatnonzero(theirs)
            ]
        )
        met = scores.strange.sum(axis=1)[scores.strange.any(axis=1)].mean()
        share = (1 + (best >= here[first] * rung.evenness[code, first]).sum()) / (len(best) + 1)
        chance = 1 - (1 - share) ** ((len(scores.sizes) if side == 0 else met) / met)
    far = len(rung.likeness) and (rung.likeness <= rung.likeness[row]).sum() / len(rung.likeness) < ALPHA
    if headline > 0 and low > 0 and chance <= ALPHA and left <= most and backed[first] and not far:
        return first
    p = []
    for author in range(len(scores.sizes)):
        known = [at for at in np.flatnonzero(scores.own[:, author]) if side or at != row]
        mine = rung.judged.standings[0][known, author]
        if not np.isnan(here[author]):
            p.append((1 + (mine <= here[author]).sum()) / (len(mine) + 1))
    return NONE if all(each < ALPHA for each in p) and not rung.closed else ABSTAIN


@pytest.mark.parametrize(("authors", "apart"), [(11, 3.0), (12, 5.0), (6, 3.0)])
def test_opinions_on_left_out_texts_are_those_of_the_rule(simulate: Simulate, authors: int, apart: float) -> None:
    """Each text taken out of what it is compared with, and put to the same rule as a new one."""
    scores = simulate(authors=authors, each=25, apart=apart, strange=1.0)
    rung = rung_of(scores, np.random.default_rng(3).normal(size=len(scores.codes)))
    limits = rung._limits[scores.codes]
    expected = [plain_decision(rung, row, 0, limits[row], rung.backed) for row in range(len(scores.codes))]
    assert rung.on_listed.tolist() == expected
    assert len(set(expected)) > 2 and ABSTAIN in expected, "there are opinions, and none"
    told = open_set(rung).listed
    assert told.none_of_these == np.mean(np.array(expected) == NONE) and told.given == sum(
        each >= 0 for each in expected
    )
    assert told.opinion + told.none_of_these + told.no_opinion == pytest.approx(1)
    outside = [plain_decision(rung, row, 1, limits[row], rung.backed) for row in range(len(scores.codes))]
    assert rung.on_outsiders.tolist() == outside
    assert (open_set(rung).unlisted is None) == (authors < 10)


def test_none_of_these_is_said_of_outsiders_and_hardly_of_others(simulate: Simulate) -> None:
    rung = rung_of(simulate(authors=12, each=40, apart=5.0))
    assert (rung.on_listed == NONE).mean() <= ALPHA < (rung.on_outsiders == NONE).mean()


def test_outsiders_are_declined_as_often_as_is_said(simulate: Simulate) -> None:
    """Said of the texts of the validation, found on new outsiders."""
    said, found = [], []
    for seed in range(4):
        rung = rung_of(simulate(authors=20, each=20, apart=3.0, seed=seed))
        told = open_set(rung)
        fresh = np.random.default_rng(seed + 99).normal(size=(1_000, 20, 2))
        assert told.unlisted is not None and told.listed.right_when_given is not None
        said.append(told.unlisted.declined)
        found.append((rung.decisions(fresh, np.zeros(0)) < 0).mean())
        assert told.unlisted.declined == pytest.approx(1 - told.unlisted.wrongly_supported)
        assert told.listed.right_when_given >= FEWEST_RIGHT
        ends, rate = told.unlisted.supported_interval, told.unlisted.wrongly_supported
        hits, codes = rung.on_outsiders >= 0, rung.scores.codes
        of_these = share_interval(hits, codes, EFFORT.fewer_resamples, 0)
        assert ends == pytest.approx(
            (max(rate - 2**0.5 * (rate - of_these.low), 0), rate + 2**0.5 * (of_these.high - rate))
        ), "for other authors than those who were tried"
    assert np.mean(said) == pytest.approx(np.mean(found), abs=0.02) and np.mean(found) > 1 - ALPHA - 0.02


def test_the_cost_has_an_interval_that_holds_it(simulate: Simulate) -> None:
    rung = rung_of(simulate(strange=1.0))
    for cost, ends in zip((rung.cllr_listed, rung.cllr_unlisted), rung.cllr_intervals, strict=True):
        assert 0 < ends.low < cost < ends.high < 1


def test_ratios_and_costs_vary_with_whole_sources(simulate: Simulate) -> None:
    """Texts that stand in eight copies are one text each, not eight."""
    made = simulate(authors=12, each=4, strange=1.0)
    rows = np.repeat(np.arange(len(made.codes)), 8)
    copies = Scores(made.inside[rows], made.outside[rows], made.codes[rows], 8 * made.sizes)
    widths = []
    for units in (None, rows):
        calibration = calibrate(copies, 0, 100, units=units)[0]
        rung = Rung(Condition("new"), copies, calibration, 0, EFFORT, units=units)
        ratios = calibration.ratios(made.inside)
        widths.append((*(ends.high - ends.low for ends in rung.cllr_intervals), np.mean(ratios.high - ratios.low)))
    assert (np.array(widths[1]) > 1.05 * np.array(widths[0])).all()


def test_where_ratios_may_be_worth_nothing_nothing_is_said(simulate: Simulate) -> None:
    useless, good = rung_of(simulate(apart=0.0)), rung_of(simulate(apart=4.0))
    assert useless.costly and (useless.on_listed == ABSTAIN).all() and (useless.on_outsiders == ABSTAIN).all()
    assert not good.costly and good.backed.all() and (good.on_listed >= 0).any()


# --- nobody but the listed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("authors", range(3, 10))
def test_with_few_authors_an_opinion_leaves_little_doubt(simulate: Simulate, authors: int) -> None:
    """Nothing is known of outsiders then: the opinion is among the listed, and the doubt must not be more than outsiders might be."""
    rung = rung_of(simulate(authors=authors, each=20, apart=4.0))
    told = open_set(rung)
    assert rung.closed and np.isnan(rung.family_p(np.array([9.0]), authors)).all()
    given = rung.on_listed >= 0
    z = rung.judged.inside[0]
    odds = 10.0 ** z.max(axis=1) / (authors - 1)
    assert given.any() and (1 / (1 + odds))[given].max() <= ALPHA
    assert told.unlisted is None and told.false_support == () and told.listed.given == given.sum()
    assert told.listed.right_when_given is not None and told.listed.right_when_given >= FEWEST_RIGHT
    fresh = np.random.default_rng(1).normal(size=(400, authors, 2)) + 4.0 * np.eye(authors)[np.arange(400) % authors][
        :, :, None
    ] * (0.8, 0.6)
    decided = rung.decisions(fresh, np.zeros(0))
    shares = 10.0 ** rung.calibration.log10_lr(fresh)[0].max(axis=1) / (authors - 1)
    assert (decided >= 0).any() and (1 / (1 + shares))[decided >= 0].max() <= ALPHA
    close = (1 / (1 + shares)) > ALPHA
    assert close.any() and (decided[close] < 0).all()


def test_with_ten_authors_outsiders_are_asked(simulate: Simulate) -> None:
    rung = rung_of(simulate(authors=10, each=10, apart=4.0))
    assert not rung.closed and open_set(rung).unlisted is not None
    assert 0 < float(rung.family_p(np.array([9.0]), 10)[0]) < ALPHA


# --- the limit of doubt and what stands behind an opinion ---------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from((2, 4, 9, 12)), st.sampled_from((1.0, 2.0, 3.0)))
def test_opinions_within_the_limit_are_right(simulate: Simulate, seed: int, authors: int, apart: float) -> None:
    """All authors have as many texts, so that all texts stand behind each of them."""
    rung = rung_of(simulate(authors=authors, each=12, apart=apart, seed=seed))
    behind = rung.backing[0]
    assert set(rung.backing) == {behind} and behind.comparisons == len(rung.scores.codes)
    decided = rung._decided(0, np.full(authors, rung.most_doubt), np.ones(authors, bool))
    if rung.most_doubt < 0:
        assert not (decided >= 0).any()
    elif (decided >= 0).any():
        assert (decided == rung.scores.codes)[decided >= 0].mean() >= FEWEST_RIGHT
    given = rung.on_listed >= 0
    assert given.sum() == (behind.given if rung.backed.all() and not rung.costly else 0)


def test_the_limit_holds_back_what_would_be_wrong(simulate: Simulate) -> None:
    """A tenth of the texts resemble another author, though less than others do their own: only what leaves less doubt gets an opinion."""
    scores = simulate(authors=12, each=50, apart=6.0)
    inside, codes = scores.inside.copy(), scores.codes
    wrong = np.flatnonzero(np.arange(len(codes)) % 10 == 0)
    inside[wrong, codes[wrong]] -= 6.0 * np.array(SIGNALS)
    inside[wrong, (codes[wrong] + 1) % 12] += 4.5 * np.array(SIGNALS)
    rung = rung_of(replace(scores, inside=inside))
    every = rung._decided(0, np.ones(12), np.ones(12, bool))
    given, behind = every >= 0, rung.backing[0]
    assert (every == codes)[given].mean() < FEWEST_RIGHT <= behind.right / behind.given + 0.02
    assert 0 < rung.most_doubt < 0.5 and len(codes) / 2 < behind.given < given.sum()
    assert (rung.on_listed >= 0).sum() == behind.given and open_set(rung).listed.right_when_given >= FEWEST_RIGHT - 0.02
    folds = author_folds(12, rung.seed)
    for fold in np.unique(folds):
        assert (rung._limits[folds == fold] == rung._limit(folds != fold)).all(), "learnt from the texts of others"


@pytest.mark.parametrize(
    ("backing", "enough"),
    [
        (Backing(5, 40, 30, 30), True),
        (Backing(1, 20, 20, 20), True),
        (Backing(1, 20, 1, 1), True),  # nothing says that opinions would be wrong
        (Backing(1, 20, 0, 0), False),  # but nothing stands behind them
        (Backing(0, 40, 30, 30), False),  # none of the author's own could be tried
        (Backing(1, 19, 19, 19), False),
        (Backing(5, 40, 20, 18), True),  # Wilson's interval of 90 % reaches 97 %
        (Backing(5, 40, 20, 17), False),  # of 85 % it ends at 94.8 %
        (Backing(5, 40, 1, 0), False),
    ],
)
def test_what_is_enough_behind_an_opinion(backing: Backing, enough: bool) -> None:
    assert backing.enough is enough


def test_behind_an_author_stand_those_with_at_most_twice_as_many_texts(simulate: Simulate) -> None:
    """So little is never claimed for somebody with few texts because others, with many, are recognised well."""
    sizes = (3, 6, 7, 12, 13, 26)
    rung = rung_of(uneven(simulate, sizes))
    codes = rung.scores.codes
    for author, size in enumerate(sizes):
        like = [row for row, code in enumerate(codes) if sizes[code] <= 2 * size]
        behind = rung.backing[author]
        assert (behind.tried, behind.comparisons) == (size, len(like))
        assert behind.given >= behind.right >= 0 and behind.given <= behind.comparisons
    assert [each.comparisons for each in rung.backing] == [9, 28, 41, 41, 67, 67]
    assert rung.backed.tolist() == [False, True, True, True, True, True]
    assert 0 not in rung.on_listed, "fewer than twenty texts stand behind the first"


def test_an_author_none_of_whose_texts_could_be_tried_is_not_backed(simulate: Simulate) -> None:
    scores = simulate(authors=12, each=10, apart=4.0)
    inside = scores.inside.copy()
    inside[scores.codes == 5] = np.nan
    rung = rung_of(replace(scores, inside=inside))
    assert rung.backing[5] == replace(rung.backing[4], tried=0) and rung.backing[4].comparisons == 110
    assert rung.backed.tolist() == [author != 5 for author in range(12)] and 5 not in rung.on_listed
    text = np.zeros((1, 12, 2))
    text[0, 5] = 9.0
    assert rung.decisions(text, np.zeros(0)).tolist() == [ABSTAIN]
    assert replace(rung, scores=scores).decisions(text, np.zeros(0)).tolist() == [5]
    assert FEWEST_COMPARISONS == 20


# --- nothing that was learnt from the author ---------------------------------------------------------------------------


def test_the_rule_on_a_text_uses_nothing_that_was_learnt_from_its_author(simulate: Simulate) -> None:
    """The scores of an author's other texts are turned round: the fusion and the line for the author's own texts stay as they are."""
    scores = simulate(authors=20, each=8, apart=3.0)
    for author in (0, 7):
        own = np.flatnonzero(scores.codes == author)
        inside, outside = scores.inside.copy(), scores.outside.copy()
        inside[own[1:]], outside[own[1:]] = -9 * inside[own[1:]], -9 * outside[own[1:]]
        before = rung_of(scores)
        after = replace(before, scores=replace(scores, inside=inside, outside=outside))
        for one, other in zip(
            (*before.judged.inside, *before.judged.outside, *before.judged.standings),
            (*after.judged.inside, *after.judged.outside, *after.judged.standings),
            strict=True,
        ):
            assert np.allclose(one[own[0]], other[own[0]], rtol=1e-9, equal_nan=True)
        elsewhere = ~np.isin(scores.codes, author)
        assert not np.allclose(before.judged.inside[0][elsewhere], after.judged.inside[0][elsewhere]), (
            "others are affected"
        )


def test_the_ratios_of_a_text_are_by_a_fusion_without_its_author(simulate: Simulate) -> None:
    """Against a fusion and a line that are really fitted without the fold: one step of Newton's method is nearly that."""
    from forensia.evidence.likelihood import fit_line
    from forensia.systems.fusion import Fusion

    scores = simulate(authors=20, each=10, apart=3.0)
    rung, folds = rung_of(scores), author_folds(20, 0)[scores.codes]
    for number in (0, 4):
        rows, rest = folds == number, folds != number
        fusion = Fusion.fit(scores.inside[rest], scores.codes[rest], scores.sizes)
        inside, outside = (fusion.z(each, scores.sizes) for each in (scores.inside, scores.outside))
        kept = replace(scores, inside=scores.inside[rest], outside=scores.outside[rest], codes=scores.codes[rest])
        intercept, slope = fit_line(kept, (standing(inside[rest]), standing(outside[rest])))
        assert rung.judged.inside[0][rows] == pytest.approx(log_odds(inside[rows]) / LN10, abs=0.02)
        expected = (intercept + slope * standing(inside[rows])) / LN10
        assert rung.judged.inside[1][rows] == pytest.approx(expected, abs=0.02)


def test_outsiders_by_the_author_of_a_text_do_not_count(simulate: Simulate) -> None:
    """One author's texts, taken for an outsider's, resemble somebody as nothing else does: no reason to doubt the author's own."""
    scores = simulate(authors=12, each=10, apart=4.0)
    outside, mine = scores.outside.copy(), scores.codes == 3
    outside[mine, 4] = 50.0
    before = rung_of(scores)
    after = replace(before, scores=replace(scores, outside=outside))
    doubts = [rung._left_out[0][1].outsiders for rung in (before, after)]
    same_line = np.isclose(before.judged.standings[0], after.judged.standings[0]).all()
    assert same_line and (doubts[1][mine] <= doubts[0][mine] + 1e-12).all(), "at most author 4 counts for less"
    assert doubts[1][~mine].mean() > 2 * doubts[0][~mine].mean(), "those of others are in doubt"
    assert (after.outsiders.authors == scores.codes).all()


# --- authors who attract others, and first places --------------------------------------------------------------------


def test_a_standing_counts_less_with_an_author_who_attracts_some_others(simulate: Simulate) -> None:
    """By how far outsiders' standings with the author are spread, authors counting equally; without the texts of one, or with all."""
    scores = simulate(authors=12, each=10, apart=4.0)
    outside = scores.outside.copy()
    outside[np.isin(scores.codes, (0, 1, 2)), 8] += 3.0 * np.array(SIGNALS)
    rung = rung_of(replace(scores, outside=outside))
    for without in (4, -1):
        spreads = []
        for author in range(12):
            theirs = [
                rung.standings[1][scores.codes == code, author] for code in range(12) if code not in (author, without)
            ]
            mean, square = np.mean([each.mean() for each in theirs]), np.mean([(each**2).mean() for each in theirs])
            spreads.append(np.sqrt(square - mean**2))
        assert rung.evenness[without] == pytest.approx(np.minimum(np.median(spreads) / spreads, 1.0))
    assert rung.evenness[-1].argmin() == 8 and (rung.evenness <= 1).all()
    here = np.zeros((2, 12))
    here[0, 8], here[1, 3] = 3.0, 3.0
    assert rung.counted(here).tolist() == [3.0 * rung.evenness[-1, 8], 3.0 * rung.evenness[-1, 3]]
    assert rung.counted(here, np.array([4, 4]))[0] == 3.0 * rung.evenness[4, 8]


def test_first_places_are_what_was_found_and_what_more_texts_are_worth(simulate: Simulate) -> None:
    rung = rung_of(simulate(authors=12, each=10, apart=2.0))
    weights = np.random.default_rng(0).integers(0, 3, 120).astype(float)
    right = rung.first == rung.scores.codes
    assert rung.first_places(np.ones(120)) == right.mean()
    assert rung.first_places(weights) == pytest.approx(np.average(right, weights=weights))
    assert np.isnan(rung.first_places(np.zeros(120)))
    by_all = rung.calibration.z(rung.scores.inside).argmax(axis=1) == rung.scores.codes
    for worse, gain in ((0.2, True), (0.0, False)):
        fewer = np.full(120, by_all.mean() - worse)
        halved = Halved(by_all.astype(float), fewer, np.ones(120), np.full(120, 0.5))
        found = replace(rung, halved=halved).first_places(np.ones(120))
        assert found == pytest.approx(rate_of_all(right.mean(), by_all.mean(), by_all.mean() - worse, 1.0, 0.5))
        assert bool(found > right.mean() + 0.01) is gain

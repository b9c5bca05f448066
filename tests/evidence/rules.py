"""The forensic rules in plain loops, held against one run of the program among authors with unequal numbers of texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.evidence import likelihood
from forensia.evidence.bootstrap import wilson
from forensia.evidence.likelihood import author_folds
from forensia.evidence.result import Alternative, Condition
from forensia.evidence.rung import Rung
from forensia.systems.lazy_stacked import StackedAttributor, completed
from support.refit import refitted
from support.unbalanced import SIZES
from tests.evidence.test_rung import plain_decision
from tests.evidence.watchedrun import OPTIONS, Floats, Run

# The rules, in plain loops


def plain_lazy(row: Floats, codes: NDArray[Any], k: int) -> list[float]:
    """The mean over the same share of each author's documents: k of the most, fewer of the others, the most similar first."""
    sizes = np.bincount(codes).tolist()
    out = []
    for author, size in enumerate(sizes):
        reach = max(1, round(k * size / max(sizes)))
        best = sorted((float(value) for value in row[codes == author] if not np.isnan(value)), reverse=True)[:reach]
        out.append(sum(best) / len(best) if best else float("nan"))
    return out


def plain_z(run: Run, scores: Floats) -> Floats:
    """The weighted scores of an author (authors x families) in units of their spread, and what the number of texts takes away."""
    fusion = run.validation.whole.calibration.fusion
    logs = [float(np.log(size)) for size in np.bincount(run.codes)]
    out = []
    for author, row in enumerate(scores):
        weighed = sum(w * value / sd for w, value, sd in zip(fusion.weights, row, fusion.spread, strict=True))
        out.append(float(weighed) + fusion.size * logs[author])
    return np.array(out)


def plain_standings(z: Floats) -> Floats:
    """Standard scores among the authors of a text."""
    known = [float(value) for value in z if not np.isnan(value)]
    mean = sum(known) / len(known)
    spread = (sum((value - mean) ** 2 for value in known) / len(known)) ** 0.5
    return np.array([(float(value) - mean) / spread for value in z])


def standings_of(run: Run, scores: Floats) -> Floats:
    """Of texts x authors x families."""
    return np.array([plain_standings(plain_z(run, row)) for row in scores])


def plain_first(pr_same: Floats, codes: NDArray[Any]) -> NDArray[np.int64]:
    """For each document and each k the author who comes first, the document itself left out."""
    others = np.where(np.eye(len(codes), dtype=bool), np.nan, pr_same)
    first = np.empty((len(codes), max(SIZES)), dtype=np.int64)
    for row, values in enumerate(others):
        for k in range(1, max(SIZES) + 1):
            first[row, k - 1] = int(np.nanargmax(plain_lazy(values, codes, k)))
    return first


def plain_k(right: NDArray[np.bool_]) -> int:
    """The middle one of all k that are as good as the best to within half a standard error."""
    share = right.mean(axis=0)
    error = np.sqrt(share.max() * (1 - share.max()) / len(right)) / 2
    good = [k for k, value in enumerate(share, start=1) if value >= share.max() - error]
    return good[(len(good) - 1) // 2]


def plain_stacked(learnt: Floats, codes: NDArray[Any], rows: Floats) -> Floats:
    """What a classifier says that takes authors with many documents for more probable, less just that; authors by their codes."""
    uneven = StackedAttributor(seed=OPTIONS.seed).fit(completed(learnt, codes), list(codes))
    chances = uneven.predict_proba(rows)[:, np.argsort(uneven.authors_)] / np.bincount(codes)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


# The checks


def check_matched_pairs(run: Run) -> None:
    """Each document is in as many Same pairs as Different ones."""
    pairs, _ = run.pairs[0]
    same, different = (
        np.bincount(np.concatenate([pairs.first[kind], pairs.second[kind]]), minlength=len(run.codes))
        for kind in (pairs.same, ~pairs.same)
    )
    assert np.array_equal(same, different)
    assert np.array_equal(same, np.bincount(run.codes)[run.codes] - 1), (
        "every document with each other one of its author"
    )


def check_c_grouped_by_document(run: Run) -> None:
    """No document is in a pair that C is learnt from and in one that it is judged by."""
    pairs, split = run.pairs[0]
    for train, test in zip(split.train.T, split.test.T, strict=True):
        learnt, tried = ({*pairs.first[rows].tolist(), *pairs.second[rows].tolist()} for rows in (train, test))
        assert tried and not learnt & tried
    assert run.model.fitted.training.grouped, "and the report can say so"


def check_k(run: Run) -> None:
    right = plain_first(run.pr_same, run.codes) == run.codes[:, None]
    assert np.allclose(run.model.k_accuracy, right.mean(axis=0)) and run.model.k == plain_k(right)


def check_lazy_ranking(run: Run) -> None:
    for ranking, found in zip(run.rankings, run.found, strict=True):
        expected = plain_lazy(ranking.pr_same, run.codes, run.model.k)
        assert np.allclose(ranking.lazy, expected)
        assert np.allclose([found.by_author[author].systems["lazy"].score for author in run.model.authors], expected)


def check_lazy_attribution(run: Run) -> None:
    """Each known text is ascribed with the k that the other folds choose."""
    first = plain_first(run.pr_same, run.codes)
    for number in np.unique(run.fold):
        rows = run.fold == number
        k = plain_k(first[~rows] == run.codes[~rows][:, None])
        assert np.array_equal(run.attributed[0][rows], first[rows, k - 1])


def check_stacked_ranking(run: Run) -> None:
    expected = plain_stacked(run.pr_same, run.codes, np.array([each.pr_same for each in run.rankings]))
    assert np.allclose([each.stacked for each in run.rankings], expected)


def check_stacked_attribution(run: Run) -> None:
    for number in np.unique(run.fold):
        rest, tried = np.flatnonzero(run.fold != number), np.flatnonzero(run.fold == number)
        present, codes = np.unique(run.codes[rest], return_inverse=True)
        said = plain_stacked(run.pr_same[np.ix_(rest, rest)], codes, run.pr_same[np.ix_(tried, rest)])
        assert np.array_equal(run.attributed[1][tried], present[said.argmax(axis=1)])


def check_left_out_scores(run: Run) -> None:
    """What the fusion is learnt from: scores by fits without the text, and one text of every author who has another."""
    scores, system = run.validation.whole.scores, run.validation.system
    found: list[list[Floats]] = [[] for _ in run.codes]
    for each in run.tried.rounds:
        left = np.setdiff1d(np.arange(len(run.codes)), each.away)
        assert set(each.tried.tolist()) <= set(each.away.tolist()) and set(run.codes[left].tolist()) == set(
            range(len(SIZES))
        )
        said = np.stack(
            [
                refitted(family, run.codes, left, run.trained.texts.counts.rows(each.tried))
                for family in system.families
            ],
            axis=2,
        )
        for row, values in zip(each.tried, said, strict=True):
            found[row].append(values)
    assert all(found), "each text is tried"
    assert np.allclose(scores.inside, [np.mean(each, axis=0) for each in found], atol=1e-5)


def check_outsiders_scores(run: Run) -> None:
    """What stands for an outsider has been seen by no fit that scored it, in no text."""
    scores, system = run.validation.whole.scores, run.validation.system
    for code in range(len(SIZES)):
        rows, others = np.flatnonzero(run.codes == code), np.flatnonzero(run.codes != code)
        for number, family in enumerate(system.families):
            expected = refitted(family, run.codes, others, run.trained.texts.counts.rows(rows))
            expected[:, code] = np.nan
            assert np.allclose(scores.outside[rows, :, number], expected, atol=1e-5, equal_nan=True)


def check_fused_ranking(run: Run) -> None:
    """The ranking of a disputed text: weighed scores of the families, the numbers of texts taken out."""
    assert run.validation.whole.calibration.fusion.size != 0
    for found, counts in zip(run.found, run.counted, strict=True):
        expected = plain_z(run, run.validation.system.scores(counts)[0])
        assert np.allclose([found.by_author[author].placed.score for author in run.model.authors], expected)
        assert found.candidates[0].author == run.model.authors[int(expected.argmax())] == found.opinion.about


def check_ratios(run: Run) -> None:
    """Against listed authors the odds of the fusion over even prior odds, against others a line of the standing; within bounds."""
    calibration = run.validation.whole.calibration
    assert calibration.unlisted_bounds is not None
    (intercept, slope), within = calibration.line, 0
    for found, counts in zip(run.found, run.counted, strict=True):
        z = plain_z(run, run.validation.system.scores(counts)[0])
        standings = plain_standings(z)
        for code, author in enumerate(run.model.authors):
            each = found.by_author[author]
            odds = np.exp(z[code]) / np.mean([np.exp(value) for number, value in enumerate(z) if number != code])
            expected = (np.log10(odds), (intercept + slope * standings[code]) / np.log(10))
            for said, value in zip((each.listed, each.unlisted), expected, strict=True):
                assert said is not None
                assert said.log10 == pytest.approx(min(max(value, said.bounds.lower), said.bounds.upper))
                within += said.reached is None
    assert within > len(run.found), "for some of them no bound decides"


def check_lower_headline(run: Run) -> None:
    """Of two LRs the lower is told."""
    alternatives = set()
    for each in (each for found in run.found for each in found.candidates):
        assert each.headline is not None and each.listed is not None and each.unlisted is not None
        assert each.headline.log10 == min(each.listed.log10, each.unlisted.log10)
        alternatives.add(each.headline.alternative)
    ratios = run.validation.whole.calibration.ratios(run.validation.whole.scores.inside)
    assert np.array_equal(ratios.headline, np.minimum(ratios.listed, ratios.unlisted))
    assert alternatives == {Alternative.LISTED, Alternative.UNLISTED}, "each is the lower one somewhere"


def check_judged_without_the_author(run: Run) -> None:
    """The LRs by which a calibration is judged know nothing by the author: not even when their other texts say something else."""
    rung = run.validation.whole
    fusion, before = rung.calibration.fusion, rung.judged
    for code in (1, 9):
        own = np.flatnonzero(run.codes == code)
        inside, outside = rung.scores.inside.copy(), rung.scores.outside.copy()
        inside[own[1:]], outside[own[1:]] = -inside[own[1:]], -outside[own[1:]]
        changed = replace(rung.scores, inside=inside, outside=outside)
        after = likelihood.crossfitted(changed, fusion, rung.seed)
        for one, other in zip((*before.inside, *before.outside), (*after.inside, *after.outside), strict=True):
            assert np.allclose(one[own[0]], other[own[0]], rtol=1e-9, equal_nan=True)


def check_bounds(run: Run) -> None:
    """No LR is further from 1 than the number of trials on which it rests, however far the score is."""
    calibration = run.validation.whole.calibration
    scores = run.validation.whole.scores
    far = np.zeros((1, len(SIZES), scores.inside.shape[2]))
    far[0, 0], far[0, 1] = 60.0, -60.0
    ratios = calibration.ratios(far)
    own, other, strange = (int(which.sum()) for which in (scores.own, scores.other, scores.strange))
    for values, trials in ((ratios.listed[0], other), (ratios.unlisted[0], strange)):
        assert -np.log10(own + 1) - 0.011 <= values[1] < 0 < values[0] <= np.log10(trials + 1) + 0.011
    for values in (ratios.headline, ratios.low, ratios.high):
        assert np.abs(values[0, :2]).max() <= np.log10(strange + 1) + 0.011
    # A standing cannot be further than all authors allow, the odds against the others can.
    assert all(calibration.said(ratios, code)[1].reached for code in (0, 1))  # type: ignore[union-attr]


def plain_decisions(rung: Rung, most: NDArray[np.float64], backed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of left-out texts by listed authors, with a limit of doubt for each author's and the authors who have enough behind them."""
    rows, codes = np.flatnonzero(rung.scores.tried), rung.scores.codes
    return np.array([plain_decision(rung, int(row), 0, float(most[codes[row]]), backed) for row in rows])


def plain_rule(rung: Rung) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The limit of doubt under which 95 % of the opinions on texts by others are right, and who has enough behind them."""
    codes, sizes = rung.scores.codes[rung.scores.tried], rung.scores.sizes
    everybody = np.ones(len(sizes), bool)
    listed = rung.judged.inside[0][rung.scores.tried]
    left = (len(sizes) - 1) / (len(sizes) - 1 + 10 ** listed.max(axis=1))
    every, folds = plain_decisions(rung, np.ones(len(sizes)), everybody), author_folds(len(sizes), rung.seed)
    most = np.ones(len(sizes))
    for fold in np.unique(folds):
        given = [
            (float(left[row]), decision == codes[row])
            for row, decision in enumerate(every)
            if decision >= 0 and folds[codes[row]] != fold
        ]
        limits = [at for at, _ in given if np.mean([right for doubt, right in given if doubt <= at]) >= 0.95]
        if given and np.mean([right for _, right in given]) < 0.95:
            most[folds == fold] = max(limits, default=-1.0)
    within = plain_decisions(rung, most, everybody)
    backed = []
    for author, size in enumerate(sizes):
        like = [row for row, code in enumerate(codes) if sizes[code] <= 2 * size]
        some = [within[row] == codes[row] for row in like if within[row] >= 0]
        often = not some or wilson(float(np.mean(some)), len(some))[1] >= 0.95
        backed.append(bool((codes == author).any()) and len(like) >= 20 and often)
    return most, np.array(backed)


def check_outsiders_line(run: Run) -> None:
    """Nobody is supported by a standing that more than one in twenty outsiders reach with any of the authors.

    Nor for a text of another kind: its function words are less like those of other authors than those of nineteen in twenty known texts.
    """
    rung = run.validation.whole
    most, backed = plain_rule(rung)
    assert run.tried.decisions.tolist() == plain_decisions(rung, most, backed).tolist()
    nobody_strange = replace(rung, likeness=np.zeros(0))
    alike = plain_decisions(nobody_strange, most, backed)
    assert (run.tried.decisions >= 0).any() and (alike != run.tried.decisions).any(), (
        "kinds of text matter for some of these"
    )


def check_limit_and_backing(run: Run) -> None:
    """No opinion leaves more doubt than left-out texts allow, and none is about an author with too little behind it."""
    rung = run.simulated
    most, backed = plain_rule(rung)
    everybody = np.ones(len(backed), bool)
    expected = plain_decisions(rung, most, backed)
    assert rung.on_listed.tolist() == expected.tolist()
    for other in (plain_decisions(rung, np.ones(len(backed)), backed), plain_decisions(rung, most, everybody)):
        assert (other >= 0).sum() > (expected >= 0).sum() > 0, "each of both matters"


def check_opinions_limit_and_backing(run: Run) -> None:
    """The same for texts in dispute."""
    kinds = {name: (said.kind, [each.code for each in said.reasons]) for name, said in run.opinions.items()}
    assert kinds == {
        "clear": ("author", []), "few": ("none given", ["few-comparisons"]), "close": ("none given", ["too-close"]),
    }  # fmt: skip


def check_own_outsiders(run: Run) -> None:
    """What the author's own texts do when they are taken for an outsider's, says nothing about the author's texts."""
    rung, codes = run.simulated, run.simulated.scores.codes
    firsts = np.nanargmax(rung.standings[1], axis=1)
    best = np.nanmax(rung.standings[1], axis=1) * rung.evenness[codes, firsts]
    (rows, doubts, _), matters = rung._left_out[0], 0
    for place, row in enumerate(np.flatnonzero(rows)):
        here = rung.judged.standings[0][row]
        counts = here.max() * rung.evenness[codes[row], int(here.argmax())]
        others = best[codes != codes[row]]
        shares = [(1 + (each >= counts).sum()) / (len(each) + 1) for each in (others, best)]
        expected = 1 - (1 - shares[0]) ** (len(rung.scores.sizes) / (len(rung.scores.sizes) - 1))
        assert doubts.outsiders[place] == pytest.approx(expected)
        matters += shares[0] < shares[1]
    assert matters


def check_condition(run: Run) -> None:
    """A text is judged by the figures of its source: the ranking by the fusion that was learnt there."""
    scores = []
    for (sourced, found), source in zip(run.conditions, ("new", "known"), strict=True):
        (rung,) = (each for each in sourced.rungs if each.condition == Condition(source))
        z = rung.calibration.z(sourced.system.scores(run.counted[0]))[0]
        assert found.condition == Condition(source)
        assert np.allclose([found.by_author[author].placed.score for author in sourced.authors], z)
        scores.append(z)
    assert not np.allclose(*scores), "they differ"


def check_no_new_source(run: Run) -> None:
    """Nothing is said of a text from a new source where none could be tried, though all figures are there for a known one."""
    for found, other in zip(run.unstated, run.found, strict=True):
        assert not found.opinion.given and "sources-not-known" in {each.code for each in found.opinion.reasons}
        assert found.candidates == other.candidates
    assert any(found.opinion.kind == "author" for found in run.found)


def check_opinions_outsiders_line(run: Run) -> None:
    """The same for the texts in dispute."""
    for said in (found.opinion for found in run.found):
        assert said.family_p is not None
        assert not said.given or said.kind == "none of these" or said.family_p <= 0.05
    strong = [found.candidates for found in run.found if (found.opinion.family_p or 0) > 0.05]
    lows = [[each.headline.interval[0] for each in rows if each.headline and each.headline.interval] for rows in strong]
    assert any(max(each) > 0 for each in lows), "it matters for some of them"
    assert any(found.opinion.kind == "author" for found in run.found), "and does not silence all"


def check_conformal(run: Run) -> None:
    """How usual the standing of a known text is for its author, is told by the other texts of that author."""
    inside = run.validation.whole.judged.standings[0]
    for row, code in enumerate(run.codes):
        others = [inside[other, code] for other in np.flatnonzero(run.codes == code) if other != row]
        expected = (1 + sum(other <= inside[row, code] for other in others)) / (len(others) + 1)
        assert run.tried.p[row, code] == pytest.approx(expected)


def check_folds_without_the_author(run: Run) -> None:
    """What stands for an outsider has been seen by no model that scored it, in no document."""
    labels = np.array(run.trained.texts.labels)
    folds = np.unique(run.by_author.fold)
    assert len(run.without) == len(folds)
    for number, known in zip(folds, run.without, strict=True):
        tried = set(labels[run.by_author.fold == number].tolist())
        assert not known & tried and known | tried == set(labels.tolist())
    assert np.isnan(run.by_author.log_odds[run.codes[:, None] == run.codes]).all()

"""Two texts by anybody: which pairs are learnt from, who counts for the mean, and that no author weighs their own pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.evidence import pairwise
from forensia.evidence.crossfit import OutOfFold, author_folds
from forensia.evidence.knowntexts import WHOLE, Texts
from forensia.evidence.measures import auc
from forensia.evidence.pairwise import (
    FEWEST,
    CrossfitFusion,
    PairScores,
    PairTexts,
    Pairwise,
    TriedPairs,
    compared,
    log_odds,
    strangers,
)  # fmt: skip
from forensia.evidence.result import DV_BIN, FUSED, Alternative
from forensia.evidence.training import Trained
from forensia.features import FUSED_FAMILIES, Vectors
from forensia.jobs import silent
from forensia.profile import QUICK
from forensia.systems import Impostors
from forensia.systems.centred import NOBODY
from forensia.systems.fused import FusedSystem, fit_fused
from forensia.systems.leaving_out import rounds
from forensia.systems.others import COSINE, IMPOSTORS

Rows = NDArray[np.intp]


@pytest.fixture(scope="module")
def texts(trained: Trained) -> Texts:
    """With the cut texts of one length only."""
    shortest = trained.texts.rungs[-1]
    return replace(trained.texts, cut={shortest: trained.texts.cut[shortest]})


@pytest.fixture(scope="module")
def codes(trained: Trained) -> Rows:
    return trained.model.codes.astype(np.intp)


@pytest.fixture(scope="module")
def system(texts: Texts, codes: Rows) -> FusedSystem:
    return fit_fused(texts.counts, codes, [rounds(codes, texts.sources, 0)], FUSED_FAMILIES)[0]


@pytest.fixture(scope="module")
def chosen(texts: Texts, codes: Rows) -> PairTexts:
    return PairTexts.of(texts, codes, 0)


def couples(pairs: TriedPairs) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)}


def test_same_pairs_share_no_source(texts: Texts, codes: Rows, chosen: PairTexts) -> None:
    """Every other pair is there once, and pairs by two authors whatever their sources are called."""
    kinds = chosen.kinds(0)
    strange = couples(kinds["unseen_outside"])
    every = {frozenset((a, b)) for a in range(len(codes)) for b in range(a)}
    sharing = {
        pair
        for pair in every
        if len({int(codes[row]) for row in pair}) == 1 and len({texts.sources[row] for row in pair}) == 1
    }
    assert sharing and strange == every - sharing and len(strange) == len(kinds["unseen_outside"].first)
    assert couples(kinds["known_outside"]) == strange
    for kind in ("known", "unseen"):
        assert couples(kinds[kind]) <= strange


def test_where_hardly_any_share_none_all_same_pairs_are_taken(texts: Texts, codes: Rows) -> None:
    one = replace(texts, sources=[("the only one",)] * len(codes))
    assert PairTexts.of(one, codes, 0).allowed.sum() == len(codes) * (len(codes) - 1) / 2
    unknown = replace(texts, sources=())
    assert PairTexts.of(unknown, codes, 0).allowed.sum() == len(codes) * (len(codes) - 1) / 2


def test_of_many_authors_some_with_several_texts_are_taken(
    texts: Texts, codes: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairwise, "AUTHORS", 2)
    monkeypatch.setattr(pairwise, "TEXTS", 8)
    rows = np.concatenate(([np.flatnonzero(codes == 0)[0]], np.flatnonzero(codes > 0)))
    one = Texts(texts.counts.rows(rows), [texts.labels[row] for row in rows], [texts.sources[row] for row in rows])
    found = PairTexts.of(one, codes[rows], 0)
    assert sorted(codes[rows][found.rows].tolist()) == [1] * 4 + [2] * 4, "the first author has one text only"


def test_who_counts_and_what_is_known(codes: Rows, chosen: PairTexts) -> None:
    kinds = chosen.kinds(0)
    for kind in ("known_outside", "unseen_outside"):
        pairs = kinds[kind]
        assert (pairs.without == np.column_stack((codes[pairs.first], codes[pairs.second]))).all()
        assert not pairs.halved, "with both authors away nothing else need be left out"
    known, unseen = kinds["known"], kinds["unseen"]
    assert (known.without[:, 0] == codes[known.second]).all() and (known.without[:, 1] == NOBODY).all()
    assert (unseen.without == NOBODY).all() and known.halved and unseen.halved
    assert (chosen.half[known.first] != chosen.half[known.second]).all(), "the second text is among the known ones"
    assert (chosen.half[unseen.first] == chosen.half[unseen.second]).all(), "neither text is"
    assert [kinds[kind].known for kind in ("known", "known_outside", "unseen", "unseen_outside")] == [
        True,
        True,
        False,
        False,
    ]


def test_of_many_pairs_some_are_drawn_by_the_seed(chosen: PairTexts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairwise, "MOST", 30)
    one, again, other = (chosen.kinds(seed)["unseen_outside"] for seed in (0, 0, 1))
    same = chosen.codes[one.first] == chosen.codes[one.second]
    assert same.sum() == (~same).sum() == 30
    assert (one.first == again.first).all() and (one.first != other.first).any()


def test_the_cosines_are_those_of_a_comparison_in_use(texts: Texts, codes: Rows, chosen: PairTexts) -> None:
    """By systems that really know neither author, or half of the texts: only the rarity of features is that of all texts."""
    whole = fit_fused(texts.counts, codes, [rounds(codes, texts.sources, 0)], FUSED_FAMILIES)[0]
    kinds, rung = chosen.kinds(0), texts.rungs[1]
    found = chosen.cosines(kinds, texts, whole, silent)
    for kind, pairs in kinds.items():
        for at in (0, len(pairs.first) // 2, len(pairs.first) - 1):
            x, y = int(pairs.first[at]), int(pairs.second[at])
            left = ~np.isin(codes, codes[[x, y]])
            if pairs.halved:
                left = chosen.half != chosen.half[x]
                assert not left[x] and left[y] == pairs.known
            without = [int(codes[y])] if pairs.known else []
            for words in (WHOLE, rung):
                cut = texts.cut[words] if words else texts.counts
                second = texts.counts if pairs.known else cut
                expected = _in_use(whole, np.flatnonzero(left)).centred(cut.rows([x]), second.rows([y]), without)
                assert found[kind][words][at] == pytest.approx(expected, abs=1e-6)


def _in_use(system: FusedSystem, left: Rows) -> FusedSystem:
    """The system that knows some of the texts only."""
    families = tuple(replace(each, known=each.known[left], duals=each.duals[left]) for each in system.families)
    return replace(system, families=families, kept=left)


def simulated(seed: int = 0) -> tuple[TriedPairs, NDArray[np.float64], Rows, NDArray[np.int64]]:
    """Pairs by eight authors, whose first family tells much, the second little and the third nothing."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(8), 6)
    first, second = np.triu_indices(len(codes), 1)
    same = codes[first] == codes[second]
    columns = rng.normal(size=(len(first), 3)) + same[:, None] * [2.0, 0.7, 0.0]
    without = np.column_stack((codes[first], codes[second]))
    fold = author_folds([str(code) for code in codes], 5, 0)
    return TriedPairs(first, second, without, known=False, halved=False), columns, codes, fold


def test_the_weights_are_those_that_made_the_pairs() -> None:
    """With normal scores the log-odds are linear, in the very means that were put in; what tells nothing counts for nothing."""
    pairs, columns, codes, fold = simulated()
    fused = CrossfitFusion.fit(pairs, columns, codes, fold)
    assert fused is not None
    weights = fused.fusion.weights / fused.fusion.spread
    assert weights == pytest.approx([2.0, 0.7, 0.0], abs=0.3) and (weights >= 0).all()
    assert fused.fusion.size == pytest.approx(-(2.0**2 + 0.7**2) / 2, abs=0.4)
    assert log_odds(fused.fusion, columns) == pytest.approx(columns @ weights + fused.fusion.size)


def test_no_author_has_a_part_in_the_weights_of_their_pairs() -> None:
    """Whatever the pairs of two folds are turned into, each other's scores and their own weights stay the same."""
    pairs, columns, codes, fold = simulated()
    changed = columns.copy()
    touched = np.isin(fold[pairs.first], (1, 3)) | np.isin(fold[pairs.second], (1, 3))
    changed[touched] = np.random.default_rng(1).normal(size=(int(touched.sum()), 3))
    before, after = (CrossfitFusion.fit(pairs, each, codes, fold) for each in (columns, changed))
    assert before is not None and after is not None
    assert np.array_equal(before.without[1, 3].to_array(), after.without[1, 3].to_array())
    assert not np.array_equal(before.fusion.to_array(), after.fusion.to_array())
    scores, again = (each.scores(pairs, columns, codes) for each in (before, after))
    between = (np.sort(scores.folds, axis=1) == (1, 3)).all(axis=1)
    assert between.any() and (scores.log_odds[between] == again.log_odds[between]).all()
    elsewhere = (np.sort(scores.folds, axis=1) == (0, 2)).all(axis=1)
    assert (scores.log_odds[elsewhere] != again.log_odds[elsewhere]).all(), "those two are in all other weights"
    assert (scores.same == (codes[pairs.first] == codes[pairs.second])).all()


def test_too_few_authors_give_no_weights() -> None:
    pairs, columns, codes, _ = simulated()
    assert CrossfitFusion.fit(pairs, columns, codes, codes % 2) is None, "without two folds nothing is left"


@pytest.fixture(scope="module")
def judged(trained: Trained, texts: Texts, system: FusedSystem, codes: Rows) -> Pairwise:
    effort = replace(QUICK, resamples=20)
    assert trained.out_of_fold is not None
    nothing = _by_author(codes, np.full(len(codes), -1))
    return compared(texts, system, trained.model.known, nothing, 0, effort)


def _by_author(codes: Rows, fold: NDArray[np.int64]) -> OutOfFold:
    """Scores of pairs within a fold, in which DV-Bin is always right; -1 is no fold."""
    same_fold = (fold[:, None] == fold) & (fold >= 0)
    unseen = np.where(same_fold, np.where(codes[:, None] == codes, 1.0, -1.0), np.nan).astype(np.float32)
    return OutOfFold(np.full_like(unseen, np.nan), unseen, fold, (), True)


def test_every_kind_is_calibrated_at_every_length(texts: Texts, judged: Pairwise) -> None:
    for kind in ("known", "known_outside", "unseen_outside"):
        assert tuple(getattr(judged, kind)) == texts.rungs
    outside = judged.unseen_outside[WHOLE][1]
    assert 0.5 < outside.auc < 1 and outside.cllr < 1
    assert judged.fusion is not None and (judged.fusion.weights >= 0).all()
    assert judged.strangers is not None and DV_BIN not in judged.strangers.auc, "no model of DV-Bin knew neither author"


def test_which_calibrations_apply(judged: Pairwise) -> None:
    both = (Alternative.LISTED, Alternative.UNLISTED)
    made = replace(judged, unseen=judged.known)
    assert tuple(made.applying(0, WHOLE)) == tuple(made.applying(1, WHOLE)) == both
    assert made.applying(1, WHOLE)[Alternative.LISTED] is judged.known[WHOLE]
    assert dict(made.applying(2, WHOLE)) == {Alternative.UNLISTED: judged.unseen_outside[WHOLE]}
    assert not made.applying(0, 12345)


def test_the_score_of_two_texts(judged: Pairwise, system: FusedSystem, texts: Texts, codes: Rows) -> None:
    a, b = texts.counts.rows([0]), texts.counts.rows([9])
    assert judged.fusion is not None
    away = [int(codes[0]), int(codes[9])]
    forth, back = judged.score(system, a, b, away), judged.score(system, b, a, away[::-1])
    assert forth == pytest.approx(back, abs=1e-9)
    assert forth == pytest.approx(float(log_odds(judged.fusion, system.centred(a, b, away))))
    assert (
        forth != judged.score(system, a, b, away[:1]) and replace(judged, fusion=None).score(system, a, b, ()) is None
    )


def test_three_authors_are_too_few(trained: Trained, texts: Texts, codes: Rows) -> None:
    rows = np.flatnonzero(codes < 3)
    few = Texts(texts.counts.rows(rows), [texts.labels[row] for row in rows], [texts.sources[row] for row in rows])
    system = fit_fused(few.counts, codes[rows], [rounds(codes[rows], few.sources, 0)], FUSED_FAMILIES)[0]
    nothing = _by_author(codes[rows], np.full(len(rows), -1))
    found = compared(few, system, trained.model.known.rows(rows), nothing, 0, QUICK)
    assert found.fusion is None and found.strangers is None
    assert not any((found.known, found.known_outside, found.unseen, found.unseen_outside))


def test_all_methods_are_tried_on_the_same_pairs_by_strangers(
    trained: Trained, codes: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of which DV-Bin knew neither author; impostors are never by one of the two."""
    first, second = np.triu_indices(len(codes), 1)
    rng = np.random.default_rng(0)
    fold = codes % 2
    scores = PairScores.of(rng.normal(size=len(first)), first, second, codes, fold)
    known = trained.model.known
    plain, barred = Impostors.scores, []

    def watched(self: Impostors, vectors: Vectors, x: Rows, y: Rows, progress: Any, own: Any) -> Any:
        barred.append((x, y, own))
        return plain(self, vectors, x, y, progress, own)

    monkeypatch.setattr(Impostors, "scores", watched)
    found = strangers(scores, codes, known, _by_author(codes, fold), 0)
    assert found is not None and tuple(found.auc) == (FUSED, DV_BIN, COSINE, IMPOSTORS)
    within = fold[first] == fold[second]
    assert (found.same, found.different) == (int((scores.same & within).sum()), int((~scores.same & within).sum()))
    assert found.auc[DV_BIN] == 1.0
    ((x, y, own),) = barred
    assert (own == np.array([(codes == codes[a]) | (codes == codes[b]) for a, b in zip(x, y, strict=True)])).all()
    assert found.auc[FUSED] == auc(scores.log_odds[scores.same & within], scores.log_odds[~scores.same & within])
    without = strangers(scores, codes, known, _by_author(codes, np.arange(len(codes))), 0)
    assert without is not None and DV_BIN not in without.auc and without.same == min(scores.same.sum(), pairwise.BESIDE)
    few = PairScores.of(scores.log_odds[: FEWEST - 1], first[: FEWEST - 1], second[: FEWEST - 1], codes, fold)
    assert strangers(few, codes, known, _by_author(codes, fold), 0) is None

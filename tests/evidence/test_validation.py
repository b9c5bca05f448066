"""How far a model can be trusted: what the numbers rest on, that they are kept, and that names dealt out at random are found out."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.cli import contract
from forensia.corpus import Corpus
from forensia.diffvectors import probability
from forensia.errors import InputError
from forensia.evidence.bootstrap import interval, resamples
from forensia.evidence.crossfit import Crossfit, OutOfFold
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.likelihood import Scores, standing
from forensia.evidence.opinion import FEWEST_COMPARISONS
from forensia.evidence.pairwise import KINDS
from forensia.evidence.result import FUSED, LAZY, RANKING, Alternative, Condition, Source
from forensia.evidence.rung import Rung
from forensia.evidence.summary import PairFigures, summarise
from forensia.evidence.training import Trained, train
from forensia.evidence.validation import Validation, _joined, attribute, left_out, validate, with_pairs
from forensia.evidence.validationstore import from_arrays, pairs_to_arrays, to_arrays, with_stored_pairs
from forensia.features import FUSED_FAMILIES
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, Profile
from forensia.systems.fused import FusedSystem
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import reasons
from support.refit import refitted


def found_of(trained: Trained, corpus: Corpus) -> tuple[Validation, OutOfFold]:
    """Validated, with the scores by author."""
    model = trained.model
    by_author = Crossfit(model.fitted, model.options).by_author(trained.texts)
    fused = validate(model.learnt, trained.texts)
    assert fused.learnt.median_words == np.median([document.words for document in corpus.documents])
    return with_pairs(fused, trained, by_author), by_author


def read_again(validation: Validation) -> Validation:
    """Stored in two groups of arrays, as JSON has their headers, and read again."""
    arrays, header = to_arrays(validation)
    again = from_arrays(arrays, json.loads(json.dumps(header, allow_nan=False)))
    assert all(np.isfinite(array).all() for array in arrays.values()) and again.learnt.same(validation.learnt)
    if validation.pairwise is None:
        return again
    arrays, header = pairs_to_arrays(validation)
    assert all(np.isfinite(array).all() for array in arrays.values())
    return with_stored_pairs(again, arrays, json.loads(json.dumps(header, allow_nan=False)))


@pytest.fixture(scope="module")
def fresh(trained: Trained, few: Corpus) -> tuple[Validation, OutOfFold]:
    return found_of(trained, few)


def test_the_scores_are_those_of_models_that_had_not_seen_the_texts(
    trained: Trained, fresh: tuple[Validation, OutOfFold]
) -> None:
    """Against real fits without them, whole and cut: without what was left out with a text, and without its author."""
    validation, texts = fresh[0], trained.texts
    system, codes = validation.system, validation.codes
    assert [family.name for family in system.families] == list(FUSED_FAMILIES)
    ways = left_out(texts, codes, validation.seed)
    assert list(ways) == ["new", "known"]
    for source, words, number in (
        ("new", WHOLE, 0),
        ("new", texts.rungs[-1], 3),
        ("known", WHOLE, 0),
        ("known", texts.rungs[-1], 3),
    ):
        rung = of_condition(validation, Condition(source, words or None))
        assert rung.condition.median == (None if words else round(validation.learnt.median_words))
        scores, family = rung.scores, system.families[number]
        counts = texts.cut[words] if words else texts.counts
        for row in (0, 13):
            without = [each.away for each in ways[source] if row in each.tried]
            assert without, "each text is tried"
            expected = []
            for away in without:
                left = np.setdiff1d(np.arange(len(codes)), away)
                same = [at for at in left if (codes[at], texts.sources[at]) == (codes[row], texts.sources[row])]
                assert len(same) == (0 if source == "new" else 1), "with its source, or by itself"
                expected.append(refitted(family, codes, left, counts.rows([row]))[0])
            assert scores.inside[row, :, number] == pytest.approx(np.mean(expected, axis=0), abs=1e-5)
            strange = refitted(family, codes, np.flatnonzero(codes != codes[row]), counts.rows([row]))[0]
            strange[codes[row]] = np.nan
            assert scores.outside[row, :, number] == pytest.approx(strange, abs=1e-5, nan_ok=True)
    assert validation.authors == trained.model.authors and (codes == trained.model.codes).all()
    assert validation.sources_known and not validation.effort.quick and validation.diff_vectors.converged


def of_condition(validation: Validation, condition: Condition) -> Rung:
    (found,) = (rung for rung in validation.rungs if rung.condition == condition)
    return found


def test_the_fused_ranking_is_tried_where_it_can_be(validation: Validation) -> None:
    whole = validation.whole
    first = whole.judged.inside[0].argmax(axis=1)  # by a fusion that knew nothing by the text's author
    assert np.array_equal(whole.first, first) and whole.scores.tried.all()
    inside = whole.scores.inside.copy()
    inside[[3, 4], whole.scores.codes[[3, 4]]] = np.nan
    fewer = replace(whole, scores=replace(whole.scores, inside=inside))
    some, codes = replace(validation, rungs=(fewer, *validation.rungs[1:])), fewer.first
    labels, predicted, rows = some.predicted(FUSED)
    assert codes[[3, 4]].tolist() == [-1, -1] and rows.tolist() == [row for row in range(50) if row not in (3, 4)]
    assert labels == [some.labels[row] for row in rows] and predicted == [some.authors[codes[row]] for row in rows]
    assert len(some.predicted(LAZY)[2]) == 50
    assert sum(map(sum, summarise(some).systems[FUSED].confusion)) == 48


def with_sources(trained: Trained, by_author: list[str]) -> Trained:
    """The sources of each author's six texts, in one letter each; a blank is none."""
    texts, seen = trained.texts, [iter(each) for each in by_author]
    named = [tuple(next(seen[code]).strip()) for code in trained.model.codes]
    return replace(trained, texts=replace(texts, sources=named))


def conditions(validation: Validation) -> list[tuple[str, int]]:
    """Of whole and shorter texts, in their order."""
    return [(rung.condition.source, rung.words) for rung in validation.rungs if rung.joined is None]


@pytest.mark.parametrize(
    ("sources", "two", "note"),
    [
        ("xxxxxx", False, "nobody-has-two-sources"),
        ("      ", False, "sources-not-known"),
        ("xxxyyy", True, None),
        ("x     ", True, None),  # what nobody has told of counts as one source
    ],
)
def test_a_new_source_is_tried_only_where_something_came_from_elsewhere(
    sources: str, two: bool, note: str | None, trained: Trained
) -> None:
    """Whole texts come first, each text alone is always tried, and where the other condition lacks a note says why."""
    named = with_sources(trained, [sources] * 5)
    found = validate(trained.model.learnt, named.texts)
    lengths = trained.texts.rungs
    assert conditions(found) == [
        (each, words) for each in (("new", "known") if two else ("known",)) for words in lengths
    ]
    assert found.source == ("new" if two else "known") and found.sources_known is bool(sources.strip())
    assert (found.whole.condition, found.whole.scores.tried.all()) == (Condition(found.source), True)
    assert len(found.of("new")) == (len(lengths) if two else 0)
    summary = summarise(found)
    codes = {each.code for each in summary.notes} & {"nobody-has-two-sources", "sources-not-known", "one-source"}
    assert codes == ({note} if note else set()) and summary.told is found.sources_known
    assert (summary.of("new") is None) is not two and summary.of("known") is not None
    assert summary.one_source == (() if two else found.authors)
    assert summarise(read_again(found)) == summary


def test_texts_that_nobody_has_told_of_count_as_one_source(trained: Trained) -> None:
    texts, codes = with_sources(trained, ["x     "] * 5).texts, trained.model.codes.astype(np.intp)
    ways = left_out(texts, codes, 0)
    named = np.array([bool(each) for each in texts.sources])
    lost = {frozenset(named[each.away[codes[each.away] == code]].tolist()) for each in ways["new"] for code in range(5)}
    assert lost == {frozenset((True,)), frozenset((False,))}, "never some of both"
    assert {len(each.away[codes[each.away] == code]) for each in ways["new"] for code in range(5)} == {1, 5}
    assert all((np.bincount(codes[each.away]) == 1).all() for each in ways["known"])


def test_with_each_text_its_own_source_both_conditions_are_the_same(trained: Trained) -> None:
    found = validate(trained.model.learnt, with_sources(trained, ["abcdef"] * 5).texts)
    summary = summarise(found)
    new, known = ([each for each in summary.figures if each.condition.source == source] for source in ("new", "known"))
    assert len(new) == len(known) == len(trained.texts.rungs)
    assert [replace(each, condition=replace(each.condition, source="known")) for each in new] == known
    for one, other in zip(found.of("new"), found.of("known"), strict=True):
        assert np.array_equal(one.scores.inside, other.scores.inside)


def test_an_author_of_one_source_is_not_tried_where_others_are(trained: Trained) -> None:
    """Such an author is among those whom the others' texts are compared with, is named, and is never supported on a new source."""
    found = validate(trained.model.learnt, with_sources(trained, ["xxxxxx", *["xxxyyy"] * 4]).texts)
    whole, first_author = found.whole, found.codes == 0
    assert whole.condition == Condition("new")
    assert np.array_equal(whole.scores.tried, ~first_author) and np.array_equal(whole.first < 0, first_author)
    assert whole.scores.other[whole.scores.tried, 0].all(), "the texts of others meet that author"
    summary = summarise(found)
    assert summary.one_source == found.authors[:1]
    first = summary.by_author[0]
    assert first.median_log10 is None and first.own_supported is None and first.smallest_p is None
    assert first.others_supported is not None and not first.source_left_out
    codes = {note.code: note.values for note in summary.notes}
    assert codes["one-source"] == {"untried": 1, "total": 5, "authors": found.authors[:1]}
    assert summary.whole.open_set.listed.documents == summary.whole.first.documents == 24
    intervals = found.attribution_intervals[FUSED]["macro_f1"]
    assert intervals.low <= summary.systems[FUSED].macro_f1 <= intervals.high
    again = read_again(found)
    assert summarise(again) == summary and "pairs-to-come" in codes
    known = of_condition(found, Condition("known"))
    assert known.scores.tried.all() and known.backing[0].tried == 6
    assert whole.backing[0].tried == 0 and not whole.backed[0] and 0 not in whole.on_listed
    sure = known.scores.inside.mean(axis=0, keepdims=True) + 5 * (np.arange(5) == 0)[None, :, None]
    assert known.decisions(sure, np.ones(1)).tolist() == [0] and whole.decisions(sure, np.ones(1)).tolist() != [0]


def test_known_pairs_have_a_score_that_neither_order_nor_training_decides(
    trained: Trained, fresh: tuple[Validation, OutOfFold]
) -> None:
    found = fresh[0].diff_vectors.log_odds
    out = trained.out_of_fold
    assert out is not None and np.array_equal(found, found.T)
    a, b = np.argwhere(out.fold[:, None] != out.fold)[0]
    assert found[a, b] == pytest.approx((float(out.log_odds[a, b]) + float(out.log_odds[b, a])) / 2, rel=1e-6)
    together = (out.fold[:, None] == out.fold) & ~np.eye(len(found), dtype=bool)
    assert np.array_equal(found[together], out.unseen[together])


def test_a_stored_validation_says_the_same(fresh: tuple[Validation, OutOfFold]) -> None:
    validation = fresh[0]
    again = read_again(validation)
    assert summarise(again) == summarise(validation)
    alone = summarise(replace(validation, diff_vectors=None, pairwise=None))
    assert list(alone.systems) == [FUSED] and alone.pairs == PairFigures() and alone.converged
    assert summarise(again, alone) == summarise(validation), "what the diff-vector part does not touch is taken over"
    scores = np.random.default_rng(0).normal(0, 1, (4, 5, len(FUSED_FAMILIES)))
    for words, source in itertools.product((10, 130, 250, 5_000), ("new", "known")):
        one, other = validation.rung(words, source), again.rung(words, source)
        assert one.condition == other.condition and one.condition.source == source
        assert one.most_doubt == other.most_doubt and one.backing == other.backing
        for name in ("listed", "unlisted", "headline", "low", "high"):
            ours, theirs = (getattr(rung.calibration.ratios(scores), name) for rung in (one, other))
            assert np.array_equal(ours, theirs, equal_nan=True)
        here = standing(one.calibration.z(scores))
        assert np.array_equal(one.conformal_p(here), other.conformal_p(here))
        likeness = np.quantile(one.likeness, (0.0, 0.02, 0.5, 1.0))
        assert np.array_equal(one.likeness, other.likeness) and len(one.likeness) == 30
        assert (one.decisions(scores, likeness) == other.decisions(scores, likeness)).all()
    for kind in KINDS:
        mine, theirs = (getattr(each.pairwise, kind) for each in (validation, again))
        assert mine.keys() == theirs.keys()
        for rung in mine:
            assert mine[rung][0].said(1.0, Alternative.LISTED) == theirs[rung][0].said(1.0, Alternative.LISTED)
    assert list(validation.pairwise.known) == [rung.words for rung in validation.of("known")]
    assert np.array_equal(again.diff_vectors.log_odds, validation.diff_vectors.log_odds)
    assert list(validation.ascribed) == list(RANKING)
    for system, ascribed in validation.ascribed.items():
        assert np.array_equal(again.ascribed[system], ascribed)
    weights, theirs = validation.pairwise.fusion, again.pairwise.fusion
    assert weights is not None and theirs is not None and np.array_equal(weights.to_array(), theirs.to_array())
    assert again.pairwise.strangers == validation.pairwise.strangers is not None


def test_a_stored_system_scores_texts_as_before(trained: Trained, fresh: tuple[Validation, OutOfFold]) -> None:
    ours, again = fresh[0].system, read_again(fresh[0]).system
    some = trained.texts.counts.rows([2, 17])
    assert np.array_equal(ours.scores(some), again.scores(some)) and np.array_equal(ours.z(some), again.z(some))
    assert np.array_equal(ours.without_each(some.rows([0])), again.without_each(some.rows([0])))
    assert ours.sizes.tolist() == again.sizes.tolist() == [6] * 5


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("words/rarity", lambda array: array[:-1]),
        ("words/rarity", lambda array: array * np.nan),
        ("words/duals", lambda array: array[:-1]),
        ("words/duals", lambda array: array[:, :-1]),
        ("words/duals", lambda array: array * np.inf),
        ("words/data", lambda array: array * np.nan),
        ("words/indices", lambda array: array + 10_000_000),
        ("words/indices", lambda array: -1 - array),
        ("words/indptr", lambda array: array[::-1]),
        ("codes", lambda array: array[:-1]),
        ("codes", lambda array: array - 1),
        ("codes", lambda array: array + 2_000_000_000),
        ("fusion", lambda array: array[1:]),
        ("fusion", lambda array: array[:, :1]),
        ("fusion", lambda array: array * np.nan),
    ],
)
def test_a_damaged_system_is_refused(
    name: str, damage: Callable[[np.ndarray], np.ndarray], fresh: tuple[Validation, OutOfFold]
) -> None:
    arrays, header = fresh[0].system.to_arrays()
    with pytest.raises(InputError, match="damaged"), np.errstate(invalid="ignore"):
        FusedSystem.from_arrays({**arrays, name: damage(arrays[name])}, header)


def test_an_interval_of_pairs_that_is_not_estimable_is_stored_too(fresh: tuple[Validation, OutOfFold]) -> None:
    pairs = fresh[0].pairwise
    calibration, measured = pairs.known[WHOLE]
    missing = (calibration, replace(measured, cllr_interval=interval([])))
    validation = replace(fresh[0], pairwise=replace(pairs, known={WHOLE: missing}))
    again = read_again(validation).pairwise.known
    assert again.keys() == {WHOLE} and np.isnan(again[WHOLE][1].cllr_interval.high)
    known = summarise(validation).pairs.known
    assert known is not None and known.cllr_interval is None


def test_pairs_are_calibrated_on_every_rung_and_against_outsiders_too(validation: Validation) -> None:
    pairs = validation.pairwise
    lengths = [rung.words for rung in validation.of("known") if rung.joined is None]
    for kind in (pairs.known, pairs.known_outside, pairs.unseen_outside):
        assert list(kind) == lengths
    for words in lengths:
        assert list(pairs.applying(True, words)) == [Alternative.LISTED, Alternative.UNLISTED]
        assert pairs.applying(True, words)[Alternative.UNLISTED] == pairs.known_outside[words]
    shortest = min(words for words in lengths if words)
    cut, whole = (pairs.unseen_outside[words][1] for words in (shortest, WHOLE))
    assert cut.auc < whole.auc and cut.cllr_min > whole.cllr_min, "two short texts tell less than two whole ones"


@pytest.mark.parametrize("source", ["new", "known"])
def test_a_text_is_judged_by_the_validation_of_its_length_and_source(validation: Validation, source: Source) -> None:
    """The longest known texts that are not longer than it: cut ones, whole ones, or some that were joined."""
    rungs, median = validation.of(source), validation.learnt.median_words
    assert [rung.condition.source for rung in rungs] == [source] * len(rungs)
    lengths = {rung.words or median: rung for rung in rungs}
    assert min(lengths) < median and max(lengths) == (int(2 * median) if source == "new" else median)
    assert rungs[0].condition == Condition(source)
    ordered = sorted(lengths)
    assert validation.rung(int(ordered[0]) - 1, source) is lengths[ordered[0]], "shorter than all: the shortest"
    for shorter, longer in itertools.pairwise(ordered):
        assert validation.rung(math.ceil(shorter), source) is validation.rung(math.ceil(longer) - 1, source)
        assert validation.rung(math.ceil(shorter), source) is lengths[shorter]
    assert validation.rung(1_000_000, source) is lengths[ordered[-1]] and validation.shortest == ordered[0]


def test_what_could_not_be_tried_is_judged_by_what_could(trained: Trained) -> None:
    found = validate(trained.model.learnt, with_sources(trained, ["      "] * 5).texts)
    assert found.rung(10_000, "new") is found.rung(10_000, "known") is found.rung(10_000) is found.whole


# --- joined texts ----------------------------------------------------------------------------------------------------


def test_longer_texts_are_known_ones_joined(validation: Validation) -> None:
    """Two by two, of one author and one source, as if from a new one: else the others would be known. Their scores are means."""
    source: Source = "new"
    assert all(rung.joined is None for rung in validation.of("known"))
    whole, (joined,) = validation.of(source)[0], [rung for rung in validation.of(source) if rung.joined is not None]
    median = validation.learnt.median_words
    assert joined.condition == Condition(source, int(2 * median), 2) and joined.words == int(2 * median)
    groups = [np.flatnonzero(joined.joined == number) for number in range(joined.joined.max() + 1)]
    assert len(groups) == len(joined.scores.codes) >= FEWEST_COMPARISONS and {len(each) for each in groups} == {2}
    for number, rows in enumerate(groups):
        assert set(whole.scores.codes[rows].tolist()) == {int(joined.scores.codes[number])}
        for made, of in ((joined.scores.inside, whole.scores.inside), (joined.scores.outside, whole.scores.outside)):
            assert made[number] == pytest.approx(of[rows].mean(axis=0), nan_ok=True)
        assert joined.likeness[number] == pytest.approx(whole.likeness[rows].mean())
    assert joined.scores.sizes.tolist() == whole.scores.sizes.tolist(), "an author has as many texts as before"
    assert not np.array_equal(joined.calibration.fusion.weights, whole.calibration.fusion.weights)


def scores_of(codes: np.ndarray, tried: np.ndarray | None = None) -> Scores:
    """With all that joining looks at."""
    inside = np.zeros((len(codes), int(codes.max()) + 1, 1))
    inside[~(np.ones(len(codes), bool) if tried is None else tried)] = np.nan
    return Scores(inside, inside, codes, np.bincount(codes))


def test_texts_are_joined_as_long_as_twenty_can_be_tried() -> None:
    codes = np.repeat(np.arange(5), 16)
    book = [("a book",)] * len(codes)
    assert [(count, int(groups.max()) + 1) for count, groups in _joined(scores_of(codes), book)] == [(2, 40), (4, 20)]
    assert not list(_joined(scores_of(np.repeat(np.arange(5), 7)), book[:35])), "fifteen pairs are too few"
    fewer = np.arange(len(codes)) % 16 < 8
    assert [count for count, _ in _joined(scores_of(codes, fewer), book)] == [2], "what cannot be tried does not count"
    for occasions in ((), [()] * len(codes), [(str(row),) for row in range(len(codes))]):
        assert not list(_joined(scores_of(codes), occasions)), "texts of several occasions are no longer text"


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("", "a", "b"))), min_size=40, max_size=160))
def test_what_is_joined_is_of_one_author_and_one_source(texts: list[tuple[int, str]]) -> None:
    place = {code: number for number, code in enumerate(dict.fromkeys(code for code, _ in texts))}
    codes, sources = np.array([place[code] for code, _ in texts]), [tuple(name) for _, name in texts]
    for count, groups in _joined(scores_of(codes), sources):
        numbers, sizes = np.unique(groups[groups >= 0], return_counts=True)
        assert numbers.tolist() == list(range(len(numbers))) and len(numbers) >= FEWEST_COMPARISONS
        assert set(sizes.tolist()) == {count} and count & (count - 1) == 0
        for number in numbers:
            rows = np.flatnonzero(groups == number)
            assert len(set(codes[rows].tolist())) == 1
            assert {sources[row] for row in rows} in ({("a",)}, {("b",)})


# --- rankings ------------------------------------------------------------------------------------------------------


def out_of_fold(authors: int = 4, each: int = 6, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(authors), each)
    fold = np.arange(len(codes)) % 5
    h = probability(rng.normal(size=(len(codes), len(codes))) + 1.5 * (codes[:, None] == codes))
    return np.where(fold[:, None] == fold, np.nan, h), codes, fold


def test_k_and_the_ranking_come_from_the_other_folds() -> None:
    """All authors have as many texts, so that k is k for everybody."""
    h, codes, fold = out_of_fold(seed=2)
    found = attribute(h, codes, fold, FORENSIC, 0)[0]

    def first(row: int, k: int) -> int:
        known = ~np.isnan(h[row])
        means = [np.mean(sorted(h[row, known & (codes == author)], reverse=True)[:k]) for author in range(4)]
        return int(np.argmax(means))

    chosen = set()
    for number in range(5):
        others = np.flatnonzero(fold != number)
        right = np.array([np.mean([first(row, k) == codes[row] for row in others]) for k in range(1, 7)])
        nearly = right.max() - np.sqrt(right.max() * (1 - right.max()) / len(others)) / 2
        as_good = 1 + np.flatnonzero(right >= nearly)
        k = int(as_good[(len(as_good) - 1) // 2])
        chosen.add(k)
        assert all(found[row] == first(row, k) for row in np.flatnonzero(fold == number))
    assert len(chosen) > 1, "folds do choose for themselves"


def test_a_text_is_ranked_without_knowing_who_wrote_it() -> None:
    h, codes, fold = out_of_fold()
    rows = np.flatnonzero(fold == 2)
    changed = codes.copy()
    changed[rows] = np.roll(codes[rows], 1)
    assert (changed != codes).any()
    before, after = attribute(h, codes, fold, FORENSIC, 0), attribute(h, changed, fold, FORENSIC, 0)
    assert (before[1][rows] == after[1][rows]).all()


def test_an_author_with_one_text_can_be_in_the_fold() -> None:
    h, codes, fold = out_of_fold()
    keep = ~((codes == 3) & (np.arange(len(codes)) != 19)) & ~((codes == 0) & (np.arange(len(codes)) != 2))
    some = codes[keep]
    lazy, stacked = attribute(h[np.ix_(keep, keep)], some, fold[keep], FORENSIC, 0)
    lonely = np.isin(some, (0, 3))
    assert set(lazy) <= {0, 1, 2, 3} and set(stacked) <= {0, 1, 2, 3}
    assert (lazy[lonely] != some[lonely]).all(), "nothing else by them is known"
    assert (lazy[~lonely] == some[~lonely]).mean() > 0.5


def test_intervals_of_rankings_hold_what_they_are_about(validation: Validation) -> None:
    summary = summarise(validation)
    assert tuple(summary.systems) == RANKING and summary.headline is summary.systems[FUSED]
    for each in summary.systems.values():
        for value, ends in ((each.accuracy, each.accuracy_interval), (each.macro_f1, each.macro_f1_interval)):
            assert ends is not None and 0 <= ends[0] <= value <= ends[1] <= 1
    # By hand: an author who was not drawn is not there, one who was drawn twice counts twice.
    predicted = validation.predicted(LAZY)[1]
    values = []
    count, units = validation.effort.fewer_resamples, validation.whole.units
    assert units is not None and len(np.unique(units)) < len(units), "texts of one source are drawn together"
    for draw in resamples(validation.codes, count, validation.seed, units=units):
        true, given = [validation.labels[row] for row in draw.index()], [predicted[row] for row in draw.index()]
        each = []
        for name, times in zip(validation.authors, draw.authors, strict=True):
            hits = sum(t == g == name for t, g in zip(true, given, strict=True))
            each += [2 * hits / (true.count(name) + given.count(name)) for _ in range(int(times))]
        values.append(np.mean(each))
    expected = interval(values)
    assert summary.systems[LAZY].macro_f1_interval == pytest.approx((expected.low, expected.high))


# --- the summary -----------------------------------------------------------------------------------------------------

NUMBER = (int, float)
SAV = {"accuracy": NUMBER, "auc": NUMBER, "eer": NUMBER, "cllr": NUMBER, "cllr_min": NUMBER}


def test_the_summary_keeps_the_contract(validation: Validation) -> None:
    told = json.loads(json.dumps(contract.validated(summarise(validation)), allow_nan=False))
    assert told["documents"] == 50 and told["authors"] == 10
    assert tuple(told["aa"]) == RANKING
    for method in RANKING:
        measured = told["aa"][method]
        assert isinstance(measured["accuracy"], float) and isinstance(measured["macro_f1"], float)
        assert sum(map(sum, measured["confusion"])) == 50
        right = sum(row[place] for place, row in enumerate(measured["confusion"]))
        assert measured["accuracy"] == pytest.approx(right / 50)
    for kind in ("sav", "sav_one_known", "sav_unlisted"):
        assert all(isinstance(told[kind][name], types) for name, types in SAV.items())
        assert 0 <= told[kind]["cllr_min"] <= told[kind]["cllr"] and 0 <= told[kind]["auc"] <= 1
    assert [row["author"] for row in told["by_author"]] == list(validation.authors)
    for row in told["by_author"]:
        assert row["documents"] == 5 and row["source_left_out"] is True
        assert 0 < row["smallest_conformal_p"] <= 1 and all(
            set(row[each]) == {"precision", "recall", "f1"} for each in RANKING
        )
    for alternative in ("listed", "unlisted"):
        measured = told["lr"][alternative]
        assert measured["cllr_min"] <= measured["cllr"] and len(measured["cllr_interval"]) == 2
        assert [rate["threshold"] for rate in measured["misleading"]] == [1, 10, 100]
        assert measured["log10_bounds"][0] <= 0 <= measured["log10_bounds"][1]
    assert told["open_set"]["unlisted"]["documents"] == 50 and 0 <= told["open_set"]["declined"] <= 1
    for source in ("new", "known"):
        every = [rung.condition for rung in validation.of(source)]
        figures = [each.condition for each in summarise(validation).figures if each.condition.source == source]
        assert figures == every and [each.texts for each in every] == [1] * (len(every) - 1) + [
            2 if source == "new" else 1
        ]
    assert list(told["weights"]) == list(FUSED_FAMILIES)
    assert all(weight >= 0 for weight in told["weights"].values()) and any(told["weights"].values())
    assert told["intervals"]["level"] == 0.95
    assert all(value is None or len(value) == 2 for name, value in told["intervals"].items() if name != "level")


def test_notes_say_what_is_limited(validation: Validation, fresh: tuple[Validation, OutOfFold]) -> None:
    ten, five = summarise(validation), summarise(fresh[0])
    of_ten, of_five = reasons.sentences(ten.notes), reasons.sentences(five.notes)
    assert ten.quick is True and any("Quick validation" in note for note in of_ten)
    assert any("rests on 10 authors; 40" in note for note in of_ten)
    assert five.quick is False and not any("Quick" in note for note in of_five)
    assert any("With 5 authors" in note and "not estimable" in note for note in of_five)
    assert five.whole.unlisted is None
    told = contract.validated(five)
    assert told["lr"]["unlisted"] is None and told["intervals"]["lr unlisted cllr"] is None
    worse = replace(fresh[0], diff_vectors=replace(fresh[0].diff_vectors, converged=False))
    assert "did not converge" in " ".join(reasons.sentences(summarise(worse).notes))


def test_names_dealt_out_at_random_are_found_out(
    few: Corpus, language: LanguageModel, cache: MemoryCache, hasty: Profile
) -> None:
    """Nothing can be learnt, and the validation says so: chance accuracy, Cllr about 1."""
    names = np.random.default_rng(5).permutation([document.author for document in few.documents])
    mixed = Corpus.of(
        replace(document, author=str(name), sources=()) for document, name in zip(few.documents, names, strict=True)
    )
    options = TrainingOptions(hasty, families=("function words", "words"))  # more would take more time to learn nothing
    validation = found_of(train(mixed, options, language, cache=cache), mixed)[0]
    summary = summarise(validation)
    assert all(each.accuracy < 0.45 for each in summary.systems.values()), "chance is 0.2"
    assert summary.whole.listed.cllr == pytest.approx(1.0, abs=0.15) and validation.whole.cllr_intervals[0].high >= 1
    assert summary.pairs.known is not None and summary.pairs.known.cllr == pytest.approx(1.0, abs=0.15)
    assert summary.whole.open_set.listed.opinion == 0


def test_chance_and_the_author_with_most_texts(validation: Validation) -> None:
    """The majority rate stands beside chance: with 51, 14 and 5 texts always naming one author is right for 73 %."""
    summary = summarise(validation)
    sizes = np.bincount(validation.codes)
    assert summary.chance == pytest.approx(1 / summary.authors) == pytest.approx(1 / len(sizes))
    assert summary.majority == pytest.approx(sizes.max() / sizes.sum())

"""How far a model can be trusted: what the numbers rest on, that they are kept, and that names dealt out at random are found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from forensia.cli import contract
from forensia.corpus import Corpus
from forensia.diffvectors import probability
from forensia.errors import InputError
from forensia.evidence.authorscores import standing
from forensia.evidence.bootstrap import interval, resamples
from forensia.evidence.crossfit import Crossfit, OutOfFold
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.likelihood import Scores, calibrate
from forensia.evidence.opinion import ABSTAIN, ALPHA, NONE, decide
from forensia.evidence.pairwise import KINDS
from forensia.evidence.result import FUSED, LAZY, RANKING, Alternative
from forensia.evidence.summary import PairFigures, open_set, summarise
from forensia.evidence.training import Trained, train
from forensia.evidence.validation import Rung, Validation, attribute, validate, with_pairs
from forensia.evidence.validationstore import from_arrays, pairs_to_arrays, to_arrays, with_stored_pairs
from forensia.features import FUSED_FAMILIES
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, Profile
from forensia.systems.fused import FusedSystem
from forensia.systems.leaving_out import rounds
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import reasons
from support.refit import refitted

Simulate = Callable[..., Scores]


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
    tried = rounds(codes, texts.sources, validation.seed)
    for rung, number in ((WHOLE, 0), (texts.rungs[-1], 3)):
        scores, family = validation.rungs[rung].scores, system.families[number]
        counts = texts.cut[rung] if rung else texts.counts
        for row in (0, 13):
            without = [each.away for each in tried if row in each.tried]
            assert without, "each text is tried"
            expected = []
            for away in without:
                left = np.setdiff1d(np.arange(len(codes)), away)
                assert not {(codes[at], texts.sources[at]) for at in left} & {(codes[row], texts.sources[row])}
                expected.append(refitted(family, codes, left, counts.rows([row]))[0])
            assert scores.inside[row, :, number] == pytest.approx(np.mean(expected, axis=0), abs=1e-5)
            strange = refitted(family, codes, np.flatnonzero(codes != codes[row]), counts.rows([row]))[0]
            strange[codes[row]] = np.nan
            assert scores.outside[row, :, number] == pytest.approx(strange, abs=1e-5, nan_ok=True)
    assert validation.authors == trained.model.authors and (codes == trained.model.codes).all()
    assert validation.sources == (True,) * 5 and not validation.effort.quick and validation.diff_vectors.converged


def test_the_fused_ranking_is_tried_where_it_can_be(validation: Validation) -> None:
    whole = validation.whole
    first = whole.judged.inside[0].argmax(axis=1)  # by a fusion that knew nothing by the text's author
    assert np.array_equal(validation.first, first) and whole.scores.tried.all()
    codes = validation.first.copy()
    codes[[3, 4]] = -1
    some = replace(validation, first=codes)
    labels, predicted, rows = some.predicted(FUSED)
    assert rows.tolist() == [row for row in range(50) if row not in (3, 4)]
    assert labels == [some.labels[row] for row in rows] and predicted == [some.authors[codes[row]] for row in rows]
    assert len(some.predicted(LAZY)[2]) == 50
    assert sum(map(sum, summarise(some).systems[FUSED].confusion)) == 48


def with_sources(trained: Trained, by_author: list[str]) -> Trained:
    """The sources of each author's six texts, in one letter each; a blank is none."""
    texts, seen = trained.texts, [iter(each) for each in by_author]
    named = [tuple(next(seen[code]).strip()) for code in trained.model.codes]
    return replace(trained, texts=replace(texts, sources=named))


@pytest.mark.parametrize(
    ("sources", "left_out"),
    [
        ("xxxxxx", False),  # one source: each text is tried without itself, and no source was left out
        ("xxxyyy", True),
        ("      ", False),
        ("x     ", True),
    ],
)
def test_a_source_was_left_out_only_where_something_came_from_elsewhere(
    sources: str, left_out: bool, trained: Trained, fresh: tuple[Validation, OutOfFold]
) -> None:
    found = validate(trained.model.learnt, with_sources(trained, [sources] * 5).texts)
    assert found.sources == (left_out,) * 5 and found.whole.scores.tried.all()
    notes = [note.code for note in summarise(found).notes]
    assert ("new-source-not-estimable" in notes) is not left_out


def test_an_author_of_one_source_is_not_tried_where_others_are(
    trained: Trained, fresh: tuple[Validation, OutOfFold]
) -> None:
    """Such an author is among those whom the others' texts are compared with, and is named."""
    found = validate(trained.model.learnt, with_sources(trained, ["xxxxxx", *["xxxyyy"] * 4]).texts)
    assert found.sources == (False, True, True, True, True)
    tried, first_author = found.whole.scores.tried, found.codes == 0
    assert np.array_equal(tried, ~first_author) and np.array_equal(found.first < 0, first_author)
    assert found.whole.scores.other[tried, 0].all(), "the texts of others meet that author"
    summary = summarise(found)
    first = summary.by_author[0]
    assert first.median_log10 is None and first.own_supported is None and first.smallest_p is None
    assert first.others_supported is not None and not first.source_left_out
    codes = {note.code: note.values for note in summary.notes}
    assert codes["new-source-not-estimable"]["untried"] == 1
    assert summary.whole.open_set.listed.documents == 24
    intervals = found.attribution_intervals[FUSED]["macro_f1"]
    assert intervals.low <= summary.systems[FUSED].macro_f1 <= intervals.high
    again = read_again(found)
    assert summarise(again) == summary and "pairs-to-come" in codes


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
    for words in (10, 130, 250, 5_000):
        one, other = validation.rung(words), again.rung(words)
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
    assert validation.pairwise.known.keys() == validation.rungs.keys()
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
    for kind in (pairs.known, pairs.known_outside, pairs.unseen_outside):
        assert kind.keys() == validation.rungs.keys()
    for rung in validation.rungs:
        assert list(pairs.applying(True, rung)) == [Alternative.LISTED, Alternative.UNLISTED]
        assert pairs.applying(True, rung)[Alternative.UNLISTED] == pairs.known_outside[rung]
    shortest = min(rung for rung in validation.rungs if rung)
    cut, whole = (pairs.unseen_outside[rung][1] for rung in (shortest, WHOLE))
    assert cut.auc < whole.auc and cut.cllr_min > whole.cllr_min, "two short texts tell less than two whole ones"


def test_a_text_is_judged_by_the_validation_of_its_length(validation: Validation) -> None:
    lengths = sorted(words for words in validation.rungs if words)
    assert (
        validation.rung(10_000) is validation.whole
        and validation.rung(int(validation.learnt.median_words) + 1).words == 0
    )
    assert validation.rung(lengths[0] - 1).words == validation.rung(lengths[0]).words == lengths[0]
    assert validation.rung(lengths[1] + 1).words == lengths[1] and validation.rung(lengths[1] - 1).words == lengths[0]


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
    for draw in resamples(validation.codes, validation.effort.fewer_resamples, validation.seed):
        true, given = [validation.labels[row] for row in draw.index()], [predicted[row] for row in draw.index()]
        each = []
        for name, times in zip(validation.authors, draw.authors, strict=True):
            hits = sum(t == g == name for t, g in zip(true, given, strict=True))
            each += [2 * hits / (true.count(name) + given.count(name)) for _ in range(int(times))]
        values.append(np.mean(each))
    expected = interval(values)
    assert summary.systems[LAZY].macro_f1_interval == pytest.approx((expected.low, expected.high))


# --- the opinion, tried ----------------------------------------------------------------------------------------------


def rung_of_scores(scores: Scores) -> Rung:
    return Rung(WHOLE, scores, calibrate(scores, 0, count=30)[0], 0)


def test_opinions_on_known_texts_are_those_of_the_rule_for_a_new_text(simulate: Simulate) -> None:
    """Each text taken out of what it is compared with, and put to the same rule."""
    scores = simulate(authors=11, each=25, apart=4.0)
    rung = rung_of_scores(scores)
    ratios = rung.calibration.ratios(scores.inside)
    here = standing(rung.calibration.z(scores.inside))
    expected = []
    for row, code in enumerate(scores.codes):
        kept = np.arange(len(scores.codes)) != row
        own = [here[kept & (scores.codes == author), author] for author in range(11)]
        p = np.array([(1 + (own[a] <= here[row, a]).sum()) / (len(own[a]) + 1) for a in range(11)])
        assert len(own[code]) == 24
        family = rung.outsiders.family_p(here[row].max(keepdims=True), 11)
        some = [values[[row]] for values in (here, ratios.headline, ratios.low)]
        expected.append(int(decide(*some, p[None], family, np.ones(1))[0]))
    assert rung.decisions_on_listed().tolist() == expected
    assert {NONE, ABSTAIN} < set(expected), "each kind of answer occurs"
    told = open_set(rung).listed
    assert told.none_of_these == np.mean(np.array(expected) == NONE)
    assert told.opinion + told.none_of_these + told.no_opinion == pytest.approx(1)


def test_outsiders_are_declined_as_often_as_is_said(simulate: Simulate) -> None:
    """Said of the texts of the validation, found on new outsiders."""
    said, found = [], []
    for seed in range(4):
        rung = rung_of_scores(simulate(authors=20, each=20, apart=3.0, seed=seed))
        told = open_set(rung)
        fresh = np.random.default_rng(seed + 99).normal(size=(1_000, 20, 2))
        assert told.unlisted is not None and told.listed.right_when_given is not None
        said.append(told.unlisted.declined)
        found.append((rung.decisions(fresh, np.zeros(0)) < 0).mean())
        assert told.unlisted.declined == pytest.approx(1 - told.unlisted.wrongly_supported)
        assert told.listed.right_when_given > 0.9
    assert np.mean(said) == pytest.approx(np.mean(found), abs=0.02) and np.mean(found) > 1 - ALPHA - 0.02


def test_with_nine_authors_no_opinion_is_promised(simulate: Simulate) -> None:
    told = open_set(rung_of_scores(simulate(authors=9, apart=4.0)))
    assert told.listed.opinion == 0 and told.listed.right_when_given is None
    assert told.unlisted is None and told.false_support == ()


def test_the_cost_has_an_interval_that_holds_it(simulate: Simulate) -> None:
    rung = rung_of_scores(simulate(strange=1.0))
    for cost, ends in zip((rung.cllr_listed, rung.cllr_unlisted), rung.cllr_intervals, strict=True):
        assert 0 < ends.low < cost < ends.high < 1


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
    assert [row["words"] for row in told["lengths"]] == [words for words in validation.rungs if words]
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
    worse = replace(
        fresh[0], diff_vectors=replace(fresh[0].diff_vectors, converged=False), sources=(True, False, True, True, True)
    )
    notes = " ".join(reasons.sentences(summarise(worse).notes))
    assert "did not converge" in notes and "not estimable for 1 of 5 authors" in notes


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

"""Changes that should not matter: each is made as it says, and nothing else changes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia import paths
from forensia.attribution.lazy import author_scores
from forensia.corpus import read_disputed
from forensia.corpus.words import WORD
from forensia.diffvectors import DVBin, Scorer, probability
from forensia.evidence.authorscores import raw_scores
from forensia.evidence.judge import Judge
from forensia.evidence.sensitivity import OTHER_SEEDS, OtherModels, Variant, halves_of, left_out, variants
from forensia.features import FAMILIES, Counts, Vectors, count_documents
from forensia.language import LanguageModel
from forensia.profile import FORENSIC


@pytest.fixture(scope="module")
def others(judge: Judge) -> OtherModels:
    assert judge.others is not None
    return judge.others


@pytest.fixture(scope="module")
def counted(language: LanguageModel, others: OtherModels) -> tuple[Counts, Counts, list[Counts]]:
    """A disputed text: plain, masked, in halves."""
    document = read_disputed(paths.sample_case() / "disputed" / "anonymous-1.txt")
    assert others.masked is not None
    halves = [replace(document, body=text, cuts=()) for text in halves_of(document.text)]
    count = partial(count_documents, model=language, typing="canonical")
    return count([document]), count([document], mask=others.masked.space.mask_), [count([half]) for half in halves]


@pytest.fixture(scope="module")
def found(
    judge: Judge, others: OtherModels, counted: tuple[Counts, Counts, list[Counts]]
) -> dict[tuple[str, str], Variant]:
    fitted = judge.model.fitted
    halves = [fitted.vectors(half) for half in counted[2]]
    every = variants(judge.model, others, fitted.vectors(counted[0]), counted[1], halves)
    assert len({(each.kind, each.what) for each in every}) == len(every)
    return {(each.kind, each.what): each for each in every}


def lazy(judge: Judge, model: object, known: Vectors, query: Vectors) -> np.ndarray:
    log_odds = Scorer(model, known).log_odds(query)  # type: ignore[arg-type]
    return raw_scores(author_scores(probability(log_odds), judge.model.codes, judge.model.k))[0]


def test_every_change_is_tried(found: dict[tuple[str, str], Variant], judge: Judge) -> None:
    seeds = [("seed", f"seed {judge.model.options.seed + added}") for added in OTHER_SEEDS]
    families = [("family off", family) for family in FAMILIES]
    rest = [("mask", "topic masked"), ("half", "first half"), ("half", "second half")]
    assert sorted(found) == sorted([*seeds, *families, *rest])
    assert all(each.scores.shape == (10,) and np.isfinite(each.scores).all() for each in found.values())


def test_another_seed_is_another_sample_of_pairs(
    found: dict[tuple[str, str], Variant], judge: Judge, counted: tuple[Counts, Counts, list[Counts]]
) -> None:
    model = judge.model
    labels = [model.authors[code] for code in model.codes]
    learner = DVBin(profile=FORENSIC, seed=model.options.seed + 1, grid=(model.fitted.training.c,))
    again = learner.fit(model.known, labels, start=model.fitted.model)
    assert again.training_.pairs_sha256 != model.fitted.training.pairs_sha256
    query = model.fitted.vectors(counted[0])
    assert np.array_equal(found["seed", "seed 1"].scores, lazy(judge, again.model_, model.known, query))


@pytest.mark.parametrize("family", ["words", "function words"])
def test_a_family_that_is_off_says_the_same_of_all(
    family: str, found: dict[tuple[str, str], Variant], judge: Judge, counted: tuple[Counts, Counts, list[Counts]]
) -> None:
    """Put in the place of its contribution to each pair: its mean over all known texts."""
    model = judge.model
    query = model.fitted.vectors(counted[0])
    block = next(block for block in model.known.blocks if block.family == family)
    weights = (model.fitted.model.dense if block.dense else model.fitted.model.sparse)[block.start : block.stop]
    part = [
        getattr(side, "dense" if block.dense else "sparse")[:, block.start : block.stop]
        for side in (query, model.known)
    ]
    mine, theirs = (np.asarray(side if block.dense else side.toarray(), dtype=np.float64) for side in part)
    contribution = np.abs(theirs - mine) @ weights.astype(np.float64)
    whole = Scorer(model.fitted.model, model.known).log_odds(query)[0]
    without = whole - contribution + contribution.mean()
    expected = raw_scores(author_scores(probability(without[None]), model.codes, model.k))[0]
    assert np.allclose(found["family off", family].scores, expected, atol=1e-4)


def test_masked_and_halved_texts_are_scored_as_such(
    found: dict[tuple[str, str], Variant],
    judge: Judge,
    others: OtherModels,
    counted: tuple[Counts, Counts, list[Counts]],
) -> None:
    model = judge.model
    assert (
        others.masked is not None and others.masked_known is not None and others.masked.space.mask_.kind == "posnoise"
    )
    masked = lazy(judge, others.masked.model, others.masked_known, others.masked.vectors(counted[1]))
    assert np.array_equal(found["mask", "topic masked"].scores, masked)
    half = lazy(judge, model.fitted.model, model.known, model.fitted.vectors(counted[2][1]))
    assert np.array_equal(found["half", "second half"].scores, half)


def test_leaving_a_known_text_out(judge: Judge) -> None:
    model = judge.model
    pr_same = np.random.default_rng(0).uniform(size=len(model.codes))
    whole = raw_scores(author_scores(pr_same[None], model.codes, model.k))[0]
    for document, scores in left_out(model, pr_same):
        author = model.codes[document]
        rest = sorted(
            (p for row, p in enumerate(pr_same) if model.codes[row] == author and row != document), reverse=True
        )
        mean = np.mean(rest[: model.k])
        assert scores[author] == pytest.approx(np.log(mean / (1 - mean)))
        others = np.arange(len(scores)) != author
        assert np.array_equal(scores[others], whole[others])
    assert [document for document, _ in left_out(model, pr_same)] == list(range(len(model.codes)))


def test_leaving_out_an_only_text_leaves_no_score(judge: Judge) -> None:
    codes = judge.model.codes.copy()
    codes[codes == 9] = 8
    codes[0] = 9
    model = replace(judge.model, codes=codes)
    scores = dict(left_out(model, np.full(len(codes), 0.4)))
    assert np.isnan(scores[0][9]) and np.isfinite(scores[1]).all()


@given(st.text("ab .,'\n", max_size=80))
def test_halves_are_the_text(text: str) -> None:
    first, second = halves_of(text)
    assert first + second == text
    counts = [len(WORD.findall(half)) for half in (first, second)]
    assert sum(counts) == len(WORD.findall(text)) and 0 <= counts[1] - counts[0] <= 1


def test_first_and_rank() -> None:
    variant = Variant("seed", "seed 1", np.array([0.5, np.nan, 2.0, 0.5]))
    assert variant.first == 2 and variant.rank(2) == 1 and variant.rank(0) == variant.rank(3) == 2


def test_stored_and_read_again_they_say_the_same(
    found: dict[tuple[str, str], Variant],
    judge: Judge,
    others: OtherModels,
    counted: tuple[Counts, Counts, list[Counts]],
) -> None:
    arrays, header = others.to_arrays()
    again = OtherModels.from_arrays(arrays, json.loads(json.dumps(header)))
    fitted = judge.model.fitted
    halves = [fitted.vectors(half) for half in counted[2]]
    for each in variants(judge.model, again, fitted.vectors(counted[0]), counted[1], halves):
        assert np.array_equal(each.scores, found[each.kind, each.what].scores)
    assert again.mask_words == "topic masked"
    bare = OtherModels(others.seeds, None, None)
    plain = OtherModels.from_arrays(*bare.to_arrays())
    assert plain.masked is None and plain.mask_words == "topic not masked"
    kinds = [each.kind for each in variants(judge.model, plain, fitted.vectors(counted[0]), None)]
    assert kinds == ["seed"] * 2 + ["family off"] * 7

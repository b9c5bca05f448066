"""An explanation adds up: to the log-odds of h, over families, over documents; and what it says of a text can be counted there."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from forensia import paths
from forensia.cli import paircontract
from forensia.corpus import read_corpus, read_disputed
from forensia.corpus.characters import WORD
from forensia.corpus.typing import Canonical
from forensia.diffvectors import PairModel, Scorer, Training, probability
from forensia.diffvectors.pairs import codes
from forensia.evidence import contributions as room
from forensia.evidence.contributions import Background
from forensia.evidence.explanation import (
    LIMIT,
    AuthorExplanation,
    Explanation,
    Passages,
    explain_author,
    explain_pair,
    marks,
    nearest,
    passages,
    quotations,
    usages,
)
from forensia.features import FAMILIES, Counts, FeatureSpace, Mask, Vectors, extract
from forensia.language import Analysis, LanguageModel, analyse, fold, load_model
from forensia.profile import FORENSIC
from forensia.systems.lazy_stacked import author_scores
from forensia.systems.pairmodel import FittedPairs, TrainingOptions, fit_pairs
from forensia.wording.reasons import reading

Floats = NDArray[np.float64]
HOSTILE = (
    "",
    " \n\t ",
    "!!! ... ???",
    "1234 5678",
    "שלום עולם, מה שלומך? אני בסדר.",
    "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🎉🎉",
    "\u202eabc\u200b \ufffd",
    "x" * 5_000,
)


@dataclass(frozen=True)
class Case:
    """A small model of real texts: five authors of the sample case, and its disputed texts."""

    texts: list[str]
    analyses: list[Analysis]
    counts: Counts
    labels: list[str]
    codes: NDArray[np.int32]
    fitted: FittedPairs
    known: Vectors
    background: Background
    disputed: list[str]
    disputed_analyses: list[Analysis]
    disputed_counts: Counts
    queries: Vectors


@pytest.fixture(scope="module")
def language() -> LanguageModel:
    return load_model()


@pytest.fixture(scope="module")
def case(language: LanguageModel) -> Case:
    whole = read_corpus(Path(paths.sample_case() / "known"))
    documents = [document for document in whole.documents if document.author in whole.authors[:5]]
    texts, labels = [document.text for document in documents], [document.author for document in documents]
    disputed = [read_disputed(path).text for path in sorted((paths.sample_case() / "disputed").glob("*.txt"))]
    analyses, more = analyse(texts, language), analyse(disputed, language)
    counts, others = extract(texts, analyses), extract(disputed, more)
    fitted, known = fit_pairs(counts, labels, TrainingOptions())
    numbers = codes(labels)
    background = Background.of(fitted, known, numbers)
    return Case(
        texts, analyses, counts, labels, numbers, fitted, known, background, disputed, more, others, fitted.vectors(others)
    )  # fmt: skip


def _one(vectors: Vectors, row: int) -> Vectors:
    return vectors.rows(slice(row, row + 1))


def _plain(vectors: Vectors) -> Floats:
    return np.hstack((vectors.dense, vectors.sparse.toarray())).astype(np.float64)


def _weights(model: PairModel) -> Floats:
    return np.concatenate((model.dense, model.sparse)).astype(np.float64)


def _adds_up(explanation: Explanation, log_odds: float, tolerance: float) -> None:
    """Both ways of taking the log-odds apart; the tolerance is relative to the sizes of what is summed."""
    size = abs(explanation.intercept) + math.fsum(np.abs(explanation.contributions))
    assert explanation.intercept + math.fsum(explanation.contributions) == pytest.approx(log_odds, abs=tolerance * size)
    assert explanation.baseline + math.fsum(explanation.relative) == pytest.approx(
        explanation.log_odds, abs=1e-12 * (size + math.fsum(np.abs(explanation.usual)))
    )
    for parts, whole in (
        ("contribution", explanation.log_odds - explanation.intercept),
        ("usual", explanation.usual.sum()),
    ):
        assert math.fsum(getattr(family, parts) for family in explanation.families) == pytest.approx(whole, abs=1e-9)


def test_contributions_sum_to_the_log_odds(case: Case) -> None:
    scores = Scorer(case.fitted.model, case.known).log_odds(case.queries)
    for query in range(len(case.queries)):
        for row in (0, 17, 30):
            found = explain_pair(case.fitted, _one(case.queries, query), _one(case.known, row), case.background)
            exact = case.fitted.model.intercept + math.fsum(
                _weights(case.fitted.model)
                * np.abs(_plain(_one(case.queries, query)) - _plain(_one(case.known, row)))[0]
            )
            assert found.log_odds == pytest.approx(exact, rel=1e-9)
            _adds_up(found, scores[query, row], 1e-6)
            _adds_up(found, case.fitted.model.pair_log_odds(_pair(case, query, row), *np.array([[0], [1]]))[0], 1e-6)


def _pair(case: Case, query: int, row: int) -> Vectors:
    from scipy.sparse import vstack

    one, other = _one(case.queries, query), _one(case.known, row)
    return Vectors(np.concatenate((one.dense, other.dense)), csr_matrix(vstack((one.sparse, other.sparse))), one.blocks)


def test_usual_differences_are_means_over_authors(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the plain mean over every known text, with the work cut into many small parts."""
    monkeypatch.setattr(room, "ROWS", 7)
    text, other = _one(case.queries, 1), _one(case.known, 3)
    left_out = int(case.codes[3])
    found = explain_pair(case.fitted, text, other, case.background.without(left_out))
    known = _plain(case.known)
    expected = [
        np.mean([np.abs(known[case.codes == code] - _plain(each)).mean(axis=0) for code in range(5) if code != left_out], axis=0)
        for each in (text, other)
    ]  # fmt: skip
    assert np.allclose(found.usual_differences, np.mean(expected, axis=0), rtol=1e-9, atol=1e-12)
    assert (found.usual_differences >= 0).all()


def test_authors_count_the_same_however_many_texts(case: Case) -> None:
    uneven = np.concatenate((np.flatnonzero(case.codes == 0), np.flatnonzero(case.codes == 1)[:2]))
    background = Background.of(case.fitted, case.known.rows(uneven), case.codes[uneven])
    assert background.shares[:-2].sum() == pytest.approx(0.5) and background.shares[-2:].sum() == pytest.approx(0.5)
    alone = background.without(0, 1)
    assert not alone.shares.any() and not alone.differences(_one(case.queries, 0)).any()
    assert (alone.frequency == background.frequency).all()


def test_the_order_of_the_texts_does_not_matter(case: Case) -> None:
    a, b = _one(case.queries, 2), _one(case.known, 5)
    one, other = (explain_pair(case.fitted, *pair, case.background) for pair in ((a, b), (b, a)))
    assert np.array_equal(one.contributions, other.contributions) and np.array_equal(one.relative, other.relative)
    assert one.log_odds == other.log_odds and one.baseline == other.baseline
    assert np.array_equal(one.a, other.b) and np.array_equal(one.b, other.a)
    assert one.families == other.families


def test_identical_texts_have_no_contributions(case: Case) -> None:
    text = _one(case.known, 4)
    found = explain_pair(case.fitted, text, text, case.background)
    assert not found.contributions.any() and found.log_odds == found.intercept == case.fitted.model.intercept
    assert found.every() == []
    assert all(family.differing == 0 and family.contribution == 0 for family in found.families)
    assert all(feature.closer == (feature.weight < 0) for feature in found.strongest()[0])


def test_an_author_is_the_mean_over_their_documents(case: Case) -> None:
    scores = Scorer(case.fitted.model, case.known).log_odds(case.queries)
    pr_same = probability(scores)
    for query, author in ((0, 2), (3, 4)):
        rows = nearest(pr_same[query], case.codes, author, 3)
        lazy = author_scores(pr_same, case.codes, 3)[query, author]
        assert pr_same[query, rows].mean() == pytest.approx(lazy), "the documents of which Lazy AA takes the mean"
        found = explain_author(case.fitted, _one(case.queries, query), case.background, rows)
        others = case.background.without(author)
        pairs = [explain_pair(case.fitted, _one(case.queries, query), _one(case.known, row), others) for row in rows]
        for name in ("contributions", "usual", "relative", "b"):
            assert np.allclose(
                getattr(found, name), np.mean([getattr(pair, name) for pair in pairs], axis=0), atol=1e-12
            )
        assert found.author == author and found.rows == tuple(rows)
        _adds_up(found, float(scores[query, rows].mean()), 1e-6)


def test_nearest_leaves_out_what_was_not_compared() -> None:
    pr_same = np.array([0.2, np.nan, 0.9, 0.9, 0.5])
    assert nearest(pr_same, np.array([0, 0, 1, 0, 0]), 0, 2).tolist() == [3, 4]
    assert nearest(pr_same, np.array([0, 0, 1, 0, 0]), 0, 9).tolist() == [3, 4, 0]


def test_documents_of_two_authors_are_no_author(case: Case) -> None:
    with pytest.raises(ValueError, match="one author"):
        explain_author(case.fitted, _one(case.queries, 0), case.background, np.flatnonzero(case.codes < 2))
    with pytest.raises(ValueError, match="one text"):
        explain_pair(case.fitted, case.queries, _one(case.known, 0))


def test_all_families_are_there(case: Case) -> None:
    found = explain_pair(case.fitted, _one(case.queries, 0), _one(case.known, 0), case.background)
    assert [family.family for family in found.families] == list(FAMILIES)
    assert [family.group for family in found.families] == ["group 1"] * 4 + ["group 2"] * 3
    assert sum(family.features for family in found.families) == case.fitted.space.width
    assert sum(family.differing for family in found.families) == np.count_nonzero(found.differences)
    weights = case.fitted.model.dense.copy()
    block = next(block for block in case.known.blocks if block.family == "sentence lengths")
    weights[block.start : block.stop] = 0.0
    muted = replace(case.fitted, model=replace(case.fitted.model, dense=weights))
    without = explain_pair(muted, _one(case.queries, 0), _one(case.known, 0), case.background)
    for before, after in zip(found.families, without.families, strict=True):
        same = before.family != "sentence lengths"
        assert after.relative == (before.relative if same else 0.0)


def test_the_strongest_features(case: Case) -> None:
    found = explain_pair(case.fitted, _one(case.queries, 0), _one(case.known, 8), case.background)
    favourable, adverse = found.strongest()
    assert len(favourable) == len(adverse) == 15
    assert [each.relative for each in favourable] == sorted(found.relative, reverse=True)[:15]
    assert [each.relative for each in adverse] == sorted(found.relative)[:15]
    for each in (*favourable, *adverse):
        assert each.feature == case.fitted.space.feature_name(each.column)
        assert each.contribution == found.contributions[each.column] and each.usual == found.usual[each.column]
        assert ("less" in reading(each)) == each.closer == ((each.relative > 0) == (each.weight < 0))
    favourable, adverse = found.strongest(4, "words")
    assert len(favourable) == len(adverse) == 4
    assert {each.family for each in (*favourable, *adverse)} == {"words"}
    assert found.strongest(4, "no such family") == ((), ())
    bare = explain_pair(case.fitted, _one(case.queries, 0), _one(case.known, 8))
    assert np.array_equal(bare.relative, bare.contributions) and bare.baseline == bare.intercept
    assert bare.strongest()[0][0].documents is None
    assert reading(bare.strongest()[0][0]) == "The texts differ in this feature."


def test_what_both_texts_share_weighs_more_the_rarer_it_is(case: Case) -> None:
    """Ten texts that are alike in one word that all have and in one that only the pair has."""
    space = FeatureSpace(["words"], keep=2)
    space.fit(extract(["common rare", "common", "other common"] * 2, None, ["words"]), list("aabbcc"))
    width = space.sparse_width_
    values = np.zeros((10, width), np.float32)
    values[:, 0] = 1.0
    values[:2, 1] = 1.0
    vectors = Vectors(np.zeros((10, 0), np.float32), csr_matrix(values), space.blocks_)
    fitted = FittedPairs(
        space, {}, PairModel(np.zeros(0, np.float32), np.full(width, -1.0, np.float32), 0.5), _TRAINING
    )
    background = Background.of(fitted, vectors.rows(slice(2, 10)), np.arange(8) // 2)
    found = explain_pair(fitted, _one(vectors, 0), _one(vectors, 1), background)
    assert found.relative[:2].tolist() == [0.0, 1.0] and not found.contributions.any()


def test_how_rare_a_feature_is(case: Case) -> None:
    space, background = case.fitted.space, case.background
    for block, shift in ((block, 0 if block.dense else space.dense_width_) for block in space.blocks_):
        for column in np.linspace(block.start + shift, block.stop + shift - 1, 12).astype(int).tolist():
            part, number = space.place(column)
            table = case.counts.table(part.family)
            place = int(table.keys.find(part.keys.take(np.array([number])))[0])  # type: ignore[arg-type]
            rows = np.flatnonzero(table.counts[:, place].toarray().ravel())
            assert background.frequency[column] == len(rows), space.feature_name(column)
            assert background.authors_with(column) == len(set(case.codes[rows])), space.feature_name(column)
    assert background.authors == 5 and len(background) == len(case.texts)


def test_usage_can_be_counted_by_hand(case: Case) -> None:
    space = case.fitted.space
    names = space.names()
    wanted = [
        names.index(name)
        for name in (
            "function word 'and'",
            "word length 4",
            "punctuation: comma",
            "sentence of 10 words",
            "characters 'th'",
        )
        if name in names
    ]
    assert len(wanted) >= 4
    rows = np.flatnonzero(case.codes == 1)[:2]
    found = explain_author(
        case.fitted,
        _one(case.queries, 0),
        case.background,
        rows,
        counts=(case.disputed_counts.rows([0]), case.counts.rows(rows)),
    )
    for feature in found.features(wanted):
        assert feature.usage_a is not None and feature.usage_b is not None
        for usage, several in (
            (feature.usage_a, case.disputed[:1]),
            (feature.usage_b, [case.texts[row] for row in rows]),
        ):
            words = [word for text in several for word in WORD.findall(text)]
            if feature.feature.startswith("function"):
                assert usage.count == sum(fold(word) == "and" for word in words)
            elif feature.feature.startswith("word length"):
                assert usage.count == sum(len(word) == 4 for word in words)
            elif feature.feature.startswith("punctuation"):
                assert usage.count == sum(text.count(",") for text in several)
                assert usage.unit == "per 100 punctuation marks" and usage.rate is not None and 0 <= usage.rate <= 100
            if usage.unit == "per 1,000 words":
                assert usage.rate == pytest.approx(1000 * usage.count / len(words))
    no_words = extract(case.texts[:1], None, ["punctuation"])
    (usage,) = usages(space, no_words, [names.index("punctuation: comma")])
    assert usage.rate is not None and usage.count == case.texts[0].count(",")


def test_json_of_a_pair(case: Case) -> None:
    both = (case.disputed_counts.rows([1]), case.counts.rows([9]))
    found = explain_pair(case.fitted, _one(case.queries, 1), _one(case.known, 9), case.background, counts=both)
    read = json.loads(json.dumps(paircontract.explained(found), allow_nan=False))
    listed = read["contributions"]
    assert all({"feature", "group", "a", "b", "weight", "contribution"} <= row.keys() for row in listed)
    assert len(listed) == np.count_nonzero(found.contributions) > 500
    sizes = [abs(row["contribution"]) for row in listed]
    assert sizes == sorted(sizes, reverse=True)
    assert all(row["contribution"] == row["weight"] * abs(row["a"] - row["b"]) for row in listed)
    assert read["intercept"] + math.fsum(row["contribution"] for row in listed) == pytest.approx(
        read["log_odds"], rel=1e-9
    )
    assert read["baseline"] + math.fsum(row["relative"] for row in read["families"]) == pytest.approx(read["log_odds"])
    assert len(read["families"]) == 7 and len(read["for"]) == len(read["against"]) == 15
    assert read["for"][0]["usage_a"]["count"] >= 0
    author = explain_author(case.fitted, _one(case.queries, 1), case.background, np.array([9]))
    assert isinstance(author, AuthorExplanation)


_TRAINING = Training(pairs=0, same=0, pairs_sha256="", c=1.0)


@pytest.fixture(scope="module")
def small() -> FeatureSpace:
    """A space of few columns, on which vectors can be made up."""
    texts = ["the cat, and the dog!", "a cat; a dog", "the bird and a cat...", "dogs and birds, birds"]
    return FeatureSpace(["function words", "punctuation", "words", "character n-grams"], keep=40).fit(
        extract(texts, None, ["function words", "punctuation", "words", "character n-grams"]), list("aabb")
    )


@given(seed=st.integers(0, 2**32 - 1), known=st.integers(1, 9), density=st.floats(0, 1), scale=st.floats(0.01, 50))
def test_random_vectors(small: FeatureSpace, seed: int, known: int, density: float, scale: float) -> None:
    rng = np.random.default_rng(seed)
    shape = (known + 1, small.sparse_width_)
    sparse = np.where(rng.uniform(size=shape) < density, rng.uniform(size=shape), 0.0).astype(np.float32)
    dense = rng.normal(scale=scale, size=(known + 1, small.dense_width_)).astype(np.float32)
    vectors = Vectors(dense, csr_matrix(sparse), small.blocks_)
    model = PairModel(
        rng.normal(scale=scale, size=small.dense_width_).astype(np.float32),
        rng.normal(scale=scale, size=small.sparse_width_).astype(np.float32),
        float(rng.normal()),
    )
    fitted = FittedPairs(small, {"punctuation": 0.3}, model, _TRAINING)
    background = Background.of(fitted, vectors.rows(slice(1, None)), rng.integers(0, 3, known))
    for row in range(1, known + 1):
        found = explain_pair(fitted, _one(vectors, 0), _one(vectors, row), background)
        _adds_up(found, model.pair_log_odds(vectors, np.array([0]), np.array([row]))[0], 1e-6)
    plain = _plain(vectors)
    assert np.allclose(
        background.differences(_one(vectors, 0)), background.shares @ np.abs(plain[1:] - plain[0]), atol=1e-6 * scale
    )


def test_places_are_those_of_the_feature(case: Case) -> None:
    found = explain_pair(
        case.fitted, _one(case.queries, 0), _one(case.known, 0), case.background,
        counts=(case.disputed_counts.rows([0]), case.counts.rows([0])),
    )  # fmt: skip
    space = case.fitted.space
    seen = set()
    for family in FAMILIES:
        for feature in (*found.strongest(8, family)[0], *found.strongest(8, family)[1]):
            assert feature.usage_a is not None and feature.usage_b is not None
            for text, analysis, usage in (
                (case.disputed[0], case.disputed_analyses[0], feature.usage_a),
                (case.texts[0], case.analyses[0], feature.usage_b),
            ):
                places = passages(space, feature.column, Canonical.same(text), analysis)
                assert len(places.spans) == min(usage.count, LIMIT) and places.more == (usage.count > LIMIT)
                assert all(0 <= start < end <= len(text) for start, end in places.spans)
                if family in ("words", "function words"):
                    name = feature.feature.partition(" word ")[2][1:-1] or feature.feature[6:-1]
                    assert {fold(text[start:end]) for start, end in places.spans} <= {fold(name)}
                seen |= {family} if places.spans else set()
    assert seen == set(FAMILIES)


def test_places_are_bounded(case: Case, language: LanguageModel) -> None:
    text = "well, well, " * 300
    (analysis,) = analyse([text], language)
    column = case.fitted.space.names().index("punctuation: comma")
    found = passages(case.fitted.space, column, Canonical.same(text), analysis)
    assert len(found.spans) == LIMIT == 200 and found.more
    assert not passages(case.fitted.space, column, Canonical.same(text), analysis, limit=600).more


@pytest.mark.parametrize("kind", ["posnoise", "distortion"])
def test_places_in_a_masked_text_are_those_of_the_text(case: Case, language: LanguageModel, kind: str) -> None:
    texts, analyses = case.texts[:8], case.analyses[:8]
    mask = Mask.fit(kind, texts, language.function_words, frequent=60)
    counts = extract(texts, analyses, mask=mask)
    fitted, vectors = fit_pairs(counts, [*"aaaabbbb"], TrainingOptions(replace(FORENSIC, scaled=False)))
    both = (counts.rows([0]), counts.rows([1]))
    found = explain_pair(
        fitted, _one(vectors, 0), _one(vectors, 1), Background.of(fitted, vectors, codes([*"aaaabbbb"])), counts=both
    )
    for feature in (*found.strongest(20, "words")[0], *found.strongest(20, "character n-grams")[0]):
        for row, usage in enumerate((feature.usage_a, feature.usage_b)):
            assert usage is not None
            spans = passages(fitted.space, feature.column, Canonical.same(texts[row]), analyses[row]).spans
            assert len(spans) == min(usage.count, LIMIT)
            assert all(0 <= start < end <= len(texts[row]) for start, end in spans)


def test_marks_never_overlap() -> None:
    found = [Passages(7, ((0, 4), (10, 20))), Passages(3, ((2, 6), (12, 14), (20, 22))), Passages(5, ())]
    shown = [(mark.start, mark.end, mark.column) for mark in marks(found, {7: 0.1, 3: -0.9, 5: 1.0})]
    assert shown == [(0, 2, 7), (2, 6, 3), (10, 12, 7), (12, 14, 3), (14, 20, 7), (20, 22, 3)]
    assert [(mark.start, mark.end, mark.column) for mark in marks(found[:2], {7: 0.9, 3: -0.1})] == [
        (0, 4, 7), (4, 6, 3), (10, 20, 7), (20, 22, 3),
    ]  # fmt: skip
    assert marks([], {}) == marks(found[2:], {5: 1.0}) == ()


def test_quotations() -> None:
    text = "It was late.\nShe came upon the\tharbour at night, and the wind rose over the water."
    start = text.index("upon")
    (found,) = quotations(text, [(start, start + 4)], width=14)
    assert (found.before, found.there, found.after) == ("… She came ", "upon", " the harbour …")
    assert str(found) == "… She came [upon] the harbour …"
    (whole,) = quotations(text, [(start, start + 4)], width=500)
    assert str(whole).replace("[", "").replace("]", "") == " ".join(text.split())
    assert len(quotations(text, [(0, 1)] * 9)) == 5
    (long,) = quotations("a" * 5_000, [(0, 5_000)])
    assert len(long.there) < 300 and (long.before, long.after) == ("", "")
    (turned,) = quotations("safe \u202egnp.exe\u200b end", [(6, 9)])
    assert "\u202e" not in str(turned) and "⟨U+202E⟩" in turned.before and "⟨U+200B⟩" in turned.after


@given(
    text=st.text(alphabet=st.sampled_from("ab \n\u202e\u05d0🎉.,"), max_size=200),
    where=st.tuples(st.integers(0, 199), st.integers(1, 80)),
    width=st.integers(1, 70),
)
def test_quotations_hold_the_place_and_stay_short(text: str, where: tuple[int, int], width: int) -> None:
    start, end = where[0], min(where[0] + where[1], len(text))
    if start >= end:
        return
    (found,) = quotations(text, [(start, end)], width)
    escapes = str(found).count("⟨")
    assert "\n" not in str(found) and "\u202e" not in str(found)
    assert max(len(found.before), len(found.after)) <= width + 1 + 7 * escapes
    if len(text[start:end]) <= 4 * width and "\u202e" not in text[start:end]:
        assert found.there == text[start:end].replace("\n", " ")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_can_be_explained(case: Case, language: LanguageModel, text: str) -> None:
    (analysis,) = analyse([text], language)
    counts = extract([text], [analysis])
    query = case.fitted.vectors(counts)
    both = (counts, case.counts.rows([2]))
    found = explain_pair(case.fitted, query, _one(case.known, 2), case.background, counts=both)
    assert np.isfinite(found.relative).all() and math.isfinite(found.log_odds)
    json.dumps(paircontract.explained(found), allow_nan=False)
    for feature in (*found.strongest()[0], *found.strongest()[1]):
        places = passages(case.fitted.space, feature.column, Canonical.same(text), analysis)
        assert feature.usage_a is not None and len(places.spans) == min(feature.usage_a.count, LIMIT)
        quotations(text, places.spans)
    itself = explain_pair(case.fitted, query, query, case.background)
    assert itself.log_odds == case.fitted.model.intercept

"""From a corpus to rankings: both profiles, the promises about what a model may have seen, and storage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from forensia.corpus import Corpus
from forensia.diffvectors import probability
from forensia.evidence.judge import Judge
from forensia.evidence.training import SENTENCES, Trained, TrainedModel, train
from forensia.features import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES, Counts, count_documents
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, PAPER, Profile
from forensia.systems.lazy_stacked import StackedAttributor, author_scores, choose_k, completed
from forensia.systems.pairmodel import TrainingOptions


@pytest.fixture(scope="module")
def counts(trained: Trained) -> Counts:
    return trained.texts.counts


@pytest.fixture(scope="module")
def model(trained: Trained) -> TrainedModel:
    return trained.model


def test_k_and_the_stacked_classifier_come_from_out_of_fold_scores(trained: Trained) -> None:
    """What the final h says of texts that it has seen plays no part in them."""
    out, model = trained.out_of_fold, trained.model
    assert out is not None
    pr_same = probability(out.log_odds.astype(np.float64))
    choice = choose_k(pr_same, model.codes, FORENSIC)
    assert model.k == choice.k and model.k_accuracy.tolist() == list(choice.curve)
    again = StackedAttributor(seed=0).fit(completed(pr_same, model.codes), list(model.codes))
    assert np.array_equal(again.weights_, model.stacked.weights_) and again.c_ == model.stacked.c_
    in_sample = np.array([ranking.pr_same for ranking in model.rank(trained.texts.counts)])
    assert choose_k(in_sample, model.codes).curve != choice.curve


def test_both_profiles_rank_and_give_probabilities(
    few: Corpus, counts: Counts, language: LanguageModel, model: TrainedModel, cache: MemoryCache
) -> None:
    replayed = train(few, TrainingOptions(profile=PAPER), language, cache=cache)
    paper = replayed.model
    assert replayed.out_of_fold is None and replayed.texts.rungs == (0,), "nothing is cut, nothing is cross-fitted"
    for trained, counted in ((model, counts), (paper, replayed.texts.counts)):
        ranking = trained.rank(counted.rows([0, 7]))[1]
        assert ranking.pr_same.shape == (len(few),) and ranking.lazy.shape == ranking.stacked.shape == (5,)
        assert ((ranking.pr_same >= 0) & (ranking.pr_same <= 1)).all()
        assert ranking.stacked.sum() == pytest.approx(1)
        assert trained.authors[int(ranking.lazy.argmax())] == few.documents[7].author
    assert not paper.fitted.factors and model.fitted.factors
    assert paper.learnt.typing == "as typed" and model.learnt.typing == "canonical"


def test_each_method_has_its_families() -> None:
    """Diff-vectors have those of the paper; the fused answer has its own, and only where there is a validation to weigh them."""
    forensic, paper = TrainingOptions(), TrainingOptions(profile=PAPER)
    assert forensic.paired == paper.paired == FAMILIES
    assert forensic.fused == FUSED_FAMILIES and forensic.counted == EVERY_FAMILY
    assert paper.fused == () and paper.counted == FAMILIES
    some = TrainingOptions(families=("layout", "words", "word lengths"))
    assert some.paired == ("word lengths", "words") and some.fused == ("words", "layout")
    assert some.counted == ("word lengths", "words", "layout")


def test_options_of_version_0_1_have_the_families_of_the_paper() -> None:
    assert TrainingOptions.from_dict({}).families == FAMILIES


def test_a_model_of_version_0_1_goes_on_reading_texts_as_they_were_typed(model: TrainedModel) -> None:
    arrays, header = model.to_arrays()
    assert TrainedModel.from_arrays(arrays, header).options == model.options
    del header["space"]["typing"]
    old = TrainedModel.from_arrays(arrays, header)
    assert old.options.profile == replace(model.options.profile, typing="as typed")
    assert old.learnt.record().typing == "as typed"


def test_a_quick_training_says_so(judge: Judge, model: TrainedModel) -> None:
    assert judge.learnt.quick and not model.learnt.quick
    for each in (judge.pairs, model):
        assert TrainedModel.from_arrays(*each.to_arrays()).learnt.quick is each.learnt.quick


def test_a_known_text_without_sentences_takes_their_lengths_away(
    few: Corpus, language: LanguageModel, cache: MemoryCache
) -> None:
    """One such text would teach h that long sentences are a habit."""
    first = few.documents[0]
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in first.text)
    changed = few.changed(lambda each: replace(each, body=bare) if each.id == first.id else each)
    options = TrainingOptions(profile=PAPER)
    found = train(changed, options, language, cache=cache).model
    assert SENTENCES in options.families and SENTENCES not in found.options.families
    assert SENTENCES not in [block.family for block in found.known.blocks]


def test_a_text_without_sentences_is_ranked_without_their_lengths(
    few: Corpus, language: LanguageModel, model: TrainedModel
) -> None:
    whole = few.documents[3]
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in whole.text)
    counts = count_documents([whole, replace(whole, body=bare)], language, typing="canonical")
    assert list(counts.no_sentences) == [False, True]
    normal, stripped = model.rank(counts)
    expected = model.without(SENTENCES).rank_vectors(model.fitted.vectors(counts))
    assert (stripped.pr_same == expected[1].pr_same).all() and (normal.pr_same != expected[0].pr_same).any()


def test_stored_and_read_again_it_says_the_same(model: TrainedModel, counts: Counts) -> None:
    arrays, header = model.to_arrays()
    again = TrainedModel.from_arrays(arrays, header)
    for ours, theirs in zip(model.rank(counts), again.rank(counts), strict=True):
        assert (ours.pr_same == theirs.pr_same).all() and (ours.stacked == theirs.stacked).all()
    assert again.options == model.options and again.k == model.k and again.fitted.training == model.fitted.training


def test_same_seed_same_model(few: Corpus, language: LanguageModel, cache: MemoryCache, hasty: Profile) -> None:
    """Trained again with two threads, renamed authors and other file names: the same numbers to the bit."""
    renamed = few.changed(
        lambda document: replace(document, author=f"z{document.author[::-1]}", path=f"{document.sha256_text[-6:]}")
    )
    options = TrainingOptions(hasty, families=("function words", "words", "POS n-grams"))
    first = train(few, options, language, cache=cache).model.to_arrays()[0]
    second = train(renamed, options, language, jobs=2, cache=cache).model.to_arrays()[0]
    assert first.keys() == second.keys()
    assert [name for name in first if not np.array_equal(first[name], second[name])] == []


def test_lazy_against_a_plain_implementation() -> None:
    rng = np.random.default_rng(0)
    codes = np.array([0, 1, 0, 2, 1, 0, 2, 2, 1, 0])
    h = rng.uniform(size=(10, 10))
    for k in (1, 2, 3, 9):
        plain = [[np.mean(sorted(row[codes == a], reverse=True)[:k]) for a in range(3)] for row in h]
        assert np.allclose(author_scores(h, codes, k), plain)
    choice = choose_k(h, codes)
    k, curve = choice.k, choice.curve
    expected = []
    for candidate in range(1, 5):
        right = 0
        for row in range(10):
            others = np.arange(10) != row
            scores = [np.mean(sorted(h[row, others & (codes == a)], reverse=True)[:candidate]) for a in range(3)]
            right += int(np.argmax(scores) == codes[row])
        expected.append(right / 10)
    assert np.allclose(curve, expected) and k == int(np.argmax(expected)) + 1
    np.fill_diagonal(h, 99.0)
    assert choose_k(h, codes).curve == curve, "the document itself never counts"

"""A case with a population: what stand-ins were tried for is what is said of candidates, and it is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.corpus.document import Corpus, Document, Role
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.learnt import read_known
from forensia.evidence.likelihood import Scores, calibrate, covariances, jackknife
from forensia.evidence.opinion import ABSTAIN, NONE
from forensia.evidence.result import Condition, Result, Stated
from forensia.evidence.rung import Rung
from forensia.evidence.summary import summarise
from forensia.evidence.validation import Validation, validate
from forensia.evidence.validationstore import from_arrays, to_arrays
from forensia.features import count_documents
from forensia.language import LanguageModel
from forensia.profile import FORENSIC, Effort
from forensia.systems.pairmodel import TrainingOptions
from support.unbalanced import unbalanced

OPTIONS = TrainingOptions(replace(FORENSIC, effort=Effort(folds=5, resamples=40)), families=("function words", "words"))
KNOWN = Stated("known", "the sources of these texts are of no account")
Floats = NDArray[np.float64]


def with_population(candidates: set[str]) -> tuple[Corpus, list[Document]]:
    corpus, disputed = unbalanced()
    named = corpus.changed(
        lambda each: replace(each, role=Role.CANDIDATE if each.author in candidates else Role.POPULATION)
    )
    return named, disputed


def validated(language: LanguageModel, *candidates: str) -> tuple[Validation, list[Document]]:
    corpus, disputed = with_population(set(candidates))
    return validate(*read_known(corpus, OPTIONS, language)), disputed


@pytest.fixture(scope="module")
def one(language: LanguageModel) -> tuple[Validation, list[Document]]:
    return validated(language, "author 03")


@pytest.fixture(scope="module")
def three(language: LanguageModel) -> tuple[Validation, list[Document]]:
    return validated(language, "author 01", "author 03", "author 09")


def judged(validation: Validation, document: Document, language: LanguageModel) -> Result:
    counts = count_documents([document], language, OPTIONS.families, typing=OPTIONS.profile.typing)
    return Judge(None, validation).judge(Counted(document, counts, counts), validation.learnt.documents, stated=KNOWN)


def test_candidates_alone_are_ranked(three: tuple[Validation, list[Document]], language: LanguageModel) -> None:
    validation, disputed = three
    assert len(validation.learnt.population) == 9 and {
        validation.authors[code] for code in validation.learnt.candidates
    } == {"author 01", "author 03", "author 09"}
    result = judged(validation, disputed[3], language)
    assert {each.author for each in result.candidates} == {"author 01", "author 03", "author 09"}
    assert [each.placed.rank for each in result.candidates] == [1, 2, 3]
    assert all(each.listed is not None and each.unlisted is not None for each in result.candidates)


def test_one_candidate_is_a_verification(one: tuple[Validation, list[Document]], language: LanguageModel) -> None:
    validation, disputed = one
    mine, other = (judged(validation, disputed[number], language).candidates for number in (3, 6))
    for (candidate,) in (mine, other):
        assert candidate.listed is None and candidate.unlisted is not None and candidate.headline is not None
        assert candidate.headline.log10 == candidate.unlisted.log10, "there is nobody else to hold against"
    assert mine[0].unlisted is not None and other[0].unlisted is not None
    assert mine[0].unlisted.log10 > 0 > other[0].unlisted.log10


def test_what_is_stored_says_the_same(three: tuple[Validation, list[Document]], language: LanguageModel) -> None:
    validation, disputed = three
    again = from_arrays(*to_arrays(validation))
    assert judged(again, disputed[1], language) == judged(validation, disputed[1], language)
    assert summarise(again) == summarise(validation)


def test_an_explanation_adds_up_to_the_score(one: tuple[Validation, list[Document]], language: LanguageModel) -> None:
    """Against nobody, because nobody else is a candidate."""
    validation, disputed = one
    counts = count_documents([disputed[3]], language, OPTIONS.families, typing=OPTIONS.profile.typing)
    code = int(validation.learnt.candidates[0])
    (found,) = Judge(None, validation).explain(counts, disputed[3].words, code, language.function_words, "known")
    calibration = validation.rung(disputed[3].words, "known").calibration
    assert found.others == () and found.score == pytest.approx(calibration.z(validation.asked.scores(counts))[0, code])
    assert found.baseline + sum(each.relative for each in found.families) == pytest.approx(found.score)
    average = sum(float(part.average @ part.weights) for part in found.parts)
    offsets = sum(
        part.scale * family.offsets[code] * family.scale(counts)[code]
        for part, family in zip(found.parts, validation.asked.families, strict=True)  # type: ignore[attr-defined]
    )
    size = calibration.fusion.size * np.log(calibration.sizes[code])
    assert found.baseline == pytest.approx(average + offsets + size), "the baseline is the score of the average text"


def test_the_covariances_are_those_of_the_jackknife() -> None:
    """Of any weights the variance is what leaving out each text gives their sum; a text of which nothing is left out does not move."""
    rng = np.random.default_rng(3)
    without, weights = rng.normal(size=(4, 6, 2)), np.array([0.7, 1.9])
    without[1, 4:], without[2] = np.nan, np.nan
    found = covariances(without)
    for text, each in enumerate(found):
        some = without[text][~np.isnan(without[text, :, 0])] @ weights
        expected = jackknife(some[:, None], np.zeros(len(some)))[0] ** 2 if len(some) else 0.0
        assert weights @ each @ weights == pytest.approx(expected)


def rung_of(scores: Scores) -> Rung:
    calibration, _ = calibrate(scores, 0, 60)
    return Rung(Condition("known"), scores, calibration, 0)


def test_what_the_choice_of_texts_moves_is_in_the_interval_of_stand_ins_too() -> None:
    """Fewer opinions are claimed where the choice of known texts moves the scores: as many as a disputed text would get."""
    steady, moved = rung_of(made_up(1)), rung_of(made_up(1, moves=0.8))
    assert steady.moved == 0.0
    weights = moved.calibration.fusion.weights / moved.calibration.fusion.spread
    assert moved.moved == pytest.approx(0.8 * weights.sum(), rel=1e-6)
    before, after = ((rung.on_listed >= 0).sum() for rung in (steady, moved))
    assert 0 < after < 0.9 * before
    assert moved.denied[0].sum() <= steady.denied[0].sum()
    # By the formula of a disputed text: each changed by as much, left out in turn.
    scores = moved.scores.inside[:1]
    own = int(moved.scores.codes[0])
    step = np.array([0.8, -0.8])  # two texts whose jackknife has the standard deviation .8
    without = scores + step[:, None, None]
    ratios = moved.calibration.widened(moved.calibration.ratios(scores), scores, without, np.zeros(2))
    low, headline, _ = moved._said(0)
    here = np.flatnonzero(np.flatnonzero(moved.scores.tried) == 0)[0]
    assert headline[here, own] - low[here, own] == pytest.approx(
        ratios.headline[0, own] - ratios.low[0, own], abs=0.6
    ), "up to the fusion without the author, by which left-out texts are judged"


def test_errors_are_stated_as_if_nothing_moved() -> None:
    """The movement may keep right answers back and no wrong ones, so that no rate of errors is stated too low."""
    steady, moved = rung_of(made_up(1)), rung_of(made_up(1, moves=0.8))
    for side in (0, 1):
        (low, headline, high), (its_low, same, its_high) = steady._said(side), moved._said(side)
        assert np.array_equal(headline, same, equal_nan=True)
        assert np.array_equal(high if side == 0 else low, its_high if side == 0 else its_low, equal_nan=True)
        wider = its_low < low if side == 0 else its_high > high
        assert wider[~np.isnan(headline)].mean() > 0.5
    assert (moved.on_outsiders >= 0).sum() == (steady.on_outsiders >= 0).sum() > 0
    assert np.array_equal(moved.denied[0], steady.denied[0])


def made_up(candidates: int, texts: int = 14, authors: int = 12, moves: float = 0.0) -> Scores:
    """Scores of stand-ins: 3 higher with a text's own author; the last author is no stand-in. The choice of texts `moves` them."""
    rng, codes = np.random.default_rng(7), np.repeat(np.arange(authors), texts)
    every = rng.normal(size=(len(codes), authors, 2))
    every[np.arange(len(codes)), codes] += 3.0
    every[:, authors - 1] = np.nan
    return Scores.of_stand_ins(every, codes, np.full(authors, 5), candidates, 0, moves**2 * np.ones((3, 2, 2)))


@pytest.mark.parametrize("candidates", [1, 3])
def test_a_text_meets_as_many_as_there_are_candidates(candidates: int) -> None:
    scores = made_up(candidates)
    inside, own = ~np.isnan(scores.inside[:, :, 0]), scores.own
    assert scores.met is not None
    stands_in = scores.codes < 11
    assert (inside[stands_in].sum(axis=1) == candidates).all() and not inside[~stands_in].any()
    assert (own.sum(axis=1) == stands_in).all(), "the author is among them"
    assert (scores.met.sum(axis=1) == candidates).all()
    assert not scores.met[np.arange(len(own)), scores.codes].any(), "or not"
    assert (scores.strange.sum(axis=1) == 11 - stands_in).all(), "all that are not the author's tell what chance can do"


def test_stand_ins_decide_as_candidates_are_decided_on() -> None:
    """The rule alone, in plain loops: the score against the line, what few outsiders reach, and the share of own texts below."""
    scores = made_up(1)
    rung = Rung(rung_condition(), scores, calibrate(scores, 0, 40)[0], 0)
    given, wrong = rung.on_listed, rung.on_outsiders
    assert (given == scores.codes[scores.tried])[given >= 0].all(), "an only candidate is right or nothing"
    assert (given >= 0).mean() > 0.5 and (wrong >= 0).mean() < 0.08
    assert (given == NONE).mean() < 0.09
    assert all(each.comparisons == scores.tried.sum() for each in rung.backing), "all stand behind each candidate"
    own = [rung.standings[0][scores.own[:, code], code] for code in range(12)]
    for code, each in enumerate(rung.own):
        others = np.concatenate([own[other] for other in range(12) if other != code])
        assert np.array_equal(np.sort(each), np.sort(others)), "no author is judged by texts of their own"


def rung_condition() -> Condition:
    return Condition("known")


def test_one_candidate_of_whom_nothing_can_be_said() -> None:
    """Fewer than ten authors and one candidate: there is neither an alternative nor an opinion, and no number is made up."""
    scores = made_up(1, authors=8)
    calibration = calibrate(scores, 0, 40)[0]
    text, without = scores.inside[:1], scores.inside[:1].repeat(3, axis=0)
    ratios = calibration.widened(calibration.ratios(text), text, without, np.zeros(3, np.intp))
    assert calibration.unlisted_bounds is None and np.isnan(ratios.headline).all() and np.isnan(ratios.low).all()
    assert calibration.said(ratios, 0) == (None, None, None)
    rung = Rung(rung_condition(), scores, calibration, 0)
    assert (rung.on_listed == ABSTAIN).all()

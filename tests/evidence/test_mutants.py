"""The forensic rules, where they matter: among authors with unequal numbers of texts. Each must be seen to be missing when it is removed.

A check states the rule in plain loops and holds it against what the program did. A mutant takes the rule out of one place where it is
applied; the check must pass on the program and fail on the mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.attribution.lazy import attributed_out_of_fold, choose_k
from forensia.attribution.pairmodel import TrainingOptions
from forensia.attribution.stacked import StackedAttributor, completed
from forensia.corpus import Corpus, Document
from forensia.diffvectors import DVBin, Pairs, folds, probability
from forensia.diffvectors.folds import Split, split_pairs
from forensia.evidence import crossfit, judge, likelihood, opinion, reasons, training, validation
from forensia.evidence.crossfit import Crossfit, OutOfFold
from forensia.evidence.elub import Bounds
from forensia.evidence.result import Alternative, Result
from forensia.evidence.training import Ranking, Trained, TrainedModel
from forensia.evidence.validation import Validation
from forensia.features import Counts, count_documents
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, Effort
from support.unbalanced import SIZES, unbalanced

Floats = NDArray[np.float64]
PROFILE = replace(FORENSIC, effort=Effort(folds=5, resamples=40))
OPTIONS = TrainingOptions(PROFILE, families=("function words", "words"))
UNEVEN = replace(PROFILE, even=False)


# One run from the texts to the findings, watched


@dataclass(frozen=True)
class Run:
    """What was made, and what was seen on the way."""

    trained: Trained
    by_author: OutOfFold
    validation: Validation
    pairs: tuple[tuple[Pairs, Split], ...]  # that h was learnt from, the final one first
    without: tuple[frozenset[str], ...]  # whom the models without an author knew, fold by fold
    p: Floats  # by which the known texts were judged
    decisions: NDArray[np.int64]
    rankings: tuple[Ranking, ...]
    found: tuple[Result, ...]

    @property
    def model(self) -> TrainedModel:
        return self.trained.model

    @property
    def codes(self) -> NDArray[np.int32]:
        return self.model.codes

    @property
    def pr_same(self) -> Floats:
        """Of the known documents, by models that had not seen the one in the row."""
        assert self.trained.out_of_fold is not None
        return probability(self.trained.out_of_fold.log_odds.astype(np.float64))

    @property
    def fold(self) -> NDArray[np.int64]:
        assert self.trained.out_of_fold is not None
        return self.trained.out_of_fold.fold


@dataclass
class Texts:
    """The unbalanced corpus, read."""

    language: LanguageModel
    corpus: Corpus = field(init=False)
    disputed: list[Document] = field(init=False)
    counted: list[Counts] = field(init=False)
    cache: MemoryCache = field(default_factory=MemoryCache)

    def __post_init__(self) -> None:
        self.corpus, self.disputed = unbalanced()
        self.counted = [
            count_documents([each], self.language, OPTIONS.families, typing=OPTIONS.profile.typing)
            for each in self.disputed
        ]


def run(texts: Texts, before: Run | None = None) -> Run:
    """Train, validate and judge; what comes before the validation is taken from another run, if one is given."""
    with watched() as seen:
        if before is None:
            trained = training.train(texts.corpus, OPTIONS, texts.language, cache=texts.cache)
            pairs = tuple(seen.pairs)
            seen.known.clear()
            by_author = Crossfit(trained.model.fitted, OPTIONS).by_author(trained.texts)
            without = tuple(map(frozenset, seen.known))
        else:
            trained, by_author, pairs, without = before.trained, before.by_author, before.pairs, before.without
        validated = validation.validate(trained, by_author, 110.0)
        decisions = validated.whole.decisions_on_listed()
        p = seen.p[-1]
        judging = judge.Judge(trained.model, validated)
        shown = list(trained.model.documents)
        counted = [judge.Counted(*each) for each in zip(texts.disputed, texts.counted, strict=True)]
        found = tuple(judging.judge(each, shown) for each in counted)
        rankings = tuple(trained.model.rank(each)[0] for each in texts.counted)
    return Run(trained, by_author, validated, pairs, without, p, decisions, rankings, found)


@dataclass
class Seen:
    pairs: list[tuple[Pairs, Split]] = field(default_factory=list)
    known: list[list[str]] = field(default_factory=list)
    p: list[Floats] = field(default_factory=list)


@contextmanager
def watched() -> Iterator[Seen]:
    """Note the pairs that are learnt from, the labels of each model of a fold, and the p of texts that are decided on."""
    seen = Seen()
    learn, fit, decide = DVBin.fit_pairs, crossfit.fit_pairs, validation.decide

    def fit_pairs(self: DVBin, vectors: Any, pairs: Pairs, split: Split, *more: Any) -> DVBin:
        seen.pairs.append((pairs, split))
        return learn(self, vectors, pairs, split, *more)

    def fold(counts: Counts, labels: list[str], *more: Any, **named: Any) -> Any:
        seen.known.append(list(labels))
        return fit(counts, labels, *more, **named)

    def decided(scores: Floats, headline: Floats, low: Floats, p: Floats, family: Floats) -> NDArray[np.int64]:
        seen.p.append(p)
        return decide(scores, headline, low, p, family)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DVBin, "fit_pairs", fit_pairs)
        patched.setattr(crossfit, "fit_pairs", fold)
        patched.setattr(validation, "decide", decided)
        yield seen


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


def plain_cohort(lazy: list[float]) -> list[float]:
    """Log-odds less the mean of the three best others."""
    raw = [float(np.log(value / (1 - value))) for value in np.clip(lazy, 1e-6, 1 - 1e-6)]
    out = []
    for author, own in enumerate(raw):
        others = [value for number, value in enumerate(raw) if number != author and not np.isnan(value)]
        out.append(own - float(np.mean(sorted(others, reverse=True)[:3])))
    return out


def plain_scores(log_odds: NDArray[Any], codes: NDArray[Any], k: int) -> Floats:
    pr_same = probability(log_odds.astype(np.float64))
    return np.array([plain_cohort(plain_lazy(row, codes, k)) for row in pr_same])


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
        assert np.allclose([found.by_author[author].lazy.score for author in run.model.authors], expected)


def check_lazy_attribution(run: Run) -> None:
    """Each known text is ascribed with the k that the other folds choose."""
    first = plain_first(run.pr_same, run.codes)
    for number in np.unique(run.fold):
        rows = run.fold == number
        k = plain_k(first[~rows] == run.codes[~rows][:, None])
        assert np.array_equal(run.validation.attributed.lazy[rows], first[rows, k - 1])


def check_stacked_ranking(run: Run) -> None:
    expected = plain_stacked(run.pr_same, run.codes, np.array([each.pr_same for each in run.rankings]))
    assert np.allclose([each.stacked for each in run.rankings], expected)


def check_stacked_attribution(run: Run) -> None:
    for number in np.unique(run.fold):
        rest, tried = np.flatnonzero(run.fold != number), np.flatnonzero(run.fold == number)
        present, codes = np.unique(run.codes[rest], return_inverse=True)
        said = plain_stacked(run.pr_same[np.ix_(rest, rest)], codes, run.pr_same[np.ix_(tried, rest)])
        assert np.array_equal(run.validation.attributed.stacked[tried], present[said.argmax(axis=1)])


def check_validated_scores(run: Run) -> None:
    """The scores that LRs are calibrated with: an even reach, less the cohort."""
    assert run.trained.out_of_fold is not None
    scores = run.validation.whole.scores
    inside = plain_scores(run.trained.out_of_fold.log_odds, run.codes, run.model.k)
    outside = plain_scores(run.by_author.log_odds, run.codes, run.model.k)
    assert np.allclose(scores.inside, inside, equal_nan=True) and np.allclose(scores.outside, outside, equal_nan=True)


def check_findings_scores(run: Run) -> None:
    """The score of a disputed text is made as those were that the calibration rests on."""
    for ranking, found in zip(run.rankings, run.found, strict=True):
        scores = np.array([plain_cohort(plain_lazy(ranking.pr_same, run.codes, run.model.k))])
        ratios = run.validation.whole.calibration.ratios(scores)
        expected = dict(zip(run.model.authors, ratios.listed[0].tolist(), strict=True))
        for each in found.candidates:
            assert each.listed is not None and each.listed.log10 == pytest.approx(expected[each.author])


def check_weaker_headline(run: Run) -> None:
    """Of two LRs on one side of 1 the one nearer to it is told, of two on different sides the lower."""
    alternatives = set()
    for each in (each for found in run.found for each in found.candidates):
        assert each.headline is not None and each.listed is not None and each.unlisted is not None
        one, other = each.listed.log10, each.unlisted.log10
        assert each.headline.log10 == (max(one, other) if max(one, other) < 0 else min(one, other))
        alternatives.add(each.headline.alternative)
    assert alternatives == {Alternative.LISTED, Alternative.UNLISTED}, "each is the weaker one somewhere"


def check_bounds(run: Run) -> None:
    """No LR is further from 1 than the number of trials on which it rests, however far the score is."""
    calibration = run.validation.whole.calibration
    scores = run.validation.whole.scores
    ratios = calibration.ratios(np.array([-60.0, 60.0]))
    own, other, strange = (int(which.sum()) for which in (scores.own, scores.other, scores.strange))
    for values, trials in ((ratios.listed, other), (ratios.unlisted, strange)):
        assert -np.log10(own + 1) - 0.011 <= values[0] < 0 < values[1] <= np.log10(trials + 1) + 0.011
    for values in (ratios.headline, ratios.low, ratios.high):
        assert np.abs(values).max() <= np.log10(strange + 1) + 0.011
    assert ratios.bounded.all()


def check_outsiders_line(run: Run) -> None:
    """Nobody is supported by a score that more than one in twenty outsiders reach with any of the authors."""
    rung = run.validation.whole
    outside = rung.scores.outside
    best = [max(row[~np.isnan(row)]) for row in outside]
    met = float(np.mean([(~np.isnan(row)).sum() for row in outside]))
    ratios = rung.calibration.ratios(rung.scores.inside)
    kept_out = 0
    for row, (scores, decision) in enumerate(zip(rung.scores.inside, run.decisions, strict=True)):
        first = int(np.nanargmax(scores))
        share = (1 + sum(other >= scores[first] for other in best)) / (len(best) + 1)
        family = 1 - (1 - share) ** (len(SIZES) / met)
        speaks = ratios.headline[row, first] > 0 and ratios.low[row, first] > 0
        assert (decision >= 0) == (speaks and family <= 0.05)
        kept_out += bool(speaks and family > 0.05)
    assert kept_out, "the rule matters for some of these texts"


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
    """How usual the score of a known text is for its author, is told by the other texts of that author."""
    inside = run.validation.whole.scores.inside
    for row, code in enumerate(run.codes):
        others = [inside[other, code] for other in np.flatnonzero(run.codes == code) if other != row]
        expected = (1 + sum(other <= inside[row, code] for other in others)) / (len(others) + 1)
        assert run.p[row, code] == pytest.approx(expected)


def check_folds_without_the_author(run: Run) -> None:
    """What stands for an outsider has been seen by no model that scored it, in no document."""
    labels = np.array(run.trained.texts.labels)
    folds = np.unique(run.by_author.fold)
    assert len(run.without) == len(folds)
    for number, known in zip(folds, run.without, strict=True):
        tried = set(labels[run.by_author.fold == number].tolist())
        assert not known & tried and known | tried == set(labels.tolist())
    assert np.isnan(run.by_author.log_odds[run.codes[:, None] == run.codes]).all()


# The mutants


@dataclass(frozen=True)
class Mutant:
    """A rule that is taken out of one place, and the check that must see it; `early` if the training must be done again."""

    name: str
    check: Callable[[Run], None]
    place: Any
    attribute: str
    instead: Any
    early: bool = False


def forced(function: Callable[..., Any], **values: Any) -> Callable[..., Any]:
    """The function with some of its arguments as they are here."""
    return lambda *given, **named: function(*given, **{**named, **values})


def unchanged(raw: Floats) -> Floats:
    return raw.copy()


def any_family(decide: Callable[..., Any]) -> Callable[..., Any]:
    return lambda scores, headline, low, p, family: decide(scores, headline, low, p, np.zeros_like(family))


def itself_included(own: list[Floats], scores: Floats, among: object = None) -> Floats:
    return opinion.conformal(own, scores)


def scattered(labels: list[str], folds: int, seed: int) -> NDArray[np.int64]:
    return np.arange(len(labels)) % folds


def leaking(fold: NDArray[np.int64], progress: Any) -> Iterator[tuple[int, Any, Any, Any]]:
    for number in range(int(fold.max()) + 1):
        yield number, np.arange(len(fold)), np.flatnonzero(fold == number), progress


MUTANTS = (
    Mutant("pairs are not matched", check_matched_pairs, folds, "sample_pairs", forced(folds.sample_pairs, matched=False), True),
    Mutant(
        "C is chosen over pairs", check_c_grouped_by_document,
        folds, "split_documents", lambda pairs, labels, seed: split_pairs(pairs, seed), True,
    ),
    Mutant(
        "k is chosen with the same reach for all", check_k,
        training, "choose_k", lambda matrix, codes, profile: choose_k(matrix, codes, UNEVEN), True,
    ),
    Mutant(
        "Lazy ranks with the same reach for all", check_lazy_ranking,
        training, "author_scores", forced(training.author_scores, even=False),
    ),
    Mutant(
        "Lazy is judged with the same reach for all", check_lazy_attribution,
        validation, "attributed_out_of_fold", lambda h, codes, fold, profile: attributed_out_of_fold(h, codes, fold, UNEVEN),
    ),
    Mutant(
        "LRs are calibrated with the same reach for all", check_validated_scores,
        training, "author_scores", forced(training.author_scores, even=False),
    ),
    Mutant(
        "Stacked ranks by numbers of documents", check_stacked_ranking,
        training, "StackedAttributor", forced(StackedAttributor, even=False), True,
    ),
    Mutant(
        "Stacked is judged by numbers of documents", check_stacked_attribution,
        validation, "StackedAttributor", forced(StackedAttributor, even=False),
    ),
    Mutant("no cohort in the validation", check_validated_scores, likelihood, "cohort_scores", unchanged),
    Mutant("no cohort in the findings", check_findings_scores, judge, "cohort_scores", unchanged),
    Mutant("the listed LR is the headline", check_weaker_headline, likelihood, "weaker", lambda listed, unlisted: listed),
    Mutant("the unlisted LR is the headline", check_weaker_headline, likelihood, "weaker", lambda listed, unlisted: unlisted),
    Mutant("the stronger LR is the headline", check_weaker_headline, likelihood, "weaker", np.fmax),
    Mutant("LRs are not bounded", check_bounds, Bounds, "apply", lambda self, log10_lr: np.asarray(log10_lr)),
    Mutant("bounds are not found", check_bounds, likelihood, "elub", lambda same, different: Bounds(-9.0, 9.0, len(same), len(different))),
    Mutant("outsiders do not count in the validation", check_outsiders_line, validation, "decide", any_family(validation.decide)),
    Mutant("outsiders do not count in opinions", check_opinions_outsiders_line, reasons, "decide", any_family(reasons.decide)),
    Mutant("outsiders count half", check_outsiders_line, opinion, "ALPHA", 0.1),
    Mutant("a text speaks for itself", check_conformal, validation, "conformal", itself_included),
    Mutant("authors are spread over folds", check_folds_without_the_author, crossfit, "author_folds", scattered, True),
    Mutant("models of folds know everybody", check_folds_without_the_author, crossfit, "_folds", leaking, True),
)  # fmt: skip
CHECKS = tuple(dict.fromkeys(mutant.check for mutant in MUTANTS))


@pytest.fixture(scope="module")
def texts(language: LanguageModel) -> Texts:
    return Texts(language)


@pytest.fixture(scope="module")
def program(texts: Texts) -> Run:
    """The run of the program as it is."""
    return run(texts)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_program_keeps_the_rule(check: Callable[[Run], None], program: Run) -> None:
    assert sorted(np.bincount(program.codes)) == sorted(SIZES)
    check(program)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_missing_rule_is_seen(mutant: Mutant, texts: Texts, program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant.place, mutant.attribute, mutant.instead)
    without = run(texts, None if mutant.early else program)
    with pytest.raises(AssertionError):
        mutant.check(without)

"""The forensic rules, where they matter: among authors with unequal numbers of texts. Each must be seen to be missing when it is removed.

A check states the rule in plain loops and holds it against what the program did. A mutant takes the rule out of one place where it is
applied; the check must pass on the program and fail on the mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.diffvectors import pairs
from forensia.diffvectors.pairs import split_pairs
from forensia.evidence import crossfit, likelihood, opinion, reasons, rung, training, validation
from forensia.evidence.calibration import Bounds
from forensia.evidence.rung import Rung
from forensia.evidence.validation import Validation
from forensia.language import LanguageModel
from forensia.systems import fused
from forensia.systems.fusion import Fusion
from forensia.systems.lazy_stacked import StackedAttributor, attributed_out_of_fold, choose_k
from forensia.systems.least_squares import LeastSquares
from forensia.systems.leaving_out import Round
from support.unbalanced import SIZES
from tests.evidence import rules
from tests.evidence.rules import (
    check_bounds,
    check_c_grouped_by_document,
    check_condition,
    check_conformal,
    check_folds_without_the_author,
    check_fused_ranking,
    check_judged_without_the_author,
    check_k,
    check_lazy_attribution,
    check_lazy_ranking,
    check_left_out_scores,
    check_limit_and_backing,
    check_lower_headline,
    check_matched_pairs,
    check_no_new_source,
    check_opinions_limit_and_backing,
    check_opinions_outsiders_line,
    check_outsiders_line,
    check_outsiders_scores,
    check_own_outsiders,
    check_ratios,
    check_stacked_attribution,
    check_stacked_ranking,
)
from tests.evidence.watchedrun import UNEVEN, Floats, Run, Texts


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


LOG_ODDS = likelihood.log_odds


def prior_odds_forgotten(z: Floats) -> Floats:
    return LOG_ODDS(z) - np.log(len(SIZES) - 1)


def without_size(self: Fusion) -> Floats:
    return np.append(self.weights, 0.0)


def scattered_authors(authors: int, seed: int) -> Scattered:
    return Scattered()


def raw(z: Floats) -> Floats:
    return z.copy()


def weaker(listed: Floats, unlisted: Floats) -> Floats:
    """The rule of version 0.1: of two below 1 the one nearer to it."""
    return np.where((listed < 0) & (unlisted < 0), np.fmax(listed, unlisted), np.fmin(listed, unlisted))


def of_all(again: Callable[..., Floats]) -> Callable[..., Floats]:
    return lambda self, scores, codes, sizes, times: again(self, scores, codes, sizes, np.ones_like(times))


def one_by_one(codes: NDArray[np.intp], sources: object = ()) -> list[Round]:
    return [Round(np.array([row]), np.array([row])) for row in range(len(codes))]


def itself_alone(left_out: Callable[..., Floats]) -> Callable[..., Floats]:
    return lambda self, rounds, kernel=None: left_out(self, one_by_one(self.codes), kernel)


class Scattered:
    """Folds of texts, where those of authors are asked for."""

    def __getitem__(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        return np.arange(len(codes)) % 10


def forgetting(decide: Callable[..., Any], **doubts: float) -> Callable[..., Any]:
    """The rule with some doubts as if they were these for all texts."""

    def without(scores: Floats, headline: Floats, low: Floats, p: Floats, found: Any, *more: Any) -> Any:
        changed = {name: np.full_like(getattr(found, name), value) for name, value in doubts.items()}
        return decide(scores, headline, low, p, replace(found, **changed), *more)

    return without


def any_doubt(decide: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: decide(*given[:5], 1.0, given[6])


def anybody(decide: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: decide(*given[:6], np.ones_like(given[6]))


def all_outsiders(family_p: Callable[..., Floats]) -> Callable[..., Floats]:
    return lambda self, score, authors, without=None: family_p(self, score, authors)


def first_rung(self: Validation, words: int, source: object = None) -> Rung:
    return self.rungs[0]


def itself_included(own: list[Floats], scores: Floats, among: object = None) -> Floats:
    return opinion.conformal(own, scores)


def scattered(labels: list[str], folds: int, seed: int) -> NDArray[np.int64]:
    return np.arange(len(labels)) % folds


def leaking(fold: NDArray[np.int64], progress: Any) -> Iterator[tuple[int, Any, Any, Any]]:
    for number in range(int(fold.max()) + 1):
        yield number, np.arange(len(fold)), np.flatnonzero(fold == number), progress


MUTANTS = (
    Mutant("pairs are not matched", check_matched_pairs, pairs, "sample_pairs", forced(pairs.sample_pairs, matched=False), True),
    Mutant(
        "C is chosen over pairs", check_c_grouped_by_document,
        pairs, "split_documents", lambda drawn, labels, seed: split_pairs(drawn, seed), True,
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
        "Stacked ranks by numbers of documents", check_stacked_ranking,
        training, "StackedAttributor", forced(StackedAttributor, even=False), True,
    ),
    Mutant(
        "Stacked is judged by numbers of documents", check_stacked_attribution,
        validation, "StackedAttributor", forced(StackedAttributor, even=False),
    ),
    Mutant("only the text itself is left out", check_left_out_scores, LeastSquares, "left_out", itself_alone(LeastSquares.left_out)),
    Mutant("outsiders' other texts are known", check_outsiders_scores, fused, "authors_left_out", one_by_one),
    Mutant("numbers of texts are left in the ranking", check_fused_ranking, Fusion, "vector", property(without_size)),
    Mutant("the prior odds are left in the LR", check_ratios, likelihood, "log_odds", prior_odds_forgotten),
    Mutant("a raw score speaks of outsiders", check_ratios, likelihood, "standing", raw),
    Mutant("the listed LR is the headline", check_lower_headline, likelihood, "lower", lambda listed, unlisted: listed),
    Mutant("the unlisted LR is the headline", check_lower_headline, likelihood, "lower", lambda listed, unlisted: unlisted),
    Mutant("the weaker LR is the headline", check_lower_headline, likelihood, "lower", weaker),
    Mutant("fusions are judged by what they know", check_judged_without_the_author, Fusion, "again", of_all(Fusion.again)),
    Mutant("LRs are judged by folds of texts", check_judged_without_the_author, likelihood, "author_folds", scattered_authors),
    Mutant("LRs are not bounded", check_bounds, Bounds, "apply", lambda self, log10_lr: np.asarray(log10_lr)),
    Mutant("bounds are not found", check_bounds, likelihood, "elub", lambda same, different: Bounds(-9.0, 9.0, len(same), len(different))),
    Mutant("outsiders do not count in the validation", check_outsiders_line, rung, "decide", forgetting(rung.decide, outsiders=0.0)),
    Mutant(
        "outsiders do not count in opinions", check_opinions_outsiders_line,
        reasons, "decide", forgetting(reasons.decide, outsiders=0.0),
    ),
    Mutant("texts of another kind are like the others", check_outsiders_line, rung, "decide", forgetting(rung.decide, unlike=1.0)),
    Mutant("outsiders count half", check_outsiders_line, opinion, "ALPHA", 0.1),
    Mutant("any doubt will do in the validation", check_limit_and_backing, rung, "decide", any_doubt(rung.decide)),
    Mutant("no limit of doubt is learnt", check_limit_and_backing, rung, "most_doubt", lambda doubts, right: 1.0),
    Mutant("any doubt will do in opinions", check_opinions_limit_and_backing, reasons, "decide", any_doubt(reasons.decide)),
    Mutant("little behind an author is enough in the validation", check_limit_and_backing, rung, "decide", anybody(rung.decide)),
    Mutant("little behind an author is enough in opinions", check_opinions_limit_and_backing, reasons, "decide", anybody(reasons.decide)),
    Mutant("twenty comparisons are not needed", check_limit_and_backing, rung, "FEWEST_COMPARISONS", 1),
    Mutant(
        "the author's own outsiders count", check_own_outsiders,
        opinion.Outsiders, "family_p", all_outsiders(opinion.Outsiders.family_p),
    ),
    Mutant("every source is judged by one rung", check_condition, Validation, "rung", first_rung),
    Mutant("a known source speaks of a new one", check_no_new_source, reasons, "_always", lambda judged, rung: iter(())),
    Mutant("a text speaks for itself", check_conformal, rung, "conformal", itself_included),
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
    return Run(texts)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_program_keeps_the_rule(check: Callable[[Run], None], program: Run) -> None:
    assert sorted(np.bincount(program.codes)) == sorted(SIZES)
    check(program)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_missing_rule_is_seen(mutant: Mutant, texts: Texts, program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant.place, mutant.attribute, mutant.instead)
    without = Run(texts, None if mutant.early else program)
    with pytest.raises(AssertionError) as seen:
        mutant.check(without)
    assert seen.traceback[-1].path == Path(rules.__file__), "it is the check that fails, not the program"

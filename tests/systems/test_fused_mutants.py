"""The rules of the fused system, among authors with unequal numbers of texts: each must be seen to be missing when it is taken out.

A check states the rule plainly and holds it against what the program did; it must pass on the program and fail on the mutant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from forensia.features import weighting
from forensia.features.weighting import products
from forensia.systems import fused, fusion, leaving_out
from forensia.systems.fused import FusedSystem, LeftOutScores
from forensia.systems.fusion import Fusion
from forensia.systems.least_squares import LeastSquares
from forensia.systems.leaving_out import Round
from tests.systems.conftest import FAMILIES, Written, written
from tests.systems.plain import equal_weights, fused_loss, fused_weights, refits
from tests.systems.plain import least_squares as plain_duals

PLAIN = written(8, (18, 9, 6, 5, 1), style=0.5)
SIZES = np.bincount(PLAIN.codes)
ROWS = np.arange(len(PLAIN.codes))
PAPER = "shared:paper"
PRINTED = [int(np.flatnonzero(PLAIN.codes == author)[2]) for author in np.flatnonzero(SIZES > 5)]
"""A text of each author with enough of them that has come out in the same paper."""
CORPUS = replace(
    PLAIN, sources=[(*names, PAPER) if row in PRINTED else names for row, names in enumerate(PLAIN.sources)]
)


@dataclass(frozen=True)
class Run:
    rounds: list[Round]
    system: FusedSystem
    left_out: LeftOutScores
    z: np.ndarray  # of the left-out texts


def run(corpus: Written = CORPUS) -> Run:
    tried = leaving_out.rounds(corpus.codes, corpus.sources, 0)
    system, (left_out,) = fused.fit_fused(corpus.counts, corpus.codes, [tried], FAMILIES, sources=corpus.sources)
    return Run(tried, system, left_out, system.fusion.z(left_out.inside[0], system.sizes))


def sources(row: int) -> set[object]:
    """The sources of a text: its author's own, or shared."""
    return {name if name == PAPER else (CORPUS.codes[row], name) for name in CORPUS.sources[row]}


def left_in(each: Round) -> np.ndarray:
    return np.setdiff1d(np.arange(len(CORPUS.codes)), each.away)


# The rules


def check_every_author_loses_texts(run: Run) -> None:
    for each in run.rounds:
        assert set(CORPUS.codes[each.away]) == set(np.flatnonzero(SIZES > 1)), "who has one must keep it"


def check_no_source_is_left(run: Run) -> None:
    for each in run.rounds:
        known = set().union(*(sources(row) for row in left_in(each)))
        for row in each.tried:
            assert not known & sources(row)


def check_every_author_is_left(run: Run) -> None:
    for each in run.rounds:
        assert np.bincount(CORPUS.codes[left_in(each)], minlength=len(SIZES)).min() >= 1


def check_three_texts_have_each_feature(run: Run) -> None:
    for family in run.system.families:
        table = CORPUS.counts.table(family.name)
        common = (table.counts.toarray() > 0).sum(axis=0) >= 3
        assert len(family.weighted.keys) == common.sum() < len(common)


def check_authors_count_equally_in_each_fit(run: Run) -> None:
    for family in run.system.families:
        kernel = products(family.known, family.known)
        expected = plain_duals(kernel, CORPUS.codes, equal_weights(CORPUS.codes), family.ridge, len(SIZES))
        assert np.abs(family.duals - expected).max() < 1e-9


def check_what_is_left_out_was_not_seen(run: Run) -> None:
    for number, family in enumerate(run.system.families):
        kernel = products(family.known, family.known)
        expected = refits(kernel, kernel, CORPUS.codes, run.rounds, family.ridge)
        np.testing.assert_allclose(run.left_out.inside[0][:, :, number], expected, rtol=0, atol=1e-9)


def check_outsiders_are_unknown(run: Run) -> None:
    """Nothing by the author of a text was known, who is no candidate, and nothing from a source that the text shares with others."""
    own = CORPUS.codes[:, None] == np.arange(len(SIZES))
    assert np.array_equal(np.isnan(run.left_out.outside).all(axis=2), own)
    each_text = [
        Round(np.flatnonzero((CORPUS.codes == author) | (np.isin(ROWS, PRINTED) & (row in PRINTED))), np.array([row]))
        for row, author in enumerate(CORPUS.codes)
    ]
    for number, family in enumerate(run.system.families):
        kernel = products(family.known, family.known)
        expected = refits(kernel, kernel, CORPUS.codes, each_text, family.ridge)
        assert np.abs(run.left_out.outside[:, :, number] - expected)[~own].max() < 1e-9


def check_weights_are_the_best_for_full_numbers(run: Run) -> None:
    """Authors counting equally, weights not negative, and n_a the number of all of an author's texts."""
    found = np.append(run.system.fusion.weights, run.system.fusion.size)
    assert np.allclose(found, fused_weights(run.left_out.inside[0], CORPUS.codes, SIZES), rtol=2e-3, atol=2e-3)


def check_numbers_are_taken_out(run: Run) -> None:
    """z is the weighted sum of the scores and of the log of the authors' full numbers."""
    size = np.log(SIZES)
    scores = (run.left_out.inside[0] / run.system.fusion.spread) @ run.system.fusion.weights
    np.testing.assert_allclose(run.z, scores + run.system.fusion.size * size, rtol=0, atol=1e-9)


def check_ridge_of_least_loss(run: Run) -> None:
    """Of each family alone, by the plain loss of its left-out scores."""
    for family in run.system.families:
        kernel = products(family.known, family.known)
        losses = {}
        for ridge in (0.03, 0.1, 0.3, 1.0):
            inside = LeastSquares.fit(kernel, CORPUS.codes, ridge).left_out(run.rounds)[:, :, None]
            spread = np.nanstd(inside[~np.isnan(inside).any(axis=(1, 2))])
            w = fused_weights(inside, CORPUS.codes, SIZES)
            losses[ridge] = fused_loss(w, inside / spread, CORPUS.codes, SIZES, 0.0, 0.0, 0.0)
        assert family.ridge == min(losses, key=lambda ridge: losses[ridge])


# The mutants


def own_source_only(codes: np.ndarray, sources: Any, seed: int) -> list[Round]:
    rounds = leaving_out_rounds(codes, sources, seed)
    return [
        Round(each.away[codes[each.away] == author], each.tried[codes[each.tried] == author])
        for each in rounds
        for author in np.unique(codes[each.tried])
    ]


def same_sources_only(codes: np.ndarray, sources: Any) -> list[frozenset[int]]:
    """A text that shares one of its two sources stays."""
    return [
        frozenset(other for other in range(len(codes)) if (codes[other], sources[other]) == (codes[row], sources[row]))
        for row in range(len(codes))
    ]


def the_only_text_too(codes: np.ndarray, sources: Any, seed: int) -> list[Round]:
    """An author who has one text loses it."""
    alone = np.flatnonzero(np.bincount(codes)[codes] == 1)
    return [Round(np.union1d(each.away, alone), each.tried) for each in leaving_out_rounds(codes, sources, seed)]


def all_texts_equal(kernel: np.ndarray, codes: np.ndarray, ridge: float) -> LeastSquares:
    sizes = np.bincount(codes)
    return least_squares_fit(kernel + np.diag(ridge * (1 - len(sizes) * sizes[codes] / len(codes))), codes, ridge)


def seen(self: LeastSquares, rounds: Any, kernel: Any = None) -> np.ndarray:
    """The scores of the fit on all texts, where there should be left-out ones."""
    found = least_squares_left_out(self, rounds, kernel)
    ridge_part = self.targets - self.duals / np.diag(self.inverse.matrix)[:, None]
    return np.where(np.isnan(found), found, ridge_part)


def what_remains(scores: np.ndarray, codes: np.ndarray, sizes: np.ndarray, prior: float = 2.0) -> Fusion:
    """n_a as what is left in the rounds in which a text is tried."""
    remaining = np.tile(sizes.astype(float), (len(codes), 1))
    for each in leaving_out_rounds(CORPUS.codes, CORPUS.sources, 0):
        remaining[each.tried] = sizes - np.bincount(codes[each.away], minlength=len(sizes))
    tried = ~np.isnan(scores[np.arange(len(codes)), codes]).any(axis=1)
    return fusion_fit(scores[tried], codes[tried], remaining[tried], prior)


def texts_equal_in_fusion(table: np.ndarray, codes: np.ndarray) -> Any:
    return replace(problem_of(table, codes), weights=np.ones(len(codes)))


def one_text_instead_of_the_author(codes: np.ndarray, sources: Any) -> list[Round]:
    return [Round(np.array([row]), np.array([row])) for row in range(len(codes))]


def shared_sources_stay(codes: np.ndarray, sources: Any) -> list[Round]:
    return leaving_out.authors_left_out(codes)


leaving_out_rounds = leaving_out.rounds
least_squares_fit, least_squares_left_out = LeastSquares.fit, LeastSquares.left_out
fusion_fit, problem_of, loss = Fusion.fit, fusion._Problem.of, fused.log_loss


@dataclass(frozen=True)
class Mutant:
    """A rule that is taken out of one place, and the check that must see it."""

    name: str
    check: Callable[[Run], None]
    place: Any
    attribute: str
    instead: Any


MUTANTS = (
    Mutant("only the own source is left out", check_every_author_loses_texts, leaving_out, "rounds", own_source_only),
    Mutant("one of two sources stays", check_no_source_is_left, leaving_out, "_sharing", same_sources_only),
    Mutant("a shared source stays with others", check_no_source_is_left, leaving_out, "is_shared", lambda source: False),
    Mutant("an author may be left with nothing", check_every_author_is_left, leaving_out, "rounds", the_only_text_too),
    Mutant("what two texts have is kept", check_three_texts_have_each_feature, weighting, "FEWEST", 2),
    Mutant(
        "authors with many texts count more in a fit", check_authors_count_equally_in_each_fit,
        LeastSquares, "fit", staticmethod(all_texts_equal),
    ),
    Mutant("only the text itself is left out", check_what_is_left_out_was_not_seen, LeastSquares, "left_out", seen),
    Mutant("an outsider's other texts are known", check_outsiders_are_unknown, fused, "authors_left_out", one_text_instead_of_the_author),
    Mutant("an outsider's shared source is known", check_outsiders_are_unknown, fused, "authors_left_out", shared_sources_stay),
    Mutant("n_a is what remains", check_weights_are_the_best_for_full_numbers, Fusion, "fit", staticmethod(what_remains)),
    Mutant(
        "authors with many texts count more in the fusion", check_weights_are_the_best_for_full_numbers,
        fusion._Problem, "of", staticmethod(texts_equal_in_fusion),
    ),
    Mutant(
        "the numbers of texts stay in", check_numbers_are_taken_out,
        Fusion, "z", lambda self, scores, sizes: (scores / self.spread) @ self.weights,
    ),
    Mutant("the ridge of most loss", check_ridge_of_least_loss, fused, "log_loss", lambda z, codes: -loss(z, codes)),
)  # fmt: skip


@pytest.fixture(scope="module")
def real() -> Run:
    return run()


@pytest.mark.parametrize("check", dict.fromkeys(mutant.check for mutant in MUTANTS), ids=lambda check: check.__name__)
def test_the_program_keeps_the_rule(real: Run, check: Callable[[Run], None]) -> None:
    check(real)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_mutant_is_caught(monkeypatch: pytest.MonkeyPatch, mutant: Mutant) -> None:
    monkeypatch.setattr(mutant.place, mutant.attribute, mutant.instead)
    mutated = run()
    monkeypatch.undo()
    with pytest.raises(AssertionError):
        mutant.check(mutated)


def test_the_leak_that_full_numbers_prevent() -> None:
    """With n_a as what remains after the own source, the author with the fewest texts left is the true one, whatever the scores."""
    rng = np.random.default_rng(0)
    codes, sizes = np.repeat(np.arange(5), 12), np.full(5, 12.0)
    noise = rng.normal(size=(60, 5, 2))
    remaining = np.tile(sizes, (60, 1))
    remaining[np.arange(60), codes] -= 4
    leaking, honest = Fusion.fit(noise, codes, remaining), Fusion.fit(noise, codes, sizes)
    assert (leaking.z(noise, remaining).argmax(axis=1) == codes).mean() > 0.9
    assert (honest.z(noise, sizes).argmax(axis=1) == codes).mean() < 0.4

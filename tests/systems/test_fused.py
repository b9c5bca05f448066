"""The fused system as a whole: left-out scores are those of real refits, and where there is nothing to find, nothing is found."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from forensia.diffvectors.pairs import codes as numbered
from forensia.errors import Cancelled
from forensia.estimator import NotLearnable
from forensia.features.weighting import products
from forensia.systems.fused import FusedSystem, LeftOutScores, fit_fused
from forensia.systems.fusion import Fusion
from forensia.systems.leaving_out import Round, authors_left_out, rounds
from tests.systems.conftest import FAMILIES, Written, written
from tests.systems.plain import equal_weights, least_squares, refits

SIZES = (16, 9, 7, 5)


@pytest.fixture(scope="module")
def corpus() -> Written:
    return written(1, SIZES)


def fitted(corpus: Written, seed: int = 0) -> tuple[FusedSystem, LeftOutScores]:
    system, (left_out,) = fit_fused(corpus.counts, corpus.codes, [rounds(corpus.codes, corpus.sources, seed)], FAMILIES)
    return system, left_out


@pytest.fixture(scope="module")
def whole(corpus: Written) -> tuple[FusedSystem, LeftOutScores]:
    return fitted(corpus)


def test_left_out_scores_are_those_of_real_refits(corpus: Written, whole: tuple[FusedSystem, LeftOutScores]) -> None:
    system, left_out = whole
    own = corpus.codes[:, None] == np.arange(len(SIZES))
    for number, family in enumerate(system.families):
        kernel = products(family.known, family.known)
        plain = least_squares(kernel, corpus.codes, equal_weights(corpus.codes), family.ridge, len(SIZES))
        assert family.name == FAMILIES[number] and np.abs(family.duals - plain).max() < 1e-9
        inside = refits(kernel, kernel, corpus.codes, rounds(corpus.codes, corpus.sources, 0), family.ridge)
        outside = refits(kernel, kernel, corpus.codes, authors_left_out(system.codes), family.ridge)
        np.testing.assert_allclose(left_out.inside[0][:, :, number], inside, rtol=0, atol=1e-9)
        np.testing.assert_allclose(left_out.outside[:, :, number], np.where(own, np.nan, outside), rtol=0, atol=1e-9)


def test_shorter_versions_are_scored_by_models_that_never_saw_the_whole(corpus: Written) -> None:
    """Another version of each text, here that of another corpus, gets what a real refit says of it."""
    other, tried = written(2, SIZES).counts, rounds(corpus.codes, corpus.sources, 0)
    system, (same, shorter) = fit_fused(corpus.counts, corpus.codes, [tried], FAMILIES, [other])
    for number, family in enumerate(system.families):
        kernel = products(family.known, family.known)
        asked = products(family.weighted.vectors(other.table(family.name)), family.known)
        inside = refits(kernel, asked, corpus.codes, tried, family.ridge)
        outside = refits(kernel, asked, corpus.codes, authors_left_out(system.codes), family.ridge)
        own = corpus.codes[:, None] == np.arange(len(SIZES))
        np.testing.assert_allclose(shorter.inside[0][:, :, number], inside, rtol=0, atol=1e-9)
        np.testing.assert_allclose(shorter.outside[:, :, number], np.where(own, np.nan, outside), rtol=0, atol=1e-9)
    alone = fitted(corpus)
    assert np.array_equal(same.inside[0], alone[1].inside[0], equal_nan=True)
    assert np.array_equal(system.fusion.weights, alone[0].fusion.weights), "learnt from whole texts"


def test_the_ranking_is_the_weighted_sum(whole: tuple[FusedSystem, LeftOutScores]) -> None:
    system, _ = whole
    asked = written(1, (3, 3, 3, 3)).counts
    scores = system.scores(asked)
    z = system.z(asked)
    sizes = np.log(system.sizes)
    for row in range(len(asked)):
        for author in range(len(SIZES)):
            parts = scores[row, author] / system.fusion.spread * system.fusion.weights
            assert z[row, author] == pytest.approx(parts.sum() + system.fusion.size * sizes[author])
    alone = np.concatenate([system.z(asked.rows([row])) for row in range(len(asked))])
    assert np.abs(alone - z).max() < 1e-9, "a text is scored the same alone and among others"


def test_it_learns(corpus: Written, whole: tuple[FusedSystem, LeftOutScores]) -> None:
    """Not of the same source, not by number of texts: these authors can be told apart, and are."""
    system, left_out = whole
    z = system.fusion.z(left_out.inside[0], system.sizes)
    tried = ~np.isnan(z).any(axis=1)
    right = z[tried].argmax(axis=1) == corpus.codes[tried]
    assert np.mean([right[corpus.codes[tried] == author].mean() for author in range(len(SIZES))]) > 0.7


@pytest.mark.parametrize("sources", [0, 4])
@pytest.mark.parametrize("sizes", [(24,) * 5, (60, 30, 15, 9, 6)])
def test_with_shuffled_labels_nothing_is_found(sizes: tuple[int, ...], sources: int) -> None:
    """Over draws, first places are no more frequent than by chance, authors counting equally.

    The weights are those without the texts of the author in question: fitted on the very texts that they are tried on, they make a little
    out of nothing (.23 to .26 for five authors).
    """
    rates, even = [], []
    for seed in range(8):
        corpus = written(seed, sizes, sources)
        codes = np.random.default_rng(seed).permutation(corpus.codes)
        system, left_out = fitted(Written(corpus.counts, codes, corpus.sources))
        for author in range(len(sizes)):
            rows = np.flatnonzero((codes == author) & ~np.isnan(left_out.inside[0]).any(axis=(1, 2)))
            fusion = Fusion.fit(left_out.inside[0][codes != author], codes[codes != author], system.sizes)
            scores = left_out.inside[0][rows]
            rates.append((fusion.z(scores, system.sizes).argmax(axis=1) == author).mean())
            even.append(((scores / fusion.spread).sum(axis=2).argmax(axis=1) == author).mean())
    assert np.mean(rates) < 0.2 + 0.05
    assert np.mean(even) < 0.2 + 0.05, "nor by the scores as they are"


def test_names_of_authors_change_no_bit(corpus: Written, whole: tuple[FusedSystem, LeftOutScores]) -> None:
    for names in ("abcd", "dbca"):
        labels = [names[code] for code in corpus.codes]
        system, left_out = fitted(Written(corpus.counts, numbered(labels), corpus.sources))
        assert np.array_equal(left_out.inside[0], whole[1].inside[0], equal_nan=True)
        assert np.array_equal(left_out.outside, whole[1].outside, equal_nan=True)
        assert (
            np.array_equal(system.fusion.weights, whole[0].fusion.weights)
            and system.fusion.size == whole[0].fusion.size
        )


def test_the_order_of_texts_and_authors_does_not_matter(
    corpus: Written, whole: tuple[FusedSystem, LeftOutScores]
) -> None:
    """With the same rounds: only the last digits of sums depend on the order, and that is the corpus's own."""
    rng = np.random.default_rng(3)
    order, author = rng.permutation(len(corpus.codes)), rng.permutation(len(SIZES))
    place = np.argsort(order)
    tried = [
        Round(np.sort(place[each.away]), np.sort(place[each.tried])) for each in rounds(corpus.codes, corpus.sources, 0)
    ]
    system, (left_out,) = fit_fused(corpus.counts.rows(order), author[corpus.codes[order]], [tried], FAMILIES)
    assert [each.ridge for each in system.families] == [each.ridge for each in whole[0].families]
    for found, expected in ((left_out.inside[0], whole[1].inside[0]), (left_out.outside, whole[1].outside)):
        np.testing.assert_allclose(found[:, author], expected[order], rtol=0, atol=1e-9)
    np.testing.assert_allclose(system.fusion.weights, whole[0].fusion.weights, rtol=0, atol=1e-7)


BITS = """
import hashlib, numpy as np
from forensia.systems.fused import fit_fused
from forensia.systems.leaving_out import rounds
from tests.systems.conftest import FAMILIES, written
corpus = written(3, (120, 60, 60, 60), words=40)
system, left_out = fit_fused(corpus.counts, corpus.codes, [rounds(corpus.codes, corpus.sources, 0)], FAMILIES, [corpus.counts])
arrays = [system.z(corpus.counts), system.fusion.weights, np.array(system.fusion.size)]
arrays += [side for each in left_out for side in (*each.inside, each.outside)] + [each.duals for each in system.families]
print(hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays)).hexdigest())
"""


def test_the_number_of_threads_changes_no_bit() -> None:
    found = set()
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        settings = {**os.environ, **dict.fromkeys(names, threads), "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", BITS], env=settings, capture_output=True, text=True, check=True)
        found.add(run.stdout.strip())
    assert len(found) == 1 and len(found.pop()) == 64


def test_two_authors_and_one_family() -> None:
    corpus = written(4, (8, 5))
    tried = rounds(corpus.codes, corpus.sources, 0)
    system, (left_out,) = fit_fused(corpus.counts, corpus.codes, [tried], ["words"])
    assert left_out.inside[0].shape == (13, 2, 1) and np.isfinite(system.z(corpus.counts)).all()
    assert np.isnan(left_out.outside).sum() == 13, "the other author is the only candidate"


def test_an_author_with_one_text_is_a_candidate_though_never_tried() -> None:
    corpus = written(5, (8, 7, 1))
    system, left_out = fitted(corpus)
    alone = corpus.codes == np.argmin(system.sizes)
    assert np.isnan(left_out.inside[0][alone]).all() and np.isfinite(left_out.inside[0][~alone]).all()
    assert np.isfinite(system.z(corpus.counts)).all()


def test_nothing_to_try() -> None:
    corpus = written(6, (1, 1))
    with pytest.raises(NotLearnable):
        fitted(corpus)


def test_it_can_be_cancelled(corpus: Written) -> None:
    def cancel(share: float, step: str = "") -> None:
        if share > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        fit_fused(corpus.counts, corpus.codes, [rounds(corpus.codes, corpus.sources, 0)], FAMILIES, progress=cancel)

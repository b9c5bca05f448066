"""Somebody of whom a system knows nothing scores as if their known texts were in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix, vstack

from forensia.features.counts import Counts
from forensia.systems.against import against, newcomer
from forensia.systems.fused import FittedFamily, FusedSystem, fit_fused
from forensia.systems.leaving_out import rounds

AUTHORS, EACH = 10, 5


@pytest.fixture(scope="module")
def counted() -> tuple[Counts, np.ndarray]:
    """Texts of made-up words, of which each author prefers some."""
    from forensia.features.counts import extract
    from forensia.language import analyse, load_model

    rng, model = np.random.default_rng(5), load_model()
    words = np.array("the a of in on and but when where never always table chair window river stone morning".split())
    codes = np.repeat(np.arange(AUTHORS + 1), EACH)
    liking = rng.dirichlet(np.full(len(words), 0.7), AUTHORS + 1)
    texts = [" ".join(rng.choice(words, 80, p=liking[code])) + "." for code in codes]
    return extract(texts, analyse(texts, model), ("words", "function words"), model.function_words), codes


@pytest.fixture(scope="module")
def system(counted: tuple[Counts, np.ndarray]) -> FusedSystem:
    counts, codes = counted
    rows = np.flatnonzero(codes < AUTHORS)
    some = codes[rows]
    return fit_fused(counts.rows(rows), some, [rounds(some, [()] * len(rows), 0)], ("words", "function words"))[0]


def extended(system: FusedSystem, known: Counts) -> FusedSystem:
    """The system with the texts of one more author."""

    def more(family: FittedFamily) -> FittedFamily:
        vectors = family.weighted.vectors(known.table(family.name))
        return replace(family, known=csr_matrix(vstack([family.known, vectors])))

    codes = np.append(system.codes, np.full(len(known), AUTHORS))
    return replace(system, families=tuple(map(more, system.families)), codes=codes, kept=np.arange(len(codes)))


@pytest.mark.parametrize("texts", [1, 3])
def test_as_if_their_texts_were_known(counted: tuple[Counts, np.ndarray], system: FusedSystem, texts: int) -> None:
    counts, codes = counted
    known = counts.rows(np.flatnonzero(codes == AUTHORS)[:texts])
    longer = against(extended(system, known), np.array([AUTHORS]), 0)
    for row in (0, 11, len(codes) - 1):
        parts = counts.rows([row])
        found = newcomer(system, known, parts)
        assert found[0] == pytest.approx(longer.scores_of_one(parts)[0, AUTHORS])
        assert found[1:] == pytest.approx(longer.without_each(parts)[:, AUTHORS])
        assert len(found) == (1 if texts == 1 else 1 + texts)


def test_a_text_in_parts_has_the_mean_of_their_scores(counted: tuple[Counts, np.ndarray], system: FusedSystem) -> None:
    counts, codes = counted
    known, parts = counts.rows(np.flatnonzero(codes == AUTHORS)[:2]), counts.rows([0, 30, 53])
    each = [newcomer(system, known, parts.rows([row])) for row in range(3)]
    assert newcomer(system, known, parts) == pytest.approx(np.mean(each, axis=0))


def test_who_does_not_count_does_not(counted: tuple[Counts, np.ndarray], system: FusedSystem) -> None:
    """Without some authors it is as if the system had never known them."""
    counts, codes = counted
    known, part = counts.rows(np.flatnonzero(codes == AUTHORS)[:3]), counts.rows([53])
    rows = np.flatnonzero((system.codes != 0) & (system.codes != 4))
    fewer = replace(
        system,
        families=tuple(replace(each, known=each.known[rows]) for each in system.families),
        codes=np.unique(system.codes[rows], return_inverse=True)[1],
        kept=np.arange(len(rows)),
    )
    assert newcomer(system, known, part, (0, 4)) == pytest.approx(newcomer(fewer, known, part))
    assert newcomer(system, known, part, (0, 4)) != pytest.approx(newcomer(system, known, part))

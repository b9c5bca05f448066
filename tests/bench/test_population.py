"""Few candidates with a population: nobody has two parts in a draw, the bench says what the program says, and its figures add up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from forensia.bench import population
from forensia.bench.packs import ESSAYS
from forensia.bench.population import Cast, DrawPlan, Together, measured
from forensia.bench.strangers import FREQUENT, deltas
from forensia.case.session import Session
from forensia.corpus import Corpus
from forensia.evidence.judge import Judge
from forensia.evidence.measures import cllr
from forensia.evidence.opinion import ABSTAIN, NONE
from forensia.evidence.result import FUSED, Stated
from forensia.language import MemoryCache
from forensia.systems.others import COSINE
from support.packs import essays_pack, split_pack

SET = "reuters_c50"
PLANS = {
    ESSAYS: DrawPlan("new", ((2, 0),), draws=1, strangers=1),
    SET: DrawPlan("known", ((1, 3),), draws=2, strangers=2, asked=6, joining=False),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three authors who may be candidates, seven known texts of each, and nine for the population; and twelve with four sources."""
    folder = tmp_path_factory.mktemp("packs")
    split_pack(folder / SET, slice(10), lambda number: number < 7, slice(12), listed=3)
    essays_pack(folder / ESSAYS)
    return folder


@pytest.fixture(scope="module", autouse=True)
def plans() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(population, "PLANS", PLANS)
        yield


@pytest.fixture(scope="module")
def cast(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Cast:
    return Cast.read(data, SET, tmp_path_factory.mktemp("place"))


@pytest.fixture(scope="module")
def essays(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Cast:
    return Cast.read(data, ESSAYS, tmp_path_factory.mktemp("place"))


def test_nobody_has_two_parts(cast: Cast, essays: Cast) -> None:
    for some, size in ((cast, (1, 3)), (essays, (2, 0))):
        drawn = some.drawn(*size, 0)
        known = [some.known.documents[row] for row in drawn.rows]
        writers, asked = {each.author for each in known}, {each.author for each in drawn.disputed}
        strangers = asked - set(drawn.candidates)
        assert len(drawn.candidates) == size[0] and set(drawn.candidates) <= asked & writers
        assert len(strangers) == some.plan.strangers and not strangers & writers
        assert len(writers) == (10 if some is cast else 11)
        assert not {each.id for each in known} & {each.id for each in drawn.disputed}
    assert sum(each.author in drawn.candidates for each in known) == 12, "all six of each from another source"
    drawn = cast.drawn(1, 3, 0)
    assert sum(cast.known.documents[row].author in drawn.candidates for row in drawn.rows) == 3
    assert [each.author in drawn.candidates for each in drawn.disputed] == [True] * 3 + [False] * 6
    assert cast.drawn(1, 3, 1).candidates != drawn.candidates == cast.drawn(1, 5, 0).candidates


def test_the_bench_says_what_the_program_says(essays: Cast) -> None:
    drawn, row = essays.drawn(2, 0, 0), measured(essays, 2, 0, 0)
    part = essays.known.rows(drawn.rows).of_candidates(drawn.candidates)
    validation = part.validated().validation
    session = Session(Judge(None, validation), Corpus.of(part.documents))
    listed = [validation.authors[code] for code in validation.learnt.candidates]
    kinds = []
    for place, document in enumerate(drawn.disputed):
        result = session.judged(document, MemoryCache(), stated=Stated("new"))
        assert result.candidates[0].author == listed[row["first"][place]]
        assert row["truth"][place] == (listed.index(document.author) if document.author in listed else -1)
        for candidate in result.candidates:
            assert candidate.unlisted is not None
            assert candidate.unlisted.log10 == pytest.approx(row["unlisted"][place][listed.index(candidate.author)])
        decided = row["decided"][place]
        assert result.opinion.kind == {NONE: "none of these", ABSTAIN: "none given"}.get(decided, "author")
        kinds.append(result.opinion.kind)
    said = row["said"]
    assert (said["candidates"]["texts"], said["strangers"]["texts"]) == (3, 2)
    for kind in set(kinds):
        assert said["candidates"].get(kind, 0) + said["strangers"].get(kind, 0) <= kinds.count(kind)
    assert said["population"]["texts"] == len(kinds) and row["claimed"]["cllr"] < 1


def test_rows_are_kept_and_told(
    data: Path, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    asked = [str(data), str(out), "--set", SET]
    assert population.main(asked) == 0
    rows = json.loads(out.read_text("utf-8"))
    again = measured(cast, 1, 3, 1)
    assert len(rows) == 2 and {**rows[1], "cpu_s": 0} == {"set": SET, **again, "cpu_s": 0}
    monkeypatch.setattr(Cast, "read", None)  # nothing is left to be read
    assert population.main(asked) == 0
    capsys.readouterr()
    assert population.main([str(data), str(out), "--table"]) == 0
    printed = capsys.readouterr().out
    together = Together(rows)
    assert together.costs is not None
    own, other = ([row["unlisted"][n][0] for row in rows for n in some] for some in (range(3), range(3, 9)))
    assert together.costs[0] == pytest.approx(cllr(own, other))
    # Ten authors must have a text more than are used, and the tenth of them is the candidate.
    assert f"| {SET} | 1 x 2 | 9 x 63 | 6, 12 | {together.claim('cllr'):.3f} / {together.costs[0]:.3f} (" in printed
    assert f"| {SET} | 3 | {together.auc(FUSED):.3f} |" in printed and together.auc(COSINE) > 0.6
    gain, low, high = together.ahead(COSINE)
    assert low <= gain <= high and gain == together.auc(FUSED) - together.auc(COSINE)


def test_shares_are_those_of_the_decisions() -> None:
    row = {"truth": [0, 0, 0, -1, -1], "decided": [0, NONE, ABSTAIN, 0, NONE], "claimed": None}
    together = Together([{**row, "unlisted": [[1.0], [-1.0], [0.0], [1.0], [None]]}])
    assert together.said(lambda said: said >= 0, own=True) == pytest.approx(1 / 3) and together.right == 1
    assert together.said(lambda said: said >= 0, own=False) == 0.5
    assert together.answered.tolist() == [1, 0, 0.5, 1, 0]
    assert together.costs is None and together.claim("cllr") is None and together.ends == (None, None)


def test_delta_takes_the_words_that_the_population_uses_most(cast: Cast) -> None:
    counts, rows = cast.known.texts.counts, np.arange(20)
    found, table = deltas(counts, rows), counts.table("words").counts.toarray().astype(float)
    frequent = np.argsort(-table[:20].sum(axis=0), kind="stable")[:FREQUENT]
    shares = (table / table.sum(axis=1, keepdims=True))[:, frequent]
    assert table[:20, frequent].sum() > 0.5 * table[:20].sum()
    assert found == pytest.approx((shares - shares[:20].mean(axis=0)) / shares[:20].std(axis=0))

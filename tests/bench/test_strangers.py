"""Two texts by strangers: nobody is on both sides, the pairs are those of one writer or two, and rows are not computed again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from forensia.bench import strangers
from support.packs import split_pack

SET = "arxiv_single_author"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample case as a pack: six authors who are known, and six strangers, with five texts each and one for others to try."""
    folder = tmp_path_factory.mktemp("packs") / SET
    split_pack(folder, slice(6), bool, slice(12), listed=6)
    return folder.parent


def test_strangers_are_compared(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known, others = strangers.read_sides(data, SET, tmp_path)
    assert len(set(known.labels)) == len(set(others.labels)) == 6 and not set(known.labels) & set(others.labels)
    first, second, same = strangers.pairs_of(others)
    labels = np.array(others.labels)
    assert (same == (labels[first] == labels[second])).all() and (first != second).all()
    out = tmp_path / "out.json"
    assert strangers.main([str(data), str(out), "--set", SET]) == 0
    (row,) = json.loads(out.read_text("utf-8"))
    assert row["pairs"] == [int(same.sum()), int((~same).sum())] and row["known"] == [6, 30]
    assert tuple(row["auc"]) == strangers.METHODS and all(0.5 < each <= 1 for each in row["auc"].values())
    gain, low, high = row["before_best_other"]
    assert low <= gain <= high and gain == row["auc"]["fused"] - max(row["auc"][name] for name in strangers.METHODS[1:])
    capsys.readouterr()
    assert strangers.main([str(data), str(out), "--set", SET]) == 0 and not capsys.readouterr().out, "it is there"
    assert strangers.main([str(data), str(out), "--table"]) == 0
    assert f"| {SET} | {row['auc']['fused']:.3f} |" in capsys.readouterr().out


def test_without_open_authors_half_of_them_are_strangers(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "CORPORA", ())
    known, others = strangers.read_sides(data, SET, tmp_path)
    assert len(set(known.labels)) == len(set(others.labels)) == 3 and not set(known.labels) & set(others.labels)

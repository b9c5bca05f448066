"""The benchmark of features: fair (the results agree), complete, and clear about missing data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from forensia.errors import InputError
from forensia.experiments import bench

DATA = Path(__file__).parents[2] / "../shared/data"


def test_quick_run() -> None:
    if not (DATA / "reuters_c50.tar.xz").is_file():
        pytest.skip("reuters_c50 is not in ../shared/data")
    result = bench.run(quick=True, data=DATA, stages=["features_without_tags"])
    (row,) = json.loads(json.dumps(result))["stages"]
    assert row["documents"] == 200
    assert row["agreement"] > 0.99
    assert row["forensia_cpu_s"] > 0
    assert row["reference_cpu_s"] > row["forensia_cpu_s"]
    assert row["ratio"] == pytest.approx(row["reference_cpu_s"] / row["forensia_cpu_s"], abs=0.02)
    assert {"forensia_peak_mb", "reference_peak_mb", "stage", "corpus"} <= set(row)


def test_missing_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--data"):
        bench.run(data=tmp_path / "nowhere")
    with pytest.raises(InputError, match="reuters_c50"):
        bench.read_sample(tmp_path, "reuters_c50", quick=True)


def test_peak_memory_grows() -> None:
    before = bench.peak_mb()
    if before is None:
        pytest.skip("this system does not tell")
    block = np.ones(200 << 17)
    after = bench.peak_mb()
    assert after is not None
    assert after >= before
    assert after * (1 << 20) > block.nbytes


def test_agreement_notices_differences() -> None:
    one = {
        "dense": np.ones((2, 1), np.float32),
        "data": np.array([0.5, 0.5], np.float32),
        "indices": np.array([0, 1]),
        "indptr": np.array([0, 1, 2]),
        "names": np.array([1, 2, 3], np.uint64),
    }
    assert bench.feature_agreement(one, one) == 1
    assert bench.feature_agreement(one, {**one, "data": np.array([0.5, 0.6], np.float32)}) == pytest.approx(0.75)
    assert bench.feature_agreement(one, {**one, "names": np.array([1, 2, 4], np.uint64)}) == pytest.approx(2 / 3)

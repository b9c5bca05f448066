"""The benchmark: fair (the results agree), complete, and clear about what is missing. What it measures is not tested here."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forensia import cli, paths
from forensia.errors import Cancelled, InputError, WorkerDied
from forensia.experiments import bench, benchdata, benchengine, benchfeatures, measuring
from forensia.experiments.measuring import Measured, Task, Work

DATA = Path(__file__).parents[2] / "../shared/data"
CONTRACT = {
    "stage", "corpus", "forensia_cpu_s", "reference_cpu_s", "ratio", "forensia_peak_mb", "reference_peak_mb", "agreement",
}  # fmt: skip
NAMES = [
    "features", "features_without_tags", "train", "train_reference_defaults", "score_matrix", "score_one", "std_aa",
    "impostors",
]  # fmt: skip
TINY = bench.Size(3, 6, 2000)
LEAST = {"train": 0.998, "score_matrix": 0.999, "score_one": 0.999, "train_reference_defaults": 0.5, "std_aa": 0.5}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of the sample case, arranged as the corpora of the benchmark are."""
    folder = tmp_path_factory.mktemp("data")
    for corpus in (bench.REUTERS, bench.IMDB):
        rows = []
        for author in sorted((paths.sample_case() / "known").iterdir())[:4]:
            for number, text in enumerate(sorted(author.rglob("*.txt"))):
                split = "train" if number < 6 else "test"
                name = f"{author.name}/{number}.txt"
                (folder / corpus / author.name).mkdir(parents=True, exist_ok=True)
                (folder / corpus / name).write_bytes(text.read_bytes())
                rows.append({"author": author.name, "file": name, "split": split, "role": "closed"})
        with (folder / corpus / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


@pytest.fixture(scope="module")
def task(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    """A task whose vectors and model have been made."""
    place = tmp_path_factory.mktemp("place")
    task = Task("", bench.REUTERS, TINY.authors, TINY.documents, TINY.features, str(data), "embedded", str(place), "")
    for function, file in (("make_vectors", benchdata.vectors_file), ("make_model", benchdata.model_file)):
        out = str(file(task.place, task.corpus))
        measuring.measured(replace(task, function=f"forensia.experiments.benchdata:{function}", out=out))
    return task


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides without processes of their own, and few pairs for Impostors: the tests must not take as long as the benchmark."""
    monkeypatch.setattr(benchengine, "OF_EACH_CLASS", 3)
    monkeypatch.setattr(bench, "in_child", lambda task, *_, **__: measuring.measured(task))


def test_the_stages_of_the_contract() -> None:
    assert [stage.name for stage in bench.STAGES] == NAMES


@pytest.mark.parametrize("stage", bench.STAGES, ids=lambda stage: stage.name)
def test_every_stage_gives_a_row(stage: bench.Stage, task: Task, in_this_process: None) -> None:
    row = json.loads(json.dumps(bench.measure(stage, task), allow_nan=False))
    assert set(row) >= CONTRACT
    assert row["documents"] == 18
    assert row["forensia_cpu_s"] > 0 and row["reference_cpu_s"] > 0
    assert row["ratio"] == pytest.approx(row["reference_cpu_s"] / row["forensia_cpu_s"], rel=2e-3)
    assert row["agreement"] > LEAST.get(stage.name, 0.95)
    assert not row["extrapolated"] and not row["note"]
    assert stage.name in bench.line(row) and len(bench.line(row)) >= len(bench.heading())


def test_large_training_is_extrapolated_from_one_fold(
    task: Task, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchengine, "ONE_FOLD_ABOVE", 10)
    row = bench.measure(next(stage for stage in bench.STAGES if stage.name == "train"), task)
    assert row["extrapolated"] and "scaled" in row["note"] and "~" in bench.line(row)
    assert row["agreement"] > 0.998


def test_large_matrices_are_extrapolated_from_some_pairs(
    task: Task, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchengine, "SCORED", 100)
    monkeypatch.setattr(benchengine, "PART", 51)
    work = benchengine.reference_matrix(task)
    assert work.extrapolated and work.scale == pytest.approx(153 / 51)
    row = bench.measure(next(stage for stage in bench.STAGES if stage.name == "score_matrix"), task)
    assert row["extrapolated"] and row["agreement"] > 0.998


def test_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In processes of their own, the real way; rows on stdout, or on stderr when stdout is for the JSON."""
    monkeypatch.setattr(bench, "QUICK", TINY)
    arguments = ["bench", "--quick", "--data", str(data), "--stage", "features_without_tags"]
    assert cli.run([*arguments, "--json", str(tmp_path / "rows.json")]) == 0
    told = capsys.readouterr()
    assert "ratio" in told.out and "reuters_c50 (quick)" in told.out and not told.err
    found = json.loads((tmp_path / "rows.json").read_text("utf-8"))
    assert [row["stage"] for row in found["stages"]] == ["features_without_tags"]
    assert found["stages"][0]["agreement"] > 0.95
    assert {"cores", "python", "numpy", "scikit-learn"} <= set(found["machine"])


def test_json_on_stdout_is_alone_there(
    data: Path, capsys: pytest.CaptureFixture[str], in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "QUICK", TINY)
    assert cli.run(["bench", "--quick", "--data", str(data), "--stage", "features_without_tags", "--json", "-"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["stages"] and "ratio" in told.err


def test_full_runs_have_both_corpora(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def measure(stage: bench.Stage, task: Task, *_: object) -> bench.Row:
        sizes.append((stage.name, task.corpus, task.authors, task.documents))
        return {"corpus": task.corpus}

    monkeypatch.setattr(bench, "measure", measure)
    bench.run(data=data, stages=["features", "train"])
    assert sizes == [
        ("features", bench.REUTERS, None, None),
        ("train", bench.REUTERS, 20, 50),
        ("train", bench.IMDB, 20, 50),
    ]


def test_what_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="--data"):
        bench.run(data=tmp_path / "nowhere")
    with pytest.raises(InputError, match="reuters_c50"):
        benchdata.read_sample(Task("", "reuters_c50", 1, 1, 9, str(tmp_path), "embedded", "", ""))
    assert cli.run(["bench", "--data", str(tmp_path), "--stage", "speed"]) == 1
    assert "score_matrix" in capsys.readouterr().err


def test_archives_and_sizes() -> None:
    if not (DATA / "reuters_c50.tar.xz").is_file():
        pytest.skip("reuters_c50 is not in ../shared/data")
    task = Task("", "reuters_c50", 3, 4, 9, str(DATA), "embedded", "", "")
    samples = benchdata.read_samples(task, {"train": 4, "test": 2})
    assert len(samples["train"].texts) == 12 and len(samples["test"].texts) == 6
    assert len(set(samples["train"].authors)) == 3 == len(set(samples["test"].authors))


def idle(task: Task) -> Work:
    """A side that does not end by itself."""

    def do() -> object:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            pass
        raise AssertionError("it was not stopped")

    return Work(do, 1)  # type: ignore[arg-type]


def broken(task: Task) -> Work:
    raise ValueError("no such thing")


def here(function: str, place: Path) -> Task:
    return Task(
        f"tests.experiments.test_bench:{function}", "", 1, 1, 9, "", "embedded", str(place), str(place / "out.npz")
    )


def test_a_side_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    measured = measuring.in_child(here("idle", tmp_path), limit=8)
    assert not measured.finished and measured.cpu_s > 0


def test_what_a_stopped_side_took_is_scaled() -> None:
    begun = {"cpu_s": 2.0, "documents": 18, "baseline_mb": 100.0, "extrapolated": True, "finished": False}
    stopped = measuring._stopped([{"begun": begun, "scale": 5.0}], 12.0, 350.0)
    assert stopped == Measured(50.0, 18, 250.0, 100.0, extrapolated=True, finished=False)
    assert measuring._stopped([], 12.0, 350.0) == Measured(12.0, finished=False)


def test_a_lower_bound_is_called_one(tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([Measured(2.0, 18, 1.0, 1.0), Measured(40.0, extrapolated=True, finished=False)])
    monkeypatch.setattr(bench, "in_child", lambda *_, **__: next(answers))
    row = bench.measure(bench.STAGES[0], task, limit=40)
    assert row["ratio"] == 20 and row["agreement"] is None
    assert "not finished within 40 s" in row["note"] and ">20" in bench.line(row)


def test_a_side_that_fails_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorkerDied, match="no such thing"):
        measuring.in_child(here("broken", tmp_path))


def test_cancelling_ends_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[call-overload]
            started.append(self)

    def stop(fraction: float, message: str = "") -> None:
        raise Cancelled

    monkeypatch.setattr(subprocess, "Popen", Watched)
    with pytest.raises(Cancelled):
        measuring.in_child(here("idle", tmp_path), progress=stop)
    assert started[0].returncode not in (None, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets the mark begin anew")
def test_peak_memory_grows_and_begins_anew() -> None:
    before = measuring.peak_mb()
    block = np.ones(200 << 17)
    high = measuring.peak_mb()
    del block
    measuring.reset_peak()
    low = measuring.peak_mb()
    assert before is not None and high is not None and low is not None
    assert high >= 200 and high >= before
    assert low < high - 100


def test_agreement_of_features_notices_differences() -> None:
    one = {
        "dense": np.ones((2, 1), np.float32),
        "data": np.array([0.5, 0.5], np.float32),
        "indices": np.array([0, 1]),
        "indptr": np.array([0, 1, 2]),
        "names": np.array([1, 2, 3], np.uint64),
    }
    agreement = benchfeatures.feature_agreement
    assert agreement(one, one) == 1
    assert agreement(one, {**one, "data": np.array([0.5, 0.6], np.float32)}) == pytest.approx(0.75)
    assert agreement(one, {**one, "names": np.array([1, 2, 4], np.uint64)}) == pytest.approx(2 / 3)


def test_agreement_of_models_notices_differences() -> None:
    ours = {"c": np.array(10.0), "probability": np.array([0.1, 0.9]), "fold": np.array([0.2, 0.8])}
    theirs = {"c": np.array([10.0]), "probability": np.array([[0.1, 0.8]])}
    assert benchengine.exact_agreement(ours, theirs) == pytest.approx(0.9)
    assert benchengine.exact_agreement(ours, {**theirs, "c": np.array([1.0])}) == 0
    path = {"c": np.array([1.0, 10.0]), "probability": np.array([[0.0, 0.0], [0.2, 0.5]])}
    assert benchengine.exact_agreement(ours, path) == pytest.approx(0.7)
    assert benchengine.default_agreement(ours, {**theirs, "c": np.array([1.0])}) == pytest.approx(0.9)

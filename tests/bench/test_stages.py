"""The benchmark: fair (the results agree), complete, and clear about what is missing. What it measures is not tested here."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from forensia import cli, paths
from forensia.bench import enginestages, featurestages, measuring, reference, stages
from forensia.bench.measuring import Measured, Task, Work
from forensia.errors import Cancelled, InputError, WorkerDied

DATA = Path(__file__).parents[2] / "../shared/data"
CONTRACT = {
    "stage", "corpus", "forensia_cpu_s", "reference_cpu_s", "ratio", "forensia_peak_mb", "reference_peak_mb", "agreement",
}  # fmt: skip
NAMES = [
    "features", "features_without_tags", "train", "train_reference_defaults", "score_matrix", "score_one", "std_aa",
    "impostors", "fused_train_validate", "fused_one",
]  # fmt: skip
COMPARED = [stage for stage in stages.STAGES if isinstance(stage.against, stages.Reference)]
ALONE = [stage for stage in stages.STAGES if isinstance(stage.against, stages.Allowed)]
TINY = stages.BenchSize(3, 6, 2000)
LEAST = {"train": 0.998, "score_matrix": 0.999, "score_one": 0.999, "train_reference_defaults": 0.2, "std_aa": 0.5}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of the sample case, arranged as the corpora of the benchmark are."""
    folder = tmp_path_factory.mktemp("data")
    for corpus in (stages.REUTERS, stages.IMDB):
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
    task = Task("", stages.REUTERS, TINY.authors, TINY.documents, TINY.features, str(data), "embedded", str(place), "")
    for function, file in (("make_vectors", measuring.vectors_file), ("make_model", measuring.model_file)):
        out = str(file(task.place, task.corpus))
        measuring.measured(replace(task, function=f"forensia.bench.measuring:{function}", out=out))
    return task


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides without processes of their own, and few pairs for Impostors: the tests must not take as long as the benchmark."""
    monkeypatch.setattr(enginestages, "OF_EACH_CLASS", 3)
    monkeypatch.setattr(measuring, "SHORT", 0.0)
    monkeypatch.setattr(stages, "in_child", lambda task, *_, **__: measuring.measured(task))


def test_the_stages_of_the_contract() -> None:
    assert [stage.name for stage in stages.STAGES] == NAMES


@pytest.mark.parametrize("stage", COMPARED, ids=lambda stage: stage.name)
def test_every_stage_gives_a_row(stage: stages.BenchStage, task: Task, in_this_process: None) -> None:
    row = json.loads(json.dumps(stages.measure(stage, task), allow_nan=False))
    assert set(row) >= CONTRACT
    assert row["documents"] == 18
    assert row["forensia_cpu_s"] > 0 and row["reference_cpu_s"] > 0
    assert row["ratio"] == pytest.approx(row["reference_cpu_s"] / row["forensia_cpu_s"], rel=2e-3)
    assert row["agreement"] > LEAST.get(stage.name, 0.95)
    assert row["reached"] in ("goal", "must", "no")
    assert not row["extrapolated"] and "scaled" not in row["note"] and "not finished" not in row["note"]
    assert stage.name in stages.line(row) and len(stages.line(row)) >= len(stages.heading())


@pytest.mark.parametrize("stage", ALONE, ids=lambda stage: stage.name)
def test_a_stage_without_a_reference_gives_a_row(stage: stages.BenchStage, task: Task, in_this_process: None) -> None:
    row = json.loads(json.dumps(stages.measure(stage, task), allow_nan=False))
    compared = stages.measure(COMPARED[1], task)
    assert set(row) == set(compared) | {"must_cpu_s"}
    assert row["documents"] == 18 and row["forensia_cpu_s"] > 0
    assert row["reference_cpu_s"] is None and row["ratio"] is None and row["agreement"] is None
    assert "no reference" in row["note"] and "no reference" in stages.line(row)


@pytest.mark.parametrize(("cpu", "finished", "reached"), [(15.0, True, "must"), (15.1, True, "no"), (1.0, False, "no")])
def test_what_a_stage_without_a_reference_may_take(
    task: Task, monkeypatch: pytest.MonkeyPatch, cpu: float, finished: bool, reached: str
) -> None:
    monkeypatch.setattr(stages, "in_child", lambda *_, **__: Measured(cpu, 18, 1.0, 1.0, finished=finished))
    row = stages.measure(ALONE[0], task, limit=40)
    assert row["reached"] == reached
    assert ("not finished within 40 s" in row["note"]) is not finished


def test_what_is_measured_for_one_text_is_an_answer(task: Task) -> None:
    alone = featurestages.fused_one(task).do()()["z"]
    assert alone.shape == (12, 3) and np.isfinite(alone).all()
    assert (alone.argmax(axis=1) == np.repeat(np.arange(3), 4)).mean() > 0.5


def test_large_training_is_extrapolated_from_one_fold(
    task: Task, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enginestages, "ONE_FOLD_ABOVE", 10)
    row = stages.measure(next(stage for stage in stages.STAGES if stage.name == "train"), task)
    assert row["extrapolated"] and "scaled" in row["note"] and "~" in stages.line(row)
    assert row["agreement"] > 0.998
    details = row["details"]
    assert details["c"] == details["reference_c"] and details["same_decisions"] == 1
    assert details["losses_compared"] == 5 and details["largest_loss_difference"] < 1e-3


def test_large_matrices_are_extrapolated_from_some_pairs(
    task: Task, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enginestages, "SCORED", 100)
    monkeypatch.setattr(enginestages, "PART", 51)
    work = enginestages.reference_matrix(task)
    assert work.extrapolated and work.scale == pytest.approx(153 / 51)
    row = stages.measure(next(stage for stage in stages.STAGES if stage.name == "score_matrix"), task)
    assert row["extrapolated"] and row["agreement"] > 0.998


def test_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In processes of their own, the real way; rows on stdout, or on stderr when stdout is for the JSON."""
    monkeypatch.setattr(stages, "QUICK", TINY)
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
    monkeypatch.setattr(stages, "QUICK", TINY)
    assert cli.run(["bench", "--quick", "--data", str(data), "--stage", "features_without_tags", "--json", "-"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["stages"] and "ratio" in told.err


def test_full_runs_have_both_corpora(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def measure(stage: stages.BenchStage, task: Task, *_: object) -> stages.Row:
        sizes.append((stage.name, task.corpus, task.authors, task.documents))
        return {"corpus": task.corpus}

    monkeypatch.setattr(stages, "measure", measure)
    stages.run(data=data, stages=["features", "train"])
    assert sizes == [
        ("features", stages.REUTERS, None, None),
        ("train", stages.REUTERS, 20, 50),
        ("train", stages.IMDB, 20, 50),
    ]


def test_what_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="--data"):
        stages.run(data=tmp_path / "nowhere")
    with pytest.raises(InputError, match="reuters_c50"):
        measuring.read_sample(Task("", "reuters_c50", 1, 1, 9, str(tmp_path), "embedded", "", ""))
    assert cli.run(["bench", "--data", str(tmp_path), "--stage", "speed"]) == 1
    assert "score_matrix" in capsys.readouterr().err


def test_archives_and_sizes() -> None:
    if not (DATA / "reuters_c50.tar.xz").is_file():
        pytest.skip("reuters_c50 is not in ../shared/data")
    task = Task("", "reuters_c50", 3, 4, 9, str(DATA), "embedded", "", "")
    read = measuring.read_samples(task, {"train": 4, "test": 2})
    assert len(read["train"].texts) == 12 and len(read["test"].texts) == 6
    assert len(set(read["train"].authors)) == 3 == len(set(read["test"].authors))


def idle(task: Task) -> Work:
    """A side that does not end by itself."""

    def do() -> object:
        while time.process_time() < 60:
            pass
        raise AssertionError("it was not stopped")

    return Work(do, 1)  # type: ignore[arg-type]


def broken(task: Task) -> Work:
    raise ValueError("no such thing")


def here(function: str, place: Path) -> Task:
    return Task(f"tests.bench.test_stages:{function}", "", 1, 1, 9, "", "embedded", str(place), str(place / "out.npz"))


def test_a_side_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    measured = measuring.in_child(here("idle", tmp_path), limit=5)
    assert not measured.finished and 0 < measured.cpu_s < 10


def test_what_a_stopped_side_took_is_scaled() -> None:
    """But not what it did once, before: here 3 s of the 12."""
    begun = asdict(Measured(3.0, 18, 40.0, 100.0, extrapolated=True, finished=False))
    stopped = measuring._stopped([{"begun": begun, "scale": 5.0, "since": 5.0}], 12.0, 350.0)
    assert stopped == Measured(38.0, 18, 250.0, 100.0, extrapolated=True, finished=False)
    assert measuring._stopped([], 12.0, 350.0) == Measured(12.0, finished=False)


def test_a_lower_bound_is_called_one(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([Measured(2.0, 18, 1.0, 1.0), Measured(40.0, extrapolated=True, finished=False)])
    monkeypatch.setattr(stages, "in_child", lambda *_, **__: next(answers))
    row = stages.measure(stages.STAGES[0], task, limit=40)
    assert row["ratio"] == 20 and row["agreement"] is None and row["reached"] == "no"
    assert "not finished within 40 s" in row["note"] and ">20" in stages.line(row)


def test_what_a_stopped_reference_had_found_is_compared(
    task: Task, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference of the training saves the model of each C; stopped at the largest, it can still be compared at the best."""
    path = reference.fold_path

    def stopped_at_the_last(written: reference.Written, fold: int) -> Iterator[reference.Fitted]:
        for fitted in path(written, fold):
            if fitted.c == reference.GRID[-1]:
                raise TimeoutError
            yield fitted

    def in_child(task: Task, *_: object) -> Measured:
        try:
            return measuring.measured(task)
        except TimeoutError:
            return Measured(1000.0, 18, 1000.0, 1.0, extrapolated=True, finished=False)

    monkeypatch.setattr(enginestages, "ONE_FOLD_ABOVE", 10)
    monkeypatch.setattr(reference, "fold_path", stopped_at_the_last)
    monkeypatch.setattr(stages, "in_child", in_child)
    row = stages.measure(next(stage for stage in stages.STAGES if stage.name == "train"), task)
    assert "a part of the reference not finished" in row["note"] and ">" in stages.line(row)
    assert row["agreement"] > 0.998 and row["details"]["losses_compared"] == 4
    assert row["reached"] == "goal"


def test_work_done_once_is_not_scaled_and_short_work_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(measuring, "cpu_seconds", lambda: float(clock[0]))
    clock = [0.0]
    lasting = iter([0.1, 0.3, 0.2, 0.4])

    def do() -> Callable[[], measuring.Arrays]:
        clock[0] += next(lasting)
        calls.append("do")
        return lambda: {"found": np.array(1)}

    def once() -> None:
        clock[0] += 10
        calls.append("once")

    monkeypatch.setattr("tests.bench.test_stages.broken", lambda task: Work(do, 7, 5.0, extrapolated=True, once=once))
    measured = measuring.measured(here("broken", tmp_path))
    assert calls == ["once", "do", "do", "do", "do"]
    assert measured.cpu_s == pytest.approx(10 + 5 * 0.25) and measured.documents == 7
    assert np.load(tmp_path / "out.npz")["found"] == 1 and not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("ratio", "memory", "agreement", "reached"),
    [
        (20.0, 0.1, 1.0, "goal"),
        (20.0, 0.2, 1.0, "must"),
        (8.0, 0.05, 0.999, "must"),
        (7.9, 0.05, 1.0, "no"),
        (20.0, 0.3, 1.0, "no"),
        (20.0, None, 1.0, "no"),
        (20.0, 0.1, 0.99, "no"),
        (20.0, 0.1, None, "no"),
        (None, 0.1, 1.0, "no"),
    ],
)
def test_what_counts_as_reached(
    ratio: float | None, memory: float | None, agreement: float | None, reached: str
) -> None:
    assert stages.Target(8, 20, 0.25, 0.1).reached(ratio, memory, agreement, 200) == reached


def test_memory_counts_from_a_size_on() -> None:
    target = stages.Target(8, 8, 0.5, 0.5, memory_from=1000)
    assert target.reached(8, 0.9, 1.0, 200) == "goal"
    assert target.reached(8, 0.9, 1.0, 1000) == "no"


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

    def agreement(*changed: dict[str, np.ndarray]) -> float:
        return featurestages.feature_agreement(one, {**one, **changed[0]} if changed else one)["agreement"]

    assert agreement() == 1
    assert agreement({"data": np.array([0.5, 0.6], np.float32)}) == pytest.approx(0.75)
    assert agreement({"names": np.array([1, 2, 4], np.uint64)}) == pytest.approx(2 / 3)


def test_agreement_of_models_notices_differences() -> None:
    losses = np.array([0.5, 0.2, 0.3, np.nan, np.nan])
    ours = {
        "c": np.array(10.0),
        "probability": np.array([0.1, 0.9]),
        "losses": losses,
        "fold_probability": np.array([0.2, 0.8]),
        "fold_losses": losses,
    }
    theirs = {"c": np.array([10.0]), "probability": np.array([[0.1, 0.8]]), "losses": losses + 0.001}

    def exact(**changed: np.ndarray) -> float:
        return enginestages.exact_agreement(ours, {**theirs, **changed})["agreement"]

    assert exact() == pytest.approx(0.9)
    assert exact(c=np.array([1.0])) == 0
    assert exact(losses=np.array([0.1, 0.2, 0.3, 0.4, 0.5])) == 0, "on the same folds another C is best"
    path = {"c": np.array([1.0, 10.0]), "probability": np.array([[0.0, 0.0], [0.2, 0.5]])}
    assert exact(**path, one_fold=np.array(True)) == pytest.approx(0.7)
    found = enginestages.exact_agreement(ours, theirs)
    assert found["largest_loss_difference"] == pytest.approx(0.001) and found["losses_compared"] == 3
    other = {**theirs, "c": np.array([1.0]), "probability": np.array([[0.1, 0.4]]), "converged": np.array(False)}
    default = enginestages.default_agreement(ours, other)
    assert default["agreement"] == pytest.approx(0.5) and default["same_decisions"] == 0.5
    assert (default["c"], default["reference_c"], default["reference_converged"]) == (10, 1, 0)

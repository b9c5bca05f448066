"""Forensia against the reference recipe: the same work by both, each in a fresh process, ratios from one run.

A stage is a pair of functions, one for each side. Each prepares itself (imports, texts, models: not measured) and returns
the work, which is measured: processor time of the process and its children, and the highest memory above what it had
before. Both sides have one thread for linear algebra.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib
import io
import json
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.normalise import normalise
from forensia.errors import ForensiaError, InputError, WorkerDied
from forensia.jobs import Progress, silent, tracked

Arrays = dict[str, NDArray[Any]]
Work = Callable[[], Callable[[], Arrays]]
"""The measured work; what it returns gives, unmeasured, the arrays by which both sides are compared."""

CORPUS = "reuters_c50"
DATA_VARIABLE = "FORENSIA_DATA"
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "BLIS_NUM_THREADS",
)
_QUICK_AUTHORS, _QUICK_DOCUMENTS = 10, 20


@dataclass(frozen=True)
class Sample:
    """The texts of a stage and who wrote them."""

    texts: list[str]
    authors: list[str]


@dataclass(frozen=True)
class Stage:
    """One row of the benchmark: the two sides ('module:function' that take a Sample), and how far their results agree (0 to 1)."""

    name: str
    forensia: str
    reference: str
    agreement: Callable[[Mapping[str, NDArray[Any]], Mapping[str, NDArray[Any]]], float]
    corpus: str = CORPUS


def run(
    quick: bool = False,
    data: Path | None = None,
    stages: Sequence[str] | None = None,
    model: str = "embedded",
    progress: Progress = silent,
) -> dict[str, Any]:
    """Measure the stages (all, or those named) and return what `forensia bench --json` writes."""
    folder = find_data(data)
    wanted = [stage for stage in STAGES if stages is None or stage.name in stages]
    rows = []
    for stage in tracked(wanted, progress, "Measuring"):
        rows.append(measure(stage, quick, folder, model))
    return {"machine": machine(), "stages": rows}


def measure(stage: Stage, quick: bool, data: Path, model: str) -> dict[str, Any]:
    """One row: both sides, one after the other."""
    with tempfile.TemporaryDirectory(prefix="forensia-bench-") as place:
        sides = {}
        for side in ("forensia", "reference"):
            task = {
                "function": getattr(stage, side),
                "corpus": stage.corpus,
                "quick": quick,
                "data": str(data),
                "model": model,
                "out": str(Path(place) / f"{side}.npz"),
            }
            sides[side] = _child(task)
        with np.load(Path(place) / "forensia.npz") as ours, np.load(Path(place) / "reference.npz") as theirs:
            agreement = stage.agreement(ours, theirs)
    ours_cpu, theirs_cpu = sides["forensia"]["cpu_s"], sides["reference"]["cpu_s"]
    return {
        "stage": stage.name,
        "corpus": stage.corpus + (" (quick)" if quick else ""),
        "documents": sides["forensia"]["documents"],
        "forensia_cpu_s": round(ours_cpu, 3),
        "reference_cpu_s": round(theirs_cpu, 3),
        "ratio": round(theirs_cpu / max(ours_cpu, 1e-9), 2),
        "forensia_peak_mb": sides["forensia"]["peak_mb"],
        "reference_peak_mb": sides["reference"]["peak_mb"],
        "forensia_baseline_mb": sides["forensia"]["baseline_mb"],
        "reference_baseline_mb": sides["reference"]["baseline_mb"],
        "agreement": round(agreement, 4),
    }


# --- the data --------------------------------------------------------------------------------------------------------


def find_data(data: Path | None = None) -> Path:
    """The folder of corpora: the one given, that in FORENSIA_DATA, or `shared/data` beside the source tree."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = data or (Path(os.environ[DATA_VARIABLE]) if os.environ.get(DATA_VARIABLE) else beside)
    if not folder.is_dir():
        raise InputError(
            f"The corpora of the benchmark are not in '{folder}'. Give their folder with --data, or set {DATA_VARIABLE}."
        )
    return folder


def read_sample(data: Path, corpus: str, quick: bool) -> Sample:
    """The training documents of the closed authors of a corpus, from its archive or its folder; fewer when quick."""
    archive, folder = data / f"{corpus}.tar.xz", data / corpus
    if folder.is_dir():
        listed = _chosen((folder / "manifest.csv").read_text("utf-8"), quick)
        contents = {name: (folder / name).read_bytes() for name in listed}
    elif archive.is_file():
        with tarfile.open(archive) as packed:
            contents = {
                member.name.partition("/")[2]: content.read()
                for member in packed
                if member.isfile() and (content := packed.extractfile(member)) is not None
            }
        listed = _chosen(contents["manifest.csv"].decode("utf-8"), quick)
    else:
        raise InputError(
            f"There is neither '{archive.name}' nor a folder '{corpus}' in '{data}'. Put the corpus there."
        )
    texts = [normalise(contents[name].decode("utf-8", "replace")) for name in listed]
    return Sample(texts, list(listed.values()))


def _chosen(manifest: str, quick: bool) -> dict[str, str]:
    """The files to read, each with its author."""
    rows = [row for row in csv.DictReader(io.StringIO(manifest)) if row["split"] == "train" and row["role"] == "closed"]
    if not quick:
        return {row["file"]: row["author"] for row in rows}
    chosen: dict[str, str] = {}
    for author in sorted({row["author"] for row in rows})[:_QUICK_AUTHORS]:
        files = sorted(row["file"] for row in rows if row["author"] == author)
        chosen.update(dict.fromkeys(files[:_QUICK_DOCUMENTS], author))
    return chosen


# --- one side in a process of its own --------------------------------------------------------------------------------


def _child(task: dict[str, Any]) -> dict[str, Any]:
    """Run one side in a fresh process, which no earlier work has warmed up or filled."""
    if getattr(sys, "frozen", False):
        raise ForensiaError(
            "The benchmark needs an installed Python. Run it from the source tree instead of the bundle."
        )
    environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
    environment["PYTHONPATH"] = os.pathsep.join(folder for folder in sys.path if folder)
    command = [sys.executable, "-m", "forensia.experiments.bench", json.dumps(task)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise WorkerDied(f"The benchmark of {task['function']} failed ({reason[0]}).")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _measured(task: Mapping[str, Any]) -> dict[str, Any]:
    """The child's side: prepare, work, tell."""
    module, _, name = task["function"].partition(":")
    sample = read_sample(Path(task["data"]), task["corpus"], task["quick"])
    work: Work = getattr(importlib.import_module(module), name)(sample, task["model"])
    baseline, before, begun = peak_mb(), cpu_seconds(), time.perf_counter()
    result = work()
    cpu, peak = cpu_seconds() - before, peak_mb()
    wall = time.perf_counter() - begun
    np.savez(task["out"], allow_pickle=False, **result())
    return {
        "cpu_s": cpu,
        "wall_s": wall,
        "documents": len(sample.texts),
        "baseline_mb": baseline,
        "peak_mb": None if peak is None or baseline is None else round(peak - baseline, 1),
    }


def cpu_seconds() -> float:
    """Processor time of this process and its ended children, user and system."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_mb() -> float | None:
    """The highest memory of this process so far; None where the system does not tell.

    On Linux ru_maxrss is inherited from the process that started this one, so the kernel's own mark is read there.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) / 1024, 1)
    try:
        import resource
    except ImportError:
        return None
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20), 1)  # bytes on macOS


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


# --- stages: features ------------------------------------------------------------------------------------------------


def forensia_features(sample: Sample, model: str) -> Work:
    import scipy.sparse  # noqa: F401

    from forensia.features import FeatureSpace, extract
    from forensia.language import analyse, load_model

    loaded = load_model(model)

    def work() -> Callable[[], Arrays]:
        analyses = analyse(sample.texts, loaded)
        counts = extract(sample.texts, analyses, function_words=loaded.function_words)
        space = FeatureSpace()
        vectors = space.fit_transform(counts, sample.authors)
        return lambda: _result(vectors.dense, vectors.sparse, space.names())

    return work


def reference_features(sample: Sample, model: str) -> Work:
    import nltk.tokenize  # noqa: F401
    import sklearn.feature_extraction.text
    import sklearn.feature_selection
    import sklearn.preprocessing  # noqa: F401

    from forensia.experiments import reference
    from forensia.language import load_model

    loaded = load_model(model)
    nlp = reference.load(loaded.folder)

    def work() -> Callable[[], Arrays]:
        tagged = reference.tag(sample.texts, nlp)
        found = reference.features(sample.texts, sample.authors, loaded.function_words, tagged)
        return lambda: _result(found.dense, found.sparse, reference.names(found))

    return work


def forensia_without_tags(sample: Sample, model: str) -> Work:
    import scipy.sparse  # noqa: F401

    from forensia.features import FAMILIES, FeatureSpace, extract
    from forensia.language import function_words

    words = function_words()
    families = [family for family in FAMILIES if family not in ("POS n-grams", "sentence lengths")]

    def work() -> Callable[[], Arrays]:
        counts = extract(sample.texts, None, families, words)
        space = FeatureSpace(families)
        vectors = space.fit_transform(counts, sample.authors)
        return lambda: _result(vectors.dense, vectors.sparse, space.names())

    return work


def reference_without_tags(sample: Sample, model: str) -> Work:
    import nltk.tokenize  # noqa: F401
    import sklearn.feature_extraction.text
    import sklearn.feature_selection
    import sklearn.preprocessing  # noqa: F401

    from forensia.experiments import reference
    from forensia.language import function_words

    words = function_words()

    def work() -> Callable[[], Arrays]:
        found = reference.features(sample.texts, sample.authors, words)
        return lambda: _result(found.dense, found.sparse, reference.names(found))

    return work


def _result(dense: Any, sparse: Any, names: Sequence[str]) -> Arrays:
    """What is kept for the comparison; features by the hash of their names, for nothing of a text may be left in a file."""
    hashes = [
        int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        for name in names
    ]
    return {
        "dense": np.asarray(dense, np.float32),
        "data": np.asarray(sparse.data, np.float32),
        "indices": np.asarray(sparse.indices),
        "indptr": np.asarray(sparse.indptr),
        "names": np.array(hashes, np.uint64),
    }


def feature_agreement(ours: Mapping[str, NDArray[Any]], theirs: Mapping[str, NDArray[Any]]) -> float:
    """The share of features that both have, times the share of their values that are equal to five digits."""
    from scipy.sparse import csr_matrix, hstack

    def joined(arrays: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], Any]:
        dense, names = arrays["dense"], arrays["names"]
        shape = (len(dense), len(names) - dense.shape[1])
        sparse = csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
        return names, hstack([csr_matrix(dense), sparse], format="csc")

    (own_names, own), (other_names, other) = joined(ours), joined(theirs)
    common, first, second = np.intersect1d(own_names, other_names, return_indices=True)
    left, right = own[:, first], other[:, second]
    different = int((abs(left - right) > 1e-5).sum())
    entries = max(left.nnz, right.nnz, 1)
    return float(len(common) / max(len(own_names), len(other_names), 1) * (1 - different / entries))


_HERE = "forensia.experiments.bench"
STAGES: tuple[Stage, ...] = (
    Stage("features", f"{_HERE}:forensia_features", f"{_HERE}:reference_features", feature_agreement),
    Stage(
        "features_without_tags", f"{_HERE}:forensia_without_tags", f"{_HERE}:reference_without_tags", feature_agreement
    ),
)


def _main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="One side of one stage; started by the benchmark itself.")
    parser.add_argument("task")
    sys.stdout.write(json.dumps(_measured(json.loads(parser.parse_args(arguments).task))) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(_main())

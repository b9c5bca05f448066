"""One side of a stage of the benchmark, measured in a fresh process, which no earlier work has warmed up or filled.

A side is a function that prepares itself (imports, texts, vectors, models: not measured) and returns its work, which is
measured: processor time of the process and its children, and the highest memory above what it had before. Linear
algebra has one thread. Work that is done in a moment is done several times, and the median counts.

What the benchmark works on: documents of the corpora, and, made once for a run and the same for both sides, their vectors.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import normalise
from forensia.diffvectors.dvbin import PairModel
from forensia.errors import ForensiaError, InputError, WorkerDied
from forensia.features.vectors import Block, Vectors
from forensia.jobs import Progress, silent

Arrays = dict[str, NDArray[Any]]
LIMIT = 2400.0  # seconds of processor time that one side may take; of wall time where the system does not tell
SHORT = 1.0  # seconds of processor time: work is repeated until it has taken so much
MOST_REPEATS = 15
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "BLIS_NUM_THREADS",
)


@dataclass(frozen=True)
class Task:
    """What a process is to measure: a side ('module:function' that takes the task), on how many documents of which corpus."""

    function: str
    corpus: str
    authors: int | None  # None: all
    documents: int | None  # of each author
    features: int  # that are kept of group 2
    data: str
    model: str  # the language model
    place: str  # the folder of this run, with what was prepared for it
    out: str


@dataclass(frozen=True)
class Work:
    """The measured work of a side; what it returns gives, unmeasured, the arrays by which both sides are compared.

    `scale` turns what was measured into what is reported: one of many equal units, or, `extrapolated`, the whole of which only a
    part was done. What `once` does is measured too, but neither scaled nor repeated.
    """

    do: Callable[[], Callable[[], Arrays]]
    documents: int
    scale: float = 1.0
    extrapolated: bool = False
    once: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Measured:
    """What one side took; `finished` False when it was stopped at its limit, and then the figures are those until then."""

    cpu_s: float
    documents: int = 0
    peak_mb: float | None = None
    baseline_mb: float | None = None
    extrapolated: bool = False
    finished: bool = True


def in_child(task: Task, limit: float = LIMIT, progress: Progress = silent) -> Measured:
    """Run one side in a process of its own."""
    if getattr(sys, "frozen", False):
        raise ForensiaError(
            "The benchmark needs an installed Python. Run it from the source tree instead of the bundle."
        )
    environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
    environment["PYTHONPATH"] = os.pathsep.join(folder for folder in sys.path if folder)
    command = [sys.executable, "-m", "forensia.bench.measuring", json.dumps(asdict(task))]
    before, start = _cpu_of_children(), time.monotonic()
    highest: float | None = None
    late = False
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as problems:
        with subprocess.Popen(command, env=environment, stdout=told, stderr=problems) as child:
            try:
                while child.poll() is None and not late:
                    progress(0.0)
                    highest = peak_mb(child.pid) or highest
                    spent = _cpu_of(child.pid)
                    late = (time.monotonic() - start if spent is None else spent) > limit
                    try:
                        child.wait(0.25)
                    except subprocess.TimeoutExpired:
                        continue
            finally:
                child.kill()  # cancelled or out of time; one that has ended does not notice
        told.seek(0)
        problems.seek(0)
        lines = [json.loads(line) for line in told.read().splitlines()]
        if child.returncode and late:
            return _stopped(lines, _cpu_of_children() - before, highest)
        if child.returncode:
            reason = problems.read().decode("utf-8", "replace").strip().splitlines()[-1:] or ["it was stopped"]
            raise WorkerDied(f"The benchmark of {task.function} failed ({reason[0]}).")
        return Measured(**lines[-1])


def _stopped(lines: list[Any], cpu: float, highest: float | None) -> Measured:
    """What a side that was stopped has taken, given what it told when its work began."""
    if not lines:
        return Measured(cpu, finished=False)
    begun = Measured(**lines[0]["begun"])
    cpu = begun.cpu_s + (cpu - lines[0]["since"]) * lines[0]["scale"]
    if highest is None or begun.baseline_mb is None:
        return replace(begun, cpu_s=cpu)
    return replace(begun, cpu_s=cpu, peak_mb=round(highest - begun.baseline_mb, 1))


def measured(task: Task, tell: Callable[[str], object] = lambda line: None) -> Measured:
    """The child's part: prepare, tell that the work begins, work."""
    module, _, name = task.function.partition(":")
    work: Work = getattr(importlib.import_module(module), name)(task)
    reset_peak()
    baseline, start = peak_mb(), cpu_seconds()

    def so_far(cpu: float, finished: bool) -> Measured:
        peak = peak_mb()
        above = None if peak is None or baseline is None else round(peak - baseline, 1)
        return Measured(cpu, work.documents, above, baseline, work.extrapolated, finished)

    work.once()
    opened = cpu_seconds() - start
    begun = so_far(opened, finished=False)
    tell(json.dumps({"begun": asdict(begun), "scale": work.scale, "since": opened + start}) + "\n")
    spent: list[float] = []
    while not spent or (sum(spent) < SHORT and len(spent) < MOST_REPEATS):
        before = cpu_seconds()
        result = work.do()
        spent.append(cpu_seconds() - before)
    found = so_far(opened + statistics.median(spent) * work.scale, finished=True)
    save(task.out, result())
    return found


def save(out: str, arrays: Arrays) -> None:
    """Write what a side found, whole or not at all: a side that may be stopped saves what it has so far."""
    unfinished = Path(f"{out}.part")
    with unfinished.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    unfinished.replace(out)


def cpu_seconds() -> float:
    """Processor time of this process and its ended children, user and system."""
    return time.process_time() + _cpu_of_children()


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _cpu_of(process: int) -> float | None:
    """Processor time of a running process and its ended children, on Linux: a busy machine must not shorten what a side may take."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def reset_peak() -> None:
    """Let the highest memory begin anew at what is held now, where the system can: what preparing took must hide nothing."""
    try:
        Path("/proc/self/clear_refs").write_text("5", "utf-8")
    except OSError:
        return


def peak_mb(process: int | None = None) -> float | None:
    """The highest memory of this process (or of one on Linux) so far; None where the system does not tell.

    On Linux ru_maxrss is inherited from the process that started this one, so the kernel's own mark is read there.
    """
    try:
        status = Path(f"/proc/{process or 'self'}/status").read_text("utf-8")
    except OSError:
        status = ""
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return round(int(line.split()[1]) / 1024, 1)
    if process is not None:
        return None
    try:
        import resource
    except ImportError:
        return None
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20), 1)  # bytes on macOS


def _main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="One side of one stage; started by the benchmark itself.")
    parser.add_argument("task")
    task = Task(**json.loads(parser.parse_args(arguments).task))
    sys.stdout.write(json.dumps(asdict(measured(task, _tell))) + "\n")
    return 0


def _tell(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(_main())


DATA_VARIABLE = "FORENSIA_DATA"
QUERIES = 5  # test documents of each author that are compared with the known ones


@dataclass(frozen=True)
class BenchSample:
    """Texts and who wrote them."""

    texts: list[str]
    authors: list[str]


@dataclass(frozen=True)
class BenchKnown:
    """The vectors of known documents with the numbers of their authors, and the same for some others by these authors."""

    vectors: Vectors
    authors: NDArray[np.int64]
    queries: Vectors
    query_authors: NDArray[np.int64]


def find_data(data: Path | None = None) -> Path:
    """The folder of corpora: the one given, that in FORENSIA_DATA, or `shared/data` beside the source tree."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = data or (Path(os.environ[DATA_VARIABLE]) if os.environ.get(DATA_VARIABLE) else beside)
    if not folder.is_dir():
        raise InputError(
            f"The corpora of the benchmark are not in '{folder}'. Give their folder with --data, or set {DATA_VARIABLE}."
        )
    return folder


def read_sample(task: Task) -> BenchSample:
    """The known documents of a task."""
    return read_samples(task, {"train": task.documents})["train"]


def read_samples(
    task: Task, wanted: Mapping[str, int | None], roles: Collection[str] = ("closed",)
) -> dict[str, BenchSample]:
    """Documents of a corpus, by authors of these roles, from its archive or its folder: of each split so many an author."""
    data = Path(task.data)
    archive, folder = data / f"{task.corpus}.tar.xz", data / task.corpus
    if folder.is_dir():
        manifest = (folder / "manifest.csv").read_text("utf-8")
        content: Callable[[str], bytes] = lambda name: (folder / name).read_bytes()  # noqa: E731
    elif archive.is_file():
        with tarfile.open(archive) as packed:
            contents = {
                member.name.partition("/")[2]: file.read()
                for member in packed
                if member.isfile() and (file := packed.extractfile(member)) is not None
            }
        manifest, content = contents["manifest.csv"].decode("utf-8"), contents.__getitem__
    else:
        raise InputError(
            f"There is neither '{archive.name}' nor a folder '{task.corpus}' in '{data}'. Put the corpus there."
        )
    samples = {}
    for split, documents in wanted.items():
        chosen = _chosen(manifest, roles, split, task.authors, documents)
        texts = [normalise(content(name).decode("utf-8", "replace")) for name in chosen]
        samples[split] = BenchSample(texts, list(chosen.values()))
    return samples


def _chosen(
    manifest: str, roles: Collection[str], split: str, authors: int | None, documents: int | None
) -> dict[str, str]:
    """The files to read, each with its author: the first authors, and the first documents of each."""
    rows = [row for row in csv.DictReader(io.StringIO(manifest)) if row["role"] in roles]
    chosen: dict[str, str] = {}
    for author in sorted({row["author"] for row in rows})[:authors]:
        files = sorted(row["file"] for row in rows if row["author"] == author and row["split"] == split)
        chosen.update(dict.fromkeys(files[:documents], author))
    return chosen


# --- prepared once for a run -----------------------------------------------------------------------------------------


def make_vectors(task: Task) -> Work:
    """The vectors of the known documents, and of some test documents in the same space. Authors become numbers."""
    from forensia.features import FeatureSpace, extract
    from forensia.language import analyse, load_model

    samples = read_samples(task, {"train": task.documents, "test": QUERIES})
    known, asked = samples["train"], samples["test"]

    def do() -> Callable[[], Arrays]:
        model = load_model(task.model)

        def counts(texts: Sequence[str]) -> Any:
            return extract(texts, analyse(texts, model), function_words=model.function_words)

        own = counts(known.texts)
        space = FeatureSpace(keep=task.features).fit(own, known.authors)
        numbers = {author: number for number, author in enumerate(sorted(set(known.authors)))}
        arrays: Arrays = {
            name: np.array([numbers[author] for author in sample.authors], dtype=np.int64)
            for name, sample in (("authors", known), ("query_authors", asked))
        }
        for name, vectors in (("known", space.transform(own)), ("queries", space.transform(counts(asked.texts)))):
            arrays |= {f"{name}_{part}": array for part, array in _to_arrays(vectors).items()}
        return lambda: arrays

    return Work(do, len(known.texts))


def make_model(task: Task) -> Work:
    """A pair model for the stages that score."""
    from forensia.diffvectors import DVBin

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        model = DVBin().fit(known.vectors, known.authors).model_
        return lambda: {"dense": model.dense, "sparse": model.sparse, "intercept": np.array(model.intercept)}

    return Work(do, len(known.vectors))


def vectors_file(place: str, corpus: str) -> Path:
    return Path(place) / f"{corpus}-vectors.npz"


def model_file(place: str, corpus: str) -> Path:
    return Path(place) / f"{corpus}-model.npz"


def load_known(task: Task) -> BenchKnown:
    """What `make_vectors` made."""
    with np.load(vectors_file(task.place, task.corpus)) as arrays:
        vectors, queries = (_from_arrays(arrays, name) for name in ("known", "queries"))
        return BenchKnown(vectors, arrays["authors"], queries, arrays["query_authors"])


def load_pair_model(task: Task) -> PairModel:
    """What `make_model` made."""
    with np.load(model_file(task.place, task.corpus)) as arrays:
        return PairModel(arrays["dense"], arrays["sparse"], float(arrays["intercept"]))


def _to_arrays(vectors: Vectors) -> Arrays:
    sparse = vectors.sparse
    return {
        "dense": vectors.dense,
        "data": sparse.data,
        "indices": sparse.indices,
        "indptr": sparse.indptr,
        "width": np.array(sparse.shape[1]),
        "blocks": np.array(json.dumps([(b.family, b.dense, b.start, b.stop) for b in vectors.blocks])),
    }


def _from_arrays(arrays: Mapping[str, NDArray[Any]], name: str) -> Vectors:
    from scipy.sparse import csr_matrix

    dense = arrays[f"{name}_dense"]
    parts = tuple(arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    sparse = csr_matrix(parts, shape=(len(dense), int(arrays[f"{name}_width"])))
    sparse.has_sorted_indices = True
    return Vectors(dense, sparse, tuple(Block(*block) for block in json.loads(str(arrays[f"{name}_blocks"]))))

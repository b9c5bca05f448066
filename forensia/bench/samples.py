"""What the benchmark works on: documents of the corpora, and, made once for a run and the same for both sides, their vectors."""

from __future__ import annotations

import csv
import io
import json
import os
import tarfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench.measuring import Arrays, Task, Work
from forensia.corpus.characters import normalise
from forensia.diffvectors.dvbin import PairModel
from forensia.errors import InputError
from forensia.features.vectors import Block, Vectors

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

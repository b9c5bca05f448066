"""The data sets of a plan: found by name, read, and counted once; the runs then take rows of the counts.

The names of the paper's data sets stand for its own distributions, where the user has them, and for the packs made like them. Any
other name is a folder or file of texts with known authors.

The counts lie on disk as plain arrays, which every process maps into memory instead of holding a copy. The files hold words and n-grams of
the documents, so they are for this user alone, and whoever made them takes them away.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus import Corpus, Document, ReadOptions, read_corpus
from forensia.diffvectors.pairs import codes
from forensia.errors import InputError, StorageError
from forensia.experiments.layouts import LAYOUTS
from forensia.experiments.units import Roster
from forensia.features import FAMILIES, Counts, count_documents
from forensia.features.counts import CountTable
from forensia.features.vectors import ArrayKeys, WordKeys
from forensia.jobs import Progress, part, silent
from forensia.language import LanguageModel
from forensia.wording.problems import worded

_INDEX = "index.json"


def save_counts(folder: Path, counts: Counts) -> None:
    """Write counts to a folder that is there, complete, or not at all."""
    half = folder.with_name(folder.name + ".part")
    try:
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(mode=0o700, parents=True)
        families = []
        for number, table in enumerate(counts.tables):
            for name, array in _arrays(table).items():
                _write(half / f"{number}-{name}.npy", array)
            families.append({"family": table.family, "columns": int(table.counts.shape[1]), "keys": table.keys.kind})
        _write(half / "no_sentences.npy", counts.no_sentences)
        _bytes(half / _INDEX, json.dumps(families).encode())
        shutil.rmtree(folder, ignore_errors=True)
        half.rename(folder)
    except OSError as error:
        shutil.rmtree(half, ignore_errors=True)
        raise StorageError(
            f"The counts of the texts could not be kept in {folder.parent} ({error.strerror}). Choose another place for the results."
        ) from error


def has_counts(folder: Path) -> bool:
    """Whether counts are there, complete."""
    return (folder / _INDEX).is_file()


def load_counts(folder: Path) -> Counts:
    """The counts of a folder, mapped: rows are read when they are asked for."""
    from scipy.sparse import csr_matrix

    def array(name: str) -> NDArray[Any]:
        mapped: NDArray[Any] = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        return mapped

    no_sentences = np.array(array("no_sentences"))
    tables = []
    for number, entry in enumerate(json.loads((folder / _INDEX).read_text("utf-8"))):
        data, indices, indptr = (array(f"{number}-{name}") for name in ("data", "indices", "indptr"))
        counts = csr_matrix((data, indices, indptr), shape=(len(no_sentences), entry["columns"]), copy=False)
        stored = np.array(array(f"{number}-keys"))
        keys = WordKeys.unpack(stored) if entry["keys"] == WordKeys.kind else ArrayKeys.unpack(stored)
        tables.append(CountTable(entry["family"], keys, counts, np.array(array(f"{number}-totals"))))
    return Counts(tuple(tables), no_sentences)


def _arrays(table: CountTable) -> dict[str, NDArray[Any]]:
    counts = table.counts
    return {
        "keys": table.keys.pack(),
        "data": counts.data,
        "indices": counts.indices,
        "indptr": counts.indptr,
        "totals": table.totals,
    }


def _write(file: Path, array: NDArray[Any]) -> None:
    with os.fdopen(_open(file), "wb") as stream:
        np.save(stream, np.ascontiguousarray(array), allow_pickle=False)


def _bytes(file: Path, data: bytes) -> None:
    with os.fdopen(_open(file), "wb") as stream:
        stream.write(data)


def _open(file: Path) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


DATA_VARIABLE = "FORENSIA_DATA"
KNOWN: Mapping[str, tuple[str, ...]] = {
    "IMDB62": ("imdb62", "imdb62_50x100"),
    "PAN2011": ("pan2011", "pan2011_large"),
    "Victorian": ("victorian",),
    "arXiv": ("arxiv", "arxiv_single_author"),
    "Reuters C50": ("reuters_c50", "c50"),
}
"""The folder or file names under which a data set is looked for, besides its own, the first that is there."""

LEAST_WORDS: Mapping[str, int] = {"PAN2011": 15}
"""Shorter documents are left out, as in the paper."""

_ARCHIVE = ".tar.xz"


@dataclass(frozen=True)
class Dataset:
    """What a run works on: whose each document is, and what is in it."""

    roster: Roster
    counts: Counts


@dataclass(frozen=True)
class Reading:
    """A data set as read: its documents, who wrote them, and what identifies it."""

    name: str
    place: str
    documents: tuple[Document, ...]
    roster: Roster
    fingerprint: str
    left_out: int

    @property
    def words(self) -> float:
        """Mean words of a document."""
        return float(np.mean([document.words for document in self.documents]))

    @property
    def about(self) -> dict[str, Any]:
        """What the tables say about it."""
        return {
            "name": self.name,
            "place": self.place,
            "documents": len(self.documents),
            "authors": self.roster.authors,
            "training": None if self.roster.train is None else int(self.roster.train.sum()),
            "words": round(self.words, 1),
            "left_out": self.left_out,
            "fingerprint": self.fingerprint,
        }


def data_folder(given: Path | None) -> Path | None:
    """The folder of corpora: the one given, that in FORENSIA_DATA, or `shared/data` beside the source tree."""
    if given is not None:
        if not given.is_dir():
            raise InputError(f"There is no folder '{given}'. Give the folder of the corpora with --data.")
        return given
    named = os.environ.get(DATA_VARIABLE)
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "data"
    return folder if folder.is_dir() else None


def find(name: str, folder: Path | None) -> Path | None:
    """Where a data set is: in the folder, as a folder, an archive or a file, or at a place of its own."""
    wanted = [each.lower() for each in (*KNOWN.get(name, ()), name)]
    if folder is not None:
        entries = sorted(folder.iterdir())
        for each in wanted:
            for entry in entries:
                lower = entry.name.lower()
                if lower in (each, each + _ARCHIVE) or (entry.is_file() and entry.stem.lower() == each):
                    return entry
    own = Path(name)
    return own if name not in KNOWN and own.exists() else None


def shown_name(name: str) -> str:
    """The name of a data set in tables: of one that is given by its place, the last part."""
    return name if name in KNOWN else Path(name).name or name


@worded()
def read_dataset(name: str, place: Path, progress: Progress = silent) -> Reading:
    """Read all documents; copies, and texts under two names, are left out: the same text must not be learnt from and asked for."""
    with _folder(place) as path:
        corpus = read_corpus(path, ReadOptions(split="all", role="all"), part(progress, 0.0, 0.5), LAYOUTS)
        marked = read_corpus(path, ReadOptions(split="train", role="all"), part(progress, 0.5, 1.0), LAYOUTS)
    doubtful = {key for problem in corpus.blocking for key in problem.documents}
    least = LEAST_WORDS.get(name, 1)
    kept = tuple(
        document
        for document in corpus.active.documents
        if document.id not in doubtful and document.words >= least and not _blocked(document)
    )
    if len({document.author for document in kept}) < 2:
        raise InputError(f"'{place}' holds texts by fewer than two authors: there is nothing to compare.")
    training = {document.id for document in marked.documents}
    flags = np.array([document.id in training for document in kept])
    sources = tuple(document.sources for document in kept)
    authors = codes([document.author for document in kept])
    roster = Roster(authors, None if flags.all() else flags, sources if any(sources) else ())
    return Reading(shown_name(name), str(place), kept, roster, _fingerprint(kept, flags), len(corpus) - len(kept))


def counted(
    reading: Reading,
    model: LanguageModel,
    folder: Path,
    families: Sequence[str] = FAMILIES,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Path:
    """The folder with the counts of a data set, which are made unless they are there from a run that was interrupted."""
    key = " ".join((reading.fingerprint, model.key, model.function_words_sha256, *families))
    place = folder / hashlib.sha256(key.encode()).hexdigest()[:16]
    if not has_counts(place):
        save_counts(place, count_documents(reading.documents, model, families, jobs=jobs, progress=progress))
    return place


def in_memory(roster: Roster, folder: Path) -> Dataset:
    """A data set whose counts lie in a folder, with nothing mapped from files: fit to be sent to another machine."""
    counts = load_counts(folder)
    tables = tuple(replace(table, counts=table.counts.copy()) for table in counts.tables)
    return Dataset(roster, replace(counts, tables=tables))


def _blocked(document: Document) -> bool:
    return not document.text.strip()


def _fingerprint(documents: tuple[Document, ...], flags: Any) -> str:
    texts = Corpus(documents).fingerprint
    return hashlib.sha256(f"{texts} {np.packbits(flags).tobytes().hex()}".encode()).hexdigest()


@contextmanager
def _folder(place: Path) -> Iterator[Path]:
    """The place itself, or what is in the archive, for as long as it is read."""
    if not place.name.endswith(_ARCHIVE):
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="forensia-data-") as unpacked:
        try:
            with tarfile.open(place) as packed:
                packed.extractall(unpacked, filter="data")
        except (OSError, tarfile.TarError, EOFError) as error:
            raise InputError(f"The archive '{place}' cannot be read ({error}). Get it anew.") from error
        inside = list(Path(unpacked).iterdir())
        yield inside[0] if len(inside) == 1 and inside[0].is_dir() else Path(unpacked)

"""Counts of a data set on disk, as plain arrays that every process maps into memory instead of holding a copy.

The files hold words and n-grams of the documents, so they are for this user alone, and whoever made them takes them away.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.errors import StorageError
from forensia.features import Counts
from forensia.features.counts import CountTable
from forensia.features.keys import ArrayKeys, WordKeys

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

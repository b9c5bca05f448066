"""What is learnt from the texts and kept: groups of arrays (a model, a validation) as .npy blobs, never a pickle, and language analyses.

The header of a blob is compared with what the record says and with the length of the blob before an array is made of it, and
the array is a view of the bytes that were read: no claim of a file can make the program take memory.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import logging
import math
import re
import struct
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forensia import codec
from forensia.case.audit import stamp
from forensia.case.database import Database, label
from forensia.case.documents import Documents
from forensia.case.errors import CaseDamaged, CaseRefused, named
from forensia.case.storage import Json, decoded, encoded, sha256

Array = NDArray[Any]
KIND = "arrays"
BY_SOURCE = frozenset({"fused", "validation"})
"""The groups that rest on the sources of the texts: other sources outdate them, and nothing else."""

DTYPES = frozenset({"|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"})
"""Plain numbers, little-endian. Words go into the header of a group, or into bytes."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,79}")
_MAGIC = b"\x93NUMPY\x01\x00"
_LONGEST_HEADER = 4_096
_MOST_AXES = 8


class Claim(NamedTuple):
    """What the header of an .npy blob says, and where its numbers begin."""

    dtype: str
    shape: tuple[int, ...]
    start: int


@dataclass(frozen=True)
class _Described:
    """What the record of a group says of one array."""

    sha256: str
    dtype: str
    shape: tuple[int, ...]
    finite: bool

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES or not _is_shape(self.shape):
            raise ValueError("no array of ours")


@dataclass(frozen=True)
class _Group:
    """The record of a group of arrays."""

    header: dict[str, Json]
    arrays: dict[str, _Described]
    model: str
    basis: str
    time: str


class StoredArrays(Mapping[str, Array]):
    """A group as it is in the case: the header is there, an array is read and checked when it is asked for."""

    def __init__(self, database: Database, kind: str, record: Json) -> None:
        try:
            group = codec.typed(_Group, record)
        except codec.WrongShape as error:
            raise CaseDamaged(database.path, label(KIND, kind), "it is not described as arrays are") from error
        self.kind = kind
        self.header: Json = group.header
        self.model_hash = group.model
        self.basis = group.basis
        self.time = group.time
        self._parts = group.arrays
        self._record = record
        self._database = database

    def __getitem__(self, name: str) -> Array:
        part = self._parts[name]
        database = self._database
        with database.reading(label(KIND, self.kind, name)):
            if database.get(KIND, self.kind) != self._record:
                raise CaseRefused(f"'{self.kind}' was replaced in '{named(database.path)}' meanwhile. Read it again.")
            data = database.content(KIND, self.kind, name, part.sha256)
        try:
            return from_npy(data, part.dtype, part.shape, finite=part.finite)
        except ValueError as error:
            raise CaseDamaged(database.path, label(KIND, self.kind, name), str(error)) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def digest(self, name: str) -> str:
        """The hash of one array, without reading it."""
        return self._parts[name].sha256

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, without reading them."""
        return sum(math.prod(part.shape) * np.dtype(part.dtype).itemsize for part in self._parts.values())

    def load(self) -> dict[str, Array]:
        """All arrays; their hash together is compared too."""
        arrays = dict(self)
        if model_hash(arrays) != self.model_hash:
            raise CaseDamaged(self._database.path, label(KIND, self.kind), "its arrays do not belong together")
        return arrays


def model_hash(arrays: Mapping[str, Array]) -> str:
    """One hash over the names, types, shapes and numbers of arrays, the same on every machine and in every order."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape)
        digest.update(json.dumps([name, little.dtype.str, list(little.shape)]).encode() + b"\n")
        digest.update(little.reshape(-1).view(np.uint8).data if little.size else b"")
    return digest.hexdigest()


def to_npy(array: Array) -> bytes:
    """The .npy bytes of an array, without a pickle."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version=(1, 0), allow_pickle=False)
    return stream.getvalue()


def from_npy(data: bytes, dtype: str, shape: tuple[int, ...], *, finite: bool) -> Array:
    """The array of .npy bytes, read-only; raises ValueError unless type, shape, size and numbers are as they should be."""
    claim = claimed(data)
    if (claim.dtype, claim.shape) != (dtype, shape):
        raise ValueError("its type or shape is not the one that was stored")
    if math.prod(shape) * np.dtype(dtype).itemsize != len(data) - claim.start:
        raise ValueError("its shape does not fit its size")
    array: Array = np.frombuffer(data, np.dtype(dtype), offset=claim.start).reshape(shape)
    if dtype == "|b1" and array.size and int(array.view(np.uint8).max()) > 1:
        raise ValueError("it holds numbers that are neither true nor false")
    if finite and not _finite(array):
        raise ValueError("it holds numbers that are not finite")
    return array


def claimed(data: bytes) -> Claim:
    """What an .npy blob says of itself; raises ValueError for anything but plain numbers in C order."""
    if not data.startswith(_MAGIC) or len(data) < len(_MAGIC) + 2:
        raise ValueError("it is no array")
    (length,) = struct.unpack_from("<H", data, len(_MAGIC))
    start = len(_MAGIC) + 2 + length
    if length > _LONGEST_HEADER or start > len(data):
        raise ValueError("its header is cut short")
    try:
        header = ast.literal_eval(data[len(_MAGIC) + 2 : start].decode("ascii").strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("its header cannot be read") from error
    if not isinstance(header, dict) or header.keys() != {"descr", "fortran_order", "shape"}:
        raise ValueError("its header is not that of an array")
    dtype, shape = header["descr"], header["shape"]
    if (
        not isinstance(dtype, str)
        or dtype not in DTYPES
        or header["fortran_order"] is not False
        or not _is_shape(shape)
    ):
        raise ValueError("it holds something else than plain numbers")
    return Claim(dtype, shape, start)


def _sound(kind: str, name: str, array: Array, *, finite: bool) -> Array:
    what = f"The array '{name}' of '{kind}'"
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise CaseRefused(f"An array cannot be called {name!r}. Nothing was changed.")
    if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("<").str not in DTYPES:
        raise CaseRefused(f"{what} does not hold plain numbers. Nothing was changed.")
    if array.ndim > _MOST_AXES:
        raise CaseRefused(f"{what} has too many axes. Nothing was changed.")
    array = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape)
    if finite and not _finite(array):
        raise CaseRefused(f"{what} holds numbers that are not finite. Nothing was changed.")
    return array


def _finite(array: Array) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def _is_shape(shape: Json) -> bool:
    return (
        isinstance(shape, tuple)
        and len(shape) <= _MOST_AXES
        and all(type(length) is int and 0 <= length < 1 << 48 for length in shape)
    )


_log = logging.getLogger(__name__)
_BATCH_BYTES = 4_000_000
_BATCH = 500


class CaseCache:
    """Keeps language analyses in the case, many in one step; a context, so that the last ones are written too.

    They tell much about the texts, so they live with them and go with them.

    What cannot be stored (a case that is read-only) is kept as long as the object lives; what is damaged counts as missing and is
    made again, so no result can rest on it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[tuple[str, str], bytes] = {}
        self._bytes = 0

    def __enter__(self) -> CaseCache:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.flush()

    def get(self, text_hash: str, model_hash: str) -> bytes | None:
        """The analysis of a text by a model, or None."""
        waiting = self._waiting.get((text_hash, model_hash))
        if waiting is not None:
            return waiting
        try:
            with self._database.reading("the analyses") as connection:
                row = connection.execute(
                    "SELECT sha256, coding, size, data FROM analyses WHERE text = ? AND model = ?",
                    (text_hash, model_hash),
                ).fetchone()
            return None if row is None else analysis_of(text_hash, model_hash, *row)
        except (CaseDamaged, ValueError):
            _log.warning("A stored analysis is damaged and will be made again.")
            return None

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None:
        """Keep an analysis; it is written with others."""
        self._waiting[text_hash, model_hash] = data
        self._bytes += len(data)
        if not self._database.read_only and (self._bytes >= _BATCH_BYTES or len(self._waiting) >= _BATCH):
            self.flush()

    def flush(self) -> None:
        """Write what is waiting, in one step. It makes no entry in the log: it adds nothing to what the case says."""
        if self._database.read_only or not self._waiting:
            return
        with self._database.step():
            for (text, model), data in self._waiting.items():
                coding, small = encoded(data, deflate=True)
                self._database.connection.execute(
                    "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?, ?, ?, ?)",
                    (text, model, analysis_seal(text, model, data), coding, len(data), small),
                )
        self._waiting.clear()
        self._bytes = 0


def analysis_seal(text: str, model: str, data: bytes) -> str:
    """The hash of an analysis, bound to the text and the model it is of."""
    return sha256(f"{text}\0{model}\0".encode() + data)


def analysis_of(text: str, model: str, digest: object, coding: object, size: object, data: object) -> bytes:
    """A stored analysis; raises ValueError unless it is what was stored."""
    analysis = decoded(coding, size, data)
    if analysis_seal(text, model, analysis) != digest:
        raise ValueError("not as it was stored")
    return analysis


class Models:
    """The groups of arrays of a case, one of a kind, and the analyses of its texts."""

    def __init__(self, database: Database, documents: Documents) -> None:
        self._database = database
        self._documents = documents

    def store(
        self,
        kind: str,
        header: Mapping[str, Json],
        contents: Mapping[str, Array],
        not_finite: Collection[str] = (),
    ) -> str:
        """Put a group of arrays in place of the one of its kind; return its hash. Only those in `not_finite` may hold NaN."""
        if not NAME.fullmatch(kind):
            raise CaseRefused(f"A group of arrays cannot be called {kind!r}. Nothing was changed.")
        unknown = set(not_finite) - set(contents)
        if unknown:
            raise CaseRefused(f"There is no array {sorted(unknown)[0]!r} in '{kind}'. Nothing was changed.")
        database, basis = self._database, self._documents.basis(sources=kind in BY_SOURCE)
        arrays = {name: _sound(kind, name, array, finite=name not in not_finite) for name, array in contents.items()}
        digest = model_hash(arrays)
        parts = {}
        with database.step():
            database.delete(KIND, kind)
            for name, array in arrays.items():
                data = to_npy(array)
                database.put_content(KIND, kind, name, data, deflate=False)
                parts[name] = _Described(sha256(data), array.dtype.str, array.shape, name not in not_finite)
            record = {"header": dict(header), "arrays": codec.plain(parts), "model": digest, "basis": basis}
            database.put(KIND, kind, {**record, "time": stamp(database.clock())})
            database.note("arrays stored", {"kind": kind, "arrays": len(parts), "model": digest, "basis": basis})
        return digest

    def get(self, kind: str) -> StoredArrays | None:
        """A group of arrays, each read when it is asked for; None when there is none."""
        record = self._database.get(KIND, kind)
        return None if record is None else StoredArrays(self._database, kind, record)

    def hashes(self) -> dict[str, str]:
        """The groups there are, with the hash of each."""
        with self._database.reading("the arrays"):
            groups = ((kind, self.get(kind)) for kind in self._database.names(KIND))
            return {kind: group.model_hash for kind, group in groups if group is not None}

    def is_current(self, kind: str) -> bool:
        """Whether a group of arrays rests on the documents and settings as they now are."""
        group = self.get(kind)
        return group is not None and self.rests_on(kind, group.basis)

    def rests_on(self, kind: str, basis: str) -> bool:
        """Whether this is the basis of a group of arrays as the case now is; version 0.1 took no notice of sources."""
        return basis == self._documents.basis() or (kind in BY_SOURCE and basis == self._documents.basis(sources=True))

    def remove(self, kind: str) -> None:
        """Take a group of arrays out."""
        with self._database.step():
            self._database.delete(KIND, kind)
            self._database.note("arrays removed", {"kind": kind})

    def analyses(self) -> CaseCache:
        """The cache of language analyses; a context, or call `flush` at the end."""
        return CaseCache(self._database)

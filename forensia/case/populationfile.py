"""A population as one file: a header in JSON and plain arrays, deflated, under one hash. It may come from anybody.

Nothing of it is used before the hash of all of it was compared, and no claim of the header can make the program take more memory than
the file may hold.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

from forensia import __version__, files
from forensia.case.arrays import claimed, from_npy, to_npy
from forensia.case.errors import named
from forensia.case.runs import same_engine
from forensia.case.storage import decoded, encoded, pack, unpack
from forensia.corpus.document import FileProblem
from forensia.corpus.walking import read_bytes
from forensia.errors import InputError, StorageError
from forensia.evidence.population import Population

ENDING = ".population"
_FORMAT = 1
_MAGIC = b"Forensia population\n"
_HASH = hashlib.sha256().digest_size
_LENGTH = struct.Struct("<Q")  # of the header
_LARGEST = 600_000_000  # bytes of a file
_MOST = 2_000_000_000  # bytes of all arrays


def write_population(population: Population, target: Path) -> None:
    """Write a population into a new file, for this user alone: much of the texts can be put together again from it."""
    refuse_existing(target)
    arrays, about = population.to_arrays()
    parts, blobs = [], []
    for name, array in arrays.items():
        data = to_npy(array)
        coding, stored = encoded(data, deflate=True)
        parts.append({"name": name, "coding": coding, "size": len(data), "stored": len(stored)})
        blobs.append(stored)
    found = {"format": _FORMAT, "program": __version__, "population": about, "parts": parts}
    header = pack(found, "header of a population").encode("ascii")
    body = b"".join((_LENGTH.pack(len(header)), header, *blobs))
    data = _MAGIC + hashlib.sha256(body).digest() + body
    if len(data) > _LARGEST:
        raise StorageError(
            f"The population is too large for a file ({len(data):,} bytes). Take fewer texts, or shorter ones."
        )
    files.write(target, data, private=True)


def refuse_existing(target: Path) -> None:
    """A file that is there already stays as it is."""
    if target.exists():
        raise StorageError(f"There is already a file '{named(target)}'. Choose another name.")


def open_population(path: Path) -> Population:
    """The population of a file; one that is damaged, or was made by a version that counts other features, is refused."""
    try:
        data = read_bytes(str(path), _LARGEST)
    except FileProblem as problem:
        raise FileProblem(problem.about(named(path))) from problem
    return read_population(data, path)


def read_population(data: bytes, path: Path) -> Population:
    """The population of the bytes of such a file."""
    if not data.startswith(_MAGIC):
        raise InputError(f"'{named(path)}' is not a Forensia population. Choose a file that `population make` wrote.")
    start = len(_MAGIC) + _HASH + _LENGTH.size
    if hashlib.sha256(data[len(_MAGIC) + _HASH :]).digest() != data[len(_MAGIC) : len(_MAGIC) + _HASH]:
        raise _damaged(path)
    try:
        end = start + _LENGTH.unpack_from(data, start - _LENGTH.size)[0]
        header = unpack(data[start:end].decode("ascii"))
        program, parts = str(header["program"]), header["parts"]
    except (KeyError, TypeError, ValueError, struct.error) as error:
        raise _damaged(path) from error
    if header.get("format") != _FORMAT or not same_engine(program):
        raise InputError(
            f"'{named(path)}' was made by Forensia {program[:20]!a}, which counts other features than this version. Make it again "
            "from its texts, or ask whoever made it."
        )
    try:
        if sum(part["size"] for part in parts) > _MOST:
            raise ValueError("too large")
        arrays = {}
        for part in parts:
            start, end = end, end + int(part["stored"])
            blob = decoded(part["coding"], part["size"], data[start:end])
            claim = claimed(blob)
            arrays[part["name"]] = from_npy(blob, claim.dtype, claim.shape, finite=True)
        if end != len(data):
            raise ValueError("of another length")
        return Population.from_arrays(arrays, header["population"])
    except (AttributeError, KeyError, TypeError, ValueError, InputError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> InputError:
    return InputError(
        f"'{named(path)}' is damaged, and nothing of it was used. Ask for another copy, or make it again from its texts."
    )

"""The file of a population: what is written is read, and nothing else is."""

from __future__ import annotations

import hashlib
import json
import stat
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forensia
from forensia.case import populationfile
from forensia.case.populationfile import open_population, read_population, write_population
from forensia.errors import ForensiaError, InputError, StorageError
from forensia.evidence.population import Population
from forensia.language import load_model
from support.populations import documents

MAGIC = b"Forensia population\n"
START = len(MAGIC) + 32  # of what the hash is about


@pytest.fixture(scope="module")
def population() -> Population:
    return Population.of(documents(), load_model(), "sample", "Made-up letters")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, population: Population) -> bytes:
    target = tmp_path_factory.mktemp("made") / "a.population"
    write_population(population, target)
    return target.read_bytes()


def hashed(body: bytes) -> bytes:
    """A file whose hash is right, whatever it holds."""
    return MAGIC + hashlib.sha256(body).digest() + body


def with_header(made: bytes, change: Callable[[Any], object]) -> bytes:
    """The file with another header."""
    (length,) = struct.unpack_from("<Q", made, START)
    header = json.loads(made[START + 8 : START + 8 + length])
    change(header)
    text = json.dumps(header).encode()
    return hashed(struct.pack("<Q", len(text)) + text + made[START + 8 + length :])


def arrays(population: Population) -> dict[str, list[Any]]:
    return {name: array.tolist() for name, array in population.to_arrays()[0].items()}


def test_what_is_written_is_read(population: Population, made: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.population"
    path.write_bytes(made)
    read = open_population(path)
    assert read.record == population.record and arrays(read) == arrays(population)
    again = tmp_path / "b.population"
    write_population(read, again)
    assert again.read_bytes() == made, "the same population is the same file"


def test_no_text_can_be_read_in_it(made: bytes, population: Population) -> None:
    header = made[START + 8 :]
    inflated = header + b"".join(array.tobytes() for array in population.to_arrays()[0].values())
    for each in documents():
        assert each.text[:30].encode() not in inflated and b"take the rope" not in inflated


def test_a_file_that_is_there_stays_and_is_for_its_user(population: Population, tmp_path: Path) -> None:
    path = tmp_path / "a.population"
    write_population(population, path)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(StorageError, match="already"):
        write_population(population, path)
    assert path.read_bytes() == before


def test_every_flipped_byte_is_refused(made: bytes) -> None:
    step = max(1, len(made) // 3_000)
    for place in {*range(START + 300), *range(0, len(made), step)}:
        forged = bytearray(made)
        forged[place] ^= 1 << place % 8
        with pytest.raises(InputError):
            read_population(bytes(forged), Path("a.population"))


@given(data=st.data())
def test_a_file_that_is_cut_or_longer_is_refused(made: bytes, data: st.DataObject) -> None:
    cut = made[: data.draw(st.integers(0, len(made) - 1))]
    for forged in (cut, made + data.draw(st.binary(min_size=1, max_size=9))):
        with pytest.raises(InputError):
            read_population(forged, Path("a.population"))


@given(data=st.data())
@settings(max_examples=300)
def test_a_forged_file_with_a_right_hash_is_refused_or_is_a_population(made: bytes, data: st.DataObject) -> None:
    """Nothing but the one kind of error, whatever is in it."""
    (length,) = struct.unpack_from("<Q", made, START)
    last = data.draw(st.sampled_from((9, length + 8, len(made) - START)))  # its length, the header, anywhere
    body = bytearray(made[START:])
    for _ in range(data.draw(st.integers(1, 3))):
        body[data.draw(st.integers(0, last - 1))] = data.draw(st.integers(0, 255))
    try:
        read = read_population(hashed(bytes(body)), Path("a.population"))
    except InputError:
        return
    assert len(read.texts().labels) == len(read)


def test_another_version_is_refused(made: bytes) -> None:
    path = Path("a.population")
    for change in ({"program": "0.1.0"}, {"program": "9.9.0"}, {"format": 2}):
        with pytest.raises(InputError, match="other features"):
            read_population(with_header(made, lambda header, change=change: header.update(change)), path)
    ours = ".".join((*forensia.__version__.split(".")[:2], "99"))
    assert read_population(with_header(made, lambda header: header.update(program=ours)), path)


def test_claims_take_no_memory(made: bytes) -> None:
    """A part that claims to be huge, parts that do so together, and one that inflates to more than it claims."""

    def huge(header: Any) -> None:
        header["parts"][0]["size"] = 900_000_000

    def many(header: Any) -> None:
        header["parts"] *= 1 + 2_000_000_000 // sum(part["size"] for part in header["parts"])

    def negative(header: Any) -> None:
        header["parts"][0]["stored"] = -5

    def small(header: Any) -> None:
        header["parts"][1]["size"] = 3

    for change in (huge, many, negative, small):
        with pytest.raises(InputError, match="damaged"):
            read_population(with_header(made, change), Path("a.population"))


def test_other_files_are_not_populations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, data in (("empty", b""), ("text", b"Forensia popul"), ("packed", zlib.compress(b"a" * 99))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match="not a Forensia population"):
            open_population(tmp_path / name)
    with pytest.raises(ForensiaError):
        open_population(tmp_path / "missing")
    monkeypatch.setattr(populationfile, "_LARGEST", 50)
    (tmp_path / "large").write_bytes(MAGIC * 9)
    with pytest.raises(ForensiaError):
        open_population(tmp_path / "large")

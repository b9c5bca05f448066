"""Arrays come back bit for bit, or not at all: type, shape, size and numbers are checked before one is made."""

from __future__ import annotations

import io
import struct
import tracemalloc
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from forensia.case import Case, CaseDamaged, CaseRefused, model_hash
from forensia.case.arrays import DTYPES, claimed, from_npy, to_npy


def _npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode("latin-1") + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def test_arrays_come_back_as_they_were(case: Case, samples: ModuleType) -> None:
    arrays = samples.arrays()
    digest = case.models.store("pair model", {"c": 10.0}, arrays, not_finite=["matrix"])
    group = case.models.get("pair model")
    assert group is not None and group.header == {"c": 10.0} and group.model_hash == digest == model_hash(arrays)
    assert set(group) == set(arrays) and group.nbytes == sum(each.nbytes for each in arrays.values())
    for name, array in group.load().items():
        assert array.dtype == arrays[name].dtype
        np.testing.assert_array_equal(array, arrays[name], strict=True)
        assert not array.flags.writeable
    assert case.models.get("none") is None and case.models.hashes() == {"pair model": digest}


@settings(max_examples=60)
@given(
    hnp.arrays(
        st.sampled_from(sorted(DTYPES)).map(np.dtype),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    )
)
def test_any_plain_array_survives(array: np.ndarray) -> None:  # type: ignore[type-arg]
    back = from_npy(to_npy(array), array.dtype.str, array.shape, finite=False)
    assert back.dtype == array.dtype and back.shape == array.shape and back.tobytes() == array.tobytes()


def test_order_and_byte_order_are_no_content(case: Case) -> None:
    array = np.arange(12.0).reshape(3, 4)
    fortran, big = np.asfortranarray(array), array.astype(">f8")
    digests = {case.models.store("space", {}, {"a": each, "b": each}) for each in (array, fortran, big)}
    assert len(digests) == 1 == len({model_hash({"a": each, "b": each}) for each in (array, fortran, big)})
    group = case.models.get("space")
    assert group is not None and group["a"].dtype.str == "<f8"
    np.testing.assert_array_equal(group["a"], array)


def test_the_hash_tells_everything_apart() -> None:
    array = np.arange(6)
    different = [
        {"a": array},
        {"b": array},
        {"a": array.astype(np.int32)},
        {"a": array.reshape(2, 3)},
        {"a": array.reshape(3, 2)},
        {"a": array[::-1]},
        {"a": array, "b": array},
        {"a": array[:3], "b": array[3:]},
        {},
    ]
    assert len({model_hash(each) for each in different}) == len(different)
    assert model_hash({"a": array, "b": array[:2]}) == model_hash({"b": array[:2], "a": array})


@pytest.mark.parametrize(
    "array",
    [
        np.array(["word"]),
        np.array([b"x"]),
        np.array([None, {}], dtype=object),
        np.array([1j]),
        np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.longdouble([1.0]),
        np.zeros((1,) * 9),
        [1, 2, 3],
    ],
    ids=lambda each: str(getattr(each, "dtype", type(each))),
)
def test_only_plain_numbers_are_taken(case: Case, array: np.ndarray) -> None:  # type: ignore[type-arg]
    with pytest.raises(CaseRefused):
        case.models.store("space", {}, {"a": array})
    assert case.models.hashes() == {}


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_numbers_that_are_not_finite_are_refused(case: Case, value: float, kind: type) -> None:
    array = np.array([1.0, value], kind)
    with pytest.raises(CaseRefused, match="not finite"):
        case.models.store("space", {}, {"a": array})
    case.models.store("space", {}, {"a": array}, not_finite=["a"])
    group = case.models.get("space")
    assert group is not None
    np.testing.assert_array_equal(group["a"], array)


def test_names_are_plain_and_known(case: Case) -> None:
    for kind, name in (("", "a"), ("space", "\n"), ("space", "x" * 99), ("ü", "a"), ("../x", "a")):
        with pytest.raises(CaseRefused):
            case.models.store(kind, {}, {name: np.arange(2)})
    with pytest.raises(CaseRefused, match="no array 'b'"):
        case.models.store("space", {}, {"a": np.arange(2)}, not_finite=["b"])


def test_a_group_that_was_replaced_says_so(case: Case) -> None:
    case.models.store("space", {}, {"a": np.arange(4)})
    old = case.models.get("space")
    case.models.store("space", {}, {"a": np.arange(5)})
    assert old is not None
    with pytest.raises(CaseRefused, match="replaced"):
        old["a"]


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\x93NUMPY",
        b"\x80\x04\x95" + b"0" * 100,
        b"\x93NUMPY\x01\x00\xff\xff",
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"),
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", b"\0" * 8),
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (True,)}", b"\0" * 8),
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", b"\0" * 8),
        _npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}", b"\0" * 8),
        _npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", b"\0" * 8),
        _npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", b"\0" * 8),
        _npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", b"\0" * 8),
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}", b"\0" * 8),
        _npy("__import__('os').system('true')", b"\0" * 8),
        _npy("(" * 2000, b"\0" * 8),
        _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999)}", b"\0" * 8),
    ],
    ids=range(16),
)
def test_forged_blobs_are_refused_before_memory_is_taken(blob: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            from_npy(blob, "<f8", (1,), finite=True)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@settings(max_examples=200)
@given(st.binary(max_size=80), st.booleans())
def test_no_blob_makes_it_raise_anything_else(data: bytes, magic: bool) -> None:
    blob = b"\x93NUMPY\x01\x00" + data if magic else data
    try:
        claim = claimed(blob)
        array = from_npy(blob, claim.dtype, claim.shape, finite=True)
    except ValueError:
        return
    assert np.isfinite(array).all()


def test_our_reading_agrees_with_numpy(samples: ModuleType) -> None:
    for array in samples.arrays().values():
        data = to_npy(array)
        theirs = np.load(io.BytesIO(data), allow_pickle=False)
        np.testing.assert_array_equal(from_npy(data, array.dtype.str, array.shape, finite=False), theirs, strict=True)


def test_true_and_false_are_one_and_zero() -> None:
    data = bytearray(to_npy(np.array([True, False])))
    data[-1] = 7
    with pytest.raises(ValueError, match="neither"):
        from_npy(bytes(data), "|b1", (2,), finite=True)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
def test_records_that_lie_about_arrays_are_refused(full: Case, data: st.DataObject) -> None:
    """Whoever made the file could seal what he liked: the shape of a record is checked all the same."""
    record = full.database.get("arrays", "space")
    key = data.draw(st.sampled_from(["header", "arrays", "model", "basis", "time"]))
    forged = {**record, key: data.draw(st.sampled_from([None, 3, [], {"idf": None}, {"idf": {"dtype": []}}]))}
    with pytest.raises(RuntimeError, match="on purpose"), full.step():
        full.database.put("arrays", "space", forged)
        full.log.note("forged")
        try:
            full.models.get("space")
            assert key == "header" and isinstance(forged[key], dict)
        except CaseDamaged as damage:
            assert damage.part == "the arrays space"
        raise RuntimeError("on purpose")

"""What is kept comes back equal, through JSON; nothing of another shape is taken."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia import codec
from forensia.codec import WrongShape
from forensia.evidence.calibration import Bounds
from forensia.evidence.result import (
    LAZY,
    STACKED,
    Alternative,
    Candidate,
    Condition,
    Known,
    LikelihoodRatio,
    Opinion,
    PairResult,
    Placed,
    Reason,
    Result,
)
from forensia.evidence.summary import ValidationSummary

KINDS = (Result, ValidationSummary, PairResult)
WRONG = [[["x"]]]  # no field of ours has this shape

SIMPLE: Mapping[Any, st.SearchStrategy[Any]] = {
    str: st.text(st.characters(), max_size=6),  # with the halves of characters that names of files can have
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type, as its fields say it."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if origin is Literal:
        return st.sampled_from(inside)
    if origin in (Union, types.UnionType):
        return st.one_of(*(values(each) for each in inside))
    if origin is tuple and inside[-1] is Ellipsis:
        return st.lists(values(inside[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(each) for each in inside))
    if origin is Mapping:
        return st.dictionaries(values(inside[0]), values(inside[1]), max_size=2)
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    hints = get_type_hints(kind)
    return st.builds(kind, **{each.name: values(hints[each.name]) for each in dataclasses.fields(kind)})


VALUES = {kind: values(kind) for kind in KINDS}
some = settings(max_examples=25)


def kept(value: object) -> Any:
    """As a case keeps it."""
    return json.loads(json.dumps(codec.plain(value), allow_nan=False))


def places(data: Any, put: Callable[[Any], None]) -> Iterator[Callable[[Any], None]]:
    """For each place in some JSON, what puts something else there."""
    yield put
    if isinstance(data, dict):
        for key in data:
            yield from places(data[key], lambda value, key=key: data.__setitem__(key, value))
    elif isinstance(data, list):
        for number in range(len(data)):
            yield from places(data[number], lambda value, number=number: data.__setitem__(number, value))


@pytest.fixture
def result() -> Result:
    ratio = LikelihoodRatio(1.0, (0.5, 1.0), Alternative.UNLISTED, Bounds(-1.0, 1.0, 20, 200), "upper")
    systems = {LAZY: Placed(0.9, 1, True), STACKED: Placed(0.8, 1, True)}
    return Result(
        document="a" * 16, file="letter.txt", sha256="b" * 64, words=900, condition=Condition(words=640),
        candidates=(Candidate("Ann", 5, 3, systems, ratio, None, ratio, 0.25),), known=Known(("1.txt",), ("Ann",)),
        pair_scores=(0.9,), k=3, opinion=Opinion("none given", "Ann", (Reason("few-words", {"words": 90}),), 0.02),
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@some
@given(data=st.data())
def test_what_goes_in_comes_back_equal(kind: type[Any], data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    again = codec.typed(kind, kept(value))
    assert again == value and type(again) is kind
    assert codec.plain(again) == codec.plain(value)


def test_what_was_looked_up_is_not_kept(result: Result) -> None:
    before = codec.plain(result)
    assert result.by_author and result.votes == ()
    assert codec.plain(result) == before
    assert before.keys() == {each.name for each in dataclasses.fields(Result)}


@pytest.mark.parametrize("kind", KINDS)
@some
@given(data=st.data())
def test_another_shape_anywhere_is_refused(kind: type[Any], data: st.DataObject) -> None:
    whole = {"kept": kept(data.draw(VALUES[kind]))}
    put = data.draw(st.sampled_from(list(places(whole["kept"], lambda value: whole.__setitem__("kept", value)))))
    put(WRONG)
    with pytest.raises(WrongShape):
        codec.typed(kind, whole["kept"])


@pytest.mark.parametrize("kind", KINDS)
@some
@given(data=st.data())
def test_a_field_that_is_missing_is_refused(kind: type[Any], data: st.DataObject) -> None:
    needed = [
        each.name
        for each in dataclasses.fields(kind)
        if each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
    ]
    stored = kept(data.draw(VALUES[kind]))
    del stored[data.draw(st.sampled_from(needed))]
    with pytest.raises(WrongShape):
        codec.typed(kind, stored)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("kind", KINDS)
@some
@given(data=JSON)
def test_what_is_none_of_ours_is_refused(kind: type[Any], data: object) -> None:
    with pytest.raises(WrongShape):
        codec.typed(kind, data)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("words",), "900"),
        (("words",), 900.5),
        (("words",), True),
        (("file",), None),
        (("pair_scores",), [0.9, "0.8"]),
        (("opinion", "kind"), "perhaps"),
        (("opinion", "family_p"), "0.02"),
        (("condition", "source"), "old"),
        (("candidates", 0, "headline", "interval"), [0.5, 0.7, 1.0]),
        (("candidates", 0, "headline", "alternative"), "nobody"),
        (("candidates", 0, "headline", "reached"), "both"),
        (("candidates", 0, "systems", "lazy"), [0.9, 1, True]),
    ],
    ids=lambda each: "/".join(map(str, each)) if isinstance(each, tuple) else repr(each),
)
def test_nothing_is_bent_into_shape(result: Result, place: tuple[Any, ...], value: object) -> None:
    stored = kept(result)
    inner = stored
    for step in place[:-1]:
        inner = inner[step]
    assert inner[place[-1]] != value
    inner[place[-1]] = value
    with pytest.raises(WrongShape):
        codec.typed(Result, stored)


def test_a_field_that_a_later_version_added_is_passed_over(result: Result) -> None:
    assert codec.typed(Result, {**kept(result), "later": {"more": 1}}) == result

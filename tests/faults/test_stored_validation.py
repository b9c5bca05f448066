"""FAULTS 54: a stored validation that somebody has forged, in a case with sound seals. It is refused in one sentence, or can be used."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from forensia import __version__, cli, paths
from forensia.case import Case, CaseDamaged
from forensia.case.session import FUSED, VALIDATION, open_judge, open_summary, open_validation
from forensia.errors import InputError, SettingsError
from forensia.evidence.pairwise import KINDS
from forensia.evidence.rung import Rung
from forensia.evidence.summary import summarise
from forensia.evidence.validation import Validation
from forensia.evidence.validationstore import from_arrays, pairs_to_arrays, to_arrays, with_stored_pairs
from forensia.systems.fusion import Fusion

Arrays = dict[str, NDArray[Any]]
Stored = tuple[Arrays, dict[str, Any]]
KEPT = (2, 5)  # function words, which are words, and layout, which is n-grams: the small families of the six
ANY_LENGTH = ("data", "indices", "keys", "mask", "resampled", *(f"{kind}/0" for kind in KINDS))


def kept(fusion: Fusion) -> Fusion:
    return replace(fusion, weights=fusion.weights[list(KEPT)], spread=fusion.spread[list(KEPT)])


def shortened(rung: Rung) -> Rung:
    left_out = [number for number in range(6) if number not in KEPT]
    calibration = rung.calibration
    resampled = np.delete(calibration.resampled, left_out, axis=1)
    return replace(
        rung,
        scores=rung.scores.without(*left_out),
        calibration=replace(calibration, fusion=kept(calibration.fusion), resampled=resampled),
    )


@pytest.fixture(scope="module")
def stored(validated_case: Path) -> Stored:
    """A validation of two families, of whole and of joined texts from a new and a known source, as it is kept."""
    with Case.open(validated_case, read_only=True) as case:
        whole = open_validation(case)
    system = replace(
        whole.system,
        families=tuple(whole.system.families[number] for number in KEPT),
        fusion=kept(whole.system.fusion),
    )
    rungs = tuple(shortened(rung) for rung in whole.rungs if not rung.words or rung.joined is not None)
    assert [(rung.condition.source, rung.condition.texts) for rung in rungs] == [
        ("new", 1),
        ("new", 2),
        ("known", 1),
    ]
    arrays, header = to_arrays(replace(whole, system=system, rungs=rungs))
    return arrays, json.loads(json.dumps(header, allow_nan=False))


@pytest.fixture(scope="module")
def stored_pairs(validated_case: Path) -> Stored:
    """What is kept of the diff-vector part, of one length and two families."""
    with Case.open(validated_case, read_only=True) as case:
        whole = open_validation(case)
    found = whole.pairwise
    assert found is not None and found.fusion is not None and found.strangers is not None
    pairs = {kind: {0: getattr(found, kind)[0]} for kind in KINDS}
    arrays, header = pairs_to_arrays(replace(whole, pairwise=replace(found, fusion=kept(found.fusion), **pairs)))
    return arrays, json.loads(json.dumps(header, allow_nan=False))


def refused(arrays: Arrays, header: dict[str, Any], fused: Validation | None = None) -> None:
    """As the fused part, or as what the diff-vector part adds to it."""
    with pytest.raises(
        InputError, match=r"^The stored (features are|validation is) damaged\. Train the model again\.$"
    ):
        from_arrays(arrays, header) if fused is None else with_stored_pairs(fused, arrays, header)


def test_what_was_stored_is_read(stored: Stored) -> None:
    arrays, header = to_arrays(from_arrays(*stored))
    assert json.loads(json.dumps(header)) == stored[1] and arrays.keys() == stored[0].keys()
    assert all(
        np.array_equal(array, stored[0][name]) and array.dtype == stored[0][name].dtype
        for name, array in arrays.items()
    )


def forged(name: str, array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The array in other shapes and types, and with what no number may be."""
    yield array[None]
    yield np.ones(array.shape, np.float16)
    if not name.endswith(ANY_LENGTH):
        yield array[:-1]
        yield np.concatenate((array, array[-1:]))
    if array.dtype.kind == "f":
        for value in (np.nan, np.inf):
            spoilt = array.copy()
            spoilt.flat[-1] = value
            yield spoilt


def test_arrays_that_do_not_fit_together_are_refused(stored: Stored) -> None:
    arrays, header = stored
    for name, array in arrays.items():
        if not name.endswith(
            "halved"
        ):  # with one source of every author hardly anything is missing, and nothing is halved
            refused({other: kept for other, kept in arrays.items() if other != name}, header)
        for spoilt in forged(name, array):
            refused({**arrays, name: spoilt}, header)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("codes", 0, 10**15), ("codes", 0, -1), ("learnt/codes", 0, -1), ("learnt/codes", 0, 3),
        ("kept", 0, 1), ("kept", -1, 10**6),
        ("layout/indices", 0, 10**9),
        ("layout/indices", 0, -1),
        ("layout/indptr", 3, 0), ("layout/indptr", -1, 5), ("layout/rarity", 0, 0.0), ("layout/rarity", 0, -1.0), ("layout/keys", 0, 2**31),
        ("function words/keys", 0, 255), ("fusion", (0, 0), -0.5), ("fusion", (0, 1), 0.0), ("new/0/fusion", (1, 0), -0.5),
        ("known/0/fusion", (1, 1), 0.0), ("new/0/inside", (0, 0, 1), -1e9), ("known/0/inside", (0, 0, 1), -1e9),
        ("0/outside", (3, 9, 0), -1e9),
        ("new/halved", (0, 0), 1.5), ("new/halved", (0, 0), -0.5), ("new/halved", (1, 0), -0.5), ("new/halved", (2, 0), -0.5),
    ],
)  # fmt: skip
def test_numbers_out_of_their_range_are_refused(stored: Stored, name: str, place: Any, value: float) -> None:
    arrays, header = stored
    spoilt = arrays[name].copy()
    spoilt[place] = value
    assert not np.array_equal(spoilt, arrays[name])
    refused({**arrays, name: spoilt}, header)


def joined_of(stored: Stored, source: str) -> tuple[str, NDArray[Any]]:
    """The name of the array that says which texts were joined, and a copy of it."""
    (name,) = (each for each in stored[0] if each.startswith(f"{source}/") and each.endswith("/joined"))
    return name, stored[0][name].copy()


def test_texts_are_joined_as_they_can_be(stored: Stored) -> None:
    """Whoever joins three of them, those of two authors, none at all, or leaves a number out, is refused."""
    arrays, header = stored
    name, joined = joined_of(stored, "new")
    first, second = np.flatnonzero(joined == 0), np.flatnonzero(joined == 1)
    other = int(np.flatnonzero((joined >= 0) & (arrays["codes"] != arrays["codes"][first[0]]))[0])
    three, two_authors, gap = joined.copy(), joined.copy(), joined.copy()
    three[second[0]] = 0
    two_authors[first[0]], two_authors[other] = joined[other], joined[first[0]]
    gap[second] = joined.max() + 1
    for wrong in (three, two_authors, gap, np.full_like(joined, -1), np.zeros_like(joined), joined - 1, joined + 2**40):
        refused({**arrays, name: wrong}, header)


def with_condition(header: dict[str, Any], place: int, **changed: Any) -> dict[str, Any]:
    """A copy of a header with another condition of a rung."""
    copy = deepcopy(header)
    copy["rungs"][place]["condition"].update(changed)
    return copy


def test_conditions_that_cannot_be_are_refused(stored: Stored) -> None:
    arrays, header = stored
    words = header["rungs"][1]["condition"]["words"]
    for place, changed in (
        (0, {"source": "unknown"}), (0, {"source": "somewhere"}), (0, {"source": "known"}), (2, {"source": "new"}), (0, {"words": -1}),
        (1, {"words": -words}), (1, {"words": 10**6}), (1, {"words": None}), (1, {"texts": 1}), (1, {"texts": 3}), (1, {"texts": 0}),
        (1, {"texts": -2}), (0, {"texts": 2}), (1, {"texts": 10**400}), (1, {"words": "many"}),
        (0, {"median": -1}), (0, {"median": "long"}),
    ):  # fmt: skip
        refused(arrays, with_condition(header, place, **changed))


def test_there_is_always_a_known_source_and_whole_texts_come_first(stored: Stored) -> None:
    arrays, header = stored
    new, joined, known = header["rungs"]
    for wrong in (
        [],
        [new, joined],
        [new],
        [joined, known],
        [joined, new, known],
        [new, known, known],
        [new, new, known],
    ):
        refused(arrays, {**header, "rungs": wrong})
    assert from_arrays(arrays, {**header, "rungs": [known]}).source == "known"
    for told in (None, 1, "yes"):
        refused(arrays, {**header, "told": told})


def test_texts_that_are_drawn_together_are_of_one_author(stored: Stored) -> None:
    """Else authors would go missing in resamples."""
    arrays, header = stored
    for name in [each for each in arrays if each.endswith("/units")]:
        units = arrays[name]
        for wrong in (np.zeros_like(units), np.arange(len(units)) // 7):
            refused({**arrays, name: wrong.astype(np.int64)}, header)
        renamed = {**arrays, name: -(units + 2**40)}
        assert summarise(from_arrays(renamed, header)) is not None, "what they are called is of no account"


def test_the_diff_vector_part_is_looked_at_too(stored: Stored, stored_pairs: Stored) -> None:
    fused, (arrays, header) = from_arrays(*stored), stored_pairs
    again, plain = pairs_to_arrays(with_stored_pairs(fused, arrays, header))
    assert json.loads(json.dumps(plain)) == header and again.keys() == arrays.keys()
    for name, array in arrays.items():
        refused({other: kept for other, kept in arrays.items() if other != name}, header, fused)
        for spoilt in forged(name, array):
            refused({**arrays, name: spoilt}, header, fused)
    for name, place, value in (
        ("lazy", 0, 10), ("lazy", 0, -1), ("stacked", 0, 2**62), ("stacked", 0, -1), ("fusion", (0, 0), -0.5), ("fusion", (1, 1), 0.0),
    ):  # fmt: skip
        spoilt = arrays[name].copy()
        spoilt[place] = value
        refused({**arrays, name: spoilt}, header, fused)
    for wrong in ({"colours": 0.5}, {"fused": 1.5}):
        refused(arrays, {**header, "strangers": {**header["strangers"], "auc": wrong}}, fused)


@pytest.mark.parametrize("wrong", [{"median_words": 10**400}, {"median_words": -1.0}, {"known": "many"}])
def test_lengths_and_counts_that_cannot_be_are_refused(stored: Stored, wrong: dict[str, Any]) -> None:
    arrays, header = stored
    refused(arrays, {**header, **wrong})


def test_an_author_more_or_less_is_refused(stored: Stored) -> None:
    """Each by itself is sound; they are not of one case."""
    arrays, header = stored
    refused(arrays, {**header, "authors": header["authors"][:-1]})
    fewer = {name: array[:-1] for name, array in arrays.items() if name in ("codes", "learnt/codes", "kept")}
    refused({**arrays, **fewer}, header)
    refused({**arrays, "codes": np.where(arrays["codes"] == 0, 3, arrays["codes"])}, header)
    refused(arrays, {**header, "system": {"families": {"layout": 0.3}}})
    refused(arrays, {**header, "system": {"families": {}}})
    refused(arrays, {**header, "system": {"families": {**header["system"]["families"], "layout": -0.3}}})
    refused({**arrays, "colours/keys": arrays["layout/keys"]}, {**header, "system": {"families": {"colours": 0.3}}})


JUNK = st.sampled_from(
    [None, True, 0, -1, -1.5, 10**15, 10**400, "", "text", "12", [], {}, [[]], [{}], [1, 2], {"words": 1}]
)


def places(value: Any, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """Every place in a header, from the top down."""
    for place in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*above, place)
        yield from places(value[place], *above, place)


def with_junk(header: dict[str, Any], at: int, junk: Any) -> dict[str, Any]:
    """A copy of a header with something else in one of its places."""
    copy = json.loads(json.dumps(header))
    every = list(places(copy))
    *above, place = every[at % len(every)]
    inner = copy
    for each in above:
        inner = inner[each]
    inner[place] = deepcopy(junk)
    return copy


@settings(max_examples=150)
@given(at=st.integers(0, 10**6), junk=JUNK)
def test_any_other_header_is_refused_or_can_be_used(stored: Stored, at: int, junk: Any) -> None:
    with contextlib.suppress(InputError, SettingsError):
        used(from_arrays(stored[0], with_junk(stored[1], at, junk)))


@settings(max_examples=100)
@given(at=st.integers(0, 10**6), junk=JUNK)
def test_any_other_header_of_pairs_is_refused_or_can_be_used(
    stored: Stored, stored_pairs: Stored, at: int, junk: Any
) -> None:
    with contextlib.suppress(InputError):
        used_pairs(with_stored_pairs(from_arrays(*stored), stored_pairs[0], with_junk(stored_pairs[1], at, junk)))


def used(validation: Validation) -> None:
    rung = validation.rung(300)
    ratios = rung.calibration.ratios(rung.scores.inside[:2])
    assert np.isfinite(ratios.headline).all() and rung.conformal_p(rung.standings[0][:2]).shape == (2, 10)
    assert validation.predicted("fused")[0] and isinstance(validation.effort.quick, bool)


def used_pairs(validation: Validation) -> None:
    for kind in KINDS:
        for calibration, measured in getattr(validation.pairwise, kind).values():
            assert np.isfinite(calibration.bounds.upper) and f"{measured.cllr:.2f} {measured.same:,}"


@pytest.fixture
def case(validated_case: Path, tmp_path: Path) -> Iterator[Case]:
    with Case.open(shutil.copy(validated_case, tmp_path / "ten.forensia")) as opened:
        yield opened


def test_the_validation_of_another_model_is_damage(case: Case, stored: Stored) -> None:
    """It is sound by itself, and says nothing about this model."""
    kept = case.models.get(FUSED)
    assert kept is not None
    renamed = {**kept.header, "authors": [f"{name} junior" for name in kept.header["authors"]]}
    turned = {**kept.load(), **{name: (kept[name] + 1) % 10 for name in ("codes", "learnt/codes")}}
    for header, arrays in ((renamed, kept.load()), (kept.header, turned), (stored[1], stored[0])):
        case.models.store(FUSED, header, arrays)
        with pytest.raises(CaseDamaged, match="the arrays fused: it is not that of"):
            open_judge(case)


def test_figures_that_are_none_are_damage(case: Case) -> None:
    kept = case.models.get(VALIDATION)
    assert kept is not None
    case.models.store(
        VALIDATION, {**kept.header, "summary": {"program": __version__, "figures": {"authors": 3}}}, kept.load()
    )
    with pytest.raises(CaseDamaged, match="its figures are not what was stored"):
        open_summary(case)


def test_at_the_command_line_it_is_one_sentence(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    kept = case.models.get(FUSED)
    assert kept is not None
    case.models.store(FUSED, kept.header, {**kept.load(), "new/0/inside": kept["new/0/inside"][:, :-1]})
    case.close()
    text = paths.sample_case() / "disputed" / "anonymous-1.txt"
    assert cli.run(["analyse", str(case.path), str(text)]) == 1
    told = capsys.readouterr().err
    assert told.splitlines()[-1] == "forensia: The stored validation is damaged. Train the model again."
    assert "Traceback" not in told

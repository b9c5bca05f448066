"""Each bar holds up to its limit and not beyond, and says what is too little or missing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from forensia.bench.honesty import BARS, bars

CELL: dict[str, Any] = {
    "texts": 100,
    "authors": 10,
    "words": 1_050.0,
    "first": {"claimed": 0.80, "interval": [0.75, 0.85], "found": 0.88},
    "confidence": 0.90,
    "macro_f1": 0.85,
    "cllr_listed": {"claimed": 0.3, "found": 0.25, "least": 0.2},
    "above_100_for_wrong_authors": 0.003,
    "opinions": {"could": 20, "given": 20, "claimed": [0.2, 1.0], "found": [0.2, 0.95]},
    "none_of_these": {"claimed": 0.0, "found": 0.05},
    "lengths": [
        {"words": None, "texts": 50, "first": {"claimed": 0.80, "interval": [0.75, 0.85], "found": 0.88}},
        {"words": 300, "texts": 19, "first": {"claimed": 0.80, "interval": [0.75, 0.85], "found": 0.1}},
    ],
    "outsiders": {
        "texts": 50,
        "cllr_unlisted": {"claimed": 0.3, "found": 0.3, "least": 0.25},
        "supported": {"claimed": 0.04, "upper": 0.08, "found": 0.08},
        "above_100": 0.003,
    },
}
ROWS: list[dict[str, Any]] = [
    {"set": "reuters_c50", "check": "held-out", "cells": {"new": CELL, "known": deepcopy(CELL)}},
    {"set": "some", "check": "retyped", "moves": [0.0, 9.9]},
    {"set": "some", "check": "disguised", "kinds": {"obfuscation": {"passages": 40, "opinions": 2}}},
    {"set": "some", "check": "numbers", "groups": {"4": {"slope": 0.85, "above_100_for_wrong_authors": 0.003}}},
    {"set": "some", "check": "stability", "texts": 20, "inside_throughout": 0.9, "inside": 1.0, "median_width": 0.5},
]


def verdicts(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {bar.cases.__name__: bar.line(rows)[1] for bar in BARS}


def changed(path: tuple[Any, ...], value: object) -> list[dict[str, Any]]:
    rows = deepcopy(ROWS)
    place: Any = rows
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return rows


def test_all_hold_at_their_limits() -> None:
    assert set(verdicts(ROWS).values()) == {"pass"}


NEW: tuple[Any, ...] = (0, "cells", "new")


@pytest.mark.parametrize(
    ("bar", "path", "value"),
    [
        ("_first", (*NEW, "first", "found"), 0.91),
        ("_first_by_length", (*NEW, "lengths", 1, "texts"), 20),
        ("_confidence", (*NEW, "confidence"), 0.92),
        ("_right", (*NEW, "opinions", "found"), [0.2, 0.94]),
        ("_given", (*NEW, "opinions", "found"), [0.19, 1.0]),
        ("_none", (*NEW, "none_of_these", "found"), 0.06),
        ("_supported", (*NEW, "outsiders", "supported", "found"), 0.09),
        ("_cllr", (*NEW, "outsiders", "cllr_unlisted"), {"found": 1.0, "least": 1.0}),
        ("_calibration", (*NEW, "cllr_listed"), {"found": 0.31, "least": 0.2}),
        ("_strong", (*NEW, "above_100_for_wrong_authors"), 0.004),
        ("_strong_for_outsiders", (*NEW, "outsiders", "above_100"), 0.004),
        ("_no_worse", (0, "cells", "known", "macro_f1"), 0.8),
        ("_retyped", (1, "moves"), [0.0, 10.0]),
        ("_pretended", (2, "kinds", "imitation"), {"passages": 10, "opinions": 1}),
        ("_slopes", (3, "groups", "8"), {"slope": 0.84, "above_100_for_wrong_authors": 0.0}),
        ("_strong_by_number", (3, "groups", "8"), {"slope": 1.0, "above_100_for_wrong_authors": 0.004}),
        ("_stable", (4, "inside_throughout"), 0.89),
    ],
)
def test_each_fails_alone(bar: str, path: tuple[Any, ...], value: object) -> None:
    found = verdicts(changed(path, value))
    assert {name for name, verdict in found.items() if verdict != "pass"} == {bar}


@pytest.mark.parametrize(
    ("few", "path", "value"),
    [
        ({"_stable"}, (4, "texts"), 19),
        ({"_pretended"}, (2, "kinds", "obfuscation"), {"passages": 19, "opinions": 19}),
        ({"_given"}, (*NEW, "opinions", "could"), 19),
    ],
)
def test_too_few(few: set[str], path: tuple[Any, ...], value: object) -> None:
    found = verdicts(changed(path, value))
    assert {name for name, verdict in found.items() if verdict == "too few"} == few
    assert set(found.values()) == {"pass", "too few"}


def test_first_places_may_miss_in_one_cell_of_ten() -> None:
    def rows(cells: int) -> list[dict[str, Any]]:
        missed = {**CELL, "first": {**CELL["first"], "found": 0.95}}
        others = [{"set": str(number), "check": "held-out", "cells": {"known": CELL}} for number in range(cells - 1)]
        return [{"set": "off", "check": "held-out", "cells": {"known": missed}}, *others]

    assert verdicts(rows(10))["_first"] == "pass" and verdicts(rows(9))["_first"] == "fail"
    assert "| 8 of 9 | off, known source: 0.800 / 0.950 |" in bars(rows(9))


def test_inside_the_interval_is_near_enough() -> None:
    wide = {"claimed": 0.5, "interval": [0.2, 0.8], "found": 0.79}
    assert verdicts(changed((*NEW, "first"), wide))["_first"] == "pass"
    assert verdicts(changed((*NEW, "first"), {**wide, "interval": None}))["_first"] == "fail"


def test_what_was_not_measured_is_missing() -> None:
    assert set(verdicts([]).values()) == {"missing"}

"""Compare what the program writes with what it wrote before, and say what moved.

Numbers may differ in the last digits, which depend on the machine; dates, ids, hashes and places are masked; all else is exact.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TOLERANCE = 1e-6
"""As `forensia verify` has it for numbers that were made on another machine."""

LISTED = 8
_INDEX = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_HEX = re.compile(r"\b[0-9a-f]{12,}\b")
_MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?UTC|Z|\+00:00)?"), "<time>"),
    (re.compile(r"\bForensia \d+\.\d+[\w.]*"), "Forensia <version>"),
    (re.compile(r"system \w+, processor .*?pypdf\s[\d.]+", re.DOTALL), "<environment>"),
)

Json = Any


def masked(text: str, hashes: Sequence[str] = (), places: Mapping[str, str] | None = None) -> str:
    """Text without what differs from run to run; hexadecimal numbers stay where they are (a part of) one of `hashes`."""
    for place, name in (places or {}).items():
        text = text.replace(place, name)
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return _HEX.sub(lambda found: found[0] if any(found[0] in known for known in hashes) else "<hash>", text)


def masked_json(value: Json, hashes: Sequence[str] = ()) -> Json:
    """JSON with its strings masked."""
    if isinstance(value, dict):
        return {key: masked_json(each, hashes) for key, each in value.items()}
    if isinstance(value, list):
        return [masked_json(each, hashes) for each in value]
    return masked(value, hashes) if isinstance(value, str) else value


def shortened(value: Json, most: int = 12) -> Json:
    """JSON with no list longer than `most`: the beginning of the others, and how many there were."""
    if isinstance(value, dict):
        return {key: shortened(each, most) for key, each in value.items()}
    if isinstance(value, list):
        kept = [shortened(each, most) for each in value[:most]]
        return kept if len(value) <= most else [*kept, f"... {len(value)} in all"]
    return value


def json_differences(right: Json, now: Json) -> list[str]:
    """What differs, in lines for a person: keys that are gone, new or moved, and then the values that changed."""
    before, after = dict(_leaves(right)), dict(_leaves(now))
    gone, new = _by_key(before, before.keys() - after.keys()), _by_key(after, after.keys() - before.keys())
    lines = []
    for key in list(gone):
        other = next((name for name, values in new.items() if _all_same(gone[key], values)), None)
        if other is not None:
            lines.append(f"moved: {key} is now {other} ({len(gone[key])} values, all the same)")
            del gone[key], new[other]
    lines += [f"gone: {key} ({len(values)} values, the first was {values[0]!r})" for key, values in gone.items()]
    lines += [f"new: {key} ({len(values)} values, the first is {values[0]!r})" for key, values in new.items()]
    changed = [path for path in before if path in after and not same_value(before[path], after[path])]
    lines += [f"changed: {path} was {before[path]!r}, is {after[path]!r}" for path in changed[:LISTED]]
    if len(changed) > LISTED:
        lines.append(f"changed: {len(changed) - LISTED} more")
    return lines


def same_value(one: Json, other: Json) -> bool:
    """Equal, or numbers that are as good as equal; a truth value is no number."""
    numbers = [isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other)]
    if all(numbers):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def text_differences(right: str, now: str) -> list[str]:
    """Where two texts differ, as streams of words: where the lines end does not count."""
    before, after = right.split(), now.split()
    if len(before) == len(after) and all(map(_same_word, before, after)):
        return []
    first = next((at for at, pair in enumerate(zip(before, after, strict=False)) if not _same_word(*pair)), None)
    at = min(len(before), len(after)) if first is None else first
    lines = [f"first at line {_line(right, at)}: was '{_around(before, at)}', is '{_around(after, at)}'"]
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal" and not (b - a == d - c and all(map(_same_word, before[a:b], after[c:d]))):
            lines.append(f"line {_line(right, a)}: {' '.join(before[a:b])[:200]!r} -> {' '.join(after[c:d])[:200]!r}")
    return lines if len(lines) <= LISTED else [*lines[:LISTED], f"{len(lines) - LISTED} more"]


def _leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every value with its path; an empty list or object is one too."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from _leaves(each, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}[{number}]")
    else:
        yield path, value


def _by_key(leaves: Mapping[str, Json], paths: set[str]) -> dict[str, list[Json]]:
    """The values at some paths, in their order, by the path without the numbers of lists."""
    found: dict[str, list[Json]] = defaultdict(list)
    for path, value in leaves.items():
        if path in paths:
            found[_INDEX.sub("[]", path)].append(value)
    return dict(found)


def _all_same(one: Sequence[Json], other: Sequence[Json]) -> bool:
    return len(one) == len(other) and all(map(same_value, one, other))


def _same_word(one: str, other: str) -> bool:
    """Equal, or with numbers that differ by one in their last decimal, as rounding can on another machine."""
    if one == other:
        return True
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    return all(map(_same_number, _NUMBER.findall(one), _NUMBER.findall(other)))


def _same_number(one: str, other: str) -> bool:
    if one == other:
        return True
    decimals = [len(each.partition(".")[2]) for each in (one, other)]
    if decimals[0] != decimals[1] or not decimals[0]:
        return False
    step = 10.0 ** -decimals[0]
    return abs(float(one.replace(",", "")) - float(other.replace(",", ""))) < 1.5 * step


def _line(text: str, word: int) -> int:
    """The number of the line in which a word stands."""
    seen = 0
    for number, line in enumerate(text.splitlines(), start=1):
        seen += len(line.split())
        if seen > word:
            return number
    return text.count("\n") + 1


def _around(words: Sequence[str], at: int) -> str:
    return " ".join(words[max(0, at - 6) : at + 6])

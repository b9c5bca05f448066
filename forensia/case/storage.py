"""How values lie in a case: JSON, strictly, and bytes, deflated where that makes them smaller. Every hash of the room is made here."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from typing import Any

from forensia.case.errors import CaseRefused

Json = Any
LONGEST = 256_000_000
"""Characters of one stored JSON text."""

_DEEPEST = 60


def sha256(data: bytes | str) -> str:
    """SHA-256 of bytes, or of the UTF-8 of a string."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")).hexdigest()


def pack(value: Json, what: str) -> str:
    """The JSON of a value; what would not come back equal is refused. In ASCII, so that names of any bytes survive."""
    _check(value, what, 0)
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    if len(text) > LONGEST:
        raise CaseRefused(f"The {what} is too large for a case ({len(text):,} characters). Nothing was changed.")
    return text


def unpack(text: str) -> Json:
    """The value of a stored JSON text; raises ValueError for what `pack` never writes."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _check(value: Json, what: str, depth: int) -> None:
    if value is None or isinstance(value, (bool, str)) or type(value) is int:
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CaseRefused(f"The {what} holds a number that is not finite. Nothing was changed.")
        return
    if depth >= _DEEPEST:
        raise CaseRefused(f"The {what} is nested too deeply. Nothing was changed.")
    if isinstance(value, (list, tuple)):
        for item in value:
            _check(item, what, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise CaseRefused(f"The {what} has a key that is not a string. Nothing was changed.")
            _check(item, what, depth + 1)
    else:
        raise CaseRefused(f"The {what} holds a {type(value).__name__}, which is no JSON. Nothing was changed.")


LARGEST = 990_000_000
"""Bytes of one text or array; SQLite takes a little more."""

_BEST_RATIO = 1_032  # what deflate reaches at most: a claim beyond it is a lie
_LEVEL = 6


def encoded(data: bytes, *, deflate: bool) -> tuple[str, bytes]:
    """The name of the coding and the bytes to store."""
    if deflate:
        small = zlib.compress(data, _LEVEL)
        if len(small) < len(data):
            return "zlib", small
    return "raw", data


def decoded(coding: object, size: object, data: object) -> bytes:
    """What `encoded` was given; raises ValueError for anything else, before more memory is taken than was stored."""
    if not isinstance(data, bytes) or type(size) is not int or not 0 <= size <= LARGEST:
        raise ValueError("not as it was stored")
    if coding == "raw":
        if len(data) != size:
            raise ValueError("of another size")
        return data
    if coding != "zlib" or size > _BEST_RATIO * len(data):
        raise ValueError("not as it was stored")
    machine = zlib.decompressobj()
    try:
        text = machine.decompress(data, size + 1)
    except zlib.error as error:
        raise ValueError("not as it was stored") from error
    if len(text) != size or not machine.eof or machine.unused_data:
        raise ValueError("of another size")
    return text

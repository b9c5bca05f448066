"""How bytes lie in a case: as they are, or deflated when that makes them smaller."""

from __future__ import annotations

import zlib

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

"""How a process and its child speak to each other: bytes behind their length. Most are JSON objects, some the data of a call."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

Json = Any
_LENGTH = struct.Struct(">Q")


def packed(message: Mapping[str, Json]) -> bytes:
    """A message as a frame; raises TypeError for what JSON does not have."""
    return json.dumps(message).encode()


def parsed(frame: bytes | None) -> dict[str, Json] | None:
    """A frame as the JSON object it should be; None when it is not one."""
    try:
        value = json.loads(frame or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def send(stream: IO[bytes], *frames: bytes) -> None:
    for frame in frames:
        stream.write(_LENGTH.pack(len(frame)))
        stream.write(frame)
    stream.flush()


def receive(stream: IO[bytes], most: int) -> bytes | None:
    """The next frame, or None at the end of the stream and when it claims more than it may be."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    if size > most:
        return None
    frame = stream.read(size)
    return frame if len(frame) == size else None

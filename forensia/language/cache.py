"""Analyses that need not be made twice: kept by the hash of the text and the hash of the model.

They tell much about a text, so they live in the case or the experiment they belong to, never in a shared folder.
"""

from __future__ import annotations

from typing import Protocol


class AnalysisCache(Protocol):
    """Keeps the bytes of analyses; `get` gives None for what it does not have."""

    def get(self, text_hash: str, model_hash: str) -> bytes | None: ...

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None: ...


class MemoryCache:
    """A cache for as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, text_hash: str, model_hash: str) -> bytes | None:
        return self._kept.get((text_hash, model_hash))

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None:
        self._kept[text_hash, model_hash] = data

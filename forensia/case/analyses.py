"""The language-analysis cache of a case. It tells much about the texts, so it lives with them and goes with them."""

from __future__ import annotations

import logging

from forensia.case.compression import decoded, encoded
from forensia.case.database import Database
from forensia.case.errors import CaseDamaged
from forensia.case.strictjson import sha256

_log = logging.getLogger(__name__)
_BATCH_BYTES = 4_000_000
_BATCH = 500


class CaseCache:
    """Keeps analyses in the case, many in one step; a context, so that the last ones are written too.

    What cannot be stored (a case that is read-only) is kept as long as the object lives; what is damaged counts as missing and is
    made again, so no result can rest on it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[tuple[str, str], bytes] = {}
        self._bytes = 0

    def __enter__(self) -> CaseCache:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.flush()

    def get(self, text_hash: str, model_hash: str) -> bytes | None:
        """The analysis of a text by a model, or None."""
        waiting = self._waiting.get((text_hash, model_hash))
        if waiting is not None:
            return waiting
        try:
            with self._database.reading("the analyses") as connection:
                row = connection.execute(
                    "SELECT sha256, coding, size, data FROM analyses WHERE text = ? AND model = ?",
                    (text_hash, model_hash),
                ).fetchone()
            return None if row is None else opened(text_hash, model_hash, *row)
        except (CaseDamaged, ValueError):
            _log.warning("A stored analysis is damaged and will be made again.")
            return None

    def put(self, text_hash: str, model_hash: str, data: bytes) -> None:
        """Keep an analysis; it is written with others."""
        self._waiting[text_hash, model_hash] = data
        self._bytes += len(data)
        if not self._database.read_only and (self._bytes >= _BATCH_BYTES or len(self._waiting) >= _BATCH):
            self.flush()

    def flush(self) -> None:
        """Write what is waiting, in one step. It makes no entry in the log: it adds nothing to what the case says."""
        if self._database.read_only or not self._waiting:
            return
        with self._database.step():
            for (text, model), data in self._waiting.items():
                coding, small = encoded(data, deflate=True)
                self._database.connection.execute(
                    "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?, ?, ?, ?)",
                    (text, model, seal(text, model, data), coding, len(data), small),
                )
        self._waiting.clear()
        self._bytes = 0


def seal(text: str, model: str, data: bytes) -> str:
    """The hash of an analysis, bound to the text and the model it is of."""
    return sha256(f"{text}\0{model}\0".encode() + data)


def opened(text: str, model: str, digest: object, coding: object, size: object, data: object) -> bytes:
    """A stored analysis; raises ValueError unless it is what was stored."""
    analysis = decoded(coding, size, data)
    if seal(text, model, analysis) != digest:
        raise ValueError("not as it was stored")
    return analysis

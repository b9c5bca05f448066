"""A copy of a case without the texts: hashes, results and the log, for somebody who must not see what the documents say.

It is made from nothing rather than by taking out, so that no trace of a text can be left in it. Models are left out too, because a
vocabulary tells much about the texts it was learnt from; their hashes stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forensia.case import copying, documents, opening, schema
from forensia.case.arrays import KIND
from forensia.case.comparisons import COMPARISON
from forensia.case.database import Database
from forensia.case.errors import translated
from forensia.case.strictjson import Json, pack, sha256
from forensia.corpus.words import WORD

RUN = 6
"""Words in a row that, when a document has them too, are taken for a quotation of it."""

LEFT_OUT = "[left out: words of a document]"
QUOTING = frozenset({"passage", "passages", "excerpt", "excerpts", "context", "examples", "quotation"})
"""Names under which a result quotes a text, however briefly."""

_KEPT = ("case", "corpus", documents.KNOWN, documents.DISPUTED, "choice", KIND, "result", COMPARISON, "note", "report")


def export(database: Database, target: Path) -> None:
    """Write the copy; the case notes in its log that it was made."""
    with database.reading("the case"), copying.replacing(target) as part:
        texts = (
            each.original for role in (documents.KNOWN, documents.DISPUTED) for each in documents.listed(database, role)
        )
        said = _Said(texts)
        connection = copying.fresh(part)
        copy = Database(part, connection, None, database.clock)
        try:
            with translated(target, "the copy", writing=True):
                connection.execute("BEGIN")
                schema.create(connection)
                connection.executemany(
                    "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)",
                    database.connection.execute("SELECT * FROM log ORDER BY sequence"),
                )
                connection.execute("COMMIT")
            with copy.step():
                for kind in _KEPT:
                    for name, body in database.all(kind).items():
                        copy.put(kind, name, _without(kind, body, said))
                copy.put(*opening.WITHHELD, {"run": RUN, "strings": said.count})
                copy.note("texts left out", {"strings": said.count})
        finally:
            copy.close()
    if not database.read_only:
        digest = sha256(target.read_bytes())
        database.note("exported without texts", {"name": target.name[:200], "sha256": digest})


class _Said:
    """Knows which runs of words the documents have."""

    def __init__(self, texts: Iterable[str]) -> None:
        parts = [_runs(text) for text in texts]
        self._known = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.uint64)
        self.count = 0

    def cleaned(self, value: Json) -> Json:
        """The value without strings that quote a document."""
        if isinstance(value, str):
            return self._without(value)
        if isinstance(value, list):
            return [self.cleaned(each) for each in value]
        if isinstance(value, dict):
            return {self._without(key): self._field(key, each) for key, each in value.items()}
        return value

    def _field(self, key: str, value: Json) -> Json:
        if key in QUOTING and value:
            self.count += 1
            return LEFT_OUT
        return self.cleaned(value)

    def _without(self, text: str) -> str:
        runs = _runs(text)
        place = np.minimum(np.searchsorted(self._known, runs), max(0, len(self._known) - 1))
        if not len(self._known) or not bool((self._known[place] == runs).any()):
            return text
        self.count += 1
        return LEFT_OUT


def _runs(text: str) -> NDArray[np.uint64]:
    """A number for each run of words; the numbers hold for this process only."""
    words = np.fromiter((hash(word) for word in WORD.findall(text.lower())), np.int64).view(np.uint64)
    count = len(words) - RUN + 1
    if count < 1:
        return np.zeros(0, np.uint64)
    found = np.zeros(count, np.uint64)
    for place in range(RUN):
        found = found * np.uint64(0x9E3779B97F4A7C15) + words[place : place + count]
    return found


def _without(kind: str, body: Json, said: _Said) -> Json:
    """A record as the copy has it."""
    if kind in ("choice", "result", COMPARISON, "note"):
        return said.cleaned(body)
    if kind == KIND:
        return {**body, "header": {"withheld": sha256(pack(body["header"], "header"))}}
    if kind in ("corpus", documents.KNOWN, documents.DISPUTED):
        return {**body, "problems": said.cleaned(body["problems"])}
    return body

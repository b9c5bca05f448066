"""Texts that were compared with each other, with what was found: kept beside the results, and like them never changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from forensia import codec
from forensia.case.arrays import hashes
from forensia.case.audit import stamp
from forensia.case.database import Database, label
from forensia.case.documents import DISPUTED, KNOWN, basis, find, listed
from forensia.case.errors import CaseDamaged
from forensia.case.results import Basis
from forensia.case.strictjson import Json, pack, sha256
from forensia.evidence.writers import Grouping

COMPARISON = "comparison"
R = TypeVar("R")


@dataclass(frozen=True)
class StoredComparison(Generic[R]):
    """One comparison of some documents. `current` is False once the texts, the settings or the model have changed."""

    name: str
    documents: tuple[str, ...]
    number: int
    time: str
    found: R
    current: bool
    rests: Basis


def store(database: Database, documents: Sequence[str], found: Grouping, groups: Collection[str]) -> int:
    """Keep what was found about some documents of the case, and return its number; `groups` are the arrays that it rests on."""
    with database.step():
        texts = {name: find(database, name).analysed_sha256 for name in documents}
        number = 1 + max((each.number for each in raw(database)), default=0)
        models = {name: digest for name, digest in hashes(database).items() if name in groups}
        rests = codec.plain(Basis(basis(database), _together(texts.values()), models))
        stored, named = codec.plain(found), list(documents)
        body = {
            "documents": named, "number": number, "time": stamp(database.clock()), "found": stored, "basis": rests,
        }  # fmt: skip
        database.put(COMPARISON, f"{number:06d}", body)
        digest = sha256(pack(stored, "comparison"))
        database.note("comparison stored", {"number": number, "documents": named, "sha256": digest, "basis": rests})
    return number


def raw(database: Database) -> tuple[StoredComparison[Json], ...]:
    """The comparisons as they are stored, oldest first."""
    return _read(database, lambda found: found)


def typed(database: Database) -> tuple[StoredComparison[Grouping], ...]:
    """The comparisons, oldest first."""
    return _read(database, lambda found: codec.typed(Grouping, found))


def forget(database: Database, document: str) -> None:
    """Take out the comparisons of a document that leaves the case; the log keeps their hashes."""
    for each in raw(database):
        if document in each.documents:
            database.delete(COMPARISON, each.name)
            database.note("comparison removed", {"number": each.number, "document": document})


def _read(database: Database, read: Callable[[Json], R]) -> tuple[StoredComparison[R], ...]:
    with database.reading("the comparisons"):
        records = database.all(COMPARISON)
        if not records:
            return ()
        case, models = basis(database), hashes(database)
        texts = {each.id: each.analysed_sha256 for role in (KNOWN, DISPUTED) for each in listed(database, role)}
    found = []
    for name, record in records.items():
        try:
            rests = codec.typed(Basis, record["basis"])
            documents = codec.typed(tuple[str, ...], record["documents"])
            number, time = codec.typed(int, record["number"]), codec.typed(str, record["time"])
            about = read(record["found"])
        except (LookupError, TypeError, ValueError) as error:
            raise CaseDamaged(database.path, label(COMPARISON, name)) from error
        current = rests.case == case and rests.text == _together(texts.get(each, "") for each in documents)
        current = current and all(models.get(kind) == digest for kind, digest in rests.models.items())
        found.append(StoredComparison(name, documents, number, time, about, current, rests))
    return tuple(found)


def _together(hashes_of_texts: Iterable[str]) -> str:
    return sha256("\n".join(hashes_of_texts))

"""What was found and said: results of disputed documents, comparisons of texts, notes, and the reports that were made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from forensia import codec
from forensia.case import version1
from forensia.case.arrays import hashes
from forensia.case.audit import stamp
from forensia.case.database import Database, label
from forensia.case.documents import DISPUTED, KNOWN, basis, find, forget_analyses, listed
from forensia.case.errors import CaseDamaged, CaseRefused
from forensia.case.storage import Json, pack, sha256
from forensia.evidence.result import FORMAT, Result
from forensia.evidence.writers import Grouping

_RESULT = "result"
_NOTE = "note"
_REPORT = "report"
CASE_NOTE = "case"
"""What a note is about when it is about no single document."""

_LONGEST_NOTE = 1_000_000
R = TypeVar("R")


@dataclass(frozen=True)
class Basis:
    """The hashes that a result rests on: of the documents and settings, of the text, of each group of arrays."""

    case: str
    text: str
    models: Mapping[str, str]


@dataclass(frozen=True)
class StoredResult(Generic[R]):
    """One analysis of a disputed document. `current` is False once the documents, the settings, the model or the text have changed."""

    name: str
    document: str
    number: int
    time: str
    result: R
    current: bool
    rests: Basis


@dataclass(frozen=True)
class StoredReport:
    """A report that was made: its file name, the hash of its bytes, when."""

    number: int
    name: str
    sha256: str
    time: str
    details: Json


def store_result(
    database: Database, document: str, result: Result | Json, groups: Collection[str] | None = None
) -> StoredResult[Json]:
    """Keep an analysis of a disputed document; the earlier ones stay. `groups` are the arrays it rests on; None is all."""
    with database.step():
        about = find(database, document, (DISPUTED, KNOWN))
        if about.role != DISPUTED:
            raise CaseRefused("Results belong to disputed documents; this one is a known one. Nothing was changed.")
        number = 1 + max((each.number for each in results(database, _as_stored, document)), default=0)
        models = {name: digest for name, digest in hashes(database).items() if groups is None or name in groups}
        rests = Basis(basis(database), about.analysed_sha256, models)
        time = stamp(database.clock())
        name = f"{document}-{number:06d}"
        stored = codec.plain(result)
        body = {"document": document, "number": number, "time": time, "result": stored, "basis": codec.plain(rests)}
        database.put(_RESULT, name, body)
        digest = sha256(pack(stored, "result"))
        database.note(
            "result stored", {"document": document, "number": number, "sha256": digest, "basis": codec.plain(rests)}
        )
    return StoredResult(name, document, number, time, stored, True, rests)


def _as_stored(result: Json, rests: Basis) -> Json:
    return result


def raw_results(database: Database, document: str | None = None) -> tuple[StoredResult[Json], ...]:
    """Results as they are stored."""
    return results(database, _as_stored, document)


def typed_results(
    database: Database, document: str | None = None, known: Mapping[str, StoredResult[Result]] | None = None
) -> tuple[StoredResult[Result], ...]:
    """Results as this version knows them, whichever version wrote them.

    The names of the known texts, the larger part of a result, are shared by all that have the same.
    """
    shared = {each.result.known: each.result.known for each in (known or {}).values()}

    def read(stored: Json, rests: Basis) -> Result:
        result = _typed(database, stored, rests)
        return replace(result, known=shared.setdefault(result.known, result.known))

    return results(database, read, document, known)


def _typed(database: Database, stored: Json, rests: Basis) -> Result:
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        stored = codec.plain(version1.result(database, stored, rests.models))
    return codec.typed(Result, stored)


def results(
    database: Database,
    read: Callable[[Json, Basis], R],
    document: str | None = None,
    known: Mapping[str, StoredResult[R]] | None = None,
) -> tuple[StoredResult[R], ...]:
    """The results of a disputed document, or of all in the order of the documents; oldest first for each.

    They are read one by one; those that are `known` by name are not read again: a result never changes, only whether it is current.
    """
    with database.reading("the results"):
        names = [name for name in database.names(_RESULT) if document is None or name.startswith(f"{document}-")]
        if not names:
            return ()
        case, models = basis(database), hashes(database)
        texts = {each.id: each.analysed_sha256 for each in listed(database, DISPUTED)}
        found = []
        for name in names:
            result = (known or {}).get(name) or _result(database, name, read)
            rests = result.rests
            current = rests.case == case and rests.text == texts.get(result.document)
            current = current and all(models.get(key) == digest for key, digest in rests.models.items())
            if document is None or document == result.document:
                found.append(result if result.current == current else replace(result, current=current))
    places = {name: place for place, name in enumerate(texts)}
    return tuple(sorted(found, key=lambda each: (places.get(each.document, len(places)), each.document, each.number)))


def _result(database: Database, name: str, read: Callable[[Json, Basis], R]) -> StoredResult[R]:
    record = database.get(_RESULT, name)
    try:
        assert record is not None
        about, number, time = record["document"], record["number"], record["time"]
        rests = codec.typed(Basis, record["basis"])
        result = read(record["result"], rests)
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CaseDamaged(database.path, label(_RESULT, name)) from error
    if not (isinstance(about, str) and type(number) is int and isinstance(time, str)):
        raise CaseDamaged(database.path, label(_RESULT, name))
    return StoredResult(name, about, number, time, result, True, rests)


def remove_disputed(database: Database, document: str) -> None:
    """Take a disputed document out, with its text, its results and its note; the log keeps their hashes."""
    with database.step():
        gone = find(database, document, (DISPUTED, KNOWN))
        if gone.role != DISPUTED:
            raise CaseRefused("A known document is excluded, not removed. Nothing was changed.")
        names = [each.name for each in results(database, _as_stored, document)]
        for name in names:
            database.delete(_RESULT, name)
        database.delete(_NOTE, document)
        database.delete(DISPUTED, document)
        forget_analyses(database)
        details = {"document": document, "sha256_text": gone.sha256_text, "results": len(names)}
        database.note("disputed document removed", details)


def set_note(database: Database, about: str, text: str) -> None:
    """Write the analyst's note about a document or the case; an empty one is taken out. The log has its hash only."""
    if len(text) > _LONGEST_NOTE:
        raise CaseRefused("The note is too long for a case. Nothing was changed.")
    with database.step():
        if about != CASE_NOTE:
            find(database, about)
        if text:
            database.put(_NOTE, about, {"text": text, "time": stamp(database.clock())})
        else:
            database.delete(_NOTE, about)
        database.note("note written" if text else "note removed", {"about": about, "sha256": sha256(text)})


def notes(database: Database) -> dict[str, str]:
    """The notes, by what they are about."""
    found = {}
    for about, record in database.all(_NOTE).items():
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise CaseDamaged(database.path, label(_NOTE, about))
        found[about] = record["text"]
    return found


def report_made(database: Database, name: str, digest: str, details: Json) -> StoredReport:
    """Keep that a report was made: its name, the hash of its bytes and what it shows."""
    with database.step():
        number = 1 + max((each.number for each in reports(database)), default=0)
        time = stamp(database.clock())
        body = {"number": number, "name": name, "sha256": digest, "time": time, "details": details}
        database.put(_REPORT, f"{number:06d}", body)
        database.note("report made", {"number": number, "name": name[:200], "sha256": digest})
    return StoredReport(number, name, digest, time, details)


def reports(database: Database) -> tuple[StoredReport, ...]:
    """The reports that were made, oldest first."""
    found = []
    for name, record in database.all(_REPORT).items():
        try:
            each = StoredReport(record["number"], record["name"], record["sha256"], record["time"], record["details"])
        except (KeyError, TypeError) as error:
            raise CaseDamaged(database.path, label(_REPORT, name)) from error
        if type(each.number) is not int or not all(
            isinstance(text, str) for text in (each.name, each.sha256, each.time)
        ):
            raise CaseDamaged(database.path, label(_REPORT, name))
        found.append(each)
    return tuple(found)


COMPARISON = "comparison"


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


def store_comparison(database: Database, documents: Sequence[str], found: Grouping, groups: Collection[str]) -> int:
    """Keep what was found about some documents of the case, and return its number; `groups` are the arrays that it rests on."""
    with database.step():
        texts = {name: find(database, name).analysed_sha256 for name in documents}
        number = 1 + max((each.number for each in raw_comparisons(database)), default=0)
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


def raw_comparisons(database: Database) -> tuple[StoredComparison[Json], ...]:
    """The comparisons as they are stored, oldest first."""
    return _read(database, lambda found: found)


def typed_comparisons(database: Database) -> tuple[StoredComparison[Grouping], ...]:
    """The comparisons, oldest first."""
    return _read(database, lambda found: codec.typed(Grouping, found))


def forget_comparisons(database: Database, document: str) -> None:
    """Take out the comparisons of a document that leaves the case; the log keeps their hashes."""
    for each in raw_comparisons(database):
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

"""What was found and said: results of disputed documents, comparisons of texts, notes, and the reports that were made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from forensia import codec
from forensia.case import version1
from forensia.case.arrays import Models
from forensia.case.audit import stamp
from forensia.case.database import Database, label
from forensia.case.documents import DISPUTED, KNOWN, Documents
from forensia.case.errors import CaseDamaged, CaseRefused
from forensia.case.storage import Json, pack, sha256
from forensia.corpus.document import Document
from forensia.evidence.result import FORMAT, Result
from forensia.evidence.writers import Grouping

RESULT, COMPARISON = "result", "comparison"
_NOTE = "note"
_REPORT = "report"
CASE_NOTE = "case"
"""What a note is about when it is about no single document."""

_LONGEST_NOTE = 1_000_000
A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True)
class Basis:
    """The hashes that a result rests on: of the documents and settings, of the text or texts, of each group of arrays."""

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
class StoredComparison(Generic[R]):
    """One comparison of some documents. `current` is False once the texts, the settings or the model have changed."""

    name: str
    documents: tuple[str, ...]
    number: int
    time: str
    found: R
    current: bool
    rests: Basis


@dataclass(frozen=True)
class StoredReport:
    """A report that was made: its file name, the hash of its bytes, when."""

    number: int
    name: str
    sha256: str
    time: str
    details: Json = None


@dataclass(frozen=True)
class _Now:
    """What results rest on as the case now is; `texts` are the hashes of the analysed texts of documents."""

    case: str
    models: Mapping[str, str]
    texts: Mapping[str, str]

    def fits(self, rests: Basis, text: str | None) -> bool:
        """Whether a result that rests on this, and is of this text or these texts, is current."""
        same = rests.case == self.case and rests.text == text
        return same and all(self.models.get(kind) == digest for kind, digest in rests.models.items())


class Results:
    """The results of a case, its comparisons, notes and reports. What was found is never changed, it only ceases to be current."""

    def __init__(self, database: Database, documents: Documents, models: Models) -> None:
        self._database = database
        self._documents = documents
        self._models = models

    # Results of disputed documents

    def store(self, document: str, result: Result | Json, groups: Collection[str] | None = None) -> StoredResult[Json]:
        """Keep an analysis of a disputed document; the earlier ones stay. `groups` are the arrays it rests on; None is all."""
        with self._database.step():
            about = self._find_disputed(document, "Results belong to disputed documents; this one is a known one.")
            number = 1 + max((each.number for each in self.raw(document)), default=0)
            name, described = f"{document}-{number:06d}", {"document": document, "number": number}
            body, rests = self._keep(RESULT, name, described, described, result, about.analysed_sha256, groups)
        return StoredResult(name, document, number, body["time"], body[RESULT], True, rests)

    def all(
        self, document: str | None = None, known: Mapping[str, StoredResult[Result]] | None = None
    ) -> tuple[StoredResult[Result], ...]:
        """The results of one disputed document or of all, as this version knows them, oldest first for each.

        Those that are `known` by name are not read again. The names of the known texts, the larger part of a result, are shared by
        all that have the same.
        """
        shared = {each.result.known: each.result.known for each in (known or {}).values()}

        def read(stored: Json, rests: Basis) -> Result:
            if not isinstance(stored, dict) or stored.get("format") != FORMAT:
                stored = codec.plain(version1.result(self._models, stored, rests.models))
            result = codec.typed(Result, stored)
            return replace(result, known=shared.setdefault(result.known, result.known))

        return self._results(read, document, known)

    def raw(self, document: str | None = None) -> tuple[StoredResult[Json], ...]:
        """The results as they are stored, for whoever compares or copies them."""
        return self._results(_as_stored, document)

    def _results(
        self,
        read: Callable[[Json, Basis], R],
        document: str | None = None,
        known: Mapping[str, StoredResult[R]] | None = None,
    ) -> tuple[StoredResult[R], ...]:
        """The results in the order of the documents, read one by one: a result never changes, only whether it is current."""
        database = self._database
        with database.reading("the results"):
            names = [name for name in database.names(RESULT) if document is None or name.startswith(f"{document}-")]
            if not names:
                return ()
            now = self._now(self._documents.disputed())
            found = []
            for name in names:
                result = (known or {}).get(name) or self._result(name, read)
                current = now.fits(result.rests, now.texts.get(result.document))
                if document is None or document == result.document:
                    found.append(result if result.current == current else replace(result, current=current))
        places = {name: place for place, name in enumerate(now.texts)}
        return tuple(
            sorted(found, key=lambda each: (places.get(each.document, len(places)), each.document, each.number))
        )

    def _result(self, name: str, read: Callable[[Json, Basis], R]) -> StoredResult[R]:
        about, number, time, result, rests = self._opened(RESULT, name, str, "document", RESULT, read)
        return StoredResult(name, about, number, time, result, True, rests)

    def remove_disputed(self, document: str) -> None:
        """Take a disputed document out, with its text, its results, its comparisons and its note; the log keeps their hashes."""
        database = self._database
        with database.step():
            for each in self.raw_comparisons():
                if document in each.documents:
                    database.delete(COMPARISON, each.name)
                    database.note("comparison removed", {"number": each.number, "document": document})
            gone = self._find_disputed(document, "A known document is excluded, not removed.")
            names = [each.name for each in self.raw(document)]
            for name in names:
                database.delete(RESULT, name)
            database.delete(_NOTE, document)
            database.delete(DISPUTED, document)
            self._documents.forget_analyses()
            details = {"document": document, "sha256_text": gone.sha256_text, "results": len(names)}
            database.note("disputed document removed", details)

    def _find_disputed(self, name: str, refusal: str) -> Document:
        document = self._documents.find(name, (DISPUTED, KNOWN))
        if document.role != DISPUTED:
            raise CaseRefused(f"{refusal} Nothing was changed.")
        return document

    # Comparisons of any documents

    def store_comparison(self, documents: Sequence[str], found: Grouping, groups: Collection[str]) -> int:
        """Keep what was found about some documents that were compared with each other, and return its number; `groups` as for results."""
        with self._database.step():
            text = _together(self._documents.find(name).analysed_sha256 for name in dict.fromkeys(documents))
            number = 1 + max((each.number for each in self.raw_comparisons()), default=0)
            described = {"documents": list(documents), "number": number}
            noted = {"number": number, "documents": list(documents)}
            self._keep(COMPARISON, f"{number:06d}", described, noted, found, text, groups)
        return number

    def comparisons(self) -> tuple[StoredComparison[Grouping], ...]:
        """Every comparison that was kept, oldest first."""
        return self._comparisons(lambda found, _rests: codec.typed(Grouping, found))

    def raw_comparisons(self) -> tuple[StoredComparison[Json], ...]:
        """The comparisons as they are stored."""
        return self._comparisons(_as_stored)

    def _comparisons(self, read: Callable[[Json, Basis], R]) -> tuple[StoredComparison[R], ...]:
        with self._database.reading("the comparisons"):
            names = self._database.names(COMPARISON)
            if not names:
                return ()
            now = self._now((*self._documents.known(), *self._documents.disputed()))
            found = []
            for name in names:
                about, number, time, made, rests = self._opened(
                    COMPARISON, name, tuple[str, ...], "documents", "found", read
                )
                current = now.fits(rests, _together(now.texts.get(each, "") for each in about))
                found.append(StoredComparison(name, about, number, time, made, current, rests))
        return tuple(found)

    # What both have in common

    def _keep(
        self,
        kind: str,
        name: str,
        described: Mapping[str, Json],
        noted: Mapping[str, Json],
        found: object,
        text: str,
        groups: Collection[str] | None,
    ) -> tuple[dict[str, Json], Basis]:
        """Put what was found into a record, with all that it rests on, and its hash into the log."""
        database, key = self._database, RESULT if kind == RESULT else "found"
        models = {kind: digest for kind, digest in self._models.hashes().items() if groups is None or kind in groups}
        rests = Basis(self._documents.basis(), text, models)
        stored, basis = codec.plain(found), codec.plain(rests)
        body = {**described, "time": stamp(database.clock()), key: stored, "basis": basis}
        database.put(kind, name, body)
        database.note(f"{kind} stored", {**noted, "sha256": sha256(pack(stored, kind)), "basis": basis})
        return body, rests

    def _opened(
        self, kind: str, name: str, about: type[A], about_key: str, key: str, read: Callable[[Json, Basis], R]
    ) -> tuple[A, int, str, R, Basis]:
        """What a record is about, its number and time, what was found, and what that rests on."""
        record = self._database.get(kind, name)
        try:
            if record is None:
                raise LookupError
            rests = codec.typed(Basis, record["basis"])
            number, time = codec.typed(int, record["number"]), codec.typed(str, record["time"])
            return codec.typed(about, record[about_key]), number, time, read(record[key], rests), rests
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise CaseDamaged(self._database.path, label(kind, name)) from error

    def _now(self, documents: Iterable[Document]) -> _Now:
        texts = {each.id: each.analysed_sha256 for each in documents}
        return _Now(self._documents.basis(), self._models.hashes(), texts)

    # Notes and reports

    def set_note(self, about: str, text: str) -> None:
        """Write the analyst's note about a document or the case (CASE_NOTE); an empty one is taken out. The log has its hash only."""
        if len(text) > _LONGEST_NOTE:
            raise CaseRefused("The note is too long for a case. Nothing was changed.")
        database = self._database
        with database.step():
            if about != CASE_NOTE:
                self._documents.find(about)
            if text:
                database.put(_NOTE, about, {"text": text, "time": stamp(database.clock())})
            else:
                database.delete(_NOTE, about)
            database.note("note written" if text else "note removed", {"about": about, "sha256": sha256(text)})

    def notes(self) -> dict[str, str]:
        """The notes, by the id of the document they are about."""
        records = self._database.all(_NOTE).items()
        return {about: self._typed(str, record.get("text"), _NOTE, about) for about, record in records}

    def report_made(self, name: str, digest: str, details: Json = None) -> StoredReport:
        """Keep that a report was made: its file name, the hash of its bytes and what it shows."""
        database = self._database
        with database.step():
            number = 1 + max((each.number for each in self.reports()), default=0)
            body = {"number": number, "name": name, "sha256": digest, "time": stamp(database.clock())}
            database.put(_REPORT, f"{number:06d}", {**body, "details": details})
            database.note("report made", {"number": number, "name": name[:200], "sha256": digest})
        return self.reports()[-1]

    def reports(self) -> tuple[StoredReport, ...]:
        """The reports that were made, oldest first."""
        records = self._database.all(_REPORT).items()
        return tuple(self._typed(StoredReport, record, _REPORT, name) for name, record in records)

    def _typed(self, kind: type[A], stored: Json, record: str, name: str) -> A:
        try:
            return codec.typed(kind, stored)
        except codec.WrongShape as error:
            raise CaseDamaged(self._database.path, label(record, name)) from error


def _as_stored(found: Json, rests: Basis) -> Json:
    return found


def _together(hashes_of_texts: Iterable[str]) -> str:
    return sha256("\n".join(hashes_of_texts))

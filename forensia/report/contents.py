"""Everything that a report says in numbers, collected from a case: the results.json that is embedded in the PDF.

The sections of the report take all numbers from here and compute none, so what is printed is what stands in this file.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from forensia import __version__, codec
from forensia.case.audit import LogEntry
from forensia.case.errors import CaseError, CaseRefused
from forensia.case.results import StoredComparison, StoredResult
from forensia.case.runs import machine
from forensia.case.session import Session, open_summary
from forensia.case.store import Case
from forensia.corpus.document import Document
from forensia.errors import InputError
from forensia.evidence.contributions import MOST
from forensia.evidence.learnt import ModelRecord
from forensia.evidence.result import Result
from forensia.evidence.summary import Figure, ValidationSummary
from forensia.evidence.writers import Grouping
from forensia.jobs import Progress, part, silent, tracked
from forensia.language import AnalysisCache
from forensia.report.curves import Curves, curves, most_used
from forensia.report.details import CaseDetails
from forensia.report.limits import limits
from forensia.report.materials import Materials, Preprocessing, materials, preprocessing
from forensia.report.passages import ExplainedFused, ModelReader, Strongest, explained, strongest
from forensia.wording.limits import Limit
from forensia.wording.ratios import MARQUIS_2016, VerbalScale
from forensia.wording.templates import named

__all__ = [
    "FORMAT",
    "NAME",
    "CaseRecord",
    "ComparisonEntry",
    "Contents",
    "Event",
    "JudgedText",
    "LogState",
    "Scale",
    "as_json",
    "canonical",
    "collect",
    "identity",
]

FORMAT = 2
_MANY = 6  # disputed texts: of more each gets less room
_FEWER = 4  # features for and against that are then listed of each
NAME = "results.json"
DATE = "%Y-%m-%dT%H:%M:%SZ"
# What is noted when something was taken out of the case; it changes nothing that a report rests on.
_EXPORTS = ("report made", "copy saved", "exported without texts")
_LIBRARIES = ("fpdf2", "matplotlib", "pypdf")
_TEXTS, _ID = "texts", "id"


@dataclass(frozen=True)
class LogState:
    """The audit log at the time of the report."""

    entries: int
    head: str
    time: str
    sound: bool


@dataclass(frozen=True)
class Event:
    """An entry of the audit log."""

    number: int
    time: str
    event: str
    details: str
    sha256: str


@dataclass(frozen=True)
class CaseRecord:
    """The case that a report was made from, with the hashes of all that it holds."""

    file: str
    id: str
    created: str
    program: str
    basis: str
    arrays: Mapping[str, str]
    log: LogState
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Scale:
    """The verbal scale: each word with the LR that it holds up to; the last has none."""

    name: str
    bands: tuple[tuple[float | None, str], ...]

    @classmethod
    def of(cls, scale: VerbalScale) -> Scale:
        return cls(scale.name, tuple((None if math.isinf(top) else top, word) for top, word in scale.bands))


@dataclass(frozen=True)
class JudgedText:
    """A disputed text with its newest result and what that rests on; `no_passages` says why passages are not shown.

    `explained` takes the fused score apart; a model without one has `strongest` instead.
    """

    id: str
    number: int
    time: str
    result: Result
    explained: ExplainedFused | None = None
    strongest: Strongest | None = None
    no_passages: str = ""


@dataclass(frozen=True)
class ComparisonEntry:
    """Texts that were compared with each other, by the ids of their documents, and what was found."""

    documents: tuple[str, ...]
    number: int
    time: str
    found: Grouping


@dataclass(frozen=True)
class Contents:
    """The numbers of a report, and the texts that it shows passages of, by the id of the document: these are not embedded."""

    date: str
    status: str
    paper: str
    details: CaseDetails
    case: CaseRecord
    materials: Materials
    preprocessing: Preprocessing
    model: ModelRecord
    scale: Scale
    validation: ValidationSummary | None
    curves: Curves | None
    environment: Mapping[str, str]
    documents: tuple[JudgedText, ...]
    limits: tuple[Limit, ...]
    id: str
    program: str
    format: int
    comparisons: tuple[ComparisonEntry, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def older_validation(self) -> str:
        """The version of the program that validated the case, where this one cannot read what it stored; else nothing."""
        if self.validation is not None:
            return ""
        return next((each.result.program for each in self.documents if each.result.condition is not None), "")

    @property
    def figure(self) -> Figure | None:
        """What was measured under the condition that most of the disputed texts have; None without a validation."""
        if self.validation is None:
            return None
        wanted = None if self.curves is None else self.curves.condition
        return next((each for each in self.validation.figures if each.condition == wanted), self.validation.whole)

    @property
    def closed(self) -> bool:
        """Whether nothing is said of somebody who is not listed."""
        return self.figure is not None and (self.figure.unlisted is None or self.agreed)

    @property
    def agreed(self) -> bool:
        """Whether it is agreed of every text that one of the candidates wrote it."""
        return bool(self.documents) and all(each.result.question.kind == "one of these" for each in self.documents)

    @property
    def candidates(self) -> int:
        """How many authors may have written the disputed texts."""
        if not self.documents:
            return sum(1 for each in self.materials.candidates if each.documents)
        return len(self.documents[0].result.candidates)

    @property
    def population(self) -> int:
        """How many authors of a reference population stand for others."""
        if not self.documents:
            return self.model.authors - self.candidates
        return self.documents[0].result.population

    @property
    def many(self) -> bool:
        """Whether there are so many disputed texts that each gets less room."""
        return len(self.documents) > _MANY

    def finished(self) -> Contents:
        """The same with the limits that follow from it, and the id of all that it says."""
        whole = replace(self, limits=tuple(limits(self)))
        return replace(whole, id=identity(as_json(whole)))


def collect(
    case: Case,
    details: CaseDetails,
    *,
    documents: Sequence[str] | None = None,
    comparisons: Sequence[int] | None = None,
    date: datetime,
    progress: Progress = silent,
) -> Contents:
    """Everything about some disputed documents (by id, path or title; all that were analysed if None), and about some comparisons.

    The comparisons, if None, are the newest ones of the same texts: all, or those of nothing but the chosen documents.
    """
    progress(0.0, "Opening the case")
    wanted = None if documents is None else _wanted(case, documents)
    compared = _compared(case, comparisons, wanted)
    chosen = _chosen(case, wanted, {name for each in compared for name in each.documents})
    session = Session.of(case)
    judged = {document.id for document, _ in chosen}
    beside = {name for each in compared for name in each.documents} - judged
    disputed = [each for each, _ in chosen] + [each.loaded() for each in case.documents.disputed() if each.id in beside]
    validation = session.judge.validation
    if validation is not None:
        progress(0.1, "Collecting the validation")
    return Contents(
        date=date.astimezone(UTC).strftime(DATE),
        status=details.status,
        paper=details.paper,
        details=details,
        case=_about_case(case),
        materials=materials(
            session.used,
            disputed,
            details,
            case.documents.chosen_sources(),
            case.documents.imports(),
            _used(session, chosen),
            None if session.population is None else session.population.record,
        ),
        preprocessing=preprocessing(case, session.used, disputed),
        model=session.judge.record,
        scale=Scale.of(MARQUIS_2016),
        validation=None if validation is None else open_summary(case),
        curves=None
        if validation is None or not chosen
        else curves(most_used(validation, [each.result for _, each in chosen])),
        environment={**machine(), **{name: _version(name) for name in _LIBRARIES}},
        documents=_judged(session, case.models.analyses(), chosen, part(progress, 0.5, 1.0)),
        limits=(),
        id="",
        program=__version__,
        format=FORMAT,
        comparisons=tuple(ComparisonEntry(each.documents, each.number, each.time, each.found) for each in compared),
        texts={document.id: document.text for document in disputed},
    ).finished()


def as_json(contents: Contents) -> dict[str, Any]:
    """The contents as JSON has them, without the texts."""
    return {key: value for key, value in codec.plain(contents).items() if key != _TEXTS}


def canonical(found: Mapping[str, Any]) -> bytes:
    """The JSON as it is embedded, a line for each part: the same data give the same bytes. In ASCII, so that names of any bytes survive."""
    lines = [f"{json.dumps(key)}: {_line(found[key])}" for key in sorted(found)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def _line(value: Any) -> str:
    """On one line, for which json is ten times as fast as with indentation."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True)


def identity(found: Mapping[str, Any]) -> str:
    """The id of a report: a hash of all that it says."""
    return hashlib.sha256(canonical({key: value for key, value in found.items() if key != _ID})).hexdigest()[:16]


def _wanted(case: Case, documents: Sequence[str]) -> list[Document]:
    """The disputed documents with some ids, paths or titles."""
    there, wanted = case.documents.disputed(), list[Document]()
    for name in documents:
        alike = [each for each in there if name in (each.id, each.path, each.title)]
        if not alike:
            raise InputError(f"The case has no disputed text '{name}'. Name one of those that were analysed.")
        wanted += [each for each in alike if each not in wanted]
    return wanted


def _chosen(
    case: Case, wanted: Sequence[Document] | None, compared: Collection[str]
) -> list[tuple[Document, StoredResult[Result]]]:
    """The disputed documents to report on, each with its newest result, which must rest on the case as it now is.

    Those that were `compared` need no result.
    """
    newest = {result.document: result for result in case.results.all()}
    if wanted is None:
        wanted = [each for each in case.documents.disputed() if each.id in newest]
    if not (wanted or compared):
        raise CaseRefused("No disputed text has been analysed in this case yet. Analyse one first.")
    for each in wanted:
        shown = each.path or each.title
        if each.id not in newest and each.id not in compared:
            raise CaseRefused(f"'{shown}' has not been analysed yet. Analyse it first.")
        if each.id in newest and not newest[each.id].current:
            raise CaseRefused(
                f"The result of '{shown}' is out of date: the known texts, the settings or the model have changed since. "
                "Analyse it again."
            )
    return [(each.loaded(), newest[each.id]) for each in wanted if each.id in newest]


def _compared(
    case: Case, numbers: Sequence[int] | None, wanted: Sequence[Document] | None
) -> list[StoredComparison[Grouping]]:
    """The comparisons to report on, which must rest on the case as it now is."""
    kept = case.results.comparisons()
    if numbers is not None:
        found = [each for each in kept if each.number in numbers]
    else:
        found = list({frozenset(each.documents): each for each in kept}.values())  # of the same texts the newest
    if numbers is None and wanted is not None:
        disputed, chosen = {each.id for each in case.documents.disputed()}, {each.id for each in wanted}
        texts = [disputed & set(each.documents) for each in found]
        found = [each for each, own in zip(found, texts, strict=True) if own and own <= chosen]
    for each in found:
        if not each.current:
            raise CaseRefused(
                f"The comparison of {named([text.file for text in each.found.texts])} is out of date: the known texts, the settings or "
                "the model have changed since. Compare them again."
            )
    return found


def _used(session: Session, chosen: Sequence[tuple[Document, StoredResult[Result]]]) -> dict[str, set[str]]:
    """The texts of each candidate of whom not all are held against a disputed text, which are the same for all of these."""
    names = session.judge.learnt.documents
    found = chosen[0][1].result.candidates if chosen else ()
    return {each.author: {names[row] for row in each.used} for each in found if each.used}


def _judged(
    session: Session,
    cache: AnalysisCache,
    chosen: Sequence[tuple[Document, StoredResult[Result]]],
    progress: Progress,
) -> tuple[JudgedText, ...]:
    rows = []
    reader: ModelReader | None = None
    for document, result in tracked(chosen, progress, "Finding passages"):
        row = JudgedText(document.id, result.number, result.time, result.result)
        try:
            reader = reader or ModelReader(session, cache)
            fused = explained(session, reader, document, result.result, _FEWER if len(chosen) > _MANY else MOST)
            if fused is not None:
                row = replace(row, explained=fused)
            else:
                row = replace(row, strongest=strongest(session, reader, document, result.result))
        except CaseError as error:  # another language model, or a copy without texts: the numbers stand all the same
            row = replace(row, no_passages=str(error))
        rows.append(row)
    return tuple(rows)


def _about_case(case: Case) -> CaseRecord:
    entries = list(case.log.entries())
    while entries and entries[-1].event in _EXPORTS:
        entries.pop()
    kept = case.about
    return CaseRecord(
        file=case.path.name,
        id=kept["id"],
        created=kept["created"],
        program=kept.get("program", ""),
        basis=case.documents.basis(),
        arrays=case.models.hashes(),
        log=LogState(
            entries=len(entries),
            head=entries[-1].sha256 if entries else "",
            time=entries[-1].time if entries else "",
            sound=not case.log.faults(),
        ),
        events=tuple(_event(each) for each in entries),
    )


def _event(entry: LogEntry) -> Event:
    data = entry.data if isinstance(entry.data, dict) else {}
    shown = [
        f"{key} {_short(value)}"
        for key, value in data.items()
        if isinstance(value, (str, int, float)) and key not in ("program", "basis")
    ]
    return Event(entry.sequence, entry.time, entry.event, ", ".join(shown)[:300], entry.sha256)


def _short(value: str | int | float) -> str:
    """A value of the log in few letters: hashes by their beginning."""
    text = str(value)
    return f"{text[:12]}…" if len(text) in (32, 64) and all(sign in "0123456789abcdef" for sign in text) else text[:80]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a frozen bundle need not know
        return ""

"""Everything that a report says in numbers, collected from a case as plain data: the results.json that is embedded in the PDF.

The sections of the report take all numbers from here and compute none, so what is printed is what stands in this file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from forensia import __version__
from forensia.case.analysing import Bench
from forensia.case.audit import LogEntry
from forensia.case.documents import StoredDocument
from forensia.case.errors import CaseError, CaseRefused
from forensia.case.machine import machine
from forensia.case.results import StoredResult
from forensia.case.store import Case
from forensia.case.work import about, open_summary
from forensia.corpus.document import Document
from forensia.errors import InputError
from forensia.evidence.validation import Validation
from forensia.jobs import Progress, part, silent, tracked
from forensia.report.details import CaseDetails
from forensia.report.limits import limits
from forensia.report.materials import materials, preprocessing
from forensia.report.strongest import Reader, strongest
from forensia.report.trust import bounds_of, curves, most_used

__all__ = ["FORMAT", "NAME", "Contents", "canonical", "collect", "identity"]

FORMAT = 1
NAME = "results.json"
# What is noted when something was taken out of the case; it changes nothing that a report rests on.
_EXPORTS = ("report made", "copy saved", "exported without texts")
_LIBRARIES = ("fpdf2", "matplotlib", "pypdf")


@dataclass(frozen=True)
class Contents:
    """The numbers of a report, and the texts that it shows passages of, by the id of the document."""

    found: dict[str, Any]
    texts: Mapping[str, str]


def collect(
    case: Case,
    details: CaseDetails,
    *,
    documents: Sequence[str] | None = None,
    date: datetime,
    progress: Progress = silent,
) -> Contents:
    """Everything about some disputed documents (by id, path or title; all that were analysed if None)."""
    progress(0.0, "Opening the case")
    chosen = _chosen(case, documents)
    bench = Bench.of(case)
    disputed = [(stored, case.document(stored.id)) for stored, _ in chosen]
    found: dict[str, Any] = {
        "format": FORMAT,
        "program": __version__,
        "report": {"date": _stamp(date), "status": details.status, "paper": details.paper},
        "details": details.to_json(),
        "case": _about_case(case),
        "materials": materials(case, bench.corpus, disputed, details),
        "preprocessing": preprocessing(case, bench.corpus, [document for _, document in disputed]),
        "model": about(bench.means.model),
        "k_accuracy": bench.means.model.k_accuracy.tolist(),
        "scale": bench.means.scale.to_dict(),
        "validation": None,
        "curves": None,
        "environment": {**machine(), **{name: _version(name) for name in _LIBRARIES}},
    }
    validation = bench.means.validation
    if validation is not None:
        progress(0.1, "Collecting the validation")
        found["validation"] = open_summary(case)
        found["curves"] = curves(most_used(validation, [document.words for _, document in disputed]))
    found["documents"] = _judged(bench, chosen, disputed, validation, part(progress, 0.5, 1.0))
    found["limits"] = limits(found)
    found["report"]["id"] = identity(found)
    return Contents(found, {stored.id: document.text for stored, document in disputed})


def canonical(found: Mapping[str, Any]) -> bytes:
    """The JSON as it is embedded, a line for each part: the same data give the same bytes. In ASCII, so that names of any bytes survive."""
    lines = [f"{json.dumps(key)}: {_line(found[key])}" for key in sorted(found)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def _line(value: Any) -> str:
    """On one line, for which json is ten times as fast as with indentation."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True)


def identity(found: Mapping[str, Any]) -> str:
    """The id of a report: a hash of all that it says."""
    report = {key: value for key, value in found["report"].items() if key != "id"}
    return hashlib.sha256(canonical({**found, "report": report})).hexdigest()[:16]


def _chosen(case: Case, documents: Sequence[str] | None) -> list[tuple[StoredDocument, StoredResult]]:
    """The disputed documents to report on, each with its newest result, which must rest on the case as it now is."""
    newest = {result.document: result for result in case.results()}
    there = case.disputed()
    if documents is None:
        wanted = [each for each in there if each.id in newest]
    else:
        wanted = []
        for name in documents:
            alike = [each for each in there if name in (each.id, each.path, each.title)]
            if not alike:
                raise InputError(f"The case has no disputed text '{name}'. Name one of those that were analysed.")
            wanted += [each for each in alike if each not in wanted]
    if not wanted:
        raise CaseRefused("No disputed text has been analysed in this case yet. Analyse one first.")
    for each in wanted:
        shown = each.path or each.title
        if each.id not in newest:
            raise CaseRefused(f"'{shown}' has not been analysed yet. Analyse it first.")
        if not newest[each.id].current:
            raise CaseRefused(
                f"The result of '{shown}' is out of date: the known texts, the settings or the model have changed since. "
                "Analyse it again."
            )
    return [(each, newest[each.id]) for each in wanted]


def _judged(
    bench: Bench,
    chosen: Sequence[tuple[StoredDocument, StoredResult]],
    disputed: Sequence[tuple[StoredDocument, Document]],
    validation: Validation | None,
    progress: Progress,
) -> list[dict[str, Any]]:
    rows = []
    reader: Reader | None = None
    pairs = list(zip(chosen, disputed, strict=True))
    for (stored, result), (_, document) in tracked(pairs, progress, "Finding passages"):
        found = dict(result.result)
        row = {"id": stored.id, "number": result.number, "time": result.time, "result": found, "strongest": None}
        row["bounds"] = None if validation is None else bounds_of(validation.rung(document.words))
        row["no_passages"] = ""
        try:
            reader = reader or Reader(bench)
            row["strongest"] = strongest(bench, reader, document, found, subject(found))
        except CaseError as error:  # another language model, or a copy without texts: the numbers stand all the same
            row["no_passages"] = str(error)
        rows.append(row)
    return rows


def subject(result: Mapping[str, Any]) -> str:
    """The author whom the findings about a text are stated for."""
    findings = result["opinion"].get("findings")
    return str(findings["author"] if findings else result["lazy"][0]["author"])


def _about_case(case: Case) -> dict[str, Any]:
    entries = list(case.log_entries())
    while entries and entries[-1].event in _EXPORTS:
        entries.pop()
    kept = case.about
    return {
        "file": case.path.name,
        "id": kept["id"],
        "created": kept["created"],
        "program": kept.get("program", ""),
        "basis": case.basis(),
        "arrays": case.array_kinds(),
        "log": {
            "entries": len(entries),
            "head": entries[-1].sha256 if entries else "",
            "time": entries[-1].time if entries else "",
            "sound": not case.verify_log(),
        },
        "events": [_event(each) for each in entries],
    }


def _event(entry: LogEntry) -> dict[str, Any]:
    data = entry.data if isinstance(entry.data, dict) else {}
    told = [
        f"{key} {_short(value)}"
        for key, value in data.items()
        if isinstance(value, (str, int, float)) and key not in ("program", "basis")
    ]
    return {
        "number": entry.sequence,
        "time": entry.time,
        "event": entry.event,
        "details": ", ".join(told)[:300],
        "sha256": entry.sha256,
    }


def _short(value: str | int | float) -> str:
    """A value of the log in few letters: hashes by their beginning."""
    text = str(value)
    return f"{text[:12]}…" if len(text) in (32, 64) and all(sign in "0123456789abcdef" for sign in text) else text[:80]


def _stamp(date: datetime) -> str:
    return date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a frozen bundle need not know
        return ""

"""Is the case still what it was, and do its numbers come out again? Everything is rehashed; what can be run again is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from forensia.case import documents, inspection
from forensia.case.analyses import opened
from forensia.case.arrays import KIND, model_hash
from forensia.case.errors import CaseDamaged, translated
from forensia.case.plain import Json
from forensia.case.store import Case
from forensia.corpus.document import text_hash
from forensia.errors import Cancelled, ForensiaError
from forensia.jobs import Progress, part, silent, tracked

Rerun = Callable[[Case, Progress], Mapping[str, Json]]
"""Trains and analyses again from what is stored, and returns what came out under the names of `recorded`.

It must not use the cache of analyses: what it is to verify may rest on it.
"""

_ARRAYS = "arrays "
_RESULT = "result "
_SHOWN = 60


@dataclass(frozen=True)
class Difference:
    """Something that is not as it was: the part, what is stored, what was found, and a sentence."""

    part: str
    stored: str
    found: str
    message: str


def verify_case(
    case: Case, rerun: Rerun | None = None, progress: Progress = silent, tolerance: float = 0.0
) -> list[Difference]:
    """Rehash all texts, arrays, analyses, records and the log; then, with `rerun`, compare what comes out again."""
    found = list(_rehashed(case, part(progress, 0.0, 0.2 if rerun else 1.0)))
    if rerun is not None:
        try:
            again = rerun(case, part(progress, 0.2, 1.0))
        except Cancelled:
            raise
        except ForensiaError as error:
            return [*found, Difference("the run", "", "", f"What is stored could not be run again: {error}")]
        found += compared(recorded(case), again, tolerance)
    return found


def recorded(case: Case) -> dict[str, Json]:
    """What a run again should give: the hash of each group of arrays ('arrays KIND') and each current result ('result NAME')."""
    expected: dict[str, Json] = {f"{_ARRAYS}{kind}": digest for kind, digest in case.array_kinds().items()}
    expected.update({f"{_RESULT}{each.name}": each.result for each in case.results() if each.current})
    return expected


def compared(stored: Mapping[str, Json], again: Mapping[str, Json], tolerance: float = 0.0) -> list[Difference]:
    """Every difference between what is stored and what came out again, down to the single number."""
    found = []
    for name in sorted({*stored, *again}):
        if name not in again:
            found.append(Difference(name, "stored", "not run again", f"The {name} was not run again."))
        elif name not in stored:
            found.append(Difference(name, "not stored", "came out", f"The {name} came out again but is not stored."))
        else:
            for place, old, new in _unequal(stored[name], again[name], "", tolerance):
                where = f"{name}{': ' + place if place else ''}"
                message = f"The {where} is stored as {_short(old)} and came out as {_short(new)}."
                found.append(Difference(where, _short(old), _short(new), message))
    return found


def _rehashed(case: Case, progress: Progress) -> Iterator[Difference]:
    database = case.database
    progress(0.0, "Checking the structure of the case")
    with translated(case.path, "its structure"):
        findings = inspection.structure(database.connection, case.path)
    if findings:
        yield _damaged("the structure of the file", f"{len(findings)} findings")
    for broken in dict.fromkeys([*database.damage(), *database.broken_records()]):
        yield _damaged(broken)
    try:
        for fault in case.verify_log():
            yield Difference(
                f"audit log, entry {fault.sequence}", "", "", f"{fault.message[:1].upper()}{fault.message[1:]}."
            )
    except CaseDamaged as damage:
        yield _damaged(damage.part)
    yield from _documents(case, part(progress, 0.1, 0.5))
    yield from _arrays(case, part(progress, 0.5, 0.8))
    yield from _analyses(case, part(progress, 0.8, 1.0))
    for read in (case.settings, case.results, case.notes, case.reports, case.undo_labels, case.problems):
        try:
            read()
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _documents(case: Case, progress: Progress) -> Iterator[Difference]:
    try:
        listed = (*case.documents(), *case.disputed())
    except CaseDamaged as damage:
        yield _damaged(damage.part)
        return
    for each in tracked(listed, progress, "Hashing the texts"):
        try:
            if case.without_texts:
                continue
            document = each.with_text(documents.text_of(case.database, each))
            if document.id != each.id or text_hash(document.text) != each.analysed_sha256:
                yield _damaged(f"the document {each.id}", "its text does not belong to it")
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _arrays(case: Case, progress: Progress) -> Iterator[Difference]:
    try:
        kinds = case.database.names(KIND)
    except CaseDamaged as damage:
        yield _damaged(damage.part, damage.reason)
        return
    for kind in tracked(kinds, progress, "Hashing the models"):
        try:
            group = case.arrays(kind)
            if group is None or case.without_texts:
                continue
            arrays = {}
            for name in group:
                try:
                    arrays[name] = group[name]
                except CaseDamaged as damage:
                    yield _damaged(damage.part, damage.reason)
            if len(arrays) == len(group) and model_hash(arrays) != group.model_hash:
                yield _damaged(f"the arrays {kind}", "they do not belong together")
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _analyses(case: Case, progress: Progress) -> Iterator[Difference]:
    connection = case.database.connection
    try:
        with case.database.reading("the analyses"):
            rows = connection.execute("SELECT rowid, text, model, sha256 FROM analyses").fetchall()
            for row, text, model, digest in tracked(rows, progress, "Hashing the analyses"):
                values = connection.execute(
                    "SELECT coding, size, data FROM analyses WHERE rowid = ?", (row,)
                ).fetchone()
                try:
                    opened(str(text), str(model), digest, *(values or (None, None, None)))
                except ValueError:
                    yield _damaged(f"the analysis of the text {str(text)[:16]}")
    except CaseDamaged as damage:
        yield _damaged(damage.part)


def _damaged(where: str, reason: str = "it is not what was stored") -> Difference:
    return Difference(where, "", "", f"{where[:1].upper()}{where[1:]}: {reason}.")


def _unequal(old: Json, new: Json, place: str, tolerance: float) -> Iterator[tuple[str, Json, Json]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            where = f"{place}.{key}" if place else key
            if key in old and key in new:
                yield from _unequal(old[key], new[key], where, tolerance)
            else:
                yield where, old.get(key, "nothing"), new.get(key, "nothing")
    elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)) and len(old) == len(new):
        for number, (first, second) in enumerate(zip(old, new, strict=True)):
            yield from _unequal(first, second, f"{place}[{number}]", tolerance)
    elif _is_number(old) and _is_number(new):
        if abs(old - new) > tolerance:
            yield place, old, new
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield place, old, new


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

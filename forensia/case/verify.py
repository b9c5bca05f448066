"""Is the case still what it was? Everything in it is rehashed, and what is not as it was stored is named."""

from __future__ import annotations

from collections.abc import Iterator

from forensia.case import inspection
from forensia.case.analyses import opened
from forensia.case.arrays import KIND, model_hash
from forensia.case.differences import Difference
from forensia.case.errors import CaseDamaged, translated
from forensia.case.store import Case
from forensia.corpus.document import text_hash
from forensia.jobs import Progress, part, silent, tracked


def verify_case(case: Case, progress: Progress = silent) -> list[Difference]:
    """Rehash all texts, arrays, analyses, records and the log; empty when everything is as it was stored."""
    return list(_rehashed(case, progress))


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
    reads = (
        case.settings, case.raw_results, case.raw_comparisons, case.notes, case.reports, case.undo_labels, case.problems,
    )  # fmt: skip
    for read in reads:
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
            if text_hash(each.text) != each.analysed_sha256:
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

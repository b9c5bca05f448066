"""What was examined, as plain data: every file with its hashes, what was found in it, what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from forensia.case.documents import StoredDocument
from forensia.case.store import Case
from forensia.corpus import Corpus
from forensia.corpus.document import Document, Problem, Role
from forensia.report.details import SETTING, CaseDetails
from forensia.wording.problems import left_out_because, message

__all__ = ["materials", "preprocessing"]


def materials(
    case: Case, corpus: Corpus, disputed: Sequence[tuple[StoredDocument, Document]], details: CaseDetails
) -> dict[str, Any]:
    """Every known and disputed document; the known ones by author and file."""
    texts = corpus.by_id
    known = [_document(each, texts[each.id], details) for each in case.documents()]
    known.sort(key=lambda row: (row["author"], row["file"], row["part"]))
    authors = []
    for author in dict.fromkeys(row["author"] for row in known):
        used = [row for row in known if row["author"] == author and row["excluded"] is None]
        authors.append(
            {
                "author": author,
                "documents": len(used),
                "words": sum(row["words"] for row in used),
                "sources": len({row["source"] for row in used if row["source"]}),
            }
        )
    active = [row for row in known if row["excluded"] is None]
    return {
        "disputed": [_document(each, document, details) for each, document in disputed],
        "known": known,
        "authors": authors,
        "documents": len(active),
        "words": sum(row["words"] for row in active),
        "excluded": len(known) - len(active),
        "layout": corpus.layout,
        "fingerprint": corpus.fingerprint,
    }


def _document(stored: StoredDocument, document: Document, details: CaseDetails) -> dict[str, Any]:
    file = stored.path or stored.title
    return {
        "id": stored.id,
        "exhibit": details.exhibit(file),
        "author": None if stored.role is Role.DISPUTED else stored.author,
        "read_as": stored.read_as if stored.read_as != stored.author else None,
        "file": file,
        "part": stored.part,
        "source": stored.source,
        "sha256": stored.sha256_bytes,
        "sha256_text": stored.text_sha256,
        "encoding": stored.encoding,
        "language": stored.language,
        "characters": len(document.original),
        "bytes": len(document.original.encode("utf-8", "surrogatepass")),
        "words": stored.words,
        "excluded": None if stored.excluded is None else left_out_because(stored.excluded),
    }


def preprocessing(case: Case, corpus: Corpus, disputed: Sequence[Document]) -> dict[str, Any]:
    """What was found in the texts, what was cut out of them, and what the analyst set aside."""
    problems = [_problem(each, "corpus", max(1, len(each.documents))) for each in case.problems()]
    problems += _grouped([each for each in corpus.documents if each.id not in corpus.excluded], "known")
    problems += _grouped(disputed, "disputed")
    return {"problems": problems, "cuts": [*_cuts(corpus.documents), *_cuts(disputed)], "set_aside": _set_aside(case)}


def _problem(problem: Problem, where: str, documents: int) -> dict[str, Any]:
    return {
        "where": where,
        "code": problem.code,
        "severity": problem.severity.value,
        "message": message(problem),
        "documents": documents,
    }


def _grouped(documents: Sequence[Document], where: str) -> list[dict[str, Any]]:
    """The problems of single documents, the like of them put together under the first."""
    found: dict[str, tuple[Problem, int]] = {}
    for document in documents:
        for problem in document.problems:
            first, count = found.get(problem.code, (problem, 0))
            found[problem.code] = (first, count + 1)
    return [_problem(problem, where, count) for problem, count in found.values()]


def _cuts(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Passages that are not analysed, by document."""
    rows = []
    for document in documents:
        if document.cuts:
            reasons = Counter(cut.reason for cut in document.cuts)
            rows.append(
                {
                    "file": document.path or document.title,
                    "passages": len(document.cuts),
                    "characters": len(document.original) - len(document.text),
                    "reasons": sorted(reasons),
                }
            )
    return rows


def _set_aside(case: Case) -> list[dict[str, str]]:
    """Problems that the analyst looked at and decided to leave, with the reason."""
    beside = case.settings().get(SETTING)
    ignored = beside.get("ignored") if isinstance(beside, Mapping) else None
    if not isinstance(ignored, Mapping):
        return []
    rows = [each for each in ignored.values() if isinstance(each, Mapping)]
    return [{"message": str(each.get("message", "")), "reason": str(each.get("reason", ""))} for each in rows]

"""Disputed texts: taken into the case, judged with what it holds, and kept with their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forensia.case.session import TRAINED, Session, refuse_older
from forensia.case.store import Case
from forensia.corpus import Document, read_disputed
from forensia.errors import Cancelled, ForensiaError
from forensia.evidence.result import Result
from forensia.jobs import Progress, part, silent
from forensia.wording.problems import said


@dataclass(frozen=True)
class Refused:
    """A file that could not be analysed, and why, in a sentence."""

    file: str
    reason: str


@dataclass(frozen=True)
class Batch:
    """What became of some disputed files; one that is bad never stops the others."""

    results: tuple[Result, ...]
    refused: tuple[Refused, ...] = ()


def analyse_files(
    case: Case,
    files: Sequence[Path],
    *,
    progress: Progress = silent,
    session: Session | None = None,
    done: Callable[[Result], None] = lambda result: None,
) -> Batch:
    """Take disputed files into the case, judge each, and keep the results; `done` hears of each as soon as it is kept."""
    refuse_older(case)
    session = session or Session.of(case)
    results, refused = [], []
    for number, file in enumerate(files):
        stage = part(progress, number / len(files), (number + 1) / len(files))
        try:
            document = replace(read_disputed(file), root=str(file.resolve().parent))
            result = analyse_document(case, session, document, stage)
        except Cancelled:
            raise
        except ForensiaError as error:
            refused.append(Refused(str(file), said(error)))
        else:
            results.append(result)
            done(result)
    return Batch(tuple(results), tuple(refused))


def analyse_documents(case: Case, documents: Sequence[Document], progress: Progress = silent) -> list[Result]:
    """Judge texts that are read already, and keep them; the first that cannot be judged is the end."""
    session = Session.of(case)
    results = []
    for number, document in enumerate(documents):
        stage = part(progress, number / len(documents), (number + 1) / len(documents))
        results.append(analyse_document(case, session, document, stage))
    return results


def analyse_document(case: Case, session: Session, document: Document, progress: Progress = silent) -> Result:
    """Judge a text that is read already, and keep it in the case with its result."""
    progress(0.0, document.title)
    session.refuse_known(document)
    details = {"file": Path(document.path).name, "sha256": document.sha256_bytes}
    with case.run("analysis", details) as run, case.analyses() as cache:
        result = session.judged(document, cache, progress)
        with run.finish():
            name = case.add_disputed(document)
            case.store_result(name, result, [kind for kind in TRAINED if kind in case.array_kinds()])
    progress(1.0, document.title)
    return result

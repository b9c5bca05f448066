"""Disputed texts: taken into the case, judged with what it holds, and kept with their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType

from forensia.case.session import TRAINED, Session, refuse_older
from forensia.case.store import LONGEST_REASON, Case
from forensia.corpus import Document, read_disputed
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.evidence.result import FROM_NEW_SOURCE, WHO, Question, Result, Stated
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


@dataclass(frozen=True)
class Said:
    """What the analyst says of a disputed text: where it comes from, and what is asked; None: what was said last holds on."""

    stated: Stated | None = None
    question: Question | None = None

    def after(self, last: Result | None) -> tuple[Stated, Question]:
        """All of it, after what the last result was told."""
        stated, question = (FROM_NEW_SOURCE, WHO) if last is None else (last.stated, last.question)
        return self.stated or stated, self.question or question


def analyse_files(
    case: Case,
    files: Sequence[Path],
    *,
    stated: Stated | None = None,
    question: Question | None = None,
    progress: Progress = silent,
    session: Session | None = None,
    done: Callable[[Result], None] = lambda result: None,
) -> Batch:
    """Take disputed files into the case, judge each, and keep the results; `done` hears of each as soon as it is kept.

    Where nothing is `stated` about their source, what was stated last holds on; so does what was asked.
    """
    refuse_older(case)
    told = Said(stated, question)
    refuse_unfit(told)
    session = session or Session.of(case)
    if question is not None:
        session.judge.refuse(question)
    results, refused = [], []
    for number, file in enumerate(files):
        stage = part(progress, number / len(files), (number + 1) / len(files))
        try:
            document = replace(read_disputed(file), root=str(file.resolve().parent))
            result = analyse_document(case, session, document, stage, told)
        except Cancelled:
            raise
        except ForensiaError as error:
            refused.append(Refused(str(file), said(error)))
        else:
            results.append(result)
            done(result)
    return Batch(tuple(results), tuple(refused))


def refuse_no_reason(stated: Stated | None) -> None:
    """That a text is from a known source must be said with a reason: it decides which figures hold, and nothing in the text tells it."""
    if stated is not None and (stated.source == "known") != bool(stated.because.strip()):
        raise InputError(
            "Say why the text is from the source of some known texts (the same book, the same thread): the report tells it."
            if stated.source == "known"
            else "A reason is of use only where the text is said to be from a known source."
        )
    if stated is not None and len(stated.because) > LONGEST_REASON:
        raise InputError(f"A reason has at most {LONGEST_REASON} characters.")


def refuse_unfit(told: Said) -> None:
    """What is said needs its reasons."""
    refuse_no_reason(told.stated)
    question = told.question or WHO
    if (question.kind == "one of these") != bool(question.because.strip()):
        raise InputError(
            "Say why one of the candidates must have written the text (who agrees on it): the report tells it."
            if question.kind == "one of these"
            else "A reason is of use only where it is agreed that one of the candidates wrote the text."
        )
    if len(question.because) > LONGEST_REASON:
        raise InputError(f"A reason has at most {LONGEST_REASON} characters.")


def analyse_documents(
    case: Case,
    documents: Sequence[Document],
    progress: Progress = silent,
    told: Mapping[str, Said] = MappingProxyType({}),
) -> list[Result]:
    """Judge texts that are read already, and keep them; the first that cannot be judged is the end. What is `told` goes by their ids."""
    session = Session.of(case)
    results = []
    for number, document in enumerate(documents):
        stage = part(progress, number / len(documents), (number + 1) / len(documents))
        results.append(analyse_document(case, session, document, stage, told.get(document.id, Said())))
    return results


def analyse_again(case: Case, document: str, told: Said, progress: Progress = silent) -> Result:
    """Judge a disputed text of the case again, with something else said of its source, or asked."""
    refuse_older(case)
    refuse_unfit(told)
    return analyse_document(case, Session.of(case), case.documents.get(document), progress, told)


def analyse_document(
    case: Case, session: Session, document: Document, progress: Progress = silent, told: Said = Said()
) -> Result:
    """Judge a text that is read already, and keep it in the case with its result."""
    progress(0.0, document.title)
    session.refuse_known(document)
    before = case.results.all(document.id)
    stated, question = told.after(before[-1].result if before else None)
    details = {
        "file": Path(document.path).name,
        "sha256": document.sha256_bytes,
        "source": stated.source,
        "question": {key: value for key, value in asdict(question).items() if value},
    }
    with case.log.run("analysis", details) as run, case.models.analyses() as cache:
        result = session.judged(document, cache, progress, stated, question)
        with run.finish():
            name = case.documents.add_disputed(document)
            case.results.store(name, result, [kind for kind in TRAINED if kind in case.models.hashes()])
    progress(1.0, document.title)
    return result

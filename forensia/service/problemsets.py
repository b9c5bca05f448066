"""Many verification problems at once, in the layout of the PAN tasks: for each a folder with `known*.txt` and `unknown.txt`.

What else lies there (contents.json, truth.txt) is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forensia.case.errors import CaseRefused
from forensia.case.session import Session, refuse_older
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, ProblemError, check_disputed, read_disputed
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import FileProblem, Problem, Severity
from forensia.corpus.walking import Entry, Unreadable, read_bytes, shown, walk
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.evidence.newcomers import Newcomers, Verified
from forensia.jobs import Progress, part, silent
from forensia.language import MemoryCache
from forensia.service.analysing import Refused
from forensia.service.training import known_texts
from forensia.wording.problems import said

ANSWERS = "answers.txt"
MOST_PROBLEMS = 10_000
MOST_KNOWN = 100  # known texts of a problem


@dataclass(frozen=True)
class Posed:
    """A problem as it lies in its folder; `wrong` is what could not be looked at there."""

    name: str
    known: tuple[Entry, ...]
    unknown: Entry | None
    wrong: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ProblemAnswer:
    """What was found about a problem; of known texts that are the same one is there."""

    problem: str
    known: tuple[Document, ...]
    unknown: Document
    found: Verified


@dataclass(frozen=True)
class ProblemAnswers:
    """What became of some problems; a broken one never stops the others."""

    answers: tuple[ProblemAnswer, ...]
    refused: tuple[Refused, ...] = ()

    @property
    def lines(self) -> str:
        """The answers in the format of the PAN tasks: 0.5 is none."""
        found = {each.file: 0.5 for each in self.refused}
        found |= {each.problem: _probability(each.found) for each in self.answers}
        return "".join(f"{name} {found[name]:.6g}\n" for name in sorted(found))


def _probability(found: Verified) -> float:
    return 0.5 if found.same is None or found.probability is None else found.probability


def answer_problems(case: Case, session: Session, folder: Path, progress: Progress = silent) -> ProblemAnswers:
    """ProblemAnswer all problems of a folder; nothing of them is kept in the case."""
    refuse_older(case)
    posed = list(problems_in(folder, part(progress, 0.0, 0.02)))
    validation = session.judge.validation
    if validation is None:
        raise CaseRefused("The case has not been validated yet. Validate it first.")
    newcomers = Newcomers(validation, known_texts(case, session, part(progress, 0.02, 0.2)))
    answers, refused = [], []
    for number, each in enumerate(posed):
        stage = part(progress, 0.2 + 0.8 * number / len(posed), 0.2 + 0.8 * (number + 1) / len(posed))
        stage(0.0, each.name)
        try:
            answers.append(_answered(session, newcomers, each, stage))
        except Cancelled:
            raise
        except ForensiaError as error:
            refused.append(Refused(each.name, said(error)))
    return ProblemAnswers(tuple(answers), tuple(refused))


def problems_in(folder: Path, progress: Progress = silent) -> Iterator[Posed]:
    """The problems of a folder, each sub-folder one, in the order of their names."""
    listing = walk(folder, progress)
    if listing.single:
        raise InputError(f"'{folder.name}' is a file. Choose the folder that has a folder for each problem.")
    # What names alone could mislead about is no fault here.
    faults = [each for each in listing.problems if each.severity is Severity.WARNING and each.code != "similar-names"]
    try:
        folders = [shown(each.name) for each in folder.iterdir() if each.is_dir() and each.name[0] != "."]
    except OSError as error:
        raise Unreadable("place", shown(str(folder)), reason=error.strerror or str(error)) from error
    entries: dict[str, list[Entry]] = {name: [] for name in folders}
    for entry in listing.entries:
        if len(entry.parts) == 2:
            entries.setdefault(entry.parts[0], []).append(entry)
    if not entries:
        raise InputError(f"'{folder.name}' holds no problems. Choose the folder that has a folder for each problem.")
    if len(entries) > MOST_PROBLEMS:
        raise InputError(f"'{folder.name}' holds more than {MOST_PROBLEMS:,} problems. Choose fewer at once.")
    for name in sorted(entries):
        texts = {entry.name.lower(): entry for entry in entries[name]}
        known = tuple(entry for text, entry in texts.items() if text.startswith("known") and text.endswith(".txt"))
        wrong = tuple(each for each in faults if each.file.split("/")[0] == name)
        yield Posed(name, known, texts.get("unknown.txt"), wrong)


def _answered(session: Session, newcomers: Newcomers, posed: Posed, progress: Progress) -> ProblemAnswer:
    if posed.wrong:
        raise ProblemError(posed.wrong[0], posed.wrong[1:])
    if posed.unknown is None:
        raise InputError("There is no unknown.txt.")
    if not posed.known:
        raise InputError("There is no known text (known01.txt and so on).")
    if len(posed.known) > MOST_KNOWN:
        raise InputError(f"There are more than {MOST_KNOWN:,} known texts.")
    unknown, *others = _read((posed.unknown, *posed.known))
    known = tuple({each.sha256_text: each for each in others}.values())
    for problem in check_disputed(Corpus.of(known), unknown):
        raise ProblemError(problem)
    session.refuse_known(unknown)
    counts = session.count_all(known, MemoryCache(), part(progress, 0.0, 0.3))
    parts = session.parts(unknown, MemoryCache(), part(progress, 0.3, 0.5))
    without = _authors(session, known)
    found = newcomers.verify(counts, parts, unknown.words, without, part(progress, 0.5, 1.0))
    return ProblemAnswer(posed.name, known, unknown, found)


def _read(entries: Sequence[Entry]) -> Iterator[Document]:
    """The texts of a problem, all together no larger than one may be."""
    room = MAX_TEXT_BYTES
    for entry in entries:
        try:
            data = read_bytes(entry.place, room)
        except FileProblem as error:
            raise FileProblem(error.about(entry.relative)) from error
        room -= len(data)
        yield read_disputed(data, name=entry.relative)


def _authors(session: Session, known: Sequence[Document]) -> list[int]:
    """The authors of the case who wrote one of these texts: they are no others."""
    by_id, learnt = session.corpus.by_id, session.judge.learnt
    hashes = {each.sha256_text for each in known}
    places = zip(learnt.documents, learnt.codes.tolist(), strict=True)
    return sorted({code for name, code in places if name in by_id and by_id[name].sha256_text in hashes})

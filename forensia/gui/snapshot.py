"""All that the pages show of a case, read at once: pages draw it and never ask the file themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from pathlib import Path
from typing import Any

from forensia import paths
from forensia.case.choices import BESIDE
from forensia.case.documents import ChosenSources
from forensia.case.results import StoredComparison, StoredResult
from forensia.case.session import FUSED, MODEL, is_current, is_validated, open_record, population_texts
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, Exclusion, Problem, ReadOptions, Role, Severity
from forensia.corpus.checks import checked
from forensia.corpus.sources import ONE_SOURCE, SOURCES_NOT_KNOWN
from forensia.errors import SettingsError
from forensia.evidence.learnt import ModelRecord
from forensia.evidence.population import PopulationText
from forensia.evidence.result import Result
from forensia.evidence.writers import Grouping
from forensia.report.details import CaseDetails

IGNORED = "ignored"
"""Where, among what a report says beside the numbers, the problems stand that were set aside."""

_ORDER = (Severity.BLOCKING, Severity.WARNING, Severity.NOTE)


@dataclass(frozen=True)
class Finding:
    """A line of the problem list: one problem, or the like of it in many documents."""

    problem: Problem
    documents: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    ignored: str = ""  # the reason why nobody need look at it any more

    @property
    def key(self) -> str:
        """A name by which the same problem of the same documents is known again; another document makes it another problem."""
        about = "\n".join(
            (self.problem.code, self.problem.severity.value, *sorted(self.documents), *sorted(self.files))
        )
        return hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def more(self) -> int:
        """How many other documents have it too, beyond what the message names."""
        return max(0, len(self.documents) - 1) if not self.problem.documents else 0


NOT_KNOWN = Finding(Problem.of(SOURCES_NOT_KNOWN, Severity.NOTE))
"""What is set aside when the analyst says that the sources of the texts are not known."""


@dataclass(frozen=True)
class ModelState:
    """The model of a case in the numbers that the window tells; `names` are the ids of the documents that it has learnt from."""

    time: str
    current: bool
    validated: bool
    record: ModelRecord
    names: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the diff-vector part is trained too, which it cannot be with a population that came as counts."""
        return self.record.pairs is not None or self.record.counted > 0


@dataclass(frozen=True)
class Snapshot:
    """A case as it was at one moment."""

    path: Path
    read_only: str = ""
    documents: tuple[Document, ...] = ()
    findings: tuple[Finding, ...] = ()
    disputed: tuple[Document, ...] = ()
    results: Mapping[str, StoredResult[Result]] = field(default_factory=dict)  # the last one of each disputed document
    comparisons: tuple[StoredComparison[Grouping], ...] = ()  # that are kept, oldest first
    model: ModelState | None = None
    undo: str | None = None
    redo: str | None = None
    root: str = ""
    reading: ReadOptions = field(default_factory=ReadOptions)
    given: Mapping[str, ChosenSources] = field(default_factory=dict)  # the sources that the analyst gave
    exhibits: Mapping[str, str] = field(default_factory=dict)  # file of a disputed text -> its label in the case
    population: tuple[PopulationText, ...] = ()  # the texts of a population that came as a file
    sources_unasked: bool = False  # nothing tells what any text comes from, and the analyst was not asked yet

    @property
    def held(self) -> int:
        """How many authors a population has that came as a file; whoever has texts here is left out of it."""
        return len({each.author for each in self.population} - {each.author for each in self.active})

    @property
    def proposals(self) -> tuple[Finding, ...]:
        """What is proposed about the sources of texts."""
        return tuple(each for each in self.findings if each.problem.code == ONE_SOURCE)

    @property
    def untitled(self) -> bool:
        """Whether the case still lies in the program's own folder."""
        return self.path.parent == untitled_folder()

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def active(self) -> tuple[Document, ...]:
        """The documents that training uses."""
        return tuple(each for each in self.documents if each.excluded is None)

    @property
    def authors(self) -> tuple[str, ...]:
        return tuple(sorted({each.author for each in self.documents}, key=str.casefold))

    @property
    def known(self) -> tuple[int, int, int, int]:
        """Authors and documents that training uses, documents that are left out, and how many of the authors are the population."""
        active = self.active
        population = len({each.author for each in active if each.role is Role.POPULATION})
        authors = len({each.author for each in active}) + self.held
        return authors, len(active), len(self.documents) - len(active), population + self.held

    @property
    def is_sample(self) -> bool:
        """Whether the known texts are those that come with the program."""
        return bool(self.root) and Path(self.root) == (paths.sample_case() / "known").resolve()

    def count(self, severity: Severity) -> int:
        """How many problems of a severity are there that were not ignored."""
        return sum(finding.problem.severity is severity and not finding.ignored for finding in self.findings)


def untitled_folder() -> Path:
    """Where cases lie that were not yet given a place."""
    return paths.private_folder(paths.data_dir() / "cases").resolve()


class Changes(Flag):
    """Parts of a case that differ from what was shown before: what a page must look at."""

    CASE = auto()  # another case, or other rights to it
    CORPUS = auto()  # known texts, populations, their sources, and what is found about them
    MODEL = auto()
    DISPUTED = auto()  # disputed texts, their results, comparisons of texts

    @classmethod
    def between(cls, before: Snapshot | None, after: Snapshot | None) -> Changes:
        """What differs between two moments; everything where another case was put in the place of one."""
        if before is None or after is None or before.path != after.path:
            return ~cls(0)
        changes = cls(0)
        for part, names in _PARTS.items():
            if any(getattr(before, name) != getattr(after, name) for name in names):
                changes |= part
        return changes


_PARTS = {
    Changes.CASE: ("read_only", "undo", "redo"),
    Changes.CORPUS: ("documents", "findings", "root", "reading", "given", "population", "sources_unasked"),
    Changes.MODEL: ("model",),
    Changes.DISPUTED: ("disputed", "results", "comparisons", "exhibits"),
}


def opened(case: Case) -> tuple[Case, Snapshot]:
    """A case that was just opened, with what the window shows of it; it is closed when that cannot be read."""
    try:
        return case, take(case)
    except BaseException:
        case.close()
        raise


def retaken(before: Snapshot, case: Case) -> Snapshot:
    """The case after anything may have changed."""
    return take(case)


def take(case: Case) -> Snapshot:
    """Read what the window shows; no texts."""
    documents, aside = case.documents.known(), ignored(case)
    undo, redo = case.choices.labels()
    population = population_texts(case)
    return Snapshot(
        path=case.path,
        read_only=case.read_only,
        documents=documents,
        findings=findings(documents, case.documents.problems(), aside, alone=bool(population)),
        population=population,
        disputed=case.documents.disputed(),
        results=_results(case),
        comparisons=case.results.comparisons(),
        model=_model(case),
        undo=undo,
        redo=redo,
        root=case.documents.place(),
        reading=case.documents.reading(),
        given=case.documents.chosen_sources(),
        exhibits=_exhibits(case),
        sources_unasked=_unasked(documents, aside),
    )


def changed(before: Snapshot, case: Case) -> Snapshot:
    """The case after the analyst's choice: what such a choice cannot touch is not read again."""
    decisions = case.documents.decided()
    documents = tuple(map(decisions.of, before.documents))  # their records are not read again
    aside = ignored(case)
    undo, redo = case.choices.labels()
    model = before.model and replace(before.model, current=is_current(case))
    return replace(
        before,
        documents=documents,
        findings=findings(documents, case.documents.problems(), aside, alone=bool(before.population)),
        results=_results(case, before.results) if before.results else {},
        comparisons=case.results.comparisons() if before.comparisons else (),
        model=model,
        undo=undo,
        redo=redo,
        given=decisions.sources,
        exhibits=_exhibits(case),
        sources_unasked=_unasked(documents, aside),
    )


def analysed(before: Snapshot, case: Case) -> Snapshot:
    """The case after disputed texts were analysed or compared: the known ones are not read again."""
    return replace(
        before,
        disputed=case.documents.disputed(),
        results=_results(case, before.results),
        comparisons=case.results.comparisons(),
    )


def _results(case: Case, before: Mapping[str, StoredResult[Result]] | None = None) -> dict[str, StoredResult[Result]]:
    """The last result of each disputed document; what was there before is not read again."""
    known = {result.name: result for result in (before or {}).values()}
    return {result.document: result for result in case.results.all(known=known)}


def same(one: Snapshot, other: Snapshot) -> bool:
    """Whether nothing of what was found differs between two moments."""
    return (one.documents, one.model, one.disputed) == (other.documents, other.model, other.disputed) and {
        result.name for result in one.results.values()
    } == {result.name for result in other.results.values()}


def ignored(case: Case) -> dict[str, str]:
    """The problems that the analyst has looked at and set aside, by key, each with the reason."""
    kept = case.choices.settings().get(BESIDE)
    listed = kept.get(IGNORED) if isinstance(kept, dict) else None
    return {str(key): str(each["reason"]) for key, each in listed.items()} if isinstance(listed, dict) else {}


def set_aside(case: Case, changes: Mapping[str, Any], label: str) -> Any:
    """Change which problems are ignored; what else the report is to say stays as it is."""
    now = case.choices.settings()
    beside = dict(now.get(BESIDE) or {})
    listed = {**(beside.get(IGNORED) or {}), **changes}
    beside[IGNORED] = {key: why for key, why in listed.items() if why is not None}
    return case.choices.set_settings({**now, BESIDE: beside}, label)


def _exhibits(case: Case) -> dict[str, str]:
    """The labels of disputed texts; none where the details of the report cannot be read, which the report says."""
    try:
        return {each.file: each.label for each in CaseDetails.of_case(case).exhibits}
    except SettingsError:
        return {}


def _unasked(documents: Iterable[Document], aside: Mapping[str, str]) -> bool:
    return NOT_KNOWN.key not in aside and not any(each.sources for each in documents)


def findings(
    documents: Iterable[Document],
    problems: Iterable[Problem],
    ignored: Mapping[str, str] | None = None,
    *,
    alone: bool = False,
) -> tuple[Finding, ...]:
    """What is wrong now: the problems of the corpus looked at anew, those of its documents put together by kind.

    One author may be `alone` where there is a population besides.
    """
    listed = tuple(documents)
    excluded = {each.id for each in listed if each.excluded is not None}
    sourced = {each.id for each in listed if each.sources}
    lines = [
        Finding(problem, problem.documents, (problem.file,) if problem.file else ())
        for problem in _fresh(listed, tuple(problems))
        if not (
            problem.documents
            and set(problem.documents) <= excluded | (sourced if problem.code == ONE_SOURCE else set())
        )
        and not (alone and problem.values.get("why") == "one")
    ]
    alike: dict[tuple[str, Severity], list[tuple[Document, Problem]]] = {}
    for document in listed:
        for problem in document.problems:
            out = document.excluded
            if out is None or (isinstance(out, Exclusion) and out.code == problem.code):
                alike.setdefault((problem.code, problem.severity), []).append((document, problem))
    for group in alike.values():
        names = tuple(document.id for document, _ in group)
        files = tuple(dict.fromkeys(problem.file for _, problem in group if problem.file))
        lines.append(Finding(group[0][1], names, files))
    reasons = ignored or {}
    lines = [replace(finding, ignored=reasons.get(finding.key, "")) for finding in lines]
    return tuple(sorted(lines, key=lambda finding: (bool(finding.ignored), _ORDER.index(finding.problem.severity))))


def _fresh(listed: tuple[Document, ...], problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems of the corpus as the choices now are; no text is read for it."""
    return checked(Corpus.of(listed, problems), thorough=False).problems if listed else problems


def _model(case: Case) -> ModelState | None:
    stored, record = case.models.get(FUSED) or case.models.get(MODEL), open_record(case)
    if stored is None or record is None:
        return None
    return ModelState(stored.time, is_current(case), is_validated(case), record, tuple(stored.header["documents"]))

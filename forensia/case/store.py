"""The case: one file that holds the work of an analyst, always saved, and able to show how it came about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Self

from forensia.case import arrays, audit, casefile, choices, documents, results, runs
from forensia.case.arrays import Array, CaseCache, StoredArrays
from forensia.case.audit import Clock, LogEntry, LogFault
from forensia.case.choices import Change
from forensia.case.database import Database
from forensia.case.documents import ChosenSources, Import
from forensia.case.errors import CaseDamaged, CaseRefused, named
from forensia.case.results import StoredComparison, StoredReport, StoredResult
from forensia.case.runs import Run
from forensia.case.storage import Json
from forensia.corpus.document import Corpus, Document, Problem, Role
from forensia.corpus.layouts import ReadOptions
from forensia.corpus.walking import shown
from forensia.errors import StorageError
from forensia.evidence.result import Result
from forensia.evidence.writers import Grouping

LONGEST_SOURCE = 4_000  # a path may be the name of one
LONGEST_REASON = 500


class Case:
    """A case that is open. Every method that changes it is one step: when it returns, the change is on disk with its log entry.

    It may be used from several threads; close it, or use it as a context. `read_only` says why it cannot be changed, if so, and
    `damage` names the parts that were found damaged: the others can still be read, and each is checked when it is.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def create(cls, path: Path | str, *, clock: Clock = audit.now) -> Self:
        """A new, empty case in a file that is not there yet, readable by this user alone."""
        place = _place(path)
        casefile.create(place, clock)
        return cls.open(place, clock=clock)

    @classmethod
    def open(cls, path: Path | str, read_only: bool = False, *, lent: bool = False, clock: Clock = audit.now) -> Self:
        """A case from a file, which may come from anybody. The first to open it may write; for all others it is read-only.

        `lent` is for a child process: its parent has the case open, and lets the child write in its place meanwhile.
        """
        case = cls(casefile.open_database(_place(path), read_only=read_only, clock=clock, lent=lent))
        if not case.read_only:
            try:
                runs.close_interrupted(case._database)
            except BaseException:
                case.close()
                raise
        return case

    def close(self) -> None:
        """Let go of the file; nothing is left to be saved."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def database(self) -> Database:
        """What lies under the case, for the modules of this room."""
        return self._database

    @property
    def path(self) -> Path:
        return self._database.path

    @property
    def read_only(self) -> str:
        """Why the case cannot be changed; empty when it can."""
        return self._database.read_only

    @property
    def damage(self) -> tuple[str, ...]:
        """The parts that were found damaged at opening."""
        return self._database.found

    @property
    def without_texts(self) -> bool:
        """Whether this is a copy that texts and models were left out of."""
        return self._database.withheld

    @property
    def about(self) -> Mapping[str, str]:
        """The id of the case, when it was made and by which version of the program."""
        record = self._database.get(*casefile.ABOUT)
        if not isinstance(record, dict):
            raise CaseDamaged(self.path, "the record of the case itself")
        return {key: str(value) for key, value in record.items()}

    @contextmanager
    def step(self, event: str = "", details: Json = None) -> Iterator[None]:
        """Several changes that happen together or not at all. Do the long work before, and only store inside."""
        with self._database.step():
            yield
            if event:
                self._database.note(event, details or {})

    def close_interrupted(self) -> tuple[int, ...]:
        """Note the end of each run that has none, because the process that did it was killed."""
        return runs.close_interrupted(self._database)

    def run(self, what: str, details: Json = None) -> AbstractContextManager[Run]:
        """Something long: its beginning is logged, and its end whatever it is; store what it found inside `run.finish()`."""
        return runs.run(self._database, what, details)

    # Documents

    def store_corpus(self, corpus: Corpus, imports: Sequence[Import] = ()) -> None:
        """Put a corpus in place of the one before, with where it was read from and how."""
        documents.store_corpus(self._database, corpus, imports)

    def reading(self) -> ReadOptions:
        """How the corpus was read first; what was added to it stands in `imports`."""
        return documents.reading(self._database)

    def imports(self) -> tuple[Import, ...]:
        """Where the known documents were read from and how: at the import, then what was added."""
        return documents.imports(self._database)

    def corpus(self) -> Corpus | None:
        """The corpus as it now holds, with all texts; None before an import."""
        return documents.corpus(self._database)

    def documents(self) -> tuple[Document, ...]:
        """The known documents; the text of each is read when it is asked for."""
        return documents.listed(self._database)

    def problems(self) -> tuple[Problem, ...]:
        """What was found when the corpus was read."""
        return documents.corpus_problems(self._database)

    def document(self, name: str) -> Document:
        """A known or disputed document with its text, which outlives the case."""
        return documents.find(self._database, name).loaded()

    def basis(self) -> str:
        """A hash of all that a model rests on; a group of arrays with another one is out of date."""
        return documents.basis(self._database)

    # Choices, which can be undone

    def exclude(self, names: Iterable[str], reason: str) -> Change | None:
        """Leave documents out of training, with the reason."""
        wanted = self._known(names)
        if not reason.strip() or len(reason) > LONGEST_REASON:
            raise CaseRefused(f"Leaving out a document needs a reason of at most {LONGEST_REASON} characters.")
        label = f"Exclude {_counted(wanted)}"
        return choices.change(
            self._database, choices.EXCLUDED, dict.fromkeys(wanted, reason), (), label, "documents excluded"
        )

    def include(self, names: Iterable[str]) -> Change | None:
        """Take documents back in."""
        wanted = self._known(names)
        label = f"Include {_counted(wanted)}"
        return choices.change(self._database, choices.EXCLUDED, {}, wanted, label, "documents included")

    def reassign(self, names: Iterable[str], author: str) -> Change | None:
        """Say that another author wrote some documents; what was read as their author is kept."""
        wanted = self._known(names)
        if not author:
            raise CaseRefused("An author needs a name. Nothing was changed.")
        read = {each.id: each.read_as for each in self.documents()}
        back = tuple(name for name in wanted if read[name] == author)
        other = {name: author for name in wanted if read[name] != author}
        label = f"Reassign {_counted(wanted)}"
        return choices.change(self._database, choices.AUTHORS, other, back, label, "documents reassigned")

    def set_sources(self, wanted: Mapping[str, Collection[str]], because: str = "") -> Change | None:
        """Say what some documents come from: none where it is not known; what was read is kept.

        A reason is kept too, as when texts are said to be each of its own occasion, which nothing in them tells.
        """
        names = self._known(wanted)
        given = {name: tuple(sorted(set(wanted[name]))) for name in names}
        if any(not each.strip() or len(each) > LONGEST_SOURCE for sources in given.values() for each in sources):
            raise CaseRefused(f"A source needs a name of at most {LONGEST_SOURCE:,} characters. Nothing was changed.")
        if len(because) > LONGEST_REASON:
            raise CaseRefused(f"A reason has at most {LONGEST_REASON} characters. Nothing was changed.")
        read = {each.id: each.read_sources for each in self.documents()}
        back = {name for name in names if read[name] == given[name] and not because}
        other = {name: ChosenSources(given[name], because).to_json() for name in names if name not in back}
        label = f"Change the sources of {_counted(names)}"
        return choices.change(self._database, choices.SOURCES, other, tuple(sorted(back)), label, "sources changed")

    def set_role(self, authors: Collection[str], role: Role) -> Change | None:
        """Say whether some authors are candidates or the population: it holds for all their texts; what was read is kept."""
        theirs = [each for each in self.documents() if each.author in set(authors)]
        if missing := set(authors) - {each.author for each in theirs}:
            raise CaseRefused(f"There is no author '{shown(min(missing))}' in the case. Nothing was changed.")
        if role is Role.DISPUTED:
            raise CaseRefused("A known text is a candidate's or the population's. Nothing was changed.")
        back = tuple(each.id for each in theirs if each.read_role is role)
        other = {each.id: role.value for each in theirs if each.read_role is not role}
        label = f"Change the role of {len(set(authors)):,} author{'' if len(set(authors)) == 1 else 's'}"
        return choices.change(self._database, choices.ROLES, other, back, label, "roles changed")

    def chosen_sources(self) -> dict[str, ChosenSources]:
        """The documents whose sources the analyst gave, with the reason."""
        return documents.chosen_sources(self._database)

    def settings(self) -> dict[str, Json]:
        """The settings of the case."""
        return choices.chosen(self._database, choices.SETTINGS)

    def set_settings(self, settings: Mapping[str, Json], label: str = "Change settings") -> Change | None:
        """Put settings in place of all there were; what is equal counts as unchanged."""
        gone = tuple(key for key in self.settings() if key not in settings)
        return choices.change(self._database, choices.SETTINGS, settings, gone, label, "settings changed")

    def undo(self) -> Change | None:
        """Take back the last exclusion, reassignment, change of sources or setting; None when there is none."""
        return choices.undo(self._database)

    def redo(self) -> Change | None:
        """Make again what was taken back last; None when there is nothing."""
        return choices.redo(self._database)

    def undo_labels(self) -> tuple[str | None, str | None]:
        """What `undo` and `redo` would do, in words."""
        return choices.labels(self._database)

    # Models

    def store_arrays(
        self,
        kind: str,
        header: Mapping[str, Json],
        contents: Mapping[str, Array],
        not_finite: Collection[str] = (),
    ) -> str:
        """Put a group of arrays in place of the one of its kind; return its hash. Only those in `not_finite` may hold NaN."""
        rests_on = documents.basis(self._database, sources=kind in arrays.BY_SOURCE)
        return arrays.store(self._database, kind, header, contents, not_finite, rests_on)

    def arrays(self, kind: str) -> StoredArrays | None:
        """A group of arrays, each read when it is asked for; None when there is none."""
        return arrays.stored(self._database, kind)

    def array_kinds(self) -> dict[str, str]:
        """The groups there are, with the hash of each."""
        return arrays.hashes(self._database)

    def is_current(self, kind: str) -> bool:
        """Whether a group of arrays rests on the documents and settings as they now are."""
        group = self.arrays(kind)
        return group is not None and self.rests_on(kind, group.basis)

    def rests_on(self, kind: str, basis: str) -> bool:
        """Whether this is the basis of a group of arrays as the case now is; version 0.1 took no notice of sources."""
        return basis == self.basis() or (
            kind in arrays.BY_SOURCE and basis == documents.basis(self._database, sources=True)
        )

    def remove_arrays(self, kind: str) -> None:
        """Take a group of arrays out."""
        with self._database.step():
            self._database.delete(arrays.KIND, kind)
            self._database.note("arrays removed", {"kind": kind})

    def analyses(self) -> CaseCache:
        """The cache of language analyses; a context, or call `flush` at the end."""
        return CaseCache(self._database)

    # Disputed documents

    def add_disputed(self, document: Document) -> str:
        """Take in a text whose author is asked for; return its id."""
        return documents.add_disputed(self._database, document)

    def disputed(self) -> tuple[Document, ...]:
        """The disputed documents, as they were added; the text of each is read when it is asked for."""
        return documents.listed(self._database, documents.DISPUTED)

    def remove_disputed(self, name: str) -> None:
        """Take a disputed document out, with its results, its comparisons and its note."""
        with self._database.step():
            results.forget_comparisons(self._database, name)
            results.remove_disputed(self._database, name)

    def store_result(
        self, document: str, result: Result | Json, groups: Collection[str] | None = None
    ) -> StoredResult[Json]:
        """Keep an analysis of a disputed document; the earlier ones stay. `groups`: the arrays it rests on, None is all."""
        return results.store_result(self._database, document, result, groups)

    def results(
        self, document: str | None = None, known: Mapping[str, StoredResult[Result]] | None = None
    ) -> tuple[StoredResult[Result], ...]:
        """The results of one disputed document or of all, oldest first for each; those that are `known` by name are not read again."""
        return results.typed_results(self._database, document, known)

    def raw_results(self, document: str | None = None) -> tuple[StoredResult[Json], ...]:
        """The results as they are stored, for whoever compares or copies them."""
        return results.raw_results(self._database, document)

    def store_comparison(self, documents: Sequence[str], found: Grouping, groups: Collection[str]) -> int:
        """Keep what was found about some documents, known or disputed, that were compared with each other; return its number."""
        return results.store_comparison(self._database, documents, found, groups)

    def comparisons(self) -> tuple[StoredComparison[Grouping], ...]:
        """Every comparison that was kept, oldest first."""
        return results.typed_comparisons(self._database)

    def raw_comparisons(self) -> tuple[StoredComparison[Json], ...]:
        """The comparisons as they are stored."""
        return results.raw_comparisons(self._database)

    def set_note(self, about: str, text: str) -> None:
        """Write the note about a document, or about the case (`results.CASE_NOTE`); an empty one is taken out."""
        results.set_note(self._database, about, text)

    def notes(self) -> dict[str, str]:
        """The notes, by the id of the document they are about."""
        return results.notes(self._database)

    def report_made(self, name: str, sha256: str, details: Json = None) -> StoredReport:
        """Keep that a report was made: its file name and the hash of its bytes."""
        return results.report_made(self._database, name, sha256, details)

    def reports(self) -> tuple[StoredReport, ...]:
        """The reports that were made."""
        return results.reports(self._database)

    # The audit log

    def log(self, event: str, details: Json = None) -> None:
        """An entry in the audit log: names, hashes and numbers, never text of a document."""
        self._database.note(event, details or {})

    def log_entries(self) -> tuple[LogEntry, ...]:
        """The audit log, in the order of its numbers; `verify_log` says whether it is as it was written."""
        with self._database.reading("the audit log") as connection:
            return tuple(audit.entries(connection))

    def verify_log(self) -> tuple[LogFault, ...]:
        """Every entry that was changed, is missing, or does not follow the one before; empty when all is well."""
        log = self.log_entries()
        found = list(audit.faults(log))
        head = self._database.log_head()
        if head and (not log or head[:2] != (log[-1].sequence, log[-1].sha256)):
            found.append(LogFault(head[0], f"the audit log does not end with entry {head[0]}, as it was written"))
        return tuple(found)

    # Copies

    def save_copy(self, path: Path | str) -> None:
        """Save the case under another name; a file that is there is replaced at once, or not at all."""
        target = _place(path)
        if target == self.path:
            raise StorageError(f"'{named(target)}' is this case itself. Choose another name.")
        with self._database.reading("the case") as connection:
            casefile.copy(connection, self.path, target)
        if not self.read_only:
            with suppress(StorageError):  # the case may lie in a folder that is gone: then the copy is what is left
                self.log("copy saved", {"name": target.name[:200]})

    def export_without_texts(self, path: Path | str) -> None:
        """Save hashes, results and the log for somebody who must not see the texts."""
        from forensia.case.casefile import export

        export(self._database, _place(path))

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        wanted = tuple(dict.fromkeys(names))
        missing = set(wanted) - set(self._database.names(documents.KNOWN))
        if missing:
            raise CaseRefused(f"{len(missing)} of the documents are not in '{named(self.path)}'. Nothing was changed.")
        return wanted


def _place(path: Path | str) -> Path:
    """The one place of a file, however it was named, so that its lock is the same for all."""
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise StorageError(f"'{named(Path(path))}' is not the name of a file. Choose another one.") from error


def _counted(names: Collection[str]) -> str:
    return f"{len(names):,} document{'' if len(names) == 1 else 's'}"

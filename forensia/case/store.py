"""The case: one file that holds the work of an analyst, always saved, and able to show how it came about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from forensia import codec
from forensia.case import audit, casefile
from forensia.case.arrays import Models
from forensia.case.audit import Clock
from forensia.case.choices import AUTHORS, EXCLUDED, ROLES, SOURCES, Change, UndoableChoices
from forensia.case.database import Database
from forensia.case.documents import KNOWN, ChosenSources, Documents
from forensia.case.errors import CaseDamaged, CaseRefused, named
from forensia.case.results import Results
from forensia.case.runs import Log
from forensia.case.storage import Json
from forensia.corpus.document import Role
from forensia.corpus.walking import shown
from forensia.errors import StorageError

LONGEST_SOURCE = 4_000  # a path may be the name of one
LONGEST_REASON = 500


class Case:
    """A case that is open. Every method of its parts that changes it is one step: when it returns, the change is on disk with its log
    entry.

    It may be used from several threads; close it, or use it as a context. `read_only` says why it cannot be changed, if so, and
    `damage` names the parts that were found damaged: the others can still be read, and each is checked when it is.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.log = Log(database)
        self.documents = Documents(database)
        self.choices = Choices(database, self.documents)
        self.models = Models(database, self.documents)
        self.results = Results(database, self.documents, self.models)

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
                case.log.close_interrupted()
            except BaseException:
                case.close()
                raise
        return case

    def close(self) -> None:
        """Let go of the file; nothing is left to be saved."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        return self.database.path

    @property
    def read_only(self) -> str:
        """Why the case cannot be changed; empty when it can."""
        return self.database.read_only

    @property
    def damage(self) -> tuple[str, ...]:
        """The parts that were found damaged at opening."""
        return self.database.found

    @property
    def without_texts(self) -> bool:
        """Whether this is a copy that texts and models were left out of."""
        return self.database.withheld

    @property
    def about(self) -> Mapping[str, str]:
        """The id of the case, when it was made and by which version of the program."""
        record = self.database.get(*casefile.ABOUT)
        if record is None:
            raise CaseDamaged(self.path, "the record of the case itself")
        return {key: str(value) for key, value in record.items()}

    @contextmanager
    def step(self, event: str = "", details: Json = None) -> Iterator[None]:
        """Several changes that happen together or not at all. Do the long work before, and only store inside."""
        with self.database.step():
            yield
            if event:
                self.log.note(event, details)

    def save_copy(self, path: Path | str) -> None:
        """Save the case under another name; a file that is there is replaced at once, or not at all."""
        target = _place(path)
        if target == self.path:
            raise StorageError(f"'{named(target)}' is this case itself. Choose another name.")
        with self.database.reading("the case") as connection:
            casefile.copy(connection, self.path, target)
        if not self.read_only:
            with suppress(StorageError):  # the case may lie in a folder that is gone: then the copy is what is left
                self.log.note("copy saved", {"name": target.name[:200]})

    def export_without_texts(self, path: Path | str) -> None:
        """Save hashes, results and the log for somebody who must not see the texts."""
        casefile.export(self.database, _place(path))


class Choices(UndoableChoices):
    """What the analyst decides about documents and settings; each change can be taken back and made again."""

    def __init__(self, database: Database, documents: Documents) -> None:
        super().__init__(database)
        self._documents = documents

    def exclude(self, names: Iterable[str], reason: str) -> Change | None:
        """Leave documents out of training, with the reason."""
        wanted = self._known(names)
        if not reason.strip() or len(reason) > LONGEST_REASON:
            raise CaseRefused(f"Leaving out a document needs a reason of at most {LONGEST_REASON} characters.")
        label = f"Exclude {_counted(wanted)}"
        return self.change(EXCLUDED, dict.fromkeys(wanted, reason), (), label, "documents excluded")

    def include(self, names: Iterable[str]) -> Change | None:
        """Take documents back in."""
        wanted = self._known(names)
        return self.change(EXCLUDED, {}, wanted, f"Include {_counted(wanted)}", "documents included")

    def reassign(self, names: Iterable[str], author: str) -> Change | None:
        """Say that another author wrote some documents; what was read as their author is kept."""
        wanted = self._known(names)
        if not author:
            raise CaseRefused("An author needs a name. Nothing was changed.")
        read = {each.id: each.read_as for each in self._documents.known()}
        back = tuple(name for name in wanted if read[name] == author)
        other = {name: author for name in wanted if read[name] != author}
        return self.change(AUTHORS, other, back, f"Reassign {_counted(wanted)}", "documents reassigned")

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
        read = {each.id: each.read_sources for each in self._documents.known()}
        back = {name for name in names if read[name] == given[name] and not because}
        other = {name: codec.plain(ChosenSources(given[name], because)) for name in names if name not in back}
        label = f"Change the sources of {_counted(names)}"
        return self.change(SOURCES, other, tuple(sorted(back)), label, "sources changed")

    def set_role(self, authors: Collection[str], role: Role) -> Change | None:
        """Say whether some authors are candidates or the population: it holds for all their texts; what was read is kept."""
        theirs = [each for each in self._documents.known() if each.author in set(authors)]
        if missing := set(authors) - {each.author for each in theirs}:
            raise CaseRefused(f"There is no author '{shown(min(missing))}' in the case. Nothing was changed.")
        if role is Role.DISPUTED:
            raise CaseRefused("A known text is a candidate's or the population's. Nothing was changed.")
        back = tuple(each.id for each in theirs if each.read_role is role)
        other = {each.id: role.value for each in theirs if each.read_role is not role}
        label = f"Change the role of {len(set(authors)):,} author{'' if len(set(authors)) == 1 else 's'}"
        return self.change(ROLES, other, back, label, "roles changed")

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        wanted = tuple(dict.fromkeys(names))
        missing = set(wanted) - set(self._database.names(KNOWN))
        if missing:
            path = named(self._database.path)
            raise CaseRefused(f"{len(missing)} of the documents are not in '{path}'. Nothing was changed.")
        return wanted


def _place(path: Path | str) -> Path:
    """The one place of a file, however it was named, so that its lock is the same for all."""
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise StorageError(f"'{named(Path(path))}' is not the name of a file. Choose another one.") from error


def _counted(names: Collection[str]) -> str:
    return f"{len(names):,} document{'' if len(names) == 1 else 's'}"

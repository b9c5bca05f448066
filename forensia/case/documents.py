"""Documents in a case: what is known of each in a record, its text apart from it, so that a list is shown without reading texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from forensia import codec
from forensia.case import audit
from forensia.case.audit import stamp
from forensia.case.choices import AUTHORS, BESIDE, EXCLUDED, ROLES, SOURCES, UndoableChoices
from forensia.case.database import Database, label
from forensia.case.errors import CaseDamaged, CaseRefused, named
from forensia.case.storage import Json, pack, sha256
from forensia.corpus.document import (
    AS_WRITTEN,
    Corpus,
    Cut,
    Document,
    Exclusion,
    Problem,
    Reason,
    Role,
    StoredText,
    text_hash,
)
from forensia.corpus.layouts import ReadOptions
from forensia.corpus.typing import canonical
from forensia.corpus.walking import place_of
from forensia.errors import SettingsError

KNOWN = "known"
DISPUTED = "disputed"
READ, ADDED = "corpus read", "texts added"
"""The entries of the audit log that say how a corpus was read, and what was added to it."""

_CORPUS = "corpus"
_TEXT = "text"
_WORDS_OF_0_1 = (
    ("duplicate", "Duplicate: the same text as '", "'."),
    ("empty", "The text is empty: it holds nothing but white space or invisible characters, and is left out.", ""),
    ("very-long", "The text has ", ", and it is left out."),
)
_STRINGS = ("title", "path", "sha256_bytes", "sha256_text", "encoding", "language")
_PIECES_OF_0_1 = 10_000  # version 0.1 numbered the pieces of a part from here on, and named none


@dataclass(frozen=True)
class ChosenSources:
    """The sources that the analyst gave to a document, none where they are not known, and the reason if there is one."""

    sources: tuple[str, ...]
    because: str


@dataclass(frozen=True)
class Decisions:
    """What the analyst decided about documents, by their ids."""

    excluded: Mapping[str, Reason]
    authors: Mapping[str, str]
    sources: Mapping[str, ChosenSources]
    roles: Mapping[str, Role] = field(default_factory=dict)

    def of(self, document: Document) -> Document:
        """A document with what was decided about it, in place of what was read."""
        name, read = document.id, document.read_sources or ()
        chosen = self.sources.get(name)
        wanted = (
            self.excluded.get(name),
            self.authors.get(name, document.read_as),
            read if chosen is None else chosen.sources,
            self.roles.get(name, document.read_role),
        )
        if wanted == (document.excluded, document.author, document.sources, document.role):
            return document
        excluded, author, sources, role = wanted
        return replace(
            document, excluded=excluded, author=author, sources=sources, read_sources=read, role=role or document.role
        )


@dataclass(frozen=True)
class Import:
    """Known texts that came into a case together: the folder, or the `file` in it that alone was chosen, how it was read, the role of
    the authors, and what was found wrong.
    """

    root: str
    layout: str
    reading: ReadOptions = field(default_factory=ReadOptions)
    role: Role = Role.CANDIDATE
    problems: tuple[Problem, ...] = ()
    file: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """What tells it from other imports."""
        return self.root, self.file

    def to_json(self) -> dict[str, Json]:
        return {
            "layout": self.layout,
            "root": self.root,
            "file": self.file,
            "problems": codec.plain(self.problems),
            "reading": self.reading.to_json(),
            "role": self.role.value,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Json]) -> Import:
        """The import of `to_json`; raises KeyError, TypeError, ValueError or SettingsError for anything else."""
        return cls(
            codec.typed(str, record["root"]),
            codec.typed(str, record["layout"]),
            ReadOptions.from_json(record["reading"]),
            _role(record),
            tuple(Problem.from_json(each) for each in record["problems"]),
            codec.typed(str, record.get("file", "")),
        )


class Documents:
    """The known and the disputed documents of a case, as they were read and as the analyst's decisions have them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._choices = UndoableChoices(database)

    # The corpus

    def store(self, corpus: Corpus, imports: Sequence[Import] = ()) -> None:
        """Put a corpus in place of the one before, with where it was read from and how.

        What is unchanged stays; choices made on the old one cannot be undone after it.
        """
        if len(corpus.by_id) != len(corpus.documents):
            raise CaseRefused("Two documents of the corpus have the same path, part and text. Leave one of them out.")
        database = self._database
        records = {document.id: _record(document) for document in corpus.documents}
        with database.step():
            before = database.all(KNOWN)
            for name in before.keys() - records.keys():
                database.delete(KNOWN, name)
            for document in corpus.documents:
                record, old = records[document.id], before.get(document.id)
                if old == record:
                    continue
                database.put(KNOWN, document.id, record)
                if old is None or old.get(_TEXT) != record[_TEXT]:
                    database.put_content(KNOWN, document.id, _TEXT, _bytes(document.original), deflate=True)
            first, *added = imports or (Import(corpus.root, corpus.layout),)
            body = {**replace(first, problems=corpus.problems).to_json(), "added": [each.to_json() for each in added]}
            database.put(_CORPUS, KNOWN, {**body, "imported": stamp(database.clock())})
            reassigned = {each.id: each.author for each in corpus.documents if each.author != each.read_as}
            roles = {each.id: each.role.value for each in corpus.documents if each.role != each.read_role}
            sources = {
                each.id: codec.plain(ChosenSources(each.sources, ""))
                for each in corpus.documents
                if each.sources != each.read_sources
            }
            excluded = codec.plain(dict(corpus.excluded))
            self._choices.begin_anew({EXCLUDED: excluded, AUTHORS: reassigned, SOURCES: sources, ROLES: roles})
            self.forget_analyses()
            database.note(
                "corpus stored",
                {
                    "documents": len(corpus.documents),
                    "authors": len(corpus.authors),
                    "layout": corpus.layout,
                    "excluded": sorted(corpus.excluded),
                    **({"reassigned": reassigned} if reassigned else {}),
                    **({"sources": sources} if sources else {}),
                    **({"roles": roles} if roles else {}),
                    "texts": sha256("".join(sorted(f"{key} {record[_TEXT]}\n" for key, record in records.items()))),
                },
            )

    def corpus(self) -> Corpus | None:
        """The corpus with all texts, as it now holds: authors reassigned and documents excluded; None before an import."""
        with self._database.reading("the corpus"), self._sound("the corpus"):
            head = self._database.get(_CORPUS, KNOWN)
            if head is None:
                return None
            documents = [each.loaded() for each in self.known()]
            return Corpus.of(documents, self.problems(), str(head["layout"]), str(head["root"]))

    def reading(self) -> ReadOptions:
        """How the corpus was read first; what was added to it stands in `imports`. Version 0.1 kept it in the audit log alone."""
        head = self._head()
        with self._sound("the corpus"):
            if "reading" in head:
                return ReadOptions() if head["reading"] is None else ReadOptions.from_json(head["reading"])
        with self._database.reading("the audit log") as connection:
            noted = [entry.data for entry in audit.entries(connection) if entry.event == READ]
        with suppress(KeyError, TypeError, ValueError, SettingsError):  # whatever a log of strangers holds
            return ReadOptions.from_json(noted[-1]) if noted else ReadOptions()
        return ReadOptions()

    def imports(self) -> tuple[Import, ...]:
        """Where the known documents came from, in the order in which they were read; what is wrong with the whole stands with the first."""
        head = self._head()
        if not head:
            return ()
        with self._sound("the corpus"):
            added = tuple(map(Import.from_json, head.get("added", [])))
            of_others = {problem for each in added for problem in each.problems}
            first = Import.from_json({**head, "reading": self.reading().to_json()})
            own = tuple(problem for problem in first.problems if problem not in of_others)
            return (replace(first, problems=own), *added)

    def root(self) -> str:
        """The folder that the known documents were first read from."""
        return str(self._head().get("root", ""))

    def place(self) -> str:
        """What the known documents were first read from: the folder, or the one file that was chosen."""
        file = self._head().get("file")
        return place_of(self.root(), str(file)) if file else self.root()

    def problems(self) -> tuple[Problem, ...]:
        """What was found when the corpus was read."""
        with self._sound("the corpus"):
            head = self._head() or {"problems": []}
            return tuple(Problem.from_json(each) for each in head["problems"])

    def _head(self) -> Mapping[str, Json]:
        return self._database.get(_CORPUS, KNOWN) or {}

    # Documents

    def known(self) -> tuple[Document, ...]:
        """The known documents in the order of a corpus; the text of each is read when it is asked for."""
        return tuple(sorted(self._listed(KNOWN), key=lambda each: (each.sha256_text, each.path, each.part)))

    def disputed(self) -> tuple[Document, ...]:
        """The disputed documents, as they were added; the text of each is read when it is asked for."""
        return tuple(sorted(self._listed(DISPUTED), key=lambda each: (each.added, each.id)))

    def _listed(self, kind: str) -> list[Document]:
        with self._database.reading("the list of documents"):
            records = self._database.all(kind)
            decisions = self._decided(kind)
        return [decisions.of(self._read(kind, name, record)) for name, record in records.items()]

    def find(self, name: str, kinds: tuple[str, ...] = (KNOWN, DISPUTED)) -> Document:
        """The document with this id; one that is both known and disputed is a leak that other rooms block."""
        with self._database.reading("the list of documents"):
            for kind in kinds:
                record = self._database.get(kind, name)
                if record is not None:
                    return self._decided(kind).of(self._read(kind, name, record))
        raise CaseRefused(f"There is no document {name!r} in '{named(self._database.path)}'. Choose one from the list.")

    def get(self, name: str) -> Document:
        """A known or disputed document with its text, which outlives the case."""
        return self.find(name).loaded()

    def add_disputed(self, document: Document) -> str:
        """Take in a text whose author is asked for; return its id."""
        database = self._database
        added = stamp(database.clock())
        with database.step():
            old = database.get(DISPUTED, document.id)
            if old is not None:  # the same file once more: it keeps its place and its results
                added = self.find(document.id, (DISPUTED,)).added
            database.put(DISPUTED, document.id, {**_record(document), "added": added})
            database.put_content(DISPUTED, document.id, _TEXT, _bytes(document.original), deflate=True)
            details = {"document": document.id, "title": document.title[:200], "words": document.words}
            hashes = {"sha256_bytes": document.sha256_bytes, "sha256_text": text_hash(document.original)}
            database.note("disputed document added", {**details, **hashes})
        return document.id

    def forget_analyses(self) -> None:
        """Take out the analyses of texts that are no longer in the case, be they as typed or in canonical typing."""
        documents = [*self.known(), *self.disputed()]
        wanted = {each.analysed_sha256 for each in documents}
        rows = self._database.connection.execute("SELECT rowid, text FROM analyses").fetchall()
        if any(text not in wanted for _row, text in rows):  # only then are the texts worth reading
            wanted |= {text_hash(canonical(each.text).text) for each in documents}
        gone = [(row,) for row, text in rows if text not in wanted]
        self._database.connection.executemany("DELETE FROM analyses WHERE rowid = ?", gone)

    # What was decided about them

    def decided(self) -> Decisions:
        """What the analyst decided about the known documents."""
        with self._sound(f"the choice {ROLES}"):
            roles = {name: _role({"role": each}) for name, each in self._choices.chosen(ROLES).items()}
        with self._sound(f"the choice {EXCLUDED}"):
            excluded = {name: _reason(each) for name, each in self._choices.chosen(EXCLUDED).items()}
        return Decisions(excluded, self._choices.chosen(AUTHORS), self.chosen_sources(), roles)

    def _decided(self, kind: str) -> Decisions:
        return self.decided() if kind == KNOWN else Decisions({}, {}, {})

    def chosen_sources(self) -> dict[str, ChosenSources]:
        """The documents to which the analyst gave sources, with the reason."""
        with self._sound(f"the choice {SOURCES}"):
            return {name: codec.typed(ChosenSources, each) for name, each in self._choices.chosen(SOURCES).items()}

    def basis(self, *, sources: bool = False) -> str:
        """A hash of all that a model rests on: the active documents, who wrote which, what is cut, the settings.

        A validation rests on `sources` too, which decide what is left out together; a model does not. A group of arrays with another
        basis is out of date.
        """
        with self._database.reading("the list of documents"):
            active = [each for each in self.known() if each.excluded is None]
            settings = {key: value for key, value in sorted(self._choices.settings().items()) if key != BESIDE}
        lines = []
        for each in active:
            role = [] if each.role is Role.CANDIDATE else [each.role.value]
            lines.append(pack([each.id, each.analysed_sha256, each.author, *role], "basis"))
        if sources:
            lines += ["sources", *(pack(list(each.sources), "basis") for each in active)]
        return sha256("\n".join([*lines, pack(settings, "settings")]))

    def _read(self, kind: str, name: str, record: Mapping[str, Json]) -> Document:
        """A document as it was read."""
        with self._sound(label(kind, name)):
            segment, whole = _piece(record)
            cuts = tuple(Cut(*each) for each in codec.typed(tuple[tuple[int, int, str], ...], record["cuts"]))
            read = partial(self._text, kind, name, codec.typed(str, record[_TEXT]))
            made = Document(
                body=StoredText(read, cuts, codec.typed(str, record["analysed"])),
                role=Role.DISPUTED if kind == DISPUTED else _role(record),
                author=codec.typed(str, record["author"]),
                sources=_sources(record),
                read_sources=None,
                read_role=None,
                segment=segment,
                whole=whole,
                cuts=cuts,
                problems=tuple(Problem.from_json(each) for each in record["problems"]),
                root=codec.typed(str, record.get("root", "")),
                added=codec.typed(str, record.get("added", "")),
                part=codec.typed(int, record["part"]),
                words=codec.typed(int, record["words"]),
                **{key: codec.typed(str, record[key]) for key in _STRINGS},
            )
            if made.id != name:
                raise ValueError("another document")
        return made

    def _text(self, kind: str, name: str, digest: str) -> str:
        """The text of a document, compared with its hash."""
        return self._database.content(kind, name, _TEXT, digest).decode("utf-8", "surrogatepass")

    @contextmanager
    def _sound(self, part: str) -> Iterator[None]:
        """What is stored in another shape than we write is damage to that part."""
        try:
            yield
        except (KeyError, TypeError, ValueError, SettingsError) as error:
            raise CaseDamaged(self._database.path, part) from error


def _reason(stored: Json) -> Reason:
    """A reason as it is stored; what version 0.1 wrote in the program's own words is known again by them."""
    if not isinstance(stored, str):
        return codec.typed(Exclusion, stored)
    code = next((code for code, begin, end in _WORDS_OF_0_1 if stored.startswith(begin) and stored.endswith(end)), "")
    return Exclusion(code, {AS_WRITTEN: (stored, "")}) if code else stored


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _record(document: Document) -> dict[str, Json]:
    digest = text_hash(document.original)
    if document.sha256_text and document.sha256_text != digest:
        raise CaseRefused(f"The text of '{document.title}' is not the one its hash was made of. Read it again.")
    return {
        **{key: getattr(document, key) for key in (*_STRINGS, "part", "words")},
        "author": document.read_as,
        "role": (document.read_role or document.role).value,
        "sources": list(document.read_sources or ()),
        "segment": document.segment,
        "whole": document.whole,
        "cuts": [[cut.start, cut.end, cut.reason] for cut in document.cuts],
        "problems": codec.plain(document.problems),
        "root": document.root,
        _TEXT: digest,
        "analysed": text_hash(document.text) if document.cuts else digest,
    }


def _role(record: Mapping[str, Json]) -> Role:
    """The role of known texts; version 0.1 had candidates alone."""
    role = Role(record.get("role", Role.CANDIDATE))
    if role is Role.DISPUTED:
        raise ValueError("not the role of a known text")
    return role


def _sources(record: Mapping[str, Json]) -> tuple[str, ...]:
    """The sources of a record; version 0.1 had one, or an empty name."""
    if "sources" in record:
        return codec.typed(tuple[str, ...], record["sources"])
    source = codec.typed(str, record["source"])
    return (source,) if source else ()


def _piece(record: Mapping[str, Json]) -> tuple[int | None, str]:
    """Which piece of which text a record is; in version 0.1 the part and the title alone tell it."""
    if "segment" in record:
        segment = record["segment"]
        return None if segment is None else codec.typed(int, segment), codec.typed(str, record["whole"])
    part, piece = divmod(codec.typed(int, record["part"]), _PIECES_OF_0_1)
    if not piece or not codec.typed(str, record["title"]).endswith(f" ({piece})"):
        return None, ""
    return piece, f"{record['path']} {part}"

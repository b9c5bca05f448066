"""Documents in a case: what is known of each in a record, its text apart from it, so that a list is shown without reading texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from forensia.case import audit
from forensia.case.audit import stamp
from forensia.case.choices import AUTHORS, BESIDE, EXCLUDED, ROLES, SETTINGS, SOURCES, chosen, clear
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
    values_from_json,
    values_to_json,
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
_NUMBERS = ("part", "words")
_PIECES_OF_0_1 = 10_000  # version 0.1 numbered the pieces of a part from here on, and named none


@dataclass(frozen=True)
class ChosenSources:
    """The sources that the analyst gave to a document, none where they are not known, and the reason if there is one."""

    sources: tuple[str, ...]
    because: str = ""

    def to_json(self) -> Json:
        return {"sources": list(self.sources), "because": self.because}

    @classmethod
    def from_json(cls, record: Mapping[str, Json]) -> ChosenSources:
        """The sources of `to_json`; raises KeyError or TypeError for anything else."""
        if not isinstance(record["sources"], list):
            raise TypeError("not a list")
        return cls(tuple(_string(each) for each in record["sources"]), _string(record["because"]))


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
            "problems": [each.to_json() for each in self.problems],
            "reading": self.reading.to_json(),
            "role": self.role.value,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Json]) -> Import:
        """The import of `to_json`; raises KeyError, TypeError, ValueError or SettingsError for anything else."""
        return cls(
            _string(record["root"]),
            _string(record["layout"]),
            ReadOptions.from_json(record["reading"]),
            _role(record),
            tuple(Problem.from_json(each) for each in record["problems"]),
            _string(record.get("file", "")),
        )


def store_corpus(database: Database, corpus: Corpus, imports: Sequence[Import] = ()) -> None:
    """Put a corpus in place of the one before, with where it was read from and how.

    What is unchanged stays; choices made on the old one cannot be undone after it.
    """
    if len(corpus.by_id) != len(corpus.documents):
        raise CaseRefused("Two documents of the corpus have the same path, part and text. Leave one of them out.")
    records = {document.id: _record(document) for document in corpus.documents}
    with database.step():
        before = database.all(KNOWN)
        for name in before.keys() - records.keys():
            database.delete(KNOWN, name)
        for document in corpus.documents:
            record = records[document.id]
            old = before.get(document.id)
            if old == record:
                continue
            database.put(KNOWN, document.id, record)
            if not isinstance(old, dict) or old.get(_TEXT) != record[_TEXT]:
                database.put_content(KNOWN, document.id, _TEXT, _bytes(document.original), deflate=True)
        first, *added = imports or (Import(corpus.root, corpus.layout),)
        body = {**replace(first, problems=corpus.problems).to_json(), "added": [each.to_json() for each in added]}
        database.put(_CORPUS, KNOWN, {**body, "imported": stamp(database.clock())})
        reassigned = {each.id: each.author for each in corpus.documents if each.author != each.read_as}
        roles = {each.id: each.role.value for each in corpus.documents if each.role != each.read_role}
        sources = {
            each.id: ChosenSources(each.sources).to_json()
            for each in corpus.documents
            if each.sources != each.read_sources
        }
        clear(database, {EXCLUDED: _plain(corpus.excluded), AUTHORS: reassigned, SOURCES: sources, ROLES: roles})
        forget_analyses(database)
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


def corpus(database: Database) -> Corpus | None:
    """The corpus with all texts, as it now holds: authors reassigned and documents excluded; None before an import."""
    with database.reading("the corpus"):
        head = database.get(_CORPUS, KNOWN)
        if head is None:
            return None
        documents = [each.loaded() for each in listed(database)]
    try:
        problems = [Problem.from_json(each) for each in head["problems"]]
        return Corpus.of(documents, problems, str(head["layout"]), str(head["root"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CaseDamaged(database.path, "the corpus") from error


def reading(database: Database) -> ReadOptions:
    """How the corpus was read; version 0.1 kept it in the audit log alone."""
    head = database.get(_CORPUS, KNOWN) or {}
    try:
        if "reading" in head:
            return ReadOptions() if head["reading"] is None else ReadOptions.from_json(head["reading"])
    except (KeyError, TypeError, ValueError, SettingsError) as error:
        raise CaseDamaged(database.path, "the corpus") from error
    with database.reading("the audit log") as connection:
        noted = [entry.data for entry in audit.entries(connection) if entry.event == READ]
    with suppress(KeyError, TypeError, ValueError, SettingsError):  # whatever a log of strangers holds
        return ReadOptions.from_json(noted[-1]) if noted else ReadOptions()
    return ReadOptions()


def imports(database: Database) -> tuple[Import, ...]:
    """Where the known documents came from, in the order in which they were read; what is wrong with the whole stands with the first."""
    head = database.get(_CORPUS, KNOWN)
    if head is None:
        return ()
    try:
        added = tuple(map(Import.from_json, head.get("added", [])))
        of_others = {problem for each in added for problem in each.problems}
        first = Import.from_json({**head, "reading": reading(database).to_json()})
        own = tuple(problem for problem in first.problems if problem not in of_others)
        return (replace(first, problems=own), *added)
    except (KeyError, TypeError, ValueError, SettingsError) as error:
        raise CaseDamaged(database.path, "the corpus") from error


def corpus_root(database: Database) -> str:
    """The folder that the known documents were first read from."""
    head = database.get(_CORPUS, KNOWN) or {}
    return str(head.get("root", ""))


def corpus_place(database: Database) -> str:
    """What the known documents were first read from: the folder, or the one file that was chosen."""
    head, root = database.get(_CORPUS, KNOWN) or {}, corpus_root(database)
    return place_of(root, str(head["file"])) if head.get("file") else root


def corpus_problems(database: Database) -> tuple[Problem, ...]:
    """What was found when the corpus was read."""
    head = database.get(_CORPUS, KNOWN) or {"problems": []}
    try:
        return tuple(Problem.from_json(each) for each in head["problems"])
    except (KeyError, TypeError, ValueError) as error:
        raise CaseDamaged(database.path, "the corpus") from error


def listed(database: Database, kind: str = KNOWN) -> tuple[Document, ...]:
    """The documents, whose texts are read on demand: known ones in the order of a corpus, disputed ones as they were added."""
    with database.reading("the list of documents"):
        records = database.all(kind)
        decisions = _decided(database, kind)
    found = [decisions.of(_read(database, kind, name, record)) for name, record in records.items()]
    if kind == KNOWN:
        return tuple(sorted(found, key=lambda each: (each.sha256_text, each.path, each.part)))
    return tuple(sorted(found, key=lambda each: (each.added, each.id)))


def find(database: Database, name: str, kinds: tuple[str, ...] = (KNOWN, DISPUTED)) -> Document:
    """The document with this id; one that is both known and disputed is a leak that other rooms block."""
    with database.reading("the list of documents"):
        for kind in kinds:
            record = database.get(kind, name)
            if record is not None:
                return _decided(database, kind).of(_read(database, kind, name, record))
    raise CaseRefused(f"There is no document {name!r} in '{named(database.path)}'. Choose one from the list.")


def decided(database: Database) -> Decisions:
    """What the analyst decided about the known documents."""
    try:
        roles = {name: _role({"role": each}) for name, each in chosen(database, ROLES).items()}
    except ValueError as error:
        raise CaseDamaged(database.path, f"the choice {ROLES}") from error
    return Decisions(exclusions(database), chosen(database, AUTHORS), chosen_sources(database), roles)


def _decided(database: Database, kind: str) -> Decisions:
    return decided(database) if kind == KNOWN else Decisions({}, {}, {})


def chosen_sources(database: Database) -> dict[str, ChosenSources]:
    """The documents to which the analyst gave sources."""
    try:
        return {name: ChosenSources.from_json(each) for name, each in chosen(database, SOURCES).items()}
    except (KeyError, TypeError) as error:
        raise CaseDamaged(database.path, f"the choice {SOURCES}") from error


def exclusions(database: Database) -> dict[str, Reason]:
    """The documents that are left out, and why."""
    try:
        return {name: _reason(each) for name, each in chosen(database, EXCLUDED).items()}
    except (KeyError, TypeError) as error:
        raise CaseDamaged(database.path, f"the choice {EXCLUDED}") from error


def _reason(stored: Json) -> Reason:
    """A reason as it is stored; what version 0.1 wrote in the program's own words is known again by them."""
    if isinstance(stored, str):
        code = next(
            (code for code, begin, end in _WORDS_OF_0_1 if stored.startswith(begin) and stored.endswith(end)), ""
        )
        return Exclusion(code, {AS_WRITTEN: (stored, "")}) if code else stored
    return Exclusion(_string(stored["code"]), values_from_json(stored["values"]))


def _plain(excluded: Mapping[str, Reason]) -> dict[str, Json]:
    return {
        name: reason if isinstance(reason, str) else {"code": reason.code, "values": values_to_json(reason.values)}
        for name, reason in excluded.items()
    }


def add_disputed(database: Database, document: Document) -> str:
    """Take in a text whose author is asked for; return its id."""
    added = stamp(database.clock())
    with database.step():
        old = database.get(DISPUTED, document.id)
        if old is not None:  # the same file once more: it keeps its place and its results
            added = find(database, document.id, (DISPUTED,)).added
        database.put(DISPUTED, document.id, {**_record(document), "added": added})
        database.put_content(DISPUTED, document.id, _TEXT, _bytes(document.original), deflate=True)
        details = {"document": document.id, "title": document.title[:200], "words": document.words}
        hashes = {"sha256_bytes": document.sha256_bytes, "sha256_text": text_hash(document.original)}
        database.note("disputed document added", {**details, **hashes})
    return document.id


def forget_analyses(database: Database) -> None:
    """Take out the analyses of texts that are no longer in the case, be they as typed or in canonical typing."""
    documents = [each for role in (KNOWN, DISPUTED) for each in listed(database, role)]
    wanted = {each.analysed_sha256 for each in documents}
    rows = database.connection.execute("SELECT rowid, text FROM analyses").fetchall()
    if any(text not in wanted for _row, text in rows):  # only then are the texts worth reading
        wanted |= {text_hash(canonical(each.text).text) for each in documents}
    gone = [(row,) for row, text in rows if text not in wanted]
    database.connection.executemany("DELETE FROM analyses WHERE rowid = ?", gone)


def basis(database: Database, *, sources: bool = False) -> str:
    """A hash of all that a model rests on: the active documents, who wrote which, what is cut, the settings.

    A validation rests on `sources` too, which decide what is left out together; a model does not.
    """
    with database.reading("the list of documents"):
        active = [each for each in listed(database) if each.excluded is None]
        settings = {key: value for key, value in sorted(chosen(database, SETTINGS).items()) if key != BESIDE}
    lines = [
        pack(
            [each.id, each.analysed_sha256, each.author, *([] if each.role is Role.CANDIDATE else [each.role.value])],
            "basis",
        )
        for each in active
    ]
    if sources:
        lines += ["sources", *(pack(list(each.sources), "basis") for each in active)]
    return sha256("\n".join([*lines, pack(settings, "settings")]))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _record(document: Document) -> dict[str, Json]:
    digest = text_hash(document.original)
    if document.sha256_text and document.sha256_text != digest:
        raise CaseRefused(f"The text of '{document.title}' is not the one its hash was made of. Read it again.")
    return {
        **{key: getattr(document, key) for key in (*_STRINGS, *_NUMBERS)},
        "author": document.read_as,
        "role": (document.read_role or document.role).value,
        "sources": list(document.read_sources or ()),
        "segment": document.segment,
        "whole": document.whole,
        "cuts": [[cut.start, cut.end, cut.reason] for cut in document.cuts],
        "problems": [problem.to_json() for problem in document.problems],
        "root": document.root,
        _TEXT: digest,
        "analysed": text_hash(document.text) if document.cuts else digest,
    }


def _read(
    database: Database,
    kind: str,
    name: str,
    record: Mapping[str, Json],
) -> Document:
    """A document as it was read."""
    try:
        segment, whole = _piece(record)
        cuts = tuple(Cut(_number(start), _number(end), _string(reason)) for start, end, reason in record["cuts"])
        read = partial(_text, database, kind, name, _string(record[_TEXT]))
        made = Document(
            body=StoredText(read, cuts, _string(record["analysed"])),
            role=Role.DISPUTED if kind == DISPUTED else _role(record),
            author=_string(record["author"]),
            sources=_sources(record),
            read_sources=None,
            read_role=None,
            segment=segment,
            whole=whole,
            cuts=cuts,
            problems=tuple(Problem.from_json(each) for each in record["problems"]),
            root=_string(record.get("root", "")),
            added=_string(record.get("added", "")),
            part=_number(record["part"]),
            words=_number(record["words"]),
            **{key: _string(record[key]) for key in _STRINGS},
        )
        if made.id != name:
            raise ValueError("another document")
    except (KeyError, TypeError, ValueError) as error:
        raise CaseDamaged(database.path, label(kind, name)) from error
    return made


def _text(database: Database, kind: str, name: str, digest: str) -> str:
    """The text of a document, compared with its hash."""
    return database.content(kind, name, _TEXT, digest).decode("utf-8", "surrogatepass")


def _role(record: Mapping[str, Json]) -> Role:
    """The role of known texts; version 0.1 had candidates alone."""
    role = Role(record.get("role", Role.CANDIDATE))
    if role is Role.DISPUTED:
        raise ValueError("not the role of a known text")
    return role


def _sources(record: Mapping[str, Json]) -> tuple[str, ...]:
    """The sources of a record; version 0.1 had one, or an empty name."""
    if "sources" in record:
        return tuple(_string(each) for each in record["sources"])
    source = _string(record["source"])
    return (source,) if source else ()


def _piece(record: Mapping[str, Json]) -> tuple[int | None, str]:
    """Which piece of which text a record is; in version 0.1 the part and the title alone tell it."""
    if "segment" in record:
        return None if record["segment"] is None else _number(record["segment"]), _string(record["whole"])
    part, piece = divmod(_number(record["part"]), _PIECES_OF_0_1)
    if not piece or not _string(record["title"]).endswith(f" ({piece})"):
        return None, ""
    return piece, f"{record['path']} {part}"


def _string(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


def _number(value: Json) -> int:
    if type(value) is not int:
        raise TypeError("not a whole number")
    return value

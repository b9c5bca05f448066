"""What every later room works on: documents, the problems found in them, and the corpus that holds both.

All of it is immutable: a change makes a new object, so a result can always say on which corpus it rests. Problems are codes with
values: their sentences are made in `forensia.wording`.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from functools import cached_property
from typing import Any

from forensia import codec
from forensia.errors import InputError

SOURCES_JOINED = "; "
SHARED = "shared:"
"""How the name of a source begins that several authors have in common, such as 'shared: The Times'; else it is its author's own."""

Value = str | int | float | tuple[str | int | float, ...]
Values = Mapping[str, Value]
AS_WRITTEN = "as written"
"""The value under which a problem that version 0.1 stored keeps its message and its next step."""


def is_shared(source: str) -> bool:
    """Whether a source is not its author's own."""
    return source.casefold().startswith(SHARED)


class Severity(Enum):
    """How much a problem matters: a note informs, a warning limits what may be said, a blocking one must be solved first."""

    NOTE = "note"
    WARNING = "warning"
    BLOCKING = "blocking"


@dataclass(frozen=True)
class Problem:
    """Something found in a file, a document or the corpus. The value `why` tells the kinds of one code apart."""

    code: str
    severity: Severity
    values: Values = field(default_factory=dict, hash=False)
    file: str = ""
    documents: tuple[str, ...] = ()
    offsets: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        code: str,
        severity: Severity = Severity.WARNING,
        *,
        file: str = "",
        documents: Iterable[str] = (),
        offsets: Iterable[int] = (),
        **values: Value,
    ) -> Problem:
        return cls(code, severity, values, file, tuple(documents), tuple(offsets))

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Problem:
        """The problem that the codec made plain, or of version 0.1; raises KeyError, TypeError or ValueError for anything else."""
        if "message" in record:
            record = {**record, "values": {AS_WRITTEN: (record["message"], record["next_step"])}}
        return codec.typed(cls, record)


class ProblemError(InputError):
    """A problem that stops the work. Its text is for logs; `wording.problems` makes the sentence that people read.

    `others` are further problems that the sentence counts or quotes.
    """

    def __init__(self, problem: Problem, others: Iterable[Problem] = ()) -> None:
        super().__init__(f"{problem.code} {problem.file}".strip())
        self.problem = problem
        self.others = tuple(others)

    @property
    def code(self) -> str:
        return self.problem.code


class FileProblem(ProblemError):
    """A file that is not read."""

    def about(self, file: str) -> Problem:
        """The problem with the file named as the corpus names it."""
        return replace(self.problem, file=file)


class FileRefused(FileProblem):
    """A file that is not read; `why` is one of the kinds of its problem, and `at` the byte that it is about."""

    kind = "unreadable"

    def __init__(self, why: str, file: str = "", *, at: int | None = None, **values: Value) -> None:
        offsets = () if at is None else (at,)
        super().__init__(Problem(self.kind, Severity.WARNING, {"why": why, **values}, file, offsets=offsets))


@dataclass(frozen=True)
class Exclusion:
    """Why the program itself leaves a document out: the code of a problem, with its values."""

    code: str
    values: Values = field(default_factory=dict, hash=False)


Reason = str | Exclusion
"""Why a document is left out: the analyst's words, or the program's reason."""


@dataclass(frozen=True)
class Cut:
    """A passage of the normalised text that is left out of the analysis, and why."""

    start: int
    end: int
    reason: str


class Role(StrEnum):
    """What a document is for: of an author who may have written the disputed texts, of the population around them, or disputed.

    All known texts of an author have one role: it is the author's.
    """

    CANDIDATE = "candidate"
    POPULATION = "population"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class StoredText:
    """A text that lies elsewhere and is read whenever it is asked for, with the hash of what some cuts leave of it."""

    read: Callable[[], str]
    cuts: tuple[Cut, ...]
    analysed_sha256: str


@dataclass(frozen=True)
class Document:
    """One text by one author. `original` is the decoded, normalised text; `text` is what is analysed: `original` less the cuts.

    `read_as` is the author as it was read, `author` the one that now holds; so with `read_sources` and `sources`, `read_role` and
    `role`. A piece of a longer text has its number there as `segment` and the id of that text as `whole`. `excluded` says why it is left
    out of training; a case also knows when a disputed text was `added`, and the `root` folder of its file, unless it is that of the corpus.
    Documents are compared by what is known of them: their hashes stand for the texts.
    """

    author: str
    title: str
    body: str | StoredText = field(compare=False, repr=False)
    sources: tuple[str, ...] = ()
    path: str = ""
    part: int = 0
    sha256_bytes: str = ""
    sha256_text: str = ""
    encoding: str = "utf-8"
    language: str = ""
    words: int = 0
    cuts: tuple[Cut, ...] = ()
    problems: tuple[Problem, ...] = ()
    role: Role = Role.CANDIDATE
    read_as: str = ""
    segment: int | None = None
    whole: str = ""
    excluded: Reason | None = None
    root: str = ""
    added: str = ""
    read_sources: tuple[str, ...] | None = None  # None, when a document is made: as `sources`
    read_role: Role | None = None  # None, when a document is made: as `role`

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", tuple(sorted(set(self.sources) - {""})))
        object.__setattr__(self, "read_sources", self.sources if self.read_sources is None else self.read_sources)
        object.__setattr__(self, "read_role", self.read_role or self.role)
        object.__setattr__(self, "read_as", self.read_as or self.author)

    @property
    def source(self) -> str:
        """The sources in one line, to be shown; empty when none is known."""
        return SOURCES_JOINED.join(self.sources)

    @cached_property
    def id(self) -> str:
        """Stable name of the document within its corpus: where it stands and what it says, never its position in a list."""
        key = "\0".join((self.path, str(self.part), self.sha256_text))
        return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def original(self) -> str:
        """The whole text; one that lies elsewhere is read each time, so that a list of documents stays small."""
        return self.body if isinstance(self.body, str) else self.body.read()

    @property
    def text(self) -> str:
        """The text that is analysed."""
        document = self.loaded()
        if not self.cuts:
            return document.original
        return "".join(document.original[start:end] for start, end in document.kept())

    @property
    def analysed_sha256(self) -> str:
        """SHA-256 of `text`, which is read for it only where the hash is not known."""
        if isinstance(self.body, StoredText) and self.body.cuts == self.cuts:
            return self.body.analysed_sha256
        return text_hash(self.text)

    def loaded(self) -> Document:
        """The document with its text in memory."""
        return self if isinstance(self.body, str) else replace(self, body=self.body.read())

    def kept(self) -> Iterator[tuple[int, int]]:
        """The stretches of `original` that are analysed, in order."""
        position = 0
        for cut in sorted(self.cuts, key=lambda cut: cut.start):
            if cut.start > position:
                yield position, cut.start
            position = max(position, cut.end)
        if position < len(self.original):
            yield position, len(self.original)


def text_hash(text: str) -> str:
    """SHA-256 of a normalised text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Documents of known authors, in an order that depends on nothing but their texts.

    The order is that of the text hashes, so neither the names of files and authors nor the order of reading can change a
    sample, a fold or a result.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    layout: str = ""
    root: str = ""

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        problems: Iterable[Problem] = (),
        layout: str = "",
        root: str = "",
    ) -> Corpus:
        ordered = tuple(sorted(documents, key=lambda document: (document.sha256_text, document.path, document.part)))
        return cls(ordered, tuple(problems), layout, root)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """The codeframe, in alphabetical order."""
        return tuple(sorted({document.author for document in self.documents}))

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The authors who may have written the disputed texts, in alphabetical order; the others are the population."""
        return tuple(sorted({document.author for document in self.documents if document.role is Role.CANDIDATE}))

    @cached_property
    def by_id(self) -> Mapping[str, Document]:
        return {document.id: document for document in self.documents}

    @property
    def counts(self) -> Mapping[str, int]:
        """Documents of each author."""
        return Counter(document.author for document in self.documents)

    @cached_property
    def excluded(self) -> Mapping[str, Reason]:
        """Why documents are left out, by their ids."""
        return {document.id: document.excluded for document in self.documents if document.excluded is not None}

    @cached_property
    def active(self) -> Corpus:
        """The corpus without the excluded documents: what training uses."""
        if not self.excluded:
            return self
        return replace(self, documents=tuple(document for document in self.documents if document.excluded is None))

    def excluding(self, excluded: Mapping[str, Reason]) -> Corpus:
        """The corpus with these documents excluded and no others. They stay in it, with the reason, so that the report can list them."""
        reasons = ((document, excluded.get(document.id)) for document in self.documents)
        documents = (each if each.excluded == reason else replace(each, excluded=reason) for each, reason in reasons)
        return replace(self, documents=tuple(documents))

    def without(self, ids: Iterable[str], reason: Reason) -> Corpus:
        """The corpus with further documents excluded."""
        return self.excluding({**self.excluded, **dict.fromkeys(ids, reason)})

    def changed(self, change: Callable[[Document], Document]) -> Corpus:
        """The corpus with `change` applied to every document: an author reassigned, a cut taken back."""
        return Corpus.of(map(change, self.documents), self.problems, self.layout, self.root)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over what training and validation see: the analysed texts, who wrote which, their roles and their sources.

        Authors go by number of appearance and sources by the texts they hold, not by name; a candidate's text without a source
        needs no further word.
        """
        digest = hashlib.sha256()
        authors: dict[str, int] = {}
        holds: dict[str, list[int]] = {}
        for row, document in enumerate(self.active.documents):
            for source in document.sources:
                holds.setdefault(source, []).append(row)
        sources = {source: number for number, source in enumerate(sorted(holds, key=holds.__getitem__))}
        for document in self.active.documents:
            number = authors.setdefault(document.author, len(authors))
            more = [] if document.role is Role.CANDIDATE else [document.role.value]
            more += [f"source {each}" for each in sorted(sources[source] for source in document.sources)]
            digest.update((" ".join((text_hash(document.text), str(number), *more)) + "\n").encode())
        return digest.hexdigest()

    @property
    def every_problem(self) -> tuple[Problem, ...]:
        """What was found in the corpus as a whole and in each document, the gravest first."""
        every = [*self.problems, *(problem for document in self.documents for problem in document.problems)]
        order = (Severity.BLOCKING, Severity.WARNING, Severity.NOTE)
        return tuple(sorted(every, key=lambda problem: order.index(problem.severity)))

    @property
    def blocking(self) -> tuple[Problem, ...]:
        """The problems that must be solved before training; those about excluded documents only are solved."""
        excluded = self.excluded.keys()
        return tuple(
            problem
            for problem in self.problems
            if problem.severity is Severity.BLOCKING
            and not (problem.documents and set(problem.documents) <= set(excluded))
        )


BEYOND = "beyond-at-most"


def at_most(corpus: Corpus, most: int, seed: int) -> Corpus:
    """The corpus with no more than `most` active documents of each author; the others stay in it, excluded for this reason.

    An author's sources give a text in turn. Which text, and in which order, follows from the seed and the texts alone: one more or
    one fewer shuffles no others, and a smaller number takes some of what a larger one does.
    """
    by_author: dict[str, list[Document]] = defaultdict(list)
    for document in corpus.active.documents:
        by_author[document.author].append(document)
    beyond = (each.id for own in by_author.values() for each in _in_turn(own, seed)[most:])
    return corpus.without(beyond, Exclusion(BEYOND, {"most": most}))


def _in_turn(documents: list[Document], seed: int) -> list[Document]:
    """The documents of one author as they are drawn; one without a source is a source of its own."""
    drawn = sorted(documents, key=lambda each: hashlib.sha256(f"{seed} {each.sha256_text}".encode()).digest())
    given: Counter[str] = Counter()
    turns: dict[str, int] = {}
    for each in drawn:  # of several sources the one that has given most counts
        turns[each.id] = max((given[source] for source in each.sources), default=0)
        given.update(each.sources)
    return sorted(drawn, key=lambda each: turns[each.id])

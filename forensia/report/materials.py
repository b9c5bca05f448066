"""What was examined: every file with its hashes, what was found in it, what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

from forensia.case.documents import ChosenSources, Import
from forensia.case.store import Case
from forensia.corpus import Corpus
from forensia.corpus.document import Document, Problem, Role
from forensia.corpus.sources import SOURCES_NOT_KNOWN
from forensia.corpus.typing import forms_of
from forensia.evidence.population import PopulationRecord
from forensia.report.details import SETTING, CaseDetails
from forensia.wording.problems import left_out_because

__all__ = [
    "AuthorTexts",
    "FoundProblem",
    "GivenSources",
    "LeftOutOf",
    "Materials",
    "Preprocessing",
    "SetAside",
    "Text",
    "TypedForm",
    "materials",
    "preprocessing",
]

Where = Literal["corpus", "known", "disputed"]
NOBODY_THINNED: Mapping[str, Collection[str]] = {}
NOTHING_CHOSEN: Mapping[str, ChosenSources] = {}


@dataclass(frozen=True)
class Text:
    """A known or disputed document. `read_as` is the author in the files where the analyst has assigned another."""

    id: str
    exhibit: str
    author: str | None
    read_as: str | None
    file: str
    part: int
    source: str
    sha256: str
    sha256_text: str
    encoding: str
    language: str
    characters: int
    bytes: int
    words: int
    excluded: str | None
    role: str = Role.CANDIDATE.value
    used: bool = True  # False: a candidate has more texts than stand-ins can be tried with, and this one is not held against others


@dataclass(frozen=True)
class AuthorTexts:
    """How much there is of one author, without what was left out, and how many of the texts are from each source.

    A text may have several sources; of `untold` ones nobody said any.
    """

    author: str
    documents: int
    words: int
    sources: Mapping[str, int]
    untold: int = 0
    role: str = Role.CANDIDATE.value

    @property
    def one_source(self) -> bool:
        """Whether all are from one source; those of which nobody said any count as one."""
        return self.documents > 0 and len(self.sources) + (self.untold > 0) == 1


@dataclass(frozen=True)
class GivenSources:
    """How many known texts that were used got their sources from the analyst for one reason, which may be empty, and how many sources."""

    because: str
    documents: int
    sources: int


@dataclass(frozen=True)
class Materials:
    """Every known and disputed document, and what the known ones that were used add up to."""

    disputed: tuple[Text, ...]
    known: tuple[Text, ...]
    authors: tuple[AuthorTexts, ...]
    documents: int
    words: int
    excluded: int
    layout: str
    fingerprint: str
    given_sources: tuple[GivenSources, ...] = ()
    counted: PopulationRecord | None = None  # a population that came as counts, without its texts
    read_from: tuple[str, ...] = ()  # what the population was read from, by the name of the folder or table

    @property
    def candidates(self) -> tuple[AuthorTexts, ...]:
        return tuple(each for each in self.authors if each.role != Role.POPULATION.value)

    @property
    def thinned(self) -> tuple[AuthorTexts, ...]:
        """The candidates not all of whose texts are held against a disputed one."""
        some = {text.author for text in self.known if not text.used}
        return tuple(each for each in self.candidates if each.author in some)

    @property
    def population(self) -> tuple[AuthorTexts, ...]:
        """The authors of the reference population whose texts were used."""
        return tuple(each for each in self.authors if each.role == Role.POPULATION.value and each.documents)


@dataclass(frozen=True)
class FoundProblem:
    """A problem, where it was found, and in how many documents."""

    where: Where
    problem: Problem
    documents: int


@dataclass(frozen=True)
class LeftOutOf:
    """Passages of one document that are not analysed."""

    file: str
    passages: int
    characters: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class SetAside:
    """A problem that the analyst looked at and decided to leave, with the reason."""

    message: str
    reason: str


@dataclass(frozen=True)
class TypedForm:
    """One form of a kind of sign: in how many known and disputed texts it stands, and how often in the disputed ones."""

    kind: str
    form: str
    known: int
    disputed: int
    times: int


@dataclass(frozen=True)
class Preprocessing:
    """What was found in the texts, what was cut out of them, what the analyst set aside, and how the texts were typed."""

    problems: tuple[FoundProblem, ...]
    cuts: tuple[LeftOutOf, ...]
    set_aside: tuple[SetAside, ...]
    typing: tuple[TypedForm, ...] = ()


def materials(
    corpus: Corpus,
    disputed: Sequence[Document],
    details: CaseDetails,
    chosen: Mapping[str, ChosenSources] = NOTHING_CHOSEN,
    imports: Sequence[Import] = (),
    drawn: Mapping[str, Collection[str]] = NOBODY_THINNED,
    counted: PopulationRecord | None = None,
) -> Materials:
    """Every known and disputed document; the known ones by author and file. `drawn` has those used of each candidate who was thinned."""
    known = [_text(each, details) for each in corpus.documents]
    known = [replace(each, used=each.id in drawn.get(each.author or "", (each.id,))) for each in known]
    known.sort(key=lambda text: (text.author or "", text.file, text.part))
    authors = []
    for author in dict.fromkeys(text.author or "" for text in known):
        used = [text for text in known if text.author == author and text.excluded is None]
        own = [each.sources for each in corpus.active.documents if each.author == author]
        named = Counter(name for sources in own for name in sources)
        words = sum(text.words for text in used)
        role = next((text.role for text in known if text.author == author), Role.CANDIDATE.value)
        authors.append(AuthorTexts(author, len(used), words, dict(sorted(named.items())), own.count(()), role))
    active = [text for text in known if text.excluded is None]
    return Materials(
        disputed=tuple(_text(each, details) for each in disputed),
        known=tuple(known),
        authors=tuple(authors),
        documents=len(active),
        words=sum(text.words for text in active),
        excluded=len(known) - len(active),
        layout=corpus.layout,
        fingerprint=corpus.fingerprint,
        given_sources=tuple(_given(corpus.active, chosen)),
        counted=counted,
        read_from=tuple(each.file or PurePath(each.root).name for each in imports if each.role is Role.POPULATION),
    )


def _given(active: Corpus, chosen: Mapping[str, ChosenSources]) -> Iterator[GivenSources]:
    """The sources that the analyst gave, those of one reason together."""
    used = [chosen[each.id] for each in active.documents if each.id in chosen]
    for because in sorted({each.because for each in used}):
        alike = [each.sources for each in used if each.because == because]
        yield GivenSources(because, len(alike), len({name for sources in alike for name in sources}))


def _text(document: Document, details: CaseDetails) -> Text:
    file = document.path or document.title
    return Text(
        id=document.id,
        exhibit=details.exhibit(file),
        author=None if document.role is Role.DISPUTED else document.author,
        read_as=document.read_as if document.read_as != document.author else None,
        file=file,
        part=document.part,
        source=document.source,
        sha256=document.sha256_bytes,
        sha256_text=document.sha256_text,
        encoding=document.encoding,
        language=document.language,
        characters=len(document.original),
        bytes=len(document.original.encode("utf-8", "surrogatepass")),
        words=document.words,
        excluded=None if document.excluded is None else left_out_because(document.excluded),
        role=document.role.value,
    )


def preprocessing(case: Case, corpus: Corpus, disputed: Sequence[Document]) -> Preprocessing:
    """What was found in the texts, what was cut out of them, what the analyst set aside, and how the texts were typed."""
    alone = "one-author" if len(corpus.active.authors) == 1 else ""  # no problem where a population came as counts
    problems = [
        FoundProblem("corpus", each, max(1, len(each.documents)))
        for each in case.documents.problems()
        if each.code != alone
    ]
    problems += _grouped(corpus.active.documents, "known")
    problems += _grouped(disputed, "disputed")
    cuts = (*_cuts(corpus.documents), *_cuts(disputed))
    return Preprocessing(tuple(problems), cuts, _set_aside(case, corpus), _typing(corpus.active.documents, disputed))


def _grouped(documents: Sequence[Document], where: Where) -> list[FoundProblem]:
    """The problems of single documents, the like of them put together under the first."""
    found: dict[str, tuple[Problem, int]] = {}
    for document in documents:
        for problem in document.problems:
            first, count = found.get(problem.code, (problem, 0))
            found[problem.code] = (first, count + 1)
    return [FoundProblem(where, problem, count) for problem, count in found.values()]


def _cuts(documents: Sequence[Document]) -> list[LeftOutOf]:
    """Passages that are not analysed, by document."""
    rows = []
    for document in documents:
        if document.cuts:
            reasons = Counter(cut.reason for cut in document.cuts)
            characters = len(document.original) - len(document.text)
            file = document.path or document.title
            rows.append(LeftOutOf(file, len(document.cuts), characters, tuple(sorted(reasons))))
    return rows


def _typing(known: Sequence[Document], disputed: Sequence[Document]) -> tuple[TypedForm, ...]:
    """Every form in which signs of a kind were typed, of the kinds that canonical typing changes in some text."""
    texts = [[forms_of(each.text) for each in documents] for documents in (known, disputed)]
    kinds = {kind for each in texts for forms in each for kind in forms.folded}
    found = {(kind, form) for each in texts for forms in each for kind in kinds for form in forms.counts.get(kind, ())}
    rows = []
    for kind, form in sorted(found):
        counts = [[forms.counts.get(kind, {}).get(form, 0) for forms in each] for each in texts]
        having = [sum(1 for count in each if count) for each in counts]
        rows.append(TypedForm(kind, form, having[0], having[1], sum(counts[1])))
    return tuple(rows)


def _set_aside(case: Case, corpus: Corpus) -> tuple[SetAside, ...]:
    """Problems that the analyst looked at and decided to leave, with the reason; that no source is known may be true no longer."""
    beside = case.choices.settings().get(SETTING)
    ignored = beside.get("ignored") if isinstance(beside, Mapping) else None
    if not isinstance(ignored, Mapping):
        return ()
    known = any(each.sources for each in corpus.documents)
    rows = [
        each
        for each in ignored.values()
        if isinstance(each, Mapping) and not (known and each.get("code") == SOURCES_NOT_KNOWN)
    ]
    return tuple(SetAside(str(each.get("message", "")), str(each.get("reason", ""))) for each in rows)

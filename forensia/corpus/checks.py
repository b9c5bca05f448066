"""What is wrong with a corpus as a whole: copies under two names, too few authors, shared passages, sources that nobody named, and
the disputed text inside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from forensia.corpus.characters import WORD
from forensia.corpus.document import Corpus, Document, Exclusion, Problem, Reason, Role, Severity, Values
from forensia.corpus.nearduplicates import Joined, Match, ShingleIndex, same_words
from forensia.corpus.sources import ONE_SOURCE, proposals
from forensia.corpus.walking import similar
from forensia.jobs import Progress, part, silent, tracked

MOST_UNEQUAL = 3
"""Counts of documents by author further apart than this are warned about."""

_DUPLICATE = "duplicate"
_CODES = frozenset({
    "same-text-two-authors", "duplicate", "near-duplicate", "near-duplicate-same-author", "shared-opening", "shared-closing",
    "one-author", "two-roles", "single-document", "unequal-counts", "similar-authors", ONE_SOURCE,
})  # fmt: skip


def checked(corpus: Corpus, progress: Progress = silent, *, thorough: bool = True) -> Corpus:
    """The corpus with its own problems found anew and its duplicates excluded; call it again after every change.

    Without `thorough` only what hashes and counts tell is looked at, which takes no time.
    """
    fresh = corpus.excluding({**_set_aside(corpus), **_duplicates(_copies(corpus))})
    found = check_corpus(fresh, progress) if thorough else quick_checks(fresh, progress)
    replaced = _CODES if thorough else _CODES & _QUICK_CODES
    kept = tuple(problem for problem in corpus.problems if problem.code not in replaced)
    return replace(fresh, problems=kept + found)


def check_corpus(corpus: Corpus, progress: Progress = silent) -> tuple[Problem, ...]:
    """Every problem of the corpus as a whole, among the documents that are not excluded."""
    quick = quick_checks(corpus, part(progress, 0.0, 0.05))
    near = _near_duplicates(corpus, part(progress, 0.05, 0.8))
    shared = _boilerplate(corpus, part(progress, 0.8, 0.9))
    return (*quick, *near, *shared, *proposals(corpus, part(progress, 0.9, 1.0)))


def quick_checks(corpus: Corpus, progress: Progress = silent) -> tuple[Problem, ...]:
    """The problems that hashes and counts tell."""
    progress(0.0, "Checking for copies")
    copies = _copies(corpus)
    progress(0.7, "Counting texts")
    return (*_same_text_two_authors(copies), *_duplicates_stated(copies), *_authors(corpus.active))


_QUICK_CODES = frozenset({
    "same-text-two-authors", "duplicate", "one-author", "two-roles", "single-document", "unequal-counts", "similar-authors",
})  # fmt: skip


def check_disputed(corpus: Corpus, document: Document, index: ShingleIndex | None = None) -> tuple[Problem, ...]:
    """Whether a disputed text, or a near-copy of it, is in the corpus: the answer would then be known beforehand.

    `index` saves time for several disputed texts: a `ShingleIndex(corpus.active.documents)`.
    """
    documents = corpus.active.documents
    key = _key(document)
    shares = {copy.id: 1.0 for copy in documents if _key(copy) == key or same_words(copy.text, document.text)}
    for position, share in (index or ShingleIndex(documents)).like(document.text):
        shares.setdefault(documents[position].id, share)
    if not shares:
        return ()
    copies = [corpus.by_id[key] for key in shares]
    most = max(shares.values())
    where = tuple(copy.path for copy in copies)
    values: Values = {"why": "part", "share": most, "texts": where}
    if most == 1.0:
        values = {"why": "whole", "texts": where}
    return (Problem("leakage", Severity.BLOCKING, values, document.path, tuple(shares)),)


def _key(document: Document) -> str:
    return document.analysed_sha256 if document.cuts or not document.sha256_text else document.sha256_text


def _set_aside(corpus: Corpus) -> Mapping[str, Reason]:
    """What is excluded for other reasons than being a duplicate."""
    return {
        key: reason
        for key, reason in corpus.excluded.items()
        if not (isinstance(reason, Exclusion) and reason.code == _DUPLICATE)
    }


_Copies = list[dict[str, list[Document]]]
"""Groups of documents with the same text, each by author."""


def _copies(corpus: Corpus) -> _Copies:
    """The documents that hold the same text, where there are several; a duplicate counts even when it is already excluded."""
    aside = _set_aside(corpus)
    documents = [document for document in corpus.documents if document.id not in aside] if aside else corpus.documents
    keys = [_key(document) for document in documents]
    if len(set(keys)) == len(keys):  # the usual case, which must cost nothing
        return []
    groups: dict[str, dict[str, list[Document]]] = defaultdict(lambda: defaultdict(list))
    for key, document in zip(keys, documents, strict=True):
        groups[key][document.author].append(document)
    return [group for group in groups.values() if sum(map(len, group.values())) > 1]


def _duplicates(copies: _Copies) -> dict[str, Exclusion]:
    """The duplicates within an author that are to be excluded: all but the first of each group."""
    return {
        copy.id: Exclusion(_DUPLICATE, {"text": kept.path or kept.title})
        for group in copies
        for kept, *others in group.values()
        for copy in others
    }


def _duplicates_stated(copies: _Copies) -> list[Problem]:
    return [
        Problem.of(
            "duplicate",
            Severity.NOTE,
            file=kept.path,
            documents=(document.id for document in (kept, *others)),
            text=kept.path or kept.title,
            author=kept.author,
            times=len(others) + 1,
            others=tuple(copy.path for copy in others),
        )
        for group in copies
        for kept, *others in group.values()
        if others
    ]


def _same_text_two_authors(copies: _Copies) -> list[Problem]:
    found = []
    for group in copies:
        if len(group) > 1:
            kept = [documents[0] for documents in group.values()]
            found.append(
                Problem.of(
                    "same-text-two-authors",
                    Severity.BLOCKING,
                    file=kept[0].path,
                    documents=(document.id for document in kept),
                    authors=tuple(sorted(group)),
                    texts=tuple(document.path for document in kept),
                )
            )
    return found


def _authors(active: Corpus) -> list[Problem]:
    found = []
    if len(active.authors) < 2:
        found.append(Problem.of("one-author", Severity.BLOCKING, why="one" if active.authors else "none"))
    elif not active.candidates:
        found.append(Problem.of("one-author", Severity.BLOCKING, why="population"))
    population = {document.author for document in active.documents if document.role is Role.POPULATION}
    if both := tuple(author for author in active.candidates if author in population):
        found.append(
            Problem.of(
                "two-roles",
                Severity.BLOCKING,
                documents=(document.id for document in active.documents if document.author in both),
                authors=both,
            )
        )
    counts = {author: count for author, count in active.counts.items() if author not in population}  # who is ranked
    for group in similar(active.authors):
        found.append(
            Problem.of(
                "similar-authors",
                documents=(document.id for document in active.documents if document.author in group),
                authors=group,
            )
        )
    single = sorted(author for author, count in counts.items() if count == 1)
    if single:
        found.append(
            Problem.of(
                "single-document",
                documents=(document.id for document in active.documents if document.author in single),
                authors=tuple(single),
            )
        )
    if len(counts) > 1 and max(counts.values()) > MOST_UNEQUAL * min(counts.values()):
        most, fewest = max(sorted(counts), key=counts.__getitem__), min(sorted(counts), key=counts.__getitem__)
        found.append(Problem.of("unequal-counts", fewest=counts[fewest], least=fewest, most=counts[most], first=most))
    return found


def _near_duplicates(corpus: Corpus, progress: Progress) -> list[Problem]:
    documents = corpus.active.documents
    index = ShingleIndex(documents, part(progress, 0.0, 0.7))
    across: list[Match] = []
    within: dict[str, set[str]] = defaultdict(set)
    for match in index.pairs(part(progress, 0.7, 1.0)):
        one, other = documents[match.first], documents[match.second]
        if one.author == other.author:
            within[one.author] |= {one.id, other.id}
        elif _key(one) != _key(other):
            across.append(match)
    return [
        *(_near_across(documents, cluster) for cluster in _clusters(across)),
        *(_near_within(author, sorted(within[author])) for author in sorted(within)),
    ]


def _near_across(documents: Sequence[Document], cluster: list[Match]) -> Problem:
    positions = sorted({position for match in cluster for position in (match.first, match.second)})
    alike = [documents[position] for position in positions]
    return Problem.of(
        "near-duplicate",
        file=alike[0].path,
        documents=(document.id for document in alike),
        authors=tuple(sorted({document.author for document in alike})),
        share=max(match.share for match in cluster),
        texts=tuple(document.path for document in alike),
    )


def _near_within(author: str, ids: Sequence[str]) -> Problem:
    return Problem.of("near-duplicate-same-author", Severity.NOTE, documents=ids, count=len(ids), author=author)


def _clusters(matches: Sequence[Match]) -> list[list[Match]]:
    """The matches that hang together by their texts."""
    joined = Joined[int]()
    for match in matches:
        joined.join(match.first, match.second)
    clusters: dict[int, list[Match]] = defaultdict(list)
    for match in matches:
        clusters[joined.leader(match.first)].append(match)
    return list(clusters.values())


def _boilerplate(corpus: Corpus, progress: Progress) -> list[Problem]:
    found = []
    for passage in shared_passages(corpus.active.documents, progress):
        found.append(
            Problem.of(
                "shared-opening" if passage.opening else "shared-closing",
                documents=(document.id for document in passage.documents),
                offsets=passage.offsets,
                authors=tuple(sorted({document.author for document in passage.documents})),
                words=passage.words,
                texts=tuple(document.path for document in passage.documents),
            )
        )
    return found


FEWEST_WORDS = 12
FEWEST_DOCUMENTS = 3
_MOST_WORDS = 400  # a shared passage is measured up to this length
_WINDOW = 480  # characters in which the last words are looked for first


@dataclass(frozen=True)
class Passage:
    """The same words at the beginning or end of several documents; `offsets`: where they end (or start) in each analysed text."""

    documents: tuple[Document, ...]
    opening: bool
    words: int
    offsets: tuple[int, ...]


def shared_passages(documents: Sequence[Document], progress: Progress = silent) -> tuple[Passage, ...]:
    """The openings and closings of at least twelve words that at least three documents share."""
    return tuple(
        passage
        for opening, stage in ((True, part(progress, 0.0, 0.5)), (False, part(progress, 0.5, 1.0)))
        for group in _groups(documents, opening, stage)
        if (passage := _measured(group, opening)) is not None
    )


def _groups(documents: Sequence[Document], opening: bool, progress: Progress) -> list[list[Document]]:
    groups: dict[tuple[str, ...], list[Document]] = defaultdict(list)
    for document in tracked(documents, progress, "Looking for shared passages", len(documents)):
        words = _edge(document.text, FEWEST_WORDS, opening)
        if len(words) == FEWEST_WORDS:
            groups[tuple(word[0].lower() for word in words)].append(document)
    return [group for group in groups.values() if len(group) >= FEWEST_DOCUMENTS]


def _measured(group: Sequence[Document], opening: bool) -> Passage | None:
    """How far the documents agree. Copies of one text have no passage in common, they are one text, and count once."""
    if len({document.sha256_text or document.text for document in group}) < FEWEST_DOCUMENTS:
        return None
    edges = [_edge(document.text, _MOST_WORDS, opening) for document in group]
    length = 0
    for words in zip(*edges, strict=False):
        if len({word[0].lower() for word in words}) > 1:
            break
        length += 1
    offsets = tuple(edge[length - 1].end() if opening else edge[length - 1].start() for edge in edges)
    return Passage(tuple(group), opening, length, offsets)


def _edge(text: str, count: int, opening: bool) -> list[re.Match[str]]:
    """The first words of a text in order, or its last ones from the end backwards."""
    if opening:
        return list(islice(WORD.finditer(text), count))
    window = _WINDOW * (1 + count // FEWEST_WORDS // 2)
    while True:
        start = max(0, len(text) - window)
        words = list(WORD.finditer(text, start))
        if start > 0:
            words = words[1:]  # the window may cut the first one
        if len(words) >= count or start == 0:
            return words[: -count - 1 : -1]
        window *= 4

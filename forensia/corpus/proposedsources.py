"""Which texts look as if they came from one source, where nobody said so: by numbered names, overlapping words, shared rare names.

Each is a proposal with its reason, which the analyst uses or ignores. Texts are compared within an author. Nothing is proposed for an
author of whose texts it would take in fewer than half, which is chance or a topic, or all, which tells no more than that nobody knows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from forensia.corpus.document import Corpus, Document, Problem, Severity
from forensia.corpus.nearduplicates import Shingler
from forensia.jobs import Progress, part, silent, tracked

ONE_SOURCE = "one-source"
"""The code of a proposal, whose value `why` is numbers, overlaps or names."""

SOURCES_NOT_KNOWN = "sources-not-known"
"""The code for what the analyst answers when asked for the sources and they are not known."""

PATTERN = r"([^/]+?)[ _.-]+\d+\.\w+$"
"""The pattern that finds numbered names in paths, as `--sources` takes it."""

_PIECES = "chapter|chap|ch|part|pt|page|p|segment|seg|section|chunk|piece|volume|vol|kapitel|teil|chapitre"
_NUMBERED = re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<number>\d+)\W*")
_NUMBER_ADDED = re.compile(r"(?P<stem>.*[^\W\d_])(?P<number>\d+)")
_PIECE_OF = re.compile(rf"(?:{_PIECES})\W+(?P<number>\d+)\W+(?:of|from|von|aus|de)\W+(?P<stem>\w.*)", re.IGNORECASE)
_PIECE = re.compile(rf"(?<=[^\W\d_])[\W_]+(?:{_PIECES})$", re.IGNORECASE)
_NAME = re.compile(r"(?:(?<=[^\W\d_]\s)|(?<=[,;]\s))[^\W\d_a-zß-öø-ÿ][^\W\d_]{2,}")  # a capital within a sentence
_LONGEST = 300  # characters of a name that are looked at
_SPARSEST = 3  # times as far apart as consecutive ones may the numbers of a source be
_HEAD = 30  # words at the beginning of a text
_HEAD_FOUND = 0.8
_OFTEN = 2  # times a name stands in a text before it counts there
_NAMES = 2  # that two texts share
_FEWEST = 3  # texts that names hold together
_CROWD = 32  # texts with the same name beyond which each is compared with its neighbour only

Groups = list[list[Document]]


def proposals(corpus: Corpus, progress: Progress = silent) -> tuple[Problem, ...]:
    """What may be one source among the texts without any; a text is proposed for one reason alone."""
    left = [each for each in corpus.active.documents if not each.sources and each.segment is None]
    left.sort(key=lambda each: (each.path, each.part))
    found = []
    ways = (("numbers", _numbered), ("overlaps", _overlapping), ("names", _sharing_names))
    for place, (why, way) in enumerate(ways):
        groups = list(_dividing(left, way(left, part(progress, place / 3, (place + 1) / 3))))
        if groups:
            found.append(_problem(why, groups))
            taken = {each.id for group in groups for each in group}
            left = [each for each in left if each.id not in taken]
    return tuple(found)


def proposed(problem: Problem) -> dict[str, tuple[str, ...]]:
    """The sources that a proposal gives to documents, by their ids; none where a stored one does not hold together."""
    names, counts = problem.values.get("names"), problem.values.get("counts")
    if not isinstance(names, tuple) or not isinstance(counts, tuple) or len(names) != len(counts):
        return {}
    documents = iter(problem.documents)
    return {
        document: (str(name),)
        for name, count in zip(names, counts, strict=True)
        if isinstance(count, int)
        for document in islice(documents, max(count, 0))
    }


def common_name(documents: Sequence[Document]) -> str:
    """What the source of some texts might be called: the stem or the folder that all of them share; empty where there is none."""
    stems = {_stem(each)[0] for each in documents}
    if len(stems) == 1 and (stem := stems.pop()):
        return stem
    folders = {each.path.rpartition("/")[0].rpartition("/")[2] for each in documents}
    folder = folders.pop() if len(folders) == 1 else ""
    return "" if any(folder in (each.author, each.read_as) for each in documents) else folder


def _problem(why: str, groups: Groups) -> Problem:
    names = []
    for group in groups:
        # Never a word of the texts: the names go into the log.
        name = _stem(group[0])[0] if why == "numbers" else f"{group[0].title} …"
        names.append(f"{group[0].author}: {name}" if name in names else name)
    documents = [each for group in groups for each in group]
    by_pattern = why == "numbers" and all(
        (found := re.search(PATTERN, each.path)) is not None and found[1] == _stem(each)[0] for each in documents
    )
    return Problem.of(
        ONE_SOURCE,
        Severity.NOTE,
        documents=(each.id for each in documents),
        why=why,
        texts=len(documents),
        names=tuple(names),
        counts=tuple(map(len, groups)),
        how=PATTERN if by_pattern else "FILE.csv",
    )


def _dividing(documents: Sequence[Document], groups: Groups) -> Iterator[list[Document]]:
    """The groups of those authors whose texts they divide, and who have at least half of their texts in one."""
    total, held = Counter(each.author for each in documents), Counter[str]()
    fit = [group for group in groups if 1 < len(group) < total[group[0].author]]
    for group in fit:
        held[group[0].author] += len(group)
    for group in fit:
        if 2 * held[group[0].author] >= total[group[0].author]:
            yield group


def _by_author(documents: Iterable[Document]) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = defaultdict(list)
    for each in documents:
        found[each.author].append(each)
    return found


def _numbered(documents: Sequence[Document], progress: Progress) -> Groups:
    """Texts whose names differ in a number alone. A stem that several authors have is a way of naming files."""
    groups: dict[str, list[tuple[int, Document]]] = defaultdict(list)
    for each in documents:
        stem, number = _stem(each)
        if stem:
            groups[stem].append((number, each))
    found = []
    for group in groups.values():
        numbers = [number for number, _ in group]
        close = max(numbers) - min(numbers) < _SPARSEST * len(group)
        if close and len({each.author for _, each in group}) == 1:
            found.append([each for _, each in group])
    return found


def _stem(document: Document) -> tuple[str, int]:
    """The name of a text without its number, and the number; no stem where there is no number, or nothing else."""
    file = re.sub(r"\.\w+$", "", document.path.rpartition("/")[2])
    name = (document.title if document.part or not file else file)[:_LONGEST]
    if of := _PIECE_OF.fullmatch(name):
        return of["stem"].strip(), int(of["number"])
    numbered = _NUMBERED.fullmatch(name) or _NUMBER_ADDED.fullmatch(name)
    if numbered is None or not any(map(str.isalpha, numbered["stem"])):
        return "", 0
    return _PIECE.sub("", numbered["stem"]), int(numbered["number"])


def _overlapping(documents: Sequence[Document], progress: Progress) -> Groups:
    """Texts of which one begins with words that stand further on in the other."""
    shingler, joined = Shingler(), _Joined()
    by_author = _by_author(documents)
    for own in tracked(by_author.values(), progress, "Looking for sources", len(by_author)):
        heads: dict[int, list[int]] = defaultdict(list)
        sizes, rests = [], []
        for row, each in enumerate(own):
            words = each.text.split(maxsplit=_HEAD)
            head = shingler(" ".join(words[:_HEAD])).tolist()
            sizes.append(len(head))
            rests.append(words[_HEAD] if len(words) > _HEAD else "")  # letters to the same people begin alike
            for shingle in head:
                heads[shingle].append(row)
        for row, rest in enumerate(rests):
            met: Counter[int] = Counter()
            for shingle in shingler(rest).tolist():
                met.update(heads.get(shingle, ()))
            for other, count in met.items():
                if other != row and 2 * sizes[other] > _HEAD and count >= _HEAD_FOUND * sizes[other]:
                    joined.join(own[row], own[other])
    return joined.groups()


def _sharing_names(documents: Sequence[Document], progress: Progress) -> Groups:
    """Texts that share names which no other author has."""
    names: dict[str, list[str]] = {}
    authors: dict[str, str] = {}  # of a name; several are none
    for each in tracked(documents, progress, "Looking for sources", len(documents)):
        counts = Counter(_NAME.findall(each.text))
        names[each.id] = [name for name, count in counts.items() if count >= _OFTEN]
        for name in counts:
            if authors.setdefault(name, each.author) != each.author:
                authors[name] = ""
    joined = _Joined()
    for author, own in _by_author(documents).items():
        having: dict[str, list[int]] = defaultdict(list)
        for row, each in enumerate(own):
            for name in names[each.id]:
                if authors[name] == author:
                    having[name].append(row)
        shared: Counter[tuple[int, int]] = Counter()
        for rows in having.values():
            far = len(rows) if len(rows) <= _CROWD else 1
            if len(rows) < len(own):
                shared.update((one, other) for at, one in enumerate(rows) for other in rows[at + 1 : at + 1 + far])
        for (one, other), count in shared.items():
            if count >= _NAMES:
                joined.join(own[one], own[other])
    return [group for group in joined.groups() if len(group) >= _FEWEST]


class _Joined:
    """Texts that hang together, directly or through others."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}
        self._documents: dict[str, Document] = {}

    def join(self, one: Document, other: Document) -> None:
        self._documents.update({one.id: one, other.id: other})
        first, second = sorted((self._lead(one.id), self._lead(other.id)))
        self._leader[second] = first

    def groups(self) -> Groups:
        """The groups, each in the order of its texts."""
        found: dict[str, list[Document]] = defaultdict(list)
        for each in sorted(self._documents.values(), key=lambda each: (each.path, each.part)):
            found[self._lead(each.id)].append(each)
        return list(found.values())

    def _lead(self, name: str) -> str:
        while self._leader.setdefault(name, name) != name:
            self._leader[name] = name = self._leader[self._leader[name]]
        return name

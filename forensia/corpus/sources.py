"""Which texts come from one source: as the analyst says, in a table, by a pattern or each its own, and as the program proposes.

A text of which neither table nor pattern says anything keeps the sources that it was found with. Each proposal has its reason, and the
analyst uses or ignores it. For proposals texts are compared within an author, and nothing is proposed for an author of whose texts it
would take in fewer than half, which is chance or a topic, or all, which tells no more than that nobody knows.
"""

from __future__ import annotations

import csv
import io
import os
import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from forensia.corpus.document import SHARED, Corpus, Document, FileProblem, FileRefused, Problem, Severity, is_shared
from forensia.corpus.layouts.records import dialect_of, one_line, several
from forensia.corpus.nearduplicates import Joined, Shingler
from forensia.corpus.segmenting import occasion
from forensia.corpus.walking import Listing, read_bytes, shown
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
_RARE_NAME = re.compile(r"(?:(?<=[^\W\d_]\s)|(?<=[,;]\s))[^\W\d_a-zß-öø-ÿ][^\W\d_]{2,}")  # a capital within a sentence
_LONGEST = 300  # characters of a name that are looked at
_SPARSEST = 3  # times as far apart as consecutive ones may the numbers of a source be
_HEAD = 30  # words at the beginning of a text
_HEAD_FOUND = 0.8
_OFTEN = 2  # times a name stands in a text before it counts there
_NAMES_SHARED = 2  # that two texts share
_FEWEST_BY_NAMES = 3  # texts that names hold together
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
    shingler, joined = Shingler(), Joined[str]()
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
                    joined.join(own[row].id, own[other].id)
    return _groups(joined, documents)


def _sharing_names(documents: Sequence[Document], progress: Progress) -> Groups:
    """Texts that share names which no other author has."""
    names: dict[str, list[str]] = {}
    authors: dict[str, str] = {}  # of a name; several are none
    for each in tracked(documents, progress, "Looking for sources", len(documents)):
        counts = Counter(_RARE_NAME.findall(each.text))
        names[each.id] = [name for name, count in counts.items() if count >= _OFTEN]
        for name in counts:
            if authors.setdefault(name, each.author) != each.author:
                authors[name] = ""
    joined = Joined[str]()
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
            if count >= _NAMES_SHARED:
                joined.join(own[one].id, own[other].id)
    return [group for group in _groups(joined, documents) if len(group) >= _FEWEST_BY_NAMES]


def _groups(joined: Joined[str], documents: Sequence[Document]) -> Groups:
    """The texts that hang together with others, each group in the order of its texts."""
    found: dict[str, list[Document]] = defaultdict(list)
    for each in documents:
        found[joined.leader(each.id)].append(each)
    return [group for group in found.values() if len(group) > 1]


EACH = "each"
"""Said in place of a table or a pattern: every text is of an occasion of its own."""

MAX_BYTES = 16 << 20
MAX_LINES = 500_000
MAX_NAME = 1_000
MAX_PATTERN = 200  # what a pattern costs grows with its length and with that of the path
MAX_PATH = 500
_TEXT = ("file", "path", "title", "text")
_SOURCE = ("source", "sources")


class SourcesRefused(FileRefused):
    """A table or a pattern of sources that is not used; `why` is one of the kinds of its problem."""

    kind = "bad-sources"


def each_its_own(documents: Iterable[Document]) -> dict[str, tuple[str, ...]]:
    """The sources of documents, by their ids, where every text is of an occasion of its own; the pieces of a text stay together."""
    return {each.id: (occasion(each),) for each in documents}


def shared(documents: Iterable[Document], names: Collection[str], between: bool) -> dict[str, tuple[str, ...]]:
    """The sources of the documents that have one of these, by their ids, once these are shared between authors, or each author's own."""
    renamed = {
        name: f"{SHARED} {name}" if between else name[len(SHARED) :].strip()
        for name in names
        if is_shared(name) != between
    }
    return {
        each.id: tuple(renamed.get(source, source) for source in each.sources)
        for each in documents
        if not renamed.keys().isdisjoint(each.sources)
    }


def settled(given: str) -> str:
    """A table by its whole path, so that it is found again from anywhere; a pattern as it is."""
    return os.path.abspath(given) if _is_file(given) else given  # noqa: PTH100


def assigned(given: str, listing: Listing) -> Assigned | None:
    """What a table or a pattern says of these files, if one is given: what is a file is a table."""
    if not given:
        return None
    return _Table(given, listing) if _is_file(given) else _Pattern(given)


class Assigned(ABC):
    """Sources by the analyst, and of how many texts they were asked for."""

    _useless: str  # why it is refused when it says nothing of any text

    def __init__(self, given: str) -> None:
        self._given = shown(given[:MAX_NAME])
        self._asked = self._silent = 0

    def sources(self, path: str, title: str) -> tuple[str, ...]:
        """The sources of a text; none where nothing is said of it."""
        found = self._sources(path, title)
        self._asked += 1
        self._silent += not found
        return found

    def problems(self) -> Iterator[Problem]:
        """What is told when all texts are read."""
        if self._asked == self._silent:
            raise SourcesRefused(self._useless, self._given)
        if self._silent:
            count, total = self._silent, self._asked
            yield Problem.of("sources-silent", Severity.NOTE, file=self._given, count=count, total=total)

    @abstractmethod
    def _sources(self, path: str, title: str) -> tuple[str, ...]: ...


class _Table(Assigned):
    """A CSV or TSV file with a column for the text, by its path, its file name or its title, and one for its sources."""

    _useless = "no text"

    def __init__(self, given: str, listing: Listing) -> None:
        super().__init__(given)
        self._by_path: dict[str, list[str]] = {}
        self._by_title: dict[str, list[str]] = {}
        self._line: dict[str, int] = {}
        self._titles: Counter[str] = Counter()
        self._stems = {entry.stem for entry in listing.entries}
        places: dict[str, list[str]] = {}
        for entry in listing.entries:
            places.setdefault(entry.name, []).append(entry.relative)
        paths = {entry.relative for entry in listing.entries}
        for line, name, sources in _rows(given, self._given):
            found = [name] if name in paths else places.get(name, [])
            if len(found) > 1:
                raise SourcesRefused("several texts", self._given, line=line, name=name)
            named, key = (self._by_path, found[0]) if found else (self._by_title, name)
            named.setdefault(key, []).extend(sources)
            self._line.setdefault(name, line)

    def problems(self) -> Iterator[Problem]:
        for title in self._by_title:
            # A text that is there but not meant, as those of another split, may be named all the same.
            if not self._titles[title] and title not in self._stems:
                raise SourcesRefused("unknown text", self._given, line=self._line[title], name=title)
            if self._titles[title] > 1:
                raise SourcesRefused("several texts", self._given, line=self._line[title], name=title)
        yield from super().problems()

    def _sources(self, path: str, title: str) -> tuple[str, ...]:
        if title in self._by_title:
            self._titles[title] += 1
        return (*self._by_path.get(path, ()), *self._by_title.get(title, ()))


class _Pattern(Assigned):
    """A regular expression that finds the name of the source in the path of a text."""

    _useless = "no match"

    def __init__(self, given: str) -> None:
        super().__init__(given)
        if len(given) > MAX_PATTERN:
            raise SourcesRefused("long pattern", self._given, limit=MAX_PATTERN)
        try:
            self._pattern = re.compile(given)
        except (re.error, OverflowError, RecursionError) as error:
            raise SourcesRefused("no pattern", self._given, error=str(error)) from error
        self._group = self._pattern.groupindex.get("source", 1)
        if "source" not in self._pattern.groupindex and self._pattern.groups != 1:
            raise SourcesRefused("groups", self._given, groups=self._pattern.groups)

    def _sources(self, path: str, title: str) -> tuple[str, ...]:
        found = self._pattern.search(path) if len(path) <= MAX_PATH else None
        name = one_line(found[self._group]) if found else ""
        return (name,) if name else ()


def _rows(file: str, named: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The texts of a table with the line on which each stands and its sources."""
    text = _text(file, named)
    dialect = dialect_of(text, _columns)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.delimiter,
        quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
        strict=True,
    )
    line, header, columns = 1, 0, None
    try:
        for row in reader:
            if columns is None:
                columns, header = _columns(row), len(row)
                if columns is None:
                    break
            elif any(cell.strip() for cell in row):
                if len(row) < header or any(row[header:]):
                    raise SourcesRefused("columns", named, line=line, columns=len(row), header=header)
                name = shown(row[columns[0]].strip().replace("\\", "/").removeprefix("./"))
                sources = several(row[columns[1]])
                if not (name and sources):
                    raise SourcesRefused("empty name", named, line=line)
                if max(map(len, (name, *sources))) > MAX_NAME:
                    raise SourcesRefused("long name", named, line=line, limit=MAX_NAME)
                yield line, name, sources
            line = reader.line_num + 1
            if line > MAX_LINES:
                raise SourcesRefused("lines", named, limit=MAX_LINES)
    except csv.Error as error:
        raise SourcesRefused("quotes", named, line=line, error=str(error)) from error
    if columns is None:
        raise SourcesRefused("header", named)


def _columns(header: list[str]) -> tuple[int, int] | None:
    """Where the names of the texts and of their sources stand."""
    names = [name.strip().lower() for name in header]
    text, source = (next((names.index(each) for each in known if each in names), -1) for known in (_TEXT, _SOURCE))
    return None if min(text, source) < 0 else (text, source)


def _text(file: str, named: str) -> str:
    try:
        data = read_bytes(os.path.realpath(file), MAX_BYTES)
    except FileProblem as error:
        raise FileProblem(error.about(named)) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourcesRefused("encoding", named, line=data.count(b"\n", 0, error.start) + 1) from error


def _is_file(given: str) -> bool:
    return os.path.isfile(given)  # noqa: PTH113

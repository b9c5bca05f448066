"""A folder, or a file of many texts, into a Corpus: one bad file is a problem in a list and never stops the rest."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from forensia.corpus import decoding, filetypes, textchecks
from forensia.corpus.characters import count_words, normalise
from forensia.corpus.checks import checked
from forensia.corpus.cleaning import propose_cuts
from forensia.corpus.document import (
    Corpus,
    Document,
    Exclusion,
    FileProblem,
    Problem,
    ProblemError,
    Role,
    Severity,
    is_shared,
    text_hash,
)
from forensia.corpus.layouts import LAYOUTS, FileText, Item, Layout, ReadOptions, Row, choose
from forensia.corpus.segmenting import segment
from forensia.corpus.sources import Assigned, assigned
from forensia.corpus.textchecks import EXCLUDING, check_text
from forensia.corpus.walking import Entry, Listing, read_bytes, shown, walk
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.jobs import Progress, part, silent
from forensia.jobs.confined import never

_log = logging.getLogger(__name__)
_DEFAULT = ReadOptions()
_NEWS = 20  # files between two messages; the fraction is told for each
_PLAIN = frozenset({"", *(suffix for suffix, format in filetypes.FORMATS.items() if not format.in_child)})


def read_corpus(
    path: Path,
    options: ReadOptions = _DEFAULT,
    progress: Progress = silent,
    layouts: Sequence[Layout] = LAYOUTS,
    *,
    thorough: bool = False,
) -> Corpus:
    """Read a folder or a table of known authors; what could not be read is in the problems of the corpus.

    Copies and counts are checked; `thorough` checks look for near-duplicates and shared passages too. `layouts` are those among
    which the arrangement of the texts is looked for.
    """
    read = 0.6 if thorough else 0.98
    corpus = read_unchecked(path, options, part(progress, 0.0, read), layouts)
    return checked(corpus, part(progress, read, 1.0), thorough=thorough)


def read_unchecked(
    path: Path, options: ReadOptions = _DEFAULT, progress: Progress = silent, layouts: Sequence[Layout] = LAYOUTS
) -> Corpus:
    """Read a folder or a table of known authors that may be only a part of a corpus: each text is looked at, but not all together."""
    listing = listed(path, part(progress, 0.0, 0.05))
    layout = choose(listing, options.layout, layouts)
    sources = assigned(options.sources, listing)
    pulse = _Pulse(part(progress, 0.05, 1.0))
    with _Reading(options, pulse.again, sources) as reading:
        reading.problems += listing.problems
        for item in _tracked(layout, listing, options, pulse):
            reading.add(item)
    if not reading.documents:
        raise _nothing_read(layout, reading.problems)
    if sources is not None:
        reading.problems += sources.problems()
    progress(1.0, "Putting the texts in order")
    corpus = Corpus.of(reading.documents, reading.problems, layout.name, listing.root)
    _log.info("read %d documents in layout %s, %d problems", len(corpus), layout.name, len(corpus.problems))
    return corpus


def read_disputed(
    source: Path | bytes, options: ReadOptions = _DEFAULT, *, name: str = "", check: Callable[[], object] = never
) -> Document:
    """Read one text whose author is asked for: a file, or bytes with the name of the file they come from.

    `check` is called several times a second while a slow type is read, and may raise `Cancelled`.
    """
    data = source if isinstance(source, bytes) else None
    if isinstance(source, bytes):
        entry = Entry(shown(name or "pasted.txt"), "")
    else:
        listing = walk(source)
        if not listing.single:
            raise InputError(f"'{shown(str(source))}' is a folder. Choose the file with the disputed text.")
        (entry,) = listing.entries
    with _Reading(options, check) as reading:
        try:
            documents = reading.documents_of(FileText(entry, "", entry.stem), data)
        except InputError as error:
            raise FileProblem(_problem(error, entry)) from error
    if len(documents) != 1:
        raise InputError(
            f"'{entry.relative}' holds {len(documents):,} texts. Save the disputed one in a file of its own."
        )
    (document,) = documents
    for problem in document.problems:
        if problem.code in EXCLUDING:
            raise FileProblem(problem)
    return replace(document, role=Role.DISPUTED, read_role=Role.DISPUTED)


def listed(path: Path, progress: Progress = silent) -> Listing:
    """The files of a corpus; a manifest stands for the folder it lies in."""
    return walk(path.parent if path.name.lower() == "manifest.csv" else path, progress)


class _Pulse:
    """Progress that can be reported again, so that a slow file can be cancelled while it is read."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._last = (0.0, "")

    def __call__(self, fraction: float, message: str = "") -> None:
        self._last = (fraction, message)
        self._progress(fraction, message)

    def again(self) -> None:
        self._progress(*self._last)


class _Reading:
    """What has been read so far. A context, because the reading of some types goes on in a child process."""

    def __init__(self, options: ReadOptions, check: Callable[[], object], sources: Assigned | None = None) -> None:
        self.documents: list[Document] = []
        self.problems: list[Problem] = []
        self._options = options
        self._check = check
        self._sources = sources
        self._stack = ExitStack()
        self._filetypes: filetypes.Reader | None = None

    def __enter__(self) -> _Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, item: Item) -> None:
        """Take in a text; what cannot be read becomes a problem."""
        if isinstance(item, Problem):
            self.problems.append(item)
        elif isinstance(item, Row):
            self._take(self._row(item))
        else:
            try:
                documents = self.documents_of(item)
            except Cancelled:
                raise
            except ForensiaError as error:
                self.problems.append(_problem(error, item.entry))
            else:
                for document in documents:
                    self._take(document)

    def documents_of(self, item: FileText, data: bytes | None = None) -> tuple[Document, ...]:
        """The texts of a file: one for most types, many for a mailbox."""
        entry = item.entry
        if entry.suffix in _PLAIN:
            return (self._plain(item, read_bytes(entry.place, decoding.MAX_TEXT_BYTES) if data is None else data),)
        if filetypes.needs_child(entry.name):
            data = read_bytes(entry.place, filetypes.DEFAULT.size) if data is None else data
            return tuple(self._extracted(item, data))
        filetypes.extract(b"", entry.name)  # refuses a type that is not read, with what to do instead
        return ()

    def _plain(self, item: FileText, data: bytes) -> Document:
        digest = hashlib.sha256(data).hexdigest()
        decoded = decoding.decode(data, self._options.encodings.get(item.entry.relative))
        text = normalise(decoded.text)
        # The same bytes need no second hash: `normalise` gives back the very text it got when there is nothing to do.
        same = text is decoded.text and decoded.encoding == "utf-8"
        text_digest = digest if same else text_hash(text)
        return self._document(item, text, digest, text_digest, decoded.encoding, decoded.problems, ascii=decoded.ascii)

    def _extracted(self, item: FileText, data: bytes) -> Iterator[Document]:
        if self._filetypes is None:
            self._filetypes = self._stack.enter_context(filetypes.Reader())
        digest = hashlib.sha256(data).hexdigest()
        extraction = self._filetypes.extract(data, item.entry.name, self._check)
        notes = tuple(replace(note, file=item.entry.relative) for note in extraction.notes)
        several = len(extraction.parts) > 1
        for number, piece in enumerate(extraction.parts, start=1):
            text = normalise(piece.text)
            title = piece.title or (f"{item.title} {number}" if several else item.title)
            # What is shared is the same in whatever folder it lies; an author's own lies in its folder, as a folder lies in another.
            own = tuple("/".join(filter(None, (each, piece.source))) for each in item.sources or ("",))
            sources = (piece.source,) if is_shared(piece.source) else own
            placed = item._replace(title=title, sources=sources, part=number if several else item.part)
            yield self._document(placed, text, digest, text_hash(text), piece.encoding or "utf-8", notes)

    def _row(self, row: Row) -> Document:
        container = row.container
        text = normalise(row.text)
        item = FileText(container.entry, row.author, row.title, row.sources, row.part)
        return self._document(item, text, container.sha256, text_hash(text), container.encoding, ())

    def _document(
        self,
        item: FileText,
        text: str,
        digest: str,
        text_digest: str,
        encoding: str,
        found: tuple[Problem, ...],
        *,
        ascii: bool = False,
    ) -> Document:
        path = item.entry.relative
        options = self._options
        words, guessed = count_words(text), textchecks.guess(text)
        problems = (*found, *check_text(text, language=options.language, words=words, guessed=guessed, ascii=ascii))
        if problems:
            problems = tuple(problem if problem.file else replace(problem, file=path) for problem in problems)
        cuts = propose_cuts(text, options.steps) if options.steps else ()
        given = () if self._sources is None else self._sources.sources(path, item.title)
        document = Document(
            author=item.author,
            title=item.title,
            body=text,
            sources=given or item.sources,
            path=path,
            part=item.part,
            sha256_bytes=digest,
            sha256_text=text_digest,
            encoding=encoding,
            language=guessed.code,
            words=words,
            cuts=cuts,
            problems=problems,
        )
        return replace(document, words=count_words(document.text)) if cuts else document

    def _take(self, document: Document) -> None:
        reasons = [Exclusion(each.code, each.values) for each in document.problems if each.code in EXCLUDING]
        if reasons:
            self.documents.append(replace(document, excluded=reasons[0]))
        elif self._options.segment_words is not None:
            self.documents += segment(document, self._options.segment_words)
        else:
            self.documents.append(document)


def _problem(error: ForensiaError, entry: Entry) -> Problem:
    """A refusal as a line of the list of problems."""
    if isinstance(error, FileProblem):
        return error.about(entry.relative)
    return Problem.of("not-read", file=entry.relative, error=str(error))


def _tracked(layout: Layout, listing: Listing, options: ReadOptions, progress: Progress) -> Iterator[Item]:
    """The items of a layout with progress after each; a layout that does not know their number reports by itself."""
    items = layout.items(listing, options, progress)
    if not isinstance(items, list):
        yield from items
        return
    total, message = len(items), ""
    for done, item in enumerate(items):
        if done % _NEWS == 0:
            message = f"Reading file {done + 1:,} of {total:,}"
        progress(done / total, message)
        yield item
    progress(1.0, f"{total:,} files read")


def _nothing_read(layout: Layout, problems: list[Problem]) -> ProblemError:
    graver = [problem for problem in problems if problem.severity is not Severity.NOTE]
    return ProblemError(Problem.of("nothing-read", Severity.BLOCKING, layout=layout.name), graver)
